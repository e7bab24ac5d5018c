from __future__ import annotations

import pytest

from desktop_qa.augment.sentences import split_at_words, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "The supply is 5 V. See Fig. 3 for more. Done!",
            ["The supply is 5 V.", "See Fig. 3 for more.", "Done!"],
        ),
        ("Use a resistor, e.g. 10 kΩ. Then go on.", ["Use a resistor, e.g. 10 kΩ.", "Then go on."]),
        ("Version 2.0 draws 3.5 mA typ. at 25 °C.", ["Version 2.0 draws 3.5 mA typ. at 25 °C."]),
        ("First line\nsecond line", ["First line", "second line"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def words(text: str) -> int:
    return len(text.split())


def test_a_text_without_sentence_ends_is_cut_between_words_and_nothing_is_lost() -> None:
    text = " ".join(f"w{i}" for i in range(95))
    parts = split_at_words(text, 10, words)
    assert max(words(part) for part in parts) == 10
    assert " ".join(parts) == text


def test_a_single_word_over_the_limit_is_cut_inside() -> None:
    parts = split_at_words("x" * 100, 7, len)
    assert max(len(part) for part in parts) <= 7
    assert "".join(parts) == "x" * 100
