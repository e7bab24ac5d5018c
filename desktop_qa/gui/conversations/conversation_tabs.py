"""The row of tabs over the answers: one for each open conversation."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QToolButton, QWidget

from desktop_qa.gui.conversations.conversation_model import Conversation, ConversationState
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets.boxes import in_row, put
from desktop_qa.gui.widgets.buttons import GlyphButton
from desktop_qa.gui.widgets.labels import told
from desktop_qa.gui.widgets.panel_tabs import ClosableTabs
from desktop_qa.gui.widgets.row_painting import font_like
from desktop_qa.gui.widgets.theme import draw_icon, look
from desktop_qa.gui.widgets.timers import single_shot

_WIDEST_TAB_PX = 220
_NARROWEST_TAB_PX = 118
_BESIDE_TEXT_PX = 44
"""Padding of a tab and its button."""

_LEFT_PX = 12
_RIGHT_PX = 8
_UNDO_SHOWN_MS = 8000
_BUTTON_PX = 18
_CROSS, _DOT = QRectF(-6.5, -6.5, 13, 13), QRectF(-8, -8, 16, 16)
_TURN_MS = 60
_TURN_DEGREES = 18
_MOST_CHARACTERS = 80
_SPOKEN = {
    ConversationState.QUIET: "",
    ConversationState.BUSY: ", being answered",
    ConversationState.NEWS: ", with a new answer",
}


class TabButton(QAbstractButton):
    """The cross of a tab; a dot takes its place while there is something to say."""

    def __init__(self) -> None:
        super().__init__()
        self.state = ConversationState.QUIET
        self.is_current = False
        self._angle = 0
        self._timer = QTimer(self, interval=_TURN_MS)
        self._timer.timeout.connect(self._on_turn_due)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        told(self, spoken="Close this conversation", tip="Close this conversation (Ctrl+W)")

    def sizeHint(self) -> QSize:
        """Return a small square."""
        return QSize(_BUTTON_PX, _BUTTON_PX)

    def show_state(self, state: ConversationState, *, is_current: bool) -> None:
        """Say what there is to say."""
        self.state, self.is_current = state, is_current
        if state is ConversationState.BUSY and not self._timer.isActive():
            self._timer.start()
        elif state is not ConversationState.BUSY:
            self._timer.stop()
        self.update()

    def _on_turn_due(self) -> None:
        self._angle = (self._angle + _TURN_DEGREES) % 360
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the cross under the pointer, else the dot."""
        painter, theme = QPainter(self), look.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.line))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        painter.translate(self.width() / 2, self.height() / 2)
        if self.underMouse() or (self.state is ConversationState.QUIET and self.is_current):
            draw_icon(painter, "glyph_close", theme.dim, _CROSS)
        elif self.state is not ConversationState.QUIET:
            painter.rotate(self._angle)
            draw_icon(painter, f"glyph_{self.state}", theme.accent, _DOT)
        painter.end()


