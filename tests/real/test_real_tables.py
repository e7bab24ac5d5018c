"""Gold cells of real datasheets, read by hand, against the tables that are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_qa.core.document import Table
from desktop_qa.evaluate.structure.gold_tables import CellCounts, compare_tables, read_gold_tables
from desktop_qa.parse.pdf import PdfFile
from desktop_qa.parse.table_nesting import nest_sub_rows
from desktop_qa.parse.tables import find_tables, join_continued

pytestmark = pytest.mark.real

MIN_FOUND = 0.95
"""Share of the gold cells; 0.994 were found when this was written."""

MIN_JOINED = 0.9
"""Share of those of tables that run over pages, in one joined table; 0.990."""


def test_gold_cells_stand_in_their_row_and_column(shared: Path) -> None:
    counts = CellCounts()
    missing = []
    for gold in read_gold_tables(shared / "eval" / "tables.jsonl"):
        tables = _tables_of(shared / "library" / gold.file, gold.pages)
        found, missed, _unnamed = compare_tables([gold], tables)
        counts += found
        missing += [(gold.file, cell) for _table, cell in missed]
    assert counts.cells.share is not None
    assert counts.cells.share >= MIN_FOUND, missing
    assert counts.continued.share is not None
    assert counts.continued.share >= MIN_JOINED


def _tables_of(path: Path, page_nos: tuple[int, ...]) -> list[Table]:
    with PdfFile(path) as file:
        parts = [table for page_no in page_nos for table in find_tables(file.page(page_no))]
    return [nest_sub_rows(table) for table, _parts in join_continued(parts)]
