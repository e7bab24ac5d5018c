"""Lines into paragraphs, list items, footnotes, code and formulas."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from desktop_qa.core.document import BlockKind, BoundingBox
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.boxes import union_of
from desktop_qa.parse.captions import is_caption
from desktop_qa.parse.layout import Column, Element
from desktop_qa.parse.lines import MARKER, Line, is_monospaced

_FOOTNOTE_MARKER = re.compile(r"^(?:\(\d{1,2}\)|\[\d{1,2}\]|[*†‡]{1,3}|\d)$")
_FLUSH_PT = 1.5
_ROOM_IN_SIZES = 1.5
"""White beside the first word of the next line; words are kept together for other reasons."""

_OUTDENT_IN_SIZES = 0.8

_EQUATION_NUMBER = re.compile(r"\((?:\d{1,3}|[A-Z]?\d+[-.]\d+)\)$")
_SENTENCE_END = re.compile(r"[.!?:;。][\"”')\]]?$")


@dataclass(slots=True)
class Run:
    """Lines that form one block, or one element of the page, while it is being built.

    Attributes:
        column: Number of the column on its page.
        marker_left: Left edge of a list item's marker.
    """

    kind: BlockKind
    page_no: int
    column: int
    lines: list[Line] = field(default_factory=list)
    element: Element | None = None
    marker_left: float = 0.0
    text_left: float = 0.0
    level: int = 0


@dataclass(frozen=True, slots=True)
class BodyMetrics:
    """What is usual in a document: size of running text, distance of baselines by size."""

    size: float
    leading: dict[float, float]

    def usual_step(self, line: Line) -> float:
        """Distance of baselines within a paragraph of this line's size."""
        return self.leading.get(round(line.size * 2) / 2, 1.22 * line.size)


def measure_body(columns: Iterable[Sequence[Column]]) -> BodyMetrics:
    """Measure size and leading of running text over all pages."""
    sizes: Counter[float] = Counter()
    steps: dict[float, Counter[float]] = defaultdict(Counter)
    for page in columns:
        for column in page:
            lines = [item for item in column.items if isinstance(item, Line)]
            for line in lines:
                sizes[round(line.size * 2) / 2] += len(line.text)
            for above, below in pairwise(lines):
                step = below.baseline - above.baseline
                if abs(above.size - below.size) < 0.4 and 0.8 < step / below.size < 2.2:
                    steps[round(below.size * 2) / 2][round(step * 2) / 2] += 1
    size = max(sizes.items(), key=lambda item: (item[1], item[0]))[0] if sizes else 10.0
    leading = {}
    for of_size, counts in steps.items():
        if sum(counts.values()) >= 4:
            usual = max(counts.items(), key=lambda item: (item[1], -item[0]))[0]
            leading[of_size] = min(usual, 1.8 * of_size)
    return BodyMetrics(size, leading)


def build_runs(page_no: int, columns: Sequence[Column], body: BodyMetrics) -> list[Run]:
    """Cut the columns of a page into runs in reading order."""
    runs: list[Run] = []
    items = [item for column in columns for item in column.items]
    elements = [item.bbox for item in items if isinstance(item, Element)]
    for index, column in enumerate(columns):
        current: Run | None = None
        right = _text_right(column)
        rooms = _rooms(column, right, elements, body)
        for item in column.items:
            if isinstance(item, Element):
                runs.append(Run(item.kind, page_no, index, element=item))
                current = None
            elif current is not None and attempt(
                Stage.PARAGRAPHS, page_no, False, _continues, current, item, right, rooms, body
            ):
                current.lines.append(item)
                if len(current.lines) == 2 and current.kind == BlockKind.TEXT:
                    current.text_left = item.left
            else:
                plain = _text_run(item, page_no, index)
                current = attempt(
                    Stage.PARAGRAPHS, page_no, plain, _start, item, page_no, index, body
                )
                runs.append(current)
    for run in runs:
        _classify(run)
    _nest_lists(runs)
    return runs


def _text_right(column: Column) -> float:
    rights = [item.right for item in column.items if isinstance(item, Line)]
    return statistics.quantiles(rights, n=10)[-1] if len(rights) > 3 else column.right


def _rooms(
    column: Column, right: float, elements: Sequence[BoundingBox], body: BodyMetrics
) -> dict[int, float]:
    """White right of each line of a block of flush lines that follow each other, by `id`.

    The block's widest line tells its right edge, and the column's does when most of its lines end
    before that; a table or figure beside a line is nearer.
    """
    rooms: dict[int, float] = {}
    block: list[Line] = []
    for item in [*column.items, None]:
        if (
            isinstance(item, Line)
            and block
            and abs(block[-1].left - item.left) < _FLUSH_PT
            and _is_next(block[-1], item, body)
        ):
            block.append(item)
            continue
        widest = max((line.right for line in block), default=0.0)
        n_broken = sum(_has_room(widest - a.right, b) for a, b in pairwise(block))
        edge = right if 2 * n_broken >= len(block) - 1 else widest
        for line in block:
            reach = 2 * line.size
            beside = (
                b.left
                for b in elements
                if b.top - reach < line.baseline < b.bottom + reach and b.left > line.left
            )
            rooms[id(line)] = min([edge, *beside]) - line.right
        block = [item] if isinstance(item, Line) else []
    return rooms


