"""What the window shows before there is anything to show: how to begin, and what to ask."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from desktop_qa import paths
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.widgets.boxes import add_row, in_column, put, take_away
from desktop_qa.gui.widgets.labels import calm_label, told
from desktop_qa.gui.widgets.theme import tint

SAMPLE_FOLDER = "resources/sample_library"

_MAX_EXAMPLES = 4
_MAX_TITLES = 2
_MAX_LOOKED_AT = 200
_PART = re.compile(r"\b[A-Z]{2,}\d{2,}[A-Z0-9]*\b")
_ABOUT_A_TITLE = "What is “{title}” about?"
_ABOUT_A_PART = (
    "What is the {part}?",
    "What is the operating temperature range of the {part}?",
    "What are the absolute maximum ratings of the {part}?",
)
_MAX_RECENT = 4
_DROP_WIDTH_PX = 520
_ICON_PX = 56
_NONE_READ = "None of these PDFs could be read. Point at one in the list to see why."
_BEING_READ = "The first documents are being read. You can ask now: the answer comes by itself."
_PROMISE = (
    "PDFs are read where they are: never copied, never changed.\n"
    "Nothing leaves this machine, and no network is needed."
)


def example_questions(
    ready: Sequence[DocumentStatus], *, is_all_read: bool = True
) -> tuple[str, ...]:
    """Return questions that the documents read so far can answer, none when there are none."""
    if not ready:
        return ()
    if _is_sample(ready[0]):
        return _of_sample(ready, is_all_read)
    # Of the first ones: the other thousands are not looked at.
    found = islice((s.part_numbers[0] for s in ready if s.part_numbers), _MAX_LOOKED_AT)
    parts = list(dict.fromkeys(found))
    if parts:
        # Of several parts each question names another, so that the library shows in them.
        return tuple(
            text.format(part=parts[min(index, len(parts) - 1)])
            for index, text in enumerate(_ABOUT_A_PART)
        )
    titles = tuple(dict.fromkeys(s.title for s in ready if s.title))
    return tuple(_ABOUT_A_TITLE.format(title=title) for title in titles[:_MAX_TITLES])


def _of_sample(ready: Sequence[DocumentStatus], is_all_read: bool) -> tuple[str, ...]:
    """Return the sample's questions about documents that are read already."""
    file = paths.asset(f"{SAMPLE_FOLDER}/suggestions.json")
    questions: list[str] = json.loads(file.read_text(encoding="utf-8"))
    known = {part for status in ready for part in status.part_numbers}
    parts = {question: set(_PART.findall(question)) for question in questions}
    fitting = [one for one, named in parts.items() if is_all_read or (named and named <= known)]
    return tuple(fitting[:_MAX_EXAMPLES])


def _is_sample(status: DocumentStatus) -> bool:
    try:
        return Path(status.path).parent == paths.asset(SAMPLE_FOLDER)
    except FileNotFoundError:
        return False


class EmptyState(QWidget):
    """The first run: drop a folder, choose one, try the sample, or open a recent library.

    Attributes:
        recent_clicked: With the index of a recent library.
    """

    recent_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.drop_zone = told(QFrame(self), "drop_zone")
        self.drop_zone.setMaximumWidth(_DROP_WIDTH_PX)
        icon = calm_label("empty_icon", "", self.drop_zone)
        tint(icon, "drop_folder", "accent", size_px=_ICON_PX)
        self.title = calm_label("empty_title", "Drop a folder of PDFs here", self.drop_zone)
        invitation = "Then ask, and see each answer on the page it comes from."
        self.add_button = QPushButton("Add folder …", self.drop_zone, autoDefault=True)
        told(self.add_button, "primary_button", tip="Choose a folder of PDF files (Ctrl+O)")
        self.sample_button = QPushButton("Try the sample library", self.drop_zone, autoDefault=True)
        self.sample_button.setToolTip("Ask made-up datasheets that come with the program")
        zone = in_column(self.drop_zone, margins=(40, 36, 40, 36), spacing=8)
        put(zone, icon, self.title, calm_label("empty_text", invitation, self.drop_zone), 12)
        add_row(zone, None, self.add_button, self.sample_button, None, spacing=8)
        self._recent = in_column(spacing=2)
        self._recent_widgets: list[QWidget] = []
        layout = put(in_column(self, margins=(24, 24, 24, 24)), (None, 3))
        add_row(layout, None, self.drop_zone, None).setStretch(1, 100)
        put(layout, 16, calm_label("empty_promise", _PROMISE, self), 16, self._recent, (None, 4))
        # Who comes by keyboard begins with Enter.
        self.setFocusProxy(self.add_button)

    def show_recent(self, libraries: Sequence[tuple[str, str]]) -> None:
        """Offer the recent libraries, given as (name, where it is)."""
        take_away(self._recent, self._recent_widgets)
        self._recent_widgets = [calm_label("empty_promise", "Recent", self)] if libraries else []
        for index, (name, place) in enumerate(libraries[:_MAX_RECENT]):
            button = told(QPushButton(name.replace("&", "&&"), self), "link_button", tip=place)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _on=False, index=index: self.recent_clicked.emit(index))
            self._recent_widgets.append(button)
        for widget in self._recent_widgets:
            self._recent.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)


