"""Lines into paragraphs, list items, footnotes, code and formulas."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from desktop_qa.core.document import BlockKind, BoundingBox
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.captions import is_caption
from desktop_qa.parse.layout import Column, Element
from desktop_qa.parse.lines import MARKER, Line

_FOOTNOTE_MARKER = re.compile(r"^(?:\(\d{1,2}\)|\[\d{1,2}\]|[*†‡]{1,3}|\d)$")
_MONOSPACE = ("courier", "consol", "mono", "lucidaconsole", "menlo")
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
    for index, column in enumerate(columns):
        current: Run | None = None
        right = _text_right(column)
        for item in column.items:
            if isinstance(item, Element):
                runs.append(Run(item.kind, page_no, index, element=item))
                current = None
            elif current is not None and attempt(
                Stage.PARAGRAPHS, page_no, False, _continues, current, item, right, body
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
        _classify(run, body)
    _nest_lists(runs)
    return runs


def _text_right(column: Column) -> float:
    rights = [item.right for item in column.items if isinstance(item, Line)]
    return statistics.quantiles(rights, n=10)[-1] if len(rights) > 3 else column.right


def _text_run(line: Line, page_no: int, column: int) -> Run:
    return Run(BlockKind.TEXT, page_no, column, [line], marker_left=line.left, text_left=line.left)


def _start(line: Line, page_no: int, column: int, body: BodyMetrics) -> Run:
    run = _text_run(line, page_no, column)
    if len(line.words) > 1 and _is_marker(line):
        run.kind = BlockKind.LIST_ITEM
        run.text_left = line.words[1].bbox.left
    elif is_caption(line.text) and not line.text.endswith(","):
        run.kind = BlockKind.CAPTION
    elif _is_monospaced(line):
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
        and len(line.words) > 2
        and bool(_FOOTNOTE_MARKER.match(line.words[0].text))
    )


def _is_monospaced(line: Line) -> bool:
    return any(name in line.font.lower() for name in _MONOSPACE)


def _continues(run: Run, line: Line, right: float, body: BodyMetrics) -> bool:
    last = run.lines[-1]
    step = line.baseline - last.baseline
    if step <= 0 or step > 1.3 * max(body.usual_step(last), 1.05 * last.size):
        return False
    if abs(line.size - last.size) > 0.8 or (len(line.words) > 1 and _is_marker(line)):
        return False
    if is_caption(line.text) and run.kind != BlockKind.CAPTION and _ends_sentence(last.text):
        return False
    if _is_footnote(line, body):
        return False
    if run.kind == BlockKind.CODE or _is_monospaced(line):
        return run.kind == BlockKind.CODE and _is_monospaced(line)
    if run.kind in (BlockKind.LIST_ITEM, BlockKind.FOOTNOTE):
        hangs = line.left > run.marker_left + 1.5
        return hangs or (last.right > right - 40 and not _ends_sentence(last.text))
    return _same_paragraph(run, last, line, right)


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


def _classify(run: Run, body: BodyMetrics) -> None:
    if run.kind != BlockKind.TEXT or not run.lines:
        return
    text = " ".join(line.text for line in run.lines)
    if len(run.lines) <= 4 and len(text) < 160 and _EQUATION_NUMBER.search(text) and "=" in text:
        run.kind = BlockKind.FORMULA


def _nest_lists(runs: Sequence[Run]) -> None:
    """Give list items their nesting by the indentation of their markers."""
    stack: list[float] = []
    previous: Run | None = None
    for run in runs:
        if run.kind != BlockKind.LIST_ITEM:
            if run.kind != BlockKind.FOOTNOTE and previous is not None:
                stack = []
            previous = run
            continue
        if previous is not None and previous.column != run.column:
            stack = []
        while stack and run.marker_left < stack[-1] - 4:
            stack.pop()
        if not stack or run.marker_left > stack[-1] + 4:
            stack.append(run.marker_left)
        run.level = len(stack)
        previous = run


def box_of(lines: Sequence[Line]) -> BoundingBox:
    """Smallest box around lines; there is at least one."""
    box = lines[0].bbox
    for line in lines[1:]:
        box = box.union(line.bbox)
    return box


def goes_on(before: str, after: str) -> bool:
    """Tell whether a text goes on in another one after a column or page break."""
    stripped = before.rstrip()
    if not stripped or not after or _SENTENCE_END.search(stripped):
        return False
    return after[0].islower() or (stripped[-1] == "," and after[0].isalnum())
