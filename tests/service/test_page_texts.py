"""The text process, started for real."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
import pymupdf
import pytest

from desktop_qa.child_process import ChildProcess
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.page_text import CopiedText, TextHit, TextProblem, TextQuery, TextSpan
from desktop_qa.parse.page_text import TextFile
from desktop_qa.service import page_texts
from desktop_qa.service.page_texts import PageTexts
from tests.helpers.own_process import Touch
from tests.helpers.pdf import finished
from tests.helpers.text_pages import write_columns, write_linked

pytestmark = pytest.mark.process


@pytest.fixture
def texts() -> Iterator[PageTexts]:
    made = PageTexts()
    yield made
    made.close()


def write_hanging(path: Path) -> Path:
    """Write three pages; the second takes the engine far longer than the limit of the tests."""
    document = pymupdf.open()
    for number in range(1, 4):
        document.new_page().insert_text((50, 80), f"words of page {number}")
    stream = document[1].get_contents()[0]
    one = b"BT /helv 10 Tf 50 80 Td (words) Tj ET "
    document.update_stream(stream, one * 400_000)
    return finished(document, path, deflate=True)


def all_hits(texts: PageTexts, path: str, query: TextQuery) -> list[TextHit]:
    """Search on and on as the viewer does: one call looks for a tenth of a second only."""
    hits: list[TextHit] = []
    page_no: int | None = 1
    while page_no is not None:
        found = texts.find(path, query, page_no)
        hits += found.hits
        page_no = found.next_page
    return hits


def test_pages_bookmarks_and_searches_come_from_the_process(texts, tmp_path):
    columns, linked = write_columns(tmp_path / "a.pdf"), write_linked(tmp_path / "b.pdf")
    assert texts.page_text(str(columns), 2).text == "The second page."
    assert len(texts.page_text(str(linked), 1).links) == 4
    assert texts.outline(str(linked))[0].title == "Overview"
    assert len(all_hits(texts, str(columns), TextQuery("column"))) == 1
    assert texts.copy(str(columns), TextSpan(2, 0, 2, None)).text == "The second page."
    assert "The converter holds" in texts.page_text(str(columns), 1).text


def test_a_file_that_is_changed_is_read_anew_and_one_that_is_gone_says_so(texts, tmp_path):
    path = write_columns(tmp_path / "a.pdf")
    assert texts.page_text(str(path), 1).text.startswith("A title")
    write_linked(path)
    assert texts.page_text(str(path), 1).text.startswith("Page number 1")
    path.unlink()
    with pytest.raises(UnreadableDocumentError, match="no longer there"):
        texts.page_text(str(path), 1)


def test_files_that_cannot_be_opened_say_why_and_cost_only_themselves(texts, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing else")
    good = write_columns(tmp_path / "a.pdf")
    with pytest.raises(UnreadableDocumentError):
        texts.page_text(str(broken), 1)
    assert texts.page_text(str(good), 2).text == "The second page."


def test_a_page_that_hangs_is_passed_over_and_the_others_are_read(
    texts, tmp_path, caplog, monkeypatch
):
    path = str(write_hanging(tmp_path / "hanging.pdf"))
    monkeypatch.setattr(page_texts, "TIME_LIMIT_S", 5.0)
    with caplog.at_level(logging.WARNING):
        assert texts.page_text(path, 1).text == "words of page 1"
        assert texts.page_text(path, 2).problem is TextProblem.DAMAGED
        found = all_hits(texts, path, TextQuery("words of page"))
        assert [hit.page_no for hit in found] == [1, 3]
        assert texts.page_text(path, 3).text == "words of page 3"
    # By its time or, on a quick machine, by the memory that it fills meanwhile.
    assert any("it took" in record.message for record in caplog.records)


def test_a_process_that_was_killed_is_replaced(texts, tmp_path):
    path = str(write_columns(tmp_path / "a.pdf"))
    assert texts.page_text(path, 1).text
    texts._child._process.kill()
    texts._child._process.join()
    assert texts.page_text(path, 2).text == "The second page."


def test_a_page_that_costs_the_process_twice_ahead_of_time_is_not_read_again(
    texts, tmp_path, caplog
):
    path = str(write_hanging(tmp_path / "hanging.pdf"))
    for _ in range(2):
        assert texts.page_text(path, 1).text == "words of page 1"
        at = texts._message(texts._child, 60)  # it has begun with the second page
        assert at is not None
        texts._child._received.put(page_texts._encoder.encode(at))
        texts._child._process.kill()
        texts._child._process.join()
    with caplog.at_level(logging.WARNING):
        assert texts.page_text(path, 3).text == "words of page 3"
        assert texts.page_text(path, 2).problem is TextProblem.DAMAGED
    assert [record.message for record in caplog.records] == [
        "Page 2 cost the process that reads ahead"
    ]


def _send_a_pickle(connection: Connection) -> None:
    target = Path(connection.recv().file.path).with_name("was-run")
    connection.send_bytes(pickle.dumps(Touch(target)))
    connection.recv()


def test_a_pickle_that_the_process_sends_is_not_run_and_the_process_is_replaced(
    texts, tmp_path, warned
):
    path = str(write_columns(tmp_path / "a.pdf"))
    texts._child = ChildProcess(_send_a_pickle, "strange")
    with pytest.raises(UnreadableDocumentError, match="came back damaged"):
        texts.page_text(path, 1)
    assert not (tmp_path / "was-run").exists()
    assert texts.page_text(path, 2).text == "The second page."


def test_what_the_process_reads_comes_through_the_pipe_as_it_was(tmp_path):
    with closing(TextFile(write_linked(tmp_path / "b.pdf"))) as file:
        found = file.find(TextQuery("page"), 1, frozenset(), lambda _page_no: None)
        values = (file.page(1), file.outline(), found, CopiedText("a\nb", None))
    assert values[0].links
    assert found.hits
    for value, kind in zip(values, page_texts._REPLIES.values(), strict=True):
        sent = page_texts._encoder.encode(value)
        came = msgspec.msgpack.decode(sent, type=kind, dec_hook=page_texts._floats_of_bytes)
        assert came == value


def test_nothing_is_answered_after_the_end(tmp_path):
    texts = PageTexts()
    path = str(write_columns(tmp_path / "a.pdf"))
    assert texts.page_text(path, 1).text
    texts.close()
    with pytest.raises(UnreadableDocumentError):
        texts.page_text(path, 1)
