"""The structure of the candidate documents for a prompt: headings, tables and figures by page.

PDFTriage (3.1, 3.2) gives a model the whole tree of its one document. Here there are several, and a
budget: every document that fits has its head, then the best one has its whole tree before the next
one has any. Of a tree that does not fit the deepest headings go first, then tables and figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_qa.core.document import Provenance
from desktop_qa.core.view import StructureView
from desktop_qa.generate.passages import n_model_tokens, shown_line

_MAX_NAME = 90
"""Characters of a heading or caption; some captions are paragraphs."""


def structure_tree(documents: Sequence[StructureView], budget: int) -> tuple[str, ...]:
    """Return a tree for each document, best first; those behind the budget have none.

    Args:
        documents: The candidates, best first.
        budget: Tokens of a model for all trees together.
    """
    trees: list[str] = []
    for number, document in enumerate(documents, start=1):
        head = document_head(number, document)
        cost = n_model_tokens(head)
        if cost > budget:
            break
        budget -= cost
        trees.append(head)
    for index, head in enumerate(trees):
        for body in _bodies(documents[index]):
            cost = n_model_tokens(body)
            if cost <= budget:
                budget -= cost
                trees[index] = f"{head}\n{body}" if body else head
                break
    return tuple(trees)


def document_head(number: int, document: StructureView) -> str:
    """Return the line that names a document of the tree."""
    return f"D{number} {_short(document.title)} ({document.n_pages} pages)"


def _bodies(document: StructureView) -> Iterator[str]:
    """Yield a tree, the whole one first, then ever smaller ones; the last one is empty."""
    deepest = max((chapter.level for chapter in document.chapters), default=1)
    for level in range(deepest, 0, -1):
        yield "\n".join(_lines(document, level, with_elements=True))
    yield "\n".join(_lines(document, 1, with_elements=False))
    yield ""


def _lines(document: StructureView, deepest: int, *, with_elements: bool) -> Iterator[str]:
    """Yield a line for each heading, with the tables and figures behind the one they stand under.

    What stands under a heading that is left out stands under the last one that is not.
    """
    below: dict[int, list[str]] = {}
    if with_elements:
        for noun, elements in (("Table", document.tables), ("Figure", document.figures)):
            for element in elements:
                name = _short(f"{element.label or noun} {element.caption}")
                # Without a label or a caption there is nothing to ask for it by.
                if not element.boilerplate and name != noun:
                    page = _page(element.places)
                    below.setdefault(element.chapter, []).append(f"{name}{page}")
    yield from (f"- {name}" for name in below.get(-1, ()))
    for index, chapter in enumerate(document.chapters):
        indent = " " * min(chapter.level, deepest)
        if chapter.level <= deepest and not chapter.boilerplate:
            title = _short(f"{chapter.number} {chapter.title}")
            yield f"{indent}{title}{_page(chapter.places)}"
        yield from (f"{indent} - {name}" for name in below.get(index, ()))


def _page(places: Sequence[Provenance]) -> str:
    return f", p{places[0].page_no}" if places else ""


def _short(text: str) -> str:
    line = shown_line(text)
    return line if len(line) <= _MAX_NAME else f"{line[: _MAX_NAME - 1].rstrip()}…"
