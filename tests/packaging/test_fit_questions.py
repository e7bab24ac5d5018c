"""The model that questions are embedded by: where it starts, that it learns, and the weights."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from desktop_qa.paths import asset
from desktop_qa.retrieve.fusion import COLUMNS, Components
from tests.helpers.command_line import REPOSITORY


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(REPOSITORY / "packaging")
        import fit_questions

        yield fit_questions


def test_fitting_brings_a_question_to_the_segment_that_answers(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "QUESTIONS_A_STEP", 2)
    model = script.QuestionEncoder()
    shipped = load_file(asset("resources/models/questions.safetensors"))
    shapes = {name: values.shape for name, values in model.differences().items()}
    assert {name: values.shape for name, values in shipped.items()} == shapes
    with torch.no_grad():
        vectors = model(["Continuous drain current: max 9.4 A", "Pins", "Weight: 1 g"])
        asked = "How many amps can it switch?"
        before = (model([asked]) @ vectors.T)[0]
        lesson = script.Lesson(asked, np.array([2]), np.array([0, 1, 2]), None)
        torch.set_grad_enabled(True)
        script.fit(model, [lesson] * 4, vectors)
        after = (model([asked]) @ vectors.T)[0]
    assert after[2] - after[0] > before[2] - before[0]


def test_a_column_that_tells_the_answer_gets_weight(script: ModuleType) -> None:
    draw = np.random.default_rng(1)

    def lesson() -> object:
        columns = {name: draw.random(20) for name in COLUMNS}
        right = draw.integers(20)
        columns["value"][right] = 5.0
        rows = np.arange(20)
        return script.Lesson("", np.array([right]), rows, Components(**columns))

    weights = script.fit_weights([lesson() for _ in range(30)])
    assert weights["vector"] + weights["lexical"] == pytest.approx(1.0)
    assert max(weights, key=lambda name: weights[name]) in ("value", "structure")
    assert weights["value"] > 0.5
