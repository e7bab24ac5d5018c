"""Answers for the clipboard: plain functions, no window needed."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_qa.answer_export.gathering import gather, question_of
from desktop_qa.answer_export.html_form import as_fragment
from desktop_qa.answer_export.markdown_form import as_note_list
from desktop_qa.core.view import AnswerView, PastQuestion


@dataclass(frozen=True, slots=True)
class Copied:
    """The same content for programs that take plain text and for those that take HTML."""

    text: str
    html: str = ""


def copied_answer(answer: AnswerView | PastQuestion) -> Copied:
    """Return an answer with its citations, as Markdown and as HTML."""
    question = answer if isinstance(answer, PastQuestion) else question_of(answer)
    answers = gather((question,), "").without_images
    return Copied(as_note_list(answers), as_fragment(answers))
