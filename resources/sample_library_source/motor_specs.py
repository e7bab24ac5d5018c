"""Dual H-bridge motor driver: pins and specifications."""

from __future__ import annotations

from sample_library_source import common
from sample_library_source.common import PackageThermals
from sample_library_source.house import TEXT_WIDTH
from sample_library_source.motor_charts import typical_characteristics
from sample_library_source.pen import Pen, Sketch
from sample_library_source.schematic import package
from sample_library_source.sheet import Sheet
from sample_library_source.tables import Grid, Line, SpecificationRow, parameter

_THERMALS = (
    PackageThermals("HTSSOP", "PWP", 16, (40.5, 32.9, 28.8, 0.6, 11.5)),
    PackageThermals("VQFN", "RTE", 16, (37.2, 34.3, 15.3, 0.3, 15.4)),
)


def pins(sheet: Sheet) -> None:
    """Chapter on pins."""
    sheet.chapter("Pin Configuration and Functions", key="pinout")
    left = [("1", "nSLEEP"), ("2", "AOUT1"), ("3", "AISEN"), ("4", "AOUT2"), ("5", "BOUT2"),
            ("6", "BISEN"), ("7", "BOUT1"), ("8", "nFAULT")]  # fmt: skip
    right = [("16", "AIN1"), ("15", "AIN2"), ("14", "VINT"), ("13", "GND"), ("12", "VM"),
             ("11", "VCP"), ("10", "BIN2"), ("9", "BIN1")]  # fmt: skip

    def paint(pen: Pen) -> None:
        package(pen, TEXT_WIDTH / 2, 66, ("PWP Package", "16-Pin HTSSOP (Top View)"),
                left, right, width=84, pitch=14.2)  # fmt: skip

    sheet.figure(Sketch(TEXT_WIDTH, 152, paint), "ORM8236 PWP Package, Top View")
    rows = [
        ["POWER AND GROUND"],
        ["GND", "13, pad", "11, pad", "G", "Ground; connect the exposed pad to the ground plane"],
        ["VINT", "14", "12", "—", "Internal supply; bypass with 2.2 µF, 6.3 V to GND"],
        ["VM", "12", "10", "P", "Motor supply; bypass with 10 µF (minimum) to GND"],
        ["VCP", "11", "9", "I/O", "Charge pump; connect 0.01 µF, 16 V to VM"],
        ["CONTROL"],
        ["AIN1, AIN2", "16, 15", "14, 13", "I", "Control inputs of bridge A; internal pulldown"],
        ["BIN1, BIN2", "9, 10", "7, 8", "I", "Control inputs of bridge B; internal pulldown"],
        ["nSLEEP", "1", "15", "I", "High enables the device, low is the sleep mode"],
        ["STATUS"],
        ["nFAULT", "8", "6", "O", "Low while a fault is present; open drain"],
        ["OUTPUT"],
        ["AISEN, BISEN", "3, 6", "1, 4", "O", "Sense resistor of the bridge, or GND"],
        ["AOUT1, AOUT2", "2, 4", "16, 2", "O", "Outputs of bridge A"],
        ["BOUT1, BOUT2", "7, 5", "5, 3", "O", "Outputs of bridge B"],
    ]
    header = [["PIN", "", "", "TYPE", "DESCRIPTION"], ["NAME", "PWP", "RTE", "", ""]]
    spans = [(0, 0, 2, 0), (3, 0, 3, 1), (4, 0, 4, 1)]
    common.pin_table(sheet, Grid(header, rows, (1.2, 0.8, 0.8, 0.6, 3.6), "lcccl", spans),
                     "Pin Functions: ORM8236")  # fmt: skip


def specifications(sheet: Sheet) -> None:
    """Chapter with ratings, characteristics and plots."""
    sheet.chapter("Specifications", key="specifications")
    common.absolute_maximum(
        sheet,
        [
            ["Power supply voltage", "VM", "–0.3", "14.5", "V"],
            ["Internal supply voltage", "VINT", "–0.3", "3.6", "V"],
            ["Control pin voltage", "xIN1, xIN2, nSLEEP, nFAULT", "–0.5", "7", "V"],
            ["Sense pin voltage", "AISEN, BISEN", "–0.3", "0.5", "V"],
            ["Peak output current", "AOUT1, AOUT2, BOUT1, BOUT2", "Internally limited", "", ""],
            ["Temperature", "Junction, T_J", "–40", "150", "°C"],
            ["", "Storage, T_stg", "–60", "150", "°C"],
        ],
    )
    common.esd_ratings(sheet, 4000, 1500)
    common.recommended(
        sheet,
        [
            ["V_M", "Motor supply voltage^{(1)}", "2.7", "", "13.2", "V"],
            ["V_DIG", "Control pin voltage", "0", "", "5.75", "V"],
            ["f_PWM", "PWM frequency at the inputs", "0", "", "200", "kHz"],
            ["I_OUT", "Output current per bridge, RMS^{(2)}", "", "", "1.4", "A"],
            ["T_A", "Ambient temperature", "–40", "25", "85", "°C"],
        ],
        "On-resistance rises and the output current falls at supply voltages below 5 V.",
        "At V_M = 5 V and T_A = 25°C. Observe the power dissipation and thermal limits.",
    )
    common.thermal_information(sheet, "ORM8236", _THERMALS)
    sheet.specification(
        "Electrical Characteristics",
        "at T_A = 25°C and V_M = 5 V (unless otherwise noted)",
        _CHARACTERISTICS,
        "Deglitch and retry times are proportional to each other.",
        key="characteristics",
    )
    sheet.section("Typical Characteristics", key="typical", room=230)
    sheet.charts(*typical_characteristics())


