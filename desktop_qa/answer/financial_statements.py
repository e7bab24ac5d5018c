"""The statements of an annual report, found by what their rows name, and the items in them.

A balance sheet is the table that names more of the items of balance sheets than any other of its
document: however it is titled, and whatever the search finds for one of its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice

from desktop_qa.answer.amounts import without_footnote
from desktop_qa.answer.cells import RowQuestion, row_statements
from desktop_qa.answer.figures import FigureReader, periods_in
from desktop_qa.answer.laws import (
    BALANCE_SHEET,
    Item,
    item_in,
    item_of,
    metric_in,
    statements,
)
from desktop_qa.answer.measures import reckoned
from desktop_qa.answer.operands import Reading, cell_readings
from desktop_qa.answer.ranking import title_terms
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.periods import length_said, quarter_numbers, without_periods
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import DocumentId, Table
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.places import by_element
from desktop_qa.retrieve.reports import reports_of

_LEAST_ITEMS, _LEAST_SHARE = 2, 0.5
"""Items that a table names which is a statement, and their share of those of the best: a balance
sheet may be two tables, and notes repeat some of its rows."""

_MAX_DOCUMENTS = 6
_MAX_VALUES = 8
_MAX_TABLES = 8
_PARTS = frozenset(terms_of("segment business division unit"))
"""What parts of a company are; that a name says so tells it from no other."""

_LEAST_OF_NAME = 2 / 3
"""Share of a name's words that the question says of a part."""

_LEAST_SAID, _LEAST_BEST = 0.8, 0.4
"""Of the words of an item, as share of those that the best row says, and of all."""

_ALIKE, _AS_ALIKE = 0.7, 0.05
"""Cosine of a row's name and an item's below which it is another item, and how much less than the
likest row others may have."""

_SHORT = re.compile(r"\b[A-Z][A-Z&]+\b")
"""A name in the letters that its words begin with."""

_AT_BEGIN = re.compile(r"\bbeginning\b|\bat start\b", re.IGNORECASE)

_LATER_NAME = 0.1
"""In log odds, what a row loses for each name of the item that goes before its own."""


def item_statements(task: AnswerTask) -> list[Statement]:
    """Return the rows of the item and the years that a question names, wherever it was found.

    What else the question says ("please use the balance sheet and answer in millions") may lead
    the search to other places. Each goes by the name that the question uses: its own may share no
    word with it ("Purchases of property, plant and equipment" are the capital expenditures).
    """
    item, periods = item_in(task.query.text), periods_in(task.query.text)
    if not (item.statement and periods and task.query.named_documents):
        return []
    read, name = Statements(task, periods), item.names[0]
    found = []
    for reading in (one for period in periods for one in read.readings(item, period) or []):
        own = reading.statement
        assert own is not None
        terms = own.terms.union(terms_of(name))
        place = terms_of(own.evidence.segment.metadata.context_line())
        found.append(
            replace(
                own,
                terms=terms,
                coverage=task.terms.coverage(terms.union(place)),
                about=f"{name}, {own.about}",
                group=", ".join(filter(None, (name, own.group))),
            )
        )
    return found


def row_readings(task: AnswerTask) -> list[Reading]:
    """Return the values of the row that is called as a question calls its subject.

    It is an item of its own, or an item of a part of the company.
    """
    periods = periods_in(task.query.text)
    if not (periods and task.query.named_documents):
        return []
    item, statements = item_of(FigureReader(task).subject), Statements(task, periods)
    if not item.names or item.statement:
        return []
    of_part = statements.of_part(item, "")
    if of_part is item:
        return [one for period in periods for one in statements.row(item, period)]
    # A value alone must be under all the words: those of two parts are not those of one.
    words, found = set(terms_of(item.names[0])), []
    for period in periods:
        rows = statements.rows(of_part, period)
        whole = [r for r in rows if words <= _title(r).union(terms_of(" ".join(r.called)))]
        found += of_item(task, of_part, whole)
    return found


