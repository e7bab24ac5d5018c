"""Panels one over the other, each under a tab with a name."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSettings, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from desktop_qa.gui.widgets.boxes import Margins, in_column, in_row


class PanelTabs(QWidget):
    """A side bar: panels by the names of their tabs; what a tab says is set on `tabs`."""

    tab_shown = Signal(str)

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
        line = in_row(margins=margins, inside=column)
        line.addWidget(tabs, 1)
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
        self.tab_shown.emit(self.tab)

    def restore(self, settings: QSettings, key: str) -> None:
        """Open the tab that was open when the window was closed."""
        kept = str(settings.value(key, ""))
        if kept in self._names:
            self.show_tab(kept)

    def save(self, settings: QSettings, key: str) -> None:
        """Keep which tab is open."""
        settings.setValue(key, self.tab)
