"""How a document is spoken of, and the question which of several is meant."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.augment.codes import normalize_code
from desktop_qa.core.answer import AnswerStatus, Evidence
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.readings import MAX_READINGS, needs_document

WHICH_DOCUMENT = "Every document has such a place. Which one do you mean?"


def document_name(
    document_id: DocumentId,
    source: StoredEvidence,
    *,
    asked: Sequence[str] = (),
    by_file: bool = False,
) -> str:
    """Return how a document is spoken of: "the OPT3001 datasheet", else by its file.

    Args:
        document_id: Of a parsed document.
        source: Where its title and part numbers are.
        asked: Codes of the question in normal form: of several parts the one asked for is named.
        by_file: Name the file in any case.
    """
    document = source.document(document_id)
    if by_file or not document.part_numbers:
        return source.file_name(document_id) or document.title
    is_manual = "manual" in document.title.casefold() or "guide" in document.title.casefold()
    meant = [code for code in document.part_numbers if normalize_code(code) in asked]
    return f"the {(meant or document.part_numbers)[0]} {'manual' if is_manual else 'datasheet'}"


def clarification(task: AnswerTask) -> Reply | None:
    """Ask which of the likely documents is meant when none is named and one must be."""
    readings = which_document(task, task.evidence) if needs_document(task.query) else ()
    if not readings:
        return None
    return Reply(WHICH_DOCUMENT, status=AnswerStatus.CLARIFY, readings=readings, is_sure=True)


def which_document(task: AnswerTask, found: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the question asked of each document that something was found in; none of a single."""
    documents = list(dict.fromkeys(item.segment.document_id for item in found))
    if len(documents) < 2:
        return ()
    names = [document_name(document_id, task.source) for document_id in documents]
    names = [
        name if names.count(name) == 1 else document_name(document_id, task.source, by_file=True)
        for name, document_id in zip(names, documents, strict=True)
    ]
    asked = f"{task.query.text[:1].lower()}{task.query.text[1:]}"
    return tuple(f"{capitalized(name)}: {asked}" for name in names[:MAX_READINGS])


def capitalized(text: str) -> str:
    """Return a text as it begins a sentence; its other letters stay."""
    return text[:1].upper() + text[1:]
