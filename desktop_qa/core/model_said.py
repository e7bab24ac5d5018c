"""What a language model says beside the offline answer, as it is shown, kept and exported."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from desktop_qa.core.answer import Answer, Citation, Evidence
from desktop_qa.core.answer_blocks import AnswerBlock


class Doubt(StrEnum):
    """What is wrong with a sentence: it is doubtful, or it is not borne out."""

    WEAK = "weak"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class DoubtMark:
    """A sentence, or a cell of a table, that the passages do not bear out, and why.

    Attributes:
        block_index: Of its block.
        line_index: Of its line among those of the block (`lines_of`); of a cell its row.
        start: Of its first character in the text of the line; of a cell its column.
        end: Behind its last character.
        reason: A few words.
        instead: What the document has in place of a number; empty when no single cell matches.
        marker: Of the passage that has it; 0 for none.
    """

    block_index: int
    line_index: int
    start: int
    end: int
    doubt: Doubt
    reason: str
    instead: str = ""
    marker: int = 0

    @property
    def sentence(self) -> str:
        """What is wrong, for a reader."""
        what = "Doubtful" if self.doubt is Doubt.WEAK else "Not borne out"
        instead = f" The document says {self.instead} [{self.marker}]." if self.instead else ""
        return f"{what}: {self.reason}.{instead}"


@dataclass(frozen=True, slots=True)
class ModelSaid:
    """What a model says of a question, so far or in the end.

    Its markers are those of the offline answer, and go on to what the model looked up beyond it.

    Attributes:
        profile: Name of the profile that was asked.
        model: As its server names it.
        host: Where it ran.
        blocks: What it says.
        doubts: Of sentences that nothing which follows can change.
        citations: At the end, the places of what it cites.
        evidence: What it cites so far that the offline answer does not have.
        is_over: Nothing follows.
        seconds: Since it was asked.
        n_tokens: It wrote, thinking included; `None` where the server does not tell.
        price: In the user's currency; `None` where the profile states none.
        notes: What is told with it.
        fetched: What it looked up beyond the first passages, or which part of a long text it
            reads, each as a line for the user.
        error: Why there is no more of it; empty when it ended well.
        hint: What to do about that.
        was_stopped: By the user.
    """

    profile: str
    model: str
    host: str = ""
    blocks: tuple[AnswerBlock, ...] = ()
    doubts: tuple[DoubtMark, ...] = ()
    citations: tuple[Citation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    is_over: bool = False
    seconds: float = 0.0
    n_tokens: int | None = None
    price: float | None = None
    notes: tuple[str, ...] = ()
    fetched: tuple[str, ...] = ()
    error: str = ""
    hint: str = ""
    was_stopped: bool = False

    @property
    def cost_line(self) -> str:
        """How long it took, with how many tokens, and the price where one is known."""
        parts = [f"{self.seconds:.1f} s"]
        if self.n_tokens is not None:
            parts.append(f"{self.n_tokens} tokens")
        if self.price is not None:
            parts.append(f"price {self.price:.4f}")
        if self.was_stopped:
            parts.append("stopped")
        return " · ".join(parts)

    def beside(self, answer: Answer) -> Answer:
        """Return the answer from the documents with what the model cites and found as well.

        What both cite keeps the places of the answer.
        """
        own = {citation.marker for citation in answer.citations}
        more = (citation for citation in self.citations if citation.marker not in own)
        return replace(
            answer,
            citations=(*answer.citations, *more),
            evidence=(*answer.evidence, *self.evidence),
        )
