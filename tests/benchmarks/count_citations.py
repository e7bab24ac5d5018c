"""Over all citations of all answers of a bank: do the rectangles hold the words of the quote?

`python -m tests.benchmarks.count_citations BANK.jsonl --library LIB`
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from desktop_qa.evaluate.bank import read_bank
from desktop_qa.library import Library
from tests.helpers.citation_oracle import MAX_AREA_RATIO, check_citation


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("bank", type=Path)
    arguments.add_argument("--library", type=Path, required=True)
    arguments.add_argument("--verbose", action="store_true", help="show the wrong ones")
    options = arguments.parse_args()
    checks = []
    library = Library.open(options.library, read_only=True)
    try:
        for question in read_bank(options.bank):
            for citation in library.ask(question.question).citations:
                check = check_citation(Path(library.path_of(citation.document_id)), citation)
                checks.append(check)
                if options.verbose and not check.is_right:
                    page_no = citation.places[0].page_no if citation.places else None
                    print(f"{question.id} [{citation.marker}]", end=" ")
                    print(f"{library.file_of(citation.document_id)} page {page_no}")
                    print(f"    quote {' / '.join(citation.quote)}")
                    print(f"    found {' '.join(check.words)}  area x {check.area_ratio:.2f}")
    finally:
        library.close()
    if not checks:
        raise SystemExit("no answer has a citation")
    ratios = [check.area_ratio for check in checks]
    n_same = sum(check.words_are_quote for check in checks)
    n_tight = sum(ratio <= MAX_AREA_RATIO for ratio in ratios)
    print(
        f"{len(checks)} citations: words are the quote in {n_same / len(checks):.4f},"
        f" area at most {MAX_AREA_RATIO} times in {n_tight / len(checks):.4f}"
        f" (median {np.median(ratios):.2f}, largest {max(ratios):.2f})"
    )


if __name__ == "__main__":
    main()
