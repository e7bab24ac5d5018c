"""A line of any length: what lacks room is elided."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

NAME_MIN_WIDTH_PX = 70


class ElidedLabel(QLabel):
    """A name or a sentence in one line that gives way to what stands beside it."""

    def __init__(
        self,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
        least_px: int = NAME_MIN_WIDTH_PX,
        policy: QSizePolicy.Policy = QSizePolicy.Policy.Expanding,
    ) -> None:
        super().__init__()
        self.is_blank = False
        self._mode = mode
        self._least_px = least_px
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(policy, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Leave the room to the controls."""
        return QSize(0 if self.is_blank else self._least_px, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint as much of the text as there is room for."""
        if self.is_blank:
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), self._mode, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, text)
