"""Low-dropout regulators: page 1, pins and specifications."""

from __future__ import annotations

from sample_library_source import common
from sample_library_source.common import Front
from sample_library_source.house import TEXT_WIDTH
from sample_library_source.pen import Pen, Sketch
from sample_library_source.regulator_charts import typical_characteristics
from sample_library_source.regulator_data import Regulator
from sample_library_source.schematic import block, capacitor, ground, package, resistor, terminal
from sample_library_source.sheet import Sheet
from sample_library_source.tables import Grid, Line, SpecificationRow, parameter

HOT = "T_J = –40°C to 125°C"
_BODY = {
    "SOT-23": "2.90 mm × 1.60 mm",
    "WSON": "2.00 mm × 2.00 mm",
    "SOIC PowerPAD": "4.90 mm × 3.90 mm",
}


def front(part: Regulator) -> Front:
    """Page 1 of a regulator."""
    amps = f"{part.rated_ma} mA" if part.rated_ma < 1000 else "1 A"
    features = (
        f"Output current: {amps}",
        f"Input voltage: {part.input_v[0]:g} V to {part.input_v[1]:g} V",
        f"Dropout voltage: {part.dropout_mv[0]} mV at {amps} (typical)",
        f"Ground current: {part.ground_ua[0]} µA without load",
        f"Output accuracy: ±{part.accuracy[0]:g}%",
        f"Output noise: {part.noise_uv:g} µV_RMS, 10 Hz to 100 kHz",
        f"Power-supply rejection: {part.psrr[1]} dB at 1 kHz",
        "Fixed output voltages and an adjustable version",
        f"Stable with ceramic capacitors from {part.output_uf[0]:g} µF",
        "Current limit and thermal shutdown",
        f"Active output discharge: {part.discharge_ohm} Ω",
        *(("Soft start set by a capacitor",) if part.soft_start else ()),
    )
    packages = dict.fromkeys((item.package, item.pins) for item in part.orderables)
    return Front(
        features,
        (
            "RF and PLL supplies",
            "Camera and image-sensor modules",
            "Medical instruments",
            "Post-regulation of switching converters",
        )
        if part.soft_start
        else (
            "Smart meters and thermostats",
            "Battery-powered equipment",
            "Wi-Fi and Bluetooth modules",
            "Set-top boxes and gateways",
        ),
        (
            f"The {part.part} is a linear regulator that supplies {amps} with a dropout voltage "
            f"of only {part.dropout_mv[0]} mV. It regulates from inputs as low as "
            f"{part.input_v[0]:g} V and draws {part.ground_ua[0]} µA when nothing is connected.",
            f"The output is accurate within ±{part.accuracy[0]:g}% at room temperature and "
            f"±{part.accuracy[1]:g}% over line, load and temperature. A ceramic capacitor of "
            f"{part.output_uf[0]:g} µF at the output is enough for stability.",
            "When EN is low the pass transistor is off, the supply current falls below "
            f"{part.shutdown_ua[1]:g} µA, and a {part.discharge_ohm}-Ω transistor discharges the "
            "output.",
        ),
        tuple((part.part, f"{name} ({n_pins})", _BODY[name]) for name, n_pins in packages),
        Sketch(TEXT_WIDTH, 100, lambda pen: _typical_circuit(pen, part), scale=1.3),
        "Typical Application, Adjustable Version",
    )


