"""How much of a question a piece of text covers, in absolute terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from desktop_qa.augment.codes import codes_in_question
from desktop_qa.augment.periods import plain_periods
from desktop_qa.core.answer import Query
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.structure_refs import strip_structure_refs

_ASKING_WORDS = frozenset(
    terms_of(
        "what which how much many long fast far big high low does value give tell find show list "
        "name typical typically maximum max minimum min most least worst case guaranteed datasheet "
        "data sheet document manual page section table figure please need want know device part "
        "chip ic according state stated specify specified describe explain compare compared "
        "versus vs difference differ each both between"
    )
)
"""Words that say how is asked, not what: they must not count as evidence."""


_LEAST = 0.01
"""Weight of a word that most segments have: in a library of one short sheet all of them do."""

_NO_TERM = "\ufffe"
"""Stands in no document, and has the weight of all that do not."""


_UNIT_WORD = re.compile(
    r"\b(?:nano|micro|milli|kilo|mega|giga|pico)?-?(?:seconds?|volts?|amps?|amperes?|hertz|ohms?"
    r"|watts?|farads?|henr(?:y|ies)|bits? per second|met(?:er|re)s?)\b|\bdecibels?\b|\bpercent\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The words that an answer must carry, with their weights (idf of the library).

    Attributes:
        weights: Term -> idf, >= 0; codes of parts and asking words left out.
        unknown: Those that stand in no document.
    """

    weights: Mapping[str, float]
    unknown: frozenset[str] = frozenset()

    def coverage(self, terms: Iterable[str]) -> float:
        """Return the share of the question's weight found among the terms, 0 to 1."""
        if not self.weights:
            return 0.0
        found = set(terms)
        held = sum(weight for term, weight in self.weights.items() if term in found)
        return held / sum(self.weights.values())


def question_terms(query: Query, idf: Callable[[str], float]) -> QuestionTerms:
    """Weigh the words of a question.

    Args:
        query: The question.
        idf: Inverse document frequency of a term; a term that is in no document has the highest.
    """
    text = plain_periods(strip_structure_refs(query.text))
    for code in codes_in_question(text):
        text = re.sub(re.escape(code), " ", text, flags=re.IGNORECASE)
    # "How many decibels" asks for a unit, which the documents write as "dB".
    text = _UNIT_WORD.sub(" ", text)
    weights = {term: max(idf(term), _LEAST) for term in terms_of(text) if term not in _ASKING_WORDS}
    nowhere = idf(_NO_TERM)
    return QuestionTerms(weights, frozenset(t for t, w in weights.items() if w >= nowhere > 0.0))
