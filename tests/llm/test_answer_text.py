from __future__ import annotations

from collections.abc import Iterable

import pytest

from desktop_qa.llm.answer_text import LoopWatch, Surrogates, ThinkingSplitter


def parted(pieces: Iterable[str]) -> tuple[str, str]:
    splitter = ThinkingSplitter()
    text = thinking = ""
    for part in [*map(splitter.feed, pieces), splitter.end()]:
        if part.voids_text:
            text, thinking = "", thinking + text
        text += part.text
        thinking += part.thinking
    return text, thinking


CASES = [
    ("plain", ("plain", "")),
    (" \n plain", (" \n plain", "")),
    ("<think>a</think>b", ("b", "a")),
    ("\n<think>\na < b\n</think>\n\nThe text.", ("The text.", "\na < b\n")),
    ("[THINK]a[/THINK]b", ("b", "a")),
    ("<think></think>b", ("b", "")),
    ("<think>a</think><think>c</think>b", ("b", "ac")),
    ("<think>a", ("", "a")),
    ("<think>a</thi", ("", "a</thi")),
    ("<thinking>a</thinking>\nb", ("b", "a")),
    ("a</think>b", ("b", "a")),
    ("a</think>\n\nb </think> c", ("b </think> c", "a")),
    ("a <think> b", ("a <think> b", "")),
    ("if a < b then", ("if a < b then", "")),
    ("<thin", ("<thin", "")),
    ("<b>bold</b>", ("<b>bold</b>", "")),
    ("[1] is cited", ("[1] is cited", "")),
    ("<think>a[/THINK]</think>b", ("b", "a[/THINK]")),
    ("", ("", "")),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_thinking_is_taken_out_wherever_the_text_is_cut(text, expected):
    assert parted([text]) == expected
    assert parted(text) == expected
    for first in range(len(text) + 1):
        for second in range(first, len(text) + 1):
            pieces = (text[:first], text[first:second], text[second:])
            assert parted(pieces) == expected


def test_text_is_not_held_back_without_need():
    splitter = ThinkingSplitter()
    assert splitter.feed("The").text == "The"
    assert splitter.feed(" input <").text == " input "
    assert splitter.feed("5 V").text == "<5 V"


class TestLoops:
    def test_fourth_round_of_sixty_characters_is_found_wherever_the_text_is_cut(self):
        unit = "".join(chr(0x100 + n) for n in range(60))
        for size in (1, 7, 60, 240):
            watch = LoopWatch()
            text = "Start. " + unit * 4
            pieces = [text[at : at + size] for at in range(0, len(text), size)]
            assert [watch.goes_round(piece) for piece in pieces].count(True) >= 1

    def test_three_rounds_or_a_shorter_unit_are_none(self):
        unit = "".join(chr(0x100 + n) for n in range(60))
        assert not LoopWatch().goes_round(unit * 3 + unit[:-1])
        assert not LoopWatch().goes_round(unit[:59] * 4)

    def test_short_unit_that_goes_on_for_240_characters_is_one(self):
        assert LoopWatch().goes_round("\n" * 240)
        assert LoopWatch().goes_round("ab" * 120)
        assert not LoopWatch().goes_round("ab" * 119)

    def test_long_unit_is_found(self):
        unit = " ".join(str(n) for n in range(900))
        watch = LoopWatch()
        assert [watch.goes_round(unit) for _ in range(4)] == [False, False, False, True]

    def test_table_with_like_rows_is_none(self):
        watch = LoopWatch()
        rows = (f"| Parameter number {n} | 0.5 | 1.0 | 1.5 | typical value |\n" for n in range(200))
        assert not any(watch.goes_round(row) for row in rows)


def test_half_a_character_at_the_end_is_dropped_and_a_lone_one_replaced():
    surrogates = Surrogates()
    assert surrogates.joined("a\ud83d") == "a"
    assert surrogates.joined("b") == "\ufffdb"
    assert surrogates.joined("\ude00") == "\ufffd"
