from dataclasses import replace

from desktop_qa.core.document import (
    Block,
    BlockKind,
    BoundingBox,
    Figure,
    Provenance,
    Table,
    TableCell,
)
from desktop_qa.parse.markdown import escape, render_markdown, render_table

PLACE = (Provenance(1, BoundingBox(0, 0, 10, 10)),)


def _block(kind: BlockKind, text: str, level: int = 0, index: int | None = None) -> Block:
    return Block(kind, text, level, PLACE, index)


def _cell(row: int, column: int, text: str, *, span: int = 1, header: bool = False) -> TableCell:
    return TableCell(row, column, 1, span, text, header, PLACE)


TABLE = Table(
    label="Table 5",
    caption="Limits",
    description="",
    n_rows=3,
    n_columns=2,
    cells=(
        _cell(0, 0, "Parameter", header=True),
        _cell(0, 1, "Max", header=True),
        _cell(1, 0, "Supply | input"),
        _cell(1, 1, "5.5"),
        _cell(2, 0, "Outputs", span=2),
    ),
    notes=("(1) At 25 °C.",),
    provenances=PLACE,
)
FIGURE = Figure("Figure 2", "Figure 2. Timing", "figures/ab/0001-001.png", PLACE)


def test_headings_have_their_real_level_and_furniture_is_left_out():
    blocks = [
        _block(BlockKind.PAGE_HEADER, "XR4401"),
        _block(BlockKind.SECTION_HEADER, "6 Specifications", 1),
        _block(BlockKind.SECTION_HEADER, "6.7.1 Noise", 3),
        _block(BlockKind.TEXT, "It is low."),
        _block(BlockKind.PAGE_FOOTER, "7"),
    ]

    assert (
        render_markdown(blocks, (), ()) == "# 6 Specifications\n\n### 6.7.1 Noise\n\nIt is low.\n"
    )


def test_list_items_stand_together_with_their_nesting_and_numbers():
    blocks = [
        _block(BlockKind.LIST_ITEM, "1. Open the lid", 1),
        _block(BlockKind.LIST_ITEM, "• with both hands", 2),
        _block(BlockKind.LIST_ITEM, "2. Close it", 1),
    ]

    assert (
        render_markdown(blocks, (), ()) == "1. Open the lid\n    - with both hands\n2. Close it\n"
    )


def test_a_table_has_its_title_its_header_its_cells_and_its_notes():
    assert render_table(TABLE).splitlines() == [
        "**Table 5. Limits**",
        "",
        "| Parameter | Max |",
        "| --- | --- |",
        "| Supply \\| input | 5.5 |",
        "| Outputs |  |",
        "",
        "(1) At 25 °C.",
    ]


def test_two_header_rows_become_the_one_that_markdown_knows():
    header = (
        TableCell(0, 0, 2, 2, "Parameter", True, PLACE),
        _cell(0, 2, "Grade A", span=2, header=True),
        _cell(1, 2, "Min", header=True),
        _cell(1, 3, "Max", header=True),
    )
    values = (_cell(2, 0, "VDD"), _cell(2, 1, "Supply"), _cell(2, 2, "2.7"), _cell(2, 3, "5.5"))
    table = replace(TABLE, label="", caption="", cells=(*header, *values), notes=())

    assert render_table(replace(table, n_rows=3, n_columns=4)).splitlines() == [
        "| Parameter |  | Grade A Min | Grade A Max |",
        "| --- | --- | --- | --- |",
        "| VDD | Supply | 2.7 | 5.5 |",
    ]


def test_tables_and_figures_stand_where_their_blocks_stand():
    blocks = [
        _block(BlockKind.PICTURE, FIGURE.caption, index=0),
        _block(BlockKind.TABLE, TABLE.caption, index=0),
    ]

    text = render_markdown(blocks, (TABLE,), (FIGURE,))

    assert text.startswith("![Figure 2. Timing](figures/ab/0001-001.png)\n\n**Table 5. Limits**")


def test_a_figure_is_followed_by_what_names_it_and_what_it_holds():
    figure = replace(FIGURE, words="SCL SDA", mentions=("See *tR* in Figure 2.",))

    text = render_markdown([_block(BlockKind.PICTURE, "", index=0)], (), (figure,))

    assert text.splitlines()[2::2] == [
        "> Named in: See \\*tR\\* in Figure 2.",
        "> Words inside: SCL SDA",
    ]


def test_characters_of_the_page_are_not_read_as_marks():
    assert escape("V_OUT * 2 <max> #1") == "V\\_OUT \\* 2 \\<max\\> \\#1"


def test_nothing_renders_to_nothing():
    assert render_markdown((), (), ()) == ""
