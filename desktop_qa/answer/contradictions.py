"""What two documents of one part say of the same thing: merged when alike, marked when not.

Two revisions of a datasheet, or two datasheets that cover one part, state the same parameter under
the same condition. Where they agree, one sentence cites both; where they do not, both are given,
the newest first, and no one of them is preferred silently.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.answer.source import StoredEvidence
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.codes import normalize_code
from desktop_qa.augment.quantities import parse_number
from desktop_qa.core.answer import THEY_DISAGREE
from desktop_qa.core.document import Document
from desktop_qa.core.folding import fold
from desktop_qa.retrieve.revisions import grouped, revision_key

_MIN_WORDS = 5
"""Of a sentence of prose: shorter ones are alike by chance."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def reconciled(
    statements: Sequence[Statement], source: StoredEvidence
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
    merged = []
    for group in grouped(statements, _states_the_same):
        alike = grouped(newest_first(group, source), _agrees)
        own = [replace(s, rests_on=(*s.rests_on, *others)) for s, *others in alike]
        merged.append(_labelled(own, source) if len(own) > 1 else own)
    found = tuple(statement for own in merged for statement in own)
    return found, THEY_DISAGREE if len(found) > len(merged) else ""


def _states_the_same(group: Sequence[Statement], statement: Statement) -> bool:
    """Tell whether a statement is about what a group is about, from another document."""
    documents = {own.evidence.segment.document_id for own in group}
    if statement.evidence.segment.document_id in documents:
        return False
    parts, own = (s.evidence.segment.metadata.part_numbers for s in (group[0], statement))
    if {*map(normalize_code, parts)}.isdisjoint(map(normalize_code, own)):
        return False
    (subject, values), (other, others) = _read(group[0]), _read(statement)
    return bool(subject) and subject == other and not values.keys().isdisjoint(others)


def _read(statement: Statement) -> tuple[str, dict[str, str]]:
    """Return what is stated without its values, "" when it cannot be compared, and the values.

    A row is its name and condition, and its values go by their columns; a sentence is its words,
    and its values are the numbers by their place.
    """
    if statement.cells and statement.subject:
        head = statement.stated[0].head if statement.stated else ""
        subject = statement.text.partition("**")[0].rstrip().removesuffix(head)
        return _plain(subject), {_plain(one.head): _plain(one.text) for one in statement.stated}
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
    number = parse_number(match.group())
    return match.group() if number is None else f"{number.normalize():f}"


def _agrees(group: Sequence[Statement], statement: Statement) -> bool:
    """Tell whether the values that a statement and the first of a group both give are the same."""
    values, others = _read(group[0])[1], _read(statement)[1]
    return all(values[name] == others[name] for name in values.keys() & others)


def newest_first(group: Sequence[Statement], source: StoredEvidence) -> list[Statement]:
    """Order what documents of one part state by their dates, then by how makers count."""

    def age(statement: Statement) -> tuple[str, tuple[int, ...]]:
        document = source.document(statement.evidence.segment.document_id)
        key = revision_key(_revision(document, source))
        return document.date, key[1] if key is not None else ()

    return sorted(group, key=age, reverse=True) if len(group) > 1 else list(group)


def _revision(document: Document, source: StoredEvidence) -> str:
    """Return the revision in the name of the file, else the document's own.

    People name files by what they hold; a document also prints the revisions that came before it.
    """
    stem = source.file_name(document.id).rsplit(".", 1)[0].replace("_", " ")
    return stem if revision_key(stem) is not None else document.revision


def _labelled(group: Sequence[Statement], source: StoredEvidence) -> list[Statement]:
    ids = [statement.evidence.segment.document_id for statement in group]
    labels = [label_of(source.document(document_id), source) for document_id in ids]
    if len(set(labels)) < len(labels):
        labels = [source.file_name(document_id) for document_id in ids]
    return [replace(s, text=f"{name}: {s.text}") for s, name in zip(group, labels, strict=True)]


def label_of(document: Document, source: StoredEvidence) -> str:
    """Return how a document is told from another of its part: "Rev. C (2021)", else its file."""
    year = f" ({document.date[:4]})" if document.date else ""
    key = revision_key(_revision(document, source))
    if key is None:
        return f"{source.file_name(document.id) or document.title}{year}"
    way, count = key
    said = ".".join(map(str, count)) if way == "number" else "".join(map(chr, count[1:]))
    return f"{f'Rev. {said}' if way in ('number', 'letter') else way + said}{year}"
