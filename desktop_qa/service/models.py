"""What the window asks of language models and about them; connections and keys stay here.

A question is put to a model where the passages are; what comes goes over the line at most every
30 ms, so that a fast model does not fill it. A stopped question ends with what was said. Servers
are looked for, listed and tried in a lane of their own, and so are documents read by a model: the
window is told how far it is after each round, and a reading that is stopped, or fails, leaves the
document as it was.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from desktop_qa.core.answer import Answer
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, QuestionError
from desktop_qa.core.figure_description import FigureDescription, FigureToDescribe
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.readings import ReadBy, together
from desktop_qa.core.view import AnswerView
from desktop_qa.library.talk import last_of
from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.messages import ServerNotice
from desktop_qa.llm.model_thread import ModelThread
from desktop_qa.llm.profile import Consent, Profile, ProfileStore
from desktop_qa.service.lanes import Job, Methods

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library
    from desktop_qa.library.reasoning import ModelAnswer, Reasoning

T = TypeVar("T")

_TOLD_EVERY_S = 0.03
_CLOSING_S = 2.0


class ModelRequests:
    """Asks models, has them read documents, and looks after their servers.

    Attributes:
        questions: By name, as `readings` of documents and what is asked `of_servers`: for a lane
            each.
    """

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library
        self._models = ModelThread()
        self._keys = KeyStore()
        self.questions: Methods = {"ask_model": self._ask, "describe_figure": self._describe}
        self.readings: Methods = {
            "estimate_reading": self._estimate_reading,
            "read_by_model": self._read,
            "use_reading": self._use_reading,
        }
        self.of_servers: Methods = {
            "kept_description": self._kept_description,
            "find_models": self._find_models,
            "list_models": self._list_models,
            "try_model": self._try_model,
            "key_state": self._key_state,
            "keep_key": self._keep_key,
        }

    def close(self) -> None:
        """End the thread of the models, once the lanes have ended."""
        self._models.close()

    # A question

    def _ask(
        self, job: Job, offline: Answer, scope: Sequence[str] | None, profile: Profile
    ) -> AnswerView:
        """Return the answer with what the model said in the end, which is kept if it is anything.

        Args:
            job: The request.
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
            said = self._awaited(
                job, heard.listen, lambda: self._tell_new(job, heard, offline, profile)
            )
        except Cancelled:
            heard.is_closed.wait(_CLOSING_S)
            said = heard.stopped()
        whole = said_of(said, profile, offline.notes)
        if whole.blocks and offline.history_id:
            library.keep_said(offline, whole)
        return library.with_said(offline, whole)

    def _tell_new(self, job: Job, heard: _Heard, offline: Answer, profile: Profile) -> None:
        before = heard.told
        if (new := heard.take_new()) is None:
            return
        said = said_of(new, profile)
        if heard.doing and not said.blocks:
            said = replace(said, notes=(*said.notes, heard.doing))
        has_more = len(new.evidence) > (len(before.evidence) if before is not None else 0)
        job.tell(self._library().with_said(offline, said) if has_more else said)

    # Documents read by a model

    def _estimate_reading(
        self, _job: Job, document_ids: tuple[DocumentId, ...], profile: Profile
    ) -> Any:
        """Return which documents can be read by a model, and what that takes.

        Raises:
            QuestionError: Why none can.
        """
        estimates, problem = {}, QuestionError("No document is chosen.")
        for document_id in document_ids:
            try:
                reading = self._library().reading_by_model(document_id, profile)
                estimates[document_id] = reading.estimate
            except QuestionError as error:
                problem = error
        if not estimates:
            raise problem
        return tuple(estimates), together(list(estimates.values()))

    def _read(self, job: Job, document_id: DocumentId, profile: Profile) -> Any:
        """Have a document read, and return its row and what came of it.

        Raises:
            Cancelled: When it was stopped.
            DesktopQaError: When it failed.
        """
        from desktop_qa.library.reading_by_model import read_by_model

        library = self._library()
        reading = library.reading_by_model(document_id, profile)
        consent = ProfileStore().consent(library.folder, profile)
        key = self._keys.key(profile)
        self._awaited(job, lambda: last_of(read_by_model(reading, key, consent), job.tell))
        note = library.keep_reading(reading, job.cancelled.is_set)
        return library.document_status(document_id), note

    def _use_reading(self, _job: Job, document_id: DocumentId, by: ReadBy) -> Any:
        """Search one of the two readings, and return the document's row."""
        library = self._library()
        library.use_reading(document_id, by)
        return library.document_status(document_id)

    # A figure

    def _kept_description(self, _job: Job, image: str) -> FigureDescription | None:
        from desktop_qa.library.describing import kept_description

        return kept_description(image)

    def _describe(self, job: Job, figure: FigureToDescribe, profile: Profile) -> FigureDescription:
        """Return what a model says of a figure, kept where the library can be written to.

        Raises:
            Cancelled: When it was stopped; nothing is kept then.
            DesktopQaError: When it failed.
        """
        from desktop_qa.library.describing import described

        library = self._library()
        consent = ProfileStore().consent(library.folder, profile)
        key = self._keys.key(profile)
        heard: deque[FigureDescription] = deque(maxlen=1)

        def tell_new() -> None:
            if heard:
                job.tell(heard.pop())

        whole = self._awaited(
            job, lambda: last_of(described(figure, profile, key, consent), heard.append), tell_new
        )
        library.keep_description(figure, whole)
        return whole

    # Servers

    def _find_models(self, job: Job) -> Any:
        """Return the servers of this machine, and the model files of other programs."""
        from desktop_qa.llm.local_servers import find_servers
        from desktop_qa.llm.model_files import found_files

        return self._awaited(job, find_servers), found_files()

    def _list_models(self, job: Job, profile: Profile) -> Any:
        """Return a profile as its server is spoken to, and the models that it lists."""
        from desktop_qa.llm.client import spoken

        key = self._keys.key(profile)
        return self._awaited(job, lambda: spoken(profile, key))

    def _try_model(self, job: Job, profile: Profile) -> Any:
        from desktop_qa.llm.probe import probe

        key = self._keys.key(profile)
        return self._awaited(job, lambda: probe(profile, key))

    def _key_state(self, _job: Job, profile: Profile) -> tuple[bool, bool]:
        """Return whether a key of its server is known, and whether keys outlive the program."""
        return bool(self._keys.key(profile)), self._keys.is_lasting

    def _keep_key(self, _job: Job, profile: Profile, key: str) -> tuple[bool, bool]:
        """Keep a key, or forget it when it is empty; returns what `key_state` does."""
        is_lasting = self._keys.keep(profile, key)
        return bool(key.strip()), is_lasting

    def _awaited(
        self,
        job: Job,
        work: Callable[[], Coroutine[Any, Any, T]],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> T:
        """Wait for what goes on in the thread of the models; `meanwhile` is called again and again.

        Raises:
            Cancelled: When its request was.
            DesktopQaError: That it raised.
        """
        future = self._models.call(work)
        while True:
            try:
                return future.result(timeout=_TOLD_EVERY_S)
            except TimeoutError:
                if job.cancelled.is_set():
                    future.cancel()
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
            steps = reasoned(self._reasoning, self._key, self._consent, on_notice=self._hear)
            return await last_of(steps, self._take)
        finally:
            self.is_closed.set()

    def _take(self, step: ModelAnswer) -> None:
        self._latest = step

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
