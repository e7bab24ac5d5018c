"""Digital temperature sensor: both revisions of the datasheet."""

from __future__ import annotations

import math

from sample_library_source import common, digital
from sample_library_source.charts import Axis, Chart, Curve, sampled
from sample_library_source.common import Front
from sample_library_source.digital import Field, Register
from sample_library_source.house import ACCENT, TEXT_WIDTH
from sample_library_source.pen import Pen, Point, Sketch
from sample_library_source.publish import legal_notice
from sample_library_source.schematic import block, capacitor, ground, package, resistor, supply
from sample_library_source.sensor_data import ADDRESSES, RESOLUTION, Sensor
from sample_library_source.sheet import Sheet
from sample_library_source.tables import Grid, Line, SpecificationRow, parameter


def write(sheet: Sheet, part: Sensor) -> None:
    """Write the whole datasheet."""
    common.front_page(sheet, _front(part))
    common.contents_and_history(sheet, part.revisions)
    _pins(sheet)
    _specifications(sheet, part)
    _description(sheet, part)
    digital.register_map(sheet, _registers(part))
    _application(sheet, part)
    common.ordering_information(sheet, part.orderables)
    legal_notice(sheet)


def _range(part: Sensor) -> str:
    low, high = part.near_range
    return f"–{-low}°C to {high}°C"


def _front(part: Sensor) -> Front:
    return Front(
        (
            "Temperature error without calibration:",
            f"– ±{part.near_c[1]:g}°C (maximum) from {_range(part)}",
            f"– ±{part.far_c[1]:g}°C (maximum) from –40°C to 125°C",
            f"Resolution: 12 bits, {RESOLUTION}°C",
            f"Average current: {part.average_ua[0]:g} µA at 4 Hz (typical)",
            f"Shutdown current: {part.shutdown_ua[0]:g} µA (typical)",
            f"Supply range: {part.supply_v[0]:g} V to {part.supply_v[1]:g} V",
            f"Conversion time: {part.conversion_ms[0]} ms (typical)",
            "Programmable alert with hysteresis and fault queue",
            "I²C and SMBus compatible, two addresses",
        ),
        (
            "Servers, switches and storage drives",
            "Battery management",
            "Thermostats and environmental monitors",
            "Compensation of sensors and oscillators",
        ),
        (
            "The ORT112 measures its own temperature and reports it in steps of "
            f"{RESOLUTION}°C over an I²C bus. No calibration and no external component but a "
            "bypass capacitor is needed.",
            f"At four conversions a second the device draws {part.average_ua[0]:g} µA on average. "
            "Between conversions everything but the bus interface is off, so that self-heating "
            "can be neglected.",
            "The ALERT pin compares the result with two limits. It works as a thermostat or as "
            "an interrupt, with a queue that hides single outliers.",
        ),
        tuple(
            ("ORT112", f"{item.package} ({item.pins})",
             "1.60 mm × 1.20 mm" if item.drawing == "DRL" else "2.00 mm × 2.00 mm")
            for item in part.orderables
        ),
        Sketch(TEXT_WIDTH, 104, _typical_circuit, scale=1.25),
        "Typical Application",
    )  # fmt: skip


def _typical_circuit(pen: Pen) -> None:
    block(pen, 72, 18, 66, 62, "Host", "controller", shaded=True)
    block(pen, 290, 18, 84, 62, "ORT112", bold=True, size=8)
    for index, name in enumerate(("SCL", "SDA", "ALERT")):
        y = 68 - 19 * index
        pen.line((138, y), (290, y))
        pen.text(286, y + 2.5, name, anchor="end", size=6.4)
        x = 170 + 32 * index
        resistor(pen, (x, 96), (x, y), "", "")
        pen.dot(x, y)
    pen.line((170, 96), (332, 96), (332, 80))
    pen.text(240, 99, "5 kΩ each", size=6.4)
    supply(pen, 332, 96, "1.8 V")
    pen.line((332, 96), (412, 96))
    pen.dot(332, 96)
    capacitor(pen, (412, 96), (412, 40), "C1", "0.01 µF")
    ground(pen, 412, 40)
    ground(pen, 332, 18)
    pen.text(370, 46, "ADD0", anchor="end", size=6.4)
    pen.line((374, 48), (388, 48), (388, 30))
    ground(pen, 388, 30)


