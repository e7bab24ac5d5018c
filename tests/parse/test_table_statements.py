"""Statements without rules: found by their amounts, read with group, year, scale and sign."""

from __future__ import annotations

from collections.abc import Sequence

import pymupdf
import pytest

from desktop_qa.core.document import ColumnRole, Table, TableCell
from tests.parse.sheet import Sheet

LEFT = 60.0
RIGHTS = (420.0, 520.0)
MILLION = 1_000_000


class Report(Sheet):
    """A page on which a test sets names to the left and amounts to the right."""

    body = 9.0

    def __init__(self) -> None:
        super().__init__()
        self.y = 100.0
        self.rights: Sequence[float] = RIGHTS

    def add(self, name: str, *amounts: str, indent: float = 0.0, lead: float = 16.0) -> None:
        self.text(LEFT + indent, self.y, name)
        for right, amount in zip(self.rights, amounts, strict=False):
            self._set(right, amount)
        self.y += lead

    def _set(self, right: float, text: str) -> None:
        """Set a number with its last digit at `right`: a bracket hangs over, a currency leads."""
        currency, _, number = text.rpartition(" ")
        width = pymupdf.get_text_length(number.rstrip(")%"), fontsize=self.body)
        self.text(right - width, self.y, number)
        if currency:
            self.text(right - 60, self.y, currency)

    def heads(self, *texts: str, stub: str = "") -> None:
        self.text(LEFT, self.y, stub)
        for right, text in zip(self.rights, texts, strict=True):
            self.text(right, self.y, text, align=1)
        self.y += 16

    def centered(self, left: float, right: float, text: str) -> None:
        self.text((left + right) / 2, self.y, text, align=0.5)
        self.line(left, self.y + 3, right, self.y + 3)
        self.y += 14


@pytest.fixture
def report() -> Report:
    return Report()


def cell(table: Table, text: str) -> TableCell:
    return next(one for one in table.cells if one.text == text)


def paths(table: Table, text: str) -> tuple[Sequence[str], Sequence[str]]:
    one = cell(table, text)
    return list(table.texts(one.row_path)), list(table.texts(one.column_path))


def _balance(report: Report) -> Table:
    report.add("(In millions, except per share amounts)")
    report.heads("2018", "2017", stub="December 31,")
    report.add("Assets")
    report.add("Cash", "$ 7,637", "$ 8,813")
    report.add("Inventories", "62,567", "61,388")
    report.add("Total assets", "$ 70,204", "$ 70,201", indent=30)
    report.add("Liabilities and equity")
    report.add("Accounts payable", "12,916", "12,202")
    report.add("Shareholders' equity:")
    report.add("Treasury stock, at cost", "(52,348)", "(43,454)", indent=15)
    report.add("Retained earnings", "55,941", "49,618", indent=15)
    report.add("Total shareholders' equity", "3,593", "6,164", indent=30)
    report.add("Noncontrolling interests", "71", "57", indent=30)
    report.add("Earnings per share—basic", "$ 18.05", "$ 14.03")
    return report.table()


def test_a_currency_and_brackets_belong_to_their_number(report):
    table = _balance(report)

    assert table.n_columns == 3
    assert [column.role for column in table.columns] == [
        ColumnRole.SUBJECT,
        ColumnRole.VALUE,
        ColumnRole.VALUE,
    ]
    assert cell(table, "$ 7,637").column == 1
    assert cell(table, "(43,454)").column == 2


def test_amounts_keep_scale_sign_and_period(report):
    table = _balance(report)

    loss = cell(table, "(52,348)")
    assert (loss.scale, loss.sign, loss.period) == (MILLION, -1, "December 31, 2018")
    cash = cell(table, "$ 8,813")
    assert (cash.scale, cash.sign, cash.period) == (MILLION, 1, "December 31, 2017")
    assert cell(table, "$ 18.05").scale == 1
    assert table.scale_note == "(In millions, except per share amounts)"


