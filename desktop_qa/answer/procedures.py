"""How-to questions: the whole step list of the section that tells it, in order, with its figures.

KAPQA (section 4) reports that one wrong step spoils an answer: a list is given whole or not at all,
and a list that is no procedure is not given. A procedure is a statement that rests on its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from desktop_qa.answer.exact import close_to_the_question, exact_unless
from desktop_qa.answer.passages import Passage, SectionReader
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.answer.steps import StepList, step_lists
from desktop_qa.augment.cascade import Section
from desktop_qa.augment.instructions import PROCEDURAL, is_instruction, points_elsewhere
from desktop_qa.core.answer import Evidence, QuestionType
from desktop_qa.core.document import BlockKind
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.lexical import terms_of

_MIN_SHARE = 0.3
"""Of the items of a list that say what to do, where neither its title nor its lead announces it."""

_MAX_NAME = 160
_MAX_CHARACTERS = 400
"""Of a procedure that are compared; reading more takes longer and tells no more."""

_MIN_STEPS = 2
"""What is done in one is a sentence, and answered as such."""

_MAX_LEAD_WORDS = 40
_SETTING = re.compile(r"\b[A-Za-z]\w*(?:<[\d:]+>|\[[\d:]+\])?\s?=\s?[\w(–-]")
_MAX_TITLE_WORDS = 9
_ENDS = (".", ":", ";", ",", "!", "?")
_MAX_TOLD = 15
"""Sentences of prose that may be one procedure; more are a chapter."""


def procedure_reply(task: AnswerTask) -> Reply | None:
    """Answer a how-to question with the whole step list that tells it.

    Returns:
        `None` when nothing is to be done, no section that was found says how, or a single statement
        says it better.
    """
    if task.query.type != QuestionType.PROCEDURE:
        return None
    reader = SectionReader(task.source, task.evidence)
    found = reader.found(item for item in task.usable if not item.segment.boilerplate)
    told = (one for place in found for one in _procedures(task, reader, *place))
    procedures = ranked(task, [one for one in told if one.rests_on])
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


def _procedures(
    task: AnswerTask, reader: SectionReader, item: Evidence, section: Section
) -> Iterator[Statement]:
    """Yield the procedures of one section: its lists, and what its prose says to do."""
    heading = " > ".join(section.path[-2:])
    groups: list[list[StepList]] = []
    for one in step_lists(reader.passages(item.segment.document_id, section)):
        # A list that begins with "or" is another way for what the one before it does.
        if groups and one.is_alternative:
            groups[-1].append(one)
        else:
            groups.append([one])
    groups = [group for group in groups if _tells(section.title, group)]
    for group in groups:
        lead = group[0].lead.text if group[0].lead is not None else ""
        lines = [line for one in group for line in _lines(reader, one)]
        missing = ", ".join(str(number) for one in group for number in one.missing)
        note = f"The list skips step {missing}: look at the page before you rely on it."
        yield _procedure(task, item, f"{heading} {lead}", lines, note if missing else "")
    for title, told in told_in(reader.sentences(item.segment.document_id, section)):
        own = [one for one in told if not groups or one[0].kind is not BlockKind.LIST_ITEM]
        if _MIN_STEPS <= len(own) <= _MAX_TOLD:
            numbered = enumerate(own, start=1)
            lines = [_line(reader, *one, ItemKind.STEP, number) for number, one in numbered]
            yield _procedure(task, item, f"{heading} {title}", lines)


def told_in(
    sentences: Iterable[tuple[Passage, str]],
) -> list[tuple[str, list[tuple[Passage, str]]]]:
    """Find what prose says to do: sentences in their order, under each line that is like a title.

    Items and code count, too, where the line before them ends with a colon and says what to do.
    """
    found: list[tuple[str, list[tuple[Passage, str]]]] = [("", [])]
    leads_on = False
    for passage, text in sentences:
        is_text = passage.kind is BlockKind.TEXT
        is_setting = is_text and _SETTING.search(text) is not None
        is_told = is_instruction(text) or is_setting or (leads_on and not is_text)
        if is_told and not points_elsewhere(text):
            found[-1][1].append((passage, text))
        elif _is_title(passage):
            above = "" if found[-1][1] else found[-1][0]
            found.append((f"{above} {text}", []))
        if is_text:
            leads_on = is_told and text.endswith(":")
    return found


def _is_title(passage: Passage) -> bool:
    """Tell whether a text block is a heading that was not recognized as one."""
    text = passage.text
    is_short = passage.kind is BlockKind.TEXT and 0 < len(text.split()) <= _MAX_TITLE_WORDS
    return is_short and text[:1].isupper() and not text.endswith(_ENDS) and "=" not in text


def _procedure(
    task: AnswerTask, item: Evidence, name: str, lines: Sequence[Statement], note: str = ""
) -> Statement:
    """Make a procedure one statement, ranked by what it is called and says."""
    steps = " ".join(line.text for line in lines if line.item in (ItemKind.STEP, ItemKind.SUB_STEP))
    words = f"{name.strip()[:_MAX_NAME]} {steps}"
    coverage = task.terms.coverage(terms_of(f"{item.segment.metadata.context_line()} {words}"))
    said = tuple(replace(line, coverage=coverage) for line in lines if line.runs)
    about = words[:_MAX_CHARACTERS]
    return Statement(note, item, (), (), coverage, 0.0, rests_on=said, about=about)


def _tells(title: str, group: Sequence[StepList]) -> bool:
    """Tell whether a list says what to do; lists of parts, features and modes do not."""
    first = group[0]
    lead = first.lead.text if first.lead is not None else ""
    is_announced = bool(PROCEDURAL.search(lead[-200:]) or PROCEDURAL.search(title))
    texts = [text for one in group for text in one.texts]
    n_told = sum(map(is_instruction, texts))
    return (is_announced and first.style != "bullet") or n_told >= _MIN_SHARE * len(texts)


def _lines(reader: SectionReader, one: StepList) -> list[Statement]:
    """State a list line by line, each with its own words and place."""
    lines: list[Statement] = []
    lead = one.lead.text if one.lead is not None else ""
    introduces = lead.endswith(":") and len(lead.split()) <= _MAX_LEAD_WORDS
    if one.lead is not None and (one.is_alternative or introduces):
        lines.append(_line(reader, one.lead, lead))
    n_steps = 0
    for step in one.lines:
        if step.kind is None:
            if lines:
                shown = _line(reader, step.passage, step.passage.evidence.segment.metadata.caption)
                lines[-1] = replace(lines[-1], rests_on=(*lines[-1].rests_on, shown))
            continue
        n_steps += step.kind is ItemKind.STEP
        number = n_steps if step.kind is ItemKind.STEP else None
        mark = step.label.shown if step.label is not None else ""
        if number and step.label is not None and step.label.style == "number":
            number, mark = step.label.value, ""
        line = _line(reader, step.passage, step.text, step.kind, number)
        lines.append(replace(line, text=f"{mark}) {step.text}" if mark else step.text))
    return lines


def _line(
    reader: SectionReader,
    passage: Passage,
    text: str,
    item: ItemKind | None = None,
    number: int | None = None,
) -> Statement:
    run = reader.run(passage, text) or reader.words(passage)
    runs = (run,) if run else ()
    return Statement(text, passage.evidence, runs, (), 0.0, 0.0, item=item, number=number)
