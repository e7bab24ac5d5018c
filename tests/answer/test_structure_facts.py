from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from desktop_qa.answer.answerer import reply_to, task_of
from desktop_qa.answer.citing import cited_answer
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.answer.which_document import WHICH_DOCUMENT
from desktop_qa.core.answer import Answer, AnswerStatus, Evidence, Hit, Query, Route
from desktop_qa.core.document import DocumentId
from desktop_qa.core.folders import FileRecord
from desktop_qa.index.store import Store
from desktop_qa.retrieve.directory import directory_of
from desktop_qa.retrieve.query import build_query
from tests.helpers.meanings import FixedMeaning
from tests.retrieve.structured_documents import make_structured


@pytest.fixture
def store(tmp_path) -> Iterator[Store]:
    with contextlib.closing(Store.open(tmp_path / "library")) as opened:
        for name in ("QRX7001", "QRX7002"):
            made = make_structured(name)
            made.save_in(opened)
        yield opened


def answer(store: Store, question: str) -> Answer:
    """Answer from all segments, in the order of the library, as if each had been found."""
    query: Query = build_query(question, directory_of(store.statuses(), frozenset()))
    segments = [s for d in store.document_ids() for s in store.segments_of(d)]
    evidence = [
        Evidence(n, s, 1.0, (Hit(s.id, Route.VECTOR, n, 0.1),))
        for n, s in enumerate(segments, start=1)
    ]
    source = StoredEvidence(store)
    task = task_of(
        query, evidence, source, lambda _term: 1.0, 0.1, FixedMeaning(0.1), lambda _query: evidence
    )
    return cited_answer(query, reply_to(task), evidence)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many pages does the QRX7001 datasheet have?", "The QRX7001 datasheet has 8 pages."),
        ("How many tables are in the QRX7002 datasheet?", "The QRX7002 datasheet has 4 tables."),
        (
            "How many figures are on page 5 of the QRX7001?",
            "Page 5 of the QRX7001 datasheet has 1 figure.",
        ),
        (
            "How many tables are on page 8 of the QRX7001?",
            "Page 8 of the QRX7001 datasheet has no tables.",
        ),
        (
            "Which revision is the QRX7001 datasheet?",
            "The revision of the QRX7001 datasheet is Rev. C, March 2021.",
        ),
        (
            "When was the QRX7001 datasheet published?",
            "The QRX7001 datasheet is dated 2021-03 (Rev. C, March 2021).",
        ),
        (
            "What is the title of the QRX7001 datasheet?",
            "The title of the QRX7001 datasheet is “QRX7001 Voltage Regulator”.",
        ),
    ],
)
def test_what_is_asked_of_a_document_as_a_whole_is_answered(store, question, text):
    found = answer(store, question)
    assert found.status is AnswerStatus.ANSWERED
    assert found.text == text


def test_chapters_are_listed_with_places_that_can_be_followed(store):
    found = answer(store, "List the sections of the QRX7001 datasheet")
    lines = found.text.splitlines()
    assert lines[0] == "The QRX7001 datasheet has 6 sections."
    assert "- 1 Features, page 1 [1]" in lines
    assert "- 8 Layout, page 7 [5]" in lines
    cited = {c.marker: c for c in found.citations}
    assert cited[1].quote == ("1 Features",)
    assert cited[1].places[0].page_no == 1


def test_a_place_of_no_document_in_particular_is_asked_back(store):
    found = answer(store, "What is on page 5?")
    assert found.status is AnswerStatus.CLARIFY
    assert found.readings == (
        "The QRX7001 datasheet: what is on page 5?",
        "The QRX7002 datasheet: what is on page 5?",
    )
    assert found.text.splitlines()[0] == WHICH_DOCUMENT
    assert all(f"- {reading}" in found.text for reading in found.readings)
    assert found.citations == ()


def test_each_reading_is_answered_when_it_is_asked(store):
    for reading in answer(store, "How many pages does it have?").readings:
        assert answer(store, reading).status is AnswerStatus.ANSWERED


def test_the_only_document_needs_no_name(tmp_path):
    with contextlib.closing(Store.open(tmp_path / "library")) as store:
        make_structured("QRX7001").save_in(store)
        found = answer(store, "How many pages does it have?")
    assert found.text == "The QRX7001 datasheet has 8 pages."


def test_documents_of_one_part_are_told_apart_by_their_files(tmp_path):
    with contextlib.closing(Store.open(tmp_path / "library")) as store:
        source = store.add_source(tmp_path)
        for name, n_pages in (("RevA", 8), ("RevB", 9)):
            made = make_structured(name, n_pages=n_pages)
            document = replace(made.document, part_numbers=("QRX7001",))
            replace(made, document=document).save_in(store)
            store.put_files(
                source.id, [FileRecord(f"sheets/QRX7001_{name}.pdf", 1, 1.0, document.id)]
            )
        readings = answer(store, "How many pages does the document have?").readings
        assert readings == (
            "QRX7001_RevA.pdf: how many pages does the document have?",
            "QRX7001_RevB.pdf: how many pages does the document have?",
        )
        assert answer(store, readings[1]).text == "The QRX7001 datasheet has 9 pages."


def test_a_document_that_is_unknown_is_no_error(store):
    assert StoredEvidence(store).file_name(DocumentId("none")) == ""
