"""What two documents of one part say of the same thing: merged when alike, marked when not.

Two revisions of a datasheet, or two datasheets that cover one part, state the same parameter under
the same condition. Where they agree, one sentence cites both; where they do not, both are given,
the newest first, and no one of them is preferred silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from desktop_qa.answer.reply import LibrarySource
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.codes import normalize_code
from desktop_qa.core.answer import THEY_DISAGREE
from desktop_qa.core.document import Document, DocumentId
from desktop_qa.core.folding import fold
from desktop_qa.retrieve.revisions import revision_key

_MIN_WORDS = 5
"""Of a sentence of prose: shorter ones are alike by chance."""

_STATED = re.compile(r"([^*;,:]*)\*\*(.+?)\*\*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LITERATURE = re.compile(r"[A-Z]{2,}\d{3,}[A-Z]*\b")
_SHORT_REVISION = re.compile(
    r"\b(?:rev(?:ision)?|ver(?:sion)?|issue)[\s.:_]*([A-Z]{1,2}|\d+(?:\.\d+)*)\b", re.IGNORECASE
)


def reconciled(
    statements: Sequence[Statement], source: LibrarySource
) -> tuple[tuple[Statement, ...], str]:
    """Merge what documents of one part state alike, and mark what they state differently.

    Args:
        statements: Those chosen for an answer, in their order.
        source: Dates and revisions of the documents.

    Returns:
        The statements, those that disagree side by side at the place of the first of them, the
        newest first and each with the name of its document; and a sentence that says that some
        disagree, "" when none do.
    """
    groups: list[list[Statement]] = []
    for statement in statements:
        home = next((g for g in groups if _states_the_same(g, statement)), None)
        if home is None:
            groups.append([statement])
        else:
            home.append(statement)
    found: list[Statement] = []
    disagree = False
    for group in groups:
        merged = _merged(_newest_first(group, source))
        disagree = disagree or len(merged) > 1
        found += _labelled(merged, source) if len(merged) > 1 else merged
    return tuple(found), THEY_DISAGREE if disagree else ""


def _states_the_same(group: Sequence[Statement], statement: Statement) -> bool:
    """Tell whether a statement is about what a group is about, from another document."""
    documents = {own.evidence.segment.document_id for own in group}
    if statement.evidence.segment.document_id in documents:
        return False
    if _parts(group[0]).isdisjoint(_parts(statement)):
        return False
    (subject, values), (other, others) = _read(group[0]), _read(statement)
    return bool(subject) and subject == other and not values.keys().isdisjoint(others)


def _parts(statement: Statement) -> frozenset[str]:
    return frozenset(map(normalize_code, statement.evidence.segment.metadata.part_numbers))


def _read(statement: Statement) -> tuple[str, dict[str, str]]:
    """Return what is stated without its values, "" when it cannot be compared, and the values.

    A row is its name and condition, and its values go by their columns; a sentence is its words,
    and its values are the numbers by their place.
    """
    if statement.cells and statement.subject:
        stated = _STATED.findall(statement.text)
        subject = statement.text.partition("**")[0].removesuffix(stated[0][0] if stated else "")
        return _plain(subject), {_plain(head.strip(" .")): _plain(value) for head, value in stated}
    if statement.cells or "\n" in statement.text or len(statement.text.split()) < _MIN_WORDS:
        return "", {}
    text = _plain(statement.text)
    # A sentence without a number gives one value: itself.
    numbers = dict(enumerate(_NUMBER.findall(text))) or {0: ""}
    return _NUMBER.sub("#", text), {str(place): number for place, number in numbers.items()}


def _plain(text: str) -> str:
    """Fold a text so that "5.0 μA" and "5 µA" are the same."""
    return " ".join(_NUMBER.sub(_plain_number, fold(text)).split())


def _plain_number(match: re.Match[str]) -> str:
    try:
        return f"{float(match.group()):g}"
    except ValueError:  # "1,000.5" and numbers of sections
        return match.group()


def _merged(group: Sequence[Statement]) -> list[Statement]:
    """Make one statement of those that agree; it carries the markers of all."""
    kept: list[Statement] = []
    for statement in group:
        at = next((i for i, other in enumerate(kept) if _agree(other, statement)), None)
        if at is None:
            kept.append(statement)
        else:
            kept[at] = replace(kept[at], rests_on=(*kept[at].rests_on, statement))
    return kept


def _agree(one: Statement, other: Statement) -> bool:
    """Tell whether the values that both give are the same."""
    values, others = _read(one)[1], _read(other)[1]
    return all(values[name] == others[name] for name in values.keys() & others)


def _newest_first(group: Sequence[Statement], source: LibrarySource) -> list[Statement]:
    if len(group) < 2:
        return list(group)
    documents = dict.fromkeys(s.evidence.segment.document_id for s in group)
    order = newest_first([source.document(document_id) for document_id in documents], source)
    return sorted(group, key=lambda s: order.index(s.evidence.segment.document_id))


def newest_first(documents: Iterable[Document], source: LibrarySource) -> list[DocumentId]:
    """Order documents of one part by their dates, then by how their makers count; ties stay."""

    def age(document: Document) -> tuple[str, tuple[int, ...]]:
        key = revision_key(_revision(document, source))
        return document.date, key[1] if key is not None else ()

    return [document.id for document in sorted(documents, key=age, reverse=True)]


def _revision(document: Document, source: LibrarySource) -> str:
    """Return the revision in the name of the file, else the document's own.

    People name files by what they hold; a document also prints the revisions that came before it.
    """
    stem = source.file_name(document.id).rsplit(".", 1)[0].replace("_", " ")
    return stem if revision_key(stem) is not None else document.revision


def _labelled(statements: Sequence[Statement], source: LibrarySource) -> list[Statement]:
    labels = [label_of(source.document(s.evidence.segment.document_id), source) for s in statements]
    if len(set(labels)) < len(labels):
        labels = [source.file_name(s.evidence.segment.document_id) for s in statements]
    return [
        replace(statement, text=f"{label}: {statement.text}")
        for statement, label in zip(statements, labels, strict=True)
    ]


def label_of(document: Document, source: LibrarySource) -> str:
    """Return how a document is told from another of its part: "Rev. C (2021)", else its file."""
    revision = _revision(document, source)
    short = _SHORT_REVISION.search(revision)
    literature = _LITERATURE.match(revision)
    if short:
        name = f"Rev. {short[1].upper()}"
    elif literature:
        name = literature.group()
    else:
        name = source.file_name(document.id) or document.title
    year = document.date[:4]
    return f"{name} ({year})" if year else name
