"""The functions of PDFTriage (Table 2) as tools of a model, and a narrow reader of its calls.

A call names a document by its number in the structure tree and a place in it; nothing else can be
said by one. What is wrong with a call is told to the model in a sentence (`RefusedCallError`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop_qa.core.answer import PlaceKind, StructureRef
from desktop_qa.core.document import split_heading_number
from desktop_qa.generate.visible import visible
from desktop_qa.llm.messages import ToolCall, ToolSpec
from desktop_qa.retrieve.structure_refs import element_number

MAX_PAGES = 6
MAX_SECTIONS = 4
_MAX_CHARACTERS = 200
"""Of a name or a query: what is longer is no name."""

NO_TOOL = "none"
"""What a model writes into the schema when it has seen enough."""

_NOUN = re.compile(r"(?:tables?|figures?|fig\.?|sections?|chapters?)\s+(?=\S)", re.IGNORECASE)
_NUMBER = re.compile(r"((?:[A-Z][-.]?)?\d+(?:[-.–]\d+)*[a-z]?)(?![\w-])\.?", re.IGNORECASE)
_DOCUMENT = re.compile(r"\s*D?(\d{1,3})\s*", re.IGNORECASE)

_D = {"type": "string", "description": "its number in the structure, such as D1"}


def _spec(name: str, description: str, required: str, **properties: object) -> ToolSpec:
    return ToolSpec(
        name,
        description,
        {"type": "object", "properties": properties, "required": required.split()},
    )


_TEXT = {"type": "string"}
TOOLS = (
    _spec(
        "fetch_pages", "Text of pages.", "document pages",
        document=_D, pages={"type": "array", "items": {"type": "integer"}},
    ),
    _spec(
        "fetch_sections", "Text of sections, each by its number or title.", "document sections",
        document=_D, sections={"type": "array", "items": _TEXT},
    ),
    _spec(
        "fetch_table", "A table, by its number or words of its caption.", "document table",
        document=_D, table=_TEXT,
    ),
    _spec(
        "fetch_figure", "Text of a figure, by its number or words of its caption.",
        "document figure", document=_D, figure=_TEXT,
    ),
    _spec("retrieve", "Search all documents, or one.", "query", query=_TEXT, document=_D),
)  # fmt: skip

_ARGUMENTS = {
    "fetch_sections": "sections",
    "fetch_table": "table",
    "fetch_figure": "figure",
    "retrieve": "query",
}
_KINDS = {
    "fetch_sections": PlaceKind.SECTION,
    "fetch_table": PlaceKind.TABLE,
    "fetch_figure": PlaceKind.FIGURE,
}

CALL_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "tool": {"type": "string", "enum": [NO_TOOL, *(tool.name for tool in TOOLS)]},
        "document": _TEXT,
        "pages": {"type": "array", "items": {"type": "integer"}},
        "name": _TEXT,
    },
    "required": ["tool", "document", "pages", "name"],
    "additionalProperties": False,
}
"""A call as a JSON object, for models that keep to a schema and call no tools."""

ASKED_FOR_CALL = (
    "Do not answer yet. Reply with one JSON object: "
    '{"tool": ..., "document": "D1", "pages": [], "name": ""}. '
    "tool is fetch_pages (fill in pages), fetch_sections, fetch_table, fetch_figure (name is the"
    " number or title), retrieve (name is what to search for), or none when the passages answer"
    " the question."
)


class RefusedCallError(ValueError):
    """A call that cannot be followed, in a sentence for the model."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """A call whose arguments are read.

    Attributes:
        document_no: 1-based, as in the structure tree; 0 for all documents.
        places: In that document; empty for a search.
        words: That are searched for; empty for places.
        name: Of what is looked up, for people: "table 3", "pages 5, 6".
    """

    document_no: int
    places: tuple[StructureRef, ...] = ()
    words: str = ""
    name: str = field(default="", compare=False)


def lookup_of(call: ToolCall) -> Lookup:
    """Read the arguments of a call.

    Raises:
        RefusedCallError: When there is no such tool, or they do not fit it.
    """
    values = call.arguments
    if call.name == "retrieve":
        words = _text(values, "query")
        document_no = _document_no(values) if values.get("document") else 0
        return Lookup(document_no, words=words, name=f"“{words}”")
    if call.name == "fetch_pages":
        pages = _pages(values.get("pages"))
        shown = ", ".join(map(str, pages))
        places = tuple(StructureRef(PlaceKind.PAGE, str(n), str(n)) for n in pages)
        name = f"page{'s' if len(pages) > 1 else ''} {shown}"
        return Lookup(_document_no(values), places, name=name)
    if call.name not in _KINDS:
        names = ", ".join(tool.name for tool in TOOLS)
        raise RefusedCallError(f"There is no such tool. There are: {names}.")
    kind, argument = _KINDS[call.name], _ARGUMENTS[call.name]
    named = values.get(argument)
    if kind is PlaceKind.SECTION and isinstance(named, list) and 0 < len(named) <= MAX_SECTIONS:
        texts = [_text({argument: one}, argument) for one in named]
    else:
        texts = [_text(values, argument)]
    labels = ", ".join(_NOUN.sub("", text, count=1) for text in texts)
    places = tuple(_place(kind, text) for text in texts)
    return Lookup(_document_no(values), places, name=f"{kind.value} {labels}")


def call_in(text: str, call_id: str) -> ToolCall | None:
    """Read the JSON object of `CALL_SCHEMA`; `None` for what is none, or calls no tool."""
    start, end = text.find("{"), text.rfind("}")
    try:
        content: Any = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or content.get("tool") in (None, "", NO_TOOL):
        return None
    name = str(content["tool"])
    values = {"document": content.get("document"), "pages": content.get("pages")}
    if name in _ARGUMENTS:
        values[_ARGUMENTS[name]] = content.get("name")
    return ToolCall(call_id, name, values)


def _place(kind: PlaceKind, text: str) -> StructureRef:
    bare = _NOUN.sub("", text, count=1)
    number = _NUMBER.match(bare)
    if number is None:
        return StructureRef(kind, "", "", bare)
    if kind is not PlaceKind.SECTION:
        label = element_number(number[1])
        return StructureRef(kind, label, label)
    label = (split_heading_number(bare)[0] or number[1]).lower().rstrip(".")
    return StructureRef(kind, label, label)


def _document_no(values: Mapping[str, object]) -> int:
    match = _DOCUMENT.fullmatch(str(values.get("document")))
    if match is None or int(match[1]) == 0:
        raise RefusedCallError("document must be a number of the structure, such as D1.")
    return int(match[1])


def _pages(given: object) -> tuple[int, ...]:
    numbers = given if isinstance(given, list) else [given]
    # A bool is an int to Python, and no page.
    if not all(type(number) is int and 0 < number < 100_000 for number in numbers):
        raise RefusedCallError("pages must be a list of page numbers, such as [5, 6].")
    if not 0 < len(numbers) <= MAX_PAGES:
        raise RefusedCallError(f"Between one and {MAX_PAGES} pages can be fetched at once.")
    return tuple(dict.fromkeys(numbers))


def _text(values: Mapping[str, object], name: str) -> str:
    value = values.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    text = " ".join(visible(value).split()) if isinstance(value, str) else ""
    if not text or len(text) > _MAX_CHARACTERS:
        raise RefusedCallError(f"{name} must be a text of at most {_MAX_CHARACTERS} characters.")
    return text
