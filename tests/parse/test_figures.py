import pymupdf

from desktop_qa.core.document import BlockKind, BoundingBox, Figure
from desktop_qa.parse.pdf import PdfFile
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


def test_plots_side_by_side_are_two_figures_with_their_captions():
    assert [(f.label, f.caption) for f in read(_with_plots()).document.figures] == [
        ("Figure 1", "Figure 1. Load Regulation"),
        ("Figure 2", "Figure 2. Line Regulation"),
    ]


def test_words_of_a_figure_are_in_its_description_and_in_no_paragraph():
    document = read(_with_plots()).document

    assert document.figures[0].words == "5 V Load (mA)"
    assert "5 V Load (mA)" in document.figures[0].description
    assert all("Load (mA)" not in t for t in texts_of(document, BlockKind.TEXT))


def test_a_figure_keeps_the_sentence_that_names_it_and_says_it_once_beside_what_is_around():
    first, second = read(_with_plots()).document.figures
    assert first.mentions == ("Figure 1 shows how the output follows the load.",)
    assert second.mentions == ()
    assert first.surroundings == second.surroundings == first.mentions[0]
    assert first.description.split("\n") == [first.caption, first.surroundings, first.words]


def test_the_paragraph_around_a_figure_is_one_of_its_own_chapter(sheet):
    y = sheet.lines(60, 80, PROSE)
    sheet.text(60, y + 30, "2 Package", size=14, bold=True)
    y += 40
    sheet.plot(80, y + 20)
    sheet.text(70, y + 132, "Load (mA)", size=8)
    sheet.text(60, y + 152, "Figure 1. Load Regulation", size=9, bold=True)
    sheet.lines(60, y + 190, ["The package is soldered to the board by reflow in an oven."])

    (figure,) = read(sheet).document.figures

    assert figure.surroundings == "The package is soldered to the board by reflow in an oven."


def test_the_place_of_a_figure_covers_its_labels():
    box = read(_with_plots()).document.figures[0].provenances[0].bbox
    assert box.left <= 61
    assert box.right < 300


def test_figures_are_drawn_into_the_folder_and_named_relative_to_the_library(tmp_path):
    folder = tmp_path / "figures" / "0123456789abcdef"

    paths = [figure.image_path for figure in read(_with_plots(), figures=folder).document.figures]
    assert paths == [
        "figures/0123456789abcdef/0001-001.png",
        "figures/0123456789abcdef/0001-002.png",
    ]
    image = pymupdf.Pixmap(folder / "0001-001.png")
    assert image.width > 350


def test_without_a_folder_no_figure_is_drawn():
    assert all(not f.image_path for f in read(_with_plots()).document.figures)


def test_a_bitmap_is_a_figure_and_a_logo_at_the_top_of_the_page_is_none(sheet):
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 200, 120), False)
    pixels.set_rect(pixels.irect, (40, 90, 160))
    sheet.page.insert_image((60, 20, 180, 70), pixmap=pixels)
    y = sheet.lines(60, 110, PROSE)
    sheet.page.insert_image((60, y + 10, 260, y + 130), pixmap=pixels)
    sheet.text(100, y + 145, "Figure 7-2. Board, seen from above", size=9)

    assert [figure.label for figure in read(sheet).document.figures] == ["Figure 7-2"]


def test_a_frame_around_a_note_is_no_figure(sheet):
    sheet.page.draw_rect((50, 100, 560, 170), width=0.5)
    sheet.lines(60, 115, PROSE)

    document = read(sheet).document

    assert document.figures == ()
    assert "The regulator keeps" in document.markdown


def test_a_sentence_that_begins_with_a_reference_is_no_caption(sheet):
    sheet.lines(60, 110, ["Figure 3 shows the supply current over temperature.", *PROSE])

    document = read(sheet).document

    assert texts_of(document, BlockKind.CAPTION) == []
    assert "Figure 3 shows" in document.markdown


def test_titles_centred_above_the_last_figures_of_a_column_become_their_captions(sheet):
    y = sheet.lines(60, 110, [*PROSE, *PROSE])
    for number in range(2):
        top = y + 20 + number * 170
        sheet.text(92, top, "XY Package", bold=True)
        sheet.text(99, top + 12, "Top View", bold=True)
        sheet.plot(60, top + 22, width=120)

    document = read(sheet).document

    assert [figure.caption for figure in document.figures] == ["XY Package Top View"] * 2


