"""How amounts are written: scale, sign, period."""

import pytest

from desktop_qa.parse.amounts import (
    exemptions,
    is_amount,
    is_share,
    is_telling,
    period_of,
    scale_of,
    sign_of,
    speaks_of,
    value_of,
)


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("(In millions, except per share data)", 1_000_000),
        ("$ and shares in millions, except per share amounts", 1_000_000),
        ("(Millions)", 1_000_000),
        ("(dollars in thousands)", 1_000),
        ("in Mio. €", 1_000_000),
        ("U.S. dollars in billions", 1_000_000_000),
        ("Revenue rose by 5 million", 0),
        ("Years ended December 31,", 0),
    ],
)
def test_a_scale_is_read_where_it_is_stated(text, scale):
    assert scale_of(text) == scale


def test_a_scale_says_what_it_leaves_out():
    assert exemptions("(In millions, except per share amounts)") == {("per", "share"): 1}
    assert exemptions("(In millions, except share, per-share and visitor count data)") == {
        ("share",): 1,
        ("per", "share"): 1,
        ("visitor",): 1,
    }
    assert exemptions(
        "(In millions, except number of shares, which are reflected in thousands, and per share"
        " amounts)"
    ) == {("share",): 1000, ("per", "share"): 1}
    assert not exemptions("All but the bonds, except for those of 2031 (in millions)")
    assert not exemptions("(In millions)")


@pytest.mark.parametrize(
    ("name", "is_said"),
    [
        ("Earnings per share:", True),
        ("Price paid per-share", True),
        ("Earnings per share-diluted", True),
        ("Shares used in computing earnings per share", False),
        ("Share-based compensation", False),
    ],
)
def test_what_is_left_out_is_said_by_a_name_in_its_order(name, *, is_said):
    assert speaks_of(name, ("per", "share")) is is_said


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$ 42,879", 42879.0),
        ("(52,348)", -52348.0),
        ("$ (14)", -14.0),
        ("($4,935)", -4935.0),
        ("(0.3)%", -0.3),
        ("-17 %", -17.0),
        ("(1,929) (2)", -1929.0),
        ("—", None),
        ("Level 1", None),
    ],
)
def test_brackets_are_a_minus_and_marks_of_notes_are_no_part_of_an_amount(text, value):
    assert value_of(text) == value
    assert sign_of(text) == (-1 if value is not None and value < 0 else 1)
    assert is_amount(text) == (value is not None)


def test_an_amount_in_per_cent_is_a_share():
    assert is_share("4.4%")
    assert is_share("(0.3)%")
    assert not is_share("4,400")


def test_currency_thousands_brackets_and_per_cent_tell_an_amount_from_a_number():
    assert all(map(is_telling, ("$5", "1,234", "(52)", "4.8%")))
    assert not any(map(is_telling, ("1.7", "(1)", "2018", "–40")))


def test_a_year_is_completed_by_the_day_that_its_other_heads_name():
    assert period_of(["2018"], "Years ended December 31,") == "Years ended December 31, 2018"
    assert period_of(["As of May 31,", "2017"], "") == "As of May 31, 2017"
    assert period_of(["February 2, 2019"], "Fiscal Years Ended") == "February 2, 2019"
    assert period_of(["2017", "Restated"], "") == "2017"
    assert period_of(["Level 1"], "At December 31,") == ""
