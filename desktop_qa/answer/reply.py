"""What the ways of answering work on, and what they give back before it is numbered and cited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import AnswerStatus, Evidence, Query
from desktop_qa.core.answer_blocks import Line, Role, Run
from desktop_qa.core.answer_table import AnswerCell, AnswerTable

ALSO = Line((Run("Also close to the question:"),), Role.NOTICE)
"""Stands above statements that may be meant instead of those given first."""


Vectors = Callable[[Sequence[str]], npt.NDArray[np.float32]]


class Meaning(Protocol):
    """Compares texts by what they mean."""

    def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return a vector of length 1 for each text, shape (n_texts, n_dimensions)."""

    def similarities(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return the cosine of each text with a question."""

    def relevances(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return the log odds that each text answers a question."""


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """A question with all that its answer may be made of.

    Attributes:
        evidence: Ranked, best first; all that was found.
        usable: The part of it that speaks of the codes asked for.
        terms: The words an answer must carry.
        best_similarity: Highest cosine of the question and any segment.
        meaning: Compares texts.
        idf: Inverse document frequency of a term in the library.
        search: Finds evidence of another query, of what this question is made of.
    """

    query: Query
    evidence: tuple[Evidence, ...]
    usable: tuple[Evidence, ...]
    terms: QuestionTerms
    source: StoredEvidence
    best_similarity: float
    meaning: Meaning
    idf: Callable[[str], float]
    search: Callable[[Query], Sequence[Evidence]]

    def similarities(self, texts: Sequence[str]) -> Sequence[float]:
        """Return the cosine of each text with the question."""
        return self.meaning.similarities(self.query.reformulated or self.query.text, texts)

    def relevances(self, statements: Sequence[Statement]) -> Sequence[float]:
        """Return the log odds that each statement, read in its place, answers the question."""
        return self.meaning.relevances(self.query.text, list(map(self.in_place, statements)))

    def in_place(self, statement: Statement) -> str:
        """Return what the model of relevance reads of a statement.

        Of a family ("OPAx197") the part that was asked for stands beside the title: what is asked
        of another part has no answer there, as the model has learned.
        """
        text, document_id = statement.in_place, statement.evidence.segment.document_id
        own = (asked.code for asked in self.query.codes if document_id in asked.documents)
        return " | ".join((text, *(code for code in own if code.casefold() not in text.casefold())))


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedCell(AnswerCell):
    """A cell of a table of the answer before its marker and its places are known.

    Attributes:
        statement: That its words were read from.
    """

    statement: Statement


@dataclass(frozen=True, slots=True)
class Reply:
    """What one way of answering gives back.

    Attributes:
        lead: Sentences above the statements that cite nothing themselves; what is stated stands
            between "**", as in statements.
        statements: In the order of the answer.
        also: Statements about something else that may be meant; set apart below the others.
        tables: Their cells are cited as the statements are.
        figures: FIGURE evidence to be shown with the text.
        equation: Sides of the computation that the lead begins with; see `Statement`.
        ranked: All statements that those given were chosen from, best first; empty when they were
            not chosen by their score.
        named: Of what was computed, how surely the inputs are what the question names, 0 to 1;
            `None` for anything else.
        probability: How likely it is right; `None` when it is sure of itself.
        is_sure: True when it needs no further support: it was read from the structure, or says
            itself that something is missing.
    """

    lead: str = ""
    statements: tuple[Statement, ...] = ()
    also: tuple[Statement, ...] = ()
    tables: tuple[AnswerTable, ...] = ()
    figures: tuple[Evidence, ...] = ()
    status: AnswerStatus = AnswerStatus.ANSWERED
    readings: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    verdict: str = ""
    equation: tuple[str, ...] = ()
    ranked: tuple[Statement, ...] = ()
    named: float | None = None
    probability: float | None = None
    is_sure: bool = False
