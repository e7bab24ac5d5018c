"""The keys of a segment in the keyword index: critical keywords, values, marks."""

from __future__ import annotations

from desktop_qa.augment.keywords import find_keywords
from desktop_qa.augment.quantities import VALUE_PREFIX, find_values
from desktop_qa.augment.table_values import table_values
from desktop_qa.augment.value_kinds import marks_of
from desktop_qa.core.document import Document
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.core.stages import Stage, attempt


def index_keys(segment: Segment, document: Document | None = None) -> tuple[str, ...]:
    """Return the keys that a segment is found by beside its words, sorted, each once.

    Args:
        segment: Of the document.
        document: Its tables tell the unit of a number that stands in a cell of its own;
            without them only values written in one piece are found.
    """
    text = segment.lexical_text
    page_no = next(iter(segment.metadata.page_nos), 0)
    values = set(attempt(Stage.QUANTITIES, page_no, (), find_values, text))
    element = segment.element
    if segment.kind is SegmentKind.TABLE and element is not None and document is not None:
        table = document.tables[element.index]
        rows = element.first_row, element.n_rows
        values |= attempt(Stage.QUANTITIES, page_no, frozenset(), table_values, table, *rows)
    marked = (VALUE_PREFIX + value for value in values)
    keywords = attempt(Stage.KEYWORDS, page_no, (), find_keywords, text)
    marks = attempt(Stage.KEYWORDS, page_no, (), marks_of, segment)
    return tuple(sorted({*keywords, *marked, *marks}))
