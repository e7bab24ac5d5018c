"""Of a bank of part numbers: are absent ones recognised, do odd spellings lead to their document?

`python -m tests.benchmarks.count_codes CODES.jsonl --library LIB`

A line of the bank: `{"id", "question", "code", "present": true, "file"}`, or `"present": false`.
"""

from __future__ import annotations

import argparse
import json
from contextlib import closing
from pathlib import Path

from desktop_qa.core.question import Question
from desktop_qa.evaluate.metrics import mean
from desktop_qa.evaluate.tables import show
from desktop_qa.library.facade import Library


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("bank", type=Path)
    arguments.add_argument("--library", type=Path, required=True)
    arguments.add_argument("--verbose", action="store_true", help="show the wrong ones")
    options = arguments.parse_args()
    lines = options.bank.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    with closing(Library.open(options.library, read_only=True)) as library:
        absent, led, named, wrongly_absent = [], [], [], []
        for row in rows:
            query = library.read_question(Question(row["question"])).query
            found = library.retrieve(Question(row["question"], top_k=1))
            first = library.file_of(found[0].segment.document_id) if found else ""
            files = {library.file_of(document_id) for document_id in query.document_ids}
            if row["present"]:
                led.append(first == row["file"])
                named.append(row["file"] in files)
                wrongly_absent.append(bool(query.absent))
                is_right = led[-1] and named[-1] and not query.absent
            else:
                absent.append(bool(query.absent))
                is_right = absent[-1] and not files
            if options.verbose and not is_right:
                print(f"{row['id']} {row['code']!r}: {row['question']}")
                print(f"    absent {list(query.absent)}, names {sorted(files)}, first {first}")
                print(f"    wanted {row.get('file', 'none')}")
    print(f"{len(absent)} absent codes: recognised as absent {show(mean(absent))}")
    print(
        f"{len(led)} true codes: first segment of the right document {show(mean(led))},"
        f" document named {show(mean(named))}, wrongly called absent {show(mean(wrongly_absent))}"
    )


if __name__ == "__main__":
    main()
