"""The documents that variants and baselines are made of: read once, from a library of theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from desktop_qa.catalog import scan
from desktop_qa.core.document import DocumentId, PageWords
from desktop_qa.core.errors import FolderError, LibraryError
from desktop_qa.core.progress import DocumentStatus, IngestProgress
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.store import Store
from desktop_qa.library.facade import Library
from desktop_qa.library.sync import fingerprint


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document that was read.

    Attributes:
        files: Relative to the corpus, at least one; its segments are listed under the first.
        n_pages: Of the document.
    """

    id: DocumentId
    files: tuple[str, ...]
    n_pages: int

    def page_words(self, store: Store) -> list[PageWords]:
        """Return the words of all its pages."""
        return [store.page_words(self.id, page_no) for page_no in range(1, self.n_pages + 1)]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents of a folder and the library that holds what was read of them.

    Attributes:
        folder: Of the documents.
        library: Folder of the library.
        documents: Those that were read, in the order of their files.
        unread: Files that could not be read.
    """

    folder: Path
    library: Path
    documents: tuple[CorpusDocument, ...]
    unread: tuple[str, ...]

    def files(self) -> dict[str, str]:
        """Return every file with the one that its segments are listed under."""
        listed = {file: file for file in self.unread}
        for document in self.documents:
            listed |= dict.fromkeys(document.files, document.files[0])
        return listed


def indexed_documents(statuses: Sequence[DocumentStatus]) -> tuple[CorpusDocument, ...]:
    """Return the documents of a library that questions search."""
    return tuple(
        CorpusDocument(status.document_id, status.files or (status.file,), status.n_pages)
        for status in statuses
        if status.is_indexed
    )


def corpus_of_library(library: Path) -> Corpus:
    """Take all documents of a library.

    Raises:
        LibraryError: When it cannot be opened, or holds no document that was read.
    """
    with closing(Store.open(library, read_only=True)) as store:
        statuses = store.statuses()
        sources = store.sources()
    documents = indexed_documents(statuses)
    if not documents or not sources:
        raise LibraryError(
            "There is nothing to measure: the library holds no document that was read.",
            "Ingest the folder that the bank was written for.",
        )
    unread = tuple(file for status in statuses if not status.is_indexed for file in status.files)
    return Corpus(Path(sources[0].folder), library, documents, unread)


def find_corpus(
    folder: Path,
    library: Path | None,
    own_library: Path,
    embedder: Embedder,
    say: Callable[[str], None],
) -> Corpus:
    """Take the documents of a folder from a library that holds them, or read them.

    Args:
        folder: Of the documents.
        library: Looked at first, and never written to.
        own_library: Read into when `library` does not hold every document of the folder.
        embedder: Of what is read.
        say: Told what happens.

    Raises:
        FolderError: When the folder is missing or holds no document.
        LibraryError: When a library cannot be opened.
    """
    found = scan(folder, {})
    files: dict[DocumentId, list[str]] = {}
    for entry in found.entries:
        files.setdefault(entry.document_id, []).append(entry.path)
    if not files:
        raise FolderError(
            f"No PDF was found in {folder}.", "Choose the folder that the bank was written for."
        )
    if library is not None:
        lacking = _lacking(library, files, say)
        if not lacking:
            return _corpus(folder, library, files)
        say(f"{library} does not hold {lacking[0]}, so the folder is read again.")
    say(f"Reading {len(files)} documents into {own_library}")
    _read(folder, own_library, embedder, say)
    return _corpus(folder, own_library, files)


def _lacking(
    library: Path, files: Mapping[DocumentId, Sequence[str]], say: Callable[[str], None]
) -> list[str]:
    """Return the first files of the documents that a library does not have in a final state."""
    with closing(Store.open(library, read_only=True)) as store:
        statuses = store.statuses(fingerprint())
    known = {status.document_id for status in statuses if status.state.is_final}
    n_stale = sum(status.stale and status.document_id in files for status in statuses)
    if n_stale:
        say(f"{n_stale} documents of {library} were read by another version; they serve as is.")
    return [paths[0] for key, paths in files.items() if key not in known]


def _corpus(folder: Path, library: Path, files: Mapping[DocumentId, Sequence[str]]) -> Corpus:
    with closing(Store.open(library, read_only=True)) as store:
        statuses = {status.document_id: status for status in store.statuses()}
    documents = []
    unread: list[str] = []
    for document_id, paths in files.items():
        status = statuses.get(document_id)
        if status is not None and status.is_indexed:
            documents.append(CorpusDocument(document_id, tuple(paths), status.n_pages))
        else:
            unread += paths
    if not documents:
        raise FolderError(
            f"None of the documents in {folder} could be read.", "Ingest it to see why."
        )
    return Corpus(folder, library, tuple(documents), tuple(unread))


def _read(folder: Path, own_library: Path, embedder: Embedder, say: Callable[[str], None]) -> None:
    library = Library.open(own_library, embedder=embedder)
    said = -1

    def on_progress(progress: IngestProgress) -> None:
        nonlocal said
        if progress.n_done != said:
            said = progress.n_done
            say(f"{progress.n_done} of {progress.n_documents} documents")

    try:
        library.add_source(folder)
        library.sync(on_progress, read_stale=True)
    finally:
        library.close()
