import pytest

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.vendor import PageTexts, find_vendor
from desktop_qa.parse.wordmark import Wordmark


def _vendor(*pages: str, path: str = "") -> str:
    texts = [PageTexts(tuple(page.split("\n")), tuple(page.split("\n")[-1:])) for page in pages]
    return find_vendor(texts, {}, [path])


@pytest.mark.parametrize(
    ("pages", "vendor"),
    [
        (["© 2024 Northwind Semiconductor Inc. All rights reserved."], "Northwind Semiconductor"),
        (["Copyright (c) 1997 by Northwind Devices GmbH"], "Northwind Devices"),
        (["®2001 Northwind Semiconductor Corporation NW4001, Rev. C"], "Northwind Semiconductor"),
        (["NW77 regulator", "Northwind reserves the right to make changes\nwww.northwindsemi.com"],
         "Northwind"),
        (["NW77 regulator\nwww.northwindsemi.com 1",
          "Northwind Semiconductor sales\nwww.northwindsemi.com 2"],
         "Northwind Semiconductor"),
        (["NORTHWIND SEMICONDUCTORS", *["NW77\nNorthwind Semiconductors"] * 2],
         "Northwind Semiconductors"),
        (["Northwind Electronics Co., Ltd.", "NW77\nNorthwind Electronics Co.,Ltd."],
         "Northwind Electronics"),
        (["nWind Inc. Reports\nmore on the nWind website or the SEC's website at www.sec.gov"] * 2,
         "nWind"),
        (["Aster & Aster (NYSE: AAA) today announced results", "www.aaa.com"], "Aster & Aster"),
    ],
)  # fmt: skip
def test_a_maker_that_nobody_has_listed_is_found_from_its_pages(pages, vendor):
    assert _vendor(*pages) == vendor


def test_who_is_only_compared_with_or_owns_a_trademark_is_no_vendor():
    pages = (
        "Copyright © 2018, Texas Instruments Incorporated",
        "www.ti.com compares to Microchip. SPI is a trademark of Motorola Inc.",
    )

    assert _vendor(*pages) == "Texas Instruments"


def test_the_site_that_a_copy_was_downloaded_from_is_no_vendor():
    assert _vendor("NW77 regulator\nDownloaded from www.parts-archive.com") == ""
    assert _vendor("NW77 regulator\nwww.datasheetcatalog.com") == ""


def test_a_name_is_not_common_because_its_words_are():
    pages = ["No responsibility is assumed by Analog Devices", "An analog input of devices"]
    texts = [PageTexts((page,), ("rights of Analog Devices",)) for page in pages]

    assert find_vendor(texts, {}) == "Analog Devices"


def test_what_is_said_of_the_products_is_no_part_of_the_name():
    pages = ["Northwind Pb-free products are not for medical use\nwww.northwind.com"] * 2

    assert _vendor(*pages) == "Northwind"


def test_a_site_tells_more_than_the_address_of_a_mail():
    page = "Northwind Widget Parts, Tel 1234 Home: http://www.northwind.com E-mail: w@freepost.net"

    assert _vendor(page, page) == "Northwind Widget Parts"


def test_a_series_is_no_part_of_the_name_and_initials_before_a_trade_are_the_makers():
    page = "The Northwind TXQ series\nwww.northwind.com"

    assert _vendor(page, page) == "Northwind"
    assert _vendor("Nova Widget Components\nwww.nwcsemi.com") == "Nova Widget Components"


def test_initials_in_the_address_are_their_makers():
    assert _vendor("Northwind Orion Widgets Inc. www.now.com") == "Northwind Orion Widgets"


def test_who_distributes_a_sheet_is_not_its_maker():
    page = (
        "NW77 regulator\nhttp://www.northwind.com\nDistributed by: Parts Unlimited, Inc. www.pu.com"
    )

    assert _vendor(page, page) == "Northwind"


def test_the_author_whom_the_title_of_the_file_names_as_well_is_the_maker():
    page = [PageTexts(("NW77 regulator",))]

    assert find_vendor(page, {"author": "Northwind", "title": "Northwind - NW77"}) == "Northwind"
    assert find_vendor(page, {"author": "Troy", "title": "NW77"}) == ""


def test_spellings_of_one_maker_are_one():
    assert _vendor("© 2004 Koninklijke Philips Electronics N.V.") == "Philips Semiconductors"
    assert _vendor("ON Semiconductor and its marks\nwww.onsemi.com") == "onsemi"
    assert _vendor("© 2003 Microchip Technology Inc.") == "Microchip"


def test_the_files_place_decides_only_between_names_that_the_pages_hold():
    page = "Northwind Devices Ltd. for Southgate Devices Ltd."

    assert _vendor(page, path="southgate/NW77.pdf") == "Southgate Devices"
    assert _vendor("A sheet without any name", path="Northwind/NW77.pdf") == ""


def test_a_file_named_by_maker_and_part_tells_the_maker_where_the_pages_do_not():
    page = "The NW7401 regulator of this copy is good"

    assert _vendor(page, path="Northwind_NW7401.pdf") == "Northwind"
    assert _vendor(page, path="Copy_NW7401.pdf") == ""
    assert _vendor(page, path="Northwind_SG9901.pdf") == ""


def test_a_page_that_names_nobody_has_no_vendor():
    assert _vendor("Forward current 1 A. Package Limited to 75 A.") == ""


def _logo(text: str, top: float, bottom: float) -> Wordmark:
    return Wordmark(text, BoundingBox(50, top, 50 + 8 * len(text), bottom))


def _drawn(logos: list[Wordmark], *lines: str) -> str:
    return find_vendor([PageTexts(lines)], {}, read_logos=lambda: logos)


def test_where_no_word_names_the_maker_its_logo_does():
    rows = [_logo("NORTHWIND", 40, 60), _logo("SEMICONDUCTOR", 62, 70), _logo("ROAD", 74, 80)]

    assert _drawn(rows, "NW77 regulator") == "Northwind Semiconductor"
    assert _drawn([_logo("NWT", 40, 60)], "NW77 regulator. Note 1") == "NWT"
    assert _drawn([_logo("REGULATOR", 40, 60)], "The regulator NW77") == ""


def test_a_logo_that_is_nearly_read_is_spelled_as_in_the_text():
    assert _drawn([_logo("NQRTHWIND", 40, 60)], "Compatible with Northwind parts") == "Northwind"


def test_a_logo_is_not_read_where_words_name_the_maker():
    page = PageTexts(("© 2024 Southgate Devices GmbH", "www.southgate.com"))

    assert find_vendor([page], {}, read_logos=lambda: pytest.fail("read")) == "Southgate Devices"
