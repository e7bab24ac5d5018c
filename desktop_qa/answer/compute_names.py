"""The name of a row of a table, and how far a question says it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.answer.columns import TableColumns
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.core.document import ColumnRole, TableCell
from desktop_qa.index.lexical import terms_of

_IN_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_BETWEEN_NAMES = 3
"""Other words that may stand between those of a name."""


def row_name(
    row: Sequence[TableCell | None], columns: TableColumns, question: str, terms: QuestionTerms
) -> tuple[str, float]:
    """Return the row's name without symbols and notes, and the share of it that was asked for."""
    texts = [_text(row[c]) for c in columns.of(ColumnRole.SUBJECT)]
    if not columns.has_bounds:
        others = [_text(row[c]) for c in columns.of(ColumnRole.VALUE)]
        texts += [text for text in others[:1] if len(re.findall(r"[A-Za-z]{3,}", text)) > 1]
    names = list(dict.fromkeys(_IN_BRACKETS.sub("", text).strip() for text in texts))
    words = [n for n in names if " " in n or (n.isalpha() and not n.isupper() and len(n) > 5)]
    name = " ".join(words or names[-1:])
    said = _share_said(name, question, terms)
    return name[:1].lower() + name[1:] if name[1:2].islower() else name, said


def _share_said(name: str, question: str, terms: QuestionTerms) -> float:
    """Return the share of a name's words that a question says; they must stand close together.

    "Output current" is not named by "what output voltage ... if the pin current is neglected".
    """
    own = {term for term in terms_of(name) if term[:1].isalpha() and len(term) > 1}
    asked = terms_of(question)
    said = {term for term in own if term in terms.weights or term in asked}
    if not own:
        return 0.0
    if len(said) > 1:
        places = [[i for i, term in enumerate(asked) if term == one] for one in said]
        reach = len(own) + _BETWEEN_NAMES
        starts = [i for found in places for i in found]
        is_near = any(
            all(any(start <= i <= start + reach for i in found) for found in places if found)
            for start in starts
        )
        if not is_near:
            return 0.6 * len(said) / len(own)
    return len(said) / len(own)


def has_initials(name: str, question: str) -> bool:
    """Tell whether a name shortens words of the question: "HS FET" and "high-side FET"."""
    words = [word for word in re.findall(r"[A-Za-z]+", question) if word]
    initials = "".join(word[0] for word in words).casefold()
    short = re.findall(r"\b[A-Z]{2,4}\b", name)
    return any(s.casefold() in initials and s not in words for s in short)


def _text(cell: TableCell | None) -> str:
    return "" if cell is None else cell.text
