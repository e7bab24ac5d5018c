"""What a model wrote, read narrowly: headings and tables, and nothing else counts."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(\S.*?)\s*#*\s*$")
_ROW = re.compile(r"^\s*\|?(.*?\|.*?)\|?\s*$")
_RULE = re.compile(r"^[\s|:-]*-[\s|:-]*$")
_BAR = re.compile(r"(?<!\\)\|")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_FENCE = re.compile(r"^\s*```")


@dataclass(frozen=True, slots=True)
class SaidHeading:
    """A heading; level 1 is a chapter."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class SaidTable:
    """A table.

    Attributes:
        rows: Of cells, all of one length; the first one is the heads.
        title: The line above it; empty where there is none.
    """

    rows: tuple[tuple[str, ...], ...]
    title: str = ""


def read_markdown(text: str) -> tuple[SaidHeading | SaidTable, ...]:
    """Return the headings and tables of a text in its order."""
    found: list[SaidHeading | SaidTable] = []
    rows: list[list[str]] = []
    title, is_table = "", False
    for line in (*text.splitlines(), ""):
        if _FENCE.match(line):
            continue
        row = _ROW.match(line)
        if row is not None:
            if _RULE.match(line):
                is_table = is_table or len(rows) == 1
            else:
                rows.append([_cell(cell) for cell in _BAR.split(row[1])])
            continue
        if is_table and len(rows) > 1:
            width = max(map(len, rows))
            whole = tuple((*cells, *[""] * (width - len(cells))) for cells in rows)
            found.append(SaidTable(whole, title))
            title = ""
        rows, is_table = [], False
        heading = _HEADING.match(line)
        if heading is not None:
            found.append(SaidHeading(len(heading[1]), _plain(heading[2])))
            title = ""
        elif line.strip():
            title = _plain(line)
    return tuple(found)


def _cell(text: str) -> str:
    return _plain(_BREAK.sub(" ", text).replace("\\|", "|"))


def _plain(text: str) -> str:
    return text.replace("**", "").replace("`", "").replace("\\", "").strip()
