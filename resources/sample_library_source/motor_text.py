"""Dual H-bridge motor driver."""

from __future__ import annotations

from sample_library_source import bitmaps, common
from sample_library_source.common import Front, Orderable, Revision
from sample_library_source.house import ACCENT, TEXT_WIDTH
from sample_library_source.motor_charts import waveforms
from sample_library_source.motor_specs import pins, specifications
from sample_library_source.pen import Pen, Sketch
from sample_library_source.publish import legal_notice
from sample_library_source.schematic import block, capacitor, ground, mosfet, resistor
from sample_library_source.sheet import Identity, Sheet
from sample_library_source.tables import Grid

IDENTITY = Identity(
    ("ORM8236",),
    "ORM8236 13-V, 1.4-A Dual H-Bridge Motor Driver With Current Regulation",
    "OD8236C",
    "MARCH 2016 – REVISED SEPTEMBER 2023",
    "2016–2023",
)
_REVISIONS = (
    Revision(
        "Changes from Revision B (June 2019) to Revision C (September 2023)",
        (
            "Changed maximum supply voltage from 11.8 V to 13.2 V",
            "Changed typical high-side on-resistance from 215 mΩ to 200 mΩ",
            "Added thermal image of the evaluation board",
        ),
    ),
)


def write(sheet: Sheet) -> None:
    """Write the whole datasheet."""
    common.front_page(sheet, _FRONT)
    common.contents_and_history(sheet, _REVISIONS)
    pins(sheet)
    specifications(sheet)
    _description(sheet)
    _application(sheet)
    common.ordering_information(
        sheet,
        (
            Orderable("ORM8236PWP", "HTSSOP", "PWP", 16, 2000, "M8236", "–40 to 85"),
            Orderable("ORM8236RTE", "VQFN", "RTE", 16, 3000, "M36", "–40 to 85"),
        ),
    )
    legal_notice(sheet)


def _front_circuit(pen: Pen) -> None:
    block(pen, 62, 22, 62, 66, "Controller", shaded=True)
    block(pen, 190, 10, 92, 92, "ORM8236", bold=True, size=8)
    for index, name in enumerate(("xIN1, xIN2", "nSLEEP", "nFAULT")):
        y = 76 - 21 * index
        pen.arrow(*(((124, y), (190, y)) if index < 2 else ((190, y), (124, y))))
        pen.text(157, y + 2.5, name, size=6.4)
    for index, y in enumerate((78, 32)):
        pen.line((282, y + 8), (344, y + 8))
        pen.line((282, y - 8), (344, y - 8))
        pen.circle(344, y, 13)
        pen.text(344, y - 2.6, "M", size=8, bold=True)
        pen.text(285, y + 10.5, f"{'AB'[index]}OUT1", size=6.2, anchor="start")
        pen.text(285, y - 15, f"{'AB'[index]}OUT2", size=6.2, anchor="start")
    pen.text(380, 53, "2.7 V to 13.2 V", anchor="start")
    pen.line((236, 102), (236, 112), (376, 112), (376, 58))
    pen.text(230, 104, "VM", size=6.4, anchor="end")


_FRONT = Front(
    (
        "Dual H-bridge for two DC motors or one stepper motor",
        "Supply range: 2.7 V to 13.2 V",
        "Output current per bridge: 1.4 A RMS, 2.2 A peak",
        "Outputs in parallel: 2.8 A RMS",
        "On-resistance: 360 mΩ, high side plus low side (typical)",
        "Sleep current: 1.3 µA (typical)",
        "PWM input interface, current regulation per winding",
        "Protection:",
        "– Undervoltage lockout (UVLO)",
        "– Overcurrent protection (OCP)",
        "– Thermal shutdown (TSD)",
        "– Fault pin (nFAULT)",
    ),
    (
        "Battery-powered toys and robotics",
        "Point-of-sale printers",
        "Security cameras",
        "Office automation",
        "Water valves",
    ),
    (
        "The ORM8236 drives two DC brushed motors, a bipolar stepper motor, solenoids or other "
        "inductive loads. Each of its two H-bridges delivers 1.4 A RMS continuously, or 2.8 A "
        "with both bridges in parallel, with proper heat sinking at a supply of 5 V and 25°C.",
        "Each bridge regulates the winding current with a resistor at its sense pin. A low-power "
        "sleep mode switches everything off but the wake-up logic.",
        "Internal functions protect against overcurrent, short circuits, undervoltage and "
        "overheating, and report faults at an open-drain pin.",
    ),
    (
        ("ORM8236", "HTSSOP (16)", "5.00 mm × 4.40 mm"),
        ("ORM8236", "VQFN (16)", "3.00 mm × 3.00 mm"),
    ),
    Sketch(TEXT_WIDTH, 122, _front_circuit, scale=1.2),
    "Simplified Schematic",
)


