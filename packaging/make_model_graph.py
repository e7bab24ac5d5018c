"""Writes the graph of the embedding model that onnxruntime runs: a BERT encoder, pooled.

    python packaging/make_model_graph.py resources/models

The graph holds the model's arithmetic and none of its weights. A weight is declared by its name,
shape and type as it stands in the `model.safetensors` of the model's own package, and put in when
the graph is loaded (`desktop_qa/index/embedding_engines.py`). So the file has some 25 kB, lies in
the repository, and torch is not needed to make vectors. A test compares it with what is made here.

Source: Devlin et al., "BERT", 2019; Reimers and Gurevych, "Sentence-BERT", 2019 (mean pooling).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 20
"""The first with Gelu; of onnxruntime 1.17 and later."""

IR_VERSION = 9
"""What came with that opset."""


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """What the model's config.json says; the defaults are all-MiniLM-L6-v2."""

    n_layers: int = 6
    n_heads: int = 12
    n_dimensions: int = 384
    n_inner: int = 1536
    n_words: int = 30522
    n_positions: int = 512
    n_segments: int = 2
    epsilon: float = 1e-12


class _GraphWriter:
    """Nodes, weights and constants, in the order in which they are asked for."""

    def __init__(self, shape: EncoderShape) -> None:
        self._shape = shape
        self._nodes: list[onnx.NodeProto] = []
        self._tensors: list[onnx.TensorProto] = []

    def encoder(self) -> onnx.ModelProto:
        """Return the graph: token ids and mask, both (n, t) int64, to vectors (n, d), float32."""
        vectors = self._pooled(self._encoded(), self._floats("attention_mask"))
        self._nodes.append(helper.make_node("LpNormalization", [vectors], ["vectors"], axis=1, p=2))
        texts = [
            helper.make_tensor_value_info(one, TensorProto.INT64, ["n_texts", "n_tokens"])
            for one in ("input_ids", "attention_mask")
        ]
        result = helper.make_tensor_value_info(
            "vectors", TensorProto.FLOAT, ["n_texts", self._shape.n_dimensions]
        )
        graph = helper.make_graph(self._nodes, "encoder", texts, [result], self._tensors)
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
        )

    def _encoded(self) -> str:
        shape = self._shape
        d = shape.n_dimensions
        words = self._weight("embeddings.word_embeddings.weight", shape.n_words, d)
        positions = self._weight("embeddings.position_embeddings.weight", shape.n_positions, d)
        segments = self._weight("embeddings.token_type_embeddings.weight", shape.n_segments, d)
        # All tokens are of the first segment: the second is that of pairs of texts.
        first = self._node("Gather", segments, self._constant(np.int64(0)))
        n_tokens = self._node("Shape", "input_ids", start=1, end=2)
        zero = self._constant(np.array([0]))
        places = self._node("Slice", self._node("Add", positions, first), zero, n_tokens, zero)
        hidden = self._node("Add", self._node("Gather", words, "input_ids"), places)
        hidden = self._normalised(hidden, "embeddings.LayerNorm")
        ignored = self._ignored_keys()
        for n in range(shape.n_layers):
            hidden = self._layer(hidden, ignored, f"encoder.layer.{n}")
        return hidden

    def _ignored_keys(self) -> str:
        """What is added to attention scores, (n, 1, 1, t): padding gets all but no weight."""
        mask = self._node("Cast", "attention_mask", to=TensorProto.FLOAT)
        mask = self._node("Unsqueeze", mask, self._constant(np.array([1, 2])))
        padding = self._node("Sub", self._constant(np.float32(1.0)), mask)
        return self._node("Mul", padding, self._constant(np.float32(-10000.0)))

    def _layer(self, hidden: str, ignored: str, name: str) -> str:
        d, n_inner = self._shape.n_dimensions, self._shape.n_inner
        attended = self._attention(hidden, ignored, f"{name}.attention.self")
        attended = self._linear(attended, f"{name}.attention.output.dense", d, d)
        hidden = self._node("Add", attended, hidden)
        hidden = self._normalised(hidden, f"{name}.attention.output.LayerNorm")
        inner = self._node("Gelu", self._linear(hidden, f"{name}.intermediate.dense", d, n_inner))
        inner = self._linear(inner, f"{name}.output.dense", n_inner, d)
        return self._normalised(self._node("Add", inner, hidden), f"{name}.output.LayerNorm")

    def _attention(self, hidden: str, ignored: str, name: str) -> str:
        d, n_heads = self._shape.n_dimensions, self._shape.n_heads
        n_each = d // n_heads
        by_head = self._constant(np.array([0, 0, n_heads, n_each]))

        def heads(part: str, order: list[int]) -> str:
            rows = self._node("Reshape", self._linear(hidden, f"{name}.{part}", d, d), by_head)
            return self._node("Transpose", rows, perm=order)

        scores = self._node("MatMul", heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]))
        scores = self._node("Div", scores, self._constant(np.float32(np.sqrt(n_each))))
        shares = self._node("Softmax", self._node("Add", scores, ignored), axis=-1)
        mixed = self._node("MatMul", shares, heads("value", [0, 2, 1, 3]))
        mixed = self._node("Transpose", mixed, perm=[0, 2, 1, 3])
        return self._node("Reshape", mixed, self._constant(np.array([0, 0, d])))

    def _floats(self, mask: str) -> str:
        return self._node("Cast", mask, to=TensorProto.FLOAT)

    def _pooled(self, hidden: str, mask: str) -> str:
        """The sum of the tokens' vectors: their mean, once it is brought to length 1."""
        mask = self._node("Unsqueeze", mask, self._constant(np.array([2])))
        kept = self._node("Mul", hidden, mask)
        return self._node("ReduceSum", kept, self._constant(np.array([1])), keepdims=0)

    def _linear(self, values: str, name: str, n_in: int, n_out: int) -> str:
        # As torch keeps it, output first; onnxruntime turns it round once, as it loads.
        weight = self._node("Transpose", self._weight(f"{name}.weight", n_out, n_in), perm=[1, 0])
        product = self._node("MatMul", values, weight)
        return self._node("Add", product, self._weight(f"{name}.bias", n_out))

    def _normalised(self, values: str, name: str) -> str:
        d = self._shape.n_dimensions
        scale, shift = self._weight(f"{name}.weight", d), self._weight(f"{name}.bias", d)
        return self._node("LayerNormalization", values, scale, shift, epsilon=self._shape.epsilon)

    def _weight(self, name: str, *shape: int) -> str:
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape)
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="model.safetensors")
        self._tensors.append(tensor)
        return name

    def _constant(self, value: npt.NDArray[np.generic] | np.generic) -> str:
        name = f"constant_{len(self._tensors)}"
        self._tensors.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def _node(self, operator: str, *inputs: str, **attributes: object) -> str:
        name = f"{operator.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name


def make_encoder(shape: EncoderShape) -> onnx.ModelProto:
    """Return the graph of a BERT encoder with mean pooling and vectors of length 1."""
    return _GraphWriter(shape).encoder()


def main() -> None:
    """Write the graph to the folder named on the command line."""
    model = make_encoder(EncoderShape())
    path = Path(sys.argv[1]) / "all-MiniLM-L6-v2.onnx"
    path.write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
