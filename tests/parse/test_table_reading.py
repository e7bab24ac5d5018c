"""A cell's path says all that the page says of its row and its column."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from desktop_qa.core.document import BoundingBox, ColumnRole, Provenance, Table
from desktop_qa.parse.table_reading import describe_table, read_table
from tests.augment.builders import table
from tests.helpers.sample_documents import make_cells


def _table(*rows: Sequence[str], n_header: int = 1) -> Table:
    """Make a table; "  name" is set in by two times six points, "<" and "^" span (make_cells)."""

    def place(row: int, column: int) -> tuple[Provenance, ...]:
        text = rows[row][column]
        left = 100.0 * column + 6.0 * (len(text) - len(text.lstrip()))
        box = BoundingBox(left, 12.0 * row, left + 5.0 * len(text.strip()), 12.0 * row + 8)
        return (Provenance(1, box),)

    cells = make_cells([[text.strip() for text in row] for row in rows], place, n_header)
    whole = (Provenance(1, BoundingBox(0, 0, 100.0 * len(rows[0]), 12.0 * len(rows))),)
    return read_table(Table("", "", "", len(rows), len(rows[0]), cells, (), whole))


def _paths(table: Table, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    cell = next(cell for cell in table.cells if cell.text == text)
    return table.texts(cell.row_path), table.texts(cell.column_path)


HEAD = ("Symbol", "Parameter", "Conditions", "Min", "Typ", "Max", "Unit")


def test_value_has_its_symbol_name_condition_and_own_head():
    table = _table(HEAD, ("VOS", "Offset voltage", "TA = 25 °C", "", "20", "35", "µV"))
    assert _paths(table, "35") == (("VOS", "Offset voltage", "TA = 25 °C"), ("Max",))


def test_name_printed_once_holds_for_the_rows_of_its_other_conditions():
    table = _table(
        HEAD,
        ("VOS", "Offset voltage", "TA = 25 °C", "", "20", "35", "µV"),
        ("", "", "TA = 85 °C", "", "", "60", "µV"),
        ("IB", "Bias current", "", "", "4", "", "nA"),
    )
    assert _paths(table, "60")[0] == ("VOS", "Offset voltage", "TA = 85 °C")
    assert _paths(table, "4")[0] == ("IB", "Bias current")


def test_group_headings_hold_until_one_of_their_level():
    table = _table(
        ("Parameter", "Min", "Max", "Unit"),
        ("DYNAMIC", "", "", ""),
        ("Power dissipation", "", "", ""),
        ("  Normal mode", "", "140", "mW"),
        ("Delay", "", "8", "ns"),
        ("STATIC", "", "", ""),
        ("Leakage", "", "1", "µA"),
    )
    assert _paths(table, "140")[0] == ("DYNAMIC", "Power dissipation", "Normal mode")
    assert _paths(table, "8")[0] == ("DYNAMIC", "Delay")
    assert _paths(table, "1")[0] == ("STATIC", "Leakage")


def test_group_headings_across_the_table_hold_where_symbols_lead_the_rows():
    table = _table(
        HEAD,
        ("Off characteristics", *"<<<<<<"),
        ("ICBO", "Cut-off current", "VCB = 60 V", "", "", "10", "nA"),
        ("IEBO", "Emitter cut-off current", "VEB = 3 V", "", "", "20", "nA"),
    )
    assert _paths(table, "20")[0][0] == "Off characteristics"


def test_spanning_heads_lead_the_columns_under_them():
    table = _table(
        ("Parameter", "LM124A", "<", "LM224A", "<", "Unit"),
        ("", "Min", "Max", "Min", "Max", ""),
        ("Gain", "50", "90", "25", "80", "V/mV"),
        n_header=2,
    )
    assert _paths(table, "25")[1] == ("LM224A", "Min")
    assert _paths(table, "90")[1] == ("LM124A", "Max")


def test_inputs_of_a_truth_table_name_its_rows():
    table = _table(
        ("CLK", "CS", "PR", "Activity of the register"),
        ("L", "L", "H", "No effect"),
        ("↑", "L", "H", "Shift one bit in"),
        ("X", "↑", "H", "Load data"),
        ("X", "H", "L", "Set all latches"),
    )
    assert _paths(table, "Load data")[0] == ("X", "↑", "H")


@pytest.mark.parametrize(
    ("rows", "value", "inputs"),
    [
        pytest.param(
            [
                ("PE", "CEP", "CET", "U/D", "Action on clock"),
                ("L", "X", "X", "X", "Load"),
                ("H", "L", "L", "H", "Count up"),
                ("H", "L", "L", "L", "Count down"),
                ("H", "H", "X", "X", "No change"),
                ("H", "X", "H", "X", "Hold"),
            ],
            "Count down",
            ("H", "L", "L", "L"),
            id="among them",
        ),
        pytest.param(
            [
                ("VI Input", "VDD1 State", "VDD2 State", "VO Output"),
                ("H", "Powered", "Powered", "H"),
                ("L", "Powered", "Powered", "L"),
                ("X", "Unpowered", "Powered", "H*"),
                ("X", "Powered", "Unpowered", "Z"),
            ],
            "Z",
            ("X", "Powered", "Unpowered"),
            id="next to them, with their states",
        ),
        pytest.param(
            [
                ("ME", "WE", "Operation", "Condition of outputs"),
                ("L", "L", "Write", "Complement of inputs"),
                ("L", "H", "Read", "Complement of word"),
                ("H", "L", "Inhibit storage", "Complement of inputs"),
                ("H", "H", "Do nothing", "High"),
            ],
            "Inhibit storage",
            ("H", "L"),
            id="what follows is none",
        ),
    ],
)
def test_all_inputs_of_a_truth_table_name_its_rows(rows, value, inputs):
    assert _paths(_table(*rows), value)[0] == inputs


def test_what_stands_under_the_head_of_the_inputs_is_one_of_them():
    table = _table(
        ("Control bits", "<", "<", "Input", "Channels"),
        ("Single", "D2*", "D0", "", ""),
        ("1", "X", "0", "single ended", "CH0"),
        ("1", "X", "1", "single ended", "CH1"),
        ("0", "X", "0", "differential", "CH0, CH1"),
        ("0", "X", "1", "differential", "CH1, CH0"),
        n_header=2,
    )
    assert _paths(table, "CH1, CH0")[0] == ("0", "X", "1")


def test_inputs_that_no_row_needs_are_inputs_under_their_head():
    table = _table(
        ("Inputs", *"<<<<", "Outputs", "<", "Output"),
        ("Shift", "Inhibit", "Clock", "Serial", "Parallel", "QA", "QB", "QH"),
        ("L", "X", "X", "X", "a...h", "a", "b", "h"),
        ("H", "L", "L", "X", "X", "QA0", "QB0", "QH0"),
        ("H", "L", "↑", "H", "X", "H", "QAn", "QGn"),
        ("H", "L", "↑", "L", "X", "L", "QAn", "QGm"),
        ("H", "H", "X", "X", "X", "QA0", "QB0", "QH0"),
        n_header=2,
    )
    assert _paths(table, "QGm")[0] == ("H", "L", "↑", "L", "X")


def test_a_level_alone_heads_no_rows():
    table = _table(
        ("Inputs", "<", "Output"),
        ("CE", "TC", ""),
        ("L", "H", ""),
        ("H", "X", "H"),
        ("X", "L", "Z"),
        ("X", "X", "Q"),
        n_header=2,
    )
    assert _paths(table, "Z")[0] == ("X", "L")


def test_what_recurs_before_the_name_of_a_row_leads_to_it():
    table = _table(
        ("TA", "Package", "Orderable part number", "Marking"),
        ("0°C to 70°C", "PDIP", "SN74HC645N", "HC645N"),
        ("^", "SOIC", "SN74HC645DW", "HC645"),
        ("–55°C to 125°C", "PDIP", "SNJ54HC645N", "54HC645N"),
        ("^", "SOIC", "SNJ54HC645DW", "54HC645"),
    )
    assert _paths(table, "SN74HC645DW")[0] == ("0°C to 70°C", "SOIC")


def test_numbers_before_the_limits_that_no_part_needs_are_measured():
    table = _table(
        ("Part", "Stand off voltage (V)", "Min", "Max"),
        ("SA5.0A", "5.0", "6.40", "7.00"),
        ("SA6.0A", "6.0", "6.67", "7.37"),
        ("SA6.5A", "6.5", "7.22", "7.98"),
    )
    assert _paths(table, "7.98")[0] == ("SA6.5A",)


def test_what_stands_between_unit_and_conditions_says_when_limits_hold():
    head = ("Parameter", "Typ", "Unit", "VCC (V)", "Vis (V)", "Conditions")
    table = _table(
        head,
        ("Distortion", "0.04", "%", "2.25", "4.0", "f = 1 kHz"),
        ("Crosstalk", "-60", "dB", "4.5", "8.0", "f = 1 MHz"),
    )
    assert _paths(table, "-60")[0] == ("Crosstalk", "4.5", "8.0", "f = 1 MHz")


def test_value_beside_two_rows_leaves_the_second_no_heading():
    table = _table(
        ("Storage temperature", "–55 to 125 °C"),
        ("Solder temperature, max.", "260 °C"),
        ("1.6 mm below the seating plane", "^"),
        ("Forward current", "60 mA"),
        n_header=0,
    )
    assert _paths(table, "60 mA")[0] == ("Forward current",)


def test_what_one_head_spans_with_the_limits_is_measured_as_they_are():
    read = _table(
        ("Parameter", "Conditions", "<", "Limits at temperature", *"<<<", "Unit"),
        ("Parameter", "VO", "VCC", "-55", "125", "25", "<", "Unit"),
        ("Parameter", "VO", "VCC", "-55", "125", "Min", "Typ", "Unit"),
        ("Sink current", "0.4", "5", "4", "2.4", "3.2", "6.4", "mA"),
        ("Sink current", "0.5", "10", "10", "5.6", "8", "16", "mA"),
        n_header=3,
    )  # fmt: skip
    assert [column.role for column in read.columns[3:7]] == [
        ColumnRole.VALUE, ColumnRole.VALUE, ColumnRole.MIN, ColumnRole.TYP,
    ]  # fmt: skip


def test_row_of_limits_inside_a_table_is_a_level_below_its_heads():
    table = _table(
        ("Parameter", "Symbol", "VCC", "≤ 85 °C", "<", "≤ 125 °C", "<"),
        ("Input voltage", "VIH", "4.5", "3.15", "<", "3.25", "<"),
        ("", "", "", "Min", "Max", "Min", "Max"),
        ("Operating voltage", "VVCO", "4.5", "0.1", "2.5", "0.2", "2.6"),
        ("Resistor", "R1", "4.5", "3", "300", "4", "400"),
    )
    assert _paths(table, "400")[1] == ("≤ 125 °C", "Max")
    assert _paths(table, "0.1")[1] == ("≤ 85 °C", "Min")


def test_heads_in_other_languages_are_the_same_columns():
    table = _table(
        ("参数", "符号", "测试条件", "最小值", "典型值", "最大值", "单位"),
        ("输入电压", "VIN", "TA = 25 °C", "2.7", "3.3", "5.5", "V"),
    )
    assert [column.role for column in table.columns] == [
        ColumnRole.SUBJECT, ColumnRole.SYMBOL, ColumnRole.CONDITION,
        ColumnRole.MIN, ColumnRole.TYP, ColumnRole.MAX, ColumnRole.UNIT,
    ]  # fmt: skip
    german = _table(("Bezeichnung", "Wert", "Einheit"), ("Spannung", "5", "V"))
    assert [c.role for c in german.columns] == [
        ColumnRole.SUBJECT, ColumnRole.VALUE, ColumnRole.UNIT,
    ]  # fmt: skip


def test_what_does_not_fit_lowers_the_confidence_of_its_cells():
    table = _table(
        HEAD,
        ("VIN", "Input voltage", "", "2.7", "3.3", "5.5", "V"),
        ("VOUT", "Output voltage", "", "9", "3", "5", "V"),
        ("IQ", "Supply current", "", "", "", "4.6 5 5.4", "mA"),
    )
    confidence = {cell.text: cell.confidence for cell in table.cells}
    assert confidence["9"] < 0.5 < confidence["2.7"]
    assert confidence["4.6 5 5.4"] < 0.5


def test_values_that_their_paths_do_not_tell_apart_are_doubted():
    table = _table(
        HEAD,
        ("ICES", "Cut-off current", "VBE = 0 V", "", "", "1.0", "mA"),
        ("", "", "VBE = 0 V", "", "", "2.0", "mA"),
        ("IEBO", "Emitter cut-off current", "VEB = 3 V", "", "", "20", "mA"),
    )
    doubted = {cell.text for cell in table.cells if cell.confidence < 0.5}
    assert doubted == {"1.0", "2.0"}


def test_value_whose_condition_is_cut_within_brackets_is_doubted():
    table = _table(HEAD, ("VOS", "Offset (at 25 °C,", "VS = 5 V", "", "20", "35", "µV"))
    assert {cell.text for cell in table.cells if cell.confidence < 0.5} >= {"20", "35"}


def test_supply_beside_the_names_tells_rows_apart_where_nothing_else_does():
    table = _table(
        ("Symbol", "Parameter", "VCC", "Conditions", "Typ", "Limit", "Units"),
        ("", "", "(V)", "", "", "", ""),
        ("VIH", "Input voltage", "3.0", "", "1.5", "2.1", "V"),
        ("", "", "4.5", "", "2.25", "3.15", "V"),
        ("VOH", "Output voltage", "3.0", "", "2.99", "2.9", "V"),
        ("", "", "4.5", "", "4.49", "4.4", "V"),
        n_header=2,
    )
    assert _paths(table, "3.15")[0] == ("VIH", "Input voltage", "4.5")


def test_measured_values_name_no_row_though_its_name_does_not_either():
    table = _table(
        ("UNIT", "A", "A1", "bp"),
        ("mm", "1.75", "0.25", "0.49"),
        ("", "", "0.10", "0.36"),
        ("inches", "0.069", "0.010", "0.019"),
        ("", "", "0.004", "0.014"),
    )
    assert _paths(table, "0.36") == (("mm",), ("bp",))


def test_heads_in_two_languages_name_what_either_names():
    head = (
        "项目 Parameter",
        "测试条件 Test conditions",
        "最小值 Value(min)",
        "最大值 Max",
        "单位 Unit",
    )
    table = _table(head, ("Reverse voltage", "IR = 5 µA", "10", "20", "V"))
    assert [column.role for column in table.columns] == [
        ColumnRole.SUBJECT, ColumnRole.CONDITION, ColumnRole.MIN, ColumnRole.MAX, ColumnRole.UNIT,
    ]  # fmt: skip


def test_rows_know_what_heads_them_and_headings_give_nothing():
    table = _table(
        ("At 25 °C", "<", "<", "<"),
        ("Parameter", "Min", "Max", "Unit"),
        ("INPUTS", "", "", ""),
        ("Input current", "", "3", "mA"),
        ("Input voltage", "-0.3", "6", "V"),
        n_header=2,
    )
    texts = [above and tuple(cell.text for cell in above) for above in table.headings()]
    assert texts == [None, None, None, ("INPUTS",), ("INPUTS",)]
    assert [table.texts(heads) for heads in table.heads()] == [
        ("Parameter",), ("Min",), ("Max",), ("Unit",),
    ]  # fmt: skip


def test_one_value_in_two_units_is_no_reason_for_doubt():
    table = _table(
        HEAD,
        ("", "Output result", "2000 lux", "2500", "3125", "3750", "ADC codes"),
        ("", "", "", "1600", "2000", "2400", "lux"),
    )
    assert all(cell.confidence > 0.5 for cell in table.cells if cell.text in ("2500", "1600"))


def test_condition_without_values_heads_the_rows_after_it_in_its_parameter():
    table = _table(
        HEAD,
        ("hFE", "Current gain", "IC = 1 A", "25", "", "", ""),
        ("^", "^", "IC = 3 A", "", "", "", ""),
        ("^", "^", "Group R", "10", "", "24", ""),
        ("^", "^", "Group O", "20", "", "44", ""),
    )
    assert _paths(table, "44")[0] == ("hFE", "Current gain", "IC = 3 A", "Group O")


def test_unit_printed_once_hides_no_heading_beside_it():
    table = _table(
        ("Characteristic", "Symbol", "Min", "Max", "Unit"),
        ("Cutoff current", "ICES", "", "", "µA"),
        ("  (VCE = 30 V, IB = 0)", "^", "", "", "^"),
        ("    TIP31G", "^", "", "200", "^"),
        ("  (VCE = 60 V, IB = 0)", "^", "", "", "^"),
        ("    TIP31AG", "^", "", "300", "^"),
    )
    assert _paths(table, "300")[0] == (
        "Cutoff current", "ICES", "(VCE = 60 V, IB = 0)", "TIP31AG",
    )  # fmt: skip


def test_names_of_one_kind_beside_a_symbol_do_not_lead_each_other():
    table = _table(
        ("Symbol", "Parameter", "Value", "Unit"),
        ("ESD", "HBM: human body model", "3", "kV"),
        ("^", "MM: machine model", "200", "V"),
        ("PD", "Device dissipation", "625", "mW"),
        ("^", "Derate above 25 °C", "5", "mW/°C"),
    )
    assert _paths(table, "200")[0] == ("ESD", "MM: machine model")
    assert _paths(table, "5")[0] == ("Device dissipation", "PD", "Derate above 25 °C")


def test_heading_holds_for_names_set_in_under_it_whatever_their_symbols():
    table = _table(
        ("Characteristic", "Symbol", "Min", "Max", "Unit"),
        ("Output Drive Current", "IOH", "", "", "mA"),
        ("  (VOH = 2.5 V)", "^", "3", "", "^"),
        ("  (VOL = 0.4 V)", "IOL", "0.6", "", "^"),
        ("Input Current", "Iin", "", "1", "µA"),
    )
    assert _paths(table, "0.6")[0] == ("Output Drive Current", "(VOL = 0.4 V)", "IOL")
    assert _paths(table, "1")[0] == ("Input Current", "Iin")


def test_name_does_not_go_on_below_a_row_without_one():
    table = _table(
        HEAD,
        ("VLD", "Load Regulation", "IO = 5 A", "", "0.1", "0.3", "%"),
        ("", "", "IO = 9 A", "", "0.4", "0.6", "%"),
        ("", "Thermal Regulation", "20 ms Pulse", "", "0.002", "0.01", "%/W"),
    )
    assert _paths(table, "0.3")[0] == ("VLD", "Load Regulation", "IO = 5 A")
    assert "Thermal Regulation" in _paths(table, "0.01")[0]


def test_what_is_measured_amid_limits_names_no_row():
    table = _table(
        ("Part number", "Nom", "Test current", "Leakage", "Typ", "at IF (mA)", "Max"),
        ("TZM5221", "2.4", "20", "< 100", "30", "10", "1200"),
        ("TZM5222", "2.5", "20", "< 75", "30", "10", "1250"),
        ("TZM5223", "2.7", "20", "< 75", "30", "10", "1300"),
    )
    assert _paths(table, "1250")[0] == ("TZM5222", "10")
    assert _paths(table, "2.7")[0] == ("TZM5223", "10")


def test_levels_are_no_units_where_nothing_is_measured():
    table = _table(
        ("A", "B", "Y"),
        ("L", "L", "H"),
        ("L", "H", "H"),
        ("H", "X", "L"),
    )
    assert ColumnRole.UNIT not in {column.role for column in table.columns}


def test_name_goes_on_where_no_symbol_begins_another():
    table = _table(
        HEAD,
        ("tS", "Minimum set-up time", "VCC = 2 V", "100", "", "", "ns"),
        ("", "from SER to SCK", "VCC = 6 V", "20", "", "", "ns"),
    )
    whole = ("tS", "Minimum set-up time from SER to SCK")
    assert _paths(table, "100")[0] == (*whole, "VCC = 2 V")
    assert _paths(table, "20")[0] == (*whole, "VCC = 6 V")


def test_name_ends_where_the_next_row_has_another_unit():
    read = _table(
        ("Symbol", "Parameter", "Max.", "Units"),
        ("ID", "Drain current, pulsed", "984", "A"),
        ("PD", "Maximum power dissipation", "375", "W"),
        ("", "Linear derating factor", "2.5", "W/°C"),
    )
    assert [cell.text for cell in read.cells if cell.column == 1][-2:] == [
        "Maximum power dissipation",
        "Linear derating factor",
    ]


def test_name_leads_the_rows_that_are_set_in_under_it():
    table = _table(
        ("Parameter", "Max"),
        ("Supply voltage", "36 V"),
        ("Package dissipation", "450 mW"),
        ("  Thermal resistance", "75 °C/W"),
        ("  Soldering", ""),
        ("    Vapor phase", "215 °C"),
        ("Storage temperature", "150 °C"),
    )
    assert _paths(table, "75 °C/W")[0] == ("Package dissipation", "Thermal resistance")
    assert _paths(table, "215 °C")[0] == ("Package dissipation", "Soldering", "Vapor phase")
    assert _paths(table, "150 °C")[0] == ("Storage temperature",)


def test_heading_leads_what_is_set_in_under_it_over_several_levels():
    table = _table(
        ("Parameter", "Max"),
        ("Propagation delay", ""),
        ("  Clock to Q", ""),
        ("    At 5 V supply", "310 ns"),
        ("  Reset to Q", ""),
        ("    At 10 V supply", "180 ns"),
        ("Pulse width", "185 ns"),
        ("Setup time", "40 ns"),
    )
    assert _paths(table, "180 ns")[0] == ("Propagation delay", "Reset to Q", "At 10 V supply")
    assert _paths(table, "185 ns")[0] == ("Pulse width",)


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("  Low power", "Standard resolution", "    Fast"), id="centred"),
        pytest.param(("* Reverse current", "  Capacitance", "* Voltage drop"), id="a star hangs"),
    ],
)
def test_names_that_are_not_set_in_lead_each_other_nowhere(names):
    table = _table(("Parameter", "Max"), *((name, f"{k} V") for k, name in enumerate(names, 1)))
    for k, name in enumerate(names, 1):
        assert _paths(table, f"{k} V")[0] == (name.strip(),)


ROWS = [
    ["PARAMETER", "CONDITIONS", "MAX", "UNIT"],
    ["Supply current", "VS = 5 V", "2.4", "mA"],
    ["Offset voltage", "VS = 5 V", "3", "mV"],
]


def test_title_chapter_headers_rows_and_units_are_named():
    described = describe_table(
        table(ROWS, label="Table 1", caption="Limits"), "6.5 Electrical Characteristics"
    )
    assert described == (
        'Limits; in chapter "6.5 Electrical Characteristics"; by PARAMETER, CONDITIONS, MAX, UNIT;'
        " with rows such as Supply current, Offset voltage; in mA, mV."
    )


def test_units_in_headers_count_and_names_of_packages_do_not():
    rows = [["Supply (V)", "Current [mA]", "Size (TSSOP)"], ["Low", "1", "2"]]
    assert describe_table(table(rows, caption="Power"), "").endswith("in V, mA.")


def test_an_untitled_table_is_named_by_its_chapter():
    assert describe_table(table(ROWS, label="", caption=""), "9 Layout").startswith("Layout; by")
