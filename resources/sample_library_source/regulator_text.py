"""Low-dropout regulators: description, application, layout."""

from __future__ import annotations

from sample_library_source import bitmaps, common
from sample_library_source.house import ACCENT, TEXT_WIDTH
from sample_library_source.pen import Pen, Sketch
from sample_library_source.publish import legal_notice
from sample_library_source.regulator_data import Regulator
from sample_library_source.regulator_specs import front, pins, specifications
from sample_library_source.schematic import amplifier, block, ground, mosfet, resistor, terminal
from sample_library_source.sheet import Sheet
from sample_library_source.tables import Grid


def write(sheet: Sheet, part: Regulator) -> None:
    """Write the whole datasheet."""
    common.front_page(sheet, front(part))
    common.contents_and_history(sheet, part.revisions)
    pins(sheet, part)
    specifications(sheet, part)
    _description(sheet, part)
    _application(sheet, part)
    _layout(sheet, part)
    common.ordering_information(
        sheet, part.orderables,
        "The digits after the hyphen give the output voltage in tenths of a volt; ADJ is the "
        "adjustable version.",
    )  # fmt: skip
    legal_notice(sheet)


def _description(sheet: Sheet, part: Regulator) -> None:
    sheet.chapter("Detailed Description", key="detailed")
    sheet.section("Overview")
    sheet.text(
        f"The {part.part} compares a fraction of its output with a bandgap reference of "
        f"{part.reference_v:.3f} V and drives a PMOS pass transistor. A PMOS transistor needs no "
        "base current, so that the ground current hardly rises with the load, and it works down "
        "to an input that is only the dropout voltage above the output."
    )
    sheet.section("Functional Block Diagram", room=230)
    sheet.figure(Sketch(TEXT_WIDTH, 150, lambda pen: _blocks(pen, part)),
                 f"{part.part} Block Diagram, Adjustable Version", key="blocks")  # fmt: skip
    sheet.section("Feature Description", key="features-detail")
    with sheet.two_columns():
        _features(sheet, part)
    sheet.section("Device Functional Modes", key="modes")
    sheet.text("{see:mode-table} shows the conditions that lead to the modes of operation.")
    vin, ven, iout = part.input_v[0], part.enable_v, part.limit_ma[0]
    rows = [
        ["Normal mode", f"V_IN &gt; V_OUT(NOM) + V_DO and V_IN &gt; {vin:g} V",
         f"V_EN &gt; {ven[1]:g} V", f"I_OUT &lt; {iout} mA", f"T_J &lt; {part.shutdown_c[0]}°C"],
        ["Dropout mode", f"{vin:g} V &lt; V_IN &lt; V_OUT(NOM) + V_DO",
         f"V_EN &gt; {ven[1]:g} V", f"I_OUT &lt; {iout} mA", f"T_J &lt; {part.shutdown_c[0]}°C"],
        ["Disabled mode", "—", f"V_EN &lt; {ven[0]:g} V", "—",
         f"T_J &gt; {part.shutdown_c[0]}°C"],
    ]  # fmt: skip
    header = [
        ["OPERATING MODE", "PARAMETER", "", "", ""],
        ["", "V_IN", "V_EN", "I_OUT", "T_J"],
    ]
    spans = [(0, 0, 0, 1), (1, 0, 4, 0)]
    sheet.table(Grid(header, rows, (1.1, 2.1, 1.1, 1.2, 1), "lcccc", spans),
                "Device Functional Modes", key="mode-table")  # fmt: skip


def _features(sheet: Sheet, part: Regulator) -> None:
    sheet.subsection("Enable and Output Discharge")
    sheet.text(
        f"The device is on when EN is above {part.enable_v[1]:g} V and off below "
        f"{part.enable_v[0]:g} V. When it is off, an internal transistor of "
        f"{part.discharge_ohm} Ω connects OUT to GND and discharges C_OUT. Do not rely on this "
        "path to discharge a source that is stronger than the regulator."
    )
    sheet.subsection("Undervoltage Lockout")
    sheet.text(
        f"The output stays off until the input has risen above {part.uvlo_v[1]:g} V and is "
        "switched off again 90 mV below that threshold."
    )
    sheet.subsection("Current Limit")
    sheet.text(
        f"The current limit holds the output current between {part.limit_ma[0]} mA and "
        f"{part.limit_ma[2]} mA. When the output is pulled further down, the limit folds back to "
        "about 62% of its value, which keeps the dissipation in a short circuit bearable. "
        "{see:limit} shows the characteristic."
    )
    sheet.subsection("Thermal Shutdown", key="thermal-shutdown")
    sheet.text(
        f"At a junction temperature of {part.shutdown_c[0]}°C the pass transistor is turned off. "
        f"It is turned on again after the junction has cooled by {part.shutdown_c[1]}°C. The "
        "protection is meant for faults; continuous operation above 125°C shortens the life of "
        "the device."
    )
    if part.soft_start:
        sheet.subsection("Soft Start")
        sheet.text(
            "A current of 1 µA charges the capacitor at the SS pin, and the output follows its "
            "voltage. The start-up time is t_SS = C_SS × V_REF / I_SS: a capacitor of 10 nF gives "
            f"{10e-9 * part.reference_v / 1e-6 * 1e3:.0f} ms. Leave SS open for the shortest time."
        )


