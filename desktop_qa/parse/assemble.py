"""Runs into blocks: paragraphs joined over breaks, tables and figures in their places."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, takewhile
from pathlib import Path

from desktop_qa.core.document import (
    FURNITURE,
    Block,
    BlockKind,
    BoundingBox,
    DocumentId,
    Figure,
    PageWords,
    Provenance,
    Table,
    Word,
)
from desktop_qa.core.folding import Vocabulary
from desktop_qa.core.stages import Stage, attempt, completes
from desktop_qa.parse.boilerplate import (
    is_boilerplate_section,
    is_contents_line,
    is_legal_text,
)
from desktop_qa.parse.boxes import clear_of, padded, share_covered, within
from desktop_qa.parse.figures import FoundFigure
from desktop_qa.parse.flow import PageFlow
from desktop_qa.parse.layout import Element
from desktop_qa.parse.lines import Line, group_fragments, group_lines, joined_text
from desktop_qa.parse.markdown import table_title
from desktop_qa.parse.page import ImagePlace, StyledWord
from desktop_qa.parse.paragraphs import Run, box_of, goes_on
from desktop_qa.parse.pdf import PdfFile
from desktop_qa.parse.table_reading import describe_table, read_table
from desktop_qa.parse.tables import FoundTable, join_continued
from desktop_qa.parse.vectors import MAX_PATHS_PER_PAGE

_JOINABLE = (BlockKind.TEXT, BlockKind.LIST_ITEM)
_PASSED_OVER = (
    BlockKind.TABLE,
    BlockKind.PICTURE,
    BlockKind.CAPTION,
    BlockKind.FOOTNOTE,
    *FURNITURE,
)
_REFERENCE = re.compile(
    r"\bfig(?:ure|\.)?s?\s*((?:[A-Z]{1,2}[-.]?)?\d+(?:[-–.]\d+)*)", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?])(?<![A-Z]\.[A-Z]\.)\s+(?=[A-Z(])")
_MAX_SENTENCES = 3
_MIN_WORDS_AROUND = 4
"""Of a paragraph around a figure; shorter ones are labels."""


@dataclass(slots=True)
class Draft:
    """A block in the making: runs of one or more columns and pages."""

    kind: BlockKind
    runs: list[Run]
    level: int = 0
    element_index: int | None = None
    text: str = ""
    places: tuple[Provenance, ...] = ()


def join_runs(runs: Iterable[Run], vocabulary: Vocabulary) -> list[Draft]:
    """Join the runs of a paragraph, in reading order, that a column, a page or a float cuts."""
    drafts: list[Draft] = []
    previous: Run | None = None
    for run in runs:
        draft = attempt(Stage.PARAGRAPHS, run.page_no, None, _cut_draft, drafts, run, previous)
        if draft is not None:
            draft.runs.append(run)
        else:
            drafts.append(Draft(run.kind, [run], run.level))
        previous = run
    for draft in drafts:
        if draft.runs[0].lines:
            plain = " ".join(line.text for run in draft.runs for line in run.lines)
            draft.text = attempt(
                Stage.PARAGRAPHS, draft.runs[0].page_no, plain, draft_text, draft, vocabulary
            )
            draft.places = _places_of(draft.runs)
    return drafts


def _cut_draft(drafts: Sequence[Draft], run: Run, previous: Run | None) -> Draft | None:
    """Return the paragraph that the run goes on with, when something cut it."""
    if run.kind != BlockKind.TEXT or previous is None:
        return None
    if previous.element is None and (previous.page_no, previous.column) == (
        run.page_no,
        run.column,
    ):
        return None
    draft = next((d for d in reversed(drafts[-8:]) if d.kind not in _PASSED_OVER), None)
    if draft is None or draft.kind not in _JOINABLE:
        return None
    last = draft.runs[-1]
    is_cut = (
        run.page_no - last.page_no <= 1
        and abs(last.lines[-1].size - run.lines[0].size) <= 0.8
        and goes_on(last.lines[-1].text, run.lines[0].text)
        and [line.text for line in last.lines] != [line.text for line in run.lines]
    )
    return draft if is_cut else None


def draft_text(draft: Draft, vocabulary: Vocabulary) -> str:
    """Text of all lines; code keeps its line ends and indents."""
    lines = [line for run in draft.runs for line in run.lines]
    if draft.kind == BlockKind.CODE:
        return "\n".join(_indents(lines))
    return joined_text([line.text for line in lines], vocabulary)


def _indents(lines: Sequence[Line]) -> list[str]:
    """Texts of lines of one width of type, each with the spaces that its indent stands for."""
    left = min(line.left for line in lines)
    n_chars = sum(len(line.text) for line in lines)
    width = sum(line.right - line.left for line in lines) / max(n_chars, 1)
    return [
        " " * (round((line.left - left) / width) if width > 0 else 0) + line.text for line in lines
    ]


def _places_of(runs: Sequence[Run]) -> tuple[Provenance, ...]:
    """One tight rectangle for each page and column."""
    lines: dict[tuple[int, int], list[Line]] = defaultdict(list)
    for run in runs:
        lines[run.page_no, run.column] += run.lines
    return tuple(Provenance(page_no, box_of(of)) for (page_no, _column), of in lines.items() if of)


def to_blocks(
    drafts: Sequence[Draft], boilerplate_pages: frozenset[int], ends: frozenset[int]
) -> tuple[Block, ...]:
    """Finish the blocks and mark boilerplate.

    Args:
        drafts: In reading order.
        boilerplate_pages: 1-based numbers of pages that hold nothing else.
        ends: Those of the first and the last pages. On all others legal terms are the matter, and
            a chapter of boilerplate ends with its page: what follows may be a chapter whose title
            was missed.
    """
    blocks: list[Block] = []
    level: int | None = None
    started = 0
    for draft in drafts:
        page_no = draft.places[0].page_no if draft.places else 0
        is_heading = draft.kind == BlockKind.SECTION_HEADER
        if is_heading and (level is None or draft.level <= level):
            is_such = attempt(Stage.HEADINGS, page_no, False, is_boilerplate_section, draft.text)
            level, started = draft.level if is_such else None, page_no
        is_below = level is not None and (page_no == started or page_no in ends)
        is_aside = attempt(Stage.PARAGRAPHS, page_no, False, is_contents_line, draft.text) or (
            page_no in ends and attempt(Stage.PARAGRAPHS, page_no, False, is_legal_text, draft.text)
        )
        blocks.append(
            Block(
                draft.kind,
                draft.text,
                draft.level,
                draft.places,
                draft.element_index,
                boilerplate=is_below or page_no in boilerplate_pages or is_aside,
            )
        )
    return tuple(blocks)


def referring_sentences(drafts: Iterable[Draft]) -> dict[str, list[str]]:
    """Sentences of the running text by the number of the figure they name."""
    sentences: dict[str, list[str]] = defaultdict(list)
    for draft in drafts:
        if draft.kind not in _JOINABLE or "ig" not in draft.text.lower():
            continue
        for sentence in _SENTENCE.split(draft.text):
            for number in dict.fromkeys(_REFERENCE.findall(sentence)):
                sentences[number.lower()].append(sentence)
    return sentences


def mentions_of(label: str, sentences: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the first of the sentences that name a figure by the number of its label."""
    number = re.sub(r"^\D*?(?=[A-Z]{0,2}[-.]?\d)", "", label).strip().lower()
    return tuple(sentences.get(number, ())[:_MAX_SENTENCES])


