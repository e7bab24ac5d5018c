"""What an answer stands on: cited pieces first, then all tables, sections and figures found."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QTabBar, QVBoxLayout, QWidget

from desktop_qa.core.answer import Evidence
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.similar import SimilarPieces
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.evidence.evidence_card import EvidenceCard
from desktop_qa.gui.evidence.evidence_similar import SimilarList
from desktop_qa.gui.marks.cell_reports import CellReports
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.forms import child, load_form
from desktop_qa.gui.widgets.timers import single_shot

_CITED = "cited"
_NEAREST = "nearest"
_TITLES = {
    _CITED: "Cited",
    SegmentKind.TABLE.value: "Tables",
    SegmentKind.TEXT.value: "Sections",
    SegmentKind.FIGURE.value: "Figures",
}


class EvidenceTabs(QTabBar):
    """Tabs as pills, as wide as their words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)


class EvidencePanel(QWidget):
    """Cards under tabs; a tab without pieces is not shown.

    Where nothing is cited, the nearest places are rows of one list, best first.

    Attributes:
        place_clicked: With (`EvidenceView`, tuple of `Provenance`).
        found_clicked: Likewise, of a piece that is like one of the evidence and not of it.
        heading_clicked: With (`EvidenceView`, number of headings down to the one to be shown).
        menu_requested: With (`EvidenceView`, `QPoint` on the screen).
        similar_requested: With (`EvidenceView`, id of its segment).
        table_enlarge_requested, figure_enlarge_requested: With the `EvidenceView`.
        table_export_requested: With (`EvidenceView`, `TableRows`).
        figure_save_requested: With the `EvidenceView`.
        reports: Of cells that were read wrongly; `None` until the window has them.
    """

    place_clicked = Signal(object, object)
    found_clicked = Signal(object, object)
    heading_clicked = Signal(object, int)
    menu_requested = Signal(object, object)
    similar_requested = Signal(object, str)
    table_enlarge_requested = Signal(object)
    table_export_requested = Signal(object, object)
    figure_enlarge_requested = Signal(object)
    figure_save_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        load_form("evidence_panel.ui", self, {"EvidenceTabs": EvidenceTabs})
        self.heading_label = child(self, QLabel, "heading_label")
        self.tabs = child(self, EvidenceTabs, "tabs")
        self._cards_layout = child(self, QVBoxLayout, "cards_layout")
        self._cards_box = child(self, QWidget, "cards")
        self.similar = SimilarList(self)
        self.similar.hide()
        self.similar.left.connect(self.close_similar)
        self.similar.card_made.connect(partial(self._connect_card, is_found=True))
        self._earlier: list[SimilarPieces] = []
        self._similar_now: SimilarPieces | None = None
        layout = self.layout()
        if layout is not None:
            layout.addWidget(self.similar)
        self.heading_label.hide()
        self.reports: CellReports | None = None
        self._evidence: tuple[EvidenceView, ...] = ()
        self._found: dict[int, Evidence] = {}
        self._compact: frozenset[int] = frozenset()
        self._cards: dict[int, EvidenceCard] = {}
        self._theme = themes.LIGHT
        self._sizes = themes.TextSizes.around(13)
        self._active: int | None = None
        self._next_card_timer = single_shot(self, self._make_next_card)
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
        for card in self.cards:
            self._cards_layout.removeWidget(card)
            card.hide()
            card.deleteLater()
        is_any_cited = any(view.is_cited for view in evidence)
        self._leave_similar()
        self._evidence = evidence if is_any_cited else one_of_each_section(evidence)
        self._found = {piece.marker: piece for piece in found}
        self._compact = frozenset(compact)
        self._cards = {}
        self._active = None
        self.heading_label.setVisible(bool(evidence) and not is_any_cited)
        self.tabs.setVisible(is_any_cited)
        self._fill_tabs(evidence)
        self.setVisible(bool(evidence))

    @property
    def cards(self) -> tuple[EvidenceCard, ...]:
        """The cards made so far: those of the tabs that were opened."""
        return tuple(self._cards.values())

    def _card_of(self, view: EvidenceView) -> EvidenceCard:
        """Return the card of a piece of evidence; made when its tab is opened first."""
        card = self._cards.get(view.marker)
        if card is None:
            card = EvidenceCard(
                view,
                self._theme,
                self._sizes,
                self,
                evidence=self._found.get(view.marker),
                is_compact=self.current_key == _NEAREST or view.marker in self._compact,
                reports=self.reports,
            )
            self._connect_card(card)
            card.set_active(view.is_cited and view.marker == self._active)
            self._cards[view.marker] = card
        return card

    def _connect_card(self, card: EvidenceCard, *, is_found: bool = False) -> None:
        card.place_clicked.connect(self.found_clicked if is_found else self.place_clicked)
        card.heading_clicked.connect(self.heading_clicked)
        card.menu_requested.connect(self.menu_requested)
        card.similar_requested.connect(self.similar_requested)
        card.table_enlarge_requested.connect(self.table_enlarge_requested)
        card.table_export_requested.connect(self.table_export_requested)
        card.figure_enlarge_requested.connect(self.figure_enlarge_requested)
        card.figure_save_requested.connect(self.figure_save_requested)

    # More like a piece

    @property
    def shows_similar(self) -> bool:
        """True while the pieces that are like another one are shown."""
        return not self.similar.isHidden()

    def show_similar_searching(self, of: EvidenceView) -> None:
        """Say in the place of the evidence that more like a piece is sought."""
        if self._similar_now is not None:
            self._earlier.append(self._similar_now)
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
        is_any_cited = any(view.is_cited for view in self._evidence)
        self.similar.setVisible(is_shown)
        self._cards_box.setVisible(not is_shown)
        self.tabs.setVisible(not is_shown and is_any_cited)
        self.heading_label.setVisible(not is_shown and bool(self._evidence) and not is_any_cited)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back from the list of similar pieces."""
        if event.key() == Qt.Key.Key_Escape and self.shows_similar:
            self.close_similar()
        else:
            super().keyPressEvent(event)

    def _fill_tabs(self, evidence: tuple[EvidenceView, ...]) -> None:
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for key, title in _TITLES.items():
            count = sum(_belongs(view, key) for view in evidence)
            if count:
                tab = self.tabs.addTab(f"{title} {count}")
                self.tabs.setTabData(tab, key)
        self.tabs.setCurrentIndex(0)
        self.tabs.blockSignals(False)
        self._on_tab_changed(self.tabs.currentIndex())

    @property
    def current_key(self) -> str:
        """Which tab is open: "cited", or the value of a `SegmentKind`; "nearest" without tabs."""
        if not any(view.is_cited for view in self._evidence):
            return _NEAREST
        key = self.tabs.tabData(self.tabs.currentIndex()) if self.tabs.count() else ""
        return key if isinstance(key, str) else ""

    def _on_tab_changed(self, _index: int) -> None:
        key = self.current_key
        for card in self.cards:
            card.setVisible(_belongs(card.view, key))
        self._make_next_card()

    def _make_next_card(self) -> None:
        """Make the first card that lacks in the open tab; the others in turns of their own.

        A table of many cells takes milliseconds to lay out: several at once would be felt.
        """
        key = self.current_key
        shown = [view for view in self._evidence if _belongs(view, key)]
        missing = [view for view in shown if view.marker not in self._cards]
        if missing:
            self._card_of(missing[0])
        for position, view in enumerate(v for v in shown if v.marker in self._cards):
            # The order of the evidence, whichever tab made the card first.
            card = self._cards[view.marker]
            self._cards_layout.insertWidget(position, card)
            card.show()
        if len(missing) > 1:
            self._next_card_timer.start()

    @property
    def shown_cards(self) -> tuple[EvidenceCard, ...]:
        """The cards of the open tab, made now if they lack."""
        key = self.current_key
        shown = [view for view in self._evidence if _belongs(view, key)]
        while any(view.marker not in self._cards for view in shown):
            self._make_next_card()
        return tuple(self._cards[view.marker] for view in shown)

    def set_active_marker(self, marker: int | None) -> None:
        """Mark the card of the citation that the viewer shows; open its tab when it is hidden."""
        self._active = marker
        for card in self.cards:
            card.set_active(card.view.is_cited and card.view.marker == marker)
        view = self.view_of(marker) if marker is not None else None
        if view is not None and not _belongs(view, self.current_key):
            self._open_tab(view.kind.value)

    def _open_tab(self, key: str) -> None:
        for index in range(self.tabs.count()):
            if self.tabs.tabData(index) == key:
                self.tabs.setCurrentIndex(index)

    def view_of(self, marker: int) -> EvidenceView | None:
        """Return the evidence that a marker points at."""
        cited = (view for view in self._evidence if view.is_cited)
        return next((view for view in cited if view.marker == marker), None)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw the cards in other colours."""
        self._theme, self._sizes = theme, sizes
        self.similar.apply_theme(theme, sizes)
        for card in self.cards:
            card.apply_theme(theme, sizes)


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
