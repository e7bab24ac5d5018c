"""Folders dropped anywhere on the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from desktop_qa.gui import theme as themes

_INSET_PX = 10


def local_paths(data: QMimeData) -> list[str]:
    """Return the local files and folders that are dragged."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


class _DropOverlay(QWidget):
    """A veil over the window that says what letting go will do."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = themes.LIGHT
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(self.theme.panel)
        veil.setAlphaF(0.86)
        painter.fillRect(self.rect(), veil)
        pen = QPen(QColor(self.theme.accent), 2)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        inner = QRectF(self.rect()).adjusted(_INSET_PX, _INSET_PX, -_INSET_PX, -_INSET_PX)
        painter.drawRoundedRect(inner, 10, 10)
        font = self.font()
        font.setPixelSize(20)
        painter.setFont(font)
        painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, "Drop to add the folder")


class DropTarget(QObject):
    """Watches a window for dragged folders.

    Attributes:
        dropped: With a list of paths.
    """

    dropped = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._overlay = _DropOverlay(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept local paths, show the veil meanwhile."""
        kind = event.type()
        if kind == QEvent.Type.DragEnter and isinstance(event, QDragEnterEvent):
            if local_paths(event.mimeData()):
                event.acceptProposedAction()
                self._overlay.setGeometry(self._window.rect())
                self._overlay.raise_()
                self._overlay.show()
                return True
        elif kind == QEvent.Type.DragLeave:
            self._overlay.hide()
        elif kind == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self._overlay.hide()
            found = local_paths(event.mimeData())
            if found:
                event.acceptProposedAction()
                self.dropped.emit(found)
                return True
        return super().eventFilter(watched, event)

    def apply_theme(self, theme: themes.Theme) -> None:
        """Draw the veil in other colours."""
        self._overlay.theme = theme
