"""The words of an answer with clickable chips for its citations, and its figures among them."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping

from PySide6.QtCore import QMimeData, QPoint, QUrl, Signal
from PySide6.QtGui import QCursor, QResizeEvent, QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_qa.gui import theme as themes
from desktop_qa.gui.answer_figures import AnswerFigures
from desktop_qa.gui.answer_html import (
    CHIP_SCHEME,
    CITATION_SCHEME,
    FIGURE_SCHEME,
    AnswerHtml,
    InlineFigure,
)
from desktop_qa.gui.chips import chip_font, chip_pixmap
from desktop_qa.gui.flow_text import FlowText

_LINE_HEIGHT = 1.62
_OBJECT_REPLACEMENT = "￼"


class AnswerText(FlowText):
    """Shows an answer; its chips are links for the mouse and for Tab and Enter.

    Attributes:
        citation_clicked: With the marker.
    """

    citation_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = themes.LIGHT
        self._sizes = themes.TextSizes.around(13)
        self._text = ""
        self._markers: frozenset[int] = frozenset()
        self._figures = AnswerFigures()
        self._fitted: dict[int, InlineFigure] = {}
        self._tool_tips: dict[int, str] = {}
        self._active: int | None = None
        self._note = ""
        self.anchorClicked.connect(self._on_anchor_clicked)
        self.highlighted.connect(self._on_link_highlighted)

    @property
    def active_marker(self) -> int | None:
        """The marker whose place is shown."""
        return self._active

    def show_answer(
        self,
        text: str,
        markers: Iterable[int],
        tool_tips: Mapping[int, str],
        figures: AnswerFigures | None = None,
    ) -> None:
        """Show an answer.

        Args:
            text: Markdown with [n] markers.
            markers: Those that point somewhere.
            tool_tips: HTML for each marker.
            figures: Shown below the words that cite them.
        """
        self._figures = figures or AnswerFigures()
        self._text, self._markers, self._note = text, frozenset(markers), ""
        self._tool_tips = dict(tool_tips)
        self._active = None
        self.setAccessibleDescription(text)
        self._render()

    def show_note(self, message: str, hint: str = "") -> None:
        """Show a sentence of the program in the answer's place."""
        self._markers, self._tool_tips, self._active = frozenset(), {}, None
        self._text, self._figures = "", AnswerFigures()
        self.setAccessibleDescription(f"{message} {hint}".strip())
        self._note = message + ("\n" + hint if hint else "")
        self._render()

    def set_active_marker(self, marker: int | None) -> None:
        """Fill the chip of the citation that the viewer shows."""
        self._active = marker
        self._add_chips()
        self.document().markContentsDirty(0, self.document().characterCount())
        self.viewport().update()

    def _render(self) -> None:
        font = self.font()
        font.setPixelSize(self._sizes.answer_px)
        self.document().setDefaultFont(font)
        self.document().setDefaultStyleSheet(f"body {{ color: {self._theme.text}; }}")
        self._add_chips()
        if self._note:
            message, _, hint = self._note.partition("\n")
            parts = [f"<p style='margin-bottom:4px'>{html.escape(message)}</p>"]
            if hint:
                parts.append(f"<p style='color:{self._theme.dim}'>{html.escape(hint)}</p>")
            content = "".join(parts)
        else:
            self._fitted = self._figures.fitted(self.viewport().width())
            self._add_figures()
            content = AnswerHtml(self._markers, self._theme, self._fitted).render(self._text)
        self.show_html(content, round(self._sizes.answer_px * _LINE_HEIGHT))
        self._loosen_figures()
        self._add_chips()

    def _add_figures(self) -> None:
        for marker, figure in self._fitted.items():
            pixmap = self._figures.pixmap(marker, figure, self._theme, self.devicePixelRatioF())
            kind = QTextDocument.ResourceType.ImageResource.value
            self.document().addResource(kind, QUrl(f"{FIGURE_SCHEME}:{marker}"), pixmap)

    def _loosen_figures(self) -> None:
        """Give the lines of figures the height of their figures."""
        spacing = QTextBlockFormat()
        spacing.setLineHeight(100, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        block = self.document().begin()
        while self._fitted and block.isValid():
            name = block.begin().fragment().charFormat().toImageFormat().name()
            if name.startswith(f"{FIGURE_SCHEME}:"):
                QTextCursor(block).mergeBlockFormat(spacing)
            block = block.next()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the figures to another width."""
        super().resizeEvent(event)
        if self._text and self._figures.fitted(self.viewport().width()) != self._fitted:
            active = self._active
            self._render()
            self.set_active_marker(active)

    def _add_chips(self) -> None:
        font = chip_font(self.font(), self._sizes.small_px)
        scale = self.devicePixelRatioF()
        for marker in self._markers:
            pixmap = chip_pixmap(
                marker, font, self._theme, is_active=marker == self._active, scale=scale
            )
            name = QUrl(f"{CHIP_SCHEME}:{marker}")
            self.document().addResource(
                QTextDocument.ResourceType.ImageResource.value, name, pixmap
            )

    def _on_anchor_clicked(self, url: QUrl) -> None:
        marker = _marker_of(url.toString())
        if marker is not None:
            self.citation_clicked.emit(marker)

    def _on_link_highlighted(self, url: QUrl) -> None:
        marker = _marker_of(url.toString())
        tip = self._tool_tips.get(marker, "") if marker is not None else ""
        if tip:
            QToolTip.showText(QCursor.pos() + QPoint(0, 8), tip, self)
        else:
            QToolTip.hideText()

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

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw text and chips in other colours."""
        self._theme, self._sizes = theme, sizes
        self._render()


def _marker_of(address: str) -> int | None:
    scheme, _, number = address.partition(":")
    return int(number) if scheme == CITATION_SCHEME and number.isdigit() else None
