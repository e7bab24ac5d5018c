"""One piece of evidence: where it stands and what stands there."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import Table, TableCell
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.sources import PREFERRED_SOURCE
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui import theme as themes
from desktop_qa.gui.answer_html import excerpt, highlighted
from desktop_qa.gui.answer_why import EvidenceWhy
from desktop_qa.gui.breakable import show_breakable
from desktop_qa.gui.figure_view import FigureView
from desktop_qa.gui.flow_text import FlowText
from desktop_qa.gui.path_button import PathButton
from desktop_qa.gui.table_layout import all_rows, row_names, rows_shown
from desktop_qa.gui.table_view import TableSlice, TableView

_EXCERPT_CHARACTERS = 420
_ROW_CHARACTERS = 150
_LINE_HEIGHT = 1.5


class EvidenceCard(QFrame):
    """A section, a table or a figure under its heading path.

    Args:
        evidence: How it was found; without it there is no foldout that says why.
        is_compact: Show a line of it at first, and the rest on demand.

    Attributes:
        place_clicked: With (`EvidenceView`, tuple of `Provenance`) to show in the viewer.
        menu_requested: With (`EvidenceView`, `QPoint` on the screen): what to do with its document.
    """

    place_clicked = Signal(object, object)
    menu_requested = Signal(object, object)

    def __init__(
        self,
        view: EvidenceView,
        theme: themes.Theme,
        sizes: themes.TextSizes,
        parent: QWidget | None = None,
        *,
        evidence: Evidence | None = None,
        is_compact: bool = False,
    ) -> None:
        super().__init__(parent)
        self.view = view
        self._evidence = evidence
        self._theme, self._sizes = theme, sizes
        self._is_whole = False
        self.why: EvidenceWhy | None = None
        self.text: FlowText | None = None
        self.table: TableView | None = None
        self.figure: FigureView | None = None
        self.setObjectName("card")
        self.path_button = PathButton(
            view.section_path, view.page_no, view.marker if view.is_cited else None, self
        )
        self.path_button.clicked.connect(self._on_place_clicked)
        self.why_button = self._make_button("quiet_link")
        self.more_button = self._make_button("quiet_link")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(12, 9, 8, 9)
        self._layout.setSpacing(5)
        self._add_head()
        self.source_label = self._add_source_label()
        self._row = QHBoxLayout()
        self._layout.addLayout(self._row)
        self.row_label = self._add_row_label() if is_compact else None
        self._body = QVBoxLayout()
        self._body.setContentsMargins(0, 0, 4, 0)
        self._layout.addLayout(self._body)
        self.copy_button = self._make_button("quiet_button")
        self.copy_button.setAccessibleName("Copy the table")
        self.copy_button.setToolTip("Copy the table for a spreadsheet")
        if not is_compact:
            self._add_body()
        self._add_footer()
        self.more_button.clicked.connect(self._on_more_clicked)
        self.why_button.toggled.connect(self._show_why)
        self.copy_button.clicked.connect(self.copy_table)
        self.apply_theme(theme, sizes)

    @property
    def is_folded(self) -> bool:
        """True while only a line of it is shown."""
        return self.row_label is not None

    # Building

    def _make_button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    def _add_head(self) -> None:
        self.why_button.setText("Why?")
        self.why_button.setCheckable(True)
        self.why_button.setAccessibleName("Why this piece of evidence")
        self.why_button.setToolTip("How this was found")
        self.why_button.setVisible(self._evidence is not None)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.path_button, 1)
        head.addWidget(self.why_button)
        self._layout.addLayout(head)

    def _add_source_label(self) -> QLabel | None:
        """Say why the source moved this piece up or down; most have no reason to."""
        note = self.view.source_note
        if not note:
            return None
        label = QLabel(self)
        show_breakable(label, f"{note[0].upper()}{note[1:]}")
        label.setObjectName("source_label")
        label.setProperty("outdated", note != PREFERRED_SOURCE)
        label.setTextFormat(Qt.TextFormat.PlainText)
        self._layout.addWidget(label)
        return label

    def _caption_text(self) -> str:
        """Return the caption, unless the heading says it already."""
        table = self.view.table
        caption = f"{table.label} {table.caption}".strip() if table is not None else ""
        caption = caption or self.view.caption
        heading = _folded((self.view.section_path or ("",))[-1])
        return caption if caption and _folded(caption) not in heading else ""

    def _add_row_label(self) -> QLabel:
        """Say in a line what stands there."""
        label = QLabel(self)
        show_breakable(label, self._caption_text() or self._row_text())
        label.setObjectName("caption")
        label.setTextFormat(Qt.TextFormat.PlainText)
        self._row.addWidget(label, 1)
        self._row.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignBottom)
        return label

    def _row_text(self) -> str:
        """Return the words of a line: of a table the names of its rows, else how it begins."""
        table = self.view.table
        words = self._body_text()
        if table is not None and table.n_rows:
            words = ", ".join(row_names(table, self.view.rows)) or words
        return " ".join(excerpt(words, self.view.quotes, _ROW_CHARACTERS).split())

    def _add_caption(self) -> None:
        caption = self._caption_text()
        if caption:
            label = QLabel(caption, self)
            label.setObjectName("caption")
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            self._body.addWidget(label)

    def _add_body(self) -> None:
        self._add_caption()
        view = self.view
        if view.table is not None and view.table.n_rows:
            self.table = TableView(self)
            self.table.cell_clicked.connect(self._on_cell_clicked)
            self._body.addWidget(self.table)
            self._show_rows(view.table)
        elif view.kind is SegmentKind.FIGURE:
            self.figure = FigureView(view.figure_path, view.caption or view.text, self)
            self.figure.clicked.connect(self._on_place_clicked)
            self._body.addWidget(self.figure)
            # The figure speaks for itself and its caption; an image that is gone has its words.
            if self.figure.is_missing and view.text:
                self._add_text()
        else:
            self._add_text()

    def _add_text(self) -> None:
        self.text = FlowText(self)
        self.text.setObjectName("evidence_text")
        self.text.setAccessibleName("Text of the section")
        self.text.clicked.connect(self._on_place_clicked)
        self._body.addWidget(self.text)

    def _add_footer(self) -> None:
        self._footer = QWidget(self)
        footer = QHBoxLayout(self._footer)
        footer.setContentsMargins(0, 0, 0, 0)
        if not self.is_folded:
            footer.addWidget(self.more_button)
        footer.addStretch(1)
        footer.addWidget(self.copy_button)
        self._layout.addWidget(self._footer)
        self._update_footer()

    def _update_footer(self) -> None:
        can_show_more = self.is_folded or self._can_show_more()
        self.more_button.setVisible(can_show_more)
        self.copy_button.setVisible(self.table is not None)
        has_more = can_show_more and not self.is_folded
        self._footer.setVisible(has_more or self.table is not None)

    def _show_why(self, is_shown: bool) -> None:
        """Fold out how the piece was found."""
        if self.why is None and self._evidence is not None:
            self.why = EvidenceWhy(self.view, self._evidence, self)
            self.why.apply_theme(self._theme, self._sizes)
            self._layout.addWidget(self.why)
        if self.why is not None:
            self.why.setVisible(is_shown)

    # More and less

    def _body_text(self) -> str:
        """Return the text without the heading line that the path already says."""
        text = self.view.text.strip()
        head, _, rest = text.partition("\n")
        last = (self.view.section_path or ("",))[-1]
        return rest.strip() if rest.strip() and head.strip(" #") == last else text

    def _can_show_more(self) -> bool:
        if self.table is not None and self.view.table is not None:
            return len(self._short_rows(self.view.table)) < self.view.table.n_rows
        return self.text is not None and len(self._body_text()) > _EXCERPT_CHARACTERS

    def _short_rows(self, table: Table) -> tuple[int, ...]:
        return rows_shown(table, self.view.rows, self.view.cited_cells)

    def _show_rows(self, table: Table) -> None:
        if self.table is None:
            return
        rows = all_rows(table) if self._is_whole else self._short_rows(table)
        self.table.show_slice(TableSlice(table, rows, frozenset(self.view.cited_cells)))

    def _show_text(self) -> None:
        if self.text is None:
            return
        body = self._body_text()
        if not self._is_whole:
            body = excerpt(body, self.view.quotes, _EXCERPT_CHARACTERS)
        content = highlighted(body, self.view.quotes, self._theme)
        self.text.show_html(content, round(self._sizes.text_px * _LINE_HEIGHT))

    def unfold(self) -> None:
        """Show the piece itself instead of a line of it."""
        if self.row_label is None:
            return
        self.row_label.hide()
        self.row_label.deleteLater()
        self.row_label = None
        self._add_body()
        footer = self._footer.layout()
        if isinstance(footer, QHBoxLayout):
            footer.insertWidget(0, self.more_button)
        self._update_footer()
        self.apply_theme(self._theme, self._sizes)

    def _on_more_clicked(self) -> None:
        if self.is_folded:
            self.unfold()
            return
        self._is_whole = not self._is_whole
        if self.view.table is not None:
            self._show_rows(self.view.table)
        self._show_text()
        self._name_more_button()

    def _name_more_button(self) -> None:
        table = self.view.table if self.table is not None else None
        if self.is_folded:
            kind = "table" if self.view.table is not None else self.view.kind.value
            words = {"table": "table", "figure": "figure"}.get(kind, "text")
            self.more_button.setText(f"Show the {words}")
        elif self._is_whole:
            self.more_button.setText("Show less")
        elif table is not None:
            self.more_button.setText(f"Show all {table.n_rows - table.n_header_rows} rows")
        else:
            self.more_button.setText("Show more")

    # Clicks

    def _on_place_clicked(self) -> None:
        self.place_clicked.emit(self.view, self.view.places)

    def _on_cell_clicked(self, cell: TableCell) -> None:
        self.place_clicked.emit(self.view, cell.provenances or self.view.places)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the place by a click anywhere on the card."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._on_place_clicked()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the document."""
        self.menu_requested.emit(self.view, event.globalPos())

    def copy_table(self) -> None:
        """Put the rows on the clipboard as tab-separated text."""
        if self.table is not None:
            QGuiApplication.clipboard().setText(self.table.as_tsv())

    def set_active(self, is_active: bool) -> None:
        """Mark the card whose place the viewer shows."""
        self.path_button.set_active(is_active)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self._theme, self._sizes = theme, sizes
        self.path_button.apply_theme(theme, sizes)
        self.copy_button.setIcon(themes.icon("copy", theme.dim))
        if self.table is not None:
            self.table.apply_theme(theme, sizes)
        if self.figure is not None:
            self.figure.apply_theme(theme)
        if self.why is not None:
            self.why.apply_theme(theme, sizes)
        if self.text is not None:
            font = self.text.font()
            font.setPixelSize(sizes.text_px)
            self.text.document().setDefaultFont(font)
            self._show_text()
        self._name_more_button()


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()
