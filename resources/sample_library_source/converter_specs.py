"""Analogue-to-digital converters: page 1, pins, specifications and plots."""

from __future__ import annotations

import math

from sample_library_source import common, digital
from sample_library_source.charts import Axis, Chart, Curve, sampled
from sample_library_source.common import Front
from sample_library_source.converter_data import FAST, FAST_PLUS, RANGES_V, Converter
from sample_library_source.house import ACCENT, TEXT_WIDTH
from sample_library_source.pen import Pen, Point, Sketch
from sample_library_source.schematic import block, package, supply
from sample_library_source.sheet import Sheet
from sample_library_source.tables import Grid, Line, SpecificationRow, parameter

HOT = "T_A = –40°C to 125°C"


def front(part: Converter) -> Front:
    """Page 1 of a converter."""
    low, high = part.rates[0], part.rates[-1]
    return Front(
        (
            f"{part.bits}-bit resolution without missing codes",
            f"Programmable data rate: {low} SPS to {high} SPS",
            "Four single-ended or two differential inputs",
            "Programmable-gain amplifier: ±0.32 V to ±5.12 V",
            f"Integral nonlinearity: ±{part.inl_lsb[1]:g} LSB (maximum)",
            f"Gain error: ±{part.gain_error[1]:g}% (maximum)",
            "Internal reference and oscillator",
            f"Supply current: {part.supply_ua[0]} µA in continuous mode (typical)",
            f"Supply range: {part.supply_v[0]:.1f} V to {part.supply_v[1]:g} V",
            "I²C interface up to 1 MHz with four addresses",
            "Programmable comparator with ALERT output",
        ),
        (
            "Battery voltage and current monitors",
            "Temperature measurement with RTDs and thermocouples",
            "Portable instruments",
            "Factory automation and process control",
        ),
        (
            f"The {part.part} is a delta-sigma analog-to-digital converter of {part.bits} bits "
            "with a programmable-gain amplifier, a voltage reference and an oscillator on the "
            "chip. An input multiplexer connects two differential or four single-ended signals.",
            f"Conversions run at {low} SPS to {high} SPS, continuously or one at a time. After a "
            "single conversion the device powers itself down, which reduces the supply current "
            f"to {part.powerdown_ua[0]:g} µA.",
            "A digital comparator watches the result against two thresholds and pulls the ALERT "
            "pin, so that the host sleeps until something happens.",
        ),
        (
            (part.part, "VSSOP (10)", "3.00 mm × 3.00 mm"),
            (part.part, "X2QFN (10)", "2.00 mm × 1.50 mm"),
        ),
        Sketch(TEXT_WIDTH, 118, lambda pen: block_diagram(pen, part), scale=1.22),
        "Simplified Block Diagram",
    )


def block_diagram(pen: Pen, part: Converter) -> None:
    """Draw the converter's blocks."""
    pen.rectangle(92, 4, 310, 102, fill=None, colour=ACCENT, dash=(4, 2))
    for index in range(4):
        y = 88 - 20 * index
        pen.text(74, y - 2.4, f"AIN{index}", anchor="end")
        pen.line((78, y), (108, y))
    pen.polygon((108, 98), (134, 86), (134, 30), (108, 18))
    pen.lines_of_text(121, 58, ("MUX",))
    pen.polygon((152, 76), (186, 58), (152, 40))
    pen.text(164, 55.6, "PGA", size=6.6)
    pen.line((134, 66), (152, 66))
    pen.line((134, 50), (152, 50))
    block(pen, 206, 38, 66, 40, f"{part.bits}-bit", "ΔΣ ADC", shaded=True)
    pen.arrow((186, 58), (206, 58))
    block(pen, 206, 84, 66, 17, "Reference")
    pen.arrow((239, 84), (239, 78))
    block(pen, 206, 10, 66, 17, "Oscillator")
    pen.arrow((239, 27), (239, 38))
    block(pen, 300, 44, 42, 52, "I²C", "interface")
    pen.arrow((272, 62), (300, 62))
    block(pen, 300, 10, 62, 22, "Comparator")
    pen.arrow((286, 62), (286, 21), head=0.1)
    pen.arrow((286, 21), (300, 21))
    for y, name in ((88, "SCL"), (70, "SDA"), (52, "ADDR")):
        pen.line((342, y), (424, y))
        pen.text(428, y - 2.4, name, anchor="start")
    pen.line((362, 21), (424, 21))
    pen.text(428, 18.6, "ALERT", anchor="start")
    pen.line((378, 106), (378, 96))
    supply(pen, 378, 106, "VDD")


