"""User's manual of the vendor's bench instrument and its software."""

from __future__ import annotations

from sample_library_source import bitmaps, house, screenshots
from sample_library_source.house import SHADE, TEXT_WIDTH
from sample_library_source.manual_tasks import tasks
from sample_library_source.pen import Pen, Sketch
from sample_library_source.publish import contents_page, legal_notice, title_block
from sample_library_source.schematic import block
from sample_library_source.sheet import Identity, Sheet
from sample_library_source.tables import Grid

IDENTITY = Identity(
    ("ORB-1", "Bench Studio"),
    "ORB-1 Evaluation Board and Bench Studio 3.2 User’s Manual",
    "OU0031E",
    "OCTOBER 2019 – REVISED JULY 2024",
    "2019–2024",
    kind="User's manual",
)

ERRORS = (
    ("E101", "No board found", "Cable without data lines, or driver missing",
     "Use the supplied cable; reinstall the driver (see Section 3.2)."),
    ("E102", "Board in use", "Another computer holds the connection over LAN",
     "Disconnect there, or press RESET on the board for 3 s."),
    ("E110", "Firmware too old", "Firmware below 2.4.0", "Update the firmware (see Section 6.1)."),
    ("E204", "Device does not acknowledge", "Wrong bus address, or device not seated",
     "Check the ADDR jumper J4 and press the device into its socket."),
    ("E207", "Bus stuck low", "Short circuit of SDA or SCL",
     "Remove the device, inspect the socket, and run the self-test."),
    ("E312", "Supply overcurrent", "The device draws more than 250 mA",
     "The supply is off: remove the short circuit, then press Board &gt; Reset supply."),
    ("E405", "Log file cannot be written", "Disk full, or no permission for the folder",
     "Free some space or choose another folder; samples of the last 60 s are kept in memory."),
    ("E410", "Samples lost", "The computer was asleep or the hub is overloaded",
     "Connect the board to a port of its own and switch off energy saving."),
    ("E501", "Update failed", "Connection lost during the update",
     "Start recovery mode (see Section 6.2) and repeat the update."),
)  # fmt: skip


def write(sheet: Sheet) -> None:
    """Write the whole manual."""
    title_block(sheet)
    sheet.text(
        "The ORB-1 evaluation board measures and controls every Orlunda device that fits its "
        "socket. Bench Studio, its software, shows the measurements, logs them and writes the "
        "registers of the device. This manual describes both, in the order in which a new user "
        "needs them."
    )
    picture = bitmaps.flowable(screenshots.main_window(), TEXT_WIDTH - 40, photograph=False)
    with sheet.collected() as cover:
        cover.append(picture)
    sheet.add(*cover)
    contents_page(sheet)
    _about(sheet)
    _hardware(sheet)
    tasks(sheet)
    _trouble(sheet)
    _reference(sheet)
    legal_notice(sheet)


def _about(sheet: Sheet) -> None:
    sheet.chapter("About This Manual")
    sheet.section("Conventions")
    sheet.text(
        "Names of menus, buttons and fields are written as they appear on the screen. A path "
        "through menus is written with an angle: File &gt; Export. Three kinds of remarks are used:"
    )
    sheet.callout("NOTE", "Information that makes work easier.")
    sheet.callout("CAUTION", "Disregard can damage the board, the device or the data.")
    sheet.callout("WARNING", "Disregard can injure people.")
    sheet.section("What Is in the Box")
    sheet.bullets(
        "ORB-1 evaluation board",
        "USB cable, type C, 1 m",
        "Power supply, 5 V, 2 A",
        "Adapter boards for SOIC-8, SOT-23-5 and VSSOP-10",
        "Four rubber feet",
    )
    sheet.section("Safety", key="safety")
    sheet.callout(
        "WARNING",
        "Voltages above 42 V must not be connected to any terminal of the board. The board has "
        "no isolation between its inputs and the USB connector.",
    )
    sheet.callout(
        "CAUTION",
        "Devices are sensitive to electrostatic discharge. Wear a wrist strap that is connected "
        "to the ESD terminal when you change a device.",
    )


def _hardware(sheet: Sheet) -> None:
    sheet.chapter("The Board", key="board")
    sheet.section("Connectors and Controls")
    sheet.figure(Sketch(TEXT_WIDTH, 168, _board), "ORB-1, Top View", key="top-view")
    rows = [
        ["J1", "USB-C connector", "Data and supply, 5 V"],
        ["J2", "LAN connector", "10/100 Mbit/s, DHCP"],
        ["J3", "Analog terminals", "AIN0 to AIN3, GND, –10 V to 10 V"],
        ["J4", "ADDR jumper", "Bus address of the device: 48h to 4Bh"],
        ["J5", "External supply", "7 V to 15 V, 2.1-mm plug, centre positive"],
        ["S1", "RESET button", "Short: restart; 3 s: release the connection"],
        ["S2", "BOOT button", "Recovery mode when held during power-up"],
        ["LED1", "Status", "Green: ready; blinking: measuring; red: error"],
    ]
    sheet.table(Grid([["MARK", "NAME", "FUNCTION"]], rows, (0.6, 1.3, 3), "cll"),
                "Connectors and Controls", key="connectors")  # fmt: skip
    sheet.section("Technical Data", key="technical-data")
    rows = [
        ["Inputs", "4 single-ended or 2 differential, ±10 V"],
        ["Resolution of the board's own converter", "16 bits, 1000 SPS"],
        ["Device supply", "1.2 V to 5.5 V in steps of 10 mV, 250 mA"],
        ["Memory for samples without a computer", "2 million samples"],
        ["Supply", "USB, 5 V, 450 mA; or J5"],
        ["Operating temperature", "5°C to 40°C"],
        ["Dimensions and weight", "128 mm × 86 mm × 24 mm, 142 g"],
    ]
    sheet.table(Grid([["PROPERTY", "VALUE"]], rows, (1.6, 2), "ll", style="bare"),
                "Technical Data")  # fmt: skip


