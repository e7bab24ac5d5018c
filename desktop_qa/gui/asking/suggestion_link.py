"""Offers how a question may go on while it is typed: its list, between box and library."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyleOptionViewItem, QWidget

from desktop_qa.core.history import HistoryPage
from desktop_qa.core.suggestion import Suggestion, SuggestionKind
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.asking.ask_box import BoxMode
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets.boxes import in_column
from desktop_qa.gui.widgets.labels import n_of
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, Index, RowPainter, RowsModel, set_up_rows
from desktop_qa.gui.widgets.messages import announce
from desktop_qa.gui.widgets.row_painting import bold, laid_out, paint_line, paint_spans, small_font
from desktop_qa.gui.widgets.theme import draw_icon, look
from desktop_qa.gui.widgets.timers import single_shot
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

_EDGE_PX = 10
_GAP_PX = 8
_ICON_PX = 15
_PADDING_PX = 4
_ABOVE_GROUP_PX = 5
_FRAME_PX = 5
_WIDE_PX = 430
"""From here on the kinds are written out; below, their signs must do."""

_DETAIL_SHARE = 0.42
_KINDS = {
    SuggestionKind.PART: ("suggest_part", "Parts", "part"),
    SuggestionKind.SECTION: ("suggest_section", "Sections", "section"),
    SuggestionKind.TABLE: ("suggest_table", "Tables", "table"),
    SuggestionKind.QUESTION: ("history", "Asked before", "asked before"),
}
"""The sign of each kind, what stands over its rows, and what is said of a row."""

_N_RECALLED = 100
_KEY = "box/suggestions"
_PAUSE_MS = 80
_LEAST_LETTERS = 2


def spoken(suggestion: Suggestion) -> str:
    """Return a row for those who hear it."""
    parts = (suggestion.text, _KINDS[suggestion.kind][2], suggestion.detail)
    return ", ".join(part for part in parts if part)


def heading_of(index: Index) -> str:
    """Return what the rows from here on are; empty within a group."""
    kind = index.data(ROW_ROLE).kind
    above = index.sibling(index.row() - 1, 0).data(ROW_ROLE)
    return "" if above is not None and above.kind is kind else _KINDS[kind][1]


class SuggestionDelegate(RowPainter):
    """Sign and name of the kind at the left, the text with what matches in bold, its source."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row; the first of a kind stands a little apart."""
        height = round(QFontMetricsF(option.font).height()) + 2 * _PADDING_PX
        return QSize(100, height + (_ABOVE_GROUP_PX if self._is_apart(index) else 0))

    def _is_apart(self, index: Index) -> bool:
        return index.row() > 0 and bool(heading_of(index))

    def draw(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, row: QRectF
    ) -> None:
        """Draw a row."""
        suggestion: Suggestion = index.data(ROW_ROLE)
        theme = look.theme
        if self._is_apart(index):
            line_y = row.top() + _ABOVE_GROUP_PX / 2
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(
                QPointF(row.left() + _EDGE_PX, line_y), QPointF(row.right() - _EDGE_PX, line_y)
            )
            row.setTop(row.top() + _ABOVE_GROUP_PX)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent_soft if is_chosen else theme.hover))
            painter.drawRoundedRect(row.adjusted(2, 0, -2, 0), 6, 6)
        font, small, heading = option.font, small_font(option.font), heading_of(index)
        metrics, left, right = QFontMetricsF(small), row.left() + _EDGE_PX, row.right() - _EDGE_PX
        if heading:
            icon = QRectF(left, row.center().y() - _ICON_PX / 2, _ICON_PX, _ICON_PX)
            draw_icon(painter, _KINDS[suggestion.kind][0], theme.dim, icon)
        left += _ICON_PX + _GAP_PX
        if row.width() >= _WIDE_PX:
            width = max(metrics.horizontalAdvance(word) for _sign, word, _said in _KINDS.values())
            # The widest of the words needs all of the place: nothing is elided.
            place = QRectF(left - 2, row.top(), width + 1, row.height())
            paint_line(painter, place, heading, small, theme.dim)
            left += width + _GAP_PX
        # The text goes first; its source takes what is left, but for a share that it always has.
        detail, spans, least = suggestion.detail, suggestion.spans, 0.0
        if detail:
            share = _DETAIL_SHARE * (right - left)
            least = min(metrics.horizontalAdvance(detail), share) + _GAP_PX
        words = laid_out(suggestion.text, font, spans, bold())
        text_right = min(left + words.lineAt(0).naturalTextWidth(), right - least)
        place = QRectF(left, row.top(), text_right - left + 1, row.height())
        painter.setPen(QColor(theme.text))
        paint_spans(painter, place, font, suggestion.text, lambda _text: spans, bold())
        room = QRectF(text_right + 2 * _GAP_PX, row.top(), 0, row.height())
        room.setRight(right)
        if detail and room.width() > 3 * _GAP_PX:
            paint_line(painter, room, detail, small, theme.dim, at=Qt.AlignmentFlag.AlignRight)


