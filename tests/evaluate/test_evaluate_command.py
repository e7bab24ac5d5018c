"""The verbs that measure, from outside."""

import csv
import json
from pathlib import Path

import pytest

from desktop_qa.cli.command_line import main
from tests.helpers import command_line

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("one_model")]

NEGATIVES = Path(__file__).resolve().parents[1] / "data" / "negatives.jsonl"


def test_banks_are_measured_with_baselines_into_all_three_outputs(
    sample_ingest, sample_library, tmp_path
):
    """Over a library that nothing was tuned on, with the shipped models."""
    figures = command_line.run_json_here(
        *("evaluate", NEGATIVES, sample_library / "questions.jsonl", "--baselines"),
        *("--library", sample_ingest.library),
        *("--markdown", tmp_path / "report.md", "--csv", tmp_path / "rows.csv"),
    )
    assert len(figures["baselines"]) == 5
    assert figures["missing_files"] == []
    assert figures["unlocated"] <= 0.02
    assert figures["hit@3"] >= 0.8
    assert figures["hit@1"] > max(one["hit@1"] for one in figures["baselines"]) - 0.2
    assert figures["segment_tokens"]["max"] <= 400
    refusal = figures["refusal"]
    assert refusal["on_negatives"] >= 0.9
    assert refusal["on_positives"] <= 0.08
    # What is unstated is near to what is stated: seven of 23 are given, behind "Not sure".
    for kind in ("absent", "offtopic", "unstated", "jailbreak", "nsfw"):
        assert refusal["by_kind"][kind] >= (0.65 if kind == "unstated" else 0.85), kind
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "| log_rank_index |" in markdown
    assert "| page retrieval " in markdown
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    n_ranked = figures["baselines"][0]["n"]
    assert len(rows) == figures["n"] + 5 * n_ranked
    assert rows[0]["system"] == "this library"


def test_unknown_file_unknown_variant_and_double_id_are_told(sheets_library, tmp_path, capsys):
    bank = tmp_path / "bank.jsonl"
    row = {
        **{"id": "Q", "question": "q", "type": "fact", "answer_any": ["x"]},
        "evidence": [{"file": "nowhere.pdf", "page": 1}],
    }
    bank.write_text(json.dumps(row), encoding="utf-8")
    library = ("--library", str(sheets_library))
    for words, told in (
        ((str(bank),), "nowhere.pdf"),
        ((str(bank), str(bank)), '"Q"'),
        ((str(bank), "--ablation"), "nowhere.pdf"),
        ((str(bank), "--ablation", "--variants", "x"), "There is no variant x."),
        ((str(bank), "--study", "x"), "There is no study x."),
    ):
        assert main(("evaluate", *words, *library)) == 1
        assert told in capsys.readouterr().err


def test_weights_are_printed_and_not_written(sample_ingest, sample_library, fresh_folders):
    done = command_line.run_here(
        *("tune", sample_library / "questions.jsonl", "--folds", "2"),
        *("--library", sample_ingest.library),
    )
    assert done.returncode == 0, done.stderr
    assert "tuned, held out" in done.stdout
    assert "[retrieval]\nalpha = " in done.stdout
    assert not list(fresh_folders.rglob("settings.toml"))
