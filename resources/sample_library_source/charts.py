"""Typical-characteristics plots: axes, grid, curves and legend as vectors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sample_library_source.house import CURVES, INK, MUTED, REGULAR, WHITE
from sample_library_source.house import SHADE as GRID
from sample_library_source.pen import Pen, Point, Sketch, text_width


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear axis with a tick at each `step`, or a logarithmic one when `step` is 0."""

    title: str
    low: float
    high: float
    step: float = 0.0

    def fraction(self, value: float) -> float:
        """Position of a value along the axis, 0 to 1."""
        if self.step:
            return (value - self.low) / (self.high - self.low)
        span = math.log10(self.high) - math.log10(self.low)
        return (math.log10(value) - math.log10(self.low)) / span

    def ticks(self) -> list[float]:
        """Values that carry a label."""
        if self.step:
            n_steps = round((self.high - self.low) / self.step)
            return [self.low + index * self.step for index in range(n_steps + 1)]
        first, last = round(math.log10(self.low)), round(math.log10(self.high))
        return [10.0**power for power in range(first, last + 1)]

    def minor_ticks(self) -> list[float]:
        """Unlabelled grid values between the decades of a logarithmic axis."""
        if self.step:
            return []
        decades = self.ticks()[:-1]
        return [decade * factor for decade in decades for factor in range(2, 10)]

    def label(self, value: float) -> str:
        """Write a tick's value as datasheets do: 100, 10k, 1M, –40, 0.5."""
        if not self.step:
            for limit, letter in ((1e6, "M"), (1e3, "k")):
                if value >= limit:
                    return f"{value / limit:g}{letter}"
            return f"{value:g}"
        rounded = round(value, 6)
        decimals = max(0, -math.floor(math.log10(self.step) + 1e-9))
        if decimals and round(self.step * 10**decimals) != self.step * 10**decimals:
            decimals += 1
        return f"{abs(rounded) if rounded == 0 else rounded:.{decimals}f}".replace("-", "–")


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one curve; the label goes into the legend unless empty."""

    label: str
    points: tuple[Point, ...]
    dash: tuple[float, ...] = ()
    colour_index: int | None = None
    second_axis: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot with its axes, curves or bars, and the remarks written into it."""

    x: Axis
    y: Axis
    curves: tuple[Curve, ...]
    y2: Axis | None = None
    legend: str = "ne"
    remarks: tuple[str, ...] = ()
    remarks_corner: str = "sw"
    bars: tuple[Point, ...] = field(default=())

    def sketch(self, width: float = 228, height: float = 158) -> Sketch:
        """Lay the plot out in a drawing of the given size in points."""
        return Sketch(width, height, lambda pen: _paint(self, pen, width, height))


def sampled(
    function: Callable[[float], float], low: float, high: float, n: int = 60, *, log: bool = False
) -> tuple[Point, ...]:
    """Evaluate a model at n abscissae from low to high, evenly or by equal factors."""
    if log:
        ratio = (high / low) ** (1 / (n - 1))
        xs = [low * ratio**index for index in range(n)]
        xs[-1] = high
    else:
        xs = [low + (high - low) * index / (n - 1) for index in range(n)]
    return tuple((x, function(x)) for x in xs)


@dataclass(frozen=True, slots=True)
class _Area:
    left: float
    bottom: float
    width: float
    height: float

    def place(self, x: float, y: float) -> Point:
        return self.left + x * self.width, self.bottom + y * self.height


def _paint(chart: Chart, pen: Pen, width: float, height: float) -> None:
    right_margin = 34.0 if chart.y2 else 10.0
    area = _Area(36, 29, width - 36 - right_margin, height - 29 - 8)
    _paint_grid(chart, pen, area)
    for x, y in chart.bars:
        left, bottom = area.place(chart.x.fraction(x - chart.x.step / 2 * 0.0), 0)
        _, top = area.place(0, chart.y.fraction(y))
        bar = area.width / (len(chart.bars) + 2) * 0.82
        pen.rectangle(left - bar / 2, bottom, bar, top - bottom, fill=CURVES[0], stroke=0.3)
    for index, curve in enumerate(chart.curves):
        _paint_curve(chart, pen, area, curve, index)
    pen.rectangle(area.left, area.bottom, area.width, area.height, fill=None, stroke=0.8)
    _paint_labels(chart, pen, area)
    _paint_legend(chart, pen, area)
    _paint_remarks(chart, pen, area)


