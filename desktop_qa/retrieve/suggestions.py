"""What to offer for a question that is being typed: parts, headings, earlier questions.

A part number completes the word at the caret. A heading completes the words before the caret that
it begins with or holds; an earlier question takes the place of all that is typed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from desktop_qa.core.document import split_heading_number
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.suggestion import MAX_SUGGESTIONS, Suggestion, SuggestionKind
from desktop_qa.index.index_rows import DocumentOutline
from desktop_qa.index.terms import STOP_WORDS, fold
from desktop_qa.retrieve.part_completion import PartCompletion
from desktop_qa.retrieve.places import LABEL
from desktop_qa.retrieve.word_index import WordIndex, matching_spans, words_of

_MAX_OF_KIND = 3
_MAX_TYPED = 400
"""Characters before the caret that are looked at: nobody completes a page."""

_MAX_WORDS = 6
_LEAST_LETTERS = 3
_LEAST_QUESTION_LETTERS = 2
_MAX_HEADING = 90
_LENGTH_COST = 1 / 60
_AT_CARET = re.compile(r"[\w][\w/+.-]*$")
_WORD = re.compile(r"\w+")
_TAIL = re.compile(
    r"(?:\s*[([]?\bcont(?:inued|['’]?d|\.)[)\]]?|\s*\(?(?:\d{1,2}\)|[†‡*¹²³]\)?))+\s*$",
    re.IGNORECASE,
)
"""Footnotes, and what is said of a table that runs on."""


class HeadingIndex:
    """Titles of sections and captions of tables, each once; immutable."""

    def __init__(self, outlines: Iterable[tuple[DocumentStatus, DocumentOutline]]) -> None:
        found: dict[str, tuple[str, SuggestionKind, int, str]] = {}
        bare = lru_cache(maxsize=None)(_bare_title)  # most documents share most of their headings
        for status, outline in outlines:
            name = status.file.rsplit("/", 1)[-1]
            own = [(h, SuggestionKind.SECTION) for h in outline.headings]
            own += [(c, SuggestionKind.TABLE) for c in outline.captions]
            titles = {
                folded: (t, kind) for text, kind in own[::-1] for folded, t in [bare(text, kind)]
            }
            for folded, (title, kind) in titles.items():
                best, known, n, _name = found.get(folded, (title, kind, 0, ""))
                # A caption that is a section's title as well is offered as the section.
                kind = kind if kind is SuggestionKind.SECTION else known
                found[folded] = (title if best.isupper() else best, kind, n + 1, name)
        found.pop("", None)
        self._headings = list(found.values())
        texts = [title for title, *_rest in self._headings]
        scores = [math.log1p(n) - _LENGTH_COST * len(text) for text, _k, n, _f in self._headings]
        self._index = WordIndex(texts, scores)

    def __len__(self) -> int:
        return len(self._index)

    def find(self, typed: str, limit: int) -> list[Suggestion]:
        """Complete the last words before the caret; a question with its mark is complete."""
        if typed.rstrip().endswith(("?", "!")):
            return []
        places = list(_WORD.finditer(typed))
        for match in places[-_MAX_WORDS:]:
            tail = typed[match.start() :]
            words = words_of(tail)
            if not words or words[0] in STOP_WORDS:
                continue
            if len(words) == 1 and len(words[0]) < _LEAST_LETTERS:
                return []
            rows = self._index.find(words, 4 * limit)
            found = [self._suggestion(row, words, match.start(), len(typed)) for row in rows]
            found = [one for one in found if fold(one.text) != fold(tail)]
            if rows:
                return found
        return []

    def _suggestion(self, row: int, words: Sequence[str], start: int, end: int) -> Suggestion:
        text, kind, n, file = self._headings[self._index.places[row]]
        where = file if n == 1 else f"{n} documents"
        return Suggestion(kind, text, where, start, end, matching_spans(text, words))


def _bare_title(text: str, kind: SuggestionKind) -> tuple[str, str]:
    """Return a title folded and as it is, without number, label and footnotes; "" if poor."""
    if kind is SuggestionKind.SECTION:
        text = split_heading_number(text)[1] or text
    else:
        text = LABEL.sub("", text).lstrip(" .:)")
    title = _TAIL.sub("", " ".join(text.split())).strip(" .:–—-")
    is_worth_offering = len(title) <= _MAX_HEADING and sum(c.isalpha() for c in title) >= 3
    return (fold(title), title) if is_worth_offering else ("", "")


class QuestionIndex:
    """Questions asked before, the newest first; immutable."""

    def __init__(self, questions: Sequence[str]) -> None:
        texts = list(dict.fromkeys(" ".join(question.split()) for question in questions))
        n = max(len(texts), 1)
        self._index = WordIndex(texts, [1 - i / n for i in range(len(texts))])

    def find(self, typed: str, whole: int, limit: int) -> list[Suggestion]:
        """Return questions that hold all the words typed; they take the place of `whole`."""
        words = words_of(typed)
        if not words or len("".join(words)) < _LEAST_QUESTION_LETTERS:
            return []
        found = []
        for row in self._index.find(words, limit + 1):
            text = self._index.texts[row]
            if fold(text) != fold(" ".join(typed.split())):
                spans = matching_spans(text, words)
                found.append(Suggestion(SuggestionKind.QUESTION, text, "", 0, whole, spans))
        return found[:limit]


def suggest_parts(parts: PartCompletion, typed: str, limit: int) -> list[Suggestion]:
    """Complete the word at the caret to part numbers."""
    match = _AT_CARET.search(typed)
    if match is None or not _may_be_code(match.group()):
        return []
    word = match.group()
    found = []
    for printed, titles, is_held in parts.complete(word, limit + 1):
        at = printed.casefold().find(word.casefold())
        about = titles[0] if len(titles) == 1 else f"{len(titles)} documents"
        spans = ((at, at + len(word)),) if is_held and at >= 0 else ()
        if printed != word:
            place = match.start(), len(typed)
            found.append(Suggestion(SuggestionKind.PART, printed, about, *place, spans))
    return found[:limit]


def _may_be_code(word: str) -> bool:
    """Tell whether a word may be the beginning of a part number: "OPA", "lm3", not "the"."""
    n_digits = sum(c.isdigit() for c in word)
    if word.casefold() in STOP_WORDS:
        return False
    if n_digits:
        return n_digits < len(word) or n_digits >= _LEAST_LETTERS
    return len(word) >= (2 if word.isupper() else _LEAST_LETTERS)


def combined(
    parts: Sequence[Suggestion], headings: Sequence[Suggestion], questions: Sequence[Suggestion]
) -> tuple[Suggestion, ...]:
    """Return at most eight suggestions, kind by kind, each kind with its share."""
    by_kind: dict[SuggestionKind, list[Suggestion]] = {kind: [] for kind in SuggestionKind}
    for one in (*parts, *headings, *questions):
        by_kind[one.kind].append(one)
    turns = [turn for found in by_kind.values() for turn in enumerate(found[:_MAX_OF_KIND])]
    kept = sorted(turns, key=lambda turn: turn[0])[:MAX_SUGGESTIONS]
    return tuple(turn[1] for turn in turns if turn in kept)


def before_caret(text: str, caret: int) -> str:
    """Return what is completed: the text up to the caret, "" when the caret is inside a word."""
    end = min(max(caret, 0), len(text))
    if end < len(text) and (text[end].isalnum() or text[end] == "_"):
        return ""
    return text[:end] if end <= _MAX_TYPED else ""
