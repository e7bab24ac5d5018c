"""Step lists of a section: every item in order, with what stands between them in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop_qa.answer.passages import Label, Passage, label_of
from desktop_qa.answer.statement import ItemKind
from desktop_qa.core.document import BlockKind

_NOTE = re.compile(
    r"^(?:note|notes|caution|warning|tip|hint|important|attention|danger|notice|remark|example"
    r"|result)\b\s*\d*\s*[:.!–—-]",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(r"^(?:or\b|alternatively\b|otherwise\b|another\s+(?:way|option))", re.I)
_MAX_LEAD_WORDS = 45
_ENDS = (".", "!", "?", ":")
_SHOWN = (BlockKind.PICTURE, BlockKind.TABLE)


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a step list.

    Attributes:
        kind: `None` for a figure or table.
        label: `None` for what has none: notes, code, figures.
        text: Without its label.
    """

    kind: ItemKind | None
    passage: Passage
    text: str
    label: Label | None = None


@dataclass(slots=True)
class StepList:
    """A list with what introduces it.

    Attributes:
        lead: The line before the first item; `None` when there is none in the section.
        lines: In the order of the page.
        missing: Numbers that the list skips.
    """

    lead: Passage | None
    style: str
    lines: list[Step] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    last: int = 0

    @property
    def steps(self) -> list[Step]:
        """The items of the outermost level."""
        return [line for line in self.lines if line.kind is ItemKind.STEP]

    @property
    def texts(self) -> list[str]:
        """Texts of all items."""
        return [s.text for s in self.lines if s.kind in (ItemKind.STEP, ItemKind.SUB_STEP)]

    @property
    def is_alternative(self) -> bool:
        """True when it is another way to do what the list before it does."""
        return self.lead is not None and bool(_ALTERNATIVE.match(self.lead.text))


def step_lists(passages: Sequence[Passage]) -> list[StepList]:
    """Find the lists of a section.

    A list ends where another begins, or where text follows that its numbers do not go on after;
    what stands between two of its items belongs to the first.

    Args:
        passages: Of one section, in reading order.
    """
    return _Lists(passages).found()


class _Lists:
    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._lists: list[StepList] = []
        self._open: StepList | None = None
        self._pending: list[Passage] = []

    def found(self) -> list[StepList]:
        for passage in self._passages:
            label = _item_label(passage)
            if label is None:
                self._pending.append(passage)
            else:
                self._add(passage, label)
        self._close()
        return [one for one in self._lists if len(one.steps) >= 2]

    def _add(self, passage: Passage, label: Label) -> None:
        text = passage.text[label.length :].strip()
        current = self._open
        if current is not None and self._is_nested(current, passage, label):
            self._attach_pending()
            current.lines.append(Step(ItemKind.SUB_STEP, passage, text, label))
            return
        if current is None or not self._goes_on(current, label):
            lead = self._close()
            current = StepList(lead, label.style)
            self._open = current
            self._lists.append(current)
            current.missing += range(1, label.value)
        else:
            self._attach_pending()
            current.missing += range(current.last + 1, label.value)
        current.last = label.value
        current.lines.append(Step(ItemKind.STEP, passage, text, label))

    def _is_nested(self, current: StepList, passage: Passage, label: Label) -> bool:
        """Tell whether an item belongs to the step before it."""
        top = current.steps[-1].passage
        if passage.level > top.level and passage.level > 1:
            return True
        if label.style == current.style:
            return False
        if current.style == "number":
            # Bullets and letters among numbers are theirs, unless text has come between.
            return not any(
                p.kind is BlockKind.TEXT and not _NOTE.match(p.text) for p in self._pending
            ) or self._numbers_go_on(passage, current.last)
        return False

    def _numbers_go_on(self, passage: Passage, last: int) -> bool:
        """Tell whether a later item has the number that comes next."""
        labels = (_item_label(p) for p in self._passages if p.index > passage.index)
        numbers = (one.value for one in labels if one is not None and one.style == "number")
        return next(numbers, 0) == last + 1

    def _goes_on(self, current: StepList, label: Label) -> bool:
        if label.style != current.style:
            return False
        if label.style == "bullet":
            return not any(p.kind is BlockKind.TEXT for p in self._pending)
        return current.last < label.value <= current.last + 3

    def _attach_pending(self) -> None:
        if self._open is not None:
            self._open.lines += [_between(p) for p in self._pending]
        self._pending = []

    def _close(self) -> Passage | None:
        """End the open list; return the line that introduces what follows."""
        pending, self._pending = self._pending, []
        lead = next((p for p in reversed(pending) if p.kind not in _SHOWN), None)
        if lead is not None and (
            lead.kind is BlockKind.CODE or len(lead.text.split()) > 3 * _MAX_LEAD_WORDS
        ):
            lead = None
        if self._open is not None:
            last = self._open.lines[-1].text
            for passage in pending:
                belongs = (
                    passage.kind in (BlockKind.PICTURE, BlockKind.CODE)
                    or _NOTE.match(passage.text)
                    or (last.endswith(":") and passage.kind is not BlockKind.TABLE)
                    or _goes_on_with(last, passage.text)
                )
                if not belongs:
                    break
                self._open.lines.append(_between(passage))
                last = ""
                if passage is lead:
                    lead = None
        self._open = None
        return lead


def _goes_on_with(last: str, text: str) -> bool:
    """Tell whether text is the rest of an item that the end of a page has cut."""
    return text[:1].islower() and not last.endswith(_ENDS) and not _ALTERNATIVE.match(text)


def _item_label(passage: Passage) -> Label | None:
    """Return the mark of what is a list item, or text that says "Step 3"."""
    label = label_of(passage.text) if passage.text else None
    if passage.kind is BlockKind.LIST_ITEM:
        return label or Label("bullet", 0, "", 0)
    if passage.kind is BlockKind.TEXT and label is not None and label.style == "number":
        return label if passage.text[:4].casefold() == "step" else None
    return None


def _between(passage: Passage) -> Step:
    kind = None if passage.kind in _SHOWN else ItemKind.REMARK
    return Step(kind, passage, passage.text)
