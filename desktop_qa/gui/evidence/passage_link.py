"""A passage of a document on its way into the box for questions."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop_qa.gui.asking.ask_box import AskBox
from desktop_qa.gui.library.scope_model import document_entry
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.viewer.page_text_link import PageTextLink


class PassageLink(QObject):
    """Asks about a selected passage.

    Signals:
        asking_wanted: The box for questions holds the passage.
    """

    asking_wanted = Signal()

    def __init__(self, session: LibrarySession, texts: PageTextLink, ask_box: AskBox) -> None:
        super().__init__(texts)
        self._session = session
        self._ask_box = ask_box
        texts.ask_requested.connect(self._on_ask_requested)

    def _on_ask_requested(self, text: str, path: Path, _page_no: int) -> None:
        """Put the passage into the box, limited to its document, ready to be completed."""
        status = next((one for one in self._session.statuses if Path(one.path) == path), None)
        if status is not None:
            self._ask_box.scope_bar.set_entries((document_entry(status),))
        self.asking_wanted.emit()
        self._ask_box.set_question(f"“{text}” ")
