from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from desktop_qa.answer.answerer import reply_to
from desktop_qa.answer.compute_expressions import calculation
from desktop_qa.answer.compute_tables import table_reckoning
from desktop_qa.answer.exact import exact
from desktop_qa.answer.figures import years_in
from desktop_qa.answer.financial_statements import item_statements
from desktop_qa.answer.reply import Reply
from desktop_qa.core.answer import QuestionType
from tests.answer.own_datasheet import HEADER, regulator, shown, task_of
from tests.helpers.tables import Sheet

CALCULATION = QuestionType.CALCULATION


def stating(name: str, *rows: Sequence[str]) -> Sheet:
    return Sheet(name).add_table((HEADER, *rows), "6.5 Electrical Characteristics")


def reckoned(question: str, *sheets: Sheet, kind: QuestionType = CALCULATION) -> Reply | None:
    return calculation(task_of(question, *sheets, kind=kind))


def computed(question: str, *sheets: Sheet, kind: QuestionType = CALCULATION) -> str:
    task = task_of(question, *(sheets or (regulator(),)), kind=kind)
    return shown(task, calculation(task)).text


@pytest.mark.parametrize(
    ("question", "result"),
    [
        (
            "How many times more typical quiescent current does the QRX7001 draw in normal mode "
            "than in sleep mode?",
            "30 µA / 2 µA = **15**",
        ),
        (
            "What is the difference between the maximum and the typical dropout voltage of the "
            "QRX7001?",
            "180 mV − 95 mV = **85 mV**",
        ),
        (
            "By how many percent is the maximum dropout voltage of the QRX7001 above the typical "
            "one?",
            "**89.5 %**",
        ),
        (
            "How long does a 220 mAh battery last at the maximum quiescent current in normal mode "
            "of the QRX7001?",
            "Q / I = 220 mAh / 55 µA = **4000 h (about 167 days)**",
        ),
        (
            "By how many degrees does the QRX7001 heat up when it dissipates 50 mW?",
            "50 mW × 200 °C/W = **10 °C**",
        ),
        (
            "QRX7001: what soft-start time results from a 10 nF capacitor on the SS pin?",
            "TSS = CSS × VREF / ISS = 10 nF × 0.8 V / 2 µA = **4 ms**",
        ),
        # A quantity of the question needs no document.
        ("What is 3.2 mA in µA?", "**3200 µA**"),
        ("Convert 125 °C to Fahrenheit.", "**257 °F**"),
        ("How many mV are 0.5 V?", "**500 mV**"),
        ("Convert 3 V to mA.", "cannot be converted"),
    ],
)
def test_what_is_asked_for_is_reckoned_from_what_the_sheet_states(question, result):
    assert result in computed(question)


def test_power_takes_the_maximum_asked_for_and_the_current_of_the_question():
    text = computed(
        "A QRX7001 runs at its maximum dropout voltage with 500 mA. How much power is lost?"
    )
    assert "P = V × I = 180 mV × 500 mA = **90 mW**" in text
    assert "maximum dropout voltage" in text
    assert "[1]" in text


def test_every_input_is_cited_at_its_cell():
    asked = "By what factor is the maximum dropout voltage of the QRX7001 above the typical one?"
    task = task_of(asked, regulator(), kind=CALCULATION)
    answer = shown(task, calculation(task))
    assert "**1.89" in answer.text
    quoted = {word for citation in answer.citations for word in citation.quote}
    assert {"180", "95"} <= quoted


def test_a_factor_between_two_documents_follows_the_order_of_the_question():
    text = computed(
        "By what factor is the typical dropout voltage of the QRX7001 higher than that of the "
        "QRX7002?",
        regulator("QRX7002", dropout=("38", "70")),
        regulator(),
    )
    assert "95 mV / 38 mV = **2.5**" in text


def test_a_sum_adds_what_and_joins():
    sheet = stating(
        "QRX7003",
        ("Supply current of the receiver", "", "", "5", "7", "mA"),
        ("Supply current of the transmitter", "", "", "150", "200", "µA"),
    )
    text = computed(
        "What typical supply current do the receiver and the transmitter of the QRX7003 draw in "
        "total?",
        sheet,
    )
    assert "**5.15 mA**" in text


