"""What kind of answer a question wants: the kinds of PDFTriage and of MasQA.

Told by its form where that says it (options, a blank, a count of tables), else by how near it is to
the examples of each kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop_qa.core.answer import Asked, PlaceKind, QuestionType, StructureRef
from desktop_qa.retrieve.question_kinds import best_of
from desktop_qa.retrieve.task_words import Choice, has_blank

Scores = Mapping[QuestionType, float]

_PLAIN = (QuestionType.FACT, QuestionType.TABLE, QuestionType.DESCRIPTION)
"""Kinds that are answered alike: by what states it."""

_TOPICS = (*_PLAIN, QuestionType.PROCEDURE, QuestionType.FIGURE, QuestionType.CALCULATION)
"""Kinds that say what the place looks like that holds the answer."""

TASKS = (
    QuestionType.CHOICE, QuestionType.MULTIPLE_CHOICE, QuestionType.JUDGEMENT,
    QuestionType.FILL_IN, QuestionType.REWRITE, QuestionType.SUMMARY, QuestionType.EXTRACTION,
)  # fmt: skip
"""Kinds that say what is to be done with the answer, not where it stands."""

_LEAD, _LEAD_OF_TASK = 0.1, 0.2
"""What another kind must have more than the best plain one, and what a task must that would be done
instead of answering: "VCEO" leads by 0.1 as a summary. With 0 a seventh of the questions for a
value is calculated."""

_WHOLE = 0.5
"""What a comparison of whole documents has more than the best plain kind; one of a single value
has a third of it."""

_OF_A_PLACE = (*_PLAIN, QuestionType.FIGURE, QuestionType.STRUCTURE, QuestionType.OUTSIDE)
_OF_PLACES = {PlaceKind.FIGURE: QuestionType.FIGURE, PlaceKind.TABLE: QuestionType.TABLE}


def question_type(
    text: str,
    scores: Scores,
    refs: Sequence[StructureRef] = (),
    choice: Choice | None = None,
    *,
    n_documents: int = 0,
    n_parts: int = 0,
) -> QuestionType:
    """Tell the kind of a question; what is to be done with the answer goes before its topic.

    Args:
        text: As typed.
        scores: Of its kinds.
        refs: Places that it names.
        choice: Its options.
        n_documents: Documents that it names.
        n_parts: Questions that it is made of.
    """
    if choice is not None and choice.options:
        return QuestionType.MULTIPLE_CHOICE if choice.may_be_several else QuestionType.CHOICE
    if has_blank(text):
        return QuestionType.FILL_IN
    if any(ref.asked is not Asked.CONTENT for ref in refs):
        return QuestionType.STRUCTURE
    kind = _nearest(scores)
    if refs and kind in _OF_A_PLACE:
        places = {ref.kind for ref in refs}
        place = places.pop() if len(places) == 1 else PlaceKind.PAGE
        return _OF_PLACES.get(PlaceKind(place), QuestionType.STRUCTURE)
    if kind in TASKS or kind in (QuestionType.PROCEDURE, QuestionType.CALCULATION):
        return kind
    if n_documents > 1:
        kind, score = best_of(scores, (QuestionType.COMPARE, QuestionType.CALCULATION))
        is_one = kind is QuestionType.CALCULATION or score > best_of(scores, _PLAIN)[1] + _WHOLE
        return kind if is_one else QuestionType.ACROSS_DOCUMENTS
    if n_documents and kind is QuestionType.ACROSS_DOCUMENTS:
        kind = best_of(scores, _PLAIN)[0]
    return QuestionType.CROSS_PAGE if n_parts > 1 and kind in _PLAIN else kind


def topic_type(kind: QuestionType, scores: Scores) -> QuestionType:
    """Tell what kind of place holds the answer, whatever is to be done with it.

    A choice between figures is answered by a figure, the summary of a procedure by its steps.

    Args:
        kind: Of the question.
        scores: Of the question without task words and options.
    """
    return _nearest({topic: scores[topic] for topic in _TOPICS}) if kind in TASKS else kind


def _nearest(scores: Scores) -> QuestionType:
    plain, least = best_of(scores, _PLAIN)
    kind, score = best_of(scores, scores)
    lead = _LEAD_OF_TASK if kind in TASKS else _LEAD
    is_led = kind is QuestionType.PROCEDURE or score > least + lead
    return kind if is_led else plain
