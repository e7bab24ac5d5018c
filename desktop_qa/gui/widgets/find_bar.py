"""Finding words in a text: the line with the words, and how many there are."""

from __future__ import annotations

import re
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QAbstractSlider,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from desktop_qa.core.page_text import TextQuery
from desktop_qa.gui.focus_order import bring_focus, on_keys
from desktop_qa.gui.widgets.boxes import in_row, put
from desktop_qa.gui.widgets.buttons import GlyphButton
from desktop_qa.gui.widgets.labels import told
from desktop_qa.gui.widgets.theme import restyle

NOT_FOUND = "Not found"
_SCROLLING = {
    Qt.Key.Key_Up: QAbstractSlider.SliderAction.SliderSingleStepSub,
    Qt.Key.Key_Down: QAbstractSlider.SliderAction.SliderSingleStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
}
"""What a line of words has no use for scrolls what is searched."""


class FindLine(QFrame):
    """The line: words, case, whole words, how many, previous and next.

    Attributes:
        step_requested: To the next place, True for the previous one.
        scroll_key_pressed: With a `Qt.Key` that scrolls what is searched.
    """

    query_changed = Signal(object)
    step_requested = Signal(bool)
    closed = Signal()
    scroll_key_pressed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find_bar")
        self.words_edit = told(QLineEdit(), "find_edit", "Find in this document")
        self.words_edit.setPlaceholderText("Find in this document …")
        self.words_edit.setClearButtonEnabled(True)
        self.case_button = GlyphButton("match_case", "Match case", "Alt+M")
        self.word_button = GlyphButton("whole_word", "Whole words only", "Alt+W")
        self.count_label = told(QLabel(), "count_label", "Places found")
        self.previous_button = GlyphButton("previous", "Previous", "Shift+Enter")
        self.next_button = GlyphButton("next", "Next", "Enter")
        self.close_button = GlyphButton("close", "Close", "Esc")
        line = put(in_row(self, margins=(12, 5, 8, 5), spacing=4), (self.words_edit, 1))
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for button, key in ((self.case_button, "Alt+M"), (self.word_button, "Alt+W")):
            button.setCheckable(True)
            button.toggled.connect(self._on_query_changed)
            line.addWidget(button)
            # A line edit would type the letter.
            QShortcut(QKeySequence(key), self, button.toggle, context=within)
        put(line, 4, self.count_label, 4, self.previous_button, self.next_button, self.close_button)
        self.words_edit.textChanged.connect(self._on_query_changed)
        self.previous_button.clicked.connect(lambda: self.step_requested.emit(True))
        self.next_button.clicked.connect(lambda: self.step_requested.emit(False))
        self.close_button.clicked.connect(self.closed)
        step, scroll = self.step_requested.emit, self.scroll_key_pressed.emit
        on_keys(
            self,
            {
                "Return, Enter": partial(step, False),
                "Shift+Return, Shift+Enter": partial(step, True),
                "Esc": self.closed.emit,
                **{QKeySequence(key).toString(): partial(scroll, key) for key in _SCROLLING},
            },
        )

    @property
    def query(self) -> TextQuery:
        """What is to be found."""
        return TextQuery(
            self.words_edit.text(),
            whole_word=self.word_button.isChecked(),
            match_case=self.case_button.isChecked(),
        )

    def _on_query_changed(self, _value: object) -> None:
        self.query_changed.emit(self.query)

    def begin_with(self, words: str) -> None:
        """Show the line, ready for other words; those given, if any, stand in it."""
        self.show()
        if words:
            self.words_edit.setText(words)
        bring_focus(self.words_edit)
        self.words_edit.selectAll()

    def say(self, text: str, *, is_missing: bool = False) -> None:
        """Show how many places there are, or that there is none."""
        self.count_label.setText(text)
        if bool(self.count_label.property("missing")) != is_missing:
            restyle(self.count_label, "missing", is_missing)


class FindBar(FindLine):
    """Searches the text edit it is given."""

    def __init__(self, edit: QTextEdit | QPlainTextEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._edit = edit
        self.query_changed.connect(self._on_words_changed)
        self.step_requested.connect(lambda backwards: self.search(backwards=backwards))
        self.scroll_key_pressed.connect(self._on_scroll_key_pressed)

    def search_in(self, edit: QTextEdit | QPlainTextEdit) -> None:
        """Take another text; its selection is where the search begins."""
        self._edit = edit
        self._count()

    def begin(self) -> None:
        """Show the line, with the selected word in it."""
        selected = self._edit.textCursor().selectedText()
        self.begin_with(selected if "\u2029" not in selected else "")

    def _on_scroll_key_pressed(self, key: Qt.Key) -> None:
        self._edit.verticalScrollBar().triggerAction(_SCROLLING[key])

    def _on_words_changed(self, _query: TextQuery) -> None:
        # From where the last find began, so that it stays while the word grows.
        cursor = self._edit.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self._edit.setTextCursor(cursor)
        self.search()

    def search(self, *, backwards: bool = False) -> bool:
        """Go to the next place that holds the words, from the other end after the last."""
        edit, query = self._edit, self.query
        if not query.words:
            self._count()
            return False
        flags = QTextDocument.FindFlag.FindBackward if backwards else QTextDocument.FindFlag(0)
        if query.match_case:
            flags |= QTextDocument.FindFlag.FindCaseSensitively
        if query.whole_word:
            flags |= QTextDocument.FindFlag.FindWholeWords
        found = edit.find(query.words, flags)
        if not found:
            end = QTextCursor.MoveOperation.End if backwards else QTextCursor.MoveOperation.Start
            before = edit.textCursor()
            edit.moveCursor(end)
            found = edit.find(query.words, flags)
            if not found:
                edit.setTextCursor(before)
        self._count()
        return found

    def _count(self) -> None:
        if not self.query.words:
            self.say("")
            return
        pattern = _pattern(self.query)
        starts = [match.start() for match in pattern.finditer(self._edit.toPlainText())]
        cursor = self._edit.textCursor()
        if not cursor.hasSelection() or not starts:
            self.say(str(len(starts)) if starts else NOT_FOUND, is_missing=not starts)
            return
        place = sum(start < cursor.selectionStart() for start in starts) + 1
        self.say(f"{min(place, len(starts))} of {len(starts)}")


def _pattern(query: TextQuery) -> re.Pattern[str]:
    words = re.escape(query.words)
    # As Qt does: the characters beside the words are not of a word.
    pattern = rf"(?<!\w){words}(?!\w)" if query.whole_word else words
    return re.compile(pattern, 0 if query.match_case else re.IGNORECASE)
