"""What a model wrote, read narrowly: headings and tables, and nothing else counts."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Each in one pass: a model may write a line of tens of thousands of spaces, bars or hashes.
_HEADING = re.compile(r"(#{1,6})\s+(\S.*)")
_RULE = frozenset(" \t|:-")
_BAR = re.compile(r"(?<!\\)\|")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


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
    for line in (*map(str.strip, text.splitlines()), ""):
        if line.startswith("```"):
            continue
        if "|" in line:
            if "-" in line and _RULE.issuperset(line):
                is_table = is_table or len(rows) == 1
            else:
                inside = line.removeprefix("|").removesuffix("|")
                rows.append([_cell(cell) for cell in _BAR.split(inside)])
            continue
        if is_table and len(rows) > 1:
            width = max(map(len, rows))
            whole = tuple((*cells, *[""] * (width - len(cells))) for cells in rows)
            found.append(SaidTable(whole, title))
            title = ""
        rows, is_table = [], False
        heading = _HEADING.match(line)
        if heading is not None:
            found.append(SaidHeading(len(heading[1]), _plain(heading[2].rstrip("# "))))
            title = ""
        elif line:
            title = _plain(line)
    return tuple(found)


def _cell(text: str) -> str:
    return _plain(_BREAK.sub(" ", text).replace("\\|", "|"))


def _plain(text: str) -> str:
    return text.replace("**", "").replace("`", "").replace("\\", "").strip()
