"""A table for other programs: text, HTML and numbers for spreadsheets, Markdown for notes.

What is no number stays as it is printed: names, conditions, ranges, marks of notes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QMimeData

from desktop_qa.core.answer_table import AnswerCell
from desktop_qa.core.document import BOUNDS, ColumnRole, Table, TableCell
from desktop_qa.core.gaps import is_gap
from desktop_qa.parse.amounts import is_blank, is_share, scale_of, value_of

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_OF_EXCEL = "urn:schemas-microsoft-com:office:excel"
Rows = list[list[str]]

_WITH_UNIT = re.compile(r"(?P<number>[^\sA-Za-zµμΩ°%]+)\s?(?P<unit>[A-Za-zµμΩ°√%][^\d\s]*)")


def copied(rows: Sequence[Sequence[str]], *, as_numbers: bool = False) -> QMimeData:
    """Return rows for the clipboard, as text and as HTML, in which each number may say its value.

    By the value Excel and LibreOffice take it, whatever sign parts decimals in their language.
    Line ends and tabs in a cell become spaces.
    """
    lines = ("".join(_cell(text, as_numbers) for text in row) for row in rows)
    table = f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
    data = QMimeData()
    data.setText("\n".join("\t".join(map(_one_line, row)) for row in rows))
    typed = f'<html xmlns:x="{_OF_EXCEL}"><body>{table}</body></html>'
    data.setHtml(typed if as_numbers else table)
    return data


def _cell(text: str, as_number: bool) -> str:
    is_number = as_number and _NUMBER.fullmatch(text) is not None
    value = f' sdval="{text}" x:num="{text}"' if is_number else ""
    return f"<td{value}>{html.escape(_one_line(text), quote=False)}</td>"


def texts_of(
    cell_at: Callable[[int, int], TableCell | None], places: Iterable[tuple[int, int]]
) -> list[list[str]]:
    """Return the texts at some (row, column), by rows; a spanning cell at its first place only."""
    chosen = set(places)
    rows, columns = (sorted({place[axis] for place in chosen}) for axis in (0, 1))
    written: set[int] = set()

    def text(row: int, column: int) -> str:
        cell = cell_at(row, column) if (row, column) in chosen else None
        if cell is None or id(cell) in written:
            return ""
        written.add(id(cell))
        return cell.text

    return [[text(row, column) for column in columns] for row in rows]


def as_markdown(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of GitHub's Markdown; the bars in its cells are escaped."""
    lines = [_markdown_row(headers), _markdown_row(["---"] * len(headers))]
    lines += [_markdown_row(row) for row in rows]
    return "\n".join(lines)


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(_one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def _one_line(text: str) -> str:
    return " ".join(text.split())


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

    It is "" for a dash that stands for nothing, and `None` when the text is no number; so is one in
    brackets that is none of the `negatives`, see `Origin`: "(3)" may mark a note.
    """
    if text.strip() and is_blank(text):
        return ""
    value = value_of(text)
    if value is None or ("(" in text and text not in negatives):
        return None
    return f"{value:.15g}%" if is_share(text) else f"{value:.15g}"


def has_numbers(rows: Iterable[Sequence[str]], negatives: frozenset[str] = frozenset()) -> bool:
    """Tell whether some cell behind the first column is a number, or one with a unit."""
    return any(
        as_number(text, negatives) or _parted(text) for row in rows for text in row[1:] or row
    )


def by_bounds(
    headers: Sequence[str], rows: Sequence[Sequence[AnswerCell]]
) -> tuple[list[str], Rows]:
    """Return headers and texts of cells with a column for each bound: "A min", "A typ", "A max"."""
    heads: list[str] = []
    texts: Rows = [[] for _row in rows]
    for column, header in enumerate(headers):
        roles = {role for row in rows for role, _text in row[column].bounds}
        shown: list[ColumnRole | None] = [one for one in ColumnRole if one in roles]
        for role in shown or [None]:
            is_bound = role is not None and role in BOUNDS
            heads.append(f"{header} {role}" if is_bound else header)
            for line, row in zip(texts, rows, strict=True):
                cell = row[column]
                line.append(cell.text if role is None else dict(cell.bounds).get(role, ""))
    return heads, texts


def as_numbers(headers: Sequence[str], rows: Iterable[Sequence[str]], origin: Origin) -> Rows:
    """Return a table whose figures are numbers, under one header row and over its sources.

    The unit that all cells of a row have goes to its name; where no row has one, that of a column
    goes to its head. The scale stands in the first head.
    """
    heads = [" ".join(header.split()) for header in headers]
    heads = [origin.periods.get(head, head) for head in heads]
    is_said = not origin.scale or any(origin.scale in head for head in heads)
    if heads and not is_said:
        heads[0] = f"{heads[0]} ({origin.scale})".strip()
    texts = [[" ".join(text.split()) for text in row] for row in rows]
    is_by_rows = any(_unit(row[1:]) for row in texts)
    for column in () if is_by_rows else range(1, len(heads)):
        unit = _unit([row[column] for row in texts])
        if unit:
            heads[column] = f"{heads[column]} ({unit})"
            for row in texts:
                row[column] = (_parted(row[column]) or ("", ""))[0]
    found = [heads] if any(heads) else []
    found += [_numbers(row, origin.negatives) for row in texts]
    if origin.sources:
        found += [[], [f"Source: {'; '.join(origin.sources)}"]]
    return found


def _numbers(row: Sequence[str], negatives: frozenset[str]) -> list[str]:
    unit = _unit(row[1:])
    if unit:
        return [f"{row[0]} ({unit})", *((_parted(text) or ("", ""))[0] for text in row[1:])]
    found = [as_number(text, negatives) for text in row]
    return [text if number is None else number for text, number in zip(row, found, strict=True)]


def _unit(texts: Sequence[str]) -> str:
    """Return the unit of cells that are all numbers with it, or gaps; empty for others."""
    parted = [_parted(text) for text in texts]
    units = {pair[1] for pair in parted if pair is not None}
    is_one = len(units) == 1 and all(
        pair or is_gap(text) for pair, text in zip(parted, texts, strict=True)
    )
    return units.pop() if is_one else ""


def _parted(text: str) -> tuple[str, str] | None:
    """Return number and unit of "5 mA"; `None` of what is no number with a unit, and of a share."""
    match = _WITH_UNIT.fullmatch(" ".join(text.split()))
    number = as_number(match["number"]) if match is not None and match["unit"] != "%" else None
    return (number, match["unit"]) if match is not None and number else None
