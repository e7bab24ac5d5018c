"""From a question to its answer: complete, read, retrieve, answer, explain, keep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.answerer import answer_question
from desktop_qa.answer.candidates import MAX_SOURCES
from desktop_qa.answer.guard import guarded_answer
from desktop_qa.answer.joined import AnsweredPart, better_supported, joined
from desktop_qa.answer.source import StoredEvidence, still_stored, without_vanished
from desktop_qa.core.answer import Answer, AnswerStatus, Query
from desktop_qa.core.errors import Cancelled, NotStoredError, QuestionError
from desktop_qa.core.stage_clock import StageClock
from desktop_qa.core.viewed import Viewed
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.store import Store
from desktop_qa.library.conversations import Conversations
from desktop_qa.library.keeping import HistoryKeeper
from desktop_qa.library.queries import AskedQuestion, QuestionReader
from desktop_qa.retrieve.follow_up import Turn
from desktop_qa.retrieve.here import Here
from desktop_qa.retrieve.retriever import Retrieved, Retriever
from desktop_qa.retrieve.search_index import SearchIndex
from desktop_qa.retrieve.sub_questions import linked, sub_questions, without_lead
from desktop_qa.settings import RetrievalSettings


def never() -> bool:
    """Cancel nothing."""
    return False


@dataclass(frozen=True, slots=True)
class _Request:
    """How one question is to be answered, whatever it is made of."""

    scope: Sequence[str]
    prefer: Sequence[str]
    top_k: int
    is_cancelled: Callable[[], bool]
    clock: StageClock


def _said(answer: Answer) -> str:
    return answer.text if answer.status is AnswerStatus.ANSWERED else ""


class Asker:
    """Answers the questions of one library; usable from several threads."""

    def __init__(
        self,
        store: Store,
        index: SearchIndex,
        embedder: Embedder,
        reader: QuestionReader,
        retriever: Retriever,
        settings: RetrievalSettings,
    ) -> None:
        self._store = store
        self._index = index
        self._embedder = embedder
        self._reader = reader
        self._retriever = retriever
        self._settings = settings
        self._conversations = Conversations(store)

    def ask(
        self,
        question: str,
        *,
        scope: Sequence[str] = (),
        prefer: Sequence[str] = (),
        top_k: int | None = None,
        conversation: str = "",
        alone: bool = False,
        goes_on_from: int = 0,
        viewed: Viewed | None = None,
        is_cancelled: Callable[[], bool] = never,
    ) -> Answer:
        """Answer a question of an index that is loaded; see `Library.ask`."""
        clock = StageClock()
        keeper = HistoryKeeper(self._store, self._settings, scope, prefer, conversation)
        with keeper.keeping_failures(question, clock):
            turns = () if alone else self._conversations.turns(conversation, goes_on_from)
            here = self._here(question, viewed, scope, turns)
            text = here.question if here is not None else question
            scope = here.scope if here is not None and here.scope else scope
            request = _Request(scope, prefer, top_k or self._settings.top_k, is_cancelled, clock)
            complete = self._reader.completed(text, turns)
            asked = self._reader.read(complete or text, scope, prefer)
            clock.end("reading")
            refused = guarded_answer(asked.text)
            answer = self._reader.explained(refused or self._whole(asked, request), asked)
            if refused is not None:
                answer = replace(answer, notes=asked.notes)
            clock.end("answering")
        answer = replace(
            answer,
            question=question.strip() if complete or here is not None else answer.question,
            read_as=complete or (here.question if here is not None else ""),
            here=here.said if here is not None else "",
            conversation=conversation,
            seconds=clock.total,
        )
        if is_cancelled():
            raise Cancelled
        self._conversations.add(answer)
        return keeper.kept(answer, clock)

    def _here(
        self, question: str, viewed: Viewed | None, scope: Sequence[str], turns: Sequence[Turn]
    ) -> Here | None:
        """Read what points at the page that is seen, unless it goes on from what was said."""
        try:
            return self._reader.here(question, viewed, scope)
        except QuestionError:
            # "This table" may be the one of the answer before.
            if turns and self._reader.completed(question, turns):
                return None
            raise

    def forget_conversations(self) -> None:
        """Remember no turn any more that is not in the history."""
        self._conversations.forget()

    def _whole(self, asked: AskedQuestion, request: _Request) -> Answer:
        """Answer a question: part by part where it asks several, for each reading it may have."""
        questions = sub_questions(asked.query)
        if not questions:
            return self._one(asked.query, request)
        parts: list[AnsweredPart] = []
        names = self._reader.names()
        for part in questions:
            text = part.question
            if parts and not part.label:
                text = linked(text, parts[-1].question, _said(parts[-1].answer), names)
            query = self._reader.read(text, request.scope, request.prefer).query
            answer = self._one(query, request)
            if bare := without_lead(text, names):
                bare_query = self._reader.read(bare, request.scope, request.prefer).query
                answer = better_supported(answer, self._one(bare_query, request))
            is_absent = bool(query.absent) and not query.document_ids
            parts.append(AnsweredPart(part.question, answer, part.label, is_absent))
        return joined(asked.query, parts, request.top_k)

    def _one(self, query: Query, request: _Request) -> Answer:
        """Answer one question, from its own evidence."""
        n_sources = max(request.top_k, MAX_SOURCES)
        found = self._retriever.retrieve(self._reader.with_nearest_parts(query), n_sources)
        request.clock.end("retrieval")
        if request.is_cancelled():
            raise Cancelled

        def similarities(texts: Sequence[str]) -> list[float]:
            text = query.reformulated or query.text
            question = self._embedder.embed_query(text, request.is_cancelled)
            passages = self._embedder.embed_passages(texts, request.is_cancelled)
            return [float(cosine) for cosine in passages @ question]

        answer = self._from_what_is_left(query, found, similarities)
        return _shown(answer, request.top_k)

    def _from_what_is_left(
        self,
        query: Query,
        found: Retrieved,
        similarities: Callable[[Sequence[str]], Sequence[float]],
    ) -> Answer:
        """Answer from evidence whose documents may leave, or be read anew, meanwhile."""
        evidence = found.evidence
        while True:
            try:
                return answer_question(
                    query,
                    evidence,
                    StoredEvidence(self._store),
                    self._index.idf,
                    found.best_similarity,
                    similarities,
                )
            except NotStoredError:
                before = evidence, query
                evidence = still_stored(self._store, evidence)
                query = without_vanished(self._store, query)
                if (evidence, query) == before:
                    raise


def _shown(answer: Answer, top_k: int) -> Answer:
    """Show the cited segments and the best ones: an answer may rest on one far behind."""
    n_cited = max((citation.marker for citation in answer.citations), default=0)
    n_shown = max(top_k, n_cited, *answer.figures, 0)
    return replace(answer, evidence=answer.evidence[:n_shown])
