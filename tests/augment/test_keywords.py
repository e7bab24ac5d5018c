import pytest

from desktop_qa.augment.keywords import find_keywords


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The OPA4197 and DRV8833C", {"opa4197", "drv8833c"}),
        ("ESP32-S2-MINI-1U module, nRF24L01+ radio", {"esp32s2mini1u", "nrf24l01+"}),
        ("25AA640 EEPROM of the LM158-N", {"25aa640", "lm158n"}),
        ("Pull CHIP_PU low, write CONFIG[2:0]", {"chippu", "config[2:0]"}),
        ("SDA and VREG5 pins", {"sda", "vreg5"}),
        (
            "ISO 11898, IEC 60747-17, AEC-Q100, JESD22",
            {"iso11898", "iec6074717", "aecq100", "jesd22"},
        ),
        ("RFC 2616 over I2C", {"rfc2616", "i2c"}),
        ("reads 0x1F, then E-102", {"0x1f", "e102"}),
        ("send set_ambient_pressure first", {"setambientpressure"}),
        ("AD5260/AD5262", {"ad5260", "ad5262"}),
        ("SDA/SCL and I/O lines, RS 485", {"sda", "scl", "io", "rs485"}),
        ("between IN+ and OUT", {"in+"}),
    ],
)
def test_critical_entities_are_found_in_normal_form(text, expected):
    assert expected <= set(find_keywords(text))


@pytest.mark.parametrize(
    "text",
    [
        "It draws 500mA at 3.3V and 8MHz, 16-bit, 10 kΩ, 100nF",
        "See the note on page 12 and Table 7-2",
        "MIN TYP MAX UNIT",
        "Ordinary words, and a number: 1500.",
    ],
)
def test_values_with_units_and_plain_words_are_no_keywords(text):
    assert find_keywords(text) == ()
