"""Manual of a calibrator: a procedure with its boxes, and a page of signs, layers and marks."""

from __future__ import annotations

from pathlib import Path

from hard_pages.pen import GREY, HEIGHT, TIMES, Color, Pen, Style
from hard_pages.rows import Columns

_LEFT, _RIGHT = 64.0, 548.0
_WIDTH = _RIGHT - _LEFT
_CHAPTER = Style(18, bold=True)
_SECTION = Style(13, bold=True)
_BODY = Style(10, leading=12.5)
_CELL = Style(9)
_HEAD = Style(9, bold=True)
_CODE = Style(8.5, font="Courier", leading=10.5)
_FOOTNOTE = Style(8, leading=9.5)
_AMBER: Color = (1.0, 0.75, 0.1)
_PALE: Color = (0.95, 0.95, 0.95)


def draw(path: Path) -> list[list[str]]:
    """Draw the document; return the texts of each page's body."""
    pen = Pen(path, TIMES, "ACX20 Loop Calibrator User's Manual")
    for page_no, page in enumerate((_procedure, _signs), start=41):
        page(pen, page_no)
        pen.finish_page()
    pen.save()
    return pen.written


def _run(pen: Pen, page_no: int) -> None:
    """Draw the running lines; inner and outer side change from page to page."""
    inner, outer = "Chapter 6. Calibration", "ACX20 User's Manual"
    left, right = (outer, inner) if page_no % 2 else (inner, outer)
    style = Style(9, italic=True, color=GREY)
    pen.text(_LEFT, 44, left, style, body=False)
    pen.text(_RIGHT, 44, right, Style(9, italic=True, color=GREY, align="right"), body=False)
    pen.rule((_LEFT, 49), (_RIGHT, 49), 0.4, GREY)
    pen.text(306, 762, str(page_no), Style(9, color=GREY, align="center"), body=False)


def _procedure(pen: Pen, page_no: int) -> None:
    _run(pen, page_no)
    pen.text(_LEFT, 86, "6 Calibration", _CHAPTER)
    pen.text(_LEFT, 112, "6.2 Two-Point Calibration", _SECTION)
    y = pen.paragraph(_LEFT, 130, _WIDTH, _INTRODUCTION, _BODY)
    y = _caution(pen, y + 2) + 20
    for mark, indent, text in _STEPS:
        pen.text(_LEFT + indent, y, mark, _BODY)
        y = pen.paragraph(_LEFT + indent + 18, y, _WIDTH - indent - 18, text, _BODY) + 2.5
    y += 8
    text = "The gain and the offset follow from the two readings as Equation (6-1) says."
    pen.text(_LEFT, y, text, _BODY)
    pen.text(300, y + 24, _FORMULA, Style(11, italic=True, align="center"))
    pen.text(_RIGHT, y + 24, "(6-1)", Style(10, align="right"))
    pen.text(_LEFT, y + 48, "The same can be done by a script over the serial port:", _BODY)
    _listing(pen, y + 58)
    pen.rule((_LEFT, 703), (_LEFT + 130, 703), 0.4)
    y = 714.0
    for mark, text in _FOOTNOTES:
        pen.text(_LEFT, y, f"^{{{mark}}}", _FOOTNOTE)
        y = pen.paragraph(_LEFT + 8, y, _WIDTH - 8, text, _FOOTNOTE) + 1.5