def _pins(sheet: Sheet) -> None:
    sheet.chapter("Pin Configuration and Functions", key="pinout")

    def paint(pen: Pen) -> None:
        package(
            pen, TEXT_WIDTH / 2, 38, ("DRL and DRV Packages", "6-Pin (Top View)"),
            [("1", "SCL"), ("2", "GND"), ("3", "ALERT")],
            [("6", "SDA"), ("5", "V+"), ("4", "ADD0")],
        )  # fmt: skip

    sheet.figure(Sketch(TEXT_WIDTH, 94, paint), "ORT112 Packages, Top View")
    rows = [
        ["ADD0", "4", "I", "Address select; connect to GND or V+"],
        ["ALERT", "3", "O", "Overtemperature alert; open drain, needs a pull-up resistor"],
        ["GND", "2", "G", "Ground"],
        ["SCL", "1", "I", "Serial clock"],
        ["SDA", "6", "I/O", "Serial data; open drain, needs a pull-up resistor"],
        ["V+", "5", "P", "Supply voltage"],
    ]
    header = [["NAME", "NO.", "TYPE", "DESCRIPTION"]]
    common.pin_table(sheet, Grid(header, rows, (0.8, 0.6, 0.6, 4), "lccl"),
                     "Pin Functions: ORT112")  # fmt: skip


def _specifications(sheet: Sheet, part: Sensor) -> None:
    sheet.chapter("Specifications", key="specifications")
    common.absolute_maximum(
        sheet,
        [
            ["Supply voltage, V+", "", "", "4", "V"],
            ["Voltage at SCL, SDA, ADD0", "", "–0.5", "4", "V"],
            ["Voltage at ALERT", "", "–0.5", "(V+) + 0.3", "V"],
            ["Temperature", "Operating", "–55", "150", "°C"],
            ["", "Junction, T_J", "", "150", "°C"],
            ["", "Storage, T_stg", "–60", "150", "°C"],
        ],
    )
    common.esd_ratings(sheet, *part.esd)
    common.recommended(
        sheet,
        [
            ["V+", "Supply voltage", f"{part.supply_v[0]:g}", "3.3", f"{part.supply_v[1]:g}", "V"],
            ["V_BUS", "Bus voltage", f"{part.supply_v[0]:g}", "", f"{part.supply_v[1]:g}", "V"],
            ["T_A", "Operating temperature", "–40", "", "125", "°C"],
        ],
    )
    common.thermal_information(sheet, "ORT112", part.thermals)
    sheet.specification(
        "Electrical Characteristics",
        f"at T_A = –40°C to 125°C and V+ = {part.supply_v[0]:g} V to {part.supply_v[1]:g} V; "
        "typical values at T_A = 25°C and V+ = 3.3 V (unless otherwise noted)",
        _characteristics(part),
        "After 1000 hours at 125°C.",
        key="characteristics",
    )
    digital.timing_requirements(sheet, *part.timing)
    sheet.section("Typical Characteristics", key="typical", room=230)
    sheet.text("at T_A = 25°C and V+ = 3.3 V (unless otherwise noted)")
    sheet.charts(*_charts(part))


