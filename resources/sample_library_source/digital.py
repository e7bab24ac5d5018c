"""What the vendor's I2C devices share: bus timing, register maps and bit fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sample_library_source.house import MUTED, PALE, TEXT_WIDTH
from sample_library_source.pen import Pen, Sketch
from sample_library_source.sheet import Sheet
from sample_library_source.tables import Grid, Span


@dataclass(frozen=True, slots=True)
class Field:
    """Bits of a register, highest first."""

    high: int
    low: int
    name: str
    access: str
    reset: str
    meaning: str

    @property
    def bits(self) -> str:
        """Bit range as the tables write it."""
        return f"{self.high}:{self.low}" if self.high != self.low else f"{self.high}"


@dataclass(frozen=True, slots=True)
class Register:
    """A register of 16 bits."""

    address: str
    name: str
    title: str
    access: str
    reset: str
    fields: tuple[Field, ...]
    purpose: str


def register_map(sheet: Sheet, registers: Sequence[Register]) -> None:
    """Write the section with the overview and one subsection a register."""
    sheet.section("Register Map", key="registers", room=170)
    sheet.text(
        "The device has registers of 16 bits that are selected by a pointer byte. {see:map} "
        "lists them; reserved bits read as 0 and must be written as 0."
    )
    rows = [[r.address, r.name, r.title, r.access, r.reset] for r in registers]
    header = [["ADDRESS", "NAME", "REGISTER", "ACCESS", "RESET"]]
    sheet.table(
        Grid(header, rows, (0.8, 1, 2.4, 0.8, 0.9), "cllcc"), "Register Overview", key="map"
    )
    for register in registers:
        title = f"{register.title} Register ({register.name}, address {register.address})"
        sheet.subsection(title, key=f"register-{register.name.lower()}", room=215)
        sheet.text(register.purpose)
        _bit_row(sheet, register)
        _field_table(sheet, register)


def _bit_row(sheet: Sheet, register: Register) -> None:
    header = [[str(bit) for bit in range(15, -1, -1)]]
    names, access = [""] * 16, [""] * 16
    spans: list[Span] = []
    for field in register.fields:
        column = 15 - field.high
        short = field.high == field.low and len(field.name) > 5
        names[column] = field.name if not short else field.name.replace("_", " ")
        access[column] = f"{field.access}-{field.reset}"
        for row in (1, 2):
            spans.append((column, row, 15 - field.low, row))
    grid = Grid(header, [names, access], [1.0] * 16, "c" * 16, spans)
    sheet.table(grid, f"{register.name} Register Bits")


def _field_table(sheet: Sheet, register: Register) -> None:
    rows = [
        [field.bits, field.name, field.access, field.reset, field.meaning]
        for field in register.fields
    ]
    header = [["BIT", "FIELD", "TYPE", "RESET", "DESCRIPTION"]]
    grid = Grid(header, rows, (0.6, 0.9, 0.6, 0.8, 4.2), "clccl", style="rules")
    sheet.table(grid, f"{register.name} Register Field Descriptions")


@dataclass(frozen=True, slots=True)
class BusTiming:
    """Limits of one bus mode, in the order of the timing table."""

    clock_khz: int
    buffer_ns: int
    hold_start_ns: int
    setup_start_ns: int
    setup_stop_ns: int
    setup_data_ns: int
    low_ns: int
    high_ns: int
    fall_ns: int


def timing_requirements(sheet: Sheet, fast: BusTiming, fast_plus: BusTiming) -> None:
    """Write the section with the timing table and the timing diagram."""
    sheet.section("Timing Requirements: I²C", key="timing", room=330)
    names = (
        ("f_SCL", "SCL clock frequency", "clock_khz", "kHz"),
        ("t_BUF", "Bus free time between STOP and START", "buffer_ns", "ns"),
        ("t_HDSTA", "Hold time after START", "hold_start_ns", "ns"),
        ("t_SUSTA", "Repeated START setup time", "setup_start_ns", "ns"),
        ("t_SUSTO", "STOP setup time", "setup_stop_ns", "ns"),
        ("t_SUDAT", "Data setup time", "setup_data_ns", "ns"),
        ("t_LOW", "SCL low period", "low_ns", "ns"),
        ("t_HIGH", "SCL high period", "high_ns", "ns"),
        ("t_F", "Fall time of SDA and SCL", "fall_ns", "ns"),
    )
    rows = []
    for symbol, name, field, unit in names:
        values = [f"{getattr(mode, field)}" for mode in (fast, fast_plus)]
        limited = field in ("clock_khz", "fall_ns")
        cells = [("", value) if limited else (value, "") for value in values]
        rows.append([symbol, name, *cells[0], *cells[1], unit])
    header = [
        ["", "", "FAST MODE", "", "FAST MODE PLUS", "", "UNIT"],
        ["", "", "MIN", "MAX", "MIN", "MAX", ""],
    ]
    spans = [(0, 0, 1, 1), (2, 0, 3, 0), (4, 0, 5, 0), (6, 0, 6, 1)]
    widths = (0.8, 2.6, 0.7, 0.7, 0.7, 0.7, 0.6)
    sheet.table(Grid(header, rows, widths, "llccccc", spans))
    sheet.figure(Sketch(TEXT_WIDTH, 128, _timing), "I²C Timing Diagram", key="timing-diagram")


def _timing(pen: Pen) -> None:
    high, low = (112.0, 92.0)
    pen.text(28, 99, "SCL", bold=True, anchor="end")
    scl = [(34, high), (80, high), (84, low), (128, low), (132, high), (176, high), (180, low),
           (236, low), (240, high), (296, high), (300, low), (340, low), (344, high),
           (470, high)]  # fmt: skip
    pen.line(*((float(x), y) for x, y in scl), width=1)
    data_high, data_low = (58.0, 38.0)
    pen.text(28, 45, "SDA", bold=True, anchor="end")
    sda = [(34, data_high), (58, data_high), (62, data_low), (100, data_low)]
    pen.line(*((float(x), y) for x, y in sda), width=1)
    for x in (100, 204):
        end = x + 96 if x == 100 else x + 52
        pen.polygon((x, 48), (x + 4, data_high), (end - 4, data_high), (end, 48),
                    (end - 4, data_low), (x + 4, data_low), fill=PALE, width=1)  # fmt: skip
    pen.text(148, 45.5, "DATA", size=6.6)
    pen.text(230, 45.5, "ACK", size=6.6)
    pen.line((256, 48), (260, data_high), (268, data_high), (272, data_low), (392, data_low),
             (396, data_high), (440, data_high), (444, data_low), (470, data_low),
             width=1)  # fmt: skip
    for x in (60, 82, 130, 178, 270, 242, 394, 442, 344):
        pen.line((x, 20), (x, 118), width=0.35, colour=MUTED, dash=(2, 2))
    _span(pen, 60, 82, 24, "t_HDSTA")
    _span(pen, 82, 130, 76, "t_LOW")
    _span(pen, 130, 178, 76, "t_HIGH")
    _span(pen, 106, 130, 24, "t_SUDAT")
    _span(pen, 242, 270, 24, "t_SUSTA")
    _span(pen, 344, 394, 24, "t_SUSTO")
    _span(pen, 394, 442, 24, "t_BUF")
    for x, name in ((60, "S"), (270, "Sr"), (394, "P"), (442, "S")):
        pen.text(x, 4, name, size=7.5, bold=True)


def _span(pen: Pen, left: float, right: float, y: float, label: str) -> None:
    pen.arrow((left, y), (right, y), both=True, width=0.5, head=3.4)
    pen.text((left + right) / 2, y - 8, label, size=6.4)


def address_table(sheet: Sheet, rows: Sequence[Sequence[str]], pin: str) -> None:
    """Write the bus addresses that the address pin selects."""
    header = [[f"{pin} CONNECTED TO", "7-BIT ADDRESS", "HEX"]]
    grid = Grid(header, rows, (1.2, 1.2, 0.7), "lcc", style="rules")
    sheet.table(grid, f"Address Selection by the {pin} Pin", key="addresses", width=280)