class SuggestionList(QFrame):
    """Lies over the pane, above the box; the box keeps the keyboard.

    Attributes:
        taken: With the `Suggestion` that was clicked.
    """

    taken = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pane = parent
        self.setObjectName("suggestion_list")
        self.setAccessibleName("Suggestions")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.model = RowsModel(
            self,
            shown=lambda row: row.text,
            spoken=spoken,
            tip=lambda row: f"{row.text}\n{row.detail}".strip(),
        )
        self.view = QListView(self)
        self.delegate = SuggestionDelegate(self.view)
        set_up_rows(self.view, "suggestion_view", "Suggestions")
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setModel(self.model)
        self.view.setItemDelegate(self.delegate)
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.clicked.connect(lambda index: self.taken.emit(index.data(ROW_ROLE)))
        in_column(self, margins=(_FRAME_PX,) * 4).addWidget(self.view)
        self.hide()

    def show_above(self, suggestions: Sequence[Suggestion], anchor: QWidget) -> None:
        """Show suggestions over a widget; none hides the list. Nothing is chosen."""
        self.model.show(suggestions)
        if not suggestions:
            self.close_list()
            return
        self.place_above(anchor)
        self.show()
        self.raise_()

    def place_above(self, anchor: QWidget) -> None:
        """Stand on the upper edge of a widget, as wide as it."""
        rows = range(self.model.rowCount())
        height = sum(self.view.sizeHintForRow(row) for row in rows) + 2 * _FRAME_PX + 2
        corner = anchor.mapTo(self._pane, QPoint(0, 0))
        top = max(corner.y() - height - 4, 0)
        self.setGeometry(corner.x(), top, anchor.width(), min(height, corner.y() - 4))

    def close_list(self) -> None:
        """Take the list away."""
        if not self.isHidden():
            self.hide()
            self.model.show(())

    @property
    def chosen(self) -> Suggestion | None:
        """The row that the keys stand on."""
        index = self.view.currentIndex()
        return index.data(ROW_ROLE) if index.isValid() else None

    def step(self, direction: int) -> Suggestion | None:
        """Go to the next row, or the one before; beyond the ends nothing is chosen.

        Returns:
            What is chosen now.
        """
        n_rows = self.model.rowCount()
        here = self.view.currentIndex().row()
        row = (here + 1 + direction) % (n_rows + 1) - 1
        self.view.setCurrentIndex(self.model.index(row, 0) if row >= 0 else QModelIndex())
        if row < 0:
            self.view.clearSelection()
        return self.chosen


