"""Screenshots of the invented evaluation software, drawn pixel by pixel."""

from __future__ import annotations

import math

from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from sample_library_source.house import font_file

Colour = tuple[int, int, int]
INK: Colour = (32, 38, 44)
MUTED: Colour = (110, 120, 128)
FRAME: Colour = (186, 196, 202)
WINDOW: Colour = (246, 248, 249)
PANEL: Colour = (255, 255, 255)
BAR: Colour = (0, 86, 107)
WARM: Colour = (210, 105, 30)
GREEN: Colour = (70, 140, 60)
RED: Colour = (190, 50, 45)


class Screen:
    """A window with a title bar, drawn at twice the resolution it is shown at."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.picture = Pictures.new("RGB", (width, height), WINDOW)
        self._draw = ImageDraw.Draw(self.picture)
        self._draw.rectangle((0, 0, width - 1, 35), fill=BAR)
        self.text(14, 8, title, size=17, colour=(255, 255, 255), bold=True)
        for index in range(3):
            x = width - 26 - index * 28
            self._draw.ellipse((x, 12, x + 12, 24), fill=(120, 170, 182))
        self._draw.rectangle((0, 0, width - 1, height - 1), outline=FRAME, width=2)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: int = 15,
        colour: Colour = INK,
        bold: bool = False,
    ) -> None:
        """Write text with its upper left corner at (x, y)."""
        name = "Roboto-Medium" if bold else "Roboto-Regular"
        font = ImageFont.truetype(str(font_file(name)), size)
        self._draw.text((x, y), text, font=font, fill=colour)

    def panel(self, left: int, top: int, right: int, bottom: int, title: str = "") -> None:
        """Draw a framed area with its title."""
        self._draw.rectangle((left, top, right, bottom), fill=PANEL, outline=FRAME)
        if title:
            self.text(left + 12, top + 8, title, size=14, colour=MUTED, bold=True)

    def button(self, left: int, top: int, width: int, label: str, *, active: bool = False) -> None:
        """Draw a button."""
        fill, colour = (BAR, (255, 255, 255)) if active else ((232, 238, 240), INK)
        box = (left, top, left + width, top + 32)
        self._draw.rounded_rectangle(box, 5, fill=fill, outline=FRAME)
        shift = (width - 7.6 * len(label)) / 2
        self.text(left + max(shift, 8), top + 7, label, colour=colour)

    def entry(self, left: int, top: int, label: str, value: str, *, width: int = 190) -> None:
        """Draw a labelled input field."""
        self.text(left, top + 6, label, colour=MUTED)
        box = (left + 150, top, left + 150 + width, top + 30)
        self._draw.rectangle(box, fill=PANEL, outline=FRAME)
        self.text(left + 159, top + 6, value)

    def lamp(self, x: int, y: int, colour: Colour) -> None:
        """Draw a status lamp."""
        self._draw.ellipse((x, y, x + 14, y + 14), fill=colour, outline=FRAME)

    def curve(self, box: tuple[int, int, int, int], values: list[float], colour: Colour) -> None:
        """Draw values of 0 to 1 as a curve over the width of a box."""
        left, top, right, bottom = box
        n = len(values)
        points = [
            (left + (right - left) * index / (n - 1), bottom - (bottom - top) * value)
            for index, value in enumerate(values)
        ]
        self._draw.line(points, fill=colour, width=3, joint="curve")

    def grid(self, box: tuple[int, int, int, int], columns: int, rows: int) -> None:
        """Draw the grid of a plot."""
        left, top, right, bottom = box
        for index in range(columns + 1):
            x = left + (right - left) * index / columns
            self._draw.line((x, top, x, bottom), fill=(226, 232, 234))
        for index in range(rows + 1):
            y = top + (bottom - top) * index / rows
            self._draw.line((left, y, right, y), fill=(226, 232, 234))
        self._draw.rectangle(box, outline=FRAME)

    def bar(self, left: int, top: int, width: int, share: float) -> None:
        """Draw a progress bar."""
        self._draw.rectangle((left, top, left + width, top + 18), fill=PANEL, outline=FRAME)
        self._draw.rectangle((left + 1, top + 1, left + int(width * share), top + 17), fill=GREEN)


def main_window() -> Pictures.Image:
    """Show the main window with a connected board and a running plot."""
    screen = Screen(1120, 660, "Bench Studio 3.2 – ORB-1 [SN 1042-0317]")
    for index, name in enumerate(("File", "Board", "Measure", "Log", "Tools", "Help")):
        screen.text(18 + index * 84, 45, name)
    screen.panel(14, 76, 268, 606, "BOARD")
    rows = (("Model", "ORB-1"), ("Serial no.", "1042-0317"), ("Firmware", "2.4.1"),
            ("Device", "ORC1604"), ("Address", "48h"), ("Supply", "3.30 V"))  # fmt: skip
    for index, (name, value) in enumerate(rows):
        screen.text(28, 116 + index * 32, name, colour=MUTED)
        screen.text(140, 116 + index * 32, value)
    screen.lamp(28, 322, GREEN)
    screen.text(52, 320, "Connected")
    screen.button(28, 362, 226, "Disconnect")
    screen.button(28, 404, 226, "Self-test")
    screen.panel(282, 76, 1106, 540, "PLOT")
    box = (350, 116, 1084, 492)
    screen.grid(box, 10, 6)
    wave = [0.5 + 0.32 * math.sin(i / 14) * math.exp(-i / 420) for i in range(360)]
    second = [0.42 + 0.03 * math.sin(i / 3.1) + 0.02 * math.sin(i / 1.7) for i in range(360)]
    screen.curve(box, wave, BAR)
    screen.curve(box, second, WARM)
    for index, label in enumerate(("3.0", "2.0", "1.0", "0", "–1.0", "–2.0", "–3.0")):
        screen.text(308, 107 + index * 62.6, label, size=13, colour=MUTED)
    screen.text(650, 508, "Time (s)", size=14, colour=MUTED)
    screen.button(282, 560, 130, "Start", active=True)
    screen.button(424, 560, 130, "Stop")
    screen.button(566, 560, 130, "Export...")
    screen.text(720, 567, "AIN0: 1.2483 V    AIN1: 0.4127 V    160 SPS", colour=MUTED)
    screen.text(18, 628, "Ready. 4 718 samples, 0 lost.", size=14, colour=MUTED)
    return screen.picture


def connection_dialog() -> Pictures.Image:
    """Show the dialog that connects a board."""
    screen = Screen(720, 420, "Connect a Board")
    screen.panel(18, 54, 702, 232, "BOARDS FOUND")
    for index, (name, port, colour) in enumerate(
        (("ORB-1   SN 1042-0317", "USB, firmware 2.4.1", GREEN),
         ("ORB-1   SN 1042-0288", "USB, firmware 2.2.0 – update needed", WARM),
         ("ORB-1   SN 1039-0112", "LAN, in use by another computer", RED))
    ):  # fmt: skip
        screen.lamp(36, 98 + index * 42, colour)
        screen.text(64, 96 + index * 42, name)
        screen.text(330, 96 + index * 42, port, colour=MUTED)
    screen.entry(36, 252, "Interface", "USB")
    screen.entry(36, 294, "Supply voltage", "3.30 V")
    screen.button(420, 366, 130, "Cancel")
    screen.button(566, 366, 130, "Connect", active=True)
    return screen.picture


def log_dialog() -> Pictures.Image:
    """Show the settings of a data log."""
    screen = Screen(720, 460, "Data Log Settings")
    fields = (("File", "D:/logs/bridge_01.csv"), ("Channels", "AIN0, AIN1"),
              ("Interval", "500 ms"), ("Stop after", "2 h"), ("Trigger", "AIN0 > 1.50 V"),
              ("Decimal sign", "Point"))  # fmt: skip
    screen.panel(18, 54, 702, 390, "LOG")
    for index, (name, value) in enumerate(fields):
        screen.entry(40, 94 + index * 46, name, value, width=360)
    screen.button(420, 406, 130, "Cancel")
    screen.button(566, 406, 130, "Start log", active=True)
    return screen.picture


def update_dialog() -> Pictures.Image:
    """Show a firmware update on its way."""
    screen = Screen(720, 300, "Firmware Update")
    screen.text(30, 60, "Board ORB-1, serial number 1042-0288", bold=True)
    screen.text(30, 96, "Installed: 2.2.0      New: 2.4.1", colour=MUTED)
    screen.bar(30, 140, 660, 0.62)
    screen.text(30, 172, "Writing block 159 of 256. Do not disconnect the board.")
    screen.button(566, 246, 130, "Close")
    return screen.picture
