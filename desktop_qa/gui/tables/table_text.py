"""A table for other programs: tab-separated and HTML for spreadsheets, Markdown for notes."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QMimeData

from desktop_qa.core.document import TableCell

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_OF_EXCEL = "urn:schemas-microsoft-com:office:excel"


def as_tsv(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of cells with tabs between; line ends and tabs in a cell become spaces."""
    return "\n".join("\t".join(_one_line(text) for text in row) for row in rows)


def as_html(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of cells as a table of HTML, which spreadsheets and word processors paste."""
    lines = (
        "".join(f"<td>{html.escape(_one_line(text), quote=False)}</td>" for text in row)
        for row in rows
    )
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def copied(rows: Sequence[Sequence[str]]) -> QMimeData:
    """Return rows for the clipboard, as text and as HTML."""
    data = QMimeData()
    data.setText(as_tsv(rows))
    data.setHtml(as_html(rows))
    return data


def copied_numbers(rows: Sequence[Sequence[str]]) -> QMimeData:
    """Return rows of numbers for the clipboard; in HTML each says its value.

    By the value Excel and LibreOffice take it, whatever sign parts decimals in their language.
    """
    lines = ("".join(map(_typed, row)) for row in rows)
    table = f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
    data = QMimeData()
    data.setText(as_tsv(rows))
    data.setHtml(f'<html xmlns:x="{_OF_EXCEL}"><body>{table}</body></html>')
    return data


def _typed(text: str) -> str:
    is_number = _NUMBER.fullmatch(text) is not None
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
