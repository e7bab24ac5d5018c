"""The part of the library that reads a question: its scope, its preferred sources, its limits.

What a question is limited to and what is preferred is given in the patterns of `retrieve.scope`.
Preferred sources belong to the library, because its folders do; what the user's settings say holds
until a library has its own.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
import numpy.typing as npt

from desktop_qa.augment.grammar import parse
from desktop_qa.core.answer import Answer, AnswerStatus, Query
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import LibraryError, NotStoredError, QuestionError
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.question import Question
from desktop_qa.core.sources import MAX_SOURCE_BOOST, PREFERRED_SOURCE, SourceSettings
from desktop_qa.index.embedder import Embedder
from desktop_qa.index.store import Store
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.composite import left_out
from desktop_qa.retrieve.document_kinds import documents_of_kinds, kinds_asked
from desktop_qa.retrieve.follow_up import (
    ASK_WHOLE,
    NO_EARLIER_QUESTION,
    Turn,
    completed,
    is_follow_up_only,
)
from desktop_qa.retrieve.here import Here, in_places, read_here
from desktop_qa.retrieve.known_documents import DocumentsReader, KnownDocuments
from desktop_qa.retrieve.outlines import Outlines
from desktop_qa.retrieve.query import build_query
from desktop_qa.retrieve.question_text import readable
from desktop_qa.retrieve.reports import Quarter, reported_quarter, reports_of
from desktop_qa.retrieve.revisions import names_revision
from desktop_qa.retrieve.scope import label_of, select, why_unmatched
from desktop_qa.retrieve.search_index import SearchIndex
from desktop_qa.retrieve.unread import (
    named_unread,
    unread_sentences,
    with_nearest_documents,
    with_unread,
)
from desktop_qa.retrieve.wording import named as named_in_words
from desktop_qa.retrieve.wording import short_word, storable

logger = logging.getLogger(__name__)

_SOURCES_KEY = "sources"


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question ready for the retriever, and what to tell the user about it.

    Attributes:
        text: As the user typed it, without space around it.
        question: Complete: with what it goes on from, and with the places that it points at.
        scope: Labels of what it was limited to.
        n_searched: Documents in scope that can be searched.
        newest: Newest revision of each document that is outdated.
        unread: A sentence for each document that it names and that cannot be asked.
        read_as: The complete text, where it is another than was typed.
        here: What "this page" and the like were read as; empty when nothing points.
    """

    text: str
    question: Question
    query: Query
    scope: tuple[str, ...]
    notes: tuple[str, ...]
    n_searched: int
    n_documents: int
    newest: dict[DocumentId, DocumentId]
    unread: tuple[str, ...] = ()
    read_as: str = ""
    here: str = ""


