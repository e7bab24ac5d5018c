"""Offers how a question may go on while it is typed: between the box and the library."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent

from desktop_qa.core.history import HistoryPage
from desktop_qa.core.suggestion import Suggestion
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.asking.ask_box import BoxMode
from desktop_qa.gui.asking.suggestion_list import SuggestionList, spoken
from desktop_qa.gui.feature import Feature, Slot
from desktop_qa.gui.focus_order import keeps_escape
from desktop_qa.gui.widgets.labels import n_of
from desktop_qa.gui.widgets.messages import announce
from desktop_qa.gui.widgets.timers import single_shot
from desktop_qa.gui.window_parts import WindowParts

_N_RECALLED = 100
_KEY = "box/suggestions"
_PAUSE_MS = 80
_LEAST_LETTERS = 2


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
        self._edit.installEventFilter(self)
        self._pane.installEventFilter(self)
        self._box.installEventFilter(self)
        self._box.mode_changed.connect(self.close)
        self.list.taken.connect(self.take)
        self._session.library_opened.connect(self._on_library_opened)

    def actions(self) -> dict[str, Slot]:
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
        if watched is self._edit:
            return self._is_for_list(event)
        if event.type() == QEvent.Type.Resize and watched is self._pane:
            self._box.set_room(self._pane.height())
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.list.isVisible():
            self.list.place_above(self._box)
        return super().eventFilter(watched, event)

    def _is_for_list(self, event: QEvent) -> bool:
        if not self.list.isVisible() or not isinstance(event, QKeyEvent):
            return False
        if keeps_escape(event):
            return True
        return event.type() == QEvent.Type.KeyPress and self._is_key_of_list(event)

    def _is_key_of_list(self, event: QKeyEvent) -> bool:
        chosen = self.list.chosen
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            now = self.list.step(1 if event.key() == Qt.Key.Key_Down else -1)
            if now is not None:
                announce(self._edit, spoken(now))
        elif chosen is not None and _takes(event):
            self.take(chosen)
        else:
            return False
        return True

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


def _takes(event: QKeyEvent) -> bool:
    is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return is_plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
