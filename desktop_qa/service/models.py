"""What the window asks of language models and about them; connections and keys stay here.

A question is put to a model where the passages are; what comes goes over the line at most every
30 ms, so that a fast model does not fill it. A stopped question ends with what was said. Servers
are looked for, listed and tried in a lane of their own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from desktop_qa.core.answer import Answer
from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.model_said import Doubt, DoubtMark, ModelSaid
from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.model_thread import Handle, ModelThread
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
        tell: Callable[[int, ModelSaid], None],
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
            "find_servers": self._find_servers,
            "list_models": self._list_models,
            "try_model": self._try_model,
            "key_state": self._key_state,
            "keep_key": self._keep_key,
        }

    def lane_of(self, method: str, _request_id: int) -> ThreadPoolExecutor:
        """See `Requests`."""
        return self._lane if method == "ask_model" else self._server_lane

    def end(self) -> None:
        """See `Requests`; whoever ends it has cancelled what is under way."""
        for lane in (self._lane, self._server_lane):
            lane.shutdown(wait=True, cancel_futures=True)
        self._models.close()

    # A question

    def _ask(self, request_id: int, offline: Answer, profile: Profile) -> ModelSaid:
        """Return what the model said in the end, and keep it where anything was said.

        Raises:
            QuestionError: When there is nothing to ask a model.
        """
        library = self._library()
        # Its markers are those of the answer on screen: all that it cites can be shown there.
        reasoning = library.reasoning(offline, profile, looks_up=False)
        said = _Listening(reasoning, self._models).said(
            self._keys.key(profile),
            ProfileStore().consent(library.folder, profile),
            lambda so_far: self._tell(request_id, said_of(so_far, profile)),
            lambda: self._is_cancelled(request_id),
        )
        whole = said_of(said, profile, offline.notes)
        if whole.blocks and offline.history_id:
            library.keep_said(offline.history_id, whole)
        return whole

    # Servers

    def _find_servers(self, request_id: int) -> Any:
        from desktop_qa.llm.local_servers import find_servers

        return self._awaited(request_id, find_servers)

    def _list_models(self, request_id: int, profile: Profile) -> Any:
        """Return a profile as its server is spoken to, and the models that it lists."""
        from desktop_qa.llm.finding_dialect import spoken

        key = self._keys.key(profile)
        return self._awaited(request_id, lambda: spoken(profile, key))

    def _try_model(self, request_id: int, profile: Profile) -> Any:
        from desktop_qa.llm.probe import probe

        key = self._keys.key(profile)
        return self._awaited(request_id, lambda: probe(profile, key))

    def _key_state(self, _request_id: int, profile: Profile) -> tuple[bool, bool]:
        """Return whether a key of its server is known, and whether keys outlive the program."""
        return bool(self._keys.key(profile)), self._keys.is_lasting

    def _keep_key(self, _request_id: int, profile: Profile, key: str) -> tuple[bool, bool]:
        """Keep a key, or forget it when it is empty; returns what `key_state` does."""
        is_lasting = self._keys.keep(profile, key)
        return bool(key.strip()), is_lasting

    def _awaited(self, request_id: int, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Wait for what goes on in the thread of the models.

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


class _Listening:
    """Waits for one answer; its steps come in the thread of the models."""

    def __init__(self, reasoning: Reasoning, models: ModelThread) -> None:
        self._reasoning = reasoning
        self._models = models
        self._latest: ModelAnswer | None = None
        self._is_done = threading.Event()
        self._fault: DesktopQaError | None = None

    def said(
        self,
        key: str,
        consent: Consent | None,
        tell: Callable[[ModelAnswer], None],
        is_cancelled: Callable[[], bool],
    ) -> ModelAnswer:
        """Return the whole answer, once it is there or nobody wants more of it."""
        handle: Handle = self._models.call(
            lambda: self._listen(key, consent), self._on_end, self._on_error
        )
        told: ModelAnswer | None = None
        while not self._is_done.wait(_TOLD_EVERY_S):
            if is_cancelled():
                handle.stop()
                self._is_done.wait(_CLOSING_S)
                break
            latest = self._latest
            if latest is not None and latest is not told and not latest.is_over:
                told = latest
                tell(latest)
        if self._fault is not None:
            raise self._fault
        if self._latest is not None and self._latest.is_over:
            return self._latest
        return self._reasoning.failed(Cancelled())

    async def _listen(self, key: str, consent: Consent | None) -> None:
        from desktop_qa.library.reasoning import reasoned

        try:
            async with aclosing(reasoned(self._reasoning, key, consent)) as steps:
                async for step in steps:
                    self._latest = step
        finally:
            # Also where it was stopped: its connection is closed by now.
            self._is_done.set()

    def _on_end(self, _none: None) -> None:
        self._is_done.set()

    def _on_error(self, error: DesktopQaError) -> None:
        self._fault = error
        self._is_done.set()


def said_of(answer: ModelAnswer, profile: Profile, shown_notes: Sequence[str] = ()) -> ModelSaid:
    """Return an answer of a model as the window shows it, without notes that it shows already."""
    from desktop_qa.generate.judging import Verdict

    doubts = tuple(
        DoubtMark(
            *(one.block_index, one.line_index, one.start, one.end),
            Doubt(one.judgement.verdict.value),
            one.judgement.reason,
            one.judgement.instead,
            one.judgement.marker,
        )
        for one in answer.sentences
        if one.judgement.verdict is not Verdict.SUPPORTED
    )
    said = ModelSaid(
        profile.name, profile.model, profile.host, answer.blocks, doubts,
        is_over=answer.is_over, seconds=answer.seconds, fetched=answer.fetched,
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
