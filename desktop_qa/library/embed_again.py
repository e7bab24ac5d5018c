"""New vectors for documents that another embedding model made theirs; nothing is read again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from desktop_qa.core.document import DocumentId
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.store import Store
from desktop_qa.library.ingest import EMBEDDING_STEP, IngestControl
from desktop_qa.retrieve.search_index import SearchIndex


def embed_again(
    document_id: DocumentId,
    store: Store,
    index: SearchIndex,
    embedder: Embedder,
    control: IngestControl,
    on_step: Callable[[int, int], None],
) -> None:
    """Embed the stored texts of a document and make it comparable with questions.

    Until that is done, and when it is cancelled, the document is found by its words as before.

    Args:
        document_id: Of a document that is indexed.
        store: Where its texts are.
        index: That is told.
        embedder: Of the present model.
        control: Pause and cancel.
        on_step: Told after each step how many of how many segments are done.

    Raises:
        Cancelled: When the user stopped it.
        LibraryError: When the library cannot be written.
    """
    texts = store.embedded_texts(document_id)
    parts = []
    for start in range(0, len(texts), EMBEDDING_STEP):
        control.check()
        on_step(start, len(texts))
        parts.append(
            embedder.embed_documents(
                texts[start : start + EMBEDDING_STEP], is_cancelled=lambda: control.is_cancelled
            )
        )
    # Off the disk first, as for a document that is read again.
    index.remove_vectors(document_id)
    store.save_vectors(document_id, np.concatenate(parts))
    index.reload(document_id)
