"""What an answer stands on: cited pieces first, then all tables, sections and figures found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QLabel, QTabBar, QVBoxLayout, QWidget

from desktop_qa.core.answer import Evidence
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.similar import SimilarPiece, SimilarPieces
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.evidence.evidence_card import EvidenceCard, Wishes
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.marks.mark_book import MarkBook
from desktop_qa.gui.widgets.boxes import in_column, in_row, put, take_away
from desktop_qa.gui.widgets.buttons import LinkButton
from desktop_qa.gui.widgets.dialog_parts import child, load_form
from desktop_qa.gui.widgets.labels import breakable_label, plain_label, say, show_breakable
from desktop_qa.gui.widgets.theme import tint
from desktop_qa.gui.widgets.timers import SteppedWork

_MOST_TITLE = 90
_GROUPS = ("In other documents", "In this document")
_CITED = "cited"
_NEAREST = "nearest"
_TITLES = {
    _CITED: "Cited",
    SegmentKind.TABLE.value: "Tables",
    SegmentKind.TEXT.value: "Sections",
    SegmentKind.FIGURE.value: "Figures",
}


class SimilarList(QWidget):
    """Shows what is like a piece, in other documents first."""

    def __init__(self, wishes: Wishes, parent: QWidget) -> None:
        super().__init__(parent)
        self._wishes = wishes
        self.cards: list[EvidenceCard] = []
        self.headings: list[QLabel] = []
        tip = "Show the evidence of the answer again (Esc)"
        self.back_button = LinkButton(self, "Back to the evidence", tip)
        self.back_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        tint(self.back_button, "back", "accent")
        self.title_label = breakable_label(self, "table_title")
        self.of_label = breakable_label(self, "caption")
        self.note_label = breakable_label(self, "caption")
        self._layout = in_column(self, margins=(0, 0, 0, 0), spacing=10)
        put(in_row(inside=self._layout), self.back_button, None)
        put(in_column(spacing=2, inside=self._layout), self.title_label, self.of_label)
        self._layout.addWidget(self.note_label)

    def show_note(self, words: str) -> None:
        """Show no pieces, and say why."""
        take_away(self._layout, (*self.cards, *self.headings))
        self.cards, self.headings = [], []
        say(self.note_label, words)

    def show_searching(self, of: EvidenceView) -> None:
        """Say what is sought."""
        self.show_note("Searching …")
        heading = (of.section_path or (of.file,))[-1]
        short = heading if len(heading) <= _MOST_TITLE else f"{heading[: _MOST_TITLE - 1]}…"
        show_breakable(self.title_label, f"More like “{short}”")
        show_breakable(self.of_label, f"{of.file} · page {of.page}")

    def show_pieces(self, found: SimilarPieces) -> None:
        """Show what was found."""
        self.show_searching(found.of)
        nothing = "Nothing in this library is like it."
        say(self.note_label, "" if found.elsewhere or found.here else nothing)
        for title, pieces in zip(_GROUPS, (found.elsewhere, found.here), strict=True):
            if pieces:
                label = plain_label(f"{title} · {len(pieces)}", self, "heading_label")
                self.headings.append(label)
                self._layout.addWidget(label)
                for piece in pieces:
                    self._add_card(piece)

    def _add_card(self, piece: SimilarPiece) -> None:
        note = f"Shares {', '.join(piece.shared)}" if piece.shared else ""
        segment = piece.segment_id
        card = EvidenceCard(
            piece.view, self._wishes, self, segment_id=segment, is_compact=True, note=note
        )
        self.cards.append(card)
        self._layout.addWidget(card)


class EvidencePanel(QWidget):
    """Cards under tabs; a tab without pieces is not shown.

    Where nothing is cited, the nearest places are rows of one list, best first.

    Attributes:
        wishes: What the user wants done with the pieces shown.
        reports: Of cells that were read wrongly; `None` until the window has them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        load_form("evidence_panel.ui", self, {"EvidenceTabs": QTabBar})
        self.heading_label = child(self, QLabel, "heading_label")
        self.tabs = child(self, QTabBar, "tabs")
        self._cards_layout = child(self, QVBoxLayout, "cards_layout")
        self._cards_box = child(self, QWidget, "cards")
        self.wishes = Wishes(self)
        self.similar = SimilarList(self.wishes, self)
        self.similar.hide()
        self.similar.back_button.clicked.connect(self.close_similar)
        on_keys(self, {"Esc": self.close_similar}, when=lambda: self.shows_similar)
        self._earlier: list[SimilarPieces] = []
        self._similar_now: SimilarPieces | None = None
        layout = self.layout()
        if layout is not None:
            layout.addWidget(self.similar)
        self.heading_label.hide()
        self.reports: MarkBook | None = None
        self._evidence: tuple[EvidenceView, ...] = ()
        self._is_any_cited = False
        self._found: dict[int, Evidence] = {}
        self._compact: frozenset[int] = frozenset()
        self._cards: dict[int, EvidenceCard] = {}
        self._active: int | None = None
        self._making = SteppedWork(self)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.hide()

    def show_evidence(
        self,
        evidence: tuple[EvidenceView, ...],
        found: Iterable[Evidence] = (),
        compact: Iterable[int] = (),
    ) -> None:
        """Show the evidence of another answer.

        Args:
            evidence: Best first.
            found: How the pieces were found.
            compact: Markers of the pieces that the answer itself shows: a line of each is enough.
        """
        take_away(self._cards_layout, self.cards)
        self._is_any_cited = any(view.is_cited for view in evidence)
        self._evidence = evidence if self._is_any_cited else one_of_each_section(evidence)
        self._leave_similar()
        self._found = {piece.marker: piece for piece in found}
        self._compact = frozenset(compact)
        self._cards = {}
        self._active = None
        self._fill_tabs(evidence)
        self.setVisible(bool(evidence))

    @property
    def cards(self) -> tuple[EvidenceCard, ...]:
        """The cards made so far: those of the tabs that were opened."""
        return tuple(self._cards.values())

    def _make_card(self, view: EvidenceView) -> EvidenceCard:
        card = EvidenceCard(
            view,
            self.wishes,
            self,
            evidence=self._found.get(view.marker),
            is_compact=self.current_key == _NEAREST or view.marker in self._compact,
            reports=self.reports,
        )
        card.set_active(view.is_cited and view.marker == self._active)
        self._cards[view.marker] = card
        return card

    # More like a piece

    @property
    def shows_similar(self) -> bool:
        """True while the pieces that are like another one are shown."""
        return not self.similar.isHidden()

    def show_similar_searching(self, of: EvidenceView) -> None:
        """Say in the place of the evidence that more like a piece is sought."""
        if self._similar_now is not None:
            self._earlier.append(self._similar_now)
            self._similar_now = None
        self.similar.show_searching(of)
        self._show_only_similar(True)
        self.similar.back_button.setFocus()

    def show_similar(self, found: SimilarPieces) -> None:
        """Show what is like a piece."""
        self._similar_now = found
        self.similar.show_pieces(found)

    def close_similar(self) -> None:
        """Go back to the pieces shown before, in the end to the evidence."""
        if self._earlier:
            self.show_similar(self._earlier.pop())
        else:
            self._leave_similar()

    def _leave_similar(self) -> None:
        self._earlier, self._similar_now = [], None
        self._show_only_similar(False)

    def _show_only_similar(self, is_shown: bool) -> None:
        self.similar.setVisible(is_shown)
        self._cards_box.setVisible(not is_shown)
        self.tabs.setVisible(not is_shown and self._is_any_cited)
        is_nearest = bool(self._evidence) and not self._is_any_cited
        self.heading_label.setVisible(not is_shown and is_nearest)

    def _fill_tabs(self, evidence: tuple[EvidenceView, ...]) -> None:
        with QSignalBlocker(self.tabs):
            while self.tabs.count():
                self.tabs.removeTab(0)
            for key, title in _TITLES.items():
                count = sum(_belongs(view, key) for view in evidence)
                if count:
                    tab = self.tabs.addTab(f"{title} {count}")
                    self.tabs.setTabData(tab, key)
            self.tabs.setCurrentIndex(0)
        self._on_tab_changed(self.tabs.currentIndex())

    @property
    def current_key(self) -> str:
        """Which tab is open: "cited", or the value of a `SegmentKind`; "nearest" without tabs."""
        if not self._is_any_cited:
            return _NEAREST
        key = self.tabs.tabData(self.tabs.currentIndex()) if self.tabs.count() else ""
        return key if isinstance(key, str) else ""

    @property
    def _wanted(self) -> list[EvidenceView]:
        """The pieces of the open tab."""
        key = self.current_key
        return [view for view in self._evidence if _belongs(view, key)]

    def _on_tab_changed(self, _index: int) -> None:
        key = self.current_key
        for card in self.cards:
            card.setVisible(_belongs(card.view, key))
        cards = self._make_cards()
        next(cards, None)  # at once
        self._making.start(cards)

    def _make_cards(self) -> Iterator[None]:
        """Make the cards that lack in the open tab, each in a turn of its own.

        A table of many cells takes milliseconds to lay out: several at once would be felt.
        """
        for position, view in enumerate(self._wanted):
            card = self._cards.get(view.marker)
            is_new = card is None
            card = card or self._make_card(view)
            # The order of the evidence, whichever tab made the card first.
            self._cards_layout.insertWidget(position, card)
            card.show()
            if is_new:
                yield

    @property
    def shown_cards(self) -> tuple[EvidenceCard, ...]:
        """The cards of the open tab, made now if they lack."""
        self._making.finish()
        return tuple(self._cards[view.marker] for view in self._wanted)

    def set_active_marker(self, marker: int | None) -> None:
        """Mark the card of the citation that the viewer shows; open its tab when it is hidden."""
        self._active = marker
        for card in self.cards:
            card.set_active(card.view.is_cited and card.view.marker == marker)
        view = self.view_of(marker) if marker is not None else None
        if view is not None and not _belongs(view, self.current_key):
            keys = map(self.tabs.tabData, range(self.tabs.count()))
            self.tabs.setCurrentIndex(list(keys).index(view.kind.value))

    def view_of(self, marker: int) -> EvidenceView | None:
        """Return the evidence that a marker points at."""
        cited = (view for view in self._evidence if view.is_cited)
        return next((view for view in cited if view.marker == marker), None)


def one_of_each_section(evidence: tuple[EvidenceView, ...]) -> tuple[EvidenceView, ...]:
    """Return the best piece of each section: rows of one table are one place to look at."""
    first: dict[tuple[str, tuple[str, ...], str, str], EvidenceView] = {}
    for view in evidence:
        first.setdefault((view.document_id, view.section_path, view.kind, view.caption), view)
    return tuple(first.values())


def _belongs(view: EvidenceView, key: str) -> bool:
    if key == _NEAREST:
        return True
    return view.is_cited if key == _CITED else view.kind.value == key
