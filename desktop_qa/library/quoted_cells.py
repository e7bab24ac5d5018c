"""Whether what an earlier answer quotes of a table still stands in cells at the same places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from desktop_qa.core.answer import Citation
from desktop_qa.core.document import Provenance, Table


def stand_in_cells(tables: Sequence[Table], citation: Citation) -> bool:
    """Tell whether each quote of a table is still the whole of a cell, or of what is beside cells.

    Args:
        tables: Of the document, as they are read now.
        citation: Of one of them. Without the number of places of each quote, as an earlier version
            kept it, nothing can be told, and it passes.
    """
    rest = iter(citation.places)
    beside = _plain(" ".join(" ".join((t.label, t.caption, *t.notes)) for t in tables))
    for quote, n_places in zip(citation.quote, citation.n_places, strict=False):
        places = tuple(islice(rest, n_places))
        texts = [
            _plain(cell.text)
            for table in tables
            for cell in table.cells
            if any(_overlap(one, place) for one in cell.provenances for place in places)
        ]
        if _plain(quote) not in (texts or beside):
            return False
    return True


def _overlap(cell: Provenance, place: Provenance) -> bool:
    return cell.page_no == place.page_no and (
        cell.bbox.contains_center(place.bbox) or place.bbox.contains_center(cell.bbox)
    )


def _plain(text: str) -> str:
    return "".join(text.split())