def test_nothing_is_divided_by_zero():
    text = computed(
        "By what factor is the typical quiescent current in sleep mode of the QRX7001 higher than "
        "its leakage current?"
    )
    assert "divided by zero" in text
    assert "**" not in text.split("\n", maxsplit=1)[0]


def test_nothing_is_computed_where_an_operand_is_missing():
    sheet = stating("QRX7004", ("Quiescent current", "TA = 25 °C", "", "30", "55", "µA"))
    asked = "How hot does the junction of the QRX7004 get when it dissipates 0.4 W?"
    assert reckoned(asked, sheet) is None


def test_values_under_different_conditions_are_told():
    sheet = stating(
        "QRX7005",
        ("Gain error of the input amplifier", "VM = 5 V", "", "200", "", "mV"),
        ("Gain error of the output amplifier", "VM = 2.7 V", "", "100", "", "mV"),
    )
    text = computed(
        "What is the ratio between the gain error of the input amplifier and the gain error of the "
        "output amplifier of the QRX7005?",
        sheet,
    )
    assert "different conditions" in text
    assert "VM = 5 V and VM = 2.7 V" in text


def test_a_formula_that_leaves_out_a_value_of_the_question_is_not_used():
    task = task_of(
        "Calculate the voltage of the QRX7001 with R1 = 240 Ω and R2 = 720 Ω at 3 A.", regulator()
    )
    reply = calculation(task)
    assert reply is None or "**" not in shown(task, reply).text.split("\n", maxsplit=1)[0]


def test_calculate_without_numbers_is_no_calculation():
    task = task_of("Calculate.", regulator())
    assert calculation(task) is None


def test_a_plain_table_value_stays_an_exact_answer():
    task = task_of("What is the maximum dropout voltage of the QRX7001?", regulator())
    assert calculation(task) is None
    assert "180 mV" in shown(task, reply_to(task)).text


def test_a_stated_value_is_not_computed_again():
    sheet = regulator().add_table(
        (HEADER, ("Power dissipation", "VDD = 3.3 V", "", "0.5", "", "mW")), "6.6 Power"
    )
    task = task_of("How much power does the QRX7001 dissipate at 3.3 V?", sheet)
    reply = calculation(task)
    assert reply is None or "P =" not in shown(task, reply).text


SCALES = Sheet("QRX7006").add_table(
    (
        ("FSR", "LSB SIZE"),
        ("±4.096 V", "125 µV"),
        ("±2.048 V", "62.5 µV"),
        ("±0.256 V", "7.8125 µV"),
    ),
    "9.3 Full Scale",
    label="Table 3",
    caption="Full-Scale Range and LSB Size",
)


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("How many rows does Table 3 of the QRX7006 have?", "**3** rows"),
        ("What is the smallest LSB size in Table 3 of the QRX7006?", "**7.8125 µV**"),
        ("What is the largest LSB size in Table 3 of the QRX7006?", "**125 µV**"),
    ],
)
def test_rows_of_a_named_table_are_counted_and_compared(question, result):
    task = task_of(question, SCALES)
    assert result in shown(task, table_reckoning(task)).text


def report() -> Sheet:
    """Return the statements of an annual report."""
    return (
        Sheet("Nordwind")
        .add_table(
            (
                ("(in millions)", "2021", "2020", "2019"),
                ("Net sales", "$ 1,210", "$ 1,100", "$ 1,000"),
                ("Cost of sales", "840", "770", "650"),
                ("Gross profit", "370", "330", "350"),
                ("Net earnings", "121", "(55)", "100"),
            ),
            "Consolidated Statements of Income",
        )
        .add_table(
            (
                ("(in millions)", "2021", "2020"),
                ("Total current assets", "900", "800"),
                ("Total assets", "2,200", "1,800"),
                ("Total current liabilities", "450", "400"),
            ),
            "Consolidated Balance Sheets",
        )
    )


