from __future__ import annotations

import pytest

from desktop_qa.evaluate.bank import EvidenceItem, GoldQuestion
from desktop_qa.evaluate.metrics import Rank
from desktop_qa.evaluate.results import QuestionResult, RankMeasures, Report
from desktop_qa.evaluate.systems import (
    System,
    difference,
    systems_json,
    systems_markdown,
    systems_rows,
)


def _report(ranks: dict[str, Rank], n_tokens: int = 100) -> Report:
    results = [
        QuestionResult(
            GoldQuestion(name, name, "fact", evidence=(EvidenceItem("a.pdf", 1),)),
            RankMeasures((rank,), n_unlocated=0, n_in_context=5, n_segments=10),
            None,
        )
        for name, rank in ranks.items()
    ]
    return Report(tuple(results), (n_tokens,) * 10)


_FULL = System("whole", _report({f"Q{i}": 1 for i in range(20)}), "HCA")
_WORSE = System("less", _report({f"Q{i}": 1 if i < 5 else 4 for i in range(20)}))
_ALIKE = System("alike", _report({f"Q{i}": 2 if i == 0 else 1 for i in range(20)}, n_tokens=401))


def test_difference_is_that_of_the_questions_both_have():
    other = _report({"Q0": 4, "Q1": 1, "X": 9})
    found = difference(_FULL.report, other, "hit@1")
    assert found.mean == pytest.approx(-0.5)
    assert difference(_FULL.report, other, "answer_score") is None
    assert difference(_FULL.report, _report({"X": 1}), "hit@1") is None


def test_difference_is_clear_when_its_interval_leaves_zero_out():
    worse = difference(_FULL.report, _WORSE.report, "hit@1")
    alike = difference(_FULL.report, _ALIKE.report, "hit@1")
    assert worse.mean == pytest.approx(-0.75)
    assert worse.low < -0.75 < worse.high < 0
    assert worse.is_clear
    assert not alike.is_clear


def test_tables_have_a_row_for_each_system_and_mark_what_is_clear():
    systems = [_FULL, _WORSE, _ALIKE]
    markdown = systems_markdown(systems)
    assert "| whole  | 10 |    1.000 |" in markdown
    assert markdown.count("| less   |") == 2
    (row,) = [line for line in markdown.splitlines() if line.startswith("| less   | -")]
    assert row.split("|")[3].strip().endswith("*")
    assert "alike: hit@k is not valid: 10 of 10 segments have more than 400 tokens" in markdown
    assert "less: hit@k" not in markdown
    assert systems_json(systems)[0]["paper"] == "HCA"
    assert systems_json(systems)[1]["difference"]["hit@1"]["mean"] == -0.75


def test_rows_for_other_programs_name_the_system():
    rows = systems_rows([_FULL, _WORSE])
    assert len(rows) == 40
    assert rows[0][:2] == ["whole", "Q0"]
    assert rows[-1][:2] == ["less", "Q19"]
