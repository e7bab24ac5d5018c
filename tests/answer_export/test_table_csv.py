"""Tables of answers as CSV."""

from __future__ import annotations

import csv
import io

import pytest

from desktop_qa.answer_export.table_csv import safe_text, table_as_csv, write_csv
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, CellSource, TableUse
from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.errors import ExportError

PLACE = (Provenance(5, BoundingBox(0, 0, 1, 1)),)
TABLE = AnswerTable(
    TableUse.COMPARISON,
    "Comparison",
    ("Parameter", "A", "B"),
    (
        (AnswerCell("Supply, maximum"), AnswerCell("5 mA", 1, PLACE, value=0.005), AnswerCell("")),
        (AnswerCell("=1+1"), AnswerCell("-71 dB", 1, PLACE), AnswerCell("typ 2 µA", 2, PLACE)),
    ),
    (DocumentId(""), DocumentId("one"), DocumentId("two")),
    (True, False),
    ("@note",),
)
SOURCES = {1: CellSource("A.pdf", 5), 2: CellSource("B.pdf", 5, page_starts=((3, "1"),))}


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_each_cell_has_its_value_note_file_and_page():
    rows = rows_of(table_as_csv(TABLE, SOURCES))
    assert rows[0][:6] == [
        "Parameter",
        "A",
        "A: value in base unit",
        "A: note",
        "A: file",
        "A: page",
    ]
    assert rows[1][:6] == ["Supply, maximum", "5 mA", "0.005", "", "A.pdf", "5"]
    assert rows[1][-1] == "yes"
    assert rows[2][-2] == "3 (PDF 5)", "where the page prints another number"


def test_nothing_begins_like_a_formula():
    rows = rows_of(table_as_csv(TABLE, SOURCES))
    assert rows[2][0] == "'=1+1"
    assert rows[2][1] == "'-71 dB"
    assert rows[-1] == ["'@note"]


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+1+cmd", "@SUM(A1)", "\t=1", "\r=1", "-A1"]
)
def test_texts_that_spreadsheets_run_are_made_plain(text):
    assert safe_text(text).startswith("'")


@pytest.mark.parametrize("text", ["-40", "+85", "1e-06", "±2", "min -40 °C", ""])
def test_numbers_and_plain_texts_stay_as_they_are(text):
    assert safe_text(text) == text


def test_only_differences_leaves_out_what_agrees():
    rows = rows_of(table_as_csv(TABLE, SOURCES, only_differences=True))
    assert [row[0] for row in rows[1:-1]] == ["Supply, maximum"]


def test_a_file_is_written_for_spreadsheets_or_refused_in_words(tmp_path):
    write_csv(TABLE, SOURCES, tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_bytes().startswith(b"\xef\xbb\xbfParameter,")
    with pytest.raises(ExportError, match="cannot be written"):
        write_csv(TABLE, SOURCES, tmp_path / "missing" / "table.csv")
