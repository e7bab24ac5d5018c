"""Show how hard pages are read: `python packaging/make_hard_pages.py docs`.

Draws ten pages of invented datasheets, reads them with the program, and writes `hard-pages.md` and
the images in `hard-pages/`. What pymupdf4llm makes of the same pages is put beside it, so
pymupdf4llm 2.0 and pymupdf_layout 2.0 are needed for this, and for nothing else.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

# The sources are no part of the package, and a checkout need not be installed.
_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parent
sys.path[:0] = [str(_HERE), str(_ROOT)]

from hard_pages.overlay import boxes_of, draw_legend, draw_page, shrink  # noqa: E402
from hard_pages.page_markdown import figure_markup, page_markdown  # noqa: E402
from hard_pages.pages import DOCUMENTS, PAGES, HardPage  # noqa: E402
from PIL import Image  # noqa: E402

from desktop_qa.core.document import DocumentId, Figure, ParseResult  # noqa: E402
from desktop_qa.parse.document import read_document  # noqa: E402

_FOLDER = "hard-pages"
_FIGURE_WIDTH = 240
_PAGE_WIDTH = 420
"""Both in pixels of the browser."""

_HOLD_OPEN = "&nbsp;" * 96
"""GitHub shrinks an image to nothing beside a wide table, but never a line that cannot break."""

_INTRODUCTION = """# Hard pages

Ten pages that do what real datasheets do, and what Desktop QA makes of them. Nothing here is
anybody's document: the pages are drawn by [code](../packaging/hard_pages), their parts are
invented, and each trick on them was taken from datasheets in use. The files have no bookmarks and
no tags: headings, order and tables are found by how the page looks.

Left: the page as drawn, with what was found as thin rectangles. Numbers count the blocks in reading
order; "..." marks one that began on the page before. Right: the Markdown that was read, rendered by
what shows you this file; wide tables scroll. Below: what is hard, what pymupdf4llm 2.0 with its
layout model and no OCR makes of the same file (folded, all of it), and what Desktop QA still gets
wrong.
`python packaging/make_hard_pages.py docs` draws all this anew, and
[a test](../tests/parse/test_hard_pages.py) holds the reader to it.

<img src="hard-pages/legend.png" width="640" alt="Legend of the colours">
"""


def main() -> None:
    """Draw, read and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path, help="folder of the docs")
    target: Path = parser.parse_args().target
    images = target / _FOLDER
    images.mkdir(parents=True, exist_ok=True)
    for old in images.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{name}.pdf" for name in DOCUMENTS}
        for name, draw in DOCUMENTS.items():
            draw(files[name])
        others = _read_by_pymupdf4llm(list(files.values()))
        results = {name: _read(path, images) for name, path in files.items()}
        for page in PAGES:
            boxes = boxes_of(results[page.document], page.page_no)
            draw_page(files[page.document], page.page_no, boxes, images / f"{page.name}.png")
        sections = [
            _section(number, page, results[page.document], others)
            for number, page in enumerate(PAGES, start=1)
        ]
    draw_legend(images / "legend.png")
    text = "\n".join([_INTRODUCTION, *sections])
    (target / f"{_FOLDER}.md").write_text(text, encoding="utf-8")


def _read(path: Path, images: Path) -> ParseResult:
    """Read a document; its figures' images get its name and few colours."""
    with tempfile.TemporaryDirectory() as folder:
        result = read_document(
            path, DocumentId(path.stem), (path.name,), Path(folder), lambda _page, _of: None
        )
        for image in sorted(Path(folder).glob("*.png")):
            with Image.open(image) as drawn:
                shrink(drawn.convert("RGB")).save(images / _image_name(path.stem, image.name))
    return result


def _image_name(document: str, image: str) -> str:
    return f"{document}-figure-{image}"


def _read_by_pymupdf4llm(files: list[Path]) -> dict[tuple[str, int], str]:
    """Return the text of each page by document and page number."""
    command = [sys.executable, "-m", "tests.benchmarks.pymupdf4llm_pages", *map(str, files)]
    printed = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True).stdout
    texts = {}
    for line in printed.splitlines():
        if line.startswith("{"):
            read = json.loads(line)
            for page_no, text in enumerate(read["texts"], start=1):
                texts[Path(read["path"]).stem, page_no] = text
    return texts


def _section(
    number: int, page: HardPage, result: ParseResult, others: Mapping[tuple[str, int], str]
) -> str:
    def markup(figure: Figure) -> str:
        name = _image_name(page.document, figure.image_path.rsplit("/", 1)[-1])
        return figure_markup(figure, f"{_FOLDER}/{name}", _FIGURE_WIDTH)

    other = others[page.document, page.page_no]
    if missing := [part for part in page.seen if part not in other]:
        msg = f"What is said of pymupdf4llm on {page.name} is not so: {missing} is not there."
        raise ValueError(msg)
    other = "\n".join(line.rstrip() for line in other.splitlines())
    wrong = f" **Still wrong:** {page.wrong}" if page.wrong else ""
    return f"""## {number}. {page.title}

<table><tr><td valign="top">

<img src="{_FOLDER}/{page.name}.png" width="{_PAGE_WIDTH}" alt="{page.title}, with what was found">

{_HOLD_OPEN}

</td><td valign="top">

{page_markdown(result, page.page_no, markup)}

</td></tr></table>

**Hard here:** {page.hard} **Elsewhere:** pymupdf4llm {page.elsewhere}{wrong}

<details><summary>The Markdown of pymupdf4llm</summary>

````markdown
{other.strip()}
````

</details>
"""


if __name__ == "__main__":
    main()
