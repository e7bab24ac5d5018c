"""The filter of the library's panel: a field, a button with a pop-up, and chips to take away."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop_qa.gui.library.library_facets import Choice, Facet, RevisionKind, StateKind
from desktop_qa.gui.library.library_order import LibraryOrder
from desktop_qa.gui.library.library_rows import Narrowing
from desktop_qa.gui.library.library_words import natural_key
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row

_GAP_PX = 6
_MAX_CHIP_PX = 190
_CROSS = "  ✕"
_ESCAPE = Qt.Key.Key_Escape


class FilterChip(QPushButton):
    """Something that is asked for; a click, Delete or Backspace takes it away."""

    def __init__(self, choice: Choice, parent: QWidget) -> None:
        super().__init__(parent)
        self.choice = choice
        self.setObjectName("scope_chip")
        self.setAccessibleName(f"{choice.facet}: {choice.value}, take this filter away")
        self.setToolTip(f"Only {choice.facet.lower()} “{choice.value}”; click to take it away")
        self.ensurePolished()
        room = _MAX_CHIP_PX - 44
        name = self.fontMetrics().elidedText(choice.value, Qt.TextElideMode.ElideMiddle, room)
        self.setText(f"{name}{_CROSS}".replace("&", "&&"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take it away by Delete and Backspace, too."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.click()
        else:
            super().keyPressEvent(event)


class ChipFlow(QWidget):
    """Chips side by side, in as many lines as they need."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._chips: list[FilterChip] = []

    @property
    def chips(self) -> tuple[FilterChip, ...]:
        """The chips in their order."""
        return tuple(self._chips)

    def show_chips(self, chips: list[FilterChip]) -> None:
        """Show other chips; the earlier ones go."""
        for chip in self._chips:
            chip.hide()
            chip.deleteLater()
        self._chips = chips
        for chip in chips:
            chip.show()
        self.setVisible(bool(chips))
        self._lay_out()

    def _lay_out(self) -> None:
        x = y = line_px = 0
        for chip in self._chips:
            size = chip.sizeHint()
            if x and x + size.width() > self.width():
                x, y = 0, y + line_px + _GAP_PX
            chip.setGeometry(x, y, min(size.width(), max(self.width(), 60)), size.height())
            x += size.width() + _GAP_PX
            line_px = size.height()
        self.setFixedHeight(y + line_px if self._chips else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        super().resizeEvent(event)
        self._lay_out()


class LibraryFilterBar(QWidget):
    """Says what is asked for; knows nothing of rows.

    Attributes:
        changed: With the `Narrowing`.
        left_downwards: Down was pressed in the field: the list is wanted.
        accepted: Enter was pressed in the field.
    """

    changed = Signal(object)
    left_downwards = Signal()
    accepted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = QLineEdit(self)
        self.edit.setObjectName("filter_edit")
        self.filter_button = QToolButton(self)
        self.filter_button.setObjectName("filter_button")
        self.arrange_button = QToolButton(self)
        self.arrange_button.setObjectName("arrange_button")
        self.flow = ChipFlow(self)
        self._choices: frozenset[Choice] = frozenset()
        self._order: LibraryOrder | None = None
        self._popup: QWidget | None = None
        self._is_setting = False
        self._build()
        self.edit.textChanged.connect(self._on_edited)
        self.edit.returnPressed.connect(self.accepted)
        self.edit.installEventFilter(self)
        self.filter_button.clicked.connect(self.open_popup)

    def _build(self) -> None:
        self.edit.setAccessibleName("Filter documents")
        self.edit.setPlaceholderText("Name, vendor, part …")
        self.edit.setToolTip("Only documents that have all of these words (Ctrl+Shift+F)")
        self.edit.setClearButtonEnabled(True)
        # Files dropped here are the window's, not text for the filter.
        self.edit.setAcceptDrops(False)
        self.filter_button.setAccessibleName("Filter by state, vendor, folder or revision")
        self.filter_button.setToolTip("Filter by state, vendor, folder or revision")
        self.arrange_button.setAccessibleName("Group and sort the documents")
        self.arrange_button.setToolTip("Group and sort the documents")
        self.arrange_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        for button in (self.filter_button, self.arrange_button):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setIconSize(QSize(16, 16))
        layout = in_column(self, margins=(12, 0, 8, 8), spacing=8)
        line = in_row(spacing=2, inside=layout)
        line.addWidget(self.edit, 1)
        line.addSpacing(4)
        line.addWidget(self.filter_button)
        line.addWidget(self.arrange_button)
        layout.addWidget(self.flow)
        self.flow.hide()

    def set_order(self, order: LibraryOrder) -> None:
        """Take the documents that the pop-up counts."""
        self._order = order

    # What is asked for

    @property
    def narrowing(self) -> Narrowing:
        """The filter as it stands."""
        return Narrowing(tuple(self.edit.text().casefold().split()), self._choices)

    def ask(self, text: str, choices: frozenset[Choice]) -> None:
        """Ask for something else, words and choices at once."""
        self._is_setting = True
        self.edit.setText(text)
        self._is_setting = False
        self._choose(choices)

    def clear(self) -> None:
        """Ask for nothing."""
        self.ask("", frozenset())

    def step_back(self) -> None:
        """Take the words away; when there are none, all the rest."""
        if self.edit.text():
            self.edit.clear()
        else:
            self._choose(frozenset())

    def _choose(self, choices: frozenset[Choice]) -> None:
        self._choices = choices
        chips = []
        for choice in sorted(choices, key=lambda c: (list(Facet).index(c.facet), c.value)):
            chip = FilterChip(choice, self.flow)
            chip.clicked.connect(partial(self._on_chip_clicked, choice))
            chips.append(chip)
        self.flow.show_chips(chips)
        self.filter_button.setProperty("active", bool(choices))
        self.filter_button.style().unpolish(self.filter_button)
        self.filter_button.style().polish(self.filter_button)
        self.changed.emit(self.narrowing)
        self.refresh_popup()

    def _on_edited(self, _text: str) -> None:
        if not self._is_setting:
            self.changed.emit(self.narrowing)

    def _on_chip_clicked(self, choice: Choice, _checked: bool = False) -> None:
        had_focus = any(chip.hasFocus() for chip in self.flow.chips)
        self._choose(self._choices - {choice})
        if had_focus:
            (self.flow.chips[0] if self.flow.chips else self.edit).setFocus()

    # The pop-up

    def open_popup(self) -> None:
        """Show what can be chosen."""
        from desktop_qa.gui.library.library_filter_popup import FilterPopup

        if self._popup is None:
            popup = FilterPopup(self)
            popup.choice_toggled.connect(self._on_choice_toggled)
            popup.cleared.connect(lambda: self._choose(frozenset()))
            self._popup = popup
        self.refresh_popup(is_opening=True)
        if isinstance(self._popup, FilterPopup):
            self._popup.open_below(self.filter_button)

    @property
    def popup(self) -> QWidget | None:
        """The pop-up once it was opened."""
        return self._popup

    def refresh_popup(self, *, is_opening: bool = False) -> None:
        """Count anew, if anybody looks."""
        popup, order = self._popup, self._order
        if popup is None or order is None or not (is_opening or popup.isVisible()):
            return
        counts = {facet: _listed(facet, order.counts(facet), self._choices) for facet in Facet}
        popup.fill(counts, self._choices, order.n_shown, len(order))  # type: ignore[attr-defined]

    def _on_choice_toggled(self, choice: Choice, is_ticked: bool) -> None:
        self._choose(self._choices | {choice} if is_ticked else self._choices - {choice})

    # Keys and looks

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Esc clear the field, and Down lead to the list."""
        if watched is self.edit and isinstance(event, QKeyEvent):
            if event.key() == _ESCAPE and self.narrowing:
                if event.type() == QEvent.Type.ShortcutOverride:
                    event.accept()
                    return True
                if event.type() == QEvent.Type.KeyPress:
                    self.step_back()
                    return True
            if event.key() == Qt.Key.Key_Down and event.type() == QEvent.Type.KeyPress:
                self.left_downwards.emit()
                return True
        return super().eventFilter(watched, event)

    def apply_theme(self, theme: themes.Theme) -> None:
        """Draw the signs in the colours of the theme."""
        if not self.edit.actions():
            self.edit.addAction(QAction(self), QLineEdit.ActionPosition.LeadingPosition)
        self.edit.actions()[0].setIcon(themes.icon("search", theme.dim))
        self.filter_button.setIcon(themes.icon("filter", theme.dim))
        self.arrange_button.setIcon(themes.icon("arrange", theme.dim))


def _listed(
    facet: Facet, counts: dict[str, int], chosen: frozenset[Choice]
) -> list[tuple[str, int]]:
    """Return the values of a facet in the order of the pop-up; one value alone is no choice."""
    found = dict(counts)
    for choice in chosen:
        if choice.facet is facet:
            found.setdefault(choice.value, 0)
    if facet is Facet.STATE:
        return [(kind.value, found[kind]) for kind in StateKind if kind in found]
    if len(found) < 2 and not any(choice.facet is facet for choice in chosen):
        return []
    if facet is Facet.REVISION:
        return [(kind.value, found[kind]) for kind in RevisionKind if kind in found]
    return sorted(found.items(), key=lambda item: natural_key(item[0]))
