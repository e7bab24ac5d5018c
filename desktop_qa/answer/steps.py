"""Step lists of a section: every item in order, with what stands between them in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
_ENDS = (".", "!", "?", ":")
_SHOWN = (BlockKind.PICTURE, BlockKind.TABLE)
_MAX_SKIPPED = 2
_MAX_LEAD_WORDS = 40


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a step list.

    Attributes:
        kind: `None` for a figure or table.
        text: Without its label.
        label: `None` for what has none: notes, code, figures.
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
        style: Of its items, as of their labels.
        lines: In the order of the page.
        missing: Numbers that the list skips.
        last: Number of its last item.
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
    def is_led(self) -> bool:
        """True when the line before it introduces it and nothing else."""
        text = self.lead.text if self.lead is not None else ""
        is_short = len(text.split()) <= _MAX_LEAD_WORDS
        return self.is_alternative or (text.endswith(":") and is_short)

    @property
    def passages(self) -> list[Passage]:
        """What it is made of."""
        lead = [self.lead] if self.lead is not None and self.is_led else []
        return [*lead, *(line.passage for line in self.lines)]

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
    lists: list[StepList] = []
    between: list[Passage] = []
    for index, passage in enumerate(passages):
        label = _label_of(passage)
        if label is None:
            between.append(passage)
            continue
        current = lists[-1] if lists else None
        kind = _kind_in(current, passage, label, between, passages[index + 1 :])
        if current is None or kind is None:
            n_own = _add_rest(current, between) if current is not None else 0
            texts = (p for p in reversed(between[n_own:]) if p.kind is BlockKind.TEXT)
            current = StepList(next(texts, None), label.style)
            lists.append(current)
        else:
            current.lines += map(_between, between)
        if kind is not ItemKind.SUB_STEP:
            current.missing += range(current.last + 1, label.value)
            current.last = label.value
        current.lines.append(Step(kind or ItemKind.STEP, passage, label.text, label))
        between = []
    if lists:
        _add_rest(lists[-1], between)
    return [one for one in lists if len(one.steps) >= 2]


def _kind_in(
    current: StepList | None,
    passage: Passage,
    label: Label,
    between: Sequence[Passage],
    later: Iterable[Passage],
) -> ItemKind | None:
    """Tell what an item is in the list before it; `None` when it begins another."""
    if current is None:
        return None
    texts = [p for p in between if p.kind is BlockKind.TEXT]
    if passage.level > max(current.steps[-1].passage.level, 1):
        return ItemKind.SUB_STEP
    if label.style != current.style:
        # Bullets and letters among numbers are theirs, unless text has come between.
        labels = (one for one in map(_label_of, later) if one is not None)
        numbers = (one.value for one in labels if one.style == "number")
        goes_on = all(_NOTE.match(p.text) for p in texts) or next(numbers, 0) == current.last + 1
        return ItemKind.SUB_STEP if current.style == "number" and goes_on else None
    goes_on = 0 < label.value - current.last <= _MAX_SKIPPED + 1
    return ItemKind.STEP if goes_on or (label.style == "bullet" and not texts) else None


def _add_rest(one: StepList, following: Sequence[Passage]) -> int:
    """Add to a list what belongs to its last item; return how many of those that follow do."""
    last = one.lines[-1].text
    for n, passage in enumerate(following):
        text, kind = passage.text, passage.kind
        # The end of a page may have cut an item.
        is_rest = text[:1].islower() and not last.endswith(_ENDS) and not _ALTERNATIVE.match(text)
        is_led = last.endswith(":") and kind is not BlockKind.TABLE
        is_shown = kind in (BlockKind.PICTURE, BlockKind.CODE)
        if not (is_rest or is_led or is_shown or _NOTE.match(text)):
            return n
        one.lines.append(_between(passage))
        last = ""
    return len(following)


def _label_of(passage: Passage) -> Label | None:
    """Return the mark of what is a list item, or text that says "Step 3"."""
    label = label_of(passage.text) if passage.text else None
    if passage.kind is BlockKind.LIST_ITEM:
        return label or Label("bullet", "", passage.text)
    is_step = passage.kind is BlockKind.TEXT and passage.text[:4].casefold() == "step"
    return label if is_step and label is not None and label.style == "number" else None


def _between(passage: Passage) -> Step:
    kind = None if passage.kind in _SHOWN else ItemKind.REMARK
    return Step(kind, passage, passage.text)
