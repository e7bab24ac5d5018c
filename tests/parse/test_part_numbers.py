import pytest

from desktop_qa.parse.part_numbers import expand_parts
from tests.parse.sheet import PROSE, Sheet, read


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("OPA197, OPA2197, OPA4197", ["OPA197", "OPA2197", "OPA4197"]),
        ("ADS1113/4/5 converters", ["ADS1113", "ADS1114", "ADS1115"]),
        ("MCP6001/1R/1U/2/4", ["MCP6001", "MCP6001R", "MCP6001U", "MCP6002", "MCP6004"]),
        ("25AA640/25LC640", ["25AA640", "25LC640"]),
        ("nRF24L01+ Single Chip", ["nRF24L01+"]),
        ("SN54/74LS14", ["SN54LS14", "SN74LS14"]),
        ("M54/M74HC245/640", ["M54HC245", "M74HC245", "M54HC640", "M74HC640"]),
        ("TL081C,AC", ["TL081C", "TL081AC"]),
        ("LM124A/883", ["LM124A"]),
        ("74HC/HCT10", ["74HC10", "74HCT10"]),
        ("NE/SA/SE555", ["NE555", "SA555", "SE555"]),
        ("IRLR/U2905", ["IRLR2905", "IRLU2905"]),
        ("PIC12F508/509/16F505", ["PIC12F508", "PIC12F509", "PIC16F505"]),
        ("AT89C51RB2/RC2", ["AT89C51RB2", "AT89C51RC2"]),
        ("BD677/A/679/A/681", ["BD677", "BD677A", "BD679", "BD679A", "BD681"]),
        ("TIP29, A, B, C (NPN), C5", ["TIP29", "TIP29A", "TIP29B", "TIP29C"]),
        ("HDSP-3530/-3730/-5530", ["HDSP-3530", "HDSP-3730", "HDSP-5530"]),
        ("BCD-to-7 segment, 8-line-wide", []),
        ("2N2222/2N2222A", ["2N2222", "2N2222A"]),
        ("LM136-2.5/LM336-2.5", ["LM136-2.5", "LM336-2.5"]),
        ("LM124-LM224-LM324", ["LM124", "LM224", "LM324"]),
        ("1N4001-1N4007", ["1N4001", "1N4007"]),
        ("DS1307 real-time clock", ["DS1307"]),
        ("TSOP17..", ["TSOP17xx"]),
        ("EXZ1 / UXZ1N / IXZ1A", ["EXZ1", "UXZ1N", "IXZ1A"]),
        ("in SOT-23 and I2C, RS-485, 16-BIT, JESD22, 128x64", []),
        ("guidance for FY24, Q2FY24 and 3Q23", []),
    ],
)
def test_part_numbers_are_found_and_families_expanded(text, parts):
    assert expand_parts(text) == parts


def _sheet(head: str, *lines: str) -> Sheet:
    sheet = Sheet()
    sheet.text(60, 80, head, size=20, bold=True)
    sheet.text(60, 110, "Plastic Power Rectifier", size=16, bold=True)
    sheet.lines(60, 160, [*PROSE, *lines])
    return sheet


def _parts(sheet: Sheet) -> tuple[str, ...]:
    return read(sheet).document.part_numbers


def test_a_range_comprises_what_the_pages_print_of_it():
    sheet = _sheet("XN4001 thru XN4007", "XN4001 50 V, XN4002 100 V, XN4004 400 V, XN4007 1000 V")

    assert _parts(sheet) == ("XN4001", "XN4002", "XN4004", "XN4007")


def test_a_range_of_one_digit_is_whole_where_the_pages_print_its_last_digits():
    sheet = _sheet("XN4001 thru XN4004", "Type 4001 4002 4003 4004", "The XN4001 and the XN4004.")

    assert _parts(sheet) == ("XN4001", "XN4002", "XN4003", "XN4004")


def test_a_range_comprises_decimals_that_a_table_prints_apart_from_their_stem():
    sheet = _sheet("GXL005 thru GXL10", "The GXL005 and the GXL10 are bridges.")
    for row, text in enumerate(("GXL", "005", "01", "06", "10")):
        for column in range(3):
            sheet.text(60 + 150 * column, 500 + 20 * row, text)

    assert _parts(sheet) == ("GXL005", "GXL01", "GXL06", "GXL10")


def test_a_range_is_read_from_any_page_of_the_front():
    sheet = _sheet("XF4001", *["The XF4001 and the XF4003 are fast: XF4001, XF4001."] * 2)
    sheet.text(60, 130, "XF4003", size=20, bold=True)
    sheet.new_page()
    sheet.lines(60, 160, [*PROSE, "Characteristics of XF4001 thru XF4003", "XF4002 100 V"])

    assert _parts(sheet) == ("XF4001", "XF4002", "XF4003")


def test_what_a_sentence_beside_the_head_compares_with_is_no_part():
    sheet = _sheet("XLM555", "The XLM555 is stable; the XLM555 replaces the YE555 and the YE555.")
    sheet.text(60, 140, "Direct replacement for YE555", size=10)
    sheet.text(300, 140, "The XLM555 times", size=10)

    assert _parts(sheet) == ("XLM555",)