def test_rows_stand_under_the_groups_that_their_indent_and_totals_leave_open(report):
    table = _balance(report)

    assert paths(table, "62,567") == (["Assets", "Inventories"], ["2018"])
    assert paths(table, "$ 70,204")[0] == ["Assets", "Total assets"]
    assert paths(table, "12,916")[0] == ["Liabilities and equity", "Accounts payable"]
    equity = ["Liabilities and equity", "Shareholders' equity:"]
    assert paths(table, "(43,454)") == ([*equity, "Treasury stock, at cost"], ["2017"])
    assert paths(table, "3,593")[0] == [*equity, "Total shareholders' equity"]
    assert paths(table, "57")[0] == ["Liabilities and equity", "Noncontrolling interests"]


def test_a_sum_set_further_in_belongs_to_the_group_that_it_adds_up(report):
    report.heads("2018", "2017")
    report.add("Operating activities")
    report.add("Net earnings", "1,464", "1,000", indent=10)
    report.add("Adjustments:", indent=10)
    report.add("Depreciation", "770", "683", indent=20)
    report.add("Other", "(25)", "(13)", indent=20)
    report.add("Net cash provided by operations", "2,209", "1,670", indent=40)
    table = report.table()

    assert paths(table, "(25)")[0] == ["Operating activities", "Adjustments:", "Other"]
    assert paths(table, "2,209")[0] == ["Operating activities", "Net cash provided by operations"]


def test_a_head_over_several_years_leads_each_of_them(report):
    report.centered(380, 520, "Years Ended May 31,")
    report.heads("2021", "2020", stub="(Dollars in millions)")
    report.add("Revenues", "$ 44,538", "$ 37,403")
    report.add("Cost of sales", "24,576", "21,162")
    table = report.table()

    assert paths(table, "24,576") == (["Cost of sales"], ["Years Ended May 31,", "2021"])
    assert cell(table, "21,162").period == "Years Ended May 31, 2020"
    assert cell(table, "21,162").scale == MILLION


def test_the_scale_of_a_row_comes_before_that_of_the_table_and_shares_have_none(report):
    report.add("$ in millions")
    report.heads("2019", "2018", stub="Fiscal Year")
    report.add("Revenue", "$ 42,879", "$ 42,151")
    report.add("Gross profit rate", "23.2%", "23.4%")
    report.add("Retail square footage (in thousands)", "39,500", "40,360")
    table = report.table()

    assert cell(table, "$ 42,151").scale == MILLION
    assert cell(table, "23.4%").scale == 1
    assert cell(table, "39,500").scale == 1_000


def test_the_scale_in_the_head_of_one_column_is_of_no_other(report):
    report.heads("Shares", "Fair Value")
    report.heads("(in thousands)", "Per Share")
    report.add("Granted", "156,800", "$ 59.20")
    report.add("Vested", "(157,743)", "$ 40.29")
    report.add("Forfeited", "(14,347)", "$ 48.07")
    table = report.table()

    assert [cell(table, text).scale for text in ("156,800", "$ 59.20")] == [1_000, 1]
    assert paths(table, "156,800") == (["Granted"], ["Shares"])
    assert not table.scale_note


def test_a_scale_may_stand_between_the_heads_and_the_rows(report):
    report.heads("2021", "2020", stub="December 31,")
    report.add("(In millions except par value)")
    report.add("Assets")
    report.add("Cash", "$ 7,637", "$ 8,813")
    report.add("Inventories", "62,567", "61,388")
    table = report.table()

    assert cell(table, "62,567").scale == MILLION
    assert paths(table, "62,567")[0] == ["Assets", "Inventories"]


def test_a_date_before_a_year_heads_a_column_as_the_year_does(report):
    report.heads("December 31, 2022", "2021", stub="In millions")
    report.add("Assets")
    report.add("Cash", "$ 2,583.8", "$ 4,709.2")
    report.add("Inventories", "52.0", "55.6")
    table = report.table()

    assert (cell(table, "52.0").period, cell(table, "52.0").scale) == ("December 31, 2022", MILLION)
    assert cell(table, "55.6").period == "2021"


def test_what_a_scale_leaves_out_is_said_by_a_head_as_well_as_by_a_row(report):
    report.add("(In millions, except per share amounts)")
    report.heads("Amount", "Price per Share")
    report.add("Repurchases in 2021", "$ 7,055", "$ 67.86")
    report.add("Repurchases in 2020", "5,137", "$ 41.12")
    table = report.table()

    assert [cell(table, text).scale for text in ("$ 7,055", "$ 67.86")] == [MILLION, 1]


