"""The language of searches: what is read from it, and what is said when it cannot be read."""

from __future__ import annotations

import pytest

from desktop_qa.core.errors import QuestionError
from desktop_qa.core.segment import SegmentKind
from desktop_qa.retrieve.search_language import (
    MAX_CHARACTERS,
    Clause,
    Field,
    Filter,
    SearchQuery,
    Words,
    parse_search,
    phrase,
    with_filter,
)


def only(text: str) -> Clause:
    (clause,) = parse_search(text).clauses
    return clause


def test_words_must_all_be_there():
    assert parse_search("supply  voltage").clauses == (
        Clause((Words("supply"),)),
        Clause((Words("voltage"),)),
    )


@pytest.mark.parametrize(
    "text", ['"input offset"', "“input offset”", "„input offset“", "«input offset»"]
)
def test_quoted_words_are_a_phrase(text):
    assert only(text) == Clause((Words("input offset", is_phrase=True),))


@pytest.mark.parametrize("text", ["a -drift", "a NOT drift", "a AND NOT drift"])
def test_words_are_left_out(text):
    assert parse_search(text).clauses[1] == Clause((Words("drift"),), is_excluded=True)


def test_phrases_and_fields_are_left_out_too():
    excluded = [c.alternatives[0] for c in parse_search('a -"b c" -kind:figure').clauses[1:]]
    assert excluded == [Words("b c", is_phrase=True), Filter(Field.KIND, "figure")]


def test_or_binds_closer_than_the_words_around_it():
    query = parse_search("mode sleep OR standby OR idle current")
    assert [len(clause.alternatives) for clause in query.clauses] == [1, 3, 1]


def test_a_field_that_stands_twice_may_be_either():
    query = parse_search("offset kind:table vendor:TI kind:figures")
    kinds = [c for c in query.clauses if isinstance(c.alternatives[0], Filter)]
    assert [len(c.alternatives) for c in kinds] == [2, 1]
    assert query.filters(Field.KIND) == ("table", "figures")
    assert Filter(Field.KIND, "figures").kind is SegmentKind.FIGURE


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ('vendor:"Texas Instruments"', Field.VENDOR, "Texas Instruments"),
        ("PART:OPA4197", Field.PART, "OPA4197"),
        ("file:x.pdf", Field.FILE, "x.pdf"),
        ("rev:C", Field.REVISION, "C"),
    ],
)
def test_fields(text, field, value):
    assert only(text) == Clause((Filter(field, value),))


@pytest.mark.parametrize(
    ("value", "pages"),
    [("7", (7, 7)), ("10-20", (10, 20)), ("10–20", (10, 20)), ("30-", (30, None))],
)
def test_pages(value, pages):
    (one,) = only(f"page:{value}").alternatives
    assert one.pages == pages


@pytest.mark.parametrize("text", ["-40", "10:1", "note:", "http://x.org"])
def test_what_only_looks_like_signs_of_the_language(text):
    if text.startswith("http"):
        with pytest.raises(QuestionError):
            parse_search(text)
    else:
        assert only(text) == Clause((Words(text),))


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "nothing to search", "Type words"),
        ('offset "supply volt', "“supply volt” is not closed", "another one"),
        ("vender:TI x", "no field “vender”", "vendor:TI"),
        ("colour:red", "no field “colour”", "vendor, part, kind"),
        ("kind:tabel", "no kind “tabel”", "kind:table"),
        ("page:20-10", "run backwards", "page:10-20"),
        ("page:x", "“x” is no page", "page:10-20"),
        ("page:0", "“0” is no page", "page:7"),
        ("OR sleep", "one of them is missing", "sleep OR standby"),
        ("sleep OR", "one of them is missing", "sleep OR standby"),
        ("sleep OR -idle", "cannot be one side of OR", "apart"),
        ("-drift", "find nothing by themselves", "-automotive"),
        ("x" * (MAX_CHARACTERS + 1), "can hold 2,000", "words that matter"),
    ],
)
def test_what_cannot_be_read_is_told_in_sentences(text, message, hint):
    with pytest.raises(QuestionError) as raised:
        parse_search(text)
    assert message in raised.value.message
    assert hint in raised.value.hint


def test_a_field_is_set_and_taken_away_in_a_text():
    text = 'offset kind:table "a  b"'
    assert with_filter(text, Field.KIND, "figure") == 'offset "a b" kind:figure'
    assert with_filter(text, Field.KIND, None) == 'offset "a b"'
    assert with_filter("", Field.VENDOR, "Texas Instruments") == 'vendor:"Texas Instruments"'
    # Also in what cannot be read yet.
    assert with_filter('"open', Field.KIND, "text") == '"open kind:text'


def test_a_selected_text_becomes_a_phrase():
    assert phrase(" input\n offset “voltage” ") == '"input offset voltage"'
    assert phrase("  ") == ""
    assert parse_search(phrase("-40 °C OR x")) == SearchQuery(
        (Clause((Words("-40 °C OR x", is_phrase=True),)),)
    )
