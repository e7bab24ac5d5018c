"""The language of searches: words, phrases, what to leave out, fields. See `docs/search.md`.

    supply voltage            both words, in any of their forms
    "input offset voltage"    these words in this order
    -automotive               without the word; -"a phrase" and -kind:figure too
    sleep OR standby          one of them; OR binds closer than the words around it
    vendor:TI kind:table      fields: vendor, part, kind, page, file, folder, rev
    page:10-20                pages of the document; page:7, page:30-
    kind:table kind:figure    one of them: a field that stands twice may be either

A minus before a digit is a sign: -40 finds the number.

Nothing here knows a library: fields are checked for their form only.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from textwrap import shorten

from desktop_qa.core.errors import QuestionError
from desktop_qa.core.segment import SegmentKind

MAX_CHARACTERS = 2000
_MAX_SHOWN = 24
_MIN_LIKENESS = 0.6


class Field(StrEnum):
    """What a search may be limited by."""

    VENDOR = "vendor"
    PART = "part"
    KIND = "kind"
    PAGE = "page"
    FILE = "file"
    FOLDER = "folder"
    REVISION = "rev"


_KINDS = {form: kind for kind in SegmentKind for form in (kind.value, f"{kind.value}s")}
_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»"}
_TOKEN = re.compile(
    r"""\s*(?P<minus>-(?=[^\s\d.]))?
    (?:(?P<field>[^\W\d_]+):(?=\S))?
    (?:(?P<open>["“„«])|(?P<word>[^\s"“”„«»]+))""",
    re.VERBOSE,
)
_PAGES = re.compile(r"\d{1,6}(?:(?:-|–|\.\.)(?:\d{1,6})?)?")


@dataclass(frozen=True, slots=True)
class Words:
    """A word, or a phrase whose words stand in this order."""

    text: str
    is_phrase: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """A field with what it must be."""

    field: Field
    value: str

    @property
    def kind(self) -> SegmentKind:
        """The kind of segment; of a KIND filter only."""
        return _KINDS[self.value.casefold()]

    @property
    def pages(self) -> tuple[int, int | None]:
        """First and last page, no last one for an open range; of a PAGE filter only."""
        first, dash, last = re.sub(r"\.\.|–", "-", self.value).partition("-")
        return int(first), int(last) if last else None if dash else int(first)


Alternative = Words | Filter


@dataclass(frozen=True, slots=True)
class Clause:
    """One of the alternatives must hold, or none of them may."""

    alternatives: tuple[Alternative, ...]
    is_excluded: bool = False


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What a place must be; all clauses hold."""

    clauses: tuple[Clause, ...]

    def words(self) -> Iterator[Words]:
        """Yield the words and phrases that are looked for."""
        for clause in self.clauses:
            if not clause.is_excluded:
                yield from (one for one in clause.alternatives if isinstance(one, Words))

    def filters(self, field: Field) -> tuple[str, ...]:
        """Return the values that a field must have."""
        return tuple(
            one.value
            for clause in self.clauses
            if not clause.is_excluded
            for one in clause.alternatives
            if isinstance(one, Filter) and one.field is field
        )


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of the text; `what` is `None` for OR."""

    what: Alternative | None
    is_excluded: bool
    start: int
    end: int


def parse_search(text: str) -> SearchQuery:
    """Read a search.

    Raises:
        QuestionError: When it cannot be read; the sentences say where and what to write instead.
    """
    if len(text) > MAX_CHARACTERS:
        raise QuestionError(
            f"A search can hold {MAX_CHARACTERS:,} characters, and this has {len(text):,}.",
            "Search for the words that matter; questions may be longer.",
        )
    tokens = list(_tokens(text))
    clauses = _clauses(tokens)
    if not clauses:
        raise QuestionError("There is nothing to search for yet.", "Type words, or a field.")
    if all(clause.is_excluded for clause in clauses):
        raise QuestionError(
            "Words that are left out find nothing by themselves.",
            "Type what shall be found, too: supply -automotive.",
        )
    return SearchQuery(tuple(_with_fields_joined(clauses)))


def _with_fields_joined(clauses: list[Clause]) -> Iterator[Clause]:
    """Let a field that stands several times be any of what it is said to be."""
    by_field: dict[Field, list[Alternative]] = {}
    for clause in clauses:
        only = clause.alternatives[0]
        if clause.is_excluded or len(clause.alternatives) > 1 or not isinstance(only, Filter):
            yield clause
        else:
            by_field.setdefault(only.field, []).append(only)
    for alternatives in by_field.values():
        yield Clause(tuple(alternatives))


def _clauses(tokens: list[_Token]) -> list[Clause]:
    clauses: list[Clause] = []
    is_joined = False
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        if token.what is None:
            is_joined = True
            if before is None or before.what is None or after is None or after.what is None:
                raise QuestionError(
                    "OR stands between two words, and one of them is missing.",
                    "Write sleep OR standby; for the word itself write it small or in quotes.",
                )
            continue
        if is_joined and (token.is_excluded or clauses[-1].is_excluded):
            raise QuestionError(
                "What is left out with - cannot be one side of OR.",
                "Write it apart: sleep OR standby -automotive.",
            )
        if is_joined:
            clauses[-1] = Clause((*clauses[-1].alternatives, token.what))
        else:
            clauses.append(Clause((token.what,), token.is_excluded))
        is_joined = False
    return clauses


def _tokens(text: str) -> Iterator[_Token]:
    position = begin = 0
    is_negated = False
    while position < len(text.rstrip()):
        match = _TOKEN.match(text, position)
        if match is None:
            # A closing mark without its opening one.
            position += 1
            continue
        if not is_negated:
            begin = match.end() - len(match.group().lstrip())
        value, position = match["word"] or "", match.end()
        if match["open"] is not None:
            value, position = _quoted(text, match["open"], position)
        is_bare = match["field"] is None and match["open"] is None
        if is_bare and value == "NOT":
            is_negated = True
        elif is_bare and value == "OR":
            yield _Token(None, False, begin, position)
        elif not is_bare or value not in ("AND", "-"):
            words = Words(value.strip(), is_phrase=not is_bare)
            what = _filter(match["field"], value) if match["field"] else words
            if match["field"] or words.text:
                yield _Token(what, is_negated or match["minus"] is not None, begin, position)
            is_negated = False


def _quoted(text: str, mark: str, start: int) -> tuple[str, int]:
    """Return what stands between quotation marks, and where the text goes on."""
    closing = _QUOTES[mark]
    ends = [place for one in (*closing, '"') if (place := text.find(one, start)) >= 0]
    if not ends:
        phrase = text[start:].strip()
        named = f" before “{shorten(phrase, _MAX_SHOWN, placeholder='…')}”" if phrase else ""
        raise QuestionError(
            f"The quotation mark{named} is not closed.", "Put another one behind the phrase."
        )
    end = min(ends)
    return text[start:end], end + 1


def _filter(name: str, value: str) -> Filter:
    fields = [field.value for field in Field]
    if name.casefold() not in fields:
        near = difflib.get_close_matches(name.casefold(), fields, n=1, cutoff=_MIN_LIKENESS)
        hint = (
            f"Did you mean {near[0]}:{value}?" if near else f"The fields are {', '.join(fields)}."
        )
        raise QuestionError(
            f"There is no field “{name}”.",
            f'{hint} To find the words themselves, put them in quotes: "{name}:{value}".',
        )
    found = Filter(Field(name.casefold()), value.strip())
    if found.field is Field.KIND and value.casefold() not in _KINDS:
        near = difflib.get_close_matches(value.casefold(), _KINDS, n=1, cutoff=_MIN_LIKENESS)
        hint = f"Did you mean kind:{near[0]}? " if near else ""
        raise QuestionError(
            f"There is no kind “{value}”.", f"{hint}The kinds are text, table and figure."
        )
    if found.field is Field.PAGE:
        first, last = found.pages if _PAGES.fullmatch(found.value) else (0, 0)
        if first == 0:
            raise QuestionError(
                f"“{value}” is no page.",
                "Write page:7, page:10-20 or page:30- for all from there on.",
            )
        if last is not None and last < first:
            raise QuestionError(f"The pages {value} run backwards.", f"Write page:{last}-{first}.")
    return found


# Writing searches


def phrase(text: str) -> str:
    """Return the search for some words in their order: what is selected in a document."""
    words = " ".join(text.replace('"', " ").replace("“", " ").replace("”", " ").split())
    return f'"{words[: MAX_CHARACTERS - 2]}"' if words else ""


def with_filter(text: str, field: Field, value: str | None) -> str:
    """Return a search with a field set to a value, or without the field.

    What is left of the text stays as it is, be it readable or not.
    """
    kept, position = [], 0
    try:
        for token in _tokens(text):
            if isinstance(token.what, Filter) and token.what.field is field:
                kept.append(text[position : token.start])
                position = token.end
    except QuestionError:
        pass
    kept.append(text[position:])
    left = " ".join("".join(kept).split())
    if value is None:
        return left
    quoted = f'"{value}"' if re.search(r"\s", value) else value
    return f"{left} {field.value}:{quoted}".strip()
