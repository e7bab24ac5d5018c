"""One piece of evidence: where it stands and what stands there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QWidget

from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import Table, TableCell
from desktop_qa.core.mark import ReadCell
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.core.sources import PREFERRED_SOURCE
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.answers.answer_why import EvidenceWhy
from desktop_qa.gui.evidence.figure_view import FigureView
from desktop_qa.gui.evidence.figure_window import copy_figure
from desktop_qa.gui.marks.mark_book import MarkBook, read_cell
from desktop_qa.gui.tables.table_layout import row_names, rows_shown
from desktop_qa.gui.tables.table_model import TableModel
from desktop_qa.gui.tables.table_pane import TablePane
from desktop_qa.gui.tables.table_text import origin_of
from desktop_qa.gui.widgets.answer_html import body_of, citation_line, excerpt, highlighted
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.buttons import IconButton, LinkButton
from desktop_qa.gui.widgets.dialog_parts import pop_up
from desktop_qa.gui.widgets.flow_text import FlowText
from desktop_qa.gui.widgets.labels import breakable_label, say, told
from desktop_qa.gui.widgets.opening import copy_text
from desktop_qa.gui.widgets.path_button import PathButton
from desktop_qa.gui.widgets.row_painting import font_like
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.theme import look

_EXCERPT_CHARACTERS = 420
_ROW_CHARACTERS = 150
_LINE_HEIGHT = 1.5


class Wishes(QObject):
    """What the user wants done with pieces of evidence, whichever card shows them.

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


class PieceTable(TablePane):
    """The table of a piece of evidence: its cited rows at first, in a window all of them."""

    def __init__(
        self,
        view: EvidenceView,
        table: Table,
        wishes: Wishes,
        reports: MarkBook | None = None,
        parent: QWidget | None = None,
        *,
        is_large: bool = False,
    ) -> None:
        rows = None if is_large else rows_shown(table, view.rows, view.cited_cells)
        origin = origin_of((table,), (f"{view.file}, page {view.page}",))
        cited = frozenset(view.cited_cells)
        model = TableModel(table, rows, cited, Symbols.of((view,)), origin)
        super().__init__(model, parent, is_large=is_large)
        show, places = partial(wishes.place_clicked.emit, view), view.places
        self.cell_clicked.connect(lambda cell: show(cell.provenances or places))
        self.place_requested.connect(partial(show, places))
        self.enlarge_button.clicked.connect(lambda: wishes.enlarge_requested.emit(view))
        self.export_requested.connect(partial(wishes.table_export_requested.emit, view))
        if reports is not None:
            self.model.follow_reports(reports, reader_of(view))


class Body(QWidget):
    """What a card shows of one kind of piece: all that differs from kind to kind is here.

    It keeps no reference to its card: a circle of the two would be left to the collector, which
    deletes widgets while they are drawn.

    Attributes:
        copied: What the card's button for copying copies, and its tip; empty words hide the button.
        more_line: The line of its own that the button for more stands in, if it has one.
    """

    copied = ("Copy with citation", "Copy with file, page and headings")
    more_line: QHBoxLayout | None = None

    def __init__(self, card: EvidenceCard) -> None:
        super().__init__(card)
        self.view = card.view
        self.column = in_column(self, margins=(0, 0, 0, 0))

    @property
    def is_figure(self) -> bool:
        """True when it can be enlarged and saved."""
        return False

    def more_words(self) -> str:
        """Return what stands on the button for more or less; empty when this is all."""
        return ""

    def show_more(self) -> None:
        """Show all of it, or less again."""

    def copy(self) -> bool:
        """Put it on the clipboard; False when its words are to be put there."""
        return False

    def selected(self) -> str:
        """Return the words selected in it."""
        return ""

    def add_actions(self, menu: QMenu, card: EvidenceCard) -> None:
        """Offer what can be done with this kind alone."""


