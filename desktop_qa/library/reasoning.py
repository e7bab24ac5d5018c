"""A language model's own answer beside the offline one: what it reads, says, and is held against.

The passages are the evidence of the offline answer and what is looked up beyond it, so a marker
means the same in both. Each sentence is checked as soon as nothing that follows can change what it
cites. `Reasoning` opens no connection; `reasoned` asks the model, and is the one place that does so
with text of a library.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from desktop_qa.core.answer import Answer, AnswerStatus, Evidence, QuestionType
from desktop_qa.core.answer_blocks import AnswerBlock, lines_of
from desktop_qa.core.errors import DesktopQaError, QuestionError
from desktop_qa.core.model_said import Doubt, DoubtMark
from desktop_qa.generate.grounding import CheckedSentence, Grounding, check
from desktop_qa.generate.judging import Ground, Verdict
from desktop_qa.generate.leaks import is_leak
from desktop_qa.generate.model_answer import cited_markers, model_answer, withheld_answer
from desktop_qa.generate.passages import Passage, TableSource
from desktop_qa.generate.prompt import MIN_WINDOW, answer_tokens
from desktop_qa.generate.stream_reader import StreamReader
from desktop_qa.library.exploring import MAX_ROUNDS, Exploring, ways_of
from desktop_qa.library.shelf import StoredShelf
from desktop_qa.library.summarising import Summarising
from desktop_qa.library.talk import Round
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import Delta, FinishReason, ModelQuestion, ServerNotice, Usage
from desktop_qa.llm.profile import Consent, Profile

_NOT_PUT = {
    AnswerStatus.CLARIFY: (
        "The question may mean several things, so the model was not asked.",
        "Ask one of the questions that are offered.",
    ),
    AnswerStatus.WITHHELD: ("This question is not put to a model.", ""),
}
_CUT = {
    FinishReason.LENGTH: "The answer was cut off: it is longer than the profile allows.",
    FinishReason.FILTERED: "The server cut the answer off by a filter of its own.",
}


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model says of a question, so far or in the end.

    Attributes:
        blocks: All that can be shown of it.
        sentences: Those that are checked; nothing that follows changes them.
        open_sentence: The first one that is not, with what follows it; `None` when there is none.
        is_over: Nothing follows.
        answer: At the end, as an answer over the evidence of the offline one; `None` where nothing
            was said.
        says_not_stated: It says of something that the passages do not state it.
        seconds: Since the model was asked.
        usage: At the end, where the server tells it; of all that it was asked for the answer.
        evidence: What it cites beyond the evidence of the offline answer.
        note: Why it ended early, though nothing failed.
        error: Why there is no more of it.
        fetched: What it looked up beyond the first passages, or which part of a long text it
            reads, each as a line for the user.
        structure_tokens: Of the structure of documents that it was shown, as counted here.
        retrieved_tokens: Of the passages that it was shown, likewise.
    """

    blocks: tuple[AnswerBlock, ...] = ()
    sentences: tuple[CheckedSentence, ...] = ()
    open_sentence: CheckedSentence | None = None
    is_over: bool = False
    answer: Answer | None = None
    says_not_stated: bool = False
    seconds: float = 0.0
    usage: Usage | None = None
    evidence: tuple[Evidence, ...] = ()
    note: str = ""
    error: DesktopQaError | None = None
    fetched: tuple[str, ...] = ()
    structure_tokens: int = 0
    retrieved_tokens: int = 0

    @property
    def doubts(self) -> tuple[DoubtMark, ...]:
        """What is wrong with sentences that are checked, in their order."""
        return tuple(
            DoubtMark(
                *(one.block_index, one.line_index, one.start, one.end),
                Doubt(one.judgement.verdict.value),
                one.judgement.reason,
                one.judgement.instead,
                one.judgement.marker,
            )
            for one in self.sentences
            if one.judgement.verdict is not Verdict.SUPPORTED
        )


