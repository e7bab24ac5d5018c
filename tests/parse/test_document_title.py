from pathlib import Path

import pytest

from tests.parse.sheet import PROSE, Sheet, read


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
def test_what_runs_along_the_pages_is_the_title_and_not_a_larger_text(
    kind: str, tmp_path: Path
) -> None:
    sheet = Sheet()
    _cover(sheet, kind, "XR4401", "Triple 3-input NAND gate")
    for _page in range(4):
        _inner_page(sheet, "Triple 3-input NAND gate", "XR4401")
        sheet.text(60, 770, "© 1999 Northwind Devices Inc.", size=7)

    assert read(sheet, tmp_path).document.title == "XR4401 Triple 3-input NAND gate"


def test_a_letter_before_the_sheet_gives_no_title(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.text(60, 200, "Important notice", size=12, bold=True)
    sheet.lines(60, 240, ["Dear Customer,", "we have become a new company with another name."])
    for _page in range(4):
        _inner_page(sheet, "XR4401", "Quad low-noise amplifier")
        sheet.lines(60, 400, ["The XR4401 is a quad low-noise amplifier for audio."])

    assert read(sheet, tmp_path).document.title == "XR4401 Quad low-noise amplifier"


def test_the_heading_of_a_section_is_no_title(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.text(60, 80, "Features", size=14, bold=True)
    sheet.lines(60, 100, [f"- Item {number} of the list" for number in range(6)])
    sheet.text(420, 180, "8-bit Microcontroller", size=18, bold=True)
    sheet.text(420, 204, "with Flash", size=18, bold=True)
    sheet.text(420, 240, "XR4401", size=18, bold=True)
    sheet.text(60, 300, "Description", size=14, bold=True)
    sheet.lines(60, 320, ["The XR4401 is an 8-bit microcontroller with memory.", *PROSE])

    assert read(sheet, tmp_path).document.title.startswith(
        ("XR4401 8-bit Microcontroller with Flash", "8-bit Microcontroller with Flash XR4401")
    )


def test_columns_beside_each_other_are_two_texts(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.text(500, 40, "XR4401", size=16, bold=True)
    sheet.text(48, 122, "5.6A, 100V, N-Channel Power", size=12, bold=True)
    sheet.text(48, 136, "MOSFET", size=12, bold=True)
    sheet.text(323, 122, "Features", size=12, bold=True)
    sheet.lines(323, 150, ["- 5.6A, 100V", "- Fast switching"])
    sheet.lines(48, 200, ["The XR4401 is an N-channel power MOSFET.", *PROSE])

    assert read(sheet, tmp_path).document.title == "XR4401 5.6A, 100V, N-Channel Power MOSFET"