class Statements:
    """The statements of the reports that a question means; each report is looked through once."""

    def __init__(self, task: AnswerTask, periods: Sequence[str]) -> None:
        """Find the reports: that of the last year which is asked for goes before the others."""
        self._task = task
        last = max(period[-4:] for period in periods)
        self._reports = [_Report(task, one) for one in _meant(task, last)]

    def readings(self, item: Item, period: str) -> list[Reading] | None:
        """Read an item of a known statement.

        Args:
            item: Its rows are sought by its names.
            period: A year, "Q2 2023" or "" for any.

        Returns:
            Its values in the first table that has it: its statement before tables that repeat some
            of its rows. Empty where none has it, `None` where there is no such statement.
        """
        is_there = False
        for rows in self._tables(item, period, (item.statement,) if item.statement else ()):
            is_there = True
            if kept := of_item(self._task, item, rows, may_say_more=True):
                return kept
        return [] if is_there else None

    def row(self, item: Item, period: str) -> list[Reading]:
        """Return the values of rows called as an item is, in the first table of any statement."""
        tables = self._tables(item, period, statements())
        own = next(filter(None, (_exact(rows, item) for rows in tables)), [])
        return own[:_MAX_VALUES]

    def of_part(self, item: Item, part: str) -> Item:
        """Return an item of a part of the company, where a row, a head or a title names the part.

        Args:
            item: One that the file does not know may name the part itself.
            part: As the question says it, "" for none.
        """
        if not item.statement and (known := item_in(item.names[0])).names:
            part = " ".join(item.names[0].replace(known.names[0], " ").split())
        else:
            known = item
        own = frozenset(terms_of(part)) - _PARTS
        if not own or not any(report.names_part(own) for report in self._reports):
            return item
        return Item(tuple(f"{part} {name}" for name in known.names))

    def rows(self, item: Item, period: str) -> list[Reading]:
        """Return the values of a period, in any table, whose names say most of an item's words.

        A segment may be a row, a column or a table of its own.
        """
        terms = QuestionTerms({t: self._task.idf(t) for t in terms_of(item.names[0])})
        found = [
            (terms.coverage(terms_of(" ".join(reading.called))), reading)
            for report in self._of(period)
            for index in report.tables_with(terms)
            for reading in self._values_of(report, index, item, period)
        ]
        best = max((said for said, _reading in found), default=0.0)
        likest = [r for said, r in found if said >= _LEAST_SAID * best >= _LEAST_BEST]
        return likest or _exact([r for _said, r in found], item)

    def reports_of(self, period: str) -> tuple[DocumentId, ...] | None:
        """Return the reports of a quarter; `None` for another period, which several may print."""
        if not quarter_numbers(period):
            return None
        return reports_of(period, [one.id for one in self._reports], self._task.source.quarter_of)

    def as_headed(self, period: str, document_id: DocumentId) -> str:
        """Write a quarter by the year that heads its column in its report."""
        quarter = self._task.source.quarter_of(document_id) if quarter_numbers(period) else None
        if quarter is None:
            return period
        return f"{period[:-4]}{int(period[-4:]) + quarter.ends - quarter.year}"

    def _of(self, period: str) -> list[_Report]:
        own = self.reports_of(period)
        return [one for one in self._reports if own is None or one.id in own]

    def _tables(self, item: Item, period: str, titles: Iterable[str]) -> Iterator[list[Reading]]:
        """Yield the values of each table that may be one of some statements, one of each row."""
        for report in self._of(period):
            for index in dict.fromkeys(i for title in titles for i in report.statements[title]):
                yield self._values_of(report, index, item, period)

    def _values_of(self, report: _Report, index: int, item: Item, period: str) -> list[Reading]:
        """Return the first value of a period of each row of a table."""
        said = f"{length_said(self._task.query.text)} {self.as_headed(period, report.id)}"
        # A column may bear any name of the item.
        words = {*terms_of(" ".join(item.names)), *self._task.terms.weights}
        terms = QuestionTerms({term: self._task.idf(term) for term in words})
        asked = RowQuestion(f"{item.names[0]} {said}", terms)
        is_share = metric_in(asked.text) is not None
        found: list[Reading] = []
        for part in report.parts[index]:
            evidence = Evidence(0, part, report.score, ())
            for statement in row_statements(asked, evidence, self._task.source):
                readings = (
                    reading
                    for reading in cell_readings(self._task, statement, asked.text)
                    if reading.is_as_asked and (reading.measure.unit != "percent" or is_share)
                )
                found += islice(readings, 1)
        return found


