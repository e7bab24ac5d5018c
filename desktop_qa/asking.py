"""From a question to its answer: read, retrieve, answer, explain, keep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_qa.answer.answerer import answer_question
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.core.answer import Answer, Query
from desktop_qa.core.errors import Cancelled
from desktop_qa.core.stage_clock import StageClock
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.store import Store
from desktop_qa.keeping import HistoryKeeper
from desktop_qa.queries import QuestionReader
from desktop_qa.retrieve.retriever import Retriever
from desktop_qa.retrieve.search_index import SearchIndex
from desktop_qa.settings import RetrievalSettings


def never() -> bool:
    """Cancel nothing."""
    return False


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

    def ask(
        self,
        question: str,
        *,
        scope: Sequence[str] = (),
        prefer: Sequence[str] = (),
        top_k: int | None = None,
        is_cancelled: Callable[[], bool] = never,
    ) -> Answer:
        """Answer a question of an index that is loaded; see `Library.ask`."""
        clock = StageClock()
        keeper = HistoryKeeper(self._store, self._settings, scope, prefer)
        with keeper.keeping_failures(question, clock):
            asked = self._reader.read(question, scope, prefer)
            clock.end("reading")
            answer = self._answered(asked.query, top_k or self._settings.top_k, is_cancelled, clock)
            answer = self._reader.explained(answer, asked)
            clock.end("answering")
        answer = replace(answer, seconds=clock.total)
        if is_cancelled():
            raise Cancelled
        return keeper.kept(answer, clock)

    def _answered(
        self, query: Query, top_k: int, is_cancelled: Callable[[], bool], clock: StageClock
    ) -> Answer:
        """Answer one question, from its own evidence."""
        found = self._retriever.retrieve(query, top_k)
        clock.end("retrieval")
        if is_cancelled():
            raise Cancelled

        def similarities(texts: Sequence[str]) -> list[float]:
            question = self._embedder.embed_query(query.reformulated or query.text, is_cancelled)
            passages = self._embedder.embed_passages(texts, is_cancelled)
            return [float(cosine) for cosine in passages @ question]

        return answer_question(
            query,
            found.evidence,
            StoredEvidence(self._store),
            self._index.idf,
            found.best_similarity,
            similarities,
        )
