"""Cuts a document into segments that carry their cascading metadata (HiQA, section 3.2).

Each chapter becomes a text segment, each table and each figure a segment of its own; what is too
long is cut, never cut off. Limits: 400 tokens of `text`, and `embedded_text` as long as the
embedder reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from desktop_qa.augment.cascade import Section, walk_sections
from desktop_qa.augment.context import (
    AugmentVariant,
    CountTokens,
    context_line,
    short_context_line,
)
from desktop_qa.augment.section_text import split_blocks
from desktop_qa.augment.table_segments import (
    Limits,
    RowGroup,
    group_rows,
    places_of_rows,
    whole_places,
)
from desktop_qa.augment.table_text import pack_sentences, read_table, table_title
from desktop_qa.core.document import Block, BlockKind, Document, Figure, Provenance, Table
from desktop_qa.core.folding import fold
from desktop_qa.core.segment import (
    CascadingMetadata,
    ElementRef,
    Segment,
    SegmentKind,
    make_segment_id,
)
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS

SEGMENTER_VERSION = "1"
"""Raise it when the same document gives other segments: libraries become stale."""

MAX_TEXT_TOKENS = 400
"""Hard limit of `Segment.text` (DESIGN, section 3)."""

_MAX_REPEATED_TOKENS = 60
"""Of a heading or title that is repeated in each piece; longer ones are shortened there."""

_LARGE_FIGURE_AREA = 20_000.0
"""Square points; a smaller picture without caption and words is an ornament."""

_ELEMENT_KINDS = (BlockKind.TABLE, BlockKind.PICTURE)


def segment_document(
    document: Document,
    count_tokens: CountTokens,
    variant: AugmentVariant = AugmentVariant.FULL,
) -> tuple[Segment, ...]:
    """Cut a document into segments in reading order; the same document gives the same segments.

    Args:
        document: As it was parsed.
        count_tokens: The embedder's count, without its marks for start and end.
        variant: What the indexed texts carry beside the segment's own words.
    """
    return _Segmenter(document, count_tokens, variant).segments()


class _Segmenter:
    def __init__(
        self, document: Document, count_tokens: CountTokens, variant: AugmentVariant
    ) -> None:
        self._document = document
        self._blocks = _with_all_elements(document)
        # Headings, titles and context lines are counted again and again.
        self._count = lru_cache(maxsize=8192)(count_tokens)
        self._variant = variant
        self._segments: list[Segment] = []
        titled: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
        self._captions = {fold(table_title(e.label, e.caption)) for e in titled}
        self._captions |= {fold(e.caption) for e in titled}

    def segments(self) -> tuple[Segment, ...]:
        """Return them in reading order."""
        for section in walk_sections(self._blocks):
            self._add_section(section)
        return tuple(self._segments)

    def _add_section(self, section: Section) -> None:
        """Add a chapter's own text, then its tables and figures, by where each begins."""
        runs = self._text_runs(section)
        elements = [i for i in section.blocks if self._blocks[i].kind in _ELEMENT_KINDS]
        for run in runs:
            while elements and elements[0] < run[0]:
                self._add_element(section, elements.pop(0))
            self._add_text(section, run, with_heading=run is runs[0])
        for index in elements:
            self._add_element(section, index)
        if not runs and not section.blocks and not section.has_children:
            self._add_text(section, [], with_heading=True)

    def _text_runs(self, section: Section) -> list[list[int]]:
        """Return the chapter's text, with boilerplate apart so that it can be ranked lower."""
        runs: list[list[int]] = []
        for index in section.blocks:
            block = self._blocks[index]
            if block.kind in _ELEMENT_KINDS or not block.text.strip():
                continue
            if block.kind is BlockKind.CAPTION and fold(block.text) in self._captions:
                continue
            if not runs or self._blocks[runs[-1][0]].boilerplate != block.boilerplate:
                runs.append([])
            runs[-1].append(index)
        return runs

    def _add_text(self, section: Section, indices: Sequence[int], *, with_heading: bool) -> None:
        metadata = self._metadata(section, "", ())
        heading = self._shortened(section.title)
        limit = min(self._embedded_room(metadata), MAX_TEXT_TOKENS - self._size(heading))
        pieces = split_blocks(self._blocks, indices, limit, self._count)
        head = section.heading.provenances if section.heading and with_heading else ()
        if not pieces and section.heading is not None:
            for part in pack_sentences(section.title, MAX_TEXT_TOKENS, self._count):
                self._add(SegmentKind.TEXT, None, metadata, head, part, "", "")
        for i, piece in enumerate(pieces):
            blocks = [self._blocks[j] for j in piece.block_indices]
            own = [place for block in blocks for place in block.provenances]
            boilerplate = bool(indices) and self._blocks[indices[0]].boilerplate
            self._add(
                SegmentKind.TEXT,
                None,
                metadata,
                (*(head if i == 0 else ()), *own),
                _paragraphs(heading, piece.text),
                piece.text,
                piece.text,
                boilerplate=boilerplate,
            )

    def _add_element(self, section: Section, block_index: int) -> None:
        block = self._blocks[block_index]
        if block.element_index is None:
            return
        if block.kind is BlockKind.TABLE:
            self._add_table(section, block, self._document.tables[block.element_index])
        else:
            self._add_figure(section, block, self._document.figures[block.element_index])

    def _add_table(self, section: Section, block: Block, table: Table) -> None:
        text = read_table(table)
        metadata = self._metadata(section, text.title, ())
        heading, title = self._shortened(section.title), self._shortened(text.title)
        description = " ".join(table.description.split())
        room = self._embedded_room(metadata)
        described = pack_sentences(description, room // 3, self._count)[:1] if description else []
        room -= self._size(described[0]) if described else 0
        body_room = MAX_TEXT_TOKENS - self._size(heading) - self._size(title) - 2
        groups = group_rows(
            text,
            Limits(body_room, room),
            self._count,
            embed_data=self._variant is AugmentVariant.TABLE_DATA_EMBEDDED,
        )
        if title != text.title:
            groups[:0] = self._title_parts(text.title, table)
        if not groups:
            groups = [RowGroup("", "", "", 0, table.n_rows, with_header=True)]
        for group in groups:
            self._add(
                SegmentKind.TABLE,
                ElementRef(block.element_index or 0, group.first_row, group.n_rows),
                metadata,
                whole_places(table) if len(groups) == 1 else places_of_rows(table, group),
                _paragraphs(heading, title, group.body),
                "\n".join((*described, group.labels)),
                _paragraphs(description, group.lexical),
                boilerplate=block.boilerplate,
            )

    def _title_parts(self, title: str, table: Table) -> list[RowGroup]:
        """Return a title too long to be repeated, whole, as groups without rows."""
        limit = MAX_EMBEDDED_TOKENS // 2
        return [
            RowGroup(part, part, part, table.n_rows, 0, with_header=True)
            for part in pack_sentences(title, limit, self._count)
        ]

    def _add_figure(self, section: Section, block: Block, figure: Figure) -> None:
        title = table_title(figure.label, figure.caption)
        description = figure.description.strip().removeprefix(figure.caption.strip()).strip()
        area = sum(place.bbox.area for place in figure.provenances)
        if not title and not description and area < _LARGE_FIGURE_AREA:
            return
        metadata = self._metadata(section, title, ())
        heading, short_title = self._shortened(section.title), self._shortened(title)
        room = self._embedded_room(metadata)
        text_room = MAX_TEXT_TOKENS - self._size(heading) - self._size(short_title) - 2
        whole = description if short_title == title else f"{title}\n{description}"
        parts = pack_sentences(whole, min(room, text_room), self._count) or [""]
        for part in parts:
            self._add(
                SegmentKind.FIGURE,
                ElementRef(block.element_index or 0),
                metadata,
                figure.provenances,
                _paragraphs(heading, short_title, part),
                _without_bare_numbers(part),
                part,
                boilerplate=block.boilerplate,
            )

    def _metadata(
        self, section: Section, caption: str, page_nos: tuple[int, ...]
    ) -> CascadingMetadata:
        document = self._document
        return CascadingMetadata(
            document_title=document.title,
            vendor=document.vendor,
            part_numbers=document.part_numbers,
            revision=document.revision,
            section_path=section.path,
            section_number=section.number,
            caption=caption,
            page_nos=page_nos,
        )

    def _size(self, text: str) -> int:
        return self._count(text)

    def _shortened(self, line: str) -> str:
        """Return a line that is repeated in each piece, in a bearable length."""
        if self._count(line) <= _MAX_REPEATED_TOKENS:
            return line
        return pack_sentences(line, _MAX_REPEATED_TOKENS, self._count)[0]

    def _embedded_room(self, metadata: CascadingMetadata) -> int:
        context = short_context_line(metadata, self._count, self._variant)
        return MAX_EMBEDDED_TOKENS - self._count(context)

    def _add(
        self,
        kind: SegmentKind,
        element: ElementRef | None,
        metadata: CascadingMetadata,
        provenances: Iterable[Provenance],
        text: str,
        embedded: str,
        lexical: str,
        *,
        boilerplate: bool = False,
    ) -> None:
        ordinal = len(self._segments)
        places = tuple(dict.fromkeys(provenances))
        pages = tuple(sorted({place.page_no for place in places}))
        placed = CascadingMetadata(
            metadata.document_title,
            metadata.vendor,
            metadata.part_numbers,
            metadata.revision,
            metadata.section_path,
            metadata.section_number,
            metadata.caption,
            pages,
        )
        short = short_context_line(metadata, self._count, self._variant)
        self._segments.append(
            Segment(
                id=make_segment_id(self._document.id, ordinal),
                document_id=self._document.id,
                ordinal=ordinal,
                kind=kind,
                element=element,
                metadata=placed,
                provenances=places,
                n_tokens=self._count(text),
                text=text,
                embedded_text=_joined(short, embedded),
                lexical_text=_joined(context_line(metadata, self._variant), lexical),
                boilerplate=boilerplate,
            )
        )


def _without_bare_numbers(text: str) -> str:
    """Leave out the ticks of axes: for the vector they are what data fields are in a table."""
    return " ".join(word for word in text.split() if re.search(r"[^\W\d_]", word))


def _joined(first: str, second: str) -> str:
    return "\n".join(part for part in (first, second) if part)


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _with_all_elements(document: Document) -> tuple[Block, ...]:
    """Return the blocks, with one for each table and figure that no block stands for."""
    shown = {(b.kind, b.element_index) for b in document.blocks if b.element_index is not None}
    missing = [
        Block(BlockKind.TABLE, "", 0, table.provenances, index)
        for index, table in enumerate(document.tables)
        if (BlockKind.TABLE, index) not in shown
    ] + [
        Block(BlockKind.PICTURE, "", 0, figure.provenances, index)
        for index, figure in enumerate(document.figures)
        if (BlockKind.PICTURE, index) not in shown
    ]
    blocks = list(document.blocks)
    for block in missing:
        page_no = block.provenances[0].page_no if block.provenances else 1
        position = len(blocks)
        while position > 0 and _page_no(blocks[position - 1]) > page_no:
            position -= 1
        blocks.insert(position, block)
    return tuple(blocks)


def _page_no(block: Block) -> int:
    return block.provenances[0].page_no if block.provenances else 1
