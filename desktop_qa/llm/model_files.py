"""Model files (GGUF) of this machine: what one is, where other programs keep theirs, what fits.

Of a file only the head is read, by the specification of the format (ggml, docs/gguf.md): a file of
strangers, so every length is checked. Whether the rest of it is whole, loading it tells.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import psutil

from desktop_qa.llm.errors import ModelError, ModelErrorKind

_MAGIC = b"GGUF"
_MAX_TEXT = 1 << 20
_MAX_ENTRIES = 4096
_SCALARS = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q",
    12: "<d",
}  # fmt: skip
_TEXT, _LIST = 8, 9
_VOCABULARY = "tokenizer."
"""What is told of the model stands before the entries that begin so."""

_BYTES_OF_A_NUMBER = 2
"""Of the context in memory: half precision."""

_WORKING_BYTES = 256 << 20
"""For computing beside weights and context; the small model of the tests takes 65 MB."""

_GIB = 1 << 30
_BYTES_OF_A_WEIGHT = 0.6
"""At 4 bits, with scales and the larger outer layers."""

_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_LEFT_FREE = 1.0

Value = int | float | bool | str


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file, as its head tells.

    Attributes:
        name: For people.
        n_bytes: Of the file.
        n_context: Tokens of context that it was made for; `None` when it does not tell.
        context_bytes: Memory for a token of context.
        owner: The program that keeps it; empty for a file of the user.
    """

    path: Path
    name: str
    n_bytes: int
    n_context: int | None
    context_bytes: int
    owner: str = ""

    def needed_bytes(self, n_context: int) -> int:
        """Return about how much memory it takes with so many tokens of context."""
        return self.n_bytes + n_context * self.context_bytes + _WORKING_BYTES

    def fit(self, n_context: int) -> str:
        """Say how its need compares with what is free."""
        needed, free = self.needed_bytes(n_context), free_bytes()
        verdict = "fits" if needed <= free else "does not fit"
        return f"needs {size(needed)} of memory, {size(free)} are free: it {verdict}"


def free_bytes() -> int:
    """Return the memory that a model may take now."""
    return int(psutil.virtual_memory().available)


def size(n_bytes: int) -> str:
    """Return a size for people."""
    return f"{n_bytes / _GIB:.1f} GB" if n_bytes >= _GIB else f"{n_bytes >> 20} MB"


def advice() -> str:
    """Say in words where model files come from, and how large one may be here."""
    room = max(free_bytes() / _GIB - _LEFT_FREE, 0.0)
    return (
        "Model files (.gguf) are fetched by LM Studio, GPT4All or Ollama, or by a browser from"
        f" huggingface.co; this program fetches none. {room:.0f} GB of memory can be used here now:"
        f" a model of up to about {room / _BYTES_OF_A_WEIGHT:.0f} billion parameters at 4 bits; one"
        " of 4 to 8 billion answers well, a smaller one quickly."
    )


def read_model_file(path: Path, owner: str = "", name: str = "") -> ModelFile:
    """Read the head of a model file.

    Args:
        path: Of the file.
        owner: The program that keeps it.
        name: That it has there. Those in the heads are for machines ("Smollm2 135M 8k Mix1 Ep2"):
            without one the file's own counts.

    Raises:
        ModelError: NO_MODEL, when it is not there or is none.
    """
    try:
        with path.open("rb") as file:
            n_bytes = os.fstat(file.fileno()).st_size
            told = dict(_entries(file))
    except (OSError, struct.error, KeyError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no GGUF file, or is damaged"
        raise ModelError(
            ModelErrorKind.NO_MODEL,
            f"The model file {path} cannot be read: {why}.",
            "Choose it again, or fetch it anew; a drive that it lies on has to be there.",
        ) from error
    architecture = str(told.get("general.architecture", ""))

    def number(name: str, usual: int = 0) -> int:
        value = told.get(f"{architecture}.{name}", usual)
        return value if isinstance(value, int) and value > 0 else usual

    n_heads = number("attention.head_count", 1)
    width = number("embedding_length") // n_heads
    widths = number("attention.key_length", width) + number("attention.value_length", width)
    n_kept = number("attention.head_count_kv", n_heads)
    return ModelFile(
        path,
        name or path.stem,
        n_bytes,
        number("context_length") or None,
        number("block_count") * n_kept * widths * _BYTES_OF_A_NUMBER,
        owner,
    )


def _entries(file: BinaryIO) -> Iterator[tuple[str, Value]]:
    """Yield what stands in the head before the vocabulary; lists are passed over."""
    if file.read(4) != _MAGIC:
        raise ValueError("no GGUF")
    _version, _n_tensors, n_entries = _unpacked(file, "<IQQ")
    for _ in range(min(n_entries, _MAX_ENTRIES)):
        name = _text(file)
        if name.startswith(_VOCABULARY):
            return
        (kind,) = _unpacked(file, "<I")
        if kind == _LIST:
            inner, n_values = _unpacked(file, "<IQ")
            if inner == _TEXT:
                for _text_no in range(min(n_values, _MAX_ENTRIES)):
                    _text(file)
            else:
                file.seek(struct.calcsize(_SCALARS[inner]) * n_values, os.SEEK_CUR)
        else:
            yield name, _text(file) if kind == _TEXT else _unpacked(file, _SCALARS[kind])[0]


def _unpacked(file: BinaryIO, form: str) -> tuple[int, ...]:
    return struct.unpack(form, file.read(struct.calcsize(form)))


def _text(file: BinaryIO) -> str:
    (length,) = _unpacked(file, "<Q")
    if length > _MAX_TEXT:
        raise ValueError("a text too long")
    return file.read(length).decode()


def found_files() -> tuple[ModelFile, ...]:
    """Return the models that GPT4All, LM Studio and Ollama keep here, by program and name."""
    found = []
    for owner, name, path in _kept():
        try:
            file = read_model_file(path, owner, name)
        except ModelError:
            continue
        # A part of a vision model that reads pictures answers nothing by itself.
        if file.context_bytes:
            found.append(file)
    return tuple(sorted(found, key=lambda one: (one.owner, one.name.lower())))


def _kept() -> Iterator[tuple[str, str, Path]]:
    """Yield program, the name that it has for a model if any, and file."""
    home = Path.home()
    data = {
        "darwin": home / "Library" / "Application Support",
        "win32": Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")),
    }.get(sys.platform, Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share"))
    folders = (
        ("GPT4All", data / "nomic.ai" / "GPT4All"),
        ("LM Studio", home / ".lmstudio" / "models"),
        ("LM Studio", home / ".cache" / "lm-studio" / "models"),
    )
    for owner, folder in folders:
        for path in sorted(folder.rglob("*.gguf")):
            yield owner, "", path
    own = os.environ.get("OLLAMA_MODELS")
    shared = Path("/usr/share/ollama/.ollama/models")
    for models in [Path(own)] if own else [home / ".ollama" / "models", shared]:
        for manifest in sorted(models.glob("manifests/*/*/*/*")):
            digest = _digest(manifest)
            if digest:
                name = f"{manifest.parent.name}:{manifest.name}"
                yield "Ollama", name, models / "blobs" / digest.replace(":", "-")


def _digest(manifest: Path) -> str:
    """Return the digest of the model that a manifest of Ollama names; empty for none."""
    try:
        layers = json.loads(manifest.read_bytes())["layers"]
        own = (one["digest"] for one in layers if one["mediaType"] == _OLLAMA_MODEL)
        return str(next(own, ""))
    except (OSError, ValueError, KeyError, TypeError):
        return ""
