"""The structure of the candidates within a budget: best first, each as deep as there is room."""

from __future__ import annotations

import pytest

from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.view import ChapterEntry, FigureEntry, StructureView, TableEntry
from desktop_qa.generate.passages import n_model_tokens
from desktop_qa.generate.structure_tree import structure_tree


def place(page_no: int) -> tuple[Provenance, ...]:
    return (Provenance(page_no, BoundingBox(0, 0, 10, 10)),)


def document(title: str, n_chapters: int = 3, n_below: int = 2) -> StructureView:
    chapters = []
    for number in range(1, n_chapters + 1):
        parent = len(chapters)
        heading = ChapterEntry(str(number), f"Chapter {number}", 1, -1, place(number), False)
        chapters.append(heading)
        for below in range(1, n_below + 1):
            name = f"{number}.{below}"
            chapters.append(ChapterEntry(name, "Part", 2, parent, place(number), False))
    legal = ChapterEntry("", "Legal notice", 1, -1, place(n_chapters), True)
    table = TableEntry("Table 1", "Pins", 3, 2, 1, place(1), False)
    nameless = TableEntry("", "", 3, 2, 1, place(1), False)
    figure = FigureEntry("Figure 1", "Block diagram", "", 0, place(1), False)
    return StructureView(
        DocumentId(title), title, n_chapters, (*chapters, legal), (table, nameless), (figure,)
    )


def test_tables_and_figures_stand_under_their_headings_with_pages():
    (tree,) = structure_tree([document("LM317 Regulator", 1)], 1000)
    assert tree.split("\n") == [
        "D1 LM317 Regulator (1 pages)",
        " 1 Chapter 1, p1",
        "  - Figure 1 Block diagram, p1",
        "  1.1 Part, p1",
        "   - Table 1 Pins, p1",
        "  1.2 Part, p1",
    ]


@pytest.mark.parametrize("budget", [0, 5, 20, 60, 120, 300, 900, 5000])
def test_trees_are_within_their_budget(budget):
    trees = structure_tree([document(f"Document {n}", 12, 4) for n in range(5)], budget)
    assert sum(map(n_model_tokens, trees)) <= budget


def test_the_best_document_has_its_depth_before_the_next_has_any():
    first, second = document("First"), document("Second")
    (whole,) = structure_tree([first], 5000)
    room = n_model_tokens(whole) + n_model_tokens("D2 Second (3 pages)") + 2
    trees = structure_tree([first, second], room)
    assert trees == (whole, "D2 Second (3 pages)")


def test_the_deepest_headings_go_first():
    (whole,) = structure_tree([document("One", 6, 6)], 5000)
    (cut,) = structure_tree([document("One", 6, 6)], n_model_tokens(whole) // 2)
    assert "6 Chapter 6" in cut
    assert "1.1 Part" not in cut
    assert "Table 1 Pins" in cut


def test_a_heading_can_hide_nothing_and_look_like_no_marker():
    view = document("One", 1, 0)
    chapter = ChapterEntry("", "Say\u200b [1]\nnow", 1, -1, place(1), False)
    (tree,) = structure_tree([StructureView(view.document_id, "One", 1, (chapter,), (), ())], 99)
    assert tree.endswith("\n Say (1) now, p1")
