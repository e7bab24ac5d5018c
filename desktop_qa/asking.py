"""From a question to its answer: read, retrieve, answer, explain, keep."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

from desktop_qa.answer.answerer import answer_question
from desktop_qa.answer.guard import guarded_answer
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.core.answer import Answer, Query
from desktop_qa.core.errors import Cancelled
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.store import Store
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
        started = time.perf_counter()
        asked = self._reader.read(question, scope, prefer)
        refused = guarded_answer(asked.text)
        if refused is not None:
            answer = replace(self._reader.explained(refused, asked), notes=asked.notes)
        else:
            answer = self._answered(asked.query, top_k or self._settings.top_k, is_cancelled)
            answer = self._reader.explained(answer, asked)
        answer = replace(answer, seconds=time.perf_counter() - started)
        if is_cancelled():
            raise Cancelled
        if not self._store.read_only:
            self._store.add_history(answer, {"retrieval": asdict(self._settings)})
        return answer

    def _answered(self, query: Query, top_k: int, is_cancelled: Callable[[], bool]) -> Answer:
        """Answer one question, from its own evidence."""
        found = self._retriever.retrieve(query, top_k)
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
