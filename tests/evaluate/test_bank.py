from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_qa.evaluate.bank import BankError, EvidenceItem, read_bank

_GOOD: dict[str, Any] = {
    "id": "Q1",
    "question": "How long?",
    "type": "table",
    "answer_any": ["25 µs"],
    "evidence": [{"file": "a.pdf", "page": 4, "contains": "Propagation delay"}],
}


def _bank(folder: Path, *rows: dict[str, Any] | str) -> Path:
    path = folder / "bank.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_question_is_read_with_all_its_gold(tmp_path):
    choice = _GOOD | {
        "id": "Q2",
        "options": {"A": "one", "B": "two"},
        "correct": ["B"],
        "answer_all": [["1", "one"], ["2"]],
        "steps": ["Open it.", "Close it."],
    }
    first, second = read_bank(_bank(tmp_path, _GOOD, "", choice))
    assert first.evidence == (EvidenceItem("a.pdf", 4, "Propagation delay"),)
    assert not first.negative
    assert second.options == {"A": "one", "B": "two"}
    assert second.answer_all == (("1", "one"), ("2",))
    assert second.steps == ("Open it.", "Close it.")


def test_negative_question_needs_no_evidence(tmp_path):
    row = {"id": "N", "question": "Weather?", "type": "negative", "negative": True, "kind": "off"}
    (question,) = read_bank(_bank(tmp_path, row))
    assert question.negative
    assert question.kind == "off"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"question": ""}, "- at `$.question`"),
        ({"type": None}, "- at `$.type`"),
        ({"evidence": []}, "not marked negative"),
        ({"evidence": [{"file": "a.pdf", "page": 0}]}, ">= 1 - at `$.evidence[0].page`"),
        ({"evidence": [{"page": 1}]}, "missing required field `file`"),
        ({"answer_any": "25"}, "Expected `array`, got `str` - at `$.answer_any`"),
        ({"answer_all": ["25"]}, "Expected `array`, got `str` - at `$.answer_all[0]`"),
        ({"correct": ["C"]}, '"correct" must name letters'),
        ({"verdict": "maybe"}, '"verdict" must be'),
        ({"negative": 1}, "Expected `bool`, got `int` - at `$.negative`"),
        ({"id": "Q1"}, 'the id "Q1" stands there twice'),
    ],
)
def test_malformed_question_is_reported_with_its_line(tmp_path, change, complaint):
    path = _bank(tmp_path, _GOOD, _GOOD | {"id": "Q2"} | change)
    with pytest.raises(BankError) as caught:
        read_bank(path)
    assert "bank.jsonl, line 2: " in caught.value.message
    assert complaint in caught.value.message


def test_line_that_is_no_json_is_reported_with_its_place(tmp_path):
    with pytest.raises(BankError, match="line 2: JSON is malformed"):
        read_bank(_bank(tmp_path, _GOOD, "oops"))


def test_missing_and_empty_files_are_errors_of_the_user(tmp_path):
    with pytest.raises(BankError, match="cannot be read"):
        read_bank(tmp_path / "none.jsonl")
    with pytest.raises(BankError, match="holds no question"):
        read_bank(_bank(tmp_path, ""))


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "n_questions"), [("dev", 90), ("howto", 44), ("negative", 46), ("types", 36)]
)
def test_banks_beside_the_repository_are_read(shared, name, n_questions):
    assert len(read_bank(shared / "eval" / f"{name}.jsonl")) == n_questions
