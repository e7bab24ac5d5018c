"""Walks a document depth first and hands metadata down (HiQA Algorithm 2).

A document is a tree with its title as the root and its chapters as nodes. The blocks come in
reading order, which is the depth-first order of that tree, so one pass with a stack of the open
headings visits every chapter with its full path.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import Block, BlockKind, split_heading_number


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter at any level: its own blocks, without those of its sub-chapters.

    Attributes:
        path: Headings from the outermost in, this chapter's own last, each with its number;
            empty for what stands before the first heading.
        number: This chapter's number, "" when it has none.
        heading: None for what stands before the first heading.
        blocks: The body in reading order, as indices into the document's blocks.
        has_children: True when sub-chapters follow.
    """

    path: tuple[str, ...]
    number: str
    heading: Block | None
    blocks: tuple[int, ...]
    has_children: bool

    @property
    def title(self) -> str:
        """The chapter's own heading line."""
        return self.path[-1] if self.path else ""


def walk_sections(blocks: Sequence[Block]) -> Iterator[Section]:
    """Yield the chapters depth first, which is reading order.

    Headings may skip levels: a heading's parent is the nearest heading before it with a smaller
    level. Running headers and footers never belong to a chapter.
    """
    hierarchy: list[tuple[int, str]] = []
    heading: Block | None = None
    body: list[int] = []
    for index, block in enumerate(blocks):
        if block.kind is BlockKind.SECTION_HEADER:
            deeper = heading is not None and block.level > heading.level
            if heading is not None or body:
                yield _section(hierarchy, heading, body, has_children=deeper)
            hierarchy = [open_ for open_ in hierarchy if open_[0] < block.level]
            hierarchy.append((block.level, " ".join(block.text.split())))
            heading, body = block, []
        elif block.kind not in (BlockKind.PAGE_HEADER, BlockKind.PAGE_FOOTER):
            body.append(index)
    if heading is not None or body:
        yield _section(hierarchy, heading, body, has_children=False)


def _section(
    hierarchy: Sequence[tuple[int, str]],
    heading: Block | None,
    body: Sequence[int],
    *,
    has_children: bool,
) -> Section:
    path = tuple(title for _level, title in hierarchy) if heading is not None else ()
    number = split_heading_number(path[-1])[0] if path else ""
    return Section(path, number, heading, tuple(body), has_children)
