"""What is dragged from the library's list: documents, folders and vendors, as one kind of data.

Whoever starts a drag calls `mime_of`; whoever takes one calls `dragged`. The data holds no
addresses of files, so that a drag from the list is never taken for files that come from elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QMimeData

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.library.scope_model import ScopeEntry, document_entry

MIME_TYPE = "application/x-desktop-qa-scope"


@dataclass(frozen=True, slots=True)
class Dragged:
    """What is dragged.

    Attributes:
        document_ids: The documents that were taken hold of themselves, not those of a group.
        entries: Each of them and each group, as patterns of `retrieve.scope` with their names.
    """

    document_ids: tuple[DocumentId, ...]
    entries: tuple[ScopeEntry, ...]


def mime_of(
    statuses: Iterable[DocumentStatus], groups: Iterable[ScopeEntry] = ()
) -> QMimeData | None:
    """Return the data of a drag, None when there is nothing to drag.

    Args:
        statuses: Documents of the library.
        groups: Vendors and folders, from `scope_model.vendor_entry` and its like.
    """
    documents = tuple(statuses)
    entries = [*groups, *(document_entry(status) for status in documents)]
    if not entries:
        return None
    content = {
        "documents": [status.document_id for status in documents],
        "entries": [[entry.pattern, entry.label] for entry in entries],
    }
    data = QMimeData()
    data.setData(MIME_TYPE, json.dumps(content).encode())
    return data


def dragged(data: QMimeData) -> Dragged | None:
    """Return what is dragged from a library's list, None when it is something else."""
    if not data.hasFormat(MIME_TYPE):
        return None
    try:
        content = json.loads(bytes(data.data(MIME_TYPE).data()))
        entries = tuple(
            ScopeEntry(str(pattern), str(label)) for pattern, label in content["entries"]
        )
        ids = tuple(DocumentId(str(one)) for one in content["documents"])
    except (ValueError, TypeError, KeyError):
        return None
    return Dragged(ids, entries)
