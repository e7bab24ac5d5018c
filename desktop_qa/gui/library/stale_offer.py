"""The offer to read again what an earlier version of the program read."""

from __future__ import annotations

import json

from PySide6.QtCore import QObject, QSettings

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.menu_link import Slot
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.messages import MessageArea, Notice, NoticeAction, NoticeLevel

_KEY = "libraries/read_later"
_NOTICE = "stale"

_SEGMENTS_PER_MINUTE = 1600
"""That two cores embed."""


class StaleOffer(QObject):
    """Posts a notice that is in nobody's way; "Later" holds until the next version.

    Such documents are searched as they are. Nothing is read again unless the user says so.
    """

    def __init__(
        self,
        session: LibrarySession,
        messages: MessageArea,
        settings: QSettings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._messages = messages
        self._settings = settings
        self._offered: tuple[str, int] | None = None
        session.library_opened.connect(lambda _view: self._update())
        session.statuses_changed.connect(lambda _changed, _removed: self._withdraw_if_done())
        session.sync_finished.connect(lambda _report: self._update())

    @property
    def stale(self) -> tuple[DocumentStatus, ...]:
        """The documents that an earlier version read."""
        return tuple(s for s in self._session.statuses if s.stale and s.state.is_searchable)

    def actions(self) -> dict[str, Slot]:
        """See `MenuLink`."""
        return {"read_stale": self.read_again}

    def available(self) -> dict[str, bool]:
        """See `MenuLink`."""
        library = self._session.library
        return {"read_stale": library is not None and not library.read_only and bool(self.stale)}

    def read_again(self) -> None:
        """Read all of them again."""
        self._messages.withdraw(_NOTICE)
        stale = self.stale
        if stale:
            self._session.read_again(tuple(status.document_id for status in stale))

    def _update(self) -> None:
        library, count = self._session.library, len(self.stale)
        if library is None or library.read_only or not count:
            self._offered = None
            self._messages.withdraw(_NOTICE)
            return
        # Once for each library and number: closing the notice is an answer for today.
        offer = (library.folder, count)
        if self._postponed().get(library.folder) != library.version and offer != self._offered:
            self._offered = offer
            self._messages.post(self._notice(count))

    def _notice(self, count: int) -> Notice:
        n_other = sum(status.other_model for status in self.stale)
        if n_other:
            return self._model_notice(n_other)
        what = "1 document was" if count == 1 else f"{count} documents were"
        n_pages = sum(status.n_pages for status in self.stale)
        pages = f"{n_pages:,} {'page' if n_pages == 1 else 'pages'}"
        it = "It is" if count == 1 else "They are"
        return Notice(
            NoticeLevel.INFORMATION,
            f"{what} read by an earlier version.",
            f"{it} searched as before. Reading the {pages} again may give better answers.",
            (NoticeAction("Read again", self.read_again), NoticeAction("Later", self._postpone)),
            key=_NOTICE,
        )

    def _model_notice(self, count: int) -> Notice:
        """Their vectors cannot be compared with the question's: better answers are certain."""
        what = "1 document was" if count == 1 else f"{count} documents were"
        it = "it is" if count == 1 else "they are"
        n_segments = sum(status.n_segments for status in self.stale if status.other_model)
        noun = "segment" if n_segments == 1 else "segments"
        minutes = max(round(n_segments / _SEGMENTS_PER_MINUTE), 1)
        return Notice(
            NoticeLevel.WARNING,
            f"{what} embedded with another model.",
            f"Until {it} embedded again, {it} found by words and codes only, not by meaning."
            f" For {n_segments:,} {noun} that takes about {minutes} min.",
            (NoticeAction("Embed again", self.read_again), NoticeAction("Later", self._postpone)),
            key=_NOTICE,
        )

    def _withdraw_if_done(self) -> None:
        if self._offered is not None and not self.stale:
            self._offered = None
            self._messages.withdraw(_NOTICE)

    def _postpone(self) -> None:
        library = self._session.library
        if library is not None:
            postponed = self._postponed() | {library.folder: library.version}
            self._settings.setValue(_KEY, json.dumps(postponed))

    def _postponed(self) -> dict[str, str]:
        """Return the version for which each library's offer was put off."""
        try:
            stored = json.loads(str(self._settings.value(_KEY, "{}")))
        except ValueError:
            return {}
        return stored if isinstance(stored, dict) else {}