@pytest.mark.parametrize(
    ("question", "equation"),
    [
        ("What is Nordwind's gross margin in FY2021?", "370 million / 1,210 million = **30.6 %**"),
        (
            "What is Nordwind's current ratio at the end of 2020, to one decimal?",
            "800 million / 400 million = **2.0**",
        ),
        (
            "What is Nordwind's working capital in 2021?",
            "900 million − 450 million = **450 million**",
        ),
        (
            "What is Nordwind's asset turnover in FY2021?",
            "1,210 million / ((1,800 million + 2,200 million) / 2) = **0.605**",
        ),
        (
            "By how many percent did Nordwind's revenue grow from 2019 to 2021?",
            "(1,210 million − 1,000 million) / 1,000 million = **21 %**",
        ),
        (
            "What is the CAGR of Nordwind's net sales from 2019 to 2021?",
            "(1,210 million / 1,000 million)^(1 / 2) − 1 = **10 %**",
        ),
        (
            "By how much did Nordwind's net income fall from 2019 to 2020?",
            "100 million − (-55 million) = **155 million**",
        ),
        (
            "What is Nordwind's average cost of sales as a % of revenue from 2019 to 2021?",
            "((650 million / 1,000 million) + (770 million / 1,100 million) "
            "+ (840 million / 1,210 million)) / 3 = **68.1 %**",
        ),
        (
            "What is Nordwind's sales efficiency for 2021? It is defined as: 2021 net sales "
            "divided by average total assets between 2020 and 2021. Round to two decimals.",
            "1,210 million / ((1,800 million + 2,200 million) / 2) = **0.60**",
        ),
        (
            "What is Nordwind's net income % margin in FY2021?",
            "121 million / 1,210 million = **10 %**",
        ),
        (
            "What is Nordwind's FY2021 gross profit less current liabilities? Define gross profit "
            "as revenue less cost of sales (from the income statement). Answer in USD millions.",
            "(1,210 million − 840 million) − 450 million = **-80 million**",
        ),
        (
            "What is Nordwind's FY2021 cushion change (CCX)? CCX is defined as: NWC + change in "
            "total assets between FY2020 and FY2021. NWC is defined as: total current assets less "
            "total current liabilities.",
            "(900 million − 450 million) + (2,200 million − 1,800 million) = **850 million**",
        ),
    ],
)
def test_metrics_of_business_are_computed_from_statements(question, equation):
    assert equation in computed(question, report())


def test_a_metric_that_the_report_states_is_not_computed_again():
    stated = report().add_table(
        (("", "2021", "2020"), ("Adjusted gross margin", "31.5%", "30.9%")), "Highlights"
    )
    assert "**31.5%**" in computed("What is Nordwind's adjusted gross margin in 2021?", stated)


def test_an_item_is_read_from_the_statement_that_has_most_of_its_items():
    flows = (("(in millions)", "2021"), ("Current assets", "7"), ("Current liabilities", "3"))
    sheet = report().add_table(flows, "Changes in operating assets: consolidated balance sheets")
    text = computed("What is Nordwind's working capital in 2021?", sheet)
    assert "900 million − 450 million" in text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How much were Nordwind's total current assets in FY2021?", "900 million"),
        ("What was the 2020 COGS of Nordwind?", "770 million"),
        ("What was the 2021 revenue of Nordwind in USD billions?", "1.21 billion"),
        ("What was the revenue of Nordwind in 2021, going by the income statement?", "1,210"),
    ],
)
def test_an_item_of_a_statement_is_stated_whatever_its_row_is_called(question, value):
    text = computed(question, report(), kind=QuestionType.FACT)
    assert f"**{value}" in text


def test_a_row_goes_by_the_name_that_the_question_uses():
    task = task_of("What was the revenue of Nordwind in 2021?", report())
    (row,) = item_statements(task)
    assert row.text.startswith("Net sales")
    assert row.group == "revenue"
    assert row.coverage == pytest.approx(2 / 3)  # the year heads its column


def test_the_total_is_the_revenue_and_not_its_largest_part():
    rows = (("Net sales", "$ 900"), ("Total revenue", "1,000"), ("Operating income", "100"))
    sheet = Sheet("Nordwind").add_table((("(in millions)", "2021"), *rows), "Statements of Income")
    text = computed("What was Nordwind's operating margin in FY2021?", sheet)
    assert "100 million / 1,000 million = **10 %**" in text
    assert reckoned("What was Nordwind's COGS in FY2021?", sheet) is None


