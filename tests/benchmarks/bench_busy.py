"""Reading beside busy processes: `python -m tests.benchmarks.bench_busy FOLDER...`.

Every PDF of the folders is read by reading children, as an ingest does but for the vectors and the
store, while as many processes as wanted burn processor time at normal priority. Printed are the
documents and pages, what was lost or left out, and the time by the clock.
`--cores` binds all of it to the first cores, so that a larger machine shows the same.
"""

from __future__ import annotations

import argparse
import contextlib
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from desktop_qa.catalog import document_id_of
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.library.reader import ReadingChild, ReadJob


@dataclass
class Tally:
    """What came of the documents; filled by the threads of the children."""

    n_documents: int = 0
    n_pages: int = 0
    n_segments: int = 0
    lost: list[str] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextlib.contextmanager
def busy(n_processes: int) -> Iterator[None]:
    """Have processes of normal priority burn all the time that they can get."""
    burners = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n_processes)
    ]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def read_all(paths: queue.SimpleQueue[Path], tally: Tally, stop: threading.Event) -> None:
    """Read what is left of the files with one child."""
    child = ReadingChild()
    with contextlib.suppress(queue.Empty):
        while not stop.is_set():
            read_one(child, paths.get_nowait(), tally)
    child.kill()


def read_one(child: ReadingChild, path: Path, tally: Tally) -> None:
    """Read a file and say what came of it."""
    started = time.monotonic()
    job = ReadJob(path, document_id_of(path), (path.name,), None)
    said = ""
    try:
        read = child.read(
            job, lambda _page, _n: None, is_paused=lambda: False, is_cancelled=lambda: False
        )
    except UnreadableDocumentError as error:
        said = f"LOST: {error}"
        with tally.lock:
            tally.lost.append(path.name)
    else:
        failures = read.result.document.page_failures
        n_pages = len(read.result.document.page_sizes)
        if read.ran_into_limit:
            said = f"ran into a limit: {failures[0].reason if failures else ''}"
        with tally.lock:
            tally.n_documents += 1
            tally.n_pages += n_pages
            tally.n_segments += len(read.segments)
            if read.ran_into_limit:
                tally.incomplete.append(path.name)
        said = said or f"{n_pages} pages, {len(failures)} of them incomplete in any case"
    print(f"{path.name:<40} {time.monotonic() - started:7.0f} s  {said}", flush=True)


def main() -> None:
    """Read the command line and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--busy", type=int, default=4, help="processes that burn time")
    parser.add_argument("--children", type=int, default=2)
    parser.add_argument("--cores", type=int, help="bind everything to so many cores")
    parser.add_argument("--longest-first", action="store_true")
    options = parser.parse_args()
    if options.cores:
        psutil.Process().cpu_affinity(list(range(options.cores)))
    files = sorted(path for folder in options.folders for path in folder.rglob("*.pdf"))
    if options.longest_first:
        files.sort(key=lambda path: -path.stat().st_size)
    paths: queue.SimpleQueue[Path] = queue.SimpleQueue()
    for path in files:
        paths.put(path)
    tally, stop = Tally(), threading.Event()
    threads = [
        threading.Thread(target=read_all, args=(paths, tally, stop), daemon=True)
        for _ in range(options.children)
    ]
    started = time.monotonic()
    with busy(options.busy):
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            stop.set()
            print("stopped; the rest was not tried")
    seconds = time.monotonic() - started
    print(
        f"{tally.n_documents} of {len(files)} documents, {tally.n_pages} pages,"
        f" {tally.n_segments} segments in {seconds:.0f} s beside {options.busy} busy processes;"
        f" lost {len(tally.lost)} {tally.lost}, ran into a limit {len(tally.incomplete)}"
        f" {tally.incomplete}"
    )


if __name__ == "__main__":
    main()
