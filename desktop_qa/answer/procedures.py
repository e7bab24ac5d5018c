"""How-to questions: the whole step list of the section that tells it, in order, with its figures.

KAPQA (section 4) reports that one wrong step spoils an answer: a list is given whole or not at all,
and a list that is no procedure is not given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.exact import close_to_the_question
from desktop_qa.answer.passages import Passage, SectionReader
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.answer.steps import Step, StepKind, StepList, step_lists
from desktop_qa.answer.told_steps import ToldProcedure, told_procedures
from desktop_qa.augment.cascade import Section
from desktop_qa.augment.instructions import (
    DESCRIPTIVE,
    PROCEDURAL,
    instructive_share,
    is_instruction,
)
from desktop_qa.core.answer import Evidence, QuestionType
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.word_places import PlacedWord
from desktop_qa.index.lexical import terms_of

_MIN_SHARE = {"number": 0.3, "letter": 0.3, "bullet": 0.5}
_CUED_SHARE = {"number": 0.0, "letter": 0.0, "bullet": 0.3}
_MAX_COMPARED = 9
"""Procedures whose meaning is compared with the question's; what has fewer of its words is not."""

_MAX_NAME = 160
_MAX_CHARACTERS = 400
"""Of a procedure that are compared; reading more takes longer and tells no more."""

_MIN_STEPS = 2
"""What is done in one is a sentence, and answered as such."""

_ITEMS = {
    StepKind.STEP: ItemKind.STEP,
    StepKind.SUB: ItemKind.SUB_STEP,
    StepKind.NOTE: ItemKind.REMARK,
}
_MAX_LEAD_WORDS = 40
_MAX_TOLD = 15
"""Sentences of prose that may be one procedure; more are a chapter."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A procedure that may be the one asked for.

    Attributes:
        evidence: What led to it.
        heading: Last headings of its section.
        lead: The line that introduces it.
        texts: Its steps.
        lists: Empty when it is told in prose.
        score: How well it fits the question.
    """

    evidence: Evidence
    heading: str
    lead: str
    texts: tuple[str, ...]
    lists: tuple[StepList, ...] = ()
    told: ToldProcedure | None = None
    score: float = 0.0


def procedure_reply(task: AnswerTask) -> Reply | None:
    """Answer a how-to question with the whole step list that tells it.

    Returns:
        `None` when nothing is to be done, or no section that was found says how.
    """
    if task.query.type != QuestionType.PROCEDURE:
        return None
    reader = SectionReader(task.source, task.evidence)
    candidates = ranked(task, candidates_of(task, reader))
    reply = _reply(task, reader, candidates[0]) if candidates else None
    if reply is None:
        return None
    return replace(reply, also=tuple(close_to_the_question(task, reply.statements)))


def candidates_of(task: AnswerTask, reader: SectionReader) -> list[Candidate]:
    """Return the procedures of the sections that were found."""
    found: list[Candidate] = []
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for item in task.usable:
        segment = item.segment
        section = reader.section_of(segment)
        key = (segment.document_id, segment.metadata.section_path)
        if section is not None and key not in seen and not segment.boilerplate:
            seen.add(key)
            found += _of_section(reader, section, item)
    return found


def _of_section(reader: SectionReader, section: Section, item: Evidence) -> list[Candidate]:
    """Return the procedures of one section: its lists, and what its prose says to do."""
    passages = reader.passages(item.segment.document_id, section)
    heading = " > ".join(section.path[-2:])
    lists = [one for one in _with_alternatives(step_lists(passages)) if _tells(heading, one)]
    found = []
    for group in lists:
        lead = group[0].lead.text if group[0].lead is not None else ""
        texts = tuple(text for one in group for text in one.texts)
        found.append(Candidate(item, heading, lead, texts, tuple(group)))
    for told in told_procedures(passages, with_items=not lists):
        if len(told.sentences) > _MAX_TOLD:
            continue
        title = " ".join(one.text for one in told.titles)
        texts = tuple(s.text for s in told.sentences)
        found.append(Candidate(item, heading, title, texts, (), told))
    return found


