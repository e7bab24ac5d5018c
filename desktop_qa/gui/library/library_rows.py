"""What the list of documents is made of, how it is arranged and narrowed; without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from desktop_qa.gui.library.library_facets import Choice, Entry, Facet, GroupBy, SortBy
from desktop_qa.gui.library.library_words import revision_label, snippet_at


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the user wants the list; kept for each library.

    Attributes:
        collapsed: Headings whose documents are folded away, by the kind of grouping and name.
        unfolded: Documents whose older revisions are shown.
    """

    group_by: GroupBy = GroupBy.VENDOR
    sort_by: SortBy = SortBy.NAME
    descending: bool = False
    collapsed: frozenset[str] = frozenset()
    unfolded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What must be true of a document to be listed.

    Attributes:
        words: Each must stand in its name, title, vendor, part numbers, path or state.
        choices: One of each facet's must be true.
    """

    words: tuple[str, ...] = ()
    choices: frozenset[Choice] = frozenset()

    def __bool__(self) -> bool:
        """Tell whether anything is asked for."""
        return bool(self.words or self.choices)

    def by_facet(self) -> dict[Facet, set[str]]:
        """Return the values asked for of each facet."""
        found: dict[Facet, set[str]] = {}
        for choice in self.choices:
            found.setdefault(choice.facet, set()).add(choice.value)
        return found


class Row(NamedTuple):
    """A line of the list: a heading, or a document.

    Attributes:
        key: The same as long as it is the same heading or document.
        entry: None for a heading.
        heading: Empty for a document.
        n_under: Documents under a heading; older revisions of a document.
        is_open: Whether what is under it is shown.
        is_older: An older revision, beneath the newest one.
    """

    key: str
    entry: Entry | None
    heading: str = ""
    n_under: int = 0
    is_open: bool = True
    is_older: bool = False


def note_of(row: Row, entry: Entry, words: Sequence[str], *, short: bool = False) -> str:
    """Return what stands behind a name: where a word was found, the revision, several places.

    Args:
        row: Of the document.
        entry: The document.
        words: That are looked for, folded.
        short: In as few letters as can be.
    """
    status = entry.status
    name = entry.name.casefold()
    missing = [word for word in words if word not in name]
    if missing:
        for text in (*status.part_numbers, status.title):
            if snippet := snippet_at(text, missing):
                return snippet
    if row.is_older:
        return revision_label(status) or "older"
    n_places = len(status.files)
    if short:
        return f"×{n_places}" if n_places > 1 else ""
    parts = [f"{row.n_under} older"] if row.n_under else []
    if n_places > 1:
        parts.append(f"{n_places} places")
    return ", ".join(parts)
