"""Looking after the documents of the list: details, taking them out, bringing them back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from desktop_qa.core.details import DocumentDetails
from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.removed import RemovedDocument
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.library.library_memory import LibraryMemory
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.library.library_rows import Arrangement
from desktop_qa.gui.library.library_words import name_of
from desktop_qa.gui.menu_link import Slot
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.widgets.messages import MessageArea, Notice, NoticeAction, NoticeLevel

if TYPE_CHECKING:
    from desktop_qa.gui.library.details_dialog import DetailsDialog
    from desktop_qa.gui.library.removed_dialog import RemovedDialog

_NOTICE = "removed"
_TOP_OF_PAGE = BoundingBox(0.0, 0.0, 1.0, 1.0)


class LibraryCare(QObject):
    """Turns what the user wants done with documents into requests to the library.

    Attributes:
        changed: What can be done may be another.
        viewer_wanted: The viewer has something to show.
    """

    changed = Signal()
    viewer_wanted = Signal()

    def __init__(
        self,
        window: QWidget,
        session: LibrarySession,
        panel: LibraryPanel,
        pdf_panel: PdfPanel,
        messages: MessageArea,
        settings: QSettings,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._panel = panel
        self._pdf_panel = pdf_panel
        self._messages = messages
        self._memory = LibraryMemory(settings)
        self._folder = ""
        self._taken_out: list[tuple[DocumentId, ...]] = []
        self._details: DetailsDialog | None = None
        self._removed: RemovedDialog | None = None
        panel.details_requested.connect(self.show_details)
        panel.remove_requested.connect(self.remove)
        panel.arrangement_changed.connect(self._on_arrangement_changed)
        panel.selection_changed.connect(lambda _selected: self.changed.emit())
        session.library_opened.connect(self._on_library_opened)
        session.statuses_changed.connect(self._on_statuses_changed)

    def actions(self) -> dict[str, Slot]:
        """See `MenuLink`."""
        return {
            "details": self.show_details_at_hand,
            "remove": self.remove_selected,
            "undo_remove": self.undo,
            "removed": self.show_removed,
        }

    def available(self) -> dict[str, bool]:
        """See `MenuLink`."""
        has_document = bool(self._panel.selected_statuses)
        return {
            "details": has_document,
            "remove": has_document,
            "undo_remove": bool(self._taken_out),
            "removed": self._session.library is not None,
        }

    def bind(self, action: Callable[[str], QAction], library_menu: QMenu) -> None:
        """Put the list's own menu into a menu of the window, and the window's keys into the list.

        Args:
            action: Returns an action of the menus; some of their keys mean other things elsewhere
                and count only while the list has the focus.
            library_menu: Gets an entry that groups and sorts.
        """
        for name in ("remove", "undo_remove"):
            self._panel.tree.addAction(action(name))
        library_menu.insertMenu(action("compare"), self._panel.arrange_menu)
        library_menu.insertSeparator(action("compare"))

    @property
    def _is_read_only(self) -> bool:
        library = self._session.library
        return library is None or library.read_only

    # The arrangement of the list

    def _on_library_opened(self, view: LibraryView) -> None:
        if view.folder == self._folder:
            return
        self._folder = view.folder
        self._taken_out.clear()
        self._messages.withdraw(_NOTICE)
        for dialog in (self._details, self._removed):
            if dialog is not None:
                dialog.close()
        self._panel.show_all()
        self._panel.arrange(self._memory.load(view.folder))

    def _on_arrangement_changed(self, arrangement: Arrangement) -> None:
        if self._folder:
            self._memory.save(self._folder, arrangement)

    # Details

    def show_details_at_hand(self) -> None:
        """Show the details of the document that is selected in the list."""
        status = self._panel.current_status
        selected = self._panel.selected_statuses
        if status is None and selected:
            status = selected[0]
        if status is not None:
            self.show_details(status)

    def show_details(self, status: DocumentStatus) -> None:
        """Show all that is known of a document."""
        dialog = self._details
        if dialog is None:
            from desktop_qa.gui.library.details_dialog import DetailsDialog

            dialog = self._details = DetailsDialog(self._window)
            dialog.page_requested.connect(self._on_page_requested)
            dialog.read_again_requested.connect(lambda one: self._session.read_again((one,)))
            dialog.again_requested.connect(self.show_details)
        dialog.show_loading(status, is_read_only=self._is_read_only)
        bring_forward(dialog)
        self._look_up(status.document_id)

    def _look_up(self, document_id: DocumentId) -> None:
        self._session.request(
            *("details", document_id),
            on_result=self._on_details,
            on_failure=partial(self._on_details_failed, document_id),
        )

    def _on_details(self, details: DocumentDetails) -> None:
        if self._details is not None and self._details.document_id == details.document_id:
            self._details.show_details(details)

    def _on_details_failed(self, document_id: DocumentId, error: DesktopQaError) -> None:
        if self._details is not None and self._details.document_id == document_id:
            self._details.show_failure(error)

    def _on_statuses_changed(
        self, changed: tuple[DocumentStatus, ...], removed: tuple[DocumentId, ...]
    ) -> None:
        """Keep open details true: a document that was read is looked up once more."""
        dialog = self._details
        if dialog is None or not dialog.isVisible() or dialog.document_id is None:
            return
        if dialog.document_id in removed:
            dialog.close()
        elif any(s.document_id == dialog.document_id and s.state.is_final for s in changed):
            self._look_up(dialog.document_id)

    def _on_page_requested(self, path: str, page_no: int) -> None:
        self.viewer_wanted.emit()
        place = Provenance(page_no, _TOP_OF_PAGE)
        self._pdf_panel.show_places(Path(path), (place,))

    # Taking out

    def remove_selected(self) -> None:
        """Take the selected documents out of the library."""
        self.remove(self._panel.selected_statuses)

    def remove(self, statuses: tuple[DocumentStatus, ...]) -> None:
        """Take documents out of the library; their files stay where they are."""
        if not statuses:
            return
        library = self._session.library
        if library is None or library.read_only:
            message = "This library is open for reading only, so nothing can be removed from it."
            hint = library.writing_hint if library is not None else ""
            notice = Notice(NoticeLevel.INFORMATION, message, hint, key=_NOTICE, passes=True)
            self._messages.post(notice)
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
        number = self._panel.tree.first_selected()
        self._session.take((), removed)
        if number >= 0:
            self._panel.tree.select_near(number)
        what = name_of(gone[0]) if len(gone) == 1 else f"{len(gone)} documents"
        verb = "was" if len(gone) == 1 else "were"
        notice = Notice(
            NoticeLevel.INFORMATION,
            f"{what} {verb} removed from the library.",
            "The file stays where it is." if len(gone) == 1 else "The files stay where they are.",
            (NoticeAction("Undo", partial(self._bring_back, removed)),),
            key=_NOTICE,
            passes=True,
        )
        self._messages.post(notice)
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
        if self._is_read_only:
            return
        self._session.request(
            *("removed_among", tuple(paths)),
            on_result=self._on_files_found,
        )

    def _on_files_found(self, found: tuple[RemovedDocument, ...]) -> None:
        if found:
            self._bring_back(tuple(row.document_id for row in found))

    # What was taken out

    def show_removed(self) -> None:
        """List what was taken out of the library."""
        if self._removed is None:
            from desktop_qa.gui.library.removed_dialog import RemovedDialog

            self._removed = RemovedDialog(self._window)
            self._removed.restore_requested.connect(self._bring_back)
        self._removed.show_loading(is_read_only=self._is_read_only)
        bring_forward(self._removed)
        self._refresh_removed()

    def _refresh_removed(self) -> None:
        dialog = self._removed
        if dialog is not None and dialog.isVisible():
            self._session.request(
                "removed_documents",
                on_result=self._on_removed_listed,
                on_failure=dialog.show_failure,
            )

    def _on_removed_listed(self, removed: tuple[RemovedDocument, ...]) -> None:
        if self._removed is not None:
            self._removed.show_removed(removed)
