"""The verbs of the command line that measure: a question bank, or how structure is read."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from desktop_qa.cli_verbs import add_library, print_json, say, verb

EVALUATION_VERBS = ("evaluate", "evaluate-structure")


def add_evaluation_verbs(verbs: Any) -> None:
    """Add them to the subparsers of the program."""
    evaluate = verb(verbs, "evaluate", _evaluate, "measure a question bank")
    _add_banks(evaluate)
    add_library(evaluate)
    _add_outputs(evaluate, "one row for each question")

    measure = verb(
        verbs, "evaluate-structure", _evaluate_structure, "measure how structure is read"
    )
    measure.add_argument("folder", type=Path)
    measure.add_argument("--tables", type=Path, metavar="GOLD", help="JSONL of gold cells")
    measure.add_argument("--ignore-outline", action="store_true", help="headings by typography")
    measure.add_argument("--json", action="store_true", help="JSON on stdout, with all findings")


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


def _add_outputs(parser: argparse.ArgumentParser, rows: str) -> None:
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there")
    parser.add_argument("--csv", type=Path, metavar="FILE", help=f"write {rows} there")


def _evaluate(options: argparse.Namespace) -> int:
    from desktop_qa.evaluate.bank import read_banks
    from desktop_qa.evaluate.report import format_report, report_json, report_markdown
    from desktop_qa.evaluate.runner import evaluate_bank, listed_files
    from desktop_qa.evaluate.tables import (
        QUESTION_COLUMNS,
        question_rows,
        write_csv,
        write_markdown,
    )
    from desktop_qa.library import Library

    bank = read_banks(options.banks)
    # Measuring must not leave its questions in the history of the user.
    library = Library.open(options.library, read_only=True)
    try:
        files = listed_files(library.statuses())
        report = evaluate_bank(bank, library, _say_question, files=files)
    finally:
        library.close()
    if options.markdown:
        write_markdown(options.markdown, report_markdown(report, options.pool))
    if options.csv:
        write_csv(options.csv, QUESTION_COLUMNS, question_rows(report))
    if options.json:
        print_json(report_json(report, options.pool))
    else:
        print(format_report(report, options.pool))
    return 0


def _evaluate_structure(options: argparse.Namespace) -> int:
    from desktop_qa.evaluate.structure.gold_tables import read_gold_tables
    from desktop_qa.evaluate.structure.report import format_structure_report, structure_report
    from desktop_qa.evaluate.structure.runner import evaluate_structure

    gold = read_gold_tables(options.tables) if options.tables else []
    files = evaluate_structure(
        options.folder, gold, _say_file, ignore_outline=options.ignore_outline
    )
    report = structure_report(files)
    if options.json:
        print_json(report)
    else:
        print(format_structure_report(report))
    return 0


def _say_file(number: int, n_files: int) -> None:
    if number % 10 == 0 or number == n_files:
        say(f"{number} of {n_files} files")


def _say_question(number: int, n_questions: int) -> None:
    if number % 10 == 0 or number == n_questions:
        say(f"{number} of {n_questions} questions")
