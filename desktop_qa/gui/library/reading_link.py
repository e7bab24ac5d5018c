"""Documents read again: by this version, or with a language model, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, DesktopQaError, QuestionError
from desktop_qa.core.progress import DocumentStatus, IngestProgress
from desktop_qa.core.readings import ModelReading, ReadBy, ReadingEstimate, ReadingProgress
from desktop_qa.gui.library.library_words import name_of
from desktop_qa.gui.library.recent import keep_in, kept_in
from desktop_qa.gui.widgets.dialog_parts import is_agreed
from desktop_qa.gui.widgets.labels import n_of
from desktop_qa.gui.widgets.messages import NoticeAction, NoticeLevel
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts
from desktop_qa.llm.profile import Profile

_KEY = "libraries/read_later"
_STALE_NOTICE = "stale"

_SEGMENTS_PER_MINUTE = 1600
"""That two cores embed."""
_NOTICE = "read by a model"


class StaleOffer(Feature):
    """Posts a notice that is in nobody's way; "Later" holds until the next version.

    Such documents are searched as they are. Nothing is read again unless the user says so.
    """

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session = self._session
        self._offered: tuple[str, int] | None = None
        session.library_opened.connect(self._update)
        session.statuses_changed.connect(self._on_statuses_changed)
        session.sync_finished.connect(self._update)

    @property
    def stale(self) -> tuple[DocumentStatus, ...]:
        """The documents that an earlier version read."""
        return tuple(s for s in self._session.statuses if s.stale and s.state.is_searchable)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        return {"read_stale": (self.read_again, self._session.can_write and bool(self.stale))}

    def read_again(self) -> None:
        """Read all of them again."""
        self._messages.withdraw(_STALE_NOTICE)
        if stale := self.stale:
            self._session.read_again(tuple(status.document_id for status in stale))

    def _update(self, _what: object) -> None:
        library, count = self._session.library, len(self.stale)
        if library is None or library.read_only or not count:
            self._offered = None
            self._messages.withdraw(_STALE_NOTICE)
            return
        # Once for each library and number: closing the notice is an answer for today.
        offer = (library.folder, count)
        postponed = kept_in(self._settings, _KEY).get(library.folder)
        if postponed != library.version and offer != self._offered:
            self._offered = offer
            self._post(count)

    def _on_statuses_changed(self) -> None:
        if self._offered is not None and not self.stale:
            self._update(None)

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
            key=_STALE_NOTICE,
        )

    def _postpone(self) -> None:
        library = self._session.library
        if library is not None:
            keep_in(self._settings, _KEY, library.folder, library.version)


class ReadingLink(Feature):
    """Has documents read one after the other, by the model that is chosen in the window."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._models = window.models
        self._status_line = window.status_line
        self._waiting: list[DocumentId] = []
        self._n_documents = 0
        self._request_id: int | None = None
        self._status_line.cancel_button.clicked.connect(self.stop)
        self._session.leaving.connect(self._forget)

    def offer(self, statuses: Sequence[DocumentStatus]) -> None:
        """Ask what it takes to have documents read, and say so before anything is sent."""
        profile = self._models.choice.profile
        if self._request_id is not None:
            hint = "Wait until it is done, or stop it below."
            self._messages.say("A model is reading already.", hint, key=_NOTICE)
        elif profile is None:
            self._messages.say(
                "No language model is chosen.",
                "Choose one below, at the right.",
                NoticeAction("Language Models …", self._models.show_dialog),
                key=_NOTICE,
            )
        elif self._models.is_permitted(profile):
            ids = tuple(status.document_id for status in statuses)
            self._session.request(
                *("estimate_reading", ids, profile), on_result=partial(self._on_estimated, profile)
            )

    def _on_estimated(
        self, profile: Profile, result: tuple[tuple[DocumentId, ...], ReadingEstimate]
    ) -> None:
        ids, estimate = result
        status = self._session.status(ids[0])
        what = name_of(status) if len(ids) == 1 and status is not None else f"{len(ids)} documents"
        where = f"at {profile.host}" if profile.is_remote else "on this machine"
        if self._request_id is None and is_agreed(
            self._window,
            "Read Again with a Model",
            f"Shall {profile.model} {where} read {what}?",
            f"{estimate.line}\n\nIt looks for headings and tables. What does not stand on the pages"
            " is not taken, and the offline reading stays: both can be seen, and either be used.",
            "Read",
        ):
            self._waiting, self._n_documents = list(ids), len(ids)
            self._read_next(profile)

    def _read_next(self, profile: Profile) -> None:
        if not self._waiting:
            self._request_id = None
            if not self._session.is_syncing:
                self._status_line.show_idle(self._session.statuses)
            return
        document_id = self._waiting.pop(0)
        self._request_id = self._session.start(
            *("read_by_model", document_id, profile),
            on_result=partial(self._on_read, profile),
            on_failure=partial(self._on_failed, profile),
            on_progress=partial(self._on_progressed, profile),
        )

    def stop(self) -> None:
        """Stop the model; while an ingest is at work as well, that is what is stopped first."""
        if self._request_id is not None and not self._session.is_syncing:
            self._waiting.clear()
            self._session.cancel(self._request_id)

    def _forget(self) -> None:
        """Another library is opened: what its process was at is stopped there."""
        self._waiting.clear()
        self._request_id = None

    def _on_progressed(self, profile: Profile, progress: ReadingProgress) -> None:
        if self._session.is_syncing or self._request_id is None:
            return  # the line at the bottom is taken
        seconds = progress.seconds
        n_done = self._n_documents - len(self._waiting) - 1
        said = replace(progress, seconds_left=None).line  # that stands beside it
        moment = IngestProgress(
            n_done=n_done,
            n_documents=self._n_documents,
            n_pages_done=progress.n_pages_done,
            n_pages=progress.n_pages,
            pages_per_second=progress.n_pages_done / seconds if seconds else 0.0,
            seconds_left=progress.seconds_left,
            paused=False,
            activity=f"{profile.model} reads {said}",
        )
        self._status_line.show_progress(moment, what="reading", can_pause=False)

    def _on_read(
        self, profile: Profile, result: tuple[DocumentStatus | None, ModelReading]
    ) -> None:
        status, note = result
        if status is not None:
            back = NoticeAction("Use the Offline Reading", partial(self._go_back, status))
            message = f"{name_of(status)} was read by {note.model}."
            self._messages.say(message, note.line, back, key=_NOTICE)
            self._session.take((status,), ())
        self._read_next(profile)

    def _go_back(self, status: DocumentStatus) -> None:
        self._session.request(
            *("use_reading", status.document_id, ReadBy.PROGRAM),
            on_result=lambda now: self._session.take((now,) if now else (), ()),
        )

    def _on_failed(self, profile: Profile, error: DesktopQaError) -> None:
        if not isinstance(error, Cancelled):
            hint = f"{error.hint} The offline reading stays.".strip()
            self._messages.say(error.message, hint, level=NoticeLevel.ERROR, key=_NOTICE)
        if not isinstance(error, QuestionError):  # not of this document alone
            self._waiting.clear()
        self._read_next(profile)
