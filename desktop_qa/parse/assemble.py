"""Runs of lines into blocks: joined over breaks, with places, hyphenation undone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile

from desktop_qa.core.document import Block, BlockKind, BoundingBox, Provenance
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.boilerplate import (
    is_boilerplate_section,
    is_contents_line,
    is_legal_text,
)
from desktop_qa.parse.lines import Line, Vocabulary, joined_text
from desktop_qa.parse.paragraphs import Run, box_of, goes_on

_JOINABLE = (BlockKind.TEXT, BlockKind.LIST_ITEM)
_PASSED_OVER = (
    BlockKind.TABLE,
    BlockKind.PICTURE,
    BlockKind.CAPTION,
    BlockKind.FOOTNOTE,
    BlockKind.PAGE_HEADER,
    BlockKind.PAGE_FOOTER,
)
_REFERENCE = re.compile(
    r"\bfig(?:ure|\.)?s?\s*((?:[A-Z]{1,2}[-.]?)?\d+(?:[-–.]\d+)*)", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
_MAX_SENTENCES = 3
_MIN_WORDS_AROUND = 4
"""Of a paragraph around a figure; shorter ones are labels."""


@dataclass(slots=True)
class Draft:
    """A block in the making: runs of one or more columns and pages."""

    kind: BlockKind
    runs: list[Run]
    level: int = 0
    element_index: int | None = None
    text: str = ""
    places: tuple[Provenance, ...] = field(default_factory=tuple)


def join_runs(runs: Iterable[Run], vocabulary: Vocabulary) -> list[Draft]:
    """Join the runs of a paragraph that a column, a page or a float cuts.

    Args:
        runs: Of all pages in reading order.
        vocabulary: Of the document.
    """
    drafts: list[Draft] = []
    previous: Run | None = None
    for run in runs:
        draft = attempt(Stage.PARAGRAPHS, run.page_no, None, _cut_draft, drafts, run, previous)
        if draft is not None:
            draft.runs.append(run)
        else:
            drafts.append(Draft(run.kind, [run], run.level))
        previous = run
    for draft in drafts:
        if draft.runs[0].lines:
            plain = " ".join(line.text for run in draft.runs for line in run.lines)
            draft.text = attempt(
                Stage.PARAGRAPHS, draft.runs[0].page_no, plain, draft_text, draft, vocabulary
            )
            draft.places = places_of(draft.runs)
    return drafts


def _cut_draft(drafts: Sequence[Draft], run: Run, previous: Run | None) -> Draft | None:
    """Return the paragraph that the run goes on with, when something cut it."""
    if run.kind != BlockKind.TEXT or previous is None:
        return None
    if previous.element is None and (previous.page_no, previous.column) == (
        run.page_no,
        run.column,
    ):
        return None
    for draft in reversed(drafts[-8:]):
        last = draft.runs[-1]
        if draft.kind in _PASSED_OVER:
            continue
        if draft.kind not in _JOINABLE or run.page_no - last.page_no > 1:
            return None
        if abs(last.lines[-1].size - run.lines[0].size) > 0.8:
            return None
        repeats = [line.text for line in last.lines] == [line.text for line in run.lines]
        goes = goes_on(last.lines[-1].text, run.lines[0].text) and not repeats
        return draft if goes else None
    return None


def draft_text(draft: Draft, vocabulary: Vocabulary) -> str:
    """Text of all lines; code keeps its line ends and indents."""
    lines = [line for run in draft.runs for line in run.lines]
    if draft.kind == BlockKind.CODE:
        return "\n".join(_indents(lines))
    return joined_text([line.text for line in lines], vocabulary)


def _indents(lines: Sequence[Line]) -> list[str]:
    """Texts of lines of one width of type, each with the spaces that its indent stands for."""
    left = min(line.left for line in lines)
    n_chars = sum(len(line.text) for line in lines)
    width = sum(line.right - line.left for line in lines) / max(n_chars, 1)
    return [
        " " * (round((line.left - left) / width) if width > 0 else 0) + line.text for line in lines
    ]


def places_of(runs: Sequence[Run]) -> tuple[Provenance, ...]:
    """One tight rectangle for each page and column."""
    lines: dict[tuple[int, int], list[Line]] = defaultdict(list)
    for run in runs:
        lines[run.page_no, run.column] += run.lines
    return tuple(Provenance(page_no, box_of(of)) for (page_no, _column), of in lines.items() if of)


def to_blocks(drafts: Sequence[Draft], boilerplate_pages: frozenset[int]) -> tuple[Block, ...]:
    """Finish the blocks and mark boilerplate.

    Args:
        drafts: In reading order.
        boilerplate_pages: Pages that hold nothing else: contents, packages, notices.
    """
    blocks: list[Block] = []
    level: int | None = None
    for draft in drafts:
        page_no = draft.places[0].page_no if draft.places else 0
        is_heading = draft.kind == BlockKind.SECTION_HEADER
        if is_heading and (level is None or draft.level <= level):
            is_such = attempt(Stage.HEADINGS, page_no, False, is_boilerplate_section, draft.text)
            level = draft.level if is_such else None
        is_such = attempt(Stage.PARAGRAPHS, page_no, False, _is_aside, draft.text)
        blocks.append(
            Block(
                draft.kind,
                draft.text,
                draft.level,
                draft.places,
                draft.element_index,
                boilerplate=level is not None or page_no in boilerplate_pages or is_such,
            )
        )
    return tuple(blocks)


def _is_aside(text: str) -> bool:
    return is_contents_line(text) or is_legal_text(text)


def referring_sentences(drafts: Iterable[Draft]) -> dict[str, list[str]]:
    """Sentences of the running text by the number of the figure they name."""
    sentences: dict[str, list[str]] = defaultdict(list)
    for draft in drafts:
        if draft.kind not in _JOINABLE or "ig" not in draft.text.lower():
            continue
        for sentence in _SENTENCE.split(draft.text):
            for number in dict.fromkeys(_REFERENCE.findall(sentence)):
                sentences[number.lower()].append(sentence)
    return sentences


def mentions_of(label: str, sentences: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the first of the sentences that name a figure by the number of its label."""
    number = re.sub(r"^\D*?(?=[A-Z]{0,2}[-.]?\d)", "", label).strip().lower()
    return tuple(sentences.get(number, ())[:_MAX_SENTENCES])


def surrounding_paragraph(drafts: Sequence[Draft], index: int) -> str:
    """Return the paragraph that a figure stands behind, else the one after it, of its chapter.

    HiQA, section 3.2: the wrapped context of an image. Where a chapter holds nothing but figures,
    its heading is what is said of them.
    """
    before = takewhile(_is_in_chapter, reversed(drafts[:index]))
    after = takewhile(_is_in_chapter, drafts[index + 1 :])
    paragraphs = (draft.text for draft in chain(before, after) if draft.kind in _JOINABLE)
    headings = (d.text for d in reversed(drafts[:index]) if not _is_in_chapter(d))
    long = (text for text in paragraphs if len(text.split()) >= _MIN_WORDS_AROUND)
    return next(chain(long, headings), "")


def _is_in_chapter(draft: Draft) -> bool:
    return draft.kind != BlockKind.SECTION_HEADER


def grown(box: BoundingBox, margin: float, width: float, height: float) -> BoundingBox:
    """A box with a margin, kept on its page."""
    return BoundingBox(
        max(box.left - margin, 0.0),
        max(box.top - margin, 0.0),
        min(box.right + margin, width),
        min(box.bottom + margin, height),
    )
