from __future__ import annotations

import pytest

from desktop_qa.answer.fiscal_years import in_years_of_heads
from tests.answer.own_datasheet import task_of
from tests.helpers.tables import Sheet


def quarterly(*said: str, ends: str = "April 30, 2023", opens: str = "A report.") -> Sheet:
    head = f"Three Months Ended {ends}"
    sheet = (
        Sheet("Nordwind")
        .add_text(opens)
        .add_table((("(in millions)", head), ("Net sales", "600")), "Income")
    )
    for text in said:
        sheet.add_text(text)
    return sheet


AHEAD = (
    "Sales of the first quarter of fiscal 2024 rose.",
    "More in the first quarter of fiscal year 2024.",
    "They fell in the first quarter of fiscal 2023.",
)


@pytest.mark.parametrize(
    ("question", "sheet", "text"),
    [
        ("Nordwind sales Q1 FY24?", quarterly(*AHEAD), "Nordwind sales Q1 FY2023?"),
        ("Nordwind sales, first quarter of fiscal 2023", quarterly(*AHEAD),
         "Nordwind sales, first quarter of fiscal 2022"),
        ("Nordwind sales Q1 FY24?",
         quarterly(*AHEAD).add_table((("", "Q2 FY24 Guidance"), ("Revenue", "700")), "Outlook"),
         "Nordwind sales Q1 FY2023?"),
        # Its first page says which quarter it reports, however often it looks back or ahead.
        ("Nordwind sales Q4 FY22?",
         quarterly(*AHEAD, opens="Fourth Quarter Fiscal 2022.", ends="January 28, 2023"),
         "Nordwind sales Q4 FY2023?"),
        ("Nordwind sales Q1 FY24?", quarterly("In FY23.", "In FY23.", opens="Q1 FY24 Results"),
         "Nordwind sales Q1 FY2023?"),
        # The year as a whole ends in the year that it is named by; so does that of others.
        ("Nordwind sales FY24?", quarterly(*AHEAD), "Nordwind sales FY24?"),
        ("Nordwind sales Q1 2023?", quarterly(*AHEAD), "Nordwind sales Q1 2023?"),
        ("Nordwind sales Q1 FY24?", quarterly(*AHEAD, ends="April 30, 2024"),
         "Nordwind sales Q1 FY24?"),
        ("Nordwind sales Q1 FY24?", quarterly("No word of it."), "Nordwind sales Q1 FY24?"),
        ("Sales Q1 FY24?", quarterly(*AHEAD), "Sales Q1 FY24?"),
    ],
)  # fmt: skip
def test_fiscal_years_are_asked_for_as_the_heads_count_them(question, sheet, text):
    task = task_of(question, sheet)
    asked = in_years_of_heads(task.query, task.source)
    assert asked.text == text
    assert ("year2023" in asked.values) == (asked.text != question and "2023" in text)
