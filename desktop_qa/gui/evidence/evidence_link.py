"""What can be done with the pieces of an answer: looked at, enlarged, saved, more of their kind."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QStandardPaths, QTimer
from PySide6.QtWidgets import QAbstractSlider

from desktop_qa.answer_export.files import suggested_name
from desktop_qa.core.document import Table
from desktop_qa.core.errors import Cancelled, DesktopQaError, ExportError
from desktop_qa.core.similar import SimilarPieces
from desktop_qa.core.structure import same_heading
from desktop_qa.core.view import EvidenceView, StructureView
from desktop_qa.gui.evidence.evidence_card import EvidenceCard, reader_of
from desktop_qa.gui.evidence.evidence_preview import PreviewKeeper
from desktop_qa.gui.evidence.figure_reader import clean_svg
from desktop_qa.gui.evidence.figure_window import FigureWindow
from desktop_qa.gui.feature import Feature
from desktop_qa.gui.tables.table_export import TableExport
from desktop_qa.gui.tables.table_numbers import origin_of
from desktop_qa.gui.tables.table_pane import TableRows, TableWindow
from desktop_qa.gui.widgets.file_export import FileExport
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.window_parts import WindowParts

_LIST_MARGIN_PX = 12


class EvidenceLink(Feature):
    """Connects the pieces of evidence with the library, the viewer and windows of their own.

    Attributes:
        windows: Those that are open.
        tables: Writes tables to files.
    """

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._answer_panel = answer_panel = window.answer_panel
        self._panel = window.evidence_panel
        self._citations = window.citations
        self._scroll_area = window.answer_scroll
        self._sought = ""
        self._brings_list = False
        self.windows: list[TableWindow | FigureWindow] = []
        self.previews = PreviewKeeper(window)
        self.tables, self._figures = TableExport(window), FigureExport(window)
        answer_panel.parts.table_export_requested.connect(self.tables.choose_for_answer)
        self._panel.card_made.connect(self._on_card_made)
        for text in (answer_panel.answer_text, answer_panel.model_section.text, answer_panel.parts):
            text.passage_pointed.connect(self._on_passage_pointed)
            text.passage_left.connect(self.previews.leave)
        answer_panel.answer_shown.connect(lambda _view: self.previews.hide())
        bar = self._scroll_area.verticalScrollBar()
        bar.valueChanged.connect(lambda _value: self.previews.hide())
        # The pieces are laid out one after the other: only then is there room to scroll to.
        bar.rangeChanged.connect(self._show_list)
        bar.actionTriggered.connect(lambda _action: setattr(self, "_brings_list", False))

    def _on_card_made(self, card: EvidenceCard) -> None:
        card.place_clicked.connect(self._citations.show_piece)
        card.heading_clicked.connect(self.show_heading)
        card.menu_requested.connect(self._window.documents.show_menu)
        card.similar_requested.connect(self.show_similar)
        card.enlarge_requested.connect(self.enlarge)
        card.table_export_requested.connect(self._on_table_export_requested)
        card.figure_save_requested.connect(self._figures.choose)

    def _on_passage_pointed(self, marker: int, place: QRect, by_key: bool) -> None:
        answer = self._answer_panel.view
        pieces = answer.evidence if answer is not None else ()
        view = next((p for p in pieces if p.marker == marker), None)
        if view is not None:
            self.previews.point(view, place, at_once=by_key)

    def show_heading(self, view: EvidenceView, n_headings: int) -> None:
        """Show a heading of a piece's path: the document's structure, or where the heading stands.

        Args:
            view: The piece.
            n_headings: From the document's title down to the one wanted; 1 is the title.
        """
        if n_headings <= 1:
            self._show_structure(view)
            return
        self._session.request(
            *("structure", view.document_id),
            on_result=partial(self._on_structure, view, view.section_path[1:n_headings]),
        )

    def _show_structure(self, view: EvidenceView) -> None:
        status = self._session.status(view.document_id)
        if status is not None:
            self._window.documents.show_structure(status)

    def _on_structure(
        self, view: EvidenceView, path: tuple[str, ...], structure: StructureView
    ) -> None:
        chapter = same_heading(structure.chapters, path)
        if chapter is not None and chapter.places:
            self._citations.show_found(view, chapter.places)
        else:
            self._show_structure(view)

    def show_similar(self, view: EvidenceView, segment_id: str) -> None:
        """Look for more like a piece and show it in the place of the evidence."""
        self._sought = segment_id
        # The reader goes on to the list: whoever still scrolls to an earlier place gives up.
        bar = self._scroll_area.verticalScrollBar()
        bar.triggerAction(QAbstractSlider.SliderAction.SliderNoAction)
        self._brings_list = True
        self._panel.show_similar_searching(view)
        QTimer.singleShot(0, self._panel.similar, self._show_list)
        self._session.request(
            *("similar_segments", segment_id),
            on_result=partial(self._on_similar, segment_id),
            on_failure=partial(self._on_similar_failed, segment_id),
        )

    def _show_list(self) -> None:
        """Bring the head of the list of similar pieces to the top, as far as there is room yet."""
        content = self._scroll_area.widget()
        if content is None or not (self._brings_list and self._panel.shows_similar):
            return
        top = self._panel.similar.mapTo(content, QPoint(0, 0)).y()
        self._scroll_area.verticalScrollBar().setValue(max(0, top - _LIST_MARGIN_PX))

    def _on_similar(self, segment_id: str, found: SimilarPieces) -> None:
        if segment_id == self._sought and self._panel.shows_similar:
            self._panel.show_similar(found)
            QTimer.singleShot(0, self._panel.similar, self._show_list)

    def _on_similar_failed(self, segment_id: str, error: DesktopQaError) -> None:
        is_wanted = segment_id == self._sought and self._panel.shows_similar
        if is_wanted and not isinstance(error, Cancelled):
            self._panel.similar.show_failure(error.message, error.hint)

    def enlarge(self, view: EvidenceView) -> None:
        """Show the table or the figure of a piece in a window of its own."""
        if view.table is not None:
            self._open(self._table_window(view, view.table))
        elif view.figure_path:
            vector = view.vector_path or ""
            window = FigureWindow(view.caption, view.figure_path, vector, self._window)
            window.place_requested.connect(partial(self._citations.show_piece, view, view.places))
            window.save_requested.connect(partial(self._figures.choose, view))
            self._window.models.figures.follow(window, view)
            self._open(window)

    def _table_window(self, view: EvidenceView, table: Table) -> TableWindow:
        label = f"{table.label} {table.caption}".strip() or view.section_path[-1]
        place = f"{view.file}, page {view.page}"
        title, origin = f"{label} · {place}", origin_of((table,), (place,))
        cited, symbols = frozenset(view.cited_cells), Symbols.of((view,))
        window = TableWindow(title, table, cited, symbols, origin, self._window)
        if self._panel.reports is not None:
            window.pane.cells.follow_reports(self._panel.reports, reader_of(view))
        show = self._citations.show_piece
        window.pane.cell_clicked.connect(lambda c: show(view, c.provenances or view.places))
        window.pane.place_requested.connect(partial(show, view, view.places))
        window.pane.export_requested.connect(partial(self._on_table_export_requested, view))
        return window

    def _open(self, window: TableWindow | FigureWindow) -> None:
        self.windows.append(window)
        window.finished.connect(lambda _result: self.windows.remove(window))
        window.show()

    def _on_table_export_requested(self, view: EvidenceView, rows: TableRows) -> None:
        table = view.table
        label = f"{table.label} {table.caption}".strip() if table is not None else ""
        self.tables.choose(label or (view.section_path or ("Table",))[-1], rows)


class FigureExport(FileExport):
    """Asks where a figure shall be written, and writes it."""

    folder_key = "export/figures_folder"
    notice = "save_figure"
    usual_place = QStandardPaths.StandardLocation.PicturesLocation

    def choose(self, view: EvidenceView) -> None:
        """Ask for a place and write the figure of a piece there."""
        path, vector = view.figure_path, view.vector_path or ""
        if not path:
            return
        kinds = ["PNG image (*.png)"]
        if vector and clean_svg(vector):
            kinds.append("SVG drawing (*.svg)")
        name = f"{suggested_name(view.caption or 'Figure')}.png"
        target, kind = self.ask("Save Figure", name, kinds)
        if target is None:
            return
        if target.suffix.lower() not in (".png", ".svg"):
            target = target.with_name(f"{target.name}{'.svg' if 'svg' in kind else '.png'}")
        self.begin(target)
        try:
            save_figure(target, path, vector)
        except ExportError as error:
            self.tell_failed(error)
        else:
            self.tell_written(target, f"{target.name} was saved.")


def save_figure(target: Path, path: str, vector_path: str) -> None:
    """Write a figure as it is in the library, as a drawing when the name ends in .svg.

    Raises:
        ExportError: When it cannot be written, or is not there any more.
    """
    source = Path(vector_path if target.suffix.lower() == ".svg" and vector_path else path)
    try:
        shutil.copyfile(source, target)
    except OSError as error:
        raise ExportError(
            f"{target} cannot be written ({error.strerror or error}).",
            "Choose another place, or see whether the image is still in the library.",
        ) from error