def pins(sheet: Sheet, part: Converter) -> None:
    """Chapter on pins."""
    sheet.chapter("Pin Configuration and Functions", key="pinout")
    left = [("1", "ADDR"), ("2", "ALERT"), ("3", "GND"), ("4", "AIN0"), ("5", "AIN1")]
    right = [("10", "SCL"), ("9", "SDA"), ("8", "VDD"), ("7", "AIN3"), ("6", "AIN2")]

    def paint(pen: Pen) -> None:
        title = ("DGS and RUG Packages", "10-Pin VSSOP, X2QFN (Top View)")
        package(pen, TEXT_WIDTH / 2, 48, title, left, right, width=74)

    sheet.figure(Sketch(TEXT_WIDTH, 118, paint), f"{part.part} Packages, Top View")
    rows = [
        ["ADDR", "1", "I", "Selects one of four bus addresses, see {see:addresses}"],
        ["AIN0", "4", "I", "Analog input 0, positive input of the first differential pair"],
        ["AIN1", "5", "I", "Analog input 1, negative input of the first differential pair"],
        ["AIN2", "6", "I", "Analog input 2, positive input of the second differential pair"],
        ["AIN3", "7", "I", "Analog input 3, negative input of the second differential pair"],
        ["ALERT", "2", "O", "Comparator output or conversion ready; open drain"],
        ["GND", "3", "G", "Ground"],
        ["SCL", "10", "I", "Serial clock"],
        ["SDA", "9", "I/O", "Serial data; open drain"],
        ["VDD", "8", "P", "Supply; bypass with 0.1 µF to GND"],
    ]
    rows = [[sheet.markup(cell, 7.6) for cell in row] for row in rows]
    header = [["NAME", "NO.", "TYPE", "DESCRIPTION"]]
    common.pin_table(sheet, Grid(header, rows, (0.8, 0.6, 0.6, 4), "lccl"),
                     f"Pin Functions: {part.part}")  # fmt: skip


def specifications(sheet: Sheet, part: Converter) -> None:
    """Chapter with ratings, characteristics, timing and plots."""
    sheet.chapter("Specifications", key="specifications")
    common.absolute_maximum(
        sheet,
        [
            ["Supply voltage", "VDD to GND", "–0.3", "6.5", "V"],
            ["Analog input voltage", "AIN0, AIN1, AIN2, AIN3", "GND – 0.3", "VDD + 0.3", "V"],
            ["Digital voltage", "SDA, SCL, ADDR, ALERT", "GND – 0.3", "6", "V"],
            ["Input current, continuous", "Any pin except supply pins", "–10", "10", "mA"],
            ["Temperature", "Operating, T_A", "–40", "125", "°C"],
            ["", "Junction, T_J", "", "150", "°C"],
            ["", "Storage, T_stg", "–60", "150", "°C"],
        ],
    )
    common.esd_ratings(sheet, 3000, 750)
    common.recommended(
        sheet,
        [
            ["VDD", "Supply voltage", f"{part.supply_v[0]:g}", "3.3", f"{part.supply_v[1]:g}", "V"],
            ["V_IN", "Differential input voltage^{(1)}", "–5.12", "", "5.12", "V"],
            ["V_AINx", "Absolute input voltage", "GND", "", "VDD", "V"],
            ["V_DIG", "Digital input voltage", "GND", "", "5.5", "V"],
            ["T_A", "Ambient temperature", "–40", "25", "125", "°C"],
        ],
        "No input may exceed VDD, whatever the full-scale range.",
    )
    common.thermal_information(sheet, part.part, part.thermals)
    sheet.specification(
        "Electrical Characteristics",
        f"at VDD = 3.3 V, data rate = {part.rates[0]} SPS and full-scale range = ±2.56 V; maximum "
        "and minimum specifications apply from T_A = –40°C to 125°C, typical ones are at "
        "T_A = 25°C (unless otherwise noted)",
        characteristics(part),
        "Best-fit line, 99% of full scale.",
        key="characteristics",
    )
    digital.timing_requirements(sheet, FAST, FAST_PLUS)
    sheet.section("Typical Characteristics", key="typical", room=230)
    sheet.text("at T_A = 25°C, VDD = 3.3 V and full-scale range = ±2.56 V (unless otherwise noted)")
    sheet.charts(*_charts(part))


