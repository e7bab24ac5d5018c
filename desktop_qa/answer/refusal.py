"""The refusal: what is missing, and the nearest that the library has."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_qa.answer.absent import absent_text, missing_code, refusal_text
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.core.answer import AnswerStatus
from desktop_qa.index.terms import terms_of

_AROUND = ".,;:?!¿¡؟。，？！()[]{}\"'“”‘’"


def absent_part(task: AnswerTask) -> Reply | None:
    """Refuse a question about a part that no document is about; a way of answering."""
    if not task.query.absent or task.query.document_ids:
        return None
    text = absent_text(task.query, task.evidence)
    return Reply(text, status=AnswerStatus.NOT_FOUND, is_sure=True)


def refusal(task: AnswerTask) -> Reply:
    """Refuse a question that nothing which was found answers."""
    code = missing_code(task.query.text, (item.segment.text for item in task.usable))
    unknown = [code] if code else unknown_words(task)
    text = refusal_text(task.query, task.evidence, unknown)
    return Reply(text, status=AnswerStatus.NOT_FOUND, is_sure=True)


def unknown_words(task: AnswerTask) -> Sequence[str]:
    """Return the words of a question, as typed, that stand in no document, each once.

    None when they are half of it or more: then the question is in another language or about
    something else altogether, which its words one by one do not tell.
    """
    if 2 * len(task.terms.unknown) >= len(task.terms.weights):
        return ()
    found: dict[str, str] = {}
    for word in task.query.text.split():
        typed = word.strip(_AROUND)
        terms = terms_of(typed)
        if len(terms) == 1 and terms[0] in task.terms.unknown and typed.isalnum():
            found.setdefault(terms[0], typed)
    return tuple(found.values())
