"""A question as the retriever sees it: its kind, its codes, the documents and places it names."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
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
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.composite import split_by_document, split_question
from desktop_qa.retrieve.document_names import (
    files_in,
    named_by_title,
    names_code,
    without_files,
)
from desktop_qa.retrieve.expansion import expand
from desktop_qa.retrieve.question_type import question_type, topic_type
from desktop_qa.retrieve.readings import NamedDocument, ambiguous_readings
from desktop_qa.retrieve.structure_refs import find_structure_refs, strip_structure_refs
from desktop_qa.retrieve.task_words import Choice, split_options, strip_task_words

_EMPTY_TERMS = frozenset(terms_of("datasheet document manual pdf file say list show tell stand"))
_OPTION_WEIGHT = 0.1
"""From 0.3 on the wrong options of a choice pull as much as the right one."""

_PREFIX = re.compile(r"[A-Za-z]+(?=\d)")


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """What a question can name a document by.

    Attributes:
        codes: Part numbers as printed: their hyphens tell a suffix from the part.
        files: Names of its files, without folders.
    """

    document_id: DocumentId
    codes: tuple[str, ...]
    title: str = ""
    vendor: str = ""
    files: tuple[str, ...] = ()


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

    def named_by_file(self, text: str) -> tuple[DocumentId, ...]:
        """Return the documents whose file names stand in a text."""
        asked = files_in(text)
        if not asked:
            return ()
        return tuple(
            entry.document_id
            for entry in self.entries
            if any(file.casefold() in asked for file in entry.files)
        )

    def named_in_words(
        self, text: str, within: Container[DocumentId] = ()
    ) -> tuple[DocumentId, ...]:
        """Return the documents that a text without part numbers names: by a code or by a title.

        Args:
            text: A question about a place in a document.
            within: Documents to choose from; all when empty.
        """
        entries = [e for e in self.entries if not within or e.document_id in within]
        if len(entries) == 1:
            return (entries[0].document_id,)
        by_code = tuple(e.document_id for e in entries if names_code(text, e.codes))
        return by_code or named_by_title(text, [(e.document_id, e.title) for e in entries])

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
            DocumentEntry(
                status.document_id,
                document_codes(status.part_numbers, status.files),
                status.title,
                status.vendor,
                tuple(file.rsplit("/", 1)[-1] for file in status.files),
            )
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
    choice = split_options(text)
    refs = find_structure_refs(choice.stem)
    by_file = directory.named_by_file(choice.stem)
    codes = codes_in_question(without_files(choice.stem), directory.prefixes())
    of_codes = {code: directory.named_by(code) for code in codes}
    named = dict.fromkeys(by_file or (d for found in of_codes.values() for d in found))
    if refs and not named and not codes:
        named = dict.fromkeys(directory.named_in_words(choice.stem, scope))
    parts = _parts_of(choice.stem, of_codes)
    n_meant = len({documents for documents in of_codes.values() if documents})
    keywords = dict.fromkeys((*map(normalize_code, codes), *find_keywords(text)))
    reformulated = _searched(choice.stem, codes if named else ())
    expansion = expand(reformulated or text, directory.glossary, tuple(named), codes)
    kind = question_type(text, refs, choice, n_documents=n_meant, n_parts=len(parts))
    return Query(
        text=text,
        type=kind,
        topic=topic_type(kind, strip_task_words(choice.stem)),
        parts=parts,
        reformulated=reformulated,
        keywords=tuple(keywords),
        structure_refs=refs,
        scope=tuple(scope),
        absent=tuple(code for code in codes if _is_absent(code, of_codes[code], directory)),
        document_ids=tuple(named),
        readings=() if codes or refs else _readings_of(text, directory, scope),
        options=choice.options,
        expansions=(*_terms_of_options(choice), *expansion.terms),
        also_searched=expansion.also_searched,
    )


def _terms_of_options(choice: Choice) -> tuple[tuple[str, float], ...]:
    """Let the words of options count a little: one of them is right, the others are not."""
    terms = dict.fromkeys(term for _, text in choice.options for term in terms_of(text))
    return tuple((term, _OPTION_WEIGHT) for term in terms)


def _is_absent(code: str, documents: Sequence[DocumentId], directory: Directory) -> bool:
    """A code is absent when no document is about it and none so much as mentions it."""
    codes = (normalize_code(c) for c in expand_code(code))
    return not documents and not any(c in directory.vocabulary for c in codes)


def _parts_of(text: str, of_codes: Mapping[str, tuple[DocumentId, ...]]) -> tuple[str, ...]:
    """One part for each document compared, else one for each clause that asks something."""
    by_documents: dict[tuple[DocumentId, ...], list[str]] = {}
    for code, documents in of_codes.items():
        if documents:
            by_documents.setdefault(documents, []).append(code)
    return split_by_document(text, tuple(by_documents.values())) or split_question(text)


def _readings_of(text: str, directory: Directory, scope: Sequence[DocumentId]) -> tuple[str, ...]:
    within = frozenset(scope)
    return ambiguous_readings(
        text,
        [
            NamedDocument(entry.document_id, entry.title, entry.vendor, entry.codes)
            for entry in directory.entries
            if not within or entry.document_id in within
        ],
    )


def _searched(stem: str, codes: Sequence[str]) -> str:
    """Return what the routes look for: no task words, no numbers of places, no codes that are used.

    Where nothing is left of it, the question stays as it is: "What is on page 5?".
    """
    topic = strip_task_words(stem)
    bare = _without_codes(strip_structure_refs(topic), codes).strip(" :,;.?!-–")
    return bare if set(terms_of(bare)) - _EMPTY_TERMS else _without_codes(topic, codes)


def _without_codes(text: str, codes: Iterable[str]) -> str:
    """Leave out the part numbers that documents were found by.

    They have done their work; left in, they pull towards whatever repeats the part's name, as
    front pages and introductions do.
    """
    for code in codes:
        text = re.sub(re.escape(code), " ", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(?:of|in|for|on|from|by)?\s*(?:the|an?)?\s*(?=[?.,;:]|$)", "", text)
    return " ".join(text.split())
