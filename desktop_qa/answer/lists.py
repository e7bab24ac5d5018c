"""Whole lists: the bullets of a section, where they are likelier to be meant than any statement.

A list is a statement that rests on its items; the one that ranks first is given whole. What a
sentence enumerates and what rows of a table say is quoted like any other statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from desktop_qa.answer.exact import exact_unless
from desktop_qa.answer.passages import SectionReader
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import ItemKind, Statement
from desktop_qa.answer.steps import step_lists
from desktop_qa.augment.cascade import Section
from desktop_qa.augment.quantities import find_values
from desktop_qa.core.answer import Evidence, QuestionType
from desktop_qa.index.lexical import terms_of

_MAX_ITEMS = 60


def list_reply(task: AnswerTask) -> Reply | None:
    """Give a whole list; `None` where none is asked for or found, or a statement is likelier."""
    if task.query.type != QuestionType.EXTRACTION:
        return None
    reader = SectionReader(task.source, task.evidence)
    lists = (one for place in reader.found(task.usable) for one in _lists(task, reader, *place))
    order = ranked(task, [one for one in lists if one.rests_on])
    if not order or exact_unless(task, order[0]) is None:
        return None
    best = order[0]
    items = tuple(replace(item, odds=best.odds) for item in best.rests_on[:_MAX_ITEMS])
    lead = f"{len(best.rests_on)} found."
    if len(items) < len(best.rests_on):
        lead = f"{lead} The first {len(items)} of them:"
    return Reply(lead, items)


def _lists(
    task: AnswerTask, reader: SectionReader, item: Evidence, section: Section
) -> Iterator[Statement]:
    """Yield the lists of a section, each ranked by its heading, what leads it and its items."""
    for one in step_lists(reader.passages(item.segment.document_id, section)):
        lead = one.lead.text if one.lead is not None else ""
        items = tuple(
            Statement(s.text, s.passage.evidence, (run,), (), 1.0, 1.0, item=ItemKind.BULLET)
            for s in one.steps
            if (run := reader.run(s.passage, s.text))
        )
        words = " ".join((section.title, lead, *(said.text for said in items)))
        terms = frozenset(terms_of(words))
        yield Statement(
            "", item, (), (), task.terms.coverage(terms), 0.0, rests_on=items,
            about=f"{section.title} {lead}", terms=terms, values=frozenset(find_values(words)),
        )  # fmt: skip
