"""Sections and documents in their own words: an outline, or sentences as a list.

A summary is extractive: of each sub-section the sentences nearest in meaning to all of it. A text
that is to be rewritten keeps its sentences; only their arrangement changes, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

import numpy as np

from desktop_qa.answer.passages import SectionReader
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.answer.trust import stands_there
from desktop_qa.augment.cascade import Section
from desktop_qa.core.answer import PlaceKind, QuestionType

IN_OWN_WORDS = "In the document's own words, sentences chosen from it:"
REARRANGED = "The document's own sentences, as a list; they are quoted, not reworded."

_MAX_WORDS = 180
_MAX_SENTENCE = 60
_N_SENTENCES = 6
"""Of a summary, shared among its sections, each of which has one at the least."""

_NUMBERED = re.compile(r"\bnumbered\b|\bsteps?\b|\border(?:ed)?\b|\bsequence\b", re.IGNORECASE)


def summary_reply(task: AnswerTask) -> Reply | None:
    """Summarize a section, pages or a document; `None` when no summary is asked for."""
    if task.query.type != QuestionType.SUMMARY:
        return None
    bodies = _bodies(task)
    n_each = max(_N_SENTENCES // max(len(bodies), 1), 1)
    statements: list[Statement] = []
    for section, said in bodies:
        first, *others = _most_telling(task, said, n_each)
        if section.title:
            first = replace(first, text=f"**{section.title}**: {first.text}")
        statements += (first, *others)
    return _reply(task, IN_OWN_WORDS, statements)


def rewrite_reply(task: AnswerTask) -> Reply | None:
    """Give the sentences of a section in the form asked for; `None` when no rewriting is."""
    if task.query.type != QuestionType.REWRITE:
        return None
    statements = [one for _section, said in _bodies(task) for one in said]
    if _NUMBERED.search(task.query.text):
        numbered = enumerate(statements, start=1)
        statements = [replace(one, item=ItemKind.STEP, number=n) for n, one in numbered]
    return _reply(task, REARRANGED, statements)


def _reply(task: AnswerTask, lead: str, statements: Iterable[Statement]) -> Reply | None:
    """Give as many statements as a reader has the patience for."""
    kept: list[Statement] = []
    n_words = 0
    for statement in statements:
        n_words += 1 + len(statement.text.split())  # with its bullet
        if kept and n_words > _MAX_WORDS:
            break
        kept.append(statement)
    is_named = bool(task.query.document_ids) or any(map(stands_there, task.usable))
    return Reply(lead, tuple(kept), is_sure=is_named) if kept else None


def _bodies(task: AnswerTask) -> list[tuple[Section, list[Statement]]]:
    """Return the sentences of each section that is meant, those with any."""
    placed = [item for item in task.usable if stands_there(item)]
    first = next(iter(placed or task.usable), None)
    if first is None:
        return []
    reader, document_id = SectionReader(task.source, task.evidence), first.segment.document_id
    pages = {
        page
        for ref in task.query.structure_refs
        if ref.kind == PlaceKind.PAGE and ref.first.isdigit() and ref.last.isdigit()
        for page in range(int(ref.first), int(ref.last) + 1)
    }
    paths = [
        i.segment.metadata.section_path for i in placed if i.segment.document_id == document_id
    ]
    alike = takewhile(lambda level: len(set(level)) == 1, zip(*paths, strict=False))
    path = tuple(headings[0] for headings in alike)
    if not placed:
        # The whole document, or as deep in it as the words of the question go.
        whole = first.segment.metadata.section_path
        titles = [task.source.document(document_id).title, *whole]
        path = whole[: int(np.argmax(task.similarities(titles)))]
        pages = pages if path else {1}
    sections = [s for s in reader.sections_of(document_id) if s.path[: len(path)] == path]
    found = []
    for section in [s for s in sections if pages & reader.pages_of(document_id, s)] or sections:
        said = [
            Statement(text, passage.evidence, (run,), (), 1.0, 1.0, item=ItemKind.BULLET)
            for passage, text in reader.sentences(document_id, section)
            if len(text.split()) <= _MAX_SENTENCE and (run := reader.run(passage, text))
        ]
        found += [(section, said)] if said else []
    return found


def _most_telling(task: AnswerTask, said: Sequence[Statement], n: int) -> list[Statement]:
    """Return the sentences that are nearest in meaning to all of them, in their order."""
    meanings = task.meaning.vectors([one.text for one in said])
    near = meanings @ meanings.mean(axis=0)
    return [said[index] for index in sorted(np.argsort(-near, kind="stable")[:n])]