class _Report:
    """The tables of a report, by their places in it, and what their rows name.

    Attributes:
        id: Of its document.
        score: Of the best of its segments that were found.
    """

    def __init__(self, task: AnswerTask, document_id: DocumentId) -> None:
        own = (e.score for e in task.usable if e.segment.document_id == document_id)
        self.score = max(own, default=0.0)
        self._task, self.id = task, document_id

    @cached_property
    def parts(self) -> dict[int, list[Segment]]:
        """The segments of each table."""
        return by_element(self._task.source.segments_of(self.id), SegmentKind.TABLE)

    @cached_property
    def _tables(self) -> dict[int, Table]:
        found = ((index, self._task.source.table(own[0])) for index, own in self.parts.items())
        return {index: table for index, table in found if table is not None}

    @cached_property
    def _named(self) -> dict[int, set[frozenset[str]]]:
        return {index: _row_names(table) for index, table in self._tables.items()}

    @cached_property
    def _scaled(self) -> set[int]:
        """Tables of amounts that are counted in thousands or more."""
        return {n for n, table in self._tables.items() if any(c.scale > 1 for c in table.cells)}

    @cached_property
    def _words(self) -> dict[int, frozenset[str]]:
        texts = {
            index: " ".join(f"{part.metadata.context_line()} {part.text}" for part in parts)
            for index, parts in self.parts.items()
        }
        return {index: frozenset(terms_of(text)) for index, text in texts.items()}

    @cached_property
    def _names(self) -> set[frozenset[str]]:
        """What rows, heads and titles are called, without what the report and all parts are."""
        texts: set[str] = set()
        own = set(_PARTS)
        for index, table in self._tables.items():
            segment = self.parts[index][0]
            own |= title_terms(Evidence(0, segment, 0.0, ()))
            texts.update((segment.metadata.caption, *segment.metadata.section_path[-1:]))
            texts.update(cell.text for cell in table.cells if cell.is_header)
        heads = {frozenset(terms_of(without_periods(text))) for text in texts}
        return {name - own for name in heads.union(*self._named.values())}

    @cached_property
    def statements(self) -> dict[str, list[int]]:
        """The tables that may be each statement by its title, those with most items first."""
        # A table of the discussion may repeat all of a statement; statements stand side by side.
        sheet = max(self._named, key=lambda one: self._n_items(one, BALANCE_SHEET), default=0)
        found = {}
        for title in statements():
            counted = {index: self._n_items(index, title) for index in self._named}
            least = max(_LEAST_ITEMS, _LEAST_SHARE * max(counted.values(), default=0))
            # The shares of all rows in the first may stand in the same rows: amounts have a scale.
            order = {i: (-n, i not in self._scaled, abs(i - sheet)) for i, n in counted.items()}
            found[title] = sorted((i for i in order if counted[i] >= least), key=order.__getitem__)
        return found

    def tables_with(self, terms: QuestionTerms) -> list[int]:
        """Return the tables that say most of some words, statements first."""
        said = {index: terms.coverage(words) for index, words in self._words.items()}
        likest = sorted(said, key=lambda index: -said[index])[:_MAX_TABLES]
        known = list(dict.fromkeys(chain.from_iterable(self.statements.values())))
        chosen = {*likest, *(index for own in self.statements.values() for index in own[:1])}
        return [*(n for n in known if n in chosen), *(n for n in likest if n not in known)]

    def names_part(self, part: frozenset[str]) -> bool:
        """Tell whether a row, a head or a title is called as a part of the company is."""
        return any(len(one & part) >= _LEAST_OF_NAME * len(one) > 0 for one in self._names)

    def _n_items(self, index: int, title: str) -> int:
        rows, items = self._named[index], statements()[title]
        return sum(any(name <= row for name in names for row in rows) for names in items)


def of_item(
    task: AnswerTask, item: Item, found: Sequence[Reading], *, may_say_more: bool = False
) -> list[Reading]:
    """Keep the values whose rows are called as an item is; what is paid is positive.

    Args:
        task: Compares names by meaning.
        item: With its names; of those of the file the first go before the later.
        found: Values of rows.
        may_say_more: Else the row that says least beside a name of it: "depreciation and
            amortization of property and equipment".
    """
    # A sentence has no name that could be compared.
    found = [r for r in found if r.called and not _is_another(r, item)]
    own = _exact(found, item) or _alike(task, found, item)
    own = own or (_fullest(found, item) if may_say_more else [])
    if item.is_outflow:
        own = [replace(r, measure=reckoned(abs, r.measure)) for r in own]
    return own[:_MAX_VALUES]


