"""A question as the retriever sees it: its kind, its codes, the documents and places it names."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from desktop_qa.augment.codes import (
    codes_in_question,
    expand_code,
    is_part_number,
    means_one_of,
    normalize_code,
)
from desktop_qa.augment.keywords import find_keywords
from desktop_qa.core.answer import Query
from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.index.glossary import Glossary
from desktop_qa.retrieve.expansion import expand
from desktop_qa.retrieve.structure import find_structure_refs

_PREFIX = re.compile(r"[A-Za-z]+(?=\d)")

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
        codes: Part numbers as printed: their hyphens tell a suffix from the part.
    """

    document_id: DocumentId
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Directory:
    """The documents of a library and every code that stands in them.

    Attributes:
        vocabulary: Codes found anywhere in the segments, in normal form.
        glossary: What the documents call things.
    """

    entries: tuple[DocumentEntry, ...] = ()
    vocabulary: Container[str] = frozenset()
    glossary: Glossary = field(default_factory=Glossary)

    def named_by(self, code: str) -> tuple[DocumentId, ...]:
        """Return the documents about a part, families and wildcards included."""
        return tuple(entry.document_id for entry in self.entries if means_one_of(code, entry.codes))

    def prefixes(self) -> frozenset[str]:
        """Return the letters that the library's own part numbers start with, in lower case."""
        found = (_PREFIX.match(code) for entry in self.entries for code in entry.codes)
        return frozenset(match.group().lower() for match in found if match is not None)


def directory_of(
    statuses: Iterable[DocumentStatus],
    vocabulary: Container[str],
    glossary: Glossary | None = None,
) -> Directory:
    """Make the directory of the documents that can be searched."""
    return Directory(
        tuple(
            DocumentEntry(status.document_id, document_codes(status.part_numbers, status.files))
            for status in statuses
            if status.is_indexed
        ),
        vocabulary,
        glossary or Glossary(),
    )


def document_codes(part_numbers: Iterable[str], files: Iterable[str]) -> tuple[str, ...]:
    """Return the codes a document goes by: its part numbers and the codes in its file names."""
    codes = dict.fromkeys(part_numbers)
    for file in files:
        stem = file.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        pieces = re.split(r"[_\s]+", stem)
        codes.update(dict.fromkeys(piece for piece in pieces if is_part_number(piece)))
    return tuple(code for code in codes if code)


def build_query(text: str, directory: Directory, scope: Sequence[DocumentId] = ()) -> Query:
    """Read a question.

    Args:
        text: As the user typed it.
        directory: Of the library it is asked of.
        scope: Documents to search; empty is all.
    """
    codes = codes_in_question(text, directory.prefixes())
    named: dict[DocumentId, None] = {}
    absent: list[str] = []
    for code in codes:
        documents = directory.named_by(code)
        named.update(dict.fromkeys(documents))
        if not documents and not any(
            normalize_code(c) in directory.vocabulary for c in expand_code(code)
        ):
            absent.append(code)
    keywords = dict.fromkeys((*map(normalize_code, codes), *find_keywords(text)))
    reformulated = _without_codes(text, codes) if named else ""
    expansion = expand(reformulated or text, directory.glossary, tuple(named), codes)
    return Query(
        text=text,
        type=question_type(text),
        reformulated=reformulated,
        keywords=tuple(keywords),
        structure_refs=find_structure_refs(text),
        scope=tuple(scope),
        absent=tuple(absent),
        document_ids=tuple(named),
        expansions=expansion.terms,
        also_searched=expansion.also_searched,
    )


def _without_codes(text: str, codes: Iterable[str]) -> str:
    """Leave out the part numbers that documents were found by.

    They have done their work; left in, they pull towards whatever repeats the part's name, as
    front pages and introductions do.
    """
    for code in codes:
        text = re.sub(re.escape(code), " ", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(?:of|in|for|on|from|by)?\s*(?:the|an?)?\s*(?=[?.,;:]|$)", "", text)
    return " ".join(text.split())


def question_type(text: str) -> str:
    """Return "figure", "procedure", "compare", "structure" or "fact"."""
    if find_structure_refs(text):
        return "structure"
    for name, pattern in _TYPES:
        if pattern.search(text):
            return name
    return "fact"
