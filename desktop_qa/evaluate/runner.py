"""Run a question bank over a library: rank, answer, and measure each question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.answer_blocks import as_text
from desktop_qa.core.errors import LibraryError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.question import Question
from desktop_qa.core.segment import Segment, SegmentId, ordinal_of
from desktop_qa.evaluate import answers
from desktop_qa.evaluate.bank import BankError, GoldQuestion
from desktop_qa.evaluate.metrics import n_within
from desktop_qa.evaluate.relevance import RelevanceIndex, best_rank
from desktop_qa.evaluate.results import (
    AnswerMeasures,
    MissingFile,
    QuestionResult,
    RankMeasures,
    Report,
)
from desktop_qa.retrieve.place_scope import segments_pattern

CONTEXT_TOKENS = 1500
"""Size of the context that `recall_1500` looks into."""

_REFUSALS = (AnswerStatus.NOT_FOUND, AnswerStatus.WITHHELD)


class EvaluatedLibrary(Protocol):
    """What is measured: a library that ranks all its segments and answers questions."""

    def segments(self) -> Sequence[tuple[Segment, str]]:
        """Every segment with its file, relative to the ingested folder."""

    def rank_all(self, question: Question) -> Sequence[SegmentId]:
        """All segments, best first; ties and unscored ones by ordinal."""

    def ask(self, question: Question) -> Answer:
        """Answer a question."""


def listed_files(statuses: Sequence[DocumentStatus]) -> dict[str, str]:
    """Return every file of a library with the one that its segments are listed under.

    They differ for the second path of the same bytes. Documents that could not be read are among
    them: what is asked of those is missed, and not missing.
    """
    return {file: status.file for status in statuses for file in status.files}


def present_questions(
    bank: Sequence[GoldQuestion], files: Mapping[str, str]
) -> tuple[tuple[GoldQuestion, ...], tuple[MissingFile, ...]]:
    """Leave out the questions whose evidence names a file that the library does not have.

    Args:
        bank: All questions.
        files: From `listed_files`.

    Returns:
        The others, their evidence under the files that segments are listed under; and what is
        missing.

    Raises:
        BankError: When no question with evidence is left of those there were.
    """
    present: list[GoldQuestion] = []
    missing: list[MissingFile] = []
    for question in bank:
        lacking = dict.fromkeys(i.file for i in question.evidence if i.file not in files)
        missing += [MissingFile(question.id, file) for file in lacking]
        if not lacking:
            evidence = tuple(replace(i, file=files[i.file]) for i in question.evidence)
            present.append(replace(question, evidence=evidence))
    if missing and not any(question.evidence for question in present):
        raise BankError(
            f"No file that the bank names is in the library ({missing[0].file} is the first).",
            "Files are named relative to the folder that was ingested.",
        )
    return tuple(present), tuple(missing)


def evaluate_bank(
    bank: Sequence[GoldQuestion],
    library: EvaluatedLibrary,
    on_question: Callable[[int, int], None] | None = None,
    *,
    files: Mapping[str, str] | None = None,
    with_answers: bool = True,
    from_gold: bool = False,
) -> Report:
    """Measure a library with a question bank.

    Args:
        bank: Questions, negative ones among them.
        library: With all documents of the bank indexed; what is asked of others is left out of
            every measure and listed.
        on_question: Told the 1-based number of the question at hand and how many there are.
        files: From `listed_files`; those of the segments when `None`.
        with_answers: False to measure rankings only.
        from_gold: Answer each question once more, from its gold passages alone.

    Raises:
        BankError: When no file that the bank names is in the library.
        LibraryError: When the library is empty.
    """
    segments = library.segments()
    if not segments:
        raise LibraryError(
            "There is nothing to measure: the library holds no document that was read.",
            "Ingest the folder that the bank was written for.",
        )
    relevance = RelevanceIndex(segments)
    n_tokens = {segment.id: segment.n_tokens for segment, _ in segments}
    if files is None:
        files = {file: file for _, file in segments}
    questions, missing = present_questions(bank, files)
    results = []
    for number, question in enumerate(questions, start=1):
        if on_question is not None:
            on_question(number, len(questions))
        ranking = None
        if question.evidence:
            ranking = _measure_ranking(question, library, relevance, n_tokens)
        answer = of_gold = None
        if with_answers:
            answer = _measure_answer(question, library.ask(Question(question.question)))
        if from_gold and question.evidence:
            asked = Question(question.question, scope=_gold_places(question, relevance))
            of_gold = _measure_answer(question, library.ask(asked))
        results.append(QuestionResult(question, ranking, answer, of_gold))
    return Report(tuple(results), tuple(n_tokens.values()), missing)


def _gold_places(question: GoldQuestion, relevance: RelevanceIndex) -> tuple[str, ...]:
    """Return the patterns of the segments that hold the evidence of a question."""
    found = ((item.file, relevance.relevant(item).segment_ids) for item in question.evidence)
    return tuple(segments_pattern(f"/{file}", map(ordinal_of, ids)) for file, ids in found if ids)


def _measure_ranking(
    question: GoldQuestion,
    library: EvaluatedLibrary,
    relevance: RelevanceIndex,
    n_tokens: dict[SegmentId, int],
) -> RankMeasures:
    ranking = library.rank_all(Question(question.question))
    return measure_ranking(question, ranking, relevance, n_tokens)


def measure_ranking(
    question: GoldQuestion,
    ranking: Sequence[SegmentId],
    relevance: RelevanceIndex,
    n_tokens: Mapping[SegmentId, int],
) -> RankMeasures:
    """Measure how the evidence of a question stands in a ranking of all segments."""
    relevant = [relevance.relevant(item) for item in question.evidence]
    return RankMeasures(
        ranks=tuple(best_rank(ranking, found) for found in relevant),
        n_unlocated=sum(not found.located for found in relevant),
        n_in_context=n_within([n_tokens[segment_id] for segment_id in ranking], CONTEXT_TOKENS),
    )


def _measure_answer(question: GoldQuestion, answer: Answer) -> AnswerMeasures:
    refused = answer.status in _REFUSALS
    score = recall = steps = None
    said = as_text(answer.blocks, with_markers=False)
    if not question.negative:
        # A refusal may list the nearest sections; their words are no answer.
        text = "" if refused else said
        score = answers.answer_score(question, text)
        recall = None if score is None else float(score == 1.0)
        steps = answers.step_recall(question.steps, text)
    return AnswerMeasures(
        refused=refused,
        score=score,
        recall=recall,
        step_recall=steps,
        n_words=answers.n_words(said),
        context_tokens=sum(evidence.segment.n_tokens for evidence in answer.evidence),
        seconds=answer.seconds,
    )
