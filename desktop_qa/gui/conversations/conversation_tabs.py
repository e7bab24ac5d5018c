"""The row of tabs over the answers: one for each open conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QTabBar, QToolButton, QWidget

from desktop_qa.gui.conversations.tab_button import TabButton, TabState
from desktop_qa.gui.conversations.tab_name_edit import TabNameEdit
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.glyph_button import Glyph, GlyphButton
from desktop_qa.gui.widgets.timers import single_shot

_WIDEST_TAB_PX = 220
_NARROWEST_TAB_PX = 118
_BESIDE_TEXT_PX = 44
"""Padding of a tab and its button."""

_LEFT_PX = 12
_RIGHT_PX = 8
_UNDO_SHOWN_MS = 8000


@dataclass(frozen=True, slots=True)
class ConversationTab:
    """A tab as it is drawn.

    Attributes:
        id: Of its conversation.
        title: Whole; where there is no room it is shortened.
        tip: The whole of what it stands for.
    """

    id: str
    title: str
    tip: str
    state: TabState = TabState.QUIET


class ConversationTabBar(QTabBar):
    """Tabs that shrink before they scroll.

    Attributes:
        close_wanted: With the place of the tab.
        rename_wanted: With the place of the tab.
    """

    close_wanted = Signal(int)
    rename_wanted = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.room_px = 10_000
        self.titles: dict[str, str] = {}
        self.setObjectName("conversation_bar")
        self.setAccessibleName("Conversations")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def tabSizeHint(self, index: int) -> QSize:
        """Return the width of the title, less where many tabs share the room."""
        hint = super().tabSizeHint(index)
        share = self.room_px // max(self.count(), 1)
        most = max(_NARROWEST_TAB_PX, min(_WIDEST_TAB_PX, share))
        title = self.titles.get(self.tabData(index), "")
        wanted = self._metrics().horizontalAdvance(title) + _BESIDE_TEXT_PX
        return QSize(max(min(wanted, most), _NARROWEST_TAB_PX), hint.height())

    def _metrics(self) -> QFontMetrics:
        """Return the metrics of the tab that is shown: bold, as the style sheet has it."""
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return QFontMetrics(font)

    def show_titles(self) -> None:
        """Write into each tab what of its title there is room for."""
        metrics = self._metrics()
        for index in range(self.count()):
            title = self.titles.get(self.tabData(index), "")
            room = self.tabSizeHint(index).width() - _BESIDE_TEXT_PX
            text = elided_title(title, metrics, room).replace("&", "&&")
            # An empty text between is what makes the bar ask for all its sizes again.
            self.setTabText(index, "")
            self.setTabText(index, text)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Let no tab be narrower than its hint: they scroll then."""
        return self.tabSizeHint(index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close a tab by the middle button."""
        if event.button() == Qt.MouseButton.MiddleButton:
            index = self.tabAt(event.position().toPoint())
            if index >= 0:
                self.close_wanted.emit(index)
                return
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Rename a tab."""
        index = self.tabAt(event.position().toPoint())
        if index >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.rename_wanted.emit(index)
        else:
            super().mouseDoubleClickEvent(event)


class ConversationTabs(QWidget):
    """The tabs, a button for another one, and for a while the way back to a closed one.

    Attributes:
        chosen: With the id of the conversation to show.
        closed: With the id of the conversation to close.
        moved: With the places before and after.
        renamed: With (id, name); the name is empty to have the usual one again.
        new_wanted: Another conversation is to be begun.
        reopen_wanted: The one that was closed last is wanted again.
        menu_wanted: With (id, place on the screen).
    """

    chosen = Signal(str)
    closed = Signal(str)
    moved = Signal(int, int)
    renamed = Signal(str, str)
    new_wanted = Signal()
    reopen_wanted = Signal()
    menu_wanted = Signal(str, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.bar = ConversationTabBar(self)
        self.new_button = GlyphButton(Glyph.PLUS, "New conversation", "Ctrl+T", self)
        self.undo_button = QToolButton(self)
        self.undo_button.setObjectName("quiet_link")
        self.undo_button.setText("Undo close")
        self.undo_button.setToolTip("Bring the closed conversation back (Ctrl+Shift+T)")
        self.undo_button.hide()
        self.name_edit = TabNameEdit(self.bar)
        self._tabs: tuple[ConversationTab, ...] = ()
        self._theme = themes.LIGHT
        self._undo_timer = single_shot(self, self.undo_button.hide, _UNDO_SHOWN_MS)
        line = QHBoxLayout(self)
        line.setContentsMargins(_LEFT_PX, 4, _RIGHT_PX, 4)
        line.setSpacing(2)
        line.addWidget(self.bar)
        line.addWidget(self.new_button)
        line.addStretch(1)
        line.addWidget(self.undo_button)
        self._connect()

    def _connect(self) -> None:
        self.bar.currentChanged.connect(self._on_current_changed)
        self.bar.tabMoved.connect(self._on_tab_moved)
        self.bar.close_wanted.connect(self._on_close_wanted)
        self.bar.rename_wanted.connect(self.rename)
        self.bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.bar.customContextMenuRequested.connect(self._on_menu_requested)
        self.new_button.clicked.connect(self.new_wanted)
        self.undo_button.clicked.connect(self.reopen_wanted)
        self.name_edit.named.connect(self.renamed)

    def show_tabs(self, tabs: Sequence[ConversationTab], active: str) -> None:
        """Show these tabs in this order."""
        ids = [tab.id for tab in tabs]
        if ids != [tab.id for tab in self._tabs]:
            self.name_edit.leave()
        self._tabs = tuple(tabs)
        self.bar.blockSignals(True)
        while self.bar.count() > len(tabs):
            self.bar.removeTab(self.bar.count() - 1)
        while self.bar.count() < len(tabs):
            self._add_tab()
        is_same = self.bar.titles == {tab.id: tab.title for tab in tabs}
        is_same = is_same and ids == [self.bar.tabData(n) for n in range(self.bar.count())]
        self.bar.titles = {tab.id: tab.title for tab in tabs}
        for index, tab in enumerate(tabs):
            self._show_tab(index, tab)
        if not is_same:
            self.bar.show_titles()
        if active in ids:
            self.bar.setCurrentIndex(ids.index(active))
        self.bar.blockSignals(False)
        self._show_states()

    def _add_tab(self) -> None:
        index = self.bar.addTab("")
        button = TabButton(self.bar)
        button.clicked.connect(lambda: self._on_button_clicked(button))
        self.bar.setTabButton(index, QTabBar.ButtonPosition.RightSide, button)

    def _show_tab(self, index: int, tab: ConversationTab) -> None:
        self.bar.setTabToolTip(index, f"<p style='white-space:pre-wrap'>{_escaped(tab.tip)}</p>")
        said = {TabState.BUSY: ", being answered", TabState.NEWS: ", with a new answer"}
        self.bar.setAccessibleTabName(index, tab.title + said.get(tab.state, ""))
        self.bar.setTabData(index, tab.id)

    def _show_states(self) -> None:
        for index, tab in enumerate(self._tabs):
            button = self.button_of(index)
            is_current = index == self.bar.currentIndex()
            button.show_state(tab.state, is_current=is_current, theme=self._theme)

    def button_of(self, index: int) -> TabButton:
        """Return the button of a tab."""
        button = self.bar.tabButton(index, QTabBar.ButtonPosition.RightSide)
        assert isinstance(button, TabButton)
        return button

    @property
    def tabs(self) -> tuple[ConversationTab, ...]:
        """The tabs as they are shown."""
        return self._tabs

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
        if 0 <= index < len(self._tabs):
            tab = self._tabs[index]
            self.name_edit.open(tab.id, tab.title, self.bar.tabRect(index))

    def _on_current_changed(self, index: int) -> None:
        self.name_edit.leave()
        if 0 <= index < len(self._tabs):
            self._show_states()
            self.chosen.emit(self.bar.tabData(index))

    def _on_tab_moved(self, before: int, after: int) -> None:
        tabs = list(self._tabs)
        tabs.insert(after, tabs.pop(before))
        self._tabs = tuple(tabs)
        self.moved.emit(before, after)

    def _on_close_wanted(self, index: int) -> None:
        self.closed.emit(self.bar.tabData(index))

    def _on_button_clicked(self, button: TabButton) -> None:
        for index in range(self.bar.count()):
            if self.button_of(index) is button:
                self._on_close_wanted(index)
                return

    def _on_menu_requested(self, at: QPoint) -> None:
        index = self.bar.tabAt(at)
        index = index if index >= 0 else self.bar.currentIndex()
        self.menu_wanted.emit(self.bar.tabData(index), self.bar.mapToGlobal(at))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room among the tabs."""
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        room = self.width() - _LEFT_PX - _RIGHT_PX - self.new_button.sizeHint().width() - 4
        self.bar.room_px = max(room, 1)
        self.bar.setMaximumWidth(self.bar.room_px)
        self.bar.show_titles()

    def minimumSizeHint(self) -> QSize:
        """Give way: the tabs do not widen the pane."""
        return QSize(160, super().minimumSizeHint().height())

    def apply_theme(self, theme: themes.Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        self.bar.show_titles()
        self._show_states()


def elided_title(title: str, metrics: QFontMetrics, room_px: int) -> str:
    """Shorten a title in its middle; its last word, which often names the part, is left.

    Between two words where more than one is left before, else within the first.

    Args:
        title: Whole.
        metrics: Of the font.
        room_px: For the text.
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


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