def _description(sheet: Sheet) -> None:
    sheet.chapter("Detailed Description", key="detailed")
    sheet.section("Functional Block Diagram", room=210)
    sheet.figure(Sketch(TEXT_WIDTH, 160, _bridge), "One of Two H-Bridges", key="bridge")
    sheet.section("Feature Description")
    sheet.subsection("Bridge Control and Decay Modes", key="decay")
    sheet.text("The inputs xIN1 and xIN2 control the outputs xOUT1 and xOUT2 of each bridge.")
    rows = [
        ["0", "0", "Z", "Z", "Coast, fast decay"],
        ["0", "1", "L", "H", "Reverse"],
        ["1", "0", "H", "L", "Forward"],
        ["1", "1", "L", "L", "Brake, slow decay"],
    ]
    header = [["xIN1", "xIN2", "xOUT1", "xOUT2", "FUNCTION"]]
    sheet.table(Grid(header, rows, (0.7, 0.7, 0.7, 0.7, 1.6), "ccccl"), "H-Bridge Logic",
                key="logic", width=320)  # fmt: skip
    sheet.text(
        "For speed control the inputs are pulse-width modulated. With one input held low the "
        "motor current decays fast through the body diodes during the off time; with one input "
        "held high it decays slowly through both low-side FETs. {see:waveforms} shows both."
    )
    sheet.figure(waveforms(), "PWM Control With Slow and Fast Decay", key="waveforms")
    sheet.subsection("Current Regulation", key="regulation")
    sheet.text(
        "When the voltage at xISEN reaches V_TRIP the bridge brakes until the next cycle of the "
        "internal PWM. The regulated current is"
    )
    sheet.equation("I_CHOP = V_TRIP / R_SENSE = 200 mV / R_SENSE")
    sheet.text("so that a resistor of 200 mΩ limits the winding current to 1 A.")
    _protection(sheet)


def _protection(sheet: Sheet) -> None:
    sheet.section("Protection Circuits", key="protection")
    with sheet.two_columns():
        sheet.subsection("Overcurrent Protection (OCP)")
        sheet.text(
            "An analog limit on each FET removes its gate drive. If it lasts longer than 2.6 µs "
            "(t_OCP), all FETs of the bridge are disabled and nFAULT is pulled low. The bridge "
            "is enabled again after 1.5 ms (t_RETRY)."
        )
        sheet.subsection("Thermal Shutdown (TSD)")
        sheet.text(
            "When the die becomes too hot, all FETs are disabled and nFAULT is pulled low. "
            "Operation resumes when the temperature has fallen to a safe level."
        )
        sheet.subsection("Undervoltage Lockout (UVLO)")
        sheet.text(
            "When VM falls below the lockout threshold, all circuits are disabled and the logic "
            "is reset. nFAULT is not driven in this state."
        )
    rows = [
        ["VM undervoltage", "VM &lt; 2.6 V (max)", "None", "Disabled", "VM &gt; V_UVLO + V_HYS"],
        ["Overcurrent", "I_OUT &gt; I_OCP", "nFAULT", "Disabled", "After t_RETRY"],
        ["Thermal shutdown", "T_J &gt; T_TSD", "nFAULT", "Disabled", "T_J below 125°C"],
    ]
    header = [["FAULT", "CONDITION", "REPORT", "H-BRIDGE", "RECOVERY"]]
    sheet.table(Grid(header, rows, (1.1, 1.3, 0.8, 0.8, 1.4), "lllll", style="bare"),
                "Fault Conditions", key="faults")  # fmt: skip


