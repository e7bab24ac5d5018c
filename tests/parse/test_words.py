"""The engine's characters become words, and what shows nothing becomes none."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_qa.parse.words import WordReader

UPRIGHT = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def line(*runs: tuple[str, str]) -> dict[str, Any]:
    """Return a line of the engine: runs of a font and its characters, a square for each."""
    spans = []
    left = 50.0
    for font, text in runs:
        chars = []
        for char in text:
            box = (left, 100.0, left + 9.0, 109.0)
            chars.append({"c": char, "bbox": box, "origin": (left, 108.0)})
            left += 9.0
        spans.append(
            {"size": 9.0, "font": font, "flags": 0, "color": 0, "alpha": 255, "chars": chars}
        )
    return {"wmode": 0, "dir": (1.0, 0.0), "spans": spans}


@pytest.mark.parametrize(("font", "blank"), [("Symbol", "\uf020"), ("Arial", "\ufeff")])
def test_what_a_font_of_its_own_encoding_shows_as_space_is_no_word(font: str, blank: str) -> None:
    reader = WordReader(UPRIGHT, 0, {})

    words = reader.read([{"lines": [line((font, blank)), line(("Arial", "Features"))]}])

    assert [(word.text, word.line_no) for word in words] == [("Features", 1)]
    assert reader.n_spaces == 1


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("(Pin6)......Keypad", ["(Pin6)", "......", "Keypad"]),
        ("Range……….-55°C", ["Range", "……….", "-55°C"]),
        (".+8.0V", [".", "+8.0V"]),
        ("0.5V...", ["0.5V..."]),
        (".05", [".05"]),
    ],
)
def test_dots_that_lead_to_a_value_are_a_word_of_their_own(text: str, parts: list[str]) -> None:
    words = WordReader(UPRIGHT, 0, {}).read([{"lines": [line(("Arial", text))]}])

    assert [word.text for word in words] == parts
    assert not any(word.space_before for word in words[1:])
