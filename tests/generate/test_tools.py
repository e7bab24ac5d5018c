"""Calls of a model are read narrowly: what they cannot say is refused in a sentence."""

from __future__ import annotations

import json

import pytest

from desktop_qa.core.answer import PlaceKind, StructureRef
from desktop_qa.generate.tools import (
    CALL_SCHEMA,
    MAX_PAGES,
    NO_TOOL,
    TOOLS,
    Lookup,
    RefusedCallError,
    call_in,
    lookup_of,
)
from desktop_qa.llm.messages import ToolCall


def read(name: str, **arguments: object) -> Lookup:
    return lookup_of(ToolCall("a", name, arguments))


def test_the_tools_are_those_of_the_paper():
    assert [tool.name for tool in TOOLS] == [
        *("fetch_pages", "fetch_sections", "fetch_table", "fetch_figure", "retrieve")
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "first", "title"),
    [
        ("fetch_table", {"table": "3"}, "3", ""),
        ("fetch_table", {"table": "Table 7-2 Pin functions"}, "7-2", ""),
        ("fetch_table", {"table": 3}, "3", ""),
        ("fetch_table", {"table": "pin functions"}, "", "pin functions"),
        ("fetch_figure", {"figure": "Fig. 12"}, "12", ""),
        ("fetch_sections", {"sections": ["8.3.4 Layout"]}, "8.3.4", ""),
        ("fetch_sections", {"sections": "Section 8.3.4"}, "8.3.4", ""),
        ("fetch_sections", {"sections": ["Layout guidelines"]}, "", "Layout guidelines"),
    ],
)
def test_a_place_is_named_by_its_number_or_its_words(name, arguments, first, title):
    (place,) = read(name, document="D2", **arguments).places
    assert (place.first, place.title) == (first, title)


def test_pages_are_places_and_a_name_for_people():
    lookup = read("fetch_pages", document="d1", pages=[5, 6, 5])
    assert lookup.document_no == 1
    assert lookup.places == (
        StructureRef(PlaceKind.PAGE, "5", "5"),
        StructureRef(PlaceKind.PAGE, "6", "6"),
    )
    assert lookup.name == "pages 5, 6"


def test_the_same_place_in_other_words_is_the_same_lookup():
    assert read("fetch_table", document="D1", table="Table 3") == read(
        "fetch_table", document="1", table="3"
    )


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("open_url", {"url": "http://example.com"}),
        ("fetch_pages", {"document": "D1"}),
        ("fetch_pages", {"document": "D1", "pages": []}),
        ("fetch_pages", {"document": "D1", "pages": ["5"]}),
        ("fetch_pages", {"document": "D1", "pages": [True]}),
        ("fetch_pages", {"document": "D1", "pages": [-1]}),
        ("fetch_pages", {"document": "D1", "pages": list(range(1, MAX_PAGES + 2))}),
        ("fetch_pages", {"document": "../secret.pdf", "pages": [1]}),
        ("fetch_pages", {"document": "D0", "pages": [1]}),
        ("fetch_pages", {"pages": [1]}),
        ("fetch_table", {"document": "D1", "table": ""}),
        ("fetch_table", {"document": "D1", "table": {"number": 3}}),
        ("fetch_table", {"document": "D1", "table": "x" * 300}),
        ("fetch_sections", {"document": "D1", "sections": []}),
        ("retrieve", {"query": "\u200b"}),
        ("retrieve", {}),
    ],
)
def test_what_fits_no_tool_is_refused_in_a_sentence(name, arguments):
    with pytest.raises(RefusedCallError) as refused:
        read(name, **arguments)
    assert str(refused.value).endswith(".")


def test_characters_that_do_not_show_are_no_part_of_a_query():
    assert read("retrieve", query="supply\u200b  current").words == "supply current"


def test_a_call_as_a_json_object_is_a_call():
    text = '{"tool": "fetch_table", "document": "D1", "pages": [], "name": "3"}'
    call = call_in(f"Here it is: {text}", "x")
    assert call is not None
    assert lookup_of(call) == read("fetch_table", document="D1", table="3")
    searching = call_in('{"tool": "retrieve", "document": "", "pages": [], "name": "gain"}', "x")
    assert lookup_of(searching).words == "gain"


@pytest.mark.parametrize(
    "text",
    [
        *("", "It is 5 V [1].", "{", "[1]", '{"tool": 1', '{"name": "x"}', "[" * 100_000),
        json.dumps({"tool": NO_TOOL, "document": "", "pages": [], "name": ""}),
    ],
)
def test_what_is_no_call_looks_nothing_up(text):
    assert call_in(text, "x") is None


def test_the_schema_names_every_tool():
    text = json.dumps(CALL_SCHEMA)
    assert all(tool.name in text for tool in TOOLS)
