"""Title, vendor, parts, revision and date are what the pages say."""

from __future__ import annotations

import pytest

from desktop_qa.parse.dates import find_date, parse_date
from desktop_qa.parse.metadata import find_revision
from desktop_qa.parse.vendor import PageTexts
from tests.parse.sheet import PROSE, Sheet, read


@pytest.mark.parametrize(
    ("text", "revision"),
    [
        (
            "OPA197 SBOS737C – JANUARY 2016 – REVISED MARCH 2018 www.ti.com",
            "SBOS737C – JANUARY 2016 – REVISED MARCH 2018",
        ),
        ("Data Sheet Rev. D AD8418A", "Rev. D"),
        ("Product data sheet Rev. 11 — 26 October 2015", "Rev. 11 — 26 October 2015"),
        ("DS21733J-page 1", "DS21733J"),
        ("REV. E Information furnished by the maker is believed to be accurate", "REV. E"),
        (
            "Revision History 12/2018—Rev. C to Rev. D Changes to Table 1 ... Rev. D | Page 2",
            "Rev. D",
        ),
        ("no such thing", ""),
    ],
)
def test_the_revision_is_read_as_written(text, revision):
    assert find_revision([text]) == revision


def _first_page(title: str, header: str = "", metadata_title: str = "") -> Sheet:
    sheet = Sheet()
    sheet.text(400, 60, header or " ", size=11, bold=True)
    sheet.text(60, 120, title, size=20, bold=True)
    sheet.lines(60, 160, PROSE)
    if metadata_title:
        sheet.page.parent.set_metadata({"title": metadata_title})
    return sheet


def test_the_title_is_the_largest_type_of_the_first_page():
    sheet = _first_page("XR4401 Precision Reference", metadata_title="Microsoft Word - draft7.doc")

    document = read(sheet).document

    assert document.title == "XR4401 Precision Reference"
    assert document.part_numbers == ("XR4401",)


def test_a_title_without_the_part_number_is_led_by_it():
    document = read(_first_page("Precision Voltage Reference", "XR4401, XR4402")).document

    assert document.title == "XR4401/XR4402 Precision Voltage Reference"
    assert document.part_numbers == ("XR4401", "XR4402")


def test_the_title_of_the_pdf_is_believed_when_its_words_stand_on_the_first_page():
    sheet = _first_page("Data Sheet", metadata_title="Output Constant Regulator")
    sheet.text(60, 300, "Output Constant Regulator")

    assert read(sheet).document.title == "Output Constant Regulator"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("MARCH 2018", "2018-03"),
        ("30 March 2018", "2018-03-30"),
        ("Sept. 4, 2019", "2019-09-04"),
        ("16-Sep-2018", "2018-09-16"),
        ("1997 May 29", "1997-05-29"),
        ("24-Jul-13", "2013-07-24"),
        ("MAR/20/2013", "2013-03-20"),
        ("2022-01", "2022-01"),
        ("2018.01", "2018-01"),
        ("2021-05-28", "2021-05-28"),
        ("1999. 12. 16", "1999-12-16"),
        ("09/27/01", "2001-09-27"),
        ("17/05/2014", "2014-05-17"),
        ("05/17/2014", "2014-05-17"),
        ("03/05/2014", ""),
        ("2014-13-01", ""),
    ],
)
def test_dates_are_read_in_every_order_that_is_clear(text, date):
    assert parse_date(text) == date


def test_a_copyright_whose_sign_another_font_draws_tells_the_year():
    assert find_date([], "", "", [PageTexts(("® Northwind, Inc. 1997",))]) == "1997"


def test_the_month_of_the_file_tells_day_from_month():
    assert parse_date("03/05/2014", "D:20140310170022-07'00'") == "2014-03-05"
    assert parse_date("03/05/2014", "D:20140522170022-07'00'") == "2014-05-03"


