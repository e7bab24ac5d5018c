"""The heading path of a piece of evidence on one line; each part of it opens its place."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QWidget

from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.widgets.answer_html import PATH_ARROW
from desktop_qa.gui.widgets.dialog_parts import pop_up
from desktop_qa.gui.widgets.labels import plain_tip
from desktop_qa.gui.widgets.row_painting import chip_pixmap, font_like
from desktop_qa.gui.widgets.symbols import Symbols, draw_line
from desktop_qa.gui.widgets.theme import look

_GAP_PX = 8
_LEAST_LAST_SHARE = 0.55
_HIDDEN = -1
_MOST_MENU_CHARACTERS = 90


class PathButton(QAbstractButton):
    """Draws "[1] OPA4197 › 6 Specifications › **6.7 Electrical Characteristics** · page 7".

    Where room lacks, the headings between the document and the innermost leave first; the dots in
    their place list them. Left and Right choose a part for the keyboard. `clicked` is the innermost
    heading, page or chip; `part_chosen` has the number of headings down to it, 1 is the document.
    """

    part_chosen = Signal(int)

    def __init__(self, view: EvidenceView, symbols: Symbols, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        section_path = view.section_path
        marker = view.marker if view.is_cited else None
        self._symbols = symbols
        self._path = section_path
        self._outer = section_path[:-1]
        self._last = section_path[-1] if section_path else ""
        self._page = f" · page {view.page}"
        self._marker = marker
        self._parts: list[tuple[int, QRectF]] = []
        self._hot: int | None = None
        self._at_key: int | None = None
        self.is_active = False
        full = PATH_ARROW.join(section_path) + self._page
        self.setToolTip(plain_tip(full))
        self.setAccessibleName(f"Citation {marker}: {full}" if marker is not None else full)
        self.setAccessibleDescription("Left and Right choose a heading, Enter opens it")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def _font(self, *, strong: bool) -> QFont:
        weight = QFont.Weight.DemiBold if strong else QFont.Weight.Normal
        return font_like(self.font(), look.answer_sizes.text_px, weight)

    def sizeHint(self) -> QSize:
        """Return the height of the line and its chip."""
        return QSize(240, round(QFontMetricsF(self._font(strong=True)).height()) + 6)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw chip, path and page."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x = 0.0
        if self._marker is not None:
            chip = chip_pixmap(self._marker, self, is_active=self.is_active)
            size = chip.deviceIndependentSize().toSize()
            painter.drawPixmap(0, (self.height() - size.height()) // 2, chip)
            x = float(size.width() + _GAP_PX)
        plain, strong = self._font(strong=False), self._font(strong=True)
        metrics, strong_metrics = QFontMetricsF(plain), QFontMetricsF(strong)
        room = self.width() - x - metrics.horizontalAdvance(self._page) - 2
        last_width = strong_metrics.horizontalAdvance(self._last) + 1
        shown = self._fit_outer(metrics, room, last_width)
        dim, accent = QColor(look.theme.dim), QColor(look.theme.accent)
        self._parts = []
        for part, text in shown:
            start = x
            x = self._paint_text(painter, x, text, plain, accent if part == self._lit else dim)
            self._parts.append((part, QRectF(start, 0, x - start, self.height())))
            x = self._paint_text(painter, x, PATH_ARROW, plain, dim)
        page_width = metrics.horizontalAdvance(self._page)
        last_room = max(0.0, min(last_width, self.width() - x - page_width - 1))
        last = strong_metrics.elidedText(self._last, Qt.TextElideMode.ElideRight, last_room)
        is_lit = self._lit == len(self._path) or (self._hot is None and self.underMouse())
        x = self._paint_text(
            painter, x, last, strong, accent if is_lit else QColor(look.theme.text)
        )
        self._paint_text(painter, x, self._page, plain, dim)
        if self.hasFocus():
            painter.setPen(QPen(QColor(look.theme.accent), 1))
            frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(frame, 4, 4)

    @property
    def _lit(self) -> int | None:
        return self._hot if self._hot is not None else self._at_key if self.hasFocus() else None

    def _fit_outer(
        self, metrics: QFontMetricsF, room: float, last_width: float
    ) -> list[tuple[int, str]]:
        """Return the outer parts that leave the innermost heading its room."""
        if not self._outer:
            return []
        kept = min(last_width, room * _LEAST_LAST_SHARE)
        whole = list(enumerate(self._outer, start=1))
        if metrics.horizontalAdvance(PATH_ARROW.join((*self._outer, ""))) + last_width <= room:
            return whole
        short = [whole[0], (_HIDDEN, "…")] if len(whole) > 1 else whole
        if metrics.horizontalAdvance(PATH_ARROW.join([*(t for _, t in short), ""])) + kept <= room:
            return short
        arrows = metrics.horizontalAdvance(PATH_ARROW) * len(short)
        dots = metrics.horizontalAdvance("…") if len(short) > 1 else 0.0
        left = max(0.0, room - kept - arrows - dots)
        elided = metrics.elidedText(self._outer[0], Qt.TextElideMode.ElideRight, left)
        return [(1, elided), *short[1:]]

    def _paint_text(
        self, painter: QPainter, x: float, text: str, font: QFont, colour: QColor
    ) -> float:
        painter.setFont(font)
        painter.setPen(colour)
        metrics = QFontMetricsF(font)
        baseline = (self.height() - metrics.height()) / 2 + metrics.ascent()
        return x + draw_line(painter, QPointF(x, baseline), text, self._symbols.spans(text))

    def rect_of(self, part: int) -> QRectF:
        """Return where a part was drawn; empty when it is not in sight."""
        return next((rect for shown, rect in self._parts if shown == part), QRectF())

    def _part_at(self, position: QPointF) -> int | None:
        return next((part for part, rect in self._parts if rect.contains(position)), None)

    def _choose(self, part: int) -> None:
        if part == _HIDDEN:
            self._list_hidden()
        elif part >= len(self._path):
            self.clicked.emit()
        else:
            self.part_chosen.emit(part)

    def _list_hidden(self) -> None:
        """Offer the headings that there is no room for."""
        menu = QMenu(self)
        for part, heading in list(enumerate(self._outer, start=1))[1:]:
            text = heading[:_MOST_MENU_CHARACTERS].replace("&", "&&")
            menu.addAction(text, partial(self._choose, part))
        rect = self.rect_of(_HIDDEN)
        pop_up(menu, self.mapToGlobal(QPoint(round(rect.left()), self.height())))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light the part under the pointer."""
        hot = self._part_at(event.position())
        if hot != self._hot:
            self._hot = hot
            self.update()
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Let the light go out."""
        self._hot = None
        self.update()
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the part under the pointer."""
        part = self._part_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and part is not None and self.isDown():
            self.setDown(False)
            self._choose(part)
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a part, open it."""
        shown = [*(part for part, _ in self._parts), len(self._path)]
        at = shown.index(self._at_key) if self._at_key in shown else len(shown) - 1
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = -1 if event.key() == Qt.Key.Key_Left else 1
            self._at_key = shown[min(max(at + step, 0), len(shown) - 1)]
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(shown[at])
        else:
            super().keyPressEvent(event)

    def set_active(self, is_active: bool) -> None:
        """Fill the chip when the viewer shows this place."""
        self.is_active = is_active
        self.update()
