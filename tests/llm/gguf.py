"""Heads of model files as the tests write them."""

from __future__ import annotations

import struct
from collections.abc import Mapping

HEAD: Mapping[str, str | int] = {
    "general.architecture": "llama",
    "general.name": "Small_Mix1_Ep2",
    "llama.context_length": 4096,
    "llama.block_count": 10,
    "llama.embedding_length": 512,
    "llama.attention.head_count": 8,
    "llama.attention.head_count_kv": 2,
    "tokenizer.ggml.model": "gpt2",
}


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def gguf_head(entries: Mapping[str, str | int] = HEAD, n_weights: int = 1000) -> bytes:
    """A head, followed by so many bytes that stand for weights."""
    written = b"GGUF" + struct.pack("<IQQ", 3, 0, len(entries))
    for name, value in entries.items():
        kind = struct.pack("<I", 8 if isinstance(value, str) else 4)
        content = text(value) if isinstance(value, str) else struct.pack("<I", value)
        written += text(name) + kind + content
    return written + bytes(n_weights)