def ranked(task: AnswerTask, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Order procedures of several steps by how near they are to the question, best first.

    The place where it stands, its heading and its whole text weigh alike, the heading half: other
    weights, fitted on all libraries but one, chose no better on that one.
    """
    several = [c for c in candidates if len(c.texts) >= _MIN_STEPS]
    names = [f"{c.heading} {c.lead}".strip()[:_MAX_NAME] for c in several]
    wholes = [
        f"{name} {' '.join(c.texts)}"[:_MAX_CHARACTERS]
        for name, c in zip(names, several, strict=True)
    ]
    cosines = task.similarities([*names, *wholes]) if several else ()
    top = _top(task)
    scored = [
        replace(
            one,
            score=one.evidence.score / top + cosines[len(several) + n] + 0.5 * cosines[n],
        )
        for n, one in enumerate(several)
    ]
    return sorted(scored, key=lambda c: -c.score)


def _top(task: AnswerTask) -> float:
    return max((item.score for item in task.usable), default=1.0) or 1.0


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


def _reply(task: AnswerTask, reader: SectionReader, chosen: Candidate) -> Reply | None:
    words = " ".join((chosen.heading, chosen.lead, *chosen.texts))
    context = chosen.evidence.segment.metadata.context_line()
    coverage = task.terms.coverage(terms_of(f"{context} {words}"))
    writer = _Writer(reader, coverage, chosen.score)
    if chosen.told is not None:
        writer.add_told(chosen.told)
    for one in chosen.lists:
        writer.add_list(one)
    if not writer.statements:
        return None
    return Reply(writer.notes, tuple(writer.statements), figures=tuple(writer.figures))


class _Writer:
    """Writes a procedure line by line, each with its own words and place."""

    def __init__(self, reader: SectionReader, coverage: float, score: float) -> None:
        self._reader = reader
        self._coverage = coverage
        self._score = score
        self._missing: list[int] = []
        self.statements: list[Statement] = []
        self.figures: list[Evidence] = []

    @property
    def notes(self) -> str:
        """What a reader must know of the list, a sentence each."""
        if not self._missing:
            return ""
        numbers = ", ".join(map(str, self._missing))
        return f"The list skips step {numbers}: look at the page before you rely on it."

    def add_told(self, told: ToldProcedure) -> None:
        for number, sentence in enumerate(told.sentences, start=1):
            run = self._reader.run(sentence.passage, sentence.text)
            if len(told.sentences) > 1:
                self._add(sentence.text, sentence.passage, run, ItemKind.STEP, number)
            else:
                self._add(sentence.text, sentence.passage, run)

    def add_list(self, one: StepList) -> None:
        if one.lead is not None and (one.is_alternative or _introduces(one.lead)):
            self._add(one.lead.text, one.lead, self._reader.whole_run(one.lead))
        self._missing += one.missing
        for number, letter, step in _numbered(one):
            if step.kind is StepKind.FIGURE:
                self._show(step.passage)
            else:
                item = _ITEMS[step.kind]
                self._add(letter + step.text, step.passage, self._run(step), item, number)

    def _run(self, step: Step) -> tuple[PlacedWord, ...]:
        return self._reader.run(step.passage, step.text) or self._reader.whole_run(step.passage)

    def _add(
        self,
        text: str,
        passage: Passage,
        run: tuple[PlacedWord, ...],
        item: ItemKind | None = None,
        number: int | None = None,
    ) -> None:
        if run:
            said = Statement(text, passage.evidence, (run,), (), self._coverage, self._score)
            self.statements.append(replace(said, item=item, number=number))

    def _show(self, passage: Passage) -> None:
        """Show a figure, or point at a table, at the step that it follows."""
        evidence = passage.evidence
        if evidence.segment.kind is SegmentKind.TEXT:
            return
        if evidence.segment.kind is SegmentKind.FIGURE:
            self.figures.append(evidence)
        caption = evidence.segment.metadata.caption
        run = self._reader.run(passage, caption) if caption else ()
        shown = Statement(caption, evidence, (run,) if run else (), (), 0.0, 0.0)
        if self.statements:
            last = self.statements[-1]
            self.statements[-1] = replace(last, rests_on=(*last.rests_on, shown))


def _introduces(lead: Passage) -> bool:
    text = lead.text
    return text.endswith(":") and len(text.split()) <= _MAX_LEAD_WORDS


def _numbered(one: StepList) -> list[tuple[int | None, str, Step]]:
    """Return each line with the number of a step, and with the letter that it has."""
    lines: list[tuple[int | None, str, Step]] = []
    n_steps = 0
    for step in one.lines:
        if step.kind is StepKind.STEP:
            n_steps += 1
            label = step.label
            is_numbered = label is not None and label.style == "number"
            number = label.value if is_numbered and label is not None else n_steps
            letter = f"({label.shown}) " if label and label.style == "letter" else ""
            lines.append((number, letter, step))
        elif step.kind is StepKind.SUB:
            shown = step.label.shown if step.label is not None else ""
            lines.append((None, f"{shown}) " if shown else "", step))
        else:
            lines.append((None, "", step))
    return lines
