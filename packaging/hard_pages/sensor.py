"""Datasheet of a pressure sensor: diagrams, a page of two columns, a register, a turned table."""

from __future__ import annotations

from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from desktop_qa.paths import asset
from hard_pages.diagrams import block_diagram, timing_diagram
from hard_pages.pen import GREY, Color, Family, Pen, Style
from hard_pages.rows import Columns

_LEFT, _RIGHT = 62.0, 550.0
_BLUE: Color = (0.05, 0.27, 0.5)
_PALE: Color = (0.9, 0.94, 0.97)
_WHITE: Color = (1.0, 1.0, 1.0)
_CHAPTER = Style(17, bold=True, color=_BLUE)
_SECTION = Style(12.5, bold=True, color=_BLUE)
_BODY = Style(9, leading=11.5)
_COLUMN = Style(9, leading=13)
_CELL = Style(8)
_HEAD = Style(8, bold=True, color=_WHITE)
_CAPTION = Style(8.5, italic=True)

_ROBOTO = Family("Roboto", "Roboto-Bold", "Roboto-Italic")


def draw(path: Path) -> list[list[str]]:
    """Draw the document; return the texts of each page's body."""
    for face, name in (("Regular", "Roboto"), ("Bold", "Roboto-Bold"), ("Italic", "Roboto-Italic")):
        font = asset(f"resources/fonts/Roboto-{face}.ttf")
        pdfmetrics.registerFont(TTFont(name, str(font)))
    pen = Pen(path, _ROBOTO, "FS581 Barometric Pressure Sensor")
    for page_no, page in enumerate((_diagrams, _columns, _register, _turned), start=17):
        _run(pen, page_no)
        page(pen)
        pen.finish_page()
    pen.save()
    return pen.written


def _run(pen: Pen, page_no: int) -> None:
    """Draw a coloured band, the logo and the running lines."""
    for index in range(18):
        shade: Color = (0.05 + index * 0.03, 0.27 + index * 0.03, 0.5 + index * 0.02)
        pen.box(index * 34.0, 0, 34.0, 10, fill=shade, stroke=None)
    pen.box(_LEFT, 24, 14, 14, fill=_BLUE, stroke=None)
    wave = [(_LEFT + 2 + i, 31 - 4 * (i % 4 - 1.5) / 1.5) for i in range(11)]
    pen.line_through(wave, 0.9, _WHITE)
    pen.text(_LEFT + 20, 35, "Fjordsensor", Style(11, bold=True, color=_BLUE), body=False)
    pen.text(_RIGHT, 35, "FS581 Data sheet", Style(9, color=GREY, align="right"), body=False)
    pen.rule((_LEFT, 43), (_RIGHT, 43), 0.8, _BLUE)
    pen.rule((_LEFT, 752), (_RIGHT, 752), 0.4, GREY)
    running = Style(7.5, color=GREY)
    pen.text(_LEFT, 763, "Revision 1.4 | FST-DS-0581 | June 2024", running, body=False)
    number = f"Page {page_no} of 48"
    pen.text(_RIGHT, 763, number, Style(7.5, color=GREY, align="right"), body=False)


def _diagrams(pen: Pen) -> None:
    pen.text(_LEFT, 80, "3 Functional Description", _CHAPTER)
    pen.text(_LEFT, 108, "3.1 Signal Path", _SECTION)
    y = pen.paragraph(_LEFT, 125, _RIGHT - _LEFT, _PATH, _BODY)
    pen.text(_LEFT, y + 12, "Figure 5: Block diagram of the signal path", _CAPTION)
    block_diagram(pen, _LEFT, y + 22)
    pen.text(_LEFT, 400, "3.2 Conversion Timing", _SECTION)
    y = pen.paragraph(_LEFT, 417, _RIGHT - _LEFT, _TIMING, _BODY)
    caption = "Figure 6: Timing of a conversion: (a) forced mode, (b) continuous mode"
    pen.text(_LEFT, y + 12, caption, _CAPTION)
    timing_diagram(pen, _LEFT, y + 24, "(a)", forced=True)
    timing_diagram(pen, _LEFT, y + 142, "(b)", forced=False)


