"""Looking after the documents of the list: their menus, compared, detailed, taken out and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QModelIndex, QPoint, QSettings, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QMenu, QWidget

from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.removed import RemovedDocument
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.library.library_order import Arrangement
from desktop_qa.gui.library.library_words import first_of, moment, name_of, needs_attention
from desktop_qa.gui.library.recent import keep_in, kept_in
from desktop_qa.gui.library.scope_model import (
    ScopeEntry,
    document_entry,
    folder_entry,
    vendor_entry,
)
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.boxes import put
from desktop_qa.gui.widgets.dialog_parts import SideWindow, push_button
from desktop_qa.gui.widgets.labels import listed, plain_label, say, shortened, told
from desktop_qa.gui.widgets.messages import NoticeAction
from desktop_qa.gui.widgets.opening import copy_text, show_in_folder
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

if TYPE_CHECKING:
    from desktop_qa.gui.library.details_dialog import DetailsDialog

MOST_COMPARED = 12
"""Columns that can still be read side by side; the engine compares no more either."""

_MAX_NAME_CHARACTERS = 40
_MOST_NAMED = 3
_NOTICE = "removed"
_COMPARE_NOTICE = "compare"
_TOP_OF_PAGE = BoundingBox(0.0, 0.0, 1.0, 1.0)
_KEY = "libraries/arrangement"
_REMOVED_SIZE_PX = (480, 380)
_EXPLANATION = (
    "These files stay where they are and are passed over. What is brought back soon is there at"
    " once; later it is read again."
)


def kept_arrangement(settings: QSettings, folder: str) -> Arrangement:
    """Return how a library's documents were arranged; as usual when that cannot be read."""
    try:
        return msgspec.convert(kept_in(settings, _KEY)[folder], Arrangement)
    except (KeyError, msgspec.ValidationError):
        return Arrangement()


class DocumentMenu(QMenu):
    """What features do with rows of the panel; the actions are found by their object names."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window.library_panel, toolTipsVisible=True)
        self._window = window
        self._can_write = window.session.can_write

    def _add(self, text: str, name: str, slot: Callable[[], object], can: bool = True) -> None:
        action = self.addAction(text.replace("&", "&&"))
        action.setObjectName(name)
        action.triggered.connect(slot)
        action.setEnabled(can)

    def fill_for_document(self, status: DocumentStatus) -> None:
        """Offer what can be done with one document."""
        window, panel, can = self._window, self._window.library_panel, status.has_content
        self._add("Open", "open", lambda: panel.document_activated.emit(status))
        self._add_only("Ask only about this", (document_entry(status),) if can else ())
        self.addSeparator()
        self._add("Show structure", "structure", lambda: window.documents.show_structure(status))
        self._add("Show Markdown", "markdown", lambda: window.documents.show_markdown(status), can)
        self._add(
            "Export Markdown …", "export", lambda: window.documents.exports.choose(status), can
        )
        self.addSeparator()
        self._add_preference("prefer_document", document_entry(status), "this document")
        if status.vendor:
            self._add_preference("prefer_vendor", vendor_entry(status.vendor))
        folder = folder_entry(status)
        if folder is not None:
            self._add_preference("prefer_folder", folder, "folder “{}”")
        self._add("Preferred sources …", "sources", window.scopes.open_sources)
        self.addSeparator()
        self._add("Show in folder", "show_in_folder", lambda: show_in_folder(status.path))
        self._add("Copy path", "copy_path", lambda: copy_text(status.path))
        self.addSeparator()
        needs_care = needs_attention(status)
        if needs_care:
            failed = status.state is DocumentState.FAILED
            why = "Why did this fail?" if failed else "What is missing?"
            self._add(why, "why", lambda: panel.explain_document(status))
        self._add("Details", "details", lambda: window.care.show_details(status))
        again = "Try again" if needs_care else "Read again"
        self._add_care((status,), again, "Read again with a model …", "Remove from library")

    def fill_for_documents(self, statuses: tuple[DocumentStatus, ...]) -> None:
        """Offer what can be done with several documents at once."""
        these = f"these {len(statuses)} documents"
        entries = tuple(document_entry(status) for status in statuses if status.has_content)
        self._add_only(f"Ask only about these {len(entries)} documents", entries)
        self._add(f"Compare {these}", "compare", lambda: self._window.care.compare(statuses))
        again, by_model = f"Read {these} again", f"Read {these} with a model …"
        self._add_care(statuses, again, by_model, f"Remove {these} from library")

    def fill_for_vendor(self, vendor: str) -> None:
        """Offer what can be done with a vendor's documents."""
        entry = vendor_entry(vendor)
        self._add_only(f"Ask only about {shortened(vendor, _MAX_NAME_CHARACTERS)}", (entry,))
        self._add_preference("prefer_vendor", entry)
        self._add("Preferred sources …", "sources", self._window.scopes.open_sources)

    def _add_only(self, text: str, entries: tuple[ScopeEntry, ...]) -> None:
        scopes = self._window.scopes
        self._add(text, "ask_only", lambda: scopes.ask_only(entries), bool(entries))

    def _add_preference(self, name: str, entry: ScopeEntry, what: str = "{}") -> None:
        """Add a line with a check mark; the same line undoes it."""
        text = what.format(shortened(entry.label, _MAX_NAME_CHARACTERS))
        scopes, pattern = self._window.scopes, entry.pattern
        self._add(f"Prefer {text}", name, lambda: scopes.toggle_preferred(pattern), self._can_write)
        action = self.actions()[-1]
        action.setCheckable(True)
        action.setChecked(pattern in self._window.library_panel.model.patterns)

    def _add_care(
        self, statuses: tuple[DocumentStatus, ...], again: str, by_model: str, removal: str
    ) -> None:
        window, can_write = self._window, self._can_write
        ids = tuple(status.document_id for status in statuses)
        read = tuple(status for status in statuses if status.has_content)
        are_final = all(status.state.is_final for status in statuses)
        can_read = can_write and are_final
        self._add(again, "retry", lambda: window.session.read_again(ids), can_read)
        can_read = can_write and bool(read)
        self._add(by_model, "read_by_model", lambda: window.readings.offer(read), can_read)
        self.addSeparator()
        self._add(removal, "remove", lambda: window.care.remove(statuses), can_write)
        read_only = "This library is open for reading only."
        tip = "The file stays where it is." if can_write else read_only
        self.actions()[-1].setToolTip(tip)
        self.actions()[-1].setStatusTip(tip)


