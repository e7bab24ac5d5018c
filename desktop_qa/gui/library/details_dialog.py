"""All that is known of a document, in a window of its own that is in nobody's way."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QWidget,
)

from desktop_qa.core.details import DocumentDetails, FilePlace
from desktop_qa.core.document import DocumentId, PageFailure
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.library.library_words import first_of, moment, name_of, size_text, state_text
from desktop_qa.gui.screens import bring_forward
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.dialog_parts import SideWindow, push_button
from desktop_qa.gui.widgets.labels import plain_label, say, told
from desktop_qa.gui.widgets.opening import copy_text, show_in_folder

_SECONDS_PER_MINUTE = 60
_MAX_PAGES_LISTED = 20

Line = tuple[str, str]
"""What it is, and what it is here."""
_SIZE_PX = (500, 640)
_MAX_PROBLEMS_PX = 150
_LOADING = "Looking up the rest …"


def detail_lines(status: DocumentStatus, details: DocumentDetails | None = None) -> list[Line]:
    """Return what the list of documents tells by itself, and with details all that is known."""
    words = state_text(status)
    state = "ready, read by an earlier version" if words == "earlier" else words
    why = f"{status.reason} {status.hint}".strip()
    lines = [
        ("Title", status.title),
        ("Vendor", status.vendor),
        ("Part numbers", ", ".join(status.part_numbers)),
        ("Revision", status.revision),
        ("Date", status.date),
        ("State", f"{state}: {why}" if why else state),
        ("Pages", f"{status.n_pages:,}" if status.n_pages else ""),
    ]
    if details is not None and status.has_content:
        blank = details.pages_without_text
        which = first_of(blank, _MAX_PAGES_LISTED)
        versions = [part.strip() for part in status.read_by.split(";")]
        lines += [
            ("Kind", details.kind.capitalize()),
            ("Segments", f"{status.n_segments:,}"),
            ("Tables", f"{status.n_tables:,}"),
            ("Figures", f"{status.n_figures:,}"),
            ("Words", f"{details.n_words:,}"),
            ("Pages without text", f"{len(blank)} ({which})" if blank else "none"),
            ("Read", moment(status.read_at)),
            ("Read by", ", ".join(filter(None, versions))),
            ("Reading score", f"{status.reading.score:.2f}" if status.reading else ""),
            ("Reading took", duration(details.seconds) if details.seconds else "not noted"),
        ]
    if details is not None:
        lines.append(("Kept of it", f"{size_text(details.kept_bytes)} beside the index"))
    return [(name, value) for name, value in lines if value]


def place_line(place: FilePlace) -> str:
    """Return the size and age of a file, or that it is not there."""
    if place.size_bytes is None:
        return "not there now"
    return f"{size_text(place.size_bytes)}, changed {moment(place.changed_at)}"


def problem_line(problem: PageFailure) -> str:
    """Return what ails a page, or the document as a whole."""
    where = f"Page {problem.page_no}" if problem.page_no else "Document"
    error = f", {problem.stage}: {problem.error}" if problem.stage else ""
    lost = "its text is searched" if problem.has_text else "not searched"
    return f"{where}: {problem.reason} ({lost}{error})"


def problem_lines(details: DocumentDetails) -> list[tuple[int, str]]:
    """Return page and words of all that ails a document, and of what is in doubt of it."""
    reading = details.status.reading
    doubts = reading.doubts if reading is not None else ()
    return [(one.page_no, problem_line(one)) for one in details.problems] + [
        (doubt.page_no, doubt.line) for doubt in doubts
    ]


def as_text(details: DocumentDetails) -> str:
    """Return everything as plain text, a line each."""
    lines = [f"{name}: {value}" for name, value in detail_lines(details.status, details)]
    lines += [f"File: {place.path} ({place_line(place)})" for place in details.places]
    lines += [line for _, line in problem_lines(details)]
    return "\n".join(lines)


def duration(seconds: float) -> str:
    """Return "12 s" or "2 min 5 s"."""
    if seconds < _SECONDS_PER_MINUTE:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), _SECONDS_PER_MINUTE)
    return f"{minutes} min {rest} s"


class DetailsDialog(SideWindow):
    """Shows at once what the list knows, and the rest when it has come.

    Attributes:
        page_requested: With (absolute path of the file, 1-based number of the page).
    """

    page_requested = Signal(str, int)

    def __init__(self, session: LibrarySession, parent: QWidget) -> None:
        super().__init__("Details", "details_dialog", _SIZE_PX, parent)
        self._session = session
        self.status: DocumentStatus | None = None
        self._details: DocumentDetails | None = None
        self.title_label = plain_label("", self, "dialog_title", can_select=True)
        self.note_label = plain_label("", self, can_select=True)
        self.problems = told(
            *(QListWidget(self), None, "Problems of pages", "Click a line to open the page")
        )
        self.copy_button = push_button("Copy All", self._on_copy, self, "Copy all of it as text")
        self.read_again_button = push_button("Read Again", self._on_read_again, self)
        tip = "Look the details up once more"
        self.try_button = push_button("Try again", self._on_try, self, tip)
        self._scroll = QScrollArea(self, widgetResizable=True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.problems.setMaximumHeight(_MAX_PROBLEMS_PX)
        self.problems.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.problems.setTextElideMode(Qt.TextElideMode.ElideRight)
        put(self.column, self.title_label, (self._scroll, 1), self.problems, self.note_label)
        self.end_with(self.copy_button, self.read_again_button, self.try_button)
        self.close_button.setAutoDefault(True)
        self.problems.itemActivated.connect(self._on_problem_chosen)
        self.problems.itemClicked.connect(self._on_problem_chosen)
        session.statuses_changed.connect(self._on_statuses_changed)
        QShortcut(QKeySequence("Alt+Return"), self, self.close)

    def show_document(self, status: DocumentStatus) -> None:
        """Come to the front with what is known of a document already, and look up the rest."""
        self.setWindowTitle(f"Details of {name_of(status)}")
        self._show(status, None, _LOADING)
        self.close_button.setFocus()
        bring_forward(self)
        self._look_up(status.document_id)

    def _look_up(self, document_id: DocumentId) -> None:
        self._session.request(
            *("details", document_id),
            on_result=lambda details: self._show(details.status, details),
            on_failure=lambda error: self._say(str(error), failed=True),
            latest="details",
        )

    def _on_statuses_changed(
        self, changed: tuple[DocumentStatus, ...], removed: tuple[DocumentId, ...]
    ) -> None:
        """Stay true: a document that was read is looked up once more."""
        if self.status is None or not self.isVisible():
            return
        shown = self.status.document_id
        if shown in removed:
            self.close()
        elif any(s.document_id == shown and s.state.is_final for s in changed):
            self._look_up(shown)

    def _say(self, text: str, *, failed: bool = False) -> None:
        say(self.note_label, text)
        self.try_button.setVisible(failed)
        self.copy_button.setEnabled(self._details is not None)
        is_final = self.status is not None and self.status.state.is_final
        can_write = self._session.can_write
        self.read_again_button.setEnabled(can_write and is_final)
        read_only = "This library is open for reading only"
        self.read_again_button.setToolTip("Read the file once more" if can_write else read_only)

    def _show(
        self, status: DocumentStatus, details: DocumentDetails | None, note: str = ""
    ) -> None:
        self.status, self._details = status, details
        self.title_label.setText(status.title or name_of(status))
        body = told(QWidget(self), "details_body")
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 8, 0)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(6)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        for name, value in detail_lines(status, details)[bool(status.title) :]:  # it stands above
            label = told(plain_label(value, self, "", can_select=True), spoken=f"{name}: {value}")
            form.addRow(self._name_label(name), label)
        for place in details.places if details is not None else ():
            form.addRow(self._name_label("File"), self._place_widget(place))
        self._scroll.setWidget(body)
        self.problems.clear()
        for page_no, line in problem_lines(details) if details is not None else ():
            item = QListWidgetItem(line, self.problems)
            item.setToolTip(line)
            item.setData(Qt.ItemDataRole.UserRole, page_no)
        self.problems.setVisible(self.problems.count() > 0)
        self._say(note)

    def _name_label(self, name: str) -> QLabel:
        label = plain_label(name, self)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        return label

    def _place_widget(self, place: FilePlace) -> QWidget:
        widget = QWidget(self)
        column = in_column(widget, margins=(0, 0, 0, 0), spacing=2)
        # A path breaks at its separators, where there is nothing else to break at.
        path = plain_label(place.path.replace("/", "/\u200b"), self, "", can_select=True)
        path.setAccessibleName(place.path)
        put(column, path, plain_label(place_line(place), self, can_select=True))
        line = in_row(margins=(0, 0, 0, 4), spacing=12, inside=column)
        for text, tip, slot in (
            ("Copy path", "Copy the path of this file", lambda: copy_text(place.path)),
            ("Show in folder", "Open the folder of this file", lambda: show_in_folder(place.path)),
        ):
            line.addWidget(push_button(text, slot, widget, tip, "link_button"))
        line.addStretch(1)
        return widget

    def _on_problem_chosen(self, item: QListWidgetItem) -> None:
        if self.status is not None and self.status.path:
            page_no = max(int(item.data(Qt.ItemDataRole.UserRole)), 1)
            self.page_requested.emit(self.status.path, page_no)

    def _on_copy(self) -> None:
        if self._details is not None:
            copy_text(as_text(self._details))

    def _on_read_again(self) -> None:
        if self.status is not None:
            self._session.read_again((self.status.document_id,))

    def _on_try(self) -> None:
        if self.status is not None:
            self.show_document(self.status)
