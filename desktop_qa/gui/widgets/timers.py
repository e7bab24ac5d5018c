"""Timers that go off once, and work of the GUI thread in small steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer, Signal

_END = object()


def single_shot(parent: QObject, slot: Callable[[], object], interval_ms: int = 0) -> QTimer:
    """Return a timer that calls a slot once after each start; it is not started."""
    timer = QTimer(parent, singleShot=True, interval=interval_ms)
    timer.timeout.connect(slot)
    return timer


class SteppedWork(QObject):
    """Runs an iterator a step at a time; each step shall take less than 50 ms."""

    finished = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[object] = iter(())
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def is_active(self) -> bool:
        """True while there is work left."""
        return self._timer.isActive()

    def start(self, steps: Iterator[object]) -> None:
        """Begin other work; what was left of the earlier is dropped."""
        self._steps = steps
        self._timer.start(0)

    def stop(self) -> None:
        """Drop what is left."""
        self._timer.stop()

    def finish(self) -> None:
        """Do all that is left at once; does nothing when there is none."""
        if self._timer.isActive():
            for _ in self._steps:
                pass
            self._end()

    def _on_timer_timeout(self) -> None:
        if next(self._steps, _END) is _END:
            self._end()

    def _end(self) -> None:
        self._timer.stop()
        self.finished.emit()
