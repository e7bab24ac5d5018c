import pytest

from desktop_qa.augment.codes import (
    codes_in_question,
    codes_match,
    expand_code,
    is_part_number,
    normalize_code,
)


@pytest.mark.parametrize(
    ("asked", "own"),
    [
        ("opa 4197", "OPA4197"),
        ("OPA-4197", "OPA4197"),
        ("drv8833-c", "DRV8833C"),
        ("esp32 s3", "ESP32-S3"),
        ("esp-32-s3", "ESP32-S3"),
        ("ESP WROOM 32", "ESP-WROOM-32"),
        ("TPS281C100A", "TPS281C100x"),
        ("AFE88201", "AFEx8201"),
        ("AFEx8201", "AFE88201"),
        ("PIC16F877A", "PIC16F87XA"),
        ("L7805", "L78XX"),
        ("l78 xx", "L78XX"),
        ("LM7812", "LM78xx"),
        ("7805", "L78xx"),
        ("7805", "L7805"),
        ("74LS20", "SN74LS20"),
        ("74LS20", "SN54/74LS20"),
        ("SN74LS20", "74LS20"),
        ("16F688", "PIC16F688"),
        ("STM32F412", "STM32F412xE"),
        ("SN65HVD23x", "SN65HVD230"),
        ("BQ2407x", "BQ24075"),
        ("SCD41", "SCD4x"),
        ("DRV8833 family", "DRV8833"),
        ("OPA4376", "OPA4376-Q1"),
        ("LM158", "LM158-N"),
        ("MCP6002", "MCP6002T-I/SN"),
        ("MCP6002T-I/SN", "MCP6002"),
        ("LM324/NOPB", "LM324"),
        ("AD7829", "AD7829-1"),
        ("DS2482", "DS2482-100"),
        ("LM136", "LM136-2.5"),
        ("SN74LS14", "SN54/74LS14"),
        ("SN54LS14", "SN54/74LS14"),
        ("MCP6001/2/4", "MCP6004"),
        ("LM158/LM258/LM358", "LM258"),
        ("ADS1114", "ADS1113/4/5"),
        ("nRF24L01+", "NRF24L01+"),
    ],
)
def test_spellings_families_and_order_suffixes_mean_the_same_part(asked, own):
    assert codes_match(asked, own)


@pytest.mark.parametrize(
    ("asked", "own"),
    [
        ("ADS1117", "ADS1115"),
        ("LP5914", "LP5912"),
        ("DRV8833", "DRV8833C"),
        ("DRV8833C", "DRV8833"),
        ("DRV8833CPWPR", "DRV8833"),
        ("ESP32-C8", "ESP32-C3"),
        ("ESP32", "ESP32-C3"),
        ("SCD5x", "SCD4x"),
        ("OPA4376-Q1", "OPA4376"),
        ("nRF24L01", "nRF24L01+"),
        ("LM224A", "LM224"),
        ("ADS1118X", "ADS1118"),
        ("MAX232", "MAY232"),
        ("74LS21", "SN74LS20"),
        ("MC74LS20", "SN74LS20"),
        ("XX74LS20", "74LS20"),
        ("STM32F41", "STM32F412xE"),
        ("STM32F411", "STM32F412xE"),
        ("7905", "L78xx"),
        ("BMP284", "BMP280"),
        ("", "BMP280"),
    ],
)
def test_a_near_code_is_another_part(asked, own):
    assert not codes_match(asked, own)


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ("supply of the opa 4197?", ("opa 4197",)),
        ("OPA-4197 and ADS1115?", ("OPA-4197", "ADS1115")),
        ("drv8833c at 5 V motor supply", ("drv8833c",)),
        ("bme 280 chip id", ("bme 280",)),
        ("the ESP32 S3 at 125 °C", ("ESP32 S3",)),
        ("esp-32-s3 current", ("esp-32-s3",)),
        ("sn65hvd 230 power", ("sn65hvd 230",)),
        ("nrf 24l01 range", ("nrf 24l01",)),
        ("PCF 85063 A packages", ("PCF 85063 A",)),
        ("PCF 85063 A 5 V supply?", ("PCF 85063 A",)),
        ("MCP4725A0T-E/CH ordering", ("MCP4725A0T-E/CH",)),
        ("MCP6001/2/4 bandwidth", ("MCP6001/2/4",)),
        ("l78 xx dropout", ("l78 xx",)),
        ("a 7805 needs which input?", ("7805",)),
        ("MPU 6500", ("MPU 6500",)),
        ("LIS3MDL noise", ("LIS3MDL",)),
        ("ESP32-S2-MINI-1U antenna", ("ESP32-S2-MINI-1U",)),
        ("the OPT3007's reading", ("OPT3007",)),
        ("out of 74LS138s and lm2596s", ("74LS138", "lm2596s")),
    ],
)
def test_codes_are_found_as_people_type_them(question, codes):
    assert codes_in_question(question) == codes


