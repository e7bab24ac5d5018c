"""The structure of one document: its chapters, tables and figures, each a click from its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QMouseEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTreeView,
    QWidget,
)

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.readings import ModelReading, ReadBy
from desktop_qa.core.view import StructureView
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.library.library_words import name_of
from desktop_qa.gui.structure.structure_model import (
    Row,
    RowKind,
    StructureDelegate,
    StructureModel,
    arrow_rect,
)
from desktop_qa.gui.widgets.boxes import add_row, in_column, in_row, put
from desktop_qa.gui.widgets.buttons import GlyphButton
from desktop_qa.gui.widgets.labels import ElidedLabel, calm_label, n_of, say, told
from desktop_qa.gui.widgets.list_rows import ROW_ROLE, FilterEdit, Index, WordFilter, set_up_rows
from desktop_qa.gui.widgets.theme import tint
from desktop_qa.gui.widgets.timers import SteppedWork, single_shot

_MAX_UNFOLDED = 250
"""A document of more chapters begins with its outermost ones."""
_MAX_HITS_UNFOLDED = 1500
_LOADING_MS = 400
"""A structure that comes at once must not flash a message."""
_READING_PX = 90
"""Of the name of a model on its button."""


class StructureTree(QTreeView):
    """Rows that show their place by click and Enter, and fold by their arrow."""

    row_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_rows(self, "structure_tree", "Structure of the document")
        self.setHeaderHidden(True)
        self.setIndentation(0)
        self.setRootIsDecorated(False)
        self.setExpandsOnDoubleClick(False)
        self.clicked.connect(self._on_clicked)
        on_keys(self, {"Return, Enter": lambda: self._on_clicked(self.currentIndex())})

    def row_of(self, index: Index) -> Row | None:
        """Return what a line stands for, None for the head of a group."""
        row = index.data(ROW_ROLE)
        return row if isinstance(row, Row) else None

    def _on_clicked(self, index: QModelIndex) -> None:
        row = self.row_of(index)
        if row is None:
            self.setExpanded(index, not self.isExpanded(index))
        else:
            self.row_chosen.emit(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold and unfold by the arrow; the rest of a row is its place."""
        index = self.indexAt(event.position().toPoint())
        row = self.row_of(index)
        if row is not None and self.model().hasChildren(index):
            arrow = arrow_rect(self.visualRect(index), row.depth)
            if arrow.contains(event.position().toPoint()):
                self.setExpanded(index, not self.isExpanded(index))
                return
        super().mousePressEvent(event)


