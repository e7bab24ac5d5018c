"""The line over the pages: which document, which page, how large."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QLineEdit,
    QMenu,
    QToolButton,
    QToolTip,
    QWidget,
)

from desktop_qa.gui.viewer.page_layout import Zoom, ZoomMode
from desktop_qa.gui.widgets.boxes import in_row, put
from desktop_qa.gui.widgets.buttons import GlyphButton
from desktop_qa.gui.widgets.dialog_parts import pop_up
from desktop_qa.gui.widgets.labels import NAME_MIN_WIDTH_PX, ElidedLabel, told

_SPACING = 2
_GROUP_SPACING = 8
_EDGE = 8
_NAME_MAX_EXTRA = 50
_GIVING_WAY = ("word", "open", "fit", "turn", "views", "travel", "zoom", "page", "side")
"""The groups in the order in which they go when the line is too narrow."""


class TravelButton(GlyphButton):
    """Back or forward; a long press or the right button lists the places."""

    def __init__(self, glyph: str, name: str, keys: str) -> None:
        super().__init__(glyph, name, keys)
        self.setToolTip(f"{self.toolTip()}; press long or right-click for the places")
        self.setMenu(QMenu(self))

    def contextMenuEvent(self, _event: QContextMenuEvent) -> None:
        """List the places."""
        self.showMenu()


class PageEdit(QLineEdit):
    """The number of the page, to read and to type; a label such as "iv" is taken, too.

    Signals:
        page_entered: 1-based number of the page that was typed, when Enter was pressed.
        left: Nothing more is to be typed: a page was gone to, or the number taken back.
    """

    page_entered = Signal(int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.page_no, self.n_pages = 1, 0
        self.labels: tuple[str, ...] = ()
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName("Page number")
        self.setToolTip("Type the number or the label of a page and press Enter")

    def set_page(self, page_no: int) -> None:
        """Show where the reader is; a number being typed is left alone."""
        self.page_no = page_no
        width = self.fontMetrics().horizontalAdvance("0" * max(len(str(self.n_pages)), 2))
        self.setFixedWidth(width + 22)
        if not self.hasFocus() or not self.isModified():
            self.setText(str(page_no))

    def _page_of(self, typed: str) -> int | None:
        """Return the page with a number or else a label; None when there is none."""
        if typed.isdecimal() and 1 <= int(typed) <= self.n_pages:
            return int(typed)
        # The first page of a label wins, as it would be found by leafing.
        labels = [label.casefold() for label in self.labels]
        return labels.index(typed.casefold()) + 1 if typed.casefold() in labels else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on Enter, take back on Escape; a number that there is not is marked, not obeyed."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            page_no = self._page_of(self.text().strip())
            if page_no is not None:
                self.setModified(False)
                self.page_entered.emit(page_no)
            else:
                below = self.mapToGlobal(self.rect().bottomLeft())
                QToolTip.showText(below, f"There are pages 1 to {self.n_pages}", self)
            self.setText(str(self.page_no))
            self.selectAll()
            if page_no is not None:
                self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.setText(str(self.page_no))
            self.selectAll()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the number, so that typing replaces it."""
        super().focusInEvent(event)
        self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take back a number that was not entered."""
        super().focusOutEvent(event)
        self.setText(str(self.page_no))
        self.deselect()


class PdfToolbar(QFrame):
    """Name, pages and size of the document shown. What has no room goes into a menu.

    Buttons and the menu of sizes do nothing by themselves: who can do it fills and hears them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pdfToolbar")
        self.more_actions: Sequence[Sequence[QAction]] = ()
        """Of the window, in the menu at the end, with a line between each group and the next."""
        self.name = told(ElidedLabel(), "pdfName")
        self.side_bar = GlyphButton("side_bar", "Outline, pages, cited places, marks", "F4")
        self.back = TravelButton("back", "Back to where you were", "Alt+Left")
        self.forward = TravelButton("forward", "Forward again", "Alt+Right")
        self.previous = GlyphButton("previous", "Previous page")
        self.next = GlyphButton("next", "Next page")
        self.page_word = QLabel("Page")
        self.page = told(PageEdit(), "pdfPage")
        label = QLabel(textFormat=Qt.TextFormat.PlainText)
        tip = "What this page is called in the document"
        self.page_label = told(label, "pdfPageLabel", tip=tip)
        self.page_label.hide()
        self.page_count = QLabel()
        self.smaller = GlyphButton("minus", "Smaller", "Ctrl+-")
        self.percent = QToolButton(autoRaise=True)
        self.larger = GlyphButton("plus", "Larger", "Ctrl++")
        self.fit_width = GlyphButton("fit_width", "Fit width", "Ctrl+0")
        self.fit_page = GlyphButton("fit_page", "Fit page")
        self.open_outside = GlyphButton("external", "Open in the system's PDF reader")
        self.tear_off = GlyphButton("tear_off", "In a window of its own", "Ctrl+Shift+W")
        self.structure = GlyphButton("structure", "Structure", "Ctrl+Shift+S")
        self.text = GlyphButton("text", "Show as Markdown", "Ctrl+Shift+M")
        self.more = GlyphButton("more", "More")
        self.groups = {
            "side": _group(self.side_bar),
            "travel": _group(self.back, self.forward),
            "turn": _group(self.previous, self.next),
            "word": _group(self.page_word),
            "page": _group(self.page, self.page_label, self.page_count),
            "zoom": _group(self.smaller, self.percent, self.larger),
            "fit": _group(self.fit_width, self.fit_page),
            "views": _group(self.structure, self.text),
            "open": _group(self.open_outside, self.tear_off),
            "more": _group(self.more),
        }
        for button in (self.side_bar, self.fit_width, self.fit_page, self.structure, self.tear_off):
            button.setCheckable(True)
        line = in_row(self, margins=(_EDGE, 4, _EDGE - 2, 4), spacing=_GROUP_SPACING)
        # What has no room is hidden; it must not widen the pane.
        line.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        put(line, *self.groups.values())
        line.insertWidget(1, self.name, 1)
        self._fill_percent_menu()
        self.more.clicked.connect(self._on_more_clicked)
        self.set_document(None, 0)

    def _fill_percent_menu(self) -> None:
        told(self.percent, spoken="Size of the pages", tip="Size of the pages")
        self.percent.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = self.size_menu = QMenu(self.percent)
        # Not setMenu(): its arrow takes the room of a digit.
        self.percent.clicked.connect(
            lambda: menu.popup(self.percent.mapToGlobal(self.percent.rect().bottomLeft()))
        )

    # The menu of what has no room

    def more_menu(self) -> QMenu:
        """Return what has no room in the line now, and the actions given."""
        menu = QMenu(self)
        for name, entries in (
            ("travel", ((self.back, "Back"), (self.forward, "Forward"))),
            ("turn", ((self.previous, "Previous Page"), (self.next, "Next Page"))),
            ("zoom", ((self.larger, "Larger"), (self.smaller, "Smaller"))),
            ("fit", ((self.fit_width, "Fit Width"), (self.fit_page, "Fit Page"))),
            ("views", ((self.structure, "Structure"), (self.text, "Markdown"))),
        ):
            if self.groups[name].isVisible() or not self.page.n_pages:
                continue
            menu.addSeparator()
            for button, text in entries:
                action = menu.addAction(text)
                action.setEnabled(button.isEnabled())
                action.setCheckable(button.isCheckable())
                action.setChecked(button.isChecked())
                action.triggered.connect(button.click)
        for group in self.more_actions:
            menu.addSeparator()
            menu.addActions(group)
        return menu

    def _on_more_clicked(self) -> None:
        menu = self.more_menu()
        corner = self.more.mapToGlobal(self.more.rect().bottomRight())
        corner.setX(corner.x() - menu.sizeHint().width())
        pop_up(menu, corner)

    # What is shown

    def set_document(self, path: Path | None, n_pages: int) -> None:
        """Show which document it is; without pages nothing that needs pages is offered."""
        self.name.setText(path.name if path is not None else "")
        self.name.setToolTip(str(path or ""))
        self.page_count.setText(f"/ {n_pages}" if n_pages else "")
        self.open_outside.setEnabled(path is not None)
        self.page.n_pages = n_pages
        self.set_page(1)
        self._show_what_fits()

    def show_name(self, is_wanted: bool) -> None:
        """Show the name, unless a tab says it."""
        self.name.is_blank = not is_wanted
        self.name.updateGeometry()
        self.name.update()
        self._show_what_fits()

    def set_labels(self, labels: Sequence[str]) -> None:
        """Take what the pages are called; a label is shown where it is not the page's number."""
        self.page.labels = tuple(labels)
        self.set_page(self.page.page_no)

    def _show_label(self) -> None:
        number = self.page.page_no
        label = "".join(self.page.labels[number - 1 : number])
        differs = bool(label) and label != str(number)
        said = f"({label})" if differs else ""
        if said != self.page_label.text():
            self.page_label.setText(said)
            self.page_label.setVisible(differs)
            # What follows it needs another room: else it would be drawn over its neighbour.
            self._show_what_fits()

    def set_page(self, page_no: int) -> None:
        """Show the number of the page that is read."""
        self.page.set_page(page_no)
        self._show_label()
        self.previous.setEnabled(page_no > 1 and self.page.n_pages > 0)
        self.next.setEnabled(page_no < self.page.n_pages)

    def set_zoom(self, zoom: Zoom, factor: float) -> None:
        """Show the size of the pages and what it follows."""
        self.percent.setText(f"{factor * 100:.0f} %")
        width = self.percent.fontMetrics().horizontalAdvance("1600 %") + 14
        if width != self.percent.width():
            self.percent.setFixedWidth(width)
            self._show_what_fits()
        self.fit_width.setChecked(zoom.mode is ZoomMode.FIT_WIDTH)
        self.fit_page.setChecked(zoom.mode is ZoomMode.FIT_PAGE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what there is room for."""
        super().resizeEvent(event)
        self._show_what_fits()

    def sizeHint(self) -> QSize:
        """Return the width that shows everything."""
        widths = sum(self._widths().values())
        width = NAME_MIN_WIDTH_PX + _NAME_MAX_EXTRA + 2 * _EDGE + widths
        return QSize(width, max(group.sizeHint().height() for group in self.groups.values()) + 8)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the pane may get: what has no room is in the menu."""
        return QSize(NAME_MIN_WIDTH_PX + 2 * _EDGE, self.sizeHint().height())

    def _widths(self) -> dict[str, int]:
        return {
            name: group.sizeHint().width() + _GROUP_SPACING for name, group in self.groups.items()
        }

    def _show_what_fits(self) -> None:
        """Hide what can be done in another way until the rest has its room.

        Worked out before anything is hidden: each change has the whole window laid out anew.
        """
        wanted = self.name.fontMetrics().horizontalAdvance(self.name.text()) + 2
        name_width = min(max(wanted, NAME_MIN_WIDTH_PX), NAME_MIN_WIDTH_PX + _NAME_MAX_EXTRA)
        name_width = _GROUP_SPACING if self.name.is_blank else name_width
        widths = self._widths()
        room = self.width() - name_width - 2 * _EDGE
        shown = set(widths) if self.page.n_pages else {"open", "more"}
        if not self.open_outside.isEnabled():
            shown -= {"open", "more"}
        for name in _GIVING_WAY:
            if name == "page":
                # The name is shortened before the page is hidden, as of a thousand pages.
                room += max(0, name_width - NAME_MIN_WIDTH_PX)
            if sum(widths[one] for one in shown) > room:
                shown.discard(name)
        for name, group in self.groups.items():
            group.setVisible(name in shown)


def _group(*widgets: QWidget) -> QWidget:
    group = QWidget()
    put(in_row(group, margins=(0, 0, 0, 0), spacing=_SPACING), *widgets)
    return group
