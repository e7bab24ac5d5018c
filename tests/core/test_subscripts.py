from __future__ import annotations

from desktop_qa.core.document import BoundingBox, Word
from desktop_qa.core.subscripts import lowered_words


def line(top: float, *words: str, lowered: tuple[str, ...] = ()) -> list[Word]:
    return [
        Word(
            text, BoundingBox(20.0 * n, top, 20.0 * n + 15, top + (11.2 if text in lowered else 10))
        )
        for n, text in enumerate(words)
    ]


def test_a_symbol_that_hangs_below_its_line_has_a_subscript() -> None:
    words = line(0, "at", "VCM", "=", "VOUT", "of", "36", "V", lowered=("VCM", "VOUT"))
    assert lowered_words(words) == {"VCM": "V", "VOUT": "V"}


def test_a_symbol_that_stands_level_has_none() -> None:
    assert lowered_words(line(0, "at", "VDD", "of", "36", "V")) == {}


def test_brackets_and_stops_around_a_symbol_do_not_count() -> None:
    words = line(0, "voltage", "(VS", "=", "8", "V", "to", "RDS(on),", lowered=("(VS", "RDS(on),"))
    assert lowered_words(words) == {"VS": "V", "RDS(on)": "R"}


def test_units_keep_their_prefix() -> None:
    words = line(0, "noise", "of", "12", "µVRMS", "typical", lowered=("µVRMS",))
    assert lowered_words(words) == {"µVRMS": "µV"}


def test_words_and_pin_names_are_no_symbols() -> None:
    words = line(0, "see", "Device", "and", "nFAULT", "or", "AINP", lowered=("Device", "AINP"))
    assert lowered_words(words) == {}


def test_what_is_level_more_often_is_level() -> None:
    words = [
        *line(0, "the", "VDD", "pin", "is", lowered=("VDD",)),
        *line(20, "the", "VDD", "pin", "is"),
        *line(40, "the", "VDD", "pin", "is"),
    ]
    assert lowered_words(words) == {}


def test_a_line_of_one_word_tells_nothing() -> None:
    assert lowered_words(line(0, "VOS", lowered=("VOS",))) == {}
