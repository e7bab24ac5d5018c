"""Measures variants of the program on the same documents and questions (HiQA, section 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.corpus import Corpus
from desktop_qa.evaluate.embedding_cache import CachedEmbedder
from desktop_qa.evaluate.features import Rescored
from desktop_qa.evaluate.runner import evaluate_bank, present_questions
from desktop_qa.evaluate.systems import System
from desktop_qa.evaluate.variant_library import Cutting, keep_known_vectors, make_library
from desktop_qa.evaluate.variants import Variant
from desktop_qa.library.facade import Library
from desktop_qa.settings import Settings


class VariantRunner:
    """Makes the library of each way of cutting once, and measures variants on it."""

    def __init__(
        self,
        bank: Sequence[GoldQuestion],
        corpus: Corpus,
        folder: Path,
        embedder: CachedEmbedder,
        say: Callable[[str], None],
    ) -> None:
        """Prepare.

        Args:
            bank: All questions.
            corpus: Of the documents.
            folder: That takes the libraries of the variants, one folder each.
            embedder: Shared by all of them.
            say: Told what happens.

        Raises:
            BankError: When no file that the bank names is in the corpus.
        """
        # Before minutes are spent on libraries that no question is about.
        present_questions(bank, corpus.files())
        self._bank = bank
        self._corpus = corpus
        self._folder = folder
        self._embedder = embedder
        self._say = say
        self._made: dict[Cutting, Path] = {}

    def run(self, variant: Variant, settings: Settings, *, with_answers: bool = True) -> System:
        """Measure a variant: its rankings and its answers.

        Args:
            variant: To measure.
            settings: The user's, where the variant says nothing.
            with_answers: False for its rankings only.

        Raises:
            BankError: When no file that the bank names is in the corpus.
            LibraryError: When its library cannot be made.
        """
        folder = self._library(variant.cutting)
        self._say(f"Measuring: {variant.name}")
        changed = variant.settings(settings)
        files = self._corpus.files()
        library = Library.open(folder, read_only=True, settings=changed, embedder=self._embedder)
        try:
            evaluated = library if variant.scorer is None else Rescored(library, variant.scorer)
            # Answers are made from the program's own ranking.
            answers = with_answers and variant.scorer is None
            report = evaluate_bank(self._bank, evaluated, files=files, with_answers=answers)
        finally:
            library.close()
        return System(variant.name, report, variant.paper)

    def _library(self, cutting: Cutting) -> Path:
        if not self._made:
            keep_known_vectors(self._corpus.library, self._embedder)
        if cutting not in self._made:
            folder = self._folder / cutting.name
            make_library(self._corpus, cutting, folder, self._embedder, self._say)
            self._made[cutting] = folder
        return self._made[cutting]


def run_ablation(
    runner: VariantRunner,
    variants: Sequence[Variant],
    settings: Settings,
    *,
    with_answers: bool = True,
) -> list[System]:
    """Measure variants; the first of them is what the others are compared with.

    Raises:
        BankError: When no file that the bank names is in the corpus.
        LibraryError: When a library cannot be made.
    """
    return [runner.run(variant, settings, with_answers=with_answers) for variant in variants]
