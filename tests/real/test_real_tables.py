"""Gold cells of real datasheets, read by hand, against the tables that are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_qa.core.document import Table
from desktop_qa.evaluate.structure.gold_tables import CellCounts, compare_tables, read_gold_tables
from desktop_qa.parse.pdf import PdfFile
from desktop_qa.parse.table_reading import read_table
from desktop_qa.parse.tables import find_tables, join_continued

pytestmark = pytest.mark.real

PATHS = Path(__file__).with_name("table-paths.jsonl")


@pytest.mark.parametrize(
    ("library", "bank", "found", "identified", "joined"),
    [
        ("library", "tables.jsonl", 0.97, 0.88, 0.95),
        ("library2", "second-tables.jsonl", 0.86, 0.83, 0.9),
    ],
)
def test_gold_cells_stand_in_their_row_and_column(shared, library, bank, found, identified, joined):
    """The bounds are a little below what docs/benchmarks.md has: whole documents read better."""
    counts = CellCounts()
    missing = []
    for gold in read_gold_tables(shared / "eval" / bank, PATHS):
        tables = _tables_of(shared / library / gold.file, gold.pages)
        of_table, missed, _unnamed = compare_tables([gold], tables)
        counts += of_table
        missing += [(gold.file, cell) for _table, cell in missed]
    assert (counts.cells.share or 0.0) >= found, missing
    assert (counts.identities.share or 0.0) >= identified
    assert (counts.continued.share or 0.0) >= joined


def _tables_of(path: Path, page_nos: tuple[int, ...]) -> list[Table]:
    with PdfFile(path) as file:
        parts = [table for page_no in page_nos for table in find_tables(file.page(page_no))]
    return [read_table(table) for table, _parts in join_continued(parts)]
