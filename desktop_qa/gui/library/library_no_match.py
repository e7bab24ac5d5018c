"""What the library's panel says when no document passes the filter, and how to go on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_qa.gui.library.library_order import LibraryOrder
from desktop_qa.gui.library.library_rows import Narrowing

_MAX_SUGGESTIONS = 5
_MAX_WORDS_CHARACTERS = 24


class NoMatch(QWidget):
    """Names the filters that can be dropped, each with what would be listed then.

    Attributes:
        narrowing_chosen: With the `Narrowing` that shall take the place of the present one.
    """

    narrowing_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = QLabel(self)
        self.label.setObjectName("no_match_text")
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.buttons: list[QPushButton] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(14, 16, 14, 16)
        self._layout.setSpacing(6)
        self._layout.addWidget(self.label)
        self._layout.addStretch(1)

    def show_for(self, order: LibraryOrder, typed: str) -> None:
        """Say what was looked for and offer to drop each part of it.

        Args:
            order: The documents with the filter that lists none of them.
            typed: The words as they were typed.
        """
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = []
        narrowing = order.narrowing
        self.label.setText(_sentence(narrowing, typed))
        offers: list[tuple[str, Narrowing]] = []
        if narrowing.words and narrowing.choices:
            words = _short(typed.strip())
            offers.append((f"Drop “{words}”", replace(narrowing, words=())))
        if len(narrowing.choices) > 1 or narrowing.words:
            for choice in sorted(narrowing.choices):
                left = narrowing.choices - {choice}
                offers.append((f"Drop “{choice.value}”", replace(narrowing, choices=left)))
        counted = [(text, one, order.count(one)) for text, one in offers]
        useful = sorted((c for c in counted if c[2]), key=lambda c: -c[2])[:_MAX_SUGGESTIONS]
        for text, one, count in useful:
            self._add(f"{text}: {count} {_noun(count)}", one)
        self._add(f"Show all {len(order)} {_noun(len(order))}", Narrowing())

    def _add(self, text: str, narrowing: Narrowing) -> None:
        button = QPushButton(text.replace("&", "&&"), self)
        button.setObjectName("link_button")
        button.setToolTip(text)
        button.clicked.connect(partial(self._on_clicked, narrowing))
        self._layout.insertWidget(self._layout.count() - 1, button, 0, Qt.AlignmentFlag.AlignLeft)
        self.buttons.append(button)

    def _on_clicked(self, narrowing: Narrowing, _checked: bool = False) -> None:
        self.narrowing_chosen.emit(narrowing)


def _sentence(narrowing: Narrowing, typed: str) -> str:
    parts = [f"“{_short(typed.strip())}”"] if narrowing.words else []
    parts += [f"“{choice.value}”" for choice in sorted(narrowing.choices)]
    return f"No document matches {' with '.join(parts)}." if parts else "No document matches."


def _short(text: str) -> str:
    if len(text) <= _MAX_WORDS_CHARACTERS:
        return text
    return f"{text[: _MAX_WORDS_CHARACTERS - 1]}…"


def _noun(count: int) -> str:
    return "document" if count == 1 else "documents"
