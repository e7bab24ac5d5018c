"""How gold cells of comparisons are judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_qa.core.answer import Answer, Citation, Evidence
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.core.document import DocumentId
from desktop_qa.core.question import Question
from desktop_qa.core.segment import SegmentId
from desktop_qa.evaluate.bank import BankError
from desktop_qa.evaluate.comparisons import (
    ComparisonReport,
    comparison_json,
    evaluate_comparisons,
    format_comparisons,
    has_comparisons,
    read_comparisons,
)
from tests.helpers.made_answers import make_answer
from tests.helpers.said import said
from tests.helpers.sample_documents import make_segment

FILES = {"one": "A.pdf", "two": "B.pdf"}


def gold(parameter: str, document: str, value: str | None, unit: str = "") -> dict[str, object]:
    return {"parameter": parameter, "document": document, "value": value, "unit": unit}


def evidence(marker: int, document: str) -> Evidence:
    return Evidence(marker, make_segment(document, marker, ""), 0.0, ())


class FakeLibrary:
    """Answers every question with one table."""

    def __init__(self, rows: list[tuple[str, str, str]], swapped: bool = False):
        self.rows, self.swapped = rows, swapped

    def ask(self, question: Question) -> Answer:
        first, second = (2, 1) if self.swapped else (1, 2)
        rows = tuple(
            (
                AnswerCell(label),
                AnswerCell(one, marker=first if one else 0),
                AnswerCell(two, marker=second if two else 0),
            )
            for label, one, two in self.rows
        )
        table = AnswerTable(
            TableUse.COMPARISON,
            "",
            ("Parameter", "A", "B"),
            rows,
            (DocumentId(""), DocumentId("one"), DocumentId("two")),
            tuple(True for _ in rows),
        )
        citations = tuple(
            Citation(m, SegmentId(f"{d}:{m:05d}"), DocumentId(d), (), ())
            for m, d in ((1, "one"), (2, "two"))
        )
        return make_answer(
            question.text,
            (*said("**B** is best. [2]"), table),
            citations=citations,
            evidence=(evidence(1, "one"), evidence(2, "two")),
        )

    def file_of(self, document_id: DocumentId) -> str:
        return FILES[document_id]


def judged(
    tmp_path: Path, cells: list[dict[str, object]], library: FakeLibrary, best: str = ""
) -> ComparisonReport:
    bank = tmp_path / "bank.jsonl"
    row = {"id": "C1", "question": "Compare A and B", "cells": cells, "best": best}
    bank.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return evaluate_comparisons(read_comparisons(bank), library)


@pytest.mark.parametrize(
    ("parameter", "value", "unit", "is_right"),
    [
        ("Supply voltage, minimum", "2.7", "V", True),
        ("Supply voltage, minimum", "2700", "mV", True),
        ("Supply voltage, minimum", "5.5", "V", False),
        ("Supply voltage, maximum", "5.5", "V", True),
        ("Supply voltage, typical", "2.7", "V", False),
        ("Operating supply voltage VDD, minimum", "2.7", "V", True),
        ("Supply current", "2.7", "V", False),
        ("Supply voltage absolute maximum", "5.5", "V", False),
        ("Supply voltage, minimum", "2.7", "A", False),
    ],
)
def test_a_value_is_right_under_its_name_bound_and_unit(tmp_path, parameter, value, unit, is_right):
    library = FakeLibrary([("Supply voltage, VDD", "min 2.7 V, max 5.5 V", "")])
    report = judged(tmp_path, [gold(parameter, "A.pdf", value, unit)], library)
    assert [j.is_right for j in report.judged] == [is_right]


def test_the_other_document_s_value_is_wrong(tmp_path):
    library = FakeLibrary([("Supply voltage", "min 2.7 V", "min 3 V")])
    cells = [gold("Supply voltage, minimum", "A.pdf", "3", "V")]
    assert not judged(tmp_path, cells, library).judged[0].is_right


def test_rows_under_another_condition_do_not_count(tmp_path):
    rows = [
        ("On-resistance, TJ = 25 °C", "typ 200 mΩ", ""),
        ("On-resistance, TJ = 85 °C", "typ 300 mΩ", ""),
    ]
    cells = [
        gold("On-resistance, typical (25°C)", "A.pdf", "200", "mΩ"),
        gold("On-resistance, typical (25°C)", "A.pdf", "300", "mΩ"),
    ]
    report = judged(tmp_path, cells, FakeLibrary(rows))
    assert [j.is_right for j in report.judged] == [True, False]


def test_opposites_and_much_longer_names_are_other_parameters(tmp_path):
    rows = [
        ("High-side on-resistance", "typ 80 mΩ", ""),
        ("Output voltage", "max 37 V", ""),
        ("Input-to-output differential voltage", "max 40 V", ""),
    ]
    cells = [
        gold("Low-side on-resistance, typical", "A.pdf", "80", "mΩ"),
        gold("Highest output voltage", "A.pdf", "37", "V"),
        gold("Highest output voltage", "A.pdf", "40", "V"),
    ]
    report = judged(tmp_path, cells, FakeLibrary(rows))
    assert [j.is_right for j in report.judged] == [False, True, False]


def test_a_gap_is_right_only_when_the_cell_is_empty(tmp_path):
    rows = [("Dropout voltage", "", "typ 95 mV"), ("Line regulation", "typ 7 mV", "typ 9 mV")]
    cells = [
        gold("Dropout voltage, typical", "A.pdf", None),
        gold("Dropout voltage, typical", "B.pdf", "95", "mV"),
        gold("Line regulation, typical", "A.pdf", None),
        gold("Line regulation, typical", "B.pdf", "9", "mV"),
    ]
    report = judged(tmp_path, cells, FakeLibrary(rows))
    assert [j.is_right for j in report.judged] == [True, True, False, True]


def test_texts_and_addresses_are_compared_as_what_they_are(tmp_path):
    rows = [("Package", "SOT-223, TO-220", "LGA"), ("I2C address, GND", "1110110 (0x76)", "0x77")]
    cells = [
        gold("Package", "A.pdf", "TO-220"),
        gold("Package", "B.pdf", "GA"),
        gold("I2C address with ADDR tied to GND", "A.pdf", "0x76"),
        gold("I2C address with ADDR tied to GND", "B.pdf", "1110110"),
    ]
    report = judged(tmp_path, cells, FakeLibrary(rows))
    assert [j.is_right for j in report.judged] == [True, False, True, False]


def test_cells_of_another_document_are_counted(tmp_path):
    cells = [gold("Supply voltage", "A.pdf", "3", "V")]
    rows = [("Supply voltage", "3 V", "4 V")]
    assert judged(tmp_path, cells, FakeLibrary(rows)).n_wrong_document == 0
    report = judged(tmp_path, cells, FakeLibrary(rows, swapped=True))
    assert (report.n_wrong_document, report.n_cells) == (2, 2)


def test_the_best_of_a_ranking_is_the_document_cited_first(tmp_path):
    cells = [gold("Supply voltage", "A.pdf", "3", "V")]
    rows = [("Supply voltage", "3 V", "4 V")]
    report = judged(tmp_path, cells, FakeLibrary(rows), best="B.pdf")
    assert report.best == (("C1", True),)
    assert comparison_json(report)["best"] == {"C1": True}
    assert "1.0 right" in format_comparisons(report)


@pytest.mark.parametrize(
    "text", ['{"id": 1}', "no json", '{"id": "C1", "question": "x", "cells": [1]}']
)
def test_a_bank_that_is_none_is_refused_with_its_place(tmp_path, text):
    bank = tmp_path / "bank.jsonl"
    bank.write_text(text, encoding="utf-8")
    with pytest.raises(BankError):
        read_comparisons(bank)


def test_a_bank_of_comparisons_is_told_by_its_cells(tmp_path):
    bank = tmp_path / "bank.jsonl"
    bank.write_text('\n{"id": "C1", "cells": []}\n', encoding="utf-8")
    assert has_comparisons(bank)
    bank.write_text('{"id": "Q1", "question": "?"}\n', encoding="utf-8")
    assert not has_comparisons(bank)
    with pytest.raises(BankError):
        has_comparisons(tmp_path / "missing.jsonl")
