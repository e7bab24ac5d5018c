"""What can be done with the pieces of an answer: looked at, enlarged, saved."""

from __future__ import annotations

import html
import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QStandardPaths, Qt, QTimer
from PySide6.QtWidgets import QAbstractSlider, QApplication, QFrame, QHBoxLayout, QLabel, QWidget

from desktop_qa.answer_export.files import suggested_name
from desktop_qa.core.answer_table import AnswerTable, CellSource
from desktop_qa.core.document import Table
from desktop_qa.core.errors import Cancelled, DesktopQaError, ExportError
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.similar import SimilarPieces
from desktop_qa.core.structure import same_heading
from desktop_qa.core.view import EvidenceView, StructureView
from desktop_qa.gui.evidence.evidence_card import PieceTable, show_passage
from desktop_qa.gui.evidence.figure_view import FigureView, clean_svg
from desktop_qa.gui.evidence.figure_window import FigureWindow
from desktop_qa.gui.tables.table_layout import TableGrid, rows_shown
from desktop_qa.gui.tables.table_model import TableModel
from desktop_qa.gui.tables.table_pane import PaneWindow, TableRows
from desktop_qa.gui.tables.table_view import TableView
from desktop_qa.gui.widgets.answer_html import typeset
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.file_export import FileExport, with_ending
from desktop_qa.gui.widgets.flow_text import FlowText
from desktop_qa.gui.widgets.row_painting import chip_pixmap
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import single_shot
from desktop_qa.gui.window_parts import Feature, WindowParts

_AFTER_MS = 300
_GRACE_MS = 80
"""The pointer may cross a gap between two words of one link."""
_WIDTH_PX = 440
_GAP_PX = 6
_EXCERPT_CHARACTERS = 340
_MOST_ROWS = 6
_FIGURE_HEIGHT_PX = 200

_HIDES = frozenset(
    (
        QEvent.Type.Wheel,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.KeyPress,
        QEvent.Type.WindowDeactivate,
        QEvent.Type.ApplicationDeactivate,
    )
)
_FORM_KEY = "export/tables_form"
_ENDING = ".csv"
_FOR_EXCEL = "CSV for Excel (*.csv)"
_PLAIN = "CSV as printed, UTF-8 (*.csv)"
_WITH_PLACES = "CSV with the place of each cell (*.csv)"
AS_NUMBERS = "CSV as numbers, with scale, period and source (*.csv)"
_LIST_MARGIN_PX = 12


class PassagePreview(QFrame):
    """Shows where a piece stands and its quoted words, rows or figure, over a window."""

    def __init__(self, view: EvidenceView, parent: QWidget | None = None) -> None:
        flags = Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint
        super().__init__(parent, flags)
        self.view = view
        self.setObjectName("passage_preview")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedWidth(_WIDTH_PX)
        self._column = in_column(self, margins=(12, 9, 12, 11), spacing=6)
        self._fill_head(in_row(spacing=8, inside=self._column))
        self.body = self._body()
        self._column.addWidget(self.body)
        self.ensurePolished()
        self.body.setFixedWidth(_WIDTH_PX - 26)
        self._column.activate()
        self.setAccessibleName(f"{view.file}, page {view.page}")
        self.resize(_WIDTH_PX, self._column.totalHeightForWidth(_WIDTH_PX))

    def _fill_head(self, head: QHBoxLayout) -> None:
        """Say where the passage stands: the innermost heading, then what is around it."""
        view, symbols = self.view, Symbols.of((self.view,))
        heading = typeset((view.section_path or (view.file,))[-1], symbols)
        around = [view.file, f"page {view.page}", *view.section_path[1:-1]]
        where = html.escape(" · ".join(around), quote=False)
        self.head_label = QLabel(self)
        self.head_label.setTextFormat(Qt.TextFormat.RichText)
        self.head_label.setWordWrap(True)
        self.head_label.setText(
            f"<b>{heading}</b><br/><span style='color:{look.theme.dim}; "
            f"font-size:{look.answer_sizes.small_px}px'>{where}</span>"
        )
        chip = QLabel(self, pixmap=chip_pixmap(view.marker, self))
        put(head, (chip, 0, Qt.AlignmentFlag.AlignTop), (self.head_label, 1))

    def _body(self) -> QWidget:
        view = self.view
        if view.table is not None and view.table.n_rows:
            rows, cited = _rows_of(view, view.table), frozenset(view.cited_cells)
            model = TableModel(view.table, rows, cited, Symbols.of((view,)))
            table = TableView(model, self)
            model.setParent(table)
            table.resize(_WIDTH_PX - 26, 80)
            table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            model.arrange()  # at this width
            return table
        if view.kind is SegmentKind.FIGURE and view.figure_path:
            figure = FigureView(
                view.figure_path,
                view.caption,
                self,
                vector_path=view.vector_path,
                max_height_px=_FIGURE_HEIGHT_PX,
            )
            figure.resize(_WIDTH_PX - 26, _FIGURE_HEIGHT_PX)
            return figure
        text = FlowText(self)
        text.resize(_WIDTH_PX - 26, 40)
        show_passage(text, view, _EXCERPT_CHARACTERS)
        text.document().setTextWidth(_WIDTH_PX - 26)
        text.setFixedHeight(round(text.document().size().height()))
        return text

    def place_beside(self, anchor: QRect, screen: QRect) -> None:
        """Move below a marker, or above it where the screen has more room; never over it."""
        height = self._column.totalHeightForWidth(_WIDTH_PX)
        left = min(max(anchor.left() - 16, screen.left()), screen.right() - self.width())
        below = anchor.bottom() + _GAP_PX
        fits_below = below + height <= screen.bottom()
        above = anchor.top() - _GAP_PX - height
        top = below if fits_below or above < screen.top() else above
        self.setGeometry(left, top, self.width(), height)


