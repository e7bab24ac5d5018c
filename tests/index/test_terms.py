import pytest

from desktop_qa.index.lexical import count_terms, terms_of


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("500mA", ["500", "ma", "500ma"]),
        ("500 mA", ["500", "ma", "500ma"]),
        ("16-bit", ["16", "bit", "16bit"]),
        ("16 bits", ["16", "bit", "16bit"]),
        ("SPI-bus", ["spi", "bus"]),
        ("ADS1115", ["ads1115"]),
        ("DRV8833C", ["drv8833c", "drv8833"]),
        ("TPS7A02-Q1", ["tps7a02q1", "tps7a02", "q1"]),
        ("RS-485", ["rs485", "rs", "485"]),
        ("0.5", ["0.5"]),
        (".5 V", ["0.5", "v", "0.5v"]),
        ("-40 °C", ["-40", "c", "-40c"]),
        ("(−40", ["-40"]),
        ("4–20 mA", ["4", "4-20", "20", "ma", "20ma"]),
        ("4 mA–20 mA", ["4", "ma", "4ma", "20", "ma", "20ma"]),
        ("1,000 V", ["1000", "v", "1000v"]),
        ("5%", ["5", "5%"]),
        ("Table 7-2", ["tabl", "7", "7-2", "2"]),
        ("section 6.7.1.", ["section", "6.7.1"]),
        ("pull-up", ["pullup", "pull", "up"]),
        ("IN+ and IN−", ["in+", "in-"]),
        ("V_IN", ["vin", "v"]),
        ("RDS(on)", ["rds", "rdson"]),
        ("input(s)", ["input", "input"]),
        ("0xF7", ["0xf7"]),
        ("2N3904", ["2n3904"]),
        ("I²C and I/O", ["i2c", "io"]),
        ("θJA", ["θja"]),
        ("the device's currents", ["devic", "current"]),
        ("What is the", []),
        ("", []),
        (" \n – ... ", []),
    ],
)
def test_terms_of_a_datasheet(text, terms):
    assert terms_of(text) == terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3 µV", "3 μV"),  # micro sign, Greek mu
        ("3 µV", "3uV"),
        ("10 kΩ", "10 kΩ"),  # capital omega, ohm sign
        ("10 kΩ", "10 kohm"),
        ("−40", "–40"),
        ("R_DS", "RDS"),
        ("LaunchPad™", "launchpad"),
        ("soft\u00adware", "software"),
        ("ﬁlter", "filter"),
        ("125 ºC", "125°C"),
        ("thresholds", "threshold"),
    ],
)
def test_spellings_of_the_same_thing_share_a_term(one, other):
    assert set(terms_of(one)) & set(terms_of(other))


def test_a_part_number_is_never_cut_down_to_its_family():
    assert not set(terms_of("ADS1115")) & set(terms_of("ADS1015"))


def test_a_range_is_not_a_negative_number():
    assert "-10" not in terms_of("5-10")
    assert "-10" not in terms_of("A(5)-10")


def test_counts_are_sorted_by_term():
    assert count_terms("voltage current voltages") == (("current", 1), ("voltag", 2))
    assert count_terms("") == ()


def test_no_term_holds_white_space():
    text = "a\u00a0b\u2009c 5\u202fmA\u3000x 5\n mA 16\tbit"
    assert all(term.split() == [term] for term in terms_of(text))
