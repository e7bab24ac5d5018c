"""Outlines that lie, or say half: the headings stand on the pages all the same."""

from __future__ import annotations

from collections.abc import Sequence

import pymupdf
import pytest

from desktop_qa.core.document import BlockKind
from desktop_qa.parse.document import read_document
from desktop_qa.parse.outline import chapters_of
from desktop_qa.parse.page import OutlineEntry
from tests.parse.sheet import PROSE, Sheet, read

_NAMES = ("Overview", "Wiring", "Limits", "Timing")
Entry = tuple[int, str, int]


def _chapters(numbered: bool = True) -> list[Entry]:
    entries = []
    for page_no, name in enumerate(_NAMES, start=1):
        number = f"{page_no} " if numbered else ""
        entries.append((1, f"{number}{name}", page_no))
        for section, title in enumerate(("Purpose", "Details"), start=1):
            number = f"{page_no}.{section} " if numbered else ""
            entries.append((2, f"{number}{title} of {name}", page_no))
    return entries


def _sheet(entries: Sequence[Entry]) -> Sheet:
    sheet = Sheet()
    y = 100.0
    for level, title, page_no in entries:
        if level == 1:
            if page_no > 1:
                sheet.new_page()
            y = 100.0
        sheet.text(60, y, title, size=16 if level == 1 else 12, bold=True)
        y = sheet.lines(60, y + 25, PROSE) + 30
    return sheet


def _headings(sheet: Sheet) -> list[Entry]:
    return [
        (block.level, block.text, block.provenances[0].page_no)
        for block in read(sheet).document.blocks
        if block.kind == BlockKind.SECTION_HEADER
    ]


@pytest.mark.parametrize(
    "outline",
    [
        [entry for entry in _chapters() if entry[0] == 1],
        _chapters()[:1],
        _chapters()[:6],
        [(level, title, 1) for level, title, _page_no in _chapters()],
        [(level, title, min(page_no + 2, 4)) for level, title, page_no in _chapters()],
        [(1, f"Something Quite Different {n}", n) for n in range(1, 5)],
        [(1, f"Page {n}", n) for n in range(1, 5)],
        [(1, str(n), n) for n in range(1, 5)],
        [(1, "sheet_front.pdf", 1), (1, "C:\\docs\\regulator-2.docx", 3)],
        [(1, PROSE[3], 2)],
    ],
    ids=[
        "chapters only", "first chapter only", "first half", "all on page 1", "two pages late",
        "titles of another document", "names of pages", "numbers", "names of files", "a sentence",
    ],
)  # fmt: skip
def test_headings_are_complete_with_a_wrong_or_partial_outline(outline):
    sheet = _sheet(_chapters())
    sheet.set_outline(outline)

    assert _headings(sheet) == _chapters()


def test_sections_without_numbers_go_below_an_outline_of_chapters_only():
    entries = _chapters(numbered=False)
    sheet = _sheet(entries)
    sheet.set_outline([entry for entry in entries if entry[0] == 1])

    assert _headings(sheet) == entries


def test_an_outline_that_is_complete_lets_no_bold_line_in():
    entries = [entry for entry in _chapters() if entry[0] == 1]
    sheet = _sheet(entries)
    sheet.text(60, 600, "Ordering code", size=12, bold=True)
    sheet.set_outline(entries)

    assert _headings(sheet) == entries


def test_entries_to_pages_that_do_not_exist_are_passed_over():
    sheet = _sheet(_chapters())
    sheet.set_outline(_chapters())
    document = sheet._document
    for xref in document.get_outline_xrefs()[4:9]:
        document.xref_set_key(xref, "Dest", "[99 /XYZ 0 0 0]")
        document.xref_set_key(xref, "A", "null")

    assert _headings(sheet) == _chapters()


@pytest.mark.parametrize(("key", "value"), [("Next", "{first} 0 R"), ("Title", "42")])
def test_a_broken_outline_is_no_obstacle(key, value):
    sheet = _sheet(_chapters())
    sheet.set_outline(_chapters())
    xrefs = sheet._document.get_outline_xrefs()
    sheet._document.xref_set_key(xrefs[3], key, value.format(first=xrefs[0]))

    assert _headings(sheet) == _chapters()