class QuestionReader:
    """Reads questions for one library; usable from several threads."""

    def __init__(
        self,
        store: Store,
        index: SearchIndex,
        settings: SourceSettings,
        embedder: Embedder,
        outlines: Outlines,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._outlines = outlines
        self._index = index
        self._default_sources = settings
        self._documents = DocumentsReader(store, index, self._date_of)
        self._quarters: dict[tuple[DocumentId, float], Quarter | None] = {}

    # Preferred sources

    @property
    def sources(self) -> SourceSettings:
        """The preferred sources of this library; the user's own until it has any."""
        stored = self._store.meta(_SOURCES_KEY)
        if stored is None:
            return self._default_sources
        try:
            return msgspec.json.decode(stored, type=SourceSettings)
        except msgspec.MsgspecError as error:
            logger.warning("The preferred sources of the library cannot be read: %s", error)
            return self._default_sources

    def set_sources(self, sources: SourceSettings) -> None:
        """Keep preferred sources with the library; the next question follows them.

        Raises:
            LibraryError: When the boost is none, or the library cannot be written.
        """
        if not sources.is_in_range:
            raise LibraryError(
                f"The boost of preferred sources is from 0 to {MAX_SOURCE_BOOST:g},"
                f" not {sources.boost}."
            )
        self._store.set_meta(_SOURCES_KEY, msgspec.json.encode(sources).decode())

    # Questions

    def prepare(self) -> None:
        """Read what is known of the documents and of grammar: no question need wait for it.

        Raises:
            LibraryError: When the library cannot be read.
        """
        self._documents.read()
        parse("What is known?")

    def read_after(self, question: Question, turns: Sequence[Turn]) -> AskedQuestion:
        """Read a question that may go on from others, and point at what is looked at.

        Args:
            question: As it was asked.
            turns: What it may go on from, the latest last.

        Raises:
            QuestionError: When it can only go on from others and there are none, when it points at
                what is not there, and as `read` does.
        """
        here = self._here(question, turns)
        complete = here.question if here is not None else question
        follow_up = self._completed(complete.text, turns)
        if follow_up:
            complete = replace(complete, text=follow_up)
        return replace(
            self.read(complete),
            text=storable(question.text.strip()),
            read_as=complete.text if follow_up or here is not None else "",
            here=here.said if here is not None else "",
        )

    def _completed(self, text: str, turns: Sequence[Turn]) -> str:
        """Return a follow-up completed from the turns before it; "" for a complete question.

        Raises:
            QuestionError: When it can only be a follow-up, and nothing goes before it; or when it
                says nothing.
        """
        text = readable(text).text
        directory = self._documents.read().directory
        complete = completed(text, turns, directory)
        if not complete and not turns and is_follow_up_only(text, directory):
            raise QuestionError(NO_EARLIER_QUESTION, ASK_WHOLE)
        return complete

    def _here(self, question: Question, turns: Sequence[Turn]) -> Here | None:
        """Read what points at the page that is seen, unless it goes on from what was said."""
        try:
            return read_here(question, self._documents.read(), self._store.segments_of)
        except QuestionError:
            # "This table" may be the one of the answer before.
            if turns and self._completed(question.text, turns):
                return None
            raise

    def _meaning(self, text: str) -> npt.NDArray[np.float32]:
        vector: npt.NDArray[np.float32] = self._embedder.embed_passages([text])[0]
        return vector

    def read(self, question: Question) -> AskedQuestion:
        """Read a question of an index that is loaded, as it stands.

        Raises:
            QuestionError: When there is nothing to search for, or nothing to search.
        """
        text = readable(question.text)
        known = self._documents.read()
        statuses = known.statuses
        if self._index.n_segments == 0:
            raise nothing_indexed(statuses)
        chosen, notes = documents_in_scope(question.scope, statuses)
        query = build_query(text.text, known.directory, chosen, embed=self._meaning)
        if not question.scope and not query.document_ids:
            chosen, notes = self._of_kinds(text.text, statuses)
            if chosen:
                query = build_query(text.text, known.directory, chosen, embed=self._meaning)
        query = self._in_library(query, question, known)
        notes += self._outside(query, statuses)
        notes += left_out(query.text) if query.parts else []
        in_scope = set(chosen) if chosen else {s.document_id for s in statuses}
        asked = storable(question.text.strip())
        return AskedQuestion(
            text=asked,
            question=replace(question, text=asked),
            query=query,
            scope=tuple(storable(label_of(pattern)) for pattern in question.scope),
            notes=tuple(storable(note) for note in (text.note, *notes) if note),
            n_searched=sum(s.is_indexed and s.document_id in in_scope for s in statuses),
            n_documents=sum(s.state is not DocumentState.FAILED for s in statuses),
            newest={older: known.newer[older] for older in query.outdated},
            unread=tuple(map(storable, unread_sentences(named_unread(text.text, statuses)))),
        )

    def _of_kinds(
        self, text: str, statuses: Sequence[DocumentStatus]
    ) -> tuple[tuple[DocumentId, ...], list[str]]:
        """Return the documents of the kinds that a question names, and a note that says so."""
        kinds = kinds_asked(text)
        found = documents_of_kinds(kinds, statuses, self._outlines) if kinds else ()
        if not kinds or len(found) == sum(status.is_indexed for status in statuses):
            return (), []
        named = " and ".join(f"{kind}s" for kind in kinds)
        if not found:
            return (), [f"This library has no {named}; all documents were searched."]
        return found, [f"Only the {named} were searched."]

    def refuse_outside(self, part: Query) -> None:
        """Refuse a part of a question that is about documents which its scope leaves out.

        Raises:
            QuestionError: When it is.
        """
        self._outside(part, self._documents.read().statuses)

    def with_nearest_parts(self, query: Query) -> Query:
        """Let a question about a part that is not here find the documents of the nearest parts."""
        return with_nearest_documents(query, self._documents.read().directory)

    def _in_library(self, query: Query, question: Question, known: KnownDocuments) -> Query:
        """Add the places that are searched, and preferred and outdated documents, to all its parts.

        An older revision is not held back when the question asks of it, or when the user prefers
        it and not the newer one.
        """
        query = in_places(query, question.scope, known.statuses, self._store.segments_of)
        sources = self.sources
        preferred = select((*sources.preferred, *question.prefer), known.statuses).document_ids
        outdated: list[DocumentId] = []
        if sources.newest_revision_first:
            status_of = {status.document_id: status for status in known.statuses}
            for older, newer in known.newer.items():
                is_wanted = older in preferred and newer not in preferred
                if not is_wanted and not names_revision(query.text, status_of[older]):
                    outdated.append(older)
        # Where a maker has one report, there is none to tell it from.
        several = query.made_by if len(query.made_by) > 1 else ()
        of_quarter = reports_of(query.text, several, self._reported_quarter)
        return replace(
            query,
            # Answers for each document named come in this order.
            document_ids=tuple(sorted(query.document_ids, key=outdated.__contains__)),
            preferred=preferred,
            outdated=tuple(outdated),
            source_boost=sources.boost,
            made_by=of_quarter or query.made_by,
            parts=tuple(self._in_library(part, question, known) for part in query.parts),
        )

    def _reported_quarter(self, document_id: DocumentId) -> Quarter | None:
        """Read a report once, as a long one takes a third of a second, until it is read again."""
        status = self._store.status(document_id)
        key = document_id, status.read_at if status is not None else 0.0
        if key not in self._quarters:
            self._quarters[key] = reported_quarter(self._store.segments_of(document_id))
        return self._quarters[key]

    def _date_of(self, document_id: DocumentId) -> str:
        try:
            return self._store.document(document_id).date
        except NotStoredError:
            return ""

    def _outside(self, query: Query, statuses: Sequence[DocumentStatus]) -> list[str]:
        """Say which documents that the question names are left out by its scope.

        Raises:
            QuestionError: When all are, and none in scope speaks of them: what stood there would be
                said of another part.
        """
        outside = [d for d in query.document_ids if d not in query.scope]
        if not query.scope or not outside:
            return []
        files = named_in_words([s.file for s in statuses if s.document_id in outside])
        verb = "is" if len(outside) == 1 else "are"
        if len(outside) == len(query.document_ids) and not self._is_mentioned(query):
            raise QuestionError(
                f"The question is about {files}, which {verb} outside what is searched.",
                "Ask all documents, or add it to what is searched.",
            )
        return [f"The question names {files}, which {verb} outside what was searched."]

    def _is_mentioned(self, query: Query) -> bool:
        snapshot = self._index.snapshot()
        counts = snapshot.keyword_counts(query.keywords, ())
        return bool((counts[snapshot.state.mask_of(query.scope)] > 0).any())

    # Answers

    def explained(self, answer: Answer, asked: AskedQuestion) -> Answer:
        """Add to an answer what was searched, what was preferred and what the user should know."""
        statuses = {status.document_id: status for status in self._documents.read().statuses}
        found = dict.fromkeys(item.segment.document_id for item in answer.evidence)
        sources = []
        for document_id in found:
            if document_id in asked.newest:
                newer = statuses.get(asked.newest[document_id])
                name = newer.file if newer is not None else "in the library"
                sources.append((document_id, f"older revision; the newer one is {name}"))
            elif document_id in asked.query.preferred:
                sources.append((document_id, PREFERRED_SOURCE))
        notes = (*asked.notes, *self._notes_on_failure(answer, asked))
        if asked.unread:
            answer, unread = with_unread(answer, asked.query, asked.unread)
            notes = (*notes, *unread)
        return replace(
            answer,
            question=asked.text,
            n_documents_searched=asked.n_searched,
            n_documents=asked.n_documents,
            scope=asked.scope,
            notes=notes,
            sources=tuple(sources),
            type=asked.query.type,
            parts=tuple(part.text for part in asked.query.parts),
            read_as=asked.read_as,
            here=asked.here,
        )

    def _notes_on_failure(self, answer: Answer, asked: AskedQuestion) -> Iterable[str]:
        if answer.status is not AnswerStatus.NOT_FOUND:
            return
        if not asked.query.absent and (unknown := self._unknown_words(asked.query)):
            words = named_in_words([f"“{word}”" for word in unknown])
            verb = "stands" if len(unknown) == 1 else "stand"
            yield (
                f"{words} {verb} in no document. Ask in the language of the documents; part"
                " numbers, codes and values are found in any."
            )
        if asked.query.scope:
            yield (
                f"Only {asked.n_searched} of {asked.n_documents} documents were searched; ask all"
                " documents to look further."
            )

    def _unknown_words(self, query: Query) -> list[str]:
        """Return the words that no document holds, when they are most of the question."""
        words = [word for word in query.text.split() if _is_word(word)]
        snapshot = self._index.snapshot()
        unknown = [
            short_word(word.strip(".,;:?!¿¡؟。，？！()\"'"))
            for word in words
            if not snapshot.lexical.scores(dict.fromkeys(terms_of(word), 1.0)).any()
        ]
        return unknown if 2 * len(unknown) >= len(words) else []


def documents_in_scope(
    scope: Sequence[str], statuses: Sequence[DocumentStatus]
) -> tuple[tuple[DocumentId, ...], list[str]]:
    """Return the documents that a scope means and a note on what of it means none.

    Raises:
        QuestionError: When it means none that can be searched.
    """
    found = select(scope, statuses)
    reasons = [
        f"No document matches {label_of(pattern)}. {why_unmatched(pattern, statuses)}"
        for pattern in found.unmatched
    ]
    if scope and not found.document_ids:
        raise none_matches(found.unmatched, statuses)
    own = [status for status in statuses if status.document_id in found.document_ids]
    if own and not any(status.is_indexed for status in own):
        files = named_in_words([status.file for status in own])
        if any(not status.state.is_final for status in own):
            raise QuestionError(f"{files} cannot be asked yet.", "It is still being read.")
        raise QuestionError(
            f"{files} could not be read, so it cannot be asked.", "The library panel says why."
        )
    return found.document_ids, reasons


def none_matches(patterns: Sequence[str], statuses: Sequence[DocumentStatus]) -> QuestionError:
    """Return why nothing is searched for patterns that mean no document."""
    names = " or ".join(label_of(pattern) for pattern in patterns)
    hints = dict.fromkeys(why_unmatched(pattern, statuses) for pattern in patterns)
    return QuestionError(f"No document of this library matches {names}.", " ".join(hints))


def nothing_indexed(statuses: Sequence[DocumentStatus]) -> QuestionError:
    """Return why a library without a segment cannot be asked."""
    if not statuses:
        return QuestionError(
            "There is nothing to search yet.", "Add a folder of documents, then ask again."
        )
    if any(not status.state.is_final for status in statuses):
        return QuestionError(
            "The first documents are still being read.",
            "Ask again in a moment; each document can be asked about as soon as it is ready.",
        )
    return QuestionError(
        "None of the documents could be read.", "The library panel says why for each of them."
    )


def _is_word(word: str) -> bool:
    """Tell whether a piece of a question is a word that could stand in a text."""
    return any(c.isalpha() for c in word) and bool(terms_of(word))
