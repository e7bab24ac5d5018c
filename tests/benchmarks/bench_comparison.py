"""How long the window stands still while a comparison is shown, sorted and narrowed.

`python -m tests.benchmarks.bench_comparison` prints the median and the worst of five runs for 150
parameters of 6 documents, and for the most that is ever shown: 300 of 12.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

_N_RUNS = 5
_SIZES = ((150, 6), (300, 12))
_LIMIT_MS = 100


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        _measure(Path(home))


def _measure(home: Path) -> None:
    from PySide6.QtCore import QSettings

    from desktop_qa.gui.application import Application, make_qt_application
    from desktop_qa.gui.comparison.comparison_view import ComparisonView
    from tests.gui.fake_service import FakeService
    from tests.gui.sample_answers import comparison_answer, table_answer

    qt = make_qt_application(["bench"])
    settings = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
    application = Application(qt, FakeService(), settings)
    window = application.window
    window.resize(1366, 768)
    window.show()
    window.stack.setCurrentWidget(window.splitter)
    qt.processEvents()
    longest = {"ms": 0.0}

    def stall_of(act: Callable[[], object]) -> float:
        """Return the ms of the longest turn of the event loop until all is shown.

        Counted is the processor time of this thread: what else the machine does is not ours.
        """
        started = time.thread_time()
        act()
        longest["ms"] = (time.thread_time() - started) * 1000
        quiet = time.perf_counter() + 0.3
        while time.perf_counter() < quiet:
            turn = time.thread_time()
            qt.processEvents()
            longest["ms"] = max(longest["ms"], (time.thread_time() - turn) * 1000)
            time.sleep(0.001)
        return longest["ms"]

    for n_rows, n_documents in _SIZES:
        times: dict[str, list[float]] = {}
        for _ in range(_N_RUNS):
            view = comparison_answer(Path("/nowhere"), n_rows, n_documents)
            panel = window.answer_panel
            times.setdefault("show", []).append(stall_of(lambda v=view, p=panel: p.show_answer(v)))  # type: ignore[misc]
            shown = panel.parts.tables[0]
            assert isinstance(shown, ComparisonView)
            acts: dict[str, Callable[[], object]] = {
                "sort": lambda s=shown: s.model.sort_by(1),  # type: ignore[misc]
                "narrow": lambda s=shown: s.find_edit.setText("volt"),  # type: ignore[misc]
                "widen": lambda s=shown: s.find_edit.clear(),  # type: ignore[misc]
                "differences": lambda s=shown: s.differences_check.setChecked(True),  # type: ignore[misc]
                "resize": lambda: window.resize(1266, 768),
                "enlarge": shown.enlarge_button.click,
            }
            for name, act in acts.items():
                times.setdefault(name, []).append(stall_of(act))
            for opened in panel.parts.windows:
                opened.close()
            window.resize(1366, 768)
            panel.show_answer(table_answer(Path("/nowhere")))
            stall_of(lambda: None)
        print(
            f"{n_rows} parameters of {n_documents} documents, longest turn in ms of processor time:"
        )
        for name, values in times.items():
            worst = max(values)
            median = statistics.median(values)
            verdict = "" if worst <= _LIMIT_MS else "  OVER"
            print(f"    {name:12} median {median:5.0f}  worst {worst:5.0f}{verdict}")
    application.close()


if __name__ == "__main__":
    main()