@pytest.mark.parametrize(
    ("pages", "revision", "date"),
    [
        (["SBXS737C – JANUARY 2016 – REVISED MARCH 2018"],
         "SBXS737C – JANUARY 2016 – REVISED MARCH 2018", "2018-03"),
        (["Product data sheet Rev. 11 — 26 October 2015"], "Rev. 11 — 26 October 2015",
         "2015-10-26"),
        (["Rev. D", "12/2018—Rev. C to Rev. D Changes 5/2018—Rev. B to Rev. C Changes"],
         "Rev. D", "2018-12"),
        (["REV. E", "10/03—Data Sheet changed from REV. D to REV. E 6/03—Data Sheet changed"],
         "REV. E", "2003-10"),
        (["DS99801D-page 1", "Revision E (May 2009) Revision D (April 2005) Revision C (May 2004)"],
         "DS99801D", "2005-04"),
        (["Version 1.0", "2022-01 v1.0 Added chapters 2021-10-12 v0.6.1 Updated 2021-09-30 v0.6"],
         "Version 1.0", "2022-01"),
        (["Document revision 1.23 Document release date January 2022"], "Revision_1.23", "2022-01"),
        (["October 2008 Rev 4 1/42"], "Rev 4", "2008-10"),
        (["May 2017 DocID024204 Rev 6 1/33"], "Rev 6", "2017-05"),
        (["© 2003 Maker Inc. DS99223F-page 1", "quality system certified in July 1999"],
         "DS99223F", ""),
    ],
)  # fmt: skip
def test_the_date_is_that_of_the_documents_own_revision(pages, revision, date):
    assert find_date(pages, revision) == date


@pytest.mark.parametrize(
    ("running", "date"),
    [
        ("1999 Apr 12", "1999-04-12"),
        ("XR4401 Rev. A1, June 2001", "2001-06"),
        ("19-0065; Rev 6; 10/03", "2003-10"),
        ("4180E–8051–10/06", "2006-10"),
        ("August, 2014 − Rev. 8", "2014-08"),
        ("Supersedes data of 26 March 1997", ""),
        ("Page 3/10", ""),
        ("© 2003 Northwind Inc.", "2003"),
    ],
)
def test_a_date_that_runs_along_the_pages_is_the_documents(running, date):
    pages = [PageTexts((running, "Dimensions per ASME Y14.5M"), (running,))] * 3

    assert find_date([" ".join(page.lines) for page in pages], "", "", pages) == date


def test_the_revision_of_a_sheet_is_younger_than_its_first_edition():
    page = PageTexts(("October 1988", "Revised March 2000", "DM4401"), ())

    assert find_date(["October 1988 Revised March 2000"], "", "", [page]) == "2000-03"


def test_a_document_carries_its_date():
    sheet = _first_page("XR4401 Precision Reference")
    sheet.text(60, 740, "SBXS737C – JANUARY 2016 – REVISED MARCH 2018", size=7)
    sheet.text(60, 750, "Revision C (March 2018)", size=7)

    assert read(sheet).document.date == "2018-03"


def test_a_family_keeps_the_short_name_of_its_page():
    sheet = _first_page("Low-Power Operational Amplifier")
    sheet.text(300, 90, "XRP6001/1R/2/4", size=30, bold=True)
    sheet.lines(60, 400, ["The XRP6001, XRP6001R, XRP6002 and XRP6004 are alike."])

    document = read(sheet).document

    assert document.title == "XRP6001/1R/2/4 Low-Power Operational Amplifier"
    assert document.part_numbers == ("XRP6001", "XRP6001R", "XRP6002", "XRP6004")


def test_a_slogan_gives_way_to_what_the_page_says_the_part_is(sheet):
    sheet.text(60, 80, "XRD4x", size=18, bold=True)
    sheet.text(60, 100, "Breaking the size barrier in pressure sensing", size=16, bold=True)
    sheet.lines(
        60,
        160,
        [
            "XRD40: base accuracy. XRD41: improved accuracy in a wider range.",
            "The XRD4x is the second generation series of pressure sensors. The XRD4x",
            "follows the XRD3 and the XRD40 is its first member, the XRD41 its second.",
        ],
    )

    document = read(sheet).document

    assert document.title == "XRD4x second generation series of pressure sensors"
    assert document.part_numbers == ("XRD4x", "XRD40", "XRD41")


