"""The model of relevance as it is fitted: where it starts, that it learns, and from what."""

from __future__ import annotations

import csv
import math
import random
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from safetensors.numpy import load_file

from desktop_qa.answer.ranking import Measured
from desktop_qa.answer.trial import current_trial
from desktop_qa.core.question import Question
from desktop_qa.index.embedding_engines import changed_weights
from desktop_qa.index.reranker import QuantizedModel
from desktop_qa.paths import asset

SCRIPT = "fit_relevance"


@pytest.fixture(scope="module")
def collecting(script) -> ModuleType:
    import collect_lessons

    return collect_lessons  # type: ignore[no-any-return]


def test_the_model_starts_as_its_package_has_it_and_has_the_weights_that_ship(script):
    own = dict(QuantizedModel())
    differences = script.Relevance().differences()
    start = changed_weights(own, differences)
    layers = [name for name in start if not name.startswith("classifier.")]
    assert all(np.array_equal(start[name], own[name]) for name in layers)
    assert np.allclose(start["classifier.weight"], own["classifier.weight"] / 2, atol=1e-3)
    shipped = load_file(asset("resources/models/relevance.safetensors"))
    assert {n: v.shape for n, v in shipped.items()} == {n: v.shape for n, v in differences.items()}


def test_fitting_moves_the_right_statement_up_and_goes_on_from_what_was_fitted(script, monkeypatch):
    monkeypatch.setattr(script, "QUESTIONS_A_STEP", 4)
    shipped = asset("resources/models/relevance.safetensors")
    model = script.Relevance()
    model.start_at(shipped)
    own = load_file(shipped)
    assert all(np.allclose(values, own[name]) for name, values in model.differences().items())
    question, texts = "Supply current?", ["IDD: typ 2 mA. | Supply", "Weight: 1 g."]
    before = model.odds(question, texts).tolist()
    assert before[0] > before[1]
    script.fit(model, [script.Lesson(question, (texts[1],), (texts[0],))] * 20, n_epochs=1)
    after = model.odds(question, texts).tolist()
    assert after[1] - after[0] > before[1] - before[0]


def test_of_a_lesson_without_its_right_statements_none_that_holds_the_answer_is_left(script):
    lesson = script.Lesson("How warm?", ("TJ: 150 °C.",), ("Pins: 8.",), ("Up to 150 °C.",))
    seen = {tuple(script.drawn(lesson, random.Random(n))[1]) for n in range(99)}
    assert seen == {("TJ: 150 °C.", "Pins: 8."), ("Pins: 8.",)}
    named = script.Lesson("LM5067 warmth", ("TJ: 150 °C. | LM5067",), (), (), ("MAX5938",))
    drawn = [script.drawn(named, random.Random(n)) for n in range(99)]
    assert ("LM5067 warmth", ["TJ: 150 °C. | MAX5938"], 0) in drawn


def test_lessons_are_read_as_they_were_written(script, tmp_path):
    lessons = [script.Lesson("How warm?", ("150 °C",), ("8",), (), ("MAX5938",), "a.pdf", True)]
    script.write_lessons(tmp_path / "lessons.gz", lessons)
    assert script.read_lessons(tmp_path / "lessons.gz") == lessons


def test_the_area_under_the_curve_is_the_share_of_pairs_in_order(script):
    assert script.area_under_curve([3.0, 1.0, 2.0, 1.0], [True, True, False, False]) == 0.625
    assert math.isnan(script.area_under_curve([1.0], [True]))


def test_a_lesson_has_what_answers_what_does_not_and_what_may(collecting, tmp_path):
    said = {
        "Weight: max 5 g.": "sheet",
        "Supply current: max 5 mA.": "sheet",
        "Sleep current: max 5 mA.": "sheet",
        "Supply current: max 5 mA. ": "another",
    }
    statements = [
        SimpleNamespace(
            text=text,
            about="",
            evidence=SimpleNamespace(segment=SimpleNamespace(document_id=document)),
        )
        for text, document in said.items()
    ]

    class Played:
        def statuses(self) -> list[SimpleNamespace]:
            titles = {"sheet": "ABC1", "another": "ABC2"}
            return [
                SimpleNamespace(files=[f"{name}.pdf"], document_id=name, title=title)
                for name, title in titles.items()
            ]

        def ask(self, question: Question) -> None:
            trial = current_trial()
            features = [{"words": float(n)} for n in range(len(statements))]
            trial.measured.append(Measured(tuple(statements), tuple(said), tuple(features)))
            pytest.fail(f"{question.text} is answered, which teaches nothing")

    questions = tmp_path / "questions.tsv"
    questions.write_text(
        "file\tquestion\tanswer\trow\n"
        "sheet.pdf\tHow much does it draw?\t5 mA\tSupply current\n"
        "sheet.pdf\tHow loud is it?\t\t\n"
        "elsewhere.pdf\tHow long is it?\t5 mm\t\n",
        encoding="utf-8",
    )
    first, second = collecting.lessons_of(Played(), questions, {"words": 1.0})
    weight, right, alike, elsewhere = said
    assert (first.right, first.alike) == ((right,), (alike,))
    assert first.wrong == (elsewhere, weight)
    assert not first.is_first_right
    assert second.right == ()
    assert second.wrong == (elsewhere, alike, right, weight)


def test_other_documents_are_told_of_what_names_its_own(collecting):
    titles = {"a": "LM5067 Hot Swap Controller", "b": "MAX5938 Hot Swap Controller"}
    right = ("Timer current: typ 74 µA. | LM5067 Hot Swap Controller",)

    def others(question: str, right: tuple[str, ...]) -> tuple[str, ...]:
        found: tuple[str, ...] = collecting._others(question, "a", titles, right)
        return found

    assert others("LM5067 timer current", right) == ("MAX5938 Hot Swap Controller",)
    assert others("timer current of the hot swap controller", right) == ()
    assert others("LM5067 timer current", ("The LM5067 has a timer. | LM5067",)) == ()


def test_every_question_has_its_document_and_its_answer(collecting):
    with collecting.QUESTIONS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) > 13_000
    assert all(row["file"].endswith(".pdf") and row["question"] for row in rows)
    assert 0.2 < sum(not row["answer"] for row in rows) / len(rows) < 0.3
    assert len({row["file"] for row in rows}) > 100
