from __future__ import annotations

from itertools import pairwise

import pytest

from desktop_qa.augment.context import AugmentVariant
from desktop_qa.augment.segmenter import MAX_TEXT_TOKENS, segment_document
from desktop_qa.core.document import BlockKind, BoundingBox, Document, Figure, Provenance, Table
from desktop_qa.core.folding import fold
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, count_tokens
from tests.augment.builders import (
    DOCUMENT_ID,
    block,
    document,
    figure,
    heading,
    item,
    picture_block,
    place,
    table,
    table_block,
)

SENTENCE = "The amplifier {} draws 5 mA typ. at 25 °C and runs from 1.8 V to 5.5 V in any system."
SPECIFICATION = [
    ["PARAMETER", "CONDITIONS", "MIN", "TYP", "MAX", "UNIT"],
    ["OFFSET VOLTAGE", "<", "<", "<", "<", "<"],
    ["Input offset voltage", "VS = 5 V", "", "25", "100", "µV"],
    [None, "VS = 36 V", "", "40", "250", "µV"],
    ["POWER SUPPLY", "<", "<", "<", "<", "<"],
    ["Supply current", "250kbps", "", "1.2", "2", "mA"],
    ["Gain Bandwidth Product", "GBWP", "", "1", "", "MHz"],
]


def segments_of(source: Document, variant: AugmentVariant = AugmentVariant.FULL) -> list[Segment]:
    segments = list(segment_document(source, count_tokens, variant))
    for segment in segments:
        assert segment.n_tokens == count_tokens(segment.text) <= MAX_TEXT_TOKENS
        assert count_tokens(segment.embedded_text) <= MAX_EMBEDDED_TOKENS
    assert [segment.ordinal for segment in segments] == list(range(len(segments)))
    return segments


def segments_of_table(source: Table) -> list[Segment]:
    return segments_of(document([heading("6 EC"), table_block()], [source]))


def long_table(n_rows: int) -> list[list[str | None]]:
    rows: list[list[str | None]] = [["PARAMETER", "CONDITIONS", "TYP", "UNIT"]]
    rows += [[f"Quantity{i} of the device", f"VS = {i} V", f"{i}.5", "mA"] for i in range(n_rows)]
    return rows


def test_a_chapter_becomes_a_segment_with_its_heading_path():
    source = document(
        [
            heading("7 Detailed Description"),
            heading("7.1 Overview", 2, page_no=2),
            block("It is a precise amplifier.", page_no=2),
        ]
    )
    (segment,) = segments_of(source)
    assert segment.id == f"{DOCUMENT_ID}:00000"
    assert segment.kind is SegmentKind.TEXT
    assert segment.text == "7.1 Overview\n\nIt is a precise amplifier."
    assert segment.metadata.section_path == ("7 Detailed Description", "7.1 Overview")
    assert segment.metadata.section_number == "7.1"
    assert segment.metadata.page_nos == (2,)
    context = "XY1234 Operational Amplifier > 7 Detailed Description > 7.1 Overview"
    assert segment.embedded_text == f"{context}\nIt is a precise amplifier."
    assert segment.lexical_text == f"{context}\nIt is a precise amplifier."


def test_a_heading_with_only_sub_chapters_is_skipped_and_an_empty_chapter_is_kept():
    source = document([heading("1 Parent"), heading("1.1 Empty", 2), heading("2 Last")])
    assert [segment.text for segment in segments_of(source)] == ["1.1 Empty", "2 Last"]


def test_list_items_keep_their_bullets_and_nesting():
    source = document(
        [
            heading("1 Steps"),
            block("Do this:"),
            item("1. Open."),
            item("a. Look.", 2),
            item("2. Go."),
        ]
    )
    (segment,) = segments_of(source)
    assert segment.text == "1 Steps\n\nDo this:\n1. Open.\n  a. Look.\n2. Go."


