"""The order in which a page is read: narrow gutters, margins, wrapped text, code and commands."""

import pymupdf

from desktop_qa.core.document import BlockKind
from tests.parse.sheet import PROSE, block_with, read, texts_of

NARROW = (
    "The first column has words that run on to the",
    "strip between both sides, and some lines of it",
    "pass by a hair beyond the edge of the other one",
    "as narrow pages with a rule between them do",
)


def _order(texts: list[str], *starts: str) -> list[int]:
    return [next(i for i, text in enumerate(texts) if text.startswith(start)) for start in starts]


def test_columns_are_told_apart_though_their_lines_touch(sheet):
    right = 60 + pymupdf.get_text_length(NARROW[2], fontsize=10) - 1
    for left, name in ((60, "first"), (right, "second")):
        for part in range(4):
            sheet.lines(left, 120 + part * 70, [t.replace("first", name) for t in NARROW])

    texts = texts_of(read(sheet).document, BlockKind.TEXT)

    assert [text.split()[1] for text in texts] == ["first"] * 4 + ["second"] * 4
    assert texts[0] == " ".join(NARROW)


def test_a_title_in_the_margin_is_read_before_its_own_text(sheet):
    for part in range(3):
        y = 120 + part * 150
        sheet.text(60, y, f"Side title {part}", bold=True)
        sheet.text(60, y + 12, "over two lines", bold=True)
        sheet.lines(200, y, [f"Text {part} begins here. " + PROSE[0][:40], *PROSE[1:]])
        sheet.lines(200, y + 60, PROSE)

    texts = texts_of(read(sheet).document, BlockKind.TEXT, BlockKind.SECTION_HEADER)
    starts = [f"{kind} {part}" for part in range(3) for kind in ("Side title", "Text")]
    order = _order(texts, *starts)
    assert order == sorted(order)


def test_a_name_and_its_value_stay_in_one_row(sheet):
    sheet.text(60, 100, "ABSOLUTE MAXIMUM RATINGS", bold=True)
    rows = (
        ("Voltage on any pin relative to ground", "-0.5 V to +7.0 V"),
        ("Operating temperature", "-40 C to +85 C"),
        ("Storage temperature", "-55 C to +125 C"),
    )
    sheet.rows((56, 326), 102, rows, height=12, n_bold=0)
    sheet.lines(60, 200, PROSE * 3)

    lines = read(sheet).document.markdown.splitlines()

    assert all(any(name in line and value in line for line in lines) for name, value in rows)


def test_a_heading_below_both_columns_leads_what_follows(sheet):
    for row in range(9):
        sheet.text(60, 120 + row * 12, f"Left line {row} of a column with its words")
        sheet.text(320, 120 + row * 12, f"Right line {row} of a column with its words")
    sheet.text(60, 250, "7.4 Functional modes of the device", bold=True)
    sheet.lines(60, 268, [line + " and" for line in PROSE])

    texts = texts_of(read(sheet).document, BlockKind.TEXT, BlockKind.SECTION_HEADER)

    order = _order(texts, "Left line 0", "Right line 0", "7.4", "The regulator")
    assert order == sorted(order)


def test_the_number_of_a_list_item_stays_with_its_words(sheet):
    for row in range(16):
        sheet.text(60, 120 + row * 12, "Words of the left column that fill its line")
    for item in range(4):
        y = 120 + item * 40
        sheet.text(320, y, f"{item + 1}.")
        sheet.text(345, y, f"Step {item + 1} is what is to be done now")
        sheet.text(345, y + 12, "and goes on in a second line below it")

    items = texts_of(read(sheet).document, BlockKind.LIST_ITEM)

    assert [item[:9] for item in items] == [f"{n}. Step {n}" for n in range(1, 5)]


def test_commands_are_not_joined_to_one_line(sheet):
    y = sheet.lines(60, 120, [*PROSE, "It is built as follows:"])
    commands = ("cd <directory of the sources>", "./configure", "cd doc/", "doxygen doxygen.conf")
    sheet.lines(80, y + 12, commands)

    texts = texts_of(read(sheet).document, BlockKind.TEXT)

    assert texts[-4:] == list(commands)


