"""Documents that a question names by other than a part number: a file, a short code, a title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from desktop_qa.core.document import DocumentId
from desktop_qa.index.terms import terms_of

_MIN_TITLE_TERMS = 3
_FILE_ENDING = ".pdf"
_AROUND = "\"'“”‘’()[],;:?!"


def files_in(text: str) -> frozenset[str]:
    """Return the names of files in a text, case folded."""
    words = (word.strip(_AROUND).casefold().removesuffix(".") for word in text.split())
    return frozenset(word for word in words if word.endswith(_FILE_ENDING))


def without_files(text: str) -> str:
    """Leave out names of files: "ORT112_RevB.pdf" is one revision, not a part of that name."""
    words = text.split(" ")
    return " ".join(word for word in words if not files_in(word))


def names_code(text: str, codes: Iterable[str]) -> bool:
    """Tell whether one of a document's codes stands in a text as it is printed: "ORB-1"."""
    folded = text.casefold()
    # Looking for the letters first spares a library of thousands as many expressions.
    return any(
        re.search(rf"(?<![\w-]){re.escape(code)}(?![\w-])", text, re.IGNORECASE)
        for code in codes
        if code.casefold() in folded and len(code) > 3 and any(c.isdigit() for c in code)
    )


def named_by_title(text: str, titles: Sequence[tuple[DocumentId, str]]) -> tuple[DocumentId, ...]:
    """Return the document whose title words stand in a text in a row, three or more.

    Args:
        text: A question.
        titles: Of the documents to choose from.

    Returns:
        The one with the most words; none when several have as many.
    """
    asked = terms_of(text)
    n_shared = {document_id: _longest_run(asked, _title_terms(t)) for document_id, t in titles}
    most = max(n_shared.values(), default=0)
    best = tuple(document_id for document_id, n in n_shared.items() if n == most)
    return best if most >= _MIN_TITLE_TERMS and len(best) == 1 else ()


@lru_cache(maxsize=16384)
def _title_terms(title: str) -> frozenset[str]:
    return frozenset(terms_of(title))


def _longest_run(asked: Sequence[str], title: frozenset[str]) -> int:
    longest = run = 0
    for term in asked:
        run = run + 1 if term in title else 0
        longest = max(longest, run)
    return longest