def test_what_a_scale_leaves_out_has_its_own_and_is_no_part_of_a_name(report):
    report.add("(In millions, except number of shares, which are reflected in")
    report.add("thousands, and per share amounts)")
    report.heads("2021", "2020")
    report.add("Common stock, $0.01 par value per share", "$ 7,055", "$ 5,137")
    report.add("Dividends declared ($1.20 per share)", "(541)", "(520)")
    report.add("Shares used in computing earnings per share", "4,617,834", "4,955,377")
    report.add("Earnings per share", "$ 11.97", "$ 12.01")
    table = report.table()

    scales = [cell(table, text).scale for text in ("$ 7,055", "(541)", "4,617,834", "$ 11.97")]
    assert scales == [MILLION, MILLION, 1_000, 1]


def test_a_head_with_the_marks_of_notes_is_no_row_of_losses(report):
    report.add("(In millions, except average price per share)")
    report.heads("Shares", "Average Price")
    report.heads("(1)", "per Share (2)", stub="Period")
    report.add("November", "6,210", "$ 150.48")
    report.add("December", "4,400", "132.11")
    report.add("January", "3,100", "139.76")
    table = report.table()

    assert cell(table, "132.11").scale == 1
    assert paths(table, "132.11") == (["December"], ["Average Price", "per Share (2)"])


def test_a_name_over_two_lines_is_one_row(report):
    report.heads("2018", "2017")
    report.add("Revenue", "1,464", "1,000", lead=22)
    report.add("Repayments of distribution rights and other asset", lead=10)
    report.add("financing", "(819)", "(688)", lead=22)
    report.add("Other", "16", "(7)")
    table = report.table()

    name = "Repayments of distribution rights and other asset financing"
    assert paths(table, "(688)") == ([name], ["2017"])


def test_the_number_of_a_page_under_a_statement_is_no_amount(report):
    _balance(report)
    report.y += 30
    report.add("", "50")

    assert not any(one.text == "50" for one in report.table().cells)


def test_sentences_with_amounts_are_no_table(report):
    report.add("Depreciation expense was $1,556, $1,548 and $1,418 for the years 2018 and 2017.")
    report.add("Rental expense for leased properties was $307, $283 and $287 for those years.")
    report.add("Capital leases aggregated $164, and (in millions) $1,838 of payments are due.")

    assert report.tables() == []


def test_a_number_in_brackets_is_no_loss_where_the_heads_name_bounds(report):
    report.heads("Min", "Max", stub="Parameter")
    report.add("Input voltage", "(2)", "5.5")
    report.add("Temperature", "-40", "125")
    report.add("Input current", "0.5", "1.5")

    assert all(one.sign == 1 and one.scale == 1 for t in report.tables() for one in t.cells)


def test_a_heading_that_runs_into_the_amounts_parts_no_statement(report):
    report.heads("July 29, 2023", "July 30, 2022", stub="(in millions)")
    report.add("Net earnings", "$ 518", "$ 647")
    report.add(
        "Adjustments to reconcile net earnings to total cash provided by (used in) operations:"
    )
    report.add("Depreciation", "473", "453", indent=9)
    report.add("Stock-based compensation", "75", "65", indent=9)
    report.add("Total cash provided by operations", "$ 181", "$ (709)")
    table = report.table()

    assert table.n_header_rows == 1
    assert paths(table, "75")[1] == ["July 29, 2023"]


def test_the_head_over_a_grid_of_amounts_is_its_head(report):
    report.centered(360, 530, "MAY 31,")
    report.heads("2019", "2018", stub="(Dollars in millions)")
    report.grid((LEFT - 4, 360.0, 430.0, 530.0), [report.y - 11 + 16 * k for k in range(6)])
    report.add("Assets")
    report.add("Cash", "$ 4,466", "$ 4,249")
    report.add("Inventories", "5,622", "5,261")
    report.add("Goodwill", "154", "154")
    report.add("Total assets", "$ 10,242", "$ 9,664")
    table = report.table()

    assert table.n_header_rows == 2
    assert paths(table, "5,261") == (["Assets", "Inventories"], ["MAY 31,", "2018"])


