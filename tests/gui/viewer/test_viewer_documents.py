"""Which documents are open, and where the reader has been: models without widgets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from desktop_qa.gui.viewer.page_layout import (
    Anchor,
    PageArrangement,
    PageMode,
    ReadingPlace,
    Zoom,
    ZoomMode,
)
from desktop_qa.gui.viewer.viewer_tab_bar import (
    MAX_OPEN,
    OpenDocument,
    OpenDocuments,
    RememberedDocuments,
    Visit,
    Visits,
    keep_documents,
    kept_documents,
)


def path(name: str) -> Path:
    return Path(f"/documents/{name}.pdf")


def names(documents: OpenDocuments) -> str:
    return " ".join(
        one.path.stem if one.is_kept else f"({one.path.stem})" for one in documents.documents
    )


def kept(*names: str) -> OpenDocuments:
    """Open documents one after the other, to stay."""
    documents = OpenDocuments()
    for name in names:
        documents.show(path(name), is_kept=True)
    return documents


def test_ten_answers_leave_one_tab() -> None:
    documents = kept("kept")
    for number in range(10):
        documents.show(path(str(number)))
    assert names(documents) == "kept (9)"
    assert documents.current == path("9")


def test_a_document_that_is_kept_stays_when_others_are_looked_at() -> None:
    documents = OpenDocuments()
    documents.show(path("a"))
    assert documents.keep(path("a"))
    assert not documents.keep(path("a"))
    documents.show(path("b"))
    documents.show(path("c"))
    assert names(documents) == "a (c)"


def test_a_new_tab_stands_beside_the_one_it_was_opened_from() -> None:
    documents = kept(*"abc")
    documents.show(path("a"))
    documents.show(path("d"), is_kept=True)
    assert names(documents) == "a d b c"


def test_closing_goes_back_to_the_document_shown_before() -> None:
    documents = kept(*"abc")
    documents.show(path("a"))
    documents.close(path("a"))
    assert documents.current == path("c")
    documents.close(path("c"))
    documents.close(path("b"))
    assert documents.current is None


def test_the_document_used_longest_ago_leaves_when_there_are_too_many() -> None:
    documents = kept(*map(str, range(MAX_OPEN)))
    documents.show(path("0"))
    documents.show(path("new"), is_kept=True)
    assert len(documents.documents) == MAX_OPEN
    assert documents.index_of(path("1")) == -1
    assert documents.index_of(path("0")) >= 0


def test_documents_turn_around_the_ends() -> None:
    assert OpenDocuments().beside(1) is None
    documents = kept(*"abc")
    assert documents.beside(1).path == path("a")
    assert documents.beside(-1).path == path("b")
    documents.move(0, 2)
    assert names(documents) == "b c a"


def visit(name: str, page_no: int = 1) -> Visit:
    return Visit(path(name), (), None, page_no, None)


def test_back_and_forward_lead_through_all_places() -> None:
    visits = Visits()
    visits.leave(visit("a", 1))
    visits.leave(visit("a", 7))
    assert [one.label for one in visits.earlier] == ["a.pdf, page 7", "a.pdf, page 1"]
    assert visits.travel(-1, visit("b", 2)) == visit("a", 7)
    assert visits.travel(-1, visit("a", 7)) == visit("a", 1)
    assert visits.travel(-1, visit("a", 1)) is None
    assert [one.label for one in visits.later] == ["a.pdf, page 7", "b.pdf, page 2"]
    assert visits.travel(2, visit("a", 1)) == visit("b", 2)
    assert not visits.later


def test_a_jump_ends_what_lay_ahead() -> None:
    visits = Visits()
    visits.leave(visit("a", 1))
    visits.travel(-1, visit("a", 9))
    visits.leave(visit("a", 3))
    assert not visits.later


def test_the_same_place_twice_is_one_place() -> None:
    visits = Visits()
    visits.leave(visit("a", 1))
    visits.leave(visit("a", 4))
    visits.leave(visit("a", 4))
    assert visits.travel(-1, visit("a", 4)) == visit("a", 1)


REMEMBERED = RememberedDocuments(
    (
        OpenDocument(
            path("a"),
            is_kept=True,
            place=ReadingPlace(Anchor(6, 0.5, 0.25), 0.33),
            look=PageArrangement(PageMode.SINGLE, Zoom(ZoomMode.FACTOR, 1.5), 90),
        ),
        OpenDocument(path("b")),
    ),
    path("b"),
)


def test_open_documents_are_remembered_for_each_library(settings: QSettings) -> None:
    keep_documents(settings, "/libraries/one", REMEMBERED)
    keep_documents(settings, "/libraries/two", RememberedDocuments())
    assert kept_documents(settings, "/libraries/one") == REMEMBERED
    assert kept_documents(settings, "/libraries/two") == RememberedDocuments()
    assert kept_documents(settings, "/libraries/other") == RememberedDocuments()


def test_only_the_libraries_used_last_are_remembered(settings: QSettings) -> None:
    for number in range(45):
        keep_documents(settings, f"/libraries/{number}", REMEMBERED)
    assert kept_documents(settings, "/libraries/0") == RememberedDocuments()
    assert kept_documents(settings, "/libraries/44") == REMEMBERED


WHOLE = {
    "path": "/documents/a.pdf",
    "kept": True,
    "place": [1, 0.5, 0.5, 0.3],
    "look": "single factor 1.0 0",
}


@pytest.mark.parametrize(
    "text",
    ["", "no json", "[]", "7", '{"version": 99}', '{"version": 1}', "[" * 100_000,
     '{"version": 1, "libraries": []}', '{"version": 1, "libraries": {"L": 3}}',
     '{"version": 1, "libraries": {"L": {"documents": 3, "current": 7}}}',
     *(json.dumps({"version": 1, "libraries": {"L": {"documents": [WHOLE | change]}}})
       for change in ({"path": 7}, {"place": [1]}, {"place": [1, "x", 0, 0]}, {"look": "new"}))],
)  # fmt: skip
def test_damaged_or_foreign_values_never_harm(settings: QSettings, text: str) -> None:
    settings.setValue("viewer/open_documents", text)
    assert kept_documents(settings, "L") == RememberedDocuments()
    keep_documents(settings, "L", REMEMBERED)
    assert kept_documents(settings, "L") == REMEMBERED
