"""Ten real datasheets become a library without loss."""

from __future__ import annotations

import pymupdf
import pytest

from desktop_qa.core.folding import fold
from desktop_qa.evaluate.bank import read_bank
from desktop_qa.evaluate.report import MAX_SEGMENT_TOKENS
from desktop_qa.evaluate.runner import RelevanceIndex
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, count_tokens
from tests.helpers.ten_files import TEN_FILES

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]


def test_every_file_and_page_is_accounted_for(shared, ten_ingest):
    _, report = ten_ingest
    assert report.documents == len(TEN_FILES)
    assert report.failed == ()
    without_text = {(s.file, f.page_no) for s in report.partial for f in s.page_failures}
    n_pages = 0
    for name in TEN_FILES:
        with pymupdf.open(shared / "library" / name) as document:
            n_pages += document.page_count
            for page in document:
                has_words = bool(page.get_text("words"))
                assert not has_words or (name, page.number + 1) not in without_text
    assert report.pages == n_pages


def test_segments_keep_to_the_limits_of_reader_and_embedder(ten_library):
    for segment, file in ten_library.segments():
        where = f"{file} {segment.id}"
        assert segment.n_tokens == count_tokens(segment.text), where
        assert segment.n_tokens <= MAX_SEGMENT_TOKENS, where
        assert count_tokens(segment.embedded_text) <= MAX_EMBEDDED_TOKENS, where


def test_segments_carry_their_place_and_their_path(ten_library):
    for segment, file in ten_library.segments():
        assert segment.metadata.document_title, file
        assert segment.provenances, segment.id
        pages = sorted({place.page_no for place in segment.provenances})
        assert tuple(pages) == segment.metadata.page_nos, segment.id
        assert segment.metadata.document_title in segment.lexical_text, segment.id


def test_gold_passages_are_in_a_segment_of_their_page(shared, ten_library):
    index = RelevanceIndex(ten_library.segments())
    items = [
        item
        for bank in ("dev", "types")
        for question in read_bank(shared / "eval" / f"{bank}.jsonl")
        for item in question.evidence
        if item.file in TEN_FILES
    ]
    lost = [item for item in items if not index.relevant(item).located]
    assert len(lost) <= 0.05 * len(items), lost


def test_words_of_the_pages_are_in_the_segments(shared, ten_library):
    """Running headers and words inside figures are left out, so not all of them."""
    by_page: dict[tuple[str, int], str] = {}
    for segment, file in ten_library.segments():
        for page_no in segment.metadata.page_nos:
            key = (file, page_no)
            by_page[key] = by_page.get(key, "") + fold(segment.lexical_text)
    n_words = n_found = 0
    for name in TEN_FILES:
        with pymupdf.open(shared / "library" / name) as document:
            for page in document:
                text = by_page.get((name, page.number + 1), "")
                words = [fold(word[4]) for word in page.get_text("words")]
                long_words = [word for word in words if len(word) >= 4 and word.isalpha()]
                n_words += len(long_words)
                n_found += sum(word in text for word in long_words)
    assert n_found / n_words >= 0.85
