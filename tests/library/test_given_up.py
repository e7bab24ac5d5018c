"""Documents that ran into a limit: tried again at the next start and when there is time."""

from contextlib import ExitStack
from dataclasses import replace
from types import SimpleNamespace

import pytest

from desktop_qa.core.errors import GivenUpError
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.stages import Stage
from desktop_qa.library import ingest, reader, sync
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet

WHOLE, WITHOUT_FIGURES, WORDS_ONLY, FAILED = "whole", "without figures", "words only", "failed"
_LEFT_OUT = {
    WHOLE: (),
    WITHOUT_FIGURES: ((Stage.FIGURES, "it took more than 45 s"),),
    WORDS_ONLY: ((Stage.LAYOUT, "it took more than 45 s"),),
}


class Outcomes:
    """What becomes of each reading, in order; `n_left` of them are still to come."""

    def __init__(self):
        self.coming = []

    def child(self, _settings):
        return SimpleNamespace(read=self._read, kill=lambda: None)

    def _read(self, job, on_page, **_conditions):
        outcome = self.coming.pop(0)
        if outcome == FAILED:
            raise GivenUpError("Reading it was given up: it stood still.", "Check the drive.")
        left_out = _LEFT_OUT[outcome]
        job.trouble.left_out.update(left_out)
        read = reader.read(job, on_page, lambda *_step: None)
        return replace(read, ran_into_limit=bool(left_out))


@pytest.fixture
def outcomes(monkeypatch):
    made = Outcomes()
    monkeypatch.setattr(ingest, "ReadingChild", made.child)
    return made


@pytest.fixture
def start(tmp_path, source_folder, outcomes):
    """Start the program: the library is opened and brought in step; returns it and the row."""
    write_datasheet(source_folder / "acm4197.pdf")
    opened = ExitStack()

    def run(*coming):
        opened.close()
        outcomes.coming[:] = coming
        library = opened.enter_context(open_library(tmp_path / "library", source_folder))
        assert outcomes.coming == []
        return library, next(one for one in library.statuses() if one.file == "acm4197.pdf")

    with opened:
        yield run


def test_a_document_without_a_step_is_partial_and_read_whole_at_the_next_start(start):
    _library, row = start(WORDS_ONLY)
    assert row.state is DocumentState.PARTIAL
    assert row.reason == (
        "Page 1 was read without headings, tables and figures, it took more than 45 s."
    )
    assert row.hint == "All text is searched."
    assert row.n_segments > 0
    assert row.n_tables == 0

    _library, row = start(WHOLE)

    assert (row.state, row.reason, row.page_failures) == (DocumentState.READY, "", ())
    assert row.n_tables == 1
    start()  # and is not read any more


def test_a_document_that_failed_by_a_limit_is_tried_again_at_the_next_start(start):
    _library, row = start(FAILED)
    assert (row.state, row.hint) == (DocumentState.FAILED, "Check the drive.")

    _library, row = start(WHOLE)

    assert row.state is DocumentState.READY


def test_a_document_is_tried_three_times_in_all(start):
    start(FAILED)
    start(FAILED)
    start(FAILED)
    _library, row = start()
    assert row.state is DocumentState.FAILED


@pytest.mark.parametrize("again", [WORDS_ONLY, WITHOUT_FIGURES, FAILED])
def test_what_was_stored_stays_when_it_is_read_no_better(start, again):
    library, first = start(WITHOUT_FIGURES)
    content = library.document(first.document_id)

    library, row = start(again)

    assert (row.state, row.reason, row.read_at) == (first.state, first.reason, first.read_at)
    assert row.n_tables == 1
    assert library.document(row.document_id) == content
    start(WHOLE)


def test_what_is_better_replaces_what_was_stored(start):
    _library, first = start(FAILED)
    _library, second = start(WORDS_ONLY)
    _library, third = start(WHOLE)
    assert [row.state for row in (first, second, third)] == ["failed", "partial", "ready"]


def test_within_one_run_of_the_program_it_is_tried_again_only_after_a_pause(
    start, outcomes, monkeypatch
):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(sync, "time", SimpleNamespace(monotonic=lambda: clock.now))
    library, _row = start(FAILED)
    assert not library.wants_another_try
    library.sync()

    clock.now += sync.IDLE_S
    assert library.wants_another_try
    outcomes.coming[:] = [WHOLE]
    library.sync()

    (row,) = library.statuses()
    assert row.state is DocumentState.READY
    clock.now += sync.IDLE_S
    assert not library.wants_another_try


def test_new_documents_are_read_before_one_is_tried_again(start, source_folder, monkeypatch):
    start(FAILED)
    write_datasheet(source_folder / "new.pdf", "ACM4200")
    order = []
    read = Outcomes._read

    def noted(self, job, on_page, **conditions):
        order.append(job.path.name)
        return read(self, job, on_page, **conditions)

    monkeypatch.setattr(Outcomes, "_read", noted)
    start(WHOLE, WHOLE)
    assert order == ["new.pdf", "acm4197.pdf"]