def _has_room(room: float, line: Line) -> bool:
    """Tell whether the first word of a line had room, in points, in the line above."""
    return room > line.words[0].bbox.width + _ROOM_IN_SIZES * line.size


def _is_next(above: Line, line: Line, body: BodyMetrics) -> bool:
    """True for the distance of lines within a paragraph."""
    step = line.baseline - above.baseline
    return 0 < step <= 1.3 * max(body.usual_step(above), 1.05 * above.size)


def _text_run(line: Line, page_no: int, column: int) -> Run:
    return Run(BlockKind.TEXT, page_no, column, [line], marker_left=line.left, text_left=line.left)


def _start(line: Line, page_no: int, column: int, body: BodyMetrics) -> Run:
    run = _text_run(line, page_no, column)
    if len(line.words) > 1 and _is_marker(line):
        run.kind = BlockKind.LIST_ITEM
        run.text_left = line.words[1].bbox.left
    elif is_caption(line.text) and not line.text.endswith(","):
        run.kind = BlockKind.CAPTION
    elif is_monospaced(line):
        run.kind = BlockKind.CODE
    if _is_footnote(line, body):
        run.kind = BlockKind.FOOTNOTE
    return run


def _is_marker(line: Line) -> bool:
    first = line.words[0].text
    if not MARKER.match(first):
        return False
    if first == "o" and "courier" not in line.words[0].font.lower():
        return False
    gap = line.words[1].bbox.left - line.words[0].bbox.right
    return gap > 0.2 * line.size


def _is_footnote(line: Line, body: BodyMetrics) -> bool:
    return (
        line.size < body.size - 0.6
        and not is_monospaced(line)
        and len(line.words) > 2
        and bool(_FOOTNOTE_MARKER.match(line.words[0].text))
    )


def _continues(
    run: Run, line: Line, right: float, rooms: Mapping[int, float], body: BodyMetrics
) -> bool:
    last = run.lines[-1]
    if not _is_next(last, line, body):
        return False
    if abs(line.size - last.size) > 0.8:
        return False
    if run.kind == BlockKind.CODE and is_monospaced(line):
        return True
    if len(line.words) > 1 and _is_marker(line):
        return False
    if is_caption(line.text) and run.kind != BlockKind.CAPTION and _ends_sentence(last.text):
        return False
    if _is_footnote(line, body):
        return False
    if run.kind == BlockKind.CODE or is_monospaced(line):
        return False
    if run.kind in (BlockKind.LIST_ITEM, BlockKind.FOOTNOTE):
        hangs = line.left > run.marker_left + 1.5
        return hangs or (last.right > right - 40 and not _ends_sentence(last.text))
    return not _is_broken_by_hand(run, line, rooms) and _same_paragraph(run, last, line, right)


def _is_broken_by_hand(run: Run, line: Line, rooms: Mapping[int, float]) -> bool:
    """Tell lines of commands, options and addresses: the next word had room in the line above.

    Nor does a paragraph go on left of where it stands.
    """
    last = run.lines[-1]
    if len(run.lines) > 1 and line.left < run.text_left - _OUTDENT_IN_SIZES * line.size:
        return True
    if abs(last.left - line.left) > _FLUSH_PT:
        return False
    return _has_room(rooms.get(id(last), 0.0), line)


def _same_paragraph(run: Run, last: Line, line: Line, right: float) -> bool:
    if last.bold != line.bold and (_ends_sentence(last.text) or last.right < right - 40):
        return False
    ends_early = last.right < right - max(0.15 * (right - run.marker_left), 20)
    if ends_early and (_ends_sentence(last.text) or line.text[:1].isupper()):
        return line.text[:1].islower()
    indent = line.left - run.text_left
    return not (len(run.lines) > 1 and indent > 1.0 * line.size and _ends_sentence(last.text))


def _ends_sentence(text: str) -> bool:
    return bool(_SENTENCE_END.search(text))


def _classify(run: Run) -> None:
    if run.kind != BlockKind.TEXT or not run.lines:
        return
    text = " ".join(line.text for line in run.lines)
    if len(run.lines) <= 4 and len(text) < 160 and _EQUATION_NUMBER.search(text) and "=" in text:
        run.kind = BlockKind.FORMULA


def _nest_lists(runs: Sequence[Run]) -> None:
    """Give list items their nesting by the indentation of their markers."""
    stack: list[float] = []
    for previous, run in pairwise((None, *runs)):
        if run is None or run.kind == BlockKind.FOOTNOTE:
            continue
        if run.kind != BlockKind.LIST_ITEM or (previous and previous.column != run.column):
            stack = []
        if run.kind != BlockKind.LIST_ITEM:
            continue
        while stack and run.marker_left < stack[-1] - 4:
            stack.pop()
        if not stack or run.marker_left > stack[-1] + 4:
            stack.append(run.marker_left)
        run.level = len(stack)


def box_of(lines: Sequence[Line]) -> BoundingBox:
    """Smallest box around lines; there is at least one."""
    return union_of(line.bbox for line in lines)


def goes_on(before: str, after: str) -> bool:
    """Tell whether a text goes on in another one after a column or page break."""
    stripped = before.rstrip()
    if not stripped or not after or _SENTENCE_END.search(stripped):
        return False
    return after[0].islower() or (stripped[-1] == "," and after[0].isalnum())
