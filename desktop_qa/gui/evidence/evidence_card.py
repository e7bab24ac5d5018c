"""One piece of evidence: where it stands and what stands there."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QMenu,
    QToolButton,
    QWidget,
)

from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import TableCell
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.core.sources import PREFERRED_SOURCE
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.answers.answer_why import EvidenceWhy
from desktop_qa.gui.evidence.figure_view import FigureView
from desktop_qa.gui.evidence.figure_window import copy_figure
from desktop_qa.gui.marks.cell_reports import CellReports, read_cell
from desktop_qa.gui.tables.table_layout import row_names, rows_shown
from desktop_qa.gui.tables.table_numbers import origin_of
from desktop_qa.gui.tables.table_pane import CellReader, TablePane
from desktop_qa.gui.tables.table_view import TableView
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.answer_html import body_of, citation_line, excerpt, highlighted
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.breakable import breakable_label
from desktop_qa.gui.widgets.flow_text import FlowText
from desktop_qa.gui.widgets.path_button import PathButton
from desktop_qa.gui.widgets.symbols import Symbols

_EXCERPT_CHARACTERS = 420
_ROW_CHARACTERS = 150
_LINE_HEIGHT = 1.5


class EvidenceCard(QFrame):
    """A section, a table or a figure under its heading path.

    Args:
        evidence: How it was found; without it there is no foldout that says why.
        segment_id: What more of its kind is sought for; empty when it is not known.
        is_compact: Show a line of it at first, and the rest on demand.
        note: What is said of it below its path; its own source's note when empty.

    Attributes:
        place_clicked: With (`EvidenceView`, tuple of `Provenance`) to show in the viewer.
        heading_clicked: With (`EvidenceView`, number of headings down to the one to be shown).
        menu_requested: With (`EvidenceView`, `QPoint` on the screen): what to do with its document.
        similar_requested: With (`EvidenceView`, `SegmentId`).
        enlarge_requested, figure_save_requested: With the view.
        table_export_requested: With (`EvidenceView`, `TableRows`).
    """

    place_clicked = Signal(object, object)
    heading_clicked = Signal(object, int)
    menu_requested = Signal(object, object)
    similar_requested = Signal(object, str)
    enlarge_requested = Signal(object)
    table_export_requested = Signal(object, object)
    figure_save_requested = Signal(object)

    def __init__(
        self,
        view: EvidenceView,
        theme: themes.Theme,
        sizes: themes.TextSizes,
        parent: QWidget | None = None,
        *,
        evidence: Evidence | None = None,
        segment_id: SegmentId | None = None,
        is_compact: bool = False,
        note: str = "",
        reports: CellReports | None = None,
    ) -> None:
        super().__init__(parent)
        self.view = view
        self._evidence = evidence
        self._reports = reports
        self._segment_id = segment_id or (evidence.segment.id if evidence is not None else None)
        self._theme, self._sizes = theme, sizes
        self._symbols = Symbols.of((view,))
        self._is_whole = False
        self.why: EvidenceWhy | None = None
        self.text: FlowText | None = None
        self.pane: TablePane | None = None
        self.figure: FigureView | None = None
        self.setObjectName("card")
        self._make_buttons()
        self._layout = in_column(self, margins=(12, 9, 8, 9), spacing=5)
        self._add_head()
        self.source_label = self._note_label(note)
        if self.source_label is not None:
            self._layout.addWidget(self.source_label)
        self._row = in_row(inside=self._layout)
        self.row_label = self._add_row_label() if is_compact else None
        self._body = in_column(margins=(0, 0, 4, 0), inside=self._layout)
        if not is_compact:
            self._add_body()
        self._add_footer()
        self.apply_theme(theme, sizes)

    @property
    def is_folded(self) -> bool:
        """True while only a line of it is shown."""
        return self.row_label is not None

    @property
    def table(self) -> TableView | None:
        """The table of the piece, once it is shown."""
        return self.pane.view if self.pane is not None else None

    # Building

    def _make_buttons(self) -> None:
        view = self.view
        self.path_button = PathButton(view, self._symbols, self)
        self.path_button.clicked.connect(self.open_place)
        self.path_button.part_chosen.connect(partial(self.heading_clicked.emit, view))
        self.similar_button = self._icon_button(
            "similar", "More like this", "More like this: in other documents and here"
        )
        self.similar_button.clicked.connect(self.find_similar)
        self.similar_button.setVisible(self._segment_id is not None)
        self.copy_button = self._icon_button(
            "copy", "Copy with citation", "Copy with file, page and headings"
        )
        self.copy_button.clicked.connect(self.copy)
        self.enlarge_button = self._icon_button(
            "enlarge", "Enlarge the figure", "Show the figure large (Space)"
        )
        self.enlarge_button.clicked.connect(partial(self.enlarge_requested.emit, view))
        self.save_button = self._icon_button("export", "Save the figure", "Save the figure …")
        self.save_button.clicked.connect(partial(self.figure_save_requested.emit, view))
        self.why_button = self._link_button()
        self.why_button.setText("Why?")
        self.why_button.setCheckable(True)
        self.why_button.setAccessibleName("Why this piece of evidence")
        self.why_button.setToolTip("How this was found")
        self.why_button.setVisible(self._evidence is not None)
        self.why_button.toggled.connect(self._show_why)
        self.more_button = self._link_button()
        self.more_button.clicked.connect(self._on_more_clicked)

    def _link_button(self) -> QToolButton:
        """Return a button that looks like a link."""
        button = QToolButton(self)
        button.setObjectName("quiet_link")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    def _icon_button(self, icon: str, name: str, tip: str) -> QToolButton:
        """Return a button that is an icon of `resources/icons`, drawn with the card's theme."""
        button = QToolButton(self)
        button.setObjectName("quiet_button")
        button.setProperty("icon_name", icon)
        button.setAccessibleName(name)
        button.setToolTip(tip)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    def _add_head(self) -> None:
        head = in_row(spacing=2, inside=self._layout)
        head.addWidget(self.path_button, 1)
        head.addSpacing(6)
        for button in (self.copy_button, self.similar_button, self.why_button):
            head.addWidget(button)

    def _note_label(self, note: str) -> QLabel | None:
        """Return why the source moved the piece up or down, or what it shares with another."""
        words = note or self.view.source_note
        if not words:
            return None
        name = "caption" if note else "source_label"
        label = breakable_label(self, name, f"{words[0].upper()}{words[1:]}")
        label.setProperty("outdated", words != PREFERRED_SOURCE)
        return label

    def _add_row_label(self) -> QLabel:
        """Say in a line what stands there."""
        label = breakable_label(self, "caption", caption_of(self.view) or line_of(self.view))
        self._row.addWidget(label, 1)
        self._row.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignBottom)
        return label

    def _add_body(self) -> None:
        view = self.view
        caption = caption_of(view)
        if caption:
            self._body.addWidget(breakable_label(self, "caption", caption, can_select=True))
        if view.table is not None:
            self._add_table()
        elif view.kind is SegmentKind.FIGURE:
            self._add_figure()
        else:
            self._add_text()

    def _add_table(self) -> None:
        view, table = self.view, self.view.table
        if table is None:
            return
        self.pane = TablePane(self)
        self.pane.cell_clicked.connect(self._on_cell_clicked)
        self.pane.place_requested.connect(self.open_place)
        self.pane.changed.connect(self._name_more_button)
        self.pane.enlarge_requested.connect(partial(self.enlarge_requested.emit, view))
        self.pane.export_requested.connect(partial(self.table_export_requested.emit, view))
        self._body.addWidget(self.pane)
        rows = rows_shown(table, view.rows, view.cited_cells)
        origin = origin_of((table,), (f"{view.file}, page {view.page}",))
        cited = frozenset(view.cited_cells)
        self.pane.show_table(table, rows, cited, self._symbols, origin)
        if self._reports is not None:
            self.pane.follow_reports(self._reports, reader_of(view))
        self.copy_button.hide()

    def _add_figure(self) -> None:
        view = self.view
        self.figure = FigureView(
            view.figure_path, view.caption or view.text, self, vector_path=view.vector_path
        )
        self.figure.clicked.connect(self.open_place)
        self.figure.enlarge_requested.connect(partial(self.enlarge_requested.emit, view))
        self.figure.copy_requested.connect(self.copy)
        self.figure.menu_requested.connect(self._show_menu)
        self._body.addWidget(self.figure)
        self.copy_button.setAccessibleName("Copy the figure")
        self.copy_button.setToolTip("Copy the figure (Ctrl+C)")
        # The figure speaks for itself and its caption; an image that is gone has its words.
        if self.figure.is_missing and view.text:
            self._add_text()

    def _add_text(self) -> None:
        self.text = FlowText(self)
        self.text.setObjectName("evidence_text")
        self.text.setAccessibleName("Text of the section")
        self.text.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.text.customContextMenuRequested.connect(self._on_text_menu_requested)
        self.text.clicked.connect(self.open_place)
        self._body.addWidget(self.text)

    def _add_footer(self) -> None:
        self._footer = QWidget(self)
        footer = self._footer_line = in_row(self._footer, margins=(0, 0, 0, 0), spacing=2)
        footer.addStretch(1)
        footer.addWidget(self.enlarge_button)
        footer.addWidget(self.save_button)
        self._layout.addWidget(self._footer)
        self._place_more_button()
        self._update_footer()

    def _place_more_button(self) -> None:
        """Put the button for more where the piece ends."""
        if self.pane is not None:
            self.pane.footer.insertWidget(0, self.more_button)
        elif not self.is_folded:
            self._footer_line.insertWidget(0, self.more_button)

    def _update_footer(self) -> None:
        can_show_more = self.is_folded or self._can_show_more()
        has_figure = self.figure is not None and not self.figure.is_missing
        self.more_button.setVisible(can_show_more)
        self.enlarge_button.setVisible(has_figure)
        self.save_button.setVisible(has_figure)
        has_own = can_show_more and not self.is_folded and self.pane is None
        self._footer.setVisible(has_own or has_figure)

    def _show_why(self, is_shown: bool) -> None:
        """Fold out how the piece was found."""
        if self.why is None and self._evidence is not None:
            self.why = EvidenceWhy(self)
            self.why.show_reasons(self.view, self._evidence, self._theme, self._sizes)
            self._layout.insertWidget(1, self.why)  # beside its button, not under a long table
        if self.why is not None:
            self.why.setVisible(is_shown)

    # More and less

    def _can_show_more(self) -> bool:
        if self.pane is not None:
            return self.pane.n_hidden > 0
        return self.text is not None and len(body_of(self.view)) > _EXCERPT_CHARACTERS

    def _show_text(self) -> None:
        if self.text is None:
            return
        body, quotes = body_of(self.view), self.view.quotes
        if not self._is_whole:
            body = excerpt(body, quotes, _EXCERPT_CHARACTERS)
        content = highlighted(body, quotes, self._theme, self._symbols)
        self.text.show_html(content, round(self._sizes.text_px * _LINE_HEIGHT))

    def unfold(self) -> None:
        """Show the piece itself instead of a line of it."""
        if self.row_label is None:
            return
        self.row_label.hide()
        self.row_label.deleteLater()
        self.row_label = None
        self._add_body()
        self._place_more_button()
        self._update_footer()
        self.apply_theme(self._theme, self._sizes)

    def _on_more_clicked(self) -> None:
        if self.is_folded:
            self.unfold()
            return
        if self.pane is not None:
            self.pane.set_whole(not self.pane.is_whole)
            return
        self._is_whole = not self._is_whole
        self._show_text()
        self._name_more_button()

    def _name_more_button(self) -> None:
        table, is_whole = self.view.table, self._is_whole
        if self.pane is not None:
            is_whole = self.pane.is_whole
        if self.is_folded:
            words = f"Show the {self.view.kind.value if table is None else 'table'}"
        elif is_whole:
            words = "Show less"
        elif table is not None and self.pane is not None:
            words = f"Show all {table.n_rows - table.n_header_rows} rows"
        else:
            words = "Show more"
        self.more_button.setText(words)

    # Clicks

    def open_place(self) -> None:
        """Ask for its place in the viewer."""
        self.place_clicked.emit(self.view, self.view.places)

    def _on_cell_clicked(self, cell: TableCell) -> None:
        self.place_clicked.emit(self.view, cell.provenances or self.view.places)

    def find_similar(self) -> None:
        """Ask for more of its kind."""
        if self._segment_id is not None:
            self.similar_requested.emit(self.view, self._segment_id)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the place by a click anywhere on the card."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.open_place()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the piece."""
        self._show_menu(event.globalPos())

    def _on_text_menu_requested(self, position: QPoint) -> None:
        if self.text is not None:
            self._show_menu(self.text.viewport().mapToGlobal(position))

    def _show_menu(self, position: QPoint) -> None:
        menu = self.menu(position)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(position)

    def menu(self, position: QPoint) -> QMenu:
        """Return what can be done with the piece, for a menu at a place on the screen."""
        menu, view, text = QMenu(self), self.view, self.text
        if text is not None:
            copy = menu.addAction("Copy", text.copy)
            copy.setEnabled(text.textCursor().hasSelection())
        if self.figure is not None and not self.figure.is_missing:
            menu.addAction("Copy Figure", self.copy)
            menu.addAction("Save Figure …", partial(self.figure_save_requested.emit, view))
            menu.addAction("Enlarge", partial(self.enlarge_requested.emit, view))
        menu.addAction("Copy with Citation", self.copy_with_citation)
        if text is not None:
            menu.addAction("Select All", text.selectAll)
        menu.addSeparator()
        menu.addAction("Open at Place", self.open_place)
        if self._segment_id is not None:
            menu.addAction("More Like This", self.find_similar)
        menu.addAction("Document …", partial(self.menu_requested.emit, view, position))
        return menu

    def copy(self) -> None:
        """Put the table, the figure, or the words with their citation on the clipboard."""
        path = self.view.figure_path
        if self.pane is not None:
            self.pane.copy_table()
        elif self.figure is not None and not self.figure.is_missing and path:
            copy_figure(self, path)
        else:
            self.copy_with_citation()

    def copy_with_citation(self) -> None:
        """Put the selected words, else the quoted ones or all, and where they stand."""
        selected = self.text.textCursor().selection().toPlainText() if self.text else ""
        QGuiApplication.clipboard().setText(quoted_with_place(self.view, selected))

    def set_active(self, is_active: bool) -> None:
        """Mark the card whose place the viewer shows."""
        self.path_button.set_active(is_active)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self._theme, self._sizes = theme, sizes
        self.path_button.apply_theme(theme, sizes)
        for button in self.findChildren(QToolButton, "quiet_button"):
            button.setIcon(themes.icon(str(button.property("icon_name")), theme.dim))
        if self.pane is not None:
            self.pane.apply_theme(theme, sizes)
        if self.figure is not None:
            self.figure.apply_theme(theme)
        if self.why is not None and self._evidence is not None:
            self.why.show_reasons(self.view, self._evidence, theme, sizes)
        if self.text is not None:
            font = self.text.font()
            font.setPixelSize(sizes.text_px)
            self.text.document().setDefaultFont(font)
            self._show_text()
        self._name_more_button()


def caption_of(view: EvidenceView) -> str:
    """Return the caption of a piece, unless its heading says it already."""
    table = view.table
    caption = f"{table.label} {table.caption}".strip() if table is not None else ""
    caption = caption or view.caption
    heading = _folded((view.section_path or ("",))[-1])
    return caption if caption and _folded(caption) not in heading else ""


def reader_of(view: EvidenceView) -> CellReader:
    """Return how the cells of a piece's table are named in reports."""
    table, name = view.table, (view.section_path or ("",))[-1]
    return lambda cell: read_cell(view.document_id, table, cell, name) if table else None


def line_of(view: EvidenceView) -> str:
    """Return the words of a line: of a table the names of its rows, else how the text begins."""
    table, words = view.table, body_of(view)
    if table is not None and table.n_rows:
        words = ", ".join(row_names(table, view.rows)) or words
    return " ".join(excerpt(words, view.quotes, _ROW_CHARACTERS).split())


def quoted_with_place(view: EvidenceView, selected: str = "") -> str:
    """Return words of a piece with where they stand: the selected, else the quoted ones, or all."""
    words = selected or " … ".join(view.quotes) or body_of(view)
    return f"“{' '.join(words.split())}”\n— {citation_line(view)}"


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()