def test_a_long_chapter_is_cut_at_sentence_ends_with_overlap_and_nothing_is_lost():
    sentences = [SENTENCE.format(i) for i in range(60)]
    paragraphs = [" ".join(sentences[i : i + 10]) for i in range(0, 60, 10)]
    source = document(
        [heading("1 Theory"), *(block(p, page_no=i + 1) for i, p in enumerate(paragraphs))]
    )
    segments = segments_of(source)
    assert len(segments) > 5
    for segment in segments:
        assert segment.text.startswith("1 Theory\n\nThe amplifier")
        assert segment.text.endswith("in any system.")
        assert segment.metadata.section_path == ("1 Theory",)
    for sentence in sentences:
        assert any(sentence in segment.text for segment in segments)
    for before, after in pairwise(segments):
        last = before.text.split("The amplifier")[-1].strip()
        repeated = after.text.count(last)
        assert repeated <= 1
    overlapping = sum(before.text[-60:] in after.text for before, after in pairwise(segments))
    assert overlapping >= len(segments) - 2
    sizes = [segment.n_tokens for segment in segments]
    assert min(sizes) > 0.5 * max(sizes)


def test_a_list_is_not_parted_from_the_sentence_that_opens_it():
    filler = [block(SENTENCE.format(i)) for i in range(7)]
    steps = [item(f"{i}. Press the button and wait for lamp {i}.") for i in range(1, 6)]
    source = document([heading("1 Use"), *filler, block("To calibrate, do this:"), *steps])
    segments = segments_of(source)
    assert len(segments) == 2
    (opening,) = [s for s in segments if "do this:" in s.text]
    assert "do this:\n1. Press" in opening.text
    assert "5. Press" in opening.text


@pytest.mark.parametrize("word", ["word", "x" * 3000, "+-" * 400])
def test_a_paragraph_without_sentence_ends_is_cut_and_not_cut_off(word):
    text = " ".join([word] * (1000 if word == "word" else 3))
    segments = segments_of(document([heading("1 Odd"), block(text)]))
    together = "".join(fold(s.text.removeprefix("1 Odd")) for s in segments)
    assert len(together) >= len(fold(text))


def test_a_long_heading_path_is_shortened_from_the_inside():
    inner = [
        heading(f"{i} " + "Very long inner heading of this chapter " * 2, i) for i in range(2, 6)
    ]
    source = document([heading("1 Start"), *inner, heading("9 Innermost", 6), block("Body.")])
    segment = segments_of(source)[-1]
    line = segment.embedded_text.split("\n")[0]
    assert line.startswith("XY1234 Operational Amplifier > ")
    assert line.endswith("9 Innermost")
    assert count_tokens(line) <= 80
    assert "1 Start" in segment.lexical_text


def test_a_monstrous_title_and_heading_leave_room_for_the_text():
    source = document(
        [heading("Endless heading " * 150), block("The body stays.")], title="Endless title " * 200
    )
    segment = segments_of(source)[-1]
    assert "The body stays." in segment.embedded_text
    assert "The body stays." in segment.text


def test_a_table_that_fits_is_one_segment_with_rows_that_speak_for_themselves():
    source = document(
        [heading("6.7 Electrical Characteristics"), table_block()],
        [table(SPECIFICATION, caption="Static", notes=("(1) By design.",))],
    )
    (segment,) = segments_of(source)
    assert segment.kind is SegmentKind.TABLE
    assert (segment.element.first_row, segment.element.n_rows) == (1, 6)
    assert segment.metadata.caption == "Table 1. Static"
    assert segment.text.split("\n") == [
        "6.7 Electrical Characteristics",
        "",
        "Table 1. Static",
        "",
        "PARAMETER | CONDITIONS | MIN | TYP | MAX | UNIT",
        "OFFSET VOLTAGE",
        "Input offset voltage | VS = 5 V | | 25 | 100 | µV",
        "Input offset voltage | VS = 36 V | | 40 | 250 | µV",
        "POWER SUPPLY",
        "Supply current | 250kbps | | 1.2 | 2 | mA",
        "Gain Bandwidth Product | GBWP | | 1 | | MHz",
        "(1) By design.",
    ]


