"""Operational amplifiers: description, application, layout."""

from __future__ import annotations

import math

from sample_library_source import bitmaps, common
from sample_library_source.charts import Axis, Chart, Curve, sampled
from sample_library_source.house import ACCENT, PALE, SHADE, TEXT_WIDTH, WARM
from sample_library_source.opamp_charts import typical_characteristics
from sample_library_source.opamp_data import Amplifier
from sample_library_source.opamp_front import BANDWIDTH_UNIT, front
from sample_library_source.opamp_specs import pins, specifications
from sample_library_source.pen import Pen, Sketch
from sample_library_source.publish import legal_notice
from sample_library_source.schematic import (
    amplifier,
    block,
    capacitor,
    ground,
    resistor,
    supply,
    terminal,
)
from sample_library_source.sheet import Sheet
from sample_library_source.tables import Grid


def write(sheet: Sheet, part: Amplifier) -> None:
    """Write the whole datasheet."""
    common.front_page(sheet, front(part))
    common.contents_and_history(sheet, part.revisions)
    _comparison(sheet)
    pins(sheet, part)
    specifications(sheet, part)
    sheet.section("Typical Characteristics", key="typical", room=230)
    sheet.text("at T_A = 25°C and V_CM = V_S / 2 (unless otherwise noted)")
    sheet.charts(*typical_characteristics(part))
    _description(sheet, part)
    _application(sheet, part)
    common.ordering_information(sheet, part.orderables)
    legal_notice(sheet)


def _comparison(sheet: Sheet) -> None:
    sheet.chapter("Device Comparison", key="comparison")
    sheet.text("Table 5-1 lists related amplifiers of the same vendor.")
    rows = [
        ["ORA217", "1", "4.5 V to 36 V", "6 MHz", "±60 µV", "620 µA", "Lowest offset"],
        ["ORA218", "1", "4.5 V to 36 V", "18 MHz", "±120 µV", "1150 µA", "Lowest noise"],
        ["ORA247", "1", "1.6 V to 5.5 V", "9 kHz", "±1.6 mV", "900 nA", "Nanopower single"],
        ["ORA2247", "2", "1.6 V to 5.5 V", "9 kHz", "±1.6 mV", "850 nA", "Nanopower dual"],
        ["ORA4247", "4", "1.6 V to 5.5 V", "9 kHz", "±1.6 mV", "820 nA", "Nanopower quad"],
    ]
    header = [["DEVICE", "CHANNELS", "SUPPLY", "GBW", "V_OS (MAX)", "I_Q (TYP)", "REMARK"]]
    widths = (0.9, 0.9, 1.3, 0.8, 1, 0.9, 1.4)
    sheet.table(Grid(header, rows, widths, "lllllll", style="bare"), "Related Amplifiers",
                key="related")  # fmt: skip


def _description(sheet: Sheet, part: Amplifier) -> None:
    bandwidth = f"{part.bandwidth} {BANDWIDTH_UNIT[part.high_voltage]}"
    sheet.chapter("Detailed Description", key="detailed")
    sheet.section("Overview")
    with sheet.two_columns():
        sheet.text(
            f"The {part.family} is built on a complementary bipolar-CMOS process with "
            "thin-film resistors. Two input pairs work in parallel: a PMOS pair that handles "
            "common-mode voltages from the negative rail to about 1.5 V below the positive "
            "rail, and an NMOS pair that takes over above. A current-steering circuit moves the "
            "tail current from one pair to the other within 200 mV.",
            "The folded-cascode second stage sums the currents of both pairs. Its supply is "
            "regulated on chip, which is why the power-supply rejection in {see:rejection} "
            "stays high well into the audio range.",
            "The class-AB output stage drives the gates of two common-source transistors "
            "through a translinear loop. The loop holds the idle current of the output stage "
            f"constant over temperature and lets the output supply ±{part.short_circuit_ma:g} mA "
            "before the current limit acts.",
            f"Internal Miller compensation sets a gain bandwidth product of {bandwidth} and a "
            f"phase margin of {part.phase_margin}° with a load of {part.phase_load}. "
            "{see:open-loop} shows the open-loop response.",
        )
    sheet.section("Functional Block Diagram", key="block-diagram", room=210)
    sheet.figure(Sketch(TEXT_WIDTH, 150, _block_diagram), f"{part.family} Block Diagram",
                 key="blocks")  # fmt: skip
    sheet.section("Feature Description", key="feature-description")
    _features(sheet, part)
    sheet.section("Device Functional Modes")
    sheet.text(
        f"The {part.family} has one functional mode. It is operational when the supply voltage "
        f"is above {part.supply[0]:g} V, and its maximum specified supply voltage is "
        f"{part.supply[1]:g} V."
    )


