import pytest

from desktop_qa.augment.names import clean_name, is_symbol
from desktop_qa.augment.symbols import find_symbols, read_list_item
from desktop_qa.core.glossary import GlossarySource
from tests.augment.builders import table


def pairs(rows, **options):
    in_list = options.pop("in_list", False)
    found = find_symbols(table(rows, **options), in_list)
    return {(entry.short, entry.long) for entry in found}


def test_symbol_and_parameter_of_a_row():
    rows = [
        ("Parameter", "Symbol", "Conditions", "Min", "Typ", "Max", "Unit"),
        ("Input offset voltage", "VOS", "VCM = 0 V", "", "25", "100", "µV"),
        ("Quiescent current per amplifier", "IQ", "IO = 0", "", "1", "1.3", "mA"),
    ]
    assert pairs(rows) == {("VOS", "Input offset voltage"), ("IQ", "Quiescent current")}


def test_symbols_may_stand_first_and_without_a_header():
    rows = [
        ("", "", "MIN", "MAX", "UNIT"),
        ("VIN", "Input voltage", "2.7", "5.5", "V"),
        ("fSCL", "SCL clock frequency", "", "400", "kHz"),
        ("TJ", "Junction temperature", "-40", "125", "°C"),
    ]
    assert pairs(rows) == {
        ("VIN", "Input voltage"),
        ("fSCL", "SCL clock frequency"),
        ("TJ", "Junction temperature"),
    }


def test_pins_behind_a_limit_are_no_symbols_of_it():
    rows = [
        ("", "", "MIN", "MAX", "UNIT"),
        ("Input voltage", "SDA", "-0.3", "6", "V"),
        ("Output current", "OUT1", "-5", "30", "mA"),
    ]
    assert pairs(rows) == set()


def test_symbol_and_name_in_one_cell():
    rows = [
        ("PARAMETER", "TEST CONDITIONS", "TYP", "UNIT"),
        ("IQ Quiescent current", "IOUT = 0", "30", "µA"),
        ("fSCL, SCL clock frequency", "", "400", "kHz"),
        ("Supply Voltage, VDD", "", "3.3", "V"),
        ("SCL clock high time", "", "600", "ns"),
        ("START condition setup time", "", "600", "ns"),
    ]
    assert pairs(rows) == {
        ("IQ", "Quiescent current"),
        ("fSCL", "SCL clock frequency"),
        ("VDD", "Supply Voltage"),
    }


def test_a_subscript_set_apart_belongs_to_its_symbol():
    rows = [("Symbol", "Parameter", "Max"), ("V OS", "Input offset voltage", "1")]
    assert pairs(rows) == {("VOS", "Input offset voltage")}


def test_two_symbols_share_a_name_and_a_list_of_pins_does_not():
    rows = [
        ("Symbol", "Parameter", "Max"),
        ("tPLH, tPHL", "Propagation delay", "10"),
        ("A0, A1, A2, A3, A4", "Address inputs", "1"),
    ]
    assert pairs(rows) == {("tPLH", "Propagation delay"), ("tPHL", "Propagation delay")}


def test_footnotes_brackets_and_conditions_are_no_part_of_a_name():
    rows = [
        ("Symbol", "Parameter", "Max"),
        ("VOS", "Input offset voltage(1), RTI", "1"),
        ("IDD", "Supply current (no load) at 25 °C", "1"),
        ("VREF", "Reference voltage³", "1"),
    ]
    assert pairs(rows) == {
        ("VOS", "Input offset voltage"),
        ("IDD", "Supply current"),
        ("VREF", "Reference voltage"),
    }


def test_a_name_that_ends_with_another_quantity_is_a_condition():
    rows = [
        ("Symbol", "Parameter", "Max"),
        ("VIN", "Sink current", "1"),
        ("VSENSE", "Source current", "1"),
        ("VCC", "Power supply", "1"),
    ]
    assert pairs(rows) == {("VCC", "Power supply")}


def test_pins_have_what_they_are_for():
    rows = [
        ("PIN NAME", "PIN NO.", "I/O", "DESCRIPTION"),
        ("PG", "4", "O", "Power good output. Open drain."),
        ("EN", "3", "I", "Device enable, active high"),
        ("GND", "2", "—", "Ground"),
        ("NC", "5", "—", "No internal connection"),
    ]
    entries = list(find_symbols(table(rows)))
    assert {(e.short, e.long) for e in entries} == {
        ("PG", "Power good output"),
        ("EN", "Device enable"),
    }
    assert {e.source for e in entries} == {GlossarySource.PIN}