def test_other_current_assets_are_not_the_current_assets():
    rows = (("Other current assets", "5"), ("Total current assets", "90"))
    sheet = Sheet("Nordwind").add_table(
        (("(in millions)", "2021"), *rows, ("Total current liabilities", "40")), "Balance Sheets"
    )
    text = computed("What was Nordwind's working capital in FY2021?", sheet)
    assert "90 − 40 = **50**" in text


def test_what_is_paid_is_positive_whatever_else_its_row_says():
    rows = (
        ("Net cash provided by operating activities", "500"),
        (
            "Purchases of property and equipment, vehicles, land, leasehold improvements, tools, "
            "furniture, licences and software",
            "(120)",
        ),
    )
    sheet = Sheet("Nordwind").add_table((("(in millions)", "2021"), *rows), "Cash Flows")
    text = computed("What was Nordwind's free cash flow in FY2021?", sheet)
    assert "500 million − 120 million = **380 million**" in text


def test_a_share_of_items_is_computed_however_the_question_is_read():
    asked = "Nordwind FY2021: cost of sales as % of net sales"
    text = computed(asked, report(), kind=QuestionType.REWRITE)
    assert "840 million / 1,210 million = **69.4 %**" in text


def test_a_computed_answer_says_how_surely_its_inputs_are_the_items():
    assert reckoned("What is Nordwind's gross margin in FY2021?", report()).named == 1.0
    flows = (("(in millions)", "2021"), ("Unearned revenue", "(70)"))
    sheet = Sheet("Nordwind").add_table(
        (("(in millions)", "2020"), ("Unearned revenue", "300")), "Balance Sheets"
    )
    sheet.add_table(flows, "Cash Flows")
    asked = "How much lower was Nordwind's unearned revenue in 2021 than in 2020?"
    assert reckoned(asked, sheet).named == 0.5  # a stock of one year and the change of another


def test_the_row_of_the_item_asked_for_is_compared_wherever_the_search_led():
    sheet = report()
    task = task_of("Nordwind's total assets at the end of 2021, please?", sheet)
    found = tuple(e for e in task.usable if "Total assets" not in e.segment.text)
    assert 0 < len(found) < len(task.usable)
    reply = exact(replace(task, usable=found))
    assert "2,200" in reply.statements[0].text


def quarter() -> Sheet:
    """Return the statement of a quarterly report."""
    heads = [f"{n} Months Ended June 30, {year}" for n in ("Three", "Six") for year in (2023, 2022)]
    return Sheet("Nordwind").add_table(
        (
            ("(in millions)", *heads),
            ("Net sales", "600", "500", "1,100", "1,050"),
            ("Research and development", "60", "40", "100", "90"),
            ("Selling, general and administrative expenses", "210", "180", "390", "370"),
            ("Operating income", "30", "50", "121", "100"),
        ),
        "Consolidated Statements of Income",
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was Nordwind's operating margin in Q2 2023?", "30 million / 600 million"),
        ("What was Nordwind's operating margin in the first half of 2023?", "121 million / 1,100"),
        ("Nordwind operating margin 2023, year to date?", "121 million / 1,100 million"),
        ("Nordwind: operating margin for the quarter ended June 30, 2022?", "50 million / 500"),
        ("What was Nordwind's R&D as % of net sales in the second quarter of 2023?",
         "60 million / 600 million"),
    ],
)  # fmt: skip
def test_items_of_a_quarter_are_not_those_of_the_half(question, value):
    assert value in computed(question, quarter())


def test_a_quarter_is_not_put_in_the_place_of_another():
    task = task_of("How much did Nordwind's net sales rise from Q1 2023 to Q2 2023?", quarter())
    reply = calculation(task)
    assert reply is None or not reply.statements[0].equation


def test_quarters_that_are_told_by_their_last_days_are_no_two_years():
    asked = (
        "What was the change in Nordwind's net sales between the quarter ended March 31, 2023 and"
        " the quarter ended June 30, 2023?"
    )
    reply = calculation(task_of(asked, quarter()))
    assert reply is None or not reply.statements[0].equation


