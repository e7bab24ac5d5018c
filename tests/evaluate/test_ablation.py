from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_qa.augment.context import AugmentVariant
from desktop_qa.core.errors import FolderError, LibraryError, LibraryLockedError, QuestionError
from desktop_qa.core.question import Question
from desktop_qa.evaluate.ablation import (
    VARIANTS,
    Variant,
    chosen_variants,
    run_variants,
)
from desktop_qa.evaluate.bank import EvidenceItem, GoldQuestion
from desktop_qa.evaluate.corpus import corpus_of_library, find_corpus
from desktop_qa.evaluate.embedding_cache import CachedEmbedder
from desktop_qa.evaluate.report import report_json
from desktop_qa.evaluate.variant_library import Cutting, alone_in, make_library
from desktop_qa.index.store import Store
from desktop_qa.library.facade import Library
from desktop_qa.settings import Settings
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.helpers.libraries import open_library

_BANK = (
    GoldQuestion(
        "Q1",
        "What is the input offset voltage of the ACM4198?",
        "sibling",
        answer_any=("60 µV", "60"),
        evidence=(EvidenceItem("acm4198.pdf", 1, "Input offset voltage"),),
    ),
    GoldQuestion("N1", "What is the weather of tomorrow?", "negative", negative=True),
)


@pytest.fixture
def embedder(tmp_path) -> Iterator[CachedEmbedder]:
    cache = CachedEmbedder(tmp_path / "v.sqlite3", HashingEmbedder())
    yield cache
    cache.end()


def _silent(_text: str) -> None:
    return None


def _segments(folder: Path) -> list:
    with open_library(folder, read_only=True) as library:
        return library.segments()


def _make(cutting: Cutting, library: Path, folder: Path, embedder: CachedEmbedder) -> list:
    make_library(corpus_of_library(library), cutting, folder, embedder, _silent)
    return _segments(folder)


def test_whole_program_is_made_again_from_what_was_read_without_embedding(
    sheets_library, tmp_path, embedder
):
    corpus = corpus_of_library(sheets_library)
    run_variants(VARIANTS[:1], Settings(), _BANK, corpus, tmp_path / "variants", embedder, _silent)
    assert embedder.n_embedded == 0
    assert _segments(tmp_path / "variants" / "full") == _segments(sheets_library)


def test_variants_leave_out_what_a_segment_inherits(sheets_library, tmp_path, embedder):
    def table(cutting: Cutting):
        found = _make(cutting, sheets_library, tmp_path / "variant", embedder)
        return next(s for s, file in found if s.element is not None and file == "acm4198.pdf")

    full = table(Cutting())
    assert "ACM4198" in full.lexical_text
    own = table(Cutting(AugmentVariant.OWN_HEADING))
    assert own.metadata.section_path == ("2.1 Electrical Characteristics",)
    assert "ACM4198" not in own.lexical_text
    assert "2.1 Electrical Characteristics" in own.embedded_text
    bare = table(Cutting(AugmentVariant.NONE))
    assert bare.metadata.section_path == ()
    assert bare.metadata.document_title == ""
    assert "ACM4198" not in bare.embedded_text
    assert "60" not in full.embedded_text.split()
    assert "60" in table(Cutting(AugmentVariant.TABLE_DATA_EMBEDDED)).embedded_text.split()


def test_fixed_chunks_know_nothing_but_the_words(sheets_library, tmp_path, embedder):
    found = _make(Cutting(None), sheets_library, tmp_path / "variant", embedder)
    assert {file for _, file in found} == {"acm4197.pdf", "acm4198.pdf"}
    assert all(segment.metadata.context_line() == "" for segment, _ in found)
    with open_library(tmp_path / "variant", read_only=True) as library:
        answer = library.ask(Question(_BANK[0].question))
        assert {status.title for status in library.statuses()} == {""}
    assert answer.evidence


def test_smaller_limit_gives_more_and_smaller_segments(sheets_library, tmp_path, embedder):
    whole = _make(Cutting(), sheets_library, tmp_path / "whole", embedder)
    small = _make(Cutting(max_tokens=40), sheets_library, tmp_path / "small", embedder)
    assert len(small) > len(whole)
    assert max(s.n_tokens for s, _ in small) < max(s.n_tokens for s, _ in whole)