def _bridge(pen: Pen) -> None:
    pen.canvas.translate(0, 10)
    pen.rectangle(56, 2, 338, 136, fill=None, colour=ACCENT, dash=(4, 2))
    block(pen, 80, 74, 66, 44, "Predriver", shaded=True)
    block(pen, 80, 18, 66, 32, "PWM logic", "and OCP")
    pen.arrow((113, 50), (113, 74), both=True)
    for y, name in ((106.0, "xIN1"), (86.0, "xIN2")):
        pen.line((36, y), (80, y))
        pen.text(33, y - 2.4, name, anchor="end")
    for index, name in enumerate(("GH1", "GL1", "GH2", "GL2")):
        y = 112 - 10.6 * index
        pen.line((146, y), (158, y))
        pen.text(161, y - 2.3, name, size=6.2, anchor="start")
    for index, x in enumerate((236, 326), start=1):
        gate, top, middle = mosfet(pen, x, 104)
        low_gate, low_top, bottom = mosfet(pen, x, 52)
        for (gate_x, gate_y), name in ((gate, f"GH{index}"), (low_gate, f"GL{index}")):
            pen.text(gate_x - 3, gate_y - 2.3, name, size=6.2, anchor="end")
        pen.line(top, (x, 126))
        pen.line(middle, low_top)
        pen.line(bottom, (x, 26))
        pen.dot(x, 84 if index == 2 else 72)
    pen.line((236, 126), (326, 126))
    pen.line((281, 126), (281, 138))
    pen.dot(281, 126)
    pen.text(281, 141, "VM")
    pen.line((326, 84), (440, 84), (440, 92))
    pen.line((236, 72), (440, 72), (440, 64))
    pen.circle(440, 78, 14)
    pen.text(440, 75, "M", size=9, bold=True)
    pen.text(398, 87, "xOUT2", size=6.2, anchor="start")
    pen.text(398, 64, "xOUT1", size=6.2, anchor="start")
    pen.line((236, 26), (424, 26))
    pen.dot(326, 26)
    resistor(pen, (424, 26), (424, 0), "R_SENSE")
    ground(pen, 424, 0)
    pen.text(398, 29, "xISEN", size=6.2, anchor="start")
    pen.line((281, 26), (281, 12), (113, 12), (113, 18))
    pen.dot(281, 26)


def _application(sheet: Sheet) -> None:
    sheet.chapter("Application and Implementation", key="application")
    sheet.section("Typical Application: Brushed DC Motor", key="design")
    sheet.subsection("Design Requirements")
    rows = [
        ["Motor supply V_M", "9 V"],
        ["RMS motor current", "0.8 A"],
        ["Current at start", "1.6 A"],
        ["Trip current per bridge", "2 A"],
    ]
    sheet.table(Grid([["PARAMETER", "VALUE"]], rows, (1.6, 1), "ll", style="rules"),
                "Design Parameters", width=260)  # fmt: skip
    sheet.subsection("Detailed Design Procedure")
    sheet.text("The sense resistor follows from the trip current:")
    sheet.equation("R_SENSE = V_TRIP / I_CHOP = 200 mV / 2 A = 100 mΩ")
    power = 0.8**2 * 0.36
    rise = power * 40.5
    sheet.text("With one bridge on and 360 mΩ in the path the FETs dissipate")
    sheet.equation(f"P = I_RMS^{{2}} × (R_HS + R_LS) = (0.8 A)^{{2}} × 0.36 Ω = {power:.2f} W")
    sheet.text(
        f"The junction of the HTSSOP package rises by {power:.2f} W × 40.5 °C/W = {rise:.1f}°C "
        f"above its surroundings. {{see:infrared}} was taken with both bridges at 1.4 A."
    )
    hot = 25 + 2 * 1.4**2 * 0.36 * 40.5
    image = bitmaps.flowable(bitmaps.thermal_image(25, round(hot, 1), 36), 215, photograph=True)
    sheet.figure(image, "Thermal Image of the Evaluation Board at 2 × 1.4 A RMS (°C)",
                 key="infrared")  # fmt: skip
    sheet.section("Power Supply Recommendations", key="supplies")
    sheet.text(
        "Bulk capacitance keeps the supply steady while the motor brakes or starts. Its size "
        "depends on the highest current, the inductance between supply and driver, and the "
        "ripple that is allowed; 100 µF per ampere is a good start."
    )
    sheet.figure(Sketch(TEXT_WIDTH, 96, _bypass), "Supply Bypassing", key="bypass")
    sheet.section("Layout Guidelines", key="layout", room=110)
    sheet.bullets(
        "Bypass VM with a ceramic capacitor of 10 µF rated for VM, close to the pin.",
        "Place the bulk capacitor so that the length of the high-current path is smallest.",
        "Keep the connections of the sense resistors to xISEN and GND short and wide.",
        "Connect the exposed pad to the ground plane with at least nine vias of 0.3 mm.",
    )


def _bypass(pen: Pen) -> None:
    pen.text(70, 71.6, "Battery", anchor="end")
    pen.line((74, 74), (330, 74))
    for x, name, value in ((150, "C_BULK", "220 µF"), (230, "C_VM", "10 µF")):
        pen.dot(x, 74)
        capacitor(pen, (x, 74), (x, 26), name, value)
        ground(pen, x, 26)
    block(pen, 330, 24, 80, 62, "ORM8236", bold=True, size=8)
    pen.text(334, 71.6, "VM", anchor="start", size=6.4)
    ground(pen, 370, 24)