def surrounding_paragraph(drafts: Sequence[Draft], index: int) -> str:
    """Return the paragraph that a figure stands behind, else the one after it, of its chapter.

    HiQA, section 3.2: the wrapped context of an image. Where a chapter holds nothing but figures,
    its heading is what is said of them.
    """
    before = takewhile(_is_in_chapter, reversed(drafts[:index]))
    after = takewhile(_is_in_chapter, drafts[index + 1 :])
    paragraphs = (draft.text for draft in chain(before, after) if draft.kind in _JOINABLE)
    headings = (d.text for d in reversed(drafts[:index]) if not _is_in_chapter(d))
    long = (text for text in paragraphs if len(text.split()) >= _MIN_WORDS_AROUND)
    return next(chain(long, headings), "")


def announcement(drafts: Sequence[Draft]) -> str:
    """Return what the text before a table says that it tells; "" where none announces it.

    Reports set few captions: "Revenue by geographical region was as follows (in millions):".
    """
    before = (draft for draft in reversed(drafts) if draft.kind not in FURNITURE)
    draft = next(before, None)
    if draft is None or draft.kind not in _JOINABLE or not draft.text.endswith(":"):
        return ""
    return _SENTENCE.split(draft.text)[-1].removesuffix(":")


def _is_in_chapter(draft: Draft) -> bool:
    return draft.kind != BlockKind.SECTION_HEADER


