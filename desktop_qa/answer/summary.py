"""Sections and documents in their own words: an outline, or sentences as a list.

A summary is extractive: of each sub-section the sentences nearest in meaning to all of it; of a
whole document what of it says best what it is about. A text that is to be rewritten keeps its
sentences; only their arrangement changes, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile

import numpy as np

from desktop_qa.answer.passages import SectionReader
from desktop_qa.answer.procedures import told_pieces
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.answer.trust import stands_there
from desktop_qa.augment.cascade import Section
from desktop_qa.core.answer import PlaceKind, QuestionType
from desktop_qa.core.document import DocumentId
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.query import names_only

IN_OWN_WORDS = "In the document's own words, sentences chosen from it:"
REARRANGED = "The document's own sentences, as a list; they are quoted, not reworded."

_MAX_WORDS = 180
_MAX_SENTENCE = 60
_N_SENTENCES = 6
"""Of a summary, shared among its sections, each of which has one at the least."""

_OVERVIEW = "introduction, what it is: general description, features and applications"
_WHAT_IS = "What is the {}?"
"""What a document is searched for, and what is found is read for."""

_N_FRONT = 60
"""Pieces from its first page on that are read: lists, or up to a hundred words each."""

_MIN_LINE = 5
"""Words of a line that is no item of a list."""

_NUMBERED = re.compile(r"\bnumbered\b|\bsteps?\b|\border(?:ed)?\b|\bsequence\b", re.IGNORECASE)


def summary_reply(task: AnswerTask) -> Reply | None:
    """Summarize a section, pages or documents; `None` when no summary is asked for."""
    is_asked = task.query.type in (QuestionType.SUMMARY, QuestionType.OVERVIEW)
    if not is_asked or (meant := _meant(task)) is None:
        return None
    document_id, path = meant
    if not task.query.structure_refs and (names_only(task.query.reformulated) or not path):
        return _overview(task, task.query.document_ids or (document_id,))
    bodies = _bodies(task, document_id, path)
    n_each = max(_N_SENTENCES // max(len(bodies), 1), 1)
    statements: list[Statement] = []
    for section, said in bodies:
        statements += _headed(section.title, _most_telling(task, said, n_each))
    return _reply(task, IN_OWN_WORDS, statements)


def _overview(task: AnswerTask, document_ids: Sequence[DocumentId]) -> Reply | None:
    """Tell what each document is about."""
    n_words = _MAX_WORDS // len(document_ids)
    said = [one for document_id in document_ids for one in _about(task, document_id, n_words)]
    return Reply(IN_OWN_WORDS, tuple(said), is_sure=True) if said else None


def _about(task: AnswerTask, document_id: DocumentId, max_words: int) -> list[Statement]:
    """Return what says best what a document is, and what else on that page says it."""
    title = task.source.document(document_id).title
    said: list[Statement] = []
    page_no, n_words = 0, 0
    for piece in _likely_pieces(task, document_id):
        place = piece.evidence.segment.metadata
        lines = [line for line in piece.rests_on if _says_more(line, title)]
        is_beside = place.page_nos[0] == page_no and (piece.odds or 0.0) > 0
        if not lines or (said and not is_beside):
            continue
        n_words += sum(len(line.text.split()) for line in lines)
        if said and n_words > max_words:
            break
        said += _headed(place.section_path[-1] if said and place.section_path else title, lines)
        page_no = place.page_nos[0]
    return said


def _likely_pieces(task: AnswerTask, document_id: DocumentId) -> list[Statement]:
    """Order what may say what a document is: of a part what is found, else what stands first.

    A report or a guide is about its maker or what he makes; that stands at its beginning, and much
    behind it is as like a description.
    """
    document = task.source.document(document_id)
    name = (*document.part_numbers, document.vendor or document.title)[0]
    query = replace(task.query, text=_WHAT_IS.format(name), document_ids=(document_id,))
    if not document.part_numbers:
        task, reader = replace(task, query=query), SectionReader(task.source, task.evidence)
        first = list(islice(_from_the_first_page(task, reader, document_id), _N_FRONT))
        read = zip(first, task.relevances(first), strict=True)
        return sorted((replace(p, odds=odds) for p, odds in read), key=lambda p: -(p.odds or 0.0))
    found = tuple(task.search(replace(query, reformulated=_OVERVIEW)))
    task = replace(task, query=query, evidence=found, usable=found)
    reader = SectionReader(task.source, found)
    own = reader.found(e for e in found if e.segment.document_id == document_id)
    return ranked(task, [piece for place in own for piece in told_pieces(task, reader, *place)])


def _from_the_first_page(
    task: AnswerTask, reader: SectionReader, document_id: DocumentId
) -> Iterator[Statement]:
    for section in reader.sections_of(document_id):
        if passages := reader.passages(document_id, section):
            yield from told_pieces(task, reader, passages[0].evidence, section)


def _says_more(line: Statement, title: str) -> bool:
    """Tell an item or a sentence from the labels of a drawing and from the title."""
    is_long = line.item is not ItemKind.TEXT or len(line.text.split()) >= _MIN_LINE
    return is_long and not set(terms_of(line.text)) <= set(terms_of(title))


def _headed(title: str, said: Sequence[Statement]) -> list[Statement]:
    """Let what a section says begin with the name of it."""
    first, *others = said
    return [replace(first, text=f"**{title}**: {first.text}") if title else first, *others]


def rewrite_reply(task: AnswerTask) -> Reply | None:
    """Give the sentences of a section in the form asked for; `None` when no rewriting is."""
    if task.query.type != QuestionType.REWRITE or (meant := _meant(task)) is None:
        return None
    statements = [one for _section, said in _bodies(task, *meant) for one in said]
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


def _meant(task: AnswerTask) -> tuple[DocumentId, tuple[str, ...]] | None:
    """Return the first document that was found, and the headings over the part that is meant."""
    placed = [item for item in task.usable if stands_there(item)]
    first = next(iter(placed or task.usable), None)
    if first is None:
        return None
    document_id = first.segment.document_id
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
    return document_id, path


def _bodies(
    task: AnswerTask, document_id: DocumentId, path: tuple[str, ...]
) -> list[tuple[Section, list[Statement]]]:
    """Return the sentences of each section under some headings, those with any.

    Where the question names pages, sections on these are meant, if there are such.
    """
    reader = SectionReader(task.source, task.evidence)
    sections = [s for s in reader.sections_of(document_id) if s.path[: len(path)] == path]
    pages = {
        page
        for ref in task.query.structure_refs
        if ref.kind == PlaceKind.PAGE and ref.first.isdigit() and ref.last.isdigit()
        for page in range(int(ref.first), int(ref.last) + 1)
    }
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
