"""Holds each sentence of a model's answer against the passages that it cites, by code alone.

Each number of a sentence is laid on a number of the passages with an equal value; then the row it
stands in, its bound, its condition and its part must be what the sentence says: no other row may
fit the sentence better. What has no number is carried by its words, and must not be turned round.
The groundedness that "Hybrid Retrieval" (Appendix, "Groundedness Score") has a model judge for a
whole answer is here judged for each sentence, with a reason, and the same way each time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from desktop_qa.augment.codes import is_part_number
from desktop_qa.core.document import BOUNDS, ColumnRole
from desktop_qa.generate.claims import (
    bound_of,
    is_denied,
    is_of_claims,
    is_rough,
    opposite_in,
    stems_in,
)
from desktop_qa.generate.facts import Fact, Stated, clause_of, facts_of, names_in
from desktop_qa.generate.passages import Passage
from desktop_qa.generate.stated_numbers import (
    TIMES,
    YEAR,
    Number,
    are_equal,
    as_printed,
    numbers_in,
    plain,
)
from desktop_qa.index.terms import terms_of
from desktop_qa.tokens import commonness_rank

_OF_QUESTION = 0.5
"""Weight of a term that only the question has, beside one of the sentence itself."""

_MARGIN = 0.6
"""By how much another row must fit better before a number is said to stand in the wrong one: a word
that half of the lines have."""

_OF_OTHER_CLAUSE = 0.5
"""Weight of what a sentence says farther from a number than the numbers beside it."""

_MANY_WORDS = 0.6
_SOME_WORDS, _IN_ONE_LINE = 0.4, 0.45
"""Share of the words of a sentence, without those of the question, that the passages must have;
fewer do where one line has so many of all its words."""

_MIN_CLAUSE = 3
"""Words that name something, of a piece between commas that is held against lines by itself."""

_MAX_NUMBERS = 40
"""Of a sentence; more are a list that ran on, and each is weighed with all others."""

_OF_FOUND_NUMBER, _ANYWAY = 1.35, 0.4
"""Rare words that may be missing for each number that was found in its row, and beyond."""

_COMMON, _RARE = 300, 6000
"""Ranks of words by how common they are: up to the first a word says nothing, from the second on
all that a word can say."""

_MIN_LIKE = 0.55
"""Share of the words of a sentence in one of the passages', from which this one may deny it."""

_COMMA = re.compile(r"[,;:]\s")
_WORD = re.compile(r"[^\W\d_]+(?:['’]\w+)?")


class Verdict(StrEnum):
    """What a sentence may be taken for."""

    SUPPORTED = "supported"
    WEAK = "weak"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reason.

    Attributes:
        reason: A few words; empty for what is supported.
        instead: What the document has in place of a number that is wrong; empty when no single cell
            matches.
        marker: Of the passage that has it; 0 for none.
    """

    verdict: Verdict
    reason: str = ""
    instead: str = ""
    marker: int = 0


class Ground:
    """Passages made ready to hold sentences against; the same for all sentences of an answer.

    Attributes:
        judged: What was made of each sentence with its markers; a stream shows it many times.
    """

    def __init__(self, passages: Sequence[Passage], question: str = "") -> None:
        """Read the passages, and the question that the sentences answer."""
        self.passages = tuple(passages)
        self.facts = facts_of(passages)
        self.question = plain(question)
        self._held = [fact.all_terms | fact.context for fact in self.facts]
        self._weights: dict[str, float] = {}
        self.judged: dict[tuple[str, tuple[int, ...]], Judgement] = {}
        self._told_by_lines: dict[int, frozenset[str]] = {}
        for fact in self.facts:
            own = fact.terms.union(*(one.terms for one in fact.stated))
            before = self._told_by_lines.get(fact.marker, frozenset())
            self._told_by_lines[fact.marker] = before | own

    def is_in_context(self, term: str, fact: Fact) -> bool:
        """Tell whether the place of a line has a term; not of a part that single lines are of."""
        if not holds(fact.context, term):
            return False
        return not (is_part_number(term) and holds(self._told_by_lines[fact.marker], term))

    def weight(self, term: str) -> float:
        """Weigh a term by how few lines have it."""
        if term not in self._weights:
            n_with = sum(holds(held, term) for held in self._held)
            self._weights[term] = math.log(1 + len(self._held) / max(n_with, 1))
        return self._weights[term]

    @cached_property
    def question_numbers(self) -> tuple[Number, ...]:
        """Numbers that the question gives."""
        return numbers_in(self.question)

    @cached_property
    def question_terms(self) -> frozenset[str]:
        """Terms of the question."""
        return names_in(self.question)


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence as it is checked."""

    text: str
    numbers: tuple[Number, ...]
    bounds: tuple[ColumnRole | None, ...]
    terms: dict[str, float]
    own: frozenset[str]
    beside: tuple[frozenset[str], ...]
    ground: Ground


