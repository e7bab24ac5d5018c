"""What the viewer shows, for questions that point at it: "this page", "this table", "here"."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QMenu

from desktop_qa.core.document import BoundingBox, DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.viewed import Viewed
from desktop_qa.gui.library.library_words import name_of
from desktop_qa.gui.library.scope_model import ScopeEntry, document_entry
from desktop_qa.gui.window_parts import Feature, Slot, WindowParts
from desktop_qa.retrieve.place_scope import page_pattern
from desktop_qa.retrieve.scope import document_pattern

_MAX_WORDS = 2000


class HereLink(Feature):
    """Tells the session what is seen, shows how it was read, puts it into the scope."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._panel = window.pdf_panel
        self._bar = window.ask_box.scope_bar
        self._reading: tuple[int, float] = (0, 0.0)
        self._session.viewed = self.viewed
        self.menu = QMenu(self._bar.here_button, toolTipsVisible=True)
        self._page_action = self.menu.addAction("This page")
        self._document_action = self.menu.addAction("This document")
        self._bar.here_button.setMenu(self.menu)
        self._panel.view.reading_moved.connect(self._on_reading_moved)
        self._panel.document_shown.connect(self._on_document_changed)
        self._panel.document_left.connect(self._on_document_changed)
        self._session.library_opened.connect(self._on_document_changed)
        window.answer_panel.here.refused.connect(self._session.ask_everywhere)
        self.menu.aboutToShow.connect(self._on_menu_due)
        self._page_action.triggered.connect(self.ask_page)
        self._document_action.triggered.connect(self.ask_document)

    def actions(self) -> dict[str, Slot]:
        """See `Feature`."""
        return {"ask_this_page": self.ask_page, "ask_this_document": self.ask_document}

    def available(self) -> dict[str, bool]:
        """See `Feature`."""
        return dict.fromkeys(self.actions(), self._status is not None)

    @property
    def _status(self) -> DocumentStatus | None:
        """The document that the viewer shows, if the library can be asked about it."""
        path = self._panel.path
        if path is None or not self._panel.view.n_pages:
            return None
        return self._session.status_of_file(path)

    def viewed(self) -> Viewed:
        """Return what the viewer shows now."""
        status = self._status
        if status is None:
            return Viewed()
        view = self._panel.view
        page_no = view.current_page
        read_page, y = self._reading
        selector = view.selector
        is_selected = selector.has_selection
        return Viewed(
            DocumentId(status.document_id),
            page_no,
            y=y if read_page == page_no else 0.0,
            part=self._part(page_no),
            places=selector.model.places() if is_selected else (),
            words=selector.text[:_MAX_WORDS] if is_selected else "",
        )

    def _part(self, page_no: int) -> BoundingBox:
        """Return the part of a page that is on screen, in points."""
        layout, part = self._panel.view.page_layout, QRectF(self._panel.view.visible_canvas)
        corners = (part.topLeft(), part.bottomRight())
        seen = QRectF(*(layout.to_page(page_no - 1, corner) for corner in corners)).normalized()
        return BoundingBox(seen.left(), seen.top(), seen.right(), seen.bottom())

    def _on_reading_moved(self, page_no: int, y: float) -> None:
        self._reading = (page_no, y)

    def _on_document_changed(self, _what: object = None) -> None:
        self._bar.here_button.setEnabled(self._status is not None)
        self.changed.emit()

    def _on_menu_due(self) -> None:
        status = self._status
        name = name_of(status).replace("&", "&&") if status is not None else ""
        page_no = self._panel.view.current_page
        self._page_action.setText(f"This page ({page_no} of {name})" if name else "This page")
        self._document_action.setText(f"This document ({name})" if name else "This document")
        for action in (self._page_action, self._document_action):
            action.setEnabled(status is not None)

    def ask_page(self) -> None:
        """Limit the next question to the page that is shown."""
        status = self._status
        if status is not None:
            page_no = self._panel.view.current_page
            pattern = page_pattern(document_pattern(status), page_no)
            self._put(ScopeEntry(pattern, f"{name_of(status)} p. {page_no}"))

    def ask_document(self) -> None:
        """Limit the next question to the document that is shown."""
        status = self._status
        if status is not None:
            self._put(document_entry(status))

    def _put(self, entry: ScopeEntry) -> None:
        self._bar.set_entries((entry,))
        self._window.focus_box()
