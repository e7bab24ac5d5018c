"""The columns of a table as its reading tells them: what they are called and what they hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.answer.part_mentions import Mention, PartMentions
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.augment.table_values import head_unit
from desktop_qa.core.document import BOUNDS, IDENTITY, ColumnRole, Table, TableCell
from desktop_qa.index.lexical import terms_of
from desktop_qa.parse.table_reading import read_table
from desktop_qa.parse.table_roles import head_roles

_BOUND = re.compile(r"\b(min|typ|nom|max)(?:imum|ical|inal)?\b", re.IGNORECASE)
_PARTS_HEAD = re.compile(
    r"part\s*(?:number|no)|ordering\s+code|order\s+code|device|product|model|variant|型号|部件号",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[\d.,+–−-]*\d")
_MAX_VALUE_COLUMNS = 12


@dataclass(frozen=True, slots=True)
class TableColumns:
    """A table read by column.

    Attributes:
        headers: Text of the header of each column, several header rows joined.
        roles: Role of each column.
        leaves: The lowest header of each column.
        above: What heads that, without the names of bounds: "Fast mode", "25 °C".
        telling: Columns of values that tell the rows apart, as inputs and codes do.
    """

    headers: tuple[str, ...]
    roles: tuple[ColumnRole, ...]
    leaves: tuple[str, ...]
    above: tuple[str, ...]
    telling: tuple[int, ...] = ()

    @property
    def has_bounds(self) -> bool:
        """True for a table of characteristics: with MIN, TYP or MAX."""
        return any(role in BOUNDS for role in self.roles)

    @property
    def names_parts(self) -> bool:
        """True when rows are parts and the columns behind are their parameters."""
        labels = self.of(ColumnRole.SUBJECT)
        return bool(labels) and _PARTS_HEAD.search(self.leaves[labels[0]]) is not None

    def of(self, *roles: ColumnRole) -> tuple[int, ...]:
        """Indices of the columns with one of the roles."""
        return tuple(i for i, role in enumerate(self.roles) if role in roles)

    def asked_for(self, terms: QuestionTerms) -> int | None:
        """Index of the column whose header says most of a question; `None` when none says any."""
        covered = [terms.coverage(terms_of(header)) for header in self.headers]
        return covered.index(max(covered)) if any(covered) else None

    def bound_of(self, indices: Sequence[int]) -> ColumnRole:
        """Return the bound that a cell over some columns states; VALUE when that is not sure."""
        roles = {self.roles[i] for i in indices}
        role = roles.pop()
        return role if role in BOUNDS and not roles else ColumnRole.VALUE

    def of_part(self, indices: Sequence[int], parts: PartMentions) -> list[int]:
        """Leave out columns that hold for siblings of a part; of its own, where it has any."""
        mentions = {i: parts.of(self.headers[i]) for i in indices}
        own = [i for i in indices if mentions[i] is Mention.PART]
        own = own or [i for i in indices if parts.ended_by(self.leaves[i])]
        return own or [i for i in indices if mentions[i] is not Mention.SIBLING]

    def values(self, parts: PartMentions) -> list[tuple[str, tuple[int, ...]]]:
        """Return the columns of each value that holds for a part; of its own, where it has any.

        They stand under what tells them from the others: a part, a mode, or their parameter.

        In "Items | Specifications" the last column holds the values, whatever it is called.
        """
        subjects = self.of(ColumnRole.SUBJECT)
        if self.names_parts:
            own = self.of(*(set(ColumnRole) - {ColumnRole.NOTE}))
            indices = [i for i in own if i != subjects[0]]
        elif self.has_bounds:
            indices = list(self.of(*BOUNDS))
        else:
            indices = [i for i in subjects[1:] if parts.codes_in(self.headers[i])]
            indices = [*self.of(ColumnRole.VALUE), *indices]
        indices = indices or ([len(self.roles) - 1] if len(self.roles) > 1 else [])
        indices = self.of_part(indices, parts)
        if len(indices) > _MAX_VALUE_COLUMNS:
            return []
        if self.names_parts or not self.has_bounds:
            heads = self.leaves if self.names_parts else self.headers
            return [(heads[i], (i,)) for i in indices]
        return self.groups(indices)

    def groups(self, indices: Sequence[int]) -> list[tuple[str, tuple[int, ...]]]:
        """Return columns of limits by what heads them: "Fast mode" has its own MIN, TYP and MAX.

        What is no bound has nothing else to tell it from others: "Limits at °C | 85 | 125".
        """
        order = (*BOUNDS, ColumnRole.VALUE)
        found: list[tuple[str, tuple[int, ...]]] = []
        for index in indices:
            head = (self.above if self.roles[index] in BOUNDS else self.headers)[index]
            if found:
                own, of_own = found[-1]
                last = of_own[-1]
                is_later = order.index(self.roles[index]) > order.index(self.roles[last])
                is_same = self.headers[index] == self.headers[last]
                if (is_later or is_same) and (head == own or not (head and own)):
                    found[-1] = (own or head, (*of_own, index))
                    continue
            found.append((head, (index,)))
        return found


def as_read(table: Table) -> Table:
    """Return a table with roles and paths; one that was stored before there were any is read."""
    return table if table.columns else read_table(table)


def read_columns(table: Table) -> TableColumns:
    """Return the columns of a table that was read.

    Where no column holds limits, codes and inputs that tell the rows apart are asked for like any
    value, unless their head calls them a symbol or a condition.
    """
    paths = table.heads()
    heads = [table.texts(indices) for indices in paths]
    headers = [" ".join(dict.fromkeys(texts)) for texts in heads]
    roles = [column.role for column in table.columns]
    if len(roles) > 2 and paths[0] and paths[0] == paths[1] and roles[0] is ColumnRole.SUBJECT:
        # "THERMAL METRIC" over "RθJA | Junction-to-ambient thermal resistance" heads two names.
        roles[1] = ColumnRole.SUBJECT if roles[1] is ColumnRole.VALUE else roles[1]
    telling: tuple[int, ...] = ()
    if not any(role in BOUNDS for role in roles):
        named = [head_roles(header) for header in headers]
        telling = tuple(
            i for i, role in enumerate(roles) if role in IDENTITY[1:] and role not in named[i]
        )
        roles = [ColumnRole.VALUE if i in telling else role for i, role in enumerate(roles)]
    if unit := head_unit(headers[0]) if headers else "":
        # "XTAL (MHz) | 4 | 8" heads the numbers beside it as well as the names below.
        heads = [tuple(f"{t} {unit}" if _NUMBER.fullmatch(t) else t for t in own) for own in heads]
        headers = [" ".join(dict.fromkeys(texts)) for texts in heads]
    leaves = tuple(texts[-1] if texts else "" for texts in heads)
    above = (h.removesuffix(leaf) for h, leaf in zip(headers, leaves, strict=True))
    apart = tuple(" ".join(_BOUND.sub(" ", head).split()) for head in above)
    return TableColumns(tuple(headers), tuple(roles), leaves, apart, telling)


def unique_texts(cells: Iterable[TableCell | None]) -> list[str]:
    """Texts of cells in order, each spanning cell and each repeated text once."""
    return list(dict.fromkeys(cell.text for cell in cells if cell is not None and cell.text))
