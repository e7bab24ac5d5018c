"""Questions asked before there is anything to search wait for it instead of failing."""

from __future__ import annotations

from PySide6.QtCore import QObject

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.conversations.conversation_model import Turn
from desktop_qa.gui.session import LibrarySession
from desktop_qa.retrieve.unread import named_unread

_FIRST = "The first documents are being read. Your question is asked as soon as one is ready …"
_NAMED = "{file} is not read yet. Your question is asked as soon as it is …"
_PAUSED = "Reading is paused. Your question is asked when it goes on (Resume, at the bottom)."


class ReadingWait(QObject):
    """Holds a question while nothing of the library can be searched and something is read.

    Who asks in the first seconds of a library asks once; a question that was held and names a
    document is held until that one is read, since no other could answer it.
    """

    def __init__(self, session: LibrarySession) -> None:
        super().__init__(session)
        self._session = session
        session.waits_for = self.words
        session.statuses_changed.connect(self._on_reading_changed)
        session.sync_progressed.connect(self._on_reading_changed)
        session.sync_finished.connect(self._on_reading_changed)

    def words(self, turn: Turn) -> str:
        """Say what a question waits for; empty when it is to be asked now."""
        session = self._session
        if session.library is None or not session.is_syncing:
            return ""
        named: DocumentStatus | None = None
        if any(status.has_content for status in session.statuses):
            named = self._named(turn)
            if named is None:
                return ""
        if session.is_paused:
            return _PAUSED
        return _NAMED.format(file=named.file.rsplit("/", 1)[-1]) if named is not None else _FIRST

    def _named(self, turn: Turn) -> DocumentStatus | None:
        """Return a document that is still to be read and that a held question names."""
        if not turn.waits_for:
            return None
        unread = named_unread(turn.question.text, self._session.statuses)
        return next((status for status in unread if not status.state.is_final), None)

    def _on_reading_changed(self, *_what: object) -> None:
        self._session.send_questions_in_wait()
