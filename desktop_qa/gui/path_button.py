"""The heading path of a piece of evidence on one line; a click opens its place."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_qa.gui import theme as themes
from desktop_qa.gui.answer_html import PATH_ARROW
from desktop_qa.gui.chips import chip_font, chip_pixmap, chip_size

_GAP_PX = 8
_LEAST_LAST_SHARE = 0.55


class PathButton(QAbstractButton):
    """Draws "[1] OPA4197 › 6 Specifications › **6.7 Electrical Characteristics** · page 7".

    Where room lacks, the headings between the document and the innermost leave first.
    """

    def __init__(
        self,
        section_path: tuple[str, ...],
        page_no: int,
        marker: int | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._outer = section_path[:-1]
        self._last = section_path[-1] if section_path else ""
        self._page = f" · page {page_no}"
        self._marker = marker
        self._theme = themes.LIGHT
        self._sizes = themes.TextSizes.around(13)
        self.is_active = False
        full = PATH_ARROW.join(section_path) + self._page
        self.setToolTip(full)
        self.setAccessibleName(f"Citation {marker}: {full}" if marker is not None else full)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def _font(self, *, strong: bool) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(self._sizes.text_px)
        font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        return font

    def sizeHint(self) -> QSize:
        """Return the height of the line and its chip."""
        return QSize(240, round(QFontMetricsF(self._font(strong=True)).height()) + 6)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw chip, path and page."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x = self._paint_chip(painter)
        plain, strong = self._font(strong=False), self._font(strong=True)
        plain_metrics, strong_metrics = QFontMetricsF(plain), QFontMetricsF(strong)
        page_width = plain_metrics.horizontalAdvance(self._page)
        room = self.width() - x - page_width - 2
        last_width = strong_metrics.horizontalAdvance(self._last) + 1
        prefix = self._fit_prefix(plain_metrics, room, last_width)
        last_width = min(last_width, room - plain_metrics.horizontalAdvance(prefix))
        dim = QColor(self._theme.dim)
        x = self._paint_text(painter, x, prefix, plain, dim)
        last = strong_metrics.elidedText(self._last, Qt.TextElideMode.ElideRight, last_width)
        hot = self.underMouse()
        colour = QColor(self._theme.accent if hot else self._theme.text)
        x = self._paint_text(painter, x, last, strong, colour)
        self._paint_text(painter, x, self._page, plain, dim)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.accent), 1))
            frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(frame, 4, 4)

    def _paint_chip(self, painter: QPainter) -> float:
        if self._marker is None:
            return 0.0
        font = chip_font(self.font(), self._sizes.small_px)
        chip = chip_pixmap(
            self._marker,
            font,
            self._theme,
            is_active=self.is_active,
            scale=self.devicePixelRatioF(),
        )
        size = chip_size(self._marker, font)
        painter.drawPixmap(0, (self.height() - size.height()) // 2, chip)
        return size.width() + _GAP_PX

    def _fit_prefix(self, metrics: QFontMetricsF, room: float, last_width: float) -> str:
        """Return the longest prefix that leaves the innermost heading its room."""
        if not self._outer:
            return ""
        kept = min(last_width, room * _LEAST_LAST_SHARE)
        document = self._outer[0]
        whole = PATH_ARROW.join((*self._outer, ""))
        if metrics.horizontalAdvance(whole) + last_width <= room:
            return whole
        short = f"{document}{PATH_ARROW}…{PATH_ARROW}" if len(self._outer) > 1 else whole
        if metrics.horizontalAdvance(short) + kept <= room:
            return short
        arrow = metrics.horizontalAdvance(PATH_ARROW)
        elided = metrics.elidedText(document, Qt.TextElideMode.ElideRight, room - kept - arrow)
        return elided + PATH_ARROW

    def _paint_text(
        self, painter: QPainter, x: float, text: str, font: QFont, colour: QColor
    ) -> float:
        painter.setFont(font)
        painter.setPen(colour)
        width = QFontMetricsF(font).horizontalAdvance(text)
        rect = QRectF(x, 0, width + 2, self.height())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, text)
        return x + width

    def set_active(self, is_active: bool) -> None:
        """Fill the chip when the viewer shows this place."""
        self.is_active = is_active
        self.update()

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self._theme, self._sizes = theme, sizes
        self.updateGeometry()
        self.update()
