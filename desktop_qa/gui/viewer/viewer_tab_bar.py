"""The open documents: where the reader has been in them, and their tabs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSettings, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QFont, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionTab,
    QStylePainter,
    QToolButton,
)

from desktop_qa.core.document import Provenance
from desktop_qa.gui.library.recent import keep_in, kept_in
from desktop_qa.gui.viewer.page_layout import Anchor, PageArrangement, ReadingPlace
from desktop_qa.gui.viewer.pdf_highlights import Highlight
from desktop_qa.gui.widgets.dialog_parts import pop_up
from desktop_qa.gui.widgets.labels import plain_tip, told
from desktop_qa.gui.widgets.panel_tabs import ClosableTabs
from desktop_qa.gui.widgets.theme import tint

if TYPE_CHECKING:
    from desktop_qa.gui.viewer.pdf_panel import PdfPanel

MAX_OPEN = 20
_MAX_VISITS = 100
_KEY = "viewer/open_documents"
_MAX_WIDTH_PX = 190
_MIN_WIDTH_PX = 88
_LEGIBLE_PX = 150
"""A name that fits in here is never shortened: parts differ by their last characters."""
_CLOSE_PX = 16
_EDGE_PX = 13
_PLAIN_ROOM_PX = 9
_CROSS_ROOM_PX = _PLAIN_ROOM_PX + _CLOSE_PX
"""Behind a name, without and with the cross that closes it."""
_TOLD_APART = 3
"""Characters at both ends of a name that are seen in a narrow tab."""
_ROOMY_PX = 130
_PREVIEW_NOTE = "Only looked at: the next document takes its place. Double-click to keep it."


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document with a tab; place and look are those in which the window was closed.

    It is not kept when an answer opened it: the next such document takes its place then.
    """

    path: Path
    is_kept: bool = False
    place: ReadingPlace | None = None
    look: PageArrangement | None = None


@dataclass(frozen=True, slots=True)
class RememberedDocuments:
    """The open documents of a library in the order of their tabs."""

    documents: tuple[OpenDocument, ...] = ()
    current: Path | None = None


class OpenDocuments:
    """Documents in the order of their tabs."""

    def __init__(self) -> None:
        self.documents: list[OpenDocument] = []
        self._recent: list[Path] = []

    @property
    def current(self) -> Path | None:
        """The one that is shown; None when none is."""
        return self._recent[-1] if self._recent else None

    def index_of(self, path: Path | None) -> int:
        """Return where a document stands, -1 when it is not open."""
        return next((i for i, one in enumerate(self.documents) if one.path == path), -1)

    def show(self, path: Path, *, is_kept: bool = False) -> None:
        """Open a document or go to it; one only looked at takes the place of the one before."""
        index = self.index_of(path)
        if index >= 0:
            if is_kept:
                self.keep(path)
        else:
            document = OpenDocument(path, is_kept)
            preview = next((i for i, one in enumerate(self.documents) if not one.is_kept), -1)
            if preview >= 0 and not is_kept:
                self._recent.remove(self.documents[preview].path)
                self.documents[preview] = document
            else:
                self.documents.insert(self.index_of(self.current) + 1, document)
        if path in self._recent:
            self._recent.remove(path)
        self._recent.append(path)
        while len(self.documents) > MAX_OPEN:
            self.close(self._recent[0])

    def restore(self, remembered: RememberedDocuments) -> None:
        """Open documents as they were before."""
        self.documents = list(remembered.documents[:MAX_OPEN])
        self._recent = [one.path for one in self.documents]
        if remembered.current in self._recent:
            self._recent.remove(remembered.current)
            self._recent.append(remembered.current)

    def keep(self, path: Path) -> bool:
        """Let a document stay when others are looked at; True when it did not before."""
        index = self.index_of(path)
        if index < 0 or self.documents[index].is_kept:
            return False
        self.documents[index] = replace(self.documents[index], is_kept=True)
        return True

    def close(self, path: Path) -> None:
        """Close a document; the one that was shown before it is the current one then."""
        index = self.index_of(path)
        if index >= 0:
            del self.documents[index]
            self._recent.remove(path)

    def move(self, index: int, to: int) -> None:
        """Move a document to another place in the order."""
        self.documents.insert(to, self.documents.pop(index))

    def beside(self, step: int) -> OpenDocument | None:
        """Return the document so many tabs after the current one, around the ends."""
        if not self.documents:
            return None
        return self.documents[(self.index_of(self.current) + step) % len(self.documents)]

    def clear(self) -> None:
        """Close all."""
        self.documents.clear()
        self._recent.clear()


