"""Fiscal years of a question, as the heads of the reports that it means count them.

The first quarter of fiscal 2024 may end in April 2023, and the fourth of fiscal 2022 in January
2023: the columns of both reports say 2023. Which year a report calls its own, it says itself.
"""

from __future__ import annotations

import re
from dataclasses import replace

from desktop_qa.answer.source import StoredEvidence
from desktop_qa.augment.periods import is_part_of_year, quarters_asked
from desktop_qa.augment.quantities import values_in_question
from desktop_qa.core.answer import Query
from desktop_qa.retrieve.reports import LAST_QUARTER

_FISCAL = re.compile(
    r"\b(?P<said>fiscal\s(?:years?\s)?|FY[\s\-]?)['’]?(?P<year>(?:20)?\d\d)(?!\w)", re.IGNORECASE
)
_MAX_DOCUMENTS = 6


def in_years_of_heads(query: Query, source: StoredEvidence) -> Query:
    """Write the fiscal years of a question as all reports meant print them.

    Those of several quarters are read in the report of each (see `financial_statements`).
    """
    documents = query.named_documents[:_MAX_DOCUMENTS]
    if not (documents and _FISCAL.search(query.text)) or quarters_asked(query.text)[1:]:
        return query
    is_part = is_part_of_year(query.text)
    reported = [q for one in documents if (q := source.quarter_of(one))]
    # What a year is called does not follow from one of its first three quarters.
    behind = {q.ends - q.year for q in reported if is_part or q.number == LAST_QUARTER}
    if len(behind) != 1 or behind == {0}:
        return query
    (n,) = behind
    text = _FISCAL.sub(lambda m: f"{m['said']}{int(m['year']) % 100 + 2000 + n}", query.text)
    return replace(query, text=text, values=values_in_question(text))
