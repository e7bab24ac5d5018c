import pytest

from desktop_qa.augment.periods import (
    TO_DATE,
    compares_year_before,
    find_periods,
    is_year,
    length_of,
    length_said,
    of_length,
    periods_ended,
    plain_periods,
    quarter_numbers,
    quarters_asked,
    quarters_named,
    without_periods,
)
from desktop_qa.augment.quantities import find_values, values_in_question


@pytest.mark.parametrize(
    "period",
    [
        "FY2019", "fy 2019", "FY19", "FY'19", "fiscal 2019", "fiscal year 2019", "fiscal '19",
        "Q3 2019", "Q3'19", "Q3 FY19", "3Q19", "H1 2019", "third quarter of 2019", "2019",
        "February 2, 2019", "Years ended December 31, 2019", "CY2019", "12/31/2019",
    ],
)  # fmt: skip
def test_a_period_is_its_year_in_every_form(period):
    assert [v for v in find_values(f"net sales of {period}?") if is_year(v)] == ["year2019"]
    assert "year2019" in values_in_question(period)


def test_years_are_told_from_quantities_and_ranges_have_both():
    assert find_values("2000 V for 1900 cycles") == ("1900cycle", "2000v")
    assert find_values("FY2015 - FY2017") == find_values("2015-2017") == ("year2015", "year2017")
    assert not is_year("20year")


def test_only_what_says_so_is_a_period_beside_a_code():
    assert find_periods("MAX 2021, H12020 and 2N2019 in 2020") == ()
    assert find_periods("FY2019 or 3Q20") == ((0, 6), (10, 14))


def test_a_period_is_written_as_statements_print_it():
    assert plain_periods("FY19 sales, Q3 FY20 and fiscal '18") == (
        "2019 sales, Q3 2020 and fiscal 2018"
    )


@pytest.mark.parametrize(
    ("n_quarters", "texts"),
    [
        (1, ("Three Months Ended July 1, 2023", "13 weeks ended", "twelve weeks", "Q3 FY23", "2Q23",
             "third quarter of fiscal year 2023", "Quarters Ended", "second-quarter sales")),
        (2, ("first half of 2023", "H1", "Six Months Ended", "twenty-six weeks", "1st half")),
        (3, ("first nine months of 2023", "36 weeks", "nine-month period ended")),
        (4, ("Years ended December 31,", "FY2023", "fiscal 2023", "Twelve Months Ended", "FY19")),
        (TO_DATE, ("year to date 2023", "Q2 YTD")),
        (0, ("2023", "June 30, 2023", "two weeks", "seven months", "a quarter-wave antenna")),
    ],
)  # fmt: skip
def test_a_period_says_how_many_quarters_it_lasts(n_quarters, texts):
    assert {text: length_of(text) for text in texts} == dict.fromkeys(texts, n_quarters)


def test_the_length_of_less_than_a_year_is_a_value_as_the_year_is():
    assert find_values("Q3 FY23") == find_values("quarter ended July 1, 2023")
    assert find_values("quarter ended July 1, 2023") == ("quarters1", "year2023")
    assert find_values("the year ended July 1, 2023") == ("year2023",)


def test_of_two_periods_that_end_on_one_day_the_one_is_meant_that_is_as_long():
    heads = ["Three Months Ended June 30, 2023", "Six Months Ended June 30, 2023"]
    assert of_length(heads, "revenue in Q2 2023") == [True, False]
    assert of_length(heads, "revenue in the first half of 2023") == [False, True]
    assert of_length(heads, "revenue 2023, year to date") == [False, True]
    assert of_length(heads, "revenue in the first nine months of 2023") == [False, False]
    # A year alone means the longest; what names no period means any.
    assert of_length(heads, "revenue in 2023") == [False, True]
    assert of_length(heads, "revenue") == [True, True]
    # Stocks are of a day: their heads say no length.
    assert of_length(["June 30, 2023"], "inventories, Q2 2023") == [True]


def test_what_is_asked_is_told_from_how_long():
    assert without_periods("revenue, quarter ended July 1, 2023") == "revenue,"
    assert without_periods("sales for the first nine months of FY23") == "sales for the of"
    assert without_periods("sales in 2021 against a year earlier", " ¶ ") == "sales in ¶ against ¶"
    assert without_periods("a quarter-wave antenna") == "a quarter-wave antenna"
    assert [length_said(text) for text in ("Q3 FY23", "2023")] == ["quarter", ""]


@pytest.mark.parametrize(
    ("text", "compares"),
    [
        ("sales in Q2 2022 versus the same quarter a year before", True),
        ("was it higher than in the prior-year quarter", True),
        ("sales growth y/y in Q2 FY24", True),
        ("sales of the prior year", False),
        ("sales in Q2 2022 versus Q1 2022", False),
    ],
)
def test_what_compares_with_the_year_before_says_so(text, compares):
    assert compares_year_before(text) is compares


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Results of the second quarter of fiscal 2024", [(2, 2024)]),
        ("Q4 FY23 and 3Q'22", [(4, 2023), (3, 2022)]),
        ("Reports First-Quarter 2023 Results", [(1, 2023)]),
        ("Fourth-Quarter and Full-Year 2022 Results", [(4, 2022)]),
        ("2023 second-quarter sales", [(2, 2023)]),
        ("the quarter ended June 30, 2023; a quarter of 2023 parts", []),
    ],
)
def test_quarters_are_named_with_their_year(text, named):
    assert quarters_named(text) == named


def test_a_question_may_name_a_quarter_without_its_year():
    assert quarter_numbers("Sales of the second quarter, and of 1Q23?") == {1, 2}
    assert quarter_numbers("Did sales rise from the first to the second quarter?") == {1, 2}
    assert not quarter_numbers("Sales of the quarter that ended in June 2023?")


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("Three and six months ended June 30, 2023", [(2, "june 30", 2023)]),
        ("12 Weeks Ended May 7, 2023 | 36 Weeks Ended May 7, 2023",
         [(1, "may 7", 2023), (3, "may 7", 2023)]),
        ("the fiscal year ended Jan. 28, 2023", [(4, "jan. 28", 2023)]),
        ("Six months ended June 30", []),
        ("Year to date through May 7, 2023", []),
    ],
)  # fmt: skip
def test_periods_that_end_on_a_day_say_how_long_they_are(text, ended):
    assert periods_ended(text) == ended


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Sales from Q4 2022 to Q1 2023?", ["Q4 2022", "Q1 2023"]),
        ("Sales from the first to the second quarter of fiscal 2023?", ["Q1 2023", "Q2 2023"]),
        ("In 2023, did sales of Q2 exceed those of Q1?", ["Q2 2023", "Q1 2023"]),
        ("Did sales rise from Q1 to Q2?", []),
    ],
)
def test_quarters_of_a_question_take_the_year_that_is_said_next(question, asked):
    assert quarters_asked(question) == asked
