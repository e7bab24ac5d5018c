"""Documents that a question names and that cannot be asked: not read, not readable, not here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from desktop_qa.augment.codes import codes_in_question, expand_code, letters_before, normalize_code
from desktop_qa.core.answer import NOT_FOUND_SENTENCE, Answer, AnswerStatus, Query
from desktop_qa.core.answer_blocks import Line, Role, Run
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.retrieve.directory import Directory, document_codes, files_in, names_code

_MAX_NAMED = 3


def named_unread(question: str, statuses: Iterable[DocumentStatus]) -> list[DocumentStatus]:
    """Return the documents without any text in the index that a question names.

    They are named by their file, with or without its ending, or by a part number that stands in
    the name of the file; of a document that was not read nothing else is known.

    Args:
        question: As it was typed.
        statuses: Of all documents.
    """
    unread = [status for status in statuses if not status.is_indexed]
    if not unread:
        return []
    known = {code for s in unread for code in _codes(s.part_numbers, s.files)}
    prefixes = frozenset(map(letters_before, known)) - {""}
    codes = codes_in_question(question, prefixes, known)
    asked = {normalize_code(c) for code in codes for c in expand_code(code)}
    files = files_in(question)

    def is_named(file: str) -> bool:
        name = file.rsplit("/", 1)[-1].casefold()
        return name in files or names_code(question, (name.removesuffix(".pdf"),))

    return [
        status
        for status in unread
        if any(map(is_named, status.files))
        or not asked.isdisjoint(_codes(status.part_numbers, status.files))
    ]


@lru_cache(maxsize=16384)
def _codes(part_numbers: tuple[str, ...], files: tuple[str, ...]) -> frozenset[str]:
    codes = document_codes(part_numbers, files)
    return frozenset(normalize_code(c) for code in codes for c in expand_code(code))


def unread_sentences(unread: Sequence[DocumentStatus]) -> tuple[str, ...]:
    """Say of each document why it cannot be asked, and when it can."""
    sentences = [_sentence(status) for status in unread[:_MAX_NAMED]]
    more = len(unread) - len(sentences)
    if more > 0:
        sentences.append(f"{more} more that the question names cannot be asked either.")
    return tuple(sentences)


def _sentence(status: DocumentStatus) -> str:
    name = status.file.rsplit("/", 1)[-1]
    if status.state is DocumentState.FAILED:
        reason = status.reason.strip().rstrip(".")
        reason = f": {reason[:1].lower()}{reason[1:]}" if reason else ""
        return f"{name} could not be read{reason}."
    if status.state is DocumentState.WAITING:
        return f"{name} waits to be read; ask again when it is ready."
    if status.state.is_final:
        return f"{name} was read, but no text was found in it."
    return f"{name} is still being read; ask again when it is ready."


def with_unread(
    answer: Answer, query: Query, sentences: Sequence[str]
) -> tuple[Answer, tuple[str, ...]]:
    """Say of an answer that a document which may have more was not read.

    A refusal says it in its text, and a part that only such a document is about is not called
    absent; above an answer, notes say that it comes from other documents.

    Returns:
        The answer, and the notes.
    """
    if answer.status is AnswerStatus.ANSWERED:
        return answer, (*sentences, "The answer is from other documents.")
    if answer.status is not AnswerStatus.NOT_FOUND:
        return answer, ()
    rest = answer.blocks[1:]
    if query.absent and not query.mentioned:
        sentences, rest = (*sentences, "No other document here is about it."), ()
    said = Line((Run(" ".join((NOT_FOUND_SENTENCE, *sentences))),), Role.NOTICE)
    return replace(answer, blocks=(said, *rest)), ()


def with_nearest_documents(query: Query, directory: Directory) -> Query:
    """Let a question about a part that is not here find the documents of the nearest parts.

    They are listed under the refusal for a person to choose from; none answers in its place.
    """
    if not query.absent or query.document_ids or query.mentioned:
        return query
    near = (directory.named_by(code) for _absent, codes in query.nearest for code in codes)
    return replace(query, document_ids=tuple(dict.fromkeys(d for found in near for d in found)))
