"""Whole lists: "list every ...", "which pins ...": bullets, enumerations in a sentence, columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.cells import cell_words
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.enumerations import bit_names_in, enumeration_in
from desktop_qa.answer.passages import Passage, SectionReader
from desktop_qa.answer.reply import AnswerTask, DraftTable, Reply
from desktop_qa.answer.row_tables import row_tables
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.answer.steps import StepList, step_lists
from desktop_qa.augment.cascade import Section
from desktop_qa.augment.sentences import split_sentences
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS
from desktop_qa.core.answer import Evidence, QuestionType
from desktop_qa.core.answer_table import TableUse
from desktop_qa.core.document import BlockKind, Table, TableCell
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.word_places import PlacedWord
from desktop_qa.index.lexical import terms_of

_N_EVIDENCE = 10
_MAX_COMPARED = 16
_MAX_CHARACTERS = 400
_MAX_ITEMS = 60
_SURE = 0.75
"""Of `_best`: bare items share no words with the question, the line that leads them does."""

_MIN_ITEMS = 2
_COUNTS = {word: number for word, number in SMALL_NUMBERS.items() if number > 1}
_COUNT = re.compile(
    rf"\b(?:all|the|every|these|its|which)\s+(?:of\s+the\s+)?(\d{{1,3}}|{'|'.join(_COUNTS)})\s+"
    r"(?=[a-zA-Z])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])[+\-−–]?\d+(?:\.\d+)?(?![\w.])")
_CODES = re.compile(
    r"\b(?:order(?:ing|able)?|part)\s+(?:codes?|numbers?|names?)\b|\bmodels?\b|\bvariants?\b", re.I
)
_CODE_HEADER = re.compile(
    r"\bmodel|\border|\bpart\b|\bdevice\b|\bproduct\b|\btype\s+number|\bgeneric\b", re.IGNORECASE
)
_MAX_MEAN_WORDS = 16
_WORDY = 0.2
"""What a list of sentences loses: who asks for a list of things wants their names."""

_NOTES = re.compile(r"^notes?\b", re.IGNORECASE)
_NAME_HEADER = re.compile(
    r"\bname|\bsymbol|\bmnemonic|\bfield\b|\bparameter\b|^pin$", re.IGNORECASE
)


_PACKAGE_SIZE = re.compile(r"\b\d+[\s-]*(?:pins?|leads?|balls?|bumps?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _List:
    """A list that may be the one asked for.

    Attributes:
        about: What it is a list of, as the document says: heading, lead, caption, headers.
        lead: A statement of the line that introduces it; `None` when there is none.
        items: One statement each, in the order of the page.
    """

    about: str
    evidence: Evidence
    lead: Statement | None
    items: tuple[Statement, ...]
    table: DraftTable | None = None
    score: float = 0.0


def list_reply(task: AnswerTask) -> Reply | None:
    """Answer with a whole list or column; `None` when none is asked for or found."""
    if task.query.type != QuestionType.EXTRACTION:
        return None
    reader = SectionReader(task.source, task.evidence)
    best = _best(task, list(_lists(task, reader)))
    if best is None:
        return None
    n_asked = _count_asked(task.query.text)
    items = best.items[:_MAX_ITEMS]
    lead = f"{len(best.items)} found."
    if n_asked and n_asked != len(best.items):
        lead = f"The question says {n_asked}; the document lists {len(best.items)} here."
    if len(items) < len(best.items):
        lead = f"{lead} The first {len(items)} of them:"
    introduced = () if best.lead is None else (best.lead,)
    tables = () if best.table is None else (best.table,)
    is_sure = bool(task.query.document_ids) and best.score >= _SURE
    return Reply(lead, (*introduced, *items), tables=tables, is_sure=is_sure)


def _best(task: AnswerTask, found: Sequence[_List]) -> _List | None:
    """Choose by words, meaning and place; a list of as many items as are asked for gains."""
    n_asked = _count_asked(task.query.text)
    top = max((item.score for item in task.usable), default=1.0) or 1.0
    by_words = []
    for one in found:
        words = f"{one.about} {' '.join(s.text for s in one.items)}"
        by_words.append(
            replace(
                one,
                score=0.45 * task.terms.coverage(terms_of(one.about))
                + 0.15 * task.terms.coverage(terms_of(words))
                + 0.3 * one.evidence.score / top
                + (0.2 if n_asked and n_asked == len(one.items) else 0.0)
                - (_WORDY if _mean_words(one) > _MAX_MEAN_WORDS else 0.0),
            )
        )
    first = sorted(by_words, key=lambda one: -one.score)[:_MAX_COMPARED]
    if not first:
        return None
    cosines = task.similarities([one.about[:_MAX_CHARACTERS] for one in first])
    scored = [
        replace(one, score=one.score + 0.5 * cosine)
        for one, cosine in zip(first, cosines, strict=True)
    ]
    return max(scored, key=lambda one: one.score)


def _mean_words(one: _List) -> float:
    return sum(len(s.text.split()) for s in one.items) / len(one.items) if one.items else 0.0


def _count_asked(question: str) -> int:
    """Return how many items the question says there are ("all ten"); 0 when it does not."""
    match = _COUNT.search(question)
    if match is None:
        return 0
    word = match.group(1).casefold()
    return _COUNTS.get(word) or int(word)


def _lists(task: AnswerTask, reader: SectionReader) -> Iterator[_List]:
    seen: set[tuple[str, tuple[str, ...]]] = set()
    tables: set[tuple[str, int]] = set()
    for item in task.usable[:_N_EVIDENCE]:
        segment = item.segment
        if segment.kind is SegmentKind.TABLE and segment.element is not None:
            key = (segment.document_id, segment.element.index)
            if key not in tables:
                tables.add(key)
                yield from _columns(task, reader, item)
        section = reader.section_of(segment)
        place = (segment.document_id, segment.metadata.section_path)
        if section is not None and place not in seen:
            seen.add(place)
            yield from _of_section(reader, item, section)


def _of_section(reader: SectionReader, item: Evidence, section: Section) -> Iterator[_List]:
    """Yield the bullet lists of a section and what its sentences enumerate."""
    passages = reader.passages(item.segment.document_id, section)
    for one in step_lists(passages):
        if one.lead is not None and _NOTES.match(one.lead.text):
            continue
        yield _bullets(reader, item, section, one)
    for passage in passages if not item.segment.boilerplate else ():
        if passage.kind is not BlockKind.TEXT:
            continue
        for sentence in split_sentences(passage.text):
            if found := _enumerated(reader, item, section, passage, sentence):
                yield found


def _bullets(reader: SectionReader, item: Evidence, section: Section, one: StepList) -> _List:
    lead = None
    if one.lead is not None and (run := reader.whole_run(one.lead)):
        lead = _quoted(split_sentences(one.lead.text)[-1], one.lead.evidence, run)
        last = reader.run(one.lead, lead.text)
        lead = replace(lead, runs=(last,)) if last else lead
    items = []
    for step in one.steps:
        run = reader.run(step.passage, step.text)
        if run:
            items.append(_bullet(step.text, step.passage.evidence, run))
    about = " ".join((section.title, lead.text if lead is not None else ""))
    return _List(about, item, lead if lead and lead.text.endswith(":") else None, tuple(items))


def _enumerated(
    reader: SectionReader, item: Evidence, section: Section, passage: Passage, sentence: str
) -> _List | None:
    found = enumeration_in(sentence)
    bits = bit_names_in(sentence)
    parts = found.items if found is not None else bits
    if len(parts) < _MIN_ITEMS:
        return None
    runs = reader.runs_within(passage, sentence, parts)
    items = [
        _bullet(part, passage.evidence, run) for part, run in zip(parts, runs, strict=True) if run
    ]
    if len(items) < len(parts):
        return None
    lead = None
    if found is not None and (run := reader.runs_within(passage, sentence, [found.lead])[0]):
        lead = _quoted(f"{found.lead}:", passage.evidence, run)
    named = "bit names of a register" if bits and found is None else sentence
    before = _sentence_before(passage, sentence) if bits else ""
    return _List(f"{section.title} {before} {named}", item, lead, tuple(items))


def _sentence_before(passage: Passage, sentence: str) -> str:
    return passage.text.split(sentence, 1)[0][-200:]


def _quoted(text: str, evidence: Evidence, run: tuple[PlacedWord, ...]) -> Statement:
    return Statement(text, evidence, (run,), (), 1.0, 1.0)


def _bullet(text: str, evidence: Evidence, run: tuple[PlacedWord, ...]) -> Statement:
    return replace(_quoted(text, evidence, run), item=ItemKind.BULLET)


def _columns(task: AnswerTask, reader: SectionReader, item: Evidence) -> Iterator[_List]:
    """Yield the column of a table that the question asks for, of the rows that it asks for."""
    table = task.source.table(item.segment)
    if table is None:
        return
    grid = table.grid()
    headers = read_columns(table).headers
    column = _column_asked(task, table, headers)
    if column is None:
        return
    rows = [
        index
        for index in range(table.n_header_rows, table.n_rows)
        if (cell := grid[index][column]) is not None and cell.text and cell.row == index
    ]
    kept = _rows_asked(task, grid, rows, column)
    segments = [
        s
        for s in reader.segments_of(item.segment.document_id)
        if s.kind is SegmentKind.TABLE
        and s.element is not None
        and item.segment.element is not None
        and s.element.index == item.segment.element.index
    ]
    statements = []
    said: set[str] = set()
    for index in kept:
        cell = grid[index][column]
        segment = next(
            (
                s
                for s in segments
                if s.element and _holds(s.element.first_row, s.element.n_rows, index)
            ),
            item.segment,
        )
        words = task.source.words(segment)
        run = tuple(cell_words(cell, words)) if cell is not None else ()
        if cell is not None and run and cell.text not in said:
            said.add(cell.text)
            statement = _bullet(cell.text, reader.evidence_of(segment), run)
            statements.append(replace(statement, cells=((cell.row, cell.column),)))
    if len(statements) < _MIN_ITEMS:
        return
    path = " ".join(item.segment.metadata.section_path[-1:])
    about = f"{path} {table.caption} {' '.join(headers)}"
    if len(kept) < len(rows):
        about = f"{about} {' '.join(_texts(grid[kept[0]]))}"
    drafts = row_tables(statements, task.source)
    draft = replace(drafts[0], use=TableUse.LIST) if len(drafts) == 1 else None
    yield _List(about, item, None, tuple(statements), draft)


def _holds(first_row: int, n_rows: int, row: int) -> bool:
    return first_row <= row < first_row + n_rows


def _column_asked(task: AnswerTask, table: Table, headers: Sequence[str]) -> int | None:
    """Return the column whose header is asked for; the names when the table is asked for."""
    question = task.query.text
    # A part number heads many a column, and "16 PINS" is a package.
    asked = set(task.terms.weights)
    headers = [_PACKAGE_SIZE.sub(" ", header) for header in headers]
    if _CODES.search(question):
        return next((i for i, header in enumerate(headers) if _CODE_HEADER.search(header)), None)
    shared = [(sum(t in asked for t in terms_of(header)), -i) for i, header in enumerate(headers)]
    most = max((n for n, _i in shared), default=0)
    if most:
        equal = [-i for n, i in shared if n == most]
        return next((i for i in equal if _NAME_HEADER.search(headers[i])), equal[0])
    caption = set(terms_of(f"{table.label} {table.caption}"))
    if asked & caption:
        named = (i for i, header in enumerate(headers) if _NAME_HEADER.search(header))
        return next(named, 0)
    return None


def _rows_asked(
    task: AnswerTask,
    grid: Sequence[Sequence[TableCell | None]],
    rows: Sequence[int],
    column: int,
) -> list[int]:
    """Keep the rows whose other cells have the numbers, else the words, that the question names."""
    others = {
        row: " | ".join(c.text for i, c in enumerate(grid[row]) if c is not None and i != column)
        for row in rows
    }
    numbers = {n.lstrip("+") for n in _NUMBER.findall(_without_codes(task))}
    if numbers:
        kept = [
            row for row in rows if numbers <= {n.lstrip("+") for n in _NUMBER.findall(others[row])}
        ]
        if kept:
            return kept
    words = set(task.terms.weights)
    telling = [
        word
        for word in words
        if 0 < sum(word in set(terms_of(text)) for text in others.values()) < len(rows)
    ]
    kept = [row for row in rows if telling and set(telling) <= set(terms_of(others[row]))]
    return kept or list(rows)


def _without_codes(task: AnswerTask) -> str:
    text = task.query.text
    match = _COUNT.search(text)
    return text if match is None else text[: match.start()] + text[match.end() :]


def _texts(cells: Sequence[TableCell | None]) -> list[str]:
    return [cell.text for cell in cells if cell is not None]
