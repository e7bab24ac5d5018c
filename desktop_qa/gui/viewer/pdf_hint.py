"""A sentence over the pages that leaves by itself: what was copied, why nothing can be selected."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QWidget

from desktop_qa.gui.widgets.timers import single_shot

_SHOWN_MS = 4_000
_PER_WORD_MS = 180
_MARGIN = 16
_MAX_WIDTH = 420


class ViewHint(QLabel):
    """Stands at the bottom of a widget for some seconds; nothing moves when it comes and goes."""

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self.setObjectName("view_hint")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._host = host
        self._timer = single_shot(self, self.hide)
        self.hide()
        host.installEventFilter(self)

    def say(self, sentence: str) -> None:
        """Show a sentence, the longer the longer."""
        self.setText(sentence)
        self.setAccessibleName(sentence)
        self._place()
        self.show()
        self.raise_()
        self._timer.start(_SHOWN_MS + _PER_WORD_MS * len(sentence.split()))

    def _place(self) -> None:
        room = self._host.width() - 2 * _MARGIN
        # Measured as one line: a label that wraps reports a narrow column of words.
        self.setWordWrap(False)
        width = min(self.sizeHint().width(), _MAX_WIDTH, max(room, 80))
        self.setWordWrap(True)
        self.resize(width, self.heightForWidth(width))
        x = (self._host.width() - self.width()) // 2
        self.move(x, self._host.height() - self.height() - _MARGIN)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the bottom."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)
