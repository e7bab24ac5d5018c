"""Documents chosen in the library are compared, cited, kept and refused with a reason."""

from __future__ import annotations

import pymupdf
import pytest

from desktop_qa.core.answer import AnswerStatus
from desktop_qa.core.answer_table import TableUse
from desktop_qa.core.errors import Cancelled, QuestionError
from desktop_qa.core.folding import fold
from desktop_qa.core.question import Question
from desktop_qa.library.facade import Library
from tests.helpers.libraries import past_answers
from tests.helpers.pdf import write_datasheet


@pytest.fixture
def library(library, source_folder) -> Library:
    for part, offset in (("ACM4197", "25"), ("ACM4198", "60"), ("ACM4199", "40")):
        write_datasheet(source_folder / f"{part.lower()}.pdf", part, offset)
    (source_folder / "broken.pdf").write_bytes(b"no document")
    library.add_source(source_folder)
    library.sync()
    return library


def test_two_parts_are_compared_row_by_row_and_kept_in_the_history(library):
    answer = library.compare(["ACM4197", "ACM4198"])
    assert answer.question == "Compare ACM4197 and ACM4198"
    assert answer.status is AnswerStatus.ANSWERED
    (table,) = answer.tables
    assert table.use is TableUse.COMPARISON
    assert table.headers == ("Parameter", "ACM4197", "ACM4198")
    offset = next(row for row in table.rows if "offset" in row[0].text)
    assert [cell.text for cell in offset[1:]] == ["typ 25 µV, max 100 µV", "typ 60 µV, max 100 µV"]
    assert table.differs == tuple("offset" in row[0].text for row in table.rows)
    (kept,) = past_answers(library)[:1]
    assert kept.view.answer.question == answer.question


def test_the_words_under_each_cell_are_its_value(library, source_folder):
    answer = library.compare(["ACM4197", "ACM4198"])
    (table,) = answer.tables
    document_of = {e.marker: e.segment.document_id for e in answer.evidence}
    n_checked = 0
    for row in table.rows:
        for document_id, cell in zip(table.document_ids[1:], row[1:], strict=True):
            assert document_of[cell.marker] == document_id
            with pymupdf.open(library.path_of(document_id)) as pdf:
                for place in cell.places:
                    box = place.bbox
                    page = pdf[place.page_no - 1]
                    words = page.get_text(clip=(box.left, box.top, box.right, box.bottom))
                    assert fold(words.strip()) in fold(cell.text)
                    n_checked += 1
    assert n_checked >= 10


def test_documents_may_be_named_by_id_and_file_and_parameters_chosen(library):
    first = library.statuses()[0]
    answer = library.compare([first.document_id, "acm4199.pdf"], ["offset voltage"])
    assert answer.question == "Compare ACM4197 and ACM4199 on offset voltage"
    (table,) = answer.tables
    assert [row[0].text.split(",")[0] for row in table.rows] == ["Input offset voltage"]
    assert "25 µV" in answer.text
    assert "40 µV" in answer.text


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["ACM4197"], "needs two documents"),
        (["ACM4197", "acm4197.pdf"], "needs two documents"),
        ([], "needs two documents"),
        (["ACM4197", "ACM4297"], "no document or part"),
        (["ACM4197", "broken.pdf"], "cannot be compared"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_its_reason(library, names, reason):
    with pytest.raises(QuestionError, match=reason):
        library.compare(names)


def test_a_parameter_that_nobody_states_is_refused(library):
    with pytest.raises(QuestionError, match="None of the documents states flux capacity"):
        library.compare(["ACM4197", "ACM4198"], ["flux capacity"])


def test_a_comparison_can_be_cancelled(library):
    with pytest.raises(Cancelled):
        library.compare(["ACM4197", "ACM4198"], is_cancelled=lambda: True)


def test_a_question_gets_the_same_table(library):
    asked = library.ask(Question("How does the ACM4197 differ from the ACM4198?"))
    chosen = library.compare(["ACM4197", "ACM4198"])
    assert [[c.text for c in row] for row in asked.tables[0].rows] == [
        [c.text for c in row] for row in chosen.tables[0].rows
    ]
    assert "typ 25 µV" in asked.text
    assert len(asked.text.split()) <= 80


def test_a_class_of_parts_is_ranked(library):
    answer = library.ask(Question("Which of these amplifiers has the lowest input offset voltage?"))
    assert answer.text.startswith("- **ACM4197** has the lowest input offset voltage")
    (table,) = answer.tables
    assert [row[0].text for row in table.rows] == ["ACM4197", "ACM4199", "ACM4198"]
