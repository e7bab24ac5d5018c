"""The words of the trade from the pages of a document to the query of a question."""

from __future__ import annotations

import pytest

from desktop_qa.augment.glossary import GLOSSARY_VERSION
from desktop_qa.index.glossary import Glossary
from desktop_qa.library import Library
from desktop_qa.retrieve.query import build_query
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.test_library import write_datasheet


def quiet(_progress):
    return None


@pytest.fixture
def embedder():
    return HashingEmbedder()


@pytest.fixture
def library(tmp_path, source_folder, embedder):
    opened = Library.open(tmp_path / "library", embedder=embedder)
    write_datasheet(source_folder / "acm4197.pdf")
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198", offset="60")
    opened.add_source(source_folder)
    opened.sync(quiet)
    yield opened
    opened.close()


def expansions_of(library, question):
    return build_query(question, library._directory())


def forget(library):
    with library._store._database.write() as connection:
        connection.execute("DELETE FROM glossaries")
        connection.execute("DELETE FROM glossary_names")


def test_every_document_that_was_read_was_learned_from(library):
    assert library._store.unlearned(GLOSSARY_VERSION) == ()


def test_documents_of_an_earlier_version_are_learned_from_without_being_read(library, embedder):
    ids = library._store.document_ids()
    learned = library._store.glossary_of(ids)
    forget(library)
    before = embedder.n_embedded
    library.sync(quiet)
    assert embedder.n_embedded == before
    assert library._store.unlearned(GLOSSARY_VERSION) == ()
    assert library._store.glossary_of(ids) == learned


def test_questions_are_also_searched_by_learned_words(sample_ingest):
    library = Library.open(sample_ingest.library, read_only=True, embedder=HashingEmbedder())
    try:
        store = library._store
        rows = store.glossary_of(store.document_ids())
        assert len(rows) > 20
        glossary = Glossary(store)
        own = {row.document_id for row in rows}
        wrong = [row for row in rows if row.long_key in ("see figur", "typic", "v")]
        assert own
        assert wrong == []
        row = next(row for row in rows if row.source == "symbol" and " " in row.long_key)
        found = glossary.names_of(row.short_key, (row.document_id,))
        assert row.long_key in {name.key for name in found}
    finally:
        library.close()
