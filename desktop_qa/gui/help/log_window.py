"""The log as a window: filtered by level and words, followed while it grows."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QPlainTextEdit,
    QWidget,
)

from desktop_qa.gui.widgets.boxes import in_row, put
from desktop_qa.gui.widgets.dialog_parts import SideWindow, push_button
from desktop_qa.gui.widgets.labels import n_of, plain_label, told
from desktop_qa.gui.widgets.opening import open_path
from desktop_qa.gui.widgets.word_filter import FilterEdit
from desktop_qa.log_files import LogLine, log_state, read_log
from desktop_qa.paths import log_folder

_SIZE_PX = (860, 520)
_FOLLOW_MS = 1000
_MAX_LINES = 3000
_LEVELS = (
    ("Everything", logging.DEBUG),
    ("Warnings and errors", logging.WARNING),
    ("Errors", logging.ERROR),
)
_EXPLANATION = (
    "Counts, times and names of files. No text of a document, no question and no answer is ever"
    " written here."
)


class LogWindow(SideWindow):
    """Shows the end of the logs of all processes, in the order of time; not modal."""

    def __init__(self, copy_diagnostics: Callable[[], None], parent: QWidget) -> None:
        super().__init__("Log", "log_window", _SIZE_PX, parent)
        self._lines: tuple[LogLine, ...] = ()
        self._state: tuple[tuple[str, int], ...] = ()
        self.level_box = QComboBox(self)
        self.search_edit = FilterEdit(
            "Search the log",
            "Search the log …",
            tip="Show only lines that hold these words (Ctrl+F)",
        )
        self.follow_box = told(QCheckBox("F&ollow", self), tip="Show new lines as they come")
        self.view = QPlainTextEdit(self)
        self.count_label = plain_label("", self)
        self.copy_button = push_button("&Copy", self._copy, self, "Copy the lines that are shown")
        self.show_button = push_button(
            "&Show in Folder", _show_folder, self, "Open the folder of the log files"
        )
        self.diagnostics_button = push_button(
            "Copy &Diagnostics",
            copy_diagnostics,
            self,
            "Copy versions, counts, settings and the last errors, without any text of a document",
        )
        self._timer = QTimer(self, interval=_FOLLOW_MS)
        self._build()
        self.level_box.currentIndexChanged.connect(self._show_lines)
        self.search_edit.textChanged.connect(self._show_lines)
        self.follow_box.toggled.connect(self._update_timer)
        self._timer.timeout.connect(self._look)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search_edit.setFocus)

    def _build(self) -> None:
        for text, level in _LEVELS:
            self.level_box.addItem(text, level)
        self.level_box.setAccessibleName("Least level that is shown")
        self.level_box.setToolTip("Show everything, or only what went wrong")
        self.follow_box.setChecked(True)
        self.view.setReadOnly(True)
        self.view.setTabChangesFocus(True)
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        told(self.view, "log_view", "Log")
        self.column.addWidget(plain_label(_EXPLANATION, self))
        put(in_row(inside=self.column), self.level_box, (self.search_edit, 1), self.follow_box)
        self.column.addWidget(self.view, 1)
        self.end_with(self.copy_button, self.diagnostics_button, self.show_button, self.count_label)

    @property
    def shown(self) -> tuple[LogLine, ...]:
        """The lines that pass the filter, oldest first."""
        level = int(self.level_box.currentData())
        words = self.search_edit.text().casefold().split()
        return tuple(
            line
            for line in self._lines
            if line.level >= level and all(word in str(line).casefold() for word in words)
        )[-_MAX_LINES:]

    def read(self) -> None:
        """Read the logs anew."""
        self._state = log_state()
        self._lines = read_log()
        self._show_lines()

    def _look(self) -> None:
        if log_state() != self._state:
            self.read()

    def _show_lines(self) -> None:
        shown = self.shown
        self.view.setPlainText("\n".join(map(str, shown)))
        bar = self.view.verticalScrollBar()
        bar.setValue(bar.maximum())
        of = "" if len(shown) == len(self._lines) else f"{len(shown)} of "
        self.count_label.setText(f"{of}{n_of(len(self._lines), 'line')}")

    def _update_timer(self) -> None:
        if self.isVisible() and self.follow_box.isChecked():
            self._timer.start()
        else:
            self._timer.stop()

    def _copy(self) -> None:
        selected = self.view.textCursor().selectedText().replace("\u2029", "\n")
        QGuiApplication.clipboard().setText(selected or self.view.toPlainText())

    def setVisible(self, visible: bool) -> None:
        """Follow the log only while it can be seen."""
        super().setVisible(visible)
        if visible:
            self.read()
        self._update_timer()


def _show_folder() -> None:
    folder = log_folder()
    folder.mkdir(parents=True, exist_ok=True)
    open_path(folder)
