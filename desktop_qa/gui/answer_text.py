"""The words of an answer with clickable chips for its citations."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QMimeData, QPoint, QUrl, Signal
from PySide6.QtGui import QCursor, QTextCursor, QTextDocument
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_qa.gui import theme as themes
from desktop_qa.gui.answer_html import (
    CHIP_SCHEME,
    CITATION_SCHEME,
    READING_SCHEME,
    AnswerHtml,
)
from desktop_qa.gui.chips import chip_font, chip_pixmap
from desktop_qa.gui.flow_text import FlowText

_LINE_HEIGHT = 1.62
_OBJECT_REPLACEMENT = "￼"


class AnswerText(FlowText):
    """Shows an answer; its chips are links for the mouse and for Tab and Enter.

    Attributes:
        citation_clicked: With the marker.
        reading_clicked: With the question to ask instead.
    """

    citation_clicked = Signal(int)
    reading_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = themes.LIGHT
        self._sizes = themes.TextSizes.around(13)
        self._text = ""
        self._markers: frozenset[int] = frozenset()
        self._readings: tuple[str, ...] = ()
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
        readings: Sequence[str] = (),
    ) -> None:
        """Show an answer.

        Args:
            text: Markdown with [n] markers.
            markers: Those that point somewhere.
            tool_tips: HTML for each marker.
            readings: Items of the text that are questions to ask instead.
        """
        self._readings = tuple(readings)
        self._text, self._markers, self._note = text, frozenset(markers), ""
        self._tool_tips = dict(tool_tips)
        self._active = None
        self.setAccessibleDescription(text)
        self._render()

    def show_note(self, message: str, hint: str = "") -> None:
        """Show a sentence of the program in the answer's place."""
        self._markers, self._tool_tips, self._active = frozenset(), {}, None
        self._text = ""
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
            content = AnswerHtml(self._markers, self._theme, self._readings).render(self._text)
        self.show_html(content, round(self._sizes.answer_px * _LINE_HEIGHT))
        self._add_chips()

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
        reading = _number_of(url.toString(), READING_SCHEME)
        if reading is not None and reading < len(self._readings):
            self.reading_clicked.emit(self._readings[reading])

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
                marker = _marker_of(probe.charFormat().anchorHref())
                markers.append(f"[{marker}]" if marker is not None else "")
        pieces = text.split(_OBJECT_REPLACEMENT)
        filled = [piece + marker for piece, marker in zip(pieces, markers, strict=False)]
        return "".join((*filled, *pieces[len(filled) :]))

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw text and chips in other colours."""
        self._theme, self._sizes = theme, sizes
        self._render()


def _marker_of(address: str) -> int | None:
    return _number_of(address, CITATION_SCHEME)


def _number_of(address: str, wanted: str) -> int | None:
    scheme, _, number = address.partition(":")
    return int(number) if scheme == wanted and number.isdigit() else None
