"""Evidence becomes numbered passages: rows behind their heads, what matters first, in a budget."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_qa.core.answer import Answer, Citation
from desktop_qa.core.document import ColumnRole, Table
from desktop_qa.core.errors import NotStoredError
from desktop_qa.core.segment import Segment
from desktop_qa.generate.passages import n_model_tokens, passages_of
from tests.helpers.made_answers import make_answer
from tests.helpers.tables import Sheet, cell_box

ROWS = [
    ["Parameter", "Conditions", "Min", "Typ", "Max", "Unit"],
    ["Supply voltage", "", "2.7", "", "5.5", "V"],
    ["Supply current", "VDD = 5 V", "", "0.9", "1.3", "mA"],
    ["Supply current", "over temperature", "", "1.1", "1.6", "mA"],
    ["Leakage", "TA = 25 °C", "", "5", "", "nA"],
]


def answer_of(library: Sheet, question: str) -> Answer:
    return make_answer(question, evidence=library.evidence())


def test_a_row_stands_behind_its_heads_without_what_is_not_given():
    library = Sheet().add_table(ROWS, caption="Electrical characteristics")
    (passage,) = passages_of(answer_of(library, "leakage"), library, 1000)
    assert passage.marker == 1
    assert passage.head == "[1] Acme DQA1 Sensor > 5 Characteristics, page 1"
    assert passage.title == "Electrical characteristics"
    first = passage.rows[0]
    assert first.printed == ("Parameter: Leakage | Conditions: TA = 25 °C | Typ: 5 | Unit: nA"), (
        "a nanoampere is a unit and no gap"
    )
    assert [cell.role for cell in first.cells][-2:] == [ColumnRole.TYP, ColumnRole.UNIT]


def test_rows_that_matter_go_before_the_others():
    library = Sheet()
    (segment,) = library.add_table(ROWS).segments
    answer = answer_of(library, "What is the supply current?")
    (passage,) = passages_of(answer, library, 1000)
    names = [row.cells[0].text for row in passage.rows]
    assert names == ["Supply current", "Supply current", "Supply voltage", "Leakage"]
    cited = Citation(1, segment.id, segment.document_id, (cell_box(1, 2),), ("2.7",))
    (passage,) = passages_of(replace(answer, citations=(cited,)), library, 1000)
    assert passage.rows[0].cells[0].text == "Supply voltage", "what is cited goes first"


@pytest.mark.parametrize("budget", [60, 90, 150, 400])
def test_passages_keep_within_their_budget(budget):
    library = Sheet().add_table(ROWS)
    library.add_text("The sensor draws little current. " * 20)
    passages = passages_of(answer_of(library, "supply current"), library, budget)
    assert passages
    assert sum(n_model_tokens(passage.printed) for passage in passages) <= budget
    assert passages[0].rows[0].cells[0].text == "Supply current"


def test_a_text_that_does_not_fit_ends_with_a_sentence():
    library = Sheet().add_text(
        "It has two channels. Each draws 5 mA. The rest is said elsewhere at length."
    )
    whole = n_model_tokens("It has two channels. Each draws 5 mA.")
    head = n_model_tokens("[1] Acme DQA1 Sensor > 7 Description, page 1\n")
    (passage,) = passages_of(answer_of(library, "channels"), library, whole + head + 2)
    assert passage.text == "It has two channels. Each draws 5 mA."


def test_other_rows_have_what_all_passages_leave():
    library = Sheet().add_table(ROWS)
    library.add_text("The supply current is low.")
    budget = 170
    table, text = passages_of(answer_of(library, "supply current"), library, budget)
    assert [row.cells[0].text for row in table.rows][:2] == ["Supply current"] * 2
    assert text.text == "The supply current is low."


def test_a_table_that_left_the_library_is_the_text_of_its_segment():
    class Gone(Sheet):
        def table(self, segment: Segment) -> Table | None:
            raise NotStoredError(segment.id)

    library = Gone()
    library.add_table(ROWS)
    (passage,) = passages_of(answer_of(library, "supply current"), library, 1000)
    assert not passage.rows
    assert "Supply current | VDD = 5 V" in passage.text


def test_hidden_characters_of_documents_do_not_reach_a_passage():
    library = Sheet(title="DQA1\u200b Sensor").add_text("Draws 5\u2063 mA.\U000e0041")
    (passage,) = passages_of(answer_of(library, "current"), library, 1000)
    assert passage.printed == "[1] Acme DQA1 Sensor > 7 Description, page 1\nDraws 5 mA."


def test_references_of_a_document_do_not_look_like_markers():
    library = Sheet().add_text("As [2] and [3, 4] say, bit EN[0] is set.")
    (passage,) = passages_of(answer_of(library, "bit"), library, 1000)
    assert passage.text == "As (2) and (3, 4) say, bit EN[0] is set."
