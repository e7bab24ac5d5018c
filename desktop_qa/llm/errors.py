"""What can go wrong with a model, each as a sentence of what happened and one of what to do.

Servers tell the same thing in many shapes: `ServerWords` reads them, `failure` names the kind. The
key never gets into a text: what a server says is cleaned of it before anything is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from desktop_qa.core.errors import DesktopQaError

_MAX_QUOTED = 300


class ModelErrorKind(Enum):
    """What happened; texts may change, these are for the program to decide by."""

    ADDRESS = "address"
    PROFILES = "profiles"
    UNREACHABLE = "unreachable"
    TLS = "tls"
    REDIRECTED = "redirected"
    STALLED = "stalled"
    BROKEN = "broken"
    NO_MODEL_SERVER = "no model server"
    KEY_MISSING = "key missing"
    KEY_REFUSED = "key refused"
    FORBIDDEN = "forbidden"
    NO_CREDIT = "no credit"
    NO_MODEL = "no model"
    NO_TOOLS = "no tools"
    BUSY = "busy"
    LOADING = "loading"
    SERVER_FAILED = "server failed"
    REFUSED = "refused"
    CONTEXT_OVERFLOW = "context overflow"
    EMPTY_ANSWER = "empty answer"
    ENDLESS_THINKING = "endless thinking"
    ENDLESS_ANSWER = "endless answer"
    REPEATED_TEXT = "repeated text"
    BAD_TOOL_CALL = "bad tool call"
    LEAVES_MACHINE = "leaves machine"
    UNEXPECTED = "unexpected"


class ModelError(DesktopQaError):
    """A model that gives no answer, or none to rely on; the offline answer stands.

    Attributes:
        kind: For the program.
    """

    def __init__(self, kind: ModelErrorKind, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.kind = kind
        self.args = (kind, message, hint)  # what it is made of again elsewhere


@dataclass(frozen=True, slots=True)
class ServerWords:
    """What a server said of a failure, read from any of its shapes.

    Attributes:
        text: For people, one line, without the key; may be empty.
        code: Its words for programs, such as "context_length_exceeded".
        param: The field of the request that it names.
        status: The HTTP status that it names in an answer that began well.
        n_context: Tokens that fit, where a field tells them.
        n_asked: Tokens that were sent, where a field tells them.
    """

    text: str = ""
    code: str = ""
    param: str = ""
    status: int | None = None
    n_context: int | None = None
    n_asked: int | None = None

    @classmethod
    def of(cls, content: object, key: str) -> ServerWords:
        """Read the words from a decoded JSON value or a text."""
        error = content.get("error", content) if isinstance(content, Mapping) else content
        if not isinstance(error, Mapping):
            return cls(text=_one_line(_text_of(error), key))
        code = error.get("code")
        return cls(
            text=_one_line(_text_of(error), key),
            code=f"{code or ''} {error.get('type') or ''}".strip(),
            param=str(error.get("param") or ""),
            status=count_of(code),
            n_context=count_of(error.get("n_ctx")),
            n_asked=count_of(error.get("n_prompt_tokens")),
        )

    @property
    def all(self) -> str:
        """Code and text, to look for what they speak of."""
        return f"{self.code} {self.text}"


def _text_of(content: object) -> str:
    """Return the sentence of an error: a text, or what lies under its usual names.

    A validation error lists what is wrong as {"loc": [...], "msg": ...}, and beside it the input,
    which is the user's own text and is left alone.
    """
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        if "msg" in content:
            place = content.get("loc") or ()
            path = ".".join(map(str, place)) if isinstance(place, Sequence) else str(place)
            return f"{path}: {content['msg']}"
        for name in ("message", "detail", "error"):
            if content.get(name):
                return _text_of(content[name])
        return ""
    if isinstance(content, Sequence):
        return "; ".join(filter(None, map(_text_of, content)))
    return ""


def _one_line(text: str, key: str) -> str:
    # No sign that a terminal would obey, such as an escape, comes from a server.
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if key:
        line = line.replace(key, "…")
    return line if len(line) <= _MAX_QUOTED else f"{line[:_MAX_QUOTED]}…"


def count_of(value: object) -> int | None:
    """Return a number that a server tells; `None` for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


# As OpenAI, vLLM, llama.cpp, LM Studio, Ollama, Anthropic and Google say it.
_OVERFLOW = re.compile(
    r"context[ _](?:length|size|window)|exceed_context|context the overflows"
    r"|(?:prompt|input) is too long|maximum (?:number of )?(?:input )?tokens",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"context (?:length|size|window)\D{0,20}?(\d[\d,]{2,})|(\d[\d,]{2,}) maximum"
    r"|allowed \((\d[\d,]{2,})",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_not_found|model\b.*\b(?:not found|not exist|not a valid)|not a valid model",
    re.IGNORECASE,
)
_NO_PATH = re.compile(r"\bendpoint\b", re.IGNORECASE)
_TOOLS = re.compile(r"\btools?\b", re.IGNORECASE)
_LOADING = re.compile(r"\bloading\b", re.IGNORECASE)
_NO_CREDIT = re.compile(r"insufficient[ _](?:quota|balance|credits?|funds)", re.IGNORECASE)


