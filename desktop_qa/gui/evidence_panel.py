"""What an answer stands on: cited pieces first, then all tables, sections and figures found."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QTabBar, QVBoxLayout, QWidget

from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui import theme as themes
from desktop_qa.gui.evidence_card import EvidenceCard
from desktop_qa.gui.forms import child, load_form

_CITED = "cited"
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

    Attributes:
        place_clicked: With (`EvidenceView`, tuple of `Provenance`).
    """

    place_clicked = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        load_form("evidence_panel.ui", self, {"EvidenceTabs": EvidenceTabs})
        self.heading_label = child(self, QLabel, "heading_label")
        self.tabs = child(self, EvidenceTabs, "tabs")
        self._cards_layout = child(self, QVBoxLayout, "cards_layout")
        self.heading_label.hide()
        self.cards: tuple[EvidenceCard, ...] = ()
        self._theme = themes.LIGHT
        self._sizes = themes.TextSizes.around(13)
        self._active: int | None = None
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.hide()

    def show_evidence(self, evidence: tuple[EvidenceView, ...]) -> None:
        """Show the evidence of another answer."""
        for card in self.cards:
            self._cards_layout.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._active = None
        self.cards = tuple(self._make_card(view) for view in evidence)
        is_any_cited = any(view.is_cited for view in evidence)
        self.heading_label.setVisible(bool(evidence) and not is_any_cited)
        self._fill_tabs(evidence)
        self.setVisible(bool(evidence))

    def _make_card(self, view: EvidenceView) -> EvidenceCard:
        card = EvidenceCard(view, self._theme, self._sizes, self)
        card.place_clicked.connect(self.place_clicked)
        self._cards_layout.addWidget(card)
        return card

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
        """Which tab is open: "cited", or the value of a `SegmentKind`."""
        key = self.tabs.tabData(self.tabs.currentIndex()) if self.tabs.count() else ""
        return key if isinstance(key, str) else ""

    def _on_tab_changed(self, _index: int) -> None:
        key = self.current_key
        for card in self.cards:
            card.setVisible(_belongs(card.view, key))

    @property
    def shown_cards(self) -> tuple[EvidenceCard, ...]:
        """The cards of the open tab."""
        return tuple(card for card in self.cards if _belongs(card.view, self.current_key))

    def set_active_marker(self, marker: int | None) -> None:
        """Mark the card of the citation that the viewer shows; open its tab when it is hidden."""
        self._active = marker
        for card in self.cards:
            is_active = card.view.is_cited and card.view.marker == marker
            card.set_active(is_active)
            if is_active and not _belongs(card.view, self.current_key):
                self._open_tab(card.view.kind.value)

    def _open_tab(self, key: str) -> None:
        for index in range(self.tabs.count()):
            if self.tabs.tabData(index) == key:
                self.tabs.setCurrentIndex(index)

    def view_of(self, marker: int) -> EvidenceView | None:
        """Return the evidence that a marker points at."""
        views = (card.view for card in self.cards)
        return next((view for view in views if view.is_cited and view.marker == marker), None)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw the cards in other colours."""
        self._theme, self._sizes = theme, sizes
        for card in self.cards:
            card.apply_theme(theme, sizes)


def _belongs(view: EvidenceView, key: str) -> bool:
    return view.is_cited if key == _CITED else view.kind.value == key
