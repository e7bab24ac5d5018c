"""How surely a document was read, by its own pages."""

from __future__ import annotations

from desktop_qa.core.document import (
    Block,
    BlockKind,
    BoundingBox,
    ColumnRole,
    Provenance,
    ReadingScore,
    Table,
    TableCell,
    TableColumn,
    Word,
)
from desktop_qa.parse.flow import FilledGrid, PageFlow
from desktop_qa.parse.page import PageContent, Rule, StyledWord
from desktop_qa.parse.reading_score import grids_without_table, score_reading
from desktop_qa.parse.table_grid import LineGroup
from tests.parse.sheet import PROSE, read

BOX = BoundingBox(60, 100, 360, 300)


def page_of(words: tuple[Word, ...] = (), grids: tuple[FilledGrid, ...] = ()) -> PageFlow:
    styled = tuple(
        StyledWord(w.text, w.bbox, 10, 0, "", False, False, 0, 0, i, True, 0)
        for i, w in enumerate(words)
    )
    content = PageContent(1, 612, 792, "1", styled, (), (), (), ())
    return PageFlow(content, grids=list(grids))


def limits(confidences: list[float], text: str = "5") -> Table:
    roles = (ColumnRole.SUBJECT, ColumnRole.MAX)
    cells = [
        TableCell(row, column, 1, 1, text, False, (Provenance(1, BOX),), confidence=confidence)
        for row, confidence in enumerate(confidences)
        for column in (0, 1)
    ]
    columns = tuple(TableColumn(role, 1.0) for role in roles)
    n = len(confidences)
    return Table("Table 3", "", "", n, 2, tuple(cells), (), (Provenance(1, BOX),), columns)


def score(
    blocks: tuple[Block, ...] = (),
    tables: tuple[Table, ...] = (),
    page: PageFlow | None = None,
    outline: tuple[int, int] = (0, 0),
) -> ReadingScore:
    return score_reading(blocks, tables, {1: page or page_of()}, *outline)


def lines_of(reading: ReadingScore) -> list[str]:
    return [doubt.line for doubt in reading.doubts]


def test_a_sheet_that_fits_is_read_without_doubts(sheet):
    sheet.lines(60, 120, PROSE)
    reading = read(sheet).document.reading
    assert reading == ReadingScore(1.0)
    assert not reading.is_doubtful


def test_cells_of_values_that_do_not_fit_lower_the_score_and_are_counted():
    reading = score(tables=(limits([0.3] * 12 + [1.0] * 8),))
    assert reading.score == 0.7
    assert reading.is_doubtful
    assert lines_of(reading) == ["Page 1: Table 3: 12 of 20 cells may stand elsewhere"]


def test_few_cells_prove_little():
    assert not score(tables=(limits([0.3, 0.3]),)).is_doubtful


def grid_of(n_rows: int, n_columns: int) -> LineGroup:
    xs = [60 + 60 * k for k in range(n_columns + 1)]
    ys = [100 + 20 * k for k in range(n_rows + 1)]
    return LineGroup(
        [Rule(True, y, xs[0], xs[-1], 0.5) for y in ys],
        [Rule(False, x, ys[0], ys[-1], 0.5) for x in xs],
    )


def words_in_grid(n_rows: int, n_columns: int) -> tuple[Word, ...]:
    return tuple(
        Word("5", BoundingBox(70 + 60 * c, 104 + 20 * r, 80 + 60 * c, 116 + 20 * r))
        for r in range(n_rows)
        for c in range(n_columns)
    )


def test_a_ruled_grid_that_is_in_no_table_is_found():
    content = page_of(words_in_grid(10, 4)).content
    (grid,) = grids_without_table(content, grid_of(10, 4), ())
    assert grid.n_filled == 40
    assert grids_without_table(content, grid_of(10, 4), (grid.bbox,)) == []
    reading = score(page=page_of(grids=(grid,)))
    assert reading.is_doubtful
    assert lines_of(reading) == ["Page 1: a ruled grid with 40 cells of text is in no table"]


def test_cells_of_a_frame_that_are_in_tables_do_not_lack():
    content = page_of(words_in_grid(10, 4)).content
    right, left = BoundingBox(180, 100, 300, 300), BoundingBox(60, 100, 180, 160)
    (grid,) = grids_without_table(content, grid_of(10, 4), (left,))
    assert grid.n_filled == 34
    assert grids_without_table(content, grid_of(10, 4), (left, right)) == []


def test_plots_and_frames_are_no_tables_that_lack():
    assert grids_without_table(page_of().content, grid_of(10, 4), ()) == []
    content = page_of(words_in_grid(10, 1)).content
    assert grids_without_table(content, grid_of(10, 1), ()) == []


def test_headings_of_the_outline_that_are_not_found_lower_the_score():
    reading = score(outline=(20, 12))
    assert reading.is_doubtful
    assert lines_of(reading) == ["Document: 8 of 20 headings of the outline are not found"]


def heading(text: str, page_no: int, top: float) -> Block:
    place = Provenance(page_no, BoundingBox(60, top, 200, top + 12))
    return Block(BlockKind.SECTION_HEADER, text, 1, (place,))


def test_a_heading_at_one_place_of_page_after_page_is_a_running_one():
    running = tuple(heading("Digital Thermometer", n, 50) for n in range(1, 11))
    reading = score(running)
    assert reading.is_doubtful
    assert lines_of(reading) == ["Page 1: the heading “Digital Thermometer” stands on 10 pages"]
    moving = tuple(heading("Description", n, 50 + 20 * n) for n in range(1, 11))
    assert score(moving) == ReadingScore(1.0)


def test_words_that_no_block_holds_lower_the_score():
    page = page_of(words_in_grid(10, 4))
    reading = score(page=page)
    assert reading.is_doubtful
    assert lines_of(reading) == ["Page 1: 40 of 40 words are in no block"]
    held = Block(BlockKind.TEXT, "", 0, (Provenance(1, BOX),))
    assert score((held,), page=page) == ReadingScore(1.0)


def test_the_weakest_witness_is_the_score():
    reading = score(tables=(limits([1.0] * 200),), outline=(20, 0))
    assert reading.score == 0.5
