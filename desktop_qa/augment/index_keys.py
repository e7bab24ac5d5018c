"""The keys of a segment in the keyword index: critical keywords, and marks beside them."""

from __future__ import annotations

from desktop_qa.augment.keywords import find_keywords
from desktop_qa.augment.value_kinds import marks_of
from desktop_qa.core.segment import Segment


def index_keys(segment: Segment) -> tuple[str, ...]:
    """Return the keys that a segment is found by beside its words, sorted, each once."""
    return tuple(sorted({*find_keywords(segment.lexical_text), *marks_of(segment)}))
