"""The graph of the embedded model: what lies in the repository is what the script makes."""

import json

import numpy as np
import onnx
from safetensors import safe_open

from desktop_qa.paths import asset
from desktop_qa.tokens import model_folder

GRAPH = asset("resources/models/all-MiniLM-L6-v2.onnx")


SCRIPT = "make_model_graph"


def test_the_graph_in_the_repository_is_that_which_the_script_makes(script):
    kept = onnx.load(GRAPH, load_external_data=False)
    assert kept == script.make_encoder(script.EncoderShape())
    assert GRAPH.stat().st_size < 50_000


def test_the_graph_has_the_shape_that_the_model_tells_of_itself(script):
    told = json.loads((model_folder() / "config.json").read_text(encoding="utf-8"))
    shape = script.EncoderShape()
    assert told["hidden_act"] == "gelu"
    assert (shape.n_layers, shape.n_heads) == (
        told["num_hidden_layers"],
        told["num_attention_heads"],
    )
    assert shape.epsilon == told["layer_norm_eps"]


def test_every_weight_of_the_graph_is_in_the_package_of_the_model():
    graph = onnx.load(GRAPH, load_external_data=False).graph
    weights = {
        tensor.name: list(tensor.dims)
        for tensor in graph.initializer
        if tensor.data_location == onnx.TensorProto.EXTERNAL
    }
    with safe_open(model_folder() / "model.safetensors", "numpy") as file:
        kept = {name: file.get_slice(name).get_shape() for name in file.keys()}  # noqa: SIM118
        unused = set(kept) - set(weights)
        assert {name: kept[name] for name in weights} == weights
        assert file.get_tensor("embeddings.word_embeddings.weight").dtype == np.float32
    assert unused == {"embeddings.position_ids", "pooler.dense.bias", "pooler.dense.weight"}
