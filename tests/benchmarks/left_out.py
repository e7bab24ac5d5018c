"""What is fitted, fitted on all open libraries but one and measured on that one, in turn.

`python -m tests.benchmarks.left_out SHARED --libraries FOLDER [--also LIBRARY ...] [--ablation]
[--diagram] [--write]`

SHARED has the documents and the question banks; FOLDER gets a library for each folder of documents
that has none there yet. `--also` names libraries of the documents that the model of relevance did
not learn from: trust is fitted on what was asked over them (`packaging/relevance_held_out.tsv`) as
well; they are not measured. `--write` writes the weights that all libraries together give to
`resources/statements.toml` and `trust.toml`; those are never what is measured.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Container, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from desktop_qa.answer.ranking import FEATURES
from desktop_qa.answer.trial import trial
from desktop_qa.answer.trust import TrustModel, probability
from desktop_qa.core.answer import STATED_FROM
from desktop_qa.core.answer_blocks import as_text
from desktop_qa.core.question import Question
from desktop_qa.evaluate.answers import answer_score, step_recall
from desktop_qa.evaluate.bank import GoldQuestion, read_bank
from desktop_qa.evaluate.metrics import bootstrap_interval, calibration_error, mean, reliability_svg
from desktop_qa.evaluate.results import values_of
from desktop_qa.evaluate.runner import REFUSALS, evaluate_bank, listed_files, present_questions
from desktop_qa.evaluate.statements import (
    LabelledStatements,
    fit_statements,
    in_order,
    label,
    statements_toml,
)
from desktop_qa.evaluate.tables import markdown_table, show
from desktop_qa.evaluate.trust import Trusted, fit_trust, trust_toml, trusted_answer
from desktop_qa.library.facade import Library
from desktop_qa.paths import asset

_OWN = Path(__file__).parent.parent / "real" / "banks"
_HELD_OUT = Path(__file__).parents[2] / "packaging" / "relevance_held_out.tsv"
_HEADS = (
    "library", "questions", "hit@3", "first statement right", "among three", "answer_score",
    "step_recall", "answerable refused", "negatives refused", "stated", "of them right",
    "calibration error",
)  # fmt: skip
_MAX_OF_A_BANK = 150
"""Questions: every n-th of a larger bank is asked."""

_N_PROCESSES = 2
"""Libraries side by side: half of the time goes to one thread of Python."""


@dataclass(frozen=True, slots=True)
class OpenLibrary:
    """A folder of documents with the banks that were written for it, own ones last."""

    name: str
    banks: tuple[str, ...]
    own: tuple[str, ...] = ()

    def questions(self, shared: Path) -> list[GoldQuestion]:
        """Read its questions; a bank over two libraries says of each question which one it is."""
        paths = [*(shared / "eval" / bank for bank in self.banks), *(_OWN / o for o in self.own)]
        found: list[GoldQuestion] = []
        for path in paths:
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            own = {row["id"] for row in rows if row.get("library", self.name) == self.name}
            bank = [question for question in read_bank(path) if question.id in own]
            found += bank[:: 1 + len(bank) // _MAX_OF_A_BANK]
        return found


OPEN = (
    OpenLibrary("library", ("dev.jsonl", "types.jsonl", "negative.jsonl"), ("unseen.jsonl",)),
    OpenLibrary("library2", ("second.jsonl", "second-types.jsonl", "second-negative.jsonl")),
    OpenLibrary("manuals", ("howto.jsonl", "manuals-negative.jsonl")),
    OpenLibrary("manuals2", ("second-howto.jsonl", "tv.jsonl", "manuals-negative.jsonl")),
    OpenLibrary("filings", ("filings.jsonl", "filings-negative.jsonl")),
    OpenLibrary("strangers", (), ("strangers-open.jsonl",)),
    OpenLibrary("reports", (), ("reports-open.jsonl",)),
    OpenLibrary("reckoned", (), ("reckoned-open.jsonl",)),
    OpenLibrary("quarters", (), ("quarters-open.jsonl",)),
    OpenLibrary("segments", (), ("segments-open.jsonl",)),
    OpenLibrary("sheets", (), ("sheets-open.jsonl",)),
)


@dataclass(frozen=True, slots=True)
class Collected:
    """What one library gives to fit on, asked with the shipped weights."""

    statements: tuple[LabelledStatements, ...]
    trusted: tuple[Trusted, ...]


def collect(questions: Sequence[GoldQuestion], library: Library) -> Collected:
    """Ask all questions and keep what their answers were chosen and trusted on."""
    statements, trusted = [], []
    for question in questions:
        with trial() as own:
            answer = library.ask(Question(question.question))
        if (one := trusted_answer(question, library.ask, answer, own.grounds)) is not None:
            trusted.append(one)
        if not question.negative and (labelled := label(question, own.measured)) is not None:
            statements.append(labelled)
    return Collected(tuple(statements), tuple(trusted))


def measured(
    name: str,
    questions: Sequence[GoldQuestion],
    library: Library,
    own: Collected,
    fitted: tuple[dict[str, float], TrustModel],
) -> tuple[list[str], list[tuple[float, bool]]]:
    """Ask all questions with what was fitted elsewhere.

    Returns:
        A row of the table; and of each answer what it promised, and whether it is right.
    """
    weights, trust_model = fitted
    scores, steps, refused, negatives = [], [], [], []
    trust: list[tuple[float, bool]] = []
    for question in questions:
        with trial(weights, trust_model) as met:
            answer = library.ask(Question(question.question))
        is_refused = answer.status in REFUSALS
        if not is_refused and (one := trusted_answer(question, library.ask, answer, met.grounds)):
            trust.append((probability(trust_model.right, one.grounds), one.is_right))
        if question.negative:
            negatives.append(float(is_refused))
            continue
        refused.append(float(is_refused))
        text = "" if is_refused else as_text(answer.blocks, with_markers=False)
        scores += [] if (score := answer_score(question, text)) is None else [score]
        steps += [] if (recall := step_recall(question.steps, text)) is None else [recall]
    asked = [question for question in questions if question.evidence]
    with trial(weights):
        report = evaluate_bank(
            asked, library.segments(), library.rank_all, files=listed_files(library.statuses())
        )
    order = in_order(weights)
    stated = [is_right for probability, is_right in trust if probability >= STATED_FROM]
    figures = [
        mean(values_of(report.results, "hit@3")),
        mean([float(one.is_right_within(order, 1)) for one in own.statements]),
        mean([float(one.is_right_within(order, 3)) for one in own.statements]),
        *(mean(values) for values in (scores, steps, refused, negatives)),
        len(stated) / max(len(trust), 1),
        mean([float(is_right) for is_right in stated]),
        calibration_error([p for p, _right in trust], [right for _p, right in trust]),
    ]
    return [name, str(len(questions)), *map(show, figures)], trust


def _collected(libraries: Path, shared: Path, one: OpenLibrary) -> Collected:
    with closing(Library.open(libraries / one.name, read_only=True)) as library:
        return collect(_present(one, shared, library), library)


def _collected_held_out(folder: Path) -> Collected:
    with closing(Library.open(folder, read_only=True)) as library:
        questions = held_out_questions(listed_files(library.statuses()))
        return collect(questions[:: 1 + len(questions) // _MAX_OF_A_BANK], library)


def held_out_questions(files: Container[str]) -> list[GoldQuestion]:
    """Read the held-out questions of some documents; right is what holds the answer's texts."""
    with _HELD_OUT.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["file"] in files]
    return [
        GoldQuestion(
            id=f"held-out-{n}",
            question=row["question"],
            type="fact",
            answer_all=tuple((text,) for text in row["answer"].split(" | ") if text),
            negative=not row["answer"],
        )
        for n, row in enumerate(rows)
    ]


