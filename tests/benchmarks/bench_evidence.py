"""Large pieces in the window: `python -m tests.benchmarks.bench_evidence`.

Median of five runs, in ms of work of the GUI thread, whatever else the machine does: a table of
5000 x 20 and one of 200 x 300 shown, sorted, searched and scrolled; an answer of 5000 lines; by the
clock, the longest gap of the GUI thread while a figure of 10 000 x 10 000 pixels is read.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QScrollArea

from desktop_qa.core.document import Table, TableCell
from desktop_qa.gui.answers.answer_text import AnswerText
from desktop_qa.gui.application import make_qt_application
from desktop_qa.gui.evidence.figure_view import ImageJob, reader
from desktop_qa.gui.tables.table_model import TableModel
from desktop_qa.gui.tables.table_pane import TablePane
from desktop_qa.gui.widgets.symbols import Symbols
from tests.helpers.said import said

_N_RUNS = 5
_N_STEPS = 60


def main() -> None:
    """Print the figures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    qt = make_qt_application(["bench"])
    for n_rows, n_columns in ((5000, 20), (200, 300)):
        runs = [_table_run(qt, n_rows, n_columns) for _ in range(_N_RUNS)]
        _print(f"table {n_rows} x {n_columns}", runs)
    _print("answer of 5000 lines", [_answer_run(qt) for _ in range(_N_RUNS)])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "large.png"
        _draw(file)
        _print("figure 10 000 x 10 000", [_figure_run(qt, file) for _ in range(_N_RUNS)])


def _print(name: str, runs: list[dict[str, float]]) -> None:
    medians = (f"{key} {statistics.median(run[key] for run in runs):.0f}" for key in runs[0])
    print(f"{name}: {', '.join(medians)} ms", flush=True)


def _table(n_rows: int, n_columns: int) -> Table:
    cells = tuple(
        TableCell(r, c, 1, 1, f"Head {c}" if not r else f"{(r * 7919 + c) % 997} mV", not r, ())
        for r in range(n_rows)
        for c in range(n_columns)
    )
    return Table("Table 1", "Large", "", n_rows, n_columns, cells, (), ())


def _timed(qt: QApplication, work: Callable[[], object]) -> float:
    started = time.thread_time()
    work()
    qt.processEvents()
    return (time.thread_time() - started) * 1000


def _table_run(qt: QApplication, n_rows: int, n_columns: int) -> dict[str, float]:
    table = _table(n_rows, n_columns)
    started = time.thread_time()
    pane = TablePane(TableModel(table, None, frozenset({(n_rows // 2, 3)})))
    pane.resize(560, 520)
    found = {
        "shown": (time.thread_time() - started) * 1000 + _timed(qt, pane.show),
        "sorted": _timed(qt, lambda: pane.model.sort_by(2)),
        "searched": _timed(qt, lambda: pane.find_edit.setText("12")),
    }
    pane.find_edit.clear()
    bar = pane.view.verticalScrollBar()
    steps = sorted(
        _timed(qt, lambda step=step: bar.setValue(step * 60))  # type: ignore[misc]
        for step in range(_N_STEPS)
    )
    found["scroll step (95th percentile)"] = steps[int(_N_STEPS * 0.95)]
    pane.close()
    pane.deleteLater()
    return found


def _answer_run(qt: QApplication) -> dict[str, float]:
    area, text = QScrollArea(), AnswerText()
    area.setWidgetResizable(True)
    area.setWidget(text)
    area.resize(560, 600)
    area.show()
    qt.processEvents()
    blocks = said("\n".join(f"{n + 1}. Set it to {n} mV at VS = 5 V. [1]" for n in range(5000)))
    shown = _timed(qt, lambda: text.show_answer(blocks, (), Symbols()))
    turns = []
    while not text.is_whole:
        turns.append(_timed(qt, lambda: None))
    area.close()
    area.deleteLater()
    turns.sort()
    return {"shown": shown, "turn (95th percentile)": turns[int(len(turns) * 0.95)]}


def _draw(file: Path) -> None:
    image = QImage(10_000, 10_000, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    for n in range(2000):
        painter.drawLine(n * 5, 0, 10_000 - n * 5, 9_999)
    painter.end()
    image.save(str(file))


def _figure_run(qt: QApplication, file: Path) -> dict[str, float]:
    came: list[object] = []
    started = time.perf_counter()
    reader().read(ImageJob(str(file), "", QSize(520, 520)), qt, lambda i, _r: came.append(i))
    gap, last = 0.0, time.perf_counter()
    while not came:
        qt.processEvents()
        now = time.perf_counter()
        gap, last = max(gap, now - last), now
    return {"read": (last - started) * 1000, "longest gap of the GUI thread": gap * 1000}


if __name__ == "__main__":
    main()
