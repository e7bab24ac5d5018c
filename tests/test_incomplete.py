"""What a library says of documents that hold pages without text, or were read in part."""

import pymupdf
import pytest

from desktop_qa.core.document import PageFailure
from desktop_qa.core.progress import DocumentState
from desktop_qa.library.document_problems import partial_reason
from tests.helpers.libraries import open_library
from tests.helpers.raw_pdf import raw_pdf, raw_text

TEXT = [
    "The regulator keeps its output constant while the load changes from",
    "one milliampere to one ampere. A capacitor at the output holds the",
    "charge that fast steps of the load take from it.",
]


def pages(n):
    return [raw_text([f"Part {number} begins.", *TEXT], y=500) for number in range(1, n + 1)]


@pytest.fixture
def sync(tmp_path, source_folder):
    def run():
        with open_library(tmp_path / "library", source_folder) as library:
            (status,) = library.statuses()
            return status

    return run


def test_a_drawing_at_the_end_leaves_a_document_ready(sync, source_folder):
    curves = "\n".join(
        f"{60 + i} 100 m {64 + i} 108 {68 + i} 90 {70 + i} 100 c S" for i in range(300)
    )
    (source_folder / "board.pdf").write_bytes(raw_pdf([*pages(5), curves]))

    status = sync()

    assert status.state is DocumentState.READY
    assert (status.reason, status.page_failures) == ("", ())
    assert status.n_pages == 6


def test_a_scanned_page_makes_a_document_partial_and_names_ocr(sync, source_folder):
    (source_folder / "text.pdf").write_bytes(raw_pdf(pages(5)))
    document = pymupdf.open(source_folder / "text.pdf")
    page = document.new_page()
    pixels = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 100, 130), False)
    page.insert_image(page.rect, pixmap=pixels)
    document.saveIncr()
    document.close()

    status = sync()

    assert status.state is DocumentState.PARTIAL
    assert status.reason == "Page 6 could not be read: no text layer (scanned page)."
    assert "OCR" in status.hint


def test_the_sentence_tells_pages_lost_from_pages_that_lack_their_drawings():
    light = PageFailure(2, "read without its drawings, it took more than 45 s", has_text=True)
    lost = PageFailure(3, "the page is missing from the file")

    assert partial_reason((light,), 9) == (
        "Page 2 was read without its drawings, it took more than 45 s.", "All text is searched.",
    )  # fmt: skip
    assert partial_reason((light, light), 9)[0].startswith("2 of 9 pages were read without")
    assert partial_reason((light, lost), 9)[0] == (
        "Page 3 could not be read: the page is missing from the file."
    )
    assert partial_reason((), 9) == ("", "")