FIGURE_DPI = 170
BOILERPLATE_DPI = 120
"""Drawings of packages are many and seldom looked at."""

MAX_VECTOR_BYTES = 1_500_000
"""Of an SVG; a larger one takes a viewer longer than its bitmap is worth."""

_BYTES_OF_ITEM = 12
"""At least, of a path operator in an SVG."""

_MIN_DPI = 36
_MIN_BITMAP_SHARE = 0.7
"""Of a figure that has the resolution of its bitmap."""

_MAX_BITMAP_SHARE = 0.3
"""Of a figure that is kept as a drawing."""

_MARGIN_PT = 3.0
_MIN_TURNED_WORDS = 4
_TURNED_COLUMN = 1000
"""Number of the first column of turned text: each block is one of its own."""


class ElementBuilder:
    """Gives the elements of the pages their place in the document."""

    def __init__(
        self, pages: Mapping[int, PageFlow], drafts: Sequence[Draft], aside: frozenset[int]
    ) -> None:
        self._pages = pages
        self._drafts = attempt(Stage.FIGURES, 0, list(drafts), _by_number, drafts, pages)
        self._aside = aside
        self._figures: list[Figure] = []
        self._sentences = attempt(Stage.FIGURES, 0, {}, referring_sentences, drafts)

    def build(
        self,
        pdf: PdfFile,
        document_id: DocumentId,
        folder: Path | None,
        on_page: Callable[[int, int], None],
    ) -> tuple[list[Draft], tuple[Table, ...], tuple[Figure, ...]]:
        """Resolve the elements among the drafts; a `folder` of None draws no figures."""
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        joined = join_continued([t for page in self._pages.values() for t in page.tables])
        first_parts = {id(parts[0]): index for index, (_table, parts) in enumerate(joined)}
        tables = [
            attempt(Stage.TABLES, parts[0].page_no, table, read_table, table)
            for table, parts in joined
        ]
        heading = ""
        drafts: list[Draft] = []
        for draft in self._drafts:
            if draft.kind == BlockKind.SECTION_HEADER:
                heading = draft.text
            element = draft.runs[0].element
            page = self._pages[draft.runs[0].page_no]
            if element is None:
                drafts.append(draft)
            elif element.kind == BlockKind.TABLE:
                index = first_parts.get(id(page.tables[element.index]))
                if index is not None:
                    table = tables[index]
                    if not table.label and not table.caption:
                        table = replace(table, caption=announcement(drafts))
                    drafts.append(self._table(index, table, joined[index][1]))
                    page_no = page.content.page_no
                    description = attempt(Stage.TABLES, page_no, "", describe_table, table, heading)
                    tables[index] = replace(table, description=description)
            else:
                found = page.figures[element.index]
                if folder is not None:
                    on_page(found.page_no, pdf.n_pages)
                drafts.append(self._figure(page, found, pdf, document_id, folder))
        return drafts, tuple(tables), tuple(self._surrounded(drafts))

    def _surrounded(self, drafts: Sequence[Draft]) -> Iterator[Figure]:
        places = [i for i, draft in enumerate(drafts) if draft.kind == BlockKind.PICTURE]
        for index, figure in zip(places, self._figures, strict=True):
            page_no = figure.provenances[0].page_no
            around = attempt(Stage.FIGURES, page_no, "", surrounding_paragraph, drafts, index)
            yield replace(figure, surroundings=around)

    def _table(self, index: int, table: Table, parts: Sequence[FoundTable]) -> Draft:
        places = tuple(
            Provenance(part.page_no, self._pages[part.page_no].table_box(part)) for part in parts
        )
        return Draft(
            BlockKind.TABLE, [], element_index=index, text=table_title(table), places=places
        )

    def _figure(
        self,
        page: PageFlow,
        found: FoundFigure,
        pdf: PdfFile,
        document_id: DocumentId,
        folder: Path | None,
    ) -> Draft:
        caption = found.caption
        places = [Provenance(found.page_no, found.bbox)]
        if caption is not None:
            places.append(Provenance(found.page_no, caption.bbox))
        name = f"{found.page_no:04d}-{len(self._figures) + 1:03d}"
        drawn = outlined = False
        if folder is not None:
            of = page, found, pdf, folder / name
            drawn = completes(Stage.IMAGES, found.page_no, self._draw, *of)
            outlined = attempt(Stage.IMAGES, found.page_no, False, _draw_vector, *of)
        label = caption.label if caption else ""
        words = attempt(Stage.FIGURES, found.page_no, [], _words_inside, page, found)
        figure = Figure(
            label=label,
            caption=caption.text if caption else "",
            image_path=f"figures/{document_id}/{name}.png" if drawn else "",
            provenances=tuple(places),
            words=" ".join(word.text for word in words),
            vector_path=f"figures/{document_id}/{name}.svg" if outlined else "",
            mentions=attempt(Stage.FIGURES, found.page_no, (), mentions_of, label, self._sentences),
        )
        self._figures.append(figure)
        index = len(self._figures) - 1
        return Draft(
            BlockKind.PICTURE, [], element_index=index, text=figure.caption, places=tuple(places)
        )

    def _draw(self, page: PageFlow, found: FoundFigure, pdf: PdfFile, stem: Path) -> None:
        images = [i for i in page.content.images if i.bbox.intersection_area(found.bbox) > 0]
        share = share_covered(found.bbox, (image.bbox for image in images))
        dpi = BOILERPLATE_DPI if found.page_no in self._aside else FIGURE_DPI
        if not found.line_nos and share > _MIN_BITMAP_SHARE:
            dpi = min(dpi, max(_resolution(image) for image in images))
        pdf.render(found.page_no, _image_area(page, found), stem.with_suffix(".png"), dpi)


