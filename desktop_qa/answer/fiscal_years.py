"""Fiscal years of a question, as the heads of the reports that it means count them.

The first quarter of fiscal 2024 may end in April 2023, and the columns of its report then say 2023.
Which of the two years a report calls its own, it says itself: it names it more often.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.reply import LibrarySource
from desktop_qa.augment.periods import BARE_YEAR, is_part_of_year, plain_periods
from desktop_qa.augment.quantities import values_in_question
from desktop_qa.core.answer import Query
from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import SegmentKind

_FISCAL = re.compile(
    r"\b(?P<said>fiscal\s(?:years?\s)?|FY[\s\-]?)['’]?(?P<year>(?:20)?\d\d)(?!\w)", re.IGNORECASE
)
_MAX_DOCUMENTS = 6


def in_years_of_heads(query: Query, source: LibrarySource) -> Query:
    """Write the fiscal years of a question about a part of one as all reports meant print them."""
    documents = query.named_documents[:_MAX_DOCUMENTS]
    if not (documents and _FISCAL.search(query.text) and is_part_of_year(query.text)):
        return query
    ahead = {_n_ahead(one, source) for one in documents} - {None}
    if ahead != {1}:
        return query
    text = _FISCAL.sub(lambda match: f"{match['said']}{_year(match) - 1}", query.text)
    return replace(query, text=text, values=values_in_question(text))


def _n_ahead(document_id: DocumentId, source: LibrarySource) -> int | None:
    """Return by how many years a fiscal year is ahead of the end of the quarter reported.

    Returns:
        0 or 1; `None` for a document without quarters or fiscal years.
    """
    segments = source.segments_of(document_id)
    tables = [source.table(s) for s in segments if s.kind is SegmentKind.TABLE]
    ends = [
        int(year)
        for table in tables
        if table is not None
        for head in read_columns(table).headers
        if is_part_of_year(head) and not _FISCAL.search(head)
        for year in BARE_YEAR.findall(plain_periods(head))
    ]
    named = Counter(_year(match) for s in segments for match in _FISCAL.finditer(s.text))
    last = max(ends, default=0)
    n_same, n_next = named[last], named[last + 1]
    return int(n_next > n_same) if last and n_same + n_next else None


def _year(match: re.Match[str]) -> int:
    return int(match["year"]) % 100 + 2000