def _features(sheet: Sheet, part: Amplifier) -> None:
    sheet.subsection("Input Protection and EMI Filter")
    sheet.text(
        "Each input has a series resistor of 500 Ω and steering diodes to both rails. With the "
        "input capacitance the resistor forms a low-pass filter with a corner near 80 MHz, which "
        "keeps radio-frequency energy from being rectified into an offset. The diodes conduct "
        "when an input is driven more than 0.5 V beyond a rail; limit the current to 10 mA."
    )
    sheet.subsection("Phase-Reversal Protection")
    sheet.text(
        "The output does not change sign when an input is driven beyond the common-mode range. "
        "An input that is taken up to 0.5 V beyond a rail holds the output at the "
        "corresponding rail until the input returns."
    )
    sheet.subsection("Capacitive Load and Stability", key="stability")
    isolation = "49.9 Ω" if part.high_voltage else "3.3 kΩ"
    sheet.text(
        f"The output is stable with up to {part.capacitive_load} nF in a gain of 1, with the "
        "overshoot shown in {see:overshoot}. To drive a larger capacitance, place an isolation "
        f"resistor R_ISO of {isolation} between the output and the load."
    )
    sheet.subsection("Thermal Protection")
    if part.high_voltage:
        sheet.text(
            "The output stage is switched to a high-impedance state when the junction reaches "
            "170°C and is enabled again at 150°C. Activation of the protection means that the "
            "dissipation or the ambient temperature is too high."
        )
    else:
        sheet.text(
            "At the currents of this family self-heating is negligible: with the output shorted "
            f"from 5.5 V at {part.short_circuit_ma:g} mA a VSSOP package warms by about 10°C."
        )
    image = bitmaps.flowable(
        bitmaps.die_photograph(len(part.part) + int(part.bandwidth_hz) % 7, ["pad"] * 8),
        205, photograph=True,
    )  # fmt: skip
    size = {"ORA217": "1.18 mm × 0.86 mm", "ORA218": "1.24 mm × 0.90 mm"}
    sheet.figure(image, f"Die Photograph, {size.get(part.part, '0.74 mm × 0.54 mm')}", key="die")


def _block_diagram(pen: Pen) -> None:
    pen.rectangle(60, 8, 370, 134, fill=None, stroke=0.8, colour=ACCENT, dash=(4, 2))
    terminal(pen, 40, 100, "+IN")
    terminal(pen, 40, 50, "–IN")
    resistor(pen, (42, 100), (112, 100), "", "500 Ω")
    resistor(pen, (42, 50), (112, 50), "", "500 Ω")
    block(pen, 118, 84, 62, 32, "PMOS", "input pair", shaded=True)
    block(pen, 118, 34, 62, 32, "NMOS", "input pair", shaded=True)
    for x, low, high in ((112, 50, 100),):
        pen.line((x, high), (118, high))
        pen.line((x, low), (118, low))
    pen.line((106, 100), (106, 44), (118, 44))
    pen.line((100, 50), (100, 92), (118, 92))
    pen.dot(106, 100)
    pen.dot(100, 50)
    block(pen, 206, 54, 66, 42, "Folded", "cascode")
    pen.arrow((180, 100), (206, 84))
    pen.arrow((180, 50), (206, 66))
    block(pen, 296, 54, 54, 42, "Class-AB", "control")
    pen.arrow((272, 75), (296, 75))
    block(pen, 374, 54, 42, 42, "Output", "stage", shaded=True)
    pen.arrow((350, 82), (374, 82))
    pen.arrow((350, 68), (374, 68))
    pen.line((416, 75), (452, 75))
    terminal(pen, 454, 75, "OUT", side="right")
    capacitor(pen, (239, 54), (239, 30), "")
    pen.line((239, 30), (239, 24), (432, 24), (432, 75))
    pen.text(262, 38, "C_C")
    pen.dot(432, 75)
    block(pen, 206, 112, 144, 20, "Bias, trim and supply regulator")
    pen.arrow((239, 112), (239, 96))
    pen.arrow((323, 112), (323, 96))


