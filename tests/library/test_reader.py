"""Reading children: limits hold, and one bad page or file costs only itself."""

import logging
import threading

import pytest

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, UnreadableDocumentError
from desktop_qa.library import reader
from desktop_qa.library.reader import ReadingChild, ReadJob
from tests.helpers.pdf import PdfWriter
from tests.helpers.raw_pdf import raw_pdf, raw_text, strokes

pytestmark = pytest.mark.process


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


def test_a_page_that_kills_the_child_becomes_a_page_failure(child, tmp_path, caplog):
    # So many pages that the child is still at them when the news of the second one is read.
    writer = PdfWriter()
    for number in range(1, 201):
        writer.paragraph(f"The supply current of channel {number} is five milliamperes at most.")
        writer.new_page()
    pdf = writer.save(tmp_path / "long.pdf")
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
    assert len(read.result.document.page_sizes) >= 200


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


@pytest.fixture
def heavy(tmp_path):
    """Three pages; the second one has strokes enough to take a second or two."""
    pages = [raw_text([f"{n} Chapter", "The text of the page stays."], y=500) for n in (1, 2, 3)]
    pages[1] += strokes(250_000)
    path = tmp_path / "heavy.pdf"
    path.write_bytes(raw_pdf(pages))
    return path


def test_a_page_over_its_memory_keeps_its_text(heavy, pdf, caplog):
    probe = ReadingChild()
    probe.read(job(pdf), ignore, is_paused=never, is_cancelled=never)
    usual = probe._resident_bytes()
    probe.kill()
    child = ReadingChild(memory_limit_bytes=int(usual + 120e6))
    try:
        with caplog.at_level(logging.WARNING):
            read = child.read(job(heavy), ignore, is_paused=never, is_cancelled=never)
    finally:
        child.kill()
    document = read.result.document
    (failure,) = document.page_failures
    assert (failure.page_no, failure.has_text) == (2, True)
    assert "without its drawings" in failure.reason
    assert "memory" in failure.reason
    assert "2 Chapter\n\nThe text of the page stays." in document.markdown
    assert len(document.page_sizes) == 3


class LosingChild(ReadingChild):
    """A child that is lost at the pages named, as often as they are read whole or at all."""

    def __init__(self, heavy: set[int], deadly: set[int] = frozenset(), whole: bool = False):
        super().__init__()
        self.heavy, self.deadly, self.whole = heavy, deadly, whole
        self.n_tries = 0

    def _attempt(self, job, on_page, is_paused, is_cancelled):
        self.n_tries += 1
        light, skipped = dict(job.light_pages), dict(job.skip_pages)
        for page_no in range(1, 101):
            if page_no in skipped:
                continue
            if page_no in self.deadly or (page_no in self.heavy and page_no not in light):
                raise reader._ChildLost(page_no, 100, "it took more than 45 s", "Print it.")
        if self.whole:
            raise reader._ChildLost(0, 100, "its 100 pages take more than 2 GB", "Split it.")
        return light, skipped


def lose(child, pdf):
    return child.read(job(pdf), ignore, is_paused=never, is_cancelled=never)


def test_a_page_lost_once_is_read_lightly_and_one_lost_twice_is_skipped(pdf, caplog):
    with caplog.at_level(logging.WARNING):
        light, skipped = lose(LosingChild(heavy={4, 9}, deadly={7}), pdf)
    assert set(light) == {4, 7, 9}
    assert skipped == {7: "it took more than 45 s"}


def test_after_a_few_heavy_pages_the_rest_is_read_lightly(pdf, caplog):
    child = LosingChild(heavy=set(range(10, 101)))
    with caplog.at_level(logging.WARNING):
        light, skipped = lose(child, pdf)
    assert set(light) == set(range(10, 101))
    assert skipped == {}
    assert child.n_tries == reader.MAX_HEAVY_PAGES + 1


def test_too_many_deadly_pages_end_the_document(pdf, caplog):
    with (
        caplog.at_level(logging.WARNING),
        pytest.raises(UnreadableDocumentError, match="given up"),
    ):
        lose(LosingChild(heavy=set(), deadly=set(range(20, 40))), pdf)


def test_a_document_too_long_for_the_memory_is_not_tried_again(pdf, caplog):
    child = LosingChild(heavy=set(), whole=True)
    with (
        caplog.at_level(logging.WARNING),
        pytest.raises(UnreadableDocumentError, match="its 100 pages") as caught,
    ):
        lose(child, pdf)
    assert caught.value.hint == "Split it."
    assert child.n_tries == 1


def test_cancel_ends_the_child(child, pdf):
    event = threading.Event()
    event.set()
    with pytest.raises(Cancelled):
        child.read(job(pdf), ignore, is_paused=never, is_cancelled=event.is_set)
    assert child._process is None


def test_parsing_one_file_needs_no_library(pdf):
    document = reader.parse_in_child(pdf, DocumentId("0" * 16))
    assert len(document.page_sizes) == 4