def _board(pen: Pen) -> None:
    pen.rectangle(90, 8, 310, 152, fill=SHADE, radius=8)
    for x, y in ((102, 20), (388, 20), (102, 148), (388, 148)):
        pen.circle(x, y, 4.5)
    block(pen, 82, 96, 34, 26, "J1", "USB")
    block(pen, 82, 48, 42, 34, "J2", "LAN")
    block(pen, 170, 138, 130, 24, "J3   AIN0  AIN1  AIN2  AIN3  GND")
    block(pen, 196, 62, 74, 56, "Device", "socket", shaded=True)
    block(pen, 296, 96, 34, 16, "J4")
    block(pen, 366, 60, 40, 30, "J5", "7–15 V")
    for x, name in ((160, "S1"), (196, "S2")):
        pen.circle(x, 30, 8)
        pen.text(x, 14, name, size=6.6)
    pen.circle(330, 30, 4, fill=house.CURVES[3])
    pen.text(345, 27.5, "LED1", size=6.6, anchor="start")
    pen.text(233, 46, "ORB-1", size=9, bold=True)


def _trouble(sheet: Sheet) -> None:
    sheet.chapter("Troubleshooting", key="trouble")
    sheet.section("Error Codes", key="errors", room=200)
    sheet.text(
        "Bench Studio shows an error code in its status line and writes it to the log. "
        "{see:error-table} lists the codes with causes and remedies."
    )
    rows = [list(row) for row in ERRORS]
    header = [["CODE", "MESSAGE", "CAUSE", "REMEDY"]]
    sheet.table(Grid(header, rows, (0.55, 1.3, 1.7, 2.6), "clll"), "Error Codes",
                key="error-table")  # fmt: skip
    sheet.section("Questions That Come Up Often")
    sheet.subsection("The readings are noisy. What helps?")
    sheet.text(
        "Lower the data rate under Measure &gt; Channels, supply the board through J5 instead of "
        "USB, and twist the wires of each input pair. A ground loop through the computer shows "
        "as a hum of 50 Hz or 60 Hz; use a laptop on battery to find out."
    )
    sheet.subsection("The board gets warm. Is that normal?")
    sheet.text("Yes: at full device supply the board's surface reaches about 45°C.")


def _reference(sheet: Sheet) -> None:
    sheet.chapter("Reference", key="reference")
    sheet.section("Keyboard Shortcuts", room=180)
    rows = [
        ["F5", "Start the measurement", "Ctrl+E", "Export samples"],
        ["F6", "Stop the measurement", "Ctrl+L", "Data log settings"],
        ["F9", "Self-test", "Ctrl+B", "Connect a board"],
        ["Space", "Freeze the plot", "Ctrl+0", "Fit the plot to the window"],
    ]
    grid = Grid([["KEY", "FUNCTION", "KEY", "FUNCTION"]], rows, (0.6, 1.6, 0.7, 1.6), "clcl",
                style="rules")  # fmt: skip
    sheet.table(grid, "Keyboard Shortcuts", key="shortcuts")
    sheet.section("Format of a Log File", key="log-format")
    sheet.text("A log is a text file in UTF-8 with a line for each sample:")
    sheet.code(
        "# Bench Studio 3.2, ORB-1 1042-0317, ORC1604 at 48h",
        "time_s;AIN0_V;AIN1_V;flags",
        "0.000;1.24831;0.41270;0",
        "0.500;1.24829;0.41268;0",
        "1.000;1.50112;0.41271;T",
    )
    sheet.text("The flag T marks the sample that met the trigger; L marks lost samples before it.")
    sheet.section("Terms", key="terms", room=140)
    rows = [
        ["Channel", "An analog input, or a pair of inputs, that is measured"],
        ["Full-scale range", "Largest voltage of both signs that a channel can measure"],
        ["Interval", "Time from one logged sample to the next"],
        ["Sample", "One measured value with its time"],
        ["Self-test", "Check of supply, bus and converter with the device removed (F9)"],
        ["Trigger", "Condition that starts a log"],
    ]
    sheet.table(Grid([["TERM", "MEANING"]], rows, (1, 3.4), "ll", style="bare"), "Terms")
    sheet.section("Revision History")
    sheet.bullets(
        "Revision E (July 2024): added data logging with a trigger and error E410.",
        "Revision D (March 2023): new recovery mode; the update no longer needs a jumper.",
        "Revision C (May 2022): added the LAN connection.",
    )
