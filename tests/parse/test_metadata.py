from pathlib import Path

import pytest

from desktop_qa.parse.metadata import expand_parts, find_revision, find_vendor
from tests.parse.sheet import PROSE, Sheet, read


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("OPA197, OPA2197, OPA4197", ["OPA197", "OPA2197", "OPA4197"]),
        ("ADS1113/4/5 converters", ["ADS1113", "ADS1114", "ADS1115"]),
        ("MCP6001/1R/1U/2/4", ["MCP6001", "MCP6001R", "MCP6001U", "MCP6002", "MCP6004"]),
        ("25AA640/25LC640", ["25AA640", "25LC640"]),
        ("nRF24L01+ Single Chip", ["nRF24L01+"]),
        ("in SOT-23 and I2C, RS-485, SBOS737C, 16-BIT, JESD22", []),
    ],
)
def test_part_numbers_are_found_and_families_expanded(text: str, parts: list[str]) -> None:
    assert expand_parts(text) == parts


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
        ("no such thing", ""),
    ],
)
def test_the_revision_is_read_as_written(text: str, revision: str) -> None:
    assert find_revision([text]) == revision


def test_the_vendor_is_the_known_maker_that_the_pages_name() -> None:
    pages = ["Copyright © 2018, Texas Instruments Incorporated", "www.ti.com compares to Microchip"]

    assert find_vendor(pages) == "Texas Instruments"


def test_an_unknown_vendor_is_the_holder_of_the_copyright() -> None:
    assert find_vendor(["© 2024 Northwind Semiconductor Inc. All rights reserved."]) == (
        "Northwind Semiconductor"
    )


def _first_page(title: str, header: str = "", metadata_title: str = "") -> Sheet:
    sheet = Sheet()
    sheet.text(400, 60, header or " ", size=11, bold=True)
    sheet.text(60, 120, title, size=20, bold=True)
    sheet.lines(60, 160, PROSE)
    if metadata_title:
        sheet.page.parent.set_metadata({"title": metadata_title})
    return sheet


def test_the_title_is_the_largest_type_of_the_first_page(tmp_path: Path) -> None:
    sheet = _first_page("XR4401 Precision Reference", metadata_title="Microsoft Word - draft7.doc")

    document = read(sheet, tmp_path).document

    assert document.title == "XR4401 Precision Reference"
    assert document.part_numbers == ("XR4401",)


def test_a_title_without_the_part_number_is_led_by_it(tmp_path: Path) -> None:
    document = read(_first_page("Precision Voltage Reference", "XR4401, XR4402"), tmp_path).document

    assert document.title == "XR4401/XR4402 Precision Voltage Reference"
    assert document.part_numbers == ("XR4401", "XR4402")


def test_the_title_of_the_pdf_is_believed_when_its_words_stand_on_the_first_page(
    tmp_path: Path,
) -> None:
    sheet = _first_page("Data Sheet", metadata_title="Output Constant Regulator")
    sheet.text(60, 300, "Output Constant Regulator")

    assert read(sheet, tmp_path).document.title == "Output Constant Regulator"
