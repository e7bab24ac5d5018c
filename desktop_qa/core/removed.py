"""Documents that the user took out of a library though their files are still in its folders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from desktop_qa.core.document import DocumentId


@dataclass(frozen=True, slots=True)
class RemovedDocument:
    """A document that is passed over, with all files that held its bytes when it was removed.

    Attributes:
        files: Paths relative to their source folders, with "/" separators.
        paths: The same, absolute.
        title: Empty when what was read of it is gone, too.
        removed_at: Seconds since the epoch.
        is_kept: True while what was read of it is still there: it comes back at once. Else it is
            read again.
    """

    document_id: DocumentId
    files: tuple[str, ...]
    paths: tuple[str, ...]
    title: str
    removed_at: float
    is_kept: bool

    @property
    def name(self) -> str:
        """Name of the first file."""
        return PurePath(self.files[0]).name