class StructurePanel(QWidget):
    """Shows the structure it is given.

    Attributes:
        place_chosen: With (`DocumentId`, tuple of `Provenance`) to show in the viewer.
        reading_chosen: With the `ReadBy` to be seen.
        use_wanted: The reading that is seen is to be searched and cited.
    """

    place_chosen = Signal(str, object)
    reading_chosen = Signal(object)
    use_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name_label = told(ElidedLabel(), "structure_name")
        self.pages_label = told(QLabel(), "count_label")
        self.expand_button = GlyphButton("expand_all", "Expand all chapters")
        self.collapse_button = GlyphButton("collapse_all", "Collapse all chapters")
        self.jump_buttons = {
            kind: _small_button("jump_button", partial(self._go_to_group, kind)) for kind in RowKind
        }
        self.reading_buttons = {
            by: _small_button("structure_reading", partial(self.reading_chosen.emit, by))
            for by in ReadBy
        }
        self.use_button = _small_button("jump_button", self.use_wanted.emit)
        self._readings = QWidget()
        self.note_label = calm_label("structure_note")
        self.message_title = calm_label("structure_message")
        self.message_hint = calm_label("structure_hint")
        self.tree = StructureTree()
        self.filter_edit = FilterEdit(
            *("Filter chapters, tables and figures", "Filter this document …", self.tree),
            "Chapters, tables and figures that hold all the words",
        )
        self.words: tuple[str, ...] = ()
        no_match = "Nothing in this document matches the filter."
        self._no_match_label = calm_label("no_match_label", no_match)
        self._delegate = StructureDelegate(self.tree)
        self._stack = QStackedWidget()
        self._status: DocumentStatus | None = None
        self._model: StructureModel | None = None
        self._no_rows = QStandardItemModel(self)
        self._filter = WordFilter(self)
        self._building = SteppedWork(self)
        self._reading: tuple[int, float] | None = None
        self._loading_timer = single_shot(
            self, lambda: self._show_message("", "Reading the structure …"), _LOADING_MS
        )
        self._build()
        self.filter_edit.textChanged.connect(self._on_filter_changed)
        self.filter_edit.returnPressed.connect(self._on_filter_entered)
        self.expand_button.clicked.connect(self.expand_all)
        self.collapse_button.clicked.connect(self.collapse_all)
        self.tree.row_chosen.connect(self._on_row_chosen)
        on_keys(self, {"Ctrl+F": self._to_filter})
        on_keys(
            self.tree,
            {"Up": self.filter_edit.setFocus},
            when=lambda: self.tree.currentIndex() == self._filter.index(0, 0),
        )
        self.tree.expanded.connect(self._show_reading)
        self.tree.collapsed.connect(self._show_reading)
        self.show_nothing()

    def _build(self) -> None:
        # As narrow as the list of documents.
        self.setMinimumSize(200, 200)
        self.note_label.setAlignment(Qt.AlignmentFlag.AlignLeft)
        tint(self.filter_edit, "search")
        self.tree.setModel(self._filter)
        self.tree.setItemDelegate(self._delegate)
        column = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        self._build_head(in_column(margins=(12, 8, 12, 4), spacing=6, inside=column))
        column.addWidget(self._stack, 1)
        page = QWidget()
        inside = in_column(page, margins=(0, 0, 0, 0), spacing=0)
        put(inside, self.note_label, (self.tree, 1), (self._no_match_label, 1))
        self._stack.addWidget(page)
        message = QWidget()
        words = in_column(message, margins=(22, 48, 22, 16), spacing=6)
        put(words, self.message_title, self.message_hint, None)
        self._stack.addWidget(message)

    def _build_head(self, column: QBoxLayout) -> None:
        """Line up what stands over the rows: the name, the filter, the way to each group."""
        self.filter_edit.setObjectName("structure_filter")
        self.use_button.setText("Use This")
        self.use_button.setToolTip("Search and cite the reading that is shown from now on")
        names = in_row(margins=(2, 0, 0, 0), spacing=2, inside=column)
        folding = self.expand_button, self.collapse_button
        put(names, (self.name_label, 1), 6, self.pages_label, 6, *folding)
        column.addWidget(self.filter_edit)
        for kind, button in self.jump_buttons.items():
            button.setToolTip(f"Go to the {kind.value.lower()}")
        add_row(column, *self.jump_buttons.values(), None, spacing=2)
        readings = in_row(self._readings, margins=(0, 0, 0, 2), spacing=2)
        for button in self.reading_buttons.values():
            button.setCheckable(True)
        put(readings, *self.reading_buttons.values(), None, self.use_button)
        column.addWidget(self._readings)

    def _go_to_group(self, kind: RowKind) -> None:
        role = Qt.ItemDataRole.DisplayRole
        for index in self._filter.match(self._filter.index(0, 0), role, kind.value):
            self.tree.expand(index)
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)
            self.tree.setFocus()

    def _show_counts(self) -> None:
        counts = self._model.counts(self.words) if self._model is not None else {}
        self._delegate.counts = counts
        for kind, button in self.jump_buttons.items():
            n_shown = counts.get(kind, (0, 0))[0]
            button.setText(f"{kind.value} {n_shown}")
            button.setVisible(kind in counts)
            button.setEnabled(n_shown > 0)

    def _show_readings(self, shown: ReadBy, note: ModelReading | None) -> None:
        """Show whose reading is seen, and whose is used, where a model has read the document."""
        self._readings.setVisible(note is not None)
        for by, button in self.reading_buttons.items():
            button.setChecked(by is shown)
            if note is None:
                continue
            is_model = by is ReadBy.MODEL
            name = note.model if is_model else "Offline"
            # The names of models are long: "hf.co/maker/Model-7B-Instruct-GGUF:Q4_K_M".
            short = self.fontMetrics().elidedText(
                name.rsplit("/", 1)[-1], Qt.TextElideMode.ElideRight, _READING_PX
            )
            button.setText(short.replace("&", "&&"))
            whose = (
                f"As {note.model} reads it: {note.line}"
                if is_model
                else "As this program reads it."
            )
            used = " Answers use this reading." if by is note.used else ""
            told(button, spoken=f"{name} reading.{used}", tip=f"{whose}{used}")
        self.use_button.setVisible(note is not None and note.used is not shown)

    # What is shown

    @property
    def document_id(self) -> DocumentId | None:
        """The document whose structure is shown, or is on its way."""
        return self._status.document_id if self._status is not None else None

    def show_nothing(self) -> None:
        """Show that no document is chosen."""
        self._status = None
        self._clear()
        self._show_message(
            "No document is chosen.",
            "Choose one under Documents, or click a citation: its chapters, tables and figures "
            "stand here.",
        )

    def show_document(self, status: DocumentStatus) -> bool:
        """Show which document it is; True when its structure can be asked for."""
        self._status = status
        self._clear()
        self.name_label.setText(name_of(status))
        self.name_label.setToolTip(status.path)
        self.pages_label.setText(n_of(status.n_pages, "page") if status.n_pages else "")
        if not status.has_content:
            self._show_message(*_why_not(status))
            return False
        # What is typed while the structure is on the way counts when it is there.
        self._set_usable(True)
        self._loading_timer.start()
        return True

    def _clear(self) -> None:
        self._loading_timer.stop()
        self._building.stop()
        self._set_model(None)
        self._delegate.forget_thumbnails()
        self.name_label.setText("")
        self.name_label.setToolTip("")
        self.pages_label.setText("")
        self._show_readings(ReadBy.PROGRAM, None)
        self.filter_edit.clear()
        self.note_label.hide()
        self._show_counts()
        self._set_usable(False)
        self._stack.setCurrentIndex(0)

    def _set_usable(self, is_usable: bool) -> None:
        """Allow filtering and folding, or not while there is nothing."""
        for widget in (self.filter_edit, self.expand_button, self.collapse_button):
            widget.setEnabled(is_usable)

    def show_structure(self, view: StructureView) -> None:
        """Show the structure of the document that was announced."""
        self._loading_timer.stop()
        self._show_readings(view.read_by, view.model_reading)
        self._building.start(self._make_rows(view))

    def _make_rows(self, view: StructureView) -> Iterator[None]:
        """Make the rows beside those that are shown, which they then take the place of."""
        model = StructureModel(view, self._delegate.heights(self.tree))
        yield from model.build()
        model.setParent(self)
        self._set_model(model)
        self._show_rows()

    def show_failure(self, error: DesktopQaError) -> None:
        """Show why there is no structure."""
        self._loading_timer.stop()
        self._show_message(error.message, error.hint)

    def _show_message(self, title: str, hint: str) -> None:
        self.message_title.setText(title)
        self.message_hint.setText(hint)
        self._stack.setCurrentIndex(1)

    def _show_rows(self) -> None:
        """Show the rows that hold the words, from the top."""
        if self._model is None:
            return
        say(self.note_label, _note(self._model.view, self._status))
        self._show_counts()
        self._unfold(self._model)
        self.tree.setCurrentIndex(QModelIndex())
        self.tree.scrollToTop()
        has_rows = self._filter.rowCount() > 0
        self.tree.setVisible(has_rows)
        self._no_match_label.setVisible(not has_rows and bool(self.words))
        self._stack.setCurrentIndex(0)
        self._delegate.current = QPersistentModelIndex()
        self._show_reading()

    def _set_model(self, model: StructureModel | None) -> None:
        if self._model is not None:
            self._model.deleteLater()
        self._model = model
        self._filter.setSourceModel(model or self._no_rows)

    # Folding and the filter

    def _unfold(self, model: StructureModel) -> None:
        """Begin with everything unfolded, of a long document with its outermost chapters."""
        if self.words:
            if sum(n_hits for n_hits, _ in self._delegate.counts.values()) <= _MAX_HITS_UNFOLDED:
                self.tree.expandAll()
            else:
                self.collapse_all()
        elif len(model.view.chapters) <= _MAX_UNFOLDED:
            self.expand_all()
        else:
            self.collapse_all()

    def expand_all(self) -> None:
        """Unfold every chapter but those of legal and packaging matter, which the arrow opens."""
        model = self.tree.model()
        self.tree.expandAll()
        chapters = model.index(0, 0)
        for position in reversed(range(model.rowCount(chapters))):
            index = model.index(position, 0, chapters)
            row = self.tree.row_of(index)
            if row is None or row.kind is not RowKind.CHAPTER or not row.boilerplate:
                break
            self.tree.collapse(index)

    def collapse_all(self) -> None:
        """Fold all chapters; the groups stay open."""
        model = self.tree.model()
        self.tree.collapseAll()
        for position in range(model.rowCount()):
            self.tree.expand(model.index(position, 0))

    def _on_filter_changed(self, text: str) -> None:
        words = tuple(text.casefold().split())
        if words != self.words:
            self.words = words
            self._filter.narrow(text)
            self._show_rows()

    def _on_filter_entered(self) -> None:
        """Show the first row that the filter found."""
        index = self._filter.first_hit()
        row = self.tree.row_of(index)
        if row is not None:
            self.tree.setCurrentIndex(index)
            self._on_row_chosen(row)

    def _on_row_chosen(self, row: Row) -> None:
        if self._status is not None and row.places:
            self.place_chosen.emit(self._status.document_id, row.places)

    def _to_filter(self) -> None:
        self.filter_edit.setFocus()
        self.filter_edit.selectAll()

    # What is read

    def mark_reading(self, place: tuple[int, float] | None) -> None:
        """Mark the chapter that is read at a page (1-based) and a height in points; or none."""
        self._reading = place
        self._show_reading()

    def _show_reading(self, _index: QModelIndex | None = None) -> None:
        marked = QModelIndex()
        if self._reading is not None and self._model is not None:
            chapter = self._model.view.chapter_at(*self._reading)
            index = self._filter.mapFromSource(self._model.chapter_index(chapter))
            marked = index
            while index.isValid():
                index = index.parent()
                if index.isValid() and not self.tree.isExpanded(index):
                    marked = index
        former = self._delegate.current
        if former == marked:
            return
        # Who looks at the tables meanwhile is not torn away from them.
        seen = self.tree.viewport().rect()
        was_seen = not former.isValid() or seen.intersects(self.tree.visualRect(former))
        self._delegate.current = QPersistentModelIndex(marked)
        is_free = not self.tree.hasFocus() and not self.tree.underMouse()
        if marked.isValid() and was_seen and is_free:
            self.tree.scrollTo(marked, QAbstractItemView.ScrollHint.EnsureVisible)
        self.tree.viewport().update()


