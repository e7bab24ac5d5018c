from __future__ import annotations

import pytest

from desktop_qa.core.document import BoundingBox, Word
from desktop_qa.core.subscripts import lowered_words


def line(top: float, *words: str, lowered: tuple[str, ...] = ()) -> list[Word]:
    return [
        Word(
            text, BoundingBox(20.0 * n, top, 20.0 * n + 15, top + (11.2 if text in lowered else 10))
        )
        for n, text in enumerate(words)
    ]


@pytest.mark.parametrize(
    ("text", "lowered", "found"),
    [
        ("at VCM = VOUT of 36 V", "VCM VOUT", {"VCM": "V", "VOUT": "V"}),
        ("at VDD of 36 V", "", {}),
        ("voltage (VS = 8 V to RDS(on),", "(VS RDS(on),", {"VS": "V", "RDS(on)": "R"}),
        ("noise of 12 µVRMS typical", "µVRMS", {"µVRMS": "µV"}),
        ("see Device and nFAULT or AINP", "Device AINP", {}),
        ("VOS", "VOS", {}),  # nothing to hang below
    ],
)
def test_a_symbol_that_hangs_below_its_line_has_a_subscript(text, lowered, found):
    assert lowered_words(line(0, *text.split(), lowered=tuple(lowered.split()))) == found


def test_what_is_level_more_often_is_level():
    words = [
        *line(0, "the", "VDD", "pin", "is", lowered=("VDD",)),
        *line(20, "the", "VDD", "pin", "is"),
        *line(40, "the", "VDD", "pin", "is"),
    ]
    assert lowered_words(words) == {}
