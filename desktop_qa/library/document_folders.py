"""What a library keeps of a document beside its database: its figures and its text as Markdown."""

from __future__ import annotations

import shutil
from pathlib import Path

from desktop_qa.core.document import DocumentId
from desktop_qa.core.whole_files import write_whole
from desktop_qa.index.database import plain_errors


class DocumentFolders:
    """Files of documents in the folder of a library."""

    def __init__(self, library: Path) -> None:
        self._library = library

    def drawn(self, document_id: DocumentId) -> Path:
        """Folder that takes the figures of a document while it is read.

        Those of an earlier reading stay where they are until `take_drawn`: its segments still
        answer.
        """
        return self._library / "figures" / f"{document_id}.reading"

    def figures(self, document_id: DocumentId) -> Path:
        """Folder of the figures of a document that was read."""
        return self._library / "figures" / document_id

    def markdown(self, document_id: DocumentId) -> Path:
        """File with the text of a document."""
        return self._library / "markdown" / f"{document_id}.md"

    def take_drawn(self, document_id: DocumentId) -> None:
        """Put the figures just drawn in place of earlier ones.

        Raises:
            LibraryError: When the folder cannot be written.
        """
        final, drawn = self.figures(document_id), self.drawn(document_id)
        if drawn.is_dir():
            with plain_errors(self._library):
                shutil.rmtree(final, ignore_errors=True)
                drawn.replace(final)

    def write_text(self, document_id: DocumentId, text: str) -> None:
        """Write the text of a document, in place of an earlier one.

        Raises:
            LibraryError: When the folder cannot be written.
        """
        file = self.markdown(document_id)
        with plain_errors(self._library):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, text.encode())

    def remove_drawn(self, document_id: DocumentId) -> None:
        """Remove the figures of a reading that failed."""
        shutil.rmtree(self.drawn(document_id), ignore_errors=True)

    def remove(self, document_id: DocumentId) -> None:
        """Remove all files of a document."""
        shutil.rmtree(self.figures(document_id), ignore_errors=True)
        self.remove_drawn(document_id)
        self.markdown(document_id).unlink(missing_ok=True)

    def size_bytes(self, document_id: DocumentId) -> int:
        """Return what the files of a document take."""
        files = [self.markdown(document_id), *self.figures(document_id).glob("*")]
        return sum(file.stat().st_size for file in files if file.is_file())
