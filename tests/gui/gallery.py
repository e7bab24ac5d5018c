"""Photograph every kind of answer: `python -m tests.gui.gallery FOLDER [NAME ...]`.

Light and dark at 1366 x 768, and with QT_SCALE_FACTOR=2 at twice the resolution. The documents are
those of the sample library; the answers are made by hand, so that each kind looks the same in each
run whatever the engine answers today.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

_SIZE = (1366, 768)
_SETTLE_S = 0.35


def main() -> None:
    """Open the window over a service that says nothing, show the answers, take the pictures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        _photograph(Path(home), target, sys.argv[2:])


def _photograph(home: Path, target: Path, names: list[str]) -> None:
    from PySide6.QtCore import QSettings

    from desktop_qa import paths
    from desktop_qa.core.document import DocumentId
    from desktop_qa.core.progress import DocumentState, DocumentStatus
    from desktop_qa.gui.application import Application, make_qt_application
    from desktop_qa.gui.widgets.theme import DARK, LIGHT
    from tests.gui.fake_service import FakeService, make_library, show_answer
    from tests.gui.sample_answers import every_answer

    qt = make_qt_application(["gallery"])
    settings = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
    service = FakeService()
    application = Application(qt, service, settings)
    window = application.window
    window.resize(*_SIZE)
    window.show()

    def wait(is_done: Callable[[], bool], seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not is_done() and time.monotonic() < end:
            qt.processEvents()
            time.sleep(0.005)

    folder = paths.asset("resources/sample_library")
    statuses = tuple(
        DocumentStatus(
            DocumentId(file.name), file.name, (file.name,), state=DocumentState.READY,
            vendor="ORLUNDA", n_pages=12, path=str(file),
        )
        for file in sorted(folder.glob("*.pdf"))
    )  # fmt: skip
    wait(lambda: service.n_starts == 1)
    window.libraries.open_folder(folder)
    service.answer("open_library", make_library(statuses, source=str(folder)))
    wait(lambda: window.session.library is not None)
    icon = _picture(home / "figure.png")
    for theme in (LIGHT, DARK):
        application.keeper.use(theme)
        for name, view in every_answer(folder, str(icon)).items():
            if names and name not in names:
                continue
            show_answer(window, service, view)
            started = time.monotonic()
            wait(lambda since=started: time.monotonic() > since + _SETTLE_S)  # type: ignore[misc]
            window.grab().save(str(target / f"{name}_{theme.name}.png"))
            if name == "table":
                window.answer_panel.why_button.setChecked(True)
                window.evidence_panel.shown_cards[0].why_button.setChecked(True)
                started = time.monotonic()
                wait(lambda since=started: time.monotonic() > since + _SETTLE_S)  # type: ignore[misc]
                window.grab().save(str(target / f"why_{theme.name}.png"))
                window.answer_panel.why_button.setChecked(False)
    application.close()


def _picture(path: Path) -> Path:
    """Draw a figure of a board with jumpers."""
    from PySide6.QtCore import QRectF, Qt
    from PySide6.QtGui import QColor, QImage, QPainter, QPen

    image = QImage(900, 420, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor("#333333"), 3))
    painter.drawRoundedRect(QRectF(60, 40, 780, 340), 18, 18)
    for index, name in enumerate(("JP1", "JP2", "JP3", "J2", "D4")):
        box = QRectF(110 + index * 145, 150, 100, 110)
        painter.drawRect(box)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
    painter.end()
    image.save(str(path))
    return path


if __name__ == "__main__":
    main()
