from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.evaluate.structure.captions import compare_captions, standing_captions
from tests.augment.builders import document, figure, table
from tests.evaluate.structure.pages import HEIGHT, WIDTH, line, page

CELLS = [["Parameter", "Max"], ["Supply current", "5 mA"]]


def area(_page_no: int) -> float:
    return WIDTH * HEIGHT


def test_captions_are_told_from_sentences_cells_and_lists_of_figures():
    text = page(
        1,
        [line("Table 1. Absolute Maximum Ratings", 100)],
        [line("Figure 7-2. Timing Diagram", 200)],
        [line("FIGURE 3: Block Diagram", 250)],
        [line("Figure 4 shows the timing of the bus.", 300)],
        [line("The current rises with the temperature of the die as in", 320),
         line("Figure 5 Output Current", 332)],
        [line("Table 9", 400)],
    )  # fmt: skip
    listed = page(
        2, [line(f"Figure {n}. Something ............ {n}", 100 + 20 * n) for n in range(1, 6)]
    )
    found = standing_captions([text, listed])
    assert [(c.is_table, c.number) for c in found] == [(True, "1"), (False, "7-2"), (False, "3")]


def test_a_table_counts_only_with_two_rows_and_columns():
    captions = standing_captions(
        [page(1, [line("Table 1. Limits", 100)], [line("Table 2. Bits", 200)])]
    )
    one_row = table([["b7", "b6"]], label="Table 2")
    counts, missed = compare_captions(
        captions, document([], [table(CELLS, label="Table 1"), one_row]), lambda _: 1.0, area
    )
    assert (counts.tables.n_good, counts.tables.n) == (1, 2)
    assert counts.tables_of_any_size.n_good == 2
    assert [caption.number for caption in missed] == ["2"]


def test_a_figure_over_its_caption_or_over_half_the_page_or_without_ink_does_not_count():
    captions = standing_captions([page(1, [line("Figure 1. Diagram", 400)])])

    def judged(box: BoundingBox, ink: float) -> int:
        drawn = figure("Figure 1", "Diagram", places=(Provenance(1, box),))
        counts, _missed = compare_captions(
            captions, document([], figures=[drawn]), lambda _: ink, area
        )
        return counts.figures.n_good

    assert judged(BoundingBox(60, 200, 300, 390), 0.1) == 1
    assert judged(BoundingBox(60, 200, 300, 405), 0.1) == 0
    assert judged(BoundingBox(0, 0, WIDTH, 399), 0.0) == 0
    assert judged(BoundingBox(0, 0, WIDTH, 401), 0.1) == 0
