"""Withholds an answer that tells what the model was told, or carries a passage's frame.

"Hybrid Retrieval" (Guardrails around generated answer) compares the answer with the system prompt,
the question left out, and returns nothing when they are alike. Likeness is counted here in runs of
words, without those of the passages and the question, so that an answer about a like subject is
none.
"""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Iterator

from desktop_qa.generate.prompt import NOT_STATED, Prompt
from desktop_qa.generate.visible import visible
from desktop_qa.llm.messages import MessageRole

_N_WORDS = 5
"""Of a run that is compared: shorter ones stand in any answer."""

_MAX_SHARE = 0.2
"""Of the runs of an answer that may stand in the instructions."""

_MAX_RUN = 10
"""Words in a row that may; an instruction is longer than that."""

_WORD = re.compile(r"\w+")
_BASE64 = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{24,}={0,2}(?![\w+/])")


def is_leak(text: str, prompt: Prompt) -> bool:
    """Tell whether an answer gives away the delimiter or the instructions of a prompt.

    It is found in base64, in rot13, set backwards and with characters that do not show, too.

    Args:
        text: All that the model said, whole or so far.
        prompt: That it answers.
    """
    plain = visible(text)
    asked = "\n".join(m.text for m in prompt.messages if m.role is MessageRole.USER)
    instructions = _words(prompt.instructions.replace(NOT_STATED, " "))
    told = frozenset(_runs(instructions)).difference(_runs(_words(asked)))
    return any(
        prompt.delimiter in reading or _is_like(_words(reading.replace(NOT_STATED, " ")), told)
        for reading in _readings(plain)
    )


def _readings(text: str) -> Iterator[str]:
    yield text
    yield text[::-1]
    yield codecs.encode(text, "rot13")
    for token in _BASE64.findall(text):
        try:
            yield base64.b64decode(token + "=" * (-len(token) % 4)).decode("utf-8")
        except ValueError:
            continue


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _runs(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + _N_WORDS]) for i in range(max(len(words) - _N_WORDS + 1, 0))]


def _is_like(words: list[str], told: frozenset[tuple[str, ...]]) -> bool:
    shared = [run in told for run in _runs(words)]
    longest = current = 0
    for is_shared in shared:
        current = current + 1 if is_shared else 0
        longest = max(longest, current)
    return bool(shared) and (
        longest > _MAX_RUN - _N_WORDS or sum(shared) > _MAX_SHARE * len(shared)
    )
