"""How many headings of strangers' sheets are found, against headings written from the page images.

`python -m tests.benchmarks.count_headings WIDE --half sealed`

Gold is tests/real/fresh-headings.jsonl: headings of pages, and lines that may count as one. A
heading that names a table or figure counts as found in its title. Repeated ones ("... (continued)")
are headings in the gold and are left out by the program.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from desktop_qa.core.document import BlockKind, DocumentId
from desktop_qa.parse.document import read_document

GOLD = Path(__file__).parents[1] / "real" / "fresh-headings.jsonl"
_LEAST_OF_PREFIX = 12
"""Letters; a heading may go on with its conditions."""


def main() -> None:
    """Print recall and precision, with `-v` each that is missed or wrong."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--half", choices=["open", "sealed"], default="open")
    options.add_argument("-v", "--verbose", action="store_true")
    chosen = options.parse_args()
    pages: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in GOLD.read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        if page["half"] == chosen.half:
            pages[page["file"]].append(page)
    n_found = n_gold = n_right = n_said = 0
    for file, of_file in sorted(pages.items()):
        said, titles, title = _read(chosen.folder / file)
        for page in of_file:
            found, also = said[page["page"]], [*titles[page["page"]], title]
            missed = [h for h in page["headings"] if not _is_among(h, [*found, *also])]
            extra = [h for h in found if not _is_among(h, [*page.get("maybe", ()), title])]
            wrong = [h for h in extra if not _is_among(h, page["headings"])]
            n_gold += len(page["headings"])
            n_found += len(page["headings"]) - len(missed)
            n_said += len(extra)
            n_right += len(extra) - len(wrong)
            if chosen.verbose:
                for mark, texts in (("missed", missed), ("wrong", wrong)):
                    for text in texts:
                        print(file, page["page"], mark, text)
    print(f"found {n_found} of {n_gold} ({n_found / max(n_gold, 1):.3f})")
    print(f"right {n_right} of {n_said} ({n_right / max(n_said, 1):.3f})")


def _read(path: Path) -> tuple[dict[int, list[str]], dict[int, list[str]], str]:
    """Return the headings and the titles of tables and figures by page, and the document's title.

    The file's name does not help.
    """
    read = read_document(path, DocumentId("0"), ("sheet.pdf",), None, lambda _page, _n: None)
    document = read.document
    said: dict[int, list[str]] = defaultdict(list)
    titles: dict[int, list[str]] = defaultdict(list)
    for block in document.blocks:
        if block.kind is BlockKind.SECTION_HEADER and block.provenances:
            said[block.provenances[0].page_no].append(block.text)
    for item in (*document.tables, *document.figures):
        titles[item.provenances[0].page_no].append(item.caption)
    return said, titles, document.title


def _is_among(text: str, others: list[str]) -> bool:
    return any(_is_alike(_folded(text), _folded(other)) for other in others)


def _folded(text: str) -> str:
    return re.sub(r"[^\w]|_", "", text.casefold())


def _is_alike(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return bool(shorter) and (
        shorter == longer
        or (longer.startswith(shorter) and len(shorter) >= min(_LEAST_OF_PREFIX, len(longer) / 2))
    )


if __name__ == "__main__":
    main()
