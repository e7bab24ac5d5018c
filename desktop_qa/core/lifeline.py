"""The manners of a child process: it ends with its parent and gives way to the window."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import sys
import threading
import time

_BELOW_NORMAL_PRIORITY_CLASS = 0x4000


def end_with_parent(patience_s: float = 0.0) -> None:
    """End this process when its parent is gone, with patience if it has still to write.

    A closed pipe is noticed only between two pieces of work: without this a killed program would
    leave children that read on for a page, or import on for ten seconds.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        time.sleep(patience_s)
        os._exit(1)

    threading.Thread(target=wait, name="lifeline", daemon=True).start()


def give_way(niceness: int) -> None:
    """Let processes of normal priority go first, by a niceness of 1 to 19; called once in a child.

    On two cores an ingest keeps both busy, and the window's thread then waited for up to 300 ms
    to be given one.
    """
    if sys.platform == "win32":
        process = ctypes.windll.kernel32.GetCurrentProcess()
        ctypes.windll.kernel32.SetPriorityClass(process, _BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(niceness)
