from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from desktop_qa.answer.answerer import by_statements, reply_to
from desktop_qa.answer.candidates import candidates
from desktop_qa.answer.citing import cited_answer
from desktop_qa.answer.exact import exact
from desktop_qa.answer.reply import ALSO
from desktop_qa.core.answer import Answer, Query
from desktop_qa.core.answer_blocks import as_text, first_said, words_of
from desktop_qa.core.answer_table import TableUse
from desktop_qa.core.asked_code import AskedCode, Standing
from desktop_qa.core.segment import ElementRef, SegmentId
from tests.helpers.meanings import WordMeaning
from tests.helpers.tables import Sheet, cell_box

CHARACTERISTICS = [
    ["PARAMETER", "TEST CONDITIONS", "MIN", "TYP", "MAX", "UNIT"],
    ["Supply current", "VDD = 3.3 V", "", "5", "8", "mA"],
    ["Supply current", "VDD = 5 V", "", "7", "11", "mA"],
    ["Propagation delay", "CL = 15 pF", "", "13", "25", "ns"],
    ["Output resistance", "", "—", "50", "—", "Ω"],
]


def answer(library: Sheet, question: str) -> Answer:
    task = library.task(question)
    reply = exact(task)
    assert reply is not None
    return cited_answer(task.query, reply, task.evidence)


def told(question: str, *rows: Sequence[str]) -> Answer:
    return answer(Sheet().add_table(rows), question)


@pytest.fixture
def library() -> Sheet:
    return Sheet().add_table(CHARACTERISTICS)


def test_the_bound_asked_for_stands_first_with_its_unit(library):
    found = answer(library, "What is the maximum propagation delay of the DQA1?")
    assert "Propagation delay at CL = 15 pF: max **25 ns**, typ **13 ns**." in found.text


def test_rows_that_stand_in_another_segment_of_a_table_are_stated_too(library):
    (whole,) = library.segments
    other = replace(whole, id=SegmentId("other"), element=ElementRef(0, 3, 2))
    library.segments[:] = [replace(whole, element=ElementRef(0, 1, 2)), other]
    library.words_of[other.id] = library.words_of[whole.id]
    task = library.task("What is the propagation delay of the DQA1?")
    stated = {one.subject for one in candidates(task, task.evidence[:1])}
    assert stated == {"supply current", "propagation delay", "output resistance"}


def test_all_conditions_are_given_when_the_question_names_none(library):
    found = answer(library, "What is the supply current of the DQA1?")
    assert "VDD = 3.3 V: typ **5 mA**" in found.text
    assert "VDD = 5 V: typ **7 mA**" in found.text


def test_a_row_says_and_quotes_what_heads_it_in_the_column_of_its_name():
    found = told(
        "Which peak reverse voltage may the DQA1 see?",
        ["SYMBOL", "PARAMETER", "MIN", "MAX", "UNIT"],
        ["VRRM", "repetitive peak reverse voltage", "", "", ""],
        ["^", "DQA1", "", "600", "V"],
        ["^", "DQA2", "", "800", "V"],
    )
    assert "repetitive peak reverse voltage, DQA1 (VRRM): max **600 V**." in found.text
    assert "repetitive peak reverse voltage" in found.citations[0].quote
    (table,) = found.tables
    heading, own = ([cell.text for cell in row] for row in table.rows)
    assert (heading[1], own[1]) == ("repetitive peak reverse voltage", "DQA1")


GRADES = [
    ["PARAMETER", "TA (°C) 74DQ +25", "<", "TA (°C) 74DQ −40 to +125", "<", "UNIT"],
    ["^", "TYP", "MAX", "MIN", "MAX", "^"],
    ["Propagation delay", "13", "25", "", "38", "ns"],
    ["Clock frequency", "50", "", "30", "", "MHz"],
]


def test_limits_are_told_with_what_heads_them():
    found = answer(Sheet().add_table(GRADES), "What is the propagation delay of the DQA1?")
    said = (
        "TA (°C) 74DQ +25: typ **13 ns**, max **25 ns**; TA (°C) 74DQ −40 to +125: max **38 ns**."
    )
    assert f"Propagation delay: {said}" in found.text


def test_limits_are_given_under_the_head_that_the_question_names():
    found = answer(Sheet().add_table(GRADES), "Maximum propagation delay of the DQA1 at 125 °C?")
    assert as_text(first_said(found.blocks), with_markers=False).startswith(
        "Propagation delay: TA (°C) 74DQ −40 to +125: max **38 ns**."
    )