def speaks_of_overflow(words: ServerWords) -> bool:
    """Tell whether a refusal is for the size of what was sent or asked for."""
    return bool(words.n_context) or bool(_OVERFLOW.search(words.all))


def speaks_of_loading(words: ServerWords) -> bool:
    """Tell whether a server is reading its model and will answer after that."""
    return bool(_LOADING.search(words.all))


def failure(
    status: int | None, words: ServerWords, *, host: str, model: str, has_key: bool
) -> ModelError:
    """Return the error for what a server said.

    Args:
        status: Of HTTP; `None` for an error within an answer that began well.
        words: What it said.
        host: Who said it.
        model: The one asked.
        has_key: A key was sent.
    """
    kind = ModelErrorKind
    code = status or words.status
    said = f": {words.text.rstrip('.')}." if words.text else "."
    if code not in (401, 403, 429) and (code == 413 or speaks_of_overflow(words)):
        return _overflow(words)
    if code == 402 or _NO_CREDIT.search(words.all):
        return ModelError(
            kind.NO_CREDIT,
            f"The account at {host} has no credit left{said}",
            "Add credit at the provider, or choose another model.",
        )
    if code == 401 and not has_key:
        return ModelError(
            kind.KEY_MISSING, f"{host} asks for a key.", "Enter the key in the model's settings."
        )
    if code == 401:
        return ModelError(
            kind.KEY_REFUSED, f"{host} refused the key.", "Enter the key anew, or make a new one."
        )
    if code == 403:
        return ModelError(
            kind.FORBIDDEN,
            f"{host} does not allow this{said}",
            "Ask the provider whether this key may use the model.",
        )
    if _NO_MODEL.search(words.all):
        return ModelError(
            kind.NO_MODEL,
            f"{host} has no model {model}.",
            "Choose one of the models that the server lists.",
        )
    if code in (404, 405) or (status is None and _NO_PATH.search(words.text)):
        return wrong_address(host)
    if code == 429:
        return ModelError(
            kind.BUSY,
            f"{host} takes no more questions for now{said}",
            "Ask again in a minute.",
        )
    if code == 503 and speaks_of_loading(words):
        return ModelError(
            kind.LOADING, f"{host} is still loading {model}.", "Ask again in a minute."
        )
    if code in (408, 503, 504, 529):
        return ModelError(
            kind.BUSY, f"{host} is overloaded{said}", "Ask again later, or choose another model."
        )
    if code in (400, 422) and _TOOLS.search(f"{words.param} {words.text}"):
        return ModelError(
            kind.NO_TOOLS,
            f"{model} cannot use tools{said}",
            "Choose a model that can.",
        )
    if code is not None and 400 <= code < 500:
        return ModelError(
            kind.REFUSED,
            f"{host} refused the question{said}",
            "Check model and address in the model's settings.",
        )
    return ModelError(
        kind.SERVER_FAILED,
        f"{host} failed{said}",
        "Ask again; if it stays so, look into the server's own log.",
    )


def _overflow(words: ServerWords) -> ModelError:
    found = _LIMIT.search(words.text)
    told = next(filter(None, found.groups())) if found else ""
    n_context = words.n_context or (int(told.replace(",", "")) if told else None)
    sizes = [int(size.replace(",", "")) for size in re.findall(r"\d[\d,]*", words.text)]
    larger = [size for size in sizes if n_context is not None and size > n_context]
    n_asked = words.n_asked or max(larger, default=None)
    fit = f": {n_context} tokens fit" if n_context else ""
    asked = f", {n_asked} were asked for" if n_context and n_asked else ""
    return ModelError(
        ModelErrorKind.CONTEXT_OVERFLOW,
        f"The question and its evidence are too long for the model{fit}{asked}.",
        "Set the model's context to what its server allows, or choose a model with a larger one.",
    )


def wrong_address(host: str) -> ModelError:
    """Return the error for an address behind which no model answers."""
    return ModelError(
        ModelErrorKind.NO_MODEL_SERVER,
        f"At this address {host} offers no language model.",
        "Check the address: most end in /v1, that of Ollama ends after the port.",
    )


def broken(host: str, why: str) -> ModelError:
    """Return the error for an answer that ended in the middle or cannot be read."""
    return ModelError(
        ModelErrorKind.BROKEN, f"The answer of {host} broke off: {why}.", "Ask again."
    )
