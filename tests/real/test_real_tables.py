"""Gold cells of real datasheets, read by hand, against the tables that are found."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from desktop_qa.core.document import Table
from desktop_qa.parse.pdf import PdfFile
from desktop_qa.parse.tables import find_tables, join_continued

pytestmark = pytest.mark.real

MIN_FOUND = 0.9
"""Share of the gold cells; 0.975 were found when this was written."""


def test_gold_cells_stand_in_their_row_and_column(shared: Path) -> None:
    bank = (shared / "eval" / "tables.jsonl").read_text(encoding="utf-8").splitlines()
    missing = []
    n_cells = 0
    for entry in map(json.loads, bank):
        tables = _tables_of(shared / "library" / entry["file"], entry["pages"])
        for cell in entry["cells"]:
            n_cells += 1
            if not any(_holds(table, cell) for table in tables):
                missing.append((entry["file"], cell["page"], cell["row"], cell["column"]))
    assert len(missing) <= (1 - MIN_FOUND) * n_cells, missing


def _tables_of(path: Path, page_nos: list[int]) -> list[Table]:
    with PdfFile(path) as file:
        parts = [table for page_no in page_nos for table in find_tables(file.page(page_no))]
    return [table for table, _parts in join_continued(parts)]


def _holds(table: Table, gold: dict[str, Any]) -> bool:
    grid = table.grid()
    headings = grid[: table.n_header_rows]
    value, column = _fold(gold["value"]), _fold(gold["column"])
    labels = [_fold(part) for part in gold["row"].split(" | ")]
    for row in grid:
        row_text = _fold(" ".join(dict.fromkeys(cell.text for cell in row if cell)))
        if not all(label in row_text for label in labels):
            continue
        for k, cell in enumerate(row):
            if cell is None or _fold(cell.text) != value:
                continue
            heading = " ".join(dict.fromkeys(c.text for line in headings if (c := line[k])))
            if column in _fold(heading) and any(
                place.page_no == gold["page"] for place in cell.provenances
            ):
                return True
    return False


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"\s+", "", re.sub(r"[-‐‑‒–—−]", "-", folded))