def test_registers_have_names_and_bits_have_no_values():
    rows = [
        ("BIT", "FIELD", "TYPE", "RESET", "DESCRIPTION"),
        ("15", "OS", "R/W", "1h", "Operational status or conversion start"),
        ("7:5", "DR[2:0]", "R/W", "4h", "Data rate. These bits control it."),
        ("4", "AIE", "R/W", "0h", "enabled"),
        ("3", "RESERVED", "R", "0h", "Always write zero here"),
        ("2", "TEST", "R", "0h", "If set, the outputs toggle"),
    ]
    entries = list(find_symbols(table(rows)))
    assert {(e.short, e.long) for e in entries} == {
        ("OS", "Operational status"),
        ("DR", "Data rate"),
    }
    assert {e.source for e in entries} == {GlossarySource.REGISTER}


def test_a_table_of_registers():
    rows = [
        ("Address", "Acronym", "Register Name"),
        ("00h", "CFG", "Configuration register"),
        ("01h", "INT_STATUS", "Interrupt status register"),
    ]
    assert pairs(rows) == {
        ("CFG", "Configuration register"),
        ("INT_STATUS", "Interrupt status register"),
    }


def test_a_table_of_abbreviations():
    rows = [
        ("Term", "Definition"),
        ("ISR", "Interrupt service routine"),
        ("Master", "Device that starts a transfer"),
        ("LSB", "Least significant bit"),
    ]
    entries = list(find_symbols(table(rows)))
    assert {(e.short, e.long) for e in entries} == {
        ("ISR", "Interrupt service routine"),
        ("LSB", "Least significant bit"),
    }
    assert {e.source for e in entries} == {GlossarySource.LIST}


def test_lines_of_a_list_of_abbreviations():
    for line in (
        "DAC: Digital-to-analog converter",
        "DAC Digital-to-analog converter",
        "DAC – Digital-to-analog converter",
    ):
        assert [(e.short, e.long) for e in read_list_item(line)] == [
            ("DAC", "Digital-to-analog converter")
        ]
    assert list(read_list_item("The converter is described below.")) == []


def test_titles_of_row_groups_name_nothing():
    rows = [
        ("Symbol", "Parameter", "Max"),
        ("POWER SUPPLY", "<", "<"),
        ("IDD", "Supply current", "5"),
    ]
    assert pairs(rows) == {("IDD", "Supply current")}


@pytest.mark.parametrize(
    "rows",
    [
        [("Device", "Package", "Pins"), ("LM317", "TO-220", "3"), ("LM317A", "SOT-223", "4")],
        [("Date", "Revision", "Changes"), ("2015", "A1", "First release of this document")],
        [("D7", "D6", "D5"), ("SID10", "SID9", "SID8")],
        [("Order Code", "Description"), ("AD8418ABRMZ", "8-Lead MSOP in tube")],
    ],
)
def test_tables_of_something_else(rows):
    assert pairs(rows) == set()


def test_a_table_of_headers_only_and_an_empty_one():
    assert pairs([("Symbol", "Parameter")], n_header_rows=1) == set()
    assert pairs([("", ""), ("", "")]) == set()


def test_symbols_by_their_shape():
    symbols = ("VOS", "fSCL", "RDS(on)", "I²C", "tHD", "VIL1", "θJA", "CH0", "R_PU", "IN+")
    assert all(map(is_symbol, symbols))
    words = ("Low", "typical", "HIGH", "READ", "3.3", "5V", "mA", "MHz", "Low-Noise", "CONVERSION")
    assert not any(map(is_symbol, words))


def test_names_end_where_conditions_begin():
    assert clean_name("The typical supply current at 25 °C") == "supply current"
    assert clean_name("Bus free time between START and STOP") == "Bus free time"
    assert clean_name("I²C serial data") == "I²C serial data"
    assert clean_name("0.3 VDD") == ""
    assert clean_name("—") == ""
    assert clean_name("a b c " * 200) == ""