def _small_button(name: str, act: Callable[[], object]) -> QPushButton:
    button = told(QPushButton(), name)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(lambda: act())
    return button


def _why_not(status: DocumentStatus) -> tuple[str, str]:
    """Return why a document has no structure, and what to do."""
    if status.state is DocumentState.FAILED:
        return "This document could not be read.", f"{status.reason} {status.hint}".strip()
    if status.state is DocumentState.WAITING:
        return "This document is not read yet.", "Its structure stands here as soon as it is."
    of = f" of {status.n_pages}" if status.n_pages else ""
    pages = f" Page {status.n_pages_read}{of} is done." if status.n_pages_read else ""
    return "This document is being read.", f"Its structure stands here as soon as it is.{pages}"


def _note(view: StructureView, status: DocumentStatus | None) -> str:
    """Return what the rows alone do not say."""
    notes = []
    if not view.chapters and not view.tables and not view.figures:
        notes.append("Neither chapters, tables nor figures were found.")
    elif not view.chapters:
        found = f"{n_of(len(view.tables), 'table')}, {n_of(len(view.figures), 'figure')}"
        notes.append(f"No chapters were found; {found}.")
    n_failed = sum(f.is_page_lost for f in status.page_failures) if status is not None else 0
    if n_failed:
        verb = "was" if n_failed == 1 else "were"
        notes.append(f"{n_failed} of {n_of(view.n_pages, 'page')} {verb} not read.")
    return " ".join(notes)
