"""Datasheet of a bridge converter: limits without rules, characteristics over two pages, plots."""

from __future__ import annotations

import math
from pathlib import Path

from hard_pages.pen import GREY, HELVETICA, Color, Pen, Style
from hard_pages.plots import Plot, bell, draw_plot, wave
from hard_pages.rows import Columns

_LEFT, _RIGHT = 54.0, 558.0
_CHAPTER = Style(16, bold=True)
_SECTION = Style(12, bold=True)
_BODY = Style(9, leading=11.5)
_CELL = Style(8)
_HEAD = Style(8, bold=True)
_NOTE = Style(7.5)
_RUNNING = Style(8, color=GREY)
_INDENT = 12.0


def draw(path: Path) -> list[list[str]]:
    """Draw the document; return the texts of each page's body."""
    pen = Pen(path, HELVETICA, "NL4210 24-Bit Bridge Converter")
    for page_no, page in enumerate((_limits, _characteristics, _continued, _plots), start=11):
        _run(pen, page_no)
        page(pen)
        pen.finish_page()
    pen.save()
    return pen.written


def _run(pen: Pen, page_no: int) -> None:
    """Draw the running lines with the logo."""
    _logo(pen, _LEFT, 30)
    pen.text(_RIGHT, 38, "NL4210, NL4210-Q1", Style(9, bold=True, align="right"), body=False)
    pen.text(_LEFT, 56, "www.nordlys.example", _RUNNING, body=False)
    literature = "NLDS118C – MARCH 2021 – REVISED MAY 2024"
    pen.text(_RIGHT, 56, literature, Style(8, color=GREY, align="right"), body=False)
    pen.rule((_LEFT, 61), (_RIGHT, 61), 1.2)
    pen.rule((_LEFT, 741), (_RIGHT, 741), 0.6)
    left = "Copyright © 2021–2024, Nordlys Semiconductor"
    numbers = (str(page_no), left) if page_no % 2 == 0 else (left, str(page_no))
    pen.text(_LEFT, 752, numbers[0], _RUNNING, body=False)
    pen.text(_RIGHT, 752, numbers[1], Style(8, color=GREY, align="right"), body=False)


def _logo(pen: Pen, x: float, y: float) -> None:
    """Draw a star of curves: a drawing that is no figure."""
    points = []
    for step in range(17):
        angle = math.pi * step / 8 - math.pi / 2
        radius = 9.0 if step % 2 == 0 else 3.5
        points.append((x + 9 + radius * math.cos(angle), y + 5 + radius * math.sin(angle)))
    teal: Color = (0.0, 0.42, 0.45)
    pen.line_through(points, 0.4, teal, closed=True, fill=teal)
    pen.text(x + 23, y + 9, "NORDLYS", Style(12, bold=True, color=teal), body=False)


def _limits(pen: Pen) -> None:
    pen.text(_LEFT, 92, "5 Specifications", _CHAPTER)
    pen.paragraph(_LEFT, 110, _RIGHT - _LEFT, _SPECIFICATIONS, _BODY)
    pen.text(_LEFT, 164, "5.1 Absolute Maximum Ratings", _SECTION)
    over = "over operating ambient temperature range (unless otherwise noted)^{(1)}"
    pen.text(_LEFT, 179, over, _CELL)
    columns = Columns((_LEFT, 330, 410, 490, _RIGHT), ("left", "right", "right", "center"))
    y = 202.0
    columns.put(pen, y, ["PARAMETER", "MIN", "MAX", "UNIT"], _HEAD)
    for text, low, high, unit in _LIMITS:
        y += 17
        indent = _INDENT if text.startswith(">") else 0.0
        pen.text(_LEFT + 4 + indent, y, text.removeprefix(">"), _CELL)
        columns.put(pen, y, ["", low, high, unit], _CELL)
    _notes(pen, y + 20, _LIMIT_NOTES)
    pen.text(_LEFT, 535, "5.2 ESD Ratings", _SECTION)
    columns = Columns(
        (_LEFT, 112, 230, 410, 490, _RIGHT), ("left", "left", "left", "right", "center")
    )
    y = 558.0
    columns.put(pen, y, ["SYMBOL", "PARAMETER", "MODEL", "VALUE", "UNIT"], _HEAD)
    for row in _DISCHARGE:
        y += 17
        columns.put(pen, y, row, _CELL)
    _notes(pen, y + 20, _ESD_NOTES)


