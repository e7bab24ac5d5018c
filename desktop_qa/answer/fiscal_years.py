"""Fiscal years of a question, as the heads of the reports that it means count them.

The first quarter of fiscal 2024 may end in April 2023, and the fourth of fiscal 2022 in January
2023: the columns of both reports say 2023. Which year a report calls its own, it says itself.
"""

from __future__ import annotations

import re
from dataclasses import replace

from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.augment.periods import BARE_YEAR, is_part_of_year, length_of, plain_periods
from desktop_qa.augment.quantities import values_in_question
from desktop_qa.core.answer import Query
from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentKind

_FISCAL = re.compile(
    r"\b(?P<said>fiscal\s(?:years?\s)?|FY[\s\-]?)['’]?(?P<year>(?:20)?\d\d)(?!\w)", re.IGNORECASE
)
_MAX_DOCUMENTS = 6


def in_years_of_heads(query: Query, source: StoredEvidence) -> Query:
    """Write the fiscal years of a question as all reports meant print them."""
    documents = query.named_documents[:_MAX_DOCUMENTS]
    if not (documents and _FISCAL.search(query.text)):
        return query
    is_part = is_part_of_year(query.text)
    known = (_n_behind(one, source, is_part=is_part) for one in documents)
    behind = {n for n in known if n is not None}
    if len(behind) != 1 or behind == {0}:
        return query
    (n,) = behind
    text = _FISCAL.sub(lambda m: f"{m['said']}{int(m['year']) % 100 + 2000 + n}", query.text)
    return replace(query, text=text, values=values_in_question(text))


def _n_behind(document_id: DocumentId, source: StoredEvidence, *, is_part: bool) -> int | None:
    """Return by how many years a fiscal year is behind the end of the period reported.

    Args:
        document_id: Of the report.
        source: Has its tables.
        is_part: The period is part of a year. One of a whole year ends in the year it is named by,
            or in the next.

    Returns:
        -1 to 1; `None` for a document without such periods or fiscal years.
    """
    segments = source.segments_of(document_id)
    tables = [source.table(s) for s in segments if s.kind is SegmentKind.TABLE]
    ends = [
        int(year)
        for table in tables
        if table is not None
        for head in read_columns(table).headers
        if length_of(head) and is_part_of_year(head) == is_part and not _FISCAL.search(head)
        for year in BARE_YEAR.findall(plain_periods(head))
    ]
    reported, end = source.quarter_of(document_id), max(ends, default=0)
    if reported is None or not (-1 if is_part else 0) <= end - reported[1] <= 1:
        return None
    return end - reported[1]