def _application(sheet: Sheet, part: Amplifier) -> None:
    sheet.chapter("Application and Implementation", key="application")
    sheet.callout(
        "NOTE",
        "Information in this section is not part of the component specification. Customers are "
        "responsible for determining the suitability of components for their purposes.",
    )
    sheet.section("Application Information")
    sheet.text(
        f"The {part.family} offers rail-to-rail input and output, low offset and low drift, and "
        "suits signal chains in which one amplifier has to serve several positions. The "
        "following design shows how its characteristics enter a real calculation."
    )
    if part.high_voltage:
        _filter_design(sheet, part)
    else:
        _detector_design(sheet, part)
    _supplies_and_layout(sheet, part)


def _filter_design(sheet: Sheet, part: Amplifier) -> None:
    corner, factor = (10_000.0, 0.7071)
    r_value, c_value = 11_300.0, 1e-9
    sheet.section("Typical Application: Second-Order Low-Pass Filter", key="design")
    sheet.figure(Sketch(TEXT_WIDTH, 112, _sallen_key), "Sallen-Key Low-Pass Filter",
                 key="sallen-key")  # fmt: skip
    sheet.subsection("Design Requirements")
    rows = [
        ["Supply voltage", "±15 V"],
        ["Gain in the passband", "1 V/V"],
        ["Corner frequency f_C", f"{corner / 1000:g} kHz"],
        ["Quality factor Q", f"{factor:.3f} (Butterworth)"],
        ["Input range", "±10 V"],
    ]
    sheet.table(Grid([["PARAMETER", "VALUE"]], rows, (2, 1.4), "ll", style="rules"),
                "Design Parameters", key="design-parameters", width=300)  # fmt: skip
    sheet.subsection("Detailed Design Procedure")
    computed = 1 / (2 * math.pi * r_value * math.sqrt(2) * c_value)
    error_uv = part.offset[1] + r_value * 2 * part.bias_pa[1] * 1e-12 * 1e6
    sheet.text("With R1 = R2 = R and C1 = 2 × C2 the quality factor is 0.707, and the corner is")
    sheet.equation("f_C = 1 / (2π × R × √2 × C2)")
    sheet.text(
        f"Choose C2 = 1 nF and C1 = 2 nF. Equation 1 gives R = 11.25 kΩ; the nearest value of "
        f"the E96 series, {r_value / 1000:g} kΩ, sets f_C = {computed / 1000:.2f} kHz. The "
        "amplifier needs a bandwidth of at least 100 × f_C × Q for an error of less than 1%:"
    )
    needed = 100 * corner * factor
    sheet.equation(f"GBW ≥ 100 × f_C × Q = {needed / 1e6:.2f} MHz")
    full_power = part.slew * 1e6 / (2 * math.pi * 10)
    sheet.text(
        f"The {part.part} offers {part.bandwidth} MHz. The largest undistorted sine of 10-V "
        f"amplitude has a frequency of SR / (2π × 10 V) = {full_power / 1000:.0f} kHz, far above "
        "the passband. The offset at the output follows from offset voltage and bias current:",
    )
    sheet.equation(f"V_{{OS(OUT)}} = V_OS + 2R × I_B = {error_uv:.1f} µV (maximum at 25°C)")
    sheet.subsection("Application Curve", room=200)

    def response(f: float) -> float:
        x = f / computed
        return -10 * math.log10((1 - x * x) ** 2 + (x / factor) ** 2)

    chart = Chart(
        Axis("Frequency (Hz)", 100, 1e6),
        Axis("Gain (dB)", -80, 20, 20),
        (Curve("", sampled(response, 100, 1e6, log=True)),),
        remarks=("V_S = ±15 V", f"f_C = {computed / 1000:.2f} kHz"),
    )
    sheet.figure(chart, "Frequency Response of the Filter", key="filter-response")