def _box(figure: Figure) -> BoundingBox:
    return figure.provenances[0].bbox


def _labelled(sheet: Sheet, left: float, top: float) -> None:
    sheet.plot(left, top, width=150, height=80)
    sheet.text(left - 18, top + 40, "5 V", size=6)
    sheet.text(left + 50, top + 90, "Load (mA)", size=6)


def _in_grid() -> Sheet:
    sheet = Sheet()
    for column in range(2):
        for row in range(2):
            left, top = 54 + 252 * column, 100 + 150 * row
            sheet.page.draw_rect((left, top, left + 252, top + 150), width=0.3)
            _labelled(sheet, left + 60, top + 10)
            number = 1 + column + 2 * row
            sheet.text(left + 70, top + 142, f"Figure {number}. Regulation", size=9, bold=True)
    return sheet


def test_a_grid_of_rules_around_figures_and_captions_is_left_out():
    figures = sorted(read(_in_grid()).document.figures, key=lambda f: f.label)

    assert [figure.label for figure in figures] == [f"Figure {n}" for n in (1, 2, 3, 4)]
    for number, figure in enumerate(figures):
        left, top = 54 + 252 * (number % 2), 100 + 150 * (number // 2)
        box, caption = _box(figure), figure.provenances[1].bbox
        assert left + 40 < box.left < left + 61
        assert top + 2 < box.top < top + 11
        assert box.intersection_area(caption) == 0
        assert figure.words == "5 V Load (mA)"


def test_what_stands_in_a_frame_below_its_caption_belongs_to_the_figure(sheet):
    sheet.text(60, 110, "FIGURE 2-3:", size=9, bold=True)
    sheet.text(150, 110, "Remote Frame", size=9, bold=True)
    sheet.page.draw_rect((60, 116, 550, 300), width=0.5)
    _labelled(sheet, 300, 140)
    sheet.text(80, 280, "Note 1: The second frame follows at once, with no pause between.", size=8)
    sheet.lines(60, 330, PROSE)

    document = read(sheet).document

    (figure,) = document.figures
    assert (figure.label, figure.caption) == ("FIGURE 2-3", "FIGURE 2-3: Remote Frame")
    assert "with no pause between" in figure.words
    assert all("no pause" not in text for text in texts_of(document, BlockKind.TEXT))


def test_a_caption_close_to_two_plots_names_the_one_on_its_side(sheet):
    for number, top in ((1, 100), (2, 245)):
        sheet.plot(100, top)
        sheet.text(110, top + 135, f"Figure {number}. Regulation", size=9, bold=True)

    first, second = read(sheet).document.figures

    assert (first.label, second.label) == ("Figure 1", "Figure 2")
    assert _box(first).bottom < 230 < _box(second).top


def test_each_page_sets_its_captions_on_a_side_of_its_own(sheet):
    for number in (1, 2):
        sheet.plot(100, 200 * number - 60)
        sheet.text(110, 200 * number + 60, f"Figure {number}. Regulation", size=9, bold=True)
    sheet.new_page()
    for number in (3, 4):
        sheet.text(110, 200 * number - 480, f"Figure {number}. Regulation", size=9, bold=True)
        sheet.plot(100, 200 * number - 470)

    figures = read(sheet).document.figures

    assert [figure.label for figure in figures] == [f"Figure {n}" for n in (1, 2, 3, 4)]
    assert [_box(f).top < f.provenances[1].bbox.top for f in figures] == [True, True, False, False]


def test_the_bits_of_a_register_under_a_caption_are_a_figure(sheet):
    y = sheet.lines(60, 110, PROSE)
    sheet.text(240, y + 20, "Figure 32. GO Register", bold=True)
    for column in range(8):
        for row in range(3):
            left, top = 60 + 60 * column, y + 26 + 14 * row
            sheet.page.draw_rect((left, top, left + 60, top + 14), width=0.5)
            text = (str(7 - column), "GO" if column == 7 else "Reserved", "R/W-0")[row]
            sheet.text(left + 8, top + 10, text, size=8)
    sheet.lines(60, y + 100, PROSE)

    document = read(sheet).document

    assert document.tables == ()
    assert [figure.label for figure in document.figures] == ["Figure 32"]
    assert document.figures[0].words.split().count("Reserved") == 7


def test_one_caption_names_the_drawings_on_both_sides_of_it(sheet):
    y = sheet.lines(60, 110, PROSE)
    sheet.plot(80, y + 10, width=120)
    sheet.plot(390, y + 10, width=120)
    sheet.text(250, y + 130, "Figure 17. Layouts", size=9, bold=True)

    (figure,) = read(sheet).document.figures

    assert figure.label == "Figure 17"
    assert _box(figure).left < 90
    assert _box(figure).right > 500


def test_bars_that_recur_on_the_pages_are_no_figures(sheet):
    for _page in sheet.pages(range(4)):
        for left in range(40, 560, 20):
            sheet.page.draw_bezier((left, 30), (left + 5, 90), (left + 10, 40), (left + 18, 95))
        sheet.lines(60, 160, PROSE)

    assert read(sheet).document.figures == ()


def test_a_drawing_is_kept_as_svg_too_and_looks_like_its_image(tmp_path):
    folder = tmp_path / "figures" / "0123456789abcdef"

    figure = read(_with_plots(), figures=folder).document.figures[0]

    assert figure.vector_path == "figures/0123456789abcdef/0001-001.svg"
    image = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.Pixmap(tmp_path / figure.image_path))
    with pymupdf.open(tmp_path / figure.vector_path) as drawn:
        vector = drawn[0].get_pixmap(
            matrix=pymupdf.Matrix(image.width / drawn[0].rect.width, 1), colorspace="gray"
        )
        ratio = image.width / image.height
        assert abs(drawn[0].rect.width / drawn[0].rect.height - ratio) < 0.05
    dark = [sum(255 - level for level in p.samples) / len(p.samples) for p in (image, vector)]
    assert 0.7 < dark[0] / dark[1] < 1.4