def _characteristics(part: Sensor) -> list[SpecificationRow]:
    rates = part.rates_hz
    return [
        "TEMPERATURE SENSOR",
        parameter("", "Temperature range", Line("", "–40", "", "125", "°C")),
        parameter(
            "T_ERR", "Temperature error",
            Line(f"{_range(part)}, V+ = 3.3 V", "", f"±{part.near_c[0]:g}",
                 f"±{part.near_c[1]:g}", "°C"),
            Line("–40°C to 125°C", "", f"±{part.far_c[0]:g}", f"±{part.far_c[1]:g}"),
        ),
        parameter("PSR", "Temperature error over supply",
                  Line("", "", "0.1", f"{part.supply_error:g}", "°C/V")),
        parameter("", "Resolution", Line("", "", f"{RESOLUTION}", "", "°C")),
        parameter("", "Long-term drift^{(1)}",
                  Line("", "", f"±{part.long_term_c:g}", "", "°C")),
        parameter(
            "t_CONV", "Conversion time",
            Line("One-shot mode", "", f"{part.conversion_ms[0]}", f"{part.conversion_ms[1]}", "ms"),
        ),
        parameter(
            "CR", "Conversion rate",
            *(Line(f"CR[1:0] = {index:02b}" + (" (default)" if index == 2 else ""), "",
                   f"{rate:g}", "", "" if index else "Hz") for index, rate in enumerate(rates)),
        ),
        "DIGITAL INPUTS AND OUTPUTS",
        parameter("V_IH", "Input logic high level", Line("", "0.7 × (V+)", "", "3.6", "V")),
        parameter("V_IL", "Input logic low level", Line("", "–0.5", "", "0.3 × (V+)", "V")),
        parameter(
            "V_OL", "Output low level, SDA and ALERT",
            Line("V+ &gt; 2 V, I_OL = 3 mA", "0", "", "0.4", "V"),
            Line("V+ &lt; 2 V, I_OL = 3 mA", "0", "", "0.2 × (V+)"),
        ),
        parameter("C_IN", "Input capacitance", Line("", "", "3", "", "pF")),
        "POWER SUPPLY",
        parameter(
            "I_Q", "Average quiescent current",
            Line("Bus inactive, CR[1:0] = 10", "", f"{part.average_ua[0]:g}",
                 f"{part.average_ua[1]:g}", "µA"),
            Line("Bus active, f_SCL = 400 kHz", "", f"{part.average_ua[0] * 2:g}"),
        ),
        parameter(
            "I_SD", "Shutdown current",
            Line("Bus inactive", "", f"{part.shutdown_ua[0]:g}", f"{part.shutdown_ua[1]:g}", "µA"),
            Line("Bus active, f_SCL = 400 kHz", "", "10"),
        ),
        parameter("t_START", "Time from power-up to the first result",
                  Line("", "", f"{part.startup_ms:g}", "", "ms")),
    ]  # fmt: skip


def _charts(part: Sensor) -> tuple[tuple[Chart, str, str], ...]:
    near, far = part.near_c, part.far_c
    low, high = part.near_range
    limit = ((-40.0, far[1]), (float(low), far[1]), (float(low), near[1]), (float(high), near[1]),
             (float(high), far[1]), (125.0, far[1]))  # fmt: skip

    def error_of(start: float, slope: float) -> tuple[Point, ...]:
        def value(t: float) -> float:
            rise = t - 25
            return near[0] * (start + slope * rise / 70 + 0.5 * start * (rise / 90) ** 2)

        return sampled(value, -40, 125)

    def duration(scale: float) -> tuple[Point, ...]:
        return sampled(lambda t: part.conversion_ms[0] * (scale + 4e-4 * (t - 25)), -40, 125)

    units = [
        Curve(f"Unit {index + 1}", error_of(start, slope))
        for index, (start, slope) in enumerate(((0.6, 0.5), (-0.5, 0.3), (0.1, -0.8)))
    ]
    error = Chart(
        Axis("Temperature (°C)", -50, 125, 25), Axis("Temperature Error (°C)", -1.25, 1.25, 0.25),
        (*units, Curve("Limits", limit, (3, 2), 3),
         Curve("", tuple((t, -e) for t, e in limit), (3, 2), 3)), legend="nw",
    )  # fmt: skip
    current = Chart(
        Axis("Conversion Rate (Hz)", 0.1, 100), Axis("Average Current (µA)", 0.1, 100),
        (Curve("V+ = 3.3 V", sampled(
            lambda f: part.shutdown_ua[0] + (part.average_ua[0] - part.shutdown_ua[0]) * f / 4,
            0.25, part.rates_hz[-1], log=True)),), legend="nw",
    )  # fmt: skip
    conversion = Chart(
        Axis("Temperature (°C)", -50, 125, 25), Axis("Conversion Time (ms)", 10, 40, 5),
        tuple(Curve(name, duration(scale))
              for name, scale in ((f"V+ = {part.supply_v[0]:g} V", 1.06), ("V+ = 3.3 V", 1.0))),
    )  # fmt: skip
    bath = Chart(
        Axis("Time (s)", 0, 6, 1), Axis("Reading (°C)", 20, 90, 10),
        (Curve("", sampled(
            lambda t: 25 if t < 0.5 else 25 + 50 * (1 - math.exp(-(t - 0.5) / 0.52)), 0, 6, 120)),),
        remarks=("25°C air into 75°C stirred oil",), remarks_corner="se",
    )  # fmt: skip
    return (
        (error, "Temperature Error vs Temperature", "error"),
        (current, "Average Current vs Conversion Rate", "average-current"),
        (conversion, "Conversion Time vs Temperature", "conversion-time"),
        (bath, "Response to a Step in Temperature", "bath"),
    )


