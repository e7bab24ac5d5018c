"""Circuit symbols, block diagrams and package drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sample_library_source.house import PALE, WHITE
from sample_library_source.pen import Pen, Point


def resistor(pen: Pen, start: Point, end: Point, label: str = "", value: str = "") -> None:
    """Draw a resistor (IEC box) in the middle of a horizontal or vertical wire."""
    (x1, y1), (x2, y2) = start, end
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    pen.line(start, end)
    if y1 == y2:
        pen.rectangle(x - 10, y - 3.4, 20, 6.8)
        pen.text(x, y + 6, label)
        pen.text(x, y - 11, value, size=6.4)
    else:
        pen.rectangle(x - 3.4, y - 10, 6.8, 20)
        pen.text(x + 6.5, y + (1.2 if value else -2.4), label, anchor="start")
        pen.text(x + 6.5, y - 7, value, size=6.4, anchor="start")


def capacitor(pen: Pen, start: Point, end: Point, label: str = "", value: str = "") -> None:
    """Draw a capacitor in the middle of a horizontal or vertical wire."""
    (x1, y1), (x2, y2) = start, end
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    if y1 == y2:
        near, far = (x - 1.6, x + 1.6) if x1 < x2 else (x + 1.6, x - 1.6)
        pen.line(start, (near, y))
        pen.line((far, y), end)
        for plate in (near, far):
            pen.line((plate, y - 6), (plate, y + 6), width=1.1)
        pen.text(x, y + 9, label)
        pen.text(x, y - 14, value, size=6.4)
    else:
        near, far = (y - 1.6, y + 1.6) if y1 < y2 else (y + 1.6, y - 1.6)
        pen.line(start, (x, near))
        pen.line((x, far), end)
        for plate in (near, far):
            pen.line((x - 6, plate), (x + 6, plate), width=1.1)
        pen.text(x + 8.5, y + (1.5 if value else -2.4), label, anchor="start")
        pen.text(x + 8.5, y - 7, value, size=6.4, anchor="start")


def ground(pen: Pen, x: float, y: float) -> None:
    """Draw a ground symbol hanging from (x, y)."""
    pen.line((x, y), (x, y - 4))
    for index, half in enumerate((6.0, 3.9, 1.8)):
        pen.line((x - half, y - 4 - 2.2 * index), (x + half, y - 4 - 2.2 * index), width=0.9)


def supply(pen: Pen, x: float, y: float, label: str) -> None:
    """Draw a supply bar with its name above (x, y)."""
    pen.line((x, y), (x, y + 6))
    pen.line((x - 6, y + 6), (x + 6, y + 6), width=0.9)
    pen.text(x, y + 9, label)


def terminal(pen: Pen, x: float, y: float, label: str, *, side: str = "left") -> None:
    """Draw an open terminal; its name stands to the left, the right or above."""
    pen.circle(x, y, 2)
    if side == "left":
        pen.text(x - 5, y - 2.4, label, anchor="end")
    elif side == "right":
        pen.text(x + 5, y - 2.4, label, anchor="start")
    else:
        pen.text(x, y + 5, label)


@dataclass(frozen=True, slots=True)
class AmplifierPins:
    """Where wires meet an amplifier's triangle."""

    plus: Point
    minus: Point
    output: Point
    top: Point
    bottom: Point


def amplifier(
    pen: Pen, x: float, y: float, size: float, label: str = "", *, plus_on_top: bool = False
) -> AmplifierPins:
    """Draw an amplifier's triangle with its left edge at x, centred on y."""
    pen.polygon((x, y + size / 2), (x, y - size / 2), (x + size * 0.9, y))
    upper, lower = (x, y + size / 4), (x, y - size / 4)
    signs = ("+", "–") if plus_on_top else ("–", "+")
    for (px, py), sign in zip((upper, lower), signs, strict=True):
        pen.text(px + 5, py - 2.6, sign, size=8)
    pen.text(x + size * 0.36, y - 2.3, label, size=6.6, bold=True)
    plus, minus = (upper, lower) if plus_on_top else (lower, upper)
    edge = size * 0.275
    return AmplifierPins(
        plus, minus, (x + size * 0.9, y), (x + size * 0.4, y + edge), (x + size * 0.4, y - edge)
    )


def block(
    pen: Pen,
    left: float,
    bottom: float,
    width: float,
    height: float,
    *lines: str,
    shaded: bool = False,
    bold: bool = False,
    size: float = 6.8,
) -> None:
    """Draw a labelled box of a block diagram."""
    pen.rectangle(left, bottom, width, height, fill=PALE if shaded else WHITE)
    pen.lines_of_text(left + width / 2, bottom + height / 2, lines, size=size, bold=bold)


def mosfet(pen: Pen, x: float, y: float, *, p_channel: bool = False) -> tuple[Point, Point, Point]:
    """Draw a MOSFET with a vertical channel at x; return gate, upper and lower terminal."""
    pen.line((x - 7, y - 7), (x - 7, y + 7), width=1.0)
    for part in (-7.0, -2.2, 2.6):
        pen.line((x - 4.5, y + part), (x - 4.5, y + part + 4.6), width=1.2)
    pen.line((x - 4.5, y + 5), (x, y + 5), (x, y + 12))
    pen.line((x - 4.5, y - 5), (x, y - 5), (x, y - 12))
    pen.line((x - 4.5, y), (x, y), (x, y - 5 if not p_channel else y + 5))
    if p_channel:
        pen.circle(x - 9, y, 1.8)
        pen.line((x - 10.8, y), (x - 16, y))
    else:
        pen.line((x - 7, y), (x - 16, y))
    return (x - 16, y), (x, y + 12), (x, y - 12)


def package(
    pen: Pen,
    x: float,
    y: float,
    title: Sequence[str],
    left: Sequence[tuple[str, str]],
    right: Sequence[tuple[str, str]],
    *,
    width: float = 62,
    pitch: float = 15.5,
) -> None:
    """Draw a package from above: (number, name) pins, top to bottom, body centred on (x, y).

    The title's lines stand above the body, as on a pin-out page.
    """
    n_rows = max(len(left), len(right))
    height = n_rows * pitch + 8
    pen.rectangle(x - width / 2, y - height / 2, width, height, fill=PALE, stroke=1)
    pen.circle(x - width / 2 + 6, y + height / 2 - 6, 1.8)
    for side, pins in ((-1, left), (1, right)):
        edge = x + side * width / 2
        anchor = "end" if side < 0 else "start"
        inner = "start" if side < 0 else "end"
        spread = pitch * n_rows / len(pins)
        for index, (number, name) in enumerate(pins):
            pin_y = y + height / 2 - 4 - spread * (index + 0.5)
            pen.rectangle(edge if side > 0 else edge - 10, pin_y - 2.6, 10, 5.2, stroke=0.6)
            pen.text(edge - side * 4, pin_y - 2.4, number, size=6.4, anchor=inner)
            pen.text(edge + side * 13, pin_y - 2.5, name, size=7.4, anchor=anchor)
    for index, line in enumerate(title):
        y_line = y + height / 2 + 7 + 9.5 * (len(title) - 1 - index)
        pen.text(x, y_line, line, size=7.6, bold=True)
