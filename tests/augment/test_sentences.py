"""Texts are cut at the ends of sentences, and into even pieces."""

from __future__ import annotations

import itertools

import pytest

from desktop_qa.augment.sentences import partition, split_at_words, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "The supply is 5 V. See Fig. 3 for more. Done!",
            ["The supply is 5 V.", "See Fig. 3 for more.", "Done!"],
        ),
        ("Use a resistor, e.g. 10 kΩ. Then go on.", ["Use a resistor, e.g. 10 kΩ.", "Then go on."]),
        (
            "The U.S. Bank, i.e. the trustee, agreed at 9 a.m. Eastern time. It signed.",
            ["The U.S. Bank, i.e. the trustee, agreed at 9 a.m. Eastern time.", "It signed."],
        ),
        ("Version 2.0 draws 3.5 mA typ. at 25 °C.", ["Version 2.0 draws 3.5 mA typ. at 25 °C."]),
        ("First line\nsecond line", ["First line", "second line"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, sentences):
    assert split_sentences(text) == sentences


def words(text: str) -> int:
    return len(text.split())


def test_a_text_without_sentence_ends_is_cut_between_words_and_nothing_is_lost():
    text = " ".join(f"w{i}" for i in range(95))
    parts = split_at_words(text, 10, words)
    assert max(words(part) for part in parts) == 10
    assert " ".join(parts) == text


def test_a_single_word_over_the_limit_is_cut_inside():
    parts = split_at_words("x" * 100, 7, len)
    assert max(len(part) for part in parts) <= 7
    assert "".join(parts) == "x" * 100


SIZES = [3, 9, 4, 4, 8, 1, 2, 7, 5]
COSTS = [0.0, 0.1, 0.4, 0.0, 0.2, 0.5, 0.1, 0.0, 0.3]
LIMIT = 14


def fill(first: int, last: int) -> float:
    return sum(SIZES[first : last + 1]) / LIMIT


def cost_of(starts: tuple[int, ...]) -> float:
    ends = [*(start - 1 for start in starts[1:]), len(SIZES) - 1]
    shares = [fill(first, last) for first, last in zip(starts, ends, strict=True)]
    if max(shares) > 1:
        return float("inf")
    return sum(1 + share**2 for share in shares) + sum(COSTS[start] for start in starts[1:])


def test_the_cut_is_the_cheapest_of_all_cuts():
    others = range(1, len(SIZES))
    all_cuts = (
        (0, *starts) for n in range(len(SIZES)) for starts in itertools.combinations(others, n)
    )
    best = min(map(cost_of, all_cuts))
    pieces = partition(len(SIZES), fill, COSTS)
    assert cost_of(tuple(first for first, _last in pieces)) == pytest.approx(best)


def test_pieces_cover_every_unit_once_in_order():
    pieces = partition(len(SIZES), fill, COSTS)
    assert [i for first, last in pieces for i in range(first, last + 1)] == list(range(len(SIZES)))


def test_a_unit_over_the_limit_stands_alone_and_of_none_there_are_no_pieces():
    assert partition(0, fill, []) == []
    sizes = [1, 30, 1]
    assert partition(3, lambda a, b: sum(sizes[a : b + 1]) / 10, [0.0] * 3) == [
        (0, 0),
        (1, 1),
        (2, 2),
    ]