def test_the_same_file_gives_the_same_bytes(tmp_path):
    sheet = _with_plots()
    folders = [tmp_path / name for name in ("first", "second")]

    for folder in folders:
        read(sheet, figures=folder)

    first, second = ({p.name: p.read_bytes() for p in folder.iterdir()} for folder in folders)
    assert len(first) == 4
    assert first == second


def test_an_svg_beyond_the_limit_is_not_written(tmp_path):
    path = _with_plots().save(tmp_path / "sheet.pdf")
    area = BoundingBox(60, 160, 300, 330)

    with PdfFile(path) as pdf:
        assert not pdf.render_vector(1, area, tmp_path / "large.svg", 100)
        assert pdf.render_vector(1, area, tmp_path / "small.svg", 1_000_000)

    assert not (tmp_path / "large.svg").exists()


def test_a_bitmap_has_no_svg_and_keeps_its_own_resolution(tmp_path):
    folder = tmp_path / "figures" / "0123456789abcdef"
    sheet = Sheet()
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 200, 120), False)
    pixels.set_rect(pixels.irect, (40, 90, 160))
    y = sheet.lines(60, 110, PROSE)
    sheet.page.insert_image((60, y + 10, 260, y + 130), pixmap=pixels)
    sheet.text(100, y + 150, "Figure 7-2. Board, seen from above", size=9)

    (figure,) = read(sheet, figures=folder).document.figures

    assert figure.vector_path == ""
    assert 200 <= pymupdf.Pixmap(tmp_path / figure.image_path).width <= 215


def test_the_title_of_an_axis_goes_to_the_plot_on_its_right(sheet):
    for left, number, name in ((70, 1, "Offset"), (270, 2, "Gain")):
        sheet.plot(left, 150)
        for row in range(5):
            sheet.text(left - 16, 154 + 24 * row, f"{4 - row}", size=7)
        sheet.page.insert_text((left - 24, 225), f"{name} (ppm)", fontsize=7, rotate=90)
        sheet.text(left + 20, 275, f"Figure {number}. {name} Drift", size=8, bold=True)
    figures = read(sheet).document.figures
    assert [figure.label for figure in figures] == ["Figure 1", "Figure 2"]
    assert "Offset (ppm)" in figures[0].words
    assert "Gain" not in figures[0].words
    assert "Gain (ppm)" in figures[1].words


_NOTES = ("NOTES:", "1. CONTROLLING DIMENSION: INCH.", "2. LEADS MAY BE BENT BEFORE USE.")


