"""What reading loses of a folder: `python -m tests.benchmarks.bench_wide FOLDER [FOLDER ...]`.

Every PDF is read as an ingest reads it, in reading children, up to its segments and keys; nothing
is embedded or stored. Printed are documents, pages, what was lost, what was caught by stage and
kind of error, pages a second, and how many documents have a title, a vendor, a part number, a
table. `--json` keeps a row for each document, with a digest of all that was read from it, and
`--before` compares with such a file: what was lost then and is read now, and whose digests differ.
`--busy` has as many processes of normal priority burn all the time they can get meanwhile; with
`--cores` all of it is bound to the first cores, so that a larger machine shows the same.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import logging
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.library.reader import ReadDocument, ReadingChild, ReadJob


@dataclass(frozen=True)
class Row:
    """What became of one file.

    Attributes:
        error: Why the document is lost; empty for one that was read.
        lost: Pages without text that should have some, with the reason.
        light: Pages of which only the words were read, with the reason.
        caught: Steps that failed: page (0 for the whole document), stage, error with its place.
        digest: Of blocks, tables, figures, segments and keys.
        in_limit: True when a step or a page was left out because it took too much.
    """

    file: str
    seconds: float
    error: str = ""
    n_pages: int = 0
    lost: tuple[tuple[int, str], ...] = ()
    light: tuple[tuple[int, str], ...] = ()
    caught: tuple[tuple[int, str, str], ...] = ()
    title: str = ""
    vendor: str = ""
    n_part_numbers: int = 0
    n_tables: int = 0
    n_figures: int = 0
    n_segments: int = 0
    digest: str = ""
    in_limit: bool = False


@contextlib.contextmanager
def busy(n_processes: int) -> Iterator[None]:
    """Have processes of normal priority burn all the time that they can get."""
    burn = [sys.executable, "-c", "while True: pass"]
    burners = [subprocess.Popen(burn) for _ in range(n_processes)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def pdfs_of(folders: Iterable[Path], match: str, every: int) -> list[Path]:
    """Return the files to read, a folder's in the order of their names."""
    found = [file for folder in folders for file in sorted(folder.rglob(match))]
    return [file for file in found if file.suffix.lower() == ".pdf" and file.is_file()][::every]


