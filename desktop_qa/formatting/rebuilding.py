"""The offline reading with other headings and tables: same words, same pages, same rectangles."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from desktop_qa.core.document import (
    FURNITURE,
    Block,
    BlockKind,
    BoundingBox,
    Document,
    PageWords,
    Provenance,
    Table,
    TableCell,
)
from desktop_qa.core.folding import fold
from desktop_qa.formatting.lines import box_of, line_boxes, text_of
from desktop_qa.formatting.placing import Placed, PlacedHeading, PlacedTable
from desktop_qa.parse.captions import table_label
from desktop_qa.parse.markdown import render_markdown, table_title
from desktop_qa.parse.table_reading import describe_table, read_table

_MIN_REPLACED = 0.5
"""Share of an offline table in the rectangle of a new one, from which on it is replaced."""

WordPlace = tuple[int, int]
"""A page number, and the index of a word on that page."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A document with the structure that was placed.

    Attributes:
        n_headings: Of those placed.
        n_tables: Likewise, those included that say what the offline one says.
        n_refused: That would have cut a table or figure of the pages.
    """

    document: Document
    n_headings: int
    n_tables: int
    n_refused: int


class Rebuilding:
    """Puts the headings and tables that a model placed into a document, in place of its own."""

    def __init__(
        self, offline: Document, pages: Mapping[int, PageWords], unread: Collection[WordPlace]
    ) -> None:
        """Give each word to a block.

        Args:
            offline: As the program read it.
            pages: Its words.
            unread: Words of which the model said nothing that has a place: there the headings
                stay.
        """
        self._offline = offline
        self._pages = pages
        self._unread = unread
        self._own: list[list[WordPlace]] = [[] for _block in offline.blocks]
        self._owners: dict[WordPlace, int] = {}
        for page in pages.values():
            self._find_owners(page)
        self._labels: dict[WordPlace, Placed] = {}
        self._replaced: dict[int, PlacedTable] = {}
        self._n_same = 0
        self._tables: list[Table] = []
        self._heading = ""

    def _find_owners(self, page: PageWords) -> None:
        """Give each word to the smallest block that it stands in, else to the block before it."""
        areas = [
            (place.bbox.area, index, place.bbox)
            for index, block in enumerate(self._offline.blocks)
            for place in block.provenances
            if block.kind not in FURNITURE and place.page_no == page.page_no
        ]
        areas.sort(key=lambda area: area[:2])
        last = min((index for _area, index, _box in areas), default=None)
        for number, word in enumerate(page.words):
            held = (index for _area, index, box in areas if box.contains_center(word.bbox))
            last = next(held, last)
            if last is not None:
                self._own[last].append((page.page_no, number))
                self._owners[page.page_no, number] = last

    def result(self, placed: Sequence[Placed]) -> Rebuilt:
        """Return the document with what was placed, in any order.

        A table that the model says nothing of stays as it is.
        """
        tables = [one for one in placed if isinstance(one, PlacedTable) and self._takes(one)]
        headings = [
            one for one in placed if isinstance(one, PlacedHeading) and self._may_stand(one)
        ]
        blocks = tuple(self._blocks())
        document = replace(
            self._offline,
            blocks=blocks,
            tables=tuple(self._tables),
            markdown=render_markdown(blocks, self._tables, self._offline.figures),
        )
        n_tables = len(tables) + self._n_same
        n_refused = len(placed) - len(headings) - n_tables
        return Rebuilt(document, len(headings), n_tables, n_refused)

    def _takes(self, table: PlacedTable) -> bool:
        """Let a table stand unless it cuts one of the pages, or a figure, or says the same.

        One that says the same in fewer spans and notes is no gain.
        """
        words = [(table.page_no, index) for index in table.indices]
        if any(word in self._labels for word in words):
            return False
        replaced = []
        for index in {self._owners[word] for word in words if word in self._owners}:
            block = self._offline.blocks[index]
            if block.kind is BlockKind.PICTURE:
                return False
            if block.kind is not BlockKind.TABLE or block.element_index is None:
                continue
            is_split = len(block.provenances) > 1
            box = block.provenances[0].bbox
            if self._says_same(table, block.element_index):
                self._n_same += 1
                return False
            share = table.bbox.intersection_area(box) / max(box.area, 1.0)
            if is_split or share < _MIN_REPLACED:
                return False
            replaced.append(index)
        self._labels.update(dict.fromkeys(words, table))
        self._replaced.update(dict.fromkeys(replaced, table))
        return True

    def _says_same(self, table: PlacedTable, index: int) -> bool:
        known = self._offline.tables[index]
        if (known.n_rows, known.n_columns) != (table.n_rows, table.n_columns):
            return False
        texts = {(cell.row, cell.column): fold(cell.text) for cell in known.cells}
        return all(
            texts.get((cell.row, cell.column), "") == fold(self._text(table.page_no, cell.indices))
            for cell in table.cells
        )

    def _may_stand(self, heading: PlacedHeading) -> bool:
        """Let a heading stand where it cuts neither table nor figure."""
        words = [(heading.page_no, index) for index in heading.indices]
        for word in words:
            owner = self._owners.get(word)
            if owner is None or word in self._labels:
                return False
            block = self._offline.blocks[owner]
            boxes = [p.bbox for p in block.provenances if p.page_no == word[0]]
            held = any(box.contains_center(self._word_box(word)) for box in boxes)
            is_element = block.kind in (BlockKind.TABLE, BlockKind.PICTURE)
            if is_element and held and owner not in self._replaced:
                return False
        self._labels.update(dict.fromkeys(words, heading))
        return True

    def _blocks(self) -> Iterator[Block]:
        given: set[int] = set()
        for index, block in enumerate(self._offline.blocks):
            for made in self._made_of(index, block, given):
                if made.kind is BlockKind.SECTION_HEADER:
                    self._heading = made.text
                yield made

    def _made_of(self, index: int, block: Block, given: set[int]) -> Iterator[Block]:
        """Yield what becomes of a block; `given` are the headings and tables that stand already."""
        pieces = [
            (label, [word for word, _label in run])
            for label, run in groupby(
                ((word, self._labels.get(word)) for word in self._own[index]),
                key=lambda pair: pair[1],
            )
        ]
        labels = [label for label, _words in pieces if label is not None]
        table = self._replaced.get(index)
        is_element = block.kind in (BlockKind.TABLE, BlockKind.PICTURE)
        if not is_element and labels:
            is_first = True
            for label, words in pieces:
                if label is not None:
                    yield from self._placed(label, index, given)
                else:
                    yield self._rest(block, words, is_first=is_first)
                is_first = False
            return
        if table is not None:
            yield from self._placed(table, index, given)
        elif block.kind is BlockKind.TABLE and block.element_index is not None:
            self._tables.append(self._offline.tables[block.element_index])
            yield replace(block, element_index=len(self._tables) - 1)
        elif block.kind is BlockKind.SECTION_HEADER and not self._is_unread(index):
            yield replace(block, kind=BlockKind.TEXT, level=0)
        else:
            yield block
        for label in labels:  # that stand beside an element, in no block of their own
            yield from self._placed(label, index, given)

    def _is_unread(self, index: int) -> bool:
        own = self._own[index]
        return not own or any(word in self._unread for word in own)

    def _rest(self, block: Block, words: Sequence[WordPlace], *, is_first: bool) -> Block:
        """Return what is left of a block beside a heading or table."""
        kind, level = block.kind, block.level
        if kind is BlockKind.SECTION_HEADER or not is_first:
            kind, level = BlockKind.TEXT, 0
        places, texts = [], []
        for page_no, of_page in groupby(words, key=lambda word: word[0]):
            indices = [number for _page_no, number in of_page]
            texts.append(self._text(page_no, indices))
            places.append(Provenance(page_no, box_of(self._line_boxes(page_no, indices))))
        return replace(
            block, kind=kind, level=level, text=" ".join(texts), provenances=tuple(places)
        )

    def _placed(self, label: Placed, index: int, given: set[int]) -> Iterator[Block]:
        """Yield the block of a heading or table, at the first of its words; `index` is theirs."""
        if id(label) in given:
            return
        given.add(id(label))
        block = self._offline.blocks[index]
        if isinstance(label, PlacedTable):
            self._tables.append(self._table(label))
            table = self._tables[-1]
            yield Block(
                BlockKind.TABLE,
                table_title(table),
                0,
                table.provenances,
                len(self._tables) - 1,
                block.boilerplate,
            )
            return
        own = [(label.page_no, number) for number in label.indices]
        if block.kind is BlockKind.SECTION_HEADER and own == sorted(self._own[index]):
            yield replace(block, level=label.level)
            return
        place = Provenance(label.page_no, box_of(self._line_boxes(label.page_no, label.indices)))
        text = self._text(label.page_no, label.indices)
        yield Block(
            BlockKind.SECTION_HEADER, text, label.level, (place,), boilerplate=block.boilerplate
        )

    def _table(self, placed: PlacedTable) -> Table:
        """Make a table of the words in its cells; what the pages say of it is kept."""
        page_no = placed.page_no
        cells = tuple(
            TableCell(
                cell.row,
                cell.column,
                1,
                1,
                self._text(page_no, cell.indices),
                cell.row == 0,
                tuple(
                    Provenance(page_no, box)
                    for box in (self._line_boxes(page_no, cell.indices) or [cell.bbox])
                ),
            )
            for cell in placed.cells
        )
        before = [
            self._offline.tables[known.element_index]
            for index, known in enumerate(self._offline.blocks)
            if self._replaced.get(index) is placed and known.element_index is not None
        ]
        title = self._text(page_no, placed.title)
        label, caption = table_label(title) or ("", title)
        table = Table(
            label,
            caption,
            "",
            placed.n_rows,
            placed.n_columns,
            cells,
            tuple(note for known in before for note in known.notes),
            (Provenance(page_no, placed.bbox),),
            conditions=tuple(one for known in before for one in known.conditions),
        )
        if before and (before[0].label or before[0].caption):
            table = replace(table, label=before[0].label, caption=before[0].caption)
        if before:
            table = replace(table, scale_note=before[0].scale_note)
        table = read_table(table)
        return replace(table, description=describe_table(table, self._heading))

    def _text(self, page_no: int, indices: Sequence[int]) -> str:
        words = self._pages[page_no].words
        return text_of([words[index] for index in indices]) if indices else ""

    def _line_boxes(self, page_no: int, indices: Sequence[int]) -> list[BoundingBox]:
        words = self._pages[page_no].words
        return line_boxes([words[index] for index in indices]) if indices else []

    def _word_box(self, word: WordPlace) -> BoundingBox:
        return self._pages[word[0]].words[word[1]].bbox
