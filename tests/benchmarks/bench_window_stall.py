"""A heartbeat on the GUI thread while ten documents are indexed and ten questions asked.

`python -m tests.benchmarks.bench_window_stall ../shared` prints the longest stall of three runs.
Each answer's first citation is opened in the viewer, as a reader would.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.helpers import command_line
from tests.helpers.ten_files import TEN_FILES

_N_RUNS = 3
_LIMIT_MS = 100
_BEAT_MS = 5
_QUESTIONS = (
    "What is the typical input offset voltage of the OPA4197?",
    "DRV5011: how long at worst until the output toggles?",
    "What is the maximum dropout voltage of the LP5912?",
    "Which supply voltage does the SCD41 need?",
    "What does Table 1 of the AD5260 list?",
    "How do I read a measurement from the SCD4x?",
    "Recommended operating temperature of the ADUM1100",
    "Show the typical application of the TL5209",
    "Which pins of the 25AA640 protect against writing?",
    "What is the weather tomorrow?",
)


def run_once(folder: Path, home: Path) -> dict[str, object]:
    """Open the window, index, ask, and return what the heartbeat saw."""
    from PySide6.QtCore import QElapsedTimer, QSettings, Qt, QTimer

    from desktop_qa.gui import application as module
    from desktop_qa.service import ServiceClient

    qt = module.make_qt_application(["bench"])
    settings = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
    application = module.Application(qt, ServiceClient(), settings, folder, home / "library")
    session, window = application.session, application.window
    stalls: list[tuple[float, str]] = []
    answered: list[str] = []
    synced: list[object] = []
    clock = QElapsedTimer()
    at = {"stage": "start"}

    def beat() -> None:
        late = clock.restart() - _BEAT_MS
        if late > 20:
            stalls.append((float(late), at["stage"]))

    def ask_next() -> None:
        if len(answered) < len(_QUESTIONS):
            at["stage"] = f"question {len(answered) + 1}"
            session.ask(_QUESTIONS[len(answered)])
        elif synced:
            qt.quit()

    def on_answer(view: object) -> None:
        answered.append("answered")
        window.show_citation(1)
        QTimer.singleShot(700, ask_next)

    def on_failure(_question: str, error: object) -> None:
        # Nothing is searchable yet: ask again a little later.
        at["stage"] = f"waiting ({error})"
        QTimer.singleShot(1500, ask_next)

    def on_sync_finished(report: object) -> None:
        synced.append(report)
        if len(answered) >= len(_QUESTIONS):
            qt.quit()

    session.question_answered.connect(on_answer)
    session.question_failed.connect(on_failure)
    session.sync_finished.connect(on_sync_finished)
    heart = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=_BEAT_MS)
    heart.timeout.connect(beat)

    def begin() -> None:
        clock.start()
        heart.start()
        QTimer.singleShot(3000, ask_next)

    window.first_painted.connect(begin, Qt.ConnectionType.QueuedConnection)
    QTimer.singleShot(900_000, qt.quit)
    started = time.monotonic()
    window.show()
    qt.exec()
    heart.stop()
    application.close()
    return {
        "worst_ms": max((late for late, _ in stalls), default=0.0),
        "stalls": sorted(stalls, reverse=True)[:5],
        "n_answers": len(answered),
        "synced": bool(synced),
        "seconds": time.monotonic() - started,
    }


def main() -> None:
    if sys.argv[1:2] == ["--once"]:
        print(json.dumps(run_once(Path(sys.argv[2]), Path(sys.argv[3]))))
        return
    shared = Path(sys.argv[1]).resolve()
    worst = []
    for run in range(1, _N_RUNS + 1):
        with tempfile.TemporaryDirectory() as name:
            home = Path(name)
            folder = home / "documents"
            folder.mkdir()
            for file in TEN_FILES:
                (folder / file).symlink_to(shared / "library" / file)
            variables = {"XDG_DATA_HOME": name, "XDG_CONFIG_HOME": name, "XDG_STATE_HOME": name}
            variables["QT_QPA_PLATFORM"] = os.environ.get("QT_QPA_PLATFORM", "offscreen")
            words = [sys.executable, "-m", "tests.benchmarks.bench_window_stall", "--once"]
            done = subprocess.run(
                [*words, str(folder), name],
                env=command_line.environment(variables),
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
        seen = json.loads(done.stdout.splitlines()[-1])
        worst.append(seen["worst_ms"])
        print(f"run {run}: {seen}")
    verdict = "within" if max(worst) <= _LIMIT_MS else "OVER"
    print(f"worst stall of the GUI thread {max(worst):.0f} ms, {verdict} {_LIMIT_MS} ms")


if __name__ == "__main__":
    main()