def test_a_quarter_is_read_under_the_year_that_its_report_ends_in():
    fourth, first = (
        Sheet(f"Nordwind {n}")
        .add_text(f"{n} quarter of fiscal {year}")
        .add_table(
            (
                ["(in millions)", f"13 Weeks Ended {day}, 2023", f"13 Weeks Ended {day}, 2022"],
                ("Net sales", amount, "999"),
                ("Operating income", "91", "50"),
            ),
            "Income",
        )
        for n, year, day, amount in (
            ("Fourth", 2022, "January 28", "500"), ("First", 2023, "April 29", "600"),
        )
    )  # fmt: skip
    asked = "How much did net sales rise from Q4 of fiscal 2022 to Q1 of fiscal 2023?"
    task = task_of(asked, fourth, first)
    reply = calculation(replace(task, query=replace(task.query, made_by=(fourth.id, first.id))))
    assert "= 600 million − 500 million = **100 million**" in reply.statements[0].text


def test_a_change_between_quarters_is_reckoned_from_the_reports_of_both():
    heads = [
        "(in millions)",
        "Three Months Ended March 31, 2023",
        "Three Months Ended March 31, 2022",
    ]
    first = Sheet("Nordwind, first").add_table(
        (heads, ("Net sales", "500", "550"), ("Operating income", "91", "50")), "Income"
    )
    first.add_text("Three months ended March 31, 2023.")
    second = quarter().add_text("Six months ended June 30, 2023.")
    asked = "How much did net sales rise from the first to the second quarter of 2023?"
    task = task_of(asked, first, second)
    query = replace(task.query, made_by=(first.id, second.id))
    reply = calculation(replace(task, query=query))
    assert reply is not None
    assert "= 600 million − 500 million = **100 million** (20 %)" in reply.statements[0].text
    assert [s.evidence.segment.document_id for s in reply.statements[1:]] == [second.id, first.id]


@pytest.mark.parametrize(
    ("item", "values"),
    [("net sales", ["1,100 million", "1,050 million"]), ("R&D", ["100 million", "90 million"])],
)
def test_an_item_is_told_of_each_year_that_is_asked_for(item, values):
    asked = f"What were Nordwind's {item} in the first half of 2023 and 2022?"
    reply = reckoned(asked, quarter(), kind=QuestionType.FACT)
    assert [statement.text.split("**")[1] for statement in reply.statements] == values


@pytest.mark.parametrize(("short", "value"), [("R&D", "100 million"), ("SG&A", "390 million")])
def test_a_row_of_a_statement_that_is_called_by_its_initials_is_an_item(short, value):
    asked = f"How much did Nordwind spend on {short} in the first six months of 2023?"
    sheet = quarter()
    other = sheet.tables[0]
    rows = [[cell.text if cell else "" for cell in row] for row in other.grid()]
    sheet.add_table(rows, "Highlights")
    reply = reckoned(asked, sheet, kind=QuestionType.FACT)
    # What two tables state alike is no doubt.
    assert reply.named == 1.0
    assert f"**{value}**" in reply.statements[0].text


def test_a_number_of_a_sentence_is_no_row_of_a_statement():
    sheet = report().add_text("The chips that Nordwind sold in 2021 have numbers of 64 bits.")
    asked = "How many bits have the numbers of the chips that Nordwind sold in {}?"
    task = task_of(asked.format(2021), sheet, kind=QuestionType.FACT)
    assert calculation(task) is None
    assert "64 bits" in shown(task, exact(task)).text
    # A year in the name of a part is none.
    assert years_in(asked.format("DS1990A")) == []
    assert years_in("FY19 to 2021, 2017-2018") == ["2019", "2021", "2017", "2018"]


def test_of_two_tables_with_the_same_rows_the_amounts_are_the_statement():
    rows = ("Net sales", "Gross profit", "Operating income")
    sheet = Sheet("Nordwind")
    for head, cells in (("(in millions)", ("$ 9,000", "3,000", "900")), ("", ("100", "33", "10"))):
        sheet.add_table(((head, "2023"), *zip(rows, cells, strict=True)), "Income")
    sheet.add_table((("(in millions)", "2023"), ("Total assets", "$ 7,000")), "Balance Sheets")
    text = computed("What was Nordwind's operating income in 2023?", sheet, kind=QuestionType.FACT)
    assert "**900 million**" in text