def judge(sentence: str, markers: Sequence[int], ground: Ground) -> Judgement:
    """Judge one sentence by the passages that it cites.

    Args:
        sentence: Without its markers.
        markers: That it cites; where there are none, all passages count as cited.
        ground: The passages and the question.
    """
    said = _read(sentence, ground)
    if len(said.numbers) > _MAX_NUMBERS:
        return Judgement(Verdict.WEAK, "it has too many numbers to be checked")
    cited = [fact for fact in ground.facts if not markers or fact.marker in markers]
    others = [fact for fact in ground.facts if markers and fact.marker not in markers]
    worst = Judgement(Verdict.SUPPORTED)
    for found in _checks(said, cited, others):
        if found.verdict is Verdict.UNSUPPORTED:
            return found
        if worst.verdict is Verdict.SUPPORTED:
            worst = found
    return worst


def nearest_facts(sentence: str, markers: Sequence[int], ground: Ground) -> list[Fact]:
    """Return of each passage cited the line that says most of a sentence, where one says any.

    The lines that hold its numbers go before those that only share its words.
    """
    said = _read(sentence, ground)
    words = _telling(said.text, said.own)
    found = []
    for marker in dict.fromkeys(markers):
        own = [fact for fact in ground.facts if fact.marker == marker]
        weighed = [
            (
                sum(bool(_equal(n, [fact], is_rough=True)) for n in said.numbers)
                + _share(words, fact.all_terms | fact.context),
                fact,
            )
            for fact in own
        ]
        best = max(weighed, key=lambda one: one[0], default=None)
        if best is not None and best[0] > 0:
            found.append(best[1])
    return found


def _read(sentence: str, ground: Ground) -> _Said:
    text = plain(sentence)
    numbers = numbers_in(text)
    bounds = tuple(bound_of(text, numbers, i) for i in range(len(numbers)))
    own = frozenset(t for t in names_in(text) if not is_of_claims(t))
    has_code = any(map(is_part_number, own))
    terms = {
        t: _OF_QUESTION
        for t in ground.question_terms
        if not is_of_claims(t) and not (has_code and is_part_number(t))
    }
    terms |= dict.fromkeys(own, 1.0)
    beside = tuple(names_in(clause_of(text, number)) for number in numbers)
    return _Said(text, numbers, bounds, terms, own, beside, ground)


def holds(terms: frozenset[str], term: str) -> bool:
    """Tell whether a term is among some; a part also where its order code is, as LPC2136FBD64."""
    if term in terms:
        return True
    return is_part_number(term) and any(
        other.startswith(term) and other[len(term)].isalpha() for other in terms
    )


def _checks(said: _Said, cited: Sequence[Fact], others: Sequence[Fact]) -> Iterator[Judgement]:
    for i in range(len(said.numbers)):
        found = _number(said, i, cited, others)
        if found is not None:
            yield found
    yield from _words(said, cited, others)
    yield from _turned(said, cited)


