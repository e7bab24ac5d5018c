"""The parameters of a document: rows of its characteristic tables, and what its front page states.

A parameter has a name, a symbol, a condition, the kind of the section it stands in and one or more
amounts (minimum, typical, maximum). Values that hold for another part of the same sheet are left
out; those of a grade of the part are marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.amounts import Amount, plain, read_amounts, without_footnote
from desktop_qa.answer.columns import as_read, read_columns
from desktop_qa.answer.labels import stems, symbol_key, telling_words
from desktop_qa.answer.part_mentions import Mention, PartMentions
from desktop_qa.answer.table_rows import table_rows
from desktop_qa.augment.quantities import is_unit
from desktop_qa.core.document import ColumnRole, Document, Table, TableCell
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.places import by_element

_NOT_COMPARED = re.compile(
    r"\bpins?\b(?!.*(?:charact|specif|rating))|revision\s+history|tape|reel|package\s+materials"
    r"|mechanical|land\s+pattern|order(?:ing|able)|register|bit\s+field|soldering|reflow"
    r"|application|design\s+|component|bill\s+of|acronym|glossary|marking|truth\s+table|layout",
    re.IGNORECASE,
)
_NOTE_MARK = re.compile(r"(?:\(\d{1,2}\)|\[\d{1,2}\])\s*,?\s*")
_MIN_QUANTITIES = 0.12
"""Share of rows with a number and a unit from which a table is taken for a specification."""

_MAX_NAME = 110
_MAX_HEADING = 60
_MAX_CONDITION = 140

USUAL = (ColumnRole.TYP, ColumnRole.VALUE, ColumnRole.MAX, ColumnRole.MIN)
"""The bounds of which the first that is stated stands for a parameter."""

_RATED = re.compile(
    r"(?P<absolute>absolute\s+max|maximum\s+ratings?|limiting\s+values|stress\s+ratings)"
    r"|operating\s+(?:conditions|ratings|range)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a document states of a parameter under one condition.

    Attributes:
        name: In words, as printed.
        heading: Of the group of rows it stands in.
        condition: As printed; empty for none.
        amounts: At least one.
        mention: Whether it is of the part itself or of a grade of it.
        variant: The grade, or what names it; empty for none.
        segment: Where it was read.
        cells: Of the table, that hold the amounts; empty for prose.
        quote: The words it was read from in prose; empty for a table.
        order: Its place in the document.
        is_rating: True for a limit that destroys, which is never one to operate at.
    """

    name: str
    symbol: str
    heading: str
    condition: str
    amounts: tuple[Amount, ...]
    segment: Segment
    cells: tuple[TableCell, ...] = ()
    quote: str = ""
    order: int = 0
    mention: Mention = Mention.NONE
    variant: str = ""
    is_rating: bool = False

    @property
    def unit(self) -> str:
        """Base unit of its amounts; empty when it has none."""
        return next((amount.unit for amount in self.amounts if amount.unit), "")

    @property
    def words(self) -> frozenset[str]:
        """What it is called, in stems; its symbol where it has no name."""
        return telling_words(self.name, self.heading)

    @property
    def symbol_key(self) -> str:
        """Its symbol without marks of indices."""
        return symbol_key(self.symbol)

    @property
    def label(self) -> str:
        """What it is called, with the title of its rows where the name alone says little."""
        own = set(stems(self.name))
        is_told = len(own) > 2 or own >= set(stems(self.heading))
        fits = 0 < len(self.heading) <= _MAX_HEADING
        return f"{self.heading}: {self.name}" if fits and not is_told else self.name

    def amount(self, *roles: ColumnRole) -> Amount | None:
        """Return the first amount with one of the roles, in their order."""
        return next((a for role in roles for a in self.amounts if a.role is role), None)


def document_parameters(
    document: Document, segments: Sequence[Segment], parts: PartMentions
) -> list[Parameter]:
    """Read the parameters of a document in its order, those of its tables first."""
    found: list[Parameter] = []
    for index, own in sorted(by_element(segments, SegmentKind.TABLE).items()):
        found += _of_table(as_read(document.tables[index]), own, parts)
    found += _features(segments, parts)
    return [replace(parameter, order=n) for n, parameter in enumerate(found)]


