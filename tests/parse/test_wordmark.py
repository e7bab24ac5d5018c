from pathlib import Path

import pymupdf
import pytest

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.pdf import PdfFile
from desktop_qa.parse.wordmark import read_wordmarks


def _page_with_logo(
    folder: Path, text: str, *, font: str = "hebo", dpi: int = 150, top: float = 60, wide: float = 1
) -> Path:
    """Write a page whose only letters are a picture."""
    with pymupdf.open() as drawing, pymupdf.open() as document:
        box = drawing.new_page(width=24 * len(text), height=40)
        box.insert_text((6, 30), text, fontname=font, fontsize=24)
        picture = box.get_pixmap(dpi=dpi)
        page = document.new_page(width=612, height=792)
        page.insert_image(
            pymupdf.Rect(72, top, 72 + wide * 24 * len(text), top + 40),
            pixmap=picture,
            keep_proportion=False,
        )
        document.save(folder / "sheet.pdf")
    return folder / "sheet.pdf"


def _read(file: Path, words: list[BoundingBox] | None = None) -> list[str]:
    with PdfFile(file) as pdf:
        return [mark.text for mark in read_wordmarks(pdf, 1, words or [])]


@pytest.mark.parametrize(
    ("text", "font", "dpi", "wide"),
    [
        ("NORTHWIND", "hebo", 150, 1.0),
        ("MOTORLAND", "hebi", 72, 1.2),
        ("Southgate", "helv", 150, 1.0),
        ("ORION", "tibo", 150, 0.8),
    ],
)
def test_a_name_that_is_only_a_picture_is_read(tmp_path, text, font, dpi, wide):
    assert _read(_page_with_logo(tmp_path, text, font=font, dpi=dpi, wide=wide)) == [text]


def test_words_of_the_page_and_drawings_in_its_middle_are_no_logos(tmp_path):
    file = _page_with_logo(tmp_path, "NORTHWIND")
    assert _read(file, [BoundingBox(72, 60, 300, 100)]) == []

    assert _read(_page_with_logo(tmp_path, "NORTHWIND", top=380)) == []


def test_bars_and_boxes_are_no_letters(tmp_path):
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        for index in range(9):
            page.draw_rect(pymupdf.Rect(72 + 14 * index, 60, 80 + 14 * index, 80), fill=(0, 0, 0))
            page.draw_line((300 + 9 * index, 60), (308 + 9 * index, 80))
        document.save(tmp_path / "bars.pdf")

    assert _read(tmp_path / "bars.pdf") == []