def _number(said: _Said, i: int, cited: Sequence[Fact], others: Sequence[Fact]) -> Judgement | None:
    number, bound = said.numbers[i], said.bounds[i]
    rough = is_rough(said.text, number.start)
    shown = as_printed(said.text[number.start : number.end])
    same = _equal(number, cited, is_rough=rough)
    if not same:
        if any(are_equal(number, asked) for asked in said.ground.question_numbers):
            return None
        if _is_computed(number, cited, is_rough=rough):
            return None
        elsewhere = _equal(number, others, is_rough=rough)
        if elsewhere:
            marker = elsewhere[0][0].marker
            return Judgement(
                Verdict.UNSUPPORTED,
                f"{shown} stands in [{marker}], not in what is cited",
                "",
                marker,
            )
        rival = _best_rival(said, number, bound, cited)
        return Judgement(Verdict.UNSUPPORTED, f"{shown} is not in what is cited", *_offered(rival))
    scored = [(_fits(bound, s.role), _score(said, number, f, s), f, s) for f, s in same]
    fits, score, fact, stated = max(scored, key=lambda one: one[:2])
    if stated.is_condition:
        return None
    if not fits:
        rival = _best_rival(said, number, bound, [fact])
        reason = f"{shown} is the {_NAMES[stated.role]}"
        return Judgement(Verdict.UNSUPPORTED, reason, *_offered(rival))
    if not fact.is_row and stated.terms and not _share_a_word(stated.terms, said.terms):
        return Judgement(Verdict.WEAK, f"{shown} is said of something else")
    rival = _best_rival(said, number, bound or _bound_or_none(stated), cited, score)
    if rival is not None:
        reason = f"{shown} stands in a row that fits less well"
        return Judgement(Verdict.WEAK, reason, *_offered(rival))
    return None


def _share_a_word(terms: Iterable[str], others: Iterable[str]) -> bool:
    """Tell whether two texts share a word, by its beginning: "employed" and "employees"."""
    pairs = ((a, b) for a in terms for b in others)
    return any(
        a == b or (min(len(a), len(b)) >= _BEGINNING and a[:_BEGINNING] == b[:_BEGINNING])
        for a, b in pairs
    )


_BEGINNING = 5
_NAMES = {ColumnRole.MIN: "minimum", ColumnRole.TYP: "typical value", ColumnRole.MAX: "maximum"}


def _bound_or_none(stated: Stated) -> ColumnRole | None:
    return stated.role if stated.role in BOUNDS else None


def _fits(bound: ColumnRole | None, role: ColumnRole) -> bool:
    return bound is None or role not in BOUNDS or bound is role


def _equal(number: Number, facts: Sequence[Fact], *, is_rough: bool) -> list[tuple[Fact, Stated]]:
    return [
        (fact, stated)
        for fact in facts
        for stated in fact.stated
        if are_equal(number, stated.number, is_rough=is_rough)
    ]


def _score(said: _Said, number: Number, fact: Fact, stated: Stated) -> float:
    """Weigh how well the place of a number fits a sentence: its words, and the other numbers."""
    near, ground = stated.terms, said.ground
    held = fact.terms | near
    i = said.numbers.index(number)
    beside = said.beside[i]
    score = 0.0
    for term, weight in said.terms.items():
        if holds(held, term) or ground.is_in_context(term, fact):
            share = 1.0 if fact.is_row or holds(near, term) else 0.5
            if term in said.own and term not in beside and not is_part_number(term):
                share *= _OF_OTHER_CLAUSE
            score += share * weight * ground.weight(term)
    unit = math.log(1 + len(ground.facts))
    tells = [s for s in fact.stated if s is not stated and (s.is_condition or not fact.is_row)]
    for m, weight in _conditions(said, number):
        own = [s for s in tells if s.is_condition and not s.is_shared and s.number.kind == m.kind]
        # A condition of the row itself goes before one of the whole table.
        if equal := [s for s in own or tells if are_equal(m, s.number)]:
            is_near = fact.is_row or any(s.clause == stated.clause for s in equal)
            score += weight * unit * (1.0 if is_near else _OF_OTHER_CLAUSE)
    return score


