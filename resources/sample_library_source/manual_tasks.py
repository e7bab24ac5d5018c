"""The manual's procedures, step by step."""

from __future__ import annotations

from PIL.Image import Image as Picture

from sample_library_source import bitmaps, screenshots
from sample_library_source.sheet import Sheet

PROCEDURES: dict[str, tuple[str, ...]] = {
    "install": (
        "Close all running versions of Bench Studio and disconnect the board.",
        "Start the installer and accept the license.",
        "Leave the option <b>Install USB driver</b> checked and click <b>Install</b>.",
        "When the installer asks for it, restart the computer.",
        "Start Bench Studio and check that the status line shows “No board connected”.",
    ),
    "connect": (
        "Insert a device into the socket so that its pin 1 points to the white dot.",
        "Set the ADDR jumper J4 to the bus address of the device.",
        "Connect J1 to the computer with the supplied cable and wait until LED1 is green.",
        "Choose <b>Board &gt; Connect</b> (Ctrl+B). The dialog in {see:connect-dialog} opens.",
        "Select the board, enter the supply voltage of the device, and click <b>Connect</b>.",
    ),
    "run": (
        "Connect the signals to J3 and their ground to GND.",
        "Choose <b>Measure &gt; Channels</b> and check the inputs to be measured.",
        "Set the full-scale range of each channel to the smallest range that holds its signal.",
        "Select the data rate. Slow rates are quieter, fast rates follow quick changes.",
        "Click <b>Start</b> (F5). Click <b>Stop</b> (F6) to end the measurement.",
    ),
    "calibrate": (
        "Let the board warm up for 20 minutes.",
        "Choose <b>Tools &gt; Calibration</b> and select the channel.",
        "Connect the input to GND and click <b>Zero</b>.",
        "Apply 5.000 V from the source and click <b>Span</b>.",
        "Check that the residual error shown is below 1 mV; if it is not, repeat from step 3.",
        "Click <b>Save to board</b> and repeat the procedure for the other channels.",
    ),
    "write-registers": (
        "Choose <b>Board &gt; Registers</b>. The table shows the registers of the device found.",
        "Click a bit to toggle it, or enter a hexadecimal value in the column <b>New</b>.",
        "Click <b>Write</b>. Fields that differ after reading back are marked in red.",
    ),
    "trigger": (
        "Choose <b>Log &gt; Settings</b> (Ctrl+L). The dialog in {see:log-dialog} opens.",
        "Enter the file and check the channels.",
        "Enter the interval between samples, 10 ms at least, and the time after which to stop.",
        "Enter the trigger, for example AIN0 &gt; 1.50 V. Leave the field empty to start at once.",
        "Click <b>Start log</b>. LED1 blinks slowly until the trigger is met, then fast.",
    ),
    "standalone": (
        "Set up the log as described in {see:trigger} and check <b>Keep in board</b>.",
        "Supply the board through J5 and disconnect the USB cable.",
        "To fetch the samples, connect the board and choose <b>Log &gt; Fetch from board</b>.",
    ),
    "update": (
        "Download the firmware file (*.orf) and disconnect all signals from J3.",
        "Connect the board over USB; an update over LAN is not possible.",
        "Choose <b>Tools &gt; Firmware update</b>, select the file and click <b>Update</b>.",
        "Wait until the dialog in {see:update-dialog} shows “Finished”, about two minutes.",
        "Calibrate the inputs (see {see:calibrate}).",
    ),
    "recover": (
        "Disconnect the USB cable and the supply at J5.",
        "Hold the BOOT button S2 and connect the USB cable. LED1 blinks red.",
        "Release S2 and choose <b>Tools &gt; Recover board</b>.",
        "Select the firmware file and click <b>Recover</b>.",
        "Press RESET when the dialog says that the recovery is complete.",
    ),
}
"""Steps by the key of their section: the manual prints them, the question bank asks for them."""


def tasks(sheet: Sheet) -> None:
    """Write the chapters from installation to update."""
    _install(sheet)
    _measure(sheet)
    _log(sheet)
    _maintain(sheet)


def _install(sheet: Sheet) -> None:
    sheet.chapter("Installation and First Steps", key="installation")
    sheet.section("Requirements")
    sheet.bullets(
        "Windows 10 or later, macOS 12 or later, or a Linux distribution with glibc 2.31",
        "500 MB of disk space and 4 GB of memory",
        "A USB port that supplies 500 mA, or a power supply at J5",
    )
    sheet.section("Installing Bench Studio", key="install", room=150)
    sheet.text("To install the software and the USB driver:")
    sheet.steps(*PROCEDURES["install"])
    sheet.callout("NOTE", "On Linux, add your user to the group <i>dialout</i> instead of step 3.")
    sheet.section("Connecting a Board", key="connect", room=170)
    sheet.text("To connect a board over USB:")
    sheet.steps(*PROCEDURES["connect"])
    sheet.callout(
        "CAUTION",
        "Check the supply voltage before you click Connect: 5.5 V destroys devices for 3.6 V.",
    )
    _screenshot(sheet, screenshots.connection_dialog(), 300, "Dialog: Connect a Board",
                "connect-dialog")  # fmt: skip


def _screenshot(sheet: Sheet, picture: Picture, width: float, caption: str, key: str) -> None:
    image = bitmaps.flowable(picture, width, photograph=False)
    sheet.figure(image, caption, key=key)


def _measure(sheet: Sheet) -> None:
    sheet.chapter("Measuring", key="measuring")
    sheet.section("Running a Measurement", key="run", room=150)
    sheet.text("To measure voltages and watch them in the plot:")
    sheet.steps(*PROCEDURES["run"])
    sheet.text(
        "The space key freezes the plot while the measurement goes on. Turn the mouse wheel over "
        "an axis to zoom it, and press Ctrl+0 to fit the plot to the window."
    )
    sheet.section("Calibrating the Inputs", key="calibrate", room=180)
    sheet.text(
        "Calibrate the inputs once a year and after each firmware update. You need a voltage "
        "source with an accuracy of 0.01%."
    )
    sheet.steps(*PROCEDURES["calibrate"])
    sheet.section("Writing Registers", key="write-registers", room=120)
    sheet.steps(*PROCEDURES["write-registers"])


def _log(sheet: Sheet) -> None:
    sheet.chapter("Logging Data", key="logging")
    sheet.section("Starting a Log With a Trigger", key="trigger", room=200)
    sheet.text(
        "A log writes samples to a file for hours or days. With a trigger it starts by itself:"
    )
    sheet.steps(*PROCEDURES["trigger"])
    _screenshot(sheet, screenshots.log_dialog(), 290, "Dialog: Data Log Settings", "log-dialog")
    sheet.section("Logging Without a Computer", key="standalone", room=130)
    sheet.text("The board keeps up to 2 million samples while no computer is connected.")
    sheet.steps(*PROCEDURES["standalone"])


def _maintain(sheet: Sheet) -> None:
    sheet.chapter("Maintenance", key="maintenance")
    sheet.section("Updating the Firmware", key="update", room=190)
    sheet.steps(*PROCEDURES["update"])
    sheet.callout("CAUTION", "Do not disconnect the board while blocks are being written.")
    _screenshot(sheet, screenshots.update_dialog(), 270, "Dialog: Firmware Update",
                "update-dialog")  # fmt: skip
    sheet.section("Recovering After a Failed Update", key="recover", room=130)
    sheet.text("If LED1 stays red after an update (error E501):")
    sheet.steps(*PROCEDURES["recover"])
