"""Files that break readers: each ends ready, partial or failed with a reason and a hint."""

from __future__ import annotations

import pytest

from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.settings import Settings
from tests.helpers.libraries import open_library

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]

_FAILED = {
    "password__2206.01062_pg3.pdf": "password",
    "password__aes-256-r6.pdf": "password",
    "derived__zero_bytes__OpenMV-N6.pdf": "empty",
    "not_a_pdf__git_lfs_pointer.pdf": "PDF",
    "scanned__linn.pdf": "text",
    "encrypted_opens__empty_protected.pdf": "blank",
    "broken__corrupted.pdf": "",
}
_READABLE = (
    "rotated__issue5747.pdf",
    "encrypted_opens__shavian.pdf",
    "cjk__issue6387.pdf",
    "rtl__right_to_left_01.pdf",
    "layout_tables__code_and_formula.pdf",
    "signed__signed_simple.pdf",
    "near_duplicate__MT3608_3.pdf",
)
_ANYHOW = (
    "derived__truncated_50pct__OpenMV-N6.pdf",
    "broken__poppler-742-0-fuzzed.pdf",
    "malformed_opens__Pages-tree-refs.pdf",
    "attachments__issue-00152-embedded-pdf.pdf",
    "javascript__docactions.pdf",
)


@pytest.fixture(scope="module")
def statuses(shared, tmp_path_factory) -> dict[str, DocumentStatus]:
    folder = tmp_path_factory.mktemp("hard")
    for name in (*_FAILED, *_READABLE, *_ANYHOW):
        (folder / name).symlink_to(shared / "hard" / name)
    made = tmp_path_factory.mktemp("hard-library")
    with open_library(made, folder, settings=Settings(), embedder=None) as library:
        return {file: status for status in library.statuses() for file in status.files}


def test_every_file_comes_to_an_end(statuses):
    assert set(statuses) == {*_FAILED, *_READABLE, *_ANYHOW}
    assert all(status.state.is_final for status in statuses.values())


@pytest.mark.parametrize("name", _READABLE)
def test_odd_file_with_text_is_searchable(statuses, name):
    assert statuses[name].state.is_searchable, statuses[name].reason
    assert statuses[name].n_segments > 0


@pytest.mark.parametrize(("name", "word"), _FAILED.items())
def test_unreadable_file_says_why(statuses, name, word):
    assert statuses[name].state is DocumentState.FAILED
    assert word in statuses[name].reason


def test_whatever_is_not_ready_has_a_reason_and_a_hint(statuses):
    for name, status in statuses.items():
        if status.state is DocumentState.FAILED:
            assert status.reason.endswith("."), name
            assert status.hint.endswith("."), name
        if status.state is DocumentState.PARTIAL:
            assert status.page_failures, name
            assert all(failure.reason for failure in status.page_failures), name
