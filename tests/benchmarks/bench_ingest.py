"""Speed and memory of an ingest: `python -m tests.benchmarks.bench_ingest FOLDER --library LIB`.

The library is made anew; the second run, which has nothing to do, is timed too. The processor time
of each kind of process, told by what it has loaded, says where the time goes, and hardly depends on
what else the machine does (the kinds are not known on macOS).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.helpers import command_line

_SAMPLE_EVERY_S = 0.5
_MAIN = "the rest"
_KINDS = {"mupdf": "reading", "onnxruntime": "model", "torch": "model"}
"""What a process does, by a part of the name of a library that it has mapped."""


@dataclass
class Usage:
    """What the processes used.

    Attributes:
        main: Largest resident size seen of the main process, in MB.
        tree: The same of all processes together.
        seconds: Processor time by process: what it does, and how long.
    """

    main: float = 0.0
    tree: float = 0.0
    seconds: dict[int, tuple[str, float]] = field(default_factory=dict)

    def watch(self, process: psutil.Process, ended: threading.Event) -> None:
        while not ended.wait(_SAMPLE_EVERY_S):
            try:
                main = process.memory_info().rss
                self._note(process, _MAIN)
                children = process.children(recursive=True)
            except psutil.NoSuchProcess:
                return
            for child in children:
                with contextlib.suppress(psutil.Error):
                    self._note(child, self.seconds.get(child.pid, ("", 0.0))[0] or _kind(child))
            total = main + sum(_resident(child) for child in children)
            self.main = max(self.main, main / 1e6)
            self.tree = max(self.tree, total / 1e6)

    def _note(self, process: psutil.Process, kind: str) -> None:
        times = process.cpu_times()
        self.seconds[process.pid] = (kind, times.user + times.system)

    def by_kind(self) -> dict[str, float]:
        total: dict[str, float] = {}
        for kind, seconds in self.seconds.values():
            total[kind or "starting"] = total.get(kind or "starting", 0.0) + seconds
        return total


def _kind(process: psutil.Process) -> str:
    if not hasattr(process, "memory_maps"):
        return "children"
    mapped = " ".join(Path(entry.path).name for entry in process.memory_maps())
    return next((kind for part, kind in _KINDS.items() if part in mapped), "")


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


def timed_ingest(folder: Path, library: Path) -> tuple[dict[str, Any], float, Usage]:
    """Ingest and return the report, the seconds of the whole process, and what it used."""
    usage, ended = Usage(), threading.Event()
    started = time.perf_counter()
    process = subprocess.Popen(
        command_line.command("ingest", folder, "--library", library, "--json"),
        env=command_line.environment(),
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    watcher = threading.Thread(target=usage.watch, args=(psutil.Process(process.pid), ended))
    watcher.start()
    output, _ = process.communicate()
    seconds = time.perf_counter() - started
    ended.set()
    watcher.join()
    if process.returncode != 0:
        raise SystemExit(f"the ingest ended with {process.returncode}")
    return json.loads(output), seconds, usage


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--library", type=Path, required=True)
    options = arguments.parse_args()
    if options.library.exists():
        shutil.rmtree(options.library)
    options.library.parent.mkdir(parents=True, exist_ok=True)
    report, seconds, usage = timed_ingest(options.folder, options.library)
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
    print(f"memory: main process {usage.main:.0f} MB, all processes {usage.tree:.0f} MB")
    spent = ", ".join(f"{kind} {s:.0f} s" for kind, s in sorted(usage.by_kind().items()))
    print(f"processor time: {spent}")
    print(f"library on disk {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
