"""How-to questions and lists: what a section says, whole and in order, with its figures.

KAPQA (section 4) reports that one wrong step spoils an answer: a list is given whole or not at all.
A short section is given whole, too; of a long one, each list and each run of its text may be meant.
All are statements that rest on their lines, and the one that ranks first is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from desktop_qa.answer.exact import close_to_the_question, exact_unless
from desktop_qa.answer.passages import Passage, SectionReader
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.answer.steps import Step, StepList, step_lists
from desktop_qa.augment.cascade import Section
from desktop_qa.core.answer import Evidence, QuestionType
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.lexical import terms_of

_TOLD_WHOLE = (QuestionType.PROCEDURE, QuestionType.EXTRACTION)

_MAX_SECTION = 200
"""Words of a section that is given whole."""

_MAX_RUN = 100
"""Words of the text of a longer section that are given together."""

_MAX_CHARACTERS = 400
"""Of a procedure that are compared; reading more takes longer and tells no more."""

_SKIPPED = "The list skips step {}: look at the page before you rely on it."

_Piece = list[Passage | StepList]


def whole_reply(task: AnswerTask) -> Reply | None:
    """Answer with the list, the text or the section that tells it, whole.

    Returns:
        `None` when neither what to do nor a list is asked for, or a single statement says it
        better.
    """
    if task.query.type not in _TOLD_WHOLE:
        return None
    reader = SectionReader(task.source, task.evidence)
    found = reader.found(item for item in task.usable if not item.segment.boilerplate)
    told = (one for place in found for one in told_pieces(task, reader, *place))
    procedures = ranked(task, list(told))
    if not procedures:
        return None
    best = procedures[0]
    if (stated := exact_unless(task, best)) is None:
        return None
    lines = tuple(replace(line, odds=best.odds) for line in best.rests_on)
    shown = (one.evidence for line in lines for one in line.rests_on)
    figures = tuple(item for item in shown if item.segment.kind is SegmentKind.FIGURE)
    also = tuple(close_to_the_question(lines, stated))
    return Reply(best.text, lines, also, figures=figures)


def told_pieces(
    task: AnswerTask, reader: SectionReader, item: Evidence, section: Section
) -> Iterator[Statement]:
    """Yield the pieces of a section as statements, ranked by its headings and what they say."""
    heading = " > ".join(section.path[-2:])
    for piece in pieces(reader.passages(item.segment.document_id, section)):
        lines = _lines(reader, chain.from_iterable(map(_told, piece)))
        words = " ".join((heading, *(one.text for one in lines if one.item is not ItemKind.REMARK)))
        terms = terms_of(f"{item.segment.metadata.context_line()} {words}")
        coverage = task.terms.coverage(terms)
        rests_on = tuple(replace(one, coverage=coverage) for one in lines if one.runs)
        skipped = [str(n) for one in piece if isinstance(one, StepList) for n in one.missing]
        note = _SKIPPED.format(", ".join(skipped)) if skipped else ""
        about = words[:_MAX_CHARACTERS]
        if rests_on:
            yield Statement(note, item, (), (), coverage, 0.0, rests_on=rests_on, about=about)


def pieces(passages: Sequence[Passage]) -> list[_Piece]:
    """Cut a section into what can be given by itself: all of it, if it is short.

    A list that begins with "or" stays with the one whose other way it is.
    """
    of_list = {id(own): one for one in step_lists(passages) for own in one.passages}
    elements = {id(one): one for p in passages for one in (of_list.get(id(p), p),)}.values()
    if sum(len(passage.text.split()) for passage in passages) <= _MAX_SECTION:
        return [list(elements)] if elements else []
    found: list[_Piece] = []
    n_words = 0
    for one in elements:
        if isinstance(one, StepList):
            is_new = not (found and one.is_alternative and isinstance(found[-1][-1], StepList))
        else:
            n_own = len(one.text.split())
            follows_text = bool(found) and isinstance(found[-1][-1], Passage)
            is_new = not follows_text or n_words + n_own > _MAX_RUN
            n_words = n_own + (0 if is_new else n_words)
        if is_new:
            found.append([])
        found[-1].append(one)
    return found


def _told(element: Passage | StepList) -> Sequence[Step]:
    """Return the lines of a list, led by what introduces it; a passage is a line of its own."""
    if isinstance(element, StepList):
        return [*(_told(element.lead) if element.lead and element.is_led else ()), *element.lines]
    return [Step(ItemKind.TEXT if element.text else None, element, element.text)]


def _lines(reader: SectionReader, told: Iterator[Step]) -> list[Statement]:
    """State line by line, each with its own words and place; a figure rests below the last one."""
    lines: list[Statement] = []
    for step in told:
        if step.kind is not None:
            lines.append(_line(reader, step))
        elif lines:
            caption = step.passage.evidence.segment.metadata.caption
            shown = _line(reader, replace(step, text=caption))
            lines[-1] = replace(lines[-1], rests_on=(*lines[-1].rests_on, shown))
    return lines


def _line(reader: SectionReader, step: Step) -> Statement:
    run = reader.run(step.passage, step.text) or reader.words(step.passage)
    text, number = step.text, None
    if step.label is not None and step.label.style == "number":
        number = step.label.value
    elif step.label is not None and step.label.shown:
        text = f"{step.label.shown}) {text}"
    runs = (run,) if run else ()
    evidence = step.passage.evidence
    return Statement(text, evidence, runs, (), 0.0, 0.0, item=step.kind, number=number)
