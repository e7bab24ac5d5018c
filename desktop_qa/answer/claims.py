"""What choices, judgements and gaps have in common: a text held against ranked statements.

An option, a claim and a sentence with gaps are asked of the statements that exact answers are made
of, in the order of `answer.ranking`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.candidates import candidates
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.measures import Measure, measures_in
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.augment.table_values import head_unit
from desktop_qa.core.document import ColumnRole
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in

_NO = re.compile(r"(?:no|n|n/?a|[-–—✗✘×]|not\s+\w+|none|disabled|off)\W*", re.IGNORECASE)
_YES = re.compile(r"(?:yes|y|[✓✔√x•●]|available|allowed|ok)(?!\w)\W*", re.IGNORECASE)
_STATE = re.compile(
    r"\b(?:off|on|yes|no|enabled|disabled|high|low|active|inactive|open|closed|read[-_]only|set"
    r"|cleared|supported|required|optional)\b",
    re.IGNORECASE,
)
_STATED = re.compile(r"([^;:*]*?(?:\b(min|typ|max)\s+)?)\*\*(.*?)\*\*")


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value that a statement gives.

    Attributes:
        bound: MIN, TYP or MAX of a row's column, or of the words before it; `None` for another.
    """

    measure: Measure
    bound: ColumnRole | None = None
    in_range: bool = False


def claim_terms(task: AnswerTask, claim: str) -> QuestionTerms:
    """Return the words of a claim that a statement should carry."""
    said = set(terms_of(claim))
    return QuestionTerms({t: w for t, w in task.terms.weights.items() if t in said})


def statements_for(task: AnswerTask, text: str) -> list[Statement]:
    """Rank what the evidence states as if `text` had been asked, best first."""
    query = replace(task.query, text=text, reformulated="")
    asked = replace(task, query=query, terms=claim_terms(task, text))
    return ranked(asked, candidates(asked, task.usable))


def resting_on(
    text: str, cited: Sequence[Statement], score: float = 1.0, equation: tuple[str, ...] = ()
) -> Statement:
    """Say in own words what statements bear out, or what was computed of them."""
    coverage = max(s.coverage for s in cited)
    return Statement(
        text, cited[0].evidence, (), (), coverage, score, rests_on=tuple(cited), equation=equation
    )


def stated_values(statement: Statement) -> list[StatedValue]:
    """Return the values of a statement: of a row those under its columns, in their order."""
    pieces: list[tuple[str, ColumnRole | None]] = [(statement.text, None)]
    if statement.cells:
        pieces.clear()
        for head, bound, cell in _STATED.findall(statement.text):
            text = cell if measures_in(cell) else f"{cell} {head_unit(head.strip())}"
            pieces.append((text, ColumnRole(bound) if bound else None))
    found = []
    for text, role in pieces:
        plain = plain_quantities(text)
        for at in measures_in(text):
            near = limits_in(plain[max(0, at.start - 30) : at.start])
            found.append(StatedValue(at.measure, role or next(iter(near), None), at.in_range))
    return found


def subject_share(terms: QuestionTerms, statement: Statement) -> float:
    """Return the share of a claim's words that a statement carries, those of its place by half.

    Its numbers are what is claimed, not what of.
    """
    words = {t: w for t, w in terms.weights.items() if t[:1].isalpha()} or terms.weights
    own = QuestionTerms(words).coverage(statement.terms or terms_of(statement.text))
    return (own + statement.coverage) / 2


def cells_of(task: AnswerTask, statement: Statement) -> list[tuple[str, str]]:
    """Return the header and the text of each cell of a statement's row; empty for prose."""
    table = task.source.table(statement.evidence.segment) if statement.cells else None
    if table is None:
        return []
    # A name that spans several rows stands in the first of them; the value is in its own.
    row = table.grid()[max(row for row, _column in statement.cells)]
    headers = read_columns(table).headers
    texts = ["" if cell is None else " ".join(cell.text.split()) for cell in row]
    return list(zip(headers, texts, strict=True))


def by_state(claim: str, cells: Sequence[tuple[str, str]]) -> bool | None:
    """Tell whether the cells that a claim names hold its states; `None` when it names none.

    What it says behind "while" is of another column: "the gyro is off while the accelerometer still
    delivers data". A column that it gives no state must not say no.
    """
    met = []
    decides = False
    for clause in re.split(r"\b(?:while|still|but|yet)\b", claim):
        said = re.findall(r"[a-z]{3,}", clause.casefold())
        named = []
        for header, text in cells:
            words = re.findall(r"[a-z]{3,}", header.casefold())
            n_said = sum(any(one.startswith(word) for one in said) for word in words)
            is_state = any(one.fullmatch(text.strip(" .")) for one in (_YES, _NO, _STATE))
            named += [(is_state, n_said, text.strip(" ."))] if n_said else []
        if named:
            state = _STATE.search(clause)
            is_state, _n_said, text = max(named, key=lambda one: one[:2])
            decides |= is_state
            met.append(text.casefold() == state[0].casefold() if state else not _NO.fullmatch(text))
    return all(met) if decides else None
