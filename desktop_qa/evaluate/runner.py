"""Run a question bank over a library: rank, answer, and measure each question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.segment import Segment, SegmentId
from desktop_qa.evaluate import answers
from desktop_qa.evaluate.bank import Question, read_bank
from desktop_qa.evaluate.metrics import n_within
from desktop_qa.evaluate.relevance import RelevanceIndex, best_rank
from desktop_qa.evaluate.report import AnswerMeasures, QuestionResult, RankMeasures, Report

CONTEXT_TOKENS = 1500
"""Size of the context that `recall_1500` looks into."""

_REFUSALS = (AnswerStatus.NOT_FOUND, AnswerStatus.WITHHELD)


class EvaluatedLibrary(Protocol):
    """What is measured: a library that ranks all its segments and answers questions."""

    def segments(self) -> Sequence[tuple[Segment, str]]:
        """Every segment with its file, relative to the ingested folder."""

    def rank_all(self, question: str) -> Sequence[SegmentId]:
        """All segments, best first; ties and unscored ones by ordinal."""

    def ask(self, question: str) -> Answer:
        """Answer a question."""


def evaluate_library(
    bank: Path, library: EvaluatedLibrary, on_question: Callable[[int, int], None] | None = None
) -> Report:
    """Read a bank and measure a library with it; see `evaluate_bank`.

    Raises:
        BankError: When the bank cannot be read.
    """
    return evaluate_bank(read_bank(bank), library, on_question)


def evaluate_bank(
    bank: Sequence[Question],
    library: EvaluatedLibrary,
    on_question: Callable[[int, int], None] | None = None,
) -> Report:
    """Measure a library with a question bank.

    Args:
        bank: Questions, negative ones among them.
        library: With all documents of the bank indexed.
        on_question: Told the 1-based number of the question at hand and how many there are.
    """
    segments = library.segments()
    relevance = RelevanceIndex(segments)
    n_tokens = {segment.id: segment.n_tokens for segment, _ in segments}
    results = []
    for number, question in enumerate(bank, start=1):
        if on_question is not None:
            on_question(number, len(bank))
        ranking = None
        if question.evidence:
            ranking = _measure_ranking(question, library, relevance, n_tokens)
        answer = _measure_answer(question, library.ask(question.question))
        results.append(QuestionResult(question, ranking, answer))
    return Report(tuple(results), tuple(n_tokens.values()))


def _measure_ranking(
    question: Question,
    library: EvaluatedLibrary,
    relevance: RelevanceIndex,
    n_tokens: dict[SegmentId, int],
) -> RankMeasures:
    ranking = library.rank_all(question.question)
    relevant = [relevance.relevant(item) for item in question.evidence]
    return RankMeasures(
        ranks=tuple(best_rank(ranking, found) for found in relevant),
        n_unlocated=sum(not found.located for found in relevant),
        n_in_context=n_within([n_tokens[segment_id] for segment_id in ranking], CONTEXT_TOKENS),
    )


def _measure_answer(question: Question, answer: Answer) -> AnswerMeasures:
    refused = answer.status in _REFUSALS
    score = recall = steps = None
    if not question.negative:
        # A refusal may list the nearest sections; their words are no answer.
        text = "" if refused else answer.text
        score = answers.answer_score(question, text)
        recall = None if score is None else float(score == 1.0)
        steps = answers.step_recall(question.steps, text)
    return AnswerMeasures(
        refused=refused,
        score=score,
        recall=recall,
        step_recall=steps,
        n_words=answers.n_words(answer.text),
        context_tokens=sum(evidence.segment.n_tokens for evidence in answer.evidence),
        seconds=answer.seconds,
    )
