import pytest

from desktop_qa.augment.acronyms import best_long_form, find_acronyms, is_short_form


@pytest.mark.parametrize(
    ("sentence", "short", "long"),
    [
        ("A low-dropout regulator (LDO) supplies it.", "LDO", "low-dropout regulator"),
        ("The LDO (low-dropout regulator) supplies it.", "LDO", "low-dropout regulator"),
        (
            "It is an analog-to-digital converter (ADC) with a mux.",
            "ADC",
            "analog-to-digital converter",
        ),
        ("Use a serial peripheral interface (SPI).", "SPI", "serial peripheral interface"),
        ("Beware of electrostatic discharge (ESD).", "ESD", "electrostatic discharge"),
        ("The power-on reset (POR) holds it.", "POR", "power-on reset"),
        ("Undervoltage lockout (UVLO) stops it.", "UVLO", "Undervoltage lockout"),
        ("The equivalent series resistance (ESR) counts.", "ESR", "equivalent series resistance"),
        ("Pulse-width modulation (PWM) sets it.", "PWM", "Pulse-width modulation"),
        ("The integral nonlinearity (INL) is small.", "INL", "integral nonlinearity"),
        (
            "A universal asynchronous receiver-transmitter (UART) is there.",
            "UART",
            "universal asynchronous receiver-transmitter",
        ),
        # The quantity first, as symbols have it.
        ("It has a low quiescent current (IQ).", "IQ", "quiescent current"),
        ("Trim the input offset voltage (VOS) first.", "VOS", "offset voltage"),
        ("The junction temperature (TJ) rises.", "TJ", "junction temperature"),
        ("Set the switching frequency (fSW) now.", "fSW", "switching frequency"),
        ("The dropout voltage (VDO) is low.", "VDO", "dropout voltage"),
        ("The ground current (IGND) flows back.", "IGND", "ground current"),
        ("Read the least significant bit (LSB) last.", "LSB", "least significant bit"),
        # Units in front of it are another bracket.
        ("A delay (in ms) of the time-of-flight (TOF) path.", "TOF", "time-of-flight"),
    ],
)
def test_a_bracket_explains_an_acronym(sentence, short, long):
    assert list(find_acronyms(sentence)) == [(short, long)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Connect a resistor (see Figure 3) to ground.",
        "The gain is 5 (typical) at room temperature.",
        "Voltage (V) over time.",
        "Supply current (mA) against load.",
        "Leave it open (NC) in this package.",
        "Output data rate (Hz) of the sensor.",
        "The device (top view) has eight pins.",
        "It works (1) and (2) as noted.",
        "Range (−40 °C to +125 °C) of the automotive grade.",
        "Pins (A0, A1, and A2) set the address.",
        "Drive it high (VIH) and wait.",
        "The register (address 0x0F) holds it.",
        "A capacitor (100 nF) decouples it.",
        "It stays off (default).",
        "Both supplies (VDD = 5 V) are on.",
        "The OPA197 (single) and OPA2197 (dual) are alike.",
        "Noise at the output (RTO is not given).",
        "Rise and fall (90%) of the edge.",
    ],
)
def test_brackets_that_explain_nothing(sentence):
    assert list(find_acronyms(sentence)) == []


def test_the_long_form_lies_in_the_same_clause():
    assert list(find_acronyms("Analog inputs, digital outputs, clocks (ADC)")) == []


def test_a_long_form_has_at_most_twice_the_letters_in_words():
    sentence = "A very old dog once crossed the converter (ADC)"
    assert list(find_acronyms(sentence)) == []


def test_the_first_letter_must_begin_a_word():
    assert best_long_form("LDO", "follow dropout") == ""
    assert best_long_form("LDO", "low dropout") == "low dropout"


def test_letters_may_stand_inside_words_and_the_shortest_match_counts():
    assert best_long_form("MUX", "the multiplexer") == "multiplexer"
    text = "electrically erasable programmable read-only memory"
    assert best_long_form("EEPROM", text) == "erasable programmable read-only memory"


def test_short_forms_look_like_acronyms():
    assert all(map(is_short_form, ("LDO", "SPI", "VOS", "fSCL", "R/W", "IQ")))
    assert not any(map(is_short_form, ("typical", "mA", "MHz", "3.3", "V", "see", "Figure", "5V")))


def test_a_very_long_sentence_is_read_in_linear_time():
    sentence = "word " * 40_000 + "low-dropout regulator (LDO) " + "(" * 20_000
    assert list(find_acronyms(sentence)) == [("LDO", "low-dropout regulator")]
