"""The marks of the evidence on the pages and in the bar beside them: amber, and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import cast

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRegion,
)
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider, QToolTip, QWidget

from desktop_qa.core.document import Provenance
from desktop_qa.core.mark import MarkColour
from desktop_qa.gui.marks.mark_book import line_of
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_layout import PageLayout
from desktop_qa.gui.viewer.pdf_find import FOUND_COLOR, FOUND_ON_DARK
from desktop_qa.gui.widgets.labels import plain_tip
from desktop_qa.gui.widgets.row_painting import faded
from desktop_qa.gui.widgets.theme import look

AMBER = QColor("#ffc400")
AMBER_BORDER = QColor("#d99a00")
_ACTIVE_FILL = 0.38
_OTHER_FILL = 0.20
_LOOKED_UP_STRENGTH = 0.3
_OTHER_BORDER = 0.45
_BORDER_WIDTH = 1.5
_RADIUS = 2.0
_BADGE_HEIGHT = 18.0
_BADGE_PADDING = 6.0
_BADGE_OVERLAP = 8.0
_NEW_BADGE_DISTANCE_PT = 120.0
_LIGHT_ACCENT = 0.62

NO_MARKER = 0
"""A place that was looked up, not cited: it has no number and not the colour of evidence."""
_TICK_HEIGHT = 3.0
_OTHER_ALPHA = 0.55
_FOUND_HEIGHT = 2.0
_DOT_PX = 4.0
_GRASP_PX = 4.0


@dataclass(frozen=True, slots=True)
class Highlight:
    """What one citation points at in the open document, and the words that it cites.

    Citations are numbered from 1.
    """

    marker: int
    places: tuple[Provenance, ...]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Badge:
    """A citation's number in the margin; `rect` is on the canvas."""

    marker: int
    rect: QRectF