def _sallen_key(pen: Pen) -> None:
    terminal(pen, 90, 52, "V_IN")
    resistor(pen, (92, 52), (158, 52), "R1", "11.3 kΩ")
    resistor(pen, (158, 52), (224, 52), "R2", "11.3 kΩ")
    pen.line((224, 52), (260, 52))
    for x in (158, 224):
        pen.dot(x, 52)
    capacitor(pen, (224, 52), (224, 18), "C2", "1 nF")
    ground(pen, 224, 18)
    pins = amplifier(pen, 260, 43.5, 34, "", plus_on_top=True)
    supply(pen, pins.top[0], pins.top[1], "15 V")
    pen.line((273.6, 34), (273.6, 28))
    pen.text(273.6, 21, "–15 V")
    pen.line(pins.output, (350, 43.5))
    terminal(pen, 352, 43.5, "V_OUT", side="right")
    pen.dot(318, 43.5)
    pen.line(pins.minus, (250, 35), (250, 10), (318, 10), (318, 92))
    pen.line((158, 52), (158, 92))
    capacitor(pen, (158, 92), (318, 92), "C1", "2 nF")


def _detector_design(sheet: Sheet, part: Amplifier) -> None:
    r_f = 110e3
    sensitivity_na = 70.0
    full_scale_ppm = 300.0
    sheet.section("Typical Application: Carbon Monoxide Detector", key="design")
    sheet.subsection("Design Requirements")
    rows = [
        ["Supply voltage", "3.0 V, lithium cell of 1200 mAh"],
        ["Sensitivity of the cell", f"{sensitivity_na:g} nA/ppm"],
        ["Full scale", f"{full_scale_ppm:g} ppm"],
        ["Output at full scale", "2.3 V above the reference divider"],
        ["Bandwidth", "10 Hz"],
    ]
    sheet.table(Grid([["PARAMETER", "VALUE"]], rows, (1.4, 2), "ll", style="rules"),
                "Design Parameters", key="design-parameters", width=340)  # fmt: skip
    sheet.subsection("Detailed Design Procedure")
    current = sensitivity_na * full_scale_ppm / 1000
    output = current * 1e-6 * r_f
    sheet.text(
        f"At {full_scale_ppm:g} ppm the cell supplies {sensitivity_na:g} nA/ppm × "
        f"{full_scale_ppm:g} ppm = {current:g} µA. The feedback resistor follows from"
    )
    sheet.equation("R_F = V_{OUT(FS)} / I_FS = 2.3 V / 21 µA = 109.5 kΩ")
    years = 1.2 / (0.9e-6) / 24 / 365
    sheet.text(
        f"With R_F = 110 kΩ the output is {output:.2f} V at full scale. The amplifier's own "
        "current empties the cell in"
    )
    sheet.equation(f"t = 1200 mAh / 900 nA = {years:.0f} years")
    sheet.text(
        "so that self-discharge and the microcontroller decide the life of the battery, not the "
        "amplifier. The offset voltage of at most "
        f"±{part.offset[1]:g} mV polarizes the cell and must be small against its bias, which "
        "is why the reference drives the noninverting input directly."
    )
    sheet.subsection("Application Curve", room=200)
    chart = Chart(
        Axis("Concentration (ppm)", 0, 300, 50),
        Axis("Output Voltage (V)", 0, 2.5, 0.5),
        (
            Curve("20°C", sampled(lambda c: c * sensitivity_na * 1e-9 * r_f, 0, 300, 12)),
            Curve("50°C", sampled(lambda c: c * sensitivity_na * 1.08e-9 * r_f, 0, 300, 12)),
        ),
        legend="nw",
    )
    sheet.figure(chart, "Output Voltage vs Carbon Monoxide Concentration", key="co-output")


