"""The committed sample library is what its sources make, and its questions stand on its pages."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from desktop_qa.core.folding import fold

REPOSITORY = Path(__file__).resolve().parents[1]
SCRIPT = REPOSITORY / "resources" / "make_sample_library.py"
N_DOCUMENTS = 11
MAX_BYTES = 3_000_000


def _questions(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="session")
def rebuilt(tmp_path_factory) -> Path:
    """The library made anew from its sources."""
    folder = tmp_path_factory.mktemp("sample_library")
    subprocess.run([sys.executable, str(SCRIPT), str(folder)], check=True, capture_output=True)
    return folder


@pytest.fixture
def documents(sample_library) -> Iterator[dict[str, pymupdf.Document]]:
    """The committed documents by file name."""
    opened = {path.name: pymupdf.open(path) for path in sorted(sample_library.glob("*.pdf"))}
    yield opened
    for document in opened.values():
        document.close()


def _content(path: Path) -> list[object]:
    """What a reader sees of a PDF: bytes may differ with the version of zlib or libjpeg."""
    with pymupdf.open(path) as document:
        pages = [
            (page.rect, page.get_text("words"), len(page.get_drawings()), len(page.get_images()))
            for page in document
        ]
        return [*pages, document.get_toc(), document.metadata]


@pytest.mark.process
def test_sources_make_the_committed_library(sample_library, rebuilt):
    names = sorted(path.name for path in rebuilt.iterdir())
    assert names == sorted(path.name for path in sample_library.iterdir())
    for name in names:
        made, committed = rebuilt / name, sample_library / name
        if made.read_bytes() == committed.read_bytes():
            continue
        assert made.suffix == ".pdf", f"{name} is not what the sources make: run `make sample`"
        assert _content(made) == _content(committed), f"{name} differs: run `make sample`"


def test_library_is_complete_and_small(sample_library):
    files = list(sample_library.glob("*.pdf"))
    assert len(files) == N_DOCUMENTS
    assert sum(path.stat().st_size for path in files) < MAX_BYTES


def test_every_document_has_an_outline_of_numbered_chapters(documents):
    for name, document in documents.items():
        outline = document.get_toc()
        assert len(outline) >= 25, name
        assert {level for level, _, _ in outline} == {1, 2, 3}, name
        chapters = [title.split()[0] for level, title, _ in outline if level == 1]
        assert chapters == [str(number) for number in range(1, len(chapters) + 1)], name


def test_outline_entries_stand_on_their_pages(documents):
    for name, document in documents.items():
        pages = [fold(page.get_text()) for page in document]
        for _, title, page_no in document.get_toc():
            assert fold(title) in pages[page_no - 1], f"{name}: {title}"


def test_special_characters_are_extracted_as_unicode(documents):
    text = "".join(page.get_text() for document in documents.values() for page in document)
    for character in "µΩ±°≤≥–×√θψΔπ":
        assert character in text
    assert "\ufffd" not in text


def test_questions_have_their_evidence_on_the_page_given(sample_library, documents):
    questions = _questions(sample_library)
    assert len(questions) >= 30
    assert len({row["id"] for row in questions}) == len(questions)
    for row in questions:
        assert bool(row["evidence"]) != bool(row.get("negative")), row["id"]
        for item in row["evidence"]:
            page = documents[item["file"]][item["page"] - 1]
            assert fold(item["contains"]) in fold(page.get_text()), row["id"]


def test_answers_are_found_on_the_pages_of_their_evidence(sample_library, documents):
    for row in _questions(sample_library):
        pages = "".join(
            fold(documents[item["file"]][item["page"] - 1].get_text()) for item in row["evidence"]
        )
        groups = [row["answer_any"], *row.get("answer_all", [])]
        for group in filter(None, groups):
            # In a table the unit has a column of its own, so the number alone is looked for.
            values = [text for answer in group for text in (answer, answer.split()[0])]
            assert any(fold(value) in pages for value in values), (row["id"], group)
        for step in row.get("steps", []):
            assert fold(step) in pages, (row["id"], step)


def test_suggested_questions_are_in_the_bank(sample_library):
    suggested = json.loads((sample_library / "suggestions.json").read_text(encoding="utf-8"))
    assert len(suggested) == 6
    assert set(suggested) <= {row["question"] for row in _questions(sample_library)}
