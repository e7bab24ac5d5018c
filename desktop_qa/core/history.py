"""Earlier questions: how they are listed, what they cited, and how their answers pleased."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from desktop_qa.core.document import DocumentId


class HistoryState(StrEnum):
    """How a question ended: as its answer says, or FAILED with no answer at all."""

    ANSWERED = "answered"
    NOT_FOUND = "not_found"
    CLARIFY = "clarify"
    WITHHELD = "withheld"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """A document as it was when an answer cited it.

    Attributes:
        document_id: Of its bytes.
        file: Path relative to the source folder; empty when it was not kept.
        fingerprint: Of the parser, segmenter and model that had read it.
    """

    document_id: DocumentId
    file: str = ""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class DocumentsSince:
    """What became of the documents that an answer cites.

    Attributes:
        n_cited: How many it cites.
        changed: Names of files whose bytes are others now.
        gone: Names of files that are in the library no more.
        read_again: Names of files that another version of the program has read again since.
        differs: Those of `read_again` in which a cell that it shows is read differently now.
        lost: Ids of those whose citations cannot be opened any more: the changed and the gone.
    """

    n_cited: int = 0
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    read_again: tuple[str, ...] = ()
    lost: tuple[DocumentId, ...] = ()
    differs: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What a reader of the old answer must know; empty when all is as it was."""
        differs = f"Read differently since: {', '.join(self.differs)}." if self.differs else ""
        return " ".join(part for part in (self._loss, differs) if part)

    @property
    def _loss(self) -> str:
        n_lost = len(self.lost)
        if not n_lost:
            return ""
        has, are = ("have", "are") if n_lost > 1 else ("has", "is")
        ways = [f"{has} changed"] if self.changed else []
        ways += [f"{are} gone"] if self.gone or not ways else []
        cited = "The document" if self.n_cited == 1 else f"{n_lost} of the {self.n_cited} documents"
        return f"{cited} it cites {' or '.join(ways)} since."


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """A question in the list of earlier ones.

    Attributes:
        asked_at: Seconds since the epoch.
        excerpt: The first words of the answer, or why there is none.
        seconds: From the question to the answer.
        conversation: Which it belongs to; empty for none.
        verdict: 1 thumb up, -1 thumb down, 0 none.
        comment: What the user said of the answer.
    """

    id: int
    asked_at: float
    question: str
    state: HistoryState
    excerpt: str
    seconds: float
    conversation: str = ""
    verdict: int = 0
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptQuestion(HistoryItem):
    """An earlier question with what is kept of it beside its answer.

    Attributes:
        error: Why there is no answer; empty when there is one.
        settings: What the answer was made with.
        timings: Seconds by stage.
    """

    error: str
    settings: dict[str, Any]
    timings: dict[str, float]


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A part of the list of earlier questions, newest first.

    Attributes:
        query: What was searched for; empty for all.
        offset: Of the first item in the whole list.
        total: How many there are of this query.
    """

    query: str
    items: tuple[HistoryItem, ...]
    offset: int
    total: int
