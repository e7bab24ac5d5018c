"""Run a question bank over a library: rank, answer, and measure each question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.answer import Answer, AnswerStatus, Trust
from desktop_qa.core.answer_blocks import as_text, first_said
from desktop_qa.core.errors import LibraryError
from desktop_qa.core.folding import fold
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.question import Question
from desktop_qa.core.segment import Segment, SegmentId, ordinal_of
from desktop_qa.evaluate import answers
from desktop_qa.evaluate.bank import BankError, EvidenceItem, GoldQuestion
from desktop_qa.evaluate.metrics import Rank, n_within
from desktop_qa.evaluate.results import (
    AnswerMeasures,
    MissingFile,
    QuestionResult,
    RankMeasures,
    Report,
)
from desktop_qa.retrieve.place_scope import segments_pattern


@dataclass(frozen=True, slots=True)
class Relevant:
    """The segments that an evidence item is found in.

    Attributes:
        located: False when no segment of the page holds the words of the item, so that any
            segment of the page counts: text was lost or altered.
    """

    segment_ids: frozenset[SegmentId]
    located: bool


class RelevanceIndex:
    """Segments by file and page, their texts folded once."""

    def __init__(self, segments: Iterable[tuple[Segment, str]]) -> None:
        """Index segments, each with the file it comes from."""
        self._by_page: dict[tuple[str, int], list[Segment]] = defaultdict(list)
        self._folded: dict[SegmentId, tuple[str, str]] = {}
        for segment, file in segments:
            for page_no in segment.metadata.page_nos:
                self._by_page[file, page_no].append(segment)

    def relevant(self, item: EvidenceItem) -> Relevant:
        """Find the segments of the item's page that hold its words.

        Where none does, all segments of the page are relevant and the item is unlocated; without
        words to look for the page alone decides.
        """
        of_page = self._by_page.get((item.file, item.page), [])
        wanted = fold(item.contains)
        holding = [s for s in of_page if any(wanted in text for text in self._texts(s))]
        return Relevant(frozenset(s.id for s in holding or of_page), located=bool(holding))

    def _texts(self, segment: Segment) -> tuple[str, str]:
        folded = self._folded.get(segment.id)
        if folded is None:
            folded = fold(segment.text), fold(segment.lexical_text)
            self._folded[segment.id] = folded
        return folded


def best_rank(ranking: Sequence[SegmentId], relevant: Relevant) -> Rank:
    """Return the 1-based rank of the first relevant segment, `None` when there is none."""
    for rank, segment_id in enumerate(ranking, start=1):
        if segment_id in relevant.segment_ids:
            return rank
    return None


CONTEXT_TOKENS = 1500
"""Size of the context that `recall_1500` looks into."""

REFUSALS = (AnswerStatus.NOT_FOUND, AnswerStatus.WITHHELD)


Ask = Callable[[Question], Answer]

RankAll = Callable[[Question], Sequence[SegmentId]]
"""Ranks all segments, best first; ties and unscored ones by ordinal."""


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
    segments: Sequence[tuple[Segment, str]],
    rank_all: RankAll,
    ask: Ask | None = None,
    on_question: Callable[[int, int], None] | None = None,
    *,
    files: Mapping[str, str] | None = None,
    from_gold: bool = False,
) -> Report:
    """Measure a library with a question bank.

    Args:
        bank: Questions, negative ones among them.
        segments: All that are ranked, each with its file, relative to the ingested folder; what is
            asked of other documents is left out of every measure and listed.
        rank_all: Ranks them for a question.
        ask: Answers a question; only rankings are measured when `None`.
        on_question: Told the 1-based number of the question at hand and how many there are.
        files: From `listed_files`; those of the segments when `None`.
        from_gold: Answer each question once more, from its gold passages alone.

    Raises:
        BankError: When no file that the bank names is in the library.
        LibraryError: When the library is empty.
    """
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
            ranked = rank_all(Question(question.question))
            ranking = measure_ranking(question, ranked, relevance, n_tokens)
        answer = of_gold = None
        if ask is not None:
            answer = _measure_answer(question, ask(Question(question.question)))
            if from_gold and question.evidence:
                asked = Question(question.question, scope=_gold_places(question, relevance))
                of_gold = _measure_answer(question, ask(asked))
        results.append(QuestionResult(question, ranking, answer, of_gold))
    return Report(tuple(results), tuple(n_tokens.values()), missing)


def _gold_places(question: GoldQuestion, relevance: RelevanceIndex) -> tuple[str, ...]:
    """Return the patterns of the segments that hold the evidence of a question."""
    found = ((item.file, relevance.relevant(item).segment_ids) for item in question.evidence)
    return tuple(segments_pattern(f"/{file}", map(ordinal_of, ids)) for file, ids in found if ids)


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
        n_segments=len(n_tokens),
    )


def _measure_answer(question: GoldQuestion, answer: Answer) -> AnswerMeasures:
    refused = answer.status in REFUSALS
    score = first = steps = None
    said = as_text(answer.blocks, with_markers=False)
    if not question.negative:
        # A refusal may list the nearest sections; their words are no answer.
        text = "" if refused else said
        score = answers.answer_score(question, text)
        steps = answers.step_recall(question.steps, text)
        leads = "" if refused else as_text(first_said(answer.blocks), with_markers=False)
        first = steps if question.steps else answers.answer_score(question, leads)
    return AnswerMeasures(
        refused=refused,
        score=score,
        first=first,
        step_recall=steps,
        n_words=answers.n_words(said),
        context_tokens=sum(evidence.segment.n_tokens for evidence in answer.evidence),
        seconds=answer.seconds,
        probability=answer.probability,
        is_stated=answer.trust is Trust.STATED,
    )
