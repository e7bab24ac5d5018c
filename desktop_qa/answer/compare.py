"""The way of answering that compares documents: a table, and in words what tells most.

Whole parts, chosen parameters, rankings ("which has the lowest ...?") and filters ("... under
100 µA"). Where the question asks for one value of two parts and the table does not state it for
both, the way gives back nothing, and the exact way answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.answer.compared_documents import documents_of_class, read_document
from desktop_qa.answer.comparison_choice import rows_of
from desktop_qa.answer.comparison_ranking import class_reply, rank, ranking_reply
from desktop_qa.answer.comparison_rows import ComparisonRow, compare_parameters
from desktop_qa.answer.comparison_table import (
    CellQuoter,
    ComparedDocument,
    comparison_table,
    differs,
    unit_notes,
)
from desktop_qa.answer.comparison_text import telling_statements, value_statements
from desktop_qa.answer.reply import AnswerTask, LibrarySource, Reply
from desktop_qa.augment.codes import (
    codes_in_question,
    codes_match,
    has_wildcard,
    normalize_code,
    unsuffixed,
)
from desktop_qa.core.answer import Query, QuestionType
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.comparison import Comparison, ComparisonKind, read_comparison
from desktop_qa.retrieve.directory import document_codes

MAX_DOCUMENTS = 12
"""Columns of a comparison; more cannot be read side by side."""

_MAX_OTHERS = 3
"""Differences that are stated when none of them is of a parameter that people look for."""


def compare_way(task: AnswerTask) -> Reply | None:
    """Answer a question that compares; `None` when it is none, or another way is surer."""
    query = task.query
    if query.absent or query.structure_refs or query.type == QuestionType.CALCULATION:
        return None
    codes = codes_in_question(query.text) or ()
    named = _in_scope(query)
    columns = asked_columns(named, codes, task.source)
    asked = read_comparison(query.text, codes, len(columns))
    if asked is None:
        return None
    if not query.document_ids and asked.kind in (ComparisonKind.RANKING, ComparisonKind.FILTER):
        return _of_class(asked, query, task.source)
    if len(columns) < 2:
        return None
    return compared(named, codes, asked, task.source)


def _in_scope(query: Query) -> tuple[DocumentId, ...]:
    """Documents that the question names and that it may be answered from."""
    return tuple(d for d in query.document_ids if not query.scope or d in query.scope)


def compared(
    document_ids: Sequence[DocumentId],
    codes: Sequence[str],
    asked: Comparison,
    source: LibrarySource,
) -> Reply | None:
    """Compare named documents.

    Args:
        document_ids: Of all parts; one document may cover several of them.
        codes: The part numbers asked for, as typed.
        asked: What to compare.
        source: Of the library.
    """
    columns = asked_columns(document_ids, codes, source)
    if len(columns) > MAX_DOCUMENTS:
        return Reply(
            f"{len(columns)} documents are too many to compare side by side; choose at most"
            f" {MAX_DOCUMENTS}.",
            is_sure=True,
        )
    documents, notes = _read(columns, source)
    if len(documents) < 2:
        return None
    rows = compare_parameters([d.parameters for d in documents])
    quoter = CellQuoter(source)
    if asked.kind is ComparisonKind.RANKING:
        ranking = rank(rows, documents, asked, quoter)
        if ranking is None:
            return None
        return ranking_reply(ranking, rows, documents, quoter, notes)
    if asked.kind is ComparisonKind.CHOSEN and asked.parameters:
        return _chosen(rows, documents, asked, quoter, notes)
    return _whole(rows, documents, quoter, notes)


def asked_columns(
    document_ids: Sequence[DocumentId], codes: Sequence[str], source: LibrarySource
) -> list[tuple[DocumentId, tuple[str, ...]]]:
    """Return a column for each document, and one for each of its parts where several are asked for.

    Returns:
        Documents with the part numbers that each column is of; empty for the document's own.
    """
    columns: list[tuple[DocumentId, tuple[str, ...]]] = []
    for document_id in dict.fromkeys(document_ids):
        status = source.status(document_id)
        parts = document_codes(status.part_numbers, status.files) if status is not None else ()
        own = [c for c in codes if any(codes_match(c, part) for part in parts)]
        distinct = {normalize_code(unsuffixed(c) or c): c for c in own if not has_wildcard(c)}
        if len(distinct) > 1:
            columns += [(document_id, (code,)) for code in distinct.values()]
        else:
            columns.append((document_id, tuple(own)))
    return columns


def _read(
    columns: Sequence[tuple[DocumentId, tuple[str, ...]]], source: LibrarySource
) -> tuple[list[ComparedDocument], list[str]]:
    documents: list[ComparedDocument] = []
    notes = []
    for document_id, codes in columns:
        status = source.status(document_id)
        if status is None or not status.is_indexed:
            name = status.file if status is not None else "A document"
            notes.append(f"{name} could not be compared: it has not been read.")
            continue
        document = read_document(status, codes, source)
        if any(document.name == other.name for other in documents):
            # Two sheets of one part, such as two revisions, are told apart by their files.
            document = replace(document, name=f"{document.name} ({status.file})")
        if not document.parameters:
            notes.append(f"{document.name} states no parameters that can be compared.")
        documents.append(document)
    return documents, notes


def _whole(
    rows: Sequence[ComparisonRow],
    documents: Sequence[ComparedDocument],
    quoter: CellQuoter,
    notes: Sequence[str],
) -> Reply:
    names = _listed([d.name for d in documents])
    more = [*notes, *unit_notes(rows)]
    if not any(len(row.stated) > 1 for row in rows):
        lead = f"{names} state no parameter in common that can be compared."
        table = comparison_table(rows, documents, quoter, more, f"Comparison of {names}")
        return Reply(lead, tables=(table,) if rows else (), is_sure=True)
    table = comparison_table(rows, documents, quoter, more, f"Comparison of {names}")
    statements = telling_statements(rows, documents, quoter)
    if not statements:
        different = [r for r in rows if len(r.stated) > 1 and differs(r)]
        statements = value_statements(different[:_MAX_OTHERS], documents, quoter)
    lead = "" if statements else _all_the_same(rows, names)
    return Reply(lead, statements, tables=(table,), is_sure=True)


def _all_the_same(rows: Sequence[ComparisonRow], names: str) -> str:
    n_alone = sum(len(row.stated) == 1 for row in rows)
    rest = f" {n_alone} rows of the table are stated for one of them only." if n_alone else ""
    return f"What is stated for {names} alike is the same.{rest}"


def _chosen(
    rows: Sequence[ComparisonRow],
    documents: Sequence[ComparedDocument],
    asked: Comparison,
    quoter: CellQuoter,
    notes: Sequence[str],
) -> Reply | None:
    """Compare the parameters asked for; each must be stated by all unless a table is wanted."""
    chosen: list[ComparisonRow] = []
    unknown = []
    for parameter in asked.parameters:
        own = rows_of(rows, parameter)
        if not own or (not asked.is_explicit and len(own[0].stated) < len(documents)):
            if not asked.is_explicit:
                return None
            unknown.append(f"{parameter} is stated by none of the documents.")
            continue
        chosen += [row for row in own if row not in chosen]
    if not chosen:
        return None
    statements = value_statements(
        [r for r in chosen if r.is_main or len(r.stated) > 1], documents, quoter
    )
    if not statements:
        return None
    title = f"Comparison of {_listed([d.name for d in documents])}"
    more = [*notes, *unknown, *unit_notes(chosen)]
    table = comparison_table(chosen, documents, quoter, more, title)
    return Reply("", statements, tables=(table,), is_sure=True)


def _of_class(asked: Comparison, query: Query, source: LibrarySource) -> Reply | None:
    statuses = documents_of_class(asked.device_class, query.scope, source)
    if not statuses:
        return None
    documents = [read_document(status, (), source) for status in statuses]
    return class_reply(documents, asked, CellQuoter(source))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


__all__ = ["MAX_DOCUMENTS", "compare_way", "compared"]
