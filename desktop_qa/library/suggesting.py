"""The part of the library that offers how a question may go on, in a few milliseconds.

The headings of all documents are read in a thread of their own, once something is typed; until they
are there, part numbers and earlier questions are offered. Nothing here waits for a question that is
being answered, or for an ingest.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass

from desktop_qa.core.errors import LibraryError
from desktop_qa.core.suggestion import Suggestion
from desktop_qa.index.store import Store
from desktop_qa.retrieve.outlines import Outlines
from desktop_qa.retrieve.part_completion import PartCompletion
from desktop_qa.retrieve.suggestions import (
    HeadingIndex,
    QuestionIndex,
    before_caret,
    combined,
    suggest_parts,
)

logger = logging.getLogger(__name__)

_MAX_QUESTIONS = 3000
_PER_KIND = 8
_FIRST_WAIT_S = 0.4
_REST = 10.0
"""So many times as long as it takes to make the index it is left as it is: an ingest changes the
library with each document."""


@dataclass(frozen=True, slots=True)
class _Documents:
    """What was made of the documents of one revision of the library."""

    revision: int
    parts: PartCompletion
    headings: HeadingIndex


class Suggester:
    """Offers how to go on; usable from several threads."""

    def __init__(self, store: Store, outlines: Outlines) -> None:
        self._store = store
        self._outlines = outlines
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_closed = threading.Event()
        self._made: _Documents | None = None
        self._rests_until = 0.0
        self._questions: tuple[tuple[int, int], QuestionIndex] | None = None

    def close(self) -> None:
        """Stop reading headings."""
        self._is_closed.set()
        thread = self._thread
        if thread is not None and thread.is_alive():
            thread.join(timeout=2)

    def prepare(self) -> None:
        """Read the headings of documents that changed, in a thread of its own."""
        with self._lock:
            thread = self._thread
            is_due = self._made is None or self._made.revision != self._store.documents_revision
            is_idle = thread is None or not thread.is_alive()
            is_resting = time.monotonic() < self._rests_until
            if is_due and is_idle and not is_resting and not self._is_closed.is_set():
                self._thread = threading.Thread(target=self._read, name="suggestions", daemon=True)
                self._thread.start()

    def _read(self) -> None:
        started = time.monotonic()
        revision = self._store.documents_revision
        try:
            statuses = self._store.statuses()
            parts = PartCompletion(statuses)
            if self._made is None:
                self._made = _Documents(-1, parts, HeadingIndex(()))
            read = self._outlines.read_all(statuses, self._is_closed.is_set)
        except LibraryError:
            # The next key pressed tries again.
            logger.info("The headings could not be read yet", exc_info=True)
            return
        if not self._is_closed.is_set():
            self._made = _Documents(revision, parts, HeadingIndex(read))
            now = time.monotonic()
            self._rests_until = now + _REST * (now - started)

    def suggest(self, text: str, caret: int) -> tuple[Suggestion, ...]:
        """Offer how a question may go on; see `core.suggestion`."""
        self.prepare()
        typed = before_caret(text, caret)
        if not typed.strip():
            return ()
        thread = self._thread
        if thread is not None and (self._made is None or self._made.revision < 0):
            # The first time: most libraries are read within this.
            thread.join(timeout=_FIRST_WAIT_S)
        made = self._made
        questions = self._past_questions().find(typed, len(text), _PER_KIND)
        if made is None:
            return combined((), (), questions)
        parts = suggest_parts(made.parts, typed, _PER_KIND)
        return combined(parts, made.headings.find(typed, _PER_KIND), questions)

    def _past_questions(self) -> QuestionIndex:
        """Return the earlier questions, made anew after one was asked or deleted."""
        try:
            latest = self._store.last_question()
            made = self._questions
            if made is None or made[0] != latest:
                asked = QuestionIndex(self._store.asked_questions(_MAX_QUESTIONS))
                made = self._questions = (latest, asked)
        except LibraryError:
            logger.info("The earlier questions could not be read", exc_info=True)
            return QuestionIndex(())
        return made[1]