_SPECIFICATIONS = (
    "The tables of this section hold for both grades. A device that was stressed beyond the limits"
    " of Section 5.1 may work and still be outside of Section 5.5; replace it. Values without a"
    " minimum or maximum are typical: they were measured on 30 units from three lots and are not"
    " tested in production."
)
_LIMITS = (
    ("Supply voltage, AVDD to AGND", "–0.3", "6.5", "V"),
    ("Input voltage^{(2)}", "", "", ""),
    (">Analog inputs, AIN0 to AIN7", "AGND – 0.3", "AVDD + 0.3", "V"),
    (">Reference inputs, REFP and REFN", "AGND – 0.3", "AVDD + 0.3", "V"),
    (">Digital inputs", "DGND – 0.3", "DVDD + 0.3", "V"),
    ("Input current, any pin except supply", "", "", ""),
    (">Momentary", "–100", "100", "mA"),
    (">Continuous", "–10", "10", "mA"),
    ("Ground offset, AGND to DGND", "–0.1", "0.1", "V"),
    ("Temperature", "", "", ""),
    (">Operating ambient, T_{A}", "–50", "125", "°C"),
    (">Junction, T_{J}", "", "150", "°C"),
    (">Storage, T_{stg}", "–60", "150", "°C"),
)
_DISCHARGE = (
    ("V_{ESD}", "Electrostatic discharge", "Human-body model (HBM)^{(3)}", "±2000", "V"),
    ("", "", "Charged-device model (CDM)^{(4)}", "±500", "V"),
    ("I_{LU}", "Latch-up current", "All pins, T_{A} = 125°C", "±100", "mA"),
)
_LIMIT_NOTES = (
    ("(1)", "Stresses beyond those listed may cause permanent damage. Nothing is said here about"),
    ("", "operation at these limits, which may shorten the life of the device."),
    ("(2)", "Inputs are clamped by diodes to the rails; limit the current to 10 mA."),
)
_ESD_NOTES = (
    ("(3)", "A level of 500 V allows safe manufacturing with a standard ESD control process."),
    ("(4)", "A level of 250 V allows safe manufacturing with a standard ESD control process."),
)


def _notes(pen: Pen, y: float, notes: tuple[tuple[str, str], ...]) -> None:
    for mark, text in notes:
        if mark:
            pen.text(_LEFT, y, mark, _NOTE)
        pen.text(_LEFT + 22, y, text, _NOTE)
        y += 9.5


# Symbol and name stand under one header; two grades have three columns each.
_EDGES = (_LEFT, 92, 208, 330, 362, 394, 426, 458, 490, 522, _RIGHT)
_COLUMNS = Columns(
    _EDGES, ("left", "left", "left", *["right"] * 3, *["right"] * 3, "center"), padding=3.0
)
_INNER = (0, 2, 3, 6, 9, 10)
"""Edges that are ruled: none between symbol and name, none between the limits of a grade."""

_SHADE: Color = (0.88, 0.9, 0.92)


def _header(pen: Pen, top: float) -> float:
    """Draw the header of two lines; return its bottom."""
    middle, bottom = top + 14, top + 28
    _COLUMNS.shade(pen, top, bottom, _SHADE)
    _COLUMNS.rule(pen, top)
    _COLUMNS.cell(pen, 0, top + 17, "PARAMETER", _HEAD, span=2, align="center")
    _COLUMNS.cell(pen, 2, top + 17, "TEST CONDITIONS", _HEAD, align="center")
    _COLUMNS.cell(pen, 3, top + 10, "NL4210", _HEAD, span=3, align="center")
    _COLUMNS.cell(pen, 6, top + 10, "NL4210-Q1", _HEAD, span=3, align="center")
    _COLUMNS.rule(pen, middle, first=3, last=8)
    names = ["", "", "", "MIN", "TYP", "MAX", "MIN", "TYP", "MAX"]
    _COLUMNS.put(pen, bottom - 4, names, _HEAD)
    _COLUMNS.cell(pen, 9, top + 17, "UNIT", _HEAD)
    _COLUMNS.rule(pen, bottom)
    _COLUMNS.sides(pen, top, bottom, *_INNER)
    return bottom