def characteristics(part: Converter) -> list[SpecificationRow]:
    """Rows of the electrical characteristics."""
    impedance = ("22", "6", "4.8", "2.4", "0.9")
    return [
        "ANALOG INPUT",
        parameter(
            "Z_CM", "Common-mode input impedance",
            Line("FSR = ±5.12 V, ±2.56 V", "", "8", "", "MΩ"),
            Line("FSR ≤ ±1.28 V", "", "90"),
        ),
        parameter(
            "Z_DIFF", "Differential input impedance",
            *(Line(f"FSR = ±{v:g} V", "", z, "", "" if i else "MΩ")
              for i, (v, z) in enumerate(zip(RANGES_V, impedance, strict=True))),
        ),
        "SYSTEM PERFORMANCE",
        parameter("", "Resolution without missing codes",
                  Line("", f"{part.bits}", "", "", "Bits")),
        parameter(
            "DR", "Data rate",
            Line("", "", ", ".join(map(str, part.rates[:4])) + ",", "", "SPS"),
            Line("", "", ", ".join(map(str, part.rates[4:]))),
        ),
        parameter("", "Data rate variation", Line("All data rates", "–5", "", "5", "%")),
        parameter(
            "INL", "Integral nonlinearity^{(1)}",
            Line("", "", f"{part.inl_lsb[0]:g}", f"{part.inl_lsb[1]:g}", "LSB"),
        ),
        parameter(
            "V_OFF", "Offset error",
            Line("Differential inputs", "", f"±{part.offset_lsb[0]:g}",
                 f"±{part.offset_lsb[1]:g}", "LSB"),
            Line("Single-ended inputs", "", f"±{part.offset_lsb[0] * 1.5:g}"),
        ),
        parameter("", "Offset drift", Line(HOT, "", f"{part.offset_drift:g}", "", "LSB/°C")),
        parameter(
            "E_G", "Gain error, reference included",
            Line("T_A = 25°C", "", f"±{part.gain_error[0]:g}", f"±{part.gain_error[1]:g}", "%"),
        ),
        parameter(
            "", "Gain drift, reference included",
            Line(HOT, "", f"{part.gain_drift[0]:g}", f"{part.gain_drift[1]:g}", "ppm/°C"),
        ),
        parameter("CMRR", "Common-mode rejection ratio",
                  Line("At dc, FSR = ±0.32 V", "", f"{part.cmrr_db}", "", "dB")),
        parameter("PSRR", "Power-supply rejection ratio",
                  Line("At dc, VDD = 2.0 V to 5.5 V", "", f"{part.psrr_db}", "", "dB")),
        *_digital_rows(part),
    ]  # fmt: skip


def _digital_rows(part: Converter) -> list[SpecificationRow]:
    typical, warm, hot = part.supply_ua
    return [
        "DIGITAL INPUTS AND OUTPUTS",
        parameter("V_IH", "High-level input voltage", Line("", "0.7 × VDD", "", "5.5", "V")),
        parameter("V_IL", "Low-level input voltage", Line("", "GND", "", "0.3 × VDD", "V")),
        parameter("V_OL", "Low-level output voltage", Line("I_OL = 3 mA", "", "0.15", "0.4", "V")),
        parameter("I_LKG", "Input leakage current",
                  Line("GND &lt; V_DIG &lt; VDD", "–10", "", "10", "µA")),
        "POWER SUPPLY",
        parameter(
            "I_VDD", "Supply current",
            Line("Continuous mode", "", f"{typical}", f"{warm}", "µA", "T_A = 25°C"),
            Line("Continuous mode", "", "", f"{hot}", "", HOT),
            Line("Power-down", "", f"{part.powerdown_ua[0]:g}", f"{part.powerdown_ua[1]:g}", "",
                 "T_A = 25°C"),
            Line("Power-down", "", "", f"{part.powerdown_ua[1] * 2.5:g}", "", HOT),
        ),
        parameter("t_WAKE", "Wake-up time from power-down",
                  Line("", "", f"{part.wakeup_us}", "", "µs")),
        parameter(
            "P_D", "Power dissipation",
            Line("VDD = 5.0 V", "", f"{typical * 1.15 * 5 / 1000:.2f}", "", "mW"),
            Line("VDD = 3.3 V", "", f"{typical * 3.3 / 1000:.2f}"),
            Line("VDD = 2.0 V", "", f"{typical * 0.92 * 2 / 1000:.2f}"),
        ),
    ]  # fmt: skip


