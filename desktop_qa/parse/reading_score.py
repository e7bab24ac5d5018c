"""How well a document was read, by what its own pages say: no other reading is needed.

Three witnesses, each a share of what must be sure: cells that fit their row and column, of all
cells and those of ruled grids that are in no table; headings that the outline names; words that
some block holds. The least of them is the score, since a value out of a wrong table is no better
for the prose around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from desktop_qa.core.document import (
    IDENTITY,
    Block,
    BlockKind,
    BoundingBox,
    Doubt,
    ReadingScore,
    Table,
)
from desktop_qa.parse.boxes import share_covered
from desktop_qa.parse.flow import FilledGrid, PageFlow
from desktop_qa.parse.page import PageContent
from desktop_qa.parse.table_grid import LineGroup, build_lattice, extent, find_grids

MIN_CELL_CONFIDENCE = 0.5
"""A cell below it more likely stands under another head than not."""

_PRIOR = 20
"""Sure ones that every share begins with: few cells or headings prove little."""

_MIN_SIDE = 2
"""Rows and columns of a grid; what has fewer is a frame."""

_MIN_CELLS = 6
_MAX_COVERED = 0.4
"""Share of a grid that is a table, or a frame around plots."""

_MIN_FILLED = 0.5
"""Share of a grid's cells that hold words; others are plots and forms."""

_MARGIN_PT = 2.0
_MAX_ON_PAGES = 3
"""A heading that stands on more pages is a running one."""


def score_reading(
    blocks: Sequence[Block],
    tables: Sequence[Table],
    pages: Mapping[int, PageFlow],
    n_outlined: int,
    n_matched: int,
) -> ReadingScore:
    """Return how surely a document was read and what is in doubt, in the order of the pages."""
    parts = (_cells(tables, pages), _headings(blocks, n_outlined, n_matched), _words(blocks, pages))
    doubts = sorted((d for _, of in parts for d in of), key=lambda doubt: doubt.page_no)
    return ReadingScore(round(min(share for share, _ in parts), 3), tuple(doubts))


def grids_without_table(
    page: PageContent, lines: LineGroup, tables: Iterable[BoundingBox]
) -> list[FilledGrid]:
    """Return the grids of rules that words fill, as far as they are not in tables."""
    taken = tuple(tables)
    found = []
    for group in find_grids(lines):
        box = extent(group)
        words = [word.bbox for word in page.words if box.contains_center(word.bbox)]
        if len(words) < _MIN_CELLS or share_covered(box, taken) > _MAX_COVERED:
            continue
        lattice = build_lattice(group)
        if lattice is None:
            continue
        boxes = [lattice.box_of(slot) for slot in lattice.slots]
        # A frame around the page has the tables of the page in it.
        free = [b for b in boxes if not any(table.contains_center(b) for table in taken)]
        if min(lattice.n_rows, lattice.n_columns) < _MIN_SIDE or len(free) < _MIN_CELLS:
            continue
        n_filled = sum(any(map(b.contains_center, words)) for b in free)
        if n_filled >= _MIN_FILLED * len(free):
            found.append(FilledGrid(box, n_filled))
    return found


_Part = tuple[float, list[Doubt]]


def _share(n_doubtful: int, n: int) -> float:
    return 1 - n_doubtful / (n + _PRIOR)


def _cells(tables: Sequence[Table], pages: Mapping[int, PageFlow]) -> _Part:
    doubts: list[Doubt] = []
    n_all = n_doubtful = 0
    for index, table in enumerate(tables):
        # Names count by what they name, and a table that could not be read has no columns.
        names = {i for i, column in enumerate(table.columns) if column.role in IDENTITY}
        cells = [
            cell
            for cell in table.cells
            if cell.text and not cell.is_header and cell.column not in names
        ]
        doubtful = [cell for cell in cells if cell.confidence < MIN_CELL_CONFIDENCE]
        n_all, n_doubtful = n_all + len(cells), n_doubtful + len(doubtful)
        name = table.label or table.caption or f"Table {index + 1}"
        on_pages = Counter(p.page_no for cell in doubtful for p in cell.provenances[:1])
        doubts += [
            Doubt(page_no, f"{name}: {n} of {len(cells)} cells may stand elsewhere")
            for page_no, n in on_pages.items()
        ]
    for page_no, page in pages.items():
        figures = [figure.bbox for figure in page.figures]
        for grid in page.grids:
            if share_covered(grid.bbox, figures) <= _MAX_COVERED:
                n_all, n_doubtful = n_all + grid.n_filled, n_doubtful + grid.n_filled
                what = f"a ruled grid with {grid.n_filled} cells of text is in no table"
                doubts.append(Doubt(page_no, what))
    return _share(n_doubtful, n_all), doubts


def _headings(blocks: Sequence[Block], n_outlined: int, n_matched: int) -> _Part:
    """Hold headings against the outline; one at its place on page after page is a running one."""
    n_missing = n_outlined - n_matched
    doubts = []
    if n_missing:
        doubts = [Doubt(0, f"{n_missing} of {n_outlined} headings of the outline are not found")]
    headings = [b for b in blocks if b.kind == BlockKind.SECTION_HEADER and b.provenances]
    pages: dict[tuple[str, int], list[int]] = {}
    for block in headings:
        place = block.provenances[0]
        pages.setdefault((block.text, round(place.bbox.top)), []).append(place.page_no)
    running = {text: on for (text, _), on in pages.items() if len(on) > _MAX_ON_PAGES}
    doubts += [
        Doubt(on[0], f"the heading “{text}” stands on {len(on)} pages")
        for text, on in running.items()
    ]
    return _share(n_missing + sum(map(len, running.values())), n_outlined or len(headings)), doubts


def _words(blocks: Sequence[Block], pages: Mapping[int, PageFlow]) -> _Part:
    boxes: dict[int, list[BoundingBox]] = {}
    for block in blocks:
        for place in block.provenances:
            boxes.setdefault(place.page_no, []).append(place.bbox)
    doubts: list[Doubt] = []
    n_all = n_outside = 0
    for page_no, page in pages.items():
        words = [w for w in page.content.words if w.text and not w.angle % 90 and not w.hidden]
        n = _n_outside([word.bbox for word in words], boxes.get(page_no, []))
        n_all, n_outside = n_all + len(words), n_outside + n
        if n:
            doubts.append(Doubt(page_no, f"{n} of {len(words)} words are in no block"))
    return _share(n_outside, n_all), doubts


def _n_outside(words: Sequence[BoundingBox], boxes: Iterable[BoundingBox]) -> int:
    if not words:
        return 0
    x = np.array([(box.left + box.right) / 2 for box in words])
    y = np.array([(box.top + box.bottom) / 2 for box in words])
    inside = np.zeros(len(words), dtype=bool)
    for box in boxes:
        inside |= (
            (x >= box.left - _MARGIN_PT)
            & (x <= box.right + _MARGIN_PT)
            & (y >= box.top - _MARGIN_PT)
            & (y <= box.bottom + _MARGIN_PT)
        )
    return int((~inside).sum())
