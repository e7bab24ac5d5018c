"""Killed at any moment, an ingest goes on where it was: nothing doubled, nothing missing."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.helpers.recovery import Content, content_of, ingest, ingest_with_kills

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

_N_FILES = 4
_N_KILLS = 4


@pytest.fixture(scope="module")
def few_documents(sample_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("few")
    by_size = sorted(sample_library.rglob("*.pdf"), key=lambda path: (path.stat().st_size, path))
    for path in by_size[:_N_FILES]:
        shutil.copy(path, folder / path.name)
    return folder


@dataclass(frozen=True)
class _Undisturbed:
    library: Path
    content: Content
    seconds: float


@pytest.fixture(scope="module")
def undisturbed(few_documents: Path, tmp_path_factory: pytest.TempPathFactory) -> _Undisturbed:
    library = tmp_path_factory.mktemp("undisturbed") / "library"
    seconds = ingest(few_documents, library)
    return _Undisturbed(library, content_of(library), seconds)


def test_ingest_that_was_killed_ends_with_the_same_segments(
    few_documents: Path, undisturbed: _Undisturbed, tmp_path: Path
) -> None:
    expected = undisturbed.content
    assert len(expected.documents) == _N_FILES
    library = tmp_path / "library"
    killed = ingest_with_kills(few_documents, library, _N_KILLS, undisturbed.seconds, seed=11)
    assert len(killed) == _N_KILLS
    found = content_of(library)
    assert found.segments == expected.segments, f"killed after {killed} s"
    assert found.documents == expected.documents, f"killed after {killed} s"


def test_ingest_of_what_is_known_changes_nothing(
    few_documents: Path, undisturbed: _Undisturbed
) -> None:
    ingest(few_documents, undisturbed.library)
    assert content_of(undisturbed.library) == undisturbed.content
