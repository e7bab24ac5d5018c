"""Places of a document that an answer cites, as the viewer lists and visits them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_qa.core.document import Provenance
from desktop_qa.core.view import EvidenceView


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """What one citation points at on one page.

    Attributes:
        marker: Number of the citation.
        path: Of the document.
        page_no: 1-based.
        section: Headings over it, the outermost first, without the document's title.
        quote: The cited words; of a table or figure what it is called.
        places: On that page.
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
    def name(self) -> str:
        """File name of the document."""
        return self.path.name

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from all others of an answer."""
        return str(self.path), self.marker, self.page_no

    @property
    def top(self) -> float:
        """Height on the page in points."""
        return min((place.bbox.top for place in self.places), default=0.0)


def cited_places(evidence: Sequence[EvidenceView]) -> tuple[CitedPlace, ...]:
    """Return the places that an answer cites, down the pages of one document after the other.

    The documents stand in the order of their first citations.
    """
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
