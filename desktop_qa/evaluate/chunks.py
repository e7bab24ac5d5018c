"""Fixed chunks of a document's plain text: what is built where nobody looks at structure.

A chunk is a `Segment` without any metadata but its pages, so that relevance and measures are the
same as for the program's own segments.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from desktop_qa.core.document import BoundingBox, DocumentId, PageWords, Provenance, Word
from desktop_qa.core.segment import (
    CascadingMetadata,
    Segment,
    SegmentKind,
    make_segment_id,
)
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, count_tokens, truncate

N_WORDS = 100
"""Of a chunk in PDFTriage, section 5.2."""

N_CHARACTERS = 1000
N_OVERLAP = 100
"""Characters of a chunk and of what it repeats (hybrid-retrieval, Table 1)."""

_SENTENCE_END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s)")

Span = tuple[int, int]
"""First word and one after the last."""


@dataclass(frozen=True, slots=True)
class PlainText:
    """The words of a document in reading order, and its text with a space or line end between them.

    Attributes:
        words: Each with its 1-based page.
        starts: Position of each word in `text`, ascending.
        ends: Behind each word.
    """

    text: str
    words: tuple[tuple[int, Word], ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.starts)

    def slice(self, span: Span) -> str:
        """Return the text of some words."""
        first, last = span
        return self.text[self.starts[first] : self.ends[last - 1]] if last > first else ""

    def places(self, span: Span) -> tuple[Provenance, ...]:
        """Return one rectangle around the words on each of their pages."""
        boxes: dict[int, BoundingBox] = {}
        for page_no, word in self.words[slice(*span)]:
            boxes[page_no] = boxes.get(page_no, word.bbox).union(word.bbox)
        return tuple(Provenance(page_no, box) for page_no, box in boxes.items())


def plain_text(pages: Sequence[PageWords]) -> PlainText:
    """Put the words of a document's pages one after the other, all of them.

    A word that stands below the one before it, or to the left of it, begins a line: the folding
    of texts then joins words that were broken there.
    """
    words = [(page.page_no, word) for page in pages for word in page.words]
    separators = [
        "\n" if page_no != before_no or _begins_line(word.bbox, before.bbox) else " "
        for (before_no, before), (page_no, word) in pairwise(words)
    ]
    texts = [word.text for _, word in words]
    text = "".join(map(str.__add__, ["", *separators], texts))
    starts = [0, *accumulate(len(one) + 1 for one in texts)][: len(texts)]
    ends = [start + len(one) for start, one in zip(starts, texts, strict=True)]
    return PlainText(text, tuple(words), tuple(starts), tuple(ends))


def _begins_line(box: BoundingBox, before: BoundingBox) -> bool:
    return box.left < before.left or box.top >= before.bottom


Cutter = Callable[[PlainText], list[Span]]


def page_spans(text: PlainText) -> list[Span]:
    """Cut at the pages: page retrieval of PDFTriage, section 5.2."""
    spans = []
    first = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or text.words[index][0] != text.words[first][0]:
            spans.append((first, index))
            first = index
    return spans


def word_spans(text: PlainText, n_words: int = N_WORDS) -> list[Span]:
    """Cut the whole document every so many words: chunk retrieval of PDFTriage, section 5.2."""
    return [(i, min(i + n_words, len(text))) for i in range(0, len(text), n_words)]


def character_spans(
    text: PlainText, n_characters: int = N_CHARACTERS, n_overlap: int = N_OVERLAP
) -> list[Span]:
    """Cut every so many characters, at the last sentence delimiter before (hybrid-retrieval).

    Where no sentence ends in the second half of a chunk, as in tables, it ends between words. A
    chunk repeats at most `n_overlap` characters of the one before it, in whole words.
    """
    sentence_ends = [match.end() for match in _SENTENCE_END.finditer(text.text)]
    spans: list[Span] = []
    first = 0
    while first < len(text):
        limit = text.starts[first] + n_characters
        last = max(bisect_right(text.ends, limit), first + 1)
        if last < len(text):
            at = bisect_right(sentence_ends, text.ends[last - 1]) - 1
            if at >= 0 and sentence_ends[at] > text.starts[first] + n_characters // 2:
                last = bisect_right(text.ends, sentence_ends[at])
        spans.append((first, last))
        if last == len(text):
            break
        repeated = bisect_left(text.starts, text.ends[last - 1] - n_overlap)
        first = max(repeated, first + 1) if repeated < last else last
    return spans


def chunk_document(
    document_id: DocumentId, pages: Sequence[PageWords], cut: Cutter
) -> tuple[Segment, ...]:
    """Cut a document into chunks.

    `embedded_text` is the beginning of a chunk that the model reads (254 tokens), which is what
    becomes of a longer text in sentence-transformers without a word.
    """
    text = plain_text(pages)
    segments = []
    for ordinal, span in enumerate(cut(text)):
        body = text.slice(span)
        places = text.places(span)
        page_nos = tuple(place.page_no for place in places)
        segments.append(
            Segment(
                id=make_segment_id(document_id, ordinal),
                document_id=document_id,
                ordinal=ordinal,
                kind=SegmentKind.TEXT,
                element=None,
                metadata=CascadingMetadata("", "", (), "", (), "", "", page_nos),
                provenances=places,
                n_tokens=count_tokens(body),
                text=body,
                embedded_text=truncate(body, MAX_EMBEDDED_TOKENS),
                lexical_text=body,
            )
        )
    return tuple(segments)
