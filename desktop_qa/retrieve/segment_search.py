"""Finds the segments that a search means, without embedding anything.

Words and fields are looked up in the indexes for all segments at once. What only the texts tell
(phrases) is checked on those that are left, best first and only as far as somebody looks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.search_view import SearchSort
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.index.index_rows import DocumentOutline
from desktop_qa.index.records import KIND_NUMBERS
from desktop_qa.index.terms import fold
from desktop_qa.retrieve.scope import select, vendor_pattern
from desktop_qa.retrieve.search_index import BoolArray, Snapshot
from desktop_qa.retrieve.search_language import (
    Clause,
    Field,
    Filter,
    SearchQuery,
    Words,
)
from desktop_qa.retrieve.search_words import phrase_pattern, searched_terms, word_terms
from desktop_qa.retrieve.spelling import nearest_word

RowArray = npt.NDArray[np.intp]

_CHECKED_AT_ONCE = 250
_BOILERPLATE_SHARE = 0.6
"""What a segment of legal, ordering and packaging matter counts, against another."""

_MAX_READ = 20
"""Texts that are read to see how a word is written."""

_MAX_MOST = 2
"""Where nothing holds all words, places may lack one of them; of two words they hold one."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a search looks through.

    Attributes:
        outline_of: Tells on which pages the segments of a document stand.
        texts_of: Reads the words of segments.
    """

    snapshot: Snapshot
    statuses: Sequence[DocumentStatus]
    outline_of: Callable[[DocumentStatus], DocumentOutline]
    texts_of: Callable[[Sequence[SegmentId]], dict[SegmentId, str]]


@dataclass(frozen=True, slots=True)
class _Check:
    """A clause that the text decides: where it holds anyway, and its phrases elsewhere."""

    anyway: BoolArray
    phrases: tuple[Callable[[str], object], ...]
    is_excluded: bool

    def holds(self, row: int, text: str) -> bool:
        is_met = bool(self.anyway[row]) or any(found(text) for found in self.phrases)
        return is_met is not self.is_excluded


class Found:
    """The places of one search, in their order; checked as far as they are asked for."""

    def __init__(
        self, corpus: Corpus, rows: RowArray, scores: npt.NDArray[np.float32], checks: list[_Check]
    ) -> None:
        self._corpus = corpus
        self._scores = scores
        self._checks = checks
        self._left = rows if checks else rows[:0]
        self.rows: list[int] = [] if checks else rows.tolist()
        self.notes: tuple[str, ...] = ()
        self.respelled: dict[str, str] = {}

    @property
    def is_exact(self) -> bool:
        """True when every place is known."""
        return not len(self._left)

    def score(self, row: int) -> float:
        """Return the score of a row."""
        return float(self._scores[row])

    def reach(self, n_wanted: int, seconds: float) -> None:
        """Check until so many places are known, and go on counting for so long."""
        until = time.monotonic() + seconds
        while len(self._left) and (len(self.rows) < n_wanted or time.monotonic() < until):
            self._check_some()

    def _check_some(self) -> None:
        some, self._left = self._left[:_CHECKED_AT_ONCE], self._left[_CHECKED_AT_ONCE:]
        ids = [self._corpus.snapshot.state.segment_id(row) for row in some]
        texts = self._corpus.texts_of(ids)
        for row, segment_id in zip(some.tolist(), ids, strict=True):
            text = fold(texts.get(segment_id, ""))
            if all(check.holds(row, text) for check in self._checks):
                self.rows.append(row)

    @property
    def document_ids(self) -> tuple[DocumentId, ...]:
        """The documents of the places known, in the order of their first place."""
        snapshot = self._corpus.snapshot
        numbers = snapshot.state.document_numbers[np.array(self.rows, np.intp)]
        _, firsts = np.unique(numbers, return_index=True)
        return tuple(snapshot.state.document_ids[int(numbers[i])] for i in np.sort(firsts))


class SegmentSearch:
    """Looks a search up; made for each."""

    def __init__(self, corpus: Corpus, query: SearchQuery, scope: Sequence[DocumentId]) -> None:
        """Prepare a search.

        Args:
            corpus: What is looked through.
            query: What is looked for.
            scope: Documents to look in; empty is all.
        """
        self._corpus = corpus
        self._snapshot = corpus.snapshot
        self._query = query
        self._scope = scope

    def find(self, sort: SearchSort) -> Found:
        """Return the places in an order, not yet checked against their texts."""
        kept = np.ones(self._snapshot.state.n_rows, np.bool_)
        if self._scope:
            kept = self._snapshot.state.mask_of(self._scope)
        checks = []
        notes: list[str] = []
        words: list[BoolArray] = []
        # Pages last: they are looked up only in the documents that are left.
        for clause in sorted(self._query.clauses, key=_needs_pages):
            mask, check = self._clause(clause, kept)
            if check is not None:
                checks.append(check)
            if _is_plain_word(clause):
                words.append(mask)
            else:
                kept &= mask
        rows_of_words = np.logical_and.reduce([kept, *words])
        if not rows_of_words.any() and len(words) > 1:
            rows_of_words, note = _with_most_words(kept, words)
            notes += [note] if note else []
        scores = self._scores()
        order = self._ordered(np.flatnonzero(rows_of_words), scores, sort)
        found = Found(self._corpus, order, scores, checks)
        found.respelled = self._respelled()
        unknown = (
            f"“{word}” stands nowhere in this library."
            + (f" Did you mean “{meant}”?" if meant else "")
            for word, meant in found.respelled.items()
        )
        found.notes = (*unknown, *notes)
        return found

    def _clause(self, clause: Clause, kept: BoolArray) -> tuple[BoolArray, _Check | None]:
        """Return where a clause may hold, and what must be checked there."""
        sure = np.zeros(self._snapshot.state.n_rows, np.bool_)
        likely = np.zeros(self._snapshot.state.n_rows, np.bool_)
        phrases = []
        for one in clause.alternatives:
            if isinstance(one, Words) and one.is_phrase:
                pattern = phrase_pattern(one.text)
                if pattern is not None:
                    phrases.append(pattern.search)
                    likely |= np.logical_and.reduce(list(map(self._word, one.text.split())))
            else:
                sure |= (
                    self._filtered(one, kept) if isinstance(one, Filter) else self._word(one.text)
                )
        check = _Check(sure, tuple(phrases), clause.is_excluded) if phrases else None
        return ~sure if clause.is_excluded else sure | likely, check

    def _word(self, text: str) -> BoolArray:
        """Return the rows that hold a word; "the" and its like stand everywhere."""
        terms, holding = word_terms(text), self._snapshot.lexical.holding
        everywhere = np.ones(self._snapshot.state.n_rows, np.bool_)
        parts: BoolArray = np.logical_and.reduce([everywhere, *map(holding, terms.parts)])
        if not terms.whole:
            return parts
        return holding(terms.whole) | parts if terms.parts else holding(terms.whole)

    # Fields

    def _filtered(self, one: Filter, kept: BoolArray) -> BoolArray:
        if one.field is Field.KIND:
            return np.equal(self._snapshot.state.kinds, KIND_NUMBERS[SegmentKind(one.kind)])
        if one.field is Field.PAGE:
            first_page, last_page = self._page_numbers(kept)
            first, last = one.pages
            inside = last_page >= first
            return inside if last is None else inside & (first_page <= last)
        return self._snapshot.state.mask_of(documents_of(one, self._corpus.statuses))

    def _page_numbers(
        self, kept: BoolArray | RowArray
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return the first and the last page of the rows of documents with a row that is kept."""
        snapshot = self._snapshot
        first = np.zeros(snapshot.state.n_rows, np.int32)
        last = np.full(snapshot.state.n_rows, -1, np.int32)
        numbers = np.unique(snapshot.state.document_numbers[kept])
        status_of = {status.document_id: status for status in self._corpus.statuses}
        for number in numbers.tolist():
            document_id = snapshot.state.document_ids[number]
            status = status_of.get(document_id)
            if status is None:
                continue
            outline = self._corpus.outline_of(status)
            rows = snapshot.state.rows_of(document_id)
            ordinals = snapshot.state.ordinals[rows]
            known = ordinals < len(outline.first_pages)
            first[rows[known]] = outline.first_pages[ordinals[known]]
            last[rows[known]] = outline.last_pages[ordinals[known]]
        return first, last

    # Order

    def _scores(self) -> npt.NDArray[np.float32]:
        terms = searched_terms(self._query)
        scores = np.asarray(self._snapshot.lexical.scores(terms), np.float32)
        share = np.where(self._snapshot.state.boilerplate, _BOILERPLATE_SHARE, 1.0)
        return np.asarray(scores * share, np.float32)

    def _ordered(
        self, rows: RowArray, scores: npt.NDArray[np.float32], sort: SearchSort
    ) -> RowArray:
        if sort is SearchSort.PAGE:
            first_page, _ = self._page_numbers(rows)
            return rows[np.argsort(first_page[rows], kind="stable")]
        if sort is SearchSort.DOCUMENT or not scores[rows].any():
            return self._by_file(rows)
        return rows[np.argsort(-scores[rows], kind="stable")]

    def _by_file(self, rows: RowArray) -> RowArray:
        names = {s.document_id: s.file.rsplit("/", 1)[-1].casefold() for s in self._corpus.statuses}
        ids = self._snapshot.state.document_ids
        order = sorted(range(len(ids)), key=lambda number: names.get(ids[number], ""))
        place = np.zeros(len(ids), np.int64)
        place[order] = np.arange(len(ids))
        return rows[np.argsort(place[self._snapshot.state.document_numbers[rows]], kind="stable")]

    def _respelled(self) -> dict[str, str]:
        """Return the words that stand nowhere, each with the one that may be meant or nothing."""
        respelled = {}
        for words in self._query.words():
            is_word = not words.is_phrase and bool(word_terms(words.text).all)
            if is_word and not self._word(words.text).any():
                meant = nearest_word(
                    words.text, self._snapshot.lexical.document_frequency, self._texts_with
                )
                respelled[words.text] = meant
        return respelled

    def _texts_with(self, term: str) -> Iterable[str]:
        rows = np.flatnonzero(self._snapshot.lexical.holding(term))[:_MAX_READ]
        ids = [self._snapshot.state.segment_id(row) for row in rows]
        return self._corpus.texts_of(ids).values()