def _typical_circuit(pen: Pen, part: Regulator) -> None:
    terminal(pen, 95, 76, "V_IN")
    pen.line((97, 76), (190, 76))
    pen.dot(130, 76)
    capacitor(pen, (130, 76), (130, 30), "C_IN", f"{part.output_uf[0]:g} µF")
    ground(pen, 130, 30)
    block(pen, 190, 28, 90, 60, part.part, bold=True, size=8)
    for y, name in ((76, "IN"), (46, "EN")):
        pen.text(194, y - 2.4, name, anchor="start")
    for y, name in ((76, "OUT"), (46, "FB")):
        pen.text(276, y - 2.4, name, anchor="end")
    pen.text(235, 32, "GND")
    pen.line((235, 28), (235, 18))
    ground(pen, 235, 18)
    pen.line((176, 76), (176, 46), (190, 46))
    pen.dot(176, 76)
    pen.line((280, 76), (400, 76))
    terminal(pen, 402, 76, "V_OUT", side="right")
    resistor(pen, (310, 76), (310, 46), "R1")
    resistor(pen, (310, 46), (310, 16), "R2")
    pen.line((280, 46), (310, 46))
    for x, y in ((310, 76), (310, 46), (360, 76)):
        pen.dot(x, y)
    ground(pen, 310, 16)
    capacitor(pen, (360, 76), (360, 30), "C_OUT", f"{part.output_uf[0]:g} µF")
    ground(pen, 360, 30)


def pins(sheet: Sheet, part: Regulator) -> None:
    """Chapter on pins."""
    sheet.chapter("Pin Configuration and Functions", key="pinout")

    def paint(pen: Pen) -> None:
        if part.soft_start:
            left = [("1", "OUT"), ("2", "OUT"), ("3", "FB"), ("4", "GND")]
            right = [("8", "IN"), ("7", "IN"), ("6", "SS"), ("5", "EN")]
            package(pen, 140, 46, ("DSG and DDA Packages", "8-Pin WSON, SOIC (Top View)"),
                    left, right)  # fmt: skip
        else:
            package(pen, 110, 46, ("DBV Package, Fixed", "5-Pin SOT-23 (Top View)"),
                    [("1", "IN"), ("2", "GND"), ("3", "EN")],
                    [("5", "OUT"), ("4", "NC")])  # fmt: skip
            package(pen, 350, 46, ("DRV Package, Adjustable", "6-Pin WSON (Top View)"),
                    [("1", "OUT"), ("2", "FB"), ("3", "GND")],
                    [("6", "IN"), ("5", "NC"), ("4", "EN")])  # fmt: skip

    sheet.figure(Sketch(TEXT_WIDTH, 108, paint), f"{part.part} Packages, Top View")
    if part.soft_start:
        header = [["NAME", "NO.", "TYPE", "DESCRIPTION"]]
        rows = [
            ["EN", "5", "I", f"Enable. Above {part.enable_v[1]:g} V on, below "
             f"{part.enable_v[0]:g} V off; do not leave open"],
            ["FB", "3", "I", f"Feedback of the adjustable version, {part.reference_v:.3f} V"],
            ["GND", "4, pad", "G", "Ground; solder the exposed pad to the ground plane"],
            ["IN", "7, 8", "P", f"Input; bypass with at least {part.output_uf[0]:g} µF"],
            ["OUT", "1, 2", "O", "Regulated output"],
            ["SS", "6", "I/O", "Soft start; a capacitor to GND sets the start-up time"],
        ]  # fmt: skip
        grid = Grid(header, rows, (0.7, 0.7, 0.6, 4), "lccl")
    else:
        header = [["PIN", "", "", "TYPE", "DESCRIPTION"], ["NAME", "DBV", "DRV", "", ""]]
        rows = [
            ["EN", "3", "4", "I", f"Enable. Above {part.enable_v[1]:g} V on, below "
             f"{part.enable_v[0]:g} V off; do not leave open"],
            ["FB", "—", "2", "I", f"Feedback of the adjustable version, {part.reference_v:.3f} V"],
            ["GND", "2", "3, pad", "G", "Ground"],
            ["IN", "1", "6", "P", f"Input; bypass with at least {part.output_uf[0]:g} µF"],
            ["NC", "4", "5", "—", "No internal connection"],
            ["OUT", "5", "1", "O", "Regulated output"],
        ]  # fmt: skip
        spans = [(0, 0, 2, 0), (3, 0, 3, 1), (4, 0, 4, 1)]
        grid = Grid(header, rows, (0.7, 0.7, 0.7, 0.6, 4), "lcccl", spans)
    common.pin_table(sheet, grid, f"Pin Functions: {part.part}")


