"""Parser and viewer are two engines: a word has the same place in both, on any page."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QSize
from PySide6.QtPdf import QPdfDocument

from desktop_qa.parse.pdf import PdfFile
from tests.helpers.text_pages import page_of

PAGES: dict[str, dict[str, str]] = {
    "plain": {},
    "negative origin": {"MediaBox": "[-50 -40 350 260]"},
    "fractions": {"MediaBox": "[0.3 0.7 400.25 300.9]", "Rotate": "180"},
    "media box upside down": {"MediaBox": "[400 300 0 0]"},
    "cropped": {"CropBox": "[60 40 360 270]"},
    "cropped and turned": {"CropBox": "[60 40 360 270]", "Rotate": "90"},
    "cropped and turned back": {"CropBox": "[60 40 360 270]", "Rotate": "270"},
    "crop box larger than the media box": {"CropBox": "[-100 -100 600 600]"},
    "crop box upside down": {"CropBox": "[350 250 50 30]"},
    "empty crop box": {"CropBox": "[100 100 100 100]"},
    "turned the other way": {"Rotate": "-90"},
    "turned more than once": {"Rotate": "450"},
    "turned by less than a quarter": {"Rotate": "45"},
    "user unit": {"UserUnit": "2"},
    "user unit of nothing": {"UserUnit": "0"},
    "user unit, cropped and turned": {
        "UserUnit": "2.5",
        "CropBox": "[60 40 360 270]",
        "Rotate": "90",
    },
}
_SCALE = 2


def ink(document: QPdfDocument) -> tuple[float, float, float, float]:
    """Return where the viewer draws what stands on the page, in points."""
    size = document.pagePointSize(0)
    image = document.render(0, QSize(round(size.width() * _SCALE), round(size.height() * _SCALE)))
    found = [
        (x, y)
        for y in range(image.height())
        for x in range(image.width())
        if image.pixelColor(x, y).alpha() > 100
    ]
    xs, ys = [x for x, _ in found], [y for _, y in found]
    return (
        min(xs) / _SCALE,
        min(ys) / _SCALE,
        (max(xs) + 1) / _SCALE,
        (max(ys) + 1) / _SCALE,
    )


@pytest.mark.parametrize("name", PAGES)
def test_a_word_has_one_place(tmp_path: Path, name: str) -> None:
    path = tmp_path / "page.pdf"
    with pymupdf.open() as made:
        page = made.new_page(width=400, height=300)
        page.insert_text((150, 140), "MARKWORD", fontsize=16)
        for key, value in PAGES[name].items():
            made.xref_set_key(page.xref, key, value)
        made.save(path)
    document = QPdfDocument()
    assert document.load(str(path)) is QPdfDocument.Error.None_
    size = document.pagePointSize(0)
    with PdfFile(path) as pdf:
        content = pdf.page(1)
    (word,) = content.words
    read = page_of(path)
    for width, height in ((content.width, content.height), (read.width, read.height)):
        assert (width, height) == pytest.approx((size.width(), size.height()), abs=0.6)
    left, top, right, bottom = ink(document)
    box = word.bbox
    assert box.left - 1 <= left
    assert box.top - 1 <= top
    assert right <= box.right + 1
    assert bottom <= box.bottom + 1
    # The word's box is not much larger than its print either.
    assert box.area < 3 * (right - left) * (bottom - top)
