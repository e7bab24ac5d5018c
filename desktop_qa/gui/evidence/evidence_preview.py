"""A quiet look at a passage where its marker is: no click, no focus, gone with the pointer."""

from __future__ import annotations

import html
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QWidget

from desktop_qa.core.document import Table
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.evidence.evidence_card import show_passage
from desktop_qa.gui.evidence.figure_view import FigureView
from desktop_qa.gui.tables.table_grid import TableGrid
from desktop_qa.gui.tables.table_layout import rows_shown
from desktop_qa.gui.tables.table_model import TableModel
from desktop_qa.gui.tables.table_view import TableView
from desktop_qa.gui.widgets.answer_html import typeset
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.chips import chip_font, chip_pixmap
from desktop_qa.gui.widgets.flow_text import FlowText
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import single_shot

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


class PassagePreview(QFrame):
    """Shows where a piece stands and its quoted words, rows or figure.

    Args:
        view: The piece.
        parent: Over whose window it lies.
    """

    def __init__(
        self,
        view: EvidenceView,
        parent: QWidget | None = None,
    ) -> None:
        flags = Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint
        super().__init__(parent, flags)
        self.view = view
        self.setObjectName("passage_preview")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedWidth(_WIDTH_PX)
        layout = in_column(self, margins=(12, 9, 12, 11), spacing=6)
        head = in_row(spacing=8, inside=layout)
        self._fill_head(head)
        self.body = self._body()
        layout.addWidget(self.body)
        self.ensurePolished()
        self.body.setFixedWidth(_WIDTH_PX - 26)
        layout.activate()
        self.setAccessibleName(f"{view.file}, page {view.page}")
        self.resize(_WIDTH_PX, self._height())

    def _height(self) -> int:
        layout = self.layout()
        return layout.totalHeightForWidth(_WIDTH_PX) if layout is not None else 0

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
        chip = QLabel(self)
        font = chip_font(self.font())
        scale = self.devicePixelRatioF()
        chip.setPixmap(chip_pixmap(view.marker, font, is_active=False, scale=scale))
        put(head, (chip, 0, Qt.AlignmentFlag.AlignTop), (self.head_label, 1))

    def _body(self) -> QWidget:
        view = self.view
        if view.table is not None and view.table.n_rows:
            shown = _rows_of(view, view.table)
            model = TableModel(self)
            table = TableView(model, self)
            table.resize(_WIDTH_PX - 26, 80)
            table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            cited = frozenset(view.cited_cells)
            model.show_table(view.table, shown, cited, Symbols.of((view,)))
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
        """Move below a marker, or above it where there is more room; never over it.

        Args:
            anchor: The marker, on the screen.
            screen: What is free of the screen.
        """
        height = self._height()
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
    """Shows one passage at a time, a moment after the pointer has come to its marker.

    Args:
        window: Whose panels have the markers.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.preview: PassagePreview | None = None
        self._next: tuple[EvidenceView, QRect] | None = None
        self._show_timer = single_shot(self, self._on_due, _AFTER_MS)
        self._hide_timer = single_shot(self, self.hide, _GRACE_MS)
        look.changed.connect(self.hide)

    def point(self, view: EvidenceView, anchor: QRect, *, at_once: bool = False) -> None:
        """Show a passage in a moment.

        Args:
            view: The piece.
            anchor: Its marker, on the screen.
            at_once: By a key; the same key takes it away again.
        """
        is_shown = self.preview is not None and self.preview.view is view
        if at_once:
            if is_shown:
                self.hide()
            else:
                self._show(view, anchor)
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

    def _on_due(self) -> None:
        if self._next is not None:
            self._show(*self._next)

    def _show(self, view: EvidenceView, anchor: QRect) -> None:
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
