"""Panels one over the other, each under a tab with a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QStackedWidget, QTabBar, QWidget

from desktop_qa.gui.widgets.boxes import Margins, in_column, in_row, put


class ClosableTabs(QTabBar):
    """Tabs of what is open: moved by the mouse, closed by its middle button.

    Attributes:
        close_wanted: With the place of the tab.
    """

    close_wanted = Signal(int)

    def __init__(self, name: str, spoken: str, mode: Qt.TextElideMode) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setUsesScrollButtons(True)
        self.setElideMode(mode)

    def make_as_many(self, number: int, close_button: Callable[[], QAbstractButton]) -> None:
        """Have so many tabs, new ones at the end with their buttons."""
        while self.count() > number:
            self.removeTab(self.count() - 1)
        while self.count() < number:
            self._add_tab(close_button())

    def _add_tab(self, button: QAbstractButton) -> None:
        at = button.geometry
        button.clicked.connect(lambda: self.close_wanted.emit(self.tabAt(at().center())))
        self.setTabButton(self.addTab(""), self.ButtonPosition.RightSide, button)

    def button_of(self, index: int) -> QWidget:
        """Return the button of a tab."""
        return self.tabButton(index, self.ButtonPosition.RightSide)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close a tab by the middle button."""
        index = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and index >= 0:
            self.close_wanted.emit(index)
        else:
            super().mouseReleaseEvent(event)


class PanelTabs(QWidget):
    """A side bar: panels by the names of their tabs; what a tab says is set on `tabs`."""

    def __init__(
        self,
        panels: Mapping[str, QWidget],
        tabs: QTabBar,
        margins: Margins,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._names = tuple(panels)
        self._stack = QStackedWidget()
        self.tabs = tabs
        tabs.setDrawBase(False)
        tabs.setExpanding(False)
        tabs.setUsesScrollButtons(False)
        for panel in panels.values():
            tabs.addTab("")
            self._stack.addWidget(panel)
        column = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        put(in_row(margins=margins, inside=column), (tabs, 1))
        column.addWidget(self._stack, 1)
        tabs.currentChanged.connect(self._on_tab_changed)

    @property
    def tab(self) -> str:
        """Name of the tab that is open."""
        return self._names[self.tabs.currentIndex()]

    def show_tab(self, name: str) -> None:
        """Open a tab by its name."""
        self.tabs.setCurrentIndex(self._names.index(name))

    def _on_tab_changed(self, index: int) -> None:
        self._stack.setCurrentIndex(index)

    def restore(self, settings: QSettings, key: str) -> None:
        """Open the tab that was open when the window was closed."""
        kept = str(settings.value(key, ""))
        if kept in self._names:
            self.show_tab(kept)

    def save(self, settings: QSettings, key: str) -> None:
        """Keep which tab is open."""
        settings.setValue(key, self.tab)
