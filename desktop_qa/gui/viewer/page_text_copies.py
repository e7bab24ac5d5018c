"""A selected passage on the clipboard: as a table, or with where it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from desktop_qa.core.document import DocumentId, Table
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import StructureView
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.tables.table_text import copied
from desktop_qa.gui.viewer.page_text_table import (
    Rows,
    rows_of_lines,
    rows_of_table,
    rows_of_tables,
)
from desktop_qa.gui.viewer.pdf_view import PdfView


class PassageCopies:
    """Copies what is selected in a view, with what the library knows of its document.

    Args:
        session: Knows the library.
        view: What is selected in.
        status: Returns the document on screen, if it is one of the library.
        say: Takes a sentence for the reader.
    """

    def __init__(
        self,
        session: LibrarySession,
        view: PdfView,
        status: Callable[[], DocumentStatus | None],
        say: Callable[[str], None],
    ) -> None:
        self._session = session
        self._view = view
        self._status = status
        self._say = say

    def copy_table(self) -> None:
        """Copy the selected cells: of a table of the library's, else by the words' columns."""
        if self._view.selector.is_long:
            self._copy_rows([])
            return
        places = self._view.selector.model.places()
        if not places:
            self._copy_rows(self.rows_by_words())
            return
        self.with_tables(
            places[0].page_no,
            lambda tables: self._copy_rows(rows_of_tables(tables, places) or self.rows_by_words()),
        )

    def with_tables(self, page_no: int, act: Callable[[tuple[Table, ...]], None]) -> None:
        """Give the library's tables of a page to who waits for them; none where it has none."""
        status = self._status()
        if status is None or not status.has_content:
            act(())
            return
        self._session.request(
            *("tables_on_page", status.document_id, page_no),
            on_result=act,
            # Words can be copied by their columns without the library's table.
            on_failure=lambda _error: act(()),
        )

    def copy_whole(self, table: Table) -> None:
        """Copy all cells of a table."""
        self._copy_rows(rows_of_table(table))

    def rows_by_words(self) -> Rows:
        """Return the selection as cells by the columns its words stand in; empty for no table."""
        model = self._view.selector.model
        page_index = model.page_range[0]
        page = self._view.texts.peek(page_index)
        if page is None or len(model.page_range) > 1:
            return []
        if model.block is not None:
            return rows_of_lines(page, model.block_parts())
        start, end = model.stretch(page_index)
        return rows_of_lines(page, list(page.lines_between(start, end)))

    def _copy_rows(self, rows: Rows) -> None:
        if not rows:
            self._say("The selection is no table: select its cells, or drag with Alt held down.")
            return
        QGuiApplication.clipboard().setMimeData(copied(rows))
        # Two columns at least make a table.
        n_rows = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
        self._say(f"A table of {n_rows} and {len(rows[0])} columns was copied.")

    def copy_with_citation(self) -> None:
        """Copy the selected text in quotation marks with where it stands."""
        path, text = self._view.texts.path, self._view.selector.text
        places = self._view.selector.model.places()
        if path is None or not text or not places:
            return
        place = places[0]
        labels = self._view.document.page_labels
        is_named = place.page_no <= len(labels)
        label = labels[place.page_no - 1] if is_named else str(place.page_no)
        status = self._status()
        if status is not None and status.page_starts:
            label = status.page_name(place.page_no)
        if status is None or not status.has_content:
            self._to_clipboard(cited(text, path, label, status))
            return

        def came(view: StructureView) -> None:
            sections = section_path(view, place.page_no, place.bbox.top)
            self._to_clipboard(cited(text, path, label, status, sections))

        self._session.request(
            *("structure", DocumentId(status.document_id)),
            on_result=came,
            on_failure=lambda _error: self._to_clipboard(cited(text, path, label, status)),
        )

    def _to_clipboard(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._say("The passage was copied with its citation.")


def section_path(view: StructureView, page_no: int, top: float) -> tuple[str, ...]:
    """Return the headings that a height on a page stands under, from the outermost in.

    Args:
        view: The structure of the document.
        page_no: 1-based.
        top: Points from the top of the page.
    """
    index = view.chapter_at(page_no, top)
    path: list[str] = []
    while index >= 0:
        chapter = view.chapters[index]
        path.append(f"{chapter.number} {chapter.title}".strip())
        index = chapter.parent
    return tuple(reversed(path))


def cited(
    text: str,
    path: Path,
    page_label: str,
    status: DocumentStatus | None = None,
    sections: Sequence[str] = (),
) -> str:
    """Return a passage in quotation marks and, below it, its document, page and section.

    Args:
        text: The passage.
        path: Of the file.
        page_label: What the page is called.
        status: The document in the library; None when it is not part of it.
        sections: Headings from the outermost in.
    """
    names = [path.stem]
    if status is not None:
        parts = ", ".join(status.part_numbers[:2])
        title = status.title or path.stem
        names = [title if not parts or parts in title else f"{parts}: {title}"]
        if status.revision:
            names.append(f"rev. {status.revision}")
    names.append(f"p. {page_label}")
    if sections:
        names.append(" › ".join(sections))
    return f"“{text.strip()}”\n— {', '.join(names)}"
