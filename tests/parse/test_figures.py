from pathlib import Path

import pymupdf

from desktop_qa.core.document import BlockKind
from tests.parse.sheet import PROSE, Sheet, read, texts_of


def _with_plots() -> Sheet:
    sheet = Sheet()
    y = sheet.lines(60, 110, [*PROSE, "Figure 1 shows how the output follows the load."])
    for left, number, name in ((60, 1, "Load Regulation"), (330, 2, "Line Regulation")):
        sheet.plot(left + 20, y + 20)
        sheet.text(left, y + 80, "5 V", size=8)
        sheet.text(left + 70, y + 132, "Load (mA)", size=8)
        sheet.text(left + 40, y + 152, f"Figure {number}. {name}", size=9, bold=True)
    sheet.lines(60, y + 190, PROSE)
    return sheet


def test_plots_side_by_side_are_two_figures_with_their_captions(tmp_path: Path) -> None:
    document = read(_with_plots(), tmp_path).document

    assert [(f.label, f.caption) for f in document.figures] == [
        ("Figure 1", "Figure 1. Load Regulation"),
        ("Figure 2", "Figure 2. Line Regulation"),
    ]


def test_words_of_a_figure_are_in_its_description_and_in_no_paragraph(tmp_path: Path) -> None:
    document = read(_with_plots(), tmp_path).document

    assert "Load (mA)" in document.figures[0].description
    assert all("Load (mA)" not in t for t in texts_of(document, BlockKind.TEXT))


def test_the_description_holds_the_sentence_that_refers_to_the_figure(tmp_path: Path) -> None:
    document = read(_with_plots(), tmp_path).document

    assert "shows how the output follows the load." in document.figures[0].description
    assert "shows how" not in document.figures[1].description


def test_the_place_of_a_figure_covers_its_labels(tmp_path: Path) -> None:
    document = read(_with_plots(), tmp_path).document

    box = document.figures[0].provenances[0].bbox
    assert box.left <= 61
    assert box.right < 300


def test_figures_are_drawn_into_the_folder_and_named_relative_to_the_library(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "figures" / "0123456789abcdef"

    document = read(_with_plots(), tmp_path, figures=folder).document

    paths = [figure.image_path for figure in document.figures]
    assert paths == [
        "figures/0123456789abcdef/0001-001.png",
        "figures/0123456789abcdef/0001-002.png",
    ]
    image = pymupdf.Pixmap(folder / "0001-001.png")
    assert image.width > 350


def test_without_a_folder_no_figure_is_drawn(tmp_path: Path) -> None:
    assert all(not f.image_path for f in read(_with_plots(), tmp_path).document.figures)


def test_a_bitmap_is_a_figure_and_a_logo_at_the_top_of_the_page_is_none(tmp_path: Path) -> None:
    sheet = Sheet()
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 200, 120), False)
    pixels.set_rect(pixels.irect, (40, 90, 160))
    sheet.page.insert_image((60, 20, 180, 70), pixmap=pixels)
    y = sheet.lines(60, 110, PROSE)
    sheet.page.insert_image((60, y + 10, 260, y + 130), pixmap=pixels)
    sheet.text(100, y + 145, "Figure 7-2. Board, seen from above", size=9)

    document = read(sheet, tmp_path).document

    assert [figure.label for figure in document.figures] == ["Figure 7-2"]


def test_a_frame_around_a_note_is_no_figure(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.page.draw_rect((50, 100, 560, 170), width=0.5)
    sheet.lines(60, 115, PROSE)

    document = read(sheet, tmp_path).document

    assert document.figures == ()
    assert "The regulator keeps" in document.markdown


def test_a_sentence_that_begins_with_a_reference_is_no_caption(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.lines(60, 110, ["Figure 3 shows the supply current over temperature.", *PROSE])

    document = read(sheet, tmp_path).document

    assert texts_of(document, BlockKind.CAPTION) == []
    assert "Figure 3 shows" in document.markdown


def test_titles_centred_above_the_last_figures_of_a_column_become_their_captions(
    tmp_path: Path,
) -> None:
    sheet = Sheet()
    y = sheet.lines(60, 110, [*PROSE, *PROSE])
    for number in range(2):
        top = y + 20 + number * 170
        sheet.text(92, top, "XY Package", bold=True)
        sheet.text(99, top + 12, "Top View", bold=True)
        sheet.plot(60, top + 22, width=120)

    document = read(sheet, tmp_path).document

    assert [figure.caption for figure in document.figures] == ["XY Package Top View"] * 2
