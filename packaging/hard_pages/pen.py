"""A pen that draws on PDF pages from the top left and remembers what a person can read there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

WIDTH, HEIGHT = 612.0, 792.0
"""US Letter in points."""

BLACK = (0.0, 0.0, 0.0)
GREY = (0.45, 0.45, 0.45)
Color = tuple[float, float, float]
Point = tuple[float, float]

_SPAN = re.compile(r"([_^@*~])\{([^{}]*)\}")
_SCRIPT_SIZE = 0.68
_SUBSCRIPT_DROP = 0.16
_SUPERSCRIPT_RISE = 0.36


@dataclass(frozen=True, slots=True)
class Family:
    """Names of a family's fonts as the canvas knows them."""

    regular: str
    bold: str
    italic: str


HELVETICA = Family("Helvetica", "Helvetica-Bold", "Helvetica-Oblique")
TIMES = Family("Times-Roman", "Times-Bold", "Times-Italic")


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is set; `size` and `leading` in points."""

    size: float = 9.0
    bold: bool = False
    italic: bool = False
    color: Color = BLACK
    align: str = "left"
    leading: float = 0.0
    font: str = ""


PLAIN = Style()


@dataclass(frozen=True, slots=True)
class _Span:
    """Text of one font at one height; `rise` in points above the baseline."""

    text: str
    font: str
    size: float
    rise: float


class Pen:
    """Draws one document; heights are counted from the top of the page.

    Markup of texts: `_{sub}`, `^{super}`, `@{W}` in the Symbol font, `*{bold}`, `~{italic}`.

    Attributes:
        written: Of each page the texts of its body as they were drawn, furniture left out.
    """

    def __init__(self, path: Path, family: Family, title: str) -> None:
        self.canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1, pageCompression=1)
        self.canvas.setTitle(title)
        self.written: list[list[str]] = [[]]
        self._family = family

    def finish_page(self) -> None:
        """Go on with a new page."""
        self.canvas.showPage()
        self.written.append([])

    def save(self) -> None:
        """Write the file after the last `finish_page`."""
        self.written.pop()
        self.canvas.save()

    def text(
        self,
        x: float,
        y: float,
        text: str,
        style: Style = PLAIN,
        *,
        body: bool = True,
        word_space: float = 0.0,
    ) -> None:
        """Write one line with its baseline at `y`.

        Args:
            x: Left edge, right edge or middle, as `style.align` says.
            y: Baseline, points from the top.
            text: With markup.
            style: Of the line.
            body: False for running lines and watermarks, which are not part of the text.
            word_space: Added to each space, in points.
        """
        spans = list(self._spans(text, style))
        if body:
            self.written[-1].append("".join(span.text for span in spans))
        if style.align != "left":
            x -= self.width_of(text, style) * (1.0 if style.align == "right" else 0.5)
        line = self.canvas.beginText(x, HEIGHT - y)
        line.setFillColorRGB(*style.color)
        if word_space:
            line.setWordSpace(word_space)
        for span in spans:
            line.setFont(span.font, span.size)
            line.setRise(span.rise)
            line.textOut(span.text)
        line.setRise(0)
        if word_space:
            line.setWordSpace(0)
        self.canvas.drawText(line)

    def paragraph(self, x: float, y: float, width: float, text: str, style: Style = PLAIN) -> float:
        """Write lines of at most `width`; return the baseline that the next line would have."""
        leading = style.leading or 1.25 * style.size
        for words in self._broken(text, width, style):
            self.text(x, y, words, style)
            y += leading
        return y

    def justified(
        self, x: float, y: float, width: float, lines: Sequence[str], style: Style
    ) -> float:
        """Write given lines, stretched to `width` but for one that ends a paragraph with "¶"."""
        leading = style.leading or 1.25 * style.size
        for line in lines:
            plain = line.removesuffix("¶")
            n_spaces = plain.count(" ")
            room = width - self.width_of(plain, style)
            space = room / n_spaces if n_spaces and plain == line else 0.0
            self.text(x, y, plain, style, word_space=space)
            y += leading
        return y

    def width_of(self, text: str, style: Style) -> float:
        """Width of a line in points."""
        return sum(
            pdfmetrics.stringWidth(span.text, span.font, span.size)
            for span in self._spans(text, style)
        )

    def _broken(self, text: str, width: float, style: Style) -> Iterator[str]:
        line = ""
        for word in text.split(" "):
            longer = f"{line} {word}" if line else word
            if line and self.width_of(longer, style) > width:
                yield line
                longer = word
            line = longer
        yield line

    def _spans(self, text: str, style: Style) -> Iterator[_Span]:
        family = self._family
        font = style.font or (
            family.bold if style.bold else family.italic if style.italic else family.regular
        )
        end = 0
        for match in _SPAN.finditer(text):
            if match.start() > end:
                yield _Span(text[end : match.start()], font, style.size, 0.0)
            end = match.end()
            mark, inside = match.groups()
            small = _SCRIPT_SIZE * style.size
            match mark:
                case "_":
                    yield _Span(inside, font, small, -_SUBSCRIPT_DROP * style.size)
                case "^":
                    yield _Span(inside, font, small, _SUPERSCRIPT_RISE * style.size)
                case "@":
                    yield _Span(_SYMBOLS[inside], "Symbol", style.size, 0.0)
                case "*":
                    yield _Span(inside, family.bold, style.size, 0.0)
                case _:
                    yield _Span(inside, family.italic, style.size, 0.0)
        if end < len(text):
            yield _Span(text[end:], font, style.size, 0.0)

    @contextmanager
    def turned(self, x: float, y: float, degrees: float = 90.0) -> Iterator[None]:
        """Turn what is drawn within, counterclockwise; (0, 0) is then at (x, y)."""
        self.canvas.saveState()
        self.canvas.translate(x, HEIGHT - y)
        self.canvas.rotate(degrees)
        self.canvas.translate(0, -HEIGHT)
        yield
        self.canvas.restoreState()

    def rule(
        self,
        start: Point,
        end: Point,
        width: float = 0.5,
        color: Color = BLACK,
        dash: tuple[float, ...] = (),
    ) -> None:
        """Stroke a straight line."""
        self.canvas.setDash(*([list(dash)] if dash else []))
        self.canvas.setLineWidth(width)
        self.canvas.setStrokeColorRGB(*color)
        self.canvas.line(start[0], HEIGHT - start[1], end[0], HEIGHT - end[1])
        self.canvas.setDash()

    def bar(self, start: Point, end: Point, width: float = 0.3) -> None:
        """Fill a rectangle so thin that it is seen as a line, as many generators draw rules."""
        left, top = min(start[0], end[0]), min(start[1], end[1])
        wide, high = abs(end[0] - start[0]), abs(end[1] - start[1])
        self.box(left, top, max(wide, width), max(high, width), fill=BLACK, stroke=None)

    def box(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        *,
        fill: Color | None = None,
        stroke: Color | None = BLACK,
        line: float = 0.5,
    ) -> None:
        """Draw a rectangle."""
        if fill is not None:
            self.canvas.setFillColorRGB(*fill)
        if stroke is not None:
            self.canvas.setStrokeColorRGB(*stroke)
            self.canvas.setLineWidth(line)
        self.canvas.rect(
            left, HEIGHT - top - height, width, height,
            stroke=int(stroke is not None), fill=int(fill is not None),
        )  # fmt: skip

    def line_through(
        self,
        points: Sequence[Point],
        width: float = 0.8,
        color: Color = BLACK,
        *,
        closed: bool = False,
        fill: Color | None = None,
    ) -> None:
        """Stroke a polygon line, as one path."""
        path: PDFPathObject = self.canvas.beginPath()
        path.moveTo(points[0][0], HEIGHT - points[0][1])
        for x, y in points[1:]:
            path.lineTo(x, HEIGHT - y)
        if closed:
            path.close()
        self.canvas.setLineWidth(width)
        self.canvas.setStrokeColorRGB(*color)
        if fill is not None:
            self.canvas.setFillColorRGB(*fill)
        self.canvas.drawPath(path, stroke=1, fill=int(fill is not None))

    def arrow(self, start: Point, end: Point, width: float = 0.7) -> None:
        """Draw a horizontal or vertical line with a filled head at its end."""
        self.rule(start, end, width)
        (x0, y0), (x, y) = start, end
        along = (
            ((x > x0) - (x < x0), 0.0) if abs(x - x0) > abs(y - y0) else (0.0, (y > y0) - (y < y0))
        )
        back = x - 5 * along[0], y - 5 * along[1]
        side = 2 * along[1], 2 * along[0]
        head = [
            (x, y),
            (back[0] + side[0], back[1] + side[1]),
            (back[0] - side[0], back[1] - side[1]),
        ]
        self.line_through(head, 0.3, closed=True, fill=BLACK)


_SYMBOLS = {
    "W": "Ω", "m": "µ", "q": "θ", "D": "∆", "<=": "≤", ">=": "≥", "deg": "°", "+-": "±",
    "x": "×", "s": "σ", "->": "→", "~": "≈", "inf": "∞", "sqrt": "√", "p": "π", "b": "β",
}  # fmt: skip
"""Characters by what an author types for them in the Symbol font."""
