"""A heartbeat on the GUI thread while ten documents are indexed and ten questions asked.

`python -m tests.benchmarks.bench_window_stall ../shared` prints the longest stall of three runs.
Each answer's first citation is opened in the viewer, as a reader would.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.helpers import command_line
from tests.helpers.ten_files import link_ten_files

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


@dataclass
class Stall:
    """A late heartbeat.

    Attributes:
        late_ms: Time in which the GUI thread did not come back to its event loop.
        busy_ms: Processor time that it used of it: little means that the machine was busy with
            other things, or that another thread held the interpreter.
        where: Innermost calls of our own code at the time.
    """

    late_ms: float
    busy_ms: float
    stage: str
    where: str


class Witness:
    """A thread that looks where the GUI thread stands when its heart misses beats."""

    def __init__(self, thread_id: int) -> None:
        self._thread_id = thread_id
        self._last_beat = time.monotonic()
        self._busy = time.thread_time()
        self.where = ""
        threading.Thread(target=self._watch, daemon=True).start()

    def beat(self) -> float:
        """Note a beat on the GUI thread; returns the ms of processor time since the last one."""
        busy, self._busy = self._busy, time.thread_time()
        self._last_beat = time.monotonic()
        return round((self._busy - busy) * 1000, 1)

    def _watch(self) -> None:
        while True:
            time.sleep(0.02)
            if time.monotonic() - self._last_beat < 0.03:
                self.where = ""
                continue
            frame = sys._current_frames().get(self._thread_id)
            if frame is not None:
                stack = [
                    f"{Path(f.filename).name}:{f.lineno} {f.name}"
                    for f in traceback.extract_stack(frame)
                ]
                self.where = " < ".join(reversed(stack[-4:]))


def run_once(folder: Path, home: Path) -> dict[str, object]:
    """Open the window, index, ask, and return what the heartbeat saw."""
    from PySide6.QtCore import QElapsedTimer, QSettings, Qt, QTimer

    from desktop_qa.core.question import Question
    from desktop_qa.gui import application as module
    from desktop_qa.gui.conversations.conversation_model import Turn
    from desktop_qa.service.client import ServiceClient

    qt = module.make_qt_application(["bench"])
    settings = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
    application = module.Application(qt, ServiceClient(), settings, folder, home / "library")
    session, window = application.session, application.window
    stalls: list[Stall] = []
    witness = Witness(threading.get_ident())
    answered: list[str] = []
    synced: list[object] = []
    clock = QElapsedTimer()
    at = {"stage": "start"}

    def beat() -> None:
        late, busy = clock.restart() - _BEAT_MS, witness.beat()
        if late > 20:
            stalls.append(Stall(float(late), busy, at["stage"], witness.where))

    def end() -> None:
        # Closing waits for the service to end, which is no stall.
        heart.stop()
        qt.quit()

    def ask_next() -> None:
        if len(answered) < len(_QUESTIONS):
            at["stage"] = f"question {len(answered) + 1}"
            session.ask(Question(_QUESTIONS[len(answered)]))
        elif synced:
            end()

    def on_turn_ended(_conversation: object, turn: Turn) -> None:
        if turn.view is not None:
            answered.append("answered")
            window.citations.show_citation(1)
            QTimer.singleShot(700, ask_next)
        else:
            # Nothing is searchable yet: ask again a little later.
            at["stage"] = f"waiting ({turn.error})"
            QTimer.singleShot(1500, ask_next)

    def on_sync_finished(report: object) -> None:
        synced.append(report)
        if len(answered) >= len(_QUESTIONS):
            end()

    def on_exception(kind: type[BaseException], error: BaseException, trace: object) -> None:
        # Qt would print it and wait on for ever.
        sys.__excepthook__(kind, error, trace)  # type: ignore[arg-type]
        qt.exit(1)

    sys.excepthook = on_exception
    session.turn_ended.connect(on_turn_ended)
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
    code = qt.exec()
    application.close()
    if code != 0:
        raise SystemExit(code)
    worst = sorted(stalls, key=lambda stall: -stall.late_ms)[:5]
    return {
        "worst_ms": max((stall.late_ms for stall in stalls), default=0.0),
        "stalls": [asdict(stall) for stall in worst],
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
            folder = link_ten_files(shared, Path(name) / "documents")
            variables = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), name)
            words = ("tests.benchmarks.bench_window_stall", "--once", folder, name)
            seen = command_line.run_bench(*words, variables=variables)
        worst.append(seen["worst_ms"])
        print(f"run {run}: {seen['n_answers']} answers in {seen['seconds']:.0f} s, worst stalls:")
        for stall in seen["stalls"]:
            print(f"    {stall['late_ms']:.0f} ms, {stall['busy_ms']:.0f} of them busy,", end=" ")
            print(f"at {stall['stage']}: {stall['where']}")
        if not seen["synced"] or seen["n_answers"] < len(_QUESTIONS):
            raise SystemExit("the run did not come to its end")
    verdict = "within" if max(worst) <= _LIMIT_MS else "OVER"
    print(f"worst stall of the GUI thread {max(worst):.0f} ms, {verdict} {_LIMIT_MS} ms")


if __name__ == "__main__":
    main()
