"""The questions that one question is answered as: its parts, or its readings.

"DRV5011: what is the longest power-on time, and what is the most supply current it may draw?" asks
two things that stand in two places; the whole question is near neither of them. Where one question
ends and the next begins is read from the parts of speech.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop_qa.augment.codes import codes_in_question
from desktop_qa.augment.grammar import Word
from desktop_qa.core.answer import Query, QuestionType
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.phrases import FINITE, phrases_of, words_of
from desktop_qa.retrieve.question_type import TASKS

MAX_PARTS = 6
"""Of a question that are searched and answered; the others are to be asked by themselves."""

_INTERROGATIVE = ("WDT", "WP", "WP$", "WRB")
_PREPOSITIONS = ("IN", "TO", "RP")
_ASKING_VERBS = frozenset(
    ("tell", "explain", "list", "give", "show", "describe", "name", "find", "compare",
     "summarise", "summarize")
)  # fmt: skip
_AUXILIARIES = frozenset(
    ("is", "are", "was", "were", "do", "does", "did", "can", "could", "may", "must", "shall",
     "should", "will", "would")
)  # fmt: skip
_LINKS = frozenset(["and", "but", "also", "or", "please", ",", ";"])
_PRONOUNS = frozenset(["it", "its", "they", "their", "them", "those", "these"])
_LEAD = re.compile(r"(?P<lead>[^:?]{2,90}):\s+(?=\S)")
"""What all parts stand under: "DRV5011:"."""

_ASKING_TERMS = frozenset(
    terms_of("much many long high low large far often must need get through below above over under")
)
_ASKS_FOR_THINGS = re.compile(
    r"(?:(?:what|which)(?:\s+(?:is|are|was|were)|['’]s)|give|tell|show|list|name|find)\s+(?:me\s+)?$",
    re.IGNORECASE,
)
_OF_SEVERAL = (QuestionType.COMPARE, QuestionType.ACROSS_DOCUMENTS)
_ANSWERED_WHOLE = {*TASKS, QuestionType.CALCULATION} - {QuestionType.EXTRACTION}
"""What is to be done with the answer needs all of it at once."""


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A question to be answered by itself.

    Attributes:
        question: Complete.
        label: Leads its line; empty for none.
        reading: Of a part of a question; `None` for what an ambiguous one may mean.
    """

    question: str
    label: str = ""
    reading: Query | None = None


def sub_questions(query: Query) -> tuple[SubQuestion, ...]:
    """Return the questions that a question is answered as, two or more, or none.

    A comparison of documents is one question: its answer sets them side by side.
    """
    is_apart = len({part.document_ids for part in query.parts}) > 1
    is_compared = len(query.document_ids) > 1 and query.type in _OF_SEVERAL and not is_apart
    if query.options or is_compared or query.type in _ANSWERED_WHOLE:
        return ()
    if len(query.parts) > 1:
        return tuple(SubQuestion(part.text, reading=part) for part in query.parts)
    readings = () if query.document_ids or len(query.readings) < 2 else query.readings
    return tuple(SubQuestion(one, "".join(codes_in_question(one)[:1])) for one in readings)


def split_question(text: str) -> tuple[str, ...]:
    """Cut a composite question into parts, each with the part number and the lead of the whole.

    Args:
        text: Without options.

    Returns:
        At least two complete questions in the order asked, or none when the question is one.
    """
    words = list(words_of(text))
    match = None if words and words[0].tag in _INTERROGATIVE else _LEAD.match(text)
    lead = match["lead"].strip() if match is not None else ""
    words = [word for word in words if match is None or word.start >= match.end()]
    clauses = _clauses(text, words)
    if len(clauses) < 2:
        clauses = _objects(text, words)
    parts = _completed(text, lead, clauses) if len(clauses) > 1 else []
    return tuple(dict.fromkeys(parts)) if len(set(parts)) > 1 else ()


def _asks_from(words: Sequence[Word], n: int) -> bool:
    """Tell whether a question begins with a word: "what", "at which", "does it", "tell me"."""
    while n < len(words) and words[n].tag in _PREPOSITIONS:
        n += 1
    if n >= len(words):
        return False
    word, following = words[n].text.lower(), words[n + 1].tag if n + 1 < len(words) else ""
    if words[n].tag in _INTERROGATIVE or word in ("what", "which", "how"):
        return True
    if word in _ASKING_VERBS:
        return words[n].tag in ("VB", "NNP") or n == 0
    return word in _AUXILIARIES and following in ("DT", "PRP", "PRP$", "NNP", "EX")


