"""The words of the trade from the pages of a document to the query of a question."""

from __future__ import annotations

import pytest

from desktop_qa.augment.glossary import GLOSSARY_VERSION
from desktop_qa.core.question import Question
from desktop_qa.library.facade import Library
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.library.test_library import write_datasheet


def quiet(_progress):
    return None


@pytest.fixture
def embedder():
    return HashingEmbedder()


@pytest.fixture
def library(tmp_path, source_folder, embedder):
    opened = Library.open(tmp_path / "library", embedder=embedder)
    notes = "It is fed by a low-dropout regulator (LDO)."
    write_datasheet(source_folder / "acm4197.pdf", notes=notes)
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198", offset="60")
    opened.add_source(source_folder)
    opened.sync(quiet)
    yield opened
    opened.close()


def forget(library):
    with library._store._database.write() as connection:
        connection.execute("DELETE FROM glossaries")
        connection.execute("DELETE FROM glossary_names")


def test_every_document_that_was_read_was_learned_from(library):
    assert library._store.unlearned(GLOSSARY_VERSION) == ()


def test_documents_of_an_earlier_version_are_learned_from_without_being_read(library, embedder):
    ids = library._store.document_ids()
    learned = library._store.glossary_of(ids)
    assert [row.short_key for row in learned] == ["ldo"]
    forget(library)
    before = embedder.n_embedded
    library.sync(quiet)
    assert embedder.n_embedded == before
    assert library._store.unlearned(GLOSSARY_VERSION) == ()
    assert library._store.glossary_of(ids) == learned


def test_questions_are_also_searched_by_learned_words(library):
    for question, learned in (
        ("What feeds the LDO of the ACM4197?", "low-dropout regulator"),
        ("Does the ACM4197 have a low-dropout regulator?", "LDO"),
        ("Which amplifier has a low dropout regulator?", "LDO"),
    ):
        query = library.read_question(Question(question)).query
        assert query.also_searched == (learned,), question
        assert query.expansions, question
    assert (
        library.read_question(Question("Input offset voltage of the ACM4198?")).query.expansions
        == ()
    )


def test_an_answer_tells_what_was_also_searched(library):
    answer = library.ask(Question("What feeds the LDO of the ACM4197?"))
    assert answer.also_searched == ("low-dropout regulator",)