_CHARACTERISTICS: tuple[SpecificationRow, ...] = (
    "POWER SUPPLY",
    parameter(
        "I_VM", "VM operating supply current",
        Line("nSLEEP = 1, no PWM", "", "1.9", "3.2", "mA"),
        Line("nSLEEP = 1, 50-kHz PWM", "", "3.4", "5.5"),
    ),
    parameter("I_VMQ", "VM sleep mode current", Line("nSLEEP = 0", "", "1.3", "3", "µA")),
    parameter("V_UVLO", "VM undervoltage lockout voltage",
              Line("VM falling", "", "", "2.6", "V")),
    parameter("V_HYS", "VM undervoltage lockout hysteresis", Line("", "", "80", "", "mV")),
    "LOGIC-LEVEL INPUTS",
    parameter(
        "V_IL", "Input low voltage",
        Line("nSLEEP", "", "", "0.5", "V"), Line("All other pins", "", "", "0.7"),
    ),
    parameter(
        "V_IH", "Input high voltage",
        Line("nSLEEP", "2.5", "", "", "V"), Line("All other pins", "2"),
    ),
    parameter("V_HYS", "Input hysteresis", Line("", "", "0.35", "", "V")),
    parameter(
        "R_PD", "Input pulldown resistance",
        Line("nSLEEP", "", "480", "", "kΩ"), Line("All other pins", "", "155"),
    ),
    parameter("t_DEG", "Input deglitch time", Line("", "", "425", "", "ns")),
    "H-BRIDGE FETS",
    parameter(
        "R_DS(on)", "High-side FET on-resistance",
        Line("V_M = 5 V, I_O = 500 mA", "", "200", "", "mΩ", "T_J = 25°C"),
        Line("V_M = 5 V, I_O = 500 mA", "", "", "330", "", "T_J = 85°C"),
        Line("V_M = 2.7 V, I_O = 500 mA", "", "250", "", "", "T_J = 25°C"),
        Line("V_M = 2.7 V, I_O = 500 mA", "", "", "360", "", "T_J = 85°C"),
    ),
    parameter(
        "R_DS(on)", "Low-side FET on-resistance",
        Line("V_M = 5 V, I_O = 500 mA", "", "160", "", "mΩ", "T_J = 25°C"),
        Line("V_M = 5 V, I_O = 500 mA", "", "", "275", "", "T_J = 85°C"),
        Line("V_M = 2.7 V, I_O = 500 mA", "", "200", "", "", "T_J = 25°C"),
        Line("V_M = 2.7 V, I_O = 500 mA", "", "", "300", "", "T_J = 85°C"),
    ),
    parameter("I_OFF", "Off-state leakage current",
              Line("V_M = 5 V, V_OUT = 0 V", "–1", "", "1", "µA")),
    "MOTOR DRIVER",
    parameter("f_PWM", "Current control PWM frequency", Line("Internal", "", "48", "", "kHz")),
    parameter("t_R", "Rise time", Line("16 Ω to GND, 10% to 90% of V_M", "", "180", "", "ns")),
    parameter("t_F", "Fall time", Line("16 Ω to GND, 10% to 90% of V_M", "", "155", "", "ns")),
    parameter("t_PROP", "Propagation delay INx to OUTx", Line("", "", "1.1", "", "µs")),
    parameter("t_DEAD", "Dead time", Line("", "", "450", "", "ns")),
    "PROTECTION CIRCUITS",
    parameter("I_OCP", "Overcurrent protection trip level", Line("", "2.2", "", "3.6", "A")),
    parameter("t_OCP", "Overcurrent deglitch time^{(1)}", Line("", "", "2.6", "", "µs")),
    parameter("t_RETRY", "Overcurrent retry time^{(1)}", Line("", "", "1.5", "", "ms")),
    parameter("T_TSD", "Thermal shutdown temperature",
              Line("Die temperature", "150", "160", "180", "°C")),
    "CURRENT CONTROL",
    parameter("V_TRIP", "xISEN trip voltage", Line("", "160", "200", "240", "mV")),
    parameter("t_BLANK", "Current sense blanking time", Line("", "", "3.5", "", "µs")),
    "SLEEP MODE",
    parameter("t_WAKE", "Start-up time",
              Line("nSLEEP inactive high to H-bridge on", "", "", "0.9", "ms")),
)  # fmt: skip