def _paint_grid(chart: Chart, pen: Pen, area: _Area) -> None:
    for values, stroke in ((chart.x.minor_ticks(), 0.25), (chart.x.ticks(), 0.5)):
        for value in values:
            at = chart.x.fraction(value)
            pen.line(area.place(at, 0), area.place(at, 1), width=stroke, colour=GRID)
    for values, stroke in ((chart.y.minor_ticks(), 0.25), (chart.y.ticks(), 0.5)):
        for value in values:
            at = chart.y.fraction(value)
            pen.line(area.place(0, at), area.place(1, at), width=stroke, colour=GRID)


def _paint_curve(chart: Chart, pen: Pen, area: _Area, curve: Curve, index: int) -> None:
    axis = chart.y2 if curve.second_axis and chart.y2 else chart.y
    colour = CURVES[(index if curve.colour_index is None else curve.colour_index) % len(CURVES)]
    points = [
        area.place(min(max(chart.x.fraction(x), 0.0), 1.0), min(max(axis.fraction(y), 0.0), 1.0))
        for x, y in curve.points
    ]
    pen.line(*points, width=1.15, colour=colour, dash=curve.dash)


def _paint_labels(chart: Chart, pen: Pen, area: _Area) -> None:
    for value in chart.x.ticks():
        x, y = area.place(chart.x.fraction(value), 0)
        pen.text(x, y - 8.5, chart.x.label(value), size=6.2)
    for value in chart.y.ticks():
        x, y = area.place(0, chart.y.fraction(value))
        pen.text(x - 3, y - 2.1, chart.y.label(value), size=6.2, anchor="end")
    pen.text(area.left + area.width / 2, area.bottom - 20, chart.x.title, size=7)
    pen.text(area.left - 25, area.bottom + area.height / 2, chart.y.title, size=7, turned=True)
    if chart.y2:
        for value in chart.y2.ticks():
            x, y = area.place(1, chart.y2.fraction(value))
            pen.text(x + 3, y - 2.1, chart.y2.label(value), size=6.2, anchor="start")
        x = area.left + area.width + 28
        pen.text(x, area.bottom + area.height / 2, chart.y2.title, size=7, turned=True)


def _paint_legend(chart: Chart, pen: Pen, area: _Area) -> None:
    labelled = [(index, curve) for index, curve in enumerate(chart.curves) if curve.label]
    if not labelled:
        return
    width = max(text_width(curve.label, REGULAR, 6.2) for _, curve in labelled) + 24
    height = 8.2 * len(labelled) + 4
    left = area.left + (5 if "w" in chart.legend else area.width - width - 5)
    bottom = area.bottom + (5 if "s" in chart.legend else area.height - height - 5)
    pen.rectangle(left, bottom, width, height, fill=WHITE, stroke=0.4, colour=MUTED)
    for row, (index, curve) in enumerate(labelled):
        y = bottom + height - 8.2 * (row + 1) + 1.6
        colour_index = index if curve.colour_index is None else curve.colour_index
        colour = CURVES[colour_index % len(CURVES)]
        pen.line((left + 4, y), (left + 16, y), width=1.15, colour=colour, dash=curve.dash)
        pen.text(left + 20, y - 2.1, curve.label, size=6.2, anchor="start")


def _paint_remarks(chart: Chart, pen: Pen, area: _Area) -> None:
    corner: str = chart.remarks_corner
    x = area.left + (6 if "w" in corner else area.width - 6)
    anchor = "start" if "w" in corner else "end"
    for index, remark in enumerate(_bottom_up(chart.remarks, corner)):
        offset = 5 + 8.4 * index if "s" in corner else area.height - 10 - 8.4 * index
        width = text_width(remark, REGULAR, 6.2)
        left = x - 1.5 if anchor == "start" else x - width - 1.5
        pen.rectangle(left, area.bottom + offset - 2, width + 3, 8, fill=WHITE, stroke=0)
        pen.text(x, area.bottom + offset, remark, size=6.2, anchor=anchor, colour=INK)


def _bottom_up(remarks: Sequence[str], corner: str) -> list[str]:
    return list(reversed(remarks)) if "s" in corner else list(remarks)