def test_the_revision_that_is_set_like_the_title_is_no_part_of_it(sheet):
    sheet.text(200, 300, "XR-6500", size=26, bold=True)
    sheet.text(180, 336, "Product Specification", size=26, bold=True)
    sheet.text(220, 372, "Revision 1.1", size=26, bold=True)

    document = read(sheet).document

    assert document.title == "XR-6500 Product Specification"
    assert document.revision == "Revision 1.1"


def _cover(sheet: Sheet, kind: str, part: str, device: str) -> None:
    sheet.text(60, 60, "INTEGRATED CIRCUITS", size=14, bold=True)
    sheet.text(60, 140, kind, size=40, bold=True)
    sheet.text(60, 540, part, size=28, bold=True)
    sheet.text(60, 572, device, size=28)


def _inner_page(sheet: Sheet, *running: str) -> None:
    sheet.new_page()
    for number, text in enumerate(running):
        sheet.text(60 + 250 * number, 40, text, size=8)
    sheet.lines(60, 100, PROSE * 3)


@pytest.mark.parametrize(
    "kind", ["DATA SHEET", "For a complete data sheet, please also download", "Northwind Devices"]
)
def test_what_runs_along_the_pages_is_the_title_and_not_a_larger_text(sheet, kind):
    _cover(sheet, kind, "XR4401", "Triple 3-input NAND gate")
    for _page in range(4):
        _inner_page(sheet, "Triple 3-input NAND gate", "XR4401")
        sheet.text(60, 770, "© 1999 Northwind Devices Inc.", size=7)

    assert read(sheet).document.title == "XR4401 Triple 3-input NAND gate"


def test_a_letter_before_the_sheet_gives_no_title(sheet):
    sheet.text(60, 200, "Important notice", size=12, bold=True)
    sheet.lines(60, 240, ["Dear Customer,", "we have become a new company with another name."])
    for _page in range(4):
        _inner_page(sheet, "XR4401", "Quad low-noise amplifier")
        sheet.lines(60, 400, ["The XR4401 is a quad low-noise amplifier for audio."])

    assert read(sheet).document.title == "XR4401 Quad low-noise amplifier"


def test_where_no_part_is_named_the_title_names_the_maker(sheet):
    sheet.text(60, 100, "FOR IMMEDIATE RELEASE", size=11)
    sheet.text(60, 130, "Northwind Reports Second Quarter Results", size=10.5, bold=True)
    sheet.lines(60, 160, ["Northwind Inc. reserves the right to restate.", *PROSE])
    document = read(sheet).document
    assert (document.title, document.vendor) == (
        "Northwind Reports Second Quarter Results",
        "Northwind",
    )


def test_the_heading_of_a_section_is_no_title(sheet):
    sheet.text(60, 80, "Features", size=14, bold=True)
    sheet.lines(60, 100, [f"- Item {number} of the list" for number in range(6)])
    sheet.text(420, 180, "8-bit Microcontroller", size=18, bold=True)
    sheet.text(420, 204, "with Flash", size=18, bold=True)
    sheet.text(420, 240, "XR4401", size=18, bold=True)
    sheet.text(60, 300, "Description", size=14, bold=True)
    sheet.lines(60, 320, ["The XR4401 is an 8-bit microcontroller with memory.", *PROSE])

    assert read(sheet).document.title.startswith(
        ("XR4401 8-bit Microcontroller with Flash", "8-bit Microcontroller with Flash XR4401")
    )


