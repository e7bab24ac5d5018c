"""How often a question is read as the kind that its author was asked for, with the confusion.

`python -m tests.benchmarks.question_kinds SHARED`

SHARED has the question banks. The questions that strangers asked of documents (PDFTriage's, of
which the documents are not to be had) measure only: a kind is what they were asked to write, and
many wrote another. The banks with types are read as well, without a library, so that what only the
documents tell (which parts a comparison names) is not judged.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from desktop_qa.core.answer import QuestionType
from desktop_qa.evaluate.metrics import mean
from desktop_qa.evaluate.tables import markdown_table, show
from desktop_qa.index.embedder import ModelProcess
from desktop_qa.retrieve.directory import Directory
from desktop_qa.retrieve.query import build_query
from desktop_qa.retrieve.question_kinds import Embed

_STRANGERS = "pdftriage-questions.jsonl"
_ASKED_FOR: Mapping[str, tuple[str, frozenset[QuestionType]]] = {
    "question about the document": ("text", frozenset((
        QuestionType.FACT, QuestionType.DESCRIPTION, QuestionType.PROCEDURE, QuestionType.TABLE))),
    "structure": ("structure", frozenset((QuestionType.STRUCTURE,))),
    "summary": ("summary", frozenset((QuestionType.SUMMARY,))),
    "extracted": ("extraction", frozenset((QuestionType.EXTRACTION,))),
    "rewrite": ("rewrite", frozenset((QuestionType.REWRITE,))),
    "just the document": ("outside", frozenset((QuestionType.OUTSIDE,))),
    "multiple parts": ("across pages", frozenset((
        QuestionType.CROSS_PAGE, QuestionType.COMPARE, QuestionType.ACROSS_DOCUMENTS))),
    "type of the document": ("classification", frozenset((QuestionType.CLASSIFICATION,))),
    "not answerable": ("unanswerable", frozenset((QuestionType.OUTSIDE,))),
    "table in": ("table", frozenset((QuestionType.TABLE,))),
    "figure in": ("figure", frozenset((QuestionType.FIGURE,))),
}  # fmt: skip
"""Words of what PDFTriage's writers were asked for, and the kinds that it is read as."""

_BANKS = (
    "types.jsonl", "second-types.jsonl", "dev.jsonl", "second.jsonl", "howto.jsonl",
    "second-howto.jsonl", "tv.jsonl",
)  # fmt: skip
_TYPES: Mapping[str, frozenset[QuestionType]] = {
    "procedure": frozenset((QuestionType.PROCEDURE,)),
    "implicit": frozenset((QuestionType.PROCEDURE,)),
    "composite": frozenset((QuestionType.CROSS_PAGE,)),
    "table": frozenset((QuestionType.TABLE, QuestionType.FACT)),
    "fact": frozenset((QuestionType.FACT, QuestionType.TABLE, QuestionType.DESCRIPTION)),
    "compare": frozenset((QuestionType.COMPARE, QuestionType.ACROSS_DOCUMENTS)),
}
"""Types of our banks whose questions may be read as another kind than the one of their name."""

_NOT_IN_WORDS = frozenset(("negative", "sibling", "ambiguous"))
"""Types that the words of a question do not tell."""


def main() -> None:
    """Read all questions and print two tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("shared", type=Path)
    arguments.add_argument("--wrong", action="store_true", help="print what is read otherwise")
    options = arguments.parse_args()
    with closing(ModelProcess()) as embedder:
        _measure(options.shared / "eval", lambda t: embedder.embed_passages([t])[0], options.wrong)


def _measure(banks: Path, embed: Embed, is_wrong: bool) -> None:
    rows = _rows(banks / _STRANGERS)
    read = [(_asked_for(row["asked_for"]), row["question"]) for row in rows]
    print(_table([(*asked, question) for asked, question in read], embed, is_wrong))
    for bank in _BANKS:
        own = [
            (kind, _TYPES.get(kind) or frozenset((QuestionType(kind),)), row["question"])
            for row in _rows(banks / bank)
            if (kind := row["type"]) not in _NOT_IN_WORDS
        ]
        print(f"\n{bank}\n{_table(own, embed, is_wrong)}")


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _asked_for(wording: str) -> tuple[str, frozenset[QuestionType]]:
    return next(kind for words, kind in _ASKED_FOR.items() if words in wording)


def _table(
    questions: Iterable[tuple[str, frozenset[QuestionType], str]], embed: Embed, is_wrong: bool
) -> str:
    """Return how many questions of each kind are read as it, and what the others are read as."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    right: Counter[str] = Counter()
    directory = Directory(())
    for kind, fitting, text in questions:
        read = build_query(text, directory, embed=embed).type
        found[kind][read] += 1
        right[kind] += read in fitting
        if is_wrong and read not in fitting:
            print(f"{kind} -> {read}: {text[:150]!r}")
    rows = [
        [kind, str(total := sum(read.values())), str(right[kind]), show(right[kind] / total),
         ", ".join(f"{name} {n}" for name, n in read.most_common())]
        for kind, read in found.items()
    ]  # fmt: skip
    shares = [right[kind] / sum(read.values()) for kind, read in found.items()]
    rows.append(["balanced", str(sum(int(row[1]) for row in rows)), "", show(mean(shares)), ""])
    return markdown_table(("asked for", "questions", "read as it", "share", "read as"), rows)


if __name__ == "__main__":
    main()
