"""Searches, suggestions and questions about what is seen, over a small library."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_qa.cli.command_line import main
from desktop_qa.core.errors import NotReadError, QuestionError
from desktop_qa.core.question import Question
from desktop_qa.core.search_view import SearchPage, SearchRequest, SearchSort
from desktop_qa.core.segment import SegmentId, SegmentKind
from desktop_qa.core.suggestion import SuggestionKind
from desktop_qa.core.viewed import Viewed
from desktop_qa.library.facade import Library
from tests.helpers.libraries import open_library
from tests.library.test_queries import id_of, write_sheet


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A library of three documents of two makers."""
    home = tmp_path_factory.mktemp("searching")
    source = home / "source"
    write_sheet(
        source / "amps" / "acm4197.pdf", "ACM4197", "25", line="The voltage input is robust."
    )
    write_sheet(source / "amps" / "acm4198.pdf", "ACM4198", "60", line="It sleeps in standby.")
    write_sheet(source / "TI_opa9000.pdf", "OPA9000", "80", "ti", "An RS-485 bus is driven.")
    with open_library(home / "library", source):
        return home / "library"


@pytest.fixture
def library(folder) -> Iterator[Library]:
    with open_library(folder) as opened:
        yield opened


def found(library: Library, text: str, **how: object) -> SearchPage:
    return library.search(SearchRequest(text, **how))  # type: ignore[arg-type]


def files(page: SearchPage) -> set[str]:
    return {hit.file for hit in page.hits}


# Searching


def test_all_words_must_stand_in_a_place(library):
    page = found(library, "quiescent currents")
    assert page.n_found == 3
    assert page.is_exact
    assert {hit.kind for hit in page.hits} == {SegmentKind.TABLE}
    hit = page.hits[0]
    marked = [hit.snippet[start:end] for start, end in hit.spans]
    assert marked[:2] == ["Quiescent", "current"]
    assert hit.section_path == ("2 Specifications",)
    assert hit.page_no == 1
    assert hit.score > 0


def test_a_phrase_is_in_its_order(library):
    assert found(library, "voltage input").n_found > 1
    assert files(found(library, '"voltage input"')) == {"amps/acm4197.pdf"}
    assert found(library, '"input voltage offset"').n_found == 0
    # Within quotes a word is that word.
    assert found(library, '"sleep"').n_found == 0
    assert found(library, "sleep").n_found == 1


def test_words_are_left_out_and_either_is_enough(library):
    features = "instruments features"
    assert found(library, features).n_found == 3
    assert files(found(library, f"{features} -robust -standby")) == {"TI_opa9000.pdf"}
    assert files(found(library, "robust OR standby")) == {"amps/acm4197.pdf", "amps/acm4198.pdf"}
    assert files(found(library, 'amplifier -"low noise amplifier" features')) == set()


def test_spellings_of_a_name_are_one(library):
    for text in ("RS-485", "RS485", '"RS-485"'):
        assert files(found(library, text)) == {"TI_opa9000.pdf"}


def test_fields_limit_the_places(library):
    assert files(found(library, "offset part:ACM4198")) == {"amps/acm4198.pdf"}
    assert files(found(library, "offset vendor:TI")) == {"TI_opa9000.pdf"}
    assert files(found(library, "offset folder:amps")) == {"amps/acm4197.pdf", "amps/acm4198.pdf"}
    assert files(found(library, "offset file:opa")) == {"TI_opa9000.pdf"}
    assert found(library, "offset kind:figure").n_found == 0
    assert found(library, "offset page:1").n_found == found(library, "offset").n_found
    assert found(library, "offset page:2-").n_found == 0
    assert {hit.kind for hit in found(library, "kind:table").hits} == {SegmentKind.TABLE}


def test_a_scope_limits_them_as_well(library):
    assert files(found(library, "offset", scope=("acm4197.pdf",))) == {"amps/acm4197.pdf"}


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("x part:ACM4199", "part:ACM4199", "ACM4198"),
        ("x vendor:Texan", "vendor:Texan", "Texas Instruments"),
        ("x file:nothing.pdf", "file:nothing.pdf", "documents are"),
        ("the", "stands nearly everywhere", "quotes"),
        ('"open', "is not closed", "another one"),
    ],
)
def test_what_means_nothing_here_is_told(library, text, message, hint):
    with pytest.raises(QuestionError) as raised:
        found(library, text)
    assert message in raised.value.message
    assert hint in raised.value.hint


def test_places_that_lack_a_word_come_when_none_holds_all(library):
    page = found(library, "robust standby")
    assert page.n_found == 2
    assert "No place holds both words" in page.notes[0]
    page = found(library, "robust zzyzx")
    assert page.notes[0] == "“zzyzx” stands nowhere in this library."
    assert files(page) == {"amps/acm4197.pdf"}


def test_a_slip_of_the_keys_is_answered_by_the_word_that_was_meant(library):
    page = found(library, "amplifer -zzyzx")
    assert page.notes[0].endswith("Did you mean “amplifier”?")
    assert page.respelled == "amplifier -zzyzx"
    assert found(library, page.respelled).n_found > 0
    assert found(library, "robust zzyzx").respelled == ""
    assert found(library, "amplifier").respelled == ""


