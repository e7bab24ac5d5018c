"""What is learned from stored documents that an earlier version read; no file is opened for it."""

from __future__ import annotations

from desktop_qa.augment.glossary import GLOSSARY_VERSION, learn_glossary
from desktop_qa.index.reading_notes import ReadingNote
from desktop_qa.index.store import Store
from desktop_qa.library.ingest import IngestControl


def learn_words(store: Store, control: IngestControl) -> None:
    """Learn the words of documents that an earlier version read.

    Raises:
        Cancelled: When the user stopped it; the rest waits for the next time.
    """
    for document_id in store.unlearned(GLOSSARY_VERSION):
        control.check()
        entries = learn_glossary(store.document(document_id))
        store.save_glossary(document_id, entries, GLOSSARY_VERSION)


def note_dates(store: Store, control: IngestControl) -> None:
    """Note the dates of documents that were read before such notes were kept.

    Raises:
        Cancelled: When the user stopped it; the rest waits for the next time.
    """
    for document_id in store.documents_without_note():
        control.check()
        store.note_reading(document_id, ReadingNote.of(store.document(document_id)))
