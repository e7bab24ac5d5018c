from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_qa.core.answer_table import AnswerCell, AnswerTable, CellSource, TableUse
from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.gui.comparison.comparison_view import (
    ComparisonModel,
    is_gap,
    stands_out,
)
from desktop_qa.gui.tables.table_order import Sorting
from desktop_qa.gui.tables.table_text import as_markdown

PLACE = (Provenance(7, BoundingBox(10, 10, 40, 20)),)


def quantity(text: str, value: float, marker: int = 1, note: str = "") -> AnswerCell:
    return AnswerCell(text, marker, PLACE, value=value, note=note)


def label(text: str) -> AnswerCell:
    return AnswerCell(text)


TABLE = AnswerTable(
    TableUse.COMPARISON,
    "DRV8833 and DRV8833C",
    ("Parameter", "DRV8833", "DRV8833C"),
    (
        (label("Supply voltage, max"), quantity("10.8 V", 10.8), quantity("10.8 V", 10.8, 2)),
        (label("Output current"), quantity("1.5 A", 1.5), quantity("700 mA", 0.7, 2)),
        (label("On-resistance"), quantity("360 mΩ", 0.36, 1, "VM = 5 V"), label("")),
        (label("Pin 10"), label("—"), AnswerCell("nSLEEP", 2)),
        (label("Pin 2"), AnswerCell("AOUT1", 1), AnswerCell("AOUT1", 2)),
    ),
    (DocumentId(""), DocumentId("a"), DocumentId("b")),
    (False, True, False, False, False),
)
SOURCES = {1: CellSource("a.pdf", 5, "6.5 Electrical"), 2: CellSource("b.pdf", 6)}


@pytest.fixture
def model() -> ComparisonModel:
    return ComparisonModel(TABLE, SOURCES)


def column(model: ComparisonModel, index: int = 0) -> list[str]:
    return [model.text(row, index) for row in range(1, model.rowCount())]


def test_quantities_are_sorted_by_their_size_in_either_direction_and_back(
    model: ComparisonModel,
) -> None:
    as_it_was = column(model)
    model.sort_by(2)
    assert column(model, 2) == ["700 mA", "10.8 V", "AOUT1", "nSLEEP", "—"]
    model.sort_by(2)
    assert column(model, 2) == ["nSLEEP", "AOUT1", "10.8 V", "700 mA", "—"]
    assert model.sorting == Sorting(2, is_descending=True)
    model.sort_by(2)
    assert column(model) == as_it_was
    assert model.sorting is None


def test_numbers_in_names_are_sorted_as_numbers(model: ComparisonModel) -> None:
    model.narrow("pin")
    model.sort_by(0)
    assert column(model) == ["Pin 2", "Pin 10"]


def test_gaps_stay_last_whichever_way_it_is_sorted(model: ComparisonModel) -> None:
    for _ in range(2):
        model.sort_by(1)
        assert model.text(model.n_shown, 1) == "—"


def test_only_differing_rows_are_left_when_wanted_and_still_narrowed(
    model: ComparisonModel,
) -> None:
    model.show_differences_only(True)
    assert column(model) == ["Output current"]
    model.narrow("supply")
    assert model.n_shown == 0
    model.show_differences_only(False)
    assert column(model) == ["Supply voltage, max"]


def test_all_words_of_the_filter_must_stand_in_a_row_in_any_column(
    model: ComparisonModel,
) -> None:
    model.narrow(" 360  RESIST ")
    assert column(model) == ["On-resistance"]
    model.narrow("vm = 5")
    assert column(model) == ["On-resistance"]


def test_a_gap_is_a_dash_and_says_where_nothing_is_stated(model: ComparisonModel) -> None:
    assert model.text(3, 2) == "—"
    assert model.explanation(3, 2) == ("Not stated in DRV8833C",)
    assert model.spoken(3, 2) == "not stated in DRV8833C"
    assert not is_gap(AnswerCell("-", 3))


def test_a_cell_tells_its_condition_document_and_the_page_of_its_place(
    model: ComparisonModel,
) -> None:
    lines = model.explanation(3, 1)
    said = ("On-resistance: 360 mΩ", "VM = 5 V", "a.pdf · page 7", "6.5 Electrical", "")
    assert lines == said
    assert model.spoken(3, 1) == "360 mΩ, VM = 5 V"


def test_a_differing_row_says_so_at_its_label(model: ComparisonModel) -> None:
    assert model.explanation(2, 0)[-1] == "The documents differ."
    assert model.explanation(1, 0)[-1] == ""


def test_the_rows_shown_are_copied_with_conditions_and_gaps(model: ComparisonModel) -> None:
    model.narrow("resistance")
    assert model.texts() == [
        ["Parameter", "DRV8833", "DRV8833C"],
        ["On-resistance", "360 mΩ (VM = 5 V)", "—"],
    ]
    assert model.texts({(0, 0), (1, 1)}) == [["Parameter", ""], ["", "360 mΩ"]]


def test_bars_in_cells_are_escaped_in_markdown() -> None:
    assert as_markdown(("A", "B"), [("A | B", "1 V")]).splitlines()[-1] == "| A \\| B | 1 V |"


def test_the_table_for_a_file_is_as_it_is_looked_at(model: ComparisonModel) -> None:
    model.show_differences_only(True)
    shown = model.shown()
    assert [row[0].text for row in shown.rows] == ["Output current"]
    assert shown.differs == (True,)
    assert shown.headers == TABLE.headers


def test_a_list_that_is_stated_whole_has_no_marks() -> None:
    stated = AnswerCell("x", 1, is_stated=True)
    whole = AnswerTable(TableUse.LIST, "", ("A",), ((stated,), (stated,)))
    assert not stands_out(whole)
    assert stands_out(replace(whole, rows=((stated,), (label("y"),))))
    assert stands_out(replace(whole, use=TableUse.ROWS))


def test_where_all_rows_differ_none_is_marked() -> None:
    model = ComparisonModel(replace(TABLE, differs=(True,) * 5), SOURCES)
    assert not model.marks_differences
    assert not model.differs(2)
    assert ComparisonModel(TABLE, SOURCES).differs(2)
