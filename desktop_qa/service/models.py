"""What the window asks of language models and about them; connections and keys stay here.

A question is put to a model where the passages are; what comes goes over the line at most every
30 ms, so that a fast model does not fill it. A stopped question ends with what was said. Servers
are looked for, listed and tried in a lane of their own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from desktop_qa.core.answer import Answer
from desktop_qa.core.errors import Cancelled
from desktop_qa.core.figure_description import FigureDescription, FigureToDescribe
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.view import AnswerView
from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.messages import ServerNotice
from desktop_qa.llm.model_thread import ModelThread
from desktop_qa.llm.profile import Consent, Profile, ProfileStore

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library
    from desktop_qa.library.reasoning import ModelAnswer, Reasoning

T = TypeVar("T")

_TOLD_EVERY_S = 0.03
_CLOSING_S = 2.0


class ModelRequests:
    """Asks models, a new question while one before it still closes its connection.

    Attributes:
        methods: By name.
    """

    def __init__(
        self,
        library: Callable[[], Library],
        tell: Callable[[int, ModelSaid | AnswerView | FigureDescription], None],
        is_cancelled: Callable[[int], bool],
    ) -> None:
        self._library = library
        self._tell = tell
        self._is_cancelled = is_cancelled
        self._models = ModelThread()
        self._keys = KeyStore()
        self._lane = ThreadPoolExecutor(2, thread_name_prefix="model-lane")
        self._server_lane = ThreadPoolExecutor(2, thread_name_prefix="server-lane")
        self.methods: dict[str, Callable[..., Any]] = {
            "ask_model": self._ask,
            "kept_description": self._kept_description,
            "describe_figure": self._describe,
            "find_models": self._find_models,
            "list_models": self._list_models,
            "try_model": self._try_model,
            "key_state": self._key_state,
            "keep_key": self._keep_key,
        }

    def lane_of(self, method: str, _request_id: int) -> ThreadPoolExecutor:
        """See `Requests`."""
        return self._lane if method in ("ask_model", "describe_figure") else self._server_lane

    def end(self) -> None:
        """See `Requests`; whoever ends it has cancelled what is under way."""
        for lane in (self._lane, self._server_lane):
            lane.shutdown(wait=True, cancel_futures=True)
        self._models.close()

    def key(self, profile: Profile) -> str:
        """Return the key of a profile's server; empty where none is known."""
        return self._keys.key(profile)

    # A question

    def _ask(
        self, request_id: int, offline: Answer, scope: Sequence[str] | None, profile: Profile
    ) -> AnswerView:
        """Return the answer with what the model said in the end, which is kept if it is anything.

        Args:
            request_id: Of the request.
            offline: The answer from the documents.
            scope: See `Library.reasoning`.
            profile: Whom to ask.

        Raises:
            QuestionError: When there is nothing to ask a model.
        """
        library = self._library()
        consent = ProfileStore().consent(library.folder, profile)
        reasoning = library.reasoning(offline, profile, scope)
        heard = _Heard(reasoning, self._keys.key(profile), consent)
        try:
            said = self.awaited(
                request_id,
                heard.listen,
                lambda: self._tell_new(request_id, heard, offline, profile),
            )
        except Cancelled:
            heard.is_closed.wait(_CLOSING_S)
            said = heard.stopped()
        whole = said_of(said, profile, offline.notes)
        if whole.blocks and offline.history_id:
            library.keep_said(offline, whole)
        return library.with_said(offline, whole)

    def _tell_new(self, request_id: int, heard: _Heard, offline: Answer, profile: Profile) -> None:
        before = heard.told
        if (new := heard.take_new()) is None:
            return
        said = said_of(new, profile)
        if heard.doing and not said.blocks:
            said = replace(said, notes=(*said.notes, heard.doing))
        has_more = len(new.evidence) > (len(before.evidence) if before is not None else 0)
        self._tell(request_id, self._library().with_said(offline, said) if has_more else said)

    # A figure

    def _kept_description(self, _request_id: int, image: str) -> FigureDescription | None:
        from desktop_qa.library.describing import kept_description

        return kept_description(image)

    def _describe(
        self, request_id: int, figure: FigureToDescribe, profile: Profile
    ) -> FigureDescription:
        """Return what a model says of a figure, kept where the library can be written to.

        Raises:
            Cancelled: When it was stopped; nothing is kept then.
            DesktopQaError: When it failed.
        """
        from desktop_qa.library.describing import described, keep_description

        consent = ProfileStore().consent(self._library().folder, profile)
        heard: list[FigureDescription] = []

        async def listen() -> FigureDescription:
            async with aclosing(
                described(figure, profile, self._keys.key(profile), consent)
            ) as steps:
                async for step in steps:
                    heard[:] = [step]
            return heard[0]

        told: list[FigureDescription] = []

        def tell_new() -> None:
            if heard and heard != told:
                told[:] = heard
                self._tell(request_id, told[0])

        whole = self.awaited(request_id, listen, tell_new)
        with suppress(OSError):  # it is shown all the same
            keep_description(figure.image, whole)
        return whole

    # Servers

    def _find_models(self, request_id: int) -> Any:
        """Return the servers of this machine, and the model files of other programs."""
        from desktop_qa.llm.local_servers import find_servers
        from desktop_qa.llm.model_files import found_files

        return self.awaited(request_id, find_servers), found_files()

    def _list_models(self, request_id: int, profile: Profile) -> Any:
        """Return a profile as its server is spoken to, and the models that it lists."""
        from desktop_qa.llm.client import spoken

        key = self._keys.key(profile)
        return self.awaited(request_id, lambda: spoken(profile, key))

    def _try_model(self, request_id: int, profile: Profile) -> Any:
        from desktop_qa.llm.probe import probe

        key = self._keys.key(profile)
        return self.awaited(request_id, lambda: probe(profile, key))

    def _key_state(self, _request_id: int, profile: Profile) -> tuple[bool, bool]:
        """Return whether a key of its server is known, and whether keys outlive the program."""
        return bool(self._keys.key(profile)), self._keys.is_lasting

    def _keep_key(self, _request_id: int, profile: Profile, key: str) -> tuple[bool, bool]:
        """Keep a key, or forget it when it is empty; returns what `key_state` does."""
        is_lasting = self._keys.keep(profile, key)
        return bool(key.strip()), is_lasting

    def awaited(
        self,
        request_id: int,
        work: Callable[[], Coroutine[Any, Any, T]],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> T:
        """Wait for what goes on in the thread of the models; `meanwhile` is called again and again.

        Raises:
            Cancelled: When its request was.
            DesktopQaError: That it raised.
        """
        future: Future[T] = Future()
        handle = self._models.call(work, future.set_result, future.set_exception)
        while True:
            try:
                return future.result(timeout=_TOLD_EVERY_S)
            except TimeoutError:
                if self._is_cancelled(request_id):
                    handle.stop()
                    raise Cancelled from None
                meanwhile()


class _Heard:
    """What was heard of one answer; its steps come in the thread of the models.

    Attributes:
        doing: What goes on before the answer, as the server or its file tells.
        told: What `take_new` gave last.
        is_closed: Nothing more comes, and its connection is closed.
    """

    def __init__(self, reasoning: Reasoning, key: str, consent: Consent | None) -> None:
        self._reasoning = reasoning
        self._key = key
        self._consent = consent
        self._latest: ModelAnswer | None = None
        self.doing = ""
        self.told: ModelAnswer | None = None
        self.is_closed = threading.Event()

    async def listen(self) -> ModelAnswer:
        """Return the whole answer; `reasoned` ends with one that is over."""
        from desktop_qa.library.reasoning import reasoned

        try:
            answer = reasoned(self._reasoning, self._key, self._consent, on_notice=self._hear)
            async with aclosing(answer) as steps:
                async for step in steps:
                    self._latest = step
        finally:
            self.is_closed.set()
        assert self._latest is not None, "an answer without an end"
        return self._latest

    def _hear(self, notice: ServerNotice) -> None:
        """Take what goes on before the answer, which it begins anew."""
        self.doing = notice.text
        self._latest = self._latest or self._reasoning.so_far()
        self.told = None

    def take_new(self) -> ModelAnswer | None:
        """Return what came since it was last asked, but for the end."""
        latest = self._latest
        if latest is None or latest is self.told or latest.is_over:
            return None
        self.told = latest
        return latest

    def stopped(self) -> ModelAnswer:
        """Return what was said before it was stopped."""
        if self._latest is not None and self._latest.is_over:
            return self._latest
        return self._reasoning.failed(Cancelled())


def said_of(answer: ModelAnswer, profile: Profile, shown_notes: Sequence[str] = ()) -> ModelSaid:
    """Return an answer of a model as the window shows it, without notes that it shows already."""
    said = ModelSaid(
        profile.name, profile.model, profile.host, answer.blocks, answer.doubts,
        evidence=answer.evidence, is_over=answer.is_over, seconds=answer.seconds,
        fetched=answer.fetched,
    )  # fmt: skip
    if answer.answer is not None:
        own = (note for note in answer.answer.notes if note not in shown_notes)
        notes = (*own, answer.note)
        said = replace(said, citations=answer.answer.citations, notes=tuple(filter(None, notes)))
    if answer.usage is not None:
        said = replace(said, n_tokens=answer.usage.n_output, price=profile.cost(answer.usage))
    if isinstance(answer.error, Cancelled):
        return replace(said, was_stopped=True)
    if answer.error is not None:
        return replace(said, error=answer.error.message, hint=answer.error.hint)
    return said
