"""The stages of reading a document, and the one place that catches what fails inside of them.

One block never costs a page and one page never costs a document: a step that fails is replaced by
the least that it leaves, which its caller names, and is logged and noted as a `PageFailure`.
Only while a document is read in `noting_failures` is anything caught: called by themselves, as
from a test or with a question, the same functions raise what they always raised.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import ParamSpec, TypeVar

from desktop_qa.core.document import PageFailure
from desktop_qa.core.errors import DesktopQaError

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger(__name__)

_PACKAGE = Path(__file__).parents[1]


class Stage(StrEnum):
    """What a step of reading is about.

    A child says which it is at (OPENING, PAGE, LAYOUT, TABLES, FIGURES, SEGMENTS, KEYWORDS), since
    each has a limit of time; the others are parts of these.
    """

    OPENING = "opening"
    PAGE = "page"
    FRACTIONS = "fractions"
    FURNITURE = "furniture"
    METADATA = "metadata"
    OUTLINE = "outline"
    HEADINGS = "headings"
    TABLES = "tables"
    FIGURES = "figures"
    LAYOUT = "layout"
    PARAGRAPHS = "paragraphs"
    IMAGES = "images"
    MARKDOWN = "markdown"
    SEGMENTS = "segments"
    SEGMENT_TEXT = "segment text"
    TERMS = "terms"
    KEYWORDS = "keywords"


_LEFT = {
    Stage.PAGE: "its words could not be read",
    Stage.FRACTIONS: "its fractions are read line by line",
    Stage.FURNITURE: "running headers and footers may stand in the text",
    Stage.METADATA: "not all that it says of itself was found",
    Stage.OUTLINE: "a bookmark was not found on its page",
    Stage.HEADINGS: "what may be a heading is kept as text",
    Stage.TABLES: "what may be a table is kept as text",
    Stage.FIGURES: "a figure is not shown as one",
    Stage.LAYOUT: "its text is kept without its layout",
    Stage.PARAGRAPHS: "a line is kept as a paragraph of its own",
    Stage.IMAGES: "the image of a figure was not drawn",
    Stage.MARKDOWN: "a block stands as plain text in the Markdown",
    Stage.SEGMENTS: "a part of a chapter is indexed as plain text",
    Stage.SEGMENT_TEXT: "a part of a chapter is not indexed",
    Stage.TERMS: "a segment is not found by its words",
    Stage.KEYWORDS: "a segment is not found by its codes",
}
"""What is left where a step failed, for a person."""

_LOSES_TEXT = frozenset({Stage.PAGE, Stage.SEGMENT_TEXT, Stage.TERMS})


@dataclass(slots=True)
class _Record:
    file: str
    failures: dict[PageFailure, None] = field(default_factory=dict)


_record: ContextVar[_Record | None] = ContextVar("reading", default=None)


@contextmanager
def noting_failures(file: str) -> Iterator[Callable[[], tuple[PageFailure, ...]]]:
    """Catch what fails in the steps of one document, in this thread, until the block ends.

    Yields what tells the failures so far, each page, stage and error once.
    """
    record = _Record(file)
    token = _record.set(record)
    try:
        yield lambda: tuple(record.failures)
    finally:
        _record.reset(token)


def attempt(
    stage: Stage,
    page_no: int,
    instead: T,
    step: Callable[P, T],
    /,
    *arguments: P.args,
    **options: P.kwargs,
) -> T:
    """Return what a step returns; in `noting_failures`, what is left of it when it fails.

    Errors of the user's world, of the disk and of memory concern the whole document and pass.

    Args:
        stage: What fails with it.
        page_no: 1-based; 0 for the document as a whole.
        instead: What is left when the step fails.
        step: Returns a value and changes nothing before it is sure of it; not a generator.
        arguments: Of the step.
        options: Of the step.
    """
    record = _record.get()
    if record is None:
        return step(*arguments, **options)
    try:
        return step(*arguments, **options)
    except (DesktopQaError, OSError, MemoryError):
        raise
    except Exception as error:  # the one place for all stages
        failure = _failure(stage, page_no, error)
        if failure not in record.failures:
            record.failures[failure] = None
            where = f"page {page_no}" if page_no else "the whole"
            logger.warning(
                "%s, %s, %s: %s", record.file, where, stage, failure.error, exc_info=error
            )
        return instead


def completes(
    stage: Stage,
    page_no: int,
    step: Callable[P, object],
    /,
    *arguments: P.args,
    **options: P.kwargs,
) -> bool:
    """Tell whether a step that changes something got through; its caller undoes what it did not.

    Args:
        stage: As in `attempt`, as are the others.
        page_no: 1-based; 0 for the document as a whole.
        step: What it returns is dropped.
        arguments: Of the step.
        options: Of the step.
    """

    def whole() -> bool:
        step(*arguments, **options)
        return True

    return attempt(stage, page_no, False, whole)


def _failure(stage: Stage, page_no: int, error: Exception) -> PageFailure:
    """Note the kind of an error and its place in this package, which is told without the text."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if Path(f.filename).is_relative_to(_PACKAGE)]
    place = own[-1] if own else frames[-1]
    kind = f"{type(error).__name__} in {Path(place.filename).name}:{place.lineno} ({place.name})"
    return PageFailure(
        page_no, _LEFT[stage], has_text=stage not in _LOSES_TEXT, stage=stage.value, error=kind
    )
