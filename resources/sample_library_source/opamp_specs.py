"""Operational amplifiers: pins and specifications."""

from __future__ import annotations

from sample_library_source import common
from sample_library_source.common import signed
from sample_library_source.house import TEXT_WIDTH
from sample_library_source.opamp_data import Amplifier
from sample_library_source.opamp_front import BANDWIDTH_UNIT
from sample_library_source.pen import Pen, Sketch
from sample_library_source.schematic import package
from sample_library_source.sheet import Sheet
from sample_library_source.tables import Grid, Line, SpecificationRow, parameter

HOT = "T_A = –40°C to 125°C"


def pins(sheet: Sheet, part: Amplifier) -> None:
    """Chapter on pins: drawings and the pin table."""
    sheet.chapter("Pin Configuration and Functions", new_page=True, key="pinout")
    top = [("1", "OUT"), ("2", "V–"), ("3", "+IN")], [("5", "V+"), ("4", "–IN")]
    eight = [("1", "NC"), ("2", "–IN"), ("3", "+IN"), ("4", "V–")]
    right = [("8", "NC"), ("7", "V+"), ("6", "OUT"), ("5", "NC")]

    def paint(pen: Pen) -> None:
        if part.high_voltage:
            package(pen, 125, 48, ("D Package", "8-Pin SOIC (Top View)"), eight, right)
            package(pen, 365, 48, ("DBV Package", "5-Pin SOT-23 (Top View)"), *top)
        else:
            _paint_family(pen, top)

    caption = f"{part.family} Packages, Top View"
    sheet.figure(Sketch(TEXT_WIDTH, 112 if part.high_voltage else 160, paint), caption)
    if part.high_voltage:
        rows = [
            ["+IN", "3", "3", "I", "Noninverting input"],
            ["–IN", "2", "4", "I", "Inverting input"],
            ["NC", "1, 5, 8", "—", "—", "No internal connection; can be left floating"],
            ["OUT", "6", "1", "O", "Output"],
            ["V+", "7", "5", "P", "Positive (highest) supply"],
            ["V–", "4", "2", "P", "Negative (lowest) supply; ground in single-supply circuits"],
        ]
        header = [["PIN", "", "", "TYPE", "DESCRIPTION"], ["NAME", "D", "DBV", "", ""]]
        spans = [(0, 0, 2, 0), (3, 0, 3, 1), (4, 0, 4, 1)]
        grid = Grid(header, rows, (0.8, 0.8, 0.8, 0.7, 4), "lcccl", spans)
    else:
        grid = _family_pins()
    common.pin_table(sheet, grid, f"Pin Functions: {part.family}")


def _paint_family(pen: Pen, top: tuple[list[tuple[str, str]], list[tuple[str, str]]]) -> None:
    dual = [("1", "OUT A"), ("2", "–IN A"), ("3", "+IN A"), ("4", "V–")]
    dual_right = [("8", "V+"), ("7", "OUT B"), ("6", "–IN B"), ("5", "+IN B")]
    quad = [("1", "OUT A"), ("2", "–IN A"), ("3", "+IN A"), ("4", "V+"), ("5", "+IN B"),
            ("6", "–IN B"), ("7", "OUT B")]  # fmt: skip
    quad_right = [("14", "OUT D"), ("13", "–IN D"), ("12", "+IN D"), ("11", "V–"),
                  ("10", "+IN C"), ("9", "–IN C"), ("8", "OUT C")]  # fmt: skip
    package(pen, 80, 66, ("ORA247: DCK and DBV", "5-Pin SC70, SOT-23"), *top)
    package(pen, 246, 66, ("ORA2247: DGK and D", "8-Pin VSSOP, SOIC"), dual, dual_right)
    package(pen, 412, 66, ("ORA4247: PW", "14-Pin TSSOP"), quad, quad_right)


def _family_pins() -> Grid:
    header = [
        ["PIN", "", "", "", "TYPE", "DESCRIPTION"],
        ["NAME", "ORA247", "ORA2247", "ORA4247", "", ""],
    ]
    rows = [
        ["+IN", "3", "—", "—", "I", "Noninverting input"],
        ["–IN", "4", "—", "—", "I", "Inverting input"],
        ["+IN A, –IN A", "—", "3, 2", "3, 2", "I", "Inputs of channel A"],
        ["+IN B, –IN B", "—", "5, 6", "5, 6", "I", "Inputs of channel B"],
        ["+IN C, –IN C", "—", "—", "10, 9", "I", "Inputs of channel C"],
        ["+IN D, –IN D", "—", "—", "12, 13", "I", "Inputs of channel D"],
        ["OUT", "1", "—", "—", "O", "Output"],
        ["OUT A, OUT B", "—", "1, 7", "1, 7", "O", "Outputs of channels A and B"],
        ["OUT C, OUT D", "—", "—", "8, 14", "O", "Outputs of channels C and D"],
        ["V+", "5", "8", "4", "P", "Positive (highest) supply"],
        ["V–", "2", "4", "11", "P", "Negative (lowest) supply"],
    ]
    spans = [(0, 0, 3, 0), (4, 0, 4, 1), (5, 0, 5, 1)]
    return Grid(header, rows, (1.2, 0.8, 0.8, 0.8, 0.6, 2.6), "lccccl", spans)


