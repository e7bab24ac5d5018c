"""The ways of answering that compare documents: a table, and in words what tells most.

Whole parts, rankings ("which has the lowest ...?") and filters ("... under 100 µA"). Where the
question asks for something of several parts, the exact way says it, and a refusal does not, above
their comparison with the rows asked for first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from desktop_qa.answer.candidates import candidates
from desktop_qa.answer.comparison_ranking import class_reply, ranking_reply
from desktop_qa.answer.comparison_rows import ComparisonRow, asked_rows
from desktop_qa.answer.comparison_table import Compared, ComparedDocument
from desktop_qa.answer.parameters import document_parameters
from desktop_qa.answer.part_mentions import parts_of
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply, Vectors
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.codes import (
    codes_in_question,
    codes_match,
    has_wildcard,
    normalize_code,
    unsuffixed,
)
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.segment import SegmentId
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.comparison import Comparison, is_of_class, read_comparison
from desktop_qa.retrieve.directory import document_codes

MAX_DOCUMENTS = 12
"""Columns of a comparison; more cannot be read side by side."""


def compare_way(task: AnswerTask) -> Reply | None:
    """Answer a question that compares or ranks parts; `None` for any other."""
    query = task.query
    if query.absent or query.structure_refs or query.type == QuestionType.CALCULATION:
        return None
    named, codes = _named(task)
    n_columns = len(_columns(named, codes, task.source))
    asked = read_comparison(query.text, codes, n_columns)
    vectors = task.meaning.vectors
    if asked is not None and not query.document_ids:
        documents = tuple(
            read_document(status, (), task.source)
            for status in task.source.searchable()
            if (not query.scope or status.document_id in query.scope)
            and is_of_class(status.title, asked.device_class)
        )
        return class_reply(Compared(documents, task.source, vectors), asked)
    counted = task.terms.weights.keys()
    about = " ".join(w for w in query.text.split() if not counted.isdisjoint(terms_of(w)))
    is_across = query.type == QuestionType.ACROSS_DOCUMENTS
    is_whole = query.type == QuestionType.COMPARE or (is_across and not about)
    if n_columns < 2 or not (asked or is_whole or is_across):
        return None
    # What is asked across documents names its rows, or goes on to a way that ranks by itself.
    is_ranked = about and (asked or is_whole)
    order = ranked(task, candidates(task, task.usable)) if is_ranked else ()
    return compared(
        *(named, codes, task.source, vectors),
        about=about,
        asked=asked,
        order=order,
        is_whole=is_whole,
    )


def comparison_of(
    task: AnswerTask, order: Sequence[Statement], main: Sequence[Statement] = ()
) -> tuple[AnswerTable, ...]:
    """Return the comparison of the parts of a question; none of fewer than two or too many.

    Args:
        task: The question.
        order: What may answer it, best first: its rows stand first.
        main: What is answered, if anything. Unless the question compares, its rows are all that is
            shown; and where nothing is, revisions of one part are not compared.
    """
    named, codes = _named(task)
    compares = task.query.type == QuestionType.COMPARE
    if not (main or compares) and len(codes) == 1:
        return ()
    columns = _columns(named, codes, task.source)
    if not 2 <= len(columns) <= MAX_DOCUMENTS:
        return ()
    found = _read(columns, task.source, task.meaning.vectors)
    if len(found.documents) < 2:
        return ()
    is_only = bool(main) and not compares
    placed = _in_order(found.rows, main if is_only else order)
    rows = [row for row, best in placed if best is not None or not is_only]
    return (found.table(rows),) if rows else ()


def _in_order(
    rows: Sequence[ComparisonRow], order: Sequence[Statement]
) -> list[tuple[ComparisonRow, Statement | None]]:
    """Put the rows first that are stated first; return each with the best that states it."""
    rank_of: dict[tuple[SegmentId, int], int] = {}
    for rank, statement in enumerate(order):
        if statement.cells:
            rank_of.setdefault((statement.evidence.segment.id, statement.row), rank)

    def place(row: ComparisonRow) -> int:
        stated = ((p.segment.id, cell.row) for p in row.stated for cell in p.cells)
        return min((rank_of[key] for key in stated if key in rank_of), default=len(order))

    placed = sorted(((place(row), n) for n, row in enumerate(rows)))
    return [(rows[n], order[rank] if rank < len(order) else None) for rank, n in placed]


def _named(task: AnswerTask) -> tuple[tuple[DocumentId, ...], tuple[str, ...]]:
    """Return the documents and the codes that a question names."""
    query = task.query
    named = tuple(d for d in query.document_ids if not query.scope or d in query.scope)
    statuses = (task.source.status(document_id) for document_id in named)
    parts = {normalize_code(part) for s in statuses if s is not None for part in s.part_numbers}
    return named, tuple(codes_in_question(query.text, parts=parts))


def compared(
    document_ids: Sequence[DocumentId],
    codes: Sequence[str],
    source: StoredEvidence,
    vectors: Vectors,
    *,
    names: Sequence[str] = (),
    about: str = "",
    asked: Comparison | None = None,
    order: Sequence[Statement] = (),
    is_whole: bool = True,
) -> Reply | None:
    """Compare named documents in a table, and say who wins, what was asked for or what differs.

    Args:
        document_ids: Of all parts; one document may cover several of them.
        codes: The part numbers asked for, as typed.
        source: Of the library.
        vectors: See `compare_parameters`.
        names: Of the parameters to compare; all when empty.
        about: What the question says beside the parts: the name of a parameter, or nothing.
        asked: What they are ranked by; `None` for nothing.
        order: What may answer the question, best first.
        is_whole: They are compared also where they cannot be ranked.

    Returns:
        `None` when fewer than two can be read, or state what is asked for.
    """
    columns = _columns(document_ids, codes, source)
    if len(columns) > MAX_DOCUMENTS:
        return Reply(
            f"{len(columns)} documents are too many to compare side by side; choose at most"
            f" {MAX_DOCUMENTS}.",
            is_sure=True,
        )
    found = _read(columns, source, vectors)
    if len(found.documents) < 2:
        return None
    if names:
        return _chosen(found, names)
    placed = _in_order(found.rows, order)
    # What more likely answers than not was asked for.
    likely = [row for row, best in placed if best is not None and (best.odds or 0.0) > 0.0]
    likely = likely or asked_rows(found.rows, about, vectors)
    rows = [row for row, _best in placed]
    rows.sort(key=lambda row: (row not in likely, len(row.stated) == 1))
    if asked is not None and (reply := ranking_reply(found, rows, likely, asked)) is not None:
        return reply
    if not is_whole and (asked is not None or all(len(row.stated) < 2 for row in likely)):
        return None
    statements, lead = found.values(likely) or found.telling(), ""
    if not statements and all(len(row.stated) == 1 for row in rows):
        lead = f"{found.names} state nothing under the same name."
    elif not statements:
        lead = f"What is stated for {found.names} alike is the same."
    return Reply(lead, statements, tables=(found.table(rows),) if rows else (), is_sure=True)


def _columns(
    document_ids: Sequence[DocumentId], codes: Sequence[str], source: StoredEvidence
) -> list[tuple[DocumentId, tuple[str, ...]]]:
    """Return a column for each document, and one for each of its parts where several are asked for.

    Each has the part numbers that it is of, none for the document's own.
    """
    columns: list[tuple[DocumentId, tuple[str, ...]]] = []
    for document_id in dict.fromkeys(document_ids):
        status = source.status(document_id)
        parts = document_codes(status.part_numbers, status.files) if status is not None else ()
        own = [c for c in codes if any(codes_match(c, part) for part in parts)]
        distinct = {normalize_code(unsuffixed(c) or c): c for c in own if not has_wildcard(c)}
        apart = [(code,) for code in distinct.values()] if len(distinct) > 1 else [tuple(own)]
        columns += [(document_id, held) for held in apart]
    return columns


def _read(
    columns: Sequence[tuple[DocumentId, tuple[str, ...]]], source: StoredEvidence, vectors: Vectors
) -> Compared:
    read: list[tuple[ComparedDocument, DocumentStatus]] = []
    notes = []
    for document_id, codes in columns:
        status = source.status(document_id)
        if status is None or not status.is_indexed:
            name = status.file if status is not None else "A document"
            notes.append(f"{name} could not be compared: it has not been read.")
            continue
        read.append((read_document(status, codes, source), status))
    documents = _told_apart(read)
    notes += [
        f"{document.name} states no parameters that can be compared."
        for document in documents
        if not document.parameters
    ]
    return Compared(tuple(documents), source, vectors, tuple(notes))


def _told_apart(
    read: Sequence[tuple[ComparedDocument, DocumentStatus]],
) -> list[ComparedDocument]:
    """Call two sheets of one part by their makers, or, such as two revisions, by their files."""
    found = []
    for document, status in read:
        alike = [other for one, other in read if one.name == document.name]
        makers = [other.vendor for other in alike]
        by = status.vendor if all(makers) and len(set(makers)) == len(alike) else status.file
        name = document.name if len(alike) == 1 else f"{document.name} ({by})"
        found.append(replace(document, name=name))
    return found


def _chosen(compared: Compared, names: Sequence[str]) -> Reply | None:
    """Compare the parameters that were chosen; `None` when none of them is stated."""
    found = {name: asked_rows(compared.rows, name, compared.vectors) for name in names}
    chosen = list(dict.fromkeys(row for own in found.values() for row in own))
    statements = compared.values(chosen)
    if not statements:
        return None
    unknown = [f"{n} is stated by none of the documents." for n, own in found.items() if not own]
    return Reply(statements=statements, tables=(compared.table(chosen, unknown),), is_sure=True)


def read_document(
    status: DocumentStatus, codes: Sequence[str], source: StoredEvidence
) -> ComparedDocument:
    """Read the parameters of a document.

    Args:
        status: Of the document, which is indexed.
        codes: Part numbers asked for; those of other documents do not matter.
        source: Of its tables and segments.

    Raises:
        NotStoredError: When it is not in the library any more.
    """
    own = document_codes(status.part_numbers, status.files)
    parts = parts_of(codes, own)
    document, segments = source.document(status.document_id), source.segments_of(status.document_id)
    parameters = tuple(document_parameters(document, segments, parts))
    return ComparedDocument(status.document_id, _name(status, codes, own), parts, parameters)


def _name(status: DocumentStatus, codes: Sequence[str], own: Sequence[str]) -> str:
    asked = next((code for code in codes if any(codes_match(code, part) for part in own)), "")
    printed = (part for part in own if normalize_code(part) == normalize_code(asked))
    stem = PurePosixPath(status.file).stem
    in_file = (part for part in own if normalize_code(part) in normalize_code(stem))
    return next(printed, asked) or next(iter((*in_file, *own)), "") or status.title or stem
