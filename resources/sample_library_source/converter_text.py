"""Analogue-to-digital converters: description, programming, application."""

from __future__ import annotations

from sample_library_source import common, digital
from sample_library_source.converter_data import RANGES_V, Converter, registers
from sample_library_source.converter_specs import front, noise_table, pins, specifications
from sample_library_source.house import TEXT_WIDTH
from sample_library_source.pen import Pen, Sketch
from sample_library_source.publish import legal_notice
from sample_library_source.schematic import block, capacitor, ground, resistor, supply
from sample_library_source.sheet import Sheet
from sample_library_source.tables import Grid


def write(sheet: Sheet, part: Converter) -> None:
    """Write the whole datasheet."""
    common.front_page(sheet, front(part))
    common.contents_and_history(sheet, part.revisions)
    pins(sheet, part)
    specifications(sheet, part)
    sheet.chapter("Parameter Measurement Information", key="measurement")
    sheet.section("Noise Performance", key="noise-performance", room=190)
    sheet.text(
        "The noise of a delta-sigma converter falls with the data rate, because slower rates "
        "average more samples of the modulator. {see:noise-table} gives the noise with the "
        "inputs shorted; where it is below one code, quantization decides."
    )
    noise_table(sheet, part)
    _description(sheet, part)
    digital.register_map(sheet, registers(part))
    _application(sheet, part)
    common.ordering_information(sheet, part.orderables)
    legal_notice(sheet)


def _description(sheet: Sheet, part: Converter) -> None:
    sheet.chapter("Detailed Description", key="detailed")
    sheet.section("Overview")
    with sheet.two_columns():
        sheet.text(
            f"The {part.part} measures the difference of two inputs. A switched-capacitor "
            "modulator samples it against the internal reference, and a single-cycle digital "
            "filter turns the bit stream into a result. Because the filter settles in one "
            "cycle, no conversion has to be thrown away after a change of the multiplexer.",
            "The reference has no pin and needs no capacitor. The oscillator sets the data "
            "rate, which varies with it by up to ±5%.",
            "In single-conversion mode the device sleeps until the OS bit is written. It wakes "
            f"up within {part.wakeup_us} µs, converts once, and powers down again.",
            "In continuous mode a new result replaces the old one after each conversion; a "
            "change of the configuration takes effect with the next conversion.",
        )
    sheet.section("Feature Description", key="features-detail")
    sheet.subsection("Full-Scale Range and LSB Size", key="range")
    sheet.text(
        "The full-scale range is set by bits RNG[2:0]. {see:lsb} shows the size of one code, "
        f"LSB = FSR / 2^{{{part.bits - 1}}}."
    )
    rows = [
        [f"{index:03b}", f"±{value:g} V", _microvolts(part.lsb_uv(value))]
        for index, value in enumerate(RANGES_V)
    ]
    header = [["RNG[2:0]", "FULL-SCALE RANGE", "LSB SIZE"]]
    sheet.table(Grid(header, rows, (0.8, 1.3, 1), "ccc", style="rules"),
                "Full-Scale Range and LSB Size", key="lsb", width=270)  # fmt: skip
    sheet.subsection("Digital Comparator")
    sheet.text(
        "In traditional mode ALERT is asserted when the result exceeds the high threshold and "
        "released when it falls below the low threshold. In window mode ALERT is asserted when "
        "the result leaves the window between both thresholds. With the most significant bit of "
        "HITHR at 1 and that of LOTHR at 0, ALERT signals the end of each conversion instead."
    )
    _programming(sheet, part)


