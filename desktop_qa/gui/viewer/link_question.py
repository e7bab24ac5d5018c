"""The question before an address is opened outside of the program; nothing is opened without it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop_qa.gui.viewer.pdf_links import refusal
from desktop_qa.gui.widgets.messages import MessageArea, Notice, NoticeLevel

_NOTICE = "link"
_MAX_SHOWN = 500
_BREAK_EVERY = 24


class LinkQuestion(QObject):
    """Asks about one address at a time.

    Attributes:
        box: The question on screen, if there is one.
    """

    def __init__(self, host: QWidget, messages: MessageArea) -> None:
        super().__init__(host)
        self._host = host
        self._messages = messages
        self.box: QMessageBox | None = None

    def ask(self, address: str) -> None:
        """Show an address whole and open it when that is wanted; say why one is refused."""
        reason = refusal(address)
        if reason:
            shown = address[:_MAX_SHOWN]
            notice = Notice(NoticeLevel.WARNING, reason, shown, key=_NOTICE, passes=True)
            self._messages.post(notice)
            return
        box = QMessageBox(self._host.window())
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setObjectName("link_question")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Open Address")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText("Open this address outside Desktop QA?")
        box.setInformativeText(_breakable(address))
        box.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        opening = box.addButton("&Open", QMessageBox.ButtonRole.AcceptRole)
        copying = box.addButton("&Copy Address", QMessageBox.ButtonRole.ActionRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        opening.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(address)))
        copying.clicked.connect(lambda: QGuiApplication.clipboard().setText(address))
        box.destroyed.connect(self._on_box_destroyed)
        self.box = box
        box.open()

    def _on_box_destroyed(self) -> None:
        self.box = None


def _breakable(address: str) -> str:
    """Let a long address break anywhere, so that all of it is seen."""
    pieces = range(0, len(address), _BREAK_EVERY)
    return "\u200b".join(address[start : start + _BREAK_EVERY] for start in pieces)
