"""A document under construction: its story, its numbers and the references between its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from reportlab.platypus import (
    BalancedColumns,
    CondPageBreak,
    Flowable,
    Image,
    KeepTogether,
    PageBreak,
    Paragraph,
    Spacer,
    Table,
)

from sample_library_source import house
from sample_library_source.charts import Chart
from sample_library_source.house import rich
from sample_library_source.pen import Sketch
from sample_library_source.tables import (
    Command,
    Grid,
    SideBySide,
    SpecificationRow,
    SpecificationTable,
)

_REFERENCE = re.compile(r"\{see:([a-z0-9-]+)\}")
Drawing = Chart | Sketch | Image


@dataclass(frozen=True, slots=True)
class Identity:
    """What stands in headers, footers and the file's metadata.

    Attributes:
        parts: Part numbers, as the header shows them.
        title: Line in the largest type of page 1.
        literature: Number of the document with its revision letter.
        dates: Publication dates, as the header shows them.
        years: Years of the copyright line.
        kind: What the document is, for the metadata's subject.
    """

    parts: tuple[str, ...]
    title: str
    literature: str
    dates: str
    years: str
    kind: str = "Datasheet"


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A heading as the contents page lists it."""

    level: int
    number: str
    title: str
    page_no: int


class Heading(Paragraph):
    """A numbered heading that enters the outline and the contents when it is painted."""

    def __init__(
        self, sheet: Sheet, level: int, number: str, title: str, *, kept: bool = True
    ) -> None:
        style = house.HEADINGS[level].clone(f"heading {level}", keepWithNext=int(kept))
        super().__init__(rich(title, style.fontSize), style, bulletText=number or None)
        self._entry = (sheet, level, number, house.plain(title))

    def draw(self) -> None:
        """Paint, bookmark the place and tell the sheet its page."""
        sheet, level, number, title = self._entry
        key = f"heading-{number}-{title}"
        self.canv.bookmarkHorizontal(key, 0, self.height + 12)
        self.canv.addOutlineEntry(f"{number} {title}".strip(), key, level - 1, closed=level > 1)
        sheet.found_contents.append(ContentsEntry(level, number, title, self.canv.getPageNumber()))
        super().draw()


class Anchor(Flowable):
    """An invisible place that references point to."""

    def __init__(self, sheet: Sheet, key: str, label: str, *, kept: bool = True) -> None:
        super().__init__()
        self.width = self.height = 0
        self._entry = (sheet, key, label)
        self.keepWithNext = int(kept)

    def draw(self) -> None:
        """Record the label and the destination."""
        sheet, key, label = self._entry
        self.canv.bookmarkHorizontal(key, 0, 14)
        sheet.found_references[key] = label


