"""Chapters that every datasheet of the vendor has in the same shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.platypus import Paragraph, Spacer

from sample_library_source import house
from sample_library_source.house import rich
from sample_library_source.pen import Sketch
from sample_library_source.publish import contents_page, front_columns, title_block
from sample_library_source.sheet import Sheet, unkept
from sample_library_source.tables import Grid, Line, Parameter, SpecificationRow

OVER_RANGE = "over operating free-air temperature range (unless otherwise noted)"


@dataclass(frozen=True, slots=True)
class Revision:
    """Changes from one revision to the next, newest first in a history."""

    title: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Orderable:
    """A line of the ordering information."""

    number: str
    package: str
    drawing: str
    pins: int
    quantity: int
    marking: str
    temperature: str = "–40 to 125"


@dataclass(frozen=True, slots=True)
class PackageThermals:
    """Thermal metrics of a package in °C/W, in the order of JEDEC's table."""

    name: str
    drawing: str
    n_pins: int
    metrics: tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Front:
    """What page 1 shows."""

    features: tuple[str, ...]
    applications: tuple[str, ...]
    description: tuple[str, ...]
    devices: tuple[tuple[str, str, str], ...]
    sketch: Sketch
    sketch_caption: str


def front_page(sheet: Sheet, front: Front) -> None:
    """Write page 1: features and applications beside the description, a schematic below."""
    title_block(sheet)
    with sheet.collected() as left:
        sheet.chapter("Features", key="features")
        sheet.bullets(*front.features)
        sheet.chapter("Applications", key="applications")
        sheet.bullets(*front.applications)
    with sheet.collected() as right:
        sheet.chapter("Description", key="description")
        sheet.text(*front.description)
        style = house.TABLE_CAPTION
        right.append(Paragraph("Device Information<super size=6>(1)</super>", style))
        grid = Grid(
            [["PART NUMBER", "PACKAGE", "BODY SIZE (NOM)"]], front.devices, (1, 1.05, 1.25), "lll"
        )
        right.append(grid.flowable(house.COLUMN_WIDTH))
        right.append(Spacer(0, 3))
        sheet.notes("For all available packages, see {see:ordering}.")
    front_columns(sheet, unkept(left), unkept(right))
    sheet.figure(front.sketch, front.sketch_caption, key="front")


def contents_and_history(sheet: Sheet, revisions: Sequence[Revision]) -> None:
    """Write page 2: contents, then the revision history."""
    contents_page(sheet)
    sheet.chapter("Revision History", key="history")
    for revision in revisions:
        style = house.CELL_GROUP.clone("revision", fontSize=8.8, leading=12, spaceAfter=2)
        style.keepWithNext = 1
        sheet.add(Paragraph(rich(revision.title, 8.8), style))
        sheet.bullets(*revision.changes)


def pin_table(sheet: Sheet, grid: Grid, caption: str = "Pin Functions") -> None:
    """Write a pin table with its remark on pin types."""
    sheet.table(grid, caption, key="pins")
    sheet.add(Paragraph(
        "Type: I = input, O = output, I/O = bidirectional, P = power, G = ground.",
        house.FOOTNOTE.clone("types", leftIndent=0, spaceAfter=6),
    ))  # fmt: skip


def absolute_maximum(sheet: Sheet, rows: Sequence[Sequence[str]], *notes: str) -> None:
    """Write the absolute maximum ratings: subject, condition, minimum, maximum, unit."""
    sheet.section("Absolute Maximum Ratings", key="absolute", room=170)
    sheet.add(Paragraph(f"{OVER_RANGE}<super size=6>(1)</super>", house.CONDITIONS))
    spans = []
    for index, row in enumerate(rows, start=1):
        if len(row) == 5 and not row[1]:
            spans.append((0, index, 1, index))
    grid = Grid([["", "", "MIN", "MAX", "UNIT"]], rows, (1.5, 1.5, 0.7, 0.7, 0.5), "llccc", spans)
    standing = (
        "Operation outside the Absolute Maximum Ratings may cause permanent device damage. "
        "Absolute Maximum Ratings do not imply functional operation of the device at these or "
        "any other conditions beyond those listed under Recommended Operating Conditions."
    )
    sheet.table(grid, notes=(standing, *notes))