class TextBody(Body):
    """The text of a section, at first what stands around the quoted words."""

    def __init__(self, card: EvidenceCard) -> None:
        super().__init__(card)
        self._is_whole = False
        self.text = told(FlowText(self), "evidence_text", "Text of the section")
        self.text.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # it is the card's
        self.text.clicked.connect(card.open_place)
        self._write()
        look.changed.connect(self._write)
        self.column.addWidget(self.text)

    def more_words(self) -> str:
        """Return what there is to do where the text is longer than what is shown at first."""
        is_long = len(body_of(self.view)) > _EXCERPT_CHARACTERS
        return ("Show less" if self._is_whole else "Show more") if is_long else ""

    def show_more(self) -> None:
        """Show the whole text, or what stands around the quoted words again."""
        self._is_whole = not self._is_whole
        self._write()

    def selected(self) -> str:
        """Return the words selected in it."""
        return self.text.textCursor().selection().toPlainText()

    def add_actions(self, menu: QMenu, card: EvidenceCard) -> None:
        """Offer to copy and to select."""
        menu.addAction("Copy", self.text.copy).setEnabled(self.text.textCursor().hasSelection())
        menu.addAction("Select All", self.text.selectAll)

    def _write(self) -> None:
        n_characters = len(body_of(self.view)) if self._is_whole else _EXCERPT_CHARACTERS
        show_passage(self.text, self.view, n_characters)


def show_passage(text: FlowText, view: EvidenceView, n_characters: int) -> None:
    """Write about so many characters around the quoted words of a piece, these in amber."""
    text.document().setDefaultFont(font_like(text.font(), look.answer_sizes.text_px))
    words = excerpt(body_of(view), view.quotes, n_characters)
    content = highlighted(words, view.quotes, look.theme, Symbols.of((view,)))
    text.show_html(content, round(look.answer_sizes.text_px * _LINE_HEIGHT))


class TableBody(Body):
    """The cited rows of a table; the pane has buttons of its own for copying and more."""

    copied = ("", "")

    def __init__(self, card: EvidenceCard, table: Table) -> None:
        super().__init__(card)
        self.pane = PieceTable(card.view, table, card.wishes, card.reports, self)
        self.more_line = self.pane.footer
        self.pane.changed.connect(card.update_more)
        self.column.addWidget(self.pane)

    def more_words(self) -> str:
        """Return what there is to do where rows were hidden at first."""
        return self.pane.more_words

    def show_more(self) -> None:
        """Show all rows, or the cited ones again."""
        self.pane.show_more()

    def copy(self) -> bool:
        """Put the table on the clipboard."""
        self.pane.copy_table()
        return True


class FigureBody(TextBody):
    """A figure, which speaks for itself and its caption; of one that is gone, its words."""

    copied = ("Copy the figure", "Copy the figure (Ctrl+C)")

    def __init__(self, card: EvidenceCard) -> None:
        super().__init__(card)
        view = card.view
        words = view.caption or view.text
        self.figure = FigureView(view.figure_path, words, self, vector_path=view.vector_path)
        self.figure.clicked.connect(card.open_place)
        self.figure.enlarge_requested.connect(partial(card.wishes.enlarge_requested.emit, view))
        self.figure.copy_requested.connect(card.copy)
        self.column.insertWidget(0, self.figure)
        self._has_words = self.figure.is_missing and bool(view.text)
        self.text.setVisible(self._has_words)

    @property
    def is_figure(self) -> bool:
        """True while its image can be read."""
        return not self.figure.is_missing

    def more_words(self) -> str:
        """Return what there is to do with its words."""
        return super().more_words() if self._has_words else ""

    def copy(self) -> bool:
        """Put the image on the clipboard."""
        path = self.view.figure_path
        if path and self.is_figure:
            copy_figure(self, path)
        return bool(path) and self.is_figure

    def add_actions(self, menu: QMenu, card: EvidenceCard) -> None:
        """Offer what can be done with the image."""
        if self.is_figure:
            menu.addAction("Copy Figure", card.copy)
            menu.addAction("Save Figure …", card.save_button.click)
            menu.addAction("Enlarge", card.enlarge_button.click)
        if self._has_words:
            super().add_actions(menu, card)


