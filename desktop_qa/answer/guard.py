"""Refuses attempts on the program's instructions, and what is harmful or not safe for work.

The offline answer has no prompt that could leak and can say nothing that stands in no document;
still such a question must not be answered with the sentence of a datasheet that shares its words.
The hybrid-retrieval paper ("Guardrails around generated answer") compares the answer with the
prompt; here the question itself is read, before anything is searched.
"""

from __future__ import annotations

import base64
import codecs
import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache

from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.core.answer import NOT_FOUND_SENTENCE, Answer, AnswerStatus
from desktop_qa.core.answer_blocks import Line, Role, Run
from desktop_qa.paths import asset

GUARD_SENTENCE = (
    f"{NOT_FOUND_SENTENCE} Questions are answered from the documents alone, and nothing in a"
    " question changes how."
)
HARM_SENTENCE = (
    f"{NOT_FOUND_SENTENCE} Questions are answered from the documents alone, and this is none that"
    " they are for."
)
_OF_INSTRUCTIONS = "instructions"

_OF_THE_LIBRARY = 0.46
"""Cosine of a question and a segment from which it is about the library; of three questions that
the library answers two reach it, of those about anything else hardly one."""

_MAX_CHARACTERS = 4000
"""Of the beginning and of the end of a question that are read."""

_START = (
    r"(?:^ ?|[.!?;:,)\n\u2026-] ?|\b(?:please|now|just|then|and|but|or|first|so|kindly|to you"
    r"|i want you to|i need you to|you (?:must|should|can|may|will|have to|shall|need to)|must"
    r"|can you|could you|would you|will you|to) )[\"'\u201c(\[]?"
)
"""Where a command may begin: at a clause, or behind a word that leads one."""

_SPACED = re.compile(r"(?<!\w)(?:[^\W\d_][ ._*\-]{1,3}){5,}[^\W\d_](?!\w)")
_BASE64 = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{16,}={0,2}(?![\w+/])")
_LETTER_AND_DIGIT = re.compile(r"\S*(?:[a-z][0134579@$]|[0134579@$][a-z])\S*")
_LEET = str.maketrans("0134579@$", "oieastgas")
_COMBINING = re.compile("[\u0300-\u036f]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    pattern: re.Pattern[str]
    meaning: tuple[str, ...]


@cache
def _vocabulary() -> tuple[tuple[_Kind, ...], float]:
    """Return the kinds of attempts, that on the instructions first, and the least cosine of one."""
    content = tomllib.loads(asset("resources/vocabulary/guard.toml").read_text(encoding="utf-8"))
    kinds = tuple(
        _Kind(
            kind["name"],
            re.compile("|".join(p.replace("{start}", _START) for p in kind["patterns"])),
            tuple(kind["meaning"]),
        )
        for kind in content["kind"]
    )
    return kinds, content["min_cosine"]


def attempt_in(question: str) -> str:
    """Return the kind of attempt that a question is: "instructions", "harm", "not safe for work".

    It is found behind odd spacing, digits for letters, base64, rot13 and text set backwards, too.

    Returns:
        "" for a question that may be answered.
    """
    if len(question) > 2 * _MAX_CHARACTERS:
        question = f"{question[:_MAX_CHARACTERS]}\n{question[-_MAX_CHARACTERS:]}"
    kinds, _min_cosine = _vocabulary()
    plain = _plain(question)
    joined = " ".join(_SPACED.sub(_join_letters, plain).split())
    text = " ".join(plain.split())
    spelled = _LETTER_AND_DIGIT.sub(lambda match: match.group().translate(_LEET), text)
    for reading in dict.fromkeys((text, joined, spelled)):
        for kind in kinds:
            if kind.pattern.search(reading):
                return kind.name
    decoded = (" ".join(_plain(_decoded(token)).split()) for token in _BASE64.findall(question))
    # Other letters make words of other kinds by chance: "MSDB" set backwards.
    hidden = (codecs.encode(text, "rot13"), text[::-1], *decoded)
    return _OF_INSTRUCTIONS if any(map(kinds[0].pattern.search, hidden)) else ""


def guarded_answer(question: str) -> Answer | None:
    """Return the refusal of a question that need not be searched for; `None` for any other."""
    kind = attempt_in(question)
    if not kind:
        return None
    said = Line((Run(_sentence(kind)),), Role.NOTICE)
    return Answer(question, (said,), (), (), AnswerStatus.NOT_FOUND, (), "extractive", 0.0)


def refused_attempt(task: AnswerTask) -> Reply | None:
    """Refuse what means such an attempt, unless it is plainly about the library.

    Its words were read before it was searched for; see `guarded_answer`.
    """
    query = task.query
    if query.document_ids or query.absent or query.mentioned or query.structure_refs:
        return None
    if task.best_similarity >= _OF_THE_LIBRARY:
        return None
    kinds, min_cosine = _vocabulary()
    meant = [(kind.name, text) for kind in kinds for text in kind.meaning]
    cosines = task.similarities([text for _name, text in meant])
    cosine, name = max(zip(cosines, (name for name, _text in meant), strict=True))
    if cosine < min_cosine:
        return None
    return Reply(_sentence(name), status=AnswerStatus.NOT_FOUND, is_sure=True)


def _sentence(kind: str) -> str:
    return GUARD_SENTENCE if kind == _OF_INSTRUCTIONS else HARM_SENTENCE


def _plain(text: str) -> str:
    """Return a text in small letters, without accents and characters that do not show."""
    text = unicodedata.normalize("NFKD", _INVISIBLE.sub("", text)).casefold()
    text = unicodedata.normalize("NFC", _COMBINING.sub("", text))
    return text.replace("\u2019", "'").replace("\u00df", "ss")


def _join_letters(match: re.Match[str]) -> str:
    """Join letters that stand apart; a wider gap between them is the end of a word."""
    words = re.split(r" {2,}", match.group())
    return " ".join(re.sub(r"[ ._*\-]", "", word) for word in words)


def _decoded(token: str) -> str:
    try:
        return base64.b64decode(token + "=" * (-len(token) % 4)).decode("utf-8")
    except ValueError:
        return ""
