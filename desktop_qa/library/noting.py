"""What is noted of stored documents that an earlier version read; no file is opened for it."""

from __future__ import annotations

from desktop_qa.index.reading_notes import ReadingNote
from desktop_qa.index.store import Store
from desktop_qa.library.ingest import IngestControl


def note_dates(store: Store, control: IngestControl) -> None:
    """Note the dates of documents that were read before such notes were kept.

    Raises:
        Cancelled: When the user stopped it; the rest waits for the next time.
    """
    for document_id in store.documents_without_note():
        control.check()
        store.note_reading(document_id, ReadingNote.of(store.document(document_id)))