def _rows_of(view: EvidenceView, table: Table) -> tuple[int, ...]:
    """Return the rows to look at: those that are cited below their headings, else the first."""
    rows = rows_shown(table, view.rows, view.cited_cells)
    n_header, grid = table.n_header_rows, TableGrid(table)
    cited = {row for row, _ in view.cited_cells}
    body = [row for row in rows[n_header:] if not cited or row in cited]
    above = [row for row in rows[n_header:] if grid.is_group_heading(row)]
    kept = sorted({*body[:_MOST_ROWS], *(row for row in above if row < max(body, default=0))})
    return (*rows[:n_header], *kept)


class PreviewKeeper(QObject):
    """Shows one passage at a time, a moment after the pointer has come to its marker."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.preview: PassagePreview | None = None
        self._next: tuple[EvidenceView, QRect] | None = None
        self._show_timer = single_shot(self, self._show, _AFTER_MS)
        self._hide_timer = single_shot(self, self.hide, _GRACE_MS)
        look.changed.connect(self.hide)

    def point(self, view: EvidenceView, anchor: QRect, *, at_once: bool = False) -> None:
        """Show a passage beside its marker on the screen, in a moment.

        By a key it is shown at once, and taken away by the same key.
        """
        is_shown = self.preview is not None and self.preview.view is view
        if at_once:
            if is_shown:
                self.hide()
            else:
                self._next = view, anchor
                self._show()
            return
        self._hide_timer.stop()
        if not is_shown and (self._next is None or self._next[0] is not view):
            self.hide()
            self._next = view, QRect(anchor)
            self._show_timer.start()

    def leave(self) -> None:
        """The pointer has left the marker."""
        self._show_timer.stop()
        self._next = None
        if self.preview is not None:
            self._hide_timer.start()

    def hide(self) -> None:
        """Take the preview away."""
        self._show_timer.stop()
        self._hide_timer.stop()
        self._next = None
        if self.preview is not None:
            application = QApplication.instance()
            if application is not None:
                application.removeEventFilter(self)
            self.preview.hide()
            self.preview.deleteLater()
            self.preview = None

    def _show(self) -> None:
        if self._next is None:
            return
        view, anchor = self._next
        self.hide()
        self.preview = PassagePreview(view, self._window)
        screen = self._window.screen().availableGeometry()
        self.preview.place_beside(anchor, screen)
        self.preview.show()
        application = QApplication.instance()
        if application is not None:
            application.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Give way to what the user does next; after the marker has seen it, when it is a key."""
        if event.type() in _HIDES and self.preview is not None:
            if event.type() == QEvent.Type.KeyPress:
                QTimer.singleShot(0, self, partial(self._hide_unless_new, self.preview))
            else:
                self.hide()
        return False

    def _hide_unless_new(self, old: PassagePreview) -> None:
        if self.preview is old:
            self.hide()


class TableExport(FileExport):
    """Asks where, and lets the library's process write."""

    folder_key = "export/tables_folder"
    notice = "export_table"

    def choose(self, title: str, rows: TableRows) -> None:
        """Ask for a place and have rows of a table of a document written there."""
        printed, numbers = rows
        form = str(self._settings.value(_FORM_KEY, _FOR_EXCEL))
        forms = (_FOR_EXCEL, _PLAIN, *((AS_NUMBERS,) if numbers else ()))
        target, form = self._ask(title, forms, form if form in forms else _FOR_EXCEL)
        if target is not None:
            self._settings.setValue(_FORM_KEY, form)
            cells = numbers if form == AS_NUMBERS else printed
            self.write(target, "export_cells", cells, str(target), form != _PLAIN)

    def choose_for_answer(
        self, table: AnswerTable, sources: dict[int, CellSource], numbers: list[list[str]]
    ) -> None:
        """Ask for a place and have a table of an answer written there, as it is looked at.

        Its sources go by marker; `numbers` are its rows as numbers, none when it has no figures.
        """
        forms = (_WITH_PLACES, *((AS_NUMBERS,) if numbers else ()))
        target, form = self._ask(table.title or "Table", forms)
        if target is not None and form == AS_NUMBERS:
            self.write(target, "export_cells", numbers, str(target), True)
        elif target is not None:
            self.export(table, sources, target)

    def _ask(self, title: str, forms: Iterable[str], usual: str = "") -> tuple[Path | None, str]:
        name = f"{suggested_name(title)}{_ENDING}"
        target, form = self.ask("Export Table", name, forms, usual)
        return (with_ending(target, _ENDING) if target is not None else None), form

    def export(self, table: AnswerTable, sources: dict[int, CellSource], target: Path) -> None:
        """Have a table of an answer written, over what is there."""
        self.write(target, "export_table", table, sources, str(target))


