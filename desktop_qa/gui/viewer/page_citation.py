"""A passage of a document with where it stands, as it is quoted in a report. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import StructureView


def section_path(view: StructureView, page_no: int, top: float) -> tuple[str, ...]:
    """Return the headings that a height on a page stands under, from the outermost in.

    Args:
        view: The structure of the document.
        page_no: 1-based.
        top: Points from the top of the page.
    """
    placed = [
        (chapter.places[0].page_no, chapter.places[0].bbox.top, index)
        for index, chapter in enumerate(view.chapters)
        if chapter.places
    ]
    # A heading's own line counts as its chapter.
    before = [one for one in placed if one[:2] <= (page_no, top + 1.0)]
    if not before:
        return ()
    index = max(before)[2]
    path: list[str] = []
    while index >= 0:
        chapter = view.chapters[index]
        path.append(f"{chapter.number} {chapter.title}".strip())
        index = chapter.parent
    return tuple(reversed(path))


def cited(
    text: str,
    path: Path,
    page_label: str,
    status: DocumentStatus | None = None,
    sections: Sequence[str] = (),
) -> str:
    """Return a passage in quotation marks and, below it, its document, page and section.

    Args:
        text: The passage.
        path: Of the file.
        page_label: What the page is called.
        status: The document in the library; None when it is not part of it.
        sections: Headings from the outermost in.
    """
    names = [path.stem]
    if status is not None:
        parts = ", ".join(status.part_numbers[:2])
        title = status.title or path.stem
        names = [title if not parts or parts in title else f"{parts}: {title}"]
        if status.revision:
            names.append(f"rev. {status.revision}")
    names.append(f"p. {page_label}")
    if sections:
        names.append(" › ".join(sections))
    return f"“{text.strip()}”\n— {', '.join(names)}"