VisitTarget = int | tuple[Provenance, ...] | ReadingPlace
"""1-based page number, places, or where it was read."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A document that the reader was shown, with its marks, and the target to show it again."""

    path: Path
    highlights: tuple[Highlight, ...]
    active: int | None
    target: VisitTarget
    look: PageArrangement | None

    @property
    def page_no(self) -> int:
        """1-based number of the page that it shows."""
        if isinstance(self.target, int):
            return self.target
        if isinstance(self.target, ReadingPlace):
            return self.target.anchor.page_index + 1
        return self.target[0].page_no if self.target else 1

    @property
    def label(self) -> str:
        """What a menu calls it."""
        return f"{self.path.name}, page {self.page_no}"


class Visits:
    """Places before and after the present one, the nearest first."""

    def __init__(self) -> None:
        self.earlier: list[Visit] = []
        self.later: list[Visit] = []

    def leave(self, here: Visit) -> None:
        """Make a place one to come back to; what lay ahead is gone."""
        if not self.earlier or not _is_same(self.earlier[0], here):
            self.earlier = [here, *self.earlier][:_MAX_VISITS]
        self.later.clear()

    def travel(self, step: int, here: Visit | None) -> Visit | None:
        """Go so many places back (negative) or forward from here; None when there are none."""
        source, other = (self.earlier, self.later) if step < 0 else (self.later, self.earlier)
        # The same citation clicked twice is one place.
        while source and here is not None and _is_same(source[0], here):
            source.pop(0)
        target: Visit | None = None
        for _ in range(min(abs(step), len(source))):
            if here is not None:
                other.insert(0, here)
            here = target = source.pop(0)
        return target


def _is_same(one: Visit, other: Visit) -> bool:
    return one.path == other.path and one.target == other.target


def kept_documents(settings: QSettings, library: str) -> RememberedDocuments:
    """Return what was open in a library, by its folder; what is damaged or foreign is nothing."""
    kept = kept_in(settings, _KEY)
    try:
        # Earlier versions had the libraries a level deeper.
        of_library = kept.get(library) or kept["libraries"][library]
        documents = tuple(map(_document_of, of_library["documents"]))
        current = Path(of_library["current"]) if of_library["current"] else None
    except (AttributeError, KeyError, TypeError, ValueError):
        return RememberedDocuments()
    return RememberedDocuments(documents, current)


def keep_documents(settings: QSettings, library: str, remembered: RememberedDocuments) -> None:
    """Keep what is open in a library; of many libraries the ones used last are kept."""
    documents = [_entry_of(one) for one in remembered.documents]
    what = {"current": str(remembered.current or ""), "documents": documents}
    keep_in(settings, _KEY, library, what)


def _entry_of(one: OpenDocument) -> dict[str, Any]:
    entry: dict[str, Any] = {"path": str(one.path), "kept": one.is_kept}
    if one.place is not None:
        anchor = one.place.anchor
        entry["place"] = [anchor.page_index, anchor.x, anchor.y, one.place.depth]
    if one.look is not None:
        entry["look"] = one.look.to_text()
    return entry


def _document_of(entry: dict[str, Any]) -> OpenDocument:
    place, look = entry.get("place"), entry.get("look")
    if place is not None:
        page_index, *numbers = place
        x, y, depth = (min(max(float(number), 0.0), 1.0) for number in numbers)
        place = ReadingPlace(Anchor(max(int(page_index), 0), x, y), depth)
    look = PageArrangement.from_text(look) if look is not None else None
    return OpenDocument(Path(entry["path"]), bool(entry["kept"]), place, look)


