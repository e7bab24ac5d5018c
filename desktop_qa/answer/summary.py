"""Sections and documents in their own words: an outline, or sentences as a list.

A summary is extractive: of each sub-section the sentence that has most of what the section speaks
of (SumBasic's word frequencies, with the section's opening preferred). A text that is to be
rewritten keeps its sentences; only their arrangement changes, and the answer says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.enumerations import enumeration_in
from desktop_qa.answer.passages import Passage, SectionReader
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.answer.steps import without_label
from desktop_qa.answer.trust import stands_there
from desktop_qa.augment.cascade import Section
from desktop_qa.augment.sentences import split_sentences
from desktop_qa.core.answer import Evidence, PlaceKind, QuestionType
from desktop_qa.core.document import BlockKind, DocumentId
from desktop_qa.core.word_places import PlacedWord
from desktop_qa.index.lexical import terms_of

IN_OWN_WORDS = "In the document's own words, sentences chosen from it:"
REARRANGED = "The document's own sentences, {form}; they are quoted, not reworded."

_MAX_WORDS = 140
_MAX_REWRITTEN_WORDS = 180
_MIN_WORDS, _MAX_SENTENCE_WORDS = 4, 60
_MIN_EXTRA_WORDS = 5
_OPENING_BONUS = 0.35
_CUE = re.compile(
    r"\b(?:main|key|important|in\s+summary|therefore|consists?\s+of|provides?|allows?|used\s+(?:to|for)"
    r"|modes?|types?|recommended|suggested|must)\b",
    re.IGNORECASE,
)
_CUE_BONUS = 0.1
_UNFINISHED = 0.5
"""What a sentence loses that has no end: the page broke it in a way that was not mended."""

_ENDS = (".", "!", "?", ":", ".)", ".”")
_NUMBERED = re.compile(r"\bnumbered\b|\bsteps?\b|\border(?:ed)?\b|\bsequence\b", re.IGNORECASE)
_CHECKLIST = re.compile(r"\bcheck\s?list\b|\bto-?do\b", re.IGNORECASE)
_FORMS = {"numbered": "as numbered items", "checklist": "as a checklist", "plain": "as a list"}
_WHOLE = re.compile(r"\b(?:datasheet|data\s+sheet|manual|document|guide|pdf|file)\b", re.IGNORECASE)
_MIN_HEADING_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    passage: Passage
    is_first: bool
    is_item: bool


def summary_reply(task: AnswerTask) -> Reply | None:
    """Summarize a section, pages or a document; `None` when no summary is asked for."""
    if task.query.type != QuestionType.SUMMARY:
        return None
    reader = SectionReader(task.source, task.evidence)
    found = _sections(task, reader)
    if found is None:
        return None
    document_id, sections = found
    statements = _summarized(reader, document_id, sections)
    return Reply(IN_OWN_WORDS, tuple(statements), is_sure=_is_named(task)) if statements else None


def rewrite_reply(task: AnswerTask) -> Reply | None:
    """Give the sentences of a section in the form asked for; `None` when no rewriting is."""
    if task.query.type != QuestionType.REWRITE:
        return None
    reader = SectionReader(task.source, task.evidence)
    found = _sections(task, reader)
    if found is None:
        return None
    document_id, sections = found
    text = task.query.text
    form = "numbered" if _NUMBERED.search(text) else "checklist" if _CHECKLIST.search(text) else ""
    statements: list[Statement] = []
    n_words = 0
    for section in sections:
        for sentence in _sentences(reader.passages(document_id, section)):
            n_words += len(sentence.text.split())
            if statements and n_words > _MAX_REWRITTEN_WORDS:
                break
            parts = _in_sequence(sentence.text) if form == "numbered" else (sentence.text,)
            runs = reader.runs_within(sentence.passage, sentence.text, parts)
            for part, run in zip(parts, runs, strict=True):
                if not run:
                    continue
                said = _item(part, sentence.passage.evidence, (run,))
                if form == "numbered":
                    said = replace(said, item=ItemKind.STEP, number=len(statements) + 1)
                statements.append(said)
    lead = REARRANGED.format(form=_FORMS[form or "plain"])
    return Reply(lead, tuple(statements), is_sure=_is_named(task)) if statements else None


def _in_sequence(sentence: str) -> tuple[str, ...]:
    """Cut a sentence that tells an order of things into these things."""
    found = enumeration_in(sentence)
    if found is None or not re.search(r"\b(?:order|sequence)\b", found.lead, re.IGNORECASE):
        return (sentence,)
    return found.items


def _is_named(task: AnswerTask) -> bool:
    return bool(task.query.document_ids) or any(stands_there(item) for item in task.usable)


def _sections(
    task: AnswerTask, reader: SectionReader
) -> tuple[DocumentId, tuple[Section, ...]] | None:
    """Return the section that is meant with its sub-sections, or the opening of a document."""
    if not task.usable:
        return None
    placed = [item for item in task.usable if stands_there(item)]
    best = (placed or task.usable)[0].segment
    document_id = best.document_id
    if not placed and task.query.document_ids and not _speaks_of_a_part(task):
        document_id = task.query.document_ids[0]
        return document_id, tuple(reader.opening_of(document_id))
    path = _path_meant(task, placed or list(task.usable), document_id)
    sections = [s for s in reader.sections_of(document_id) if s.path[: len(path)] == path]
    kept = _on_pages(task, reader, document_id, sections)
    return (document_id, tuple(kept)) if kept else None


def _speaks_of_a_part(task: AnswerTask) -> bool:
    """Tell whether some heading of what was found stands in the question."""
    asked = set(terms_of(task.query.text))
    return any(
        _share(heading, asked) >= _MIN_HEADING_SHARE
        for item in task.usable
        for heading in item.segment.metadata.section_path
    ) or not _WHOLE.search(task.query.text)


def _path_meant(
    task: AnswerTask, items: Sequence[Evidence], document_id: DocumentId
) -> tuple[str, ...]:
    """Return the path of the section whose heading has most of its words in the question."""
    asked = set(terms_of(task.query.text))
    paths: dict[tuple[str, ...], float] = {}
    for item in items:
        path = item.segment.metadata.section_path
        if item.segment.document_id != document_id:
            continue
        for depth in range(1, len(path) + 1):
            own = set(terms_of(path[depth - 1])) & asked
            paths.setdefault(path[:depth], _share(path[depth - 1], asked) + 0.2 * len(own))
    wanted = {ref.first for ref in task.query.structure_refs if ref.kind == PlaceKind.SECTION}
    numbered = [p for p in paths if wanted & {_number(p[-1])}]
    if numbered:
        return numbered[0]
    return max(paths, key=lambda p: paths[p], default=items[0].segment.metadata.section_path)


def _number(heading: str) -> str:
    first = heading.split()[0].rstrip(".").casefold() if heading.split() else ""
    return first.removesuffix(".0")


def _share(heading: str, asked: set[str]) -> float:
    own = [term for term in terms_of(heading) if not term[:1].isdigit()]
    return sum(term in asked for term in own) / len(own) if own else 0.0


def _on_pages(
    task: AnswerTask, reader: SectionReader, document_id: DocumentId, sections: Sequence[Section]
) -> list[Section]:
    """Keep the sections that stand on the pages named, if any are."""
    pages: set[int] = set()
    for ref in task.query.structure_refs:
        if ref.kind == PlaceKind.PAGE and ref.first.isdigit() and ref.last.isdigit():
            pages.update(range(int(ref.first), min(int(ref.last), int(ref.first) + 50) + 1))
    kept = [s for s in sections if not pages or pages & reader.pages_of(document_id, s)]
    return kept or list(sections)


def _summarized(
    reader: SectionReader, document_id: DocumentId, sections: Sequence[Section]
) -> list[Statement]:
    """Quote of each section its telling sentences, as many as a reader has the patience for."""
    bodies = {s.path: _sentences(reader.passages(document_id, s)) for s in sections}
    counts = Counter(
        term
        for body in bodies.values()
        for sentence in body
        for term in set(terms_of(sentence.text))
    )
    chosen = {path: _ordered(body, counts)[:1] for path, body in bodies.items()}
    n_words = sum(_n_words(one) for of_path in chosen.values() for one in of_path)
    for path in bodies:
        for sentence in _ordered(bodies[path], counts)[1:3]:
            if _n_words(sentence) < _MIN_EXTRA_WORDS:
                continue
            if n_words + _n_words(sentence) <= _MAX_WORDS:
                chosen[path] = [*chosen[path], sentence]
                n_words += _n_words(sentence)
    statements: list[Statement] = []
    for position, section in enumerate(sections):
        title = (
            f"**{section.title}**: " if section.title and (position or len(sections) == 1) else ""
        )
        own = sorted(chosen[section.path], key=lambda s: bodies[section.path].index(s))
        statements += _of_section(reader, document_id, section, title, own)
    return _within_budget(statements)


def _of_section(
    reader: SectionReader,
    document_id: DocumentId,
    section: Section,
    title: str,
    chosen: Sequence[_Sentence],
) -> list[Statement]:
    """Quote the chosen sentences of a section under its title; name its tables if it has none."""
    found: list[tuple[str, Evidence, tuple[PlacedWord, ...]]] = []
    for sentence in chosen:
        if run := reader.run(sentence.passage, sentence.text):
            found.append((sentence.text, sentence.passage.evidence, run))
    if not found:
        for passage in reader.passages(document_id, section):
            caption = passage.evidence.segment.metadata.caption
            if passage.kind in (BlockKind.TABLE, BlockKind.PICTURE) and caption:
                found.append((f"{caption.rstrip('.')}.", passage.evidence, ()))
                break
    if not found:
        return []
    statements: list[Statement] = []
    for text, item, run in found:
        runs = (run,) if run else ()
        last = statements[-1] if statements else None
        if last is not None and last.evidence.segment.id == item.segment.id:
            statements[-1] = replace(last, text=f"{last.text} {text}", runs=(*last.runs, *runs))
        else:
            mark = "" if statements else title
            statements.append(_item(mark + text, item, runs))
    return statements


def _within_budget(statements: Sequence[Statement]) -> list[Statement]:
    kept: list[Statement] = []
    n_words = 0
    for statement in statements:
        n_words += 1 + len(statement.text.split())  # with its bullet
        if kept and n_words > _MAX_REWRITTEN_WORDS:
            break
        kept.append(statement)
    return kept


def _ordered(sentences: Sequence[_Sentence], counts: Counter[str]) -> list[_Sentence]:
    """Order sentences by how much of what is spoken of they have, most first."""
    return sorted(sentences, key=lambda s: -_telling(s, counts))


def _telling(sentence: _Sentence, counts: Counter[str]) -> float:
    terms = set(terms_of(sentence.text))
    total = max(counts.values(), default=1)
    central = sum(counts[term] for term in terms) / (total * len(terms)) if terms else 0.0
    return (
        central
        + (_OPENING_BONUS if sentence.is_first else 0.0)
        + (_CUE_BONUS if _CUE.search(sentence.text) else 0.0)
        - (0.0 if sentence.text.endswith(_ENDS) or sentence.is_item else _UNFINISHED)
    )


def _sentences(passages: Iterable[Passage]) -> list[_Sentence]:
    found: list[_Sentence] = []
    for passage in passages:
        if passage.kind not in (BlockKind.TEXT, BlockKind.LIST_ITEM):
            continue
        text = without_label(passage.text)
        parts = [text] if passage.kind is BlockKind.LIST_ITEM else split_sentences(text)
        for part in parts:
            n_words = len(part.split())
            if n_words >= (2 if passage.kind is BlockKind.LIST_ITEM else _MIN_WORDS) and (
                n_words <= _MAX_SENTENCE_WORDS
            ):
                is_item = passage.kind is BlockKind.LIST_ITEM
                found.append(_Sentence(part, passage, not found, is_item))
    return found


def _n_words(sentence: _Sentence) -> int:
    return len(sentence.text.split())


def _item(text: str, evidence: Evidence, runs: tuple[tuple[PlacedWord, ...], ...]) -> Statement:
    item = ItemKind.BULLET
    return Statement(text, evidence, runs, (), 1.0, 1.0, item=item)
