"""Tells, through the system, that a long indexing has ended while nobody looked at the window."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import SLOT, QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from desktop_qa.core.progress import IngestReport
from desktop_qa.gui.widgets.labels import n_of
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusMessage

logger = logging.getLogger(__name__)

_KEY = "comfort/notify"
_LONG_S = 30.0
_SHOWN_MS = 15_000
_TIMEOUT_MS = 1000
_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Notification"
_ID = "indexing"


def report_text(report: IngestReport) -> tuple[str, str]:
    """Return title and text: what was read, and what needs attention."""
    text = f"{n_of(report.documents, 'document')} can be asked about."
    parts = []
    if report.failed:
        parts.append(f"{len(report.failed)} could not be read")
    if report.partial:
        parts.append(f"{len(report.partial)} only in part")
    if parts:
        text += f" {', '.join(parts)}."
    return "Indexing has ended", text


class SystemNotifications(QObject):
    """Shows a notification by an icon that is there only meanwhile, else by the desktop portal.

    Where there is a tray, Qt speaks with the system itself; GNOME has none, but has the portal.
    """

    clicked = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._icon: QSystemTrayIcon | None = None
        self._is_listening = False

    def show(self, title: str, text: str) -> bool:
        """Show a notification; False when the system has no way to."""
        if QSystemTrayIcon.isSystemTrayAvailable():
            self._show_by_icon(title, text)
            return True
        return sys.platform.startswith("linux") and self._show_by_portal(title, text)

    def _show_by_portal(self, title: str, text: str) -> bool:
        # Not needed before the first notification.
        from PySide6.QtDBus import QDBusConnection, QDBusMessage

        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return False
        if not self._is_listening:
            slot = SLOT("_on_action(QDBusMessage)")
            target = (_SERVICE, _PATH, _INTERFACE, "ActionInvoked", self, slot)
            # The stub wants bytes for the slot; with bytes the call never returns (6.11.3).
            self._is_listening = bus.connect(*target)  # type: ignore[call-overload]
        call = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, "AddNotification")
        content = {"title": title, "body": text, "default-action": "show"}
        call.setArguments([_ID, content])
        reply = bus.call(call, timeout=_TIMEOUT_MS)
        return reply.type() == QDBusMessage.MessageType.ReplyMessage

    @Slot("QDBusMessage")
    def _on_action(self, message: QDBusMessage) -> None:
        if message.arguments()[:1] == [_ID]:
            self.clicked.emit()

    def _show_by_icon(self, title: str, text: str) -> None:
        if self._icon is None:
            self._icon = QSystemTrayIcon(QApplication.windowIcon(), self, toolTip="Desktop QA")
            self._icon.messageClicked.connect(self._on_clicked)
            self._icon.activated.connect(self._on_clicked)
        self._icon.show()
        self._icon.showMessage(title, text, QApplication.windowIcon(), _SHOWN_MS)

    def _on_clicked(self, _reason: object = None) -> None:
        self.clicked.emit()
        self.withdraw()

    def withdraw(self) -> None:
        """Take the icon away: the user has come back."""
        if self._icon is not None:
            self._icon.hide()


class Notifier(Feature):
    """Watches how long the indexing took, and who looks at the window when it ends."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self.notifications = SystemNotifications(self)
        self.notifications.clicked.connect(window.instances.come_to_front)
        application = QApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_state_changed)
        window.session.sync_finished.connect(self._on_sync_finished)
        window.action("notify").setChecked(self.is_on)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        return {"notify": self.set_on}

    @property
    def is_on(self) -> bool:
        """True unless the user does not want to be told."""
        return str(self._settings.value(_KEY, "true")).lower() != "false"

    def set_on(self, is_on: bool) -> None:
        """Tell of the end of a long indexing, or not."""
        self._settings.setValue(_KEY, is_on)

    def _on_state_changed(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self.notifications.withdraw()

    def _on_sync_finished(self, report: IngestReport | None) -> None:
        if report is None or report.cancelled or report.seconds <= _LONG_S or not self.is_on:
            return
        if QApplication.activeWindow() is not None:
            return
        QApplication.alert(self._window)
        if not self.notifications.show(*report_text(report)):
            logger.info("The system shows no notifications")
