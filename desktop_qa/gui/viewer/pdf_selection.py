"""Selecting text on the pages by mouse and key, and copying it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QClipboard, QColor, QGuiApplication, QPainter, QPainterPath, QPen

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.core.page_text import CopiedText, TextProblem, TextSpan
from desktop_qa.gui.viewer.page_layout import PageLayout
from desktop_qa.gui.viewer.page_text_cache import PageTexts
from desktop_qa.gui.viewer.page_text_selection import (
    Grain,
    PageNotReadError,
    TextPosition,
    TextSelection,
    Unit,
    caret_box,
    offset_at,
)
from desktop_qa.gui.widgets.opening import copy_text
from desktop_qa.gui.widgets.row_painting import faded
from desktop_qa.gui.widgets.theme import look

MAX_COPIED = 2_000_000
"""Characters that are copied at most: more than that hangs the programs that paste."""

_MAX_PRIMARY = 200_000
_MAX_LOCAL_PAGES = 20
_ALPHA = 0.32
_CARET_PX = 2.0

NOTHING_TO_SELECT = {
    TextProblem.BLANK: "This page holds no text.",
    TextProblem.SCANNED: "This page is a scanned picture: there is no text to select.",
    TextProblem.DRAWN: "The letters of this page are drawn as shapes: there is no text to select.",
    TextProblem.GARBLED: "The fonts of this page do not say which letters they show: "
    "its text cannot be selected.",
    TextProblem.DAMAGED: "This page is damaged: its text cannot be read.",
}


class TextSelector(QObject):
    """The selection of the document on screen.

    Attributes:
        is_dragging: True between `press` and `release`.
        is_caret_shown: True while the keys move a caret over the pages.
        blink: Has the caret painted, or not, at each time-out.

    Signals:
        changed: The selection, or the caret, is another one.
        caret_moved: By key: with the `Provenance` of the caret, to be brought into view.
        said: A sentence for the reader.
    """

    changed = Signal()
    caret_moved = Signal(object)
    said = Signal(str)

    def __init__(self, texts: PageTexts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._texts = texts
        self.model = TextSelection(texts.get)
        self.is_dragging = self._has_said = False
        self._corner: tuple[int, QPointF] | None = None
        self._waiting: dict[int, list[Callable[[], object]]] = {}
        self.is_caret_shown = False
        self._is_caret_lit = True
        self.blink = QTimer(self)
        self.blink.timeout.connect(self._on_blink)
        texts.arrived.connect(self._on_texts_arrived)

    # What is selected

    @property
    def text(self) -> str:
        """The selected text; empty when there is none, and while pages of it are on the way."""
        if self.is_long:
            return ""
        return self.model.text() or ""

    @property
    def has_selection(self) -> bool:
        """True when there is something to copy."""
        return not self.model.is_empty

    @property
    def is_long(self) -> bool:
        """True when the text is put together by the library's process."""
        return len(self.model.page_range) > _MAX_LOCAL_PAGES

    def set_document(self, n_pages: int) -> None:
        """Begin anew with a document."""
        self.model.n_pages = n_pages
        self.clear()

    def clear(self) -> None:
        """Select nothing."""
        self.is_dragging = False
        self._corner = None
        self._waiting.clear()
        self._texts.drop("copy_text")
        self.model.clear()
        self.changed.emit()

    # By mouse

    def press(
        self, page_index: int, point: QPointF, *, n_clicks: int = 1, extends: bool = False
    ) -> None:
        """Start at a point of a page, in points; double and more clicks take words and lines."""
        self.is_dragging, self._has_said = True, False
        self._corner = None
        if not extends:
            self.model.clear()
            self.changed.emit()
        grain = Grain(min(n_clicks, max(Grain)))
        self._when_read(page_index, lambda: self._press(page_index, point, grain, extends=extends))

    def _press(self, page_index: int, point: QPointF, grain: Grain, *, extends: bool) -> None:
        position = self._position(page_index, point)
        if position is None:
            if grain > Grain.CHARACTER:
                self._say_why(page_index)
            return
        if extends and self.model.caret is not None:
            self.model.extend(position)
        else:
            self.model.begin(position, grain)
        self._changed()

    def press_block(self, page_index: int, point: QPointF) -> None:
        """Start a rectangle at a point of a page."""
        self.is_dragging = True
        self.model.clear()
        self._corner = page_index, point
        self._texts.get(page_index)
        self.changed.emit()

    def drag(self, page_index: int, point: QPointF) -> None:
        """Select up to a point of a page."""
        if not self.is_dragging:
            return
        if self._corner is not None:
            if page_index == self._corner[0]:
                rect = QRectF(self._corner[1], point).normalized()
                box = BoundingBox(rect.left(), rect.top(), rect.right(), rect.bottom())
                self.model.select_block(Provenance(page_index + 1, box))
                self.changed.emit()
            return
        self._when_read(page_index, lambda: self._drag(page_index, point))

    def _drag(self, page_index: int, point: QPointF) -> None:
        position = self._position(page_index, point)
        if position is None:
            self._say_why(page_index)
        elif self.model.caret is None:
            # The drag began on a page without text.
            self.model.begin(position)
        else:
            self.model.extend(position)
            self.changed.emit()

    def _say_why(self, page_index: int) -> None:
        """Say once for a drag why a page gives nothing."""
        page = self._texts.peek(page_index)
        if page is not None and page.problem in NOTHING_TO_SELECT and not self._has_said:
            self._has_said = True
            self.said.emit(NOTHING_TO_SELECT[page.problem])

    def release(self) -> None:
        """Keep the selection as it is, and give it to the middle button where there is one."""
        if not self.is_dragging:
            return
        self.is_dragging = False
        self._offer_primary()

    def _position(self, page_index: int, point: QPointF) -> TextPosition | None:
        page = self._texts.get(page_index)
        if page is None or not page.lines:
            return None
        caret = self.model.caret
        near = None
        if self.is_dragging and caret is not None and caret.page_index == page_index:
            near = min(caret.offset, len(page.text))
        return TextPosition(page_index, offset_at(page, point.x(), point.y(), near))

    def _when_read(self, page_index: int, act: Callable[[], object]) -> None:
        """Do something with the text of a page, at once or when it is there."""
        if self._texts.get(page_index) is not None:
            act()
        else:
            self._waiting.setdefault(page_index, []).append(act)

    def _on_texts_arrived(self, page_index: int) -> None:
        for act in self._waiting.pop(page_index, []):
            act()
        if self.has_selection and page_index in self.model.page_range:
            self.changed.emit()

    # By key

    def show_caret(self, is_shown: bool, page_index: int = 0) -> None:
        """Let the keys move a caret, from the top of a page when it stands nowhere yet."""
        self.is_caret_shown = is_shown
        if is_shown:
            # A cursor that does not blink has a time of 0 or less.
            period = QGuiApplication.styleHints().cursorFlashTime() // 2
            self._is_caret_lit = True
            if period > 0:
                self.blink.start(period)
            if self.model.caret is None:
                self._when_read(page_index, lambda: self._place_caret(page_index))
        else:
            self.blink.stop()
        self.changed.emit()

    def _place_caret(self, page_index: int) -> None:
        page = self._texts.get(page_index)
        if page is not None and page.lines and self.model.caret is None:
            self.model.begin(TextPosition(page_index, 0))
            self._changed()

    def move(self, unit: Unit, direction: int, *, extends: bool) -> bool:
        """Move the caret; False when it stands nowhere."""
        if self.model.caret is None:
            return False
        try:
            self.model.move(unit, direction, extends=extends)
        except PageNotReadError as missing:
            again = partial(self.move, unit, direction, extends=extends)
            self._when_read(missing.page_index, again)
            return True
        self._is_caret_lit = True
        self._changed()
        place = self.caret_place()
        if place is not None:
            self.caret_moved.emit(place)
        return True

    def caret_place(self) -> Provenance | None:
        """Return the line without width at which the caret stands, on a page that is read."""
        caret = self.model.caret
        page = self._texts.peek(caret.page_index) if caret is not None else None
        if caret is None or page is None or not page.lines:
            return None
        offset = min(caret.offset, len(page.text))
        return Provenance(caret.page_index + 1, caret_box(page, offset))

    def select_all(self) -> None:
        """Select the whole document."""
        self.model.select_all()
        self._changed()

    def select_page(self, page_index: int) -> None:
        """Select all text of a page."""
        self.model.select_page(page_index)
        self._changed()

    def _changed(self) -> None:
        self.changed.emit()
        if not self.is_dragging:
            self._offer_primary()

    # Copying

    def copy(self) -> bool:
        """Put the selected text on the clipboard; False when nothing is selected."""
        span = self.model.span
        if self.model.is_empty:
            return False
        text = None if self.is_long else self.model.text()
        if text is not None:
            self._to_clipboard(text)
        elif span is not None:
            self._texts.drop("copy_text")
            self._gather(span, "")
        return True

    def _gather(self, span: TextSpan, before: str) -> None:
        """Have the text put together part by part."""

        def came(part: CopiedText) -> None:
            whole = f"{before}\n\n{part.text}" if before and part.text else before + part.text
            if len(whole) > MAX_COPIED:
                self._to_clipboard(whole[:MAX_COPIED])
                self.said.emit(
                    f"The first {MAX_COPIED:,} characters were copied; the selection is longer."
                )
            elif part.next_page is None:
                self._to_clipboard(whole)
            else:
                self._gather(replace(span, first_page=part.next_page, start=0), whole)

        self._texts.ask("copy_text", span, on_result=came)

    def _to_clipboard(self, text: str) -> None:
        if text:
            copy_text(text)
        else:
            self.said.emit("There is no text in the selection.")

    def _offer_primary(self) -> None:
        clipboard = QGuiApplication.clipboard()
        if not clipboard.supportsSelection() or self.model.is_empty:
            return
        text = self.text
        if text and len(text) <= _MAX_PRIMARY:
            clipboard.setText(text, QClipboard.Mode.Selection)

    # Drawing

    def paint(self, painter: QPainter, layout: PageLayout, page_index: int) -> None:
        """Paint the selection of a page, and the caret, in canvas coordinates."""
        color = QColor(look.theme.accent)
        boxes = self.model.boxes(page_index) if self.has_selection else ()
        if boxes:
            # One path: where boxes of lines overlap, the colour must not double.
            path = QPainterPath()
            path.setFillRule(Qt.FillRule.WindingFill)
            for box in boxes:
                path.addRect(layout.to_canvas(page_index, box))
            painter.fillPath(path, faded(color, _ALPHA))
        block = self.model.block
        if block is not None and block.page_no == page_index + 1:
            painter.setPen(QPen(color, 1.0, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(layout.to_canvas(page_index, block.bbox))
        caret = self.caret_place() if self.is_caret_shown and self._is_caret_lit else None
        if caret is not None and caret.page_no == page_index + 1:
            rect = layout.to_canvas(page_index, caret.bbox)
            line = QPen(color.darker(130) if color.lightnessF() > 0.6 else color, _CARET_PX)
            line.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(line)
            painter.drawLine(rect.topLeft(), rect.bottomRight())

    def _on_blink(self) -> None:
        self._is_caret_lit = not self._is_caret_lit
