import pytest

from desktop_qa.evaluate.answers import stands_in


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("25 µs", "At most 25μs from B to OUT."),
        ("25 us", "25 us"),
        ("82", "RM_H = 82 kΩ"),
        ("82", "82kΩ"),
        ("-94", "sensitivity is \u221294 dBm"),
        ("1.35", "draws 1.35 mA."),
        ("16", "supplies up to 16."),
        ("GPIO8=0", "when GPIO8 = 0 and GPIO9 = 0"),
        ("500-Ω", "a 500\u2013Ω resistor"),
        (" 5 mA", "is ±5 mA"),
        ("25", "| offset | 25 | µV |"),
        ("5 mA", "Supply current of **5 mA**"),
        ("Version history", "Open the *Version  History* list"),
        ("9-clock", "send a 9-clock sequence"),
        ("microcontroller", "the micro-\ncontroller"),
    ],
)
def test_gold_text_is_found_however_it_is_set(gold, answer):
    assert stands_in(gold, answer)


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("82", "1820 Ω"),
        ("82", "8.82 V"),
        ("82", "R82"),
        ("82", "82.5 kΩ"),
        ("1.0", "11.0 MHz"),
        ("25", "0.25 µA"),
        ("3.2", "3.25 mA"),
        ("300", "300,5 mV"),
        ("25 µs", "25 ms"),
        ("", "anything"),
    ],
)
def test_number_inside_another_number_is_not_found(gold, answer):
    assert not stands_in(gold, answer)


def test_two_numbers_side_by_side_are_not_one():
    assert stands_in("25", "5 25 µs")
    assert not stands_in("525 µs", "values 5 25 Ohm")
