"""Operational amplifiers: page 1."""

from __future__ import annotations

from sample_library_source.common import Front
from sample_library_source.house import TEXT_WIDTH
from sample_library_source.opamp_data import Amplifier
from sample_library_source.pen import Pen, Sketch
from sample_library_source.schematic import (
    amplifier,
    block,
    capacitor,
    ground,
    resistor,
    supply,
    terminal,
)

BANDWIDTH_UNIT = {True: "MHz", False: "kHz"}


def front(part: Amplifier) -> Front:
    """Page 1 of an amplifier."""
    supplies = f"{part.supply[0]:g} V to {part.supply[1]:g} V"
    offset = f"±{part.offset[1]:g} {part.offset_unit}"
    current = f"{part.quiescent[0]:g} {part.quiescent_unit}"
    bandwidth = f"{part.bandwidth} {BANDWIDTH_UNIT[part.high_voltage]}"
    features = (
        f"Low offset voltage: {offset} (maximum)",
        f"Low offset drift: ±{part.drift[0]:g} µV/°C (typical)",
        f"Gain bandwidth product: {bandwidth}",
        f"Slew rate: {part.slew:g} {part.slew_unit}",
        f"Voltage noise density: {part.noise_nv[1]:g} nV/√Hz at 1 kHz",
        f"Low quiescent current: {current} per amplifier (typical)",
        f"Supply range: {supplies}",
        "Rail-to-rail input and output",
        f"Input bias current: ±{part.bias_pa[0]:g} pA (typical)",
        "EMI-filtered inputs, no phase reversal",
        "Packages:",
        *(f"– {item.number}: {item.package}-{item.pins}" for item in part.orderables),
    )
    return Front(
        features,
        _APPLICATIONS[part.high_voltage],
        _description(part, supplies, offset, bandwidth, current),
        tuple(
            (item.number[:7].rstrip("I"), f"{item.package} ({item.pins})", _BODY[item.package])
            for item in part.orderables
        ),
        _front_sketch(part),
        "High-Side Current Sensing"
        if part.high_voltage
        else "Battery-Powered Gas Sensor Front End",
    )


_APPLICATIONS = {
    True: (
        "Programmable logic controllers and analog I/O modules",
        "High-side and low-side current sensing",
        "ADC drivers and reference buffers",
        "Test and measurement equipment",
        "Bridge and thermocouple amplifiers",
    ),
    False: (
        "Smoke, gas and motion detectors",
        "Wireless sensor nodes",
        "Wearable health monitors",
        "Battery-current monitors",
        "Energy-harvesting supplies",
    ),
}
_BODY = {
    "SOIC": "4.90 mm × 3.90 mm",
    "SOT-23": "2.90 mm × 1.60 mm",
    "SC70": "2.00 mm × 1.25 mm",
    "VSSOP": "3.00 mm × 3.00 mm",
    "TSSOP": "5.00 mm × 4.40 mm",
}


def _description(
    part: Amplifier, supplies: str, offset: str, bandwidth: str, current: str
) -> tuple[str, ...]:
    if part.high_voltage:
        return (
            f"The {part.part} is a single-channel, 36-V operational amplifier with rail-to-rail "
            f"input and output. Package-level trim holds the input offset voltage below {offset} "
            "and makes external adjustment unnecessary in most signal chains.",
            f"The device combines {bandwidth} of bandwidth and a slew rate of {part.slew:g} "
            f"{part.slew_unit} with a quiescent current of only {current}. It drives loads of up "
            f"to ±{part.short_circuit_ma:g} mA and is stable with {part.capacitive_load} nF at "
            "its output.",
            f"The {part.part} operates from supplies of {supplies} and is specified from –40°C "
            "to +125°C.",
        )
    return (
        "The ORAx247 family (ORA247 single, ORA2247 dual and ORA4247 quad) draws less than "
        "1 µA for each amplifier and gives sensors that stay on for years a signal path that "
        "never has to be switched off.",
        f"With {bandwidth} of bandwidth, inputs that take in both supply rails and {supplies} of "
        "supply range, the family runs from a single lithium cell down to its last millivolts.",
        "All versions are specified from –40°C to +125°C.",
    )


def _front_sketch(part: Amplifier) -> Sketch:
    return Sketch(TEXT_WIDTH, 134, _current_sense if part.high_voltage else _gas_sensor, scale=1.3)


def _current_sense(pen: Pen) -> None:
    pen.canvas.translate(0, 9)
    terminal(pen, 92, 112, "V_BUS")
    pen.line((94, 112), (150, 112))
    resistor(pen, (150, 112), (196, 112), "R_SHUNT", "10 mΩ")
    pen.line((196, 112), (236, 112), (236, 104))
    block(pen, 216, 82, 40, 22, "Load")
    pen.line((236, 82), (236, 78))
    ground(pen, 236, 78)
    pins = amplifier(pen, 292, 46, 34)
    for x, y, label in ((142, pins.plus[1], "R3"), (204, pins.minus[1], "R1")):
        pen.dot(x, 112)
        pen.line((x, 112), (x, y))
        resistor(pen, (x, y), (x + 60, y), label, "1 kΩ" if label == "R3" else "")
        pen.line((x + 60, y), (292, y))
    pen.text(234, 43.5, "1 kΩ", size=6.4)
    supply(pen, pins.top[0], pins.top[1], "V+")
    ground(pen, pins.bottom[0], pins.bottom[1])
    pen.line(pins.output, (374, 46))
    terminal(pen, 376, 46, "V_OUT", side="right")
    pen.line((276, 54.5), (276, 92), (346, 92), (346, 46))
    resistor(pen, (276, 92), (346, 92), "R2", "50 kΩ")
    pen.line((268, pins.plus[1]), (268, 8), (300, 8))
    resistor(pen, (268, 8), (334, 8), "R4", "50 kΩ")
    terminal(pen, 336, 8, "V_REF", side="right")
    for x, y in ((276, 54.5), (346, 46), (268, pins.plus[1])):
        pen.dot(x, y)


def _gas_sensor(pen: Pen) -> None:
    block(pen, 60, 44, 62, 46, "Electrochemical", "CO cell", shaded=True)
    pen.line((122, 67), (190, 67))
    resistor(pen, (122, 67), (190, 67), "R_LOAD", "33 Ω")
    pins = amplifier(pen, 205, 59, 34, "", plus_on_top=False)
    pen.line((190, 67), pins.minus)
    pen.line((190, 50), pins.plus)
    block(pen, 140, 22, 50, 28, "2.5-V", "reference")
    supply(pen, pins.top[0], pins.top[1], "V_BAT")
    ground(pen, pins.bottom[0], pins.bottom[1])
    pen.line(pins.output, (300, 59))
    pen.dot(197, 67)
    pen.line((197, 67), (197, 104), (265, 104), (265, 59))
    resistor(pen, (197, 104), (265, 104), "R_F", "110 kΩ")
    pen.dot(265, 59)
    resistor(pen, (265, 59), (325, 59), "", "1 kΩ")
    pen.dot(325, 59)
    capacitor(pen, (325, 59), (325, 30), "1 µF")
    ground(pen, 325, 30)
    pen.line((325, 59), (352, 59))
    block(pen, 352, 44, 66, 30, "ORC1604", "16-bit ADC", bold=True)
