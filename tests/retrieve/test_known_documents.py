from __future__ import annotations

import contextlib
from dataclasses import replace

from desktop_qa.core.document import DocumentId
from desktop_qa.core.folders import FileRecord
from desktop_qa.core.progress import DocumentState
from desktop_qa.index.store import Store
from desktop_qa.retrieve.known_documents import DocumentsReader
from desktop_qa.retrieve.search_index import SearchIndex
from tests.helpers.sample_documents import make_sample


def test_documents_are_read_once_for_each_change(tmp_path):
    sample, other = make_sample("DQA11"), make_sample("DQB22")
    with (
        contextlib.closing(Store.open(tmp_path)) as store,
        contextlib.closing(SearchIndex(store)) as index,
    ):
        index.load()
        reader = DocumentsReader(store, index, lambda _document_id: "")
        assert reader.read().directory.entries == ()

        sample.save_in(store)
        index.replace(sample.document.id, sample.segments, sample.embeddings)
        first = reader.read().directory
        assert first.named_by("DQA11") == (sample.document.id,)
        assert "5" in first.vocabulary
        assert reader.read().directory is first
        store.set_state(sample.document.id, DocumentState.WAITING)
        assert reader.read().statuses[0].state is DocumentState.WAITING

        source = store.add_source(tmp_path / "manuals")
        store.put_files(source.id, [FileRecord("XYZ999_sheet.pdf", 1, 1, sample.document.id)])
        assert reader.read().directory.named_by("XYZ999") == (sample.document.id,)

        other.save_in(store)
        index.replace(other.document.id, other.segments, other.embeddings)
        assert len(reader.read().directory.entries) == 2
        index.remove((sample.document.id,))
        store.remove_document(sample.document.id)
        assert reader.read().directory.named_by("DQA11") == ()


def test_a_date_is_read_once_and_again_when_its_document_was(tmp_path):
    samples = [make_sample("DQA11"), make_sample("DQB22")]
    # Two revisions of one sheet: the same parts and the same title.
    one, two = samples
    two = replace(
        two,
        document=replace(
            two.document, part_numbers=one.document.part_numbers, title=one.document.title
        ),
    )
    dates = {one.document.id: "2020-01", two.document.id: "2021-01"}
    asked: list[DocumentId] = []

    def date_of(document_id: DocumentId) -> str:
        asked.append(document_id)
        return dates[document_id]

    with (
        contextlib.closing(Store.open(tmp_path)) as store,
        contextlib.closing(SearchIndex(store)) as index,
    ):
        index.load()
        reader = DocumentsReader(store, index, date_of)
        for sample in (one, two):
            sample.save_in(store)
        assert reader.read().newer == {one.document.id: two.document.id}
        store.add_source(tmp_path / "manuals")
        store.put_files(1, [FileRecord("a.pdf", 1, 1, one.document.id)])
        assert reader.read().newer == {one.document.id: two.document.id}
        assert sorted(asked) == sorted(dates)

        dates[one.document.id] = "2022-01"
        one.save_in(store)
        assert reader.read().newer == {two.document.id: one.document.id}
