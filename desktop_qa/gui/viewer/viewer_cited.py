"""The places of the current answer, beside the pages: those of this document, then the others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_qa.gui.viewer.viewer_list import ViewerList
from desktop_qa.gui.viewer.viewer_places import CitedPlace, in_file
from desktop_qa.gui.viewer.viewer_rows import ViewerRow
from desktop_qa.gui.widgets import theme as themes

_NO_ANSWER = "Ask something: the places that the answer cites are listed here."
_NOT_HERE = "None in this document"


class CitedPanel(QWidget):
    """Lists them by page.

    Signals:
        place_chosen: With the `CitedPlace` to go to.
    """

    place_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = ViewerList("Cited places")
        self._places: tuple[CitedPlace, ...] = ()
        self._path: Path | None = None
        self._active: tuple[str, int, int] | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(self.list)
        self.list.view.chosen.connect(self._on_list_chosen)
        self._refresh()

    def show_places(self, places: Sequence[CitedPlace]) -> None:
        """Show what another answer cites."""
        self._places = tuple(places)
        self._refresh()

    def show_document(self, path: Path | None) -> None:
        """Put the places of this document first."""
        self._path = path
        self._refresh()

    def set_active(self, key: tuple[str, int, int] | None) -> None:
        """Mark the place that the viewer shows."""
        self._active = key
        self._refresh()
        if key is not None:
            self.list.bring_into_view(key)

    def _refresh(self) -> None:
        here = in_file(self._places, self._path)
        rows: list[ViewerRow] = []
        if here:
            n_here = f"{len(here)} place{'s' if len(here) != 1 else ''} in this document"
            rows.append(ViewerRow(None, n_here))
            rows += [self._row(place) for place in here]
        elif self._places:
            rows.append(ViewerRow(None, _NOT_HERE))
        others = [place for place in self._places if place.path != self._path]
        for path in dict.fromkeys(place.path for place in others):
            of_path = in_file(others, path)
            rows.append(ViewerRow(None, f"{len(of_path)} in {path.name}"))
            rows += [self._row(place) for place in of_path]
        self.list.show_rows(rows, _NO_ANSWER)

    def _row(self, place: CitedPlace) -> ViewerRow:
        return ViewerRow(
            key=place.key,
            text=place.quote,
            detail=" › ".join(place.section),
            tag=f"p. {place.page}",
            chip=str(place.marker),
            is_active=place.key == self._active,
        )

    def _on_list_chosen(self, key: object) -> None:
        for place in self._places:
            if place.key == key:
                self.place_chosen.emit(place)

    def apply_theme(self, theme: themes.Theme, sizes: themes.TextSizes) -> None:
        """Draw in other colours."""
        self.list.apply_theme(theme, sizes)
