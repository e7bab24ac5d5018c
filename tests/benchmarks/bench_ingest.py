"""Speed and memory of an ingest: `python -m tests.benchmarks.bench_ingest FOLDER --library LIB`.

The library is made anew; the second run, which has nothing to do, is timed too.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.helpers import command_line

_SAMPLE_EVERY_S = 0.5


@dataclass
class Memory:
    """Largest resident sizes seen, in MB: of the main process, and of all of them together."""

    main: float = 0.0
    tree: float = 0.0

    def watch(self, process: psutil.Process, ended: threading.Event) -> None:
        while not ended.wait(_SAMPLE_EVERY_S):
            try:
                main = process.memory_info().rss
                children = process.children(recursive=True)
            except psutil.NoSuchProcess:
                return
            total = main + sum(_resident(child) for child in children)
            self.main = max(self.main, main / 1e6)
            self.tree = max(self.tree, total / 1e6)


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


def timed_ingest(folder: Path, library: Path) -> tuple[dict[str, Any], float, Memory]:
    """Ingest and return the report, the seconds of the whole process, and its memory."""
    memory, ended = Memory(), threading.Event()
    started = time.perf_counter()
    process = subprocess.Popen(
        command_line.command("ingest", folder, "--library", library, "--json"),
        env=command_line.environment(),
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    watcher = threading.Thread(target=memory.watch, args=(psutil.Process(process.pid), ended))
    watcher.start()
    output, _ = process.communicate()
    seconds = time.perf_counter() - started
    ended.set()
    watcher.join()
    if process.returncode != 0:
        raise SystemExit(f"the ingest ended with {process.returncode}")
    return json.loads(output), seconds, memory


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--library", type=Path, required=True)
    options = arguments.parse_args()
    if options.library.exists():
        shutil.rmtree(options.library)
    options.library.parent.mkdir(parents=True, exist_ok=True)
    report, seconds, memory = timed_ingest(options.folder, options.library)
    _, again, _ = timed_ingest(options.folder, options.library)
    size = sum(path.stat().st_size for path in options.library.rglob("*") if path.is_file())
    print(f"\n{options.folder}")
    print(
        f"{report['documents']} documents, {len(report['partial'])} of them partly,"
        f" {len(report['failed'])} failed, {report['pages']} pages, {report['segments']} segments,"
        f" {report['tables']} tables, {report['figures']} figures"
    )
    print(f"{seconds:.1f} s: {report['pages'] / seconds:.2f} pages/s,", end=" ")
    print(f"{report['segments'] / seconds:.1f} segments/s; second run {again:.1f} s")
    print(f"memory: main process {memory.main:.0f} MB, all processes {memory.tree:.0f} MB")
    print(f"library on disk {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
