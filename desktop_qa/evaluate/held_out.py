"""Cross-validation of the weights on a library, measured by the program on held-out questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from desktop_qa.core.errors import QuestionError
from desktop_qa.evaluate.bank import GoldQuestion
from desktop_qa.evaluate.features import collect_features, weight_space
from desktop_qa.evaluate.report import format_report, report_json, report_markdown
from desktop_qa.evaluate.results import QuestionResult, Report
from desktop_qa.evaluate.runner import evaluate_bank, listed_files
from desktop_qa.evaluate.systems import System, format_systems, systems_json, systems_markdown
from desktop_qa.evaluate.tables import markdown_table
from desktop_qa.evaluate.tuning import Tuning, cross_validate, make_folds
from desktop_qa.index.embedder import Embedder
from desktop_qa.library.facade import Library
from desktop_qa.settings import Settings


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What tuning found, and how the found weights do on questions they were not chosen on.

    Attributes:
        shipped: Weights as they are.
        systems: The program with the shipped weights, then with those of the folds, each question
            with the weights that were chosen without it.
    """

    shipped: Mapping[str, float]
    tuning: Tuning
    systems: tuple[System, System]


def tune(
    bank: Sequence[GoldQuestion],
    folder: Path,
    settings: Settings,
    embedder: Embedder,
    n_folds: int,
    say: Callable[[str], None],
) -> HeldOut:
    """Choose weights by cross-validation.

    Args:
        bank: Questions; those without evidence have no ranking and are passed over.
        folder: Of the library.
        settings: With the shipped weights.
        embedder: Its `close` is called more than once.
        n_folds: From 2 to the number of questions.
        say: Told what happens.

    Raises:
        BankError: When no file that the bank names is in the library.
        LibraryError: When the library cannot be read, or is empty.
        QuestionError: When there are fewer questions than folds.
    """
    ranked = [question for question in bank if question.evidence]
    shipped = _measured(ranked, folder, settings, embedder)
    questions = [result.question for result in shipped.results]
    if len(questions) < n_folds:
        raise QuestionError(
            f"{len(questions)} questions cannot be cut into {n_folds} folds.",
            "Give more questions, or fewer folds.",
        )
    say(f"Features of {len(questions)} questions")
    library = Library.open(folder, read_only=True, settings=settings, embedder=embedder)
    try:
        features = collect_features(questions, library)
    finally:
        library.close()
    space = weight_space(settings.retrieval)
    folds = make_folds(questions, n_folds)
    say(f"Choosing weights on {n_folds} folds")
    tuning = cross_validate(features, space, folds)
    results: dict[str, QuestionResult] = {}
    for number, (fold, weights) in enumerate(zip(folds, tuning.fold_weights, strict=True), 1):
        say(f"Measuring fold {number} of {n_folds}")
        retrieval = replace(settings.retrieval, **weights)  # type: ignore[arg-type]
        changed = replace(settings, retrieval=retrieval)
        report = _measured([questions[i] for i in fold], folder, changed, embedder)
        results |= {result.question.id: result for result in report.results}
    held_out = replace(shipped, results=tuple(results[q.id] for q in questions))
    systems = (System("shipped weights", shipped), System("tuned, held out", held_out))
    return HeldOut(space.named_prior(), tuning, systems)


def _measured(
    bank: Sequence[GoldQuestion], folder: Path, settings: Settings, embedder: Embedder
) -> Report:
    library = Library.open(folder, read_only=True, settings=settings, embedder=embedder)
    try:
        files = listed_files(library.statuses())
        return evaluate_bank(bank, library, files=files, with_answers=False)
    finally:
        library.close()


def settings_lines(weights: Mapping[str, float]) -> str:
    """Return weights as the lines of settings.toml that set them."""
    return "\n".join(["[retrieval]", *(f"{name} = {weights[name]:.4g}" for name in weights)])


def held_out_json(found: HeldOut, pools: Sequence[Sequence[str]] = ()) -> dict[str, Any]:
    """Return everything; the measures are those of the held-out questions."""
    shipped, tuned = found.systems
    return {
        "held_out": report_json(tuned.report, pools),
        "shipped": report_json(shipped.report, pools),
        "difference": systems_json(found.systems)[1]["difference"],
        "weights": {
            "shipped": dict(found.shipped),
            "folds": [dict(weights) for weights in found.tuning.fold_weights],
            "all": dict(found.tuning.final),
        },
    }


def _weight_rows(found: HeldOut) -> list[list[str]]:
    columns = (found.shipped, *found.tuning.fold_weights, found.tuning.final)
    return [[name, *(f"{column[name]:.4g}" for column in columns)] for name in found.shipped]


def _weight_head(found: HeldOut) -> list[str]:
    n_folds = len(found.tuning.fold_weights)
    return ["weight", "shipped", *(f"fold {n}" for n in range(1, n_folds + 1)), "all"]


def held_out_markdown(found: HeldOut, pools: Sequence[Sequence[str]] = ()) -> str:
    """Return the comparison, the held-out measures by type, and the weights."""
    parts = [
        systems_markdown(found.systems),
        "Held out, by type:\n",
        report_markdown(found.systems[1].report, pools),
        markdown_table(_weight_head(found), _weight_rows(found)),
        f"```toml\n{settings_lines(found.tuning.final)}\n```",
    ]
    return "\n".join(parts) + "\n"


def format_held_out(found: HeldOut, pools: Sequence[Sequence[str]] = ()) -> str:
    """Return the same for a terminal."""
    head, *rows = [_weight_head(found), *_weight_rows(found)]
    table = "\n".join(
        f"{row[0]:<14}" + "".join(f"{cell:>10}" for cell in row[1:]) for row in (head, *rows)
    )
    return "\n\n".join(
        [
            format_systems(found.systems),
            "Held out:",
            format_report(found.systems[1].report, pools),
            table,
            "Chosen on all questions, for settings.toml:",
            settings_lines(found.tuning.final),
        ]
    )
