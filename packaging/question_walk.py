"""Follow one question from the key to the library, by the calls that hand it on.

The window is built over a document of the sample library, with the library's process as a child as
always; a question is typed and Enter pressed. Calls are watched in both: in the window until the
question goes over the line, in the library's process from the lane that took it until something
beyond `service` and `library` is called with it. What stands on the stack then are the steps.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

DOCUMENT = "ORLUNDA_ORT112_RevA.pdf"
QUESTION = "What is the supply voltage of the sensor?"
_REPORT = "DESKTOP_QA_WALK"
_TURN_MS = 50
_WAIT_TURNS = 2400


def _steps_of(frame: FrameType | None) -> list[str]:
    """Return the program's functions on a stack, outermost first."""
    found: list[str] = []
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith("desktop_qa."):
            found.append(f"{module.removeprefix('desktop_qa.')}.{frame.f_code.co_qualname}")
        frame = frame.f_back
    return found[::-1]


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


class _Watch:
    """Calls `found` with the stack of the first call that `is_last` knows."""

    def __init__(
        self, is_last: Callable[[FrameType], bool], found: Callable[[list[str]], None]
    ) -> None:
        self._is_last = is_last
        self._found = found

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and self._is_last(frame):
            sys.setprofile(None)
            self._found(_steps_of(frame.f_back))


def _goes_over_the_line(frame: FrameType) -> bool:
    is_send = frame.f_code.co_name == "send" and "connection" in frame.f_code.co_filename
    return is_send and QUESTION in repr(frame.f_locals.get("obj"))


def _leaves_the_library(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    if not module.startswith(("desktop_qa.retrieve", "desktop_qa.answer")):
        return False
    selves = [above.f_locals.get("self") for above in _frames(frame)]
    works = [s for s in selves if type(s).__name__ == "_WorkItem"]
    if not any(QUESTION in repr(getattr(work, "args", ())) for work in works):
        return False
    # The library loads its indexes first: what is waited for has the question, or a value of it.
    values = frame.f_locals.values()
    return any(isinstance(v, str) and v == QUESTION for v in values) or any(
        getattr(v, "text", None) == QUESTION for v in values
    )


def serve_watched(connection: Connection) -> None:
    """Serve as the library's process does, and write down how a question came through."""
    from desktop_qa.service.library_service import serve

    def write(steps: list[str]) -> None:
        threading.setprofile(None)
        Path(os.environ[_REPORT]).write_text("\n".join(steps), encoding="utf-8")

    threading.setprofile(_Watch(_leaves_the_library, write))
    serve(connection)


def steps() -> list[str]:
    """Ask in a window without a screen and return the steps, window first.

    Raises:
        TimeoutError: When the question did not come through.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        report = Path(home) / "steps.txt"
        os.environ[_REPORT] = str(report)
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            os.environ[name] = str(Path(home) / name)
        asked = _ask(Path(home))
        return asked + report.read_text(encoding="utf-8").splitlines()


def _wait(is_so: Callable[[], bool]) -> None:
    from PySide6.QtTest import QTest

    for _ in range(_WAIT_TURNS):
        if is_so():
            return
        QTest.qWait(_TURN_MS)
    msg = "The question did not come through."
    raise TimeoutError(msg)


def _ask(home: Path) -> list[str]:
    from PySide6.QtCore import QSettings, Qt
    from PySide6.QtTest import QSignalSpy, QTest

    from desktop_qa.core.progress import DocumentState
    from desktop_qa.gui.application import Application, make_qt_application
    from desktop_qa.paths import asset
    from desktop_qa.service.client import ServiceClient

    documents = home / "documents"
    documents.mkdir()
    shutil.copy(asset(f"resources/sample_library/{DOCUMENT}"), documents)
    qt = make_qt_application(["walk"])
    settings = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
    application = Application(
        qt, ServiceClient(serve_watched), settings, documents, home / "library"
    )
    session = application.session
    ended = QSignalSpy(session.turn_ended)
    found: list[str] = []
    try:
        application.window.show()
        _wait(lambda: any(s.state is DocumentState.READY for s in session.statuses))
        edit = application.window.ask_box.edit
        edit.setPlainText(QUESTION)
        sys.setprofile(_Watch(_goes_over_the_line, found.extend))
        QTest.keyClick(edit, Qt.Key.Key_Return)
        sys.setprofile(None)
        _wait(lambda: ended.count() > 0)
    finally:
        application.close()
    return found
