"""Whole lists: "list every ...", "which pins ...": bullets, enumerations in a sentence, columns.

A list is a statement that rests on its items; the one that ranks first is given whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from desktop_qa.answer.cells import cell_words
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.passages import SectionReader, first_of_tables
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.row_tables import parts_of, row_tables
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.answer.steps import step_lists
from desktop_qa.answer.table_rows import table_rows
from desktop_qa.augment.cascade import Section
from desktop_qa.augment.quantities import find_values
from desktop_qa.augment.sentences import split_sentences
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS
from desktop_qa.core.answer import Evidence, QuestionType
from desktop_qa.core.answer_table import TableUse
from desktop_qa.core.document import BlockKind
from desktop_qa.core.word_places import PlacedWord
from desktop_qa.index.lexical import terms_of

_N_EVIDENCE = 10
_MAX_ITEMS = 60
_MIN_ITEMS = 2
_COUNTS = {word: number for word, number in SMALL_NUMBERS.items() if number > 1}
_COUNT = re.compile(
    rf"\b(?:all|the|every|these|its|which)\s+(?:of\s+the\s+)?(\d{{1,3}}|{'|'.join(_COUNTS)})\s+"
    r"(?=[a-zA-Z])",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r",\s*(?:and\s+then|and|or|then)\s+|,\s+|;\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+"
)
_MAX_ITEM_WORDS = 7
_MIN_ENUMERATED = 3
_LEAD = re.compile(
    r"\b(?:are|is|includes?|including|comprises?|consists?\s+of|supports?|provides?|such\s+as|namely"
    r"|contains?|has|have)\b\s*:?\s+(?:the\s+following\s*:?\s+)?|:\s+",
    re.IGNORECASE,
)
_UNUSED = re.compile(r"x|[-\u2013\u2014]|0|1|reserved|unused|n/a|u-0|rsvd", re.IGNORECASE)
_LAST = re.compile(r"(?<=[a-z0-9)])\.\s|\.$")


def list_reply(task: AnswerTask) -> Reply | None:
    """Answer with a whole list or column; `None` when none is asked for or found."""
    if task.query.type != QuestionType.EXTRACTION:
        return None
    order = ranked(task, [one for one in _lists(task) if one.rests_on])
    if not order:
        return None
    n_asked = _count_asked(task.query.text)
    best = order[0]
    n_found = len(best.rests_on)
    items = tuple(replace(item, odds=best.odds) for item in best.rests_on[:_MAX_ITEMS])
    lead = f"{n_found} found."
    if n_asked and n_asked != n_found:
        lead = f"The question says {n_asked}; the document lists {n_found} here."
    if len(items) < n_found:
        lead = f"{lead} The first {len(items)} of them:"
    introduced = (replace(best, rests_on=()),) if best.runs else ()
    tables = tuple(replace(t, use=TableUse.LIST) for t in row_tables(items, task.source))
    is_sure = bool(task.query.document_ids)
    return Reply(lead, (*introduced, *items), tables=tables, is_sure=is_sure)


def _count_asked(question: str) -> int:
    """Return how many items the question says there are ("all ten"); 0 when it does not."""
    match = _COUNT.search(question)
    if match is None:
        return 0
    word = match.group(1).casefold()
    return _COUNTS.get(word) or int(word)


def _lists(task: AnswerTask) -> Iterator[Statement]:
    """Yield the lists of the tables and sections that were found first."""
    reader = SectionReader(task.source, task.evidence)
    evidence = task.usable[:_N_EVIDENCE]
    for item in first_of_tables(evidence):
        yield from _column(task, reader, item)
    for item, section in reader.found(evidence):
        yield from _of_section(task, reader, item, section)


def _of_section(
    task: AnswerTask, reader: SectionReader, item: Evidence, section: Section
) -> Iterator[Statement]:
    """Yield the bullet lists of a section and what its sentences enumerate."""
    passages = reader.passages(item.segment.document_id, section)
    for one in step_lists(passages):
        items = [
            _bullet(step.text, step.passage.evidence, run)
            for step in one.steps
            if (run := reader.run(step.passage, step.text))
        ]
        lead = split_sentences(one.lead.text)[-1] if one.lead is not None else ""
        run = reader.run(one.lead, lead) if one.lead is not None and lead.endswith(":") else ()
        yield _list(task, item, f"{section.title} {lead}", lead, run, items)
    for passage in passages if not item.segment.boilerplate else ():
        for sentence in split_sentences(passage.text) if passage.kind is BlockKind.TEXT else ():
            lead, parts = enumeration_in(sentence)
            parts = parts or bit_names_in(sentence)
            runs = reader.runs_within(passage, sentence, (lead, *parts)) if parts else []
            if len(parts) >= _MIN_ITEMS and all(runs[1:]):
                own = zip(parts, runs[1:], strict=True)
                items = [_bullet(part, passage.evidence, run) for part, run in own]
                about = f"{section.title} {passage.text}"
                yield _list(task, item, about, f"{lead}:", runs[0], items)


def _list(
    task: AnswerTask,
    item: Evidence,
    about: str,
    lead: str,
    run: tuple[PlacedWord, ...],
    items: list[Statement],
) -> Statement:
    """Make a list one statement: ranked by what it is a list of, resting on its items."""
    words = " ".join((about, *(one.text for one in items)))
    terms = frozenset(terms_of(words))
    return Statement(
        lead,
        item,
        (run,) if run else (),
        (),
        task.terms.coverage(terms),
        0.0,
        rests_on=tuple(items),
        about=about,
        terms=terms,
        values=frozenset(find_values(words)),
    )


def _bullet(text: str, evidence: Evidence, run: tuple[PlacedWord, ...]) -> Statement:
    return Statement(text, evidence, (run,), (), 1.0, 1.0, item=ItemKind.BULLET)


def _column(task: AnswerTask, reader: SectionReader, item: Evidence) -> Iterator[Statement]:
    """Yield the column of a table that the question asks for, of the rows that it asks for."""
    table = task.source.table(item.segment)
    if table is None:
        return
    columns = read_columns(table)
    column = columns.asked_for(task.terms) or 0
    rows = [
        (row, part)
        for part in parts_of(item.segment, task.source)
        if (shown := part.element) is not None
        for row in table_rows(table, columns, shown.first_row, shown.first_row + shown.n_rows)
    ]
    others = [
        set(terms_of(" ".join(c.text for i, c in enumerate(row.cells) if c and i != column)))
        for row, _part in rows
    ]
    telling = {t for t in task.terms.weights if 0 < sum(t in own for own in others) < len(rows)}
    kept = [one for one, own in zip(rows, others, strict=True) if telling <= own] or rows
    items: dict[str, Statement] = {}
    for row, part in kept:
        cell = row.cells[column]
        if cell is not None and (run := tuple(cell_words(cell, task.source.words(part)))):
            said = _bullet(cell.text, reader.evidence_of(part), run)
            items.setdefault(cell.text, replace(said, cells=((cell.row, cell.column),)))
    if len(items) >= _MIN_ITEMS:
        path = " ".join(item.segment.metadata.section_path[-1:])
        about = f"{path} {table.caption} {' '.join(columns.headers)}"
        yield _list(task, item, about, "", (), list(items.values()))


def enumeration_in(sentence: str) -> tuple[str, tuple[str, ...]]:
    """Return what stands before the longest list of short things in a sentence, and the list.

    The list is empty where there is none of three things.
    """
    best: tuple[str, tuple[str, ...]] = ("", ())
    for start in (match.end() for match in _LEAD.finditer(sentence)):
        parts = _SEPARATOR.split(_LAST.split(sentence[start:].strip())[0])
        items = tuple(item for part in parts if (item := part.strip(" .;")))
        are_things = all(len(i.split()) <= _MAX_ITEM_WORDS and not _LEAD.search(i) for i in items)
        if are_things and len(items) >= max(len(best[1]), _MIN_ENUMERATED):
            best = (sentence[:start].strip().rstrip(":"), items)
    return best


def bit_names_in(text: str) -> tuple[str, ...]:
    """Return the names of the bits of a register that is drawn as a row under its bit numbers.

    "7 6 5 4 3 2 1 0 WPEN X X X BP1 BP0 WEL WIP": those that stand for nothing are left out.
    """
    for n in (32, 16, 8):
        numbers = " ".join(str(bit) for bit in reversed(range(n)))
        names = " ".join(text.split()).partition(f"{numbers} ")[2].split()[:n]
        if len(names) == n:
            return tuple(name for name in names if not _UNUSED.fullmatch(name))
    return ()
