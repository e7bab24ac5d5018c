"""Vector drawing on a reportlab canvas, and the flowable that puts a drawing into a story."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from reportlab.lib.colors import Color
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from sample_library_source.house import BOLD, INK, ITALIC, REGULAR, WHITE, script_runs

Point = tuple[float, float]


class Pen:
    """Draws in points, y upwards, from the lower left corner of its figure."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def line(
        self,
        *points: Point,
        width: float = 0.7,
        colour: Color = INK,
        dash: tuple[float, ...] = (),
    ) -> None:
        """Draw an open polyline."""
        self.canvas.saveState()
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(width)
        self.canvas.setLineJoin(1)
        if dash:
            self.canvas.setDash(list(dash))
        path = self.canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        self.canvas.drawPath(path)
        self.canvas.restoreState()

    def polygon(
        self, *points: Point, fill: Color | None = WHITE, width: float = 0.8, colour: Color = INK
    ) -> None:
        """Draw a closed polygon; no fill when `fill` is None, no outline when `width` is 0."""
        self.canvas.saveState()
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(width)
        if fill is not None:
            self.canvas.setFillColor(fill)
        path = self.canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        path.close()
        self.canvas.drawPath(path, stroke=int(width > 0), fill=int(fill is not None))
        self.canvas.restoreState()

    def rectangle(
        self,
        left: float,
        bottom: float,
        width: float,
        height: float,
        *,
        fill: Color | None = WHITE,
        stroke: float = 0.8,
        colour: Color = INK,
        radius: float = 0.0,
        dash: tuple[float, ...] = (),
    ) -> None:
        """Draw a rectangle, with round corners when `radius` is given."""
        self.canvas.saveState()
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(stroke)
        if dash:
            self.canvas.setDash(list(dash))
        if fill is not None:
            self.canvas.setFillColor(fill)
        ink = {"stroke": int(stroke > 0), "fill": int(fill is not None)}
        if radius:
            self.canvas.roundRect(left, bottom, width, height, radius, **ink)
        else:
            self.canvas.rect(left, bottom, width, height, **ink)
        self.canvas.restoreState()

    def circle(
        self, x: float, y: float, radius: float, *, fill: Color | None = WHITE, stroke: float = 0.8
    ) -> None:
        """Draw a circle around (x, y)."""
        self.canvas.saveState()
        self.canvas.setStrokeColor(INK)
        self.canvas.setLineWidth(stroke)
        if fill is not None:
            self.canvas.setFillColor(fill)
        self.canvas.circle(x, y, radius, stroke=int(stroke > 0), fill=int(fill is not None))
        self.canvas.restoreState()

    def dot(self, x: float, y: float) -> None:
        """Mark a junction of wires."""
        self.circle(x, y, 1.5, fill=INK, stroke=0)

    def arrow(
        self, start: Point, end: Point, *, width: float = 0.7, both: bool = False, head: float = 4.5
    ) -> None:
        """Draw a straight arrow; `both` gives it two heads."""
        self.line(start, end, width=width)
        self._head(start, end, head)
        if both:
            self._head(end, start, head)

    def _head(self, start: Point, end: Point, size: float) -> None:
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        corners = [
            (end[0] - size * math.cos(angle + turn), end[1] - size * math.sin(angle + turn))
            for turn in (0.38, -0.38)
        ]
        self.polygon(end, *corners, fill=INK, width=0)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 7,
        anchor: str = "middle",
        bold: bool = False,
        italic: bool = False,
        colour: Color = INK,
        turned: bool = False,
    ) -> None:
        """Draw notated text on its baseline; `anchor` is start, middle or end."""
        font = BOLD if bold else ITALIC if italic else REGULAR
        width = text_width(text, font, size)
        offset = {"start": 0.0, "middle": -width / 2, "end": -width}[anchor]
        self.canvas.saveState()
        self.canvas.translate(x, y)
        if turned:
            self.canvas.rotate(90)
        self.canvas.setFillColor(colour)
        for kind, run in script_runs(text):
            run_size = size * 0.74 if kind else size
            rise = {"": 0.0, "_": -size * 0.18, "^": size * 0.34}[kind]
            self.canvas.setFont(font, run_size)
            self.canvas.drawString(offset, rise, run)
            offset += stringWidth(run, font, run_size)
        self.canvas.restoreState()

    def lines_of_text(
        self, x: float, y: float, lines: Sequence[str], *, size: float = 7, bold: bool = False
    ) -> None:
        """Draw centred lines whose block is centred on (x, y)."""
        leading = size * 1.22
        top = y + leading * (len(lines) - 1) / 2 - size * 0.35
        for index, line in enumerate(lines):
            self.text(x, top - index * leading, line, size=size, bold=bold)


def text_width(text: str, font: str, size: float) -> float:
    """Width in points of notated text."""
    return sum(
        float(stringWidth(run, font, size * 0.74 if kind else size))
        for kind, run in script_runs(text)
    )


class Sketch(Flowable):
    """A drawing of fixed size in a story, centred in the width it is given."""

    def __init__(
        self, width: float, height: float, paint: Callable[[Pen], None], *, scale: float = 1.0
    ) -> None:
        super().__init__()
        self.width, self.height = width, height * scale
        self._paint, self._scale = paint, scale
        self.hAlign = "CENTER"

    def draw(self) -> None:
        """Paint on the canvas, whose origin platypus has moved to the lower left corner."""
        if self._scale != 1.0:
            self.canv.translate(self.width * (1 - self._scale) / 2, 0)
            self.canv.scale(self._scale, self._scale)
        self._paint(Pen(self.canv))
