"""What a model says to a question bank, measured beside the offline answers it was put below.

Groundedness and null rate are those of "Hybrid Retrieval"; there a model judges the first for a
whole answer, here code does for each sentence (`generate.judging`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.answer_blocks import as_text
from desktop_qa.core.errors import Cancelled, DesktopQaError, QuestionError
from desktop_qa.core.question import Question
from desktop_qa.evaluate.answers import answer_score
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.metrics import mean, percentile
from desktop_qa.evaluate.results import Report
from desktop_qa.evaluate.runner import Ask
from desktop_qa.evaluate.tables import markdown_table, paragraphs, show
from desktop_qa.generate.judging import Verdict
from desktop_qa.library.reasoning import ModelAnswer
from desktop_qa.llm.errors import ModelError, ModelErrorKind

_OF_ONE_ANSWER = frozenset(
    {
        *(ModelErrorKind.EMPTY_ANSWER, ModelErrorKind.REPEATED_TEXT),
        *(ModelErrorKind.ENDLESS_ANSWER, ModelErrorKind.ENDLESS_THINKING),
        ModelErrorKind.CONTEXT_OVERFLOW,
    }
)
"""What one question may meet and the next one not."""


class AlsoModel:
    """Puts the questions that a library answers to a model as well.

    Attributes:
        said: By the model, to each question in the order of asking.
    """

    def __init__(self, ask: Ask, put: Callable[[Answer], ModelAnswer]) -> None:
        """Take how the library answers, and how the question of its answer is put to the model."""
        self.said: list[ModelAnswer] = []
        self._ask = ask
        self._put = put

    def ask(self, question: Question) -> Answer:
        """Answer offline, and put the question to the model.

        Raises:
            DesktopQaError: When the model cannot be asked at all: no answer came yet, and none
                will.
            KeyboardInterrupt: When the user stopped the model.
        """
        offline = self._ask(question)
        said = self._put(offline)
        if isinstance(said.error, Cancelled):
            raise KeyboardInterrupt
        has_answered = any(before.answer is not None for before in self.said)
        if said.error is not None and not has_answered and not _is_of_one_answer(said.error):
            raise said.error
        self.said.append(said)
        return offline


def _is_of_one_answer(error: DesktopQaError) -> bool:
    if isinstance(error, ModelError):
        return error.kind in _OF_ONE_ANSWER
    return isinstance(error, QuestionError)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A question with what the model said to it and the measures of the offline answer."""

    question: GoldQuestion
    said: ModelAnswer
    offline_score: float | None
    offline_refused: bool

    @property
    def score(self) -> float | None:
        """As for the offline answer: nothing that was said is wrong."""
        return None if self.question.negative else answer_score(self.question, _text(self.said))

    @property
    def is_null(self) -> bool:
        """True when the passages do not state it, as the model says, or it was withheld."""
        answer = self.said.answer
        return answer is not None and answer.status is not AnswerStatus.ANSWERED


def _text(said: ModelAnswer) -> str:
    if said.answer is None or said.answer.status is not AnswerStatus.ANSWERED:
        return ""
    cells = (cell.text for table in said.answer.tables for row in table.rows for cell in row)
    return "\n".join((as_text(said.answer.blocks, with_markers=False), *cells)).strip()


def model_json(report: Report, said: Sequence[ModelAnswer]) -> dict[str, Any]:
    """Return the measures of a model, with those of the offline answers to the same questions.

    Args:
        report: Of the library.
        said: From `AlsoModel`, one for each result. Questions that are put to no model are counted
            and left out; one that it failed at counts as wrong.
    """
    pairs = [
        _Pair(result.question, one, result.answer.score, result.answer.refused)
        for result, one in zip(report.results, said, strict=True)
        if result.answer is not None and not isinstance(one.error, QuestionError)
    ]
    scored = [(p.score, p.offline_score) for p in pairs]
    sentences = [sentence for p in pairs for sentence in p.said.sentences]
    n_supported = sum(s.judgement.verdict is Verdict.SUPPORTED for s in sentences)
    usages = [p.said.usage for p in pairs if p.said.usage is not None]
    seconds = [p.said.seconds for p in pairs]
    return {
        "asked": len(pairs),
        "not_put": len(said) - len(pairs),
        "failed": sum(p.said.error is not None for p in pairs),
        "answer_score": _beside(
            [own for own, _ in scored if own is not None],
            [offline for own, offline in scored if own is not None and offline is not None],
        ),
        "sentences": len(sentences),
        "groundedness": n_supported / len(sentences) if sentences else None,
        "null_rate": {
            name: _beside(
                [float(p.is_null) for p in pairs if p.question.negative is negative],
                [float(p.offline_refused) for p in pairs if p.question.negative is negative],
            )
            for name, negative in (("on_negatives", True), ("on_positives", False))
        },
        "tokens": {
            "read": mean([usage.n_input for usage in usages]),
            "written": mean([usage.n_output for usage in usages]),
        },
        # As in PDFTriage 6.3, over the questions that an answer came to.
        "tokens_shown": {
            "structure": mean([p.said.structure_tokens for p in pairs if p.said.answer]),
            "retrieved": mean([p.said.retrieved_tokens for p in pairs if p.said.answer]),
        },
        "looked_up": sum(bool(p.said.fetched) for p in pairs),
        "seconds": {"p50": percentile(seconds, 50), "p95": percentile(seconds, 95)},
    }


def _beside(own: Sequence[float], offline: Sequence[float]) -> dict[str, float | int | None]:
    return {"n": len(own), "model": mean(own), "offline": mean(offline)}


def model_markdown(figures: dict[str, Any]) -> str:
    """Return the measures of a model for people."""
    nulls = figures["null_rate"]
    rows = (
        ("answer_score", figures["answer_score"]),
        ("null, negatives", nulls["on_negatives"]),
        ("null, others", nulls["on_positives"]),
    )
    tokens, seconds, shown = figures["tokens"], figures["seconds"], figures["tokens_shown"]
    return paragraphs(
        f"{figures['asked']} questions put to the model, {figures['not_put']} not,"
        f" {figures['failed']} with an error",
        markdown_table(
            ("", "n", "model", "offline"),
            [(name, str(r["n"]), show(r["model"]), show(r["offline"])) for name, r in rows],
        ),
        f"- groundedness: {show(figures['groundedness'])} of its {figures['sentences']} sentences\n"
        f"- tokens: {show(tokens['read'])} read, {show(tokens['written'])} written\n"
        f"- shown to it: {show(shown['structure'])} of structure,"
        f" {show(shown['retrieved'])} retrieved; {figures['looked_up']} looked up more\n"
        f"- seconds: {show(seconds['p50'])} (p95 {show(seconds['p95'])})",
    )