_PATH = (
    "The bridge feeds a chopped amplifier and a modulator of the third order. A digital filter"
    " takes out the noise of the chopping before the result is corrected for temperature with the"
    " coefficients of the device. Figure 5 shows the path from the diaphragm to the interface."
)
_TIMING = (
    "A rising edge of START begins a conversion. DRDY rises when the result can be read and falls"
    " with the last clock of the transfer."
)


def _columns(pen: Pen) -> None:
    middle, width = 312.0, 238.0
    pen.text(_LEFT, 80, "4 Mounting", _CHAPTER)
    pen.text(_LEFT, 106, "4.1 Port and Board", _SECTION)
    y = pen.justified(_LEFT, 123, width, _PORT, _COLUMN)
    _small_table(pen, y + 8)
    y = pen.justified(_LEFT, y + 142, width, _BENDING, _COLUMN)
    pen.text(_LEFT, y + 14, "4.2 Soldering", _SECTION)
    y = pen.justified(_LEFT, y + 31, width, _SOLDERING_LEFT, _COLUMN)
    y = pen.justified(middle, 106, width, _SOLDERING_RIGHT, _COLUMN)
    _sidebar(pen, middle, y + 4, width)
    pen.text(middle, y + 130, "4.3 Storage", _SECTION)
    y += 147
    for item in _STORAGE:
        pen.text(middle, y, "•", _COLUMN)
        y = pen.paragraph(middle + 12, y, width - 12, item, _COLUMN) + 2
    pen.text(middle, y + 14, "4.4 Cleaning", _SECTION)
    y = pen.justified(middle, y + 31, width, _CLEANING, _COLUMN)
    pen.rule((306, 96), (306, 660), 0.3, _BLUE)


_PORT = (
    "The port of the sensor is open to the medium. Keep",
    "it away from fans and from parts whose heat changes",
    "with the load, and leave the pads under the package",
    "without copper. Table 7 gives the least distances.¶",
)
_BENDING = (
    "The stress of a bent board is seen as pressure: hold",
    "the board at three points that do not lie on one line",
    "through the sensor. A slot that is milled on three",
    "sides of the package takes most of the bending away",
    "and halves the error of the offset. The slot must not",
    "cut the plane below the supply of the sensor.¶",
)
_SOLDERING_LEFT = (
    "The package is sealed with a gel that stands the heat",
    "of reflow, but no solvent. Do not let flux reach the",
    "port. The profile of Figure 11 is for solder without",
    "lead; the temperature is that of the top of the pack-",
    "age. Two passes through the oven are allowed, with",
    "the sensor on the upper side of the board in both.",
    "After soldering the offset is larger than before; it",
    "comes back to its final value within 24 hours at room",
    "temperature and normal humidity, and faster in dry",
    "heat. Where a board has to be calibrated at once, bake",
    "it at 60 °C for two hours first, and let it cool down for",
    "half an hour before the first reading is taken. Do not",
    "use a soldering iron: the heat enters the package at",
    "one side only and leaves a stress behind that decays",
    "over months. A part that was lifted with hot air has a",
    "different offset and another dependence on temper-",
)
_SOLDERING_RIGHT = (
    "ature. Parts that were removed must not be used",
    "again, because the seal of the lid has been heated",
    "twice and its tightness is no longer known.¶",
)
_STORAGE = (
    "Keep parts in the sealed bag until the day of assembly.",
    "Open bags are to be used within 168 hours at no more than 30 °C and 60 % of relative"
    " humidity.",
    "Bake parts that were open longer for 24 hours at 125 °C.",
)
_CLEANING = (
    "Do not wash boards after assembly. Ultrasound breaks",
    "the bonds of the bridge, and liquids that dry in the",
    "port leave salts behind which draw water. Dust may",
    "be blown away with dry air of at most 0.2 bar, at an",
    "angle and from a distance of 10 cm or more.¶",
)