class SuggestionLink(Feature):
    """Asks the library what may be meant, shows it above the box, and puts in what is taken."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._box = window.ask_box
        self._edit = self._box.edit
        # The list lies over it, and the box may grow to a third of it.
        self._pane = window.answer_pane
        self._asked_for: tuple[str, int] | None = None
        self.list = SuggestionList(self._pane)
        self.is_on = self._settings.value(_KEY, "true") != "false"
        window.action("suggestions").setChecked(self.is_on)
        self._timer = single_shot(self, self._ask, _PAUSE_MS)
        self._edit.typed.connect(self._on_typed)
        self._edit.submitted.connect(self.close)
        self._edit.focus_changed.connect(self._on_focus_changed)
        self._edit.cursorPositionChanged.connect(self._on_caret_moved)
        is_shown = self.list.isVisible
        on_keys(self._edit, {"Esc": self.close, "Return, Enter, Tab": self._take_chosen}, is_shown)
        steps = {"Up": partial(self._step, -1), "Down": partial(self._step, 1)}
        on_keys(self._edit, steps, is_shown)
        self._pane.installEventFilter(self)
        self._box.installEventFilter(self)
        self._box.mode_changed.connect(self.close)
        self.list.taken.connect(self.take)
        self._session.library_opened.connect(self._on_library_opened)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        return {"suggestions": self.switch}

    def switch(self, is_on: bool) -> None:
        """Offer suggestions, or none; remembered."""
        self.is_on = is_on
        self._settings.setValue(_KEY, "true" if is_on else "false")
        if not is_on:
            self.close()

    def close(self, _what: object = None) -> None:
        """Take the list away and drop what is asked for."""
        self._timer.stop()
        self._asked_for = None
        self.list.close_list()

    def take(self, suggestion: Suggestion) -> None:
        """Put a suggestion in place of what it completes."""
        self.close()
        self._edit.replace_range(suggestion.start, suggestion.end, suggestion.text)
        self._edit.setFocus()

    def _on_typed(self) -> None:
        text = self._edit.toPlainText()
        is_wanted = self.is_on and self._session.library is not None
        is_question = self._box.mode is BoxMode.ASK and "\n" not in text
        if is_wanted and is_question and len(text.strip()) >= _LEAST_LETTERS:
            self._asked_for = None
            self._timer.start()
        else:
            self.close()

    def _ask(self) -> None:
        asked_for = self._asked_for = self._edit.toPlainText(), self._edit.caret
        self._session.request(
            *("suggest", *asked_for),
            on_result=partial(self._on_result, asked_for),
            # Who asks is told what is wrong.
            on_failure=lambda _error: self.close(),
        )

    def _on_result(self, asked_for: tuple[str, int], suggestions: tuple[Suggestion, ...]) -> None:
        is_stale = asked_for != self._asked_for or not self._edit.hasFocus()
        if is_stale or asked_for != (self._edit.toPlainText(), self._edit.caret):
            return
        if suggestions == self.list.model.rows:
            return
        self.list.show_above(suggestions, self._box)
        n = len(suggestions)
        if n:
            announce(self._edit, n_of(n, "suggestion"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Walk the list by the keys of the box, and follow the pane."""
        if event.type() == QEvent.Type.Resize and watched is self._pane:
            self._box.set_room(self._pane.height())
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.list.isVisible():
            self.list.place_above(self._box)
        return super().eventFilter(watched, event)

    def _step(self, direction: int) -> None:
        now = self.list.step(direction)
        if now is not None:
            announce(self._edit, spoken(now))

    def _take_chosen(self) -> bool:
        chosen = self.list.chosen
        if chosen is not None:
            self.take(chosen)
        return chosen is not None

    def _on_caret_moved(self) -> None:
        """Close when the caret goes elsewhere without typing."""
        shown = self.list.model.rows
        if shown and self._edit.caret != shown[0].end and not self._timer.isActive():
            QTimer.singleShot(0, self, self._close_if_left)

    def _close_if_left(self) -> None:
        shown = self.list.model.rows
        if shown and not self._timer.isActive():
            self.close()

    def _on_focus_changed(self, has_focus: bool) -> None:
        if not has_focus:
            self.close()

    def _on_library_opened(self, view: LibraryView) -> None:
        if self._is_another(view):
            self._box.set_questions(())
            self.close()
            self._session.request(
                *("history_page", "", _N_RECALLED),
                on_result=self._on_history_loaded,
                on_failure=lambda _error: None,
            )

    def _on_history_loaded(self, page: HistoryPage) -> None:
        """Let Up recall what was asked on earlier days."""
        self._box.set_questions(dict.fromkeys(item.question for item in reversed(page.items)))
