"""A child process that ends with its parent, whatever it is at."""

from __future__ import annotations

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """End this process at once when its parent is gone; called once at its start.

    A closed pipe is noticed only between two pieces of work: without this a killed program would
    leave children that read on for a page, or import on for ten seconds.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, name="lifeline", daemon=True).start()
