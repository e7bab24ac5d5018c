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
        seen: Parts of pymupdf4llm's Markdown that show it; without them `elsewhere` is not true.
        wrong: What Desktop QA itself still gets wrong here.
    """

    document: str
    page_no: int
    title: str
    hard: str
    elsewhere: str
    seen: tuple[str, ...]
    wrong: str = ""

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
        ("|Continuous|–10|10|mA|",),
    ),
    HardPage(
        "converter", 2, "Electrical characteristics, half ruled",
        "No rule parts symbol from name, nor MIN from TYP from MAX. Symbol, name and unit stand"
        " once, half-way down their rows. The header has two lines; groups are rows in capitals.",
        "cuts groups and headers at column edges (“ANALOG \\| INPUTS”, “NL \\| 4210-Q \\| 1”),"
        " tears names that stand between two rows (“negra nonneary”) and gives a name to one of its"
        " rows only.",
        (
            "|**ANALOG**|**INPUTS**|", "**NL**<br>**MIN**|**4210-Q**<br>**TYP**|**1**",
            "negra nonneary", "|||PGA enabled,gain = 1|",
        ),
    ),
    HardPage(
        "converter", 3, "The same table on the next page",
        "Heading, conditions and header are repeated, and both MIN columns are empty here: nothing"
        " but the page before says that there are ten columns. The program holds one table over"
        " both pages; shown are its rows on this one.",
        "starts a second table, of eight columns: MIN and TYP become one.",
        ("|**MIN**<br>**TYP**|",),
    ),
    HardPage(
        "converter", 4, "Six plots in a grid",
        "Strokes and numbers with no mark of where a plot ends; numbers of one plot stand close to"
        " the frame of its neighbour; titles run upwards.",
        "takes all six for one picture, mixes the numbers of neighbours line by line, and buries"
        " four of the six captions among them.",
        ("vs Temperature Figure 5-2. Gain Error vs Temperature<br>8 1200<br>4",),
    ),
    HardPage(
        "sensor", 1, "Block diagram and timing, captions above",
        "Captions stand above, where the text before could claim them. Words lie in boxes. Parts"
        " (a) and (b) share a caption, and the logo and the coloured band are no figures.",
        "finds both pictures; the captions are lines of text in italics, bound to neither.",
        ("_Figure 5: Block diagram of the signal path_",),
        "The marks (a) and (b) stand in the text, after their figure.",
    ),
    HardPage(
        "sensor", 2, "Two columns, a table in one, a box in the other",
        "A paragraph breaks off at “temper-” at the foot of one column and goes on at the head of"
        " the next. The table has bands of colour and no rules. The box cuts the text.",
        "keeps the order, but leaves the paragraph in two pieces, the first of which ends in"
        " “temper-”; the table's title is bound to nothing.",
        ("dependence on temper-", "\n\nature. Parts that were removed"),
    ),
    HardPage(
        "sensor", 3, "A register",
        "Names span the bits that they name; the description of a field holds a list of codes.",
        "merges bits 7 and 6, 4 and 3, 1 and 0, so that no name stands below the right bits.",
        ("|**7**<br>**6**|**5**|**4**<br>**3**|**2**|**1**<br>**0**|",),
        "The frame of bits is kept as the figure that its caption calls it, not as cells; the lines"
        " of a list of codes run together in their cell.",
    ),
    HardPage(
        "sensor", 4, "A table turned by 90 degrees",
        "Header and rows run upwards on an upright page whose running lines are upright.",
        "takes it for a picture and lists its words from right to left.",
        ("58h 00h 00h 24h 00h 80h 00h 00h 80h 00h 00h<br>Reset<br>Bit 0",),
    ),
    HardPage(
        "manual", 1, "A procedure",
        "Steps are nested three deep, a box stands between text and steps, a formula has a number"
        " at the margin, a listing has indents, footnotes are referred to by small digits.",
        "reads this page well; the number is parted from its formula, and running lines stay in"
        " the text.",
        ("– 4 mA_ \n\n(6-1)", "_Chapter 6. Calibration_"),
        "The formula is a line of text: its subscripts stand on the line.",
    ),
    HardPage(
        "manual", 2, "Signs, layers and marks",
        "The first paragraph lies on the page twice, once invisibly with the errors of text"
        " recognition; the title is drawn again as its shadow; a watermark crosses the page; Ω, µ,"
        " ±, ≤ and √ come from a symbol font; exponents are small digits.",
        "prints both layers into one (“to 750 O Ω”), says twice what follows a small digit, cuts a"
        " table's title into its header, and prints half of the page again at its end.",
        (
            "**to 750** O ", "of the reading for each kelvin<sup>–6</sup> of the reading",
            "|**6-5. Si**<br>**Sign**|", "<sup>1</sup> 1 µ A ± 0.012 + 2",
        ),
    ),
)  # fmt: skip