def test_notes_in_the_frame_of_a_drawing_are_text_and_its_labels_are_not(sheet):
    sheet.page.draw_rect((50, 100, 560, 330), width=0.5)
    sheet.plot(80, 130)
    sheet.text(110, 245, "SEATING PLANE", size=8)
    sheet.lines(350, 150, _NOTES, size=8)
    sheet.lines(60, 360, PROSE)

    document = read(sheet).document

    (figure,) = document.figures
    assert figure.words == "SEATING PLANE"
    assert _box(figure).right < 300
    text = " ".join(texts_of(document, BlockKind.TEXT, BlockKind.LIST_ITEM))
    assert all(note in text for note in _NOTES)


def test_words_in_boxes_of_a_flow_chart_are_its_labels(sheet):
    steps = ("Wait until the line is idle again", "Read the next byte of it")
    for number, step in enumerate(steps):
        top = 100 + 70 * number
        sheet.page.draw_rect((200, top, 380, top + 30), width=0.5)
        sheet.text(212, top + 18, step)
        sheet.page.draw_line((290, top + 30), (290, top + 70), width=0.5)
    sheet.page.draw_circle((290, 255), 15)
    sheet.text(200, 295, "Figure 1. Reception", size=9, bold=True)
    sheet.lines(60, 330, PROSE)

    document = read(sheet).document

    assert document.figures[0].words == "Wait until the line is idle again Read the next byte of it"
    assert all("idle" not in text for text in texts_of(document, BlockKind.TEXT))


def test_a_frame_around_the_page_is_part_of_no_drawing(sheet):
    sheet.page.draw_rect((50, 50, 560, 740), width=0.5)
    sheet.text(70, 80, "Typical Characteristics", size=14)
    sheet.plot(80, 130)
    sheet.plot(340, 130)
    sheet.text(70, 500, "Revised in May")

    document = read(sheet).document

    assert [figure.words for figure in document.figures] == ["", ""]
    assert "Revised in May" in document.markdown


def test_views_of_one_drawing_and_their_labels_are_one_figure(sheet):
    sheet.plot(80, 130)
    sheet.plot(253, 200, width=30, height=30)
    sheet.text(288, 218, "M", size=8)
    sheet.lines(60, 330, PROSE)

    (figure,) = read(sheet).document.figures
    assert figure.words == "M"
    assert _box(figure).right > 280


def test_the_title_of_a_table_is_no_label_of_the_drawing_below_it(sheet):
    sheet.text(80, 120, "Table 1. Timing")
    sheet.plot(80, 126)
    sheet.lines(60, 330, PROSE)

    document = read(sheet).document

    assert [figure.words for figure in document.figures] == [""]
    assert "Table 1. Timing" in document.markdown


def test_bold_titles_side_by_side_are_the_captions_of_the_plots_below(sheet):
    for top, names in ((120, ("Noise vs Frequency", "Gain")), (280, ("Supply Current", "Phase"))):
        for left, name in zip((80, 270), names, strict=True):
            sheet.text(left + 10, top, f"{name} Curve", size=9, bold=True)
            sheet.plot(left, top + 10)
            sheet.text(left - 14, top + 60, "5 V", size=8)

    assert sorted((f.label, f.caption, f.words) for f in read(sheet).document.figures) == [
        ("", "Gain Curve", "5 V"),
        ("", "Noise vs Frequency Curve", "5 V"),
        ("", "Phase Curve", "5 V"),
        ("", "Supply Current Curve", "5 V"),
    ]


def test_a_reference_alone_on_the_last_line_of_a_sentence_is_no_caption(sheet):
    sheet.text(60, 120, "The average current varies with the frequency and the source as shown in")
    sheet.page.insert_text((60, 132), "Figure 6.", fontsize=10, fontname="heit")
    sheet.plot(60, 150)

    (figure,) = read(sheet).document.figures

    assert (figure.label, figure.caption) == ("", "")


def test_rules_around_all_pages_are_no_frame_of_a_figure(sheet):
    for number in sheet.pages(range(4)):
        sheet.page.draw_rect((45, 50, 565, 740), width=0.5)
        sheet.lines(60, 80, ["The words of this paragraph say nothing."] * 3)
        sheet.plot(100, 200)
        sheet.text(100, 320, f"Figure {number + 1}. Load", size=9)
        sheet.text(60, 500, "Metal mask", size=8)

    figures = read(sheet).document.figures

    assert [figure.provenances[0].bbox.bottom < 320 for figure in figures] == [True] * 4