def paint_highlights(
    painter: QPainter,
    layout: PageLayout,
    page_index: int,
    highlights: Iterable[Highlight],
    active: int | None,
    colours: PageColours,
) -> None:
    """Paint the rectangles of a page, the active one's on top; what is cited is amber."""
    accent = QColor(look.theme.accent)
    ordered = sorted(highlights, key=lambda highlight: highlight.marker == active)
    for highlight in ordered:
        is_active = highlight.marker == active
        is_cited = highlight.marker != NO_MARKER
        fill, border = (AMBER, AMBER_BORDER) if is_cited else (accent, _on_paper(accent, colours))
        strength = 1.0 if is_cited else _LOOKED_UP_STRENGTH
        rects = layout.rects_on(page_index, highlight.places)
        tint = faded(fill, strength * (_ACTIVE_FILL if is_active else _OTHER_FILL))
        colours.tint(painter, _covered(rects), tint)
        color = faded(border, 1.0 if is_active else _OTHER_BORDER)
        width = _BORDER_WIDTH if is_active else 1.0
        painter.setPen(QPen(color, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for rect in rects:
            # Outside the rectangle: a border over the words would make them hard to read.
            outset = (width + 1) / 2
            painter.drawRoundedRect(
                rect.adjusted(-outset, -outset, outset, outset), _RADIUS, _RADIUS
            )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _covered(rects: Iterable[QRectF]) -> Iterable[QRect]:
    """Return what rectangles cover in whole pixels, each pixel once.

    Outwards, for half a pixel left out would cut the edge of a small word; once, for lines overlap.
    """
    region = QRegion()
    for rect in rects:
        region = region.united(rect.toAlignedRect())
    return cast("Iterable[QRect]", region)


def badges(
    layout: PageLayout,
    page_indices: Iterable[int],
    highlights: Iterable[Highlight],
    left_edge: float,
    font: QFont,
) -> Iterator[Badge]:
    """Yield the numbers of the visible pages, none over another, in view from the left edge on."""
    metrics = QFontMetricsF(font)
    highlights = tuple(highlights)
    for page_index in page_indices:
        taken: list[QRectF] = []
        for top, height, marker in sorted(_groups(layout, page_index, highlights)):
            width = max(metrics.horizontalAdvance(str(marker)) + 2 * _BADGE_PADDING, _BADGE_HEIGHT)
            left = layout.page_rect(page_index).left() + _BADGE_OVERLAP - width
            y = top + (min(height, 2 * _BADGE_HEIGHT) - _BADGE_HEIGHT) / 2
            rect = QRectF(max(left, left_edge + 2), y, width, _BADGE_HEIGHT)
            for other in taken:
                if rect.intersects(other):
                    rect.moveTop(other.bottom() + 2)
            taken.append(rect)
            yield Badge(marker, rect)


def _groups(
    layout: PageLayout, page_index: int, highlights: tuple[Highlight, ...]
) -> Iterator[tuple[float, float, int]]:
    """Yield top, height and marker of rectangles that stand near each other on a page."""
    far = _NEW_BADGE_DISTANCE_PT * layout.pixels_per_point(page_index)
    for highlight in highlights:
        if highlight.marker == NO_MARKER:
            continue
        bottom: float | None = None
        rects = layout.rects_on(page_index, highlight.places)
        for rect in sorted(rects, key=lambda rect: rect.top()):
            if bottom is None or rect.top() - bottom > far:
                yield rect.top(), rect.height(), highlight.marker
            bottom = max(rect.bottom(), bottom if bottom is not None else rect.bottom())


def paint_badge(painter: QPainter, badge: Badge, *, is_active: bool, font: QFont) -> None:
    """Paint a number: filled when its citation is the active one, outlined otherwise."""
    accent = QColor(look.theme.accent)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    rect = badge.rect.adjusted(0.5, 0.5, -0.5, -0.5)
    on_accent = QColor("#10141c" if accent.lightnessF() > _LIGHT_ACCENT else "#ffffff")
    painter.setPen(QPen(accent, 1.0))
    painter.setBrush(accent if is_active else on_accent)
    painter.drawRoundedRect(rect, 4, 4)
    painter.setPen(on_accent if is_active else accent)
    painter.drawText(badge.rect, Qt.AlignmentFlag.AlignCenter, str(badge.marker))
    painter.restore()


def _on_paper(color: QColor, colours: PageColours) -> QColor:
    """Return a colour that is seen on the paper; the dark theme's own are light."""
    is_light = color.lightnessF() > _LIGHT_ACCENT
    if colours is PageColours.DARK:
        return color if is_light else color.lighter(160)
    return color.darker(160) if is_light else color


class TickScrollBar(QScrollBar):
    """A vertical scroll bar: ticks of evidence and finds over its groove, dots of marks beside.

    All stand at heights that are fractions of the document.

    Attributes:
        ticks: Of evidence; True marks the active citation.
        found_ticks: Of the words that are looked for; True marks the present place.
        tips: What is said at a height.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.ticks: tuple[tuple[float, bool], ...] = ()
        self.found_ticks: tuple[tuple[float, bool], ...] = ()
        self.dots: tuple[tuple[float, MarkColour], ...] = ()
        self.tips: tuple[tuple[float, str], ...] = ()

    def tip_at(self, y: float) -> str:
        """Return what is said of the ticks and dots near a height of the bar; empty for nothing."""
        groove = self._groove()
        near = [
            (abs(groove.top() + fraction * groove.height() - y), text)
            for fraction, text in self.tips
        ]
        found = dict.fromkeys(text for distance, text in sorted(near) if distance <= _GRASP_PX)
        return "\n".join(found)

    def _groove(self) -> QRectF:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        return QRectF(
            self.style().subControlRect(
                QStyle.ComplexControl.CC_ScrollBar,
                option,
                QStyle.SubControl.SC_ScrollBarGroove,
                self,
            )
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar as the style does, and the ticks over it."""
        super().paintEvent(event)
        if not (self.ticks or self.dots or self.found_ticks):
            return
        groove, is_dark = self._groove(), look.theme.is_dark
        painter = QPainter(self)
        for ticks, of_all, plain_height in (
            (self.found_ticks, FOUND_ON_DARK if is_dark else FOUND_COLOR, _FOUND_HEIGHT),
            (self.ticks, AMBER_BORDER, _TICK_HEIGHT),
        ):
            for fraction, is_active in sorted(ticks, key=itemgetter(1)):
                color = faded(of_all, 1.0 if is_active else _OTHER_ALPHA)
                height = _TICK_HEIGHT if is_active else plain_height
                y = groove.top() + fraction * (groove.height() - height)
                painter.fillRect(QRectF(1, round(y), self.width() - 2, height), color)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for fraction, colour in self.dots:
            painter.setBrush(line_of(colour, is_dark=is_dark))
            y = groove.top() + fraction * (groove.height() - _DOT_PX) + _DOT_PX / 2
            painter.drawEllipse(QPointF(self.width() / 2, y), _DOT_PX / 2, _DOT_PX / 2)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Say what a tick stands for."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip_at(event.pos().y())
            if text:
                QToolTip.showText(event.globalPos(), plain_tip(text), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)