def test_neighbouring_cells_are_found_together_in_the_lexical_text():
    (segment,) = segments_of_table(table(SPECIFICATION))
    for wanted in ("Supply current 250kbps", "Gain Bandwidth Product GBWP", "250kbps 1.2 2 mA"):
        assert fold(wanted) in fold(segment.lexical_text)


def test_a_table_is_embedded_by_its_semantic_elements_only():
    (segment,) = segments_of_table(table(SPECIFICATION, description="Limits at 25 °C."))
    embedded = segment.embedded_text
    for label in (
        "Table 1",
        "Limits at",
        "PARAMETER",
        "Supply current",
        "VS = 36 V",
        "POWER SUPPLY",
    ):
        assert label in embedded
    for value in ("100", "1.2", "µV", "MHz"):
        assert value not in embedded
    assert embedded.count("Input offset voltage") == 1


def test_the_data_is_embedded_in_the_variant_that_asks_for_it():
    source = document([heading("6 EC"), table_block()], [table(long_table(60))])
    segments = segments_of(source, AugmentVariant.TABLE_DATA_EMBEDDED)
    together = " ".join(segment.embedded_text for segment in segments)
    assert all(f"{i}.5 mA" in together for i in range(60))


def test_a_long_table_is_cut_into_even_groups_of_whole_rows_with_title_and_header():
    segments = segments_of_table(table(long_table(80)))
    assert len(segments) > 2
    expected_row = 1
    for segment in segments:
        assert "Table 1. Electrical Characteristics" in segment.text
        assert "PARAMETER | CONDITIONS | TYP | UNIT" in segment.text
        assert segment.element.first_row == expected_row
        expected_row += segment.element.n_rows
        lines = [line for line in segment.text.split("\n") if line.startswith("Quantity")]
        assert len(lines) == segment.element.n_rows
        assert all(line.endswith("mA") for line in lines)
    assert expected_row == 81
    sizes = [segment.n_tokens for segment in segments]
    assert min(sizes) > 0.7 * max(sizes)


def test_a_group_row_is_repeated_above_the_rows_that_continue_it():
    rows = long_table(60)
    rows.insert(1, ["SHUTDOWN MODE", "<", "<", "<"])
    segments = segments_of_table(table(rows))
    assert len(segments) > 1
    for segment in segments:
        assert "\nSHUTDOWN MODE\n" in segment.text
        assert "SHUTDOWN MODE" in segment.embedded_text


def test_an_endless_group_row_stands_once_and_the_rows_under_it_are_whole():
    rows = long_table(60)
    rows.insert(1, [" ".join(SENTENCE.format(i) for i in range(40)), "<", "<", "<"])
    texts = [segment.text for segment in segments_of_table(table(rows))]
    assert all(sum(SENTENCE.format(i) in text for text in texts) == 1 for i in range(40))
    for i in range(60):
        assert sum(f"Quantity{i} of the device | VS = {i} V | {i}.5 | mA" in t for t in texts) == 1


def test_a_row_group_stands_where_its_rows_stand_without_the_repeated_header():
    segments = segments_of_table(table(long_table(80), first_page=3, rows_per_page=40))
    last = segments[-1]
    assert last.metadata.page_nos == (5,) or last.metadata.page_nos == (4, 5)
    first_top = 100.0 + 12 * last.element.first_row
    assert min(p.bbox.top for p in last.provenances) == first_top
    assert segments[0].provenances[0].bbox.top == 100.0


def test_a_spanning_cell_above_a_row_group_is_among_its_places():
    rows = long_table(60)
    for row in rows[2:]:
        row[0] = None
    last = segments_of_table(table(rows))[-1]
    assert "Quantity0 of the device | VS = 59 V" in last.text
    assert place(1, 112.0) in last.provenances