def _description(sheet: Sheet, part: Sensor) -> None:
    sheet.chapter("Detailed Description", key="detailed")
    sheet.section("Functional Block Diagram", room=200)
    sheet.figure(Sketch(TEXT_WIDTH, 108, _blocks), "ORT112 Block Diagram", key="blocks")
    sheet.section("Feature Description")
    sheet.subsection("Temperature Output", key="output")
    sheet.text(
        f"A result has 12 bits in two's complement; one code is {RESOLUTION}°C. Negative "
        "temperatures have their sign bit set. {see:codes} gives examples."
    )
    rows = []
    for celsius in (127.9375, 100.0, 80.0, 25.0, 0.25, 0.0, -0.25, -25.0, -40.0):
        code = round(celsius / RESOLUTION) & 0xFFF
        groups = f"{code:012b}"
        binary = f"{groups[:4]} {groups[4:8]} {groups[8:]}"
        rows.append([f"{celsius:.7g}".replace("-", "–"), binary, f"{code:03X}h"])
    header = [["TEMPERATURE (°C)", "DIGITAL OUTPUT (BINARY)", "HEX"]]
    sheet.table(Grid(header, rows, (1.1, 1.6, 0.8), "ccc", style="rules"),
                "12-Bit Temperature Data Format", key="codes", width=320)  # fmt: skip
    sheet.subsection("Alert and Fault Queue", key="alert")
    sheet.text(
        "In comparator mode ALERT is active while the temperature is at or above T_HIGH, and "
        "until it falls below T_LOW. In interrupt mode ALERT stays active until a register is "
        "read. The fault queue asks for 1, 2, 4 or 6 faults in a row before ALERT acts."
    )
    sheet.section("Device Functional Modes", key="modes")
    sheet.subsection("Shutdown and One-Shot Mode", key="one-shot")
    sheet.text("With SD = 1 everything but the interface is off. To take a single measurement:")
    sheet.steps(
        "Write CONFIG with SD = 1 and OS = 1. The device wakes up and converts once.",
        f"Wait for at least {part.conversion_ms[1]} ms, the maximum conversion time.",
        "Read CONFIG and check that OS reads 1, which says that the conversion has ended.",
        f"Read TEMP (address 00h) and multiply its upper 12 bits by {RESOLUTION}°C.",
    )
    sheet.section("Programming")
    sheet.text("The ADD0 pin selects one of two bus addresses.")
    digital.address_table(sheet, [list(row) for row in ADDRESSES], "ADD0")


def _blocks(pen: Pen) -> None:
    pen.rectangle(96, 4, 290, 100, fill=None, colour=ACCENT, dash=(4, 2))
    block(pen, 112, 60, 58, 30, "Bipolar", "sensor", shaded=True)
    block(pen, 198, 60, 58, 30, "ΔΣ", "converter")
    block(pen, 284, 52, 56, 44, "Serial", "interface")
    block(pen, 112, 16, 58, 26, "Oscillator")
    block(pen, 198, 16, 58, 26, "Limits and", "fault queue")
    pen.arrow((170, 75), (198, 75))
    pen.arrow((256, 75), (284, 75))
    pen.line((141, 42), (141, 51), (227, 51))
    pen.arrow((227, 51), (227, 60))
    pen.line((270, 75), (270, 29))
    pen.dot(270, 75)
    pen.arrow((270, 29), (256, 29))
    for y, name in ((88, "SCL"), (74, "SDA"), (60, "ADD0")):
        pen.line((340, y), (408, y))
        pen.text(412, y - 2.4, name, anchor="start")
    pen.line((227, 16), (227, 10), (408, 10))
    pen.text(412, 7.6, "ALERT", anchor="start")