def _draw_vector(page: PageFlow, found: FoundFigure, pdf: PdfFile, stem: Path) -> bool:
    """Write a drawing of paths, few enough to be kept as such; False for a bitmap."""
    drawings = page.content.drawings
    share = share_covered(found.bbox, (image.bbox for image in page.content.images))
    if len(drawings) >= MAX_PATHS_PER_PAGE or share > _MAX_BITMAP_SHARE:
        return False
    n_items = sum(d.n_items for d in drawings if found.bbox.intersection_area(d.bbox) > 0)
    return n_items * _BYTES_OF_ITEM < MAX_VECTOR_BYTES and pdf.render_vector(
        found.page_no, _image_area(page, found), stem.with_suffix(".svg"), MAX_VECTOR_BYTES
    )


def _image_area(page: PageFlow, found: FoundFigure) -> BoundingBox:
    """Place of a figure with a margin for the width of its strokes, without captions."""
    box = within(padded(found.bbox, _MARGIN_PT), page.content.bbox)
    if found.frame is not None:
        box = within(box, found.frame)
    captions = [caption.bbox for caption in page.captions]
    if found.caption is not None:
        captions.append(found.caption.bbox)
    return clear_of(box, captions)


def _resolution(image: ImagePlace) -> int:
    """Pixels for each inch, of the side that has more."""
    across = image.width_px / max(image.bbox.width, 1.0)
    down = image.height_px / max(image.bbox.height, 1.0)
    return max(round(72 * max(across, down)), _MIN_DPI)


def _by_number(drafts: Sequence[Draft], pages: Mapping[int, PageFlow]) -> list[Draft]:
    """Put the figures of a page and chapter into the order of their numbers.

    A grid of plots is two columns to the layout, and counted row by row.
    """
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    chapter = 0
    for index, draft in enumerate(drafts):
        chapter += draft.kind == BlockKind.SECTION_HEADER
        if _figure_number(draft, pages):
            groups[draft.runs[0].page_no, chapter].append(index)
    ordered = list(drafts)
    for places in groups.values():
        in_order = sorted(places, key=lambda i: _figure_number(drafts[i], pages))
        for place, source in zip(places, in_order, strict=True):
            ordered[place] = drafts[source]
    return ordered


