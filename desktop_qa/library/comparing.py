"""Comparing documents that were chosen, not asked about in words: resolve, compare, keep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from desktop_qa.answer.citing import cited_answer
from desktop_qa.answer.compare import MAX_DOCUMENTS, compared
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.core.answer import Answer, Query, QuestionType
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import Cancelled, QuestionError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.question import Question
from desktop_qa.core.stage_clock import StageClock
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.store import Store
from desktop_qa.library.keeping import HistoryKeeper
from desktop_qa.library.queries import QuestionReader
from desktop_qa.settings import RetrievalSettings

_MAX_NAMED = 6


@dataclass(slots=True)
class _Chosen:
    """A document to compare, and the parts of it that were named; none when the document was."""

    status: DocumentStatus
    codes: list[str]

    @property
    def n_columns(self) -> int:
        """Columns that it takes."""
        return max(len(self.codes), 1)


class Comparer:
    """Compares documents of one library; usable from several threads."""

    def __init__(
        self,
        store: Store,
        reader: QuestionReader,
        embedder: Embedder,
        settings: RetrievalSettings,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._reader = reader
        self._settings = settings

    def compare(
        self,
        names: Sequence[str],
        parameters: Sequence[str],
        *,
        conversation: str,
        is_cancelled: Callable[[], bool],
    ) -> Answer:
        """Compare documents of an index that is loaded; see `Library.compare`."""
        clock = StageClock()
        question = Question(_question(names, parameters), conversation=conversation)
        keeper = HistoryKeeper(self._store, self._settings, question)
        with keeper.keeping_failures(clock):
            chosen = self._chosen(names)
            clock.end("reading")
            answer = self._compared(chosen, tuple(parameters))
            clock.end("answering")
        if is_cancelled():
            raise Cancelled
        answer = replace(answer, conversation=conversation, seconds=clock.total)
        return keeper.kept(answer, clock)

    def _chosen(self, names: Sequence[str]) -> list[_Chosen]:
        """Find the documents by id, file or part number.

        Raises:
            QuestionError: When a name means none, or fewer than two or too many are left.
        """
        found: dict[DocumentId, _Chosen] = {}
        statuses = self._store.statuses()
        for name in dict.fromkeys(name.strip() for name in names if name.strip()):
            for one in self._named(name, statuses):
                known = found.setdefault(one.status.document_id, one)
                known.codes += [code for code in one.codes if code not in known.codes]
        chosen = list(found.values())
        unread = [one.status for one in chosen if not one.status.is_indexed]
        n_readable = sum(one.n_columns for one in chosen if one.status.is_indexed)
        if n_readable < 2 and unread:
            raise QuestionError(
                f"{_listed([status.file for status in unread])} cannot be compared: it has not"
                " been read.",
                "The list of documents says how far it is, or why.",
            )
        if n_readable < 2:
            raise QuestionError(
                "A comparison needs two documents or more.", "Choose another one beside it."
            )
        n_columns = sum(one.n_columns for one in chosen)
        if n_columns > MAX_DOCUMENTS:
            raise QuestionError(
                f"{n_columns} documents are too many to compare side by side.",
                f"Choose at most {MAX_DOCUMENTS}.",
            )
        return chosen

    def _named(self, name: str, statuses: Sequence[DocumentStatus]) -> list[_Chosen]:
        wanted = name.replace("\\", "/")
        by_name = [s for s in statuses if wanted in s.names]
        if by_name:
            return [_Chosen(status, []) for status in by_name]
        query = self._reader.read(Question(name)).query
        own = [s for s in statuses if s.document_id in query.document_ids]
        if own and not query.absent:
            return [_Chosen(status, [name]) for status in own]
        nearest = [code for _asked, codes in query.nearest for code in codes]
        hint = f"The nearest is {' or '.join(nearest)}." if nearest else "Check the name."
        raise QuestionError(f"{name} is no document or part of this library.", hint)

    def _compared(self, chosen: Sequence[_Chosen], parameters: tuple[str, ...]) -> Answer:
        source = StoredEvidence(self._store)
        ids = tuple(one.status.document_id for one in chosen)
        codes = tuple(code for one in chosen for code in one.codes)
        text = _question(
            [name for one in chosen for name in one.codes or [_title(one.status)]], parameters
        )
        reply = compared(ids, codes, source, self._embedder.embed_passages, names=parameters)
        if reply is None:
            raise QuestionError(
                f"None of the documents states {_listed(parameters)}.",
                "Compare them without naming parameters to see what they state.",
            )
        query = Query(text=text, type=QuestionType.COMPARE, document_ids=ids)
        n_documents = sum(status.is_indexed for status in self._store.statuses())
        return replace(
            cited_answer(query, reply, ()),
            n_documents_searched=len(ids),
            n_documents=n_documents,
        )


def _title(status: DocumentStatus) -> str:
    parts = status.part_numbers
    stem = PurePosixPath(status.file).stem
    own = [part for part in parts if part.casefold() in stem.casefold()]
    return next(iter((*own, *parts)), "") or status.title or stem


def _question(names: Sequence[str], parameters: Sequence[str]) -> str:
    on = f" on {_listed(parameters)}" if parameters else ""
    return f"Compare {_listed(names)}{on}" if names else "Compare"


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:_MAX_NAMED])
    if len(names) > _MAX_NAMED:
        return f"{', '.join(shown)} and {len(names) - _MAX_NAMED} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