def specifications(sheet: Sheet, part: Regulator) -> None:
    """Chapter with ratings, characteristics and plots."""
    sheet.chapter("Specifications", key="specifications")
    top = f"{part.input_maximum:g}"
    common.absolute_maximum(
        sheet,
        [
            ["Voltage", "IN, EN", "–0.3", top, "V"],
            ["", "OUT", "–0.3", "V_IN + 0.3", "V"],
            ["", "FB" + (", SS" if part.soft_start else ""), "–0.3", "3.6", "V"],
            ["Output current", "", "Internally limited", "", ""],
            ["Temperature", "Junction, T_J", "–55", "150", "°C"],
            ["", "Storage, T_stg", "–65", "150", "°C"],
        ],
        "All voltages are with respect to the GND pin.",
    )
    common.esd_ratings(sheet, 2000, 750 if part.soft_start else 500)
    common.recommended(
        sheet,
        [
            ["V_IN", "Input voltage", f"{part.input_v[0]:g}", "", f"{part.input_v[1]:g}", "V"],
            ["V_OUT", "Output voltage, adjustable version",
             f"{part.reference_v:g}", "", "5.2", "V"],
            ["I_OUT", "Output current", "0", "", f"{part.rated_ma}", "mA"],
            ["C_IN", "Input capacitance", f"{part.output_uf[0]:g}", "", "", "µF"],
            ["C_OUT", "Output capacitance^{(1)}", f"{part.output_uf[0]:g}", "",
             f"{part.output_uf[1]:g}", "µF"],
            ["T_J", "Junction temperature", "–40", "", "125", "°C"],
        ],
        "Effective capacitance after derating for bias voltage, temperature and tolerance.",
    )  # fmt: skip
    common.thermal_information(sheet, part.part, part.thermals)
    sheet.specification(
        "Electrical Characteristics",
        f"at T_J = –40°C to 125°C, V_IN = V_OUT(NOM) + 0.5 V or {part.input_v[0]:g} V (whichever "
        f"is greater), I_OUT = 1 mA, V_EN = V_IN, C_IN = C_OUT = {part.output_uf[0]:g} µF; "
        "typical values at T_J = 25°C (unless otherwise noted)",
        characteristics(part),
        "Measured with V_IN 100 mV below the nominal output voltage, V_OUT(NOM) = 3.3 V.",
        key="characteristics",
    )
    sheet.section("Typical Characteristics", key="typical", room=230)
    sheet.text(
        "at T_J = 25°C, V_OUT = 3.3 V, V_IN = 3.8 V and C_OUT = "
        f"{part.output_uf[0]:g} µF (unless otherwise noted)"
    )
    sheet.charts(*typical_characteristics(part))


def characteristics(part: Regulator) -> list[SpecificationRow]:
    """Rows of the electrical characteristics."""
    full = f"I_OUT = {part.rated_ma} mA"
    half = f"I_OUT = {part.rated_ma // 2} mA"
    rows: list[SpecificationRow] = [
        "OUTPUT",
        parameter(
            "V_OUT", "Output accuracy",
            Line("T_J = 25°C", f"–{part.accuracy[0]:g}", "", f"{part.accuracy[0]:g}", "%"),
            Line(f"I_OUT = 1 mA to {part.rated_ma} mA", f"–{part.accuracy[1]:g}", "",
                 f"{part.accuracy[1]:g}"),
        ),
        parameter(
            "V_REF", "Reference voltage, adjustable version",
            Line("T_J = 25°C", f"{part.reference_v * 0.99:.3f}", f"{part.reference_v:.3f}",
                 f"{part.reference_v * 1.01:.3f}", "V"),
        ),
        parameter(
            "ΔV_OUT(ΔV_IN)", "Line regulation",
            Line(f"V_IN up to {part.input_v[1]:g} V", "", f"{part.line:g}",
                 f"{part.line * 5:g}", "%/V"),
        ),
        parameter(
            "ΔV_OUT(ΔI_OUT)", "Load regulation",
            Line(f"I_OUT = 1 mA to {part.rated_ma} mA", "", f"{part.load:g}",
                 f"{part.load * 3:g}", "mV"),
        ),
        parameter(
            "V_DO", "Dropout voltage^{(1)}",
            Line(half, "", f"{part.dropout_half_mv[0]}", f"{part.dropout_half_mv[1]}", "mV"),
            Line(full, "", f"{part.dropout_mv[0]}", f"{part.dropout_mv[1]}"),
        ),
        parameter(
            "I_LIM", "Output current limit",
            Line("V_OUT = 0.9 × V_OUT(NOM)", *_three(part.limit_ma), "mA"),
        ),
        "SUPPLY CURRENT",
        parameter(
            "I_GND", "Ground pin current",
            Line("I_OUT = 0 mA", "", f"{part.ground_ua[0]}", f"{part.ground_ua[1]}", "µA"),
            Line(full, "", f"{part.ground_full_ua[0]}", f"{part.ground_full_ua[1]}"),
        ),
        parameter(
            "I_SHDN", "Shutdown current",
            Line("V_EN ≤ 0.3 V", "", f"{part.shutdown_ua[0]:g}", f"{part.shutdown_ua[1]:g}", "µA"),
        ),
        *_dynamic(part),
    ]  # fmt: skip
    return rows


