"""Two documents of one part: what they say alike is said once, what they contradict is marked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from desktop_qa.answer.contradictions import label_of, newest_first, reconciled
from desktop_qa.answer.statement import StatedCell, Statement
from desktop_qa.core.answer import THEY_DISAGREE, Evidence
from desktop_qa.core.document import Document, DocumentId
from tests.helpers.sample_documents import make_sample

NEW, OLD, OTHER = DocumentId("new"), DocumentId("old"), DocumentId("other")


class Source:
    """Documents by id, with file names."""

    def __init__(self, documents: Mapping[DocumentId, Document], files: Mapping[str, str]) -> None:
        self._documents, self._files = documents, files

    def document(self, document_id: DocumentId) -> Document:
        return self._documents[document_id]

    def file_name(self, document_id: DocumentId) -> str:
        return self._files[document_id]


def _document(document_id: str, revision: str, date: str) -> Document:
    sample = make_sample(document_id, ("Text",))
    return replace(sample.document, id=DocumentId(document_id), revision=revision, date=date)


@pytest.fixture
def source() -> Source:
    documents = {
        NEW: _document("new", "Rev. C", "2021-03"),
        OLD: _document("old", "Rev. A", "2015-06"),
        OTHER: _document("other", "Rev. B", "2018-01"),
    }
    return Source(documents, {NEW: "acm_c.pdf", OLD: "acm_a.pdf", OTHER: "other.pdf"})


def _row(document: str, text: str, part: str = "ACM4197", subject: str = "iq") -> Statement:
    segment = make_sample(document, ("Text",)).segments[0].segment
    metadata = replace(segment.metadata, part_numbers=(part,))
    own = replace(segment, metadata=metadata, document_id=DocumentId(document))
    evidence = Evidence(1, own, 1.0, ())
    cells = ((1, 1),) if subject else ()
    values = re.findall(r"(\w*) \*\*(.+?)\*\*", text)
    stated = tuple(StatedCell(head, value) for head, value in values)
    return Statement(text, evidence, (), cells, 1.0, 1.0, subject=subject, stated=stated)


def test_rows_that_differ_are_both_given_newest_first(source):
    statements, lead = reconciled(
        [
            _row("old", "Quiescent current at 25 °C: typ **7 µA**."),
            _row("new", "Quiescent current at 25 °C: typ **5 µA**."),
        ],
        source,  # type: ignore[arg-type]
    )
    assert lead == THEY_DISAGREE
    assert [s.text for s in statements] == [
        "Rev. C (2021): Quiescent current at 25 °C: typ **5 µA**.",
        "Rev. A (2015): Quiescent current at 25 °C: typ **7 µA**.",
    ]


def test_rows_that_agree_are_one_statement_that_cites_both(source):
    statements, lead = reconciled(
        [
            _row("old", "Quiescent current: typ **5.0 μA**, max **8 µA**."),
            _row("new", "Quiescent current: typ **5 µA**."),
        ],
        source,  # type: ignore[arg-type]
    )
    assert lead == ""
    (statement,) = statements
    assert statement.evidence.segment.document_id == NEW
    assert [s.evidence.segment.document_id for s in statement.rests_on] == [OLD]


@pytest.mark.parametrize(
    "second",
    [
        _row("new", "Quiescent current at 85 °C: typ **5 µA**."),
        _row("new", "Shutdown current at 25 °C: typ **5 µA**."),
        _row("new", "Quiescent current at 25 °C: max **9 µA**."),
        _row("other", "Quiescent current at 25 °C: typ **5 µA**.", part="ACM4198"),
        _row("old", "Quiescent current at 25 °C: typ **9 µA**."),
    ],
    ids=["condition", "parameter", "bound", "part", "document"],
)
def test_other_facts_are_left_as_they_are(source, second):
    first = _row("old", "Quiescent current at 25 °C: typ **7 µA**.")
    statements, lead = reconciled([first, second], source)  # type: ignore[arg-type]
    assert statements == (first, second)
    assert lead == ""


def test_sentences_contradict_each_other_by_their_numbers_alone(source):
    texts = ("Wait for at least {} ms after power-up before the first access.",)
    old, new = (_row(d, texts[0].format(n), subject="") for d, n in (("old", 2), ("new", 10)))
    statements, _lead = reconciled([old, new], source)  # type: ignore[arg-type]
    assert [s.text[:13] for s in statements] == ["Rev. C (2021)", "Rev. A (2015)"]
    same, _lead = reconciled([old, replace(new, text=old.text)], source)  # type: ignore[arg-type]
    assert len(same) == 1
    steps = replace(old, text="1. One.\n2. Two."), replace(new, text="1. One.\n2. Two.")
    assert reconciled(steps, source)[0] == steps  # type: ignore[arg-type]


def test_a_revision_in_the_name_of_the_file_goes_before_one_that_is_only_printed():
    documents = {
        NEW: _document("new", "Rev. A", "2020-04"),
        OLD: _document("old", "", ""),
        OTHER: _document("other", "SBAS444D – MAY 2009 – REVISED JANUARY 2018", "2018-01"),
    }
    files = {NEW: "ACM_RevB.pdf", OLD: "ACM_RevA.pdf", OTHER: "x.pdf"}
    source = Source(documents, files)
    labels = [label_of(documents[d], source) for d in (NEW, OLD, OTHER)]  # type: ignore[arg-type]
    assert labels == ["Rev. B (2020)", "Rev. A", "SBAS444D (2018)"]
    rows = [_row("old", "Supply: **5 V**."), _row("new", "Supply: **6 V**.")]
    assert newest_first(rows, source) == rows[::-1]  # type: ignore[arg-type]
