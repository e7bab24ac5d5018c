"""A question as the retriever sees it: its kind, its codes, the documents and places it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from desktop_qa.augment.keywords import (
    codes_in_question,
    codes_match,
    find_keywords,
    normalize_code,
)
from desktop_qa.core.answer import Query
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.structure import find_structure_refs

_TYPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "figure",
            r"\b(which|what|show|where)\b.{0,40}\b(figure|drawing|diagram|plot|graph|schematic|"
            r"chart|curve|picture|photo|image|circuit)\b|\bshow me\b.{0,40}\b(figure|diagram)\b",
        ),
        (
            "procedure",
            r"\bhow (do|can|should|must|to|would)\b|\bsteps?\b|\bprocedure\b|\bsequence\b|"
            r"\binstructions?\b|\bwhat do i (have to|need to) do\b",
        ),
        ("compare", r"\b(compare|compared|versus|vs\.?|difference between|differ)\b"),
    )
)


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """What a question can name a document by.

    Attributes:
        codes: Part numbers in normal form, of the pages and of the file name.
    """

    document_id: DocumentId
    file: str
    title: str
    vendor: str
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Directory:
    """The documents of a library and every code that stands in them.

    Attributes:
        vocabulary: Codes found anywhere in the segments, in normal form.
    """

    entries: tuple[DocumentEntry, ...] = ()
    vocabulary: frozenset[str] = field(default_factory=frozenset)

    def named_by(self, code: str) -> tuple[DocumentId, ...]:
        """Return the documents about a part, families and wildcards included."""
        return tuple(
            entry.document_id
            for entry in self.entries
            if any(codes_match(code, own) for own in entry.codes)
        )

    def knows(self, code: str) -> bool:
        """Tell whether the code stands anywhere in the library."""
        return normalize_code(code) in self.vocabulary


def build_query(
    text: str, directory: Directory, scope: Sequence[DocumentId] = ()
) -> Query:
    """Read a question.

    Args:
        text: As the user typed it.
        directory: Of the library it is asked of.
        scope: Documents to search; empty is all.
    """
    codes = codes_in_question(text)
    named: dict[DocumentId, None] = {}
    absent: list[str] = []
    for code in codes:
        documents = directory.named_by(code)
        named.update(dict.fromkeys(documents))
        if not documents and not directory.knows(code) and _is_part_number(code):
            absent.append(code)
    keywords = dict.fromkeys((*map(normalize_code, codes), *find_keywords(text)))
    return Query(
        text=text,
        type=question_type(text),
        keywords=tuple(keywords),
        structure_refs=find_structure_refs(text),
        scope=tuple(scope),
        absent=tuple(absent),
        document_ids=tuple(named),
    )


def _is_part_number(code: str) -> bool:
    """Only a code with letters and digits can be missed; "SDA" is a word of the trade."""
    normal = normalize_code(code)
    return (
        len(normal) >= 4
        and any(c.isdigit() for c in normal)
        and sum(c.isalpha() for c in normal) >= 2
    )


def question_type(text: str) -> str:
    """Return "figure", "procedure", "compare", "structure" or "fact"."""
    if find_structure_refs(text):
        return "structure"
    for name, pattern in _TYPES:
        if pattern.search(text):
            return name
    return "fact"


def entry_codes(part_numbers: Iterable[str], files: Iterable[str]) -> tuple[str, ...]:
    """Return the codes a document goes by: its part numbers and the codes in its file names."""
    codes = [normalize_code(part) for part in part_numbers]
    for file in files:
        stem = file.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        for piece in re.split(r"[_\s]+", stem):
            if any(c.isdigit() for c in piece) and any(c.isalpha() for c in piece):
                codes.append(normalize_code(piece))
    return tuple(dict.fromkeys(code for code in codes if code))