def _three(values: tuple[float, float, float]) -> tuple[str, str, str]:
    low, typical, high = values
    return f"{low:g}", f"{typical:g}", f"{high:g}"


def _dynamic(part: Regulator) -> list[SpecificationRow]:
    frequencies = ("100 Hz", "1 kHz", "10 kHz", "100 kHz", "1 MHz")
    lines = [
        Line(f"f = {name}, I_OUT = {part.rated_ma // 2} mA", "", f"{value}", "", "" if i else "dB")
        for i, (name, value) in enumerate(zip(frequencies, part.psrr, strict=True))
    ]
    soft_start: tuple[SpecificationRow, ...] = (
        parameter("I_SS", "Soft-start charging current",
                  Line("V_SS = 0 V", "0.7", "1.0", "1.3", "µA")),
    ) if part.soft_start else ()  # fmt: skip
    condition = "C_SS = open" if part.soft_start else "V_OUT(NOM) = 3.3 V"
    return [
        "DYNAMIC PERFORMANCE",
        parameter("PSRR", "Power-supply rejection ratio", *lines),
        parameter(
            "V_n", "Output noise voltage",
            Line(f"BW = 10 Hz to 100 kHz, I_OUT = {part.rated_ma} mA", "", f"{part.noise_uv:g}", "",
                 "µV_RMS"),
        ),
        parameter(
            "t_STR", "Start-up time",
            Line(f"From EN high to 95% of V_OUT, {condition}", "", f"{part.startup_us}", "", "µs"),
        ),
        *soft_start,
        parameter(
            "R_DIS", "Output discharge resistance",
            Line("V_EN = 0 V, V_IN = 3.8 V", "", f"{part.discharge_ohm}", "", "Ω"),
        ),
        "ENABLE AND PROTECTION",
        parameter("V_EN(HI)", "EN input high level (enabled)",
                  Line("", f"{part.enable_v[1]:g}", "", "", "V")),
        parameter("V_EN(LO)", "EN input low level (disabled)",
                  Line("", "", "", f"{part.enable_v[0]:g}", "V")),
        parameter("I_EN", "EN input current", Line("V_EN = V_IN", "", "10", "90", "nA")),
        parameter("V_UVLO", "Undervoltage lockout threshold",
                  Line("V_IN rising", *_three(part.uvlo_v), "V")),
        parameter("V_HYS", "Undervoltage lockout hysteresis",
                  Line("V_IN falling", "", "90", "", "mV")),
        parameter(
            "T_SD", "Thermal shutdown temperature",
            Line("Shutdown, temperature rising", "", f"{part.shutdown_c[0]}", "", "°C"),
            Line("Hysteresis", "", f"{part.shutdown_c[1]}"),
        ),
    ]  # fmt: skip