def test_heads_of_several_columns_lead_a_table_below_white_and_the_name_of_a_group(report):
    report.heads("2022", "2021", stub="Years Ended December 31,")
    report.y += 14
    report.add("Operating Revenues", lead=12)
    report.add("Service revenues", "$ 109,625", "$ 110,449")
    report.add("Wireless equipment", "27,210", "23,164")
    table = report.table()

    assert paths(table, "27,210")[1] == ["2022"]
    assert cell(table, "$ 110,449").period == "Years Ended December 31, 2021"


def test_a_title_over_white_in_the_middle_of_the_columns_is_no_head(report):
    report.centered(380, 520, "Statements of Income")
    report.y += 14
    report.heads("2022", "2021")
    report.add("Revenues", "$ 109,625", "$ 110,449")
    report.add("Costs", "27,210", "23,164")

    assert report.table().n_header_rows == 1


def test_a_sentence_over_a_table_is_no_head(report):
    report.add("The following table shows what was sold to others in each of the two last years.")
    report.heads("2022", "2021")
    report.add("Revenues", "$ 109,625", "$ 110,449")
    report.add("Costs", "27,210", "23,164")
    table = report.table()

    assert not any("following" in one.text for one in table.cells)
    assert paths(table, "23,164")[1] == ["2021"]


def test_the_first_head_may_begin_before_its_column(report):
    report.heads("Restaurants owned by the company", "All", stub="In millions")
    report.add("Sales by restaurants, of food and of everything else that", "$ 8.4", "$ 7,787.4")
    report.add("Revenues from franchised restaurants, in all the countries", "105.8", "13,085.4")
    report.add("Other", "(328.4)", "(350.1)")
    table = report.table()

    assert table.n_header_rows == 1
    assert paths(table, "105.8")[1] == ["Restaurants owned by the company"]
    assert paths(table, "(350.1)")[1] == ["All"]


def test_words_behind_the_years_do_not_make_a_row_of_amounts_of_them(report):
    report.rights = (320.0, *RIGHTS)
    report.heads("2017", "2016", "All years")
    report.add("Impairments", "$ 1", "$ 5", "$ 6")
    report.add("Termination benefits", "(8)", "2", "(6)")
    report.add("Closures", "49", "1,000", "1,049")
    table = report.table()

    assert table.n_header_rows == 1
    assert [table.texts(one) for one in table.heads()] == [(), ("2017",), ("2016",), ("All years",)]


def test_heads_over_the_same_heads_each_stand_over_as_many_columns(report):
    report.rights = (280.0, 360.0, 440.0, 520.0)
    # Set on the left, so that each is centred on other columns than its own.
    report.text(235, report.y, "Three months ended")
    report.text(390, report.y, "Twelve months ended")
    report.y += 16
    report.heads("2023", "2022", "2023", "2022", stub="(in millions)")
    report.add("Net sales", "3,673", "3,909", "14,694", "14,544")
    report.add("Gross profit", "722", "794", "2,725", "2,820")
    heads = [" ".join(texts) for texts in map(report.table().texts, report.table().heads())]
    assert heads[1:] == [
        "Three months ended 2023",
        "Three months ended 2022",
        "Twelve months ended 2023",
        "Twelve months ended 2022",
    ]


def test_a_year_alone_names_a_column_or_a_group_by_what_it_stands_over(report):
    report.heads("Assets", "Funded")
    report.add("2023")
    report.add("Qualified", "$ 24,826", "$ (1,443)", indent=10)
    report.add("Other plans", "579", "(157)", indent=10)
    report.add("2022")
    report.add("Qualified abroad", "21,826", "(2,443)", indent=10)
    report.add("Other plans abroad", "479", "(57)", indent=10)
    report.y += 90
    report.heads("", "2018")
    report.add("One year or less", "", "$ 2,713")
    report.add("Two years", "", "1,922")
    report.add("Three years", "", "1,123")
    groups, column = report.tables()

    assert paths(groups, "479") == (["2022", "Other plans abroad"], ["Assets"])
    assert paths(column, "1,922")[1] == ["2018"]


def test_a_row_with_an_amount_over_another_table_is_no_head(report):
    report.add("Year 2019", "$ 930", "$ 1,441")
    report.heads("Level 1", "Level 2")
    report.add("Bonds", "$ 1,625", "$ 1,449")
    report.add("Shares", "2,210", "3,164")
    table = report.tables()[-1]

    assert paths(table, "3,164")[1] == ["Level 2"]