def test_a_short_paragraph_in_a_narrow_box_is_no_list_of_commands(sheet):
    y = sheet.lines(60, 120, [line + " and so on" for line in PROSE])
    note = ("note that this box is narrower than", "all of the text that stands above it", "here")
    sheet.lines(120, y + 20, note)

    assert block_with(read(sheet).document, "note").text == " ".join(note)


def test_the_comment_of_a_line_of_code_stays_in_its_line(sheet):
    sheet.lines(60, 100, PROSE)
    for row in range(9):
        for x, text in ((60, f"TIMER{row} = 0x00000000;"), (260, "// set the timer to zero again")):
            sheet.page.insert_text((x, 180 + row * 12), text, fontsize=10, fontname="cour")
    sheet.page.insert_text((60, 180 + 9 * 12), "* all of it is done", fontsize=10, fontname="cour")

    (code,) = texts_of(read(sheet).document, BlockKind.CODE)

    assert [line.split("=")[0].strip() for line in code.splitlines()[:9]] == [
        f"TIMER{row}" for row in range(9)
    ]
    assert all(line.endswith("again") for line in code.splitlines()[:9])
    assert code.endswith("* all of it is done")


def test_a_path_in_a_sentence_makes_no_code_of_it(sheet):
    y = sheet.lines(60, 120, [*PROSE, "To have two of them at a time on one computer, run the"])
    sheet.page.insert_text((60, y), "$HOME/bin/start_the_program", fontsize=10, fontname="cour")
    sheet.text(226, y, "script, which takes the name of")
    sheet.text(60, y + 12, "the folder in which it is to write.")

    document = read(sheet).document

    assert texts_of(document, BlockKind.CODE) == []
    text = block_with(document, "To have two").text
    assert "run the $HOME/bin/start_the_program script, which" in text


def test_text_that_runs_beside_a_screenshot_stays_text(sheet):
    pixels = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 100, 60), False)
    pixels.set_rect(pixels.irect, (90,))
    y = sheet.lines(60, 120, PROSE)
    sheet.page.insert_image((170, y - 4, 340, y + 68), pixmap=pixels, keep_proportion=False)
    beside = ("to select among the", "sites that are shown", "to you in the new", "dialog of types")
    y = sheet.lines(60, y + 6, beside)
    sheet.lines(60, y + 24, PROSE)

    document = read(sheet).document

    assert " ".join(beside) in document.markdown
    assert [figure.words for figure in document.figures] == [""]


def test_a_running_title_is_furniture_however_deep_it_stands(sheet):
    for number in sheet.pages(range(1, 7)):
        sheet.text(60, 60, "XR4401", size=18, bold=True)
        sheet.text(60, 125, "Precision Reference of One Channel", size=18, bold=True)
        sheet.text(60, 160 + 6 * number, f"Chapter {'abcdef'[number - 1] * 4}", size=14, bold=True)
        sheet.lines(60, 220 + 6 * number, [*PROSE, f"This is said on {number} only."] * 2)

    document = read(sheet).document

    assert (
        texts_of(document, BlockKind.PAGE_HEADER)[1:]
        == ["XR4401 Precision Reference of One Channel"] * 5
    )
    assert all("Chapter" in text for text in texts_of(document, BlockKind.SECTION_HEADER))


def test_signs_of_which_nothing_is_seen_are_no_words(sheet):
    sheet.lines(60, 120, ["Start the service", "with this command"])
    for row in range(3):
        sheet.page.insert_text((60, 180 + row * 40), "!", fontname="cour", color=(1, 1, 1))

    assert "!" not in read(sheet).document.markdown


def test_an_outline_without_numbers_finds_the_numbered_heading(sheet):
    titles = ("Adding records", "Editing records", "Deleting records")
    for number, title in enumerate(titles, 1):
        y = 100 + number * 120
        sheet.text(60, y, f"2.{number}")
        sheet.text(90, y, title)
        sheet.lines(60, y + 20, PROSE)
    sheet.set_outline([(1, title, 1) for title in titles])

    headings = texts_of(read(sheet).document, BlockKind.SECTION_HEADER)

    assert headings == [f"2.{number} {title}" for number, title in enumerate(titles, 1)]
