"""The words under the cited rectangles are the quote, on real datasheets."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import GoldQuestion, read_bank
from tests.helpers.citation_oracle import MAX_AREA_RATIO, check_citation
from tests.helpers.ten_files import TEN_FILES

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]

_MIN_SHARE_RIGHT = 0.98


def _questions(shared: Path) -> list[GoldQuestion]:
    questions = [q for bank in ("dev", "types") for q in read_bank(shared / f"eval/{bank}.jsonl")]
    return [
        question
        for question in questions
        if question.evidence and all(item.file in TEN_FILES for item in question.evidence)
    ]


def test_cited_rectangles_hold_the_words_of_the_quote(shared, ten_library):
    n_citations, wrong = 0, []
    for question in _questions(shared):
        answer = ten_library.ask(Question(question.question))
        for citation in answer.citations:
            n_citations += 1
            assert citation.places, f"{question.id}: a citation without a place"
            file = ten_library.file_of(citation.document_id)
            check = check_citation(shared / "library" / file, citation)
            if not check.is_right:
                wrong.append(
                    f"{question.id} [{citation.marker}] {file} page {citation.places[0].page_no}:"
                    f" {' / '.join(citation.quote)!r} but {' '.join(check.words)!r},"
                    f" area x {check.area_ratio:.2f} (at most {MAX_AREA_RATIO})"
                )
    assert n_citations >= len(_questions(shared)) / 2
    assert 1 - len(wrong) / n_citations >= _MIN_SHARE_RIGHT, "\n".join(wrong)
