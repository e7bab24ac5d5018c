"""The document beside the answer: the viewer, the line over it, and what to say without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_qa.core.document import Provenance
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.gui.page_layout import ReadingPlace, Zoom
from desktop_qa.gui.pdf_highlights import Highlight
from desktop_qa.gui.pdf_toolbar import PdfToolbar
from desktop_qa.gui.pdf_view import PdfView

_EMPTY_HINT = "Click a citation or a document to read it here."
_HINT_WIDTH = 340
_MAX_VISITS = 100
_OPENING_MS = 400
"""A document that opens at once must not flash a message."""


@dataclass(frozen=True, slots=True)
class _Visit:
    """A document that the reader was shown, with its marks, and the target to show it again."""

    path: Path
    name: str
    highlights: tuple[Highlight, ...]
    active: int | None
    target: int | tuple[Provenance, ...] | ReadingPlace
    zoom: Zoom | None


class PdfPanel(QWidget):
    """Shows a document with the places an answer cites. Lives on the GUI thread.

    Signals:
        document_shown: Path of a document whose pages are now on screen.
        highlight_clicked: Marker of the citation that was clicked on a page.
        reading_moved: 1-based number of a page and a height on it in points: what is read now.
        document_left: No document is on screen any more, or another is being opened.
        pages_wanted: A place or a document was asked for.
    """

    document_shown = Signal(object)
    highlight_clicked = Signal(int)
    reading_moved = Signal(int, float)
    document_left = Signal()
    pages_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.toolbar = PdfToolbar()
        self.view = PdfView()
        self._visit: _Visit | None = None
        self._earlier: list[_Visit] = []
        self._later: list[_Visit] = []
        self._last: dict[Path, _Visit] = {}
        self._message = _MessagePage()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._message)
        self._stack.addWidget(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(self._stack, 1)
        self._opening_timer = QTimer(self)
        self._opening_timer.setSingleShot(True)
        self._opening_timer.setInterval(_OPENING_MS)
        self._opening_timer.timeout.connect(self._on_opening_timer_timeout)
        self._connect()
        self.clear()

    def _connect(self) -> None:
        self.view.document.opened.connect(self._on_document_opened)
        self.view.document.failed.connect(self._on_document_failed)
        self.view.current_page_changed.connect(self.toolbar.set_page)
        self.view.zoom_changed.connect(self._show_zoom)
        self.view.highlight_clicked.connect(self._on_view_highlight_clicked)
        self.view.reading_moved.connect(self.reading_moved)
        self.toolbar.page_requested.connect(self._on_toolbar_page_requested)
        self.toolbar.zoom_requested.connect(self._on_toolbar_zoom_requested)
        self.toolbar.zoom_step_requested.connect(self._on_toolbar_zoom_step_requested)
        self.toolbar.back_requested.connect(self.go_back)
        self.toolbar.forward_requested.connect(self.go_forward)
        self.toolbar.open_requested.connect(self.open_outside)
        self._message.button.clicked.connect(self.open_outside)

    # What is shown

    @property
    def path(self) -> Path | None:
        """The file that is shown, or could not be."""
        return self._visit.path if self._visit is not None else None

    @property
    def message(self) -> str:
        """What stands in place of the pages; empty while there are pages."""
        if self._stack.currentWidget() is self.view:
            return ""
        return f"{self._message.title.text()} {self._message.hint.text()}".strip()

    def show_document(self, path: Path, name: str) -> None:
        """Show a document where it was read last in this session, without marks."""
        self.show_places(path, name, ())

    def show_places(
        self,
        path: Path,
        name: str,
        places: Sequence[Provenance],
        highlights: Sequence[Highlight] = (),
        active: int | None = None,
    ) -> None:
        """Show places of a document and mark what an answer cites in it.

        Args:
            path: The file.
            name: What it is called over the pages.
            places: What to scroll to; none shows the document where it was read last.
            highlights: Everything to mark in this document.
            active: Marker of the highlight to mark most strongly.
        """
        self._leave()
        last = self._last.get(path)
        target = tuple(places) or (last.target if last is not None else 1)
        zoom = last.zoom if last is not None else None
        self._show(_Visit(path, name, tuple(highlights), active, target, zoom))

    def clear(self) -> None:
        """Show no document; where each was read stays known."""
        self._opening_timer.stop()
        self._remember()
        self._visit = None
        self._earlier.clear()
        self._later.clear()
        self.view.close_document()
        self.toolbar.set_document("", "", 0)
        self._show_message("", _EMPTY_HINT, can_open=False)
        self._show_history()
        self.document_left.emit()

    def _show(self, visit: _Visit) -> None:
        self._visit = visit
        self._show_history()
        self.pages_wanted.emit()
        if not self._is_shown(visit.path):
            # The old pages stay until the new ones are there; their marks would be wrong.
            self.view.set_highlights(())
            self._opening_timer.start()
            self.document_left.emit()
        self.view.open(visit.path, visit.target, visit.zoom)

    def _is_shown(self, path: Path) -> bool:
        stamp = self.view.document.stamp
        return stamp is not None and Path(stamp.path) == path

    def _on_document_opened(self) -> None:
        self._opening_timer.stop()
        visit = self._visit
        if visit is None:
            return
        self.view.set_highlights(visit.highlights)
        self.view.set_active(visit.active)
        self._stack.setCurrentWidget(self.view)
        self.toolbar.set_document(visit.name, str(visit.path), self.view.n_pages)
        self.toolbar.set_page(self.view.current_page)
        self._show_zoom()
        self.document_shown.emit(visit.path)

    def _on_document_failed(self, problem: UnreadableDocumentError) -> None:
        self._opening_timer.stop()
        visit = self._visit
        if visit is None:
            return
        self.view.set_highlights(())
        self.toolbar.set_document(visit.name, str(visit.path), 0)
        self._show_message(problem.message, problem.hint, can_open=visit.path.exists())

    def _on_opening_timer_timeout(self) -> None:
        if self._visit is not None:
            self._show_message("", f"Opening {self._visit.name} …", can_open=False)

    def _show_message(self, title: str, hint: str, *, can_open: bool) -> None:
        self._message.show_text(title, hint, can_open=can_open)
        self._stack.setCurrentWidget(self._message)

    def _show_zoom(self) -> None:
        self.toolbar.set_zoom(self.view.zoom, self.view.factor)

    # Where the reader has been

    def _remember(self) -> _Visit | None:
        """Note where the document on screen is read; None when there is none."""
        visit = self._visit
        if visit is None or not self._is_shown(visit.path):
            return None
        visit = replace(visit, target=self.view.place, zoom=self.view.zoom)
        self._last[visit.path] = visit
        return visit

    def _leave(self) -> None:
        """Make the present place one to come back to."""
        visit = self._remember()
        if visit is not None:
            self._earlier = [*self._earlier, visit][-_MAX_VISITS:]
            self._later.clear()
        self._show_history()

    def go_back(self) -> None:
        """Return to where the reader was before the last jump."""
        self._travel(self._earlier, self._later)

    def go_forward(self) -> None:
        """Undo going back."""
        self._travel(self._later, self._earlier)

    def _travel(self, source: list[_Visit], other: list[_Visit]) -> None:
        if not source:
            return
        here = self._remember()
        target = source.pop()
        # The same citation clicked twice is one place.
        while target == here and source:
            target = source.pop()
        if here is not None:
            other.append(here)
        self._show(target)

    def _show_history(self) -> None:
        self.toolbar.back.setEnabled(bool(self._earlier))
        self.toolbar.forward.setEnabled(bool(self._later))

    # What the reader does

    def open_outside(self) -> None:
        """Open the file in the system's own reader."""
        if self._visit is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._visit.path)))

    def _on_view_highlight_clicked(self, marker: int) -> None:
        if self._visit is not None:
            self._visit = replace(self._visit, active=marker)
        self.view.set_active(marker)
        self.highlight_clicked.emit(marker)

    def _on_toolbar_page_requested(self, page_no: int) -> None:
        if abs(page_no - self.view.current_page) > 1:
            self._leave()
        self.view.go_to(page_no)

    def _on_toolbar_zoom_requested(self, zoom: Zoom) -> None:
        self.view.set_zoom(zoom)
        # Also when nothing has changed: the click has switched the button.
        self._show_zoom()

    def _on_toolbar_zoom_step_requested(self, direction: int) -> None:
        if direction > 0:
            self.view.zoom_in()
        else:
            self.view.zoom_out()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt+Left, Alt+Right, and the zoom keys from wherever the focus is in the panel."""
        is_alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        if is_alt and event.key() == Qt.Key.Key_Left:
            self.go_back()
        elif is_alt and event.key() == Qt.Key.Key_Right:
            self.go_forward()
        elif not self.view.zoom_by_key(event):
            super().keyPressEvent(event)


class _MessagePage(QWidget):
    """A calm sentence in the middle of the panel."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pdfMessage")
        self.title = QLabel()
        self.title.setObjectName("pdfMessageTitle")
        self.hint = QLabel()
        self.hint.setObjectName("pdfMessageHint")
        self.hint.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        font = self.title.font()
        font.setWeight(font.Weight.DemiBold)
        self.title.setFont(font)
        self.button = QPushButton("Open in the system's reader")
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addStretch(2)
        for label in (self.title, self.hint):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setMaximumWidth(_HINT_WIDTH)
            label.setMinimumWidth(min(_HINT_WIDTH, 160))
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            line = QHBoxLayout()
            line.addWidget(label)
            column.addLayout(line)
        column.addSpacing(8)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def show_text(self, title: str, hint: str, *, can_open: bool) -> None:
        """Say something; the button shows when there is a file that another reader may open."""
        self.title.setText(title)
        self.title.setVisible(bool(title))
        self.hint.setText(hint)
        self.button.setVisible(can_open)
