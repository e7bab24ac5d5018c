"""What one document teaches about the words of its trade: symbols and acronyms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from desktop_qa.augment.acronyms import find_acronyms
from desktop_qa.augment.names import one_line, whole_name
from desktop_qa.augment.sentences import split_sentences
from desktop_qa.augment.symbols import find_symbols, is_list_title, read_list_item
from desktop_qa.core.document import Block, BlockKind, Document
from desktop_qa.core.glossary import GlossaryEntry, GlossarySource
from desktop_qa.core.stages import Stage, attempt

GLOSSARY_VERSION = 1
"""Raised when `learn_glossary` learns otherwise; stored glossaries are then learned anew."""

_MAX_SHORTS = 4
"""Words beside more symbols than that are what these have in common: "Analog output"."""

_PROSE = (
    BlockKind.TEXT,
    BlockKind.LIST_ITEM,
    BlockKind.CAPTION,
    BlockKind.FOOTNOTE,
    BlockKind.SECTION_HEADER,
)


def learn_glossary(document: Document) -> tuple[GlossaryEntry, ...]:
    """Return every pair of names that a document explains, each once with its count.

    Legal, ordering and packaging matter is left out.

    Returns:
        In the order of their first mention; sources are kept apart.
    """
    counts: Counter[tuple[str, str, GlossarySource]] = Counter()
    first: dict[tuple[str, str, GlossarySource], GlossaryEntry] = {}
    for entry in _entries(document):
        key = (entry.short, entry.long.casefold(), entry.source)
        counts[key] += entry.count
        first.setdefault(key, entry)
    shorts = Counter(long for _short, long, _source in counts)
    return tuple(
        GlossaryEntry(entry.short, entry.long, entry.source, counts[key])
        for key, entry in first.items()
        if shorts[key[1]] <= _MAX_SHORTS
    )


def _entries(document: Document) -> Iterator[GlossaryEntry]:
    in_list = False
    for block in document.blocks:
        page_no = block.provenances[0].page_no if block.provenances else 0
        if block.kind is BlockKind.SECTION_HEADER:
            in_list = attempt(Stage.GLOSSARY, page_no, False, is_list_title, block.text)
        if not block.boilerplate:
            yield from attempt(Stage.GLOSSARY, page_no, [], _in_block, document, block, in_list)


def _in_block(document: Document, block: Block, in_list: bool) -> list[GlossaryEntry]:
    entries: list[GlossaryEntry] = []
    if block.kind is BlockKind.TABLE and block.element_index is not None:
        table = document.tables[block.element_index]
        entries += find_symbols(table, in_list)
        for cell in table.cells:
            entries += _in_text(cell.text)
    elif block.kind in _PROSE:
        if in_list:
            entries += read_list_item(block.text)
        entries += _in_text(block.text)
    return entries


def _in_text(text: str) -> Iterator[GlossaryEntry]:
    if "(" not in text:
        return
    for line in split_sentences(text):
        sentence = one_line(line)
        for short, long in find_acronyms(sentence):
            if name := whole_name(long):
                is_plural = short.endswith("s") and name.endswith("s")
                singular = short[:-1] if is_plural else short
                yield GlossaryEntry(singular, name, GlossarySource.ACRONYM)
