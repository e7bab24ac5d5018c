"""Documents with chapters, tables and figures at known places, made up for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from desktop_qa.core.document import Block, BlockKind, Provenance, Word
from desktop_qa.core.document import PageWords as Words
from desktop_qa.core.segment import CascadingMetadata, ElementRef, IndexedSegment, SegmentKind
from desktop_qa.index.lexical import count_terms
from tests.helpers.sample_documents import PLACE, SampleDocument, make_sample, make_segment


@dataclass(frozen=True)
class Piece:
    """A segment to be: where it stands and what it says."""

    path: tuple[str, ...]
    page_nos: tuple[int, ...] = (1,)
    text: str = "some words"
    kind: SegmentKind = SegmentKind.TEXT
    caption: str = ""


def table(path: tuple[str, ...], page_no: int, caption: str = "") -> Piece:
    return Piece(path, (page_no,), "5 mA", SegmentKind.TABLE, caption)


def figure(path: tuple[str, ...], page_no: int, caption: str = "") -> Piece:
    return Piece(path, (page_no,), caption or "drawing", SegmentKind.FIGURE, caption)


DATASHEET = (
    Piece(("1 Features",), (1,), "low noise and small"),
    figure(("3 Pin Configuration and Functions",), 2, "Figure 3-1. 8-Pin SOIC (Top View)"),
    table(("3 Pin Configuration and Functions",), 2, "Table 3-1. Pin Functions"),
    table(("6 Specifications", "6.1 Absolute Maximum Ratings"), 3),
    table(("6 Specifications", "6.5 Electrical Characteristics"), 4),
    figure(("7 Detailed Description", "7.2 Functional Block Diagram"), 5),
    Piece(("7 Detailed Description", "7.3 Feature Description", "7.3.4 Soft Start"), (5, 6)),
    table(("7 Detailed Description", "7.4 Modes"), 6, "Table 7.2. Operating Modes"),
    Piece(("8 Layout", "8.1 Layout Guidelines"), (7,), "Keep the loop small, see Table 9-9."),
    figure(("8 Layout", "8.2 Layout Example"), 7, "Figure 8-1. Board Layout"),
    Piece(("Appendix A Revision History",), (8,), "First release"),
)


def pieces_as_segments(
    pieces: Sequence[Piece], sample: SampleDocument
) -> tuple[IndexedSegment, ...]:
    document = sample.document
    made = []
    for ordinal, piece in enumerate(pieces):
        number = piece.path[-1].split()[0] if piece.path and piece.path[-1][0].isdigit() else ""
        metadata = CascadingMetadata(
            document.title, document.vendor, document.part_numbers, document.revision,
            piece.path, number, piece.caption, piece.page_nos,
        )  # fmt: skip
        text = "\n".join(part for part in (piece.path[-1], piece.caption, piece.text) if part)
        is_text = piece.kind is SegmentKind.TEXT
        segment = make_segment(
            document.id,
            ordinal,
            text,
            metadata,
            kind=piece.kind,
            element=None if is_text else ElementRef(ordinal, 1, 1),
            provenances=tuple(replace(PLACE, page_no=n) for n in piece.page_nos),
            lexical_text=f"{metadata.context_line()}\n{text}",
        )
        made.append(IndexedSegment(segment, count_terms(segment.lexical_text), ()))
    return tuple(made)


def make_structured(
    name: str,
    pieces: Sequence[Piece] = DATASHEET,
    *,
    n_pages: int = 8,
) -> SampleDocument:
    """Make a document whose only part number is its name."""
    sample = make_sample(name)
    blocks = []
    seen: set[str] = set()
    for piece in pieces:
        for level, heading in enumerate(piece.path, start=1):
            if heading not in seen:
                seen.add(heading)
                place = Provenance(piece.page_nos[0], PLACE.bbox)
                blocks.append(Block(BlockKind.SECTION_HEADER, heading, level, (place,)))
    document = replace(
        sample.document,
        title=f"{name} Voltage Regulator",
        vendor="Acme",
        page_sizes=((612.0, 792.0),) * n_pages,
        page_labels=tuple(str(n + 1) for n in range(n_pages)),
        blocks=tuple(blocks),
        revision="Rev. C, March 2021",
        date="2021-03",
    )
    segments = pieces_as_segments(pieces, replace(sample, document=document))
    vectors = np.random.default_rng(len(name)).normal(size=(len(pieces), 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    words = tuple(
        Words(
            page_no,
            tuple(
                Word(word, PLACE.bbox)
                for item in segments
                if item.segment.metadata.page_nos[0] == page_no
                for word in item.segment.text.split()
            ),
        )
        for page_no in range(1, n_pages + 1)
    )
    return SampleDocument(document, words, segments, vectors)