class Reasoning:
    """One question to a model over the evidence of its offline answer; for one thread.

    Attributes:
        profile: Whom it is put to.
        max_tokens: Length of its answer, thinking included.
        round: What goes to the model now, and all of the library that does.
    """

    def __init__(
        self,
        offline: Answer,
        source: TableSource,
        profile: Profile,
        earlier: Sequence[str] = (),
        shelf: StoredShelf | None = None,
    ) -> None:
        """Choose what the model reads.

        Args:
            offline: The answer of the library.
            source: Of the tables of its evidence.
            profile: Whose window it has to fit.
            earlier: Questions of the conversation before it, oldest first.
            shelf: Where more is looked up; `None` for nothing but the evidence.

        Raises:
            QuestionError: When there is nothing to ask a model, or its window is too small.
        """
        if offline.status in _NOT_PUT:
            raise QuestionError(*_NOT_PUT[offline.status])
        # What the user allows beyond that which a prompt keeps free, for models that think.
        kept_free = answer_tokens(profile.n_context)
        allowed = profile.max_answer_tokens - kept_free
        more = max(0, min(allowed, profile.n_context - MIN_WINDOW))
        window = profile.n_context - more
        self._offline = offline
        self.profile = profile
        self.max_tokens = min(profile.max_answer_tokens, answer_tokens(window) + more)
        is_summary = offline.type == QuestionType.SUMMARY
        stretch = shelf.stretch() if is_summary and shelf is not None else ()
        self._talk: Summarising | Exploring = (
            Summarising(offline, source, window, stretch)
            if stretch
            else Exploring(offline, source, window, earlier, shelf, ways_of(profile))
        )
        self._ground = Ground(self._passages, offline.read_as or offline.question)
        self._began = time.monotonic()
        self._usage: Usage | None = None
        self._begin_round()

    def _begin_round(self) -> None:
        self.round: Round = self._talk.round
        if self._ground.passages != self._passages:
            self._ground = Ground(self._passages, self._ground.question)
        self._said = ""
        self._n_final = 0
        self._reader = self._new_reader()

    def so_far(self) -> ModelAnswer:
        """Return what was done before the answer."""
        return self._told(ModelAnswer())

    def hear(self, delta: Delta) -> ModelAnswer:
        """Take what the answer grows by; where it `is_over` then, no more is to be heard."""
        if delta.voids_text:
            self._said, self._n_final, self._reader = "", 0, self._new_reader()
        self._said += delta.text
        if not self.round.is_heard:
            return self.so_far()
        blocks = self._reader.hear(delta.text)
        if self._reader.is_full:
            return self._over(Delta(finish_reason=FinishReason.LENGTH))
        grounding = check(blocks, self._ground)
        n_final = _n_final(grounding.sentences, blocks)
        if n_final > self._n_final:
            self._n_final = n_final
            if is_leak(self._said, self._talk.prompt):
                return self._withheld()
        open_ones = grounding.sentences[n_final:]
        return self._told(
            ModelAnswer(
                blocks,
                grounding.sentences[:n_final],
                open_ones[0] if open_ones else None,
                says_not_stated=grounding.says_not_stated,
            )
        )

    def ended(self, last: Delta) -> ModelAnswer:
        """Take the last delta of a round: the whole answer, checked, or another round follows."""
        if last.usage is not None:
            before = self._usage or Usage(0, 0)
            n_input = before.n_input + last.usage.n_input
            n_output = before.n_output + last.usage.n_output
            self._usage = replace(last.usage, n_input=n_input, n_output=n_output)
        if self._talk.took(self._said, last.tool_calls):
            return self._over(last)
        self._begin_round()
        return self.so_far()

    def failed(self, error: DesktopQaError) -> ModelAnswer:
        """Return what was said before it failed or was stopped, checked, with the reason."""
        if not self.round.is_heard or not self._said:
            self._said = self._talk.unfinished
            self._reader = self._new_reader()
            self._reader.hear(self._said)
        return replace(self._whole(), error=error)

    @property
    def _passages(self) -> tuple[Passage, ...]:
        return self._talk.prompt.passages

    def _new_reader(self) -> StreamReader:
        return StreamReader([passage.marker for passage in self._passages])

    def _told(self, said: ModelAnswer) -> ModelAnswer:
        """Add what is known of the rounds."""
        cited = {*cited_markers(said.blocks), *(one.judgement.marker for one in said.sentences)}
        more = self._talk.evidence[len(self._offline.evidence) :]
        return replace(
            said,
            seconds=self._seconds,
            evidence=tuple(item for item in more if item.marker in cited),
            fetched=self._talk.steps,
            structure_tokens=self._talk.structure_tokens,
            retrieved_tokens=self._talk.retrieved_tokens,
        )

    def _over(self, last: Delta) -> ModelAnswer:
        note = _CUT.get(last.finish_reason, "") if last.finish_reason is not None else ""
        said = replace(self._whole(), usage=self._usage, note=note)
        if not last.tool_calls or said.blocks:
            return said
        error = ModelError(
            ModelErrorKind.BAD_TOOL_CALL,
            f"{self.profile.model} wants to look up more than {MAX_ROUNDS} times, and gave no"
            " answer.",
            "Ask again with other words, or choose another model.",
        )
        return replace(said, error=error)

    def _whole(self) -> ModelAnswer:
        if is_leak(self._said, self._talk.prompt):
            return self._withheld()
        blocks = self._reader.end()
        grounding = check(blocks, self._ground)
        return self._told(
            ModelAnswer(
                blocks,
                grounding.sentences,
                is_over=True,
                answer=self._answer(blocks, grounding) if blocks else None,
                says_not_stated=grounding.says_not_stated,
            )
        )

    def _answer(self, blocks: Sequence[AnswerBlock], grounding: Grounding) -> Answer:
        found = replace(self._offline, evidence=self._talk.evidence)
        return model_answer(
            found, blocks, grounding, self._ground, self.profile.model, self._seconds
        )

    def _withheld(self) -> ModelAnswer:
        answer = withheld_answer(self._offline, self.profile.model, self._seconds)
        return self._told(ModelAnswer(answer.blocks, is_over=True, answer=answer))

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._began