class Sheet:
    """Collects a document's flowables; numbers chapters, figures, tables and equations.

    References `{see:key}` are resolved with the labels that an earlier pass found, so a
    document is written until nothing moves any more.
    """

    def __init__(
        self,
        identity: Identity,
        references: Mapping[str, str],
        contents: Sequence[ContentsEntry],
    ) -> None:
        self.identity = identity
        self.contents = tuple(contents)
        self.found_contents: list[ContentsEntry] = []
        self.found_references: dict[str, str] = {}
        self.story: list[Flowable] = []
        self._references = references
        self._chapter = self._section = self._subsection = 0
        self._n_figures = self._n_tables = self._n_equations = 0

    def markup(self, text: str, size: float = house.BODY.fontSize) -> str:
        """Resolve references and notation of a text."""

        def link(match: re.Match[str]) -> str:
            label = self._references.get(match[1])
            if label is None:
                return "Figure 0-0"
            return f'<a href="#{match[1]}" color="#00566b">{label}</a>'

        return rich(_REFERENCE.sub(link, text), size)

    def add(self, *flowables: Flowable) -> None:
        """Append flowables as they are."""
        self.story.extend(flowables)

    def chapter(self, title: str, *, new_page: bool = False, key: str = "") -> None:
        """Start a chapter."""
        self._chapter += 1
        self._section = self._subsection = self._n_figures = self._n_tables = 0
        self.add(PageBreak() if new_page else CondPageBreak(110))
        self._heading(1, f"{self._chapter}", title, key, f"Section {self._chapter}")

    def section(self, title: str, *, key: str = "", room: float = 80, kept: bool = True) -> None:
        """Start a section; on a new page when less than `room` points are left."""
        self._section += 1
        self._subsection = 0
        number = f"{self._chapter}.{self._section}"
        self._ask_for(room)
        self._heading(2, number, title, key, f"Section {number}", kept=kept)

    def subsection(self, title: str, *, key: str = "", room: float = 60) -> None:
        """Start a section of the third level."""
        self._subsection += 1
        number = f"{self._chapter}.{self._section}.{self._subsection}"
        self._ask_for(room)
        self._heading(3, number, title, key, f"Section {number}")

    def _ask_for(self, room: float) -> None:
        """Break the page when `room` is not left, before the headings right above if any."""
        at = len(self.story)
        while at and isinstance(self.story[at - 1], Heading | Anchor):
            at -= 1
        n_headings = sum(isinstance(item, Heading) for item in self.story[at:])
        self.story.insert(at, CondPageBreak(room + 34 * n_headings))

    def _heading(
        self, level: int, number: str, title: str, key: str, label: str, *, kept: bool = True
    ) -> None:
        if key:
            self.add(Anchor(self, key, label, kept=kept))
        self.add(Heading(self, level, number, title, kept=kept))

    def text(self, *paragraphs: str) -> None:
        """Append body paragraphs."""
        self.add(*(Paragraph(self.markup(text), house.BODY) for text in paragraphs))

    def bullets(self, *items: str) -> None:
        """Append a list; items that start with a dash belong to the second level."""
        listed: list[Flowable] = []
        for item in items:
            if item.startswith("– "):
                text = self.markup(item[2:])
                listed.append(Paragraph(text, house.SUB_BULLET, bulletText="–"))
            else:
                listed.append(Paragraph(self.markup(item), house.BULLET, bulletText="•"))
        self.add(KeepTogether(listed), Spacer(0, 4))

    def steps(self, *items: str) -> None:
        """Append a numbered procedure."""
        listed: list[Flowable] = [
            Paragraph(self.markup(item), house.STEP, bulletText=f"{number}.")
            for number, item in enumerate(items, start=1)
        ]
        self.add(KeepTogether(listed), Spacer(0, 4))

    def callout(self, word: str, text: str) -> None:
        """Append a boxed NOTE, CAUTION or WARNING."""
        label = Paragraph(word, house.CELL_HEADER)
        body = Paragraph(self.markup(text, 8.4), house.CONDITIONS)
        colour = house.WARM if word == "WARNING" else house.ACCENT
        commands: list[Command] = [
            ("LINEBEFORE", (0, 0), (0, 0), 2.4, colour),
            ("BACKGROUND", (0, 0), (-1, -1), house.PALE),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ]
        table = Table([[label, body]], colWidths=[62, house.TEXT_WIDTH - 62], style=commands)
        self.add(Spacer(0, 2), KeepTogether([table]), Spacer(0, 7))

    def code(self, *lines: str) -> None:
        """Append lines in a fixed pitch."""
        spaced = [line.replace(" ", "&nbsp;") for line in lines]
        self.add(Paragraph("<br/>".join(spaced), house.CODE), Spacer(0, 7))

    def equation(self, text: str) -> None:
        """Append a centred formula with its number."""
        self._n_equations += 1
        formula = Paragraph(f"<i>{self.markup(text, 9.4)}</i>", house.CAPTION.clone(
            "formula", fontName=house.REGULAR, fontSize=9.4, leading=13
        ))  # fmt: skip
        number = Paragraph(f"({self._n_equations})", house.CELL_RIGHT)
        widths = [house.TEXT_WIDTH - 40, 40]
        table = Table(
            [[formula, number]], colWidths=widths, style=[("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
        )
        self.add(table, Spacer(0, 5))

    def table(
        self,
        grid: Grid,
        caption: str = "",
        *,
        key: str = "",
        notes: Sequence[str] = (),
        width: float = house.TEXT_WIDTH,
    ) -> None:
        """Append a table, numbered when it has a caption, with its footnotes."""
        if caption:
            self._n_tables += 1
            label = f"Table {self._chapter}-{self._n_tables}"
            if key:
                self.add(Anchor(self, key, label))
            text = self.markup(f"{label}. {caption}", 8.4)
            self.add(Paragraph(text, house.TABLE_CAPTION))
        self.add(grid.flowable(width), Spacer(0, 3))
        self.notes(*notes)
        self.add(Spacer(0, 6))

    def specification(
        self,
        title: str,
        conditions: str,
        rows: Sequence[SpecificationRow],
        *notes: str,
        key: str = "",
    ) -> None:
        """Append a section that is a table of characteristics."""
        # Not kept with the table: reportlab would move the whole of it to the next page.
        self.section(title, key=key, room=190, kept=False)
        number = f"{self._chapter}.{self._section}"
        self.add(Paragraph(rich(conditions, 8.2), house.CONDITIONS))
        footnotes = self._footnotes(notes)
        self.add(SpecificationTable(title, number, conditions, rows, footnotes), Spacer(0, 6))

    def notes(self, *notes: str) -> None:
        """Append footnotes (1), (2) and so on."""
        self.add(*self._footnotes(notes))

    def _footnotes(self, notes: Sequence[str]) -> list[Paragraph]:
        return [
            Paragraph(self.markup(note, 7.2), house.FOOTNOTE, bulletText=f"({number})")
            for number, note in enumerate(notes, start=1)
        ]

    def figure(self, drawing: Drawing, caption: str, *, key: str = "") -> None:
        """Append a figure with its caption below, both on one page."""
        parts = self._figure(drawing, caption, key)
        if isinstance(self.story[-1], Heading):
            self._ask_for(sum(part.wrap(house.TEXT_WIDTH, 10_000)[1] for part in parts) + 12)
        self.add(KeepTogether([*parts, Spacer(0, 8)]))

    def _figure(self, drawing: Drawing, caption: str, key: str) -> list[Flowable]:
        self._n_figures += 1
        label = f"Figure {self._chapter}-{self._n_figures}"
        flowable = drawing.sketch() if isinstance(drawing, Chart) else drawing
        text = Paragraph(self.markup(f"{label}. {caption}", 8.4), house.CAPTION)
        anchor = [Anchor(self, key, label)] if key else []
        return [*anchor, flowable, Spacer(0, 3), text]

    def charts(self, *figures: tuple[Drawing, str, str]) -> None:
        """Append figures (drawing, caption, key) in rows of two."""
        for start in range(0, len(figures), 2):
            pair = [self._figure(*figure) for figure in figures[start : start + 2]]
            if len(pair) == 1:
                pair.append([])
            self.add(SideBySide(pair, house.GUTTER), Spacer(0, 5))

    @contextmanager
    def two_columns(self) -> Iterator[None]:
        """Set what is appended inside in two columns."""
        outer, self.story = self.story, []
        try:
            yield
        finally:
            inner, self.story = self.story, outer
            if any(isinstance(item, Heading) for item in inner):
                self.add(SideBySide(_halves(inner), house.GUTTER))
            else:
                self.add(BalancedColumns(inner, nCols=2, innerPadding=house.GUTTER, needed=90))

    @contextmanager
    def collected(self) -> Iterator[list[Flowable]]:
        """Hand what is appended inside to the caller instead of the story."""
        outer, self.story = self.story, []
        part = self.story
        try:
            yield part
        finally:
            self.story = outer


def unkept(items: Sequence[Flowable]) -> list[Flowable]:
    """Flowables for columns that stay on one page anyway: nothing kept together, no breaks."""
    parts: list[Flowable] = []
    for item in items:
        if isinstance(item, KeepTogether):
            parts += item._content  # type: ignore[attr-defined]
        elif not isinstance(item, CondPageBreak):
            parts.append(item)
    return parts


def _halves(items: Sequence[Flowable]) -> list[list[Flowable]]:
    """Divide into two columns of about the same height, each starting with a heading."""
    parts = unkept(items)
    heights = [item.wrap(house.COLUMN_WIDTH, 10_000)[1] for item in parts]
    starts = [
        index
        for index, item in enumerate(parts)
        if (isinstance(item, Heading) and not (index and isinstance(parts[index - 1], Anchor)))
        or isinstance(item, Anchor)
    ]
    best = min(starts[1:], key=lambda at: max(sum(heights[:at]), sum(heights[at:])))
    return [parts[:best], parts[best:]]