def test_a_cell_over_the_limit_is_cut_and_its_row_label_repeated():
    prose = " ".join(SENTENCE.format(i) for i in range(40))
    rows = [["PIN", "DESCRIPTION"], ["SDA", prose], ["SCL", "Clock."]]
    segments = segments_of_table(table(rows))
    for i in range(40):
        assert any(SENTENCE.format(i) in segment.text for segment in segments)
    assert all("SDA | The amplifier" in segment.text for segment in segments[:-1])


def test_a_row_of_many_cells_over_the_limit_is_cut_too():
    rows = [["A"] * 300, [f"cell{i}" for i in range(300)]]
    together = " ".join(segment.lexical_text for segment in segments_of_table(table(rows)))
    assert all(f"cell{i}" in together.split() for i in range(300))


def test_notes_that_do_not_fit_get_segments_of_their_own():
    notes = tuple(f"({i}) {SENTENCE.format(i)}" for i in range(30))
    segments = segments_of_table(table(SPECIFICATION, notes=notes))
    assert len(segments) > 1
    assert all(any(note in segment.text for segment in segments) for note in notes)
    assert segments[-1].element is not None
    assert segments[-1].element.n_rows == 0


def test_an_endless_caption_is_kept_whole():
    caption = " ".join(SENTENCE.format(i) for i in range(30))
    source = document(
        [heading("6 EC"), table_block(), picture_block()],
        [table(SPECIFICATION, caption=caption)],
        [figure(caption=caption)],
    )
    segments = segments_of(source)
    for kind in (SegmentKind.TABLE, SegmentKind.FIGURE):
        texts = [segment.text for segment in segments if segment.kind is kind]
        assert all(any(SENTENCE.format(i) in text for text in texts) for i in range(30))


def test_a_figure_is_found_by_caption_words_inside_and_context():
    source = document(
        [heading("8 Application"), picture_block()],
        figures=[
            figure(
                caption="Typical Circuit",
                words="VIN VOUT R1",
                mentions=("See the divider in Figure 1.",),
                surroundings="The output follows the ratio of two resistors.",
            )
        ],
    )
    (segment,) = segments_of(source)
    assert segment.kind is SegmentKind.FIGURE
    assert segment.text == (
        "8 Application\n\nFigure 1. Typical Circuit\n\nSee the divider in Figure 1. VIN VOUT R1"
    )
    assert segment.metadata.caption == "Figure 1. Typical Circuit"
    for text in (segment.embedded_text, segment.lexical_text):
        assert "See the divider" in text
        assert "ratio of two resistors" in text


def test_an_ornament_is_no_figure_and_a_large_silent_picture_is_one():
    small = Figure("", "", "", (Provenance(1, BoundingBox(0, 0, 50, 20)),))
    large = Figure("", "", "", (Provenance(1, BoundingBox(0, 0, 400, 300)),))
    source = document(
        [heading("1 Photo"), picture_block(0), picture_block(1)], figures=[small, large]
    )
    (segment,) = segments_of(source)
    assert segment.element.index == 1


def test_elements_stand_in_reading_order_between_the_chapters():
    source = document(
        [
            heading("1 A"),
            table_block(),
            block("After the table."),
            picture_block(),
            heading("2 B"),
            block("Next."),
        ],
        [table(SPECIFICATION)],
        [figure()],
    )
    kinds = [(s.metadata.section_path[0], s.kind.value) for s in segments_of(source)]
    assert kinds == [("1 A", "table"), ("1 A", "text"), ("1 A", "figure"), ("2 B", "text")]


def test_a_caption_that_belongs_to_a_table_is_not_repeated_as_text():
    source = document(
        [
            heading("1 A"),
            block("Table 1. Electrical Characteristics", BlockKind.CAPTION),
            table_block(),
            block("Figure 9. Lost drawing", BlockKind.CAPTION),
        ],
        [table(SPECIFICATION)],
    )
    texts = [s.text for s in segments_of(source) if s.kind is SegmentKind.TEXT]
    assert texts == ["1 A\n\nFigure 9. Lost drawing"]


