"""Scrolling and zooming in the viewer: how long the GUI thread is busy with a frame.

`python -m tests.benchmarks.bench_viewer ../shared` scrolls through all pages of a datasheet of 91
pages and of a made document of 1000, zooms 20 steps in each, and prints the median of five runs,
each in a process of its own. `--once FILE STEP` is one run, in the window that is asked for by
QT_QPA_PLATFORM.

A frame is 16 ms: a step of the scroll bar, its painting, and everything else that the GUI thread
does until the next step, such as taking in pages that were drawn. Its time is what of it the
thread was at work, waiting for the processor included; `busy` counts the processor alone.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.helpers import command_line

_N_RUNS = 5
_FRAME_S = 0.016
_P95_MS, _WORST_MS, _MEMORY_MB = 16, 50, 400
_ZOOM_STEPS = 20
_FRAMES_PER_ZOOM = 12
_PANE = (880, 900)


@dataclass
class Frames:
    """Times of frames in ms."""

    wall: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)

    def result(self) -> dict[str, float]:
        wall, busy = sorted(self.wall), sorted(self.busy)
        at = min(round(0.95 * len(wall)), len(wall) - 1)
        return {
            "frames": len(wall),
            "p95": wall[at],
            "worst": wall[-1],
            "busy_p95": busy[at],
            "busy_worst": busy[-1],
        }


def run_once(path: Path, step_px: int) -> dict[str, object]:
    """Open a file, scroll to its end, zoom in and out; returns times and memory."""
    from PySide6.QtWidgets import QApplication

    from desktop_qa.gui.viewer.pdf_view import PdfView

    qt = QApplication(["bench"])
    view = PdfView()
    view.resize(*_PANE)
    view.show()
    started = time.monotonic()
    view.open(path)
    while not (view.n_pages and view.is_drawn):
        qt.processEvents()
        time.sleep(0.001)
    opened_s = time.monotonic() - started

    def frame(frames: Frames, act: object) -> None:
        assert callable(act)
        begin, wall, busy = time.monotonic(), 0.0, 0.0
        work = act
        while True:
            at, cpu = time.monotonic(), time.thread_time()
            work()
            qt.processEvents()
            wall += time.monotonic() - at
            busy += time.thread_time() - cpu
            if time.monotonic() - begin >= _FRAME_S:
                break
            time.sleep(0.001)
            work = _nothing
        frames.wall.append(1000 * wall)
        frames.busy.append(1000 * busy)

    scrolling, zooming = Frames(), Frames()
    bar = view.verticalScrollBar()

    def scroll() -> None:
        bar.setValue(bar.value() + step_px)
        view.viewport().repaint()

    while bar.value() < bar.maximum():
        frame(scrolling, scroll)
    bar.setValue(bar.maximum() // 2)
    for number in range(_ZOOM_STEPS):
        frame(zooming, view.zoom_in if number < _ZOOM_STEPS // 2 else view.zoom_out)
        for _ in range(_FRAMES_PER_ZOOM):
            frame(zooming, _nothing)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "opened_s": opened_s,
        "scroll": scrolling.result(),
        "zoom": zooming.result(),
        "peak_mb": peak_mb,
        "cache_mb": view.images.cache.n_bytes / 1e6,
    }


def _nothing() -> None:
    pass


def write_long_document(path: Path) -> Path:
    """Write a document of text and drawings, as a long manual has them."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), pagesize=A4)
    for number in range(1, 1001):
        canvas.setFont("Helvetica", 9)
        for line in range(58):
            text = f"{number}.{line} The register holds {number * line % 997} after a reset. " * 2
            canvas.drawString(50, 790 - 12 * line, text[:110])
        for index in range(40):
            canvas.line(60 + 11 * index, 70, 70 + 11 * index, 60 + (index * number) % 30)
        canvas.showPage()
    canvas.save()
    return path


def _run(path: Path, step_px: int) -> dict[str, object]:
    words = ("tests.benchmarks.bench_viewer", "--once", path, str(step_px))
    result: dict[str, object] = command_line.run_bench(*words)
    return result


def _report(name: str, runs: list[dict[str, object]]) -> None:
    print(name)
    for what in ("scroll", "zoom"):
        parts = [run[what] for run in runs]
        middle = {
            key: statistics.median(part[key] for part in parts)  # type: ignore[index]
            for key in ("frames", "p95", "worst", "busy_p95", "busy_worst")
        }
        is_within = middle["p95"] <= _P95_MS and middle["worst"] <= _WORST_MS
        print(
            f"    {what}: {middle['frames']:.0f} frames, 95 % within {middle['p95']:.1f} ms "
            f"(busy {middle['busy_p95']:.1f}), worst {middle['worst']:.1f} ms "
            f"(busy {middle['busy_worst']:.1f}): {'within' if is_within else 'OVER'} the bars"
        )
    peak = statistics.median(float(str(run["peak_mb"])) for run in runs)
    opened = statistics.median(float(str(run["opened_s"])) for run in runs)
    verdict = "within" if peak <= _MEMORY_MB else "OVER"
    print(f"    memory of the process at most {peak:.0f} MB: {verdict} {_MEMORY_MB} MB")
    print(f"    first page drawn after {opened:.2f} s")


def main() -> None:
    if sys.argv[1:2] == ["--once"]:
        print(json.dumps(run_once(Path(sys.argv[2]), int(sys.argv[3]))))
        return
    shared = Path(sys.argv[1]).resolve()
    n_runs = int(sys.argv[2]) if len(sys.argv) > 2 else _N_RUNS
    with tempfile.TemporaryDirectory() as folder:
        long = write_long_document(Path(folder) / "long.pdf")
        for path, step_px in ((shared / "library" / "TI_ADS1261.pdf", 200), (long, 600)):
            _report(path.name, [_run(path, step_px) for _ in range(n_runs)])


if __name__ == "__main__":
    main()
