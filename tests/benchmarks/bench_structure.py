"""Structure and speed beside pymupdf4llm: `python -m tests.benchmarks.bench_structure FOLDER`.

Both read the same files in the same run, ours with two processes, pymupdf4llm with the one that
uses both cores. Where pymupdf4llm gives less than is asked for, it is judged mildly: any table of
the page serves a table's caption, any picture of the page that did not swallow it a figure's.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from desktop_qa.core.document import (
    Block,
    BlockKind,
    BoundingBox,
    Document,
    DocumentId,
    Provenance,
    Table,
    TableCell,
)
from desktop_qa.evaluate.structure.captions import CaptionCounts, standing_captions
from desktop_qa.evaluate.structure.count import Count
from desktop_qa.evaluate.structure.gold_tables import (
    GoldTable,
    compare_tables,
    read_gold_tables,
)
from desktop_qa.evaluate.structure.headings import (
    HeadingCounts,
    HeadingEntry,
    compare_headings,
    outlined_headings,
)
from desktop_qa.evaluate.structure.runner import (
    FileStructure,
    evaluate_structure,
    format_structure_report,
    structure_report,
)
from desktop_qa.evaluate.structure.words import compare_words, find_running_lines
from desktop_qa.parse.plain import PlainPdf, read_plain
from tests.helpers import command_line

_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_MARKS = re.compile(r"[*_`~]|<[^>]+>|\\(?=\W)")
_PICTURE = re.compile(r"<!-- Start of picture text -->.*?<!-- End of picture text -->", re.DOTALL)
_NO_PLACE = BoundingBox(0, 0, 0, 0)


def read_with_pymupdf4llm(paths: Sequence[Path]) -> tuple[dict[Path, list[str]], float]:
    """Return the text of each page by file, and the seconds that reading took."""
    texts: dict[Path, list[str]] = {}
    seconds = 0.0
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.pymupdf4llm_pages", *map(str, paths)],
        env=command_line.environment(),
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    for line in process.stdout:
        if not line.startswith("{"):
            continue
        read = json.loads(line)
        texts[Path(read["path"])] = read["texts"]
        seconds += read["seconds"]
    if process.wait() != 0:
        raise SystemExit("pymupdf4llm failed; the figures above are incomplete.")
    return texts, seconds


def measure_chunks(
    file: str, texts: Sequence[str], plain: PlainPdf, gold: Sequence[GoldTable]
) -> FileStructure:
    """Measure the Markdown of each page as `evaluate-structure` measures a document."""
    found = [
        HeadingEntry(_bare(match[2]), len(match[1]), page_no)
        for page_no, text in enumerate(texts, start=1)
        for line in text.splitlines()
        if (match := _HEADING.match(line)) and _bare(match[2])
    ]
    wanted = outlined_headings(plain.outline)
    headings = compare_headings(wanted, found)[0] if wanted else HeadingCounts()
    tables = [table for n, text in enumerate(texts, start=1) for table in _tables(text, n)]
    beside_pictures = {
        n: _bare(_PICTURE.sub(" ", text)).casefold()
        for n, text in enumerate(texts, start=1)
        if _PICTURE.search(text)
    }
    whole = "\n".join(_bare(re.sub(r"<!--.*?-->|\|", " ", text)) for text in texts)
    running = find_running_lines(plain.pages)
    words = compare_words(plain.pages, running, _document(_block(whole)))[0]
    return FileStructure(
        file=file,
        n_pages=len(texts),
        headings=headings,
        captions=_captions(plain, tables, beside_pictures),
        cells=compare_tables(gold, tables)[0],
        words=words,
    )


def _captions(
    plain: PlainPdf, tables: Sequence[Table], beside_pictures: Mapping[int, str]
) -> CaptionCounts:
    sizes = {table.provenances[0].page_no for table in tables if table.n_rows > 1 < table.n_columns}
    counts = CaptionCounts()
    unique = {(c.is_table, c.number, c.page_no): c.text for c in standing_captions(plain.pages)}
    for (is_table, _number, page_no), text in sorted(unique.items()):
        if is_table:
            good = Count(int(page_no in sizes), 1)
            counts += CaptionCounts(tables=good, tables_of_any_size=good)
        else:
            stands = text[:12].casefold() in beside_pictures.get(page_no, "")
            good = Count(int(stands), 1)
            counts += CaptionCounts(figures=good, figures_on_half_page=good)
    return counts


def _tables(text: str, page_no: int) -> Iterator[Table]:
    rows: list[list[str]] = []
    for line in [*text.splitlines(), ""]:
        if line.lstrip().startswith("|"):
            rows.append([_bare(part) for part in line.strip().strip("|").split("|")])
            continue
        if len(rows) > 1:
            yield _table(rows, page_no)
        rows = []


def _table(rows: Sequence[Sequence[str]], page_no: int) -> Table:
    is_rule = [all(set(part.strip()) <= set("-: ") for part in row) for row in rows]
    n_header = is_rule.index(True) if True in is_rule else 1
    body = [row for row, rule in zip(rows, is_rule, strict=True) if not rule]
    place = Provenance(page_no, _NO_PLACE)
    cells = tuple(
        TableCell(i, k, 1, 1, text, i < n_header, (place,))
        for i, row in enumerate(body)
        for k, text in enumerate(row)
    )
    n_columns = max(len(row) for row in body) if body else 0
    return Table("", "", "", len(body), n_columns, cells, (), (place,))


def _bare(text: str) -> str:
    return _MARKS.sub("", text.replace("<br>", " ")).strip()


def _block(text: str) -> Block:
    return Block(BlockKind.TEXT, text, 0, (Provenance(1, _NO_PLACE),))


def _document(block: Block) -> Document:
    return Document(DocumentId(""), (), "", "", (), "", (), (), (block,), (), (), "", (), "")


def main() -> None:
    """Read the files with both and print both reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tables", type=Path, help="JSONL of gold cells")
    options = parser.parse_args()
    gold = read_gold_tables(options.tables) if options.tables else []
    paths = sorted(options.folder.rglob("*.pdf"))

    started = time.perf_counter()
    ours = evaluate_structure(options.folder, gold, _ignore, measure=False)
    own_seconds = time.perf_counter() - started
    n_pages = sum(file.n_pages for file in ours)

    texts_of, other_seconds = read_with_pymupdf4llm(paths)
    n_other = sum(map(len, texts_of.values()))

    theirs = []
    for path, texts in texts_of.items():
        file = path.relative_to(options.folder).as_posix()
        own_gold = [table for table in gold if table.file == file]
        theirs.append(measure_chunks(file, texts, read_plain(path), own_gold))
    ours = evaluate_structure(options.folder, gold, _ignore)
    reports = {
        "desktop-qa": structure_report(ours),
        "pymupdf4llm": structure_report([replace(file, read_seconds=0.0) for file in theirs]),
        "pages_per_second": {
            "desktop-qa, two processes": round(n_pages / own_seconds, 2),
            "pymupdf4llm": round(n_other / other_seconds, 2),
            "ratio": round((n_pages / own_seconds) / (n_other / other_seconds), 2),
        },
    }
    for name in ("desktop-qa", "pymupdf4llm"):
        print(f"{name}\n{format_structure_report(reports[name])}\n")
    print(json.dumps(reports["pages_per_second"], indent=1))


def _ignore(_number: int, _n_files: int) -> None:
    pass


if __name__ == "__main__":
    main()
