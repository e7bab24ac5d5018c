"""From a question to its answer: complete, read, retrieve, answer, explain, keep."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.answerer import by_statements, reply_to, task_of
from desktop_qa.answer.candidates import MAX_SOURCES
from desktop_qa.answer.citing import cited_answer
from desktop_qa.answer.guard import guarded_answer
from desktop_qa.answer.joined import AnsweredPart, joined
from desktop_qa.answer.reply import AnswerTask, Meaning, Reply
from desktop_qa.answer.source import StoredEvidence, still_stored, without_vanished
from desktop_qa.core.answer import Answer, Evidence, Query
from desktop_qa.core.errors import Cancelled, NotStoredError
from desktop_qa.core.question import Question
from desktop_qa.core.segment import SegmentId
from desktop_qa.core.stage_clock import StageClock
from desktop_qa.index.embedder import Embedder, FloatMatrix, never
from desktop_qa.index.store import Store
from desktop_qa.library.keeping import HistoryKeeper
from desktop_qa.library.queries import AskedQuestion, QuestionReader
from desktop_qa.retrieve.composite import sub_questions
from desktop_qa.retrieve.follow_up import Turn
from desktop_qa.retrieve.retriever import Retrieved, Retriever
from desktop_qa.retrieve.search_index import SearchIndex
from desktop_qa.settings import RetrievalSettings


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The models, until the question is cancelled."""

    embedder: Embedder
    is_cancelled: Callable[[], bool]

    def vectors(self, texts: Sequence[str]) -> FloatMatrix:
        return self.embedder.embed_passages(texts, self.is_cancelled)

    def similarities(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        vectors = self.vectors([question, *texts])
        cosines: list[float] = (vectors[1:] @ vectors[0]).tolist()
        return cosines

    def relevances(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        odds: list[float] = self.embedder.relevances(question, texts, self.is_cancelled).tolist()
        return odds


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

    def ask(self, question: Question, is_cancelled: Callable[[], bool]) -> Answer:
        """Answer a question of an index that is loaded; see `Library.ask`."""
        clock = StageClock()
        keeper = HistoryKeeper(self._store, self._settings, question)
        with keeper.keeping_failures(clock):
            asked = self._reader.read_after(question, self._conversations.before(question))
            clock.end("reading")
            refused = guarded_answer(asked.question.text)
            answer = refused or self._whole(asked, is_cancelled, clock)
            answer = self._reader.explained(answer, asked)
            if refused is not None:
                answer = replace(answer, notes=asked.notes)
            clock.end("answering")
        answer = replace(answer, conversation=question.conversation, seconds=clock.total)
        if is_cancelled():
            raise Cancelled
        self._conversations.add(answer)
        return keeper.kept(answer, clock)

    def forget_conversations(self) -> None:
        """Remember no turn any more that is not in the history."""
        self._conversations.forget()

    def _whole(
        self, asked: AskedQuestion, is_cancelled: Callable[[], bool], clock: StageClock
    ) -> Answer:
        """Answer a question: part by part where it asks several, for each reading it may have."""
        top_k = asked.question.top_k or self._settings.top_k

        questions = sub_questions(asked.query)
        if not questions:
            replied = self._one(asked.query, top_k, is_cancelled, clock)
            return _shown(cited_answer(asked.query, *replied), top_k)
        parts: list[AnsweredPart] = []
        for part in questions:
            query = part.reading
            if query is None:
                query = self._reader.read(replace(asked.question, text=part.question)).query
            else:
                self._reader.refuse_outside(query)
            replied = self._one(query, top_k, is_cancelled, clock)
            is_absent = bool(query.absent) and not query.document_ids
            parts.append(AnsweredPart(part.question, *replied, part.label, is_absent))
        return joined(asked.query, parts, top_k)

    def _one(
        self, query: Query, top_k: int, is_cancelled: Callable[[], bool], clock: StageClock
    ) -> tuple[Reply, tuple[Evidence, ...]]:
        """Reply to one question, from its own evidence."""
        n_sources = max(top_k, MAX_SOURCES)
        found = self._retriever.retrieve(self._reader.with_nearest_parts(query), n_sources)
        clock.end("retrieval")
        if is_cancelled():
            raise Cancelled

        meaning = _Meaning(self._embedder, is_cancelled)
        return self._from_what_is_left(query, found, meaning)

    def _from_what_is_left(
        self, query: Query, found: Retrieved, meaning: Meaning
    ) -> tuple[Reply, tuple[Evidence, ...]]:
        """Reply from evidence whose documents may leave, or be read anew, meanwhile."""
        evidence = found.evidence
        while True:
            try:
                task = self._task(query, evidence, found.best_similarity, meaning)
                order = by_statements(task) if self._settings.reads_statements else task.evidence
                return reply_to(task), order
            except NotStoredError:
                before = evidence, query
                evidence = still_stored(self._store, evidence)
                query = without_vanished(self._store, query)
                if (evidence, query) == before:
                    raise

    def _task(
        self, query: Query, evidence: Sequence[Evidence], similarity: float, meaning: Meaning
    ) -> AnswerTask:
        return task_of(
            query,
            evidence,
            StoredEvidence(self._store),
            self._index.idf,
            similarity,
            meaning,
            lambda part: self._retriever.retrieve(part, MAX_SOURCES).evidence,
        )

    def rank_all(self, query: Query) -> tuple[SegmentId, ...]:
        """Return every segment of the library, best first: the first ones by their statements."""
        ranking = self._retriever.rank_all(query)
        if not self._settings.reads_statements:
            return ranking
        found = self._retriever.retrieve(query, MAX_SOURCES)
        meaning = _Meaning(self._embedder, never)
        task = self._task(query, found.evidence, found.best_similarity, meaning)
        first = dict.fromkeys(item.segment.id for item in by_statements(task))
        return (*first, *(one for one in ranking if one not in first))


def _shown(answer: Answer, top_k: int) -> Answer:
    """Show the cited segments and the best ones: an answer may rest on one far behind."""
    n_cited = max((citation.marker for citation in answer.citations), default=0)
    n_shown = max(top_k, n_cited, *answer.figures, 0)
    return replace(answer, evidence=answer.evidence[:n_shown])


_MAX_TURNS = 8
"""Of each conversation; a follow-up goes back to the question before it."""


class Conversations:
    """Remembers the latest turns; what it does not know it takes from the history of the library.

    Usable from several threads.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turns: dict[str, deque[Turn]] = {}

    def before(self, question: Question) -> tuple[Turn, ...]:
        """Return the turns that a question may go on from, the latest last.

        The one that it names is the last of them, whichever conversation that belongs to, while it
        is kept; else it is the latest of its own.

        Raises:
            LibraryError: When the history cannot be read.
        """
        if question.alone:
            return ()
        origin = question.goes_on_from
        stored = self._store.turns_until(origin, _MAX_TURNS) if origin else ()
        return tuple(map(Turn.of, stored)) or tuple(self._turns_of(question.conversation))

    def _turns_of(self, conversation: str) -> deque[Turn]:
        known = self._turns.get(conversation)
        if known is None:
            stored = self._store.conversation(conversation, _MAX_TURNS) if conversation else ()
            known = deque(map(Turn.of, stored), _MAX_TURNS)
            self._turns[conversation] = known
        return known

    def add(self, answer: Answer) -> None:
        """Remember an answer as the latest turn of its conversation."""
        if answer.conversation:
            self._turns_of(answer.conversation).append(Turn.of(answer))

    def forget(self) -> None:
        """Forget every turn; what is still in the history is taken from there when it is needed."""
        self._turns.clear()
