"""From the start of the process to the window on the screen, and to the list of a large library.

    python -m tests.benchmarks.bench_start [--small LIBRARY [--documents N]]

With a small library given, one of N documents (5000) is made of it first, and the window opens it:
the same five runs then also tell when the list stands there whole, and the longest time for which
the window did not react until two seconds later. "Cold" is the first run after the files of the
environment and the library were dropped from the disk cache, as far as the system allows that.
All modules are compiled, as an installation has them: a run before writes their bytecode.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.large_library import make_wide_library
from tests.helpers import command_line

_RUNS = 7
_PROBE = """
import gc, sys, time
gc.disable()  # as the command line does
import psutil
started = psutil.Process().create_time()
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from desktop_qa.gui import application as module
from desktop_qa.gui.application import GarbageCollector
from desktop_qa.service.client import ServiceClient
library = Path(sys.argv[1]) if len(sys.argv) > 1 else None

def main():
    qt = module.make_qt_application(sys.argv[:1])
    application = module.Application(qt, ServiceClient(), QSettings(), None, library)
    collector = GarbageCollector(application)
    state = {"last": 0.0, "stall": 0.0, "list": 0.0}

    def painted():
        state["screen"] = time.time() - started
        state["screen_cpu"] = time.process_time()
        collector.start()
        state["last"] = time.perf_counter()
        beat.start()
        if library is None:
            qt.quit()

    def listed():
        application.window.library_panel.tree.viewport().repaint()
        state["list"] = time.time() - started
        QTimer.singleShot(2000, qt.quit)

    def tick():
        now = time.perf_counter()
        state["stall"] = max(state["stall"], now - state["last"])
        state["last"] = now

    beat = QTimer(interval=2)
    beat.timeout.connect(tick)
    application.window.first_painted.connect(painted)
    application.session.library_opened.connect(lambda view: QTimer.singleShot(0, listed))
    application.window.show()
    qt.exec()
    application.close()
    heavy = {"torch", "chromadb", "spacy", "pymupdf", "sentence_transformers"} & set(sys.modules)
    names = ("screen", "screen_cpu", "list", "stall")
    print(*(f"{state[name]:.3f}" for name in names), flush=True)
    print(",".join(sorted(heavy)) or "none", flush=True)

if __name__ == "__main__":
    main()
"""


def forget_cached(folder: Path) -> None:
    """Ask the system to drop the files of a folder from its disk cache."""
    if not hasattr(os, "posix_fadvise"):
        return
    for file in folder.rglob("*"):
        with contextlib.suppress(OSError):
            if file.is_file():
                descriptor = os.open(file, os.O_RDONLY)
                os.fsync(descriptor)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(descriptor)


def run(home: str, probe: Path, library: Path | None) -> tuple[list[float], str]:
    """Start the window once; seconds to the screen, by clock and processor, to the list, of the
    longest stall.
    """
    folders = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
    folders["PYTHONPYCACHEPREFIX"] = str(Path(home, "bytecode"))
    folders["QT_QPA_PLATFORM"] = os.environ.get("QT_QPA_PLATFORM", "offscreen")
    done = subprocess.run(
        [sys.executable, str(probe), *([str(library)] if library else [])],
        env=command_line.environment(folders) | {"PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    *seconds, heavy = done.stdout.split()
    return [float(value) for value in seconds], heavy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=Path, help="library whose documents are varied")
    parser.add_argument("--documents", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=_RUNS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        probe = Path(home, "probe.py")
        probe.write_text(_PROBE)
        library = None
        if options.small is not None:
            library = Path(home, "library")
            make_wide_library(library, options.small, options.documents)
        run(home, probe, None)  # compiles what is installed compiled
        forget_cached(Path(sys.prefix))
        forget_cached(Path(home))
        runs = [run(home, probe, library) for _ in range(options.runs)]
    heavy = runs[0][1]
    names = ("window on screen", "the same, processor time")
    names += ("list of all documents shown", "longest stall")
    for name, values in zip(names, zip(*(found for found, _ in runs), strict=True), strict=True):
        if any(values):
            warm = values[1:] or values
            print(
                f"{name}: {statistics.median(warm):.2f} s (median of {len(warm)}),"
                f" {max(warm):.2f} s (worst), {values[0]:.2f} s (the first, cold)"
            )
    print(f"heavy modules in the window's process: {heavy}")


if __name__ == "__main__":
    main()
