"""Garbage is collected on the GUI thread only."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 500


class GarbageCollector(QObject):
    """Python's collector, run by a timer of the GUI thread.

    By itself it runs on whichever thread makes the object too many. On the one that reads the pipe
    it destroys widgets that lie in a cycle, and Qt crashes: https://bugreports.qt.io/browse/PYSIDE-810.
    """

    def __init__(self, parent: QObject) -> None:
        """Switch the collector of Python off."""
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(collect_due)

    def start(self) -> None:
        """Collect from now on; what was imported so far stays and is not looked through again."""
        gc.freeze()
        self._timer.start()


def collect_due() -> None:
    """Collect the oldest generation whose threshold is reached, as Python itself would."""
    reached = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, most) in enumerate(reached) if count > most]
    if due:
        gc.collect(due[-1])
