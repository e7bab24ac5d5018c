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
    unit_notes,
)
from desktop_qa.answer.comparison_text import telling_statements, value_statements
from desktop_qa.answer.parameter_names import asked_parameters
from desktop_qa.answer.reply import AnswerTask, LibrarySource, Reply
from desktop_qa.augment.codes import codes_in_question
from desktop_qa.core.answer import Query, QuestionType
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.comparison import Comparison, ComparisonKind, read_comparison

MAX_DOCUMENTS = 12
"""Columns of a comparison; more cannot be read side by side."""


def compare_way(task: AnswerTask) -> Reply | None:
    """Answer a question that compares; `None` when it is none, or another way is surer."""
    query = task.query
    if query.absent or query.structure_refs or query.type == QuestionType.CALCULATION:
        return None
    codes = codes_in_question(query.text) or ()
    asked = read_comparison(query.text, codes, len(query.document_ids))
    if asked is None:
        return None
    if not query.document_ids and asked.kind in (ComparisonKind.RANKING, ComparisonKind.FILTER):
        return _of_class(asked, query, task.source)
    if len(query.document_ids) < 2:
        return None
    return compared(query.document_ids, codes, asked, task.source)


def compared(
    document_ids: Sequence[DocumentId],
    codes: Sequence[str],
    asked: Comparison,
    source: LibrarySource,
) -> Reply | None:
    """Compare named documents.

    Args:
        document_ids: Two or more.
        codes: The part numbers asked for, as typed.
        asked: What to compare.
        source: Of the library.
    """
    if len(document_ids) > MAX_DOCUMENTS:
        return Reply(
            f"{len(document_ids)} documents are too many to compare side by side; choose at most"
            f" {MAX_DOCUMENTS}.",
            is_sure=True,
        )
    documents, notes = _read(tuple(dict.fromkeys(document_ids)), codes, source)
    if len(documents) < 2:
        return None
    rows = compare_parameters([d.parameters for d in documents])
    quoter = CellQuoter(source)
    asked = _with_hidden_parameter(asked)
    if asked.kind is ComparisonKind.RANKING:
        ranking = rank(rows, documents, asked, quoter)
        if ranking is None:
            return None
        return ranking_reply(ranking, rows, documents, quoter, notes)
    if asked.kind is ComparisonKind.CHOSEN and asked.parameters:
        return _chosen(rows, documents, asked, quoter, notes)
    return _whole(rows, documents, quoter, notes)


def _read(
    document_ids: Sequence[DocumentId], codes: Sequence[str], source: LibrarySource
) -> tuple[list[ComparedDocument], list[str]]:
    documents, notes = [], []
    for document_id in document_ids:
        status = source.status(document_id)
        if status is None or not status.is_indexed:
            name = status.file if status is not None else "A document"
            notes.append(f"{name} could not be compared: it has not been read.")
            continue
        document = read_document(status, codes, source)
        if not document.parameters:
            notes.append(f"{document.name} states no parameters that can be compared.")
        documents.append(document)
    return documents, notes


def _with_hidden_parameter(asked: Comparison) -> Comparison:
    """Read "supply current of the transceivers" as a parameter, "buck converters" as none."""
    if asked.kind is not ComparisonKind.WHOLE or not asked.rest or not asked_parameters(asked.rest):
        return asked
    return replace(asked, kind=ComparisonKind.CHOSEN, parameters=(asked.rest,), is_explicit=False)


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
    lead = "" if statements else f"What {names} both state is the same."
    return Reply(lead, statements, tables=(table,), is_sure=True)


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