def read_all(files: Sequence[Path], n_children: int) -> list[Row]:
    """Read files in children side by side; rows in the order of the files."""
    jobs: queue.SimpleQueue[tuple[int, Path]] = queue.SimpleQueue()
    for job in enumerate(files):
        jobs.put(job)
    rows: dict[int, Row] = {}

    def work(folder: Path) -> None:
        child = ReadingChild()
        try:
            while True:
                try:
                    index, file = jobs.get_nowait()
                except queue.Empty:
                    return
                row = rows[index] = read_one(child, file, folder / f"{index}")
                if row.error or row.lost or row.caught or len(rows) % 25 == 0:
                    tell(row, len(rows), len(files))
        finally:
            child.kill()

    with tempfile.TemporaryDirectory() as folder:
        threads = [threading.Thread(target=work, args=(Path(folder),)) for _ in range(n_children)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return [rows[index] for index in sorted(rows)]


def tell(row: Row, n_read: int, n_files: int) -> None:
    """Say at once what was lost: a long run may be stopped."""
    problems = [row.error, *(f"page {n}: {why}" for n, why in row.lost)]
    problems += [f"page {n}, {stage}: {error}" for n, stage, error in row.caught]
    told = "; ".join(filter(None, problems))
    print(f"{n_read} of {n_files}: {row.file} {told}", file=sys.stderr, flush=True)


def read_one(child: ReadingChild, file: Path, figures: Path) -> Row:
    """Read a file as an ingest does, its figures drawn."""
    document_id = DocumentId(hashlib.sha256(file.read_bytes()).hexdigest()[:16])
    job = ReadJob(file, document_id, (file.name,), figures)
    started = time.perf_counter()
    try:
        read = child.read(job, lambda *_: None, is_paused=_never, is_cancelled=_never)
    except UnreadableDocumentError as error:
        return Row(file.name, time.perf_counter() - started, error.message)
    return row_of(file, read, time.perf_counter() - started)


def row_of(file: Path, read: ReadDocument, seconds: float) -> Row:
    document = read.result.document
    pages = [failure for failure in document.page_failures if not failure.stage]
    told = repr((document.blocks, document.tables, document.figures, document.title, read.segments))
    return Row(
        file.name,
        seconds,
        n_pages=len(document.page_sizes),
        lost=tuple((f.page_no, f.reason) for f in pages if not f.has_text),
        light=tuple((f.page_no, f.reason) for f in pages if f.has_text),
        caught=tuple((f.page_no, f.stage, f.error) for f in document.page_failures if f.stage),
        title=document.title,
        vendor=document.vendor,
        n_part_numbers=len(document.part_numbers),
        n_tables=len(document.tables),
        n_figures=len(document.figures),
        n_segments=len(read.segments),
        digest=hashlib.sha256(told.encode(errors="surrogatepass")).hexdigest()[:16],
        in_limit=read.ran_into_limit,
    )


def _never() -> bool:
    return False


def report(rows: Sequence[Row], seconds: float) -> None:
    """Print the sums, and each loss by its name."""
    read = [row for row in rows if not row.error]
    n_pages = sum(row.n_pages for row in read)
    n_caught = sum(len(row.caught) for row in read)
    print(f"{len(rows)} documents: {len(read)} read, {len(rows) - len(read)} lost")
    print(f"{n_pages} pages in {seconds:.0f} s: {n_pages / seconds:.1f} pages/s")
    print(
        f"pages lost {sum(len(row.lost) for row in read)},"
        f" without drawings {sum(len(row.light) for row in read)},"
        f" documents in a limit {sum(row.in_limit for row in read)},"
        f" caught {n_caught} ({1000 * n_caught / max(n_pages, 1):.2f} for 1000 pages)"
    )
    for what, n in (
        ("a title", sum(bool(row.title) for row in read)),
        ("a vendor", sum(bool(row.vendor) for row in read)),
        ("a part number", sum(row.n_part_numbers > 0 for row in read)),
        ("a table", sum(row.n_tables > 0 for row in read)),
    ):
        print(f"with {what}: {n} ({n / max(len(read), 1):.0%})")
    print(
        f"{sum(row.n_tables for row in read)} tables, {sum(row.n_figures for row in read)} figures,"
        f" {sum(row.n_segments for row in read)} segments"
    )
    print_counts("lost documents", Counter(row.error for row in rows if row.error))
    print_counts("lost pages", Counter(reason for row in read for _page_no, reason in row.lost))
    caught = Counter((stage, error) for row in read for _page_no, stage, error in row.caught)
    print_counts(
        "caught", Counter({f"{stage}: {error}": n for (stage, error), n in caught.items()})
    )
    for row in rows:
        if row.error:
            print(f"lost {row.file}: {row.error}")
        for page_no, stage, error in row.caught:
            print(f"caught {row.file}, page {page_no}, {stage}: {error}")


def print_counts(name: str, counts: Counter[str]) -> None:
    for text, n in counts.most_common():
        print(f"{name}: {n} x {text}")


def compare(rows: Sequence[Row], before: Sequence[dict[str, Any]]) -> None:
    """Print what became of the files of an earlier run."""
    known = {row["file"]: row for row in before}
    both = [(row, known[row.file]) for row in rows if row.file in known]
    won = [row.file for row, old in both if old["error"] and not row.error]
    lost = [row.file for row, old in both if row.error and not old["error"]]
    reasons = [row.file for row, old in both if row.error and old["error"] not in ("", row.error)]
    changed = [row.file for row, old in both if old["digest"] and row.digest != old["digest"]]
    print(f"of {len(both)} files read before:")
    for name, files in (
        ("read now, lost then", won),
        ("lost now, read then", lost),
        ("lost for another reason", reasons),
        ("other content", [file for file in changed if file not in lost]),
    ):
        print(f"{name}: {len(files)} {' '.join(files)}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    arguments.add_argument("--children", type=int, default=2, help="reading side by side")
    arguments.add_argument("--match", default="*", help='only such names: "Vishay_*"')
    arguments.add_argument("--every", type=int, default=1, help="only every n-th file")
    arguments.add_argument("--json", type=Path, help="write a row for each document here")
    arguments.add_argument("--before", type=Path, help="compare with what --json wrote")
    arguments.add_argument("--busy", type=int, default=0, help="processes that burn time")
    arguments.add_argument("--cores", type=int, help="bind everything to so many cores")
    options = arguments.parse_args()
    logging.basicConfig(level=logging.ERROR)
    if options.cores:
        psutil.Process().cpu_affinity(list(range(options.cores)))
    started = time.perf_counter()
    with busy(options.busy):
        rows = read_all(pdfs_of(options.folders, options.match, options.every), options.children)
    seconds = time.perf_counter() - started
    report(rows, seconds)
    if options.json:
        kept = {"seconds": round(seconds, 1), "documents": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(kept, indent=1))
    if options.before:
        compare(rows, json.loads(options.before.read_text())["documents"])


if __name__ == "__main__":
    main()
