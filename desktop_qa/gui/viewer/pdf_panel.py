"""The document beside the answer, and what the reader does with it: travel, tabs, files, keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPlainTextEdit, QWidget

from desktop_qa.core.document import Provenance
from desktop_qa.gui.viewer.page_layout import ReadingPlace, Zoom
from desktop_qa.gui.viewer.viewer_memory import RememberedDocument, RememberedDocuments
from desktop_qa.gui.viewer.viewer_pages import ViewerPages
from desktop_qa.gui.viewer.viewer_visits import Visit
from desktop_qa.gui.widgets.opening import open_path, show_in_folder

_MENU_LENGTH = 15


class PdfPanel(ViewerPages):
    """Shows documents with the places an answer cites. Lives on the GUI thread.

    Signals:
        citation_step_requested: 1 for the next place that the answer cites, -1 for the one before.
    """

    citation_step_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        toolbar, tabs = self.toolbar, self.tabs
        self.view.highlight_clicked.connect(self._on_view_highlight_clicked)
        self.view.jumping.connect(self._leave)
        toolbar.page_requested.connect(self._on_toolbar_page_requested)
        toolbar.page.left.connect(self._on_toolbar_page_left)
        toolbar.zoom_requested.connect(self._on_toolbar_zoom_requested)
        toolbar.zoom_step_requested.connect(self._on_toolbar_zoom_step_requested)
        toolbar.back_requested.connect(self.go_back)
        toolbar.forward_requested.connect(self.go_forward)
        toolbar.travel_list_requested.connect(self._on_toolbar_travel_list_requested)
        toolbar.open_requested.connect(self.open_outside)
        toolbar.side_bar_requested.connect(self.show_side_bar)
        tabs.document_chosen.connect(self.go_to_document)
        tabs.close_requested.connect(self.close_document)
        tabs.keep_requested.connect(self.keep_document)
        tabs.document_moved.connect(self._on_tabs_document_moved)
        tabs.others_close_requested.connect(self.close_others)
        self.side_bar.thumbnails.page_chosen.connect(self.jump_to)
        self._message.button.clicked.connect(self.open_outside)

    # Going somewhere

    def jump_to(self, target: int | Sequence[Provenance]) -> None:
        """Go to a page by its 1-based number, or to places, of the document that is shown.

        It can be gone back from, unless it is the page that is read or the one beside it.
        """
        is_near = isinstance(target, int) and abs(target - self.view.current_page) <= 1
        if not is_near:
            self._leave()
        self._shown_page = target if isinstance(target, int) else self._shown_page
        self.view.go_to(target)

    def go_back(self) -> None:
        """Return to where the reader was before the last jump."""
        self.travel(-1)

    def go_forward(self) -> None:
        """Undo going back."""
        self.travel(1)

    def travel(self, step: int) -> None:
        """Go so many places back (negative) or forward."""
        target = self.visits.travel(step, self._remember())
        if target is not None:
            self._show(target)
        else:
            self._show_history()

    def travel_menu(self, direction: int) -> QMenu:
        """Return the places before (-1) or after (1) the present one, the nearest first."""
        menu = QMenu(self)
        places = self.visits.earlier if direction < 0 else self.visits.later
        for number, visit in enumerate(places[:_MENU_LENGTH], start=1):
            action = menu.addAction(visit.label.replace("&", "&&"))
            action.triggered.connect(partial(self._on_travel_triggered, direction * number))
        return menu

    def _on_travel_triggered(self, step: int, _checked: bool = False) -> None:
        self.travel(step)

    def _on_toolbar_travel_list_requested(self, direction: int) -> None:
        menu = self.travel_menu(direction)
        if not menu.isEmpty():
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            button = self.toolbar.back if direction < 0 else self.toolbar.forward
            menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    # The open documents

    def go_to_document(self, path: Path) -> None:
        """Show an open document where it was read."""
        index = self.documents.index_of(path)
        if index < 0 or path == self.path:
            return
        document = self.documents.documents[index]
        self.show_document(path, document.name, is_kept=False)

    def turn_documents(self, step: int) -> None:
        """Go to the document so many tabs further, around the ends."""
        document = self.documents.beside(step)
        if document is not None:
            self.go_to_document(document.path)

    def close_document(self, path: Path | None = None) -> None:
        """Close a document, the one that is shown when none is named."""
        closed = path or self.path
        if closed is None:
            return
        is_shown = closed == self.path
        if is_shown:
            self._remember()
        self.documents.close(closed)
        if not is_shown:
            self._show_documents()
            return
        current = self.documents.current
        if current is None:
            self._show_nothing()
            self._show_documents()
            return
        document = self.documents.documents[self.documents.index_of(current)]
        last = self._last.get(current)
        marks = self._cited_in(current)
        target, look = (last.target, last.look) if last is not None else (1, None)
        self._show(Visit(current, document.name, marks, None, target, look, self._answer))

    def close_others(self, path: Path) -> None:
        """Close all documents but one, and show that one."""
        for document in self.documents.documents:
            if document.path not in (path, self.path):
                self.documents.close(document.path)
        if path != self.path:
            other = self.path
            self.go_to_document(path)
            if other is not None:
                self.documents.close(other)
        self._show_documents()

    def _on_tabs_document_moved(self, index: int, to: int) -> None:
        self.documents.move(index, to)
        self.documents_changed.emit()

    def remembered(self) -> RememberedDocuments:
        """Return what is open, and where and how each document was read."""
        self._remember()
        found: list[RememberedDocument] = []
        for document in self.documents.documents:
            last = self._last.get(document.path)
            is_place = last is not None and isinstance(last.target, ReadingPlace)
            place = last.target if last is not None and is_place else None
            look = last.look if last is not None else None
            found.append(
                RememberedDocument(
                    document, place if isinstance(place, ReadingPlace) else None, look
                )
            )
        return RememberedDocuments(tuple(found), self.documents.current)

    def restore(self, remembered: RememberedDocuments) -> None:
        """Open documents as they were; only the one that was shown is read from the disk."""
        documents = [one.document for one in remembered.documents]
        self.documents.restore(documents, remembered.current)
        for one in remembered.documents:
            path, name = one.document.path, one.document.name
            target = one.place if one.place is not None else 1
            self._last[path] = Visit(path, name, (), None, target, one.look, self._answer)
        current = self.documents.current
        if current is not None:
            self._show(self._last[current])

    # The file

    def open_outside(self) -> None:
        """Open the file in the system's own reader."""
        if self.path is not None:
            open_path(self.path)

    def show_in_folder(self) -> None:
        """Open the folder that the file lies in."""
        if self.path is not None:
            show_in_folder(self.path)

    def copy_path(self) -> None:
        """Put the path of the file on the clipboard."""
        if self.path is not None:
            QGuiApplication.clipboard().setText(str(self.path))

    def copy_name(self) -> None:
        """Put the name of the file on the clipboard."""
        if self.path is not None:
            QGuiApplication.clipboard().setText(self.path.name)

    # What the reader does with the line over the pages

    def _on_view_highlight_clicked(self, marker: int) -> None:
        self.set_active(marker)
        self.highlight_clicked.emit(marker)

    def _on_toolbar_page_requested(self, page_no: int) -> None:
        self.jump_to(page_no)

    def _on_toolbar_page_left(self) -> None:
        # The keys that come next scroll the page that was asked for.
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_toolbar_zoom_requested(self, zoom: Zoom) -> None:
        self.view.set_zoom(zoom)
        # Also when nothing has changed: the click has switched the button.
        self._show_zoom()

    def _on_toolbar_zoom_step_requested(self, direction: int) -> None:
        if direction > 0:
            self.view.zoom_in()
        else:
            self.view.zoom_out()

    # Keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Travel by the side buttons wherever the pointer is in the viewer."""
        steps = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}
        step = steps.get(event.button())
        if step is not None:
            self.travel(step)
        else:
            super().mousePressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Take keys that mean something else outside of the viewer."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._meaning(event) is not None
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Travel, turn and close documents, and zoom from wherever the focus is in the viewer."""
        meaning = self._meaning(event)
        if meaning is not None:
            meaning()
        elif not self.view.keys.zoom(event):
            super().keyPressEvent(event)

    def _meaning(self, event: QKeyEvent) -> partial[None] | None:
        """Return what a key does in the viewer, None when it is not the viewer's."""
        keys, modifiers = Qt.Key, Qt.KeyboardModifier
        held = event.modifiers() & ~modifiers.KeypadModifier
        if held == modifiers.AltModifier:
            steps = {keys.Key_Left: -1, keys.Key_Right: 1}
            step = steps.get(Qt.Key(event.key()))
            return partial(self.travel, step) if step else None
        if event.key() == keys.Key_N and held in (modifiers.NoModifier, modifiers.ShiftModifier):
            step = -1 if held == modifiers.ShiftModifier else 1
            return None if self._is_typing() else partial(self.citation_step_requested.emit, step)
        if not held & modifiers.ControlModifier:
            return None
        if event.key() == keys.Key_W and held == modifiers.ControlModifier:
            return partial(self.close_document) if self.path is not None else None
        if event.key() in (keys.Key_Tab, keys.Key_PageDown, keys.Key_Backtab, keys.Key_PageUp):
            is_back = event.key() in (keys.Key_Backtab, keys.Key_PageUp)
            is_back = is_back or bool(held & modifiers.ShiftModifier)
            return partial(self.turn_documents, -1 if is_back else 1)
        return None

    def _is_typing(self) -> bool:
        """Tell whether letters go into a text of the viewer that is being written."""
        focused = QApplication.focusWidget()
        is_text = isinstance(focused, QLineEdit | QPlainTextEdit)
        return is_text and focused is not None and self.isAncestorOf(focused)
