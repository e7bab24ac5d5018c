"""A table for other programs: tab-separated and HTML for spreadsheets, Markdown for notes."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QMimeData

from desktop_qa.core.document import TableCell

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_OF_EXCEL = "urn:schemas-microsoft-com:office:excel"


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
