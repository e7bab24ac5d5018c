from __future__ import annotations

from typing import Any

import pytest

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.retrieve.revisions import names_revision, newer_revisions, revision_key
from tests.helpers.sample_documents import make_status

TITLE = "ACM12 Temperature Sensor"


def status(name: str, revision: str = "", **changes: Any) -> DocumentStatus:
    fields = {"title": TITLE, "vendor": "Acme", "part_numbers": ("ACM12",), "revision": revision}
    return make_status(f"{name}.pdf", name, **(fields | changes))


def newest(*statuses: DocumentStatus, **dates: str) -> dict[str, str]:
    found = newer_revisions(statuses, lambda one: dates.get(one, ""))
    return {older: newest for older, (newest, _n) in found.items()}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Rev. A", "REV. B"),
        ("Rev. Z", "Rev. AA"),
        ("Revision 1.9", "Revision_1.10"),
        ("Version 2.3", "v3.0"),
        ("Rev 4", "Rev. 11 — 26 October 2015"),
        ("SBAS444 –MAY 2009", "SBAS444D –MAY 2009–REVISED JANUARY 2018"),
        ("DS21733H", "DS21733J"),
    ],
)
def test_makers_count_in_letters_and_numbers(older, newer):
    assert newest(status("a", older), status("b", newer)) == {"a": "b"}


def test_the_later_date_is_the_newer_one_to_the_precision_of_both():
    assert newest(status("a"), status("b"), a="2018-03-21", b="2019-01") == {"a": "b"}
    assert newest(status("a"), status("b"), a="2018-03-21", b="2018-03") == {}


def test_the_name_of_the_file_tells_where_the_document_is_silent():
    assert newest(status("sheet_RevA"), status("sheet_RevB")) == {"sheet_RevA": "sheet_RevB"}


def test_what_contradicts_itself_tells_nothing():
    assert newest(status("a", "Rev. A"), status("b", "Rev. B"), a="2020-01", b="2019-01") == {}


def test_of_three_the_newest_is_named():
    found = newest(status("a", "Rev. A"), status("b", "Rev. B"), status("c", "Rev. C"))
    assert found == {"a": "c", "b": "c"}


@pytest.mark.parametrize(
    "other",
    [
        status("b", "Rev. B", title="ACM12 Silicon Errata"),
        status("b", "Rev. B", title="ACM12 Temperature Sensor Evaluation Board User's Guide"),
        status("b", "Rev. B", vendor="Other"),
        status("b", "Rev. B", part_numbers=("ACM12", "ACM13")),
        status("b", "Rev. B", n_segments=0),
        status("b", "SBAS444D"),
        status("b"),
    ],
)
def test_other_documents_are_no_revisions(other):
    assert newest(status("a", "Rev. A"), other) == {}


def test_documents_without_part_numbers_are_not_compared():
    assert newest(status("a", "Rev. A", part_numbers=()), status("b", "Rev. B")) == {}


def test_dates_are_read_of_possible_revisions_only():
    asked: list[str] = []

    def date_of(document_id: DocumentId) -> str:
        asked.append(document_id)
        return ""

    newer_revisions((status("a"), status("b"), status("c", part_numbers=("X99",))), date_of)
    assert sorted(asked) == ["a", "b"]


@pytest.mark.parametrize(
    ("question", "revision", "is_named"),
    [
        ("Offset in rev. A?", "Rev. A", True),
        ("Offset in rev b of the sheet?", "Rev. A", False),
        ("What changed in revision 1.14?", "Revision 1.14 | May 2015", True),
        ("What does SBAS444D say?", "SBAS444D – REVISED JANUARY 2018", True),
        ("Which version is this, version of May?", "Version 2", False),
        ("What is the offset?", "Rev. A", False),
        ("What is the offset?", "", False),
    ],
)
def test_a_question_may_ask_of_one_revision(question, revision, is_named):
    assert names_revision(question, status("a", revision)) is is_named


def test_words_are_no_revisions():
    assert revision_key("Version of May") is None
    assert revision_key("draft") is None
