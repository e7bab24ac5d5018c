"""The page of the docs on hard pages: images that are there and small, Markdown of each page."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from desktop_qa.core.document import DocumentId, ParseResult
from desktop_qa.parse.document import read_document
from tests.helpers.command_line import REPOSITORY

DOCS = REPOSITORY / "docs"
MAX_IMAGE_BYTES = 150_000


SCRIPT = "hard_pages"


@pytest.fixture(scope="module")
def drawing(script) -> tuple[ModuleType, ModuleType, ModuleType]:
    from hard_pages import overlay, page_markdown, pages

    return overlay, page_markdown, pages


@pytest.fixture
def converter(drawing, tmp_path) -> tuple[Path, ParseResult]:
    path = tmp_path / "converter.pdf"
    drawing[2].DOCUMENTS["converter"](path)
    result = read_document(
        path, DocumentId("0" * 16), (path.name,), None, lambda _page_no, _n_pages: None
    )
    return path, result


def test_docs_show_each_page_with_images_that_are_there_and_small(drawing):
    text = (DOCS / "hard-pages.md").read_text(encoding="utf-8")
    images = [DOCS / name for name in re.findall(r'<img src="([^"]+)"', text)]
    assert {f"{page.name}.png" for page in drawing[2].PAGES} <= {path.name for path in images}
    assert set((DOCS / "hard-pages").iterdir()) == set(images)
    assert max(path.stat().st_size for path in images) < MAX_IMAGE_BYTES


def test_markdown_of_a_page_has_the_rows_of_that_page_only(drawing, converter):
    _path, result = converter
    second, third = (
        drawing[1].page_markdown(result, page_no, lambda _figure: "") for page_no in (2, 3)
    )
    assert "| PARAMETER |  | TEST CONDITIONS | NL4210 MIN |" in second
    assert "| PARAMETER |  | TEST CONDITIONS | NL4210 MIN |" in third
    assert "Offset drift" in second
    assert "Offset drift" not in third
    assert "Power dissipation" in third
    assert "Power dissipation" not in second
    assert "(3) Supply currents" not in second


def test_rectangles_lie_on_their_page(drawing, converter, tmp_path):
    path, result = converter
    boxes = drawing[0].boxes_of(result, 3)
    width, height = result.document.page_sizes[2]
    assert all(0 < box.bbox.left < box.bbox.right < width for box in boxes)
    assert all(0 < box.bbox.top < box.bbox.bottom < height for box in boxes)
    assert [box.tag for box in boxes if box.tag] == ["...", "1 H2", "2"]
    drawing[0].draw_page(path, 3, boxes, tmp_path / "page.png")
    assert (tmp_path / "page.png").stat().st_size > 10_000