def _conditions(said: _Said, number: Number) -> Iterator[tuple[Number, float]]:
    yield from ((m, 1.0) for m in said.numbers if m is not number)
    for m in said.ground.question_numbers:
        if not any(are_equal(m, n) for n in said.numbers):
            yield m, _OF_QUESTION


def _best_rival(
    said: _Said,
    number: Number,
    bound: ColumnRole | None,
    facts: Sequence[Fact],
    least: float = -math.inf,
) -> tuple[Fact, Stated] | None:
    """Return the one number of the same kind and bound whose place fits better; None for none."""
    best: list[tuple[float, Fact, Stated]] = []
    for fact in facts:
        for stated in fact.stated:
            is_like = _is_alike(said, number, stated) and not stated.is_condition
            if not number.kind and not fact.is_row:
                is_like = is_like and bool(number.noun) and number.noun == stated.number.noun
            if not is_like or any(are_equal(n, stated.number) for n in said.numbers):
                continue
            if bound is not None and stated.role is not bound and stated.role in BOUNDS:
                continue
            best.append((_score(said, number, fact, stated), fact, stated))
    best.sort(key=lambda one: -one[0])
    if not best or best[0][0] <= max(least + _MARGIN, 0.0):
        return None
    is_one = len(best) == 1 or best[0][0] > best[1][0] or best[0][2].number == best[1][2].number
    return best[0][1:] if is_one or math.isfinite(least) else None


def _is_alike(said: _Said, number: Number, stated: Stated) -> bool:
    """Tell whether a number that a document states could stand where one is said."""
    if stated.number.base == number.base:
        return True
    is_per = said.text[number.end :].lstrip().startswith("per ")
    return is_per and stated.number.kind == number.kind


def _offered(rival: tuple[Fact, Stated] | None) -> tuple[str, int]:
    return ("", 0) if rival is None else (rival[1].printed, rival[0].marker)


def _is_computed(number: Number, facts: Sequence[Fact], *, is_rough: bool) -> bool:
    """Tell whether a number is the difference or the sum of two values of a column or of a row."""
    values = [
        (n, stated)
        for n, fact in enumerate(facts)
        for stated in fact.stated
        if not stated.is_condition and stated.number.base != YEAR
    ]
    is_share = number.base in ("%", TIMES)
    if number.n_digits < 2 and not is_share:
        return False
    for k, (row, one) in enumerate(values):
        for other_row, other in values[k + 1 :]:
            is_aligned = (row == other_row) != (one.column == other.column)
            if not is_aligned:
                continue
            a, b = one.number.value, other.number.value
            if one.number.kind != other.number.kind:
                continue
            is_limits = row == other_row and one.role in BOUNDS and other.role in BOUNDS
            is_telling = is_limits or number.n_digits > 1
            if (
                is_share
                and is_telling
                and one.number.kind != "%"
                and _is_share(number, a, b, is_same_row=row == other_row)
            ):
                return True
            if one.number.kind not in (number.kind, "") or number.n_digits < 2:
                continue
            for value in (abs(a - b), a + b):
                made = Number(value, one.number.base or number.base, value, 0.0, 9, 0, 0)
                if are_equal(number, made, is_rough=is_rough):
                    return True
    return False


def _is_share(number: Number, a: float, b: float, *, is_same_row: bool) -> bool:
    """Tell whether a ratio is that of two values, or a percentage how far two of a row differ."""
    if not a or not b:
        return False
    if number.base == TIMES:
        ratios = (a / b, b / a)
        return any(abs(abs(ratio) - number.value) <= number.step for ratio in ratios)
    changes = (abs(a - b) / abs(a) * 100, abs(a - b) / abs(b) * 100)
    return is_same_row and any(abs(c - number.value) <= number.step / 5 for c in changes)


