"""The reader's marks on their way: from a selection to the library, and onto the pages."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QMenu, QWidget

from desktop_qa.core.document import DocumentId, Provenance
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.mark import Mark, MarkColour, MarkStanding, PlacedMark, ReadCell
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.marks.mark_book import swatch
from desktop_qa.gui.viewer.viewer_side_bar import MARKS
from desktop_qa.gui.widgets.boxes import in_column, put
from desktop_qa.gui.widgets.dialog_parts import pop_up
from desktop_qa.gui.widgets.file_export import FileExport, with_ending
from desktop_qa.gui.widgets.labels import n_of, plain_label, show_breakable
from desktop_qa.gui.widgets.messages import Notice, NoticeAction, NoticeLevel
from desktop_qa.gui.widgets.opening import copy_text
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

_WIDTH_PX = 440
_KEPT = (
    "Kept in this library with your marks. From now on the cell is shown and cited as"
    " reported; answers do not change."
)
_NOTICE = "marks"
_COLOUR_KEY = "viewer/mark_colour"
_FORMS = {"Markdown (*.md)": ".md", "CSV (*.csv)": ".csv"}
_MAX_QUOTE = 20_000


class ReportDialog(QDialog):
    """Shows what was read and where; both fields may stay empty.

    Attributes:
        reported: With what the page says instead and the note, when it is confirmed.
        taken_back: The report of before is wanted no more.
    """

    reported = Signal(str, str)
    taken_back = Signal()

    def __init__(
        self, cell: ReadCell, where: str, placed: PlacedMark | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("This Cell Is Wrong – Desktop QA")
        before = placed.mark if placed is not None else None
        said = before.cell.instead if before is not None and before.cell is not None else ""
        self.read_label = plain_label("", self, "heading_label")
        show_breakable(self.read_label, f"Read: {cell.text or 'nothing'}")
        self.where_label = plain_label("", self, "caption")
        show_breakable(self.where_label, " · ".join(filter(None, (where, cell.name.place))))
        self.instead_edit = QLineEdit(said, placeholderText="Leave it empty if you only doubt it")
        self.note_edit = QLineEdit(before.note if before is not None else "")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.report_button = buttons.addButton(
            "Report" if before is None else "Change", QDialogButtonBox.ButtonRole.AcceptRole
        )
        if before is not None:
            back = buttons.addButton("Take Back", QDialogButtonBox.ButtonRole.DestructiveRole)
            back.clicked.connect(self.taken_back)
            back.clicked.connect(self.reject)
        kept = plain_label(_KEPT, self, "caption")
        form = QFormLayout()
        form.addRow("The page says", self.instead_edit)
        form.addRow("Note", self.note_edit)
        layout = in_column(self, margins=(16, 14, 16, 14), spacing=10)
        put(layout, self.read_label, self.where_label, form, kept, buttons)
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        self.setMinimumWidth(_WIDTH_PX)
        self.instead_edit.setFocus()

    def _on_accepted(self) -> None:
        self.reported.emit(self.instead_edit.text().strip(), self.note_edit.text().strip())
        self.accept()


class MarkLink(Feature):
    """Connects the pages, the list of marks and the library.

    A mark is on the page at once; it leaves again, with a message, when it cannot be kept.
    """

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._panel = panel = window.pdf_panel
        self._view = panel.view
        self._book = panel.book
        self._list = panel.side_bar.marks
        self._editor = panel.mark_editor
        window.evidence_panel.reports = panel.book
        window.answer_panel.follow_reports(panel.book)
        self._exports = MarkExport(window)
        self._say = partial(self._messages.say, key=_NOTICE, passes=True)
        kept = self._settings.value(_COLOUR_KEY)
        self._colour = next((one for one in MarkColour if one == kept), MarkColour.GREEN)
        self._waiting = ""
        self._saving: list[str] = []
        self._is_due = False
        session = self._session
        session.leaving.connect(self._editor.flush)
        session.library_opened.connect(self._on_library_opened)
        session.library_closed.connect(self._on_library_closed)
        session.sync_finished.connect(lambda _report: self._load())
        panel.document_shown.connect(self._on_document_shown)
        self._book.changed.connect(self._show_marks)
        self._view.mark_clicked.connect(self.open_note)
        self._view.mark_menu_requested.connect(self._show_menu)
        self._view.selector.changed.connect(self.changed)
        self._editor.note_typed.connect(lambda mark_id, note: self._change(mark_id, note=note))
        self._editor.colour_chosen.connect(self.set_colour)
        self._editor.delete_requested.connect(self.delete)
        rows = self._list.list.view
        rows.chosen.connect(self.go_to)
        rows.menu_wanted.connect(self._show_menu)
        rows.delete_wanted.connect(self.delete)
        self._list.export_button.clicked.connect(
            lambda: self.choose_export(tuple(placed.mark.id for placed in self._list.listed))
        )
        self._book.report_wanted.connect(self.ask_report)
        self._book.back_wanted.connect(self.delete)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        can_mark = self._view.selector.has_selection and self._status is not None
        is_open = self._session.library is not None
        return {
            "highlight": (lambda: self.mark_selection(), can_mark),
            "add_note": (lambda: self.mark_selection(with_note=True), can_mark),
            "show_marks": (lambda: self.show_marks(is_all=False), self._view.n_pages > 0),
            "all_marks": (lambda: self.show_marks(is_all=True), is_open),
            "export_marks": (lambda: self.choose_export(None), bool(self._book.marks)),
        }

    # From the library

    def _on_library_opened(self, view: LibraryView) -> None:
        self._book.can_write = not view.read_only
        if self._is_another(view):
            self._forget()
        self._load()

    def _on_library_closed(self) -> None:
        self._folder = ""
        self._forget()

    def _forget(self) -> None:
        """Show no mark; how the saving of those before ends matters no more."""
        self._saving = []
        self._editor.drop()
        self._book.show(())

    def _load(self) -> None:
        if self._session.library is not None:
            self._session.request("marks", on_result=self._on_marks, on_failure=self._on_failed)

    def _on_marks(self, marks: tuple[PlacedMark, ...]) -> None:
        self._editor.flush()
        if self._saving:
            self._is_due = True  # these were read before what is being saved
            return
        self._book.show(marks)
        self.changed.emit()

    def _on_failed(self, error: DesktopQaError) -> None:
        if not isinstance(error, Cancelled):
            self._messages.post(Notice.of_error(error, key=_NOTICE))

    # On the pages

    @property
    def _status(self) -> DocumentStatus | None:
        return self._session.status_of_file(self._panel.path)

    def _on_document_shown(self, path: Path) -> None:
        self._list.show_document(str(path))
        self._show_marks()
        waiting, self._waiting = self._waiting, ""
        if waiting:
            self.open_note(waiting)

    def _show_marks(self) -> None:
        marks = self._book.in_file(str(self._panel.path or ""))
        shown = self._view.document.document_id
        # A file that was written again and not read yet has its words elsewhere.
        self._view.set_marks([m for m in marks if shown is None or m.document_id == shown])
        self._panel.show_signs()
        if self._editor.mark_id and self._book.get(self._editor.mark_id) is None:
            self._editor.drop()

    def _show_menu(self, mark_id: str, position: QPoint) -> None:
        pop_up(self.menu_of(mark_id), position)

    def menu_of(self, mark_id: str) -> QMenu:
        """Return what can be done with a mark."""
        menu = QMenu(self._list)
        menu.addAction("Go to the Place", lambda: self.go_to(mark_id))
        placed = self._book.get(mark_id)
        is_report = placed is not None and placed.mark.cell is not None
        words = "Change the Report …" if is_report else "Write a Note"
        note = menu.addAction(words, lambda: self.go_to(mark_id, with_note=True))
        if placed is not None:
            menu.addAction("Copy", lambda: copy_text(copied(placed)))
        colours = menu.addMenu("Colour")
        for colour in MarkColour:
            action = colours.addAction(swatch(colour), colour.label)
            action.triggered.connect(lambda _checked=False, c=colour: self.set_colour(mark_id, c))
        menu.addSeparator()
        colours.menuAction().setVisible(not is_report)
        words = "Take the Report Back" if is_report else "Delete"
        delete = menu.addAction(words, lambda: self.delete(mark_id))
        for action in (note, colours.menuAction(), delete):
            action.setEnabled(self._session.can_write)
        return menu

    # Making one

    def mark_selection(self, *, with_note: bool = False) -> None:
        """Highlight the selected words."""
        selector = self._view.selector
        text, places = selector.text, selector.model.places()
        if text and places:
            self.mark(text, places, with_note=with_note)
            selector.clear()

    def mark(self, quote: str, places: Sequence[Provenance], *, with_note: bool = False) -> None:
        """Highlight words of the document that is shown, a place a line, in the last colour."""
        status = self._status
        if not self._session.can_write or status is None or not places:
            self._say_why_not()
            return
        # Of the bytes that are on screen, though the library may not have read them yet.
        document_id = self._view.document.document_id or status.document_id
        mark = _made(document_id, status.file, places, quote, self._colour)
        self._keep(mark, status.path, before=None)
        if self._panel.path is not None:
            self._panel.keep_document(self._panel.path)
        self._list.set_active(mark.id)
        if with_note:
            self.open_note(mark.id)

    # Reporting a cell that was read wrongly

    def ask_report(self, cell: ReadCell) -> None:
        """Ask what a cell should say; of one that was reported, whether it shall say else."""
        status = self._session.status(cell.document_id)
        if not self._session.can_write or status is None:
            self._say_why_not()
            return
        placed = self._book.report_on(cell.document_id, cell.places)
        where = f"{status.file}, page {status.page_name(cell.places[0].page_no)}"
        dialog = ReportDialog(cell, where, placed, self._window)
        dialog.reported.connect(partial(self.report, cell))
        if placed is not None:
            dialog.taken_back.connect(partial(self.delete, placed.mark.id))
        dialog.open()

    def report(self, cell: ReadCell, instead: str = "", note: str = "") -> None:
        """Keep that a cell was read wrongly, in place of what was reported of it before.

        The page says `instead`, empty when that is not known.
        """
        status = self._session.status(cell.document_id)
        if status is None:
            return
        before = self._book.report_on(cell.document_id, cell.places)
        mark = _made(cell.document_id, status.file, cell.places, cell.text, MarkColour.ROSE)
        if before is not None:
            mark = replace(mark, id=before.mark.id, made_at=before.mark.made_at)
        mark = replace(mark, note=note, cell=replace(cell.name, instead=instead))
        self._keep(mark, status.path, before)
        undo = NoticeAction("Undo", partial(self._undo_report, mark.id, before))
        self._say(
            "The cell is reported as read wrongly.",
            "Your marks list it; it is shown and cited as reported from now on.",
            undo,
        )

    def _undo_report(self, mark_id: str, before: PlacedMark | None) -> None:
        if before is None:
            self.delete(mark_id)
        else:
            now = self._book.get(mark_id)
            self._book.put([before])
            self._save(before.mark, before=now)

    def _say_why_not(self) -> None:
        library = self._session.library
        hint = library.writing_hint if library is not None else ""
        message = (
            "This library is open for reading only, so nothing can be marked."
            if hint
            else "Only documents of the library can be marked."
        )
        self._say(message, hint, level=NoticeLevel.WARNING)

    def _keep(self, mark: Mark, path: str, before: PlacedMark | None) -> None:
        """Show a mark in the file where it was made, and have the library keep it."""
        here = MarkStanding.HERE
        placed = PlacedMark(mark, here, mark.document_id, path, mark.page_no, mark.places)
        self._book.put([placed])
        self._save(mark, before)

    def _save(self, mark: Mark, before: PlacedMark | None) -> None:
        saving = self._saving

        def ended() -> None:
            saving.remove(mark.id)
            if self._is_due and not self._saving:
                self._is_due = False
                self._load()

        def failed(error: DesktopQaError) -> None:
            if saving is self._saving:
                # What is seen is what is kept.
                if before is None:
                    self._book.take(mark.id)
                else:
                    self._book.put([before])
            ended()
            self._on_failed(error)

        saving.append(mark.id)
        self._session.request(
            *("save_mark", mark), on_result=lambda _nothing: ended(), on_failure=failed
        )
        self.changed.emit()

    # Changing one

    def _change(self, mark_id: str, **changes: Any) -> None:
        placed = self._book.get(mark_id)
        if placed is not None:
            mark = replace(placed.mark, changed_at=time.time(), **changes)
            self._book.put([replace(placed, mark=mark)])
            self._save(mark, before=placed)

    def set_colour(self, mark_id: str, colour: MarkColour) -> None:
        """Give a mark another colour; the next mark has it too."""
        if self._book.get(mark_id) is not None and self._session.can_write:
            self._colour = colour
            self._settings.setValue(_COLOUR_KEY, colour.value)
            self._change(mark_id, colour=colour)
            self._editor.colour_buttons[colour].setChecked(True)

    def delete(self, mark_id: str) -> None:
        """Delete a mark; the message offers to take it back."""
        if not self._session.can_write:
            self._say_why_not()
            return
        if self._editor.mark_id == mark_id:
            self._editor.close_sheet()
        taken = self._book.take(mark_id)
        if taken is None:
            return

        def deleted(_n_deleted: int) -> None:
            what = "mark was deleted" if taken.mark.cell is None else "report was taken back"
            self._say(f"The {what}.", "", NoticeAction("Undo", restore))
            self.changed.emit()

        def restore() -> None:
            request("restore_marks", (mark_id,), on_result=lambda _n: self._load())

        def failed(error: DesktopQaError) -> None:
            self._book.put([taken])
            self._on_failed(error)

        request = partial(self._session.request, on_failure=self._on_failed)
        request("delete_marks", (mark_id,), on_result=deleted, on_failure=failed)

    # Going to one

    def open_note(self, mark_id: str) -> None:
        """Open the sheet of a mark of the document that is shown."""
        placed = self._book.get(mark_id)
        if placed is not None and placed.mark.cell is not None:
            mark, cell = placed.mark, placed.mark.cell
            self.ask_report(ReadCell(placed.document_id, mark.quote, placed.places, cell))
        elif placed is not None and self._view.rect_of(mark_id) is not None:
            self._list.set_active(mark_id)
            self._editor.show_mark(placed, can_write=self._session.can_write)

    def go_to(self, mark_id: str, *, with_note: bool = False) -> None:
        """Show a mark where it stands; of one without a place, the page that it stood on."""
        placed = self._book.get(mark_id)
        if placed is None:
            return
        self._list.set_active(mark_id)
        if not placed.path:
            message = f"{placed.name} is not in the library any more."
            hint = "Its marks are kept; they come back with the document."
            self._say(message, hint, level=NoticeLevel.WARNING)
            return
        self._window.show_pane("viewer")
        path = Path(placed.path)
        target = placed.places or placed.page_no
        if path == self._panel.path and self._view.n_pages:
            self._panel.jump_to(target)
            if with_note:
                self.open_note(mark_id)
            return
        self._waiting = mark_id if with_note else ""
        self._panel.show_places(path, target)

    def show_marks(self, *, is_all: bool) -> None:
        """Open the list of the marks of this document, or of all."""
        self._window.show_pane("viewer")
        self._list.show_all(is_all=is_all)
        self._panel.show_side_bar(True, MARKS, without_pages=is_all)
        self._panel.side_bar.focus()

    def choose_export(self, ids: Sequence[str] | None) -> None:
        """Ask for a place and write marks there, all of them when `ids` is None."""
        self._editor.flush()
        self._exports.choose(ids)


def _made(
    document_id: DocumentId, file: str, places: Sequence[Provenance], quote: str, colour: MarkColour
) -> Mark:
    now = time.time()
    return Mark(
        *(uuid.uuid4().hex, document_id, file, places[0].page_no, colour),
        *(now, now, tuple(places), quote[:_MAX_QUOTE]),
    )


def copied(placed: PlacedMark) -> str:
    """Return a mark as text with its place."""
    mark = placed.mark
    quote = " ".join(mark.quote.split())
    report = f"\n{mark.cell.sentence} ({mark.cell.place})" if mark.cell is not None else ""
    note = f"\n{mark.note.strip()}" if mark.note.strip() else ""
    return f"“{quote}” ({placed.name}, page {placed.page_no}){report}{note}"


class MarkExport(FileExport):
    """Asks where, and lets the library's process write."""

    folder_key = "export/marks_folder"
    notice = _NOTICE

    def choose(self, ids: Sequence[str] | None) -> None:
        """Ask for a place and have marks written there, all of them when `ids` is None."""
        target, form = self.ask("Export Marks", "Marks.md", _FORMS)
        if target is not None:
            self.export(with_ending(target, _FORMS.get(form, ".md")), ids)

    def export(self, target: Path, ids: Sequence[str] | None = None) -> None:
        """Have marks written, over what is there."""
        wanted = None if ids is None else tuple(ids)

        def told(n_marks: int) -> tuple[str, str]:
            were = "was" if n_marks == 1 else "were"
            return f"{n_of(n_marks, 'mark')} {were} written to {target.name}.", ""

        self.write(target, "export_marks", wanted, str(target), True, told=told)
