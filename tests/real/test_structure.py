"""The structure of ten real datasheets against what the files themselves say."""

import pytest

from desktop_qa.evaluate.structure.runner import evaluate_structure, structure_report

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]


def test_structure_is_found_as_the_files_say_it(ten_folder):
    files = evaluate_structure(ten_folder, [], lambda *_: None, ignore_outline=True)
    report = structure_report(files)
    assert (report["failed"], report["files"]) == ([], 10)
    headings, captions = report["headings"], report["captions"]
    assert min(headings["f1"], headings["level"]) >= 0.85
    assert captions["tables"] >= 0.95
    assert captions["figures"] >= 0.9
    words, rectangles = report["words"], report["rectangles"]
    assert words["kept_once"] >= 0.985
    assert words["foreign"] <= 0.005
    assert words["running_left"] <= 0.01
    assert rectangles["words_own"] >= 0.98
    assert rectangles["area_ratio"] <= 1.3
    assert rectangles["cells_alone"] >= 0.97
