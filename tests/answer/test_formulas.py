from __future__ import annotations

import operator

import pytest

from desktop_qa.answer.formulas import evaluate, filled, formula, read_formulas
from desktop_qa.answer.laws import laws, symbol_of, target_unit
from desktop_qa.answer.measures import (
    Measure,
    UnitsDoNotFitError,
    converted,
    dimension,
    is_equal,
    measures_in,
    reckoned,
    shown,
)


def measure(text: str) -> Measure:
    return measures_in(text)[0].measure


@pytest.mark.parametrize(
    ("line", "values", "result"),
    [
        ("TSS ms = (CSS nF × VREF V)/(ISS μA) (3)",
         {"CSS": "10 nF", "VREF": "0.8 V", "ISS": "2 µA"}, "4 ms"),
        ("VOUT = 1.242 V × (1 + R2 / R1) (1)", {"R2": "200 kΩ", "R1": "100 kΩ"}, "3.726 V"),
        ("FZ = 1/(2 × π × RZ × CZ) (18)", {"RZ": "29.2 kΩ", "CZ": "1 nF"}, "5.451 kHz"),
        ("ICHG = KISET/RISET (2)", {"KISET": "890 AΩ", "RISET": "1 kΩ"}, "890 mA"),
        ("TJ = TA + Rth × Ptot", {"TA": "25 °C", "Rth": "50 °C/W", "Ptot": "0.5 W"}, "50 °C"),
        ("E = 0.5 × C × V²", {"C": "1 mF", "V": "10 V"}, "50 mJ"),
    ],
)  # fmt: skip
def test_printed_formulas_are_read_and_evaluated(line, values, result):
    (read,) = read_formulas(line)
    assert shown(evaluate(read, {k: measure(v) for k, v in values.items()})) == result


@pytest.mark.parametrize(
    "line",
    [
        "Gain = − 20 × log 2 × π × RSENSE",
        "Pcon = IOUT 2 × RDS(on)",  # a square whose figure was not raised
        "ω = 1/RC",  # what the slash spans does not show
        "VOUT – VCM = VSHUNT · (1 + R2 / R1)",
        "Temperature Range: I = -40°C to +85°C",
        "http://example.com?id=A1",
        "RISET = 890 AΩ / 0.8 A = 1.1125 kΩ",
        "VO = ⎜⎝ 1 ⎟⎠ × Vi",
    ],
)
def test_what_cannot_be_read_surely_is_no_formula(line):
    assert read_formulas(line) == []


def test_several_equations_of_a_line_are_read_apart():
    read = read_formulas("tPRE = KTMR × RTMR (6) tMAX = 10 × KTMR × RTMR (7)")
    assert [f.left for f in read] == ["tPRE", "tMAX"]


def test_a_unit_that_is_spelled_like_a_symbol_stays_a_unit():
    read = formula("P", "V^2 / R")
    assert read is not None
    values = {"V": measure("16 V"), "R": measure("8 Ω")}
    assert filled(read, values) == "(16 V)^2 / 8 Ω"


def test_a_formula_is_shown_with_its_numbers():
    read = formula("P", "I^2 × R")
    assert read is not None
    values = {"I": measure("2 A"), "R": measure("3 Ω")}
    assert filled(read, values) == "(2 A)^2 × 3 Ω"
    assert shown(evaluate(read, values)) == "12 W"


def test_every_law_can_be_read_and_gives_the_unit_it_says():
    for law in laws():
        values = {
            name: Measure(2.0, unit if unit != "count" else "")
            for name in law.symbols
            if (unit := symbol_of(name).unit)
        }
        if "V_out" in values:
            values["V_out"] = Measure(1.0, "volt")
        result = evaluate(law, values)
        assert dimension(result.unit) == dimension(symbol_of(law.left).unit), law


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("With a 2000 mAh battery at 5 mA, how long does it run?", "second"),
        ("How much power is lost at 3.3 V?", "watt"),
        ("What sense resistor do I need for 1 A?", "ohm"),
        ("What does it taste like?", ""),
    ],
)
def test_the_clause_that_asks_says_what_is_wanted(question, unit):
    assert target_unit(question) == unit


def test_units_are_checked_before_anything_is_added():
    with pytest.raises(UnitsDoNotFitError):
        reckoned(operator.add, measure("3 V"), measure("2 A"))
    with pytest.raises(UnitsDoNotFitError):
        converted(measure("3 V"), "mA")
    with pytest.raises(UnitsDoNotFitError):
        converted(measure("3 V"), "parsecs of nonsense")
    with pytest.raises(ZeroDivisionError):
        reckoned(operator.truediv, measure("3 V"), measure("0 A"))
    with pytest.raises(UnitsDoNotFitError):
        reckoned(operator.pow, measure("1000000 V"), Measure(1e9))


@pytest.mark.parametrize(
    ("written", "unit", "result"),
    [
        ("3.2 mA", "µA", "3200 µA"),
        ("125 °C", "Fahrenheit", "257 °F"),
        ("-40 °C", "Fahrenheit", "-40 °F"),
        ("25 °C", "kelvin", "298.15 K"),
        ("2 inches", "mm", "50.8 mm"),
        ("1 atm", "hPa", "1013.25 hPa"),
        ("2 hours", "minutes", "120 minutes"),
    ],
)
def test_conversions(written, unit, result):
    assert str(converted(measure(written), unit)) == result


def test_results_are_shown_in_a_sensible_unit():
    assert shown(reckoned(operator.mul, measure("180 mV"), measure("500 mA"))) == "90 mW"
    assert shown(reckoned(operator.add, measure("150 µA"), measure("5 mA"))) == "5.15 mA"
    assert (
        shown(reckoned(operator.truediv, measure("2000 mAh"), measure("5.15 mA")))
        == "388.3 h (about 16.2 days)"
    )
    assert shown(reckoned(operator.truediv, measure("1180 mΩ"), measure("200 mΩ"))) == "5.9"
    assert shown(Measure(0.0)) == "0"


def test_the_same_amount_in_other_units_is_equal():
    assert is_equal(measure("0.5 A"), measure("500 mA"))
    assert not is_equal(measure("0.5 A"), measure("0.5 V"))


def test_one_and_five_volts_are_not_six():
    assert [str(p.measure) for p in measures_in("Two of them on one 5 V rail")] == ["5 V"]