def test_pages_of_places_follow_one_another(library):
    whole = found(library, "amplifier", limit=100)
    first, second = (found(library, "amplifier", limit=2, offset=n) for n in (0, 2))
    assert [h.segment_id for h in (*first.hits, *second.hits)] == [
        h.segment_id for h in whole.hits[:4]
    ]
    assert [h.rank for h in second.hits] == [3, 4]
    assert first.n_found == whole.n_found


def test_places_are_sorted_by_document(library):
    page = found(library, "amplifier", sort=SearchSort.DOCUMENT)
    names = [hit.file.rsplit("/", 1)[-1] for hit in page.hits]
    assert names == sorted(names, key=str.casefold)
    assert len(page.document_ids) == 3


def test_the_words_are_marked_on_the_page(library):
    text = '"input offset voltage"'
    (hit, *_) = found(library, f"{text} part:ACM4197").hits
    places = library.search_marks(hit.segment_id, text)
    # The three words stand in two lines of a cell; those of a line are one mark.
    assert [place.page_no for place in places] == [1, 1]
    assert all(place.bbox.height < 20 for place in places)
    with pytest.raises(NotReadError, match="not in the library any more"):
        library.search_marks(SegmentId("gone:00001"), text)
    nowhere = library.search_marks(hit.segment_id, "zzyzx")
    assert nowhere == library._store.segment(hit.segment_id).provenances


def test_the_command_line_searches(folder, capsys):
    arguments = ("search", "quiescent kind:table", "--library", str(folder))
    assert main([*arguments, "--json", "--limit", "2"]) == 0
    page = json.loads(capsys.readouterr().out)
    assert page["n_found"] == 3
    assert len(page["hits"]) == 2
    assert page["hits"][0]["kind"] == "table"
    assert main([*arguments, "--sort", "document"]) == 0
    printed = capsys.readouterr()
    assert "amps/acm4197.pdf, page 1  (table)" in printed.out
    assert "3 places in 3 documents" in printed.err
    assert main(["search", '"open', "--library", str(folder)]) == 1
    assert "is not closed" in capsys.readouterr().err


# Suggestions


def test_suggestions_come_from_the_library(library):
    library._suggester.prepare()
    library._suggester._thread.join()
    parts = [s.text for s in library.suggestions("acm41") if s.kind is SuggestionKind.PART]
    assert parts == ["ACM4197", "ACM4198"]
    assert [one.text for one in library.suggestions("What are the specif")] == ["Specifications"]
    (table,) = library.suggestions("electrical ch")
    assert (table.kind, table.text, table.detail) == (
        SuggestionKind.TABLE,
        "Electrical characteristics",
        "3 documents",
    )


def test_an_earlier_question_is_offered_once_it_was_asked(library):
    question = "What is the quiescent current of the ACM4198?"
    assert question not in {one.text for one in library.suggestions("quiescent cur")}
    library.ask(Question(question))
    assert question in {one.text for one in library.suggestions("quiescent cur")}


def test_suggestions_end_with_the_library(folder, caplog):
    with caplog.at_level(logging.WARNING), open_library(folder) as opened:
        opened.suggestions("offset")
    assert not caplog.records


# What is seen


def test_this_page_is_the_one_that_is_seen(library):
    viewed = Viewed(id_of(library, "amps/acm4198.pdf"), 1)
    answer = library.ask(
        Question("What is the typical input offset voltage on this page?", looks_at=viewed)
    )
    assert "60" in answer.text
    assert answer.here == "“this page” is read as page 1 of acm4198.pdf"
    assert answer.question == "What is the typical input offset voltage on this page?"
    assert {citation.document_id for citation in answer.citations} == {viewed.document_id}


def test_this_table_is_searched_alone(library):
    viewed = Viewed(id_of(library, "TI_opa9000.pdf"), 1)
    answer = library.ask(
        Question("What is the maximum quiescent current in this table?", looks_at=viewed)
    )
    assert "1.3" in answer.text
    assert "Table 1 on page 1 of TI_opa9000.pdf" in answer.here
    kinds = {item.segment.kind for item in answer.evidence}
    assert kinds == {SegmentKind.TABLE}


def test_without_a_document_open_it_is_said(library):
    with pytest.raises(QuestionError) as raised:
        library.ask(Question("What is on this page?", looks_at=Viewed()))
    assert "No document is open" in raised.value.message
    assert "page 12 of" in raised.value.hint


def test_a_page_can_be_a_scope(library):
    answer = library.ask(Question("input offset voltage", scope=("/amps/acm4197.pdf#page=1",)))
    assert answer.scope == ("page 1 of acm4197.pdf",)
    with pytest.raises(QuestionError, match="Nothing was read from page 7"):
        library.ask(Question("input offset voltage", scope=("/amps/acm4197.pdf#page=7",)))


def test_the_command_line_looks_at_a_page(folder, capsys):
    for here, message in (("nobody.pdf:1", "called nobody.pdf"), ("acm4198.pdf:9", "no page 9")):
        arguments = ["ask", "this page?", "--library", str(folder), "--here", here]
        assert main(arguments) == 1
        assert message in capsys.readouterr().err
