"""Plots of typical characteristics: thin frames with a grid, curves, axis numbers and titles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from hard_pages.pen import Color, Pen, Point, Style

WIDTH, HEIGHT = 212.0, 140.0
"""Of the frame of a plot, in points."""

_TICK = Style(6.5)
_TITLE = Style(7.5)
_LIGHT: Color = (0.8, 0.8, 0.8)
_COLORS: tuple[Color, ...] = ((0.75, 0.1, 0.1), (0.1, 0.2, 0.6), (0.0, 0.45, 0.3))
Curve = Callable[[float], float]
"""Height of a curve, 0 at the bottom of the frame and 1 at its top, at 0 to 1 of its width."""


@dataclass(frozen=True, slots=True)
class Plot:
    """What a plot shows.

    Attributes:
        x_ticks: Numbers below the frame, from the left edge to the right.
        y_ticks: Numbers beside the frame, from the bottom to the top.
        legend: A name for each curve, or none.
        bars: Draw the one curve as the bars of a histogram.
    """

    caption: str
    x_title: str
    y_title: str
    x_ticks: tuple[str, ...]
    y_ticks: tuple[str, ...]
    curves: tuple[Curve, ...]
    legend: tuple[str, ...] = ()
    bars: bool = False


def draw_plot(pen: Pen, left: float, top: float, plot: Plot) -> None:
    """Draw a plot whose frame begins at `left` and `top`."""
    _grid(pen, left, top, plot)
    if plot.bars:
        _bars(pen, left, top, plot.curves[0])
    else:
        for curve, color in zip(plot.curves, _COLORS, strict=False):
            pen.line_through(
                [_place(left, top, i / 60, curve(i / 60)) for i in range(61)], 1, color
            )
    for index, (name, color) in enumerate(zip(plot.legend, _COLORS, strict=False)):
        y = top + 12 + 9 * index
        pen.rule((left + 10, y - 2), (left + 24, y - 2), 1.0, color)
        pen.text(left + 28, y, name, _TICK)
    pen.text(left + WIDTH / 2, top + HEIGHT + 18, plot.x_title, Style(7.5, align="center"))
    _upwards(pen, left - 21, top + HEIGHT / 2, plot.y_title)


def _place(left: float, top: float, x: float, y: float) -> Point:
    return left + WIDTH * x, top + HEIGHT * (1 - y)


def _grid(pen: Pen, left: float, top: float, plot: Plot) -> None:
    for index, tick in enumerate(plot.x_ticks):
        x = left + WIDTH * index / (len(plot.x_ticks) - 1)
        pen.rule((x, top), (x, top + HEIGHT), 0.3, _LIGHT)
        pen.text(x, top + HEIGHT + 8.5, tick, Style(6.5, align="center"))
    for index, tick in enumerate(plot.y_ticks):
        y = top + HEIGHT * (1 - index / (len(plot.y_ticks) - 1))
        pen.rule((left, y), (left + WIDTH, y), 0.3, _LIGHT)
        pen.text(left - 4, y + 2.3, tick, Style(6.5, align="right"))
    pen.box(left, top, WIDTH, HEIGHT, line=0.6)


def _bars(pen: Pen, left: float, top: float, curve: Curve) -> None:
    for index in range(24):
        height = HEIGHT * curve((index + 0.5) / 24)
        if height > 1:
            x = left + WIDTH * index / 24
            pen.box(x, top + HEIGHT - height, WIDTH / 24, height, fill=(0.75, 0.1, 0.1), line=0.3)


def _upwards(pen: Pen, x: float, y: float, text: str) -> None:
    """Write a title that runs upwards, its middle at `y`."""
    with pen.turned(x, y):
        pen.text(0, 0, text, Style(7.5, align="center"))


def wave(base: float, slope: float, depth: float, turns: float) -> Curve:
    """A line with a wave on it."""
    return lambda x: base + slope * x + depth * math.sin(2 * math.pi * turns * x)


def bell(x: float) -> float:
    """A normal distribution."""
    return 0.92 * math.exp(-(((x - 0.5) / 0.17) ** 2))
