"""The line over the pages: which document, which page, how large."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QMenu, QToolButton, QWidget

from desktop_qa.gui.viewer.page_layout import Zoom, ZoomMode
from desktop_qa.gui.viewer.viewer_toolbar_parts import NAME_MIN_WIDTH_PX, ElidedLabel, PageEdit
from desktop_qa.gui.widgets.glyph_button import Glyph, GlyphButton
from desktop_qa.gui.widgets.timers import single_shot

__all__ = ["ElidedLabel", "PageEdit", "PdfToolbar"]

_MENU_FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0, 8.0)
_SPACING = 2
_GROUP_SPACING = 8
_EDGE = 8
_NAME_MAX_EXTRA = 50
_LONG_PRESS_MS = 450


class TravelButton(GlyphButton):
    """Back or forward; a long press or the right button lists the places.

    Signals:
        list_requested: The places are wanted.
    """

    list_requested = Signal()

    def __init__(self, glyph: Glyph, name: str, keys: str) -> None:
        super().__init__(glyph, name, keys)
        self.setToolTip(f"{self.toolTip()}; press long or right-click for the places")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda _point: self.list_requested.emit())
        self._timer = single_shot(self, self._on_timer_timeout, _LONG_PRESS_MS)
        self.pressed.connect(self._timer.start)
        self.released.connect(self._timer.stop)

    def _on_timer_timeout(self) -> None:
        # Taken back before the menu opens: its release would travel too.
        self.setDown(False)
        self.list_requested.emit()


class PdfToolbar(QFrame):
    """Name, pages and size of the document shown. What has no room goes into a menu.

    Signals:
        page_requested: 1-based number of the page to go to.
        zoom_requested: A Zoom.
        zoom_step_requested: 1 for larger, -1 for smaller.
        back_requested: To where the reader was before the last jump.
        forward_requested: To where the reader was before going back.
        travel_list_requested: -1 for the places before, 1 for those after.
        open_requested: Open the file in the system's reader.
        side_bar_requested: True to show what stands beside the pages.
        structure_requested: True to show the structure of the document, False to leave it.
        text_requested: Show the document as Markdown.
        tear_off_requested: True for a window of its own, False for the pane.
    """

    page_requested = Signal(int)
    zoom_requested = Signal(object)
    zoom_step_requested = Signal(int)
    back_requested = Signal()
    forward_requested = Signal()
    travel_list_requested = Signal(int)
    open_requested = Signal()
    side_bar_requested = Signal(bool)
    structure_requested = Signal(bool)
    text_requested = Signal()
    tear_off_requested = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pdfToolbar")
        self._page_no, self._n_pages = 1, 0
        self._shows_name = True
        self._more_actions: tuple[QAction | None, ...] = ()
        self.name = ElidedLabel()
        self.name.setObjectName("pdfName")
        self.side_bar = GlyphButton(Glyph.SIDE_BAR, "Outline, pages, cited places, marks", "F4")
        self.back = TravelButton(Glyph.BACK, "Back to where you were", "Alt+Left")
        self.forward = TravelButton(Glyph.FORWARD, "Forward again", "Alt+Right")
        self.previous = GlyphButton(Glyph.PREVIOUS, "Previous page")
        self.next = GlyphButton(Glyph.NEXT, "Next page")
        self.page_word = QLabel("Page")
        self._labels: tuple[str, ...] = ()
        self.page = PageEdit()
        self.page.setObjectName("pdfPage")
        self.page_label = QLabel()
        self.page_label.setObjectName("pdfPageLabel")
        self.page_label.setTextFormat(Qt.TextFormat.PlainText)
        self.page_label.setToolTip("What this page is called in the document")
        self.page_label.hide()
        self.page_count = QLabel()
        self.smaller = GlyphButton(Glyph.MINUS, "Smaller", "Ctrl+-")
        self.percent = QToolButton()
        self.larger = GlyphButton(Glyph.PLUS, "Larger", "Ctrl++")
        self.fit_width = GlyphButton(Glyph.FIT_WIDTH, "Fit width", "Ctrl+0")
        self.fit_page = GlyphButton(Glyph.FIT_PAGE, "Fit page")
        self.open_outside = GlyphButton(Glyph.EXTERNAL, "Open in the system's PDF reader")
        self.tear_off = GlyphButton(Glyph.TEAR_OFF, "In a window of its own", "Ctrl+Shift+W")
        self.structure = GlyphButton(Glyph.STRUCTURE, "Structure", "Ctrl+Shift+S")
        self.text = GlyphButton(Glyph.TEXT, "Show as Markdown", "Ctrl+Shift+M")
        self.more = GlyphButton(Glyph.MORE, "More")
        self._side_group = _group(self.side_bar)
        self._travel_group = _group(self.back, self.forward)
        self._turn_group = _group(self.previous, self.next)
        self._word_group = _group(self.page_word)
        self._page_group = _group(self.page, self.page_label, self.page_count)
        self._zoom_group = _group(self.smaller, self.percent, self.larger)
        self._fit_group = _group(self.fit_width, self.fit_page)
        self._open_group = _group(self.open_outside, self.tear_off)
        self._views_group = _group(self.structure, self.text)
        self._more_group = _group(self.more)
        self._groups = (
            self._travel_group,
            self._turn_group,
            self._word_group,
            self._page_group,
            self._zoom_group,
            self._fit_group,
            self._views_group,
            self._open_group,
            self._more_group,
        )
        self._giving_way = (
            self._word_group,
            self._open_group,
            self._fit_group,
            self._turn_group,
            self._views_group,
            self._travel_group,
            self._zoom_group,
            self._page_group,
            self._side_group,
        )
        self._line_up()
        self._fill_percent_menu()
        self._connect()
        self.set_document("", "", 0)

    def _line_up(self) -> None:
        font = self.name.font()
        font.setWeight(font.Weight.DemiBold)
        self.name.setFont(font)
        for button in (self.side_bar, self.fit_width, self.fit_page, self.structure, self.tear_off):
            button.setCheckable(True)
        line = QHBoxLayout(self)
        # What has no room is hidden; it must not widen the pane.
        line.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        line.setContentsMargins(_EDGE, 4, _EDGE - 2, 4)
        line.setSpacing(_GROUP_SPACING)
        line.addWidget(self._side_group)
        line.addWidget(self.name, 1)
        for group in self._groups:
            line.addWidget(group)

    def _fill_percent_menu(self) -> None:
        self.percent.setAccessibleName("Size of the pages")
        self.percent.setToolTip("Size of the pages")
        self.percent.setAutoRaise(True)
        self.percent.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = self.size_menu = QMenu(self.percent)
        for factor in _MENU_FACTORS:
            zoom = Zoom(ZoomMode.FACTOR, factor)
            self._add_zoom(menu, f"{factor:.0%}".replace("%", " %"), zoom)
        menu.addSeparator()
        self._add_zoom(menu, "Fit width", Zoom(ZoomMode.FIT_WIDTH))
        self._add_zoom(menu, "Fit page", Zoom(ZoomMode.FIT_PAGE))
        # Not setMenu(): its arrow takes the room of a digit.
        self.percent.clicked.connect(
            lambda: menu.popup(self.percent.mapToGlobal(self.percent.rect().bottomLeft()))
        )

    def _add_zoom(self, menu: QMenu, text: str, zoom: Zoom) -> None:
        action = QAction(text, menu)
        action.triggered.connect(lambda: self.zoom_requested.emit(zoom))
        menu.addAction(action)

    def _connect(self) -> None:
        self.back.clicked.connect(self.back_requested)
        self.forward.clicked.connect(self.forward_requested)
        self.back.list_requested.connect(lambda: self.travel_list_requested.emit(-1))
        self.forward.list_requested.connect(lambda: self.travel_list_requested.emit(1))
        self.previous.clicked.connect(lambda: self.page_requested.emit(self._page_no - 1))
        self.next.clicked.connect(lambda: self.page_requested.emit(self._page_no + 1))
        self.page.page_entered.connect(self.page_requested)
        self.smaller.clicked.connect(lambda: self.zoom_step_requested.emit(-1))
        self.larger.clicked.connect(lambda: self.zoom_step_requested.emit(1))
        self.fit_width.clicked.connect(lambda: self.zoom_requested.emit(Zoom(ZoomMode.FIT_WIDTH)))
        self.fit_page.clicked.connect(lambda: self.zoom_requested.emit(Zoom(ZoomMode.FIT_PAGE)))
        self.open_outside.clicked.connect(self.open_requested)
        self.side_bar.clicked.connect(self.side_bar_requested)
        self.structure.clicked.connect(self.structure_requested)
        self.text.clicked.connect(self.text_requested)
        self.tear_off.clicked.connect(self.tear_off_requested)
        self.more.clicked.connect(self._on_more_clicked)

    # The menu of what has no room

    def set_more_actions(self, actions: Sequence[QAction | None]) -> None:
        """Put actions of the window into the menu at the end; None is a line between."""
        self._more_actions = tuple(actions)
        self._show_what_fits()

    def more_menu(self) -> QMenu:
        """Return what has no room in the line now, and the actions given."""
        menu = QMenu(self)
        for group, entries in (
            (self._travel_group, ((self.back, "Back"), (self.forward, "Forward"))),
            (self._turn_group, ((self.previous, "Previous Page"), (self.next, "Next Page"))),
            (self._zoom_group, ((self.larger, "Larger"), (self.smaller, "Smaller"))),
            (self._fit_group, ((self.fit_width, "Fit Width"), (self.fit_page, "Fit Page"))),
            (self._views_group, ((self.structure, "Structure"), (self.text, "Markdown"))),
        ):
            if group.isVisible() or not self._n_pages:
                continue
            for button, text in entries:
                action = menu.addAction(text)
                action.setEnabled(button.isEnabled())
                action.setCheckable(button.isCheckable())
                action.setChecked(button.isChecked())
                action.triggered.connect(button.click)
            menu.addSeparator()
        for extra in self._more_actions:
            if extra is None:
                menu.addSeparator()
            else:
                menu.addAction(extra)
        return menu

    def _on_more_clicked(self) -> None:
        menu = self.more_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        corner = self.more.mapToGlobal(self.more.rect().bottomRight())
        corner.setX(corner.x() - menu.sizeHint().width())
        menu.popup(corner)

    # What is shown

    def set_document(self, name: str, path: str, n_pages: int) -> None:
        """Show which document it is; without pages nothing that needs pages is offered."""
        self.name.setText(name)
        self.name.setToolTip(path)
        self._n_pages = n_pages
        self.page_count.setText(f"/ {n_pages}" if n_pages else "")
        self.open_outside.setEnabled(bool(path))
        self.set_page(1)
        self._show_what_fits()

    def show_name(self, is_wanted: bool) -> None:
        """Show the name, unless a tab says it."""
        self._shows_name = is_wanted
        self.name.is_blank = not is_wanted
        self.name.updateGeometry()
        self.name.update()
        self._show_what_fits()

    def set_labels(self, labels: Sequence[str]) -> None:
        """Take what the pages are called; a label is shown where it is not the page's number."""
        self._labels = tuple(labels)
        self.page.set_labels(labels)
        self.set_page(self._page_no)
        self._show_what_fits()

    def _show_label(self) -> None:
        number = self._page_no
        label = self._labels[number - 1] if number <= len(self._labels) else ""
        differs = bool(label) and label != str(number)
        said = f"({label})" if differs else ""
        if said != self.page_label.text():
            self.page_label.setText(said)
            self.page_label.setVisible(differs)
            # What follows it needs another room: else it would be drawn over its neighbour.
            self._show_what_fits()

    def set_page(self, page_no: int) -> None:
        """Show the number of the page that is read."""
        self._page_no = page_no
        self.page.set_page(page_no, self._n_pages)
        self._show_label()
        self.previous.setEnabled(page_no > 1 and self._n_pages > 0)
        self.next.setEnabled(page_no < self._n_pages)

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
        return QSize(width, max(group.sizeHint().height() for group in self._groups) + 8)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the pane may get: what has no room is in the menu."""
        return QSize(NAME_MIN_WIDTH_PX + 2 * _EDGE, self.sizeHint().height())

    def _widths(self) -> dict[QWidget, int]:
        groups = (self._side_group, *self._groups)
        return {group: group.sizeHint().width() + _GROUP_SPACING for group in groups}

    def _show_what_fits(self) -> None:
        """Hide what can be done in another way until the rest has its room.

        Worked out before anything is hidden: each change has the whole window laid out anew.
        """
        wanted = self.name.fontMetrics().horizontalAdvance(self.name.text()) + 2
        name_width = min(max(wanted, NAME_MIN_WIDTH_PX), NAME_MIN_WIDTH_PX + _NAME_MAX_EXTRA)
        name_width = name_width if self._shows_name else _GROUP_SPACING
        widths = self._widths()
        groups = tuple(widths)
        room = self.width() - name_width - 2 * _EDGE
        shown = set(groups) if self._n_pages else {self._open_group, self._more_group}
        if not self.open_outside.isEnabled():
            shown.discard(self._open_group)
            shown.discard(self._more_group)
        for group in self._giving_way:
            if group is self._page_group:
                # The name is shortened before the page is hidden, as of a thousand pages.
                room += max(0, name_width - NAME_MIN_WIDTH_PX)
            if sum(widths[group] for group in shown) > room:
                shown.discard(group)
        for group in groups:
            group.setVisible(group in shown)


def _group(*widgets: QWidget) -> QWidget:
    group = QWidget()
    line = QHBoxLayout(group)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(_SPACING)
    for widget in widgets:
        line.addWidget(widget)
    return group