def test_numbers_that_head_columns_have_the_unit_of_the_first_head():
    found = told(
        "Which C does the DQA1 need with a crystal of 8 MHz?",
        ["XTAL (MHz)", "4", "8", "10"],
        ["R (kΩ)", "30", "27", "100"],
        ["C (nF)", "8.2", "4.7", "1"],
    )
    assert "C (nF): 8 MHz **4.7**." in found.text


def test_marks_of_footnotes_do_not_end_what_is_stated():
    found = told(
        "What is the propagation delay of the DQA1?",
        ["PARAMETER", "VCC (V)", "MAX", "UNIT"],
        ["Propagation delay", "5.0(**)", "8", "ns"],
    )
    (line,) = first_said(found.blocks)
    assert [run.text for run in line.runs if run.is_strong] == ["8 ns"]


def test_only_the_row_with_the_condition_asked_for_is_given(library):
    found = answer(library, "Supply current of the DQA1 at 5000 mV?").text
    main = found.split(words_of((ALSO,)))[0]
    assert "VDD = 5 V" in main
    assert "VDD = 3.3 V" not in main


def test_a_dash_is_no_value(library):
    assert "—" not in answer(library, "How much output resistance does the DQA1 have?").text


def test_a_delay_is_found_by_what_is_asked_when_no_word_is_shared(library):
    found = answer(library, "DQA1: how long until the pin follows?")
    assert as_text(first_said(found.blocks)).startswith("Propagation delay")


def test_the_cited_rectangles_are_the_cells_and_their_numbers_are_said(library):
    found = answer(library, "What is the maximum propagation delay of the DQA1?")
    (citation,) = found.citations
    assert citation.quote == ("Propagation delay", "25", "13")
    cells = [cell_box(3, column).bbox for column in (0, 4, 3)]
    assert all(cell.contains_center(place.bbox) for cell, place in zip(
        cells, citation.places, strict=True
    ))  # fmt: skip


def test_the_row_is_shown_as_a_table_with_the_stated_cells_marked(library):
    found = answer(library, "What is the maximum propagation delay of the DQA1?")
    (table,) = found.tables
    assert table.use is TableUse.ROWS
    assert table.headers == ("PARAMETER", "TEST CONDITIONS", "TYP", "MAX", "UNIT")
    (row,) = table.rows
    assert [cell.text for cell in row if cell.is_stated] == ["13", "25"]
    assert cell_box(3, 4).bbox.contains_center(row[3].places[0].bbox)


def test_a_value_of_several_parts_is_shown_under_the_first_and_the_last():
    parts = ("DQR201", "DQR202", "DQR203")
    made = Sheet(title="DQR201 thru DQR203", parts=parts).add_table(
        [
            ["Type number", *parts, "Units"],
            ["Reverse voltage", "50", "100", "200", "V"],
            ["Forward voltage", "1.0", "<", "<", "V"],
        ]
    )
    (table,) = answer(made, "Forward voltage of the DQR202?").tables
    assert table.headers == ("Type number", "DQR201 … DQR203", "Units")


def test_what_is_nearly_as_good_and_about_something_else_is_set_apart():
    found = told(
        "DQA1: how long must an overcurrent last?",
        ["PARAMETER", "TYP", "UNIT"],
        ["Overcurrent protection time", "1.35", "ms"],
        ["Overcurrent deglitch time", "4", "µs"],
    )
    assert words_of((ALSO,)) in found.text
    assert "1.35 ms" in found.text
    assert "4 µs" in found.text


def test_columns_of_siblings_do_not_answer_for_the_part():
    made = Sheet(title="DQB258, DQB358", parts=("DQB258", "DQB358")).add_table(
        [
            ["Parameter", "DQB258", "<", "DQB358", "<", "Units"],
            ["Parameter", "Typ", "Max", "Typ", "Max", "Units"],
            ["Input offset voltage", "2", "5", "3", "7", "mV"],
        ]
    )
    made.tables[0] = _with_header_rows(made, 2)
    found = answer(made, "Maximum input offset voltage of the DQB358?")
    assert "**7 mV**" in found.text
    assert "5" not in found.text.replace("DQB358", "")


