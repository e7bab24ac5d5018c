"""The hard pages of the docs are read with the structure that a person sees on them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from desktop_qa.core.document import (
    Block,
    BlockKind,
    DocumentId,
    Figure,
    ParseResult,
    Table,
    TableCell,
)
from desktop_qa.parse.document import read_document

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
OHM = "\u2126"
"""The sign of its own that symbol fonts have, no Greek letter."""

FURNITURE = (BlockKind.PAGE_HEADER, BlockKind.PAGE_FOOTER)


@dataclass(frozen=True)
class Reading:
    """What was read of a document, and what was written on its pages."""

    result: ParseResult
    written: list[list[str]]

    def blocks(self, page_no: int, *kinds: BlockKind) -> list[Block]:
        return [
            block
            for block in self.result.document.blocks
            if any(place.page_no == page_no for place in block.provenances)
            and (block.kind in kinds if kinds else block.kind not in FURNITURE)
        ]

    def texts(self, page_no: int, *kinds: BlockKind) -> list[str]:
        return [block.text for block in self.blocks(page_no, *kinds)]

    def headings(self, page_no: int) -> list[tuple[int, str]]:
        blocks = self.blocks(page_no, BlockKind.SECTION_HEADER)
        return [(block.level, block.text) for block in blocks]

    def tables(self, page_no: int) -> list[Table]:
        indices = [block.element_index for block in self.blocks(page_no, BlockKind.TABLE)]
        return [self.result.document.tables[index] for index in indices if index is not None]

    def figures(self, page_no: int) -> list[Figure]:
        indices = [block.element_index for block in self.blocks(page_no, BlockKind.PICTURE)]
        return [self.result.document.figures[index] for index in indices if index is not None]

    def letters_written(self, page_no: int) -> Counter[str]:
        return _letters("".join(self.written[page_no - 1]))

    def letters_kept(self, page_no: int) -> Counter[str]:
        (page,) = (p for p in self.result.page_words if p.page_no == page_no)
        return _letters("".join(word.text for word in page.words))


def _letters(text: str) -> Counter[str]:
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "–")
    return Counter("".join(plain.split()))


def _rows(table: Table) -> list[list[str]]:
    return [[cell.text if cell else "" for cell in row] for row in table.grid()]


def _cell(table: Table, text: str) -> TableCell:
    (cell,) = (cell for cell in table.cells if cell.text == text)
    return cell


@pytest.fixture(scope="module")
def readings(tmp_path_factory) -> Iterator[dict[str, Reading]]:
    """The three documents, drawn and read."""
    folder = tmp_path_factory.mktemp("hard_pages")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PACKAGING)
        from hard_pages.pages import DOCUMENTS

        found = {}
        for name, draw in DOCUMENTS.items():
            path = folder / f"{name}.pdf"
            written = draw(path)
            result = read_document(
                path, DocumentId("0" * 16), (path.name,), None, lambda _page_no, _n_pages: None
            )
            found[name] = Reading(result, written)
        yield found


@pytest.fixture
def converter(readings) -> Reading:
    return readings["converter"]


@pytest.fixture
def sensor(readings) -> Reading:
    return readings["sensor"]


@pytest.fixture
def manual(readings) -> Reading:
    return readings["manual"]


@pytest.mark.parametrize(
    ("name", "page_no"),
    [
        *(("converter", n) for n in (1, 2, 3, 4)),
        *(("sensor", n) for n in (1, 2, 3, 4)),
        ("manual", 1),
    ],
)
def test_each_word_is_kept_once(readings, name, page_no):
    assert readings[name].letters_kept(page_no) == readings[name].letters_written(page_no)


@pytest.mark.parametrize("name", ["converter", "sensor", "manual"])
def test_running_lines_are_no_text(readings, name):
    reading = readings[name]
    running = {
        "converter": ("www.nordlys", "NLDS118C", "Copyright"),
        "sensor": ("Data sheet", "FST-DS-0581", "Page 1", "Page 2"),
        "manual": ("User's Manual", "Chapter 6. "),
    }[name]
    for page_no in range(1, len(reading.written) + 1):
        assert reading.blocks(page_no, BlockKind.PAGE_HEADER)
        assert reading.blocks(page_no, BlockKind.PAGE_FOOTER)
    assert not [text for text in running if text in reading.result.document.markdown]


def test_rows_of_a_table_without_rules_stand_under_their_parents(converter):
    limits, discharge = converter.tables(1)
    assert converter.headings(1) == [
        (1, "5 Specifications"),
        (2, "5.1 Absolute Maximum Ratings"),
        (2, "5.2 ESD Ratings"),
    ]
    rows = _rows(limits)
    assert rows[0] == ["PARAMETER", "MIN", "MAX", "UNIT"]
    assert limits.n_header_rows == 1
    assert rows[1] == ["Supply voltage, AVDD to AGND", "–0.3", "6.5", "V"]
    current = "Input current, any pin except supply"
    assert rows[6] == [current, "", "", ""]
    assert rows[7] == ["Momentary", "–100", "100", "mA"]
    for value, name in (("100", "Momentary"), ("10", "Continuous")):
        assert limits.texts(_cell(limits, value).row_path) == (current, name)
    assert limits.texts(_cell(limits, "Junction, TJ").row_path)[0] == "Temperature"
    assert [note[:12] for note in limits.notes] == ["(1) Stresses", "(2) Inputs a"]
    assert limits.notes[0].endswith("which may shorten the life of the device.")
    assert _rows(discharge)[0] == ["SYMBOL", "PARAMETER", "MODEL", "VALUE", "UNIT"]
    assert discharge.texts(_cell(discharge, "±500").row_path) == (
        "VESD", "Electrostatic discharge", "Charged-device model (CDM)(4)",
    )  # fmt: skip
    assert len(discharge.notes) == 2


def test_characteristics_over_two_pages_are_one_table(converter):
    (table,) = converter.tables(2)
    assert converter.tables(3) == [table]
    assert converter.headings(2) == [(2, "5.5 Electrical Characteristics")]
    assert converter.headings(3) == [(2, "5.6 Quality of the Supply")]
    assert {place.page_no for place in table.provenances} == {2, 3}
    rows = _rows(table)
    assert table.n_header_rows == 2
    assert rows[0][2:] == ["TEST CONDITIONS", *["NL4210"] * 3, *["NL4210-Q1"] * 3, "UNIT"]
    assert rows[1][3:9] == ["MIN", "TYP", "MAX"] * 2
    assert rows[1][0] == "PARAMETER"
    assert sum(row[3] == "MIN" for row in rows) == 1
    assert [note[:3] for note in table.notes] == ["(1)", "(2)", "(3)"]


def test_cells_that_stand_once_hold_for_all_their_rows(converter):
    (table,) = converter.tables(2)
    rows = _rows(table)
    drift = [row for row in rows if row[0] == "dVOS/dT"]
    assert drift == [
        ["dVOS/dT", "Offset drift", "Gain = 1 to 8", "", "5", "30", "", "5", "50", "nV/°C"],
        ["dVOS/dT", "Offset drift", "Gain = 16 to 128", "", "1", "10", "", "1", "15", "nV/°C"],
    ]
    (wrapped,) = (row for row in rows if row[2].startswith("After calibration"))
    assert wrapped[1:5] == [
        "Offset voltage",
        "After calibration, on the order of noise(1)",
        "",
        "±0.1",
    ]
    groups = [row[0] for row in rows if row[0] and set(row) == {row[0]} and row[0] != "PARAMETER"]
    assert groups == [
        "ANALOG INPUTS",
        "SYSTEM PERFORMANCE",
        "VOLTAGE REFERENCE INPUTS",
        "INTERNAL REFERENCE",
        "INTERNAL OSCILLATOR",
        "POWER SUPPLY",
        "TEMPERATURE SENSOR",
    ]


def test_column_that_is_empty_on_its_page_is_kept(converter):
    (table,) = converter.tables(3)
    (row,) = (row for row in _rows(table) if row[2] == "Power-down mode" and row[9] == "mA")
    assert row[3:9] == ["", "0.002", "0.008", "", "0.002", "0.03"]
    assert _cell(table, "Sensor voltage").provenances[0].page_no == 3


def test_conditions_of_a_continued_table_stand_once(converter):
    conditions = [text for page_no in (2, 3) for text in converter.texts(page_no, BlockKind.TEXT)]
    assert [text[:10] for text in conditions if text.startswith("at TA")] == ["at TA = 25"]
    assert all(text.count("unless otherwise noted") <= 1 for text in conditions)


def test_each_plot_of_a_grid_has_its_own_caption(converter):
    assert [(figure.label, figure.caption) for figure in converter.figures(4)] == [
        ("Figure 5-1", "Figure 5-1. Offset Voltage vs Temperature"),
        ("Figure 5-2", "Figure 5-2. Gain Error vs Temperature"),
        ("Figure 5-3", "Figure 5-3. INL vs Input Voltage"),
        ("Figure 5-4", "Figure 5-4. Noise Distribution"),
        ("Figure 5-5", "Figure 5-5. Supply Current vs Temperature"),
        ("Figure 5-6", "Figure 5-6. Reference Drift, 30 Units"),
    ]
    assert not converter.tables(4)
    assert "PGA enabled" in converter.figures(4)[4].words
    assert [figure.words.split().count("85") for figure in converter.figures(4)] == [
        1,
        1,
        0,
        0,
        1,
        1,
    ]


def test_captions_above_belong_to_the_drawings_below(sensor):
    block_diagram, timing = sensor.figures(1)
    assert block_diagram.caption == "Figure 5: Block diagram of the signal path"
    assert {"Oscillator", "Modulator", "VPTAT"} <= set(block_diagram.words.split())
    assert timing.caption.startswith("Figure 6: Timing of a conversion: (a) forced mode")
    assert timing.words.split() == ["START", "DRDY", "SCLK", "tCONV"] * 2
    assert sensor.headings(1) == [
        (1, "3 Functional Description"),
        (2, "3.1 Signal Path"),
        (2, "3.2 Conversion Timing"),
    ]


def test_drawings_of_the_page_frame_are_no_figures(readings):
    for name, page_nos in (("converter", (1, 2, 3)), ("sensor", (2, 4)), ("manual", (1, 2))):
        for page_no in page_nos:
            assert not readings[name].figures(page_no)


def test_columns_are_read_one_after_the_other(sensor):
    assert [text for _level, text in sensor.headings(2)] == [
        "4 Mounting",
        "4.1 Port and Board",
        "4.2 Soldering",
        "4.3 Storage",
        "4.4 Cleaning",
    ]
    (soldering,) = (text for text in sensor.texts(2) if text.startswith("The package is sealed"))
    assert "another dependence on temperature. Parts that were removed" in soldering
    assert "the top of the package. Two passes" in soldering
    assert len(sensor.texts(2, BlockKind.LIST_ITEM)) == 3
    (note,) = (text for text in sensor.texts(2) if text.startswith("Light of short waves"))
    assert note.endswith("test the device in sunlight.")


def test_table_within_a_column_has_its_title_and_rows(sensor):
    (table,) = sensor.tables(2)
    assert (table.label, table.caption) == ("Table 7", "Least distances from the port")
    assert _rows(table)[0] == ["Neighbour", "Top (mm)", "Side (mm)"]
    assert _rows(table)[2] == ["Regulator, coil", "8", "12"]
    assert table.n_rows == 7


def test_register_has_its_frame_of_bits_and_its_fields(sensor):
    assert sensor.headings(3) == [
        (1, "5 Registers"),
        (2, "5.4 CTRL_MEAS Register (Offset = F4h) [Reset = 24h]"),
    ]
    (bits,) = sensor.figures(3)
    assert bits.caption == "Figure 9: CTRL_MEAS register"
    assert bits.words.split() == [
        *"76543210", "OSRS_T[2:0]", "OSRS_P[2:0]", "MODE[1:0]", "R/W-001b", "R/W-001b", "R/W-00b",
    ]  # fmt: skip
    (fields,) = sensor.tables(3)
    assert fields.label == "Table 12"
    assert [row[:4] for row in _rows(fields)] == [
        ["Bit", "Field", "Type", "Reset"],
        ["7-5", "OSRS_T[2:0]", "R/W", "001b"],
        ["4-2", "OSRS_P[2:0]", "R/W", "001b"],
        ["1-0", "MODE[1:0]", "R/W", "00b"],
    ]
    assert "01b or 10b = Forced: one conversion, then sleep" in _rows(fields)[3][4]


def test_turned_table_is_read_upright(sensor):
    (table,) = sensor.tables(4)
    assert (table.label, table.caption) == ("Table 15", "Summary of registers")
    rows = _rows(table)
    assert rows[0] == ["Offset", "Name", *(f"Bit {n}" for n in range(7, -1, -1)), "Reset"]
    assert rows[3] == [
        "F3h", "STATUS", *["RESERVED"] * 4, "BUSY", "RESERVED", "RESERVED", "UPDATE", "00h",
    ]  # fmt: skip
    assert table.n_rows == 12


def test_steps_keep_their_numbers_and_nesting(manual):
    steps = manual.blocks(1, BlockKind.LIST_ITEM)
    assert [(step.level, step.text.split()[0]) for step in steps] == [
        (1, "1."), (1, "2."), (2, "a."), (2, "b."), (2, "c."), (3, "i."), (3, "ii."),
        (1, "3."), (1, "4."), (1, "5."),
    ]  # fmt: skip
    assert steps[7].text.endswith("write the value down as V4.")


def test_box_listing_formula_and_footnotes_are_what_they_are(manual):
    assert manual.headings(1) == [(1, "6 Calibration"), (2, "6.2 Two-Point Calibration")]
    texts = manual.texts(1)
    caution = texts.index("CAUTION")
    assert texts[caution + 1].startswith("The terminals carry the voltage")
    assert texts[caution + 2].startswith("1. Let the calibrator warm up")
    (code,) = manual.texts(1, BlockKind.CODE)
    assert code.splitlines()[:3] == [
        "port.write(b'CAL:START\\n')",
        "for level in (4.0, 20.0):",
        "    port.write(f'CAL:LEVEL {level}\\n'.encode())",
    ]
    (formula,) = manual.texts(1, BlockKind.FORMULA)
    assert formula.startswith("G = (V20 – V4) / (RREF × 16 mA)")
    assert formula.endswith("(6-1)")
    footnotes = manual.texts(1, BlockKind.FOOTNOTE)
    assert [note.split()[1] for note in footnotes] == ["A", "An"]


def test_text_that_lies_twice_on_a_page_is_read_as_it_is_seen(manual):
    assert manual.headings(2) == [(2, "6.3 Limits of Error"), (3, "6.3.1 Noise and Bandwidth")]
    texts = manual.texts(2)
    (limits,) = (text for text in texts if "one year" in text)
    assert limits.startswith(
        f"The limits hold for one year after a calibration, for loads from 0 {OHM}"
    )
    assert "humidity of ≤ 80 % has" in limits
    assert "5 × 10⁻⁶ of the reading" in limits
    assert sum(text.count("6.3 Limits of Error") for text in texts) == 1
    assert "PRELIMINARY" not in manual.result.document.markdown


def test_signs_of_a_symbol_font_are_what_the_reader_sees(manual):
    errors, signs = manual.tables(2)
    assert _rows(errors)[0] == ["Range", "Resolution", "Error (% + µA)", "Drift (ppm/°C)"]
    assert _rows(errors)[4] == [f"0 V to 10 V, RL ≥ 2 k{OHM}", "0.1 mV", "± 0.005 + 0", "± 3"]
    assert [note[2:] for note in errors.notes] == [f"With HART resistor of 250 {OHM} in the loop."]
    assert [row[0] for row in _rows(signs)] == ["Sign", "θJA", "σ", "∆T", "RW", "β"]
    assert [row[2] for row in _rows(signs)[2:]] == ["µA", "°C", OHM, "10⁻⁶/°C"]
    items = manual.texts(2, BlockKind.LIST_ITEM)
    assert [item[2:22] for item in items][1] == "Settling to 10⁻⁴ of "
    assert "3σ ≈ 1.2 µA" in items[0]