def test_two_codes_that_the_text_repeats_make_no_series(sheet):
    sheet.text(60, 80, "A Module for Memory Cards", size=20, bold=True)
    sheet.lines(60, 160, PROSE)
    for _page in range(3):
        sheet.new_page()
        sheet.lines(60, 160, [*["FAT16 or FAT32 is chosen"] * 3, "FAT12 is not", *PROSE])

    assert _parts(sheet) == ()


def test_a_heading_about_application_notes_makes_no_note():
    sheet = _sheet("XR2183", "The XR2183 drives a bridge; the XR2183 is fast.")
    sheet.text(60, 700, "Application Notes and tips are on our site")

    assert _parts(sheet) == ("XR2183",)


def test_a_code_of_the_cover_that_other_pages_repeat_is_the_part_where_none_stands_out(sheet):
    sheet.lines(60, 80, ["EN - For pricing please visit one of the below links:", "XCLF056YD"])
    for part in ("", "XCLF056YD", "XCLF056YD", "XCLF056YD"):
        sheet.new_page()
        sheet.lines(60, 160, [*PROSE, part] if part else PROSE)

    assert _parts(sheet) == ("XCLF056YD",)


def test_what_a_part_begins_or_ends_with_is_no_part_beside_it():
    sheet = _sheet("XM54HC245", "The XM54HC245 is a bus driver; HC245 inverts, XM54 is fast.")
    sheet.text(60, 60, "HC245 XM54", size=18)

    assert _parts(sheet) == ("XM54HC245",)


def test_a_cover_calls_its_part_the_model_and_numbers_the_document(sheet):
    sheet.text(60, 60, "No. XTS-Z0326", size=12)
    sheet.text(60, 80, "SPECIFICATIONS FOR A BLUE DIODE", size=12)
    sheet.text(60, 110, "MODEL : XDB7775-07", size=12)
    sheet.new_page()
    sheet.text(60, 60, "No. XTS-Z0326", size=12)
    sheet.lines(60, 160, PROSE)

    assert _parts(sheet) == ("XDB7775-07",)


def test_a_sister_that_is_only_mentioned_is_no_part_of_the_document():
    sheet = _sheet(
        "XMA232",
        "The XMA232 drives lines. The XMA232 receives them. The XMA232 is small.",
        "Available with less capacitance as the XMA202.",
    )

    assert _parts(sheet) == ("XMA232",)


def test_the_number_that_leads_a_title_and_of_which_nothing_speaks_is_no_part(sheet):
    sheet.text(60, 80, "XVR186: Layout of oscillators", size=20, bold=True)
    sheet.lines(60, 160, PROSE)

    assert _parts(sheet) == ()


def _named(head: str, *lines: str) -> tuple[str, ...]:
    sheet = Sheet()
    sheet.text(60, 80, head, size=20, bold=True)
    for _page in range(3):
        sheet.lines(60, 160, [*PROSE, *lines])
        sheet.new_page()
    sheet.lines(60, 160, PROSE)
    return _parts(sheet)


def test_a_series_without_a_usual_code_is_a_part_where_the_text_names_its_members():
    assert _named("Power Supplies TXQ Series", "TXQ 015-12S 1.3 A") == ("TXQ",)
    assert _named("QF/QFM Series", "QF 14 1 W", "QFM 12 1 W") == ("QF", "QFM")


def test_an_acronym_of_the_title_is_no_part():
    assert _named("A new FPGA Family", "The FPGA of this family is fast") == ()


def test_a_name_of_the_title_that_most_pages_repeat_is_a_part():
    assert _named("XFROM-II ROM Module", "The XFROM-II is small") == ("XFROM-II",)
    assert _named("XFROM-II ROM Module", "The module is small") == ()


def test_what_a_stamp_beside_the_head_recommends_instead_is_no_part():
    sheet = _sheet("XCA3046", *["The XCA3046 is an array of the XCA3046 family."] * 3)
    sheet.text(300, 80, "YFA3046", size=12, bold=True)

    assert _parts(sheet) == ("XCA3046",)


def test_a_code_of_the_foot_that_nothing_else_names_is_no_part(sheet):
    sheet.text(60, 80, "Resistors for All Types of Applications", size=20, bold=True)
    for _page in sheet.pages(range(3)):
        sheet.lines(60, 160, PROSE)
        sheet.text(60, 770, "XG2189-1903", size=7)

    assert _parts(sheet) == ()


def test_the_number_of_the_document_is_no_part():
    sheet = _sheet("DS1307", "The DS1307 keeps the time; the DS1307 needs a crystal.")
    sheet.text(60, 770, "DS41203B-page 1", size=7)
    sheet.text(400, 770, "FN3159 Rev 8.00", size=7)

    assert _parts(sheet) == ("DS1307",)


def test_a_complement_that_is_mentioned_once_is_no_part_of_the_document():
    sheet = _sheet("XSA2001", "The XSA2001 is an amplifier.", "Complementary to YTC3001")
    sheet.text(500, 40, "XSA2001", size=9)

    assert _parts(sheet) == ("XSA2001",)


def test_an_application_note_names_its_title_s_parts_and_not_its_own_number(sheet):
    sheet.text(60, 80, "XVR315: Using the two-wire module of the XMEGA16", size=16, bold=True)
    sheet.text(60, 110, "Application Note", size=14)
    sheet.lines(
        60, 160, [*PROSE, *["The XMEGA16 sends, and the bin2BCD16 of the XMEGA16 waits."] * 3]
    )

    assert _parts(sheet) == ("XMEGA16",)
