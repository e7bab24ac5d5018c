"""What is said to a model and what comes back, the same for every dialect."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum


class MessageRole(Enum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A function that the model wants to be called.

    Attributes:
        id: By which its result is sent back; made here where the server gives none.
        name: Of a `ToolSpec`.
        arguments: Decoded; whether they fit the parameters is not checked.
    """

    id: str
    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation.

    Attributes:
        role: Who speaks.
        text: What is said; for `MessageRole.TOOL` the result of the call.
        tool_calls: Those of `MessageRole.ASSISTANT`.
        tool_call_id: For `MessageRole.TOOL` the call that this is the result of.
        images: PNG files that are shown with the text.
    """

    role: MessageRole
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    images: tuple[bytes, ...] = ()

    @property
    def encoded_images(self) -> list[str]:
        """The images in base64, as both dialects send them."""
        return [base64.b64encode(image).decode("ascii") for image in self.images]

    @property
    def sendable_text(self) -> str:
        """The text without halves of characters, which a PDF may hold and no server takes."""
        return self.text.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A function that is offered to the model.

    Attributes:
        name: Letters, digits, "_" and "-".
        description: What it does, for the model.
        parameters: JSON schema of an object.
    """

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """What a model is asked.

    Attributes:
        messages: The conversation, the newest last.
        max_tokens: The answer, thinking included, is cut there.
        tools: That the model may call.
        schema: JSON schema of an object that the answer shall be; what comes is not checked.
    """

    messages: Sequence[Message]
    max_tokens: int
    tools: Sequence[ToolSpec] = ()
    schema: Mapping[str, object] | None = None


class FinishReason(Enum):
    """Why an answer ended."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool calls"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer took, as the server counts it.

    Attributes:
        n_input: Tokens read.
        n_output: Tokens written, thinking included.
        output_s: Seconds of writing, where the server tells them.
    """

    n_input: int
    n_output: int
    output_s: float | None = None


@dataclass(frozen=True, slots=True)
class Delta:
    """What an answer grows by; the last one says how it ended.

    Attributes:
        text: To be appended to the answer.
        thinking: To be appended to what the model thought; not part of the answer.
        voids_text: All text before this delta was thinking, which only its end revealed: the
            answer begins anew with `text`.
        tool_calls: Complete, in the last delta.
        usage: In the last delta, where the server tells it.
        finish_reason: In the last delta, and there always.
    """

    text: str = ""
    thinking: str = ""
    voids_text: bool = False
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    finish_reason: FinishReason | None = None


@dataclass(frozen=True, slots=True)
class ServerNotice:
    """What happens before the answer, to be told or logged; nothing is wrong yet.

    Attributes:
        text: A sentence.
        wait_s: Seconds until the server is asked again; 0 for at once.
        left_out: The field that the server refused and that it is asked without.
    """

    text: str
    wait_s: float = 0.0
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class ListedModel:
    """One model of a server, as that lists it.

    Attributes:
        name: To be put into a profile.
        n_context: Tokens of context that the server states for it.
        remote_host: Where a local server sends its text; empty for a model that runs there.
        is_loaded: In memory, so that its first answer comes at once; `None` when nothing is said.
    """

    name: str
    n_context: int | None = None
    remote_host: str = ""
    is_loaded: bool | None = None