def _group(pen: Pen, top: float, name: str) -> float:
    pen.text(_LEFT + 3, top + 10.5, name, _HEAD)
    _COLUMNS.rule(pen, top + 14)
    _COLUMNS.sides(pen, top, top + 14)
    return top + 14


def _rows(pen: Pen, top: float, symbol: str, name: str, unit: str, rows: list[list[str]]) -> float:
    """Draw the rows of one parameter; symbol, name and unit stand once, in their middle."""
    bottom = top
    for row in rows:
        _COLUMNS.put(pen, bottom + 10.5, ["", "", *row], _CELL)
        height = 14.0 + 10.0 * row[0].count("|")
        bottom += height
        last = row is rows[-1]
        _COLUMNS.rule(pen, bottom, first=0 if last else 2, last=None if last else 8)
    _COLUMNS.sides(pen, top, bottom, *_INNER)
    middle = (top + bottom) / 2 + 3
    pen.text(_LEFT + 3, middle, symbol, _CELL)
    lines = name.split("|")
    _COLUMNS.put(pen, middle - 5 * (len(lines) - 1), ["", name], _CELL)
    _COLUMNS.cell(pen, 9, middle, unit, _CELL)
    return bottom


_OVER = (
    "at T_{A} = 25°C, AVDD = 5 V, DVDD = 3.3 V, V_{REF} = 2.5 V, gain = 1 and data rate = 20 SPS"
    " (unless otherwise noted)"
)


def _characteristics(pen: Pen) -> None:
    pen.text(_LEFT, 92, "5.5 Electrical Characteristics", _SECTION)
    pen.text(_LEFT, 107, _OVER, _CELL)
    y = _group(pen, _header(pen, 116), "ANALOG INPUTS")
    y = _rows(pen, y, "V_{IN}", "Differential input|voltage", "V", [
        ["PGA enabled, gain = 1", "–2.5", "", "2.5", "–2.5", "", "2.5"],
        ["PGA enabled, gain = 32", "–0.078", "", "0.078", "–0.078", "", "0.078"],
        ["PGA bypassed", "–2.5", "", "2.5", "–2.4", "", "2.4"],
    ])  # fmt: skip
    y = _rows(pen, y, "I_{IB}", "Input bias current", "nA", [
        ["T_{A} = 25°C", "", "±0.2", "±1", "", "±0.2", "±1"],
        ["T_{A} = –40°C to +125°C", "", "", "±4", "", "", "±9"],
    ])  # fmt: skip
    y = _rows(pen, y, "Z_{IN}", "Input impedance", "M@{W}", [["", "", "100", "", "", "100", ""]])
    y = _group(pen, y, "SYSTEM PERFORMANCE")
    y = _rows(pen, y, "", "Resolution", "Bits", [["No missing codes", "24", "", "", "24", "", ""]])
    y = _rows(pen, y, "V_{OS}", "Offset voltage", "µV", [
        ["Before calibration, T_{A} = 25°C", "", "±4", "±20", "", "±4", "±35"],
        ["After calibration, on the order|of noise^{(1)}", "", "±0.1", "", "", "±0.1", ""],
    ])  # fmt: skip
    y = _rows(pen, y, "dV_{OS}/dT", "Offset drift", "nV/°C", [
        ["Gain = 1 to 8", "", "5", "30", "", "5", "50"],
        ["Gain = 16 to 128", "", "1", "10", "", "1", "15"],
    ])  # fmt: skip
    y = _rows(pen, y, "INL", "Integral nonlinearity", "ppm_{FS}", [
        ["Gain = 1", "", "2", "10", "", "2", "15"],
        ["Gain = 32", "", "4", "12", "", "4", "20"],
    ])  # fmt: skip
    y = _rows(pen, y, "CMRR", "Common-mode|rejection ratio", "dB", [
        ["At dc", "110", "125", "", "105", "125", ""],
        ["f_{CM} = 50 Hz or 60 Hz, f_{DATA}|= 20 SPS^{(2)}", "120", "130", "", "120", "130", ""],
    ])  # fmt: skip
    y = _more_characteristics(pen, y)
    notes = (
        ("(1)", "Offset is reduced to the order of noise by self-calibration at any gain."),
        ("(2)", "Specified by design and characterization; not tested in production."),
    )
    _notes(pen, y + 12, notes)


