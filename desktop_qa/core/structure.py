"""The structure of a document: its chapter tree, its tables and its figures, with their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_qa.core.document import Block, BlockKind, Document, split_heading_number
from desktop_qa.core.view import ChapterEntry, FigureEntry, StructureView, TableEntry


def chapter_tree(blocks: Sequence[Block]) -> tuple[ChapterEntry, ...]:
    """Return the headings in reading order, each with the one it stands under."""
    return tuple(chapter for _, chapter in _chapters(blocks))


def _chapters(blocks: Sequence[Block]) -> Iterator[tuple[int, ChapterEntry]]:
    """Yield each heading with the index of its block."""
    open_levels: list[tuple[int, int]] = []
    n_chapters = 0
    for index, block in enumerate(blocks):
        if block.kind is not BlockKind.SECTION_HEADER:
            continue
        while open_levels and open_levels[-1][0] >= block.level:
            open_levels.pop()
        parent = open_levels[-1][1] if open_levels else -1
        number, title = split_heading_number(block.text)
        places = block.provenances
        yield (
            index,
            ChapterEntry(number, title, block.level, parent, places, block.boilerplate),
        )
        open_levels.append((block.level, n_chapters))
        n_chapters += 1


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an element stands in the reading order."""

    chapter: int
    boilerplate: bool


_NOWHERE = _Place(-1, False)


def structure_view(document: Document, library_folder: Path) -> StructureView:
    """Return the structure of a document; image paths of figures are relative to the folder."""
    chapters = dict(_chapters(document.blocks))
    tables: dict[int, _Place] = {}
    figures: dict[int, _Place] = {}
    n_passed = 0
    for index, block in enumerate(document.blocks):
        n_passed += index in chapters
        if block.element_index is None:
            continue
        places = tables if block.kind is BlockKind.TABLE else figures
        places.setdefault(block.element_index, _Place(n_passed - 1, block.boilerplate))
    return StructureView(
        document.id,
        document.title,
        len(document.page_sizes),
        tuple(chapters.values()),
        _table_entries(document, tables),
        _figure_entries(document, figures, library_folder),
    )


def _table_entries(document: Document, places: dict[int, _Place]) -> tuple[TableEntry, ...]:
    entries = []
    for index, table in enumerate(document.tables):
        place = places.get(index, _NOWHERE)
        entries.append(
            TableEntry(
                table.label,
                bare_caption(table.label, table.caption),
                table.n_rows,
                table.n_columns,
                place.chapter,
                table.provenances,
                place.boilerplate,
            )
        )
    return tuple(entries)


def _figure_entries(
    document: Document, places: dict[int, _Place], library_folder: Path
) -> tuple[FigureEntry, ...]:
    entries = []
    for index, figure in enumerate(document.figures):
        place = places.get(index, _NOWHERE)
        entries.append(
            FigureEntry(
                figure.label,
                bare_caption(figure.label, figure.caption),
                str(library_folder / figure.image_path) if figure.image_path else "",
                place.chapter,
                figure.provenances,
                place.boilerplate,
            )
        )
    return tuple(entries)


def bare_caption(label: str, caption: str) -> str:
    """Return a caption without the label that many repeat: "Table 1. Pins" is "Pins"."""
    if label and caption.casefold().startswith(label.casefold()):
        return caption[len(label) :].lstrip(" .:–—-")
    return caption


def same_heading(chapters: Sequence[ChapterEntry], path: Sequence[str]) -> ChapterEntry | None:
    """Return the heading that a path of headings, outermost first, ends with; `None` without."""
    wanted = [_folded(heading) for heading in path]
    if not wanted:
        return None
    found = None
    for index, chapter in enumerate(chapters):
        if _folded(f"{chapter.number} {chapter.title}") != wanted[-1]:
            continue
        found = found or chapter
        if list(map(_folded, path_to(chapters, index))) == wanted:
            return chapter
    return found


def path_to(chapters: Sequence[ChapterEntry], index: int) -> tuple[str, ...]:
    """Return the headings down to that of an index, from the outermost in; none for -1."""
    path: list[str] = []
    while index >= 0:
        path.insert(0, f"{chapters[index].number} {chapters[index].title}".strip())
        index = chapters[index].parent
    return tuple(path)


def _folded(heading: str) -> str:
    return "".join(character for character in heading.casefold() if character.isalnum())