_EXAMPLE_MARGINS_PX = 64
"""Of a question's button to the edges of the page, both sides with the padding in it."""
_LEAST_EXAMPLE_PX = 120


class StartPage(QWidget):
    """An open library before its first question: what can be asked.

    Attributes:
        example_clicked: With a question to ask.
    """

    example_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = calm_label("empty_icon", "", self)
        tint(self._icon, "question", "accent", size_px=44)
        self.title = calm_label("empty_title", "Ask your documents", self)
        self.text = calm_label("empty_text", "", self)
        self.examples: tuple[QPushButton, ...] = ()
        self._examples_layout = in_column(spacing=6)
        layout = in_column(self, margins=(12, 12, 12, 12), spacing=8)
        put(layout, (None, 2), self._icon, self.title, self.text, 12, self._examples_layout)
        layout.addStretch(3)

    def show_statuses(
        self, statuses: Iterable[DocumentStatus], *, is_reading: bool = False
    ) -> None:
        """Say how much can be asked about, and offer questions about a part in the library."""
        rows = tuple(statuses)
        ready = [status for status in rows if status.state.is_searchable]
        if not rows:
            looking = "Looking for PDFs in the folder …"
            self.text.setText(looking if is_reading else "There are no PDFs in this library yet.")
        elif not ready:
            are_final = all(status.state.is_final for status in rows)
            self.text.setText(_NONE_READ if are_final else _BEING_READ)
        elif len(ready) < len(rows):
            self.text.setText(f"{len(ready)} of {len(rows)} documents can be asked about already.")
        else:
            noun = "document is" if len(rows) == 1 else "documents are"
            self.text.setText(f"{len(rows)} {noun} ready.")
        self._offer(example_questions(ready, is_all_read=len(ready) == len(rows)))

    def _offer(self, questions: Sequence[str]) -> None:
        """Show questions; those shown already keep their place under the pointer."""
        kept = [button for button in self.examples if button.toolTip() in questions]
        take_away(self._examples_layout, set(self.examples) - set(kept))
        shown = {button.toolTip() for button in kept}
        new = [self._example(question) for question in questions if question not in shown]
        self.examples = (*kept, *new)

    def _example(self, question: str) -> QPushButton:
        button = told(QPushButton(self), "example_button", question, question)
        button.setAccessibleDescription("Asks this question")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self.example_clicked.emit(question))
        self._examples_layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        self._fit(button)
        return button

    def _fit(self, button: QPushButton) -> None:
        """Write as much of a question as there is room for; the tool tip has the whole."""
        button.ensurePolished()
        room = max(self.width() - _EXAMPLE_MARGINS_PX, _LEAST_EXAMPLE_PX)
        metrics = button.fontMetrics()
        text = metrics.elidedText(button.toolTip(), Qt.TextElideMode.ElideRight, room)
        button.setText(text.replace("&", "&&"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the questions to the new width."""
        super().resizeEvent(event)
        for button in self.examples:
            self._fit(button)
