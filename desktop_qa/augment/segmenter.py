"""Cuts a document into segments that carry their cascading metadata (HiQA, section 3.2).

Each chapter becomes a text segment, each table and each figure a segment of its own; what is too
long is cut, never cut off. Limits: 400 tokens of `text`, and `embedded_text` as long as the
embedder reads. A table's conditions ("VS = 5 V, TA = 25 °C, unless otherwise noted") often stand
as a line of text above it: alone that line answers nothing, without it the values are half the
truth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from desktop_qa.augment.cascade import Section, walk_sections
from desktop_qa.augment.context import (
    AugmentVariant,
    CountTokens,
    WordwiseCounter,
    context_line,
    short_context_line,
)
from desktop_qa.augment.narrowing import Narrower
from desktop_qa.augment.section_text import TextPiece, split_blocks
from desktop_qa.augment.sentences import split_at_words
from desktop_qa.augment.table_segments import (
    RowGroup,
    RowGrouper,
    joined,
    pack_sentences,
    places_of_rows,
    read_table,
    table_title,
    whole_places,
)
from desktop_qa.core.document import (
    Block,
    BlockKind,
    Document,
    Figure,
    PageWords,
    Provenance,
    Table,
)
from desktop_qa.core.folding import fold
from desktop_qa.core.segment import (
    CascadingMetadata,
    ElementRef,
    Segment,
    SegmentKind,
    make_segment_id,
)
from desktop_qa.core.stages import Stage, attempt, completes
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS

SEGMENTER_VERSION = "9"
"""Raise it when the same document gives other segments: libraries become stale."""

MAX_TEXT_TOKENS = 400
"""Hard limit of `Segment.text` (DESIGN, section 3)."""

TABLE_TOKENS = 250
"""Of a group of rows: on dev.jsonl and types.jsonl BM25 finds the row looked for at MRR 0.53 with
groups of 250 tokens, at 0.50 with 400, at 0.53 with 200 and one tenth more segments."""

_MAX_REPEATED_TOKENS = 60
"""Tokens of a heading or title that is repeated in each piece; longer ones are shortened there."""

_LARGE_FIGURE_AREA = 20_000.0
"""Square points; a smaller picture without caption and words is an ornament."""

MAX_WRAPPED_TOKENS = 80
"""Of the paragraph around a figure, in what is indexed of it."""

_MAX_WORDS_INSIDE = 120
"""Of a figure, in what is read of it; the words of all its ticks are in the lexical text."""

_PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
"""The embedder knows I2C; questions are typed without exponents."""

_ELEMENT_KINDS = (BlockKind.TABLE, BlockKind.PICTURE)


def segment_document(
    document: Document,
    count_tokens: CountTokens,
    variant: AugmentVariant = AugmentVariant.FULL,
    *,
    page_words: Sequence[PageWords] = (),
    max_tokens: int = MAX_EMBEDDED_TOKENS,
) -> tuple[Segment, ...]:
    """Cut a document into segments in reading order; the same document gives the same segments.

    Without the words of the pages the pieces of a paragraph that is cut all have its whole place.
    What is embedded, context line included, has `max_tokens`: at least 100, at most what the model
    reads.
    """
    return _Segmenter(document, count_tokens, variant, page_words, max_tokens).segments()


class _Segmenter:
    def __init__(
        self,
        document: Document,
        count_tokens: CountTokens,
        variant: AugmentVariant,
        page_words: Sequence[PageWords],
        max_tokens: int,
    ) -> None:
        self._document = document
        self._max_tokens = max_tokens
        self._table_tokens = min(TABLE_TOKENS, max_tokens)
        self._blocks = document.blocks
        self._count = WordwiseCounter(count_tokens)
        self._variant = variant
        self._narrower = Narrower(page_words)
        self._segments: list[Segment] = []
        titled: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
        self._captions = attempt(Stage.SEGMENTS, 0, frozenset(), _folded_captions, titled)

    def segments(self) -> tuple[Segment, ...]:
        """Return them in reading order."""
        whole = Section((), "", None, tuple(range(len(self._blocks))), has_children=False)
        sections = attempt(Stage.SEGMENTS, 0, [whole], lambda: [*walk_sections(self._blocks)])
        for section in sections:
            self._add_or_plain(section, section.blocks, partial(self._add_section, section))
        return tuple(self._segments)

    def _add_or_plain(
        self, section: Section, indices: Sequence[int], add: Callable[[], None]
    ) -> None:
        """Add segments for some blocks of a chapter; where that fails, their words as they are."""
        n_before = len(self._segments)
        page_no = _page_no(self._blocks[indices[0]]) if indices else 0
        if not completes(Stage.SEGMENTS, page_no, add):
            del self._segments[n_before:]
            completes(Stage.SEGMENT_TEXT, page_no, self._add_plain, section, indices)

    def _add_plain(self, section: Section, indices: Sequence[int]) -> None:
        metadata = self._metadata(section, "")
        limit = min(self._embedded_room(metadata), MAX_TEXT_TOKENS)
        for index in indices:
            block = self._blocks[index]
            for piece in split_at_words(self._words_of(block), limit, self._count):
                places = block.provenances
                texts = piece, piece, piece
                self._add(
                    SegmentKind.TEXT, None, metadata, places, *texts, boilerplate=block.boilerplate
                )

    def _words_of(self, block: Block) -> str:
        if block.element_index is None:
            return block.text
        if block.kind is BlockKind.TABLE:
            table = self._document.tables[block.element_index]
            cells = [cell.text for cell in table.cells]
            return " ".join([table.label, table.caption, *cells, *table.notes])
        figure = self._document.figures[block.element_index]
        return f"{figure.caption} {figure.words}"

    def _add_section(self, section: Section) -> None:
        """Add a chapter's own text, then its tables and figures, by where each begins."""
        n_before = len(self._segments)
        body = [
            i
            for i in section.blocks
            if self._blocks[i].kind is not BlockKind.CAPTION
            or fold(self._blocks[i].text) not in self._captions  # a table or figure says it
        ]
        page_no = _page_no(self._blocks[body[0]]) if body else 0
        lead_ins = attempt(
            Stage.SEGMENTS, page_no, {}, find_lead_ins, self._blocks, body, self._count
        )
        taken = {i for lead_in in lead_ins.values() for i in lead_in}
        runs = self._text_runs([i for i in body if i not in taken])
        elements = [i for i in body if self._blocks[i].kind in _ELEMENT_KINDS]
        for run in runs:
            while elements and elements[0] < run[0]:
                self._add_element(section, elements.pop(0), lead_ins)
            add = partial(self._add_text, section, run, with_heading=run is runs[0])
            self._add_or_plain(section, run, add)
        for index in elements:
            self._add_element(section, index, lead_ins)
        if len(self._segments) == n_before and not section.has_children:
            self._add_heading(section)

    def _text_runs(self, body: Sequence[int]) -> list[list[int]]:
        """Return the chapter's text, with boilerplate apart so that it can be ranked lower."""
        texts = [
            i
            for i in body
            if self._blocks[i].kind not in _ELEMENT_KINDS and self._blocks[i].text.strip()
        ]
        by_kind = groupby(texts, key=lambda i: self._blocks[i].boilerplate)
        return [list(run) for _boilerplate, run in by_kind]

    def _add_heading(self, section: Section) -> None:
        """Add a chapter that has nothing but its heading."""
        if section.heading is None:
            return
        metadata = self._metadata(section, "")
        for part in pack_sentences(section.title, MAX_TEXT_TOKENS, self._count):
            places = section.heading.provenances
            self._add(SegmentKind.TEXT, None, metadata, places, part, "", "")

    def _add_text(self, section: Section, indices: Sequence[int], *, with_heading: bool) -> None:
        metadata = self._metadata(section, "")
        heading = self._shortened(section.title)
        limit = min(self._embedded_room(metadata), MAX_TEXT_TOKENS - self._count(heading))
        pieces = split_blocks(self._blocks, indices, limit, self._count)
        head = section.heading.provenances if section.heading and with_heading else ()
        for i, piece in enumerate(pieces):
            own = [place for j in piece.block_indices for place in self._places(piece, j)]
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

    def _places(self, piece: TextPiece, block_index: int) -> tuple[Provenance, ...]:
        """Return where the part of a block stands that is in a piece."""
        places = self._blocks[block_index].provenances
        if block_index not in piece.cut:
            return places
        return self._narrower.narrow(piece.cut[block_index], places)

    def _add_element(
        self, section: Section, block_index: int, lead_ins: Mapping[int, Sequence[int]]
    ) -> None:
        block = self._blocks[block_index]
        if block.element_index is None:
            return
        above = lead_ins.get(block_index, ())
        if block.kind is BlockKind.TABLE:
            lead_in = [self._blocks[i] for i in above]
            table = self._document.tables[block.element_index]
            add = partial(self._add_table, section, block, table, lead_in)
        else:
            figure = self._document.figures[block.element_index]
            add = partial(self._add_figure, section, block, figure)
        self._add_or_plain(section, [*above, block_index], add)

    def _add_table(
        self, section: Section, block: Block, table: Table, lead_in: Sequence[Block]
    ) -> None:
        text = read_table(table)
        metadata = self._metadata(section, text.title)
        heading, title = self._shortened(section.title), self._shortened(text.title)
        opening = "\n".join(" ".join(b.text.split()) for b in lead_in)
        description = " ".join(table.description.split())
        room = self._embedded_room(metadata) - self._count(opening)
        described = pack_sentences(description, room // 3, self._count)[:1]
        room -= sum(map(self._count, described))
        used = sum(map(self._count, (heading, opening, title)))
        body_room = max(self._table_tokens - used, self._table_tokens // 2)
        embed_data = self._variant is AugmentVariant.TABLE_DATA_EMBEDDED
        groups = RowGrouper(text, body_room, room, self._count, embed_data=embed_data).groups()
        if title != text.title:
            groups[:0] = self._title_parts(text.title, table)
        if not groups:
            groups = [RowGroup("", "", "", 0, table.n_rows, with_header=True)]
        for group in groups:
            # People need the conditions above every group of rows; the indexes need them once, or
            # their common words ("over operating temperature range") would blur all the groups.
            is_first = group is groups[0]
            above = [place for b in lead_in for place in b.provenances if is_first]
            indexed = opening if is_first else ""
            own = self._places_of_group(table, group, alone=len(groups) == 1)
            self._add(
                SegmentKind.TABLE,
                ElementRef(block.element_index or 0, group.first_row, group.n_rows),
                metadata,
                (*above, *own),
                _paragraphs(heading, opening, title, group.body),
                joined(indexed, *(described if is_first else ()), group.labels),
                _paragraphs(indexed, description if is_first else "", group.lexical),
                boilerplate=block.boilerplate,
            )

    def _places_of_group(
        self, table: Table, group: RowGroup, *, alone: bool
    ) -> tuple[Provenance, ...]:
        rows = whole_places(table) if alone else places_of_rows(table, group)
        page_nos = {place.page_no for place in table.provenances}
        prose = (p for line in group.prose for p in self._narrower.find(line, page_nos))
        return (*rows, *prose) or table.provenances

    def _title_parts(self, title: str, table: Table) -> list[RowGroup]:
        """Return a title too long to be repeated, whole, as groups without rows."""
        limit = self._max_tokens // 2
        return [
            RowGroup(part, part, part, table.n_rows, 0, with_header=True, prose=(part,))
            for part in pack_sentences(title, limit, self._count)
        ]

    def _add_figure(self, section: Section, block: Block, figure: Figure) -> None:
        """Add a figure; the indexes see the paragraph around it too (HiQA, section 3.2)."""
        title = table_title(figure.label, figure.caption)
        inside = figure.words.split()[:_MAX_WORDS_INSIDE]
        description = " ".join((*figure.mentions, *inside))
        area = sum(place.bbox.area for place in figure.provenances)
        if not title and not description and area < _LARGE_FIGURE_AREA:
            return
        metadata = self._metadata(section, title)
        heading, short_title = self._shortened(section.title), self._shortened(title)
        room = self._embedded_room(metadata)
        text_room = MAX_TEXT_TOKENS - self._count(heading) - self._count(short_title)
        whole = description if short_title == title else f"{title}\n{description}"
        parts = pack_sentences(whole, min(room, text_room), self._count) or [""]
        around = "" if figure.surroundings == section.title else figure.surroundings
        wrapped = self._first_words(around, MAX_WRAPPED_TOKENS)
        for number, part in enumerate(parts):
            is_first = number == 0
            words = _without_bare_numbers(part)
            fits = self._count(words) + self._count(wrapped) <= room
            self._add(
                SegmentKind.FIGURE,
                ElementRef(block.element_index or 0),
                metadata,
                figure.provenances,
                _paragraphs(heading, short_title, part),
                _paragraphs(words, wrapped if is_first and fits else ""),
                _paragraphs(part, *((wrapped, figure.words) if is_first else ())),
                boilerplate=block.boilerplate,
            )

    def _first_words(self, text: str, limit: int) -> str:
        return next(iter(pack_sentences(text, limit, self._count)), "")

    def _metadata(self, section: Section, caption: str) -> CascadingMetadata:
        document = self._document
        return CascadingMetadata(
            document_title=document.title,
            vendor=document.vendor,
            part_numbers=document.part_numbers,
            revision=document.revision,
            section_path=section.path,
            section_number=section.number,
            caption=caption,
            page_nos=(),
        )

    def _shortened(self, line: str) -> str:
        """Return a line that is repeated in each piece, in a bearable length."""
        if self._count(line) <= _MAX_REPEATED_TOKENS:
            return line
        return self._first_words(line, _MAX_REPEATED_TOKENS)

    def _embedded_room(self, metadata: CascadingMetadata) -> int:
        context = short_context_line(metadata, self._count, self._variant)
        return self._max_tokens - self._count(context)

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
        short = short_context_line(metadata, self._count, self._variant)
        self._segments.append(
            Segment(
                id=make_segment_id(self._document.id, ordinal),
                document_id=self._document.id,
                ordinal=ordinal,
                kind=kind,
                element=element,
                metadata=replace(metadata, page_nos=pages),
                provenances=places,
                n_tokens=self._count(text),
                text=text,
                embedded_text=joined(short, embedded).translate(_PLAIN_DIGITS),
                lexical_text=joined(context_line(metadata, self._variant), lexical),
                boilerplate=boilerplate,
            )
        )


def _folded_captions(titled: Iterable[Table | Figure]) -> frozenset[str]:
    texts = (text for e in titled for text in (table_title(e.label, e.caption), e.caption))
    return frozenset(map(fold, texts))


def _without_bare_numbers(text: str) -> str:
    """Leave out the ticks of axes: for the vector they are what data fields are in a table."""
    return " ".join(word for word in text.split() if re.search(r"[^\W\d_]", word))


def _paragraphs(*parts: str) -> str:
    return joined(*parts, by="\n\n")


def _page_no(block: Block) -> int:
    return block.provenances[0].page_no if block.provenances else 1


MAX_LEAD_IN_TOKENS = 60

_CONDITIONS = re.compile(
    r"\b(?:otherwise|unless)\b.{0,30}\b(?:noted|specified|stated|indicated|mentioned|defined)\b"
    r"|^(?:over|at|for|with|all)\b.{0,80}\b(?:temperature|voltage|conditions?|range|supply)\b[^.]*$",
    re.IGNORECASE,
)
_LEAD_IN_KINDS = (BlockKind.TEXT, BlockKind.LIST_ITEM)


def find_lead_ins(
    blocks: Sequence[Block], indices: Sequence[int], count_tokens: CountTokens
) -> dict[int, list[int]]:
    """Find the lines of conditions that belong to the tables of a chapter, by table block.

    When all the text of a chapter stands above its first table and is no longer than a lead-in, it
    is one.
    """
    tables = [i for i in indices if blocks[i].kind is BlockKind.TABLE]
    texts = [i for i in indices if blocks[i].text.strip() and i not in tables]
    if not tables or not texts:
        return {}
    if (
        texts[-1] < tables[0]
        and all(blocks[i].kind in _LEAD_IN_KINDS for i in texts)
        and len({blocks[i].boilerplate for i in (*tables, *texts)}) == 1
        and _size(blocks, texts, count_tokens) <= MAX_LEAD_IN_TOKENS
    ):
        return {tables[0]: texts}
    found: dict[int, list[int]] = {}
    for table in tables:
        lead_in = _lead_in_before(blocks, indices, table)
        if lead_in and _size(blocks, lead_in, count_tokens) <= MAX_LEAD_IN_TOKENS:
            found[table] = lead_in
    return found


def _lead_in_before(blocks: Sequence[Block], indices: Sequence[int], table: int) -> list[int]:
    position = indices.index(table)
    if position == 0:
        return []
    before = indices[position - 1]
    is_conditions = blocks[before].kind is BlockKind.TEXT and _CONDITIONS.search(
        blocks[before].text
    )
    same_kind = blocks[before].boilerplate == blocks[table].boilerplate
    return [before] if is_conditions and same_kind else []


def _size(blocks: Sequence[Block], indices: Sequence[int], count_tokens: CountTokens) -> int:
    return sum(count_tokens(blocks[i].text) for i in indices)