def _measured(
    libraries: Path,
    shared: Path,
    one: OpenLibrary,
    own: Collected,
    fitted: tuple[dict[str, float], TrustModel],
) -> tuple[list[str], list[tuple[float, bool]]]:
    with closing(Library.open(libraries / one.name, read_only=True)) as library:
        return measured(one.name, _present(one, shared, library), library, own, fitted)


def _present(one: OpenLibrary, shared: Path, library: Library) -> list[GoldQuestion]:
    return list(present_questions(one.questions(shared), listed_files(library.statuses()))[0])


def main() -> None:
    """Collect, fit, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("shared", type=Path)
    arguments.add_argument("--libraries", type=Path, required=True)
    arguments.add_argument(
        "--also", type=Path, nargs="*", default=(), help="trust is fitted on as well"
    )
    arguments.add_argument("--only", nargs="*", help="libraries; the others are passed over")
    arguments.add_argument("--ablation", action="store_true", help="what each feature is worth")
    arguments.add_argument("--diagram", type=Path, help="SVG of promises and outcomes")
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    chosen = [one for one in OPEN if (options.libraries / one.name).is_dir()]
    chosen = [one for one in chosen if not options.only or one.name in options.only]
    rows, promised = [], []
    with ProcessPoolExecutor(_N_PROCESSES, get_context("spawn")) as pool:
        collect_one = partial(_collected, options.libraries, options.shared)
        collected = list(pool.map(collect_one, chosen))
        also = list(pool.map(_collected_held_out, options.also))
        found = {one.name: own for one, own in zip(chosen, collected, strict=True)}
        fitted = [
            _fitted([own for name, own in found.items() if name != one.name], also)
            for one in chosen
        ]
        measure = partial(_measured, options.libraries, options.shared)
        for row, trust_of in pool.map(measure, chosen, collected, fitted):
            rows.append(row)
            promised += trust_of
            print(*row, flush=True)
    print(markdown_table(_HEADS, rows))
    stated = [float(is_right) for probability, is_right in promised if probability >= STATED_FROM]
    print(f"stated over all: {len(stated)}, right {mean(stated)} {bootstrap_interval(stated)}")
    probabilities, right = map(list, zip(*promised, strict=True))
    print(f"calibration error over all: {calibration_error(probabilities, right)}")
    if options.diagram:
        diagram = reliability_svg(probabilities, right)
        options.diagram.write_text(diagram, encoding="utf-8")
    if options.ablation:
        print(_ablation({name: own.statements for name, own in found.items() if own.statements}))
    weights, trust = _fitted(list(found.values()), also)
    written = (
        ("statements", statements_toml(weights)),
        ("trust", trust_toml(trust)),
    )
    for name, text in written:
        print(f"\n# resources/{name}.toml, fitted on all\n{text}")
        if options.write:
            _write(asset(f"resources/{name}.toml"), text)


def _ablation(found: Mapping[str, Sequence[LabelledStatements]]) -> str:
    """Tell how often the first statement is right without each feature, fitted on the others."""
    rows = []
    for without in ("", *FEATURES):
        rows.append([without or "none"])
        for name, own in found.items():
            others = [statements for other, statements in found.items() if other != name]
            order = in_order(fit_statements(others, without))
            rows[-1].append(show(mean([float(one.is_right_within(order, 1)) for one in own])))
    return markdown_table(("without", *found), rows)


def _fitted(
    libraries: Sequence[Collected], also: Sequence[Collected]
) -> tuple[dict[str, float], TrustModel]:
    return (
        fit_statements([own.statements for own in libraries if own.statements]),
        fit_trust([own.trusted for own in (*libraries, *also) if own.trusted]),
    )


def _write(path: Path, text: str) -> None:
    """Replace the figures of a resource and keep the comment above them."""
    lines = path.read_text(encoding="utf-8").splitlines()
    comment = [line for line in lines if line.startswith("#")]
    path.write_text("\n".join([*comment, text.rstrip(), ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