class EvidenceCard(QFrame):
    """A section, a table or a figure under its heading path.

    Args:
        view: The piece.
        wishes: What the user wants done with it is told there.
        evidence: How it was found; without it there is no foldout that says why.
        segment_id: What more of its kind is sought for; empty when it is not known.
        is_compact: Show a line of it at first, and the rest on demand.
        note: What is said of it below its path; its own source's note when empty.
    """

    def __init__(
        self,
        view: EvidenceView,
        wishes: Wishes,
        parent: QWidget | None = None,
        *,
        evidence: Evidence | None = None,
        segment_id: SegmentId | None = None,
        is_compact: bool = False,
        note: str = "",
        reports: MarkBook | None = None,
    ) -> None:
        super().__init__(parent)
        self.view = view
        self.wishes = wishes
        self._evidence = evidence
        self.reports = reports
        self._segment_id = segment_id or (evidence.segment.id if evidence is not None else None)
        self.body = Body(self)
        self.body.hide()  # in no layout: it stands for what is not unfolded yet
        self.why: EvidenceWhy | None = None
        self.setObjectName("card")
        self._make_buttons()
        self._layout = in_column(self, margins=(12, 9, 8, 9), spacing=5)
        head = in_row(spacing=2, inside=self._layout)
        put(head, (self.path_button, 1), 6, self.copy_button, self.similar_button, self.why_button)
        # Why the source moved the piece up or down, or what it shares with another.
        said = note or view.source_note
        words = f"{said[:1].upper()}{said[1:]}"
        self.source_label = breakable_label(self, "caption" if note else "source_label", words)
        self.source_label.setProperty("outdated", said != PREFERRED_SOURCE)
        self.source_label.setVisible(bool(said))
        self._layout.addWidget(self.source_label)
        row = in_row(inside=self._layout)
        self.row_label = None
        if is_compact:
            words = caption_of(view) or line_of(view)
            self.row_label = breakable_label(self, "caption", words)
            put(row, (self.row_label, 1), (self.more_button, 0, Qt.AlignmentFlag.AlignBottom))
        self._footer = QWidget(self)
        self._footer_line = in_row(self._footer, margins=(0, 0, 0, 0), spacing=2)
        put(self._footer_line, None, self.enlarge_button, self.save_button)
        self._body_column = in_column(margins=(0, 0, 4, 0), inside=self._layout)
        if not is_compact:
            self._add_body()
        self._layout.addWidget(self._footer)
        self._place_more_button()
        look.changed.connect(self._say_why)

    @property
    def is_folded(self) -> bool:
        """True while only a line of it is shown."""
        return self.row_label is not None

    # Building

    def _make_buttons(self) -> None:
        view = self.view
        self.path_button = PathButton(view, Symbols.of((view,)), self)
        self.path_button.clicked.connect(self.open_place)
        self.path_button.part_chosen.connect(partial(self.wishes.heading_clicked.emit, view))
        self.similar_button = IconButton(
            self, "similar", "More like this", "More like this: in other documents and here"
        )
        self.similar_button.clicked.connect(self.find_similar)
        self.similar_button.setVisible(self._segment_id is not None)
        self.copy_button = IconButton(self, "copy", *Body.copied)
        self.copy_button.clicked.connect(self.copy)
        self.enlarge_button = IconButton(
            self, "enlarge", "Enlarge the figure", "Show the figure large (Space)"
        )
        self.enlarge_button.clicked.connect(partial(self.wishes.enlarge_requested.emit, view))
        self.save_button = IconButton(self, "export", "Save the figure", "Save the figure …")
        self.save_button.clicked.connect(partial(self.wishes.figure_save_requested.emit, view))
        self.why_button = LinkButton(self, "Why?", "How this was found")
        self.why_button.setCheckable(True)
        self.why_button.setAccessibleName("Why this piece of evidence")
        self.why_button.setVisible(self._evidence is not None)
        self.why_button.toggled.connect(self._show_why)
        self.more_button = LinkButton(self)
        self.more_button.clicked.connect(self._on_more_clicked)

    def _add_body(self) -> None:
        view = self.view
        if caption := caption_of(view):
            caption_label = breakable_label(self, "caption", caption, can_select=True)
            self._body_column.addWidget(caption_label)
        self.body.deleteLater()
        if view.table is not None:
            self.body = TableBody(self, view.table)
        else:
            self.body = (FigureBody if view.kind is SegmentKind.FIGURE else TextBody)(self)
        self._body_column.addWidget(self.body)
        name, tip = self.body.copied
        self.copy_button.setVisible(bool(name))
        told(self.copy_button, spoken=name, tip=tip)

    def _place_more_button(self) -> None:
        """Put the button for more where the piece ends."""
        if not self.is_folded:
            (self.body.more_line or self._footer_line).insertWidget(0, self.more_button)
        self.update_more()

    def update_more(self) -> None:
        """Offer what there is to do with what is shown."""
        words = self.body.more_words()
        if self.is_folded:
            kind = self.view.kind.value if self.view.table is None else "table"
            words = f"Show the {kind}"
        say(self.more_button, words)
        self.enlarge_button.setVisible(self.body.is_figure)
        self.save_button.setVisible(self.body.is_figure)
        has_own = bool(words) and not self.is_folded and self.body.more_line is None
        self._footer.setVisible(has_own or self.body.is_figure)

    def _show_why(self, is_shown: bool) -> None:
        """Fold out how the piece was found."""
        if self.why is None and self._evidence is not None:
            self.why = EvidenceWhy(self)
            self._say_why()
            self._layout.insertWidget(1, self.why)  # beside its button, not under a long table
        if self.why is not None:
            self.why.setVisible(is_shown)

    def _say_why(self) -> None:
        if self.why is not None and self._evidence is not None:
            self.why.show_reasons(self.view, self._evidence)

    # More and less

    def unfold(self) -> None:
        """Show the piece itself instead of a line of it."""
        if self.row_label is None:
            return
        self.row_label.hide()
        self.row_label.deleteLater()
        self.row_label = None
        self._add_body()
        self._place_more_button()

    def _on_more_clicked(self) -> None:
        if self.is_folded:
            self.unfold()
        else:
            self.body.show_more()
            self.update_more()

    # Clicks

    def open_place(self) -> None:
        """Ask for its place in the viewer."""
        self.wishes.place_clicked.emit(self.view, self.view.places)

    def find_similar(self) -> None:
        """Ask for more of its kind."""
        if self._segment_id is not None:
            self.wishes.similar_requested.emit(self.view, self._segment_id)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the place by a click anywhere on the card."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.open_place()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the piece."""
        pop_up(self.menu(event.globalPos()), event.globalPos())

    def menu(self, position: QPoint) -> QMenu:
        """Return what can be done with the piece, for a menu at a place on the screen."""
        menu, view = QMenu(self), self.view
        self.body.add_actions(menu, self)
        menu.addAction("Copy with Citation", self.copy_with_citation)
        menu.addSeparator()
        menu.addAction("Open at Place", self.open_place)
        if self._segment_id is not None:
            menu.addAction("More Like This", self.find_similar)
        menu.addAction("Document …", partial(self.wishes.menu_requested.emit, view, position))
        return menu

    def copy(self) -> None:
        """Put the table, the figure, or the words with their citation on the clipboard."""
        if not self.body.copy():
            self.copy_with_citation()

    def copy_with_citation(self) -> None:
        """Put the selected words, else the quoted ones or all, and where they stand."""
        copy_text(quoted_with_place(self.view, self.body.selected()))

    def set_active(self, is_active: bool) -> None:
        """Mark the card whose place the viewer shows."""
        self.path_button.set_active(is_active)


def caption_of(view: EvidenceView) -> str:
    """Return the caption of a piece, unless its heading says it already."""
    table = view.table
    caption = f"{table.label} {table.caption}".strip() if table is not None else ""
    caption = caption or view.caption
    heading = _folded((view.section_path or ("",))[-1])
    return caption if caption and _folded(caption) not in heading else ""


def reader_of(view: EvidenceView) -> Callable[[int, int], ReadCell | None]:
    """Return how the cells of a piece's table are named in reports, by row and column."""
    table, name = view.table, (view.section_path or ("",))[-1]
    rows: list[list[TableCell | None]] = []

    def read(row: int, column: int) -> ReadCell | None:
        if table is None:
            return None
        rows.extend(() if rows else table.grid())
        cell = rows[row][column]
        return read_cell(view.document_id, table, cell, name) if cell is not None else None

    return read


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
