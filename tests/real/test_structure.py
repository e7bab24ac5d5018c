"""The structure of ten real datasheets against what the files themselves say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop_qa.evaluate.structure.runner import evaluate_structure, structure_report

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def report(ten_folder: Path) -> dict[str, Any]:
    files = evaluate_structure(ten_folder, [], lambda *_: None, ignore_outline=True)
    return structure_report(files)


def test_all_files_are_measured(report: dict[str, Any]) -> None:
    assert report["failed"] == []
    assert report["files"] == 10


def test_headings_are_found_by_typography(report: dict[str, Any]) -> None:
    assert report["headings"]["f1"] >= 0.85
    assert report["headings"]["level"] >= 0.85


def test_captions_have_their_element(report: dict[str, Any]) -> None:
    assert report["captions"]["tables"] >= 0.95
    assert report["captions"]["figures"] >= 0.9


def test_words_are_kept_once_and_running_lines_are_left_out(report: dict[str, Any]) -> None:
    assert report["words"]["kept_once"] >= 0.985
    assert report["words"]["foreign"] <= 0.005
    assert report["words"]["running_left"] <= 0.01


def test_rectangles_hold_their_words(report: dict[str, Any]) -> None:
    assert report["rectangles"]["words_own"] >= 0.98
    assert report["rectangles"]["area_ratio"] <= 1.3
    assert report["rectangles"]["cells_alone"] >= 0.97
