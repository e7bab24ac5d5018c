"""Questions about what the viewer shows: how many are read as meant, and answered from there.

    python -m tests.benchmarks.bench_here --library LIB [--bank tests/real/banks/here.jsonl]

A reading counts when it names the place that the bank names; an answer when it holds one of the
texts that the bank gives and cites a page of the place (of the document where no page is given).
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.question import Question
from desktop_qa.core.viewed import Viewed
from desktop_qa.library.facade import Library

_BANK = Path(__file__).parents[1] / "real" / "banks" / "here.jsonl"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--library", type=Path, required=True)
    arguments.add_argument("--bank", type=Path, default=_BANK)
    options = arguments.parse_args()
    rows = [json.loads(line) for line in options.bank.read_text(encoding="utf-8").splitlines()]
    with closing(Library.open(options.library, read_only=True)) as library:
        ids = {s.file.rsplit("/", 1)[-1]: s.document_id for s in library.statuses()}
        _measure(library, rows, ids)


def _measure(library: Library, rows: list[dict[str, Any]], ids: dict[str, DocumentId]) -> None:
    n_read: Counter[str] = Counter()
    n_answered: Counter[str] = Counter()
    seconds = []
    for row in rows:
        here = row["here"]
        document_id = ids[here["file"]]
        viewed = Viewed(document_id, here["page"], y=here.get("y", 0.0))
        started = time.perf_counter()
        try:
            answer = library.ask(Question(row["question"], looks_at=viewed))
        except QuestionError as error:
            print(f"{row['id']} refused: {error.message}")
            continue
        seconds.append(time.perf_counter() - started)
        is_read = row["reads"] in answer.here
        is_answered = is_read and _is_answered(answer, row, document_id)
        n_read[row["type"]] += is_read
        n_answered[row["type"]] += is_answered
        if not is_answered:
            print(f"{row['id']} {row['question']}\n   {answer.here}\n   {answer.text[:200]!r}")
    totals = Counter(row["type"] for row in rows)
    for kind, total in totals.items():
        print(f"{kind}: read {n_read[kind]} of {total}, answered {n_answered[kind]} of {total}")
    print(
        f"all: read {n_read.total()} of {len(rows)}, answered {n_answered.total()} of {len(rows)}"
    )
    print(f"median {1000 * statistics.median(seconds):.0f} ms")


def _is_answered(answer: Answer, row: dict[str, Any], document_id: DocumentId) -> bool:
    holds = any(text.casefold() in answer.text.casefold() for text in row["answer_any"])
    cited = {
        place.page_no
        for citation in answer.citations
        if citation.document_id == document_id
        for place in citation.places
    }
    pages = row.get("pages")
    is_cited = not answer.citations or bool(cited if pages is None else cited & set(pages))
    return answer.status is AnswerStatus.ANSWERED and holds and is_cited


if __name__ == "__main__":
    main()
