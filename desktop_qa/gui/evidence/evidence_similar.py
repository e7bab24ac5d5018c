"""More like a piece of evidence: a list in its place, with a way back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from desktop_qa.core.similar import SimilarPiece, SimilarPieces
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.evidence.evidence_card import EvidenceCard
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.breakable import show_breakable

_MOST_TITLE = 90
_GROUPS = ("In other documents", "In this document")


class SimilarList(QWidget):
    """Shows what is like a piece, in other documents first.

    Attributes:
        left: The user wants what was shown before.
        card_made: With each `EvidenceCard`, to be connected.
    """

    left = Signal()
    card_made = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = themes.LIGHT
        self._sizes = themes.TextSizes.around(13)
        self.cards: list[EvidenceCard] = []
        self.headings: list[QLabel] = []
        self.back_button = QToolButton(self)
        self.back_button.setObjectName("quiet_link")
        self.back_button.setText("Back to the evidence")
        self.back_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.back_button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.back_button.setToolTip("Show the evidence of the answer again (Esc)")
        self.title_label = QLabel(self)
        self.title_label.setObjectName("table_title")
        self.title_label.setTextFormat(Qt.TextFormat.PlainText)
        self.of_label = QLabel(self)
        self.of_label.setObjectName("caption")
        self.of_label.setTextFormat(Qt.TextFormat.PlainText)
        self.note_label = QLabel(self)
        self.note_label.setObjectName("caption")
        self.note_label.setTextFormat(Qt.TextFormat.PlainText)
        self.note_label.setWordWrap(True)
        self._layout = in_column(self, margins=(0, 0, 0, 0), spacing=10)
        head = in_row(inside=self._layout)
        head.addWidget(self.back_button)
        head.addStretch(1)
        names = in_column(spacing=2, inside=self._layout)
        names.addWidget(self.title_label)
        names.addWidget(self.of_label)
        self._layout.addWidget(self.note_label)
        self.back_button.clicked.connect(self.left)

    def show_searching(self, of: EvidenceView) -> None:
        """Say what is sought."""
        self._clear()
        self._name(of)
        self._say("Searching …")

    def show_failure(self, message: str, hint: str) -> None:
        """Say why nothing can be shown."""
        self._clear()
        self._say(f"{message} {hint}".strip())

    def show_pieces(self, found: SimilarPieces) -> None:
        """Show what was found."""
        self._clear()
        self._name(found.of)
        self._say("" if found.elsewhere or found.here else "Nothing in this library is like it.")
        for title, pieces in zip(_GROUPS, (found.elsewhere, found.here), strict=True):
            if pieces:
                self._add_heading(f"{title} · {len(pieces)}")
                for piece in pieces:
                    self._add_card(piece)

    def _name(self, of: EvidenceView) -> None:
        heading = (of.section_path or (of.file,))[-1]
        short = heading if len(heading) <= _MOST_TITLE else f"{heading[: _MOST_TITLE - 1]}…"
        show_breakable(self.title_label, f"More like “{short}”")
        show_breakable(self.of_label, f"{of.file} · page {of.page}")

    def _say(self, words: str) -> None:
        self.note_label.setText(words)
        self.note_label.setVisible(bool(words))

    def _add_heading(self, words: str) -> None:
        label = QLabel(words, self)
        label.setObjectName("heading_label")
        self.headings.append(label)
        self._layout.addWidget(label)

    def _add_card(self, piece: SimilarPiece) -> None:
        note = f"Shares {', '.join(piece.shared)}" if piece.shared else ""
        card = EvidenceCard(
            piece.view,
            self._theme,
            self._sizes,
            self,
            segment_id=piece.segment_id,
            is_compact=True,
            note=note,
        )
        card.setToolTip("")
        self.cards.append(card)
        self._layout.addWidget(card)
        self.card_made.emit(card)

    def _clear(self) -> None:
        for widget in (*self.cards, *self.headings):
            self._layout.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.cards, self.headings = [], []

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self._theme, self._sizes = theme, sizes
        self.back_button.setIcon(themes.icon("back", theme.accent))
        for card in self.cards:
            card.apply_theme(theme, sizes)
