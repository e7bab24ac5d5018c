"""Bringing a library in step with its folders: what is new, changed or gone, and only that."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_qa.augment.segmenter import SEGMENTER_VERSION
from desktop_qa.catalog import CatalogScan, FileError, scan
from desktop_qa.core.document import DocumentId, PageFailure, ParseResult
from desktop_qa.core.errors import Cancelled, FolderError, GivenUpError, LibraryError
from desktop_qa.core.file_kinds import FileTally
from desktop_qa.core.folders import FolderChoices
from desktop_qa.core.progress import (
    DocumentState,
    DocumentStatus,
    IngestProgress,
    IngestReport,
)
from desktop_qa.core.readings import KeptReadings
from desktop_qa.core.stages import noting_failures
from desktop_qa.exclusions import Exclusions
from desktop_qa.index.embedder import (
    EMBEDDING_DIMENSIONS,
    MODEL_FINGERPRINT,
    Embedder,
    differs_in_model_only,
)
from desktop_qa.index.reading_notes import ReadingNote
from desktop_qa.index.records import Source
from desktop_qa.index.store import Store
from desktop_qa.library.document_folders import DocumentFolders
from desktop_qa.library.document_problems import (
    partial_reason,
    report_of,
    state_of,
    unreadable_file,
)
from desktop_qa.library.ingest import EMBEDDING_STEP, Ingest, IngestControl
from desktop_qa.library.reader import ReadDocument, augmented
from desktop_qa.library.source_drives import check_drive, check_not_emptied, remember_drive
from desktop_qa.parse.version import PARSER_VERSION
from desktop_qa.retrieve.search_index import SearchIndex
from desktop_qa.settings import Settings

logger = logging.getLogger(__name__)


MAX_READINGS = 3
"""Of a document that runs into a limit each time; then it stays as it is."""

IDLE_S = 600.0
"""So long nothing was read when the machine is taken to be idle: what ran into a limit is tried
again then, as at the start of the program."""


_Groups = tuple[tuple[str, ...], ...]
"""Groups of files with the same bytes."""


def fingerprint() -> str:
    """What a document is read with; a document with another one is stale."""
    return f"parser {PARSER_VERSION}; segmenter {SEGMENTER_VERSION}; model {MODEL_FINGERPRINT}"


class Synchronizer:
    """Where an ingest puts its results and tells its news, and the run that calls for one.

    Attributes:
        file_errors: Files that the last run could not open.
        passed_over: Files that are not read, by source id, as of the last look.
        passwords: What opens protected documents, never written.
        problems: Why a source could not be followed, by source id; its documents stay.
        change_lock: Held while a document comes into the library or leaves it.
    """

    def __init__(
        self, store: Store, index: SearchIndex, embedder: Embedder, settings: Settings
    ) -> None:
        self._store = store
        self._index = index
        self._embedder = embedder
        self._settings = settings
        self._folders = DocumentFolders(store.folder)
        self._fingerprint = fingerprint()
        self._stamps: dict[Path, tuple[int, int]] = {}
        self._statuses: dict[DocumentId, DocumentStatus] = {}
        self._control = IngestControl()
        self.passwords: dict[DocumentId, str] = {}
        self.change_lock = threading.Lock()
        self._begun: dict[DocumentId, float] = {}
        self._is_running = False
        self._ended_at: float | None = None
        self.file_errors: tuple[DocumentStatus, ...] = ()
        self.passed_over: dict[int, FileTally] = {}
        self.problems: dict[int, FolderError] = {}

    def run(
        self,
        on_progress: Callable[[IngestProgress], None],
        control: IngestControl,
        *,
        read_stale: bool = False,
    ) -> IngestReport:
        """Scan all source folders and read what is new; blocks until it is done or cancelled.

        Args:
            on_progress: Told what happens.
            control: Pause and cancel.
            read_stale: Also read again what an earlier version read; else it stays as it is.

        Raises:
            FolderError: When no source folder is there any more.
            LibraryError: When the library cannot be written.
        """
        given_up = self.given_up()
        self._is_running = True
        try:
            return self._run(on_progress, control, read_stale, given_up)
        finally:
            self._is_running, self._ended_at = False, time.monotonic()

    def _run(
        self,
        on_progress: Callable[[IngestProgress], None],
        control: IngestControl,
        read_stale: bool,
        given_up: set[DocumentId],
    ) -> IngestReport:
        started = time.monotonic()
        self._control = control
        self._refresh_statuses()
        try:
            self._index.check_chroma(lambda *step: self._tell_rebuilding(on_progress, *step))
            duplicates = self._scan_sources()
        except Cancelled:
            self._refresh_statuses()
            return self._sum_up((), started, cancelled=True)
        removed = self._remove_orphans()
        self._take_up_again(read_stale)
        self._store.reset_unfinished()
        self._refresh_statuses()
        on_progress(
            self._progress(
                "Looking for new documents",
                (*self._statuses.values(), *self.file_errors),
                removed,
            )
        )
        cancelled = False
        try:
            self._embed_again(on_progress)
            read_now = self._ingest(on_progress)
            # After what is new, which somebody waits for.
            self._try_again(given_up - read_now)
            self._ingest(on_progress)
            self._note_dates()
        except Cancelled:
            cancelled = True
        finally:
            self._store.reset_unfinished()
        self._refresh_statuses()
        return self._sum_up(duplicates, started, cancelled)

    def _ingest(self, on_progress: Callable[[IngestProgress], None]) -> set[DocumentId]:
        """Read what waits, and return what that was."""
        pending = list(self._store.pending())
        n_final = sum(status.state.is_final for status in self._statuses.values())
        reading = self._settings.reading
        Ingest(self, pending, n_final, reading, self._control, on_progress).run()
        return {one.document_id for one in pending}

    def given_up(self) -> set[DocumentId]:
        """Documents that ran into a limit and are to be tried again now.

        That is at the first run after the start of the program, and when nothing was read for ten
        minutes; each three times at most.
        """
        is_due = self._ended_at is None or time.monotonic() - self._ended_at >= IDLE_S
        if self._is_running or not is_due:
            return set()
        notes = self._store.reading_notes()
        return {one for one, note in notes.items() if 0 < note.n_given_up < MAX_READINGS}

    def _try_again(self, given_up: set[DocumentId]) -> None:
        for document_id in given_up:
            status = self._statuses.get(document_id)
            # Only where the scan of this run has seen the file.
            if status is not None and Path(status.path) in self._stamps:
                self._store.set_state(document_id, DocumentState.WAITING)
                self.load_status(document_id)

    def _progress(
        self,
        activity: str,
        changed: tuple[DocumentStatus, ...] = (),
        removed: tuple[DocumentId, ...] = (),
    ) -> IngestProgress:
        """A moment in which no page is read."""
        return IngestProgress(
            n_done=sum(status.state.is_final for status in self._statuses.values()),
            n_documents=len(self._statuses),
            n_pages_done=0,
            n_pages=0,
            pages_per_second=0.0,
            seconds_left=None,
            paused=self._control.is_paused,
            activity=activity,
            changed=changed,
            removed=removed,
        )

    def _tell_rebuilding(
        self, on_progress: Callable[[IngestProgress], None], n_done: int, n_missing: int
    ) -> None:
        """Say how far the vector index is rebuilt; questions search without it meanwhile.

        Raises:
            Cancelled: When the user stopped it.
        """
        self._control.check()
        percent = 100 * n_done // max(n_missing, 1)
        on_progress(self._progress(f"Rebuilding the vector index, {percent} %"))

    def _embed_again(self, on_progress: Callable[[IngestProgress], None]) -> None:
        """Make new vectors for the documents that wait and need nothing else.

        Until that is done, and when it is cancelled, they are found by their words as before.

        Raises:
            Cancelled: When the user stopped it.
        """
        for status in list(self._statuses.values()):
            if status.state is DocumentState.WAITING and self.needs_vectors_only(status):
                self._embed_one_again(status, on_progress)

    def _note_dates(self) -> None:
        """Note the dates of documents that were read before such notes were kept.

        Raises:
            Cancelled: When the user stopped it; the rest waits for the next time.
        """
        for document_id in self._store.documents_without_note():
            self._control.check()
            note = ReadingNote.of(self._store.document(document_id))
            self._store.note_reading(document_id, note)

    def _embed_one_again(
        self, status: DocumentStatus, on_progress: Callable[[IngestProgress], None]
    ) -> None:
        document_id = status.document_id
        name = status.file.rsplit("/", 1)[-1] or status.title

        def tell(n_done: int, n_segments: int) -> None:
            activity = f"Embedding {n_done} of {n_segments} segments of {name} again"
            on_progress(self._progress(activity, (self._statuses[document_id],)))

        self.set_state(document_id, DocumentState.INDEXING)
        texts = self._store.embedded_texts(document_id)
        vectors = self.embed(texts, lambda n_done: tell(n_done, len(texts)))
        # Off the disk first, as for a document that is read again.
        self._index.remove_vectors(document_id)
        self._store.save_vectors(document_id, vectors)
        self._index.reload(document_id)
        self._restore(status)
        tell(status.n_segments, status.n_segments)

    def _restore(self, status: DocumentStatus) -> None:
        """Take up the state that a document was in when it was read."""
        failures = status.page_failures
        self.set_state(
            status.document_id, state_of(failures), *partial_reason(failures, status.n_pages)
        )

    def needs_vectors_only(self, status: DocumentStatus) -> bool:
        """Tell whether what is stored of a document is up to date but for its vectors."""
        return status.is_indexed and differs_in_model_only(status.read_by, self._fingerprint)

    def can_be_renewed(self, status: DocumentStatus) -> bool:
        """Tell whether all is there that a document needs to be brought up to date."""
        return self.needs_vectors_only(status) or Path(status.path).is_file()

    def _scan_sources(self) -> _Groups:
        sources = self._store.sources()
        errors: list[FileError] = []
        by_content: dict[DocumentId, list[str]] = {}
        choices = self._store.choices()
        self.problems = {}
        for source in sources:
            try:
                found = self._scan_source(source, choices[source.id])
            except FolderError as error:
                # A folder that was moved keeps its documents until the user decides.
                self.problems[source.id] = error
                continue
            errors += found.errors
            for entry in found.entries:
                by_content.setdefault(entry.document_id, []).append(entry.path)
        if self.problems and len(self.problems) == len(sources):
            raise next(iter(self.problems.values()))
        self.file_errors = tuple(unreadable_file(error) for error in errors)
        return tuple(tuple(files) for files in by_content.values() if len(files) > 1)

    def _scan_source(self, source: Source, choices: FolderChoices) -> CatalogScan:
        known = self._store.files(source.id)
        folder = Path(source.folder)
        check_drive(self._store, source, lambda: self._control.is_cancelled)
        found = scan(
            folder,
            known,
            lambda: self._control.is_cancelled,
            Exclusions(choices.excluded).leave_out if choices.excluded else None,
            self._store.removed_paths(source.id),
        )
        check_not_emptied(folder, known, found)
        remember_drive(self._store, source)
        self.passed_over[source.id] = found.passed_over
        current = {entry.path: entry for entry in found.entries}
        changed = [record for path, record in current.items() if known.get(path) != record]
        if changed:
            self._store.put_files(source.id, changed)
        gone = [
            path for path in known if path not in current and not found.is_hidden_by_error(path)
        ]
        if gone:
            self._store.remove_files(source.id, gone)
        self._stamps.update({folder / path: (r.size, r.mtime_ns) for path, r in current.items()})
        return found

    def _remove_orphans(self) -> tuple[DocumentId, ...]:
        removed = self._store.documents_without_files()
        for document_id in removed:
            self.forget(document_id)
        # A copy of a removed document was put into a folder: what was read of it serves again.
        for document_id in self._store.stamp_again():
            self._index.reload(document_id)
        return removed

    def forget(self, document_id: DocumentId) -> None:
        """Remove a document with all that was made of it."""
        self._index.remove((document_id,))
        self._store.remove_document(document_id)
        self._folders.remove(document_id)

    def _take_up_again(self, read_stale: bool) -> None:
        """Let this version try what an earlier one failed to read, and on request all it read."""
        for status in self.stale():
            if read_stale or status.state is DocumentState.FAILED:
                self._store.set_state(status.document_id, DocumentState.WAITING)

    def stale(self) -> tuple[DocumentStatus, ...]:
        """Documents that an earlier version read and that can be brought up to date.

        For new vectors alone the file need not be there.
        """
        rows = self._store.statuses(self._fingerprint)
        return tuple(row for row in rows if row.stale and self.can_be_renewed(row))

    def _refresh_statuses(self) -> None:
        self._statuses = {s.document_id: s for s in self._store.statuses(self._fingerprint)}

    def _sum_up(self, same: _Groups, start: float, cancelled: bool) -> IngestReport:
        rows = tuple(self._statuses.values())
        tallies = [self.passed_over.get(source.id, Counter()) for source in self._store.sources()]
        passed_over: FileTally = sum(tallies, Counter())
        seconds = time.monotonic() - start
        return report_of(rows, self.file_errors, same, passed_over, seconds, cancelled)

    # What the ingest asks of its target

    def figures_folder(self, document_id: DocumentId) -> Path:
        """Folder that takes the figures of a document while it is read."""
        return self._folders.drawn(document_id)

    def embed(
        self, texts: Sequence[str], on_step: Callable[[int], None]
    ) -> npt.NDArray[np.float32]:
        """Return vectors, shape (n, dimensions).

        Args:
            texts: Of the segments of a document.
            on_step: Told before each step how many are done.

        Raises:
            Cancelled: When the user stopped it.
        """
        parts = []
        for start in range(0, len(texts), EMBEDDING_STEP):
            self._control.check()
            on_step(start)
            parts.append(
                self._embedder.embed_documents(
                    texts[start : start + EMBEDDING_STEP],
                    is_cancelled=lambda: self._control.is_cancelled,
                )
            )
        return np.concatenate(parts) if parts else np.zeros((0, EMBEDDING_DIMENSIONS), np.float32)

    def set_state(
        self, document_id: DocumentId, state: DocumentState, reason: str = "", hint: str = ""
    ) -> None:
        """Store a state; what fails to be read again stays as it was read before."""
        if self._store.is_hidden(document_id):
            if state is DocumentState.READING:
                raise Cancelled  # nobody wants it any more
            return
        if state is DocumentState.READING:
            self._begun[document_id] = time.monotonic()
        failed = state is DocumentState.FAILED
        if failed:
            self._folders.remove_drawn(document_id)
            known = self._statuses.get(document_id)
            if known is not None and known.is_indexed:
                failed = False
                state = state_of(known.page_failures)
                reason = f"Reading it again failed. {reason}"
                hint = f"It is found as it was read before. {hint}"
        self._store.set_state(
            document_id,
            state,
            reason,
            hint,
            fingerprint=self._fingerprint if failed else None,
        )
        if failed:
            self._index.remove((document_id,))
        self.load_status(document_id)

    def give_up(self, document_id: DocumentId, error: GivenUpError) -> None:
        """Store that a document ran into a limit, and that it is worth another try."""
        self._note_given_up(document_id)
        known = self._statuses.get(document_id)
        if known is not None and known.is_indexed and known.read_by == self._fingerprint:
            self._folders.remove_drawn(document_id)
            self._restore(known)
        else:
            self.set_state(document_id, DocumentState.FAILED, error.message, error.hint)

    def _note_given_up(self, document_id: DocumentId) -> None:
        note = self._store.reading_note(document_id)
        self._store.note_reading(document_id, replace(note, n_given_up=note.n_given_up + 1))

    def keeps_what_it_has(self, read: ReadDocument) -> bool:
        """Tell whether a document ran into a limit and was read no worse before: it stays so."""
        document = read.result.document
        known = self._statuses.get(document.id)
        if not read.ran_into_limit or known is None or not known.is_indexed:
            return False
        if known.read_by != self._fingerprint or _loss(known.page_failures) > _loss(
            document.page_failures
        ):
            return False
        self._note_given_up(document.id)
        self._folders.remove_drawn(document.id)
        self._restore(known)
        return True

    def is_unchanged(self, path: Path) -> bool:
        """Tell whether the file still is what was scanned."""
        try:
            stat = path.stat()
        except OSError:
            return False
        return self._stamps.get(path) == (stat.st_size, stat.st_mtime_ns)

    def save(self, read: ReadDocument, embeddings: npt.NDArray[np.float32]) -> None:
        """Store a document with its final state and make it searchable, unless it was removed."""
        with self.change_lock:
            if not self._store.is_hidden(read.result.document.id):
                self._save(read, embeddings)

    def use_reading(
        self, kept: KeptReadings, read_at: float, is_cancelled: Callable[[], bool]
    ) -> None:
        """Search and cite one of two readings of a document; both are kept.

        Args:
            kept: Says which one.
            read_at: Of the document when work on the readings began.
            is_cancelled: Looked at while it is embedded; what is in use then stays.

        Raises:
            Cancelled: When `is_cancelled` turned true.
            LibraryError: When the document was read anew meanwhile, or removed, or the library
                cannot be written.
        """
        document_id = kept.offline.id
        n_pages = len(kept.offline.page_sizes)
        words = tuple(self._store.page_words(document_id, n) for n in range(1, n_pages + 1))
        result = ParseResult(kept.used, tuple(page for page in words if page.words))
        with noting_failures(document_id):
            read = augmented(result)
        texts = [one.segment.embedded_text for one in read.segments]
        embeddings = self._embedder.embed_documents(texts, is_cancelled=is_cancelled)
        if is_cancelled():
            raise Cancelled
        with self.change_lock:
            status = self._store.status(document_id, self._fingerprint)
            is_same = status is not None and status.read_at == read_at and status.state.is_final
            if status is None or not is_same or self._store.is_hidden(document_id):
                raise LibraryError(
                    "The document was read anew or removed meanwhile.",
                    "Have it read by the model again.",
                )
            self._save(read, embeddings, kept, read_by=status.read_by)

    def _save(
        self,
        read: ReadDocument,
        embeddings: npt.NDArray[np.float32],
        kept: KeptReadings | None = None,
        *,
        read_by: str = "",
    ) -> None:
        document = read.result.document
        failures = document.page_failures
        state = state_of(failures)
        reason, hint = partial_reason(failures, len(document.page_sizes))
        # Off the disk first: a kill in between leaves vectors missing, which is found and mended,
        # and never old vectors under the ids of new segments. The same holds for the figures: the
        # document is read again when they are new and the rest is old.
        self._index.remove_vectors(document.id)
        if kept is None:
            self._folders.take_drawn(document.id)
        self._store.save_document(
            document,
            read.result.page_words,
            read.segments,
            embeddings,
            state,
            read_by or self._fingerprint,
            reason=reason,
            hint=hint,
            readings=kept,
        )
        if kept is None:
            self._note_read(read)
        self._index.replace(document.id, read.segments, embeddings)
        self._folders.write_text(document.id, document.markdown)
        self.load_status(document.id)

    def _note_read(self, read: ReadDocument) -> None:
        document = read.result.document
        begun = self._begun.pop(document.id, None)
        seconds = time.monotonic() - begun if begun is not None else 0.0
        n_before = self._store.reading_note(document.id).n_given_up if read.ran_into_limit else -1
        self._store.note_reading(document.id, ReadingNote.of(document, seconds, n_before + 1))

    def status(self, document_id: DocumentId) -> DocumentStatus | None:
        """The row of a document as it is stored."""
        return self._statuses.get(document_id)

    def load_status(self, document_id: DocumentId) -> None:
        """Take the row of a document as the store has it now."""
        status = self._store.status(document_id, self._fingerprint)
        if status is not None:
            self._statuses[document_id] = status
        else:
            self._statuses.pop(document_id, None)


def _loss(failures: tuple[PageFailure, ...]) -> tuple[int, int]:
    """How much of a document is missing: pages without words, then pages that lack something."""
    return sum(not failure.has_text for failure in failures), len(failures)
