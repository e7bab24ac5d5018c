import json

import pytest

from desktop_qa.evaluate.bank import BankError
from desktop_qa.evaluate.structure.gold_tables import compare_tables, read_gold_tables
from desktop_qa.parse.table_reading import read_table
from tests.augment.builders import table

ROWS = [
    ["Parameter", "Conditions", "Min", "Max"],
    ["Supply current", "VS = 5 V", "1.2", "2.4"],
    ["Offset voltage", "VS = 5 V", "−3", "3"],
]


def gold(tmp_path, **cell: str):
    file = tmp_path / "gold.jsonl"
    entry = {"file": "a.pdf", "page": 1, "pages": [1], "cells": [cell]}
    file.write_text(json.dumps(entry) + "\n", encoding="utf-8")
    return read_gold_tables(file)


def found(tmp_path, row: str, column: str, value: str) -> int:
    wanted = gold(tmp_path, row=row, column=column, value=value)
    counts, _missed, _unnamed = compare_tables(wanted, [table(ROWS)])
    return counts.cells.n_good


def test_a_cell_counts_in_its_row_and_under_its_header(tmp_path):
    assert found(tmp_path, "Supply current | VS = 5 V", "Max", "2.4") == 1
    assert found(tmp_path, "offset voltage", "MIN", "-3") == 1
    assert found(tmp_path, "Supply current", "Min", "2.4") == 0
    assert found(tmp_path, "Offset voltage", "Max", "2.4") == 0


def test_a_bank_that_is_none_is_named_with_its_line(tmp_path):
    file = tmp_path / "gold.jsonl"
    file.write_text('{"file": "a.pdf"}\n', encoding="utf-8")
    with pytest.raises(BankError, match="line 1"):
        read_gold_tables(file)
    with pytest.raises(BankError, match="cannot be read"):
        read_gold_tables(tmp_path / "missing.jsonl")


def identified(tmp_path, row: list[str], column: list[str], **more: list[str]) -> bool:
    gold(tmp_path, row="Supply current", column="Max", value="2.4 (1)")
    bank = tmp_path / "gold.jsonl"
    entry = json.loads(bank.read_text(encoding="utf-8")) | {"id": "T-1"}
    bank.write_text(json.dumps(entry), encoding="utf-8")
    path = {"id": "T-1", "cell": 0, "path": {"row": row, "column": column}, **more}
    paths = tmp_path / "paths.jsonl"
    paths.write_text(json.dumps(path), encoding="utf-8")
    read = read_table(table(ROWS))
    counts, _missed, unnamed = compare_tables(read_gold_tables(bank, paths), [read])
    assert counts.identities.n == 1
    assert bool(unnamed) is not bool(counts.identities.n_good)
    return counts.identities.n_good == 1


def test_an_identity_is_the_whole_path_and_no_word_more(tmp_path):
    assert identified(tmp_path, ["VS = 5V", "Supply current (Note 1)"], ["Max"])
    assert not identified(tmp_path, ["Supply current"], ["Max"])
    assert identified(tmp_path, ["Supply current"], ["Max"], may=["VS = 5 V"])
    assert not identified(tmp_path, ["STATIC", "Supply current", "VS = 5 V"], ["Max"])
    assert not identified(tmp_path, ["Supply current", "VS = 5 V"], ["LM124A", "Max"])