class EvidenceLink(Feature):
    """Connects the pieces of evidence with the library, the viewer and windows of their own."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._answer_panel = answer_panel = window.answer_panel
        self._panel = window.evidence_panel
        self._citations = window.citations
        self._scroll_area = window.answer_scroll
        self._brings_list = False
        self.previews = PreviewKeeper(window)
        self.tables, self._figures = TableExport(window), FigureExport(window)
        answer_panel.parts.table_export_requested.connect(self.tables.choose_for_answer)
        wishes = self._panel.wishes
        wishes.place_clicked.connect(self._citations.show_piece)
        wishes.heading_clicked.connect(self.show_heading)
        wishes.menu_requested.connect(window.documents.show_menu)
        wishes.similar_requested.connect(self.show_similar)
        wishes.enlarge_requested.connect(self.enlarge)
        wishes.table_export_requested.connect(self._on_table_export_requested)
        wishes.figure_save_requested.connect(self._figures.choose)
        for text in (answer_panel.answer_text, answer_panel.model_section.text, answer_panel.parts):
            text.passage_pointed.connect(self._on_passage_pointed)
            text.passage_left.connect(self.previews.leave)
        answer_panel.answer_shown.connect(lambda _view: self.previews.hide())
        bar = self._scroll_area.verticalScrollBar()
        bar.valueChanged.connect(lambda _value: self.previews.hide())
        # The pieces are laid out one after the other: only then is there room to scroll to.
        bar.rangeChanged.connect(self._show_list)
        bar.actionTriggered.connect(lambda _action: setattr(self, "_brings_list", False))

    def _on_passage_pointed(self, marker: int, place: QRect, by_key: bool = False) -> None:
        answer = self._answer_panel.view
        pieces = answer.evidence if answer is not None else ()
        view = next((p for p in pieces if p.marker == marker), None)
        if view is not None:
            self.previews.point(view, place, at_once=by_key)

    def show_heading(self, view: EvidenceView, n_headings: int) -> None:
        """Show where a heading of a piece's path stands; of the first, the document's structure."""
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
        # The reader goes on to the list: whoever still scrolls to an earlier place gives up.
        bar = self._scroll_area.verticalScrollBar()
        bar.triggerAction(QAbstractSlider.SliderAction.SliderNoAction)
        self._brings_list = True
        self._panel.show_similar_searching(view)
        QTimer.singleShot(0, self._panel.similar, self._show_list)
        self._session.request(
            *("similar_segments", segment_id),
            on_result=self._on_similar,
            on_failure=self._on_similar_failed,
            latest="similar",
        )

    def _show_list(self) -> None:
        """Bring the head of the list of similar pieces to the top, as far as there is room yet."""
        content = self._scroll_area.widget()
        if content is None or not (self._brings_list and self._panel.shows_similar):
            return
        top = self._panel.similar.mapTo(content, QPoint(0, 0)).y()
        self._scroll_area.verticalScrollBar().setValue(max(0, top - _LIST_MARGIN_PX))

    def _on_similar(self, found: SimilarPieces) -> None:
        if self._panel.shows_similar:
            self._panel.show_similar(found)
            QTimer.singleShot(0, self._panel.similar, self._show_list)

    def _on_similar_failed(self, error: DesktopQaError) -> None:
        if self._panel.shows_similar and not isinstance(error, Cancelled):
            self._panel.similar.show_note(str(error))

    def enlarge(self, view: EvidenceView) -> None:
        """Show the table or the figure of a piece in a window of its own."""
        if view.table is not None:
            title = f"{_title_of(view)} · {view.file}, page {view.page}"
            wishes, reports = self._panel.wishes, self._panel.reports
            pane = PieceTable(view, view.table, wishes, reports, is_large=True)
            PaneWindow(title, pane, self._window, heading=title).show()
        elif view.figure_path:
            vector = view.vector_path or ""
            window = FigureWindow(view.caption, view.figure_path, vector, self._window)
            window.place_requested.connect(partial(self._citations.show_piece, view, view.places))
            window.save_requested.connect(partial(self._figures.choose, view))
            self._window.models.describe_in(window, view)
            window.show()

    def _on_table_export_requested(self, view: EvidenceView, rows: TableRows) -> None:
        self.tables.choose(_title_of(view), rows)


def _title_of(view: EvidenceView) -> str:
    """Return what the table of a piece is called, by its heading if need be."""
    table = view.table
    label = f"{table.label} {table.caption}".strip() if table is not None else ""
    return label or (view.section_path or ("Table",))[-1]


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
