"""The words of an answer with clickable chips for its citations, and its figures among them."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QUrl,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QCursor,
    QMouseEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from desktop_qa.core.answer_blocks import AnswerBlock, Run, markers_in, words_of
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.model_doubts import signed_blocks
from desktop_qa.core.model_said import Doubt, DoubtMark
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.evidence.figure_view import Picture, paint_framed
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets.answer_html import (
    CHIP_SCHEME,
    CITATION_SCHEME,
    DOUBT_SCHEME,
    FIGURE_SCHEME,
    AnswerHtml,
    DoubtedRun,
    InlineFigure,
)
from desktop_qa.gui.widgets.dialog_parts import pop_up
from desktop_qa.gui.widgets.flow_text import FlowText
from desktop_qa.gui.widgets.row_painting import chip_pixmap, font_like
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import SteppedWork

_LINE_HEIGHT = 1.62
_FIRST_CHARACTERS = 6000
"""Of HTML: some screens of an answer are there at once."""
_NEXT_CHARACTERS = 1500
_TURN_S = 0.015
_BELOW_PARAGRAPH_PX = 8
_OBJECT_REPLACEMENT = "￼"
_FIGURE_PADDING_PX = 8
_MOST_FIGURE_PX = 300


class AnswerFigure:
    """A figure of the evidence among the words: on white paper, as wide as there is room."""

    def __init__(self, piece: EvidenceView) -> None:
        self._picture = Picture(piece.figure_path or "", piece.vector_path or "")
        self._caption = piece.caption or piece.section_path[-1]

    def fitted(self, width: int) -> InlineFigure | None:
        """Return it as set into a column of so many pixels; `None` when its image is gone."""
        size = self._picture.natural
        if not size.isValid() or size.isEmpty():
            return None
        room = QSize(max(40, width), _MOST_FIGURE_PX) - QSize(2, 2) * _FIGURE_PADDING_PX
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        size = size + QSize(2, 2) * _FIGURE_PADDING_PX
        return InlineFigure(size.width(), size.height(), self._caption)

    def pixmap(self, figure: InlineFigure, owner: QWidget, on_read: Callable[[], None]) -> QPixmap:
        """Draw it in its frame; an empty frame until `on_read` tells to draw it again."""
        size, scale = QSize(figure.width, figure.height), owner.devicePixelRatioF()
        inner = size - QSize(2, 2) * _FIGURE_PADDING_PX
        picture = self._picture
        picture.read(inner * scale, owner, on_read)
        pixmap = QPixmap(size * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        frame = QRectF(0.5, 0.5, size.width() - 1, size.height() - 1)
        target = QRectF(_FIGURE_PADDING_PX, _FIGURE_PADDING_PX, inner.width(), inner.height())
        paint_framed(painter, frame, picture.pixmap, target, QColor(look.theme.line))
        if picture.reason:
            painter.setPen(QColor("#5d6675"))
            wrap = Qt.TextFlag.TextWordWrap
            painter.drawText(target, Qt.AlignmentFlag.AlignCenter | wrap, picture.reason)
        painter.end()
        return pixmap


class AnswerText(FlowText):
    """Shows an answer; its chips are links for the mouse and for Tab and Enter.

    Attributes:
        active_marker: The one whose place is shown.
        citation_clicked: With the marker.
        passage_pointed: With the marker that the pointer is over, or that Space was pressed on, its
            chip on the screen, and whether by that key.
        passage_left: The pointer is over no marker any more.
    """

    citation_clicked = Signal(int)
    passage_pointed = Signal(int, QRect, bool)
    passage_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._blocks: tuple[AnswerBlock, ...] = ()
        self._markers: frozenset[int] = frozenset()
        self._figures: dict[int, AnswerFigure] = {}
        self._fitted: dict[int, InlineFigure] = {}
        self.active_marker: int | None = None
        look.changed.connect(self._render)
        self._note = "", ""
        self._doubts: tuple[DoubtMark, ...] = ()
        self._is_growing = False
        self._grown: list[tuple[str, int]] = []  # HTML of each piece, and where it ends
        self._symbols = Symbols()
        self._pointed: int | None = None
        self._later = SteppedWork(self)
        self.anchorClicked.connect(lambda url: self._open(_marker_of(url.toString())))
        self.highlighted.connect(self._on_highlighted)
        on_keys(self, {"Ctrl+A": self._select_all})
        on_keys(self, {"Space": self._look}, when=lambda: self.focused_marker() is not None)

    def show_answer(
        self,
        blocks: tuple[AnswerBlock, ...],
        figures: Iterable[EvidenceView],
        symbols: Symbols,
    ) -> None:
        """Show an answer; what is far below is laid out in turns of its own.

        Its tables and readings are shown elsewhere, its figures below the words that cite them.
        """
        self._figures = {piece.marker: AnswerFigure(piece) for piece in figures}
        self._symbols = symbols
        self._blocks, self._note = blocks, ("", "")
        self._markers = frozenset(markers_in(blocks))
        self.active_marker = None
        self.setAccessibleDescription(words_of(blocks))
        self._render()

    def grow(
        self,
        blocks: tuple[AnswerBlock, ...],
        doubts: Sequence[DoubtMark],
        symbols: Symbols,
    ) -> None:
        """Show what a model says so far; what stands there already is not laid out again."""
        self._is_growing = True
        self._blocks, self._doubts, self._symbols = blocks, tuple(doubts), symbols
        self._figures, self._note = {}, ("", "")
        before = self._markers
        instead = (doubt.marker for doubt in doubts if doubt.marker)
        cells = (c.marker for b in blocks if isinstance(b, AnswerTable) for r in b.rows for c in r)
        self._markers = frozenset((*markers_in(blocks), *instead, *filter(None, cells)))
        if self._markers != before:
            self._add_chips()
        reasons = (doubt.sentence for doubt in self._doubts)
        self.setAccessibleDescription("\n".join((words_of(blocks), *reasons)))
        self._lay_out_growing()

    def _lay_out_growing(self) -> None:
        signed = signed_blocks(self._blocks, self._doubts, _doubted)
        pieces = list(AnswerHtml(look.theme, None, self._symbols, with_tables=True).pieces(signed))
        n_same = 0
        for piece, (before, _end) in zip(pieces, self._grown, strict=False):
            if piece != before:
                break
            n_same += 1
        if n_same == len(pieces) == len(self._grown):
            return
        if not pieces:
            self.clear()
        elif n_same:
            rest = QTextCursor(self.document())
            rest.setPosition(self._grown[n_same - 1][1])
            rest.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            rest.removeSelectedText()
        self._grown = self._grown[:n_same]
        for piece in pieces[n_same:]:
            start = self._grown[-1][1] if self._grown else 0
            if self._grown:
                self.append_html(piece, self._line_height())
                if piece.startswith("<p"):
                    # A paragraph that is inserted takes the margins of the block it goes into.
                    below = QTextBlockFormat()
                    below.setBottomMargin(_BELOW_PARAGRAPH_PX)
                    QTextCursor(self.document().lastBlock()).mergeBlockFormat(below)
            else:
                self.show_html(piece, self._line_height())
            self._underline_doubts(start)
            self._grown.append((piece, self.document().characterCount() - 1))

    def _underline_doubts(self, start: int) -> None:
        """Underline what is doubtful from a place on; HTML knows no dotted and wavy lines."""
        block = self.document().findBlock(start)
        while block.isValid():
            iterator = block.begin()
            while not iterator.atEnd():
                fragment = iterator.fragment()
                number = _number_of(fragment.charFormat().anchorHref(), DOUBT_SCHEME)
                if number is not None:
                    cursor = QTextCursor(self.document())
                    cursor.setPosition(fragment.position())
                    end = fragment.position() + fragment.length()
                    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                    cursor.mergeCharFormat(self._doubt_format(self._doubts[number]))
                iterator += 1
            block = block.next()

    def _doubt_format(self, doubt: DoubtMark) -> QTextCharFormat:
        style = QTextCharFormat()
        is_weak = doubt.doubt is Doubt.WEAK
        lines = QTextCharFormat.UnderlineStyle
        style.setForeground(QColor(look.theme.text))
        style.setUnderlineStyle(lines.DotLine if is_weak else lines.WaveUnderline)
        style.setUnderlineColor(QColor(look.theme.warning if is_weak else look.theme.error))
        return style

    def _on_highlighted(self, url: QUrl) -> None:
        """Say what is wrong with the sentence under the pointer, or that Tab has come to."""
        number = _number_of(url.toString(), DOUBT_SCHEME)
        if number is None or number >= len(self._doubts):
            QToolTip.hideText()
            return
        place = QCursor.pos()
        if not self.rect().contains(self.mapFromGlobal(place)):
            place = self.viewport().mapToGlobal(self.cursorRect().bottomLeft())
        QToolTip.showText(place, self._doubts[number].sentence, self)

    def show_note(self, message: str, hint: str = "") -> None:
        """Show a sentence of the program in the answer's place."""
        self._markers, self.active_marker = frozenset(), None
        self._blocks, self._figures = (), {}
        self.setAccessibleDescription(f"{message} {hint}".strip())
        self._note = message, hint
        self._render()

    def set_active_marker(self, marker: int | None) -> None:
        """Fill the chip of the citation that the viewer shows."""
        self.active_marker = marker
        # The filled chip is as large as the other: nothing has to be laid out again.
        self._add_chips()
        self.viewport().update()

    def _render(self) -> None:
        self._later.start(iter(()))
        self.document().setDefaultFont(font_like(self.font(), look.answer_sizes.answer_px))
        self.document().setDefaultStyleSheet(f"body {{ color: {look.theme.text}; }}")
        self._add_chips()
        if self._is_growing:
            self._grown = []
            self.clear()  # the chips as well
            self._add_chips()
            self._lay_out_growing()
            return
        message, hint = self._note
        if message:
            parts = [f"<p style='margin-bottom:4px'>{html.escape(message)}</p>"]
            if hint:
                parts.append(f"<p style='color:{look.theme.dim}'>{html.escape(hint)}</p>")
            pieces = iter(parts)
        else:
            self._fitted = self._fit_figures()
            for marker in self._fitted:
                self._add_figure(marker)
            made = AnswerHtml(look.theme, self._fitted, self._symbols)
            pieces = made.pieces(self._blocks)
        self.show_html(_some(pieces, _FIRST_CHARACTERS), self._line_height())
        self._loosen_figures(0)
        self._add_chips()
        self._later.start(self._append(pieces))

    def _line_height(self) -> int:
        return round(look.answer_sizes.answer_px * _LINE_HEIGHT)

    def _append(self, pieces: Iterator[str]) -> Iterator[None]:
        """Lay out the rest of a long answer, in turns short for whatever else is waiting."""
        end = time.perf_counter() + _TURN_S
        while content := _some(pieces, _NEXT_CHARACTERS):
            n_before = self.document().blockCount()
            self.append_html(content, self._line_height())
            self._loosen_figures(n_before)
            if time.perf_counter() > end:
                yield
                end = time.perf_counter() + _TURN_S

    @property
    def is_whole(self) -> bool:
        """True when all of the answer is laid out."""
        return not self._later.is_active

    def show_all(self) -> None:
        """Lay out what is left of a long answer now: all of it shall be selected or searched."""
        self._later.finish()

    def _fit_figures(self) -> dict[int, InlineFigure]:
        width = self.viewport().width()
        fitted = ((marker, figure.fitted(width)) for marker, figure in self._figures.items())
        return {marker: figure for marker, figure in fitted if figure is not None}

    def _add_figure(self, marker: int) -> None:
        on_read = partial(self._on_figure_read, self._figures, marker)
        pixmap = self._figures[marker].pixmap(self._fitted[marker], self, on_read)
        self._add_image(f"{FIGURE_SCHEME}:{marker}", pixmap)

    def _on_figure_read(self, figures: dict[int, AnswerFigure], marker: int) -> None:
        if figures is self._figures and marker in self._fitted:
            self._add_figure(marker)
            self.viewport().update()

    def _loosen_figures(self, first_block: int) -> None:
        """Give the lines of figures the height of their figures."""
        spacing = QTextBlockFormat()
        spacing.setLineHeight(100, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        block = self.document().findBlockByNumber(first_block)
        while self._fitted and block.isValid():
            name = block.begin().fragment().charFormat().toImageFormat().name()
            if name.startswith(f"{FIGURE_SCHEME}:"):
                QTextCursor(block).mergeBlockFormat(spacing)
            block = block.next()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the figures to another width."""
        super().resizeEvent(event)
        if self._blocks and self._fit_figures() != self._fitted:
            self._render()

    def _add_chips(self) -> None:
        for marker in self._markers:
            pixmap = chip_pixmap(marker, self, is_active=marker == self.active_marker)
            self._add_image(f"{CHIP_SCHEME}:{marker}", pixmap)

    def _add_image(self, address: str, pixmap: QPixmap) -> None:
        kind = QTextDocument.ResourceType.ImageResource.value
        self.document().addResource(kind, QUrl(address), pixmap)

    def _open(self, marker: int | None) -> None:
        if marker is not None:
            self.citation_clicked.emit(marker)

    # Looking at a passage

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which marker the pointer is over."""
        super().mouseMoveEvent(event)
        position = event.position().toPoint()
        marker = _marker_of(self.anchorAt(position))
        if marker == self._pointed:
            return
        self._pointed = marker
        if marker is None:
            self.passage_left.emit()
        else:
            cursor = self.cursorForPosition(position)
            self.passage_pointed.emit(marker, self._chip_rect(cursor, position), False)

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that the pointer is over no marker."""
        super().leaveEvent(event)
        if self._pointed is not None:
            self._pointed = None
            self.passage_left.emit()

    def _look(self) -> None:
        """Look at the passage of the marker that has the focus."""
        cursor = self.textCursor()
        rect = self._chip_rect(cursor, self.cursorRect(cursor).center())
        self.passage_pointed.emit(self.focused_marker(), rect, True)

    def focused_marker(self) -> int | None:
        """Return the marker that Tab has come to."""
        cursor = self.textCursor()
        return _marker_of(cursor.charFormat().anchorHref()) if cursor.hasSelection() else None

    def _chip_rect(self, cursor: QTextCursor, position: QPoint) -> QRect:
        """Return a chip on the screen: the image at a cursor, or beside it."""
        middle = max(cursor.selectionStart(), cursor.position() - 1)
        for start in (middle, middle - 1, middle + 1):
            if self.document().characterAt(start) != _OBJECT_REPLACEMENT:
                continue
            left, right = QTextCursor(self.document()), QTextCursor(self.document())
            left.setPosition(start)
            right.setPosition(start + 1)
            rect = self.cursorRect(left).united(self.cursorRect(right))
            if rect.adjusted(-2, -2, 2, 2).contains(position) or cursor.hasSelection():
                return QRect(self.viewport().mapToGlobal(rect.topLeft()), rect.size())
        around = QRect(position - QPoint(10, 10), QSize(20, 20))
        return QRect(self.viewport().mapToGlobal(around.topLeft()), around.size())

    # Copying

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the words and with the marker under the pointer."""
        menu = QMenu(self)
        copy = menu.addAction("Copy", self.copy)
        copy.setEnabled(self.textCursor().hasSelection())
        menu.addAction("Select All", self._select_all)
        marker = _marker_of(self.anchorAt(event.pos()))
        if marker is not None:
            menu.addSeparator()
            menu.addAction(f"Open Citation {marker}", partial(self.citation_clicked.emit, marker))
        pop_up(menu, event.globalPos())

    def _select_all(self) -> None:
        self.show_all()
        self.selectAll()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy chips as [n]."""
        data = QMimeData()
        data.setText(self.selected_text())
        return data

    def selected_text(self) -> str:
        """Return the selected words, chips as [n]."""
        selection = self.textCursor()
        text = selection.selection().toPlainText()
        if _OBJECT_REPLACEMENT not in text:
            return text
        probe = QTextCursor(self.document())
        markers: list[str] = []
        for position in range(selection.selectionStart(), selection.selectionEnd()):
            if self.document().characterAt(position) == _OBJECT_REPLACEMENT:
                probe.setPosition(position + 1)
                is_figure = probe.charFormat().toImageFormat().name().startswith(FIGURE_SCHEME)
                marker = None if is_figure else _marker_of(probe.charFormat().anchorHref())
                markers.append(f"[{marker}]" if marker is not None else "")
        pieces = text.split(_OBJECT_REPLACEMENT)
        filled = [piece + marker for piece, marker in zip(pieces, markers, strict=False)]
        return "".join((*filled, *pieces[len(filled) :]))


def _some(pieces: Iterator[str], n_characters: int) -> str:
    """Take pieces until they have so many characters."""
    taken: list[str] = []
    n_taken = 0
    for piece in pieces:
        taken.append(piece)
        n_taken += len(piece)
        if n_taken >= n_characters:
            break
    return "".join(taken)


def _doubted(run: Run, number: int) -> Run:
    return DoubtedRun(run.text, run.is_strong, run.markers, number)


def _marker_of(address: str) -> int | None:
    return _number_of(address, CITATION_SCHEME)


def _number_of(address: str, of_scheme: str) -> int | None:
    scheme, _, number = address.partition(":")
    return int(number) if scheme == of_scheme and number.isdigit() else None