def test_no_figure_is_made_of_what_two_makers_state():
    sheets = []
    for maker, item in (("Nordwind", "Net sales"), ("Suedwind", "Gross profit")):
        sheet = Sheet(maker).add_table((("(in millions)", "2023"), (item, "9")), "Income")
        of_maker = [
            replace(one, metadata=replace(one.metadata, vendor=maker)) for one in sheet.segments
        ]
        sheet.segments[:] = of_maker
        sheets.append(sheet)
    assert reckoned("What was the gross margin in 2023?", *sheets) is None


def segments() -> Sheet:
    """Return a report that tells its sales and profit by region."""
    return report().add_table(
        (
            ("(in millions)", "2021", "2020"),
            ("Net sales", "", ""),
            ("Harbour Cranes", "$ 800", "$ 640"),
            ("Lake Ferries", "410", "460"),
            ("Operating profit", "", ""),
            ("Harbour Cranes", "200", "96"),
            ("Lake Ferries", "41", "69"),
        ),
        "Segments",
    )


@pytest.mark.parametrize(
    ("question", "equation"),
    [
        ("How fast did Nordwind's sales of Harbour Cranes grow in 2021?", "**160 million** (25 %)"),
        ("Nordwind Lake Ferries net sales, 2021 against the prior year",
         "**-50 million** (-10.9 %)"),
        ("By what percentage did the net sales of Nordwind's Lake Ferries drop from 2020 to 2021?",
         "**-10.9 %** (-50 million)"),
        ("What was the operating margin of Nordwind's Harbour Cranes in 2021?",
         "200 million / 800 million = **25 %**"),
        ("What share of Nordwind's net sales came from Lake Ferries in 2021?",
         "410 million / 1,210 million = **33.9 %**"),
        ("What portion of Nordwind's 2021 net sales did the Lake Ferries segment make up?",
         "410 million / 1,210 million = **33.9 %**"),
        ("What share of Nordwind's 2021 net sales was spent on cost of sales?",
         "840 million / 1,210 million = **69.4 %**"),
        ("Nordwind Harbour Cranes operating profit 2020", "**96 million**"),
    ],
)  # fmt: skip
def test_an_item_of_a_part_of_the_company_is_read_from_the_rows_that_are_called_so(
    question, equation
):
    assert equation in computed(question, segments())


def test_a_share_that_is_asked_for_in_any_words_is_computed():
    question = "Which share of Nordwind's net sales was located in Lake Ferries in 2021?"
    assert "**33.9 %**" in computed(question, segments(), kind=QuestionType.STRUCTURE)


@pytest.mark.parametrize("where", ["outside Lake Ferries", "other than in Lake Ferries"])
def test_a_share_of_all_others_is_not_that_of_the_part(where):
    question = f"What share of Nordwind's net sales was earned {where} in 2021?"
    assert reckoned(question, segments()) is None


def test_a_share_whose_part_is_not_found_is_left_to_what_is_stated():
    assert reckoned("What share of Nordwind's net sales came from Spain in 2021?", report()) is None


def test_what_a_period_begins_with_is_not_its_value():
    cash = "Cash and cash equivalents at {} of year"
    rows = ((cash.format("beginning"), "70", "50"), (cash.format("end"), "90", "70"))
    others = (("Total current assets", "400", "300"), ("Total assets", "900", "800"))
    head = ("(in millions)", "2021", "2020")
    sheet = Sheet("Nordwind").add_table((head, *rows, *others), "Balance Sheets")
    text = computed("How much did Nordwind's cash and cash equivalents grow in 2021?", sheet)
    assert "90 million − 70 million = **20 million** (28.6 %)" in text


def test_an_item_that_no_statement_gives_is_named():
    text = computed("What is Nordwind's inventory turnover in 2021?", report())
    assert "no value was found for “inventories 2020”" in text
    assert "cost of sales (2021), 840 million" in text
