"""Symbols, pins, registers and terms that the rows of tables name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from desktop_qa.augment.acronyms import best_long_form, contradicts_quantity, explains
from desktop_qa.augment.names import (
    clean_name,
    is_symbol,
    joined_symbol,
    may_be_symbol,
    one_line,
)
from desktop_qa.core.document import Table, TableCell
from desktop_qa.core.glossary import GlossaryEntry, GlossarySource

_SHORT_HEADER = re.compile(
    r"\b(?:sym(?:bols?)?|mnemonics?|acronyms?|abbreviations?|abbr|short form|signal(?: name)?"
    r"|pin name|terminal name|field|bit name|name|term)\b\.?",
    re.IGNORECASE,
)
_LONG_HEADER = re.compile(
    r"\b(?:parameters?|descriptions?|characteristics?|functions?|ratings?|meaning|definition"
    r"|explanation|long form|full name|register name|name|thermal metric|specification|item)\b",
    re.IGNORECASE,
)
_OTHER_HEADER = re.compile(
    r"\b(?:min|typ|max|nom|minimum|typical|maximum|nominal|units?|conditions?|notes?|comments?"
    r"|remarks?|reset|default|access|type|i/o|no|number|address|addr|offset|value|page|section"
    r"|package|device|revision|date|reference|example|marking|code|dimensions?|command)\b",
    re.IGNORECASE,
)
_PIN_HEADER = re.compile(r"^(?:pins?|terminals?|signal|mnemonic)\b", re.IGNORECASE)
_REGISTER_HEADER = re.compile(r"\b(?:bits?|fields?|registers?|address|addr|reset)\b", re.IGNORECASE)
_LIST_HEADER = re.compile(
    r"\b(?:acronyms?|abbreviations?|abbr|terms?|short form|definition|meaning)\b", re.IGNORECASE
)
_LIST_TITLE = re.compile(
    r"\b(?:acronyms?|abbreviations?|glossary|terminology|nomenclature|list of symbols)\b",
    re.IGNORECASE,
)
_BIT_RANGE = re.compile(r"\s*[\[<(]\d+(?::\d+)?[\]>)]$")
_SYMBOL_FIRST = re.compile(r"^(\S+?),?\s+(?=\S)")
_SYMBOL_LAST = re.compile(r",\s*(\S+)$")
_LIST_ITEM = re.compile(r"^(\S+?)\s*(?:[:=–—-]\s+|\s+)(?=[A-Za-z])")
_MAX_SYMBOLS_OF_NAME = 3
"""A cell of more symbols lists what the words beside it are about."""

_MIN_SHARE = 0.5
"""Share of the filled cells that must be symbols in a column whose header does not say so."""


def is_list_title(text: str) -> bool:
    """Tell whether a heading or caption announces a list of abbreviations or terms."""
    return _LIST_TITLE.search(text) is not None


def find_symbols(table: Table, in_list: bool = False) -> Iterator[GlossaryEntry]:
    """Yield what the rows of a table name by a symbol and in words.

    Args:
        table: With its header cells marked.
        in_list: True when it stands under a heading such as "Abbreviations".
    """
    headers = [one_line(" ".join(table.texts(heads))) for heads in table.heads()]
    n_header = table.n_header_rows if table.n_header_rows < table.n_rows else 0
    body = [_distinct(row) for row in table.grid()[n_header:]]
    source = _source(headers, in_list or is_list_title(table.caption))
    columns = _columns(headers, body)
    if columns is not None:
        short_column, long_column = columns
        for row in body:
            yield from _pairs(row[short_column], row[long_column], source)
    label_columns = [c for c, header in enumerate(headers) if not _OTHER_HEADER.search(header)]
    for row in body:
        for column in label_columns[:3]:
            if columns is None or column not in columns:
                yield from _pair_in_cell(row[column], source)


def read_list_item(text: str) -> Iterator[GlossaryEntry]:
    """Yield the pair of a line in a list of terms: "DAC: Digital-to-analog converter"."""
    for line in text.splitlines():
        if match := _LIST_ITEM.match(line.strip()):
            name = clean_name(line.strip()[match.end() :])
            if name and is_symbol(match.group(1)):
                yield GlossaryEntry(match.group(1), name, GlossarySource.LIST)


def _distinct(row: Sequence[TableCell | None]) -> list[str]:
    """Return the texts of a row; a cell over several columns stands in the first one only.

    A row that is one cell is the title of those below it and names nothing itself.
    """
    filled = {id(cell) for cell in row if cell is not None and cell.text.strip()}
    if len(filled) < 2:
        return [""] * len(row)
    texts = []
    before: TableCell | None = None
    for cell in row:
        texts.append("" if cell is None or cell is before else one_line(cell.text))
        before = cell
    return texts


def _source(headers: Sequence[str], in_list: bool) -> GlossarySource:
    line = " | ".join(headers)
    if in_list or _LIST_HEADER.search(line):
        return GlossarySource.LIST
    if re.search(r"\bsym(?:bols?)?\b", line, re.IGNORECASE) and "bit" not in line.casefold():
        return GlossarySource.SYMBOL
    if _REGISTER_HEADER.search(line):
        return GlossarySource.REGISTER
    is_pins = any(_PIN_HEADER.search(header) for header in headers)
    return GlossarySource.PIN if is_pins else GlossarySource.SYMBOL


def _columns(headers: Sequence[str], body: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """Return the column of symbols and the column of names, None when the table has no such pair.

    The header decides where it says so; else the column must look like symbols.
    """
    candidates = []
    for column, header in enumerate(headers):
        if _OTHER_HEADER.search(header) and not re.search(r"\bname\b", header, re.IGNORECASE):
            continue
        cells = [_BIT_RANGE.sub("", row[column]) for row in body if row[column]]
        if not cells:
            continue
        is_named = _SHORT_HEADER.search(header) is not None
        share = sum(_are_symbols(cell, loose=is_named) for cell in cells) / len(cells)
        if share >= _MIN_SHARE:
            candidates.append((is_named, share, -column))
    if not candidates:
        return None
    short_column = -max(candidates)[2]
    names = [
        column
        for column, header in enumerate(headers)
        if column != short_column
        # Without a header, the names stand after their symbols; what stands before pins or
        # conditions is shared by several of them.
        and (headers[short_column] or column > short_column)
        and (not header or _LONG_HEADER.search(header) or not headers[short_column])
        and not (header and _OTHER_HEADER.search(header) and not _LONG_HEADER.search(header))
        and sum(bool(clean_name(row[column])) for row in body) >= 1
    ]
    if not names:
        return None
    # The column after the symbols first, then the nearest one.
    return short_column, min(names, key=lambda c: (c < short_column, abs(c - short_column)))


def _are_symbols(cell: str, *, loose: bool) -> bool:
    parts = _split_symbols(cell)
    test = may_be_symbol if loose else is_symbol
    return bool(parts) and all(test(part) for part in parts)


def _split_symbols(cell: str) -> list[str]:
    """Split "VIH, VIL" and "tPLH/tPHL"; a name with a slash in brackets stays whole."""
    cell = joined_symbol(_BIT_RANGE.sub("", cell))
    parts = [part.strip() for part in re.split(r",\s+|\s+/\s+|\s+or\s+|\s+and\s+|;", cell)]
    return [_BIT_RANGE.sub("", part) for part in parts if part]


def _pairs(short_cell: str, long_cell: str, source: GlossarySource) -> Iterator[GlossaryEntry]:
    name = clean_name(long_cell)
    symbols = _split_symbols(short_cell)
    if not name or len(symbols) > _MAX_SYMBOLS_OF_NAME:
        return
    for symbol in symbols:
        if may_be_symbol(symbol) and _names(symbol, name, source):
            yield GlossaryEntry(symbol, name, source)


def _names(symbol: str, name: str, source: GlossarySource) -> bool:
    """Tell whether the words beside a symbol can be its name; descriptions of bits mostly are not.

    A single word is the name of a quantity, but only the function of a pin or the value of a bit.
    """
    words = name.split()
    if symbol.casefold() in name.casefold().split() or (name.isupper() and len(words) == 1):
        return False
    if source is GlossarySource.REGISTER:
        return len(words) > 1 and bool(best_long_form(symbol, name))
    if source is GlossarySource.LIST:
        return is_symbol(symbol)
    if source is GlossarySource.PIN:
        return len(words) > 1
    return not contradicts_quantity(symbol, name)


def _pair_in_cell(cell: str, source: GlossarySource) -> Iterator[GlossaryEntry]:
    """Read "IQ Quiescent current", "fSCL, SCL Clock Frequency" and "Supply Voltage, VDD".

    The words must explain the symbol: "SCL clock frequency" is no name of SCL.
    """
    cell = joined_symbol(cell)
    pairs = []
    has_comma = False
    if match := _SYMBOL_FIRST.match(cell):
        has_comma = "," in match.group()
        pairs.append((match.group(1), cell[match.end() :]))
    if match := _SYMBOL_LAST.search(cell):
        pairs.append((match.group(1), cell[: match.start()]))
    for symbol, rest in pairs:
        if is_symbol(symbol):
            name = clean_name(rest)
            if (
                len(name.split()) >= 2
                and (has_comma or not is_symbol(name.split()[0]))
                and explains(symbol, name)
                and not contradicts_quantity(symbol, name)
            ):
                yield GlossaryEntry(symbol, name, source)
                return
