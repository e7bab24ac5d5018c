"""A table as text for other programs: tab-separated for spreadsheets, Markdown for notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def as_tsv(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of cells with tabs between; line ends and tabs in a cell become spaces."""
    return "\n".join("\t".join(_one_line(text) for text in row) for row in rows)


def as_markdown(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of GitHub's Markdown; the bars in its cells are escaped."""
    lines = [_markdown_row(headers), _markdown_row(["---"] * len(headers))]
    lines += [_markdown_row(row) for row in rows]
    return "\n".join(lines)


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(_one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def _one_line(text: str) -> str:
    return " ".join(text.split())