def _small_table(pen: Pen, top: float) -> None:
    """Draw a table within the left column: no rules, but bands of colour."""
    pen.text(_LEFT, top + 8, "Table 7: Least distances from the port", _CAPTION)
    columns = Columns((_LEFT, 180, 240, 300), ("left", "right", "right"))
    top += 14
    columns.shade(pen, top, top + 15, _BLUE)
    columns.put(pen, top + 10.5, ["Neighbour", "Top (mm)", "Side (mm)"], _HEAD)
    for index, row in enumerate(_DISTANCES):
        top += 15
        if index % 2:
            columns.shade(pen, top, top + 15, _PALE)
        columns.put(pen, top + 10.5, row, _CELL)


_DISTANCES = (
    ("Fan or air outlet", "25", "40"),
    ("Regulator, coil", "8", "12"),
    ("Processor", "8", "20"),
    ("Screw", "–", "15"),
    ("Edge of the board", "–", "3"),
    ("Connector", "2", "5"),
)


def _sidebar(pen: Pen, left: float, top: float, width: float) -> None:
    pen.box(left, top, width, 96, fill=_PALE, stroke=_BLUE, line=0.7)
    pen.box(left, top, 5, 96, fill=_BLUE, stroke=None)
    pen.text(left + 14, top + 16, "Note", Style(9.5, bold=True, color=_BLUE))
    text = (
        "Light of short waves reaches the diaphragm through the gel and is seen as pressure. A"
        " flash at a distance of 10 cm shifts the reading by up to 30 Pa for 5 ms. Cover the port"
        " with a membrane that is black and lets air through, and test the device in sunlight."
    )
    pen.paragraph(left + 14, top + 30, width - 24, text, Style(8.5, leading=11))


def _register(pen: Pen) -> None:
    pen.text(_LEFT, 80, "5 Registers", _CHAPTER)
    pen.text(_LEFT, 108, "5.4 CTRL_MEAS Register (Offset = F4h) [Reset = 24h]", _SECTION)
    y = pen.paragraph(_LEFT, 125, _RIGHT - _LEFT, _CONTROL, _BODY)
    pen.text(_LEFT, y + 10, "Figure 9: CTRL_MEAS register", _CAPTION)
    _bits(pen, y + 16)
    pen.text(_LEFT, y + 88, "Table 12: CTRL_MEAS register field descriptions", _CAPTION)
    _fields(pen, y + 94)


_CONTROL = (
    "CTRL_MEAS sets the oversampling of temperature and pressure and the mode of the device. A"
    " write takes effect when the conversion that is under way has ended. Return to the summary of"
    " registers."
)


def _bits(pen: Pen, top: float) -> None:
    """Draw the frame of bits: numbers, names that span bits, access and reset value."""
    edges = tuple(_LEFT + 61 * i for i in range(9))
    columns = Columns(edges, ("center",) * 8)
    columns.shade(pen, top, top + 15, _PALE)
    for height in (0, 15, 32, 46):
        columns.rule(pen, top + height)
    columns.put(pen, top + 10.5, list("76543210"), Style(8, bold=True))
    for first, end, name, access in _BIT_FIELDS:
        columns.sides(pen, top + 15, top + 46, first, end)
        columns.cell(pen, first, top + 26, name, _CELL, span=end - first)
        columns.cell(pen, first, top + 42, access, _CELL, span=end - first)
    for edge in range(9):
        columns.sides(pen, top, top + 15, edge)
    pen.text(
        _LEFT,
        top + 57,
        "LEGEND: R/W = Read/Write; R = Read only; -n = value after reset",
        Style(7.5),
    )


_BIT_FIELDS = (
    (0, 3, "OSRS_T[2:0]", "R/W-001b"),
    (3, 6, "OSRS_P[2:0]", "R/W-001b"),
    (6, 8, "MODE[1:0]", "R/W-00b"),
)


def _fields(pen: Pen, top: float) -> None:
    columns = Columns(
        (_LEFT, 102, 180, 226, 276, _RIGHT), ("center", "left", "left", "left", "left")
    )
    columns.shade(pen, top, top + 16, _BLUE)
    columns.put(pen, top + 11, ["Bit", "Field", "Type", "Reset", "Description"], _HEAD)
    columns.rule(pen, top)
    bottom = top + 16
    for bits, name, reset, lines in _FIELDS:
        columns.rule(pen, bottom)
        columns.put(pen, bottom + 11, [bits, name, "R/W", reset, "|".join(lines)], _CELL)
        bottom += 10.0 * len(lines) + 7
    columns.rule(pen, bottom)
    columns.sides(pen, top, bottom, *range(6))