def test_an_outline_that_leads_to_the_contents_leaves_the_contents_alone(sheet):
    sheet.text(60, 80, "Table of Contents", size=16, bold=True)
    y = 110.0
    for _level, title, page_no in _chapters():
        sheet.text(60, y, f"{title} {'. ' * 40}{page_no + 1}")
        y += 14
    sheet.new_page()
    rest = _sheet(_chapters())
    sheet._document.delete_page(1)
    sheet._document.insert_pdf(rest._document)
    sheet.set_outline([(level, title, 1) for level, title, _page_no in _chapters()])

    expected = [(level, title, page_no + 1) for level, title, page_no in _chapters()]
    found = [heading for heading in _headings(sheet) if "Contents" not in heading[1]]
    assert found == expected


def test_page_numbers_of_headings_are_those_of_the_file():
    sheet = _sheet(_chapters())
    sheet._document.insert_page(1, width=100, height=100)
    sheet.set_outline(_chapters())

    pages = {page_no for _level, _title, page_no in _headings(sheet)}

    assert pages == {1, 3, 4, 5}
    assert read(sheet).document.pages_without_text == (2,)


@pytest.mark.parametrize(
    ("title", "is_chapter"),
    [
        ("Page 12", False), ("p. iv", False), ("17", False), ("第3页", False), ("Sheet 2", False),
        ("Blank Page", False), ("Seite 4", False), ("board-rev2.PDF", False), ("Page", False),
        ("Civil Engineering", True), ("Civic", True), ("Page Layout", True), ("PDF", True),
        ("2 Pages of Memory", True), ("3.3 V Supply", True),
    ],
)  # fmt: skip
def test_bookmarks_that_programs_make_are_no_chapters(title, is_chapter):
    assert bool(chapters_of([OutlineEntry(1, title, 1, None)])) is is_chapter


def test_rotated_pages_have_their_outlined_headings(tmp_path):
    document = pymupdf.open()
    titles = ("Overview", "Wiring", "Limits", "Timing")
    for title, rotation in zip(titles, (0, 90, 180, 270), strict=True):
        upright = pymupdf.open()
        wide = rotation in (90, 270)
        source = upright.new_page(width=792 if wide else 612, height=612 if wide else 792)
        source.insert_text((60, 120), title, fontsize=16, fontname="hebo")
        for row, text in enumerate(PROSE):
            source.insert_text((60, 150 + 12 * row), text, fontsize=10)
        page = document.new_page(width=612, height=792)
        page.show_pdf_page(page.rect, upright, 0, rotate=rotation)
        page.set_rotation(rotation)
    document[1].set_cropbox(pymupdf.Rect(20, 30, 590, 770))
    document.set_toc([[1, title, number] for number, title in enumerate(titles, start=1)])
    document.save(tmp_path / "turned.pdf")

    result = read_document(
        tmp_path / "turned.pdf", "0" * 16, ("turned.pdf",), None, lambda *_: None
    )

    headings = [b for b in result.document.blocks if b.kind == BlockKind.SECTION_HEADER]
    assert [(b.text, b.provenances[0].page_no) for b in headings] == [
        ("Overview", 1), ("Wiring", 2), ("Limits", 3), ("Timing", 4),
    ]  # fmt: skip
    left, top = (headings[1].provenances[0].bbox.left, headings[1].provenances[0].bbox.top)
    assert (round(left), round(top)) != (60, 105)
    for block, (width, height) in zip(headings, result.document.page_sizes, strict=True):
        box = block.provenances[0].bbox
        assert 0 < box.left < box.right < width
        assert 0 < box.top < box.bottom < height / 3


def test_head_of_a_column_is_not_the_chapter_that_has_its_words(sheet):
    sheet.grid((320, 400, 560), (100, 118, 136, 154))
    for x, y, text in ((350, 113, "Pin"), (450, 113, "Description")):
        sheet.text(x, y, text, bold=True)
    for k, text in enumerate(("emitter", "base")):
        sheet.text(350, 131 + 18 * k, str(k + 1))
        sheet.text(404, 131 + 18 * k, text)
    sheet.text(60, 100, "Features", bold=True)
    sheet.lines(60, 116, PROSE[:2])
    sheet.text(60, 160, "Description", bold=True)
    sheet.lines(60, 176, PROSE[:3])
    sheet.set_outline([(1, "Features", 1), (1, "Description", 1)])

    headings = [b for b in read(sheet).document.blocks if b.text == "Description"]
    assert [h.provenances[0].bbox.left for h in headings if h.kind == BlockKind.SECTION_HEADER] == [
        pytest.approx(60, abs=1)
    ]