def _figure_number(draft: Draft, pages: Mapping[int, PageFlow]) -> tuple[int, ...]:
    """Numbers of a figure's label; empty for what is no labelled figure."""
    element = draft.runs[0].element
    if element is None or element.kind != BlockKind.PICTURE:
        return ()
    caption = pages[draft.runs[0].page_no].figures[element.index].caption
    return tuple(map(int, re.findall(r"\d+", caption.label))) if caption else ()


def _words_inside(page: PageFlow, figure: FoundFigure) -> list[StyledWord]:
    """Words of a figure line by line, those that run upwards last."""
    inside = [f for f in page.fragments if f.words[0].line_no in figure.line_nos]
    upright = group_lines(f for f in inside if not f.words[0].angle)
    turned = [f for f in inside if f.words[0].angle]
    return [word for line in (*upright, *turned) for word in line.words]


def page_words(page: PageFlow) -> PageWords:
    """The words of a page in the order in which its blocks are read.

    Furniture is left out, and slanted text, which is a watermark.
    """
    items = (item for column in page.columns for item in column.items)
    words = [word for item in items for word in _item_words(page, item)]
    known = {id(word) for word in words}
    words += [
        word
        for f in page.fragments
        for word in f.words
        if id(word) not in known and word.text and word.angle % 90 == 0
    ]
    return PageWords(page.content.page_no, tuple(Word(word.text, word.bbox) for word in words))


def _item_words(page: PageFlow, item: Element | Line) -> Sequence[StyledWord]:
    if isinstance(item, Line):
        return item.words
    if item.kind == BlockKind.TABLE:
        return _table_words(page, page.tables[item.index])
    if item.kind == BlockKind.PICTURE:
        figure = page.figures[item.index]
        caption = figure.caption.lines if figure.caption else ()
        return [*_words_inside(page, figure), *(word for line in caption for word in line.words)]
    return [word for line in page.headings[item.index].lines for word in line.words]


def _table_words(page: PageFlow, table: FoundTable) -> list[StyledWord]:
    """Caption, then cell by cell in row order, then notes."""
    rest = page.table_words(table)
    in_cells: list[StyledWord] = []
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        for place in cell.provenances:
            here = [word for word in rest if place.bbox.contains_center(word.bbox)]
            in_cells += sorted(here, key=lambda word: word.bbox.left)
            taken = {id(word) for word in here}
            rest = [word for word in rest if id(word) not in taken]
    lines = group_lines(group_fragments(rest))
    above = [w for ln in lines if ln.baseline <= table.bbox.top + 2 for w in ln.words]
    below = [w for ln in lines if ln.baseline > table.bbox.top + 2 for w in ln.words]
    return [*above, *in_cells, *below]


def _turned_runs(page: PageFlow) -> Iterator[Run]:
    """Text that runs upwards, downwards or upside down, outside of figures, block by block.

    Slanted text is a watermark; single words at the side of a page are marks of its maker.
    """
    in_figures = {number for figure in page.figures for number in figure.line_nos}
    blocks: dict[int, list[Line]] = {}
    for fragment in page.fragments:
        word = fragment.words[0]
        if word.angle in (90, 180, 270) and word.line_no not in in_figures:
            blocks.setdefault(word.block_no, []).append(fragment)
    for index, lines in enumerate(blocks.values()):
        n_words = sum(len(line.words) for line in lines)
        if n_words >= _MIN_TURNED_WORDS or len(page.content.words) <= 2 * n_words:
            yield Run(BlockKind.TEXT, page.content.page_no, _TURNED_COLUMN + index, lines)


def element_runs(page: PageFlow, runs: Iterable[Run]) -> Iterator[Run]:
    """Give headings among the runs their lines; put the furniture around them."""
    page_no = page.content.page_no
    if page.header:
        yield Run(BlockKind.PAGE_HEADER, page_no, -1, list(page.header))
    for run in runs:
        if run.element is not None and run.kind == BlockKind.SECTION_HEADER:
            heading = page.headings[run.element.index]
            run.lines, run.level, run.element = list(heading.lines), heading.level, None
        yield run
    yield from _turned_runs(page)
    if page.footer:
        yield Run(BlockKind.PAGE_FOOTER, page_no, -2, list(page.footer))
