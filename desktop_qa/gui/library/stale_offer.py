"""The offer to read again what an earlier version of the program read."""

from __future__ import annotations

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.feature import Feature, Slot
from desktop_qa.gui.library.recent import keep_in, kept_in
from desktop_qa.gui.widgets.labels import n_of
from desktop_qa.gui.widgets.messages import NoticeAction, NoticeLevel
from desktop_qa.gui.window_parts import WindowParts

_KEY = "libraries/read_later"
_NOTICE = "stale"

_SEGMENTS_PER_MINUTE = 1600
"""That two cores embed."""


class StaleOffer(Feature):
    """Posts a notice that is in nobody's way; "Later" holds until the next version.

    Such documents are searched as they are. Nothing is read again unless the user says so.
    """

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session = self._session
        self._offered: tuple[str, int] | None = None
        session.library_opened.connect(lambda _view: self._update())
        session.statuses_changed.connect(lambda _changed, _removed: self._withdraw_if_done())
        session.sync_finished.connect(lambda _report: self._update())

    @property
    def stale(self) -> tuple[DocumentStatus, ...]:
        """The documents that an earlier version read."""
        return tuple(s for s in self._session.statuses if s.stale and s.state.is_searchable)

    def actions(self) -> dict[str, Slot]:
        """See `Feature`."""
        return {"read_stale": self.read_again}

    def available(self) -> dict[str, bool]:
        """See `Feature`."""
        return {"read_stale": self._session.can_write and bool(self.stale)}

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
        if (
            kept_in(self._settings, _KEY).get(library.folder) != library.version
            and offer != self._offered
        ):
            self._offered = offer
            self._post(count)

    def _post(self, count: int) -> None:
        embedded = [status for status in self.stale if status.other_model]
        if embedded:
            # Their vectors cannot be compared with the question's: better answers are certain.
            is_one, n_segments = len(embedded) == 1, sum(s.n_segments for s in embedded)
            them = "it is" if is_one else "they are"
            minutes = max(round(n_segments / _SEGMENTS_PER_MINUTE), 1)
            what, how, again = len(embedded), "embedded with another model", "Embed again"
            hint = (
                f"Until {them} embedded again, {them} found by words and codes only, not by"
                f" meaning. For {n_of(n_segments, 'segment', ',')} that takes about {minutes} min."
            )
        else:
            is_one, n_pages = count == 1, sum(status.n_pages for status in self.stale)
            what, how, again = count, "read by an earlier version", "Read again"
            hint = (
                f"{'It is' if is_one else 'They are'} searched as before. Reading the"
                f" {n_of(n_pages, 'page', ',')} again may give better answers."
            )
        self._messages.say(
            f"{n_of(what, 'document')} {'was' if is_one else 'were'} {how}.",
            hint,
            NoticeAction(again, self.read_again),
            NoticeAction("Later", self._postpone),
            level=NoticeLevel.WARNING if embedded else NoticeLevel.INFORMATION,
            key=_NOTICE,
        )

    def _withdraw_if_done(self) -> None:
        if self._offered is not None and not self.stale:
            self._offered = None
            self._messages.withdraw(_NOTICE)

    def _postpone(self) -> None:
        library = self._session.library
        if library is not None:
            keep_in(self._settings, _KEY, library.folder, library.version)
