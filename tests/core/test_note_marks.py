import pytest

from desktop_qa.core.note_marks import without_note_marks


@pytest.mark.parametrize(
    "text",
    [
        "VOL(1)",
        "VOL [2]",
        "VOL¹",
        "VOL¹⁾",
        "VOLᵃ",
        "VOL (Note 3)",
        "VOL (Note a)",
        "VOL (notes 1, 2)",
        "VOL (Notes 3 and 4)",
        "VOL (1 & 2)",
        "VOL ③",
        "VOL*",
        "VOL†",
    ],
)
def test_the_mark_of_a_note_is_no_part_of_the_text(text):
    assert without_note_marks(text) == "VOL"


@pytest.mark.parametrize("text", ["I²C", "RDS(on)", "D[15:0]", "10 V (typ)"])
def test_what_belongs_to_the_text_stays(text):
    assert without_note_marks(text) == text
