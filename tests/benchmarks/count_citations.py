"""Over all answers of a bank: do the citations hold what they say?

Counted are citations whose rectangles hold the words of the quote and little else; stated cells of
tables whose rectangles lie within the cell of the document, cover its text, and whose number stands
in the answer's sentence; and statements that carry a marker.

`python -m tests.benchmarks.count_citations BANK.jsonl --library LIB`
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from desktop_qa.answer.source import StoredEvidence
from desktop_qa.core.answer import Answer
from desktop_qa.core.answer_table import AnswerCell, TableUse
from desktop_qa.core.document import BoundingBox, Provenance, TableCell
from desktop_qa.core.folding import fold
from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import read_bank
from desktop_qa.library.facade import Library
from tests.helpers.citation_oracle import MAX_AREA_RATIO, CitationCheck, check_citation

_SLACK_PT = 1.5
"""How far a rectangle may reach over the cell's own: fonts have boxes of their own height."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass
class Counts:
    """What was counted so far; each list has one entry for each thing looked at.

    Attributes:
        figures: Citations of figures without a caption, by their own rectangle.
    """

    checks: list[CitationCheck] = field(default_factory=list)
    figures: int = 0
    cells_in_place: list[bool] = field(default_factory=list)
    cells_in_sentence: list[bool] = field(default_factory=list)
    statements_marked: list[bool] = field(default_factory=list)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("bank", type=Path)
    arguments.add_argument("--library", type=Path, required=True)
    arguments.add_argument("--verbose", action="store_true", help="show the wrong ones")
    options = arguments.parse_args()
    counts = Counts()
    with closing(Library.open(options.library, read_only=True)) as library:
        for question in read_bank(options.bank):
            answer = library.ask(Question(question.question))
            _count_citations(question.id, answer, library, counts, options.verbose)
            _count_cells(question.id, answer, library, counts, options.verbose)
            counts.statements_marked += [bool(one.markers) for one in answer.support]
            if options.verbose:
                for one in answer.support:
                    if not one.markers:
                        print(f"{question.id} without a marker: {one.sentence}")
    if not counts.checks:
        raise SystemExit("no answer has a citation")
    _report(counts)


def _count_citations(
    name: str, answer: Answer, library: Library, counts: Counts, verbose: bool
) -> None:
    for citation in answer.citations:
        if citation.places and not citation.quote:
            counts.figures += 1
            continue
        check = check_citation(Path(library.path_of(citation.document_id)), citation)
        counts.checks.append(check)
        if verbose and not check.is_right:
            page_no = citation.places[0].page_no if citation.places else None
            print(f"{name} [{citation.marker}]", end=" ")
            print(f"{library.file_of(citation.document_id)} page {page_no}")
            print(f"    quote {' / '.join(citation.quote)}")
            print(f"    found {' '.join(check.words)}  area x {check.area_ratio:.2f}")


def _count_cells(
    name: str, answer: Answer, library: Library, counts: Counts, verbose: bool
) -> None:
    """Check the stated cells of tables of rows against the cells of the document's table."""
    source = StoredEvidence(library._store)
    segments = {item.marker: item.segment for item in answer.evidence}
    for cell in _stated_cells(answer):
        table = source.table(segments[cell.marker])
        if table is None:
            continue
        is_in_place = any(
            fold(own.text) == fold(cell.text) and _lies_in(cell.places, own) for own in table.cells
        )
        counts.cells_in_place.append(is_in_place)
        numbers = _NUMBER.findall(cell.text)
        is_said = all(number in answer.text for number in numbers)
        counts.cells_in_sentence.append(is_said)
        if verbose and not (is_in_place and is_said):
            print(
                f"{name} [{cell.marker}] cell {cell.text!r}: in place {is_in_place}, said {is_said}"
            )


def _stated_cells(answer: Answer) -> Iterator[AnswerCell]:
    for table in answer.tables:
        if table.use is TableUse.COMPARISON:
            continue
        for row in table.rows:
            yield from (cell for cell in row if cell.marker and cell.places and cell.is_stated)


def _lies_in(places: tuple[Provenance, ...], cell: TableCell) -> bool:
    """Tell whether rectangles stay inside the cell's own and reach over all of its lines."""
    return all(any(_holds(own, place) for own in cell.provenances) for place in places) and all(
        any(
            place.page_no == own.page_no and place.bbox.intersection_area(own.bbox) > 0
            for place in places
        )
        for own in cell.provenances
    )


def _holds(own: Provenance, place: Provenance) -> bool:
    box, inner = own.bbox, place.bbox
    grown = BoundingBox(
        box.left - _SLACK_PT, box.top - _SLACK_PT, box.right + _SLACK_PT, box.bottom + _SLACK_PT
    )
    return own.page_no == place.page_no and (
        grown.left <= inner.left
        and grown.right >= inner.right
        and grown.top <= inner.top
        and grown.bottom >= inner.bottom
    )


def _report(counts: Counts) -> None:
    ratios = [check.area_ratio for check in counts.checks]
    n_same = sum(check.words_are_quote for check in counts.checks)
    n_tight = sum(ratio <= MAX_AREA_RATIO for ratio in ratios)
    n = len(counts.checks)
    print(
        f"{n} citations: words are the quote in {n_same / n:.4f},"
        f" area at most {MAX_AREA_RATIO} times in {n_tight / n:.4f}"
        f" (median {np.median(ratios):.2f}, largest {max(ratios):.2f});"
        f" {counts.figures} more are figures without words"
    )
    print(f"{len(counts.cells_in_place)} stated cells:", end=" ")
    print(f"rectangle within the cell in {_share(counts.cells_in_place)},", end=" ")
    print(f"number in the answer's text in {_share(counts.cells_in_sentence)}")
    print(f"{len(counts.statements_marked)} statements: ", end="")
    print(f"with a marker {_share(counts.statements_marked)}")


def _share(values: list[bool]) -> str:
    return f"{sum(values) / len(values):.4f}" if values else "no"


if __name__ == "__main__":
    main()