def noise_table(sheet: Sheet, part: Converter) -> None:
    """Write the RMS and peak-to-peak noise over data rate and range."""
    header = [
        ["DATA RATE (SPS)", "FULL-SCALE RANGE", *[""] * (len(RANGES_V) - 1)],
        ["", *(f"±{value:g} V" for value in RANGES_V)],
    ]
    rows = []
    for rate in part.rates:
        cells = []
        for value in RANGES_V:
            rms = part.noise_uv(value, rate)
            cells.append(f"{rms:.4g} ({rms * 6.6:.4g})")
        rows.append([f"{rate}", *cells])
    spans = [(0, 0, 0, 1), (1, 0, len(RANGES_V), 0)]
    sheet.table(
        Grid(header, rows, (1, *[1.1] * len(RANGES_V)), "c" * (1 + len(RANGES_V)), spans),
        "Noise in µV_RMS (µV_PP) at VDD = 3.3 V",
        key="noise-table",
    )


def _charts(part: Converter) -> tuple[tuple[Chart, str, str], ...]:
    typical, _, hot = part.supply_ua
    top = math.ceil(hot / 100) * 100.0

    def current(scale: float) -> tuple[Point, ...]:
        return sampled(lambda t: typical * scale * (1 + 0.0017 * (t - 25)), -40, 125)

    supply_current = Chart(
        Axis("Temperature (°C)", -50, 125, 25), Axis("Supply Current (µA)", 0, top, 50),
        (Curve("VDD = 5 V", current(1.15)), Curve("VDD = 3.3 V", current(1.0)),
         Curve("VDD = 2 V", current(0.92))), legend="sw",
    )  # fmt: skip
    bound = part.inl_lsb[1]

    def nonlinearity(v: float) -> float:
        x = v / 2.56
        return part.inl_lsb[0] * (2.4 * (x**3 - x * 0.72) + 0.35 * math.sin(9 * x))

    inl = Chart(
        Axis("Input Voltage (V)", -3, 3, 1), Axis("INL (LSB)", -bound, bound, bound / 4),
        (Curve("", sampled(nonlinearity, -2.56, 2.56, 120)),),
    )  # fmt: skip

    def gain_error(slope: float) -> tuple[Point, ...]:
        drift = part.gain_drift[0] * 1e-4
        return sampled(lambda t: slope * (part.gain_error[0] + drift * (t - 25)), -40, 125)

    gain = Chart(
        Axis("Temperature (°C)", -50, 125, 25), Axis("Gain Error (%)", -0.4, 0.4, 0.1),
        tuple(
            Curve(f"FSR = ±{v:g} V", gain_error(slope))
            for v, slope in ((5.12, -1.0), (2.56, 0.6), (0.32, 1.4))
        ),
        legend="nw",
    )  # fmt: skip
    return (
        (supply_current, "Supply Current vs Temperature", "supply-current"),
        (inl, "Integral Nonlinearity vs Input Voltage", "inl"),
        (gain, "Gain Error vs Temperature", "gain-error"),
        (_filter(part), "Frequency Response of the Digital Filter", "filter"),
    )


def _filter(part: Converter) -> Chart:
    rate = float(part.rates[part.default_rate_index])

    def response(f: float) -> float:
        x = math.pi * f / rate
        value = abs(math.sin(x) / x) if x else 1.0
        return 20 * math.log10(max(value, 1e-4))

    span = rate * 5
    return Chart(
        Axis("Frequency (Hz)", 0, span, span / 5),
        Axis("Gain (dB)", -80, 10, 10),
        (Curve("", sampled(response, 0, span, 400)),),
        remarks=(f"Data rate = {rate:.0f} SPS",),
        remarks_corner="ne",
    )