class DocumentTabs(ClosableTabs):
    """Shows which documents of a panel are open; `refresh` it after a change."""

    def __init__(self, panel: PdfPanel) -> None:
        super().__init__("document_tabs", "Open documents", Qt.TextElideMode.ElideMiddle)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._panel = panel
        self._model = panel.documents
        self.currentChanged.connect(self._on_current_changed)
        self.tabMoved.connect(self._on_tab_moved)
        self.close_wanted.connect(lambda index: panel.close_document(self._path_of(index)))
        self.tabBarDoubleClicked.connect(self._on_double_clicked)
        self.hide()

    def refresh(self) -> None:
        """Show what is open now."""
        documents, blocker = self._model.documents, QSignalBlocker(self)
        self.make_as_many(len(documents), _close_button)
        for index, document in enumerate(documents):
            # Also an ampersand is a sign of the name.
            name = document.path.name.removesuffix(".pdf").removesuffix(".PDF")
            self.setTabText(index, name.replace("&", "&&"))
            note = "" if document.is_kept else f"\n{_PREVIEW_NOTE}"
            self.setTabToolTip(index, plain_tip(f"{document.path}{note}"))
            self.setAccessibleTabName(index, document.path.name)
            self.button_of(index).setAccessibleName(f"Close {document.path.name}")
        if documents:
            self.setCurrentIndex(self._model.index_of(self._model.current))
        blocker.unblock()
        self.setVisible(len(documents) > 1)
        self._show_crosses()
        self.update()

    def _show_crosses(self) -> None:
        """Leave the room to the names where it is scarce: then only the current tab has a cross."""
        has_room = self._has_room()
        for index in range(self.count()):
            self.button_of(index).setVisible(has_room or index == self.currentIndex())

    def _has_room(self) -> bool:
        return self.width() // max(self.count(), 1) >= _ROOMY_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._show_crosses()

    def _on_current_changed(self, index: int) -> None:
        if 0 <= index < len(self._model.documents):
            self._panel.go_to_document(self._model.documents[index].path)

    def _on_tab_moved(self, index: int, to: int) -> None:
        self._model.move(index, to)
        self._panel.changed.emit()

    def _path_of(self, index: int) -> Path | None:
        return self._model.documents[index].path if index >= 0 else None

    def _on_double_clicked(self, index: int) -> None:
        """Keep a document that was only looked at."""
        path = self._path_of(index)
        if path is not None:
            self._panel.keep_document(path)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to close, to close the others, to keep."""
        path = self._path_of(self.tabAt(event.pos()))
        if path is None:
            return
        menu = QMenu(self)
        menu.addAction("Close", partial(self._panel.close_document, path))
        menu.addAction("Close Others", partial(self._panel.close_others, path))
        keep = menu.addAction("Keep Open", partial(self._panel.keep_document, path))
        keep.setEnabled(not self._model.documents[self._model.index_of(path)].is_kept)
        pop_up(menu, event.globalPos())

    def tabSizeHint(self, index: int) -> QSize:
        """As wide as the name, within bounds: many tabs share the bar before it scrolls."""
        share = max(self.width() // max(self.count(), 1), self._least_width(index))
        wanted = self._name_width(index) + _CLOSE_PX + 38
        return QSize(min(wanted, _MAX_WIDTH_PX, share), super().tabSizeHint(index).height())

    def _name_width(self, index: int) -> int:
        return self.fontMetrics().horizontalAdvance(self.tabText(index))

    def _least_width(self, index: int) -> int:
        """Return the width below which the bar is scrolled rather than a name shortened."""
        has_cross = self._has_room() or index == self.currentIndex()
        edges = _EDGE_PX + (_CROSS_ROOM_PX if has_cross else _PLAIN_ROOM_PX)
        # The painter counts a little differently from the layout.
        return min(max(self._name_width(index) + edges + 2, _MIN_WIDTH_PX), _LEGIBLE_PX)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Names give way before tabs are scrolled out of sight."""
        return QSize(self._least_width(index), super().minimumTabSizeHint(index).height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tabs; the name of one that is only looked at is slanted."""
        painter = QStylePainter(self)
        current = self.currentIndex()
        for index in sorted(range(self.count()), key=lambda index: index == current):
            option = QStyleOptionTab()
            self.initStyleOption(option, index)
            font = QFont(self.font())
            documents = self._model.documents
            is_kept = index >= len(documents) or documents[index].is_kept
            font.setItalic(not is_kept)
            painter.setFont(font)
            # The bar has shortened it for a label of its own.
            option.text = self.tabText(index).replace("&&", "&")
            painter.drawControl(QStyle.ControlElement.CE_TabBarTabShape, option)
            cross = _PLAIN_ROOM_PX if self.button_of(index).isHidden() else _CROSS_ROOM_PX
            room = option.rect.adjusted(_EDGE_PX, 4, -cross, -3)
            shown = painter.fontMetrics().elidedText(
                option.text, self._elide(option.text), room.width()
            )
            is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
            role = QPalette.ColorRole.Link if is_selected else QPalette.ColorRole.PlaceholderText
            QPainter.setPen(painter, self.palette().color(role))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()

    def _elide(self, text: str) -> Qt.TextElideMode:
        """Return which part of a name gives way: the middle, or the beginning others share."""
        head, tail = text[:_TOLD_APART], text[-_TOLD_APART:]
        names = [self.tabText(index) for index in range(self.count())]
        alike = [name for name in names if name.startswith(head) and name.endswith(tail)]
        mode = Qt.TextElideMode
        return mode.ElideLeft if len(alike) > 1 else mode.ElideMiddle


def _close_button() -> QToolButton:
    button = told(QToolButton(autoRaise=True), "close_tab_button", tip="Close (Ctrl+W)")
    tint(button, "close")
    button.setIconSize(QSize(10, 10))
    button.setFixedSize(_CLOSE_PX, _CLOSE_PX)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return button