def _n_final(sentences: Sequence[CheckedSentence], blocks: Sequence[AnswerBlock]) -> int:
    """Return how many sentences, from the first, are as they will be at the end.

    The last one of the last line goes on; one before it that cites nothing has the markers of those
    behind it, which may come yet. Rows of a table are heard as a whole.
    """
    n_lines = sum(1 for _line in lines_of(blocks[-1:]))
    last_line = len(blocks) - 1, n_lines - 1
    for n, sentence in enumerate(sentences):
        is_in_last = (sentence.block_index, sentence.line_index) == last_line
        is_last = n + 1 == len(sentences)
        if is_in_last and not sentence.is_cell and (is_last or not sentence.markers):
            return n
    return len(sentences)


def require_consent(profile: Profile, consent: Consent | None) -> None:
    """Let text of a library go to a profile only where it may.

    Args:
        profile: Whom to ask.
        consent: From `ProfileStore.consent` of this library and this profile.

    Raises:
        ModelError: LEAVES_MACHINE, when text would leave the machine and that was not agreed to.
    """
    agreed = consent is not None and (consent.host, consent.model) == (profile.host, profile.model)
    if profile.is_remote and not agreed:
        raise ModelError(
            ModelErrorKind.LEAVES_MACHINE,
            f"Text of this library may not go to {profile.model} at {profile.host}; nothing was"
            " sent.",
            f"Agree to it first, for this library (desktop-qa models agree {profile.name}).",
        )


async def reasoned(
    reasoning: Reasoning,
    key: str,
    consent: Consent | None,
    *,
    on_notice: Callable[[ServerNotice], None] = lambda _notice: None,
) -> AsyncGenerator[ModelAnswer, None]:
    """Ask the model; its connection closes with the generator (`aclosing`).

    Args:
        reasoning: The question.
        key: Of the server; may be empty.
        consent: As for `require_consent`, which is asked before anything is sent.
        on_notice: Is told of pauses, and of what the server is asked without.

    Yields:
        The answer as it grows; the last one, and no other, is over, also where it failed.
    """
    profile = reasoning.profile
    try:
        require_consent(profile, consent)
        # The first import takes half a second, and only a question to a model needs it.
        from desktop_qa.llm import client

        step = reasoning.so_far()
        if step.fetched:
            yield step
        while not step.is_over:
            asked = reasoning.round
            question = ModelQuestion(
                asked.messages, reasoning.max_tokens, asked.tools, asked.schema
            )
            deltas = client.stream(profile, key, question, on_notice)
            async with aclosing(deltas):
                async for delta in deltas:
                    if delta.finish_reason is not None:
                        step = reasoning.ended(delta)
                    elif delta.text or delta.voids_text:
                        step = reasoning.hear(delta)
                    else:
                        continue
                    yield step
                    if step.is_over or delta.finish_reason is not None:
                        break
    except DesktopQaError as error:
        yield reasoning.failed(error)
