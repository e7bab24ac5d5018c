"""Two real processes on one library: the second reads only, says so, and writes after the first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.single_window import Doorbell, ring
from desktop_qa.gui.widgets.messages import Banner
from desktop_qa.service.client import ServiceClient
from desktop_qa.service.messages import News
from tests.gui.fake_service import make_library
from tests.gui.patient_bot import press
from tests.helpers.pdf import write_datasheet

_PATIENCE_MS = 180_000


def banner(window: MainWindow) -> Banner | None:
    return next((b for b in window.message_area.banners if b.notice.key == "read only"), None)


def told(window: MainWindow) -> str:
    shown = banner(window)
    return shown.notice.message if shown is not None else ""


def start_window(folder: Path, library: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "desktop_qa", "window", str(folder), "--library", str(library)]
    return subprocess.Popen(words, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"})


@pytest.fixture
def other_window(source_folder, tmp_path) -> Iterator[subprocess.Popen[bytes]]:
    """A window in a process of its own that works on tmp_path / "library"."""
    write_datasheet(source_folder / "acm4197.pdf")
    process = start_window(source_folder, tmp_path / "library")
    yield process
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=180)


@pytest.mark.skipif(sys.platform == "win32", reason="ends the other window by a signal")
@pytest.mark.process
def test_the_second_window_reads_says_so_and_writes_when_the_first_is_closed(
    qtbot, make_application, other_window, source_folder, tmp_path
):
    library = tmp_path / "library"
    qtbot.waitUntil(lambda: ring(library), timeout=_PATIENCE_MS)
    # A second start of the program shows the first window and ends.
    assert start_window(source_folder, library).wait(timeout=180) == 0
    assert other_window.poll() is None

    application = make_application(ServiceClient())
    window = application.window
    qtbot.waitUntil(lambda: application.runner.is_running, timeout=_PATIENCE_MS)
    window.session.open_library(library)
    qtbot.waitUntil(lambda: banner(window) is not None, timeout=_PATIENCE_MS)
    assert window.session.library.read_only
    assert "Questions, marks, settings" in banner(window).notice.hint
    assert not window.action("refresh").isEnabled()

    press(window.message_area, "Show Other Window")
    qtbot.waitUntil(lambda: banner(window) is not None)
    # The line stands there before the answer too: only the signal tells that the other has won.
    with qtbot.waitSignal(window.session.library_opened, timeout=_PATIENCE_MS):
        press(window.message_area, "Try Again to Write")
    assert window.session.library.read_only

    other_window.send_signal(signal.SIGINT)
    assert other_window.wait(timeout=180) == 0
    qtbot.waitUntil(lambda: "is closed" in told(window), timeout=_PATIENCE_MS)
    press(window.message_area, "Open for Writing")
    qtbot.waitUntil(lambda: not window.session.library.read_only, timeout=_PATIENCE_MS)
    assert banner(window) is None
    assert ring_from_here(qtbot, library)


def ring_from_here(qtbot: QtBot, library: Path) -> bool:
    """Ring this process's own bell: from another process, as the ring waits for its answer."""
    words = "from pathlib import Path; from desktop_qa.gui.single_window import ring;"
    words += f" raise SystemExit(0 if ring(Path({str(library)!r})) else 1)"
    process = subprocess.Popen([sys.executable, "-c", words])
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=_PATIENCE_MS)
    return process.returncode == 0


def test_a_library_that_cannot_be_written_says_why_rings_the_other_window_and_is_tried_again(
    qtbot, window, service, tmp_path
):
    # The other window is rung while this one goes on.
    service.open(window.session, make_library(folder=str(tmp_path), read_only=True))
    bell = Doorbell(window)
    bell.listen(tmp_path)
    # Only a window that goes on can answer its own bell.
    with qtbot.waitSignal(bell.rang):
        press(window.message_area, "Show Other Window")
    bell.close()

    def is_told() -> bool:
        banners = window.message_area.banners
        return any("cannot be shown" in shown.notice.message for shown in banners)

    assert not is_told()
    press(window.message_area, "Show Other Window")
    qtbot.waitUntil(is_told)

    # A line about reading only is not pushed out by other notices.
    service.open(window.session, make_library(read_only=True))
    for number in range(6):
        window.libraries.report_missing(f"/gone/{number}")
    assert banner(window) is not None
    assert len(window.message_area.banners) == 3
    assert service.arguments_of("sync") == []
    assert window.action("try_to_write").isEnabled()
    folder = window.session.library.folder
    service.say(News("library free", folder))
    qtbot.waitUntil(lambda: "is closed" in told(window))
    window.action("try_to_write").trigger()
    assert service.arguments_of("open_library")[-1][0] == folder
    service.open(window.session)
    assert banner(window) is None
    assert not window.action("try_to_write").isEnabled()

    # A library on a protected drive says so and blames no other window.
    service.open(window.session, make_library(is_protected=True))
    shown = banner(window)
    assert "cannot be written" in shown.notice.message
    assert [b.text() for b in shown.action_buttons] == ["Try Again to Write"]
    window.care.remove(window.session.statuses[:1])
    removed = next(b for b in window.message_area.banners if "removed" in b.notice.message)
    assert "copy the library elsewhere" in removed.notice.hint
    service.say(News("library free", window.session.library.folder))
    qtbot.waitUntil(lambda: "can be written again" in banner(window).notice.message)
    assert "other window" not in banner(window).notice.message


def test_nobody_answers_for_a_library_that_no_window_has(tmp_path):
    assert not ring(tmp_path / "library")


@pytest.fixture
def bell(qapp, tmp_path) -> Iterator[Doorbell]:
    """That of the library tmp_path / "a", without a window."""
    owner = QObject()
    made = Doorbell(owner)
    made.listen(tmp_path / "a")
    yield made
    made.close()


@pytest.mark.process
def test_a_window_that_is_busy_for_a_while_is_found_by_a_second_start(qtbot, bell, tmp_path):
    words = "from pathlib import Path; from desktop_qa.gui.application import is_shown_already;"
    words += f" library = Path({str(tmp_path / 'a')!r}); print('rings', flush=True);"
    words += " raise SystemExit(0 if is_shown_already(library) else 1)"
    second = subprocess.Popen([sys.executable, "-c", words], stdout=subprocess.PIPE)
    with second:
        second.stdout.readline()
        time.sleep(2.5)  # the window does something else: this is no waiting
        qtbot.waitUntil(lambda: second.poll() is not None, timeout=_PATIENCE_MS)
    assert second.returncode == 0


@pytest.mark.process
def test_a_bell_is_heard_only_for_its_own_library(qtbot, bell, tmp_path):
    with qtbot.waitSignal(bell.rang, timeout=_PATIENCE_MS):
        assert ring_from_here(qtbot, tmp_path / "a")
    assert not ring_from_here(qtbot, tmp_path / "b")
    bell.close()
    assert not ring(tmp_path / "a")
