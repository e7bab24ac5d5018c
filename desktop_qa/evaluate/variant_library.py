"""Libraries of the same documents, cut into other segments: what variants are measured on.

Each is a library as the program itself makes it, so that all of the program runs on it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_qa.augment.context import AugmentVariant
from desktop_qa.augment.keywords import find_keywords
from desktop_qa.augment.segmenter import segment_document
from desktop_qa.core.document import Document, PageWords
from desktop_qa.core.errors import LibraryError, LibraryLockedError
from desktop_qa.core.folders import FileRecord
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.segment import CascadingMetadata, IndexedSegment, Segment
from desktop_qa.evaluate.chunks import character_spans, chunk_document
from desktop_qa.evaluate.corpus import Corpus, CorpusDocument
from desktop_qa.evaluate.embedding_cache import CachedEmbedder
from desktop_qa.index.lexical import count_terms
from desktop_qa.index.library_lock import LibraryLock
from desktop_qa.index.store import Store
from desktop_qa.library.sync import fingerprint
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, count_tokens


@dataclass(frozen=True, slots=True)
class Cutting:
    """How documents become segments.

    Attributes:
        metadata: What the indexed texts carry; `None` for chunks of 1000 characters of the plain
            text, without title, chapters, tables or figures.
        max_tokens: Of what is embedded.
    """

    metadata: AugmentVariant | None = AugmentVariant.FULL
    max_tokens: int = MAX_EMBEDDED_TOKENS

    @property
    def name(self) -> str:
        """Of the folder of its library."""
        kind = "fixed_chunk" if self.metadata is None else self.metadata.value
        size = "" if self.max_tokens == MAX_EMBEDDED_TOKENS else f"-{self.max_tokens}"
        return f"{kind}{size}"

    def cut(self, document: Document, pages: Sequence[PageWords]) -> tuple[Segment, ...]:
        """Return the segments of a document, by ordinal."""
        if self.metadata is None:
            return chunk_document(document.id, pages, character_spans)
        segments = segment_document(
            document, count_tokens, self.metadata, page_words=pages, max_tokens=self.max_tokens
        )
        return tuple(
            replace(segment, metadata=_passed_down(segment.metadata, self.metadata))
            for segment in segments
        )

    def document(self, document: Document) -> Document:
        """Return what is known of a document where it is cut like this."""
        if self.metadata is not None:
            return document
        return replace(
            document,
            title="",
            vendor="",
            part_numbers=(),
            revision="",
            blocks=(),
            tables=(),
            figures=(),
            markdown="",
        )


def _passed_down(metadata: CascadingMetadata, variant: AugmentVariant) -> CascadingMetadata:
    """Leave out what a segment of this variant does not inherit; its own caption stays."""
    if variant is AugmentVariant.OWN_HEADING:
        own = metadata.section_path[-1:]
        return replace(
            metadata, document_title="", vendor="", part_numbers=(), revision="", section_path=own
        )
    if variant is AugmentVariant.NONE:
        return CascadingMetadata("", "", (), "", (), "", metadata.caption, metadata.page_nos)
    return metadata


def keep_known_vectors(library: Path, embedder: CachedEmbedder) -> None:
    """Put the vectors of a library into the cache: the model that made them is this one's.

    Raises:
        LibraryError: When it cannot be read.
    """
    with closing(Store.open(library, read_only=True)) as store:
        ids, vectors = store.embeddings()
        row_of = {segment_id: row for row, segment_id in enumerate(ids)}
        for status in store.statuses(fingerprint()):
            # Another version may have embedded with another model.
            if not status.is_indexed or status.stale:
                continue
            segments = [s for s in store.segments_of(status.document_id) if s.id in row_of]
            rows = [row_of[segment.id] for segment in segments]
            embedder.keep([segment.embedded_text for segment in segments], vectors[rows])


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other runs from the libraries of variants, which each run makes anew.

    Args:
        folder: Made when it is missing.

    Raises:
        LibraryLockedError: When another run is at work there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = LibraryLock(folder)
    except LibraryLockedError as error:
        raise LibraryLockedError(
            "Variants of these documents are being measured in another process.",
            "Wait until that has ended.",
        ) from error
    try:
        yield
    finally:
        lock.release()


def make_library(
    corpus: Corpus,
    cutting: Cutting,
    folder: Path,
    embedder: CachedEmbedder,
    say: Callable[[str], None],
) -> None:
    """Make the library of a variant anew; vectors known from before are not computed again.

    Args:
        corpus: The documents as they were read.
        cutting: How they become segments.
        folder: Of the library; what is there is deleted.
        embedder: Of the segments.
        say: Told what happens.

    Raises:
        LibraryError: When it cannot be written.
    """
    _delete(folder)
    with (
        closing(Store.open(corpus.library, read_only=True)) as source,
        closing(Store.open(folder)) as target,
    ):
        registered = target.add_source(corpus.folder)
        for number, found in enumerate(corpus.documents, start=1):
            records = [FileRecord(file, 0, 0, found.id) for file in found.files]
            target.put_files(registered.id, records)
            _copy(source, target, found, cutting, embedder)
            if number % 10 == 0 or number == len(corpus.documents):
                say(f"{cutting.name}: {number} of {len(corpus.documents)} documents cut")


def _copy(
    source: Store,
    target: Store,
    found: CorpusDocument,
    cutting: Cutting,
    embedder: CachedEmbedder,
) -> None:
    read = source.document(found.id)
    document, pages = cutting.document(read), found.page_words(source)
    segments = [
        IndexedSegment(s, count_terms(s.lexical_text), find_keywords(s.lexical_text))
        for s in cutting.cut(read, pages)
    ]
    target.save_document(
        document,
        pages,
        segments,
        embedder.embed_documents([indexed.segment.embedded_text for indexed in segments]),
        DocumentState.READY,
        fingerprint(),
    )


def _delete(folder: Path) -> None:
    try:
        if folder.is_dir():
            shutil.rmtree(folder)
    except OSError as error:
        raise LibraryError(
            f"{folder} cannot be made anew ({error.strerror or error}).",
            "Close what has it open, or delete it.",
        ) from error