def _registers(part: Sensor) -> tuple[Register, ...]:
    rates = ", ".join(
        f"{index:02b}: {rate:g} Hz" + (" (default)" if index == 2 else "")
        for index, rate in enumerate(part.rates_hz)
    )
    high, low = "5000h", "4B00h"
    limit = "Limit in the format of TEMP"
    return (
        Register("00h", "TEMP", "Temperature", "R", "0000h", (
            Field(15, 4, "T[11:0]", "R", "0", "Last result in two's complement, 0.0625°C per code"),
            Field(3, 0, "Reserved", "R", "0", "Always 0"),
        ), "Holds the result of the last conversion."),
        Register("01h", "CONFIG", "Configuration", "R/W", "60A0h", (
            Field(15, 15, "OS", "R/W", "0", "Write 1 in shutdown: one conversion. Read 1: done"),
            Field(14, 13, "R[1:0]", "R", "11", "Resolution, always 12 bits"),
            Field(12, 11, "F[1:0]", "R/W", "00", "Fault queue. 00: 1, 01: 2, 10: 4, 11: 6 faults"),
            Field(10, 10, "POL", "R/W", "0", "ALERT polarity. 0: active low, 1: active high"),
            Field(9, 9, "TM", "R/W", "0", "0: comparator mode, 1: interrupt mode"),
            Field(8, 8, "SD", "R/W", "0", "0: continuous conversion, 1: shutdown"),
            Field(7, 6, "CR[1:0]", "R/W", "10", f"Conversion rate. {rates}"),
            Field(5, 5, "AL", "R", "1", "State of the comparator, opposite of POL when active"),
            Field(4, 0, "Reserved", "R", "0", "Always 0"),
        ), "Selects the mode, the conversion rate and the behavior of ALERT."),
        Register("02h", "TLOW", "Low Limit", "R/W", low,
                 (Field(15, 4, "L[11:0]", "R/W", "4B0h", f"{limit}; default 75°C"),
                  Field(3, 0, "Reserved", "R", "0", "Always 0")), "Lower limit of ALERT."),
        Register("03h", "THIGH", "High Limit", "R/W", high,
                 (Field(15, 4, "H[11:0]", "R/W", "500h", f"{limit}; default 80°C"),
                  Field(3, 0, "Reserved", "R", "0", "Always 0")), "Upper limit of ALERT."),
    )  # fmt: skip


def _application(sheet: Sheet, part: Sensor) -> None:
    sheet.chapter("Application and Implementation", key="application")
    sheet.section("Self-Heating", key="self-heating")
    power = part.average_ua[0] * 3.3
    thermal = part.thermals[0].metrics[0]
    sheet.text("At V+ = 3.3 V and four conversions a second the device dissipates")
    sheet.equation(f"P = V+ × I_Q = 3.3 V × {part.average_ua[0]:g} µA = {power:.1f} µW")
    sheet.text(
        f"which raises its temperature by {power * 1e-6 * thermal * 1000:.1f} m°C in the SOT563 "
        "package, far below the resolution. Pull-up resistors at SDA and ALERT dissipate more and "
        "should not be placed next to the sensor."
    )
    sheet.section("Layout Guidelines", key="layout")
    sheet.bullets(
        "Place the sensor where its pins share copper with the object to be measured; the GND pin "
        "carries most of the heat.",
        "Keep it away from heat sources, or mill a slot into the board around it.",
        "Place a bypass capacitor of 0.01 µF next to V+ and GND.",
        "Protect the assembly from condensation with a conformal coating.",
    )
