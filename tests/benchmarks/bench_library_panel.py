"""The library's panel with 5000 documents: medians of five runs, worst of all.

A keystroke counts from the key event until the list is drawn again; the list is drawn at once by
`repaint`, as the screen would have it drawn with the next frame.

    python -m tests.benchmarks.bench_library_panel [--cpu]

With `--cpu` only the time counts that the process itself had a processor: on a machine that is busy
with other things that is what an idle one would need.
"""

from __future__ import annotations

import argparse
import os
import pickle
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.application import make_qt_application
from desktop_qa.gui.library.library_order import (
    Arrangement,
    Choice,
    Facet,
    GroupBy,
    SortBy,
    StateKind,
)
from desktop_qa.gui.library.library_panel import LibraryPanel

_RUNS = 5
_N_DOCUMENTS = 5000
_VENDORS = ("Texas Instruments", "Analog Devices", "Bosch Sensortec", "Microchip", "NXP", "ST")
_FAMILIES = ("OPA", "ADS", "TPS", "LM", "MCP", "BME", "DRV", "PCF", "STM", "LIS")
_TITLES = ("Precision Amplifier", "Buck Converter", "Pressure Sensor", "Motor Driver", "RTC")


def make_statuses(count: int) -> tuple[DocumentStatus, ...]:
    """Return documents as a large library of datasheets has them, revisions among them."""
    chance = random.Random(7)
    statuses = []
    for number in range(count):
        part = f"{chance.choice(_FAMILIES)}{chance.randint(100, 99999)}"
        vendor = chance.choice(_VENDORS)
        file = f"{chance.choice('abcdefgh')}/{vendor.split()[0].upper()}_{part}.pdf"
        statuses.append(
            DocumentStatus(
                DocumentId(f"{number:016x}"),
                file,
                (file,),
                f"/data/sheets/{file}",
                DocumentState.PARTIAL if number % 40 == 0 else DocumentState.READY,
                title=f"{part} Low-Power {chance.choice(_TITLES)} with Extended Range",
                vendor=vendor,
                part_numbers=(part, f"{part}-Q1"),
                revision=f"Rev. {chance.choice('ABCDEF')}",
                n_pages=chance.randint(2, 400),
                n_segments=chance.randint(20, 900),
                read_by="parser 31; segmenter 9; model x",
                read_at=1.7e9 + number,
                date=f"20{chance.randint(10, 25)}-0{chance.randint(1, 9)}",
            )
        )
    n_families = count // 50
    for number in range(n_families):
        newer = statuses[number]
        older = replace(
            newer,
            document_id=DocumentId(f"old{number:013x}"),
            file=f"old/{newer.file}",
            files=(f"old/{newer.file}",),
            date="2001-01",
        )
        statuses[-1 - number] = older
    return tuple(statuses)


clock = time.perf_counter


def ms(run: Callable[[], object]) -> float:
    """Return the milliseconds of a call."""
    started = clock()
    run()
    return (clock() - started) * 1000


def report(name: str, values: list[float]) -> None:
    print(f"{name}: {statistics.median(values):.1f} ms (median), {max(values):.1f} ms (worst)")


class Bench:
    """A panel on the screen and the steps that are timed."""

    def __init__(self, qt: QApplication, statuses: tuple[DocumentStatus, ...]) -> None:
        self._qt = qt
        self._statuses = statuses
        self._again = pickle.loads(pickle.dumps(statuses))
        self.panel = LibraryPanel()
        self.panel.resize(290, 760)
        self.panel.show()
        qt.processEvents()

    def _draw(self) -> None:
        self.panel.tree.viewport().repaint()

    def open(self) -> None:
        self.panel.show_library("large", ())
        self._qt.processEvents()
        self.panel.show_library("large", self._statuses)
        self.panel.loading.finish()
        self._draw()

    def longest_step(self) -> float:
        """Milliseconds of the longest step in which a large library comes into the list."""
        self.panel.show_library("large", ())
        steps = self.panel.model.replace(self._statuses)
        longest = 0.0
        while True:
            started = clock()
            if next(steps, self) is self:
                self._draw()
                return max(longest, (clock() - started) * 1000)
            longest = max(longest, (clock() - started) * 1000)

    def keystrokes(self, text: str) -> list[float]:
        values = []

        def press(letter: str) -> None:
            QTest.keyClick(self.panel.filter_edit, letter)
            self._draw()

        def clear() -> None:
            QTest.keyClick(self.panel.filter_edit, Qt.Key.Key_Backspace)
            self._draw()

        for letter in text:
            values.append(ms(lambda letter=letter: press(letter)))
            self._qt.processEvents()
        for _ in text:
            values.append(ms(clear))
            self._qt.processEvents()
        return values

    def change(self, number: int) -> None:
        """A document goes from reading to ready, as while a library is indexed."""
        status = self._statuses[number]
        state = DocumentState.READING if number % 2 else DocumentState.READY
        self.panel.update_statuses((replace(status, state=state, n_pages_read=number),), ())
        self._draw()

    def arrange(self, group_by: GroupBy, sort_by: SortBy) -> None:
        self.panel.arrange(Arrangement(group_by, sort_by))
        self._draw()

    def choose(self) -> None:
        self.panel.filter_bar.ask("", frozenset({Choice(Facet.STATE, StateKind.PARTLY)}))
        self._draw()

    def again(self) -> None:
        """All statuses come once more and nothing has changed, as after each run."""
        self.panel.update_statuses(self._again, ())
        self._draw()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    if options.cpu:
        global clock
        clock = time.process_time
    statuses = make_statuses(_N_DOCUMENTS)
    packed = pickle.dumps(statuses)
    bench = Bench(make_qt_application(["bench"]), statuses)
    report(f"opening {_N_DOCUMENTS} documents", [ms(bench.open) for _ in range(_RUNS)])
    report("longest step of it", [bench.longest_step() for _ in range(_RUNS)])
    runs = [bench.keystrokes("low ti opa1") for _ in range(_RUNS)]
    report("filter keystroke to repaint, median of a run", [statistics.median(r) for r in runs])
    report("filter keystroke to repaint, worst of a run", [max(r) for r in runs])
    report("a document changes", [ms(lambda n=n: bench.change(n)) for n in range(20)])
    orders = ((GroupBy.FAMILY, SortBy.DATE), (GroupBy.STATE, SortBy.PAGES))
    orders += ((GroupBy.NONE, SortBy.TITLE), (GroupBy.FOLDER, SortBy.READ_AT))
    orders += ((GroupBy.VENDOR, SortBy.NAME),)
    report("another grouping", [ms(lambda o=o: bench.arrange(*o)) for o in orders])
    report("a facet is chosen", [ms(bench.choose) for _ in range(_RUNS)])
    bench.panel.filter_bar.ask()
    report("the pop-up opens", [ms(bench.panel.filter_bar.open_popup) for _ in range(_RUNS)])
    bench.panel.filter_bar.popup.close()
    report("all statuses, unchanged", [ms(bench.again) for _ in range(_RUNS)])
    unpacked = [ms(lambda: pickle.loads(packed)) for _ in range(_RUNS)]
    report(f"unpickling the statuses ({len(packed) / 1e6:.1f} MB)", unpacked)


if __name__ == "__main__":
    main()
