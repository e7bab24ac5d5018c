"""A heartbeat on the GUI thread while a model writes 200 tokens a second, with markers.

`python -m tests.benchmarks.bench_model_stream FOLDER QUESTION` reads a folder of documents, asks,
and prints the longest stall, the time from the first token to the first text, and that from Stop to
a quiet window.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QSettings, Qt, QTimer

from desktop_qa.core.question import Question
from desktop_qa.gui import application as module
from desktop_qa.llm.profile import ProfileStore
from desktop_qa.service.client import ServiceClient
from tests.llm.asking import profile_of
from tests.llm.scripted_server import DONE, Request, ScriptedServer, delta, head

_BEAT_MS = 5
_N_TOKENS = 1000
_STOPPED_AFTER_S = 2.0


class _Model:
    """Writes sentences with markers; the server waits 5 ms after each token."""

    def __init__(self) -> None:
        self.first_token_at = 0.0

    def reply(self, _request: Request) -> Iterator[object]:
        yield head()
        yield 0.5
        self.first_token_at = time.monotonic()
        for number in range(_N_TOKENS):
            word = f"voltage{number} is 9 µV" if number % 40 == 20 else "the supply"
            end = " [1].\n\n" if number % 40 == 39 else " [2]. " if number % 10 == 9 else " "
            yield delta(content=word + end)
        yield delta(finish="stop")
        yield DONE


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("question")
    options = arguments.parse_args()
    model = _Model()
    with tempfile.TemporaryDirectory() as home, ScriptedServer(by=model.reply) as server:
        _run(options, model, server, Path(home))


def _run(options: argparse.Namespace, model: _Model, server: ScriptedServer, home: Path) -> None:
    qt = module.make_qt_application(["bench"])
    settings = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
    library = home / "library"
    application = module.Application(qt, ServiceClient(), settings, options.folder, library)
    session, window = application.session, application.window
    profile = profile_of(server, max_answer_tokens=4096, n_context=16384)
    window.models.choice.store = ProfileStore(home / "models.toml")
    window.models.choice.store.save(profile)
    window.models.choice.choose(profile.name)
    section = window.answer_panel.model_section
    late: list[int] = []
    first_text_ms: list[float] = []
    clock = QElapsedTimer()
    n_asked = [0]

    def beat() -> None:
        late.append(clock.restart() - _BEAT_MS)
        said = section.said
        if said is not None and said.blocks and not first_text_ms and section.text.isVisible():
            first_text_ms.append((time.monotonic() - model.first_token_at) * 1000)
            print(f"first text {first_text_ms[0]:.0f} ms after the first token")
        if said is not None and said.is_over and section.isVisible():
            heart.stop()
            print(
                f"longest stall {max(late)} ms in {len(late)} beats; {section.state_label.text()}"
            )
            QTimer.singleShot(300, next_step)

    def next_step() -> None:
        n_asked[0] += 1
        if n_asked[0] > 1:
            qt.quit()
            return
        window.action("ask_model").trigger()
        QTimer.singleShot(int(_STOPPED_AFTER_S * 1000), stop)

    def stop() -> None:
        began = time.monotonic()
        window.action("stop").trigger()
        qt.processEvents()
        print(
            f"stopped in {(time.monotonic() - began) * 1000:.0f} ms, {section.state_label.text()}"
        )
        QTimer.singleShot(700, next_step)

    def begin() -> None:
        # What follows the offline answer is over: the document is open beside it.
        late.clear()
        clock.start()
        heart.start()

    heart = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=_BEAT_MS)
    heart.timeout.connect(beat)
    session.turn_ended.connect(lambda *_turn: QTimer.singleShot(400, begin))
    session.sync_finished.connect(lambda _report: session.ask(Question(options.question)))
    QTimer.singleShot(300_000, qt.quit)
    window.resize(1366, 768)
    window.show()
    qt.exec()
    application.close()


if __name__ == "__main__":
    main()
