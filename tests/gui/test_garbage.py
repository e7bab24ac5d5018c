from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject

from desktop_qa.gui.application import GarbageCollector


@pytest.fixture
def collected_on() -> Iterator[list[str]]:
    """Names of the threads on which garbage of the test was collected."""
    names: list[str] = []

    def note(phase: str, _info: dict[str, int]) -> None:
        if phase == "start":
            names.append(threading.current_thread().name)

    gc.callbacks.append(note)
    yield names
    gc.callbacks.remove(note)
    gc.unfreeze()
    gc.enable()


def test_what_other_threads_leave_is_collected_on_the_gui_thread(qtbot, collected_on):
    parent = QObject()
    GarbageCollector(parent).start()
    collected_on.clear()
    left = threading.Event()

    class Left:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            left.set()

    def leave_much() -> None:
        for _ in range(10_000):
            Left()

    thread = threading.Thread(target=leave_much, name="service-reader")
    thread.start()
    thread.join()
    assert not collected_on
    qtbot.waitUntil(left.is_set)
    assert set(collected_on) == {threading.main_thread().name}