def test_columns_beside_each_other_are_two_texts(sheet):
    sheet.text(500, 40, "XR4401", size=16, bold=True)
    sheet.text(48, 122, "5.6A, 100V, N-Channel Power", size=12, bold=True)
    sheet.text(48, 136, "MOSFET", size=12, bold=True)
    sheet.text(323, 122, "Features", size=12, bold=True)
    sheet.lines(323, 150, ["- 5.6A, 100V", "- Fast switching"])
    sheet.lines(48, 200, ["The XR4401 is an N-channel power MOSFET.", *PROSE])

    assert read(sheet).document.title == "XR4401 5.6A, 100V, N-Channel Power MOSFET"


def _report_cover(
    period: str, *, form: str = "FORM 10-K", company: str = "NORTHWIND CO., INC .", text: str = ""
) -> Sheet:
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
    sheet.lines(60, 80, [*PROSE, text])
    return sheet


@pytest.mark.parametrize(
    ("period", "form", "title", "date"),
    [
        ("For the fiscal year ended December 31, 2018", "FORM 10-K", "10-K 2018", "2018-12-31"),
        ("FOR THE FISCAL YEAR ENDED MAY 31, 2019", "FORM 10-K", "10-K 2019", "2019-05-31"),
        ("For the quarterly period ended March 31, 2022", "Form 10-Q", "10-Q March 31, 2022",
         "2022-03-31"),
        # Other words may stand between the period and its day.
        ("For the quarterly period ended Commission file March 31, 2022 number 1-5805", "FORM 10-K",
         "10-K March 31, 2022", "2022-03-31"),
        ("Date of Report (Date of earliest event reported): May 3, 2023", "FORM 8-K",
         "8-K May 3, 2023", "2023-05-03"),
        ("May 3, 2023 Date of Report (date of earliest event reported)", "FORM 8-K",
         "8-K May 3, 2023", "2023-05-03"),
    ],
)  # fmt: skip
def test_a_report_is_named_by_company_form_and_the_year_or_day_of_its_period(
    period, form, title, date
):
    document = read(_report_cover(period, form=form)).document
    assert document.title == f"NORTHWIND CO., INC. {title}"
    assert document.vendor == "NORTHWIND CO., INC."
    assert document.date == date
    assert document.part_numbers == ()


def test_a_company_is_called_as_its_text_spells_it():
    period = "For the fiscal year ended December 31, 2018"
    sheet = _report_cover(
        period, company="N ORTHWIND I NTERNATIONAL", text="Northwind International."
    )

    assert read(sheet).document.vendor == "Northwind International"


def test_a_company_without_a_caption_is_the_one_that_most_pages_name(sheet):
    sheet.text(60, 40, "FORM 10-K", bold=True)
    sheet.new_page()
    sheet.lines(60, 60, ["FORM 10-K", "For the fiscal year ended December 31, 2018"])
    sheet.text(200, 140, "4U COMPANY", size=14)
    sheet.text(60, 180, "Common Stock")
    sheet.text(300, 180, "Western Stock Exchange, Inc.")
    sheet.text(60, 220, "DOCUMENTS INCORPORATED BY REFERENCE")
    sheet.new_page()
    sheet.lines(60, 80, [*PROSE, "4U Company sells in two regions."])

    assert read(sheet).document.title == "4U Company 10-K 2018"


@pytest.mark.parametrize("above", ["Commission File No. 001-02217", "Form for 1934 to 2018"])
def test_a_report_whose_cover_draws_the_name_is_named_by_who_speaks_in_it(above):
    sheet = _report_cover("For the fiscal year ended December 31, 2018", company=above)
    sheet.text(60, 200, "Copyright 2018 Southwind Company. All rights reserved.")
    sheet.text(60, 220, "Southwind Company and its subsidiaries make pumps.")
    document = read(sheet).document

    assert document.vendor.startswith("Southwind")
    assert document.title == f"{document.vendor} 10-K 2018"


def test_a_page_that_names_a_form_without_a_period_is_no_cover():
    document = read(_report_cover("How to fill in this form")).document

    assert document.date == ""
    assert "10-K 20" not in document.title
