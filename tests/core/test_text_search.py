from __future__ import annotations

import pytest

from desktop_qa.core.page_text import TextQuery
from desktop_qa.core.text_search import find_spans, fold_page, may_hold, squeezed


def found(text: str, words: str, **options: bool) -> list[str]:
    query = TextQuery(words, **options)
    folded = fold_page(text, match_case=query.match_case)
    return [text[start:end] for start, end in find_spans(folded, query)]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("Offset VOLTAGE and voltage", "voltage", ["VOLTAGE", "voltage"]),
        ("the café and the cafe", "cafe", ["café", "cafe"]),
        ("5 µs and 5 μs", "5 µs", ["5 µs", "5 μs"]),
        ("10 kΩ and 10 k\u2126", "k\u2126", ["kΩ", "k\u2126"]),
        ("a −40 and –40 and -40", "-40", ["−40", "–40", "-40"]),
        ("m/s² here", "m/s2", ["m/s²"]),
        ("first\tcell\nnext line", "cell next", ["cell\nnext"]),
        ("first\tcell\nnext line", "first   cell", ["first\tcell"]),
        ("input offset", "ﬁnd", []),
        ("find it", "ﬁnd", ["find"]),
        ("abc abc abc", "c a", ["c a", "c a"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("anything", "  ", []),
        ("İstanbul", "istanbul", ["İstanbul"]),
    ],
)
def test_words_are_found_however_they_are_set(text, words, expected):
    assert found(text, words) == expected


def test_case_and_whole_words_narrow_what_is_found():
    text = "Gain gain regain GAIN_1 gain."
    assert found(text, "gain", match_case=True) == ["gain", "gain", "gain"]
    assert found(text, "gain", whole_word=True) == ["Gain", "gain", "gain"]
    assert found(text, "gain", whole_word=True, match_case=True) == ["gain", "gain"]


def test_a_word_broken_at_a_hyphen_is_found_whole_and_with_its_hyphen():
    text = "the measure-\nment of low-\npower parts"
    assert found(text, "measurement") == ["measure-\nment"]
    assert found(text, "the measurement of") == ["the measure-\nment of"]
    assert found(text, "low-power") == ["low-\npower"]
    assert found(text, "lowpower parts") == ["low-\npower parts"]
    assert found(text, "measurement", whole_word=True) == ["measure-\nment"]
    assert found(text, "power", whole_word=True) == ["power"]


def test_the_quick_look_misses_no_page():
    text = "A measure-\nment of 5 µV, café ﬁve"
    for words in ("measurement", "5 µv", "cafe", "five", "a MEASURE", "of 5"):
        assert may_hold(squeezed(text), TextQuery(words)), words
    assert not may_hold(squeezed(text), TextQuery("current"))
