"""Answers for the clipboard: plain functions, no window needed."""

from __future__ import annotations

from desktop_qa.answer_export.gathering import gather, question_of
from desktop_qa.answer_export.html_form import as_fragment
from desktop_qa.answer_export.markdown_form import as_note_list
from desktop_qa.core.view import AnswerView


def copied_answer(view: AnswerView) -> tuple[str, str]:
    """Return an answer with its citations, as Markdown and as HTML."""
    answers = gather((question_of(view),), "").without_images
    return as_note_list(answers), as_fragment(answers)
