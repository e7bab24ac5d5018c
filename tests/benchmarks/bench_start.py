"""From the start of the process to the window on the screen: worst and median of seven."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

from tests.helpers import command_line

_RUNS = 7
_PROBE = """
import sys, time
import psutil
started = psutil.Process().create_time()
from PySide6.QtCore import QSettings
from desktop_qa.gui import application as module
from desktop_qa.service import ServiceClient
qt = module.make_qt_application(sys.argv[:1])
application = module.Application(qt, ServiceClient(), QSettings())

def painted():
    print(f"{time.time() - started:.3f}", flush=True)
    qt.quit()

application.window.first_painted.connect(painted)
application.window.show()
qt.exec()
application.close()
heavy = {"torch", "chromadb", "spacy", "pymupdf", "sentence_transformers"} & set(sys.modules)
print(",".join(sorted(heavy)) or "none", flush=True)
"""


def main() -> None:
    seconds = []
    heavy = ""
    with tempfile.TemporaryDirectory() as home:
        folders = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
        folders["QT_QPA_PLATFORM"] = os.environ.get("QT_QPA_PLATFORM", "offscreen")
        for _ in range(_RUNS):
            done = subprocess.run(
                [sys.executable, "-c", _PROBE],
                env=command_line.environment(folders),
                capture_output=True,
                text=True,
                check=True,
                timeout=60,
            )
            first, heavy = done.stdout.split()
            seconds.append(float(first))
    print(
        f"window on screen after {statistics.median(seconds):.2f} s (median of {_RUNS}),"
        f" {max(seconds):.2f} s (worst, the first without a warm disk cache"
        f" {seconds[0]:.2f} s); heavy modules in its process: {heavy}"
    )


if __name__ == "__main__":
    main()
