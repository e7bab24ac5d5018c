"""Covers of reports: who reports, in which form, for which period."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.parse.sheet import PROSE, Sheet, read


def _cover(period: str, *, form: str = "FORM 10-K", company: str = "NORTHWIND CO., INC .") -> Sheet:
    sheet = Sheet()
    sheet.text(230, 60, "UNITED STATES", size=12)
    sheet.text(180, 76, "SECURITIES AND EXCHANGE COMMISSION", size=12)
    sheet.text(260, 110, form, size=16)
    sheet.text(60, 140, "ANNUAL REPORT PURSUANT TO SECTION 13 OF THE ACT OF 1934")
    sheet.text(200, 170, period)
    sheet.text(200, 240, company, size=14)
    sheet.text(180, 256, "(Exact name of registrant as specified in its charter)", size=8)
    sheet.lines(60, 320, PROSE)
    sheet.new_page()
    sheet.lines(60, 80, PROSE)
    return sheet


@pytest.mark.parametrize(
    ("period", "title", "date"),
    [
        (
            "For the fiscal year ended December 31, 2018",
            "NORTHWIND CO., INC. 10-K 2018",
            "2018-12-31",
        ),
        ("FOR THE FISCAL YEAR ENDED MAY 31, 2019", "NORTHWIND CO., INC. 10-K 2019", "2019-05-31"),
    ],
)
def test_a_report_is_named_by_company_form_and_fiscal_year(
    period: str, title: str, date: str, tmp_path: Path
) -> None:
    document = read(_cover(period), tmp_path).document

    assert document.title == title
    assert document.vendor == "NORTHWIND CO., INC."
    assert document.date == date
    assert document.part_numbers == ()


def test_a_report_of_a_quarter_is_named_by_its_last_day(tmp_path: Path) -> None:
    sheet = _cover("For the quarterly period ended March 31, 2022", form="Form 10-Q")

    assert read(sheet, tmp_path).document.title == "NORTHWIND CO., INC. 10-Q March 31, 2022"


@pytest.mark.parametrize("above", ["Commission File No. 001-02217", "Form for 1934 to 2018"])
def test_a_report_whose_cover_draws_the_name_is_named_by_who_speaks_in_it(
    above: str, tmp_path: Path
) -> None:
    sheet = _cover("For the fiscal year ended December 31, 2018", company=above)
    sheet.text(60, 200, "Copyright 2018 Southwind Company. All rights reserved.")
    sheet.text(60, 220, "Southwind Company and its subsidiaries make pumps.")
    document = read(sheet, tmp_path).document

    assert document.vendor.startswith("Southwind")
    assert document.title == f"{document.vendor} 10-K 2018"


def test_the_day_of_a_period_may_stand_behind_other_words(tmp_path: Path) -> None:
    sheet = _cover("For the quarterly period ended Commission file March 31, 2022 number 1-5805")

    assert read(sheet, tmp_path).document.title == "NORTHWIND CO., INC. 10-K March 31, 2022"


def test_a_page_that_names_a_form_without_a_period_is_no_cover(tmp_path: Path) -> None:
    document = read(_cover("How to fill in this form"), tmp_path).document

    assert document.date == ""
    assert "10-K 20" not in document.title
