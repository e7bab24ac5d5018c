"""A block diagram and timing diagrams, drawn with strokes and small words as CAD exports them."""

from __future__ import annotations

from hard_pages.pen import Color, Pen, Point, Style

_LABEL = Style(7.5, align="center")
_SMALL = Style(7)
_FILL: Color = (0.93, 0.95, 0.97)


def block_diagram(pen: Pen, left: float, top: float) -> None:
    """Draw the signal path of a sensor, 480 by 180 points."""
    blocks = (
        (0, 62, 62, 40, "Pressure", "bridge"),
        (104, 62, 62, 40, "Chopped", "amplifier"),
        (208, 62, 62, 40, "Modulator", "third order"),
        (312, 62, 62, 40, "Digital", "filter"),
        (416, 62, 62, 40, "Interface", "SPI, I^{2}C"),
        (104, 140, 62, 36, "Temperature", "sensor"),
        (312, 140, 62, 36, "Correction", "and FIFO"),
        (208, 4, 62, 34, "Oscillator", "2 MHz"),
    )
    for x, y, width, height, first, second in blocks:
        pen.box(left + x, top + y, width, height, fill=_FILL, line=0.7)
        pen.text(left + x + width / 2, top + y + height / 2 - 2, first, _LABEL)
        pen.text(left + x + width / 2, top + y + height / 2 + 8, second, _LABEL)
    for x in (62, 166, 270, 374):
        pen.arrow((left + x, top + 82), (left + x + 42, top + 82))
    pen.arrow((left + 239, top + 38), (left + 239, top + 62))
    pen.line_through(
        [(left + 166, top + 158), (left + 226, top + 158), (left + 226, top + 107)], 0.7
    )
    pen.arrow((left + 226, top + 112), (left + 226, top + 102))
    pen.arrow((left + 343, top + 102), (left + 343, top + 140))
    pen.line_through(
        [(left + 374, top + 158), (left + 447, top + 158), (left + 447, top + 107)], 0.7
    )
    pen.arrow((left + 447, top + 112), (left + 447, top + 102))
    pen.text(left + 240, top + 118, "V_{PTAT}", _SMALL)


def timing_diagram(pen: Pen, left: float, top: float, mark: str, *, forced: bool) -> None:
    """Draw START, DRDY and the clock over time, 480 by 108 points, with the mark of the part."""
    pen.text(left + 2, top + 10, mark, Style(8.5, bold=True))
    start, end = left + 60, left + 478
    pulses = (60.0,) if forced else (60.0, 220.0)
    clocks = tuple(at + 6 * i for at in ((174.0,) if forced else (174.0, 334.0)) for i in range(4))
    _signal(pen, "START", start, end, top + 22, pulses, 18.0)
    _signal(pen, "DRDY", start, end, top + 50, (170.0,) if forced else (170.0, 330.0), 26.0)
    _signal(pen, "SCLK", start, end, top + 78, clocks, 3.0)
    first = start + 60
    for x in (first, start + 170):
        pen.rule((x, top + 14), (x, top + 104), 0.3, dash=(2, 2))
    pen.arrow((first + 40, top + 101), (first, top + 101), 0.5)
    pen.arrow((first + 70, top + 101), (first + 110, top + 101), 0.5)
    pen.text(first + 55, top + 103, "t_{CONV}", Style(7.5, align="center"))


def _signal(
    pen: Pen,
    name: str,
    start: float,
    end: float,
    top: float,
    pulses: tuple[float, ...],
    width: float,
) -> None:
    pen.text(start - 8, top + 11, name, Style(7.5, align="right"))
    points: list[Point] = [(start, top + 14)]
    for pulse in pulses:
        points += [
            (start + pulse, top + 14),
            (start + pulse + 1.5, top),
            (start + pulse + width, top),
            (start + pulse + width + 1.5, top + 14),
        ]
    pen.line_through([*points, (end, top + 14)], 0.9)