def _clauses(text: str, words: Sequence[Word]) -> list[str]:
    """Return the clauses that each ask something; a relative clause stays where it is."""
    starts = [0]
    for n in range(1, len(words)):
        begin = n
        while begin and words[begin - 1].text.lower() in _LINKS:
            begin -= 1
        # Behind a comma alone what goes before may be a condition: "When it is on, how long ...".
        is_linked = begin - starts[-1] > 1 and any(word.text not in ",;" for word in words[begin:n])
        is_new = begin > 0 and words[begin - 1].text == "?"
        is_verb = words[n].text.lower() in _ASKING_VERBS
        if not (is_new or is_linked) or not _asks_from(words, n) or (is_new and is_verb):
            continue
        before = range(starts[-1], begin)
        openings = (m for m in before if m == starts[-1] or words[m - 1].text in ",?")
        starts += [n] if any(_asks_from(words, m) for m in openings) else []
    spans = zip(starts, [*starts[1:], len(words)], strict=True)
    found = [_between(text, words[a:b]) for a, b in spans if b > a]
    clauses = [clause for clause in found if clause]
    return clauses if len(clauses) > 1 and all(map(_says_enough, clauses)) else []


def _between(text: str, words: Sequence[Word]) -> str:
    words = list(words)
    while words and (words[-1].text.lower() in _LINKS or words[-1].text in "?."):
        words.pop()
    return text[words[0].start : words[-1].start + len(words[-1].text)] if words else ""


def _says_enough(clause: str) -> bool:
    """Tell whether a clause can stand alone: a noun of its own behind a verb, or two words."""
    n_terms = len(set(terms_of(clause)) - _ASKING_TERMS)
    words = words_of(clause)
    is_told = any(
        word.tag in FINITE and after.tag in ("DT", "PRP", "PRP$") for word, after in pairwise(words)
    )
    return n_terms > 1 or (n_terms == 1 and is_told) or bool(codes_in_question(clause))


def _objects(text: str, words: Sequence[Word]) -> list[str]:
    """Return a question for each of several things asked for at once.

    "What is the slew rate, the supply range and the noise of the X at 5 V?": what stands behind the
    last holds for all. "Offset and gain error" is one thing: only with its article can one be of a
    single word.
    """
    phrases = [one for one in phrases_of(text) if words and one.start >= words[0].start]
    if not phrases or phrases[0].article not in ("the", "its"):
        return []
    asked = text[words[0].start : phrases[0].start]
    run = phrases[:1]
    for phrase in phrases[1:]:
        gap = text[run[-1].end : phrase.start]
        if not re.fullmatch(r"\s*(?:,|,?\s*\band\b)\s*(?:also\s+)?(?:the|its)?\s*", gap):
            break
        run.append(phrase)
    tail = text[run[-1].end :].rstrip(" ?.!")
    is_told = all(one.article for one in run) or all(" " in one.text for one in run)
    is_one = len(run) < 2 or not is_told
    is_one = is_one or not _ASKS_FOR_THINGS.fullmatch(asked.rstrip()[: -len(run[0].article)])
    if is_one or codes_in_question(text[run[0].start : run[-1].end]):
        return []
    return [f"{asked}{text[one.start : one.end]}{tail}" for one in run]


def _completed(text: str, lead: str, clauses: Sequence[str]) -> list[str]:
    codes = codes_in_question(text)
    topic = _topic_of(clauses[0]) if not codes else ""
    parts: list[str] = []
    for n, whole in enumerate(clauses):
        clause = whole.rstrip(" .?!")
        own = clause if lead else clause[0].upper() + clause[1:]
        has_code = any(code.lower() in f"{lead} {clause}".lower() for code in codes)
        if codes and not has_code:
            own = f"{', '.join(codes)}: {clause}"
        elif n and not codes and not lead:
            is_named = any(one.text[0].isupper() for one in phrases_of(clause))
            if topic and not is_named:
                own = f"{own}, {topic}"
            elif not _PRONOUNS.isdisjoint(clause.lower().split()):
                return []  # nothing says what "it" is: better one question than half of one
        parts.append(f"{lead}: {own}?" if lead else f"{own}?")
    return parts


def _topic_of(clause: str) -> str:
    """Return what a question without a part number is about: "of the bench board", "of Nike"."""
    for phrase in reversed(phrases_of(clause)):
        of = re.search(r"\b(?:of|in|for|on)\s+(?:the\s+|an?\s+)?$", clause[: phrase.start])
        if of is not None and (phrase.article in ("the", "a", "an") or phrase.text[0].isupper()):
            return f"{clause[of.start() : phrase.end]}"
    return ""


def left_out(text: str) -> list[str]:
    """Say how many parts of an endless question are not answered; nothing when all are."""
    n_parts = len(split_question(text))
    if n_parts <= MAX_PARTS:
        return []
    return [
        f"The question asks {n_parts} things; the first {MAX_PARTS} were answered."
        " Ask the others by themselves."
    ]


def asks_apart(parts: Sequence[str], codes_of_documents: Sequence[Sequence[str]]) -> bool:
    """Tell whether each part of a question is about a document of its own: no comparison.

    Args:
        parts: From `split_question`.
        codes_of_documents: For each document the codes in the question that name it.
    """
    named = [
        [n for n, codes in enumerate(codes_of_documents) if any(code in part for code in codes)]
        for part in parts
    ]
    return len(named) > 1 and all(len(one) == 1 for one in named) and len({*map(tuple, named)}) > 1
