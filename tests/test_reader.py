"""Reading children: limits hold, and one bad page or file costs only itself."""

import logging
import threading

import pytest

from desktop_qa import reader
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, UnreadableDocumentError
from desktop_qa.reader import ReadingChild, ReadJob
from tests.helpers.pdf import PdfWriter


def never() -> bool:
    return False


def ignore(_page_no: int, _n_pages: int) -> None:
    return None


@pytest.fixture
def pdf(tmp_path):
    writer = PdfWriter()
    writer.title("ACME1234 Example Part")
    for chapter in range(1, 4):
        writer.heading(f"{chapter} Chapter")
        writer.paragraph("The supply current of the ACME1234 is five milliamperes at most.")
        writer.new_page()
    writer.paragraph("The end of the document stands here.")
    return writer.save(tmp_path / "acme.pdf")


@pytest.fixture
def child():
    made = ReadingChild()
    yield made
    made.kill()


def job(path) -> ReadJob:
    return ReadJob(path, DocumentId("0123456789abcdef"), (path.name,), None)


def test_a_document_comes_back_whole_and_pages_are_announced(child, pdf):
    pages = []
    read = child.read(
        job(pdf), lambda page_no, n: pages.append((page_no, n)),
        is_paused=never, is_cancelled=never,
    )  # fmt: skip
    assert len(read.result.document.page_sizes) == 4
    assert {page_no for page_no, _n in pages} == {1, 2, 3, 4}
    assert read.segments


def test_a_damaged_file_fails_with_a_reason_and_the_next_one_is_read(child, pdf, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_text("no pdf at all")
    with pytest.raises(UnreadableDocumentError) as caught:
        child.read(job(broken), ignore, is_paused=never, is_cancelled=never)
    assert caught.value.hint
    assert child.read(job(pdf), ignore, is_paused=never, is_cancelled=never).segments


def test_a_page_that_kills_the_child_becomes_a_page_failure(child, pdf, caplog):
    killed = []

    def kill_at_page_two(page_no: int, _n_pages: int) -> None:
        if page_no == 2 and not killed:
            killed.append(page_no)
            child._process.kill()
            child._process.join()

    with caplog.at_level(logging.WARNING):
        read = child.read(job(pdf), kill_at_page_two, is_paused=never, is_cancelled=never)
    failures = read.result.document.page_failures
    # The child runs ahead of the news: the page it died on is the last one announced.
    assert len(failures) <= 1
    assert killed == [2]
    assert len(read.result.document.page_sizes) == 4


@pytest.mark.parametrize(
    ("limits", "reason"),
    [({"page_time_limit_s": -1.0}, "more than -2 s"), ({"memory_limit_bytes": 1}, "memory")],
)
def test_a_child_over_its_limits_is_ended(pdf, caplog, limits, reason):
    child = ReadingChild(**limits)
    try:
        with (
            caplog.at_level(logging.WARNING),
            pytest.raises(UnreadableDocumentError, match=reason),
        ):
            child.read(job(pdf), ignore, is_paused=never, is_cancelled=never)
    finally:
        child.kill()


def test_cancel_ends_the_child(child, pdf):
    event = threading.Event()
    event.set()
    with pytest.raises(Cancelled):
        child.read(job(pdf), ignore, is_paused=never, is_cancelled=event.is_set)
    assert child._process is None


def test_parsing_one_file_needs_no_library(pdf):
    document = reader.parse_in_child(pdf, DocumentId("0" * 16))
    assert len(document.page_sizes) == 4
