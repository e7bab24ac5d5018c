"""Tables for spreadsheets as numbers, with their sign, scale, period and source. No Qt.

What is no number stays as it is printed: names, conditions, ranges, marks of notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from desktop_qa.core.document import Table
from desktop_qa.core.gaps import is_gap
from desktop_qa.parse.amounts import is_blank, is_share, scale_of, value_of

Rows = list[list[str]]

_WITH_UNIT = re.compile(r"(?P<number>[^\sA-Za-zµμΩ°%]+)\s?(?P<unit>[A-Za-zµμΩ°√%][^\d\s]*)")


@dataclass(frozen=True, slots=True)
class Origin:
    """What figures are copied with.

    Attributes:
        sources: File and page of each place that they were read from.
        scale: What they are counted in, as printed: "In millions, except per share amounts".
        negatives: Texts of the amounts in brackets that are losses, not marks of notes.
        periods: Of a head as printed, the whole period: "2018" is "Year ended December 31, 2018".
    """

    sources: tuple[str, ...] = ()
    scale: str = ""
    negatives: frozenset[str] = frozenset()
    periods: Mapping[str, str] = field(default_factory=dict)


def origin_of(tables: Iterable[Table], sources: Iterable[str]) -> Origin:
    """Return what goes with figures of some tables of documents."""
    tables = tuple(tables)
    scales = dict.fromkeys(_scale(table.scale_note) for table in tables if table.scale_note)
    return Origin(
        sources=tuple(dict.fromkeys(sources)),
        scale="; ".join(scales),
        negatives=frozenset(c.text for table in tables for c in table.cells if c.sign < 0),
        periods={
            table.cells[cell.column_path[-1]].text: cell.period
            for table in tables
            for cell in table.cells
            if cell.period and cell.column_path
        },
    )


def _scale(note: str) -> str:
    """Return what a scale note says in brackets, if that is the scale; else the whole."""
    bracketed = (part for part in re.findall(r"\(([^()]*)\)", note) if scale_of(part))
    return next(bracketed, note.strip("() "))


def heads_of(table: Table) -> list[str]:
    """Return the head of each column in one line, from the outermost in."""
    return [" ".join(dict.fromkeys(table.texts(path))) for path in table.heads()]


def as_number(text: str, negatives: frozenset[str] = frozenset()) -> str | None:
    """Return a number as spreadsheets read it: "$ (1,234)" is "-1234", "3.1 %" is "3.1%".

    Args:
        text: Of a cell.
        negatives: See `Origin`; another number in brackets is none: "(3)" may mark a note.

    Returns:
        "" for a dash that stands for nothing; `None` when the text is no number.
    """
    if text.strip() and is_blank(text):
        return ""
    value = value_of(text)
    if value is None or ("(" in text and text not in negatives):
        return None
    return f"{value:.15g}%" if is_share(text) else f"{value:.15g}"


def has_numbers(rows: Iterable[Sequence[str]], negatives: frozenset[str] = frozenset()) -> bool:
    """Tell whether some cell behind the first column becomes a number."""
    texts = (text for row in rows for text in _numbers(row, negatives)[1:])
    return any(as_number(text, negatives) for text in texts)


def as_numbers(headers: Sequence[str], rows: Iterable[Sequence[str]], origin: Origin) -> Rows:
    """Return a table whose figures are numbers, under one header row and over its sources.

    The unit of a row whose cells all have the same one goes to its name; the scale stands in the
    first head.

    Args:
        headers: One for each column.
        rows: Texts of the body.
        origin: What goes with them.
    """
    heads = [" ".join(header.split()) for header in headers]
    heads = [origin.periods.get(head, head) for head in heads]
    is_said = not origin.scale or any(origin.scale in head for head in heads)
    if heads and not is_said:
        heads[0] = f"{heads[0]} ({origin.scale})".strip()
    found = [heads] if any(heads) else []
    found += [_numbers(row, origin.negatives) for row in rows]
    if origin.sources:
        found += [[], [f"Source: {'; '.join(origin.sources)}"]]
    return found


def _numbers(row: Sequence[str], negatives: frozenset[str]) -> list[str]:
    texts = [" ".join(text.split()) for text in row]
    found = [as_number(text, negatives) for text in texts]
    parted = [_parted(text) for text in texts[1:]]
    units = {pair[1] for pair in parted if pair is not None}
    if len(units) == 1 and all(
        pair or is_gap(t) for pair, t in zip(parted, texts[1:], strict=True)
    ):
        numbers = [pair[0] if pair is not None else "" for pair in parted]
        return [f"{texts[0]} ({units.pop()})", *numbers]
    return [text if number is None else number for text, number in zip(texts, found, strict=True)]


def _parted(text: str) -> tuple[str, str] | None:
    """Return number and unit of "5 mA"; `None` of what is no number with a unit, and of a share."""
    match = _WITH_UNIT.fullmatch(" ".join(text.split()))
    number = as_number(match["number"]) if match is not None and match["unit"] != "%" else None
    return (number, match["unit"]) if match is not None and number else None
