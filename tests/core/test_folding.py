import pytest

from desktop_qa.core.folding import fold, fold_for_matching


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("25 µs", "25 \u03bcS"),
        ("100 k\u2126", "100k\u03a9"),
        ("\u221294 dBm", "-94dBm"),
        ("4 V \u2013 30 V", "4 V - 30 V"),
        ("micro-\ncontroller", "microcontroller"),
        ("micro\u00ad\n  controller", "microcontroller"),
        ("**Input** `offset` voltage", "input offset VOLTAGE"),
        ("| Max | 5 |", "Max 5"),
        ("\ufb01xed\u00a0gain", "fixed gain"),
        ("a\u200bb", "ab"),
        ("85 \u00baC, 85 \u02daC", "85 °C, 85 °C"),
    ],
)
def test_the_same_words_set_differently_fold_alike(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SN65-\nHVD230", "SN65HVD230"),
        ("12-\n14 bits", "1214 bits"),
        ("non-inverting", "noninverting"),
        ("±5 mA", "5 mA"),
        ("1.35 V", "135 V"),
        ("mA", "µA"),
    ],
)
def test_hyphens_of_codes_and_numbers_are_kept(one, other):
    assert fold(one) != fold(other)


def test_folding_a_folded_text_changes_nothing():
    text = "Low-\npower µ-controller \u2013 2.7\u00a0V to **5.5 V**"
    assert fold(fold(text)) == fold(text)


def test_quotes_match_whether_or_not_hyphenation_was_undone():
    assert fold_for_matching("high-\nSpeed") == fold_for_matching("highspeed")
