from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_qa.augment.keywords import index_keys
from desktop_qa.augment.value_kinds import dimensions_in, marks_of
from desktop_qa.core.segment import Segment, SegmentKind
from tests.helpers.sample_documents import make_segment


def _segment(text: str, kind: SegmentKind = SegmentKind.TABLE) -> Segment:
    return make_segment("a" * 16, 0, text, kind=kind)


@pytest.mark.parametrize(
    ("text", "dimensions"),
    [
        ("settles within 25 µs", {"time"}),
        ("draws 500mA", {"current"}),
        ("IQ | Quiescent current | | 12 | mA |", {"current"}),
        ("100 kHz or 400 kHz", {"frequency"}),
        ("RθJA (°C/W)", {"thermal resistance"}),
        ("8 nV/√Hz", {"noise"}),
        ("60 mA/V", {"current"}),
        ("page 3 of 12", set()),
        ("5 Vehicles", set()),
        ("MIN | TYP | MAX", set()),
    ],
)
def test_units_tell_dimensions(text: str, dimensions: set[str]) -> None:
    assert dimensions_in(text) == dimensions


def test_the_last_word_of_a_row_may_be_its_unit() -> None:
    assert dimensions_in("Delay 5 7 ns", at_line_ends=True) == {"time"}
    assert dimensions_in("the letter s", at_line_ends=False) == set()


def test_a_table_of_limits_is_marked_with_its_columns() -> None:
    text = "7.5 Electrical\n\nPARAMETER | MIN | TYP | MAX | UNIT\ntD | Delay | | 5 | 7 | ns"
    assert marks_of(_segment(text)) == ("~limits", "~max", "~min", "~time", "~typ")


def test_notes_and_prose_have_no_columns() -> None:
    table = _segment(
        "Bit | Name\n7 | EN\n(1) Not more than the maximum, nor less than the minimum."
    )
    assert marks_of(table) == ()
    assert marks_of(replace(table, kind=SegmentKind.TEXT, text="The maximum is 5 V.")) == (
        "~voltage",
    )


def test_keys_are_keywords_and_marks() -> None:
    assert {"statusreg", "~voltage"} <= set(index_keys(_segment("STATUS_REG reads 5 V")))
