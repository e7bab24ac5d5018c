"""The open questions of FinanceBench as two banks, by company: one to look at, one to keep closed.

`python -m tests.benchmarks.financebench QUESTIONS DOCUMENTS OUT` reads
`financebench_open_source.jsonl` (Islam et al., "FinanceBench: A new benchmark for financial
question answering", 2023) and the folder with its PDFs, and writes OUT/open.jsonl and
OUT/closed.jsonl over those that are there. Numbers, and yes or no, can be scored; prose is left
out. Numbers are taken as rounded as the gold answer is.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from pathlib import Path
from typing import Any

_NUMBER = re.compile(r"\$?(?P<minus>-?)\$?(?P<digits>[\d,]+(?:\.\d+)?)\s*(?P<percent>%?)")
_VERDICT = re.compile(r"(Yes|No)\b")


def spellings(answer: str) -> list[str]:
    """Return the ways to write an answer that can be scored; none for prose."""
    if verdict := _VERDICT.match(answer):
        return [verdict[1]]
    number = _NUMBER.fullmatch(answer.strip())
    if number is None:
        return []
    amount = float(number["digits"].replace(",", ""))
    plain = [
        f"{amount:{comma}.{decimals}f}"
        for decimals in range(3)
        if abs(round(amount, decimals) - amount) < 1e-9
        for comma in ("", ",")
    ]
    signed = [f"{sign}{p}" for p in plain for sign in ("-", "−")] if number["minus"] else plain
    ends = ("", "%", " %") if number["percent"] else ("",)
    return sorted({f"{one}{end}" for one in signed for end in ends})


def is_closed(company: str) -> bool:
    """Tell which half a company belongs to, whatever the order of the file."""
    return int(hashlib.md5(company.lower().encode()).hexdigest(), 16) % 2 == 1


def question(row: dict[str, Any]) -> dict[str, Any] | None:
    """Return a row as a question of a bank; `None` for prose."""
    answer = row["answer"].replace("\n", " ")
    written = spellings(answer)
    if not written:
        return None
    verdict = _VERDICT.match(answer)
    return {
        "id": row["financebench_id"],
        "question": row["question"],
        "type": row["question_type"],
        "answer": answer,
        "answer_any": written,
        "derived": True,
        "evidence": [
            {"file": f"{row['doc_name']}.pdf", "page": one["evidence_page_num"] + 1}
            for one in row["evidence"]
        ],
    } | ({"verdict": "true" if verdict[1] == "Yes" else "false"} if verdict else {})


def main() -> None:
    """Write both banks."""
    arguments = argparse.ArgumentParser(description=__doc__)
    for name in ("questions", "documents", "out"):
        arguments.add_argument(name, type=Path)
    options = arguments.parse_args()
    banks: dict[str, list[str]] = {"open": [], "closed": []}
    for line in options.questions.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        is_there = (options.documents / f"{row['doc_name']}.pdf").is_file()
        if is_there and (asked := question(row)) is not None:
            banks["closed" if is_closed(row["company"]) else "open"].append(json.dumps(asked))
    options.out.mkdir(parents=True, exist_ok=True)
    for name, asked_of in banks.items():
        (options.out / f"{name}.jsonl").write_text("\n".join((*asked_of, "")), encoding="utf-8")
        print(f"{name}: {len(asked_of)} questions")


if __name__ == "__main__":
    main()
