"""One citation at a time, shown in three places: its chip, its card and its page."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QScrollArea

from desktop_qa.core.document import Provenance
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.answer_panel import AnswerPanel
from desktop_qa.gui.evidence_panel import EvidencePanel
from desktop_qa.gui.pdf_highlights import NO_MARKER, Highlight
from desktop_qa.gui.pdf_panel import PdfPanel


class CitationLink(QObject):
    """Keeps answer, evidence and document at the same citation, whichever was clicked.

    Attributes:
        place_shown: With the `EvidenceView` whose place the document shows.
        place_lost: With the file that an earlier answer cites and that is not there as it was.
    """

    place_shown = Signal(object)
    place_lost = Signal(str)

    def __init__(
        self,
        answer_panel: AnswerPanel,
        evidence_panel: EvidencePanel,
        pdf_panel: PdfPanel,
        scroll_area: QScrollArea,
    ) -> None:
        super().__init__(answer_panel)
        self._answer_panel = answer_panel
        self._evidence_panel = evidence_panel
        self._pdf_panel = pdf_panel
        self._scroll_area = scroll_area
        answer_panel.citation_clicked.connect(self.show_citation)
        answer_panel.place_clicked.connect(self._on_cell_clicked)
        evidence_panel.place_clicked.connect(self.show_place)
        pdf_panel.highlight_clicked.connect(self._on_highlight_clicked)

    def show_citation(self, marker: int) -> None:
        """Show what a marker of the answer points at."""
        view = self._evidence_panel.view_of(marker)
        if view is not None:
            self.show_place(view, view.places)

    def _on_cell_clicked(self, view: EvidenceView, places: tuple[Provenance, ...]) -> None:
        """Show the very cell of a table, be it of an answer before the one on screen."""
        answer = self._answer_panel.view
        if answer is not None and any(piece is view for piece in answer.evidence):
            self.show_place(view, places)
        elif view.path:
            self.place_shown.emit(view)
            self.look_up(Path(view.path), places)
        else:
            self.place_lost.emit(view.file)

    def show_place(self, view: EvidenceView, places: tuple[Provenance, ...]) -> None:
        """Show places of a piece of evidence among all that the answer cites in its document."""
        self._mark(view.marker if view.is_cited else None)
        if not view.path:
            self.place_lost.emit(view.file)
            return
        others = [one for one in self._cited_in(view.path) if one.marker != view.marker]
        highlights = (*others, Highlight(view.marker, tuple(places)))
        self.place_shown.emit(view)
        path = Path(view.path)
        self._pdf_panel.show_places(path, path.name, places, highlights, view.marker)

    def look_up(self, path: Path, places: tuple[Provenance, ...]) -> None:
        """Show places of a document that no answer cites, among those that one does."""
        self._mark(None)
        highlights = (*self._cited_in(str(path)), Highlight(NO_MARKER, places))
        self._pdf_panel.show_places(path, path.name, places, highlights, NO_MARKER)

    def _cited_in(self, path: str) -> list[Highlight]:
        answer = self._answer_panel.view
        return [
            Highlight(view.marker, view.places)
            for view in (answer.evidence if answer is not None else ())
            if view.is_cited and view.path == path
        ]

    def _mark(self, marker: int | None) -> None:
        self._answer_panel.set_active_marker(marker)
        self._evidence_panel.set_active_marker(marker)

    def _on_highlight_clicked(self, marker: int) -> None:
        self._mark(marker)
        for card in self._evidence_panel.shown_cards:
            if card.view.is_cited and card.view.marker == marker:
                self._scroll_area.ensureWidgetVisible(card.path_button)
