"""The model that reads two texts as one: its weights are read, changed and quantized again."""

import numpy as np

from desktop_qa.index.reranker import SHAPE, QuantizedModel


def test_weights_that_are_put_back_are_those_read_but_for_rounding():
    model = QuantizedModel()
    before = dict(model)
    inner = "bert.encoder.layer.11.intermediate.dense.weight"
    assert before[inner].shape == (SHAPE["intermediate_size"], SHAPE["hidden_size"])
    doubled = {inner: 2.0 * before[inner], "classifier.bias": np.float32([3.0])}
    model.change(doubled)
    after = dict(model)
    step = (doubled[inner].max() - doubled[inner].min()) / 255
    assert np.abs(after[inner] - doubled[inner]).max() <= step
    assert after["classifier.bias"].item() == 3.0
    others = set(before) - set(doubled)
    assert all(np.array_equal(before[name], after[name]) for name in others)
