"""What a parameter of a document is: a name, a condition and amounts with their place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.answer.parameter_names import NameKey
from desktop_qa.answer.parameter_parts import Hold
from desktop_qa.answer.parameter_values import Amount
from desktop_qa.core.document import ColumnRole, DocumentId, TableCell
from desktop_qa.core.segment import Segment


class SectionKind(StrEnum):
    """What a value is good for; a limit that destroys is never one to operate at."""

    ABSOLUTE = "absolute maximum rating"
    OPERATING = "operating condition"
    THERMAL = "thermal"
    CHARACTERISTIC = "characteristic"
    FEATURE = "feature"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One row: what a document states of a parameter under one condition.

    Attributes:
        name: In words, as printed.
        heading: Of the group of rows it stands in.
        condition: As printed; empty for none.
        amounts: At least one.
        hold: Whether it is of the part itself or of a variant.
        variant: The variant, or the heading that names it; empty for none.
        segment: Where it was read.
        cells: Of the table, that hold the amounts; empty for prose.
        quote: The words it was read from in prose; empty for a table.
        order: Its place in the document.
    """

    document_id: DocumentId
    name: str
    symbol: str
    heading: str
    condition: str
    kind: SectionKind
    amounts: tuple[Amount, ...]
    key: NameKey
    segment: Segment
    cells: tuple[TableCell, ...] = ()
    quote: str = ""
    order: int = 0
    hold: Hold = Hold.YES
    variant: str = ""

    @property
    def unit(self) -> str:
        """Base unit of its amounts; empty when it has none."""
        return next((amount.unit for amount in self.amounts if amount.unit), "")

    def amount(self, *roles: ColumnRole) -> Amount | None:
        """Return the first amount with one of the roles, in their order."""
        return next((a for role in roles for a in self.amounts if a.role is role), None)
