"""The part of the library that hands out what was read: documents, their structure, their text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from desktop_qa.answer.source import EarlierEvidence
from desktop_qa.core.details import DocumentDetails, FilePlace
from desktop_qa.core.document import Document, DocumentId, Figure, Table
from desktop_qa.core.errors import NotReadError, NotStoredError, QuestionError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.readings import ReadBy
from desktop_qa.core.segment import Segment, SegmentId
from desktop_qa.core.structure import structure_view
from desktop_qa.core.view import ExportReport, MarkdownView, StructureView
from desktop_qa.export import (
    export_markdown,
    file_name,
    image_in,
    markdown_parts,
    with_images,
    with_one_header_row,
)
from desktop_qa.index.store import Store
from desktop_qa.library.document_folders import DocumentFolders
from desktop_qa.library.queries import documents_in_scope, nothing_indexed
from desktop_qa.library.sync import Synchronizer, fingerprint
from desktop_qa.retrieve.document_kinds import kind_of
from desktop_qa.retrieve.outlines import Outlines
from desktop_qa.retrieve.retriever import Retriever
from desktop_qa.retrieve.triage import Triage


class StoredDocuments:
    """Documents as they were read; usable from several threads."""

    _store: Store
    _retriever: Retriever
    _sync: Synchronizer

    @property
    def triage(self) -> Triage:
        """The functions of PDFTriage: pages, sections, tables and figures by name."""
        return Triage(self._store)

    def file_of(self, document_id: DocumentId) -> str:
        """Path of a document relative to its source folder."""
        status = self._store.status(document_id)
        return status.file if status is not None else ""

    def path_of(self, document_id: DocumentId) -> str:
        """Absolute path of a document."""
        status = self._store.status(document_id)
        return status.path if status is not None else ""

    def page_name(self, document_id: DocumentId, page_no: int) -> str:
        """A page of a document for people: "45 (PDF 47)" where it prints another number."""
        status = self._store.status(document_id)
        return status.page_name(page_no) if status is not None else str(page_no)

    def named(self, name: str) -> tuple[DocumentStatus, ...]:
        """Documents of this id, file, file name or file name without its ending."""
        wanted = name.replace("\\", "/")
        return tuple(status for status in self._store.statuses() if wanted in status.names)

    def in_scope(self, patterns: Sequence[str]) -> tuple[tuple[DocumentId, ...], tuple[str, ...]]:
        """Documents that were read and that some patterns mean; all when there are no patterns.

        Returns:
            The documents in the order of the library, and a note on each pattern that means none
            and each document that has not been read.

        Raises:
            QuestionError: When there is none.
        """
        statuses = self._store.statuses()
        read = {status.document_id: status for status in statuses if status.has_content}
        if not read:
            raise nothing_indexed(statuses)
        if not patterns:
            return tuple(read), ()
        chosen, notes = documents_in_scope(patterns, statuses)
        unread = [f"{self.file_of(one)} has not been read." for one in chosen if one not in read]
        return tuple(one for one in chosen if one in read), (*notes, *unread)

    def document(self, document_id: DocumentId) -> Document:
        """A parsed document.

        Raises:
            NotReadError: When it is unknown or not read yet.
        """
        try:
            return self._store.document(document_id)
        except NotStoredError as error:
            name = self.file_of(document_id)
            if not name:
                raise NotReadError(
                    "This document is not part of the library any more.", "Press Refresh."
                ) from error
            raise NotReadError(
                f"{name} has not been read.", "The list of documents says how far it is, or why."
            ) from error

    def segments_at(self, segment_ids: Sequence[SegmentId]) -> tuple[Segment, ...]:
        """Segments by id, in the order asked for."""
        return self._store.segments(segment_ids)

    def document_read_by(self, document_id: DocumentId, by: ReadBy | None) -> Document:
        """A document as the program or a model read it; the reading in use when `None`.

        Raises:
            NotReadError: When it is unknown or not read yet.
            QuestionError: When no model has read it.
        """
        if by is None:
            return self.document(document_id)
        kept = self._store.kept_readings(document_id)
        if kept is not None:
            return kept.document(by)
        if by is ReadBy.MODEL:
            raise not_read_by_model()
        return self.document(document_id)

    def elements_of(self, segments: Iterable[Segment]) -> dict[SegmentId, Table | Figure]:
        """The tables and figures that segments show; what was read anew since is left out."""
        source = EarlierEvidence(self._store)
        found = {one.id: source.table(one) or source.figure(one) for one in segments}
        return {key: element for key, element in found.items() if element is not None}

    def image_of(self, link: str) -> str:
        """Absolute path of a figure's `image_path` or `vector_path`; empty when it is not there."""
        return str(image_in(self._store.folder, link) or "")

    def segments(self) -> list[tuple[Segment, str]]:
        """Every segment of the library with its file, in ranking order of ties."""
        found = []
        for status in self._store.statuses():
            if status.is_indexed:
                found += [(s, status.file) for s in self._store.segments_of(status.document_id)]
        return found

    def details(self, document_id: DocumentId) -> DocumentDetails:
        """Return what is known of a document, also of one that could not be read.

        Raises:
            NotReadError: When it is not part of the library.
        """
        status = self._store.status(document_id, fingerprint())
        if status is None:
            errors = self._sync.file_errors
            status = next((one for one in errors if one.document_id == document_id), None)
        if status is None:
            raise NotReadError(
                "This document is not part of the library any more.", "Press Refresh."
            )
        n_words = self._store.word_counts(document_id)
        silent = (
            tuple(page for page in range(1, status.n_pages + 1) if not n_words.get(page))
            if status.has_content
            else ()
        )
        return DocumentDetails(
            status=status,
            places=tuple(_place(*one) for one in self._store.places(document_id)),
            kind=kind_of(status, Outlines(self._store)) if status.has_content else "",
            n_words=sum(n_words.values()),
            pages_without_text=silent,
            problems=tuple(sorted(status.page_failures, key=lambda failure: failure.page_no)),
            seconds=self._store.reading_note(document_id).seconds,
            kept_bytes=DocumentFolders(self._store.folder).size_bytes(document_id),
        )

    # For reading

    def structure(self, document_id: DocumentId, by: ReadBy | None = None) -> StructureView:
        """The chapters, tables and figures of a document with their places.

        Args:
            document_id: Of a document that was read.
            by: Whose reading; the one in use when `None`.

        Raises:
            NotReadError: When it is unknown or not read yet.
            QuestionError: When it is to be a model's reading, and there is none.
        """
        document = self.document_read_by(document_id, by)
        note = self._store.model_reading(document_id)
        used = ReadBy.PROGRAM if note is None else note.used
        view = structure_view(document, self._store.folder)
        return replace(view, read_by=by or used, model_reading=note)

    def tables_on_page(self, document_id: DocumentId, page_no: int) -> tuple[Table, ...]:
        """The tables of a document that stand on a page, whole.

        Raises:
            NotReadError: When it is unknown or not read yet.
        """
        return tuple(
            table
            for table in self.document(document_id).tables
            if any(place.page_no == page_no for place in table.provenances)
        )

    def markdown(self, document_id: DocumentId) -> MarkdownView:
        """The text of a document as Markdown; images that are gone leave their captions.

        Raises:
            NotReadError: When it is unknown or not read yet.
        """
        folder = self._store.folder

        def link_of(link: str) -> str | None:
            return link if image_in(folder, link) is not None else None

        text = with_images(self._text(document_id), link_of)
        name = self._name(document_id)
        return MarkdownView(document_id, name, text, tuple(markdown_parts(text)), str(folder))

    def export_markdown(
        self, document_id: DocumentId, target: Path, *, replace: bool = False
    ) -> ExportReport:
        """Write a document as Markdown with a folder of its images.

        Args:
            document_id: Of a document that was read.
            target: The Markdown file, or a folder in which it gets the document's name.
            replace: Write over what an earlier export left.

        Raises:
            NotReadError: When it is unknown or not read yet.
            AlreadyThereError: When there is something at the place and `replace` is false.
            ExportError: When it cannot be written.
        """
        text = self._text(document_id)
        if target.is_dir():
            target /= f"{file_name(self._name(document_id))}.md"
        return export_markdown(text, self._store.folder, target.absolute(), replace=replace)

    def _name(self, document_id: DocumentId) -> str:
        return PurePosixPath(self.file_of(document_id)).stem or document_id

    def _text(self, document_id: DocumentId) -> str:
        return with_one_header_row(self.document(document_id).markdown)


def not_read_by_model() -> QuestionError:
    """Say that there is no other reading of a document than the program's own."""
    return QuestionError(
        "No model has read this document.", "Have it read by one first (desktop-qa format)."
    )


def _place(source: str, path: str) -> FilePlace:
    file = Path(source, path)
    try:
        found = file.stat()
    except OSError:
        return FilePlace(str(file), source, None, 0.0)
    return FilePlace(str(file), source, found.st_size, found.st_mtime)