def _blocks(pen: Pen, part: Regulator) -> None:
    pen.rectangle(80, 6, 320, 138, fill=None, colour=ACCENT, dash=(4, 2))
    terminal(pen, 60, 120, "IN")
    pen.line((62, 120), (250, 120))
    gate, upper, lower = mosfet(pen, 282, 108, p_channel=True)
    pen.line((250, 120), upper)
    pen.line(lower, (282, 92), (420, 92))
    terminal(pen, 422, 92, "OUT", side="right")
    pins = amplifier(pen, 200, 74, 40)
    pen.line(pins.output, (252, 74), (252, gate[1]), gate)
    block(pen, 104, 70, 62, 30, "Bandgap", f"{part.reference_v:.3f} V", shaded=True)
    pen.line((166, 84), pins.minus)
    pen.line(pins.plus, (190, 64), (190, 34), (420, 34))
    terminal(pen, 422, 34, "FB", side="right")
    block(pen, 104, 20, 62, 32, "UVLO and", "thermal", "shutdown")
    pen.line((135, 52), (135, 70))
    block(pen, 262, 46, 52, 24, "Current", "limit")
    pen.line((288, 70), (288, 92))
    pen.dot(288, 92)
    pen.line((262, 58), (252, 58), (252, 74))
    pen.dot(252, 74)
    resistor(pen, (362, 92), (362, 52), f"{part.discharge_ohm} Ω")
    pen.dot(362, 92)
    ground(pen, 362, 52)
    terminal(pen, 60, 36, "EN")
    pen.line((62, 36), (104, 36))


def _application(sheet: Sheet, part: Regulator) -> None:
    sheet.chapter("Application and Implementation", key="application")
    sheet.section("Setting the Output Voltage", key="setting")
    sheet.text("The adjustable version needs two resistors. The output voltage is")
    sheet.equation("V_OUT = V_REF × (1 + R1 / R2)")
    r2 = 10.0 if part.soft_start else 30.1
    e96 = {
        0.6: {1.8: "60.4", 2.5: "95.3", 3.3: "137", 5.0: "221"},
        0.8: {1.8: "12.4", 2.5: "21.5", 3.3: "31.6", 5.0: "52.3"},
    }
    rows = []
    for target in (1.8, 2.5, 3.3, 5.0):
        r1 = e96[part.reference_v][target]
        real = part.reference_v * (1 + float(r1) / r2)
        rows.append([f"{target:.1f}", r1, f"{r2:.1f}", f"{real:.3f}",
                     f"{(real / target - 1) * 100:+.1f}".replace("-", "–")])  # fmt: skip
    header = [["V_OUT TARGET (V)", "R1 (kΩ)", "R2 (kΩ)", "V_OUT REAL (V)", "ERROR (%)"]]
    sheet.table(Grid(header, rows, (1.2, 1, 1, 1.2, 1), "ccccc", style="rules"),
                "Recommended Feedback Resistors (E96 Series)", key="resistors",
                width=360)  # fmt: skip
    sheet.section("Input and Output Capacitors", key="capacitors")
    sheet.text(
        f"The {part.part} is stable with an effective output capacitance of "
        f"{part.output_uf[0]:g} µF to {part.output_uf[1]:g} µF and an equivalent series "
        "resistance below 200 mΩ. Ceramic capacitors with X5R or X7R dielectric keep most of "
        "their capacitance over temperature; count with half of the nominal value at rated voltage."
    )
    _dissipation(sheet, part)


def _dissipation(sheet: Sheet, part: Regulator) -> None:
    sheet.section("Power Dissipation and Junction Temperature", key="dissipation", room=150)
    v_in, v_out, share = (5.0, 3.3, 0.4)
    current = part.rated_ma * share / 1000
    power = (v_in - v_out) * current
    package = part.thermals[-1]
    rise = power * package.metrics[0]
    sheet.text(
        "The dissipation of a linear regulator is the product of its voltage drop and its output "
        f"current. With V_IN = {v_in:g} V, V_OUT = {v_out:g} V and I_OUT = {current * 1000:.0f} mA:"
    )
    sheet.equation(f"P_D = (V_IN – V_OUT) × I_OUT = {power * 1000:.0f} mW")
    sheet.text(f"In the {package.name} package the junction rises above its surroundings by")
    sheet.equation(f"ΔT = P_D × R_θJA = {power:.2f} W × {package.metrics[0]:g} °C/W = {rise:.1f}°C")
    hottest = 25 + rise
    sheet.text(
        f"so that an ambient of up to {125 - rise:.0f}°C is allowed. {{see:infrared}} shows the "
        "evaluation board under these conditions."
    )
    image = bitmaps.flowable(
        bitmaps.thermal_image(25, round(hottest, 1), part.rated_ma), 215, photograph=True
    )
    sheet.figure(image, f"Thermal Image, P_D = {power * 1000:.0f} mW, T_A = 25°C (°C)",
                 key="infrared")  # fmt: skip


def _layout(sheet: Sheet, part: Regulator) -> None:
    sheet.chapter("Layout", key="layout")
    sheet.section("Layout Guidelines")
    pad = "the exposed pad" if part.soft_start else "the GND pin"
    sheet.bullets(
        "Place the input and output capacitors on the same side of the board as the device and "
        "as close to its pins as possible.",
        f"Connect {pad} to a ground plane with several vias to spread the heat.",
        "Take the feedback line from the load side of the output capacitor and keep it away from "
        "switching nodes.",
        "Use copper of at least 35 µm and 5 cm² below the device for the thermal resistances in "
        "{see:thermal}.",
        "Do not route the output through the ground plane's only return path.",
    )