def _of_table(
    table: Table, segments: Sequence[Segment], parts: PartMentions
) -> Iterator[Parameter]:
    """Read the rows that hold for the part, of a table that states characteristics."""
    metadata = segments[0].metadata
    titles = (metadata.caption or table.caption, *reversed(metadata.section_path))
    columns = read_columns(table)
    is_other = _NOT_COMPARED.search(next(filter(None, titles), "")) is not None
    if segments[0].boilerplate or is_other:
        return
    said_above = {title: parts.of(title) for title in titles[:2]}
    if Mention.SIBLING in said_above.values():
        return
    stated = [(row, list(row.values(parts))) for row in table_rows(table, columns)]
    stated = [(row, values) for row, values in stated if values]
    n_measured = sum(
        any(a.unit for _head, amounts, _cells in values for a in amounts) for _row, values in stated
    )
    is_specified = columns.has_bounds or columns.names_parts or columns.of(ColumnRole.UNIT)
    if not is_specified and (n_measured < 2 or n_measured < _MIN_QUANTITIES * len(stated)):
        return
    # The nearest title that says what values are good for holds.
    rated = next(filter(None, (_RATED.search(title) for title in titles)), None)
    is_rating = bool(rated and rated["absolute"]) and not columns.names_parts
    for row, values in stated:
        own = (s for s in segments if (e := s.element) and 0 <= row.index - e.first_row < e.n_rows)
        segment = next(own, segments[0])
        condition = _NOTE_MARK.sub("", without_footnote(row.condition)).strip(" ,")
        for head, amounts, cells in values:
            said = {text: parts.of(text) for text in (row.label, condition, row.group, head)}
            is_another = columns.names_parts and parts.is_of_another(row.label)
            if min(said.values()) is Mention.SIBLING or is_another:
                continue
            said = said if any(said.values()) else said_above
            name, symbol, heading = without_footnote(row.name.strip("* ")), row.symbol, row.group
            held = (head, condition) if len(values) > 1 else (condition,)
            if columns.names_parts:
                name, symbol, held = head, "", (row.label, condition)
            # "collector-emitter voltage" heads "BUW84 | 400 | V" and "BUW85 | 450 | V".
            is_part = said.get(row.label) is Mention.PART and parts.codes_in(name) == (name,)
            if heading and (is_part or not name):
                *before, name = heading.split(", ")
                heading = ", ".join(before)
            yield Parameter(
                name=(name or symbol)[:_MAX_NAME],
                symbol=symbol,
                heading=heading,
                condition=", ".join(dict.fromkeys(filter(None, held)))[:_MAX_CONDITION],
                amounts=amounts,
                segment=segment,
                cells=cells,
                mention=min(said.values()),
                variant=next((t for t, m in said.items() if m is Mention.VARIANT), ""),
                is_rating=is_rating,
            )


# What the front page states

_FRONT_PAGES, _LAST_FRONT_PAGE = 2, 6
_FRONT_SECTION = re.compile(
    r"features?\b|overview|highlights|key (?:spec|param)|特性", re.IGNORECASE
)
_BULLET = re.compile(r"^\s*[•–\-‣▪■●*#]+\s*|^\s+|\s+$")
_CLAUSE_END = re.compile(r"[;,]\s(?!\d{3})|\s(?:with|and|while|but|which)\s|[，：；]")
_UNIT = r"(?:%|°\s?C(?:/W)?|[A-Za-zΩ]{1,6}(?:/[A-Za-z√]{1,4})?)"
_QUANTITY = re.compile(
    rf"(?<![\w.,/-])(?P<text>[+\-±]?\s?\d+(?:[.,]\d+)?"
    rf"(?:\s?{_UNIT}?\s?(?:\bto\b|~|\.\.\.|至)\s?[+\-±]?\s?\d+(?:[.,]\d+)?)?)[\s-]?(?P<unit>{_UNIT})(?![A-Za-z])"
)
_DANGLING = re.compile(
    r"^(?:(?:of|at|from|to|or|as|per|an?|up)\s)+|(?:\s(?:of|at|from|to|or|as|up|by|an?)|\s?[:(=@.])+$",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?P<bound>up to )?(?P<number>\d{1,4})\s?[×x]?\s+(?P<noun>[A-Za-z][A-Za-z -]{2,40})$",
    re.IGNORECASE,
)
_MAX_SENTENCE = 200


def _features(segments: Sequence[Segment], parts: PartMentions) -> Iterator[Parameter]:
    """Read the quantities of the front page's lists and short sentences, a clause each."""
    seen: set[tuple[frozenset[str], str]] = set()
    for segment in segments:
        page = min(segment.metadata.page_nos, default=_LAST_FRONT_PAGE + 1)
        titles = segment.metadata.section_path
        is_front = page <= _FRONT_PAGES or (
            page <= _LAST_FRONT_PAGE and any(map(_FRONT_SECTION.search, titles))
        )
        if segment.kind is not SegmentKind.TEXT or segment.boilerplate or not is_front:
            continue
        for line in segment.text.split("\n"):
            sentence = _BULLET.sub("", line)
            is_listed = len(sentence) < len(line) or not sentence.endswith((".", "。"))
            if not is_listed or sentence in titles or len(sentence) > _MAX_SENTENCE:
                continue
            for name, amounts in _quantities_of(sentence):
                key = telling_words(name), amounts[0].text
                if key[0] and key not in seen and parts.of(sentence) is not Mention.SIBLING:
                    seen.add(key)
                    yield Parameter(name, "", "", "", amounts, segment, quote=sentence)


def _quantities_of(sentence: str) -> Iterator[tuple[str, tuple[Amount, ...]]]:
    for clause in _CLAUSE_END.split(plain(sentence)):
        for match in _QUANTITY.finditer(clause):
            unit = match["unit"]
            bound = next(iter(limits_in(clause)), ColumnRole.VALUE)
            amounts = read_amounts(f"{match['text']} {unit}", "", bound)
            words = _QUANTITY.sub(" ", clause).split()
            name = _DANGLING.sub("", " ".join(word for word in words if not limits_in(word)))
            if is_unit(unit) and amounts and amounts[0].value is not None:
                named = name[:1].upper() + name[1:] or plain(sentence)
                yield named[:_MAX_NAME], amounts
        if (count := _COUNT.match(clause)) and not is_unit(count["noun"].split()[0]):
            bound = ColumnRole.MAX if count["bound"] else ColumnRole.VALUE
            yield (
                f"Number of {count['noun']}",
                (Amount(bound, count["number"], float(count["number"]), ""),),
            )
