"""Which cells a report is about, wherever they are shown."""

from __future__ import annotations

from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.mark import (
    Mark,
    MarkColour,
    MarkStanding,
    PlacedMark,
    WrongCell,
    report_on,
)

ONE = DocumentId("one")


def at(top: float, page_no: int = 2) -> Provenance:
    return Provenance(page_no, BoundingBox(10, top, 40, top + 10))


def report(*places: Provenance) -> PlacedMark:
    mark = Mark(
        *("a", ONE, "a.pdf", 2, MarkColour.ROSE, 0.0, 0.0, places, "54"),
        cell=WrongCell("", "Dropout", "Min", "1.1"),
    )
    return PlacedMark(mark, MarkStanding.HERE, ONE, "/a.pdf", 2, places)


def test_a_report_is_about_its_parts_and_about_what_holds_all_of_it():
    placed = report(at(0), at(20))
    assert report_on([placed], ONE, (at(0),)) is placed
    assert report_on([placed], ONE, (at(0), at(20), at(40))) is placed


def test_a_reading_that_shares_a_cell_with_it_is_another():
    placed = report(at(0), at(20))
    assert report_on([placed], ONE, (at(0), at(40))) is None
    assert report_on([placed], ONE, (at(0, page_no=3),)) is None
    assert report_on([placed], DocumentId("other"), (at(0),)) is None
    assert report_on([placed], ONE, ()) is None
