"""What a card of evidence says in a line, offers in a menu and gives to the clipboard."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QMenu, QToolButton, QWidget

from desktop_qa.core.sources import PREFERRED_SOURCE
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.marks.cell_reports import read_cell
from desktop_qa.gui.tables.table_layout import row_names
from desktop_qa.gui.tables.table_pane import CellReader
from desktop_qa.gui.widgets.answer_html import body_of, citation_line, excerpt
from desktop_qa.gui.widgets.breakable import show_breakable

if TYPE_CHECKING:
    from desktop_qa.gui.evidence.evidence_card import EvidenceCard

_ROW_CHARACTERS = 150


def caption_of(view: EvidenceView) -> str:
    """Return the caption of a piece, unless its heading says it already."""
    table = view.table
    caption = f"{table.label} {table.caption}".strip() if table is not None else ""
    caption = caption or view.caption
    heading = _folded((view.section_path or ("",))[-1])
    return caption if caption and _folded(caption) not in heading else ""


def reader_of(view: EvidenceView) -> CellReader:
    """Return how the cells of a piece's table are named in reports."""
    table, name = view.table, (view.section_path or ("",))[-1]
    return lambda cell: read_cell(view.document_id, table, cell, name) if table else None


def line_of(view: EvidenceView) -> str:
    """Return the words of a line: of a table the names of its rows, else how the text begins."""
    table, words = view.table, body_of(view)
    if table is not None and table.n_rows:
        words = ", ".join(row_names(table, view.rows)) or words
    return " ".join(excerpt(words, view.quotes, _ROW_CHARACTERS).split())


def quoted_with_place(view: EvidenceView, selected: str = "") -> str:
    """Return words of a piece with where they stand: the selected, else the quoted ones, or all."""
    words = selected or " … ".join(view.quotes) or body_of(view)
    return f"“{' '.join(words.split())}”\n— {citation_line(view)}"


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()


def note_label(card: EvidenceCard, note: str) -> QLabel | None:
    """Return why the source moved a piece up or down, or what it shares with another, if it did."""
    words = note or card.view.source_note
    if not words:
        return None
    label = QLabel(card)
    label.setTextFormat(Qt.TextFormat.PlainText)
    show_breakable(label, f"{words[0].upper()}{words[1:]}")
    label.setObjectName("caption" if note else "source_label")
    label.setProperty("outdated", words != PREFERRED_SOURCE)
    return label


def caption_label(card: EvidenceCard) -> QLabel | None:
    """Return the caption of a piece, to be selected; `None` when its heading says it already."""
    caption = caption_of(card.view)
    if not caption:
        return None
    label = QLabel(card)
    label.setObjectName("caption")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    show_breakable(label, caption)
    return label


def more_words(card: EvidenceCard, *, is_whole: bool) -> str:
    """Return what the button for more, or for less, says."""
    table = card.view.table
    if card.is_folded:
        kind = "table" if table is not None else card.view.kind.value
        return f"Show the {kind}"
    if is_whole:
        return "Show less"
    if table is not None and card.pane is not None:
        return f"Show all {table.n_rows - table.n_header_rows} rows"
    return "Show more"


def link_button(card: QWidget) -> QToolButton:
    """Return a button that looks like a link."""
    button = QToolButton(card)
    button.setObjectName("quiet_link")
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button


def icon_button(card: QWidget, icon: str, name: str, tip: str) -> QToolButton:
    """Return a button that is an icon of `resources/icons`, drawn with the card's theme."""
    button = QToolButton(card)
    button.setObjectName("quiet_button")
    button.setProperty("icon_name", icon)
    button.setAccessibleName(name)
    button.setToolTip(tip)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button


def card_menu(card: EvidenceCard, position: QPoint) -> QMenu:
    """Return what can be done with a piece; `position` is where the menu opens on the screen."""
    menu = QMenu(card)
    view, text = card.view, card.text
    if text is not None:
        copy = menu.addAction("Copy", text.copy)
        copy.setEnabled(text.textCursor().hasSelection())
    if card.figure is not None and not card.figure.is_missing:
        menu.addAction("Copy Figure", card.copy)
        menu.addAction("Save Figure …", partial(card.figure_save_requested.emit, view))
        menu.addAction("Enlarge", partial(card.figure_enlarge_requested.emit, view))
    menu.addAction("Copy with Citation", card.copy_with_citation)
    if text is not None:
        menu.addAction("Select All", text.selectAll)
    menu.addSeparator()
    menu.addAction("Open at Place", card.open_place)
    if card.can_find_similar:
        menu.addAction("More Like This", card.find_similar)
    menu.addAction("Document …", partial(card.menu_requested.emit, view, position))
    return menu
