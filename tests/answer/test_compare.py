"""Comparisons of made-up data sheets: rows brought together, gaps left, the right part read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from desktop_qa.answer.answerer import reply_to
from desktop_qa.answer.candidates import candidates
from desktop_qa.answer.citing import cited_answer
from desktop_qa.answer.compare import (
    MAX_DOCUMENTS,
    compare_way,
    compared,
    comparison_of,
)
from desktop_qa.answer.exact import exact
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.core.answer import AnswerStatus, Query, QuestionType
from desktop_qa.core.answer_table import AnswerTable, TableUse
from desktop_qa.retrieve.comparison import (
    Comparison,
    Direction,
)
from tests.helpers.meanings import FixedMeaning, WordMeaning, word_vectors
from tests.helpers.tables import Sheet, Sheets

ELECTRICAL = ("Parameter", "Symbol", "Conditions", "Min", "Typ", "Max", "Unit")
CHARACTERISTICS = "Electrical Characteristics"


def stating(part: str, *rows: Sequence[str], section: str = CHARACTERISTICS) -> Sheet:
    return Sheet(part).add_table((ELECTRICAL, *rows), section, section)


def regulator(part: str, drop: str, lines: Sequence[str] = (), **more: Any) -> Sheet:
    rows = (
        ELECTRICAL,
        ("Supply voltage", "VDD", "", "2.7", "", "5.5", "V"),
        ("Dropout voltage", "VDO", "IOUT = 1 A, TJ = 25 °C", "", drop, "", "mV"),
    )
    sheet = Sheet(part, **more)
    if lines:
        sheet.add_text("\n".join(f"• {line}" for line in lines), "1 Features")
    return sheet.add_table(rows, CHARACTERISTICS, CHARACTERISTICS)


def table_of(reply: Reply | None) -> AnswerTable:
    (table,) = reply.tables
    return table


def row_of(table: AnswerTable, label: str) -> list[str]:
    (row,) = [row for row in table.rows if row[0].text.startswith(label)]
    return [cell.text for cell in row[1:]]


def compare(
    *sheets: Sheet, asked: Comparison | None = None, names: Sequence[str] = ()
) -> Reply | None:
    ids, codes = [sheet.id for sheet in sheets], [sheet.name for sheet in sheets]
    return compared(ids, codes, Sheets(*sheets), word_vectors, names=names, asked=asked)


def test_rows_of_two_makers_are_one_when_they_mean_the_same():
    one = stating("AB100", ("Quiescent current", "IQ", "", "", "50", "80", "µA"))
    other = stating(
        "XY200",
        ("Quiescent supply current", "", "", "", "0.1", "", "mA"),
        section="DC Specifications",
    )
    table = table_of(compare(one, other))
    assert table.use is TableUse.COMPARISON
    assert table.headers == ("Parameter", "AB100", "XY200")
    assert row_of(table, "Quiescent current") == ["typ 50 µA, max 80 µA", "typ 0.1 mA"]
    (row,) = table.rows
    assert row[1].value == pytest.approx(50e-6)
    assert row[2].value == pytest.approx(100e-6)
    assert row[2].note == "there: Quiescent supply current"


def test_what_each_sheet_uses_one_symbol_for_is_one_row_whatever_it_is_called():
    one = stating("AB100", ("Transition frequency", "fT", "", "", "5", "", "MHz"))
    other = stating("XY200", ("Current gain bandwidth product", "fT", "", "650", "", "", "MHz"))
    assert row_of(table_of(compare(one, other)), "Transition frequency") == [
        "typ 5 MHz",
        "min 650 MHz",
    ]


def test_units_are_converted_before_documents_are_said_to_differ():
    same = table_of(compare(regulator("AB100", "350"), regulator("AB200", "350")))
    assert same.differs == (False, False)
    volts = stating(
        "AB300", ("Dropout voltage", "VDO", "IOUT = 1 A, TJ = 25 °C", "", "0.35", "", "V")
    )
    table = table_of(compare(regulator("AB100", "350"), volts))
    differs = dict(
        zip((row[0].text.split(",")[0] for row in table.rows), table.differs, strict=True)
    )
    assert differs == {"Dropout voltage": False, "Supply voltage": True}


def test_a_limit_that_destroys_is_never_beside_a_condition_to_operate_at():
    operating = stating(
        "AB100",
        ("Supply voltage", "VDD", "", "2.7", "", "5.5", "V"),
        section="Recommended Operating Conditions",
    )
    absolute = stating(
        "AB200",
        ("Supply voltage", "VDD", "", "-0.3", "", "7", "V"),
        section="Absolute Maximum Ratings",
    )
    table = table_of(compare(operating, absolute))
    assert [[cell.text for cell in row[1:]] for row in table.rows] == [
        ["min 2.7 V, max 5.5 V", ""],
        ["", "min -0.3 V, max 7 V"],
    ]
    assert "absolute maximum rating" in table.rows[1][0].text


def test_values_are_paired_by_their_conditions():
    rows = [
        ("On resistance", "RON", "VM = 5 V, TJ = 85 °C", "", "", "300", "mΩ"),
        ("On resistance", "RON", "VM = 5 V, TJ = 25 °C", "", "200", "", "mΩ"),
    ]
    one = stating("AB100", *rows)
    swapped = [
        ("On resistance", "RON", "VM = 5 V, TA = 25 °C", "", "1.2", "", "Ω"),
        ("On resistance", "RON", "VM = 5 V, TA = 85 °C", "", "", "1.5", "Ω"),
    ]
    other = stating("AB200", *swapped)
    table = table_of(compare(one, other))
    pairs = {tuple(cell.text for cell in row[1:]) for row in table.rows}
    assert pairs == {("typ 200 mΩ", "typ 1.2 Ω"), ("max 300 mΩ", "max 1.5 Ω")}
    first = table.rows[0]
    assert "25 °C" in first[0].text
    assert first[2].note == "at VM = 5 V, TA = 25 °C"


@pytest.mark.parametrize(("asked", "expected"), [("AB100", "typ 10 mA"), ("AB101", "typ 20 mA")])
def test_only_rows_and_columns_of_the_part_asked_for_are_read(asked, expected):
    headers = ("Parameter", "AB100 Typ", "AB101 Typ", "Max", "Unit")
    standby_rows = (
        ELECTRICAL,
        ("Standby current", "", "AB100 only", "", "1", "", "µA"),
        ("Standby current", "", "AB101 only", "", "2", "", "µA"),
    )
    family = Sheet("AB100", parts=("AB100", "AB101"))
    family.add_table((headers, ("Supply current", "10", "20", "", "mA")), CHARACTERISTICS)
    family.add_table(standby_rows, CHARACTERISTICS)
    other = regulator("XY200", "100")
    reply = compared([family.id, other.id], [asked, "XY200"], Sheets(family, other), word_vectors)
    table = table_of(reply)
    assert table.headers[1] == asked
    assert row_of(table, "Supply current")[0] == expected
    standby = "typ 1 µA" if asked == "AB100" else "typ 2 µA"
    assert [row[1].text for row in table.rows if "Standby" in row[0].text] == [standby]


def test_what_stands_only_on_the_front_page_is_compared_too():
    one = regulator("AB100", "100", lines=("Typical quiescent current of 2 µA", "37 GPIOs"))
    other = regulator("AB200", "100", lines=("Quiescent current 5 µA",))
    table = table_of(compare(one, other))
    assert row_of(table, "Quiescent current") == ["typ 2 µA", "5 µA"]
    assert row_of(table, "Number of GPIOs") == ["37", ""]


def test_every_value_cites_its_own_cell_in_the_document_of_its_column():
    sheets = [regulator("AB100", "100"), regulator("AB200", "200")]
    reply = compare(*sheets)
    assert reply is not None
    answer = cited_answer(Query("Compare AB100 and AB200"), reply, ())
    (table,) = answer.tables
    document_of = {e.marker: e.segment.document_id for e in answer.evidence}
    for row in table.rows:
        for document_id, cell in zip(table.document_ids[1:], row[1:], strict=True):
            assert document_of[cell.marker] == document_id
            assert cell.places
    quotes = {quote for citation in answer.citations for quote in citation.quote}
    assert {"100", "200", "2.7", "5.5"} <= quotes
    assert len(answer.text.split()) <= 80


def test_units_that_cannot_be_converted_are_said_and_not_ranked():
    one = stating("AB100", ("Line regulation", "", "", "", "7", "", "mV"))
    other = stating("AB200", ("Line regulation", "", "", "", "0.8", "", "%/V"))
    table = table_of(compare(one, other))
    assert row_of(table, "Line regulation") == ["typ 7 mV", "typ 0.8%/V"]
    assert table.notes == (
        "Line regulation is given in mV and %/V, which cannot be converted into each other.",
    )


def test_documents_with_nothing_in_common_are_shown_side_by_side():
    sensor = stating(
        "AB100", ("Zero-g offset", "", "", "", "±40", "", "mg"), section="Specifications"
    )
    reply = compare(sensor, regulator("XY200", "100"))
    assert reply.lead == "AB100 and XY200 state nothing under the same name."
    assert all("" in [c.text for c in row[1:]] for row in table_of(reply).rows)


def test_one_document_is_no_comparison_and_too_many_are_refused_in_a_sentence():
    assert compare(regulator("AB100", "100")) is None
    many = [regulator(f"AB{n}", "100") for n in range(100, 150)]
    reply = compare(*many)
    assert reply.lead.startswith("50 documents are too many")
    assert str(MAX_DOCUMENTS) in reply.lead
    assert not reply.tables


def test_a_document_that_was_not_read_is_named_and_the_others_are_compared():
    unread = regulator("AB300", "100", is_read=False)
    table = table_of(compare(regulator("AB100", "100"), regulator("AB200", "90"), unread))
    assert table.headers == ("Parameter", "AB100", "AB200")
    assert table.notes[0].startswith("AB300.pdf could not be compared")
    known = regulator("AB100", "100")
    assert compared([known.id, unread.id], [], Sheets(known), word_vectors) is None


def test_cells_merged_into_nonsense_state_no_number():
    rows = [
        ("Supply current", "", "", "", "1.7 3 mA VM 2.7 V 10.8", "", "mA"),
        ("Output voltage", "", "", "VDD – 0.3", "", "", "V"),
        ("", "", "", "", "", "", ""),
    ]
    one = stating("AB100", *rows)
    other = stating("AB200", ("Supply current", "", "", "", "2", "", "mA"))
    table = table_of(compare(one, other))
    (current,) = [row for row in table.rows if "upply current" in row[0].text]
    assert current[1].value is None
    assert current[2].value == pytest.approx(2e-3)
    (voltage,) = [row for row in table.rows if "Output voltage" in row[0].text]
    assert voltage[1].value is None
    assert voltage[1].text == "min VDD – 0.3 V"


def test_a_ranking_names_the_best_and_who_does_not_state_it():
    asked = Comparison("dropout voltage", direction=Direction.LOWEST)
    silent = stating("AB300", ("Supply voltage", "VDD", "", "3", "", "5", "V"))
    reply = compare(regulator("AB100", "350"), regulator("AB200", "95"), silent, asked=asked)
    assert reply.statements[0].text.startswith("**AB200** has the lowest dropout voltage")
    table = table_of(reply)
    assert table.rows[0][0].text.startswith("Dropout voltage")
    assert [cell.text for cell in table.rows[0][1:]] == ["typ 350 mV", "typ 95 mV", ""]
    assert any("AB300 does not state" in note for note in table.notes)


def test_parts_of_a_class_are_ranked_and_filtered():
    sheets = Sheets(
        regulator("AB100", "350", title="AB100 Low-Dropout Regulator"),
        regulator("AB200", "95", title="AB200 LDO for sensors"),
        regulator("AB300", "10", title="AB300 Temperature Sensor"),
    )
    task = sheets.task(Query("regulators with dropout voltage under 100 mV"))
    reply = compare_way(replace(task, meaning=WordMeaning()))
    assert reply.lead.startswith("1 of 2 documents")
    (table,) = reply.tables
    assert table.use is TableUse.LIST
    assert [[cell.text for cell in row[:2]] for row in table.rows] == [["AB200", "typ 95 mV"]]


def test_chosen_parameters_that_nobody_states_are_listed():
    names = ("dropout voltage", "slew rate")
    reply = compare(regulator("AB100", "350"), regulator("AB200", "95"), names=names)
    table = table_of(reply)
    assert [row[0].text.split(",")[0] for row in table.rows] == ["Dropout voltage"]
    assert table.notes == ("slew rate is stated by none of the documents.",)


def test_two_parts_of_one_sheet_have_a_column_each():
    headers = ("Parameter", "AB100 Typ", "AB101 Typ", "Max", "Unit")
    family = Sheet("AB100", parts=("AB100", "AB101"))
    family.add_table((headers, ("Slew rate", "10", "20", "", "V/µs")), CHARACTERISTICS)
    table = table_of(compared([family.id], ["AB100", "AB101"], Sheets(family), word_vectors))
    assert table.headers == ("Parameter", "AB100", "AB101")
    assert row_of(table, "Slew rate") == ["typ 10 V/µs", "typ 20 V/µs"]
    assert table.document_ids == ("", family.id, family.id)


def test_a_row_that_is_called_as_a_part_is_called_as_what_heads_it():
    rows = (
        ("Parameter", "Symbol", "Max", "Unit"),
        ("Collector-emitter voltage", "VCEO", "", ""),
        ("AB100", "^", "400", "V"),
        ("AB101", "^", "450", "V"),
    )
    family = Sheet("AB100", parts=("AB100", "AB101")).add_table(rows, CHARACTERISTICS)
    table = table_of(compared([family.id], ["AB100", "AB101"], Sheets(family), word_vectors))
    (row,) = table.rows
    assert [cell.text for cell in row] == [
        "Collector-emitter voltage, VCEO",
        "max 400 V",
        "max 450 V",
    ]


def asked_of(
    sheets: Sheets, question: str, kind: QuestionType = QuestionType.ACROSS_DOCUMENTS
) -> AnswerTask:
    """A question that names all sheets, with all their segments as its evidence."""
    return sheets.task(Query(question, type=kind, document_ids=tuple(sheets.sheets)))


def test_rows_that_a_question_is_about_stand_first_in_the_comparison_of_its_parts():
    sheets = Sheets(regulator("AB100", "350"), regulator("AB200", "95"))
    question = "How long is the dropout voltage of AB100 or AB200?"
    task = asked_of(sheets, question, QuestionType.COMPARE)
    (table,) = comparison_of(task, ranked(task, candidates(task, task.usable)))
    assert [row[0].text.split(",")[0] for row in table.rows] == [
        "Dropout voltage",
        "Supply voltage",
    ]


def test_a_question_that_does_not_compare_is_shown_what_answers_it_alone():
    sheets = Sheets(regulator("AB100", "350"), regulator("AB200", "95"))
    task = asked_of(sheets, "How long is the dropout voltage of AB100 or AB200?")
    order = ranked(task, candidates(task, task.usable))
    (table,) = comparison_of(task, order, [one for one in order if "ropout" in one.text])
    assert [row[0].text.split(",")[0] for row in table.rows] == ["Dropout voltage"]


def test_parts_whose_answer_is_refused_are_compared_all_the_same():
    sheets = Sheets(regulator("AB100", "350"), regulator("AB200", "95"))
    task = asked_of(sheets, "Which one glows more, AB100 or AB200?")
    reply = reply_to(replace(task, meaning=WordMeaning()))
    assert reply.status is AnswerStatus.NOT_FOUND
    assert table_of(reply).headers == ("Parameter", "AB100", "AB200")


def test_what_a_question_names_is_compared_where_several_state_it():
    ratings = "Absolute Maximum Ratings"
    one = stating("AB100", ("Collector voltage", "VCE", "", "", "", "40", "V"), section=ratings)
    one.add_table((ELECTRICAL, ("Collector voltage", "VCE", "", "", "", "35", "V")), "1", "1")
    one.add_table((ELECTRICAL, ("Saturation voltage", "VSAT", "", "", "", "2", "V")), "2", "2")
    other = stating("XY200", ("Collector voltage", "VCE", "", "", "", "60", "V"), section=ratings)
    other.add_table((ELECTRICAL, ("Saturation voltage", "VSAT", "", "", "", "3", "V")), "2", "2")
    sheets = Sheets(one, other)
    for kind in (QuestionType.COMPARE, QuestionType.ACROSS_DOCUMENTS):
        task = asked_of(sheets, "Compare VCE of AB100 and XY200", kind)
        reply = reply_to(replace(task, meaning=WordMeaning()))
        assert "40 V" in reply.statements[0].text
        assert "60 V" in reply.statements[0].text


def test_what_is_compared_is_meant_in_the_words_of_the_question():
    told: list[str] = []

    class Listening(FixedMeaning):
        def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            told.extend(texts)
            return word_vectors(texts)

    sheets = Sheets(regulator("AB100", "350"), regulator("AB200", "95"))
    task = asked_of(sheets, "Compare the supplied voltage of AB100 and AB200")
    reply = reply_to(replace(task, meaning=Listening()))
    assert "supplied voltage" in told
    assert "2.7 V" in reply.statements[0].text


def test_whole_documents_are_compared_whatever_else_a_question_says():
    sheets = Sheets(regulator("AB100", "350"), regulator("AB200", "95"))
    question = "Does it matter which one is in my drawer, AB100 or AB200?"
    reply = reply_to(asked_of(sheets, question, QuestionType.COMPARE))
    assert reply.status is AnswerStatus.ANSWERED
    assert "Dropout voltage" in reply.statements[0].text
    assert table_of(reply).headers == ("Parameter", "AB100", "AB200")


def test_where_no_part_is_named_the_other_documents_are_told_and_may_be_meant():
    sheets = Sheets(regulator("AB100", "350"), regulator("AB200", "95"))
    task = asked_of(sheets, "How high is the dropout voltage?", QuestionType.FACT)
    alike = tuple(replace(item, score=1.0) for item in task.evidence)
    unnamed = replace(task.query, document_ids=())
    reply = exact(replace(task, query=unnamed, evidence=alike, usable=alike))
    assert "350 mV" in reply.statements[0].text
    assert any(s.text.startswith("The AB200 datasheet: Dropout voltage") for s in reply.also)
    assert [reading.partition(":")[0] for reading in reply.readings] == [
        "The AB100 datasheet",
        "The AB200 datasheet",
    ]


def test_names_that_mean_the_same_are_one_row_and_opposites_are_two():
    def named(part: str, *names: str) -> Sheet:
        return stating(part, *((name, "", "", "", "10", "", "ns") for name in names))

    one = named("AB100", "Output rise time", "Propagation delay")
    other = named("AB200", "Output fall time", "Propagation delay time")
    table = table_of(compare(one, other))
    assert row_of(table, "Propagation delay") == ["typ 10 ns", "typ 10 ns"]
    assert row_of(table, "Output rise time") == ["typ 10 ns", ""]
    assert row_of(table, "Output fall time") == ["", "typ 10 ns"]


def test_a_ranking_says_the_name_of_its_row_where_that_is_not_what_was_asked():
    asked = Comparison("dropout", direction=Direction.LOWEST)
    reply = compare(regulator("AB100", "350"), regulator("AB200", "95"), asked=asked)
    assert "the lowest dropout of those" in reply.statements[0].text
    other = Comparison("dropout voltage loss")
    reply = compare(regulator("AB100", "350"), regulator("AB200", "95"), asked=other)
    assert "the lowest Dropout voltage of those" in reply.statements[0].text
