from dataclasses import replace

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.evaluate.structure.captions import compare_captions, standing_captions
from desktop_qa.parse.plain import PlainPage
from tests.augment.builders import document, figure, table
from tests.evaluate.structure.pages import WIDTH, line, page

CELLS = [["Parameter", "Max"], ["Supply current", "5 mA"]]


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
    pages = [page(1, [line("Table 1. Limits", 100)], [line("Table 2. Bits", 200)])]
    captions = standing_captions(pages)
    one_row = table([["b7", "b6"]], label="Table 2")
    counts, missed = compare_captions(
        captions, document([], [table(CELLS, label="Table 1"), one_row]), lambda _: 1.0, pages
    )
    assert (counts.tables.n_good, counts.tables.n) == (1, 2)
    assert counts.tables_of_any_size.n_good == 2
    assert [caption.number for caption in missed] == ["2"]


def test_references_with_a_point_and_lines_with_scripts_are_no_captions():
    prose = line("connect the device to a line-out source as it is shown in", 320)
    tall = replace(
        line("Figure 55. The full-scale range of the pin is 1.8 V", 331),
        bbox=BoundingBox(60, 331, 320, 343),
    )
    text = page(
        1,
        [line("Figure 25. shows the packet format.", 100)],
        [line("Figure 33., Figure 34. and Figure 35. show a layout.", 200)],
        [prose, tall],
    )
    assert standing_captions([text]) == []


def _judge(plain: PlainPage, box: BoundingBox, ink: float = 0.1) -> int:
    drawn = figure("Figure 1", "Diagram", places=(Provenance(1, box),))
    counts, _missed = compare_captions(
        [standing_captions([plain])[0]], document([], figures=[drawn]), lambda _: ink, [plain]
    )
    return counts.figures.n_good


def test_a_figure_over_its_caption_or_without_ink_does_not_count():
    plain = page(1, [line("Figure 1. Diagram", 400)])
    assert _judge(plain, BoundingBox(60, 200, 300, 390)) == 1
    assert _judge(plain, BoundingBox(60, 200, 300, 405)) == 0
    assert _judge(plain, BoundingBox(60, 200, 300, 390), ink=0.0) == 0


def test_a_figure_over_half_the_page_counts_only_without_running_text():
    whole = BoundingBox(0, 0, WIDTH, 690)
    labels = [line("Apply power", 100 + 20 * n) for n in range(12)]
    sentence = "the device keeps its output constant while the load changes from low to high"
    prose = [line(sentence, 100 + 12 * n) for n in range(12)]
    caption = [line("Figure 1. Diagram", 700)]
    assert _judge(page(1, caption, labels), whole) == 1
    assert _judge(page(1, caption, prose), whole) == 0
