"""The model of relevance as it is fitted: where it starts, and that it learns."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest
from safetensors.numpy import load_file

from desktop_qa.index.embedding_engines import fitted_weights
from desktop_qa.paths import asset
from desktop_qa.tokens import model_folder
from tests.helpers.command_line import REPOSITORY


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(REPOSITORY / "packaging")
        import fit_relevance

        yield fit_relevance


def test_the_model_starts_as_the_embedding_model_and_has_the_weights_that_ship(
    script: ModuleType,
) -> None:
    own = load_file(model_folder() / "model.safetensors")
    differences = script.Relevance().differences()
    start = fitted_weights(own, differences)
    assert all(np.array_equal(start[name], weight) for name, weight in own.items())
    shipped = load_file(asset("resources/models/relevance.safetensors"))
    assert {n: v.shape for n, v in shipped.items()} == {n: v.shape for n, v in differences.items()}


def test_fitting_moves_the_right_statement_up(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "EPOCHS", 3)
    monkeypatch.setattr(script, "QUESTIONS_A_STEP", 2)
    lesson = script.Lesson(
        "How warm may it get?", ("TJ: max 150 °C.",), ("Pins: 8.", "Weight: 1 g.")
    )
    model = script.Relevance()
    script.fit(model, [lesson] * 4)
    differences = model.differences()
    assert any(values.any() for name, values in differences.items() if name.endswith(".b"))


def test_what_was_fitted_before_is_gone_on_from(script: ModuleType) -> None:
    shipped = asset("resources/models/relevance.safetensors")
    model = script.Relevance()
    model.start_at(shipped)
    own = load_file(shipped)
    assert all(np.allclose(values, own[name]) for name, values in model.differences().items())
    model.eval()
    question, texts = "Supply current?", ["IDD: typ 2 mA. | Supply", "Weight: 1 g."]
    before = model.odds(question, texts).tolist()
    assert before[0] > before[1]
    lesson = script.Lesson(question, (texts[1],), (texts[0],))
    script.fit(model, [lesson] * 4 * script.QUESTIONS_A_STEP, goes_on=True)
    model.eval()
    after = model.odds(question, texts).tolist()
    assert after[1] - after[0] > before[1] - before[0]


def test_other_documents_are_told_of_what_names_its_own(script: ModuleType) -> None:
    titles = {"a": "LM5067 Hot Swap Controller", "b": "MAX5938 Hot Swap Controller"}
    right = ("Timer current: typ 74 µA. | LM5067 Hot Swap Controller",)

    def others(question: str, right: tuple[str, ...]) -> tuple[str, ...]:
        found: tuple[str, ...] = script._others(question, "a", titles, right)
        return found

    assert others("LM5067 timer current", right) == ("MAX5938 Hot Swap Controller",)
    assert others("timer current of the hot swap controller", right) == ()
    assert others("LM5067 timer current", ("The LM5067 has a timer. | LM5067",)) == ()


def test_every_question_has_its_document_and_its_answer(script: ModuleType) -> None:
    with script.QUESTIONS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) > 3000
    assert all(row["file"].endswith(".pdf") and row["question"] for row in rows)
    assert 0 < sum(not row["answer"] for row in rows) < 0.1 * len(rows)
    assert len({row["file"] for row in rows}) > 100