def test_ablation_measures_rankings_and_answers_of_each_variant(sheets_library, tmp_path, embedder):
    said: list[str] = []
    corpus = corpus_of_library(sheets_library)
    variants = chosen_variants(["none", "vector_only"])
    systems = run_variants(
        variants, Settings(), _BANK, corpus, tmp_path / "variants", embedder, said.append
    )
    assert [system.name for system in systems] == ["whole program", "no metadata", "vectors only"]
    assert [system.paper for system in systems] == ["HCA", "Without HCA", "Vec retrieval"]
    full = report_json(systems[0].report)
    assert full["hit@1"] == 1.0
    assert full["answer_score"] == 1.0
    assert all(report_json(system.report)["n"] == 2 for system in systems)
    # The vectors of the whole program serve the variant that only weighs them differently.
    assert sum("documents cut" in line for line in said) == 2


def test_every_variant_changes_something():
    own = Settings()
    seen = {(variant.cutting, variant.settings(own), variant.scorer) for variant in VARIANTS}
    assert len(seen) == len(VARIANTS)
    vectors = next(v for v in VARIANTS if v.key == "vector_only").settings(own)
    assert vectors.retrieval.alpha == 1.0
    assert vectors.retrieval.beta == vectors.retrieval.document == vectors.sources.boost == 0.0
    assert vectors.retrieval.top_k == own.retrieval.top_k
    assert Variant("x", "x").settings(own) == own


def test_what_has_no_evidence_for_documents_is_asked_with_the_part_number(
    sheets_library, monkeypatch
):
    searched: list[str] = []

    def embed_query(_self: HashingEmbedder, text: str, *_others: object) -> object:
        searched.append(text)
        return hashing(HashingEmbedder(), text)

    hashing = HashingEmbedder.embed_query
    monkeypatch.setattr(HashingEmbedder, "embed_query", embed_query)
    for variant in chosen_variants(["eq1", "eq2", "no_keywords", "vector_only"]):
        settings = variant.settings(Settings())
        embedder = HashingEmbedder()
        library = Library.open(sheets_library, read_only=True, settings=settings, embedder=embedder)
        query = library.read_question(Question(_BANK[0].question)).query
        library.retriever.components(query)
        library.close()
        names_part = "ACM4198" in searched[-1]
        assert names_part == (variant.key in ("eq1", "eq2", "vector_only")), variant.key


def test_unknown_variant_is_refused_with_the_known_ones():
    with pytest.raises(QuestionError, match="vector_only"):
        chosen_variants(["nonsense"])
    assert chosen_variants(None) == VARIANTS


def test_library_that_holds_the_documents_is_used_and_its_other_documents_are_not(
    sheets, sheets_library, tmp_path, embedder
):
    folder = tmp_path / "one"
    folder.mkdir()
    shutil.copy(sheets / "acm4198.pdf", folder / "renamed.pdf")
    corpus = find_corpus(folder, sheets_library, tmp_path / "own", embedder, _silent)
    assert corpus.library == sheets_library
    assert corpus.files() == {"renamed.pdf": "renamed.pdf"}
    make_library(corpus, Cutting(), tmp_path / "variant", embedder, _silent)
    assert {file for _, file in _segments(tmp_path / "variant")} == {"renamed.pdf"}


def test_documents_that_the_library_lacks_are_read_into_one_of_their_own(
    sheets, tmp_path, embedder
):
    folder = tmp_path / "one"
    folder.mkdir()
    shutil.copy(sheets / "acm4198.pdf", folder)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 and nothing else")
    Store.open(tmp_path / "empty").close()
    said: list[str] = []
    own = tmp_path / "own"
    corpus = find_corpus(folder, tmp_path / "empty", own, embedder, said.append)
    assert corpus.library == own
    assert corpus.unread == ("broken.pdf",)
    assert [document.files for document in corpus.documents] == [("acm4198.pdf",)]
    assert "does not hold" in said[0]


def test_folder_without_documents_and_empty_library_are_refused(tmp_path, embedder):
    (tmp_path / "empty").mkdir()
    with pytest.raises(FolderError, match="No PDF"):
        find_corpus(tmp_path / "empty", None, tmp_path / "own", embedder, _silent)
    Store.open(tmp_path / "library").close()
    with pytest.raises(LibraryError, match="nothing to measure"):
        corpus_of_library(tmp_path / "library")


def test_two_runs_do_not_make_the_same_libraries(tmp_path):
    folder = tmp_path / "variants"
    with (
        alone_in(folder),
        pytest.raises(LibraryLockedError, match="another process"),
        alone_in(folder),
    ):
        pytest.fail("a second run began")
    with alone_in(folder):
        assert folder.is_dir()