_FIELDS = (
    ("7-5", "OSRS_T[2:0]", "001b", (
        "Oversampling of the temperature",
        "000b = Skipped, the output is 8000h",
        "001b = Oversampling × 1",
        "010b = Oversampling × 2",
        "011b = Oversampling × 4",
        "100b to 111b = Oversampling × 8",
    )),
    ("4-2", "OSRS_P[2:0]", "001b", (
        "Oversampling of the pressure; see Section 3.2 for the time that a",
        "conversion takes",
        "000b = Skipped, the output is 8000h",
        "001b = Oversampling × 1",
        "010b = Oversampling × 2",
        "011b = Oversampling × 4",
        "100b = Oversampling × 8",
        "101b to 111b = Oversampling × 16",
    )),
    ("1-0", "MODE[1:0]", "00b", (
        "Mode of the device",
        "00b = Sleep",
        "01b or 10b = Forced: one conversion, then sleep",
        "11b = Continuous",
    )),
)  # fmt: skip


def _turned(pen: Pen) -> None:
    """Draw a wide table that runs upwards on the upright page."""
    with pen.turned(110, 722):
        pen.text(0, 0, "Table 15: Summary of registers", _CAPTION)
        columns = Columns(
            (0, 44, 120, *(120 + 52 * i for i in range(1, 9)), 590),
            ("left", "left", *["center"] * 9),
        )
        names = ["Offset", "Name", *(f"Bit {i}" for i in range(7, -1, -1)), "Reset"]
        columns.shade(pen, 10, 27, _BLUE)
        columns.put(pen, 21.5, names, _HEAD)
        columns.rule(pen, 10)
        bottom = 27.0
        for offset, name, reset, bit_fields in _SUMMARY:
            columns.rule(pen, bottom)
            columns.put(pen, bottom + 14, [offset, name, *[""] * 8, reset], _CELL)
            columns.sides(pen, bottom, bottom + 22, 0, 1, 2, 10, 11)
            for first, end, text in bit_fields:
                columns.cell(pen, first + 2, bottom + 14, text, _CELL, span=end - first)
                columns.sides(pen, bottom, bottom + 22, first + 2, end + 2)
            bottom += 22
        columns.rule(pen, bottom)
        columns.sides(pen, 10, 27, *range(12))


_SUMMARY = (
    ("D0h", "ID", "58h", ((0, 8, "CHIP_ID[7:0]"),)),
    ("E0h", "RESET", "00h", ((0, 8, "SOFT_RESET[7:0]"),)),
    ("F3h", "STATUS", "00h", (
        (0, 4, "RESERVED"), (4, 5, "BUSY"), (5, 7, "RESERVED"), (7, 8, "UPDATE"),
    )),
    ("F4h", "CTRL_MEAS", "24h", (
        (0, 3, "OSRS_T[2:0]"), (3, 6, "OSRS_P[2:0]"), (6, 8, "MODE[1:0]"),
    )),
    ("F5h", "CONFIG", "00h", (
        (0, 3, "T_SB[2:0]"), (3, 6, "FILTER[2:0]"), (6, 7, "RESERVED"), (7, 8, "SPI3W"),
    )),
    ("F7h", "PRESS_MSB", "80h", ((0, 8, "PRESS[19:12]"),)),
    ("F8h", "PRESS_LSB", "00h", ((0, 8, "PRESS[11:4]"),)),
    ("F9h", "PRESS_XLSB", "00h", ((0, 4, "PRESS[3:0]"), (4, 8, "RESERVED"))),
    ("FAh", "TEMP_MSB", "80h", ((0, 8, "TEMP[19:12]"),)),
    ("FBh", "TEMP_LSB", "00h", ((0, 8, "TEMP[11:4]"),)),
    ("FCh", "TEMP_XLSB", "00h", ((0, 4, "TEMP[3:0]"), (4, 8, "RESERVED"))),
)  # fmt: skip
