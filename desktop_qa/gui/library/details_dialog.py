"""All that is known of a document, in a window of its own that is in nobody's way."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QWidget,
)

from desktop_qa.core.details import DocumentDetails, FilePlace
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.library.details_text import (
    Line,
    as_text,
    detail_lines,
    known_lines,
    place_line,
    problem_lines,
)
from desktop_qa.gui.library.library_words import name_of
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.opening import show_in_folder

_SIZE = QSize(500, 640)
_MAX_PROBLEMS_PX = 150
_LOADING = "Looking up the rest …"


class DetailsDialog(QDialog):
    """Shows at once what the list knows, and the rest when it has come.

    Attributes:
        page_requested: With (absolute path of the file, 1-based number of the page).
        read_again_requested: With the id of the document.
        again_requested: With the `DocumentStatus` whose details could not be had.
    """

    page_requested = Signal(str, int)
    read_again_requested = Signal(str)
    again_requested = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("details_dialog")
        self.resize(_SIZE)
        self.status: DocumentStatus | None = None
        self._details: DocumentDetails | None = None
        self._is_read_only = False
        self.title_label = self._text_label("", "dialog_title")
        self.note_label = self._text_label("", "dialog_hint")
        self.problems = QListWidget(self)
        self.copy_button = QPushButton("Copy All", self)
        self.read_again_button = QPushButton("Read Again", self)
        self.try_button = QPushButton("Try again", self)
        self.close_button = QPushButton("Close", self)
        self._body = QWidget(self)
        self._build()
        self.problems.itemActivated.connect(self._on_problem_chosen)
        self.problems.itemClicked.connect(self._on_problem_chosen)
        self.copy_button.clicked.connect(self._on_copy)
        self.read_again_button.clicked.connect(self._on_read_again)
        self.try_button.clicked.connect(self._on_try)
        self.close_button.clicked.connect(self.close)
        QShortcut(QKeySequence("Alt+Return"), self, self.close)

    @property
    def document_id(self) -> DocumentId | None:
        """Of the document that is shown."""
        return self.status.document_id if self.status is not None else None

    def _build(self) -> None:
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._body)
        self.problems.setAccessibleName("Problems of pages")
        self.problems.setToolTip("Click a line to open the page")
        self.problems.setMaximumHeight(_MAX_PROBLEMS_PX)
        self.problems.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.problems.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.copy_button.setToolTip("Copy all of it as text")
        self.read_again_button.setToolTip("Read the file once more")
        self.try_button.setToolTip("Look the details up once more")
        self.close_button.setToolTip("Close the details (Esc)")
        layout = in_column(self, margins=(16, 16, 16, 16), spacing=12)
        layout.addWidget(self.title_label)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(self.problems)
        layout.addWidget(self.note_label)
        buttons = in_row(spacing=8, inside=layout)
        for button in (self.copy_button, self.read_again_button, self.try_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)

    def _text_label(self, text: str, name: str = "") -> QLabel:
        label = QLabel(text, self)
        label.setObjectName(name)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    # What is shown

    def show_loading(self, status: DocumentStatus, *, is_read_only: bool) -> None:
        """Show what is known of a document already; the rest is under way."""
        self.status, self._details = status, None
        self._is_read_only = is_read_only
        name = name_of(status)
        self.setWindowTitle(f"Details of {name}")
        self.title_label.setText(status.title or name)
        self._fill(known_lines(status)[bool(status.title) :], ())
        self._show_problems(None)
        self._say(_LOADING)
        self.close_button.setFocus()

    def show_details(self, details: DocumentDetails) -> None:
        """Show all of it."""
        self.status, self._details = details.status, details
        self.title_label.setText(details.status.title or name_of(details.status))
        self._fill(detail_lines(details)[bool(details.status.title) :], details.places)
        self._show_problems(details)
        self._say("")

    def show_failure(self, error: DesktopQaError) -> None:
        """Say why the rest is not there; what is known stays."""
        self._say(f"{error.message} {error.hint}".strip(), failed=True)

    def _say(self, text: str, *, failed: bool = False) -> None:
        self.note_label.setText(text)
        self.note_label.setVisible(bool(text))
        self.try_button.setVisible(failed)
        self.copy_button.setEnabled(self._details is not None)
        status = self.status
        can_read = status is not None and status.state.is_final and not self._is_read_only
        self.read_again_button.setEnabled(can_read)
        why = "This library is open for reading only" if self._is_read_only else ""
        self.read_again_button.setToolTip(why or "Read the file once more")
        is_stale = status is not None and status.stale
        self.read_again_button.setProperty("primary", is_stale)

    def _fill(self, lines: list[Line], places: tuple[FilePlace, ...]) -> None:
        body = QWidget(self)
        body.setObjectName("details_body")
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 8, 0)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(6)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        for name, value in lines:
            label = self._text_label(value)
            label.setAccessibleName(f"{name}: {value}")
            form.addRow(self._name_label(name), label)
        for place in places:
            form.addRow(self._name_label("File"), self._place_widget(place))
        self._scroll.setWidget(body)
        self._body = body

    def _name_label(self, name: str) -> QLabel:
        label = QLabel(name, self)
        label.setObjectName("dialog_hint")
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        return label

    def _place_widget(self, place: FilePlace) -> QWidget:
        widget = QWidget(self)
        column = in_column(widget, margins=(0, 0, 0, 0), spacing=2)
        # A path breaks at its separators, where there is nothing else to break at.
        path = self._text_label(place.path.replace("/", "/\u200b"))
        path.setAccessibleName(place.path)
        column.addWidget(path)
        note = self._text_label(place_line(place), "dialog_hint")
        column.addWidget(note)
        line = in_row(margins=(0, 0, 0, 4), spacing=12, inside=column)
        for text, tip, slot in (
            ("Copy path", "Copy the path of this file", lambda: _copy(place.path)),
            ("Show in folder", "Open the folder of this file", lambda: show_in_folder(place.path)),
        ):
            button = QPushButton(text, widget)
            button.setObjectName("link_button")
            button.setAutoDefault(False)
            button.setToolTip(tip)
            button.clicked.connect(slot)
            line.addWidget(button)
        line.addStretch(1)
        return widget

    def _show_problems(self, details: DocumentDetails | None) -> None:
        self.problems.clear()
        for page_no, line in problem_lines(details) if details is not None else ():
            item = QListWidgetItem(line)
            item.setToolTip(line)
            item.setData(Qt.ItemDataRole.UserRole, page_no)
            self.problems.addItem(item)
        self.problems.setVisible(self.problems.count() > 0)

    # What is done

    def _on_problem_chosen(self, item: QListWidgetItem) -> None:
        if self.status is not None and self.status.path:
            page_no = max(int(item.data(Qt.ItemDataRole.UserRole)), 1)
            self.page_requested.emit(self.status.path, page_no)

    def _on_copy(self) -> None:
        if self._details is not None:
            _copy(as_text(self._details))

    def _on_read_again(self) -> None:
        if self.document_id is not None:
            self.read_again_requested.emit(self.document_id)

    def _on_try(self) -> None:
        if self.status is not None:
            self.again_requested.emit(self.status)


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
