from decimal import Decimal

import pytest

from desktop_qa.augment.quantities import (
    find_values,
    is_unit,
    n_held,
    parse_number,
    value_of,
    values_in_question,
)


@pytest.mark.parametrize(
    ("spellings", "value"),
    [
        (["half an amp", "0.5 A", "500 mA", "500mA", "0,5 A", "500-mA", ".5 A"], "0.5a"),
        (["five hundred milliamps", "500 milliamperes", "half an ampere", "0,500 A"], "0.5a"),
        (["one and a half volts", "1.5 V", "1 and a half volts", "1500 mV", "1,500 mV"], "1.5v"),
        (["one point five volts", "1V5", "1.5-V", "1.5V", "1.5 Volts"], "1.5v"),
        (["a quarter watt", "1/4 W", "0.25 W", "250 mW", "¼ W", "a quarter of a watt"], "0.25w"),
        (["three quarters of a watt", "0.75 watts", "750mW"], "0.75w"),
        (["3V3", "3.3 V", "3,3V", "3300 mV", "3.3 VDC"], "3.3v"),
        (["4k7", "4.7 kΩ", "4700 ohms", "4.7kohm", "4.7 k\u2126", "4.7 kilo-ohms"], "4700ohm"),
        (["2.2 kΩ", "2k2", "2200 Ω", "a 2.2k resistor", "2.2 kilohms"], "2200ohm"),
        (["2R2", "2.2 Ω", "2.2 ohm"], "2.2ohm"),
        (["1 MΩ", "1 Mohm", "1 megohm", "1M pull-up"], "1000000ohm"),
        (["1 mΩ", "1 milliohm"], "0.001ohm"),
        (["10 microfarads", "10 µF", "10 μF", "10uF", "ten microfarads", "0.01 mF"], "0.00001f"),
        (["100 nF", "0.1 µF", "100n0 nope 100nF"], "0.0000001f"),
        (["85 °C", "85 degrees", "85°C", "85 degrees Celsius", "85 deg C", "85℃"], "85degc"),
        (["-40 °C", "−40°C", "–40 °C", "minus forty degrees"], "-40degc"),
        (["400 kHz", "0.4 MHz", "400khz", "400 kilohertz", "400,000 Hz"], "400000hz"),
        (["16-bit", "16 bits", "2 bytes"], "16bit"),
        (["1 Mbps", "1 Mbit/s", "1000 kbps", "1 Mb/s"], "1000000bps"),
        (["860 SPS", "0.86 kSPS", "860 samples per second"], "860sps"),
        (["64 Kbit", "8 KB", "8 Kbytes"], "65536bit"),
        (["0.5 LSB", "±0.5 LSB", "1/2 LSB", "half an LSB", "+/-0.5 LSB"], "0.5lsb"),
        (["5 V/µs", "5 V/us", "5 kV/ms"], "5000000v/s"),
        (["25 mV/°C", "0.025 V/°C"], "0.025v/degc"),
        (["10 ms", "0.01 s", "ten milliseconds", "10,000 µs"], "0.01s"),
        (["2 mm", "0.2 cm", "2000 µm"], "0.002m"),
        (["100 lux", "100 lx", "0.1 klux"], "100lx"),
        (["40 %", "40%", "40 percent"], "40%"),
        (["10 hPa", "1 kPa"], "1000pa"),
        (["two hours", "7200 s", "120 minutes"], "7200s"),
    ],
)  # fmt: skip
def test_spellings_of_one_value_are_one(spellings, value):
    for spelling in spellings:
        assert value in find_values(f"It takes {spelling} at most"), spelling


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("-40 to 85 °C", ("-40degc", "85degc")),
        ("−40°C to +125°C", ("-40degc", "125degc")),
        ("from -40 °C to -20 °C", ("-40degc", "-20degc")),
        ("1.8/3.3 V", ("1.8v", "3.3v")),
        ("1.8, 2.5, or 3.3 V", ("1.8v", "2.5v", "3.3v")),
        ("2.7-5.5 V", ("2.7v", "5.5v")),
        ("2.7V–5.5V", ("2.7v", "5.5v")),
        ("2.7 V ... 5.5 V", ("2.7v", "5.5v")),
        ("between 100 and 400 kHz", ("100000hz", "400000hz")),
        ("3 A, 28-V input", ("28v", "3a")),
        ("Table 7-2, 5 V", ("5v",)),
        ("VOUT = 1.8 V, IOUT = 10 mA", ("0.01a", "1.8v")),
        ("5 V or 500 mA, 0.5 A, 5.0 V", ("0.5a", "5v")),
    ],
)
def test_ranges_and_lists_are_all_their_values_each_once(text, values):
    assert sorted(find_values(text)) == sorted(values)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No numbers, though a part of it and half the words",
        "OPA4197, 2N3904 and 1N4148W on page 5",
        "Figure 12 shows steps 3 and 4",
        "version 1.2.3 of part 2018B7, $2019 or 2,019, and OPA2017",
        "3 a day",
        "one of the two, and a third",
        "0x24",
    ],
)
def test_numbers_without_a_unit_are_no_values(text):
    assert find_values(text) == ()


def test_a_bare_negative_number_in_a_question_is_a_temperature():
    assert values_in_question("does it run at -40?") == ("-40degc",)
    assert values_in_question("at -40 to 85 degrees") == ("-40degc", "85degc")
    assert values_in_question("at -12 V") == ("-12v",)
    assert values_in_question("pins 2-40") == ()


@pytest.mark.parametrize(
    "text", ["one and a half " * 3000, "1/" * 9000, "5 to 3 " * 3000, "V/" * 9000, "1,000" * 3000]
)
def test_a_long_text_of_numbers_is_read_in_linear_time(text):
    # Would take minutes, were each number word read again from each of those before it.
    assert find_values(text) == ()


def test_commas_part_thousands_or_decimals():
    assert parse_number("1,500") == Decimal(1500)
    assert parse_number("1,5") == Decimal("1.5")
    assert parse_number("0,500") == Decimal("0.5")
    assert parse_number("12,345,678.9") == Decimal("12345678.9")
    assert parse_number("±2") == Decimal(2)
    assert parse_number("- 40") == Decimal(-40)
    assert parse_number("1.2.3") is None


def test_a_number_and_its_unit_may_stand_apart():
    assert value_of("500", "mA") == "0.5a"
    assert value_of("−40", "°C") == "-40degc"
    assert value_of("500", "widgets") == ""
    assert value_of("TBD", "V") == ""


def test_units_are_told_from_words():
    assert all(map(is_unit, ["mA", "V", "°C", "kHz", "µV/°C", "nV/√Hz", "LSB", "%", "ms"]))
    assert not any(map(is_unit, ["", "VDD", "Conditions", "5", "R/W", "mAx"]))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"a key of {2**256} bits", f"{str(2**256)[:28]}{'0' * 50}bit"),
        ("12345678901234567890.123456789 V", "12345678901234567890.12345679v"),
        ("0.12345678901234567 mV", "0.000123456789v"),
    ],
)
def test_a_value_of_any_length_is_one_to_28_digits_and_12_decimals(text, value):
    assert find_values(text) == (value,)


def test_a_current_is_asked_without_its_sign_and_a_temperature_is_not():
    stated = frozenset(find_values("IC = -100 mA, VCE = -1.0 V, -40 °C"))
    assert n_held(values_in_question("at 100 mA and 1 V"), stated) == 2
    assert n_held(values_in_question("at -100 mA"), stated) == 1
    assert n_held(values_in_question("at 40 °C"), stated) == 0
    assert n_held(("-0.1a",), frozenset(("0.1a",))) == 0
