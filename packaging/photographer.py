"""The real window over a library of its own, driven offscreen for pictures of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

_SIZE = (1440, 900)


class Photographer:
    """A window over a library of its own, and the means to wait for it."""

    def __init__(self, home: Path) -> None:
        from PySide6.QtCore import QSettings

        from desktop_qa.gui.application import Application, make_qt_application
        from desktop_qa.service.client import ServiceClient

        self.qt = make_qt_application(["screenshots"])
        settings = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
        self.application = Application(self.qt, ServiceClient(), settings)
        self.window = self.application.window
        self.session = self.application.session
        self.window.resize(*_SIZE)
        self.window.show()

    def wait(self, is_done: Callable[[], bool], timeout_s: float = 300.0) -> None:
        """Run the window until something is so."""
        end = time.monotonic() + timeout_s
        while not is_done():
            if time.monotonic() > end:
                msg = "The window did not get there in time."
                raise TimeoutError(msg)
            self.qt.processEvents()
            time.sleep(0.01)

    def settle(self, seconds: float = 2.0) -> None:
        """Let pages and animations come to rest."""
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() > end)

    def ask(self, question: str) -> None:
        """Ask and wait for the answer and its page."""
        from PySide6.QtTest import QSignalSpy

        from desktop_qa.core.question import Question

        ended = QSignalSpy(self.session.turn_ended)
        self.session.ask(Question(question))
        self.wait(lambda: ended.count() > 0)
        self.settle()

    def compare(self, *names: str) -> None:
        """Select documents in the library and press Compare, as a user would."""
        from PySide6.QtCore import QItemSelectionModel
        from PySide6.QtTest import QSignalSpy

        panel = self.window.library_panel
        selection = panel.tree.selectionModel()
        selection.clearSelection()
        for status in self.session.statuses:
            if any(name in status.file for name in names):
                index = panel.model.index_of(status.document_id)
                selection.select(index, QItemSelectionModel.SelectionFlag.Select)
        ended = QSignalSpy(self.session.turn_ended)
        panel.compare_button.click()
        self.wait(lambda: ended.count() > 0)
        self.settle()

    def show_chapter(self, file: str, number: str) -> None:
        """Show the structure of a document and the place of a chapter."""
        from desktop_qa.gui.structure.structure_model import RowKind

        status = next(status for status in self.session.statuses if file in status.file)
        panel = self.window.side_bar.structure_panel
        self.window.documents.show_structure(status)
        self.wait(lambda: panel.tree.model().rowCount() > 0)
        index = panel.tree.model().index(0, 0)
        while index.isValid():
            row = panel.tree.row_of(index)
            if row is not None and row.kind is RowKind.CHAPTER and row.number == number:
                panel.tree.row_chosen.emit(row)
                break
            index = panel.tree.indexBelow(index)
        self.settle()
