"""Draw the pictures of the tour: `make tour`, or `python packaging/make_tour.py docs/tour --kept`.

Every view of the window over the sample library, light and dark, on a screen of 1366x768 and on one
of twice its pixels. The real window is driven offscreen, so that the pictures show the program as
it is and no document of anybody else. Frames that the system draws around windows are left out.

The repository keeps the pictures that its pages link to, and of those a picture is written only
when its view changed: each one that is written anew stays in the history for good.
"""

from __future__ import annotations

# No Qt here: the processes that the window starts import this script too, and need none.
import argparse
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

_SIZE = (1366, 768)
_SCALES = (1, 2)
_ROOT = Path(__file__).parent.parent
_SAMPLE = _ROOT / "resources" / "sample_library"
_PAGES = (_ROOT / "README.md", _ROOT / "docs" / "tour.md")
_NOT_READ = ("Release notes.html", "Installation.md", "Installation.docx")
"""Laid beside the sample documents: folders hold more than what is read."""
_QUALITY, _LARGE_QUALITY = 88, 70
"""Of WebP: a sixth of the bytes of a PNG, and small print stays sharp."""

_NOTICED = 48
"""Levels of 255 from which on a pixel is another; compression alone stays below."""

_MOST_CHANGED = 0.001
"""Share of the pixels up to which a view is the same: durations differ each time."""


class Camera:
    """Takes pictures of a window with everything that stands over it."""

    def __init__(self, window: QWidget, target: Path) -> None:
        self._window = window
        self._target = target

    def take(self, name: str) -> None:
        """Save what the user sees under a name, unless that is what its file shows already."""
        from PySide6.QtCore import QPoint
        from PySide6.QtGui import QColor, QPainter
        from PySide6.QtWidgets import QApplication

        picture = self._window.grab()
        painter = QPainter(picture)
        corner = self._window.mapToGlobal(QPoint(0, 0))
        for widget in QApplication.topLevelWidgets():
            if widget is not self._window and widget.isVisible() and widget.width() > 1:
                at = widget.mapToGlobal(QPoint(0, 0)) - corner
                painter.drawPixmap(at, widget.grab())
                painter.setPen(QColor(128, 132, 140, 110))
                painter.drawRect(at.x(), at.y(), widget.width() - 1, widget.height() - 1)
        painter.end()
        save(_pillow_image(picture.toImage()), self._target / f"{name}.webp")


def linked_pictures() -> frozenset[str]:
    """Return the names of the pictures that README and the tour show, "03-answer-light"."""
    texts = (page.read_text(encoding="utf-8") for page in _PAGES)
    return frozenset(name for text in texts for name in re.findall(r"tour/([\w-]+)\.webp", text))


def save(image: Image.Image, file: Path) -> None:
    """Write a picture; a file that shows the same stays as it is, byte for byte."""
    from PIL import Image

    quality = _QUALITY if image.width <= _SIZE[0] else _LARGE_QUALITY
    written = io.BytesIO()
    image.save(written, "WEBP", quality=quality, method=6)
    if file.is_file():
        with Image.open(file) as before, Image.open(written) as now:
            if _shows_the_same(before.convert("L"), now.convert("L")):
                return
    file.write_bytes(written.getvalue())


def _shows_the_same(before: Image.Image, now: Image.Image) -> bool:
    from PIL import ImageChops

    if before.size != now.size:
        return False
    levels = ImageChops.difference(before, now).histogram()
    return sum(levels[_NOTICED:]) <= _MOST_CHANGED * sum(levels)


def _pillow_image(image: QImage) -> Image.Image:
    from PIL import Image
    from PySide6.QtGui import QImage

    plain = image.convertToFormat(QImage.Format.Format_RGBX8888)
    size = (plain.width(), plain.height())
    whole = Image.frombuffer("RGBX", size, bytes(plain.constBits()), "raw", "RGBX", 0, 1)
    return whole.convert("RGB")


def _screen(folder: Path, scale: int) -> str:
    """Return the platform with one screen of the size, at so many pixels to a point."""
    screen = {
        "name": "Screen",
        "x": 0,
        "y": 0,
        "width": _SIZE[0] * scale,
        "height": _SIZE[1] * scale,
        "logicalDpi": 96,
        "dpr": 1,
    }
    file = folder / "screens.json"
    file.write_text(json.dumps({"screens": [screen]}), encoding="utf-8")
    return f"offscreen:configfile={file}"


def _walk_in_a_process(target: Path, scale: int, options: list[str]) -> None:
    """Take all pictures of a scale; Qt reads it once, when it starts."""
    # A short name: pictures show where things lie.
    home = Path(tempfile.gettempdir()) / "engineer"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(_SAMPLE, home / "Datasheets", ignore=shutil.ignore_patterns("*.json*"))
    for name in _NOT_READ:
        (home / "Datasheets" / name).touch()
    environment = os.environ | {
        "QT_QPA_PLATFORM": _screen(home, scale),
        "QT_SCALE_FACTOR": str(scale),
        "XDG_DATA_HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_STATE_HOME": str(home),
        "HF_HUB_OFFLINE": "1",
    }
    command = [sys.executable, __file__, str(target), "--walk", str(scale), "--home", str(home)]
    subprocess.run([*command, *options], env=environment, check=True)
    shutil.rmtree(home)


def _walk(target: Path, scale: int, home: Path, is_wanted: Callable[[str], bool]) -> None:
    from photographer import Photographer
    from tour_views import Guide, views

    from desktop_qa.gui.widgets.theme import ThemeChoice

    photographer = Photographer(home)
    photographer.window.resize(*_SIZE)
    photographer.window.move(0, 0)
    guide = Guide(photographer, home / "Datasheets")
    camera = Camera(photographer.window, target)
    keeper = photographer.application.keeper
    for name, view in views():
        guide.tidy()
        view(guide)
        photographer.settle(0.8)
        for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            picture = f"{name}-{choice.value}" + ("" if scale == 1 else f"-{scale}x")
            if not is_wanted(picture):
                continue
            keeper.choose(choice)
            photographer.settle(0.6)
            camera.take(picture)
        keeper.choose(ThemeChoice.LIGHT)
    guide.tidy()
    photographer.application.close()
    guide.model.close()


def main() -> None:
    """Take the pictures of both scales, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("--only", default="", help="words in the name of the views to take")
    parser.add_argument("--kept", action="store_true", help="only those that pages link to")
    parser.add_argument("--scale", type=int, choices=_SCALES, help="only this one")
    parser.add_argument("--walk", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.target.mkdir(parents=True, exist_ok=True)
    if arguments.walk is not None:
        linked = linked_pictures() if arguments.kept else None
        _walk(
            arguments.target,
            arguments.walk,
            arguments.home,
            lambda name: arguments.only in name and (linked is None or name in linked),
        )
        return
    options = ["--only", arguments.only, *(("--kept",) if arguments.kept else ())]
    scales = (1,) if arguments.kept else _SCALES
    for scale in scales if arguments.scale is None else (arguments.scale,):
        _walk_in_a_process(arguments.target.resolve(), scale, options)


if __name__ == "__main__":
    main()
