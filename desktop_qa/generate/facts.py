"""What passages state, line by line: a row of a table or a sentence, and the numbers in it.

A number knows what it is of: the names and the condition of its row, the head of its column, the
words of its clause; and which bound it is, when its column or the words before it say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from desktop_qa.augment.sentences import split_sentences
from desktop_qa.augment.table_values import head_unit
from desktop_qa.core.document import BOUNDS, IDENTITY, ColumnRole, Provenance
from desktop_qa.generate.claims import bound_of
from desktop_qa.generate.passages import Passage, PassageCell, PassageRow
from desktop_qa.generate.stated_numbers import Number, as_printed, numbers_in, plain
from desktop_qa.index.terms import terms_of

_CODE_RANGE = re.compile(
    r"\b(?P<letters>[A-Za-z]{1,5})(?P<first>\d{2,6})\s?(?:-|–|to|thru|through)\s?"
    r"(?:(?P=letters))?(?P<last>\d{2,6})\b"
)
"""Parts from one to another: "UF4005-4007"."""

_TO_ITS_MOST = re.compile(r"\bT_?min\b[^,;|]{0,16}\bT_?max\b", re.IGNORECASE)
_MAX_PARTS = 30
_CLAUSE = re.compile(r"[,;:](?=\s)|\s(?:and|but|while|with)\s")
_CUT = re.compile(r"[,;:](?=\s)|\s(?:but|while|whereas)\s")
"""What parts the clauses of a sentence, so that a condition is one of its own clause only."""

_PERCENT = re.compile(r"%|\bpercent(?:age)?\b", re.IGNORECASE)
_RANGE = re.compile(
    r"\s*(?:[^\W\d_°%Ω]{0,4}[°%Ω]?[^\W\d_]{0,4})?\s*(?:-|~|to|through|and|\.\.\.|…)\s*"
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A number that a passage states.

    Attributes:
        role: A bound; CONDITION or SUBJECT for one that says when or of what the others hold;
            VALUE for any other.
        terms: Of the head of its column, or of its clause.
        column: Head of its column; empty in a text.
        printed: As the document has it, with the unit of its row or head.
        is_shared: True for a condition of the whole table.
        clause: Of a sentence, which it stands in, 0-based; 0 in a row.
    """

    number: Number
    role: ColumnRole
    terms: frozenset[str]
    column: str
    printed: str
    is_shared: bool = False
    clause: int = 0

    @property
    def is_condition(self) -> bool:
        """True when it tells rows apart and is no value of one."""
        return self.role in IDENTITY


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of a table, or a sentence.

    Attributes:
        marker: Of the passage.
        text: As the passage has it.
        terms: That say what it is of: of a row its names, its condition, its group and the title of
            its table; of a sentence all.
        context: Terms of the place it stands in.
        places: Of a row on the page; empty for a sentence.
    """

    marker: int
    text: str
    terms: frozenset[str]
    context: frozenset[str]
    stated: tuple[Stated, ...]
    is_row: bool
    places: tuple[Provenance, ...] = ()

    @property
    def all_terms(self) -> frozenset[str]:
        """Terms of everything in it."""
        return self.terms.union(*(one.terms for one in self.stated), names_in(self.text))


@lru_cache(4096)  # each sentence is held against all lines of its passages
def names_in(text: str) -> frozenset[str]:
    """Return the terms of a text that name something: words and codes, no numbers and no units."""
    flat = _TO_ITS_MOST.sub(" temperature range ", plain(text))
    for number in reversed(numbers_in(flat)):
        flat = f"{flat[: number.start]} {flat[number.end :]}"
    for match in _CODE_RANGE.finditer(flat):
        first, last = int(match["first"]), int(match["last"])
        if first < last <= first + _MAX_PARTS:
            more = (f"{match['letters']}{n}" for n in range(first, last + 1))
            flat += " " + " ".join(more)
    return frozenset(term for term in terms_of(flat) if not term.lstrip("-").isdigit())


def facts_of(passages: Sequence[Passage]) -> tuple[Fact, ...]:
    """Read passages into what they state, in order."""
    return tuple(fact for passage in passages for fact in _facts(passage))


def _facts(passage: Passage) -> Iterator[Fact]:
    context = names_in(" ".join((passage.document, *passage.parts, *passage.path)))
    title = names_in(passage.title)
    conditions = _in_text(passage.title, role=ColumnRole.CONDITION)
    shared = tuple(replace(one, is_shared=True) for one in conditions)
    for row in passage.rows:
        stated = (*shared, *_in_row(row))
        said = (row.group, *(c.text for c in row.cells if _is_name(c)))
        terms = title | names_in(" ".join(said))
        yield Fact(
            passage.marker, row.printed, terms, context, stated, is_row=True, places=row.places
        )
    for sentence in split_sentences(passage.text):
        terms = names_in(sentence)
        stated = tuple(_in_text(sentence))
        yield Fact(passage.marker, sentence, terms, context, stated, is_row=False)


def _is_name(cell: PassageCell) -> bool:
    """Tell whether a cell says what its row is: it is no number."""
    return cell.role in IDENTITY or (
        cell.role not in (*BOUNDS, ColumnRole.UNIT) and any(c.isalpha() for c in cell.text)
    )


def _in_row(row: PassageRow) -> Iterator[Stated]:
    unit = next((cell.text for cell in row.cells if cell.role is ColumnRole.UNIT), "")
    yield from _in_text(row.group, role=ColumnRole.CONDITION)
    for cell in row.cells:
        if cell.role is ColumnRole.UNIT:
            continue
        own = "" if cell.role in IDENTITY else (unit or _unit_of_head(cell.head))
        yield from _in_text(cell.text, cell.role, own, cell.head, cell.scale)


def _unit_of_head(head: str) -> str:
    return head_unit(head) or ("%" if _PERCENT.search(head) else "")


def _in_text(
    text: str, role: ColumnRole = ColumnRole.VALUE, unit: str = "", column: str = "", scale: int = 1
) -> Iterator[Stated]:
    """Yield the numbers of a text; the ends of a range are its least and its most."""
    flat = plain(text)
    numbers = numbers_in(flat, plain(unit), scale)
    head = names_in(column)
    for i, number in enumerate(numbers):
        own = role
        if role is ColumnRole.VALUE:
            own = _end_of_range(flat, numbers, i) or bound_of(flat, numbers, i) or role
        printed = as_printed(flat[number.start : number.end].strip())
        shown = f"{printed} {unit}".strip() if unit and not number_has_unit(printed) else printed
        terms = head if column else names_in(clause_of(flat, number))
        clause = 0 if column else sum(m.end() <= number.start for m in _CUT.finditer(flat))
        yield Stated(number, own, terms, column, shown, clause=clause)


def number_has_unit(printed: str) -> bool:
    """Tell whether a number as printed has letters or a sign of a unit behind it."""
    return bool(printed) and not printed[-1].isdigit()


def _end_of_range(text: str, numbers: Sequence[Number], i: int) -> ColumnRole | None:
    number = numbers[i]
    for j, role in ((i + 1, ColumnRole.MIN), (i - 1, ColumnRole.MAX)):
        if not 0 <= j < len(numbers):
            continue
        low, high = (number, numbers[j]) if j > i else (numbers[j], number)
        if low.value >= high.value or low.kind not in ("", high.kind):
            continue
        # "2.7 - 5.5V" is found with one unit for both, and one place.
        is_one = low.end == high.end
        if is_one or _RANGE.fullmatch(text, low.end, high.start):
            return role
    return None


def clause_of(text: str, number: Number) -> str:
    """Return what stands between the nearest commas and conjunctions around a number."""
    cuts = [0, *(match.start() for match in _CLAUSE.finditer(text)), len(text)]
    start = max(cut for cut in cuts if cut <= number.start)
    end = min((cut for cut in cuts if cut >= number.end), default=len(text))
    return text[start:end]