def esd_ratings(sheet: Sheet, human_body: int, charged_device: int) -> None:
    """Write the ESD ratings as a table without rules."""
    sheet.section("ESD Ratings", key="esd")
    rows = [
        ["V_(ESD)", "Electrostatic discharge", "Human-body model (HBM), per JESD22-A114",
         f"±{human_body}", "V"],
        ["", "", "Charged-device model (CDM), per JESD22-C101", f"±{charged_device}", "V"],
    ]  # fmt: skip
    rows[0][0] = "V_{(ESD)}"
    grid = Grid(
        [["", "", "", "VALUE", "UNIT"]], rows, (0.6, 1.4, 2.6, 0.7, 0.5), "lllcc", style="bare"
    )
    sheet.table(grid)


def recommended(sheet: Sheet, rows: Sequence[Sequence[str]], *notes: str) -> None:
    """Write the recommended operating conditions with rules between rows only."""
    sheet.section("Recommended Operating Conditions", key="recommended", room=120)
    sheet.add(Paragraph(OVER_RANGE, house.CONDITIONS))
    header = [["", "", "MIN", "NOM", "MAX", "UNIT"]]
    grid = Grid(header, rows, (0.6, 2.6, 0.7, 0.7, 0.7, 0.5), "llcccc", style="rules")
    sheet.table(grid, notes=notes)


THERMAL_METRICS = (
    ("R_{θJA}", "Junction-to-ambient thermal resistance"),
    ("R_{θJC(top)}", "Junction-to-case (top) thermal resistance"),
    ("R_{θJB}", "Junction-to-board thermal resistance"),
    ("ψ_{JT}", "Junction-to-top characterization parameter"),
    ("ψ_{JB}", "Junction-to-board characterization parameter"),
)


def thermal_information(sheet: Sheet, part: str, packages: Sequence[PackageThermals]) -> None:
    """Write the thermal metrics under a header of three rows that spans."""
    sheet.section("Thermal Information", key="thermal", room=150)
    n = len(packages)
    header = [
        ["THERMAL METRIC^{(1)}", "", part, *[""] * (n - 1), "UNIT"],
        ["", "", *(f"{package.name} ({package.drawing})" for package in packages), ""],
        ["", "", *(f"{package.n_pins} PINS" for package in packages), ""],
    ]
    rows = [
        [symbol, name, *(f"{package.metrics[index]:.1f}" for package in packages), "°C/W"]
        for index, (symbol, name) in enumerate(THERMAL_METRICS)
    ]
    spans = [(0, 0, 1, 2), (2, 0, n + 1, 0), (n + 2, 0, n + 2, 2)]
    grid = Grid(
        header, rows, (0.65, 2.7 if n < 3 else 2.2, *[1.0] * n, 0.55), "ll" + "c" * (n + 1), spans
    )
    sheet.table(grid, notes=("Simulated on a four-layer JESD51-7 high-K board in still air.",))


def ordering_information(
    sheet: Sheet, items: Sequence[Orderable], *notes: str, new_page: bool = False
) -> None:
    """Write the chapter with the orderable part numbers."""
    sheet.chapter("Ordering Information", key="ordering", new_page=new_page)
    rows = [
        [item.number, "Active", item.package, item.drawing, str(item.pins), f"{item.quantity}",
         item.temperature, item.marking]
        for item in items
    ]  # fmt: skip
    header = [
        ["ORDERABLE PART", "STATUS", "PACKAGE", "DRAWING", "PINS", "REEL QTY", "OP TEMP (°C)",
         "MARKING"]
    ]  # fmt: skip
    grid = Grid(header, rows, (1.5, 0.8, 1.1, 0.95, 0.6, 0.8, 1.1, 0.95), "lcccccc" + "c")
    sheet.table(grid, "Orderable Part Numbers", notes=notes)


def value_of(rows: Sequence[SpecificationRow], symbol: str, name: str = "") -> tuple[Line, ...]:
    """Look a characteristic up by its symbol, and name when several share it."""
    for row in rows:
        if isinstance(row, Parameter) and row.symbol == symbol and name in row.name:
            return row.lines
    raise LookupError(f"no parameter {symbol} {name}")


def signed(value: float) -> str:
    """Write a symmetric limit: ±0.5."""
    return f"±{value:g}"
