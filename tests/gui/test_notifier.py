"""The end of a long indexing is told when nobody looks at the window."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtWidgets import QApplication

from desktop_qa.core.progress import DocumentState
from desktop_qa.gui.notifier import Notifier, report_text
from tests.gui.fake_service import make_report, make_status

_FAILED = make_status("x.pdf", DocumentState.FAILED, reason="It is damaged.")


@pytest.fixture
def told(make_parts, session, service, monkeypatch) -> tuple[Notifier, list[tuple[str, str]]]:
    """A notifier, and what the system was asked to show; that itself stays out of the test."""
    shown: list[tuple[str, str]] = []
    window = make_parts()
    window.instances = Mock()
    service.finish(session)
    made = Notifier(window)
    monkeypatch.setattr(made.notifications, "show", lambda *words: shown.append(words) or True)
    return made, shown


def test_counts_of_what_was_read_and_what_was_not_are_told():
    title, text = report_text(make_report(failed=(_FAILED, _FAILED), partial=(_FAILED,)))
    assert title == "Indexing has ended"
    assert text == "51 documents can be asked about. 2 could not be read, 1 only in part."
    assert report_text(make_report(documents=1))[1] == "1 document can be asked about."


def test_a_long_indexing_that_nobody_sees_is_told_of_unless_it_is_switched_off(
    session, service, told, monkeypatch, settings
):
    notifier, shown = told

    def index(looks_at: object = None, **changes: object) -> None:
        """Index once more, for a little more than half a minute."""
        monkeypatch.setattr(QApplication, "activeWindow", staticmethod(lambda: looks_at))
        session.sync()
        service.finish(session, make_report(seconds=31.0, **changes))

    session.sync()
    service.finish(session, make_report(seconds=29.0))
    index(cancelled=True)
    index(looks_at=notifier.parent())
    assert shown == []

    # A click brings the window to the front.
    index(failed=(_FAILED,))
    assert shown == [
        ("Indexing has ended", "51 documents can be asked about. 1 could not be read.")
    ]
    notifier.notifications.clicked.emit()
    notifier.parent().instances.come_to_front.assert_called_once()

    # That it is switched off is remembered.
    notifier.set_on(False)
    settings.sync()
    assert str(settings.value("comfort/notify")).lower() == "false"
    index(failed=(_FAILED,))
    assert len(shown) == 1


_PORTAL = """
import subprocess, sys, time
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusVirtualObject
from PySide6.QtWidgets import QApplication
path, name = "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Notification"
if sys.argv[1:] == ["portal"]:
    application, bus = QCoreApplication([]), QDBusConnection.sessionBus()
    class Portal(QDBusVirtualObject):
        def introspect(self, path):
            return ""
        def handleMessage(self, message, connection):
            connection.send(message.createReply())
            clicked = QDBusMessage.createSignal(path, name, "ActionInvoked")
            clicked.setArguments([message.arguments()[0], "show", []])
            return connection.send(clicked)
    portal = Portal()
    bus.registerVirtualObject(path, portal)
    bus.registerService("org.freedesktop.portal.Desktop")
    print("ready", flush=True)
    application.exec()
else:
    application = QApplication([])
    from desktop_qa.gui import notifier
    notifier._TIMEOUT_MS = 60_000
    owner, clicked = QObject(), []
    shown = notifier.SystemNotifications(owner)
    shown.clicked.connect(lambda: clicked.append(1))
    portal = subprocess.Popen([sys.executable, __file__, "portal"], stdout=subprocess.PIPE)
    portal.stdout.readline()
    assert shown.show("Indexing has ended", "51 documents")
    end = time.monotonic() + 60
    while not clicked and time.monotonic() < end:
        application.processEvents()
    portal.kill()
    portal.wait()
    assert clicked
    print("heard")
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("dbus-run-session") is None,
    reason="needs a session bus of its own",
)
@pytest.mark.process
def test_the_desktop_portal_shows_it_and_tells_of_the_click(tmp_path):
    script = tmp_path / "portal.py"
    script.write_text(textwrap.dedent(_PORTAL))
    done = subprocess.run(
        ["dbus-run-session", "--", sys.executable, str(script)],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert "heard" in done.stdout, done.stderr
