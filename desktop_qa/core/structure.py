"""The structure of a document: its chapter tree, its tables and its figures, with their places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop_qa.core.document import Block, BlockKind, Document, Figure, Table, split_heading_number
from desktop_qa.core.view import ChapterEntry, FigureEntry, StructureView, TableEntry


def chapter_tree(blocks: Sequence[Block]) -> tuple[ChapterEntry, ...]:
    """Return the headings in reading order, each with the one it stands under."""
    open_levels: list[tuple[int, int]] = []
    chapters: list[ChapterEntry] = []
    for block in blocks:
        if block.kind is not BlockKind.SECTION_HEADER:
            continue
        while open_levels and open_levels[-1][0] >= block.level:
            open_levels.pop()
        parent = open_levels[-1][1] if open_levels else -1
        open_levels.append((block.level, len(chapters)))
        number, title = split_heading_number(block.text)
        places = block.provenances
        chapters.append(ChapterEntry(number, title, block.level, parent, places, block.boilerplate))
    return tuple(chapters)


_Standing = tuple[int, bool]
"""The chapter that an element stands in, -1 for none, and whether that is boilerplate."""

_NOWHERE: _Standing = (-1, False)


def structure_view(document: Document, library_folder: Path) -> StructureView:
    """Return the structure of a document; image paths of figures are relative to the folder."""
    tables: dict[int, _Standing] = {}
    figures: dict[int, _Standing] = {}
    chapter = -1
    for block in document.blocks:
        chapter += block.kind is BlockKind.SECTION_HEADER
        if block.element_index is not None:
            standing = tables if block.kind is BlockKind.TABLE else figures
            standing.setdefault(block.element_index, (chapter, block.boilerplate))
    return StructureView(
        document.id,
        document.title,
        len(document.page_sizes),
        chapter_tree(document.blocks),
        tuple(
            _table_entry(table, *tables.get(index, _NOWHERE))
            for index, table in enumerate(document.tables)
        ),
        tuple(
            _figure_entry(figure, library_folder, *figures.get(index, _NOWHERE))
            for index, figure in enumerate(document.figures)
        ),
    )


def _table_entry(table: Table, chapter: int, boilerplate: bool) -> TableEntry:
    caption = bare_caption(table.label, table.caption)
    size = (table.n_rows, table.n_columns)
    return TableEntry(table.label, caption, *size, chapter, table.provenances, boilerplate)


def _figure_entry(
    figure: Figure, library_folder: Path, chapter: int, boilerplate: bool
) -> FigureEntry:
    caption = bare_caption(figure.label, figure.caption)
    image = str(library_folder / figure.image_path) if figure.image_path else ""
    return FigureEntry(figure.label, caption, image, chapter, figure.provenances, boilerplate)


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
