"""The part of the library that remembers: earlier questions, what became of what they cite, thumbs.

An answer is kept whole, so it is shown as it was whatever happens to its documents; what they are
now decides only which of its citations can still be opened.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path

from desktop_qa.answer.presentation import present
from desktop_qa.answer.source import EarlierEvidence, StoredEvidence
from desktop_qa.answer_export.files import export_answers, write_file
from desktop_qa.answer_export.gathering import gather, question_of
from desktop_qa.core.answer import Answer
from desktop_qa.core.document import DocumentId, Provenance, Table
from desktop_qa.core.errors import HistoryError, NotStoredError
from desktop_qa.core.history import (
    CitedDocument,
    DocumentsSince,
    HistoryItem,
    HistoryPage,
    KeptQuestion,
)
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import (
    AnswerView,
    EvidenceView,
    ExportReport,
    PastQuestion,
    reported_cells,
)
from desktop_qa.index.journal import cited_ids
from desktop_qa.index.records import HistoryRecord
from desktop_qa.index.store import Store
from desktop_qa.library.asking import Asker
from desktop_qa.library.keeping import KeptFigures, keep_pictures
from desktop_qa.library.marking import Marking
from desktop_qa.library.stored_documents import StoredDocuments

PAGE_LENGTH = 60
"""Questions that a list takes at a time."""

MOST_TURNS = 200
"""Of a conversation that is taken up again; the earlier ones are in the history."""


class PastQuestions(StoredDocuments, Marking):
    """Earlier questions of a library; usable from several threads.

    What is deleted is no context of the next question either.
    """

    _store: Store
    _asker: Asker

    # Finding

    def history(self, query: str = "", limit: int = PAGE_LENGTH, offset: int = 0) -> HistoryPage:
        """List earlier questions, newest first.

        Args:
            query: Words that the question or its answer holds; empty for all.
            limit: How many at most.
            offset: How many to leave out.
        """
        items = self._store.search_history(query, limit, offset)
        return HistoryPage(query, items, offset, self._store.count_history(query))

    def history_entry(self, history_id: int) -> PastQuestion:
        """Return an earlier question with its answer as it was.

        Raises:
            HistoryError: When there is none of this number.
        """
        with _known(history_id):
            return self._past_question(self._store.history_entry(history_id))

    def conversation(self, conversation: str) -> tuple[PastQuestion, ...]:
        """Return the questions of a conversation in the order in which they were asked."""
        return tuple(self._past_question(turn) for turn in self._store.turns(conversation))

    def conversation_items(self, conversation: str) -> tuple[HistoryItem, ...]:
        """Return the latest questions of a conversation as a list shows them, the newest last."""
        return self._store.conversation_items(conversation, MOST_TURNS)

    # Forgetting

    def delete_history(self, history_ids: Sequence[int]) -> int:
        """Delete questions and return how many; `restore_history` takes the last deletion back.

        Raises:
            LibraryError: When the library is open for reading only.
        """
        self.purge_history()
        n_deleted = self._store.delete_history(history_ids)
        self._asker.forget_conversations()
        return n_deleted

    def restore_history(self, history_ids: Sequence[int]) -> int:
        """Take a deletion back and return how many questions are there again."""
        n_restored = self._store.restore_history(history_ids)
        self._asker.forget_conversations()
        return n_restored

    def purge_history(self) -> None:
        """End what `restore_history` could take back; does nothing for a reader."""
        if not self._store.read_only and self._store.purge_history():
            KeptFigures(self._store.folder).sweep(self._store.history_ids)

    def clear_history(self) -> int:
        """Delete every question for good and return how many there were."""
        n_deleted = self._store.clear_history()
        KeptFigures(self._store.folder).sweep(self._store.history_ids)
        self._asker.forget_conversations()
        return n_deleted

    # Thumbs

    def feedback(self, history_id: int, verdict: int, comment: str = "") -> None:
        """Keep how an answer pleased; the latest word counts.

        Args:
            history_id: Of the question.
            verdict: 1 is up, -1 is down, 0 without a comment takes the thumb back.
            comment: The user's own words.

        Raises:
            HistoryError: When there is no such question.
            LibraryError: When the library is open for reading only.
        """
        with _known(history_id):
            self._store.set_feedback(history_id, verdict, comment)

    def export_feedback(self, target: Path) -> int:
        """Write all feedback to a file as JSON lines, and return the number of them.

        Each has question, verdict, comment, and what a later tuning needs: the segments in the
        order shown, which of them were cited, and the settings they were found with.

        Raises:
            ExportError: When it cannot be written.
        """
        lines = []
        for thumb in self._store.feedback():
            try:
                record = self._store.history_entry(thumb.history_id)
            except NotStoredError:  # its answer cannot be read; the store has logged it
                continue
            answer = record.answer
            row = {
                "id": record.id,
                "question": record.question,
                "read_as": answer.read_as if answer else "",
                "verdict": thumb.verdict,
                "comment": thumb.comment,
                "at": thumb.at,
                "asked_at": record.asked_at,
                "state": record.state.value,
                "answer": answer.text if answer else "",
                "cited": [c.segment_id for c in answer.citations] if answer else [],
                "shown": [e.segment.id for e in answer.evidence] if answer else [],
                "settings": record.settings,
            }
            lines.append(json.dumps(row, ensure_ascii=False))
        write_file("".join(f"{line}\n" for line in lines).encode(), target)
        return len(lines)

    # Ready to draw

    def drawn(self, answer: Answer) -> AnswerView:
        """Make an answer just given ready to draw."""
        return self._presented(answer, StoredEvidence(self._store))

    def with_said(self, answer: Answer, said: ModelSaid) -> AnswerView:
        """Make an answer ready to draw with what a model says of the same question."""
        return self._presented(answer, EarlierEvidence(self._store), said)

    def keep_said(self, answer: Answer, said: ModelSaid) -> None:
        """Keep what a model said of the question of a kept answer; does nothing for a reader."""
        if not self._store.read_only:
            self._store.keep_said(answer.history_id, said)
            keep_pictures(self._store, said.beside(answer))

    # Exporting

    def export_history(
        self, history_ids: Sequence[int], target: Path, *, replace: bool = False
    ) -> ExportReport:
        """Write earlier questions with their answers to a file, in the order given.

        Args:
            history_ids: At least one.
            target: Ends in .md, .html, .pdf or .docx.
            replace: Write over what is there.

        Raises:
            HistoryError: When there is none of these numbers.
            AlreadyThereError: When there is something at the place and `replace` is false.
            ExportError: When it cannot be written.
        """
        questions = [self.history_entry(history_id) for history_id in history_ids]
        return self._export(questions, target, replace=replace)

    def export_conversation(
        self, conversation: str, target: Path, *, replace: bool = False
    ) -> ExportReport:
        """Write a whole conversation to a file; see `export_history`."""
        questions = self.conversation(conversation)
        if not questions:
            raise HistoryError(
                f"There is no conversation {conversation} in the history.",
                "List the history to see what is there.",
            )
        return self._export(questions, target, replace=replace)

    def export_view(self, view: AnswerView, target: Path, *, replace: bool = False) -> ExportReport:
        """Write an answer that may not be in the history to a file; see `export_history`."""
        return self._export([question_of(view)], target, replace=replace)

    def _export(
        self, questions: Sequence[PastQuestion], target: Path, *, replace: bool
    ) -> ExportReport:
        sources = self._store.sources()
        name = Path(sources[0].folder).name if len(sources) == 1 else self._store.folder.name
        answers = gather(questions, name or self._store.folder.name)
        return export_answers(answers, target, self._store.folder, replace=replace)

    # As it was

    def _past_question(self, record: HistoryRecord) -> PastQuestion:
        answer = record.answer
        kept = {one.name: getattr(record, one.name) for one in fields(KeptQuestion)}
        return PastQuestion(
            **kept,
            view=self._as_it_was(answer, record) if answer is not None else None,
            since=self._since(_cited(record), answer),
        )

    def _as_it_was(self, answer: Answer, record: HistoryRecord) -> AnswerView:
        """Draw an answer from its own evidence; files that are gone keep their names of then."""
        names = {cited.document_id: cited.file for cited in record.documents}
        said = self._store.model_said(record.id)
        view = self._presented(answer, EarlierEvidence(self._store), said)
        return replace(
            view,
            evidence=tuple(
                replace(
                    item,
                    file=item.file or names.get(item.document_id, ""),
                    figure_path=self._figure_path(record.id, item),
                )
                for item in view.evidence
            ),
        )

    def _figure_path(self, history_id: int, item: EvidenceView) -> str | None:
        if item.kind is not SegmentKind.FIGURE:
            return item.figure_path
        if item.figure_path is not None and Path(item.figure_path).is_file():
            return item.figure_path
        path = KeptFigures(self._store.folder).path_of(history_id, item.marker)
        return str(path) if path is not None else None

    def _presented(
        self, answer: Answer, source: StoredEvidence, said: ModelSaid | None = None
    ) -> AnswerView:
        view = present(answer, source, self._store.folder, said)
        return replace(view, reported=reported_cells(view.evidence, self.reports()))

    def _since(self, cited: Sequence[CitedDocument], answer: Answer | None) -> DocumentsSince:
        changed: list[str] = []
        gone: list[str] = []
        again: list[str] = []
        differs: list[str] = []
        lost: list[DocumentId] = []
        files: set[str] | None = None
        for document in cited:
            status = self._store.status(document.document_id)
            if status is not None and status.files:
                if _was_read_again(document, status):
                    again.append(status.file)
                    if answer is not None and self._is_read_differently(answer, status):
                        differs.append(status.file)
                continue
            if files is None:
                files = {file for known in self._store.statuses() for file in known.files}
            lost.append(document.document_id)
            (changed if document.file in files else gone).append(document.file)
        return DocumentsSince(
            len(cited),
            *(tuple(changed), tuple(gone), tuple(again), tuple(lost), tuple(differs)),
        )

    def _is_read_differently(self, answer: Answer, status: DocumentStatus) -> bool:
        if not answer.tables or not status.has_content:
            return False
        tables = self._store.document(status.document_id).tables
        return is_read_differently(answer, status.document_id, tables)


def _was_read_again(document: CitedDocument, status: DocumentStatus) -> bool:
    return bool(document.fingerprint) and status.read_by != document.fingerprint


def _cited(record: HistoryRecord) -> tuple[CitedDocument, ...]:
    """Return the documents an answer cites; what an earlier version kept has their ids alone."""
    if record.documents or record.answer is None:
        return record.documents
    return tuple(CitedDocument(document_id) for document_id in cited_ids(record.answer))


@contextlib.contextmanager
def _known(history_id: int) -> Iterator[None]:
    try:
        yield
    except NotStoredError as error:
        raise HistoryError(
            f"There is no question number {history_id} in the history.",
            "List the history to see what is there.",
        ) from error


def is_read_differently(answer: Answer, document_id: DocumentId, tables: Sequence[Table]) -> bool:
    """Tell whether a cell that an answer shows is part of another, or of several, or of none now.

    Args:
        answer: As it was given, with the rectangles of its cells.
        document_id: Of the document in question.
        tables: That are read from it now.
    """
    documents = {item.marker: item.segment.document_id for item in answer.evidence}
    cells = [cell for table in tables for cell in table.cells if cell.text]
    return any(
        [_plain(cell.text) for cell in cells if _stand_together(cell.provenances, shown.places)]
        != [_plain(shown.text)]
        for table in answer.tables
        for row in table.rows
        for shown in row
        if shown.places and documents.get(shown.marker) == document_id
    )


def _stand_together(cell: Sequence[Provenance], shown: Sequence[Provenance]) -> bool:
    return any(one.meets(place) for one in cell for place in shown)


def _plain(text: str) -> str:
    return "".join(text.split())
