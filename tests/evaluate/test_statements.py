"""How statements are ordered is fitted so that the right one of a question stands first."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

from desktop_qa.answer.candidates import candidates
from desktop_qa.answer.ranking import FEATURES, Measured, ranked
from desktop_qa.answer.trial import trial
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.statements import (
    LabelledStatements,
    fit_statements,
    in_order,
    label,
    statements_toml,
)
from tests.answer.own_datasheet import task_of
from tests.helpers.tables import Sheet


def _questions(n: int) -> list[LabelledStatements]:
    """Questions of five statements; the right one has most of the first feature, which is noisy."""
    generator = np.random.default_rng(24)
    found = []
    for _ in range(n):
        rows = generator.normal(0.0, 1.0, (5, len(FEATURES)))
        right = np.arange(5) == generator.integers(5)
        rows[right, 0] += 4.0
        found.append(LabelledStatements(rows, right))
    return found


def test_what_tells_the_right_statement_gets_the_weight():
    weights = in_order(fit_statements([_questions(200), _questions(50)]))
    assert weights[0] > 4 * np.abs(weights[1:]).max()
    unseen = _questions(40)
    assert np.mean([one.is_right_within(weights, 1) for one in unseen]) > 0.9


def test_nothing_can_be_fitted_without_a_question():
    with pytest.raises(ValueError, match="needed"):
        fit_statements([])


def test_the_lines_of_the_resource_have_every_weight():
    weights = dict.fromkeys(FEATURES, 0.5)
    assert tomllib.loads(statements_toml(weights))["weights"] == weights


def _measured(question: str) -> list[Measured]:
    sheet = Sheet("DQA1").add_table(
        [["PARAMETER", "MAX", "UNIT"], ["Supply current", "5", "mA"], ["Input current", "7", "nA"]],
        "Electrical characteristics",
    )
    task = task_of(question, sheet)
    with trial() as met:
        ranked(task, candidates(task, task.usable))
    return met.measured


def test_statements_are_right_that_hold_the_gold_answer():
    text = "What is the maximum supply current of the DQA1?"
    question = GoldQuestion("Q", text, "table", answer_any=("5 mA",))
    found = label(question, _measured(text))
    assert found.right.sum() == 1
    assert found.rows.shape == (len(found.right), len(FEATURES))


def test_a_question_whose_answer_no_statement_holds_is_none_to_fit_on():
    text = "What is the maximum supply current of the DQA1?"
    assert label(GoldQuestion("Q", text, "table", answer_any=("9 kV",)), _measured(text)) is None
