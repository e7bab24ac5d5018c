"""The line over the pages: which document, which page, how large."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFocusEvent,
    QIntValidator,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolButton,
    QToolTip,
    QWidget,
)

from desktop_qa.gui.glyph_button import Glyph, GlyphButton
from desktop_qa.gui.page_layout import Zoom, ZoomMode

_MENU_FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
_SPACING = 2
_GROUP_SPACING = 8
_EDGE = 12
_NAME_MIN_WIDTH = 70
_NAME_MAX_EXTRA = 50


class ElidedLabel(QLabel):
    """A name of any length in one line: its middle gives way, its ends stay."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Leave the room to the controls."""
        return QSize(_NAME_MIN_WIDTH, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the name as there is room for."""
        painter = QPainter(self)
        text = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideMiddle, self.width()
        )
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(
            self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text
        )
        painter.end()


class PageEdit(QLineEdit):
    """The number of the page, to read and to type.

    Signals:
        page_entered: A number of the document was typed and Enter pressed.
    """

    page_entered = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page_no = 1
        self._validator = QIntValidator(1, 1, self)
        self.setValidator(self._validator)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName("Page number")
        self.setToolTip("Type a page number and press Enter")

    def set_page(self, page_no: int, n_pages: int) -> None:
        """Show where the reader is; a number being typed is left alone."""
        self._validator.setTop(max(n_pages, 1))
        width = self.fontMetrics().horizontalAdvance("0" * max(len(str(n_pages)), 2))
        self.setFixedWidth(width + 22)
        self._page_no = page_no
        if not self.hasFocus() or not self.isModified():
            self.setText(str(page_no))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on Enter, take back on Escape; a number that there is not is marked, not obeyed."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.hasAcceptableInput():
                self.setModified(False)
                self.page_entered.emit(int(self.text()))
            else:
                self.setText(str(self._page_no))
                below = self.mapToGlobal(self.rect().bottomLeft())
                QToolTip.showText(below, f"There are pages 1 to {self._validator.top()}", self)
            self.selectAll()
        elif event.key() == Qt.Key.Key_Escape:
            self.setText(str(self._page_no))
            self.selectAll()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the number, so that typing replaces it."""
        super().focusInEvent(event)
        self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take back a number that was not entered."""
        super().focusOutEvent(event)
        self.setText(str(self._page_no))


class PdfToolbar(QFrame):
    """Name, pages and size of the document shown. Shows less when there is little room.

    Signals:
        page_requested: 1-based number of the page to go to.
        zoom_requested: A Zoom.
        zoom_step_requested: 1 for larger, -1 for smaller.
        back_requested: To where the reader was before the last jump.
        forward_requested: To where the reader was before going back.
        open_requested: Open the file in the system's reader.
        structure_requested: True to show the structure of the document, False to leave it.
        text_requested: Show the document as Markdown.
    """

    page_requested = Signal(int)
    zoom_requested = Signal(object)
    zoom_step_requested = Signal(int)
    back_requested = Signal()
    forward_requested = Signal()
    open_requested = Signal()
    structure_requested = Signal(bool)
    text_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pdfToolbar")
        self._page_no, self._n_pages = 1, 0
        self.name = ElidedLabel()
        self.name.setObjectName("pdfName")
        self.back = GlyphButton(Glyph.BACK, "Back to where you were", "Alt+Left")
        self.forward = GlyphButton(Glyph.FORWARD, "Forward again", "Alt+Right")
        self.previous = GlyphButton(Glyph.PREVIOUS, "Previous page")
        self.next = GlyphButton(Glyph.NEXT, "Next page")
        self.page_word = QLabel("Page")
        self.page = PageEdit()
        self.page.setObjectName("pdfPage")
        self.page_count = QLabel()
        self.smaller = GlyphButton(Glyph.MINUS, "Smaller", "Ctrl+-")
        self.percent = QToolButton()
        self.larger = GlyphButton(Glyph.PLUS, "Larger", "Ctrl++")
        self.fit_width = GlyphButton(Glyph.FIT_WIDTH, "Fit width", "Ctrl+0")
        self.fit_page = GlyphButton(Glyph.FIT_PAGE, "Fit page")
        self.open_outside = GlyphButton(Glyph.EXTERNAL, "Open in the system's PDF reader")
        self.structure = GlyphButton(Glyph.STRUCTURE, "Structure", "Ctrl+Shift+S")
        self.text = GlyphButton(Glyph.TEXT, "Show as Markdown", "Ctrl+Shift+M")
        self._travel_group = _group(self.back, self.forward)
        self._turn_group = _group(self.previous, self.next)
        self._word_group = _group(self.page_word)
        self._page_group = _group(self.page, self.page_count)
        self._zoom_group = _group(self.smaller, self.percent, self.larger)
        self._fit_group = _group(self.fit_width, self.fit_page)
        self._open_group = _group(self.open_outside)
        self._views_group = _group(self.structure, self.text)
        self._groups = (
            self._travel_group,
            self._turn_group,
            self._word_group,
            self._page_group,
            self._zoom_group,
            self._fit_group,
            self._views_group,
            self._open_group,
        )
        self._giving_way = (
            self._word_group,
            self._fit_group,
            self._turn_group,
            self._open_group,
            self._travel_group,
            self._views_group,
            self._zoom_group,
            self._page_group,
        )
        self._line_up()
        self._fill_percent_menu()
        self._connect()
        self.set_document("", "", 0)

    def _line_up(self) -> None:
        font = self.name.font()
        font.setWeight(font.Weight.DemiBold)
        self.name.setFont(font)
        for button in (self.fit_width, self.fit_page, self.structure):
            button.setCheckable(True)
        line = QHBoxLayout(self)
        # What has no room is hidden; it must not widen the pane.
        line.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        line.setContentsMargins(_EDGE, 4, _EDGE - 4, 4)
        line.setSpacing(_GROUP_SPACING)
        line.addWidget(self.name, 1)
        for group in self._groups:
            line.addWidget(group)

    def _fill_percent_menu(self) -> None:
        self.percent.setAccessibleName("Size of the pages")
        self.percent.setToolTip("Size of the pages")
        self.percent.setAutoRaise(True)
        self.percent.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(self.percent)
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
        self.previous.clicked.connect(lambda: self.page_requested.emit(self._page_no - 1))
        self.next.clicked.connect(lambda: self.page_requested.emit(self._page_no + 1))
        self.page.page_entered.connect(self.page_requested)
        self.smaller.clicked.connect(lambda: self.zoom_step_requested.emit(-1))
        self.larger.clicked.connect(lambda: self.zoom_step_requested.emit(1))
        self.fit_width.clicked.connect(lambda: self.zoom_requested.emit(Zoom(ZoomMode.FIT_WIDTH)))
        self.fit_page.clicked.connect(lambda: self.zoom_requested.emit(Zoom(ZoomMode.FIT_PAGE)))
        self.open_outside.clicked.connect(self.open_requested)
        self.structure.clicked.connect(self.structure_requested)
        self.text.clicked.connect(self.text_requested)

    def set_document(self, name: str, path: str, n_pages: int) -> None:
        """Show which document it is; without pages nothing that needs pages is offered."""
        self.name.setText(name)
        self.name.setToolTip(path)
        self._n_pages = n_pages
        self.page_count.setText(f"/ {n_pages}" if n_pages else "")
        self.open_outside.setEnabled(bool(path))
        self.set_page(1)
        self._show_what_fits()

    def set_page(self, page_no: int) -> None:
        """Show the number of the page that is read."""
        self._page_no = page_no
        self.page.set_page(page_no, self._n_pages)
        self.previous.setEnabled(page_no > 1 and self._n_pages > 0)
        self.next.setEnabled(page_no < self._n_pages)

    def set_zoom(self, zoom: Zoom, factor: float) -> None:
        """Show the size of the pages and what it follows."""
        self.percent.setText(f"{factor * 100:.0f} %")
        self.percent.setFixedWidth(self.percent.fontMetrics().horizontalAdvance("800 %") + 14)
        self.fit_width.setChecked(zoom.mode is ZoomMode.FIT_WIDTH)
        self.fit_page.setChecked(zoom.mode is ZoomMode.FIT_PAGE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what there is room for."""
        super().resizeEvent(event)
        self._show_what_fits()

    def sizeHint(self) -> QSize:
        """Return the width that shows everything."""
        width = _NAME_MIN_WIDTH + _NAME_MAX_EXTRA + 2 * _EDGE + sum(self._widths())
        return QSize(width, max(group.sizeHint().height() for group in self._groups) + 8)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the pane may get: what has no room is hidden."""
        return QSize(_NAME_MIN_WIDTH + 2 * _EDGE, self.sizeHint().height())

    def _widths(self) -> list[int]:
        return [group.sizeHint().width() + _GROUP_SPACING for group in self._groups]

    def _show_what_fits(self) -> None:
        """Hide what can be done in another way until the rest has its room.

        Worked out before anything is hidden: each change has the whole window laid out anew.
        """
        wanted = self.name.fontMetrics().horizontalAdvance(self.name.text()) + 2
        name_width = min(max(wanted, _NAME_MIN_WIDTH), _NAME_MIN_WIDTH + _NAME_MAX_EXTRA)
        room = self.width() - name_width - 2 * _EDGE
        widths = dict(zip(self._groups, self._widths(), strict=True))
        shown = set(self._groups) if self._n_pages else {self._open_group}
        if not self.open_outside.isEnabled():
            shown.discard(self._open_group)
        for group in self._giving_way:
            if sum(widths[group] for group in shown) > room:
                shown.discard(group)
        for group in self._groups:
            group.setVisible(group in shown)


def _group(*widgets: QWidget) -> QWidget:
    group = QWidget()
    line = QHBoxLayout(group)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(_SPACING)
    for widget in widgets:
        line.addWidget(widget)
    return group
