"""How-to questions: the whole step list of the section that tells it, in order, with its figures.

KAPQA (section 4) reports that one wrong step spoils an answer: a list is given whole or not at all,
and a list that is no procedure is not given. A procedure is a statement that rests on its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from desktop_qa.answer.exact import close_to_the_question
from desktop_qa.answer.passages import Passage, SectionReader
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.answer.steps import StepList, step_lists
from desktop_qa.augment.cascade import Section
from desktop_qa.augment.instructions import (
    DESCRIPTIVE,
    PROCEDURAL,
    instructive_share,
    is_instruction,
    points_elsewhere,
)
from desktop_qa.core.answer import Evidence, QuestionType
from desktop_qa.core.document import BlockKind
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.lexical import terms_of

_MIN_SHARE = {"number": 0.3, "letter": 0.3, "bullet": 0.5}
_CUED_SHARE = {"number": 0.0, "letter": 0.0, "bullet": 0.3}
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
        `None` when nothing is to be done, or no section that was found says how.
    """
    if task.query.type != QuestionType.PROCEDURE:
        return None
    procedures = ranked(task, [one for one in _procedures(task) if one.rests_on])
    if not procedures:
        return None
    best = procedures[0]
    lines = best.rests_on
    shown = (one.evidence for line in lines for one in line.rests_on)
    figures = tuple(item for item in shown if item.segment.kind is SegmentKind.FIGURE)
    also = tuple(close_to_the_question(task, lines))
    return Reply(best.text, lines, also, figures=figures)


def _procedures(task: AnswerTask) -> Iterator[Statement]:
    """Yield the procedures of the sections that were found."""
    reader = SectionReader(task.source, task.evidence)
    for item, section in reader.found(i for i in task.usable if not i.segment.boilerplate):
        yield from _of_section(task, reader, section, item)


def _of_section(
    task: AnswerTask, reader: SectionReader, section: Section, item: Evidence
) -> Iterator[Statement]:
    """Yield the procedures of one section: its lists, and what its prose says to do."""
    passages = reader.passages(item.segment.document_id, section)
    heading = " > ".join(section.path[-2:])
    lists = [one for one in _with_alternatives(step_lists(passages)) if _tells(heading, one)]
    for group in lists:
        texts = [text for one in group for text in one.texts]
        lead = group[0].lead.text if group[0].lead is not None else ""
        said = [line for one in group for line in _lines(reader, one)]
        yield _procedure(task, item, f"{heading} {lead}", texts, said, group)
    for title, told in told_in(reader.sentences(item.segment.document_id, section)):
        own = [one for one in told if not lists or one[0].kind is not BlockKind.LIST_ITEM]
        if 0 < len(own) <= _MAX_TOLD:
            steps = [
                _line(reader, passage, text, ItemKind.STEP, number)
                for number, (passage, text) in enumerate(own, start=1)
            ]
            texts = [text for _passage, text in own]
            yield _procedure(task, item, f"{heading} {title}", texts, steps)


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
        is_told = is_instruction(text) or (leads_on and not is_text)
        is_told = is_told or (is_text and _SETTING.search(text) is not None)
        if is_told and not points_elsewhere(text):
            found[-1][1].append((passage, text))
        elif is_title(passage):
            above = "" if found[-1][1] else found[-1][0]
            found.append((f"{above} {text}", []))
        if is_text:
            leads_on = is_told and text.endswith(":")
    return found


def is_title(passage: Passage) -> bool:
    """Tell whether a text block is a heading that was not recognized as one."""
    text = passage.text
    is_short = passage.kind is BlockKind.TEXT and 0 < len(text.split()) <= _MAX_TITLE_WORDS
    return is_short and text[:1].isupper() and not text.endswith(_ENDS) and "=" not in text


def _procedure(
    task: AnswerTask,
    item: Evidence,
    name: str,
    texts: Sequence[str],
    lines: Sequence[Statement],
    lists: Sequence[StepList] = (),
) -> Statement:
    """Make a procedure one statement, with what a reader must know of it as its text."""
    name = name.strip()[:_MAX_NAME]
    words = f"{name} {' '.join(texts)}"
    coverage = task.terms.coverage(terms_of(f"{item.segment.metadata.context_line()} {words}"))
    missing = ", ".join(str(number) for one in lists for number in one.missing)
    note = f"The list skips step {missing}: look at the page before you rely on it."
    said = tuple(replace(line, coverage=coverage) for line in lines if line.runs)
    return Statement(
        note if missing else "",
        item,
        (),
        (),
        coverage,
        0.0,
        rests_on=said if len(texts) >= _MIN_STEPS else (),
        about=words[:_MAX_CHARACTERS],
    )


def _with_alternatives(lists: Sequence[StepList]) -> list[list[StepList]]:
    """Put lists that begin with "or" with the list that they are another way for."""
    groups: list[list[StepList]] = []
    for one in lists:
        if groups and one.is_alternative:
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _tells(heading: str, group: Sequence[StepList]) -> bool:
    """Tell whether a list says what to do; lists of parts, features and modes do not."""
    first = group[0]
    lead = first.lead.text if first.lead is not None else ""
    title = heading.split(" > ")[-1]
    is_cued = bool(PROCEDURAL.search(lead[-200:]) or PROCEDURAL.search(title))
    if not is_cued and (DESCRIPTIVE.search(lead[-120:]) or DESCRIPTIVE.search(title)):
        return False
    needed = (_CUED_SHARE if is_cued else _MIN_SHARE)[first.style]
    texts = [text for one in group for text in one.texts]
    if first.style == "bullet":
        return instructive_share(texts) >= needed
    return sum(map(is_instruction, texts)) >= needed * len(texts)


def _lines(reader: SectionReader, one: StepList) -> list[Statement]:
    """State a list line by line, each with its own words and place."""
    lines: list[Statement] = []
    if one.lead is not None and (one.is_alternative or _introduces(one.lead)):
        lines.append(_line(reader, one.lead, one.lead.text))
    n_steps = 0
    for step in one.lines:
        if step.kind is None:
            if lines:
                shown = _line(reader, step.passage, step.passage.evidence.segment.metadata.caption)
                lines[-1] = replace(lines[-1], rests_on=(*lines[-1].rests_on, shown))
            continue
        n_steps += step.kind is ItemKind.STEP
        number = n_steps if step.kind is ItemKind.STEP else None
        shown_label = ""
        if step.label is not None and step.label.style == "number" and number:
            number = step.label.value
        elif step.label is not None and step.label.shown:
            shown_label = f"({step.label.shown}) " if number else f"{step.label.shown}) "
        line = _line(reader, step.passage, step.text, step.kind, number)
        lines.append(replace(line, text=shown_label + step.text))
    return lines


def _line(
    reader: SectionReader,
    passage: Passage,
    text: str,
    item: ItemKind | None = None,
    number: int | None = None,
) -> Statement:
    run = reader.run(passage, text) if text else ()
    run = run or reader.whole_run(passage)
    runs = (run,) if run else ()
    return Statement(text, passage.evidence, runs, (), 0.0, 0.0, item=item, number=number)


def _introduces(lead: Passage) -> bool:
    text = lead.text
    return text.endswith(":") and len(text.split()) <= _MAX_LEAD_WORDS