class LibraryCare(Feature):
    """Turns what the user wants done with documents into requests to the library."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._panel = panel = window.library_panel
        self._taken_out: list[tuple[DocumentId, ...]] = []
        self._details: DetailsDialog | None = None
        self._removed: RemovedDialog | None = None
        panel.compare_button.clicked.connect(lambda: self.compare(panel.selected_statuses))
        panel.details_button.clicked.connect(self.show_details_at_hand)
        panel.tree.menu_requested.connect(self._on_menu_requested)
        panel.arrangement_changed.connect(self._on_arrangement_changed)
        panel.tree.selectionModel().selectionChanged.connect(self.changed)
        self._session.library_opened.connect(self._on_library_opened)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        panel = self._panel
        n_selected = len(panel.selected_statuses)
        return {
            "compare": (lambda: self.compare(panel.selected_statuses), n_selected > 1),
            "details": (self.show_details_at_hand, n_selected > 0),
            "remove": (lambda: self.remove(panel.selected_statuses), n_selected > 0),
            "undo_remove": (self.undo, bool(self._taken_out)),
            "removed": (self.show_removed, self._session.library is not None),
        }

    def join_menu(self, menu: QMenu) -> None:
        """Group and sort from a menu of the window too, and take out by its keys in the list.

        Some of these keys mean other things elsewhere: they count while the list has the focus.
        """
        action = self._window.action
        for name in ("remove", "undo_remove"):
            self._panel.tree.addAction(action(name))
        menu.insertMenu(action("compare"), self._panel.arrange_menu)
        menu.insertSeparator(action("compare"))

    # The menus of rows

    def _on_menu_requested(self, index: QModelIndex, place: QPoint) -> None:
        menu = self.menu_at(index)
        if menu is not None:
            menu.exec(place)
            menu.deleteLater()

    def menu_at(self, index: QModelIndex) -> DocumentMenu | None:
        """Return the menu of a row: of all selected documents when it is one of several."""
        model, selected = self._panel.model, self._panel.selected_statuses
        row = model.row_at(index)
        if row is None or (row.entry is None and not model.is_vendor(row)):
            return None
        menu = DocumentMenu(self._window)
        if row.entry is None:
            menu.fill_for_vendor(row.heading)
        elif len(selected) > 1 and row.entry.status in selected:
            menu.fill_for_documents(selected)
        else:
            menu.fill_for_document(row.entry.status)
        return menu

    def menu_of(self, status: DocumentStatus) -> DocumentMenu:
        """Return the menu of a document."""
        menu = DocumentMenu(self._window)
        menu.fill_for_document(status)
        return menu

    # The arrangement of the list

    def _on_library_opened(self, view: LibraryView) -> None:
        if not self._is_another(view):
            return
        self._taken_out.clear()
        self._messages.withdraw(_NOTICE)
        for dialog in (self._details, self._removed):
            if dialog is not None:
                dialog.close()
        self._panel.filter_bar.ask()
        self._panel.arrange(kept_arrangement(self._settings, view.folder))

    def _on_arrangement_changed(self, arrangement: Arrangement) -> None:
        if self._folder:
            keep_in(self._settings, _KEY, self._folder, asdict(arrangement))

    # Comparing

    def compare(self, statuses: tuple[DocumentStatus, ...]) -> None:
        """Compare documents; those that have not been read are left out, and that is said."""
        self._messages.withdraw(_COMPARE_NOTICE)
        tell = partial(self._messages.say, key=_COMPARE_NOTICE, passes=True)
        ready = [status for status in statuses if status.has_content]
        missing = [name_of(status) for status in statuses if not status.has_content]
        if len(ready) > MOST_COMPARED:
            tell(
                f"At most {MOST_COMPARED} documents can be compared side by side;"
                f" {len(ready)} are selected.",
                "Select fewer of them.",
            )
            return
        if len(ready) < 2:
            hint = f"{_named(missing)} cannot be compared before being read." if missing else ""
            tell("Select two or more documents that have been read to compare them.", hint)
            return
        if missing:
            tell(
                f"{_named(missing)} {'is' if len(missing) == 1 else 'are'} left out.",
                "What has not been read cannot be compared.",
            )
        question = f"Compare {_named([name_of(status) for status in ready])}"
        title = "Compare " + " / ".join(name_of(status) for status in ready)
        self._session.compare(tuple(status.document_id for status in ready), question, title)

    # Details

    def show_details_at_hand(self) -> None:
        """Show the details of the document that is selected in the list."""
        status = self._panel.current_status or next(iter(self._panel.selected_statuses), None)
        if status is not None:
            self.show_details(status)

    def show_details(self, status: DocumentStatus) -> None:
        """Show all that is known of a document."""
        if self._details is None:
            from desktop_qa.gui.library.details_dialog import DetailsDialog

            self._details = DetailsDialog(self._session, self._window)
            self._details.page_requested.connect(self._on_page_requested)
        self._details.show_document(status)

    def _on_page_requested(self, path: str, page_no: int) -> None:
        self._window.show_pane("viewer")
        place = Provenance(page_no, _TOP_OF_PAGE)
        self._window.pdf_panel.show_places(Path(path), (place,))

    # Taking out

    def remove(self, statuses: tuple[DocumentStatus, ...]) -> None:
        """Take documents out of the library; their files stay where they are."""
        if not statuses:
            return
        library = self._session.library
        if not self._session.can_write:
            message = "This library is open for reading only, so nothing can be removed from it."
            hint = library.writing_hint if library is not None else ""
            self._messages.say(message, hint, key=_NOTICE, passes=True)
            return
        self._session.request(
            *("remove_documents", tuple(status.document_id for status in statuses)),
            on_result=partial(self._on_removed, statuses),
        )

    def _on_removed(
        self, statuses: tuple[DocumentStatus, ...], removed: tuple[DocumentId, ...]
    ) -> None:
        if not removed:
            return
        gone = [status for status in statuses if status.document_id in removed]
        self._taken_out.append(removed)
        numbers = self._panel.selected_numbers
        self._session.take((), removed)
        if numbers:
            self._panel.select_near(numbers[0])
        what = name_of(gone[0]) if len(gone) == 1 else f"{len(gone)} documents"
        verb = "was" if len(gone) == 1 else "were"
        self._messages.say(
            f"{what} {verb} removed from the library.",
            "The file stays where it is." if len(gone) == 1 else "The files stay where they are.",
            NoticeAction("Undo", partial(self._bring_back, removed)),
            key=_NOTICE,
            passes=True,
        )
        self._refresh_removed()
        self.changed.emit()

    def undo(self) -> None:
        """Bring back what was taken out last."""
        if self._taken_out:
            self._bring_back(self._taken_out[-1])

    def _bring_back(self, document_ids: tuple[DocumentId, ...]) -> None:
        self._messages.withdraw(_NOTICE)
        self._session.request(
            *("restore_documents", document_ids),
            on_result=partial(self._on_restored, document_ids),
        )

    def _on_restored(
        self, document_ids: tuple[DocumentId, ...], back: tuple[DocumentStatus, ...]
    ) -> None:
        left = (tuple(i for i in ids if i not in document_ids) for ids in self._taken_out)
        self._taken_out = [ids for ids in left if ids]
        self._session.take(back, ())
        if any(not status.state.is_final for status in back) or len(back) < len(document_ids):
            self._session.sync()  # what was read of the others is gone, or never was
        if back:
            self._panel.select_document(back[0].document_id)
        self._refresh_removed()
        self.changed.emit()

    def bring_back_files(self, paths: Iterable[str]) -> None:
        """Bring back the documents of files that the user adds by hand, should they be removed."""

        def found(removed: tuple[RemovedDocument, ...]) -> None:
            if removed:
                self._bring_back(tuple(row.document_id for row in removed))

        if self._session.can_write:
            self._session.request("removed_among", tuple(paths), on_result=found)

    def show_removed(self) -> None:
        """List what was taken out of the library."""
        if self._removed is None:
            self._removed = RemovedDialog(self._session, self._bring_back, self._window)
        self._removed.look_up()

    def _refresh_removed(self) -> None:
        if self._removed is not None and self._removed.isVisible():
            self._removed.refresh()


def _named(names: list[str]) -> str:
    """Return "A, B, C and 4 more"."""
    if len(names) <= _MOST_NAMED + 1:
        return listed(names)
    return first_of(names, _MOST_NAMED)


class RemovedDialog(SideWindow):
    """The documents that were taken out of the library, and the way back; not modal."""

    def __init__(
        self,
        session: LibrarySession,
        bring_back: Callable[[tuple[DocumentId, ...]], None],
        parent: QWidget,
    ) -> None:
        super().__init__("Removed Documents", "removed_dialog", _REMOVED_SIZE_PX, parent)
        self._session = session
        self._bring_back = bring_back
        self.list = told(QListWidget(self), spoken="Removed documents")
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        # A long name gives way in its middle: the day behind it stays in sight.
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.note_label = plain_label("", self)
        self.restore_button = push_button(
            *("Bring Back", self._restore, self),
            tip="Make the selected documents part of the library again",
        )
        self.all_button = push_button(
            *("Bring Back All", self._restore_all, self),
            tip="Make all of them part of the library again",
        )
        put(self.column, plain_label(_EXPLANATION, self), (self.list, 1), self.note_label)
        self.end_with(self.restore_button, self.all_button)
        self.close_button.setAutoDefault(True)
        # Enter is the list's: it brings back what is selected.
        on_keys(self, {"Return, Enter": lambda: True}, when=self.list.hasFocus)
        self.list.itemSelectionChanged.connect(self._update_buttons)
        self.list.itemActivated.connect(self._restore)

    def look_up(self) -> None:
        """Come to the front and look up what was removed."""
        self.list.clear()
        self._say("Looking them up …")
        bring_forward(self)
        self.refresh()

    def refresh(self) -> None:
        """Look up anew what was removed."""
        self._session.request(
            "removed_documents",
            on_result=self.show_removed,
            on_failure=lambda error: self._say(str(error)),
        )

    def show_removed(self, removed: tuple[RemovedDocument, ...]) -> None:
        """List removed documents, the latest first."""
        self.list.clear()
        for row in removed:
            when = moment(row.removed_at)
            item = QListWidgetItem(f"{row.name}   {when}", self.list)
            lines = (row.title, *row.paths, "" if row.is_kept else "It will be read again.")
            item.setToolTip("\n".join(line for line in lines if line))
            item.setData(Qt.ItemDataRole.UserRole, row.document_id)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.name}, removed {when}")
        if not self._session.can_write:
            self._say("This library is open for reading only: nothing can be brought back here.")
        else:
            self._say("" if removed else "Nothing was removed from this library.")

    def _say(self, text: str) -> None:
        say(self.note_label, text)
        self._update_buttons()

    def _update_buttons(self) -> None:
        can_write = self._session.can_write
        self.restore_button.setEnabled(can_write and bool(self.list.selectedItems()))
        self.all_button.setEnabled(can_write and self.list.count() > 0)

    def _restore_all(self) -> None:
        self.list.selectAll()
        self._restore()

    def _restore(self) -> None:
        role = Qt.ItemDataRole.UserRole
        ids = tuple(DocumentId(item.data(role)) for item in self.list.selectedItems())
        if ids and self._session.can_write:
            self._bring_back(ids)
