from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from desktop_qa.core.errors import ExportError, LibraryError
from desktop_qa.core.folders import FileRecord
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.segment import SegmentId
from desktop_qa.evaluate.bank import BankError, read_banks
from desktop_qa.evaluate.report import report_json, report_markdown
from desktop_qa.evaluate.results import MEASURES, QuestionResult, Report
from desktop_qa.evaluate.runner import RelevanceIndex, evaluate_bank, listed_files, measure_ranking
from desktop_qa.evaluate.tables import QUESTION_COLUMNS, question_rows, write_csv, write_text
from desktop_qa.index.store import Store
from tests.helpers.libraries import open_library
from tests.helpers.sample_documents import make_sample, make_status


def _row(name: str, kind: str = "fact", file: str = "a.pdf", page: int = 1) -> dict[str, Any]:
    return {
        "id": name,
        "question": f"What of {name}?",
        "type": kind,
        "answer_any": ["5 mA"],
        "evidence": [{"file": file, "page": page}],
    }


def _bank(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def library(tmp_path, source_folder) -> Any:
    folder = tmp_path / "library"
    store = Store.open(folder)
    a = make_sample("a", ("supply current 5 mA", "offset voltage 3 mV"))
    b = make_sample("b", ("dropout voltage 200 mV",))
    source = store.add_source(source_folder)
    for sample, file in ((a, "a.pdf"), (b, "b.pdf")):
        store.put_files(source.id, [FileRecord(file, 1, 1, sample.document.id)])
        sample.save_in(store)
    store.close()
    with open_library(folder, read_only=True) as opened:
        yield opened


def test_banks_are_pooled_in_their_order(tmp_path):
    first = _bank(tmp_path / "one.jsonl", _row("Q2"), _row("Q1"))
    second = _bank(tmp_path / "two.jsonl", _row("Q3"))
    assert [q.id for q in read_banks([first, second])] == ["Q2", "Q1", "Q3"]


def test_id_in_two_banks_is_refused_with_both_of_them(tmp_path):
    first = _bank(tmp_path / "one.jsonl", _row("Q1"))
    second = _bank(tmp_path / "two.jsonl", _row("Q2"), _row("Q1"))
    with pytest.raises(BankError, match=r'"Q1" stands in .*one\.jsonl and in .*two\.jsonl'):
        read_banks([first, second])


def test_question_about_a_file_that_is_not_there_is_left_out_and_named(tmp_path, library):
    bank = read_banks(
        [_bank(tmp_path / "bank.jsonl", _row("Q1"), _row("Q2", file="c.pdf"), _row("Q3"))]
    )
    report = evaluate_bank(bank, library.segments(), library.rank_all, library.ask)
    figures = report_json(report)
    assert figures["n"] == 2
    assert figures["hit@5"] == 1.0
    assert figures["missing_files"] == [{"id": "Q2", "file": "c.pdf"}]
    told = "1 question was left out, because the library lacks files: c.pdf (Q2)."
    assert told in report_markdown(report)
    assert [row[0] for row in question_rows(report)] == ["Q1", "Q3"]


def test_bank_of_which_no_file_is_there_is_refused(tmp_path, library):
    bank = read_banks([_bank(tmp_path / "bank.jsonl", _row("Q1", file="c.pdf"))])
    with pytest.raises(BankError, match=r"c\.pdf"):
        evaluate_bank(bank, library.segments(), library.rank_all, library.ask)


def test_empty_library_is_refused(tmp_path):
    Store.open(tmp_path / "library").close()
    bank = read_banks([_bank(tmp_path / "bank.jsonl", _row("Q1"))])
    with (
        open_library(tmp_path / "library", read_only=True) as library,
        pytest.raises(LibraryError, match="nothing to measure"),
    ):
        evaluate_bank(bank, library.segments(), library.rank_all, library.ask)


def test_second_path_of_the_same_bytes_is_known_and_a_failed_file_is_not_missing():
    twice = make_status("a.pdf", files=("a.pdf", "copy/a.pdf"))
    failed = make_status("bad.pdf", state=DocumentState.FAILED)
    files = listed_files([twice, failed])
    assert files == {"a.pdf": "a.pdf", "copy/a.pdf": "a.pdf", "bad.pdf": "bad.pdf"}


def test_types_are_reported_together_when_asked_for(tmp_path, library):
    rows = [_row("Q1", "table"), _row("Q2", "sibling"), _row("Q3", "fact", page=9)]
    bank = read_banks([_bank(tmp_path / "bank.jsonl", *rows)])
    report = evaluate_bank(bank, library.segments(), library.rank_all, library.ask)
    by_type = report_json(report, [("table", "sibling"), ("nothing", "else")])["by_type"]
    assert list(by_type) == ["table", "sibling", "fact", "table+sibling"]
    assert by_type["table+sibling"]["n"] == 2
    assert by_type["table+sibling"]["hit@5"] == 1.0
    assert by_type["table+sibling"]["interval"]["hit@5"] == [1.0, 1.0]
    assert by_type["fact"]["hit@5"] == 0.0
    assert "table+sibling" in report_markdown(report, [("table", "sibling")])


def test_table_of_questions_has_a_row_with_ranks_and_all_measures(tmp_path, library):
    rows = [_row("Q1"), _row("Q2", page=9)]
    bank = read_banks([_bank(tmp_path / "bank.jsonl", *rows)])
    report = evaluate_bank(bank, library.segments(), library.rank_all, library.ask)
    path = tmp_path / "questions.csv"
    write_csv(path, QUESTION_COLUMNS, question_rows(report))
    with path.open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert set(MEASURES) < set(first)
    assert int(first["ranks"]) <= 2
    assert first["n_segments"] == "3"
    assert float(first["hit@5"]) == 1.0
    assert second["ranks"] == "-"
    assert float(second["log_rank_index"]) == 0.0
    assert second["step_recall"] == ""


def test_result_without_an_answer_has_rank_measures_only(library, tmp_path):
    (question,) = read_banks([_bank(tmp_path / "bank.jsonl", _row("Q1"))])
    segments = library.segments()
    ranking: list[SegmentId] = [segment.id for segment, _ in segments]
    measured = measure_ranking(
        question,
        ranking,
        RelevanceIndex((segment, "a.pdf") for segment, _ in segments),
        {segment.id: segment.n_tokens for segment, _ in segments},
    )
    report = Report((QuestionResult(question, measured, None),), (3, 3, 3))
    figures = report_json(report)
    assert figures["hit@1"] == 1.0
    assert figures["answer_score"] is None
    assert figures["refusal"] == {"on_negatives": None, "on_positives": None, "by_kind": {}}
    assert question_rows(report)[0][-1] is None


def test_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(ExportError, match="nowhere"):
        write_csv(tmp_path / "nowhere" / "x.csv", ("id",), [])
    with pytest.raises(ExportError, match="nowhere"):
        write_text(tmp_path / "nowhere" / "x.md", "")