def _is_another(reading: Reading, item: Item) -> bool:
    """Tell whether a row is another item by the file, or of another time: "beginning of year"."""
    if _AT_BEGIN.search(reading.name) and not _AT_BEGIN.search(item.names[0]):
        return True
    called, own = item_of(_called(reading)[0]), set(terms_of(item.names[0]))
    is_said = any(own.issuperset(terms_of(name)) for name in called.names[1:])
    return bool(called.statement) and not is_said and set(called.names[1:]).isdisjoint(item.names)


def _exact(found: Sequence[Reading], item: Item) -> list[Reading]:
    """Return the values of rows that are called so: of total revenues and net sales the total.

    One is also called by the letters that its words begin with: R&D, SG&A.
    """
    names = [_words_in(name) for name in item.names]
    short = [_SHORT.findall(name) for name in item.names[:1]]
    letters = {"".join(re.findall(r"[A-Z]", one)).casefold() for own in short for one in own}
    own = []
    for reading in found:
        called = [_words_in(name) for name in _called(reading)]
        places = [names.index(words) for words in called if words in names]
        places += [0 for name in _called(reading) if letters & _initials(name)]
        if places:
            odds = reading.odds - _LATER_NAME * min(places)
            own.append(replace(reading, odds=odds, named=1.0))
    return own


def _alike(task: AnswerTask, found: Sequence[Reading], item: Item) -> list[Reading]:
    """Return the values of the rows that mean the same: "cost of products sold" is COGS."""
    called = [_called(reading) for reading in found]
    texts = list(dict.fromkeys(name for own in called for name in own))
    if not texts:
        return []
    vectors = task.meaning.vectors([*texts, *item.names])
    cosines = (vectors[: len(texts)] @ vectors[len(texts) :].T).max(axis=1)
    of_text = dict(zip(texts, map(float, cosines), strict=True))
    likest = [max(own, key=of_text.__getitem__) for own in called]
    least = max(_ALIKE, max(of_text[name] for name in likest) - _AS_ALIKE)
    return [
        replace(r, named=one, odds=r.odds + one, name=r.name.replace(r.called[0], name, 1))
        for r, name in zip(found, likest, strict=True)
        if (one := of_text[name]) >= least
    ]


def _fullest(found: Sequence[Reading], item: Item) -> list[Reading]:
    """Return the value of the row that holds a name of the item and says least beside it."""
    names = [set(terms_of(name)) for name in item.names]
    told = [
        (len(name) / len(row), -n)
        for n, row in enumerate(set(terms_of(reading.called[0])) for reading in found)
        for name in names
        if len(name) > 1 and name <= row
    ]
    share, n = max(told, default=(0.0, 0))
    return [replace(found[-n], named=share)] if told else []


def _called(reading: Reading) -> list[str]:
    """Return what a row is called without its company: "net earnings attributable to"."""
    title = _title(reading)
    plain = (
        " ".join(w for w in name.split() if not (own := set(terms_of(w))) or not own <= title)
        for name in reading.called
    )
    return [short or name for short, name in zip(plain, reading.called, strict=True)]


def _title(reading: Reading) -> frozenset[str]:
    """Return the terms of the title and the maker of a value's document."""
    assert reading.statement is not None
    return title_terms(reading.statement.evidence)


def _initials(name: str) -> set[str]:
    """Return the first letters of a name's words: with small words or without, and the last or not.

    SG&A are "selling, general and administrative expenses".
    """
    words = re.findall(r"[a-z]+", name.casefold())
    spelled = ["".join(w[0] for w in own) for own in (words, [w for w in words if terms_of(w)])]
    return {*spelled, *(letters[:-1] for letters in spelled)}


def _words_in(name: str) -> frozenset[str]:
    """Return all words of a name, "other" and "total" among them, whatever their number."""
    words = re.findall(r"[a-z]+", name.casefold())
    return frozenset(word.rstrip("s") for word in words if word != "and")  # "&" is no word


def _meant(task: AnswerTask, year: str) -> list[DocumentId]:
    """Return the reports that a question means, those first whose title says the year."""
    query = task.query
    found = (evidence.segment.document_id for evidence in task.usable)
    meant = dict.fromkeys(query.named_documents or found)

    def is_of_year(document_id: DocumentId) -> bool:
        segments = task.source.segments_of(document_id)
        return bool(year) and any(year in s.metadata.document_title for s in segments[:1])

    return sorted(meant, key=lambda one: not is_of_year(one))[:_MAX_DOCUMENTS]


def _row_names(table: Table) -> set[frozenset[str]]:
    texts = (without_footnote(cell.text) for cell in table.cells if cell.column == 0)
    return {frozenset(terms_of(text)) for text in texts}
