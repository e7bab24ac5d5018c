"""What is said to a model in one or more rounds until its answer, and what it has read by then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_qa.core.answer import Evidence, StructureRef
from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import Segment
from desktop_qa.core.view import StructureView
from desktop_qa.generate.passages import TableSource
from desktop_qa.generate.prompt import Prompt
from desktop_qa.llm.messages import Message, ToolCall, ToolSpec


class Shelf(TableSource, Protocol):
    """What may be looked up for one question: read-only, and nothing outside the scope asked."""

    @property
    def candidates(self) -> Sequence[DocumentId]:
        """Documents of the evidence, best first."""

    def structure(self, document_id: DocumentId) -> StructureView:
        """Return the headings, tables and figures of a document.

        Raises:
            NotReadError: When it left the library.
        """

    def at(self, document_id: DocumentId, places: Sequence[StructureRef]) -> Sequence[Segment]:
        """Return what stands at some places of a document, best first; empty for nothing."""

    def retrieve(self, words: str, document_id: DocumentId | None) -> Sequence[Segment]:
        """Return what is found in all documents, or in one, best first; empty for nothing."""

    def stretch(self) -> Sequence[Segment]:
        """Return the section, the pages or the document that the question is of, in its order."""


@dataclass(frozen=True, slots=True)
class Round:
    """One request to the model.

    Attributes:
        tools: That it may call.
        schema: Of the JSON object that it shall give instead of an answer.
        is_heard: Its text is the answer, or may be; else it is for the next round only.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    schema: Mapping[str, object] | None = None
    is_heard: bool = True


class Talk(Protocol):
    """Rounds of one question."""

    @property
    def prompt(self) -> Prompt:
        """Of the round, with all passages that the answer may cite."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Of the passages, by marker."""

    @property
    def steps(self) -> tuple[str, ...]:
        """What was done before the answer, each as a line for the user."""

    @property
    def unfinished(self) -> str:
        """What stands for the answer when no more rounds come."""

    @property
    def structure_tokens(self) -> int:
        """Of the structure that the model was shown."""

    @property
    def retrieved_tokens(self) -> int:
        """Of all passages that it was shown."""

    @property
    def round(self) -> Round:
        """What is asked now."""

    def took(self, text: str, calls: Sequence[ToolCall]) -> bool:
        """Take what came; return whether it is the answer, else the next round is to be asked."""
