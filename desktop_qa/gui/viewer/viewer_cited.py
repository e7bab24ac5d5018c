"""Places of documents that the current answer cites: how they are visited, and their list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal

from desktop_qa.core.document import Provenance
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.viewer.viewer_list import ViewerList, ViewerRow
from desktop_qa.gui.widgets.labels import n_of

_NO_ANSWER = "Ask something: the places that the answer cites are listed here."
_NOT_HERE = "None in this document"


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """What one citation points at on one page.

    Attributes:
        section: Headings over it, the outermost first, without the document's title.
        quote: The cited words; of a table or figure what it is called.
        page: The page for people: "45 (PDF 47)" where it prints another number.
    """

    marker: int
    path: Path
    page_no: int
    section: tuple[str, ...]
    quote: str
    places: tuple[Provenance, ...]
    page: str

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from all others of an answer."""
        return str(self.path), self.marker, self.page_no

    @property
    def top(self) -> float:
        """Height on the page in points."""
        return min((place.bbox.top for place in self.places), default=0.0)


def cited_places(evidence: Sequence[EvidenceView]) -> tuple[CitedPlace, ...]:
    """Return the places that an answer cites, down the pages, the document cited first first."""
    found: list[CitedPlace] = []
    order: dict[str, int] = {}
    for view in evidence:
        if not view.is_cited or not view.path:
            continue
        order.setdefault(view.path, len(order))
        for page_no in dict.fromkeys(place.page_no for place in view.places):
            places = tuple(place for place in view.places if place.page_no == page_no)
            path, section = Path(view.path), view.section_path[1:]
            quote, page = quote_of(view), view.page_name(page_no)
            found.append(CitedPlace(view.marker, path, page_no, section, quote, places, page))
    return tuple(sorted(found, key=lambda one: (order[str(one.path)], one.page_no, one.top)))


def quote_of(view: EvidenceView) -> str:
    """Return the words that stand for a piece of evidence in one line."""
    words = " … ".join(quote.strip() for quote in view.quotes if quote.strip())
    return " ".join((words or view.caption or view.text).split())


def neighbour(
    places: Sequence[CitedPlace], here: tuple[str, int, int] | None, step: int
) -> CitedPlace | None:
    """Return the place before (-1) or after (1) one, around the ends; None when there is none."""
    if not places:
        return None
    keys = [place.key for place in places]
    if here not in keys:
        return places[0 if step > 0 else -1]
    return places[(keys.index(here) + step) % len(places)]


def in_file(places: Iterable[CitedPlace], path: Path | None) -> tuple[CitedPlace, ...]:
    """Return those of one document."""
    return tuple(place for place in places if place.path == path)


class CitedList(ViewerList):
    """Lists them by page: those of the document that is shown, then the others."""

    place_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("Cited places")
        self._places: tuple[CitedPlace, ...] = ()
        self._path: Path | None = None
        self._active: tuple[str, int, int] | None = None
        self.setContentsMargins(0, 4, 0, 0)
        self.view.chosen.connect(self._on_chosen)
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
            self.bring_into_view(key)

    def _refresh(self) -> None:
        here = in_file(self._places, self._path)
        rows: list[ViewerRow] = []
        if here:
            rows.append(ViewerRow(None, f"{n_of(len(here), 'place')} in this document"))
            rows += [self._row(place) for place in here]
        elif self._places:
            rows.append(ViewerRow(None, _NOT_HERE))
        others = [place for place in self._places if place.path != self._path]
        for path in dict.fromkeys(place.path for place in others):
            of_path = in_file(others, path)
            rows.append(ViewerRow(None, f"{len(of_path)} in {path.name}"))
            rows += [self._row(place) for place in of_path]
        self.show_rows(rows, _NO_ANSWER)

    def _row(self, place: CitedPlace) -> ViewerRow:
        return ViewerRow(
            key=place.key,
            text=place.quote,
            detail=" › ".join(place.section),
            tag=f"p. {place.page}",
            chip=str(place.marker),
            is_active=place.key == self._active,
        )

    def _on_chosen(self, key: object) -> None:
        self.place_chosen.emit(next(place for place in self._places if place.key == key))
