"""One citation at a time, shown in three places: its chip, its card and its page."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal

from desktop_qa.core.document import Provenance
from desktop_qa.core.view import AnswerView, EvidenceView
from desktop_qa.gui.viewer.pdf_highlights import NO_MARKER, Highlight
from desktop_qa.gui.viewer.viewer_list import (
    CitedPlace,
    cited_places,
    in_file,
    neighbour,
    quote_of,
)
from desktop_qa.gui.widgets.messages import NoticeLevel
from desktop_qa.gui.window_parts import Feature, WindowParts

_Key = tuple[str, int, int]


class CitationLink(Feature):
    """Keeps answer, evidence and document at the same citation, whichever was clicked.

    Attributes:
        place_shown: With the `EvidenceView` whose place the document shows.
    """

    place_shown = Signal(object)

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._answer_panel = answer_panel = window.answer_panel
        self._evidence_panel = window.evidence_panel
        self._pdf_panel = pdf_panel = window.pdf_panel
        self._active: _Key | None = None
        answer_panel.answer_text.citation_clicked.connect(self.show_citation)
        answer_panel.model_section.text.citation_clicked.connect(self.show_citation)
        answer_panel.parts.place_clicked.connect(self.show_piece)
        answer_panel.answer_shown.connect(self._on_answer_shown)
        pdf_panel.view.highlight_clicked.connect(self._on_highlight_clicked)
        pdf_panel.document_shown.connect(self._on_document_shown)

    def _on_answer_shown(self, view: AnswerView | None) -> None:
        cited = cited_places(view.evidence if view is not None else ())
        if cited != self._pdf_panel.cited:
            self._pdf_panel.set_cited(cited)
            self._set_active(None)
            self.changed.emit()

    def step(self, direction: int) -> None:
        """Show the next cited place (1) or the one before (-1), through all documents."""
        cited = self._pdf_panel.cited
        on = in_file(cited, self._pdf_panel.path) if self._active is None else ()
        if on:
            # From where the reader is, in the document that is shown.
            page_no, is_on = self._pdf_panel.view.current_page, direction > 0
            ahead = [one for one in on if (one.page_no >= page_no) is is_on]
            nearest, last = (0, -1) if is_on else (-1, 0)
            place = ahead[nearest] if ahead else neighbour(cited, on[last].key, direction)
        else:
            place = neighbour(cited, self._active, direction)
        if place is not None:
            self.show_cited(place)

    def show_cited(self, place: CitedPlace) -> None:
        """Show one cited place; its whole citation is marked."""
        view = self._evidence_panel.view_of(place.marker)
        if view is not None:
            self.show_place(view, view.places, at=place.places)

    def show_citation(self, marker: int) -> None:
        """Show what a marker of the answer points at."""
        view = self._evidence_panel.view_of(marker)
        if view is not None:
            self.show_place(view, view.places)

    def show_again(self, marker: int | None) -> None:
        """Have a citation active as it was before; no pane is opened for it."""
        self._mark(marker)
        if marker is not None and self._pdf_panel.isVisible():
            self.show_citation(marker)

    def show_piece(self, view: EvidenceView, places: tuple[Provenance, ...]) -> None:
        """Show places of a piece, be it of the answer on screen, of one before it or of none.

        What the answer does not rest on, as the nearest places of a refusal, has no number beside
        its page and not the colour of a citation.
        """
        answer = self._answer_panel.view
        is_shown = answer is not None and any(piece is view for piece in answer.evidence)
        if is_shown and view.is_cited:
            self.show_place(view, places)
        else:
            self.show_found(view, places)

    def show_found(self, view: EvidenceView, places: tuple[Provenance, ...]) -> None:
        """Show places of a piece's document that the answer does not cite."""
        if view.path:
            self.place_shown.emit(view)
            self.look_up(Path(view.path), places)
        else:
            self._say_lost(view.file)

    def show_place(
        self,
        view: EvidenceView,
        places: tuple[Provenance, ...],
        *,
        at: tuple[Provenance, ...] = (),
    ) -> None:
        """Show places of a cited piece among all that the answer cites in its document.

        The first of them is brought into view, unless `at` names others.
        """
        marker = view.marker
        self._mark(marker)
        if not view.path:
            self._say_lost(view.file)
            return
        path = Path(view.path)
        others = [one for one in self._pdf_panel.cited_in(path) if one.marker != marker]
        highlights = (*others, Highlight(marker, tuple(places), quote_of(view)))
        self.place_shown.emit(view)
        target = at or tuple(places)
        self._pdf_panel.show_places(path, target, highlights, marker)
        self._set_active((view.path, marker, target[0].page_no) if target else None)

    def look_up(self, path: Path, places: tuple[Provenance, ...]) -> None:
        """Show places of a document that no answer cites, among those that one does."""
        self._mark(None)
        highlights = (*self._pdf_panel.cited_in(path), Highlight(NO_MARKER, places))
        self._pdf_panel.show_places(path, places, highlights, NO_MARKER)
        self._set_active(None)

    def _say_lost(self, file: str) -> None:
        """Say that a file which an earlier answer cites is not there as it was."""
        name = file.rsplit("/", 1)[-1] or "The document"
        self._messages.say(
            f"{name} has changed or left the library, so this place cannot be shown.",
            "Its words are kept with the answer.",
            level=NoticeLevel.WARNING,
            key="history",
            passes=True,
        )

    def _mark(self, marker: int | None) -> None:
        self._answer_panel.set_active_marker(marker)
        self._evidence_panel.set_active_marker(marker)

    def _set_active(self, key: _Key | None) -> None:
        self._active = key
        self._pdf_panel.side_bar.cited.set_active(key)

    def _on_document_shown(self, path: Path) -> None:
        """Tell that another document shows no cited place; stepping goes on from the last one."""
        is_here = self._active is not None and self._active[0] == str(path)
        self._pdf_panel.side_bar.cited.set_active(self._active if is_here else None)

    def _on_highlight_clicked(self, marker: int) -> None:
        self._mark(marker)
        page_no = self._pdf_panel.view.current_page
        here = in_file(self._pdf_panel.cited, self._pdf_panel.path)
        of_marker = [one for one in here if one.marker == marker]
        nearest = min(of_marker, key=lambda one: abs(one.page_no - page_no), default=None)
        self._set_active(nearest.key if nearest is not None else None)
        for card in self._evidence_panel.shown_cards:
            if card.view.is_cited and card.view.marker == marker:
                self._window.answer_scroll.ensureWidgetVisible(card.path_button)
