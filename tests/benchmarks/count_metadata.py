"""How many documents tell their parts, maker, title and date when their names do not help.

`python -m tests.benchmarks.count_metadata FOLDER [FOLDER ...]`

Each PDF is read under the name of its hash, its words only. Printed by decade (of the file's own
creation date) are the shares with a part number, a maker, a title and a date. Scans, which are
pages without words, are left out, and application notes (`appnotes__*`) stand apart. `--half odd`
takes the documents whose hash is odd: the half on which nothing was developed. `--named` counts,
for files named MAKER_PART.pdf, how often a part of the name is among those read.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.parse.furniture import find_furniture
from desktop_qa.parse.lines import group_fragments, join_scripts
from desktop_qa.parse.metadata import Metadata, read_metadata
from desktop_qa.parse.page import PageContent
from desktop_qa.parse.pdf import PAGE_ERRORS, PdfFile
from desktop_qa.parse.vendor import PageTexts, edge_lines
from desktop_qa.parse.wordmark import read_wordmarks

_LEAST_LETTERS = 40
"""A page of a scan has fewer."""


@dataclass(frozen=True)
class Row:
    """What one file told; `metadata` is None for a scan and for what cannot be read."""

    file: str
    is_odd: bool
    decade: str = "unknown"
    metadata: Metadata | None = None


def read_one(file: Path) -> Row:
    """Read the words of a file and what they say about it."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    row = Row(file.name, bool(int(digest[:8], 16) % 2))
    try:
        with PdfFile(file) as pdf:
            made = re.search(r"(?:19|20)\d", pdf.metadata.get("creationDate", ""))
            pages = [page for n in range(1, pdf.n_pages + 1) if (page := words_of(pdf, n))]
            metadata = metadata_of(pdf, pages, f"{digest[:16]}.pdf") if has_words(pages) else None
    except UnreadableDocumentError:
        return row
    return Row(row.file, row.is_odd, f"{made[0]}0s" if made else "unknown", metadata)


def has_words(pages: Sequence[PageContent]) -> bool:
    n_letters = sum(len(word.text) for page in pages for word in page.words)
    return n_letters >= _LEAST_LETTERS * (len(pages) + 2)


def words_of(pdf: PdfFile, page_no: int) -> PageContent | None:
    try:
        return pdf.upright_page(page_no, words_only=True)
    except PAGE_ERRORS:
        return None


def metadata_of(pdf: PdfFile, pages: Sequence[PageContent], name: str) -> Metadata:
    """Read what pages say about their document, as the reading of documents does."""
    fragments = [group_fragments(join_scripts(page.words)) for page in pages]
    texts = []
    for page, lines, numbers in zip(
        pages, fragments, find_furniture(pages, fragments), strict=True
    ):
        aside = [line for line in lines if line.words[0].line_no in numbers]
        edge = edge_lines(page, lines, aside)
        texts.append(PageTexts(tuple(ln.text for ln in lines), tuple(ln.text for ln in edge)))
    first = pages[0]
    logos = partial(read_wordmarks, pdf, first.page_no, [word.bbox for word in first.words])
    return read_metadata(fragments[:3], first.height, texts, pdf.metadata, [name], logos)


def names_part(row: Row) -> bool:
    """Tell whether a part of the file's name is among the parts read."""
    parts = [_folded(part) for part in row.metadata.part_numbers] if row.metadata else []
    names = re.split(r"[-_]+", Path(row.file).stem.partition("_")[2])
    wanted = [_folded(name) for name in names if re.search(r"\d", name)]
    return any(name in part or part in name for name in wanted for part in parts)


def _folded(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.casefold())


def report(name: str, rows: Sequence[Row], *, named: bool) -> None:
    """Print the shares of one kind of document, by decade and together."""
    by_decade: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_decade[row.decade].append(row)
        by_decade["all"].append(row)
    for decade, of in sorted(by_decade.items(), key=lambda item: (item[0] == "all", item[0])):
        told = [row.metadata for row in of if row.metadata]
        shares = [
            ("part", sum(bool(m.part_numbers) for m in told)),
            ("maker", sum(bool(m.vendor) for m in told)),
            ("title", sum(bool(m.title) for m in told)),
            ("date", sum(bool(m.date) for m in told)),
        ]
        if named:
            shares.append(("part of the name", sum(map(names_part, of))))
        told_shares = ", ".join(f"{what} {n / len(of):.3f}" for what, n in shares)
        print(f"{name}, {decade}: {len(of)} documents, {told_shares}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    arguments.add_argument("--half", choices=("odd", "even"), help="of the hashes")
    arguments.add_argument("--named", action="store_true", help="compare with the files' names")
    arguments.add_argument("--verbose", action="store_true", help="print each document")
    options = arguments.parse_args()
    files = [file for folder in options.folders for file in sorted(folder.rglob("*.[pP][dD][fF]"))]
    with ProcessPoolExecutor(2) as children:
        rows = list(children.map(read_one, files, chunksize=4))
    if options.half:
        rows = [row for row in rows if row.is_odd == (options.half == "odd")]
    read = [row for row in rows if row.metadata]
    print(f"{len(rows)} documents, {len(rows) - len(read)} without words or not read")
    notes = [row for row in read if row.file.startswith("appnotes__")]
    report("sheets", [row for row in read if row not in notes], named=options.named)
    if notes:
        report("application notes", notes, named=False)
    if options.verbose:
        for row in read:
            print(row.file, *(f"| {value}" for value in told_by(row)))


def told_by(row: Row) -> tuple[str, ...]:
    m = row.metadata
    return (m.vendor, ",".join(m.part_numbers), m.title, m.date) if m else ()


if __name__ == "__main__":
    main()
