"""The context line of a segment, as the paper's variants and the embedder's limit want it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache

from desktop_qa.augment.codes import normalize_code
from desktop_qa.augment.sentences import split_at_words
from desktop_qa.core.folding import fold
from desktop_qa.core.segment import PATH_SEPARATOR, CascadingMetadata

CountTokens = Callable[[str], int]

MAX_CONTEXT_TOKENS = 80
"""Of the embedder's 254: what is left must say what the segment itself says."""

_MAX_PART_TOKENS = 36
_MAX_PARTS_IN_TITLE = 3


class WordwiseCounter:
    """Counts the tokens of texts word by word, remembering each word.

    A word piece never crosses white space, so the sum is the count of the whole text; it is ten
    times as fast, and a document repeats its words. (Control characters inside a word, which the
    parser removes, would make it differ.)
    """

    def __init__(self, count_tokens: CountTokens) -> None:
        self._size_of = cache(count_tokens)

    def __call__(self, text: str) -> int:
        """Return the number of tokens."""
        return sum(map(self._size_of, text.split()))


class AugmentVariant(StrEnum):
    """What the indexed texts carry beside the segment's own words, for ablation.

    FULL is the cascading metadata; OWN_HEADING has the segment's own heading only; NONE nothing;
    TABLE_DATA_EMBEDDED is FULL with the data fields of tables left in the vector's text.
    """

    FULL = "full"
    OWN_HEADING = "own_heading"
    NONE = "none"
    TABLE_DATA_EMBEDDED = "table_data_embedded"


def titled(metadata: CascadingMetadata) -> str:
    """Return the document's title with its part numbers where it names none of them.

    "Positive voltage regulator ICs" alone would not tell the L78xx from its siblings.
    """
    title = metadata.document_title
    words = normalize_code(title)
    parts = metadata.part_numbers
    if not parts or any(normalize_code(part) in words for part in parts):
        return title
    return f"{', '.join(parts[:_MAX_PARTS_IN_TITLE])} {title}".strip()


def context_parts(metadata: CascadingMetadata, variant: AugmentVariant) -> list[str]:
    """Return title, headings and caption, outermost first, none twice in a row."""
    if variant is AugmentVariant.NONE:
        return []
    own = metadata.section_path[-1:]
    parts = (
        own
        if variant is AugmentVariant.OWN_HEADING
        else (titled(metadata), *metadata.section_path, metadata.caption)
    )
    kept: list[str] = []
    for part in parts:
        if part and (not kept or fold(part) != fold(kept[-1])):
            kept.append(part)
    return kept


def context_line(metadata: CascadingMetadata, variant: AugmentVariant = AugmentVariant.FULL) -> str:
    """Return the whole context line."""
    return PATH_SEPARATOR.join(context_parts(metadata, variant))


def short_context_line(
    metadata: CascadingMetadata, count_tokens: CountTokens, variant: AugmentVariant
) -> str:
    """Return the context line in at most `MAX_CONTEXT_TOKENS` tokens.

    Inner headings go first, the outermost of them first, because the title tells the document and
    the last parts tell the segment; then long parts are shortened. The whole line stays in the
    lexical text and in the metadata.
    """
    parts = context_parts(metadata, variant)
    while len(parts) > 3 and count_tokens(PATH_SEPARATOR.join(parts)) > MAX_CONTEXT_TOKENS:
        del parts[1]
    line = PATH_SEPARATOR.join(parts)
    if count_tokens(line) <= MAX_CONTEXT_TOKENS:
        return line
    limit = min(_MAX_PART_TOKENS, (MAX_CONTEXT_TOKENS - 2 * len(parts)) // max(len(parts), 1))
    return PATH_SEPARATOR.join(split_at_words(part, limit, count_tokens)[0] for part in parts)
