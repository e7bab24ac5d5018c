"""An hour at the window over real datasheets: by mouse and keys, with the library's own process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.gui.main_window import MainWindow

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]

LONG_MS = 120_000
OFFSET = "What is the typical input offset voltage of the OPA4197?"
STEPS = "How do I read a measurement from the SCD4x?"


@pytest.fixture
def opened(qtbot, window, ten_library, tmp_path) -> MainWindow:
    """The window over a copy of the ten documents' library."""
    copy = tmp_path / "library"
    shutil.copytree(ten_library.folder, copy)
    window.session.open_library(copy)
    qtbot.waitUntil(lambda: bool(window.session.statuses), timeout=LONG_MS)
    qtbot.waitUntil(lambda: not window.session.is_syncing, timeout=LONG_MS)
    return window


def ask(qtbot: QtBot, window: MainWindow, question: str) -> None:
    window.action("focus_ask").trigger()
    QTest.keyClicks(window.ask_box.edit, question)
    with qtbot.waitSignal(window.session.turn_ended, timeout=LONG_MS):
        QTest.keyClick(window.ask_box.edit, Qt.Key.Key_Return)


def shown_file(window: MainWindow) -> str:
    stamp = window.pdf_panel.view.document.stamp
    return Path(stamp.path).name if stamp is not None else ""


def focused() -> QWidget:
    """Return what has the focus; keys go there."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_asked_looked_up_found_marked_and_searched(qtbot, opened):
    window, view = opened, opened.pdf_panel.view

    ask(qtbot, window, OFFSET)
    answer = window.answer_panel.view
    assert answer is not None
    assert "25 µV" in answer.answer.text.replace("\u00a0", " ")
    qtbot.waitUntil(lambda: shown_file(window) == "TI_OPA4197.pdf", timeout=LONG_MS)
    cited = next(piece for piece in answer.evidence if piece.is_cited)
    page_no = cited.places[0].page_no
    qtbot.waitUntil(lambda: view.current_page == page_no, timeout=LONG_MS)

    # In the document: found by Ctrl+F, counted, and stepped through by Enter.
    window.action("find").trigger()
    QTest.keyClicks(focused(), "offset voltage")
    finder = view.finder
    qtbot.waitUntil(lambda: len(finder.hits) > 5 and not finder.is_running, timeout=LONG_MS)
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    QTest.keyClick(focused(), Qt.Key.Key_Escape)

    # A mark of the reader's own, on the words that the answer cites.
    window.marks.mark(cited.quotes[0], cited.places[:1])
    qtbot.waitUntil(lambda: len(window.pdf_panel.book.marks) == 1, timeout=LONG_MS)

    # Another document by another question, and back to where the reader was.
    ask(qtbot, window, STEPS)
    qtbot.waitUntil(lambda: shown_file(window) == "SENSIRION_SCD4X.pdf", timeout=LONG_MS)
    window.action("viewer_back").trigger()
    qtbot.waitUntil(lambda: shown_file(window) == "TI_OPA4197.pdf", timeout=LONG_MS)

    # Searched without an answer: places with their words, the first one opened by Enter.
    window.action("search_mode").trigger()
    QTest.keyClicks(window.ask_box.edit, '"dropout voltage" kind:table')
    QTest.keyClick(window.ask_box.edit, Qt.Key.Key_Return)
    panel = window.searches.panel
    qtbot.waitUntil(lambda: panel.page is not None and panel.page.n_found > 0, timeout=LONG_MS)
    assert panel.page is not None
    assert all("dropout" in hit.snippet.lower() for hit in panel.page.hits[:3])
