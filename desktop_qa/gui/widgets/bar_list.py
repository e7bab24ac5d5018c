"""Short bars with a word before and a number behind them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_qa.gui.answers.answer_reasons import Bar
from desktop_qa.gui.widgets import theme as themes

_GAP_PX = 8
_BAR_HEIGHT_PX = 5
_LABEL_SHARE = 0.46


class BarList(QWidget):
    """Draws one line for each `Bar`; what counts against is drawn in another colour, with a minus.

    Args:
        bars: From the top.
        label_share: How much of the width the words have.
    """

    def __init__(
        self,
        bars: tuple[Bar, ...],
        label_share: float = _LABEL_SHARE,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.bars = bars
        self._label_share = label_share
        self._theme = themes.LIGHT
        self._font = QFont(self.font())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("; ".join(f"{bar.label}: {bar.value}" for bar in bars))

    def _line_height(self) -> int:
        return QFontMetrics(self._font).height() + 3

    def sizeHint(self) -> QSize:
        """Return the height of all lines."""
        return QSize(240, self._line_height() * len(self.bars))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw words, bars and numbers."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        metrics, theme = QFontMetrics(self._font), self._theme
        height = self._line_height()
        label_width = round(self.width() * self._label_share)
        value_width = max((metrics.horizontalAdvance(bar.value) for bar in self.bars), default=0)
        left = label_width + _GAP_PX
        room = max(8, self.width() - left - value_width - _GAP_PX)
        middle = Qt.AlignmentFlag.AlignVCenter
        for line, bar in enumerate(self.bars):
            top = line * height
            painter.setPen(QColor(theme.text))
            label = metrics.elidedText(bar.label, Qt.TextElideMode.ElideRight, label_width)
            painter.drawText(QRectF(0, top, label_width, height), middle, label)
            painter.setPen(QColor(theme.dim))
            value = QRectF(left + room + _GAP_PX, top, value_width + 1, height)
            painter.drawText(value, middle | Qt.AlignmentFlag.AlignRight, bar.value)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.line))
            track = QRectF(left, top + (height - _BAR_HEIGHT_PX) / 2, room, _BAR_HEIGHT_PX)
            painter.drawRoundedRect(track, _BAR_HEIGHT_PX / 2, _BAR_HEIGHT_PX / 2)
            painter.setBrush(QColor(theme.accent if bar.share >= 0 else theme.error))
            track.setWidth(max(2.0, room * min(1.0, abs(bar.share))))
            painter.drawRoundedRect(track, _BAR_HEIGHT_PX / 2, _BAR_HEIGHT_PX / 2)

    def event(self, event: QEvent) -> bool:
        """Show the whole words of a line that was cut."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            line = event.pos().y() // self._line_height()
            if 0 <= line < len(self.bars):
                bar = self.bars[line]
                QToolTip.showText(event.globalPos(), f"{bar.label}: {bar.value}", self)
            return True
        return super().event(event)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self._theme = theme
        self._font.setPixelSize(sizes.small_px)
        self.updateGeometry()
        self.update()