def specifications(sheet: Sheet, part: Amplifier) -> None:
    """Chapter with ratings and characteristics, up to the plots."""
    sheet.chapter("Specifications", key="specifications")
    differential = "(V+) – (V–) + 0.2" if part.high_voltage else "1"
    common.absolute_maximum(
        sheet,
        [
            ["Supply voltage, V_S = (V+) – (V–)", "", "0", f"{part.supply_maximum:g}", "V"],
            ["Signal input pins", "Common-mode voltage", "(V–) – 0.5", "(V+) + 0.5", "V"],
            ["", "Differential voltage", "", differential, "V"],
            ["", "Current^{(2)}", "–10", "10", "mA"],
            ["Output short circuit^{(3)}", "", "Continuous", "", ""],
            ["Temperature", "Operating, T_A", "–55", "150", "°C"],
            ["", "Junction, T_J", "", "150", "°C"],
            ["", "Storage, T_stg", "–65", "150", "°C"],
        ],
        "Input pins are diode-clamped to the supply rails. Limit the current of inputs that can "
        "swing more than 0.5 V beyond the rails to 10 mA or less.",
        "Short circuit to ground, one amplifier for each package.",
    )
    common.esd_ratings(sheet, *part.esd)
    low, high = part.supply
    dual = (["", "Dual supply", f"±{low / 2:g}", "", f"±{high / 2:g}", "V"],)
    common.recommended(
        sheet,
        [
            ["V_S", "Supply voltage, single supply", f"{low:g}", "", f"{high:g}", "V"],
            *dual,
            ["V_CM", "Common-mode input voltage", "(V–) – 0.1", "", "(V+) + 0.1", "V"],
            ["T_A", "Specified temperature", "–40", "25", "125", "°C"],
        ],
    )
    common.thermal_information(sheet, part.family, part.thermals)
    load = part.light_load
    supply_text = "±2.25 V to ±18 V" if part.high_voltage else "1.6 V to 5.5 V"
    sheet.specification(
        f"Electrical Characteristics: V_S = {supply_text}",
        f"at T_A = 25°C, V_CM = V_OUT = V_S / 2, and R_L = {load} connected to V_S / 2 "
        "(unless otherwise noted)",
        characteristics(part),
        "Specified by design and characterization; not production tested.",
        key="characteristics",
    )


def characteristics(part: Amplifier) -> list[SpecificationRow]:
    """Rows of the electrical characteristics."""
    full = "V_S = ±18 V" if part.high_voltage else "V_S = 5 V"
    unit = part.offset_unit
    offset, hot = part.offset, HOT
    bias_unit = "pA"
    return [
        "OFFSET VOLTAGE",
        parameter(
            "V_OS", "Input offset voltage",
            Line(full, "", signed(offset[0]), signed(offset[1]), unit),
            Line(full, "", "", signed(offset[2]), "", hot),
        ),
        parameter(
            "dV_OS/dT", "Input offset voltage drift",
            Line(hot, "", signed(part.drift[0]), signed(part.drift[1]), "µV/°C"),
        ),
        parameter(
            "PSRR", "Power-supply rejection ratio",
            Line(f"V_S = {part.supply[0]:g} V to {part.supply[1]:g} V", "", signed(part.psrr[0]),
                 signed(part.psrr[1]), "µV/V", hot),
        ),
        "INPUT BIAS CURRENT",
        parameter(
            "I_B", "Input bias current",
            Line("", "", signed(part.bias_pa[0]), signed(part.bias_pa[1]), bias_unit),
            Line(hot, "", "", signed(part.bias_hot_na), "nA"),
        ),
        parameter(
            "I_OS", "Input offset current",
            Line("", "", signed(part.bias_pa[0] / 2), signed(part.bias_pa[1] * 0.8), bias_unit),
            Line(hot, "", "", signed(part.bias_hot_na / 2), "nA"),
        ),
        *_noise_and_input(part, full),
        *_dynamic(part, full),
        *_output(part, full),
    ]  # fmt: skip