def test_rows_of_siblings_do_not_answer_for_the_part():
    made = Sheet(title="DQC230, DQC231", parts=("DQC230", "DQC231")).add_table(
        [
            ["PARAMETER", "<", "MIN", "TYP", "MAX", "UNIT"],
            ["Supply current standby", "DQC230", "", "370", "600", "µA"],
            ["Supply current sleep", "DQC231", "", "0.04", "1", "µA"],
        ]
    )
    found = answer(made, "Typical supply current of the DQC231 in standby?")
    assert "0.04" in found.text
    assert "370" not in found.text


@pytest.mark.parametrize(("part", "most"), [("DQD7805", "50"), ("DQD7805A", "25")])
def test_rows_under_the_title_of_a_grade_do_not_answer_for_the_part(part, most):
    made = Sheet(title="DQD78XX, DQD78XXA", parts=("DQD78XX", "DQD78XXA"))
    for grade, limit in (("DQD7805A", "25"), ("DQD7805", "50")):
        head = ["PARAMETER", "TEST CONDITIONS", "MIN", "TYP", "MAX", "UNIT"]
        row = ["Line regulation", "VI = 8 V to 12 V", "", "2", limit, "mV"]
        made.add_table([head, row], section=f"Electrical Characteristics ({grade})")
    task = made.task(f"Maximum line regulation of the {part}?")
    as_near = tuple(replace(one, score=1.0) for one in task.evidence)
    reply = exact(replace(task, evidence=as_near, usable=as_near))
    assert reply is not None
    assert f"**{most} mV**" in reply.statements[0].text


ORDERS = [
    ["Type number", "Package", "Marking"],
    ["DQ154N", "DIP24", "154N"],
    ["DQ154D", "SO24", "154D"],
    ["DQ154PW", "TSSOP24", "154P"],
    ["DQ154BQ", "DHVQFN24", "154B"],
    ["DQ154DB", "SSOP24", "154S"],
    ["DQ154E", "DIP24W", "154E"],
]


def test_a_column_that_is_asked_for_as_a_whole_is_told_of_each_row():
    found = answer(Sheet(parts=("DQ154",)).add_table(ORDERS), "Which packages has the DQ154?")
    assert all(f"{code}: Package **{package}**" in found.text for code, package, _ in ORDERS[1:])


def test_of_a_column_one_row_is_told_where_one_is_asked_for():
    found = answer(Sheet(parts=("DQ154",)).add_table(ORDERS), "Which package has the DQ154PW?")
    assert "TSSOP24" in as_text(first_said(found.blocks))
    assert "SSOP24**" not in as_text(first_said(found.blocks)).replace("TSSOP24**", "")


def test_of_a_column_of_amounts_the_row_is_told_that_is_named():
    rows = [["Segment", "Sales"], ["Devices", "7,481 million"], ["Services", "620 million"]]
    found = answer(Sheet().add_table(rows), "What were the sales of devices?")
    assert "7,481" in found.text
    assert "620 million" not in as_text(first_said(found.blocks))


def test_what_heads_rows_of_one_name_stands_above_them_in_the_table():
    rows = [
        ["", "2018", "2017"],
        ["Domestic", "", ""],
        ["Appliances", "10%", "9%"],
        ["International", "", ""],
        ["Appliances", "8%", "6%"],
    ]
    (table,) = answer(Sheet().add_table(rows), "Which share have appliances in 2018?").tables
    names = [row[0].text for row in table.rows]
    assert names == ["Domestic", "Appliances", "International", "Appliances"]
    assert {len(row) for row in table.rows} == {len(table.headers)}


def test_a_sentence_about_a_sibling_does_not_answer_for_the_part():
    made = Sheet(title="DQC230, DQC231", parts=("DQC230", "DQC231"))
    made.add_text("The collector-emitter voltage of the DQC230 is 65 V.", "1 Features")
    made.add_text("The voltage between collector and emitter is 30 V at most.", "2 Ratings")
    found = answer(made, "Collector-emitter voltage of the DQC231?").text
    assert "30 V" in found
    assert "65 V" not in found.split(words_of((ALSO,)))[0]


def test_the_part_that_is_asked_for_stands_beside_the_name_of_its_family():
    read: list[str] = []

    class Reading(WordMeaning):
        def relevances(self, question: str, texts: Sequence[str]) -> Sequence[float]:
            read.extend(texts)
            return super().relevances(question, texts)

    made = Sheet(title="DQCx30 amplifiers", parts=("DQC230", "DQC430"))
    made.add_text("The offset voltage is 25 µV at most.")
    asked = (AskedCode("DQC430", Standing.FAMILY, (made.id,)),)
    task = made.task(Query("Offset voltage of the DQC430?", codes=asked))
    reply_to(replace(task, meaning=Reading()))
    assert read[0].endswith("DQCx30 amplifiers | DQC430")