_INTRODUCTION = (
    "Calibrate the current output once a year, and after each repair.^{1} You need a reference"
    " resistor of 250 @{W} and a voltmeter of six digits.^{2} The work takes 20 minutes."
)
_CAUTION = (
    "The terminals carry the voltage of the loop, up to 60 V. Switch the loop supply off before you"
    " touch them, and wait 10 s until the capacitors are empty."
)
_STEPS = (
    ("1.", 0, "Let the calibrator warm up for 30 minutes with the lid closed."),
    ("2.", 0, "Connect the reference resistor:"),
    ("a.", 18, "Switch the loop supply off and remove the jumper J4."),
    ("b.", 18, "Put the resistor between OUT+ and OUT–, with leads as short as you can make them."),
    ("c.", 18, "Connect the voltmeter:"),
    ("i.", 36, "HI to the side of OUT+,"),
    ("ii.", 36, "LO to the side of OUT–."),
    ("3.", 0, "Press CAL for 3 s until the display shows 4.000 mA. Read the voltmeter as soon as"
              " its last digit has come to rest, and write the value down as V_{4}."),
    ("4.", 0, "Press CAL again; the display shows 20.000 mA. Write the value down as V_{20}."),
    ("5.", 0, "Enter both values and confirm with ENTER."),
)  # fmt: skip
_FORMULA = "G = (V_{20} – V_{4}) / (R_{REF} × 16 mA),   I_{OS} = V_{4} / R_{REF} – 4 mA"
_LISTING = (
    "port.write(b'CAL:START\\n')",
    "for level in (4.0, 20.0):",
    "    port.write(f'CAL:LEVEL {level}\\n'.encode())",
    "    time.sleep(2.5)",
    "    readings.append(meter.read())",
    "port.write(b'CAL:STORE\\n')",
)
_FOOTNOTES = (
    ("1", "A repair of the display alone does not change the calibration."),
    ("2", "An error of 0.01% of the resistor is an error of 0.01% of the span; use one whose value"
          " was certified within the last year and whose temperature is known to within 2 K."),
)  # fmt: skip


def _caution(pen: Pen, top: float) -> float:
    """Draw a framed box with a warning sign; return its bottom."""
    height = 52.0
    pen.box(_LEFT, top, _WIDTH, height, fill=(1.0, 0.97, 0.88), stroke=(0.8, 0.55, 0.0), line=1.0)
    x, y = _LEFT + 12, top + 12
    sign = [(x, y + 24), (x + 14, y), (x + 28, y + 24)]
    pen.line_through(sign, 1.0, (0.6, 0.4, 0.0), closed=True, fill=_AMBER)
    pen.rule((x + 14, y + 9), (x + 14, y + 17), 1.6)
    pen.rule((x + 14, y + 19.5), (x + 14, y + 21), 1.6)
    pen.text(_LEFT + 54, top + 16, "CAUTION", Style(10, bold=True))
    pen.paragraph(_LEFT + 54, top + 30, _WIDTH - 66, _CAUTION, _BODY)
    return top + height


def _listing(pen: Pen, top: float) -> None:
    pen.box(_LEFT, top, _WIDTH, 10.5 * len(_LISTING) + 10, fill=_PALE, stroke=None)
    for index, line in enumerate(_LISTING):
        pen.text(_LEFT + 8, top + 13 + 10.5 * index, line, _CODE)


def _signs(pen: Pen, page_no: int) -> None:
    pale = Style(82, bold=True, color=(0.9, 0.9, 0.9), align="center")
    with pen.turned(330, 440, 52):
        pen.text(0, 0, "PRELIMINARY", pale, body=False)
    _run(pen, page_no)
    # The shadow of a title is the title itself in grey, drawn before it.
    pen.text(_LEFT + 0.9, 86.9, "6.3 Limits of Error", Style(18, bold=True, color=GREY), body=False)
    pen.text(_LEFT, 86, "6.3 Limits of Error", _CHAPTER)
    y = pen.paragraph(_LEFT, 110, _WIDTH, _LIMITS, _BODY)
    _hidden_copy(pen, 110)
    pen.text(_LEFT, y + 8, "Table 6-4. Error of the output at 23 @{deg}C @{+-} 5 @{deg}C", _HEAD)
    y = _error_table(pen, y + 16)
    pen.text(_LEFT, y + 36, "6.3.1 Noise and Bandwidth", _SECTION)
    y = pen.paragraph(_LEFT, y + 54, _WIDTH, _NOISE, _BODY)
    for text in _BULLETS:
        pen.text(_LEFT + 6, y + 4, "•", _BODY)
        y = pen.paragraph(_LEFT + 20, y + 4, _WIDTH - 20, text, _BODY)
    pen.text(_LEFT, y + 26, "Table 6-5. Signs of this chapter", _HEAD)
    _sign_table(pen, y + 33)


