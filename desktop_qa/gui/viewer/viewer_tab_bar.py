"""The tabs of the open documents; out of sight while there is only one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionTab,
    QStylePainter,
    QToolButton,
)

from desktop_qa.gui.widgets.closed_text import plain_tip
from desktop_qa.gui.widgets.panel_tabs import ClosableTabs
from desktop_qa.gui.widgets.theme import tint

if TYPE_CHECKING:
    from desktop_qa.gui.viewer.pdf_panel import PdfPanel

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
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Close", partial(self._panel.close_document, path))
        menu.addAction("Close Others", partial(self._panel.close_others, path))
        keep = menu.addAction("Keep Open", partial(self._panel.keep_document, path))
        keep.setEnabled(not self._model.documents[self._model.index_of(path)].is_kept)
        menu.popup(event.globalPos())

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

    def sizeHint(self) -> QSize:
        """Never widen the pane."""
        return QSize(100, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Never widen the pane."""
        return QSize(60, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tabs; the name of one that is only looked at is slanted."""
        painter = QStylePainter(self)
        current = self.currentIndex()
        order = [i for i in range(self.count()) if i != current]
        for index in [*order, *([current] if current >= 0 else [])]:
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
    button = QToolButton(autoRaise=True)
    button.setObjectName("close_tab_button")
    tint(button, "close")
    button.setIconSize(QSize(10, 10))
    button.setFixedSize(_CLOSE_PX, _CLOSE_PX)
    button.setToolTip("Close (Ctrl+W)")
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return button