@pytest.mark.parametrize(
    "question",
    [
        "What does figure 12 show on page 5?",
        "section 8.3 and table 3-2, step 3 of the top 10",
        "what happens at 125 °C with 5 V and 100 mA?",
        "a 16-bit, 2-wire, 8-channel 2.4-GHz part with 10nF and 51kΩ",
        "Does it meet ISO 11898 or IEC 60747-17?",
        "GPIO46, AIN3, VREG5 and PA12 levels in a TSSOP-16 or SOT23 package",
        "Who won in 2018? between 1000 and 2000 units",
        "register 0x1E bit 7, 400000h",
        "Windows 10 and Java 17, port 8080",
        "I need 500 mA from 3000 mAh",
        "room 101 has 90 projects and v1.2",
        "sales of FY2019, FY 2022, FY19, Q3 2020 and 3Q20 by JAN 2021",
        "eBay COGS 2019 and eBay 2019 current ratio",
    ],
)
def test_ordinary_words_and_quantities_are_no_part_numbers(question):
    assert codes_in_question(question) == ()


def test_prefixes_of_the_library_are_known_prefixes():
    assert codes_in_question("zuzu 123 range") == ()
    assert codes_in_question("zuzu 123 range", prefixes=["zuzu"]) == ("zuzu 123",)


def test_a_list_of_parts_is_written_out():
    assert expand_code("MCP6001/2/4") == ("MCP6001", "MCP6002", "MCP6004")
    assert expand_code("AD5260/AD5262") == ("AD5260", "AD5262")
    assert expand_code("SN54/74LS14") == ("SN54LS14", "SN74LS14")
    assert expand_code("74HC/HCT/HCU04") == ("74HC04", "74HCT04", "74HCU04")
    assert expand_code("MM74C00/74C02") == ("MM74C00", "MM74C02")
    assert expand_code("DS18B20/DS18S20") == ("DS18B20", "DS18S20")
    assert expand_code("BC547/8B") == ("BC547", "BC548B")
    assert expand_code("AD620SQ/883B") == ("AD620SQ/883B",)
    assert expand_code("MCP6002T-I/SN") == ("MCP6002T-I/SN",)


def test_the_normal_form_forgets_case_hyphens_spaces_and_slashes():
    assert normalize_code("OPA‑4376 - q1™") == "opa4376q1"
    assert normalize_code("ISO 11898") == "iso11898"


@pytest.mark.parametrize("code", ["25AA640", "LM35", "SCD4x", "TPS56C215", "74HC595", "2N3904"])
def test_part_numbers_are_told_from_quantities(code):
    assert is_part_number(code)


@pytest.mark.parametrize(
    "text", ["100nF", "16bit", "5V", "2x", "GPIO12", "RS485", "SOT23", "0x1F", "FY2019"]
)
def test_quantities_pins_and_packages_are_no_part_numbers(text):
    assert not is_part_number(text)


def test_a_part_that_is_called_like_a_pin_is_a_code_where_the_library_has_it():
    assert codes_in_question("What does the PC817 isolate?") == ()
    assert codes_in_question("What does the PC817 isolate?", parts={"pc817"}) == ("PC817",)
    assert codes_in_question("Compare it with J310.", parts={"j310"}) == ("J310",)