_LIMITS = (
    "The limits hold for one year after a calibration, for loads from 0 @{W} to 750 @{W}. Add"
    " 5 × 10^{–6} of the reading for each kelvin outside of 18 @{deg}C to 28 @{deg}C. A"
    " relative humidity of @{<=} 80 % has no effect on H_{2}O-tight versions."
)
_NOISE = (
    "Noise is measured with a load of 250 @{W} @{+-} 0.1 % over 0.1 Hz to 10 Hz. The density above"
    " 1 kHz is 40 nV/@{sqrt}Hz, and the bandwidth is f_{–3dB} = 1/(2@{p}RC) @{~} 3.2 kHz."
)
_BULLETS = (
    "Current noise @{<=} 0.8 @{m}A_{PP} with the filter on; 3@{s} @{~} 1.2 @{m}A without it.",
    "Settling to 10^{–4} of the final value within 900 @{m}s, whatever the load.",
    "Thermal resistance @{q}_{JA} = 62 @{deg}C/W, on a board of 2 cm^{2} copper.",
)


def _hidden_copy(pen: Pen, y: float) -> None:
    """Lay the first paragraph over itself once more, invisibly, as text recognition does."""
    canvas = pen.canvas
    for index, line in enumerate(pen.written[-1][1:4]):
        text = canvas.beginText(_LEFT, HEIGHT - y - 12.5 * index)
        text.setFont("Times-Roman", 10)
        text.setTextRenderMode(3)
        text.textOut(line.replace("Ω", "O").replace("≤", "<"))
        text.setTextRenderMode(0)
        canvas.drawText(text)


def _error_table(pen: Pen, top: float) -> float:
    """Draw a table with rules above, below and under its header only; return its bottom."""
    columns = Columns((_LEFT, 190, 290, 420, _RIGHT), ("left", "right", "right", "right"))
    pen.rule((_LEFT, top), (_RIGHT, top), 1.0)
    columns.put(
        pen, top + 12, ["Range", "Resolution", "Error (% + @{m}A)", "Drift (ppm/@{deg}C)"], _HEAD
    )
    pen.rule((_LEFT, top + 17), (_RIGHT, top + 17), 0.5)
    y = top + 17
    for row in _ERRORS:
        y += 15
        columns.put(pen, y - 3.5, row, _CELL)
    pen.rule((_LEFT, y + 1), (_RIGHT, y + 1), 1.0)
    note = "^{1} With HART resistor of 250 @{W} in the loop."
    pen.text(_LEFT, y + 12, note, _FOOTNOTE)
    return y + 12


def _sign_table(pen: Pen, top: float) -> None:
    """Draw a grid whose first column is in the Symbol font."""
    columns = Columns((_LEFT, 124, 420, _RIGHT), ("center", "left", "center"))
    for index, row in enumerate((("Sign", "Meaning", "Unit"), *_SIGNS)):
        columns.rule(pen, top + 17 * index, 0.5)
        columns.put(pen, top + 17 * index + 12, row, _CELL if index else _HEAD)
    bottom = top + 17 * (len(_SIGNS) + 1)
    columns.rule(pen, bottom, 0.5)
    columns.sides(pen, top, bottom, 0, 1, 2, 3)


_SIGNS = (
    ("@{q}_{JA}", "Thermal resistance from junction to ambient", "°C/W"),
    ("@{s}", "Standard deviation of 100 readings", "@{m}A"),
    ("@{D}T", "Difference of temperature from the last calibration", "@{deg}C"),
    ("R_{W}", "Resistance of the leads, both together", "@{W}"),
    ("@{b}", "Coefficient of the drift", "10^{–6}/@{deg}C"),
)
_ERRORS = (
    ("0 mA to 20 mA", "1 @{m}A", "@{+-} 0.010 + 2", "@{+-} 5"),
    ("4 mA to 20 mA^{1}", "1 @{m}A", "@{+-} 0.012 + 2", "@{+-} 5"),
    ("0 mA to 1 mA", "0.1 @{m}A", "@{+-} 0.015 + 0.5", "@{+-} 10"),
    ("0 V to 10 V, R_{L} @{>=} 2 k@{W}", "0.1 mV", "@{+-} 0.005 + 0", "@{+-} 3"),
)
