from __future__ import annotations

import pytest

from desktop_qa.retrieve.reports import Quarter, reported_quarter, reports_of
from tests.helpers.tables import Sheet

QUARTERS = {
    "a": Quarter(1, 2023, 2023),
    "b": Quarter(2, 2023, 2023),
    "c": Quarter(2, 2022, 2022),
    "d": None,
}


def report(*texts: str) -> Sheet:
    """A report with each text on a page of its own."""
    sheet = Sheet("Nordwind")
    for text in texts:
        sheet.add_text(text)
    return sheet


@pytest.mark.parametrize(
    ("sheet", "quarter"),
    [
        (
            report("Q4 FY23 Results, against Q4 FY22", "Q1 FY24 looks well.", "In Q1 FY24"),
            (4, 2023, 2023),
        ),
        # However often it compares with the year before.
        (
            report(
                "For the quarterly period ended June 30, 2023",
                "three and six months ended June 30, 2023, as against the second quarter of 2022",
                "the second quarter of 2022; six months ended June 30, 2023",
            ),
            (2, 2023, 2023),
        ),
        (
            report("10-Q", "13 weeks ended April 29, 2023: Q1 FY24"),
            (1, 2024, 2023),
        ),
        (
            report("10-K", "Year ended January 28, 2023. Q4 2022"),
            (4, 2022, 2023),
        ),
        (report("10-K", "Year ended December 31, 2022. Q4 2021"), (4, 2022, 2022)),
        (report("Annual report 2022", "Sales of the year rose."), None),
    ],
)
def test_a_report_says_which_quarter_it_is_of(sheet, quarter):
    assert reported_quarter(sheet.segments) == quarter


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Nordwind sales Q1 2023?", "a"),
        ("Nordwind sales in the second quarter of fiscal 2022?", "c"),
        ("Nordwind sales, second quarter", "bc"),
        # A report prints the quarter of the year before beside its own.
        ("Nordwind sales in Q1 2022?", "a"),
        ("Did sales rise from the first quarter to the second quarter of 2023?", "ab"),
        ("Did sales rise from the first to the second quarter of 2023?", "ab"),
        ("Nordwind sales Q3 2023?", ""),
        ("Nordwind sales in 2023?", ""),
    ],
)
def test_a_question_about_a_quarter_means_the_reports_that_are_of_it(question, meant):
    assert reports_of(question, tuple(QUARTERS), QUARTERS.get) == tuple(meant)
