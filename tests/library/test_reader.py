"""Reading children: limits hold, and one bad page or file costs only itself."""

import contextlib
import itertools
import os
import pickle
import struct
import sys
import threading
from types import SimpleNamespace

import msgspec
import pytest

from desktop_qa import child_process
from desktop_qa.child_process import ChildProcess
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, GivenUpError, UnreadableDocumentError
from desktop_qa.core.stages import Stage
from desktop_qa.library import reader
from desktop_qa.library.reader import ReadDocument, ReadingChild, ReadJob
from desktop_qa.settings import ReadingSettings
from tests.helpers.own_process import Touch
from tests.helpers.pdf import PdfWriter
from tests.helpers.raw_pdf import raw_pdf, raw_text, strokes

WHEN = ("at rest", "at work", "when it is switched on")
pytestmark = pytest.mark.process


def never() -> bool:
    return False


def ignore(_page_no: int, _n_pages: int) -> None:
    return None


@pytest.fixture
def pdf(tmp_path):
    writer = PdfWriter()
    writer.title("ACME1234 Example Part")
    for chapter, when in enumerate(WHEN, start=1):
        writer.heading(f"{chapter} Chapter")
        writer.paragraph(f"The supply current of the ACME1234 {when} is five milliamperes.")
        writer.new_page()
    writer.paragraph("The end of the document stands here.")
    return writer.save(tmp_path / "acme.pdf")


@pytest.fixture
def child():
    with ended(ReadingChild()) as made:
        yield made


def job(path) -> ReadJob:
    return ReadJob(path, DocumentId("0123456789abcdef"), (path.name,), None)


def read_by(child, path, on_page=ignore, is_cancelled=never) -> ReadDocument:
    return child.read(job(path), on_page, is_paused=never, is_cancelled=is_cancelled)


@contextlib.contextmanager
def ended(child):
    """Kill a child when the test is over with it."""
    try:
        yield child
    finally:
        child.kill()


def test_a_document_comes_back_whole_and_pages_are_announced(child, pdf):
    pages = []
    found = read_by(child, pdf, lambda page_no, n: pages.append((page_no, n)))
    assert len(found.result.document.page_sizes) == 4
    assert {page_no for page_no, _n in pages} == {1, 2, 3, 4}
    assert found.segments


