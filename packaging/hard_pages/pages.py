"""The ten pages, and what is said of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hard_pages import converter, manual, sensor

DOCUMENTS: dict[str, Callable[[Path], list[list[str]]]] = {
    "converter": converter.draw,
    "sensor": sensor.draw,
    "manual": manual.draw,
}
"""How each document is drawn; each is read as a whole, without bookmarks."""


@dataclass(frozen=True, slots=True)
class HardPage:
    """A page with its story.

    Attributes:
        page_no: In its document, 1-based.
        hard: What makes it hard to read.
        elsewhere: What pymupdf4llm 2.0 with its layout model makes of it.
    """

    document: str
    page_no: int
    title: str
    hard: str
    elsewhere: str

    @property
    def name(self) -> str:
        """Of its files."""
        return f"{self.document}-{self.page_no}"


PAGES = (
    HardPage(
        "converter", 1, "A table without a single rule",
        "White alone parts the columns, and an indent alone says that 10 mA is a limit of the"
        " *input current*. The notes begin where a row would.",
        "finds the rows, but drops the indents: “Continuous, –10, 10 mA” is a row of its own that"
        " does not say of what. Notes are paragraphs apart from their table.",
    ),
    HardPage(
        "converter", 2, "Electrical characteristics, half ruled",
        "No rule parts symbol from name, nor MIN from TYP from MAX. Symbol, name and unit stand"
        " once, half-way down their rows. The header has two lines; groups are rows in capitals.",
        "cuts headers and groups at column edges (“N \\| L4210”, “ANALOG \\| INPUTS”), tears names"
        " that stand between two rows (“Offt dift”, “ntegra nonnearty”) and gives a name to one"
        " of its rows only.",
    ),
    HardPage(
        "converter", 3, "The same table on the next page",
        "Heading, conditions and header are repeated, and both MIN columns are empty here: nothing"
        " but the page before says that there are ten columns. Below are the rows of this page;"
        " the program holds one table with those before.",
        "starts a second table of eight columns: MIN and TYP become one.",
    ),
    HardPage(
        "converter", 4, "Six plots in a grid",
        "Thousands of strokes with no mark of where a plot ends; numbers of one plot stand close to"
        " the frame of its neighbour; titles run upwards.",
        "takes all six for one picture, mixes the numbers of neighbours line by line, and buries"
        " four of the six captions among them.",
    ),
    HardPage(
        "sensor", 1, "Block diagram and timing, captions above",
        "Captions stand above, where the text before could claim them. Words lie in boxes, parts"
        " (a) and (b) are one figure, and the logo and the coloured band are none.",
        "finds both pictures; the captions are lines of text in italics, bound to neither.",
    ),
    HardPage(
        "sensor", 2, "Two columns, a table in one, a box in the other",
        "A paragraph breaks off at “temper-” at the foot of one column and goes on at the head of"
        " the next. The table has bands of colour and no rules. The box cuts the text.",
        "puts “ature.” before the paragraph that it ends, 4.3 before 4.2, and a paragraph of 4.2"
        " into the list of 4.3.",
    ),
    HardPage(
        "sensor", 3, "A register",
        "Names span the bits that they name; the description of a field holds a list of codes.",
        "merges bits 7 and 6, 4 and 3, 1 and 0, so that no name stands below the right bits.",
    ),
    HardPage(
        "sensor", 4, "A table turned by 90 degrees",
        "Header and rows run upwards on an upright page whose running lines are upright.",
        "takes it for a picture and lists its words from right to left.",
    ),
    HardPage(
        "manual", 1, "A procedure",
        "Steps are nested three deep, a box stands between text and steps, a formula has a number"
        " at the margin, a listing has indents, footnotes are referred to by small digits.",
        "reads this page well; the number is parted from its formula, and running lines stay in"
        " the text.",
    ),
    HardPage(
        "manual", 2, "Signs, layers and marks",
        "The first paragraph lies on the page twice, once invisibly with the errors of text"
        " recognition; the title is drawn again as its shadow; a watermark crosses the page; Ω, µ,"
        " ±, ≤ and √ come from a symbol font; exponents are small digits.",
        "prints both layers into one (“from 0 O Ω to 750”), makes two columns of the table's four"
        " and swallows the section below into it.",
    ),
)  # fmt: skip