def _words(said: _Said, cited: Sequence[Fact], others: Sequence[Fact]) -> Iterator[Judgement]:
    words = _telling(said.text, said.own)
    claimed = [(own, weight) for own, weight in words if not own <= said.ground.question_terms]
    held = frozenset().union(*(fact.all_terms | fact.context for fact in cited))
    missing = sum(weight for own, weight in claimed if not own & held)
    if missing <= len(said.numbers) * _OF_FOUND_NUMBER + _ANYWAY:
        return
    share = _share(claimed, held)
    nearest = max((_share(words, f.all_terms | f.context) for f in cited), default=0.0)
    if share >= _MANY_WORDS or (share >= _SOME_WORDS and nearest >= _IN_ONE_LINE):
        return
    elsewhere = max(others, key=lambda f: _share(words, f.all_terms | f.context), default=None)
    if elsewhere is not None and _share(words, elsewhere.all_terms) > max(nearest, _IN_ONE_LINE):
        reason = f"[{elsewhere.marker}] says it rather than what is cited"
        yield Judgement(Verdict.WEAK, reason, "", elsewhere.marker)
        return
    yield Judgement(Verdict.WEAK, "too few of its words stand in what is cited")


def _telling(text: str, own: frozenset[str]) -> list[tuple[frozenset[str], float]]:
    """Return the terms of each word of a text that names something, and how much it tells."""
    words = dict.fromkeys(word.casefold() for word in _WORD.findall(text))
    terms = [(own.intersection(terms_of(word)), tellingness(word)) for word in words]
    return [(found, weight) for found, weight in terms if found]


def _share(words: Sequence[tuple[frozenset[str], float]], held: frozenset[str]) -> float:
    """Return the share of some words, by what they tell, that are among the terms held."""
    whole = sum(weight for _own, weight in words)
    return sum(weight for own, weight in words if own & held) / whole if whole else 0.0


@lru_cache(4096)
def tellingness(word: str) -> float:
    """Return how much it says that a word is missing: 0 for a common one, 1 for a rare one."""
    rank = min(map(commonness_rank, (word, *terms_of(word))))
    return min(max(math.log(rank / _COMMON) / math.log(_RARE / _COMMON), 0.0), 1.0)


def _turned(said: _Said, cited: Sequence[Fact]) -> Iterator[Judgement]:
    """Yield what is wrong with a clause that one of the lines cited denies, or says otherwise."""
    for clause in _clauses(said):
        words = _telling(clause, said.own)
        near = [f for f in cited if _share(words, f.all_terms) >= _MIN_LIKE]
        pieces = [(fact, piece) for fact in near for piece in (fact.text, *_COMMA.split(fact.text))]
        like = [
            (f, p)
            for f, p in pieces
            if _share(words, f.terms if f.is_row else names_in(p)) >= _MIN_LIKE
        ]
        turned = [reason for fact, piece in like if (reason := _against(clause, fact, piece))]
        if like and len(turned) == len(like):
            yield Judgement(Verdict.WEAK, turned[0], "", like[0][0].marker)


def _against(clause: str, fact: Fact, piece: str) -> str:
    """Return why a piece of a line says the opposite of a clause; "" where it does not."""
    if against := opposite_in(stems_in(clause), stems_in(piece)):
        return f'the document has "{against}"'
    is_turned = not fact.is_row and is_denied(clause) != is_denied(piece)
    return "the document turns it round" if is_turned else ""


def _clauses(said: _Said) -> list[str]:
    """Part a sentence at its commas; a piece that names little goes with the one before it."""
    clauses: list[str] = []
    for piece in _COMMA.split(said.text):
        if clauses and len(_telling(piece, said.own)) < _MIN_CLAUSE:
            clauses[-1] += f", {piece}"
        else:
            clauses.append(piece)
    return clauses