def test_a_part_is_known_by_the_end_of_its_number():
    made = Sheet(title="DQD24072 family", parts=("DQD24072", "DQD24074")).add_table(
        [
            ["PARAMETER", "TEST CONDITIONS", "MIN", "TYP", "MAX", "UNIT"],
            ["Overvoltage threshold", "(’72, ’73)", "6.4", "6.6", "6.8", "V"],
            ["Overvoltage threshold", "(’74)", "10.2", "10.5", "10.8", "V"],
        ]
    )
    found = answer(made, "Maximum overvoltage threshold of the DQD24074?")
    assert "10.8" in found.text
    assert "6.8" not in found.text


def test_a_value_under_heads_in_two_languages_has_its_unit():
    found = told(
        "What is the continuous drain current of the DQA1?",
        ["参数 Parameter", "符号 Symbol", "数值 Value", "单位 Unit"],
        ["Continuous drain current", "ID", "24", "A"],
        ["Drain source voltage", "VDS", "60", "V"],
    )
    assert "**24 A**" in found.text


def test_what_the_question_gives_is_a_condition_and_the_rest_is_stated():
    found = told(
        "Which RH sets the DQA1 to DCM at light load and 800 kHz with 51 kΩ below?",
        ["RL (kΩ)", "RH (kΩ)", "Light load", "Frequency (kHz)"],
        ["51", "91", "PWM", "800"],
        ["51", "82", "DCM", "800"],
        ["51", "62", "DCM", "1200"],
    )
    assert "RL (kΩ) 51 at Light load DCM, Frequency (kHz) 800: RH (kΩ) **82" in found.text


def test_absolute_ratings_give_way_to_operating_conditions_unless_they_are_asked_for():
    made = Sheet()
    for section, value in (("6.1 Absolute Maximum Ratings", "7"), ("6.3 Operating", "5.5")):
        made.add_table(
            [["PARAMETER", "MIN", "MAX", "UNIT"], ["Supply voltage", "0", value, "V"]], section
        )

    def first(question: str) -> str:
        task = made.task(question)
        found_alike = tuple(replace(one, score=1.0) for one in task.evidence)
        reply = reply_to(replace(task, evidence=found_alike, usable=found_alike))
        return reply.statements[0].text

    assert "**5.5 V**" in first("Maximum supply voltage of the DQA1?")
    assert "**7 V**" in first("Absolute maximum supply voltage of the DQA1?")


def test_segments_stand_in_the_order_of_what_they_state():
    made = Sheet().add_text("The reset pin is pulled up inside.", "7 Description")
    made.add_text("The oscillator starts 4 ms after power-up.", "8 Oscillator")
    told, asked = made.segments
    task = made.task("When does the oscillator of the DQA1 start after power-up?")
    task = replace(task, meaning=WordMeaning())
    assert [item.segment.id for item in by_statements(task)] == [asked.id, told.id]
    found = by_statements(made.task("How much does the DQA1 weigh?"))
    assert {item.segment.id for item in found} == {asked.id, told.id}


def test_sentences_are_quoted_and_those_that_stand_together_stay_together():
    made = Sheet().add_text(
        "The fault pin is not driven low during undervoltage. Connect a pullup resistor."
    )
    found = answer(made, "What does the fault pin of the DQA1 do during undervoltage?")
    assert "not driven low during undervoltage" in found.text
    assert found.citations[0].quote[0].startswith("The fault pin is not driven low")


def _with_header_rows(made: Sheet, n_headers: int):
    table = made.tables[0]
    cells = tuple(replace(cell, is_header=cell.row < n_headers) for cell in table.cells)
    return replace(table, cells=cells)


def test_of_each_year_that_is_asked_for_the_column_is_given():
    found = told(
        "What was the net income of the DQA1 in 2023 and 2022?",
        ["", "2023", "2022", "2021"],
        ["Net income", "3,972", "3,826", "5,231"],
        ["Revenue in 2022 dollars", "90,155", "93,512", "83,959"],
    ).text
    assert found.startswith("Net income: 2023 **3,972**; 2022 **3,826**.")