def _noise_and_input(part: Amplifier, full: str) -> list[SpecificationRow]:
    hot = HOT
    return [
        "NOISE",
        parameter(
            "E_n", "Input voltage noise",
            Line("f = 0.1 Hz to 10 Hz", "", f"{part.noise_pp_uv:g}", "", "µV_PP"),
        ),
        parameter(
            "e_n", "Input voltage noise density",
            Line("f = 100 Hz", "", f"{part.noise_nv[0]:g}", "", "nV/√Hz"),
            Line("f = 1 kHz", "", f"{part.noise_nv[1]:g}"),
        ),
        parameter(
            "i_n", "Input current noise density",
            Line("f = 1 kHz", "", "1.2" if part.high_voltage else "0.4", "", "fA/√Hz"),
        ),
        "INPUT VOLTAGE",
        parameter(
            "V_CM", "Common-mode voltage range",
            Line("", "(V–) – 0.1", "", "(V+) + 0.1", "V"),
        ),
        parameter(
            "CMRR", "Common-mode rejection ratio",
            Line(f"{full}, (V–) – 0.1 V ≤ V_CM ≤ (V+) – 1.5 V", f"{part.cmrr[0]}",
                 f"{part.cmrr[1]}", "", "dB"),
            Line(f"{full}, V_CM over the full range", f"{part.cmrr[0] - 14}",
                 f"{part.cmrr[1] - 12}", "", "", hot),
        ),
    ]  # fmt: skip


def _dynamic(part: Amplifier, full: str) -> list[SpecificationRow]:
    step = "10-V step, G = 1, to 0.01%" if part.high_voltage else "2-V step, G = 1, to 0.1%"
    return [
        "OPEN-LOOP GAIN",
        parameter(
            "A_OL", "Open-loop voltage gain",
            Line(f"{full}, (V–) + 0.3 V ≤ V_O ≤ (V+) – 0.3 V", f"{part.gain[0]}",
                 f"{part.gain[1]}", "", "dB", f"R_L = {part.light_load}"),
            Line(f"{full}, (V–) + 0.6 V ≤ V_O ≤ (V+) – 0.6 V", f"{part.gain[0] - 6}",
                 f"{part.gain[1] - 5}", "", "", f"R_L = {part.heavy_load}"),
        ),
        "FREQUENCY RESPONSE",
        parameter(
            "GBW", "Gain bandwidth product",
            Line("", "", part.bandwidth, "", BANDWIDTH_UNIT[part.high_voltage]),
        ),
        parameter(
            "SR", "Slew rate",
            Line("G = 1, 10-V step" if part.high_voltage else "G = 1, 2-V step", "",
                 f"{part.slew:g}", "", part.slew_unit),
        ),
        parameter(
            "φ_m", "Phase margin",
            Line(f"C_L = {part.phase_load}", "", f"{part.phase_margin}", "", "°"),
        ),
        parameter("t_s", "Settling time", Line(step, "", part.settling, "", "µs")),
        parameter(
            "t_OR", "Overload recovery time",
            Line("V_IN × gain > V_S", "", part.overload, "",
                 "ns" if part.high_voltage else "µs"),
        ),
        parameter(
            "THD+N", "Total harmonic distortion + noise",
            Line("G = 1, f = 1 kHz, V_O = 3.5 V_RMS" if part.high_voltage
                 else "G = 1, f = 100 Hz, V_O = 1 V_RMS", "", part.thd, "", "%"),
        ),
    ]  # fmt: skip


def _output(part: Amplifier, full: str) -> list[SpecificationRow]:
    quiescent, unit = part.quiescent, part.quiescent_unit
    if part.high_voltage:
        current = parameter(
            "I_Q", "Quiescent current per amplifier",
            Line("I_O = 0 A", "", f"{quiescent[0]:g}", f"{quiescent[1]:g}", unit),
            Line("I_O = 0 A", "", "", f"{quiescent[2]:g}", "", HOT),
        )  # fmt: skip
    else:
        current = parameter(
            "I_Q", "Quiescent current per amplifier, I_O = 0 A",
            Line("ORA247", "", f"{quiescent[0]:g}", f"{quiescent[1]:g}", unit),
            Line("ORA2247", "", "850", "1200"),
            Line("ORA4247", "", "820", "1150"),
            Line("All versions", "", "", f"{quiescent[2]:g}", "", HOT),
        )  # fmt: skip
    return [
        "OUTPUT",
        parameter(
            "V_O", "Voltage output swing from rail",
            Line(full, "", f"{part.swing_light[0]:g}", f"{part.swing_light[1]:g}", "mV",
                 f"R_L = {part.light_load}"),
            Line(full, "", f"{part.swing_heavy[0]:g}", f"{part.swing_heavy[1]:g}", "",
                 f"R_L = {part.heavy_load}"),
        ),
        parameter(
            "I_SC", "Short-circuit current",
            Line(full, "", signed(part.short_circuit_ma), "", "mA"),
        ),
        parameter(
            "C_LOAD", "Capacitive load drive^{(1)}",
            Line("G = 1, overshoot ≤ 50%", "", part.capacitive_load, "", "nF"),
        ),
        "POWER SUPPLY",
        parameter(
            "V_S", "Specified supply voltage",
            Line("", f"{part.supply[0]:g}", "", f"{part.supply[1]:g}", "V"),
        ),
        current,
    ]  # fmt: skip