def _more_characteristics(pen: Pen, y: float) -> float:
    y = _group(pen, y, "VOLTAGE REFERENCE INPUTS")
    y = _rows(pen, y, "V_{REF}", "Reference voltage", "V", [
        ["V_{REF} = V_{REFP} – V_{REFN}", "0.9", "2.5", "AVDD", "0.9", "2.5", "AVDD"],
    ])  # fmt: skip
    y = _rows(pen, y, "I_{REF}", "Reference input|current", "nA", [
        ["REFP buffered, T_{A} = 25°C", "", "±15", "±30", "", "±15", "±35"],
        ["REFP buffered, T_{A} = –40°C|to +125°C", "", "±20", "", "", "±20", "±60"],
    ])  # fmt: skip
    y = _group(pen, y, "INTERNAL REFERENCE")
    y = _rows(
        pen,
        y,
        "V_{O}",
        "Output voltage",
        "V",
        [["", "2.495", "2.5", "2.505", "2.49", "2.5", "2.51"]],
    )
    y = _rows(pen, y, "TCV_{O}", "Temperature drift", "ppm/°C", [
        ["T_{A} = 0°C to 85°C", "", "2", "8", "", "2", "8"],
        ["T_{A} = –40°C to +125°C", "", "4", "12", "", "4", "15"],
    ])  # fmt: skip
    y = _rows(pen, y, "I_{O}", "Output current", "mA", [
        ["Sourcing and sinking", "–10", "", "10", "–10", "", "10"],
    ])  # fmt: skip
    y = _rows(
        pen,
        y,
        "",
        "Start-up time",
        "ms",
        [
            ["To 0.001% of the final value", "", "50", "", "", "50", ""],
        ],
    )
    y = _group(pen, y, "INTERNAL OSCILLATOR")
    return _rows(pen, y, "f_{CLK}", "Frequency", "MHz", [
        ["T_{A} = 25°C", "7.34", "7.37", "7.41", "7.34", "7.37", "7.41"],
        ["T_{A} = –40°C to +125°C", "7.22", "7.37", "7.52", "7.15", "7.37", "7.59"],
    ])  # fmt: skip