class TabNameEdit(QLineEdit):
    """The line in which a conversation is named, over its tab.

    Enter and leaving it take the name over, Escape does not.

    Attributes:
        named: With (`Conversation`, name).
    """

    named = Signal(object, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._conversation: Conversation | None = None
        self._before = ""
        told(self, "tab_name_edit", "Name of the conversation")
        self.setMaxLength(_MOST_CHARACTERS)
        self.editingFinished.connect(self._take_over)
        on_keys(self, {"Esc": self.leave})
        self.hide()

    def open(self, conversation: Conversation, place: QRect) -> None:
        """Let a conversation be named."""
        self._conversation, self._before = conversation, conversation.title
        self.setText(self._before)
        self.setGeometry(place.adjusted(0, 1, 0, -1))
        self.show()
        self.raise_()
        self.selectAll()
        self.setFocus()

    def leave(self) -> None:
        """Go without naming anything."""
        self._conversation = None
        self.hide()

    def _take_over(self) -> None:
        conversation, name = self._conversation, " ".join(self.text().split())
        self.leave()
        if conversation is not None and name != self._before:
            self.named.emit(conversation, name)


class ConversationTabBar(ClosableTabs):
    """Tabs that shrink before they scroll."""

    def __init__(self) -> None:
        super().__init__("conversation_bar", "Conversations", Qt.TextElideMode.ElideNone)
        self.room_px = 10_000
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def tabSizeHint(self, index: int) -> QSize:
        """Return the width of the title, less where many tabs share the room."""
        hint = super().tabSizeHint(index)
        share = self.room_px // max(self.count(), 1)
        most = max(_NARROWEST_TAB_PX, min(_WIDEST_TAB_PX, share))
        conversation = self.tabData(index)
        title = conversation.title if conversation is not None else ""
        wanted = self._metrics().horizontalAdvance(title) + _BESIDE_TEXT_PX
        return QSize(max(min(wanted, most), _NARROWEST_TAB_PX), hint.height())

    def _metrics(self) -> QFontMetrics:
        """Return the metrics of the tab that is shown: bold, as the style sheet has it."""
        return QFontMetrics(font_like(self.font(), weight=QFont.Weight.DemiBold))

    def show_titles(self) -> None:
        """Write into each tab what of its title there is room for."""
        metrics = self._metrics()
        for index in range(self.count()):
            title = self.tabData(index).title
            room = self.tabSizeHint(index).width() - _BESIDE_TEXT_PX
            text = elided_title(title, metrics, room).replace("&", "&&")
            # An empty text between is what makes the bar ask for all its sizes again.
            self.setTabText(index, "")
            self.setTabText(index, text)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Let no tab be narrower than its hint: they scroll then."""
        return self.tabSizeHint(index)


class ConversationTabs(QWidget):
    """The tabs, a button for another one, and for a while the way back to a closed one.

    Attributes:
        chosen: With the `Conversation` to show.
        closed: With the `Conversation` to close.
        menu_wanted: With (`Conversation`, place on the screen).
    """

    chosen = Signal(object)
    closed = Signal(object)
    menu_wanted = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(160)  # the tabs do not widen the pane
        self.bar = ConversationTabBar()
        self.new_button = GlyphButton("plus", "New conversation", "Ctrl+T", self)
        self.undo_button = QToolButton(self)
        self.undo_button.setObjectName("quiet_link")
        self.undo_button.setText("Undo close")
        self.undo_button.setToolTip("Bring the closed conversation back (Ctrl+Shift+T)")
        self.undo_button.hide()
        self.name_edit = TabNameEdit(self.bar)
        self._titles: list[tuple[Conversation, str]] = []
        self._undo_timer = single_shot(self, self.undo_button.hide, _UNDO_SHOWN_MS)
        line = in_row(self, margins=(_LEFT_PX, 4, _RIGHT_PX, 4), spacing=2)
        put(line, self.bar, self.new_button, None, self.undo_button)
        self.bar.currentChanged.connect(self._on_current_changed)
        self.bar.close_wanted.connect(lambda index: self.closed.emit(self.bar.tabData(index)))
        self.bar.tabBarDoubleClicked.connect(self.rename)
        self.bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.bar.customContextMenuRequested.connect(self._on_menu_requested)

    def show_tabs(self, conversations: Sequence[Conversation], active: Conversation) -> None:
        """Show the tabs of these conversations in this order."""
        if list(conversations) != self.tabs:
            self.name_edit.leave()
        self.bar.blockSignals(True)
        self.bar.make_as_many(len(conversations), TabButton)
        for index, conversation in enumerate(conversations):
            title = conversation.title
            tip = html.escape(conversation.whole_first_question or title, quote=False)
            self.bar.setTabToolTip(index, f"<p style='white-space:pre-wrap'>{tip}</p>")
            self.bar.setAccessibleTabName(index, title + _SPOKEN[conversation.state])
            self.bar.setTabData(index, conversation)
            button = self.bar.button_of(index)
            assert isinstance(button, TabButton)
            button.show_state(conversation.state, is_current=conversation is active)
        titles = [(conversation, conversation.title) for conversation in conversations]
        if titles != self._titles:
            self._titles = titles
            self.bar.show_titles()
        self.bar.setCurrentIndex(list(conversations).index(active))
        self.bar.blockSignals(False)

    @property
    def tabs(self) -> list[Conversation]:
        """The conversations in the order of their tabs."""
        return [self.bar.tabData(index) for index in range(self.bar.count())]

    def offer_undo(self, title: str) -> None:
        """Offer for a while to bring a closed conversation back."""
        self.undo_button.setAccessibleName(f"Bring “{title}” back")
        self.undo_button.show()
        self._undo_timer.start()

    def withdraw_undo(self) -> None:
        """End the offer."""
        self._undo_timer.stop()
        self.undo_button.hide()

    def rename(self, index: int) -> None:
        """Let the user name a tab, in its place."""
        if index >= 0:
            self.name_edit.open(self.bar.tabData(index), self.bar.tabRect(index))

    def _on_current_changed(self, index: int) -> None:
        self.name_edit.leave()
        if index >= 0:
            self.chosen.emit(self.bar.tabData(index))

    def _on_menu_requested(self, at: QPoint) -> None:
        index = self.bar.tabAt(at)
        index = index if index >= 0 else self.bar.currentIndex()
        self.menu_wanted.emit(self.bar.tabData(index), self.bar.mapToGlobal(at))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room among the tabs."""
        super().resizeEvent(event)
        room = self.width() - _LEFT_PX - _RIGHT_PX - self.new_button.sizeHint().width() - 4
        self.bar.room_px = max(room, 1)
        self.bar.setMaximumWidth(self.bar.room_px)
        self.bar.show_titles()


def elided_title(title: str, metrics: QFontMetrics, room_px: int) -> str:
    """Shorten a title in its middle; its last word, which often names the part, is left.

    Between two words where more than one is left before, else within the first.
    """
    if metrics.horizontalAdvance(title) <= room_px:
        return title
    *words, last = title.split()
    beginnings = [f"{' '.join(words[:count])} …" for count in range(len(words) - 1, 1, -1)]
    first = " ".join(words)
    beginnings += [f"{first[:count].rstrip()}…" for count in range(len(first) - 1, 2, -1)]
    for beginning in (*beginnings, "…"):
        if metrics.horizontalAdvance(f"{beginning} {last}") <= room_px:
            return f"{beginning} {last}"
    return metrics.elidedText(last, Qt.TextElideMode.ElideRight, room_px)
