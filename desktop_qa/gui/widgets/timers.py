"""Timers that go off once."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def single_shot(parent: QObject, slot: Callable[[], object], interval_ms: int = 0) -> QTimer:
    """Return a timer that calls a slot once after each start; it is not started."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(interval_ms)
    timer.timeout.connect(slot)
    return timer