def _continued(pen: Pen) -> None:
    pen.text(_LEFT, 92, "5.5 Electrical Characteristics (continued)", _SECTION)
    pen.text(_LEFT, 107, _OVER, _CELL)
    y = _group(pen, _header(pen, 116), "POWER SUPPLY")
    y = _rows(pen, y, "I_{AVDD}", "Analog supply current", "mA", [
        ["PGA bypassed", "", "2.7", "4.5", "", "2.7", "5"],
        ["PGA enabled, gain = 1 to 32", "", "3.8", "6", "", "3.8", "6.6"],
        ["Power-down mode", "", "0.002", "0.008", "", "0.002", "0.03"],
    ])  # fmt: skip
    y = _rows(pen, y, "I_{DVDD}", "Digital supply current", "mA", [
        ["20 SPS, sinc3 filter", "", "0.4", "0.65", "", "0.4", "0.7"],
    ])  # fmt: skip
    y = _rows(pen, y, "P_{D}", "Power dissipation", "mW", [
        ["PGA enabled", "", "20", "32", "", "20", "36"],
        ["Power-down mode", "", "0.1", "", "", "0.1", ""],
    ])  # fmt: skip
    y = _group(pen, y, "TEMPERATURE SENSOR")
    y = _rows(pen, y, "V_{TS}", "Sensor voltage", "mV", [
        ["T_{A} = 25°C", "", "122.4", "", "", "122.4", ""],
    ])  # fmt: skip
    y = _rows(pen, y, "", "Sensor coefficient", "µV/°C", [["", "", "420", "", "", "420", ""]])
    notes = (("(3)", "Supply currents are measured with the digital inputs at DVDD or DGND."),)
    _notes(pen, y + 12, notes)
    pen.text(_LEFT, y + 54, "5.6 Quality of the Supply", _SECTION)
    text = (
        "The currents of Section 5.5 flow in pulses of the modulator clock. Place a capacitor of"
        " 1 µF and one of 100 nF between AVDD and AGND within 3 mm of the pins, and let no other"
        " current share the path to ground. A ripple of 10 mV at the clock of the modulator shifts"
        " the offset by less than 0.5 µV."
    )
    pen.paragraph(_LEFT, y + 71, _RIGHT - _LEFT, text, _BODY)


def _plots(pen: Pen) -> None:
    pen.text(_LEFT, 92, "5.8 Typical Characteristics", _SECTION)
    pen.text(_LEFT, 107, _OVER, _CELL)
    for index, plot in enumerate(_PLOTS):
        left = (88.0, 346.0)[index % 2]
        top = 122.0 + 204.0 * (index // 2)
        draw_plot(pen, left, top, plot)
        caption = f"Figure 5-{index + 1}. {plot.caption}"
        pen.text(left + 106, top + 176, caption, Style(8.5, bold=True, align="center"))


_AMBIENT = ("–40", "–15", "10", "35", "60", "85", "110")
_DEGREES = "Temperature (°C)"
_PLOTS = (
    Plot(
        "Offset Voltage vs Temperature", _DEGREES, "Offset voltage (µV)", _AMBIENT,
        ("–10", "–5", "0", "5", "10"),
        (wave(0.45, 0.2, 0.04, 1.5), wave(0.6, -0.3, 0.05, 1.0), wave(0.3, 0.1, 0.03, 2.0)),
        ("Unit 1", "Unit 2", "Unit 3"),
    ),
    Plot(
        "Gain Error vs Temperature", _DEGREES, "Gain error (ppm)", _AMBIENT,
        ("–100", "–50", "0", "50", "100"),
        (wave(0.2, 0.55, 0.02, 1.0), wave(0.7, -0.35, 0.03, 1.0)),
        ("Gain = 1", "Gain = 32"),
    ),
    Plot(
        "INL vs Input Voltage", "V_{IN} (% of FSR)", "INL (ppm)",
        ("–100", "–50", "0", "50", "100"), ("–8", "–4", "0", "4", "8"),
        (wave(0.5, 0.0, 0.22, 1.0), wave(0.5, 0.0, 0.12, 1.5)),
    ),
    Plot(
        "Noise Distribution", "Output voltage (µV)", "Counts",
        ("–0.4", "–0.2", "0", "0.2", "0.4"), ("0", "400", "800", "1200"), (bell,), bars=True,
    ),
    Plot(
        "Supply Current vs Temperature", _DEGREES, "Current (mA)", _AMBIENT,
        ("0", "1", "2", "3", "4", "5"), (wave(0.55, 0.2, 0.01, 1.0), wave(0.38, 0.12, 0.01, 1.0)),
        ("PGA enabled", "PGA bypassed"),
    ),
    Plot(
        "Reference Drift, 30 Units", _DEGREES, "Drift (ppm)", _AMBIENT,
        ("–60", "–30", "0", "30", "60"),
        tuple(wave(0.5, slope, -slope / 3, 0.8) for slope in (0.3, 0.1, -0.25)),
    ),
)  # fmt: skip
