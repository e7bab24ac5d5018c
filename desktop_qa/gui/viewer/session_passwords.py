"""Passwords of documents, known until the program ends and never written anywhere."""

from __future__ import annotations

from desktop_qa.core.document import DocumentId


class SessionPasswords:
    """Passwords by document; printing it tells none of them."""

    def __init__(self) -> None:
        self._passwords: dict[DocumentId, str] = {}

    def __repr__(self) -> str:
        return f"<{len(self._passwords)} passwords>"

    def get(self, document_id: DocumentId | None) -> str:
        """Return the password of a document, empty when none is known."""
        return self._passwords.get(document_id, "") if document_id is not None else ""

    def keep(self, document_id: DocumentId, password: str) -> None:
        """Remember a password that opened the document."""
        self._passwords[document_id] = password
