"""The library: one folder that remembers documents, segments and answers.

The facade of everything below it. The command line uses it in its own process; the window reaches
it through `desktop_qa.service`. One thread writes (`sync`), others may ask at the same time.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_qa.core.answer import Answer, Evidence
from desktop_qa.core.document import DocumentId, ParseResult, Provenance
from desktop_qa.core.errors import FolderError, LibraryError, LibraryProtectedError
from desktop_qa.core.figure_description import FigureDescription, FigureToDescribe
from desktop_qa.core.progress import (
    DocumentState,
    DocumentStatus,
    IngestProgress,
    IngestReport,
)
from desktop_qa.core.question import Question
from desktop_qa.core.readings import ModelReading, ReadBy
from desktop_qa.core.search_view import SearchPage, SearchRequest
from desktop_qa.core.segment import SegmentId
from desktop_qa.core.sources import SourceSettings
from desktop_qa.core.suggestion import Suggestion
from desktop_qa.core.view import LibraryView
from desktop_qa.index.embedder import Embedder, ModelProcess, never
from desktop_qa.index.store import Store
from desktop_qa.library.asking import Asker
from desktop_qa.library.comparing import Comparer
from desktop_qa.library.describing import keep_description
from desktop_qa.library.ingest import IngestControl
from desktop_qa.library.past_questions import PastQuestions
from desktop_qa.library.queries import AskedQuestion, QuestionReader
from desktop_qa.library.reading_by_model import ReadingByModel
from desktop_qa.library.reasoning import Reasoning
from desktop_qa.library.removing import Removing
from desktop_qa.library.searching import Searcher
from desktop_qa.library.shelf import StoredShelf
from desktop_qa.library.similar import SimilarSegments
from desktop_qa.library.source_folders import SourceFolders
from desktop_qa.library.stored_documents import not_read_by_model
from desktop_qa.library.suggesting import Suggester
from desktop_qa.library.sync import Synchronizer, fingerprint
from desktop_qa.llm.profile import Profile
from desktop_qa.retrieve.outlines import Outlines
from desktop_qa.retrieve.retriever import Retriever
from desktop_qa.retrieve.search_index import SearchIndex
from desktop_qa.settings import Settings, load_settings

logger = logging.getLogger(__name__)


class Library(
    SourceFolders,
    PastQuestions,
    SimilarSegments,
    Removing,
):
    """An open library; made by `Library.open`, ended by `close`."""

    def __init__(self, store: Store, embedder: Embedder, settings: Settings) -> None:
        self._store = store
        self._embedder = embedder
        self._settings = settings
        self._index = SearchIndex(store)
        self._index_lock = threading.Lock()
        outlines = Outlines(store)
        self._retriever = Retriever(self._index, store, embedder, settings.retrieval)
        self._reader = QuestionReader(store, self._index, settings.sources, embedder, outlines)
        self._asker = Asker(
            store, self._index, embedder, self._reader, self._retriever, settings.retrieval
        )
        self._comparer = Comparer(store, self._reader, embedder, settings.retrieval)
        self._suggester = Suggester(store, outlines)
        self._searcher = Searcher(store, self._index, outlines)
        self._sync = Synchronizer(store, self._index, embedder, settings)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        read_only: bool = False,
        fall_back_to_reading: bool = False,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
    ) -> Library:
        """Open a library; it is made when the folder holds none.

        Args:
            folder: Of the library, not of the documents.
            read_only: Never write; asking works, its history is not kept.
            fall_back_to_reading: When another process writes to it, or its folder cannot be
                written, open it for reading; `barrier` then says why.
            settings: The user's own when `None`.
            embedder: The model process when `None`.

        Raises:
            LibraryLockedError: When another process writes to it and reading was not offered.
            LibraryProtectedError: When its folder cannot be written, likewise.
            LibraryError: When it cannot be made, read, or is newer than this program.
        """
        chosen = settings or load_settings()
        store = Store.open(folder, read_only=read_only, fall_back_to_reading=fall_back_to_reading)
        library = cls(store, embedder or ModelProcess(), chosen)
        library.purge_removed()  # that an earlier process had no time to delete
        return library

    def close(self) -> None:
        """End the model process and give the library free."""
        self._suggester.close()
        self._embedder.close()
        self._index.close()
        with contextlib.suppress(LibraryError):  # what stays hidden goes at the next closing
            self.purge_history()
            self.purge_removed()
            self.purge_marks()
        self._store.close()

    def warm_up(self) -> None:
        """Start the model process and load the indexes in the background."""
        self._embedder.warm_up()
        threading.Thread(target=self._warm, name="warm-up", daemon=True).start()

    def _warm(self) -> None:
        try:
            self._loaded_index()
            self._reader.prepare()
            self._suggester.prepare()
        except LibraryError:
            # Whoever asks first gets the same error with the request it belongs to.
            logger.warning("The indexes could not be loaded yet", exc_info=True)

    def _loaded_index(self) -> SearchIndex:
        with self._index_lock:
            self._index.load()
        return self._index

    # What the library is

    @property
    def folder(self) -> Path:
        """Where the library lives."""
        return self._store.folder

    @property
    def read_only(self) -> bool:
        """True when it cannot be written; `barrier` says why."""
        return self._store.read_only

    @property
    def barrier(self) -> LibraryError | None:
        """What is in the way of writing; None when nothing is, or only reading was asked for."""
        return self._store.barrier

    def statuses(self) -> tuple[DocumentStatus, ...]:
        """Every document with its state, and files that cannot be read."""
        return (*self._store.statuses(fingerprint()), *self._sync.file_errors)

    def view(self) -> LibraryView:
        """The library as a client shows it."""
        return LibraryView(
            folder=str(self.folder),
            sources=self.source_views(),
            statuses=self.statuses(),
            read_only=self.read_only,
            version=fingerprint(),
            source_settings=self.source_settings,
            name=self.name,
            is_watching=self.is_watching,
            is_protected=isinstance(self.barrier, LibraryProtectedError),
        )

    # Ingest

    def sync(
        self,
        on_progress: Callable[[IngestProgress], None] = lambda _progress: None,
        control: IngestControl | None = None,
        *,
        read_stale: bool = False,
    ) -> IngestReport:
        """Read what is new or changed in the source folders and forget what is gone.

        Args:
            on_progress: Told what happens, on the calling thread.
            control: Pause and cancel, from any thread.
            read_stale: Also read again what an earlier version read; else that stays as it is.

        Raises:
            FolderError: When no source folder is there any more.
            LibraryError: When the library cannot be written.
        """
        self._store.require_writable()
        self._loaded_index()
        return self._sync.run(on_progress, control or IngestControl(), read_stale=read_stale)

    def stale(self) -> tuple[DocumentStatus, ...]:
        """Documents that an earlier version read and that can be brought up to date."""
        return self._sync.stale()

    @property
    def wants_another_try(self) -> bool:
        """True when nothing was read for a while and documents ran into a limit: `sync` then."""
        return not self.read_only and bool(self._sync.given_up())

    def needs_vectors_only(self, status: DocumentStatus) -> bool:
        """Tell whether a stale document is brought up to date without reading its file."""
        return self._sync.needs_vectors_only(status)

    def read_again(self, document_ids: Sequence[str]) -> None:
        """Let documents be read again by the next `sync`; until then they are found as they are.

        A document whose file is gone is passed over: what is known of it is all there is.

        Raises:
            FolderError: When none of the files is there.
        """
        self._store.require_writable()
        rows = [self._store.status(DocumentId(one), fingerprint()) for one in document_ids]
        known = [row for row in rows if row is not None]
        there = [row for row in known if not row.is_indexed or self._sync.can_be_renewed(row)]
        if known and not there:
            raise FolderError(
                f"{known[0].file} is not where it was, so it cannot be read again.",
                "Put the file back or connect its drive; until then it is found as it was read.",
            )
        for row in there:
            self._store.set_state(row.document_id, DocumentState.WAITING)

    def unlock(self, document_id: str, password: str) -> None:
        """Let a protected document be read by the next `sync`; the password is never written.

        What was read with it stays when it is forgotten: only reading again needs it again.

        Raises:
            FolderError: When the library does not know the document.
        """
        self._store.require_writable()
        row = self._store.status(DocumentId(document_id), fingerprint())
        if row is None:
            raise FolderError("The document is no longer in the library.", "Press Refresh.")
        self._sync.passwords[row.document_id] = password
        self._store.set_state(row.document_id, DocumentState.WAITING)

    # Questions

    @property
    def retriever(self) -> Retriever:
        """What ranks the segments, with its indexes loaded."""
        self._loaded_index()
        return self._retriever

    @property
    def source_settings(self) -> SourceSettings:
        """The preferred sources of this library."""
        return self._reader.sources

    def set_source_settings(self, sources: SourceSettings) -> None:
        """Keep preferred sources with the library; the next question follows them.

        Raises:
            LibraryError: When the library is open for reading only, or the boost is out of range.
        """
        self._store.require_writable()
        self._reader.set_sources(sources)

    def read_question(self, question: Question) -> AskedQuestion:
        """Read a question as it stands: what would be searched, and what to know about it.

        Raises:
            QuestionError: When there is nothing to search for, or nothing to search.
        """
        self._loaded_index()
        return self._reader.read(question)

    def retrieve(self, question: Question) -> tuple[Evidence, ...]:
        """Rank the segments of the library for a question.

        Raises:
            QuestionError: See `read_question`.
        """
        top_k = question.top_k or self._settings.retrieval.top_k
        return self._retriever.retrieve(self.read_question(question).query, top_k).evidence

    def rank_all(self, question: Question) -> tuple[SegmentId, ...]:
        """Return the ids of all segments, best first: what rank metrics are computed on."""
        return self._asker.rank_all(self.read_question(question).query)

    def ask(self, question: Question, is_cancelled: Callable[[], bool] = never) -> Answer:
        """Answer a question from the library and keep it in the history.

        Args:
            question: With all that is to be known of how it is asked.
            is_cancelled: Looked at between the stages.

        Raises:
            QuestionError: See `read_question`.
            Cancelled: When `is_cancelled` turned true.
        """
        self._loaded_index()
        return self._asker.ask(question, is_cancelled)

    def reasoning(
        self,
        answer: Answer,
        profile: Profile,
        scope: Sequence[str] | None = None,
    ) -> Reasoning:
        """Return the question of an answer as it may be put to a model; nothing is sent by it.

        Args:
            answer: The offline one.
            profile: Whom to ask.
            scope: Patterns that the question was limited to, for what the model looks up. `None`
                when they are not known: of an answer that was limited only its own documents.

        Raises:
            QuestionError: When there is nothing to ask a model, or its window is too small.
        """
        turns = self.conversation_items(answer.conversation) if answer.conversation else ()
        earlier = [turn.question for turn in turns if turn.id != answer.history_id]
        shelf = StoredShelf(
            self._store,
            lambda question: self.read_question(question).query,
            lambda query, n: self._retriever.retrieve(query, n).evidence,
            answer,
            scope,
        )
        return Reasoning(answer, shelf, profile, earlier, shelf)

    # Comparing

    def compare(
        self,
        names: Sequence[str],
        parameters: Sequence[str] = (),
        *,
        conversation: str = "",
        is_cancelled: Callable[[], bool] = never,
    ) -> Answer:
        """Compare documents parameter by parameter and keep it in the history like a question.

        Args:
            names: Ids, files or part numbers; of two documents or more.
            parameters: What to compare; all when empty.
            conversation: See `ask`.
            is_cancelled: See `ask`.

        Raises:
            QuestionError: When a name means nothing, when fewer than two documents can be compared
                or more than fit side by side, or when none states any of the parameters.
            Cancelled: When `is_cancelled` turned true.
        """
        self._loaded_index()
        return self._comparer.compare(
            names, parameters, conversation=conversation, is_cancelled=is_cancelled
        )

    # While somebody types

    def suggestions(self, text: str, caret: int = -1) -> tuple[Suggestion, ...]:
        """Offer how a question may go on: parts, headings, earlier questions, at most eight.

        Args:
            text: What is typed.
            caret: Characters before the caret; at the end when negative.
        """
        return self._suggester.suggest(text, len(text) if caret < 0 else caret)

    def search(self, request: SearchRequest) -> SearchPage:
        """List the places that hold what is searched for, without an answer.

        Args:
            request: In the language of `docs/search.md`.

        Raises:
            QuestionError: When the search cannot be read, or a field or the scope means nothing in
                this library.
            LibraryError: When the library cannot be read.
        """
        self._loaded_index()
        return self._searcher.search(request)

    def search_marks(self, segment_id: SegmentId, text: str) -> tuple[Provenance, ...]:
        """Return where the words of a search stand in a segment; its own places when nowhere.

        Raises:
            NotReadError: When the segment is not in the library any more.
        """
        return self._searcher.marks(segment_id, text)

    # Readings

    def reading_by_model(self, document_id: DocumentId, profile: Profile) -> ReadingByModel:
        """Return a document as it may be put to a model to find its structure; nothing is sent.

        Raises:
            LibraryError: When the library is open for reading only.
            NotReadError: When the document is unknown or not read yet.
            QuestionError: When it has no words, or the model's context is too small.
        """
        self._store.require_writable()
        offline = self.document_read_by(document_id, ReadBy.PROGRAM)
        status = self._store.status(document_id)
        assert status is not None, "what was read has a row"
        pages = (self._store.page_words(document_id, n + 1) for n in range(status.n_pages))
        result = ParseResult(offline, tuple(page for page in pages if page.words))
        measured = self._store.meta(_speed_key(profile))
        return ReadingByModel(
            result, status.file, status.read_at, profile, float(measured) if measured else None
        )

    def keep_reading(
        self, reading: ReadingByModel, is_cancelled: Callable[[], bool] = never
    ) -> ModelReading:
        """Keep what a model read beside the offline reading, and search and cite it from now on.

        Raises:
            QuestionError: When nothing that the model wrote stands on the pages.
            Cancelled: When `is_cancelled` turned true, or it was stopped; the offline one stays.
            LibraryError: When the document was read anew meanwhile, or removed, or the library
                cannot be written.
        """
        kept = reading.result()
        self._loaded_index()
        self._sync.use_reading(kept, reading.read_at, is_cancelled)
        self._store.set_meta(_speed_key(reading.profile), f"{reading.seconds_per_token:.6f}")
        return kept.note

    def keep_description(self, figure: FigureToDescribe, description: FigureDescription) -> None:
        """Keep what a model said of a figure; does nothing for a reader, nor on a full drive."""
        if not self.read_only:
            with contextlib.suppress(OSError):
                keep_description(figure.image, description)

    def use_reading(self, document_id: DocumentId, by: ReadBy) -> None:
        """Search and cite one of the two readings of a document; no model is asked.

        Raises:
            QuestionError: When no model has read it.
            LibraryError: As for `keep_reading`.
        """
        self._store.require_writable()
        kept, status = self._store.kept_readings(document_id), self._store.status(document_id)
        if kept is None or status is None:
            raise not_read_by_model()
        self._loaded_index()
        if kept.note.used is not by:
            self._sync.use_reading(kept.using(by), status.read_at, never)

    def document_status(self, document_id: DocumentId) -> DocumentStatus | None:
        """A document with its state; `None` when it is not in the library."""
        return self._store.status(document_id, fingerprint())

    def model_reading(self, document_id: DocumentId) -> ModelReading | None:
        """What is known of a model's reading of a document; `None` where there is none."""
        return self._store.model_reading(document_id)


def _speed_key(profile: Profile) -> str:
    """Name the note of how long a model takes for a token of a document."""
    return f"seconds per token read: {profile.model} at {profile.host}"
