"""The verbs of the command line that measure: a question bank, or how structure is read."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.models import add_profile
from desktop_qa.cli.verbs import add_library, print_json, say, verb
from desktop_qa.paths import cache_folder, default_library_folder
from desktop_qa.settings import load_settings

if TYPE_CHECKING:
    from desktop_qa.evaluate.bank import GoldQuestion
    from desktop_qa.evaluate.embedding_cache import CachedEmbedder
    from desktop_qa.evaluate.model_answers import AlsoModel
    from desktop_qa.evaluate.systems import System
    from desktop_qa.library.facade import Library


def add_evaluation_verbs(verbs: Any) -> None:
    """Add them to the subparsers of the program."""
    evaluate = verb(verbs, "evaluate", _evaluate, "measure a question bank")
    _add_banks(evaluate)
    evaluate.add_argument("--library", type=Path, help="folder of the library")
    evaluate.add_argument("--corpus", type=Path, metavar="FOLDER", help="of the documents")
    evaluate.add_argument("--json", action="store_true", help="JSON on stdout")
    evaluate.add_argument(
        "--baselines", action="store_true", help="measure page and fixed-chunk retrieval as well"
    )
    evaluate.add_argument(
        "--ablation", action="store_true", help="measure variants of the program on the documents"
    )
    evaluate.add_argument(
        "--gold", action="store_true", help="answer from the gold passages alone as well"
    )
    add_profile(evaluate)
    evaluate.add_argument("--study", metavar="NAME", help="alpha, beta, source, document or size")
    evaluate.add_argument(
        "--variants", nargs="+", metavar="NAME", help="of the ablation; all when left out"
    )
    _add_outputs(evaluate, "one row for each question")
    evaluate.set_defaults(wrong_use=evaluate.error)

    tune = verb(verbs, "tune", _tune, "choose the weights of the retriever by cross-validation")
    _add_banks(tune)
    add_library(tune)
    tune.add_argument("--folds", type=_folds, default=5, help="parts of the bank (5)")
    _add_outputs(tune, "one row for each question and set of weights")

    measure = verb(
        verbs, "evaluate-structure", _evaluate_structure, "measure how structure is read"
    )
    measure.add_argument("folder", type=Path)
    measure.add_argument("--tables", type=Path, metavar="GOLD", help="JSONL of gold cells")
    measure.add_argument(
        "--paths", type=Path, metavar="GOLD", help="JSONL of the cells' whole identities"
    )
    measure.add_argument("--ignore-outline", action="store_true", help="headings by typography")
    measure.add_argument("--json", action="store_true", help="JSON on stdout, with all findings")
    measure.set_defaults(markdown=None, csv=None)


def _add_banks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("banks", nargs="+", type=Path, metavar="BANK", help="JSONL; pooled")
    parser.add_argument(
        "--pool",
        action="append",
        default=[],
        type=_types,
        metavar="TYPE+TYPE",
        help="report these types together as well",
    )


def _types(text: str) -> tuple[str, ...]:
    types = tuple(part for part in text.split("+") if part)
    if len(types) < 2:
        raise argparse.ArgumentTypeError("must name two types or more, with + between them")
    return types


def _folds(text: str) -> int:
    number = int(text)
    if number < 2:
        raise argparse.ArgumentTypeError("must be 2 or more")
    return number


def _add_outputs(parser: argparse.ArgumentParser, rows: str) -> None:
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there")
    parser.add_argument("--csv", type=Path, metavar="FILE", help=f"write {rows} there")


def _evaluate(options: argparse.Namespace) -> int:
    if options.library is None and options.corpus is None:
        options.wrong_use("--library or --corpus is needed")
    if options.variants and not options.ablation:
        options.wrong_use("--variants is for --ablation")
    if options.baselines and (options.ablation or options.study):
        options.wrong_use("--baselines is a run of its own")
    if options.profile and (options.gold or options.ablation or options.study):
        options.wrong_use("--profile is a run of its own")
    if options.ablation and options.study:
        options.wrong_use("--ablation and --study are two runs")
    if options.ablation or options.study:
        return _compare_variants(options)
    if options.corpus is not None:
        options.wrong_use("--corpus is for --ablation and --study")
    from desktop_qa.evaluate.comparisons import has_comparisons

    n_comparisons = sum(has_comparisons(bank) for bank in options.banks)
    if n_comparisons == 0:
        return _measure(options)
    if n_comparisons < len(options.banks):
        options.wrong_use("a bank of comparisons is measured by itself")
    return _measure_comparisons(options)


def _measure_comparisons(options: argparse.Namespace) -> int:
    from desktop_qa.evaluate.comparisons import (
        comparison_json,
        evaluate_comparisons,
        format_comparisons,
        read_comparisons,
    )
    from desktop_qa.library.facade import Library

    bank = [comparison for path in options.banks for comparison in read_comparisons(path)]
    with closing(Library.open(options.library, read_only=True)) as library:
        report = evaluate_comparisons(bank, library, _say_each_tenth("questions"))
    return _give(options, comparison_json(report), format_comparisons(report))


def _measure(options: argparse.Namespace) -> int:
    from desktop_qa.evaluate.bank import read_banks
    from desktop_qa.evaluate.model_answers import model_json, model_markdown
    from desktop_qa.evaluate.report import report_json, report_markdown
    from desktop_qa.evaluate.runner import evaluate_bank, listed_files
    from desktop_qa.evaluate.systems import System, systems_json, systems_markdown
    from desktop_qa.library.facade import Library

    bank = read_banks(options.banks)
    # Measuring must not leave its questions in the history of the user.
    with closing(Library.open(options.library, read_only=True)) as library:
        statuses = library.statuses()
        files = listed_files(statuses)
        model = None if options.profile is None else _also_model(options, library)
        ask = library.ask if model is None else model.ask
        report = evaluate_bank(
            bank,
            library.segments(),
            library.rank_all,
            ask,
            _say_each_tenth("questions"),
            files=files,
            from_gold=options.gold,
        )
    systems = [System("this library", report)]
    figures, parts = report_json(report, options.pool), [report_markdown(report, options.pool)]
    if model is not None:
        figures["model"] = model_json(report, model.said)
        parts.append(model_markdown(figures["model"]))
    if options.baselines:
        systems += _baselines(bank, options.library)
        figures["baselines"] = systems_json(systems)[1:]
        parts.append(systems_markdown(systems))
    return _give(options, figures, "\n".join(parts), systems)


def _also_model(options: argparse.Namespace, library: Library) -> AlsoModel:
    from desktop_qa.cli.model_answers import AskedModel
    from desktop_qa.evaluate.model_answers import AlsoModel

    model = AskedModel(options.profile, options.key_from_env)
    return AlsoModel(library.ask, lambda offline: model.answer(offline, library, is_shown=False))


def _compare_variants(options: argparse.Namespace) -> int:
    from desktop_qa.evaluate.ablation import chosen_variants, run_variants, study_variants
    from desktop_qa.evaluate.bank import read_banks
    from desktop_qa.evaluate.corpus import corpus_of_library, find_corpus
    from desktop_qa.evaluate.systems import systems_json, systems_markdown
    from desktop_qa.evaluate.variant_library import alone_in

    settings = load_settings()
    if options.study:
        variants = study_variants(options.study, settings)
    else:
        variants = chosen_variants(options.variants)
    bank = read_banks(options.banks)
    with _embedder() as embedder:
        if options.corpus is None:
            corpus = corpus_of_library(options.library)
        else:
            own = _cache_of(options.corpus) / "library"
            corpus = find_corpus(options.corpus, options.library, own, embedder, say)
        folder = _cache_of(corpus.folder) / "variants"
        with alone_in(folder):
            systems = run_variants(
                variants,
                settings,
                bank,
                corpus,
                folder,
                embedder,
                say,
                with_answers=not options.study,
            )
    return _give(options, systems_json(systems), systems_markdown(systems), systems)


def _baselines(bank: Sequence[GoldQuestion], folder: Path) -> list[System]:
    from desktop_qa.evaluate.baselines import run_baselines
    from desktop_qa.evaluate.corpus import indexed_documents
    from desktop_qa.index.store import Store

    with _embedder() as embedder, closing(Store.open(folder, read_only=True)) as store:
        return run_baselines(bank, store, indexed_documents(store.statuses()), embedder, say)


def _cache() -> Path:
    """Folder of what measuring makes; it may be deleted at any time."""
    return cache_folder() / "evaluate"


def _cache_of(corpus: Path) -> Path:
    return _cache() / default_library_folder(corpus).name


@contextmanager
def _embedder() -> Iterator[CachedEmbedder]:
    from desktop_qa.evaluate.embedding_cache import CachedEmbedder
    from desktop_qa.index.embedder import ModelProcess

    embedder = CachedEmbedder(_cache() / "vectors.sqlite3", ModelProcess(), _Embedded())
    try:
        yield embedder
    finally:
        embedder.end()


def _give(
    options: argparse.Namespace, figures: object, text: str, systems: Sequence[System] = ()
) -> int:
    """Write the files that were asked for, print JSON or what people read, and return 0."""
    from desktop_qa.evaluate.systems import systems_rows
    from desktop_qa.evaluate.tables import QUESTION_COLUMNS, write_csv, write_text

    if options.markdown:
        write_text(options.markdown, text)
    if options.csv is not None and systems:
        write_csv(options.csv, ("system", *QUESTION_COLUMNS), systems_rows(systems))
    if options.json:
        print_json(figures)
    else:
        print(text.rstrip())
    return 0


def _tune(options: argparse.Namespace) -> int:
    from desktop_qa.evaluate.bank import read_banks
    from desktop_qa.evaluate.tuning import held_out_json, held_out_markdown, tune

    bank = read_banks(options.banks)
    with _embedder() as embedder:
        found = tune(bank, options.library, load_settings(), embedder, options.folds, say)
    pool = options.pool
    text = held_out_markdown(found, pool)
    return _give(options, held_out_json(found, pool), text, found.systems)


def _evaluate_structure(options: argparse.Namespace) -> int:
    from desktop_qa.evaluate.structure.gold_tables import read_gold_tables
    from desktop_qa.evaluate.structure.runner import (
        evaluate_structure,
        format_structure_report,
        structure_report,
    )

    gold = read_gold_tables(options.tables, options.paths) if options.tables else []
    files = evaluate_structure(
        options.folder, gold, _say_each_tenth("files"), ignore_outline=options.ignore_outline
    )
    report = structure_report(files)
    return _give(options, report, format_structure_report(report))


def _say_each_tenth(noun: str) -> Callable[[int, int], None]:
    def tell(number: int, n_all: int) -> None:
        if number % 10 == 0 or number == n_all:
            say(f"{number} of {n_all} {noun}")

    return tell


class _Embedded:
    """One line on stderr every ten seconds at most."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, n_done: int, n_texts: int) -> None:
        """Print how many of the new texts are embedded."""
        now = time.monotonic()
        if now - self._last >= 10.0:
            self._last = now
            say(f"{n_done} of {n_texts} new texts embedded")