def test_boilerplate_is_set_apart_and_flagged():
    source = document(
        [heading("1 A"), block("Useful."), block("All trademarks apply.", boilerplate=True)]
    )
    assert [(s.text, s.boilerplate) for s in segments_of(source)] == [
        ("1 A\n\nUseful.", False),
        ("1 A\n\nAll trademarks apply.", True),
    ]


def test_variants_change_the_context_and_not_the_text():
    source = document([heading("1 A"), heading("1.1 B", 2), block("Body.")])
    by_variant = {variant: segments_of(source, variant)[0] for variant in AugmentVariant}
    assert by_variant[AugmentVariant.OWN_HEADING].embedded_text == "1.1 B\nBody."
    assert by_variant[AugmentVariant.NONE].embedded_text == "Body."
    assert len({segment.text for segment in by_variant.values()}) == 1


def test_the_same_document_gives_the_same_segments():
    source = document([heading("1 A"), block("x. " * 900), table_block()], [table(long_table(50))])
    assert segments_of(source) == segments_of(source)


def test_the_conditions_above_a_table_are_read_with_every_group_and_indexed_once():
    conditions = "VS = 5 V, TA = 25 °C (unless otherwise noted)"
    source = document(
        [
            heading("6.7 Electrical Characteristics"),
            block("A long explanation of how these limits were found. " * 12),
            block(conditions, top=90),
            table_block(),
        ],
        [table(long_table(70))],
    )
    text, first, *rest = segments_of(source)
    assert conditions not in text.text
    assert place(1, 90) in first.provenances
    for segment in (first, *rest):
        assert f"\n\n{conditions}\n\nTable 1." in segment.text
    assert conditions in first.embedded_text
    assert conditions in first.lexical_text
    assert not any(conditions in segment.lexical_text for segment in rest)


def test_a_few_words_above_the_only_table_make_no_segment_of_their_own():
    source = document(
        [heading("6.1 Ratings"), block("The values are in Table 1."), table_block()],
        [table(SPECIFICATION)],
    )
    (segment,) = segments_of(source)
    assert segment.kind is SegmentKind.TABLE
    assert segment.text.startswith("6.1 Ratings\n\nThe values are in Table 1.\n\nTable 1.")


def test_a_picture_without_words_is_found_by_the_paragraph_around_it():
    large = (Provenance(1, BoundingBox(0, 0, 400, 300)),)
    source = document(
        [heading("3 Setup"), picture_block()],
        figures=[figure("", "", places=large, surroundings="Connect the probe to the board.")],
    )
    (picture,) = segments_of(source)
    assert picture.text == "3 Setup"
    assert "Connect the probe" in picture.embedded_text
    assert "Connect the probe" in picture.lexical_text


def test_a_chapter_of_nothing_but_an_ornament_keeps_its_heading():
    source = document([heading("1 Logo"), picture_block()], figures=[figure("", "")])
    (segment,) = segments_of(source)
    assert segment.text == "1 Logo"


def test_a_title_without_the_part_number_gets_it_in_the_indexed_texts():
    blocks = [heading("1 A"), block("Body.")]
    (segment,) = segments_of(document(blocks, title="Voltage regulator ICs"))
    assert segment.embedded_text.startswith("XY1234 Voltage regulator ICs > 1 A")
    assert segment.metadata.document_title == "Voltage regulator ICs"
    (segment,) = segments_of(document(blocks, title="XY-1234 regulator"))
    assert segment.embedded_text.startswith("XY-1234 regulator > 1 A")


def test_a_short_note_stays_with_the_last_rows():
    note = "(1) Limits are ensured by design and by statistical process control."
    for n_rows in range(5, 45):
        source = document(
            [heading("6 EC"), table_block()], [table(long_table(n_rows), notes=(note,))]
        )
        last = segments_of(source)[-1]
        assert last.text.endswith(note)
        assert last.element.n_rows > 0