def documents_of(one: Filter, statuses: Sequence[DocumentStatus]) -> tuple[DocumentId, ...]:
    """Return the documents that a field means."""
    value = one.value
    if one.field is Field.VENDOR:
        return select((vendor_pattern(value),), statuses).document_ids
    if one.field is Field.FOLDER:
        return select((f"/{value.strip('/')}",), statuses).document_ids
    if one.field is Field.REVISION:
        wanted = value.casefold().removeprefix("rev").strip(" .")
        return tuple(s.document_id for s in statuses if _revision(s.revision) == wanted)
    if one.field is Field.FILE:
        patterns = (value, f"*{value}*")
        return select(patterns, statuses).document_ids
    known = [status for status in statuses if status.part_numbers]
    return select((value.replace("/", " "),), known).document_ids


def _revision(text: str) -> str:
    return text.casefold().removeprefix("revision").removeprefix("rev").strip(" .")


def _needs_pages(clause: Clause) -> bool:
    return any(isinstance(one, Filter) and one.field is Field.PAGE for one in clause.alternatives)


def _is_plain_word(clause: Clause) -> bool:
    only = clause.alternatives[0]
    is_single = len(clause.alternatives) == 1 and not clause.is_excluded
    return is_single and isinstance(only, Words) and not only.is_phrase


def _with_most_words(kept: BoolArray, words: Sequence[BoolArray]) -> tuple[BoolArray, str]:
    """Return the rows that hold all words but one, when none holds all."""
    n_held = np.sum(words, axis=0) * kept
    most = int(n_held.max(initial=0))
    if most < max(len(words) - _MAX_MOST + 1, 1):
        return np.zeros(len(kept), np.bool_), ""
    if len(words) == _MAX_MOST:
        return n_held == most, "No place holds both words; these hold one of them."
    note = f"No place holds all {len(words)} words; these hold {most} of them."
    return n_held == most, note