def _programming(sheet: Sheet, part: Converter) -> None:
    sheet.section("Programming", key="programming")
    sheet.subsection("Bus Address", key="bus-address")
    sheet.text("The ADDR pin selects one of four addresses when the first START is seen.")
    digital.address_table(
        sheet,
        [
            ["GND", "1001000", "48h"],
            ["VDD", "1001001", "49h"],
            ["SDA", "1001010", "4Ah"],
            ["SCL", "1001011", "4Bh"],
        ],
        "ADDR",
    )
    sheet.subsection("Reading a Result", key="reading", room=150)
    sheet.text("To start a single conversion and read its result:")
    default = part.rates[part.default_rate_index]
    sheet.steps(
        "Write the configuration to CONFIG (address 01h) with the OS bit at 1.",
        f"Wait for the conversion, 1 / {default} SPS = {1000 / default:.3g} ms at the default "
        "rate, or poll the OS bit until it reads 1.",
        "Write 00h to the pointer register to select RESULT.",
        "Read two bytes, the most significant byte first.",
        f"Multiply the result (two's complement, {part.bits} bits) by the LSB size of {{see:lsb}}.",
    )


def _microvolts(value: float) -> str:
    return f"{value / 1000:g} mV" if value >= 1000 else f"{value:.6g} µV"


def _application(sheet: Sheet, part: Converter) -> None:
    sheet.chapter("Application and Implementation", key="application")
    sheet.section("Typical Application: Supply and Shunt Monitor", key="design", room=260)
    sheet.figure(Sketch(TEXT_WIDTH, 118, lambda pen: _monitor(pen, part)),
                 "Supply and Shunt Monitor", key="monitor")  # fmt: skip
    sheet.subsection("Detailed Design Procedure")
    shunt, current = 0.05, 5.0
    lsb = part.lsb_uv(0.32)
    sheet.text(
        f"The shunt of {shunt * 1000:g} mΩ carries up to {current:g} A and drops "
        f"{shunt * current * 1000:g} mV, which fits the range of ±0.32 V. One code stands for"
    )
    sheet.equation(
        f"I_LSB = LSB / R_SHUNT = {lsb:.4g} µV / {shunt * 1000:g} mΩ = {lsb / shunt / 1000:.4g} mA"
    )
    sheet.text(
        "The filter of 100 Ω and 0.1 µF has its corner at 15.9 kHz and keeps the noise of a "
        "switching converter away from the modulator. The bus voltage of 12 V is divided by 4 to "
        "stay below VDD."
    )
    sheet.section("Layout Guidelines", key="layout")
    sheet.bullets(
        "Place the 0.1-µF bypass capacitor next to VDD and GND.",
        "Route both inputs of a differential pair side by side and of equal length.",
        "Keep digital lines away from the analog inputs; never route them below the device.",
        "Use pull-up resistors of 2.2 kΩ to 10 kΩ at SDA, SCL and ALERT.",
    )


def _monitor(pen: Pen, part: Converter) -> None:
    pen.text(62, 95, "12 V", anchor="end")
    pen.line((66, 98), (110, 98))
    resistor(pen, (110, 98), (170, 98), "R_SHUNT", "50 mΩ")
    pen.line((170, 98), (196, 98))
    pen.text(200, 95.6, "Load", anchor="start")
    for x, y in ((100, 30), (180, 60)):
        pen.dot(x, 98)
        pen.line((x, 98), (x, y))
        pen.line((x, y), (186, y))
        resistor(pen, (186, y), (250, y), "", "100 Ω")
        pen.line((250, y), (290, y))
    capacitor(pen, (262, 60), (262, 30), "", "")
    pen.text(252, 42.5, "0.1 µF", size=6.4, anchor="end")
    pen.dot(262, 60)
    pen.dot(262, 30)
    block(pen, 290, 14, 82, 66, part.part, bold=True, size=8)
    pen.text(294, 57.6, "AIN1", anchor="start")
    pen.text(294, 27.6, "AIN0", anchor="start")
    supply(pen, 331, 80, "3.3 V")
    ground(pen, 331, 14)
    for y, name in ((64, "SDA"), (48, "SCL"), (32, "ALERT")):
        pen.line((372, y), (412, y))
        pen.text(368, y - 2.4, name, anchor="end")
    block(pen, 412, 20, 58, 56, "Micro-", "controller", shaded=True)