def test_a_damaged_file_fails_with_a_reason_and_the_next_one_is_read(child, pdf, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_text("no pdf at all")
    with pytest.raises(UnreadableDocumentError) as caught:
        read_by(child, broken)
    assert caught.value.hint
    assert read_by(child, pdf).segments


def test_a_page_that_kills_the_child_becomes_a_page_failure(child, tmp_path, warned):
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
            child._child._process.kill()
            child._child._process.join()

    read = read_by(child, pdf, kill_at_page_two)
    failures = read.result.document.page_failures
    # The child runs ahead of the news: the page it died on is the last one announced.
    assert len(failures) <= 1
    assert killed == [2]
    assert len(read.result.document.page_sizes) >= 200


@pytest.mark.parametrize(
    ("limits", "reason"),
    [({"page_time_limit_s": -1.0}, "more than -2 s"), ({"memory_limit_mb": 1}, "memory")],
)
def test_a_child_over_its_limits_is_ended(pdf, warned, limits, reason):
    with (
        ended(ReadingChild(ReadingSettings(**limits))) as child,
        pytest.raises(UnreadableDocumentError, match=reason),
    ):
        read_by(child, pdf)


@pytest.fixture
def heavy(tmp_path):
    """Three pages; the second one has strokes enough to take a second or two."""
    pages = [raw_text([f"{n} Chapter", "The text of the page stays."], y=500) for n in (1, 2, 3)]
    pages[1] += strokes(250_000)
    path = tmp_path / "heavy.pdf"
    path.write_bytes(raw_pdf(pages))
    return path


def test_a_page_over_its_memory_keeps_its_text(heavy, pdf, warned):
    with ended(ReadingChild()) as probe:
        read_by(probe, pdf)
        usual = probe._child.resident_bytes()
    limits = ReadingSettings(memory_limit_mb=int((usual + 120e6) / 1024**2))
    with ended(ReadingChild(limits)) as child:
        read = read_by(child, heavy)

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
        light, skipped = job.trouble.light, job.trouble.skipped
        for page_no in range(1, 101):
            if page_no in skipped:
                continue
            if page_no in self.deadly or (page_no in self.heavy and page_no not in light):
                step, reason = Stage.PAGE, "it took more than 45 s"
                raise reader._ChildLost(step, page_no, 100, reason, "Print it.")
        if self.whole:
            step, reason = Stage.OPENING, "its 100 pages take more than 2 GB"
            raise reader._ChildLost(step, 0, 100, reason, "Split it.")
        self.light, self.skipped = light, skipped
        return reader.read(job, ignore, ignore)


def lose(child, pdf):
    assert read_by(child, pdf).ran_into_limit
    return child.light, child.skipped


def test_a_page_lost_once_is_read_lightly_and_one_lost_twice_is_skipped(pdf, warned):
    light, skipped = lose(LosingChild(heavy={4, 9}, deadly={7}), pdf)
    assert set(light) == {4, 7, 9}
    assert skipped == {7: "it took more than 45 s"}


def test_after_a_few_heavy_pages_the_rest_is_read_lightly(pdf, warned):
    child = LosingChild(heavy=set(range(10, 101)))
    light, skipped = lose(child, pdf)
    assert set(light) == set(range(10, 101))
    assert skipped == {}
    assert child.n_tries == reader.MAX_HEAVY_PAGES + 1


def test_too_many_deadly_pages_end_the_document(pdf, warned):
    with pytest.raises(UnreadableDocumentError, match="given up"):
        lose(LosingChild(heavy=set(), deadly=set(range(20, 40))), pdf)


def test_a_document_too_long_for_the_memory_is_not_tried_again(pdf, warned):
    child = LosingChild(heavy=set(), whole=True)
    with pytest.raises(UnreadableDocumentError, match="its 100 pages") as caught:
        lose(child, pdf)
    assert caught.value.hint == "Split it."
    assert child.n_tries == 1


def test_cancel_ends_the_child(child, pdf):
    event = threading.Event()
    event.set()
    with pytest.raises(Cancelled):
        read_by(child, pdf, is_cancelled=event.is_set)
    assert child._child is None


# Limits that say nothing of a busy machine


@pytest.fixture
def leaping_clock(monkeypatch):
    """A minute passes between any two looks at the clock."""
    ticks = itertools.count(step=60.0)
    monkeypatch.setattr(child_process, "time", SimpleNamespace(monotonic=lambda: next(ticks)))


def test_a_child_that_others_keep_waiting_reads_its_document_whole(child, pdf, leaping_clock):
    read = read_by(child, pdf)
    assert not read.ran_into_limit
    assert read.result.document.page_failures == ()


class SlowChild(ReadingChild):
    """A child, in this process, that takes too long for a step until that is left out."""

    def __init__(self, step, page_no=0):
        super().__init__()
        self.slow, self.n_tries = (step, page_no), 0

    def _attempt(self, job, on_page, is_paused, is_cancelled):
        self.n_tries += 1
        left_out = {*job.trouble.left_out, *job.trouble.bare}
        at = [Stage.OPENING]

        def on_step(step, n_pages):
            at[0] = step
            check(0, n_pages)

        def check(page_no, n_pages):
            step = at[0]
            is_spared = {step, page_no, Stage.LAYOUT} & left_out
            if (step, page_no) == self.slow and not is_spared:
                raise reader._ChildLost(step, page_no, n_pages, TOO_LONG, "Print it.")

        return reader.read(job, check, on_step)


def sentences(text):
    return sum(f"ACME1234 {when} is five" in " ".join(text.split()) for when in WHEN)


TOO_LONG = "it took more than 57 s of processor time"


@pytest.mark.parametrize(
    ("step", "said", "n_headings"),
    [
        (Stage.LAYOUT, "read without headings, tables and figures", 0),
        (Stage.SEGMENTS, "read without headings, tables and figures", 0),
        (Stage.FIGURES, "read without its figures", 3),
        (Stage.KEYWORDS, "read without its keywords", 3),
    ],
)
def test_a_step_over_all_pages_that_takes_too_long_is_left_out_and_the_words_are_kept(
    pdf, warned, step, said, n_headings
):
    child = SlowChild(step)
    read = read_by(child, pdf)
    document = read.result.document
    assert read.ran_into_limit
    assert child.n_tries == 2
    assert [f.page_no for f in document.page_failures] == [1, 2, 3, 4]
    assert all(f.has_text for f in document.page_failures)
    assert document.page_failures[0].reason == f"{said}, {TOO_LONG}"
    assert sentences(document.markdown) == 3
    assert sentences(" ".join(one.segment.text for one in read.segments)) == 3
    assert all(page.words for page in read.result.page_words)
    assert document.title
    assert sum(b.text in ("1 Chapter", "2 Chapter", "3 Chapter") for b in document.blocks) == (
        n_headings
    )


def test_the_tables_of_one_page_are_left_out_before_the_page_is(pdf, warned):
    child = SlowChild(Stage.TABLES, page_no=2)
    read = read_by(child, pdf)
    assert child.n_tries == 3
    (failure,) = read.result.document.page_failures
    assert (failure.page_no, failure.has_text) == (2, True)
    assert failure.reason.startswith("read without its drawings and tables, it took")
    assert sentences(read.result.document.markdown) == 3


# What a child sends


def send_a_pickle(connection):
    target = connection.recv().path.with_name("was-run")
    connection.send_bytes(pickle.dumps(Touch(target)))
    connection.recv()


def send_another_document(connection):
    one = connection.recv()
    strange = ReadJob(one.path, DocumentId("f" * 16), one.files, None)
    connection.send_bytes(
        reader._encoder.encode(reader._Done(reader.read(strange, ignore, ignore)))
    )
    connection.recv()


def open_what_never_answers(connection):
    pipe = connection.recv().path.with_name("silent")
    os.mkfifo(pipe)
    pipe.open("rb")


def send_half_a_message(connection):
    connection.recv()
    os.write(connection.fileno(), struct.pack("!i", 1000) + b"half")
    connection.recv()


def send_too_much(connection):
    connection.recv()
    os.write(connection.fileno(), struct.pack("!i", 2_000_000_000))
    connection.recv()


class StrangeChild(ReadingChild):
    """A child that a drive holds up or a file has taken over, for its first document."""

    def __init__(self, target):
        super().__init__()
        self.targets = [target]

    def _started(self):
        if self._child is None and self.targets:
            self._child = ChildProcess(self.targets.pop(), "strange")
        return super()._started()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (send_a_pickle, "came back damaged"),
        (send_another_document, "came back damaged"),
        (open_what_never_answers, "it stood still for 20 s"),
        (send_half_a_message, "it stood still for 20 s"),
        (send_too_much, "it crashed the PDF reader"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the children write to a pipe of POSIX")
def test_a_child_that_hangs_or_was_taken_over_costs_only_its_document(
    pdf, warned, leaping_clock, monkeypatch, target, said
):
    monkeypatch.setattr(reader, "STALL_LIMIT_S", 20.0)
    with ended(StrangeChild(target)) as child:
        with pytest.raises(GivenUpError, match=said) as caught:
            read_by(child, pdf)
        assert child._child is None  # the next document gets another one
    assert ("drive" in caught.value.hint) == ("stood still" in said)
    assert not pdf.with_name("was-run").exists()


def test_a_document_comes_through_the_pipe_as_it_was(sample_library):
    path = max(sample_library.rglob("*.pdf"), key=lambda one: one.stat().st_size)
    read = reader.read(job(path), ignore, ignore)
    assert read.result.document.tables
    assert msgspec.msgpack.decode(reader._encoder.encode(read), type=ReadDocument) == read


def test_a_flipped_byte_is_an_error_of_the_message_or_a_value_of_its_type(pdf):
    sent = reader._encoder.encode(reader._Done(reader.read(job(pdf), ignore, ignore)))
    n_refused = 0
    for index in range(len(sent)):
        flipped = sent[:index] + bytes([sent[index] ^ 0x81]) + sent[index + 1 :]
        try:
            assert isinstance(reader._decoder.decode(flipped), msgspec.Struct)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            n_refused += 1
    assert n_refused > len(sent) / 2
