"""Killed at any moment, an ingest goes on where it was: nothing doubled, nothing missing."""

import shutil

import pytest

from tests.helpers.recovery import content_of, ingest, ingest_with_kills

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

_N_FILES = 4
_N_KILLS = 4


def test_ingest_that_was_killed_ends_with_the_same_segments(sample_library, tmp_path):
    few, undisturbed, library = (tmp_path / name for name in ("few", "undisturbed", "library"))
    few.mkdir()
    by_size = sorted(sample_library.rglob("*.pdf"), key=lambda path: (path.stat().st_size, path))
    for path in by_size[:_N_FILES]:
        shutil.copy(path, few)
    seconds = ingest(few, undisturbed)
    expected = content_of(undisturbed)
    assert len(expected.documents) == _N_FILES
    killed = ingest_with_kills(few, library, _N_KILLS, seconds, seed=11)
    assert len(killed) == _N_KILLS
    found = content_of(library)
    assert found.segments == expected.segments, f"killed after {killed} s"
    assert found.documents == expected.documents, f"killed after {killed} s"