def _supplies_and_layout(sheet: Sheet, part: Amplifier) -> None:
    sheet.section("Power Supply Recommendations", key="supplies")
    sheet.text(
        f"The {part.family} is specified for operation from {part.supply[0]:g} V to "
        f"{part.supply[1]:g} V. Supply voltages above {part.supply_maximum:g} V can permanently "
        "damage the device. Place a 0.1-µF ceramic capacitor within 2 mm of each supply pin."
    )
    sheet.section("Layout", room=300)
    sheet.subsection("Layout Guidelines", key="layout")
    sheet.bullets(
        "Connect low-ESR, 0.1-µF ceramic bypass capacitors between each supply pin and ground, "
        "as close to the device as possible.",
        "Run the input traces as far away from the supply and output traces as possible; if they "
        "must cross, cross them at a right angle.",
        "Place R_F and R_G close to the inverting input to keep parasitic capacitance small.",
        "Surround high-impedance nodes with a driven guard ring at the potential of the input.",
        "Clean the assembled board and bake it at 85°C for 30 minutes when leakage matters.",
    )
    sheet.subsection("Layout Example", room=180)
    sheet.figure(Sketch(300, 132, _board), "Board Layout for a Noninverting Configuration",
                 key="layout-example")  # fmt: skip


def _board(pen: Pen) -> None:
    pen.rectangle(0, 0, 300, 132, fill=PALE, stroke=0.8)
    pen.rectangle(8, 8, 284, 22, fill=SHADE, stroke=0.4)
    pen.text(150, 16, "Ground plane (V–)", size=7)
    pen.rectangle(112, 46, 76, 56, stroke=1)
    pen.text(150, 70, "U1", size=9, bold=True)
    for index, (left, right) in enumerate(
        (("NC", "NC"), ("–IN", "V+"), ("+IN", "OUT"), ("V–", "NC"))
    ):
        y = 93 - index * 13
        for x, name, anchor in ((102, left, "start"), (198, right, "end")):
            pen.rectangle(x - 8, y - 3, 16, 6, fill=WARM, stroke=0.3)
            pen.text(x + (11 if anchor == "start" else -11), y - 2.2, name, size=5.6, anchor=anchor)
    for x, y, label in ((48, 80, "R_G"), (48, 104, "R_F"), (250, 80, "")):
        pen.rectangle(x - 14, y - 5, 28, 10, fill=WARM, stroke=0.4)
        pen.rectangle(x - 7, y - 5, 14, 10, stroke=0.4)
        pen.text(x, y - 13, label, size=6.2)
    pen.line((62, 80), (94, 80), width=2.2, colour=WARM)
    pen.line((62, 104), (80, 104), (80, 80), width=2.2, colour=WARM)
    pen.line((206, 80), (236, 80), width=2.2, colour=WARM)
    pen.line((264, 80), (282, 80), width=2.2, colour=WARM)
    pen.line((34, 80), (22, 80), (22, 30), width=2.2, colour=WARM)
    pen.line((94, 54), (86, 54), (86, 30), width=2.2, colour=WARM)
    pen.line((94, 67), (70, 67), (70, 48), (40, 48), width=2.2, colour=WARM)
    pen.line((206, 67), (240, 67), width=2.2, colour=WARM)
    pen.line((24, 104), (34, 104), width=2.2, colour=WARM)
    # The feedback crosses the supply on the other layer.
    pen.line((222, 67), (222, 120), (24, 120), (24, 104), width=1.6, colour=ACCENT)
    for x, y in ((222, 67), (24, 104), (282, 80)):
        pen.circle(x, y, 2.6)
    pen.text(252, 88, "C_BYP", size=6.2)
    pen.text(150, 112, "Bottom layer", size=6, colour=ACCENT)
    pen.text(53, 52, "V_IN", size=6.4)
    pen.text(243, 64.6, "V_OUT", size=6.4, anchor="start")
