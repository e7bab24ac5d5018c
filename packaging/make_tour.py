"""Draw the pictures of docs/tour.md: `python packaging/make_tour.py docs/tour`.

Every view of the window over the sample library, light and dark, on a screen of 1366x768 and on one
of twice its pixels. The real window is driven offscreen, so that the pictures show the program as
it is and no document of anybody else. Frames that the system draws around windows are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from tour_views import Guide

_SIZE = (1366, 768)
_SCALES = (1, 2)
_SAMPLE = Path(__file__).parent.parent / "resources" / "sample_library"
_QUALITY, _LARGE_QUALITY = 88, 70
"""Of WebP: a sixth of the bytes of a PNG, and small print stays sharp."""


class Camera:
    """Takes pictures of a window with everything that stands over it."""

    def __init__(self, window: QWidget, target: Path, suffix: str) -> None:
        self._window = window
        self._target = target
        self._suffix = suffix

    def take(self, name: str) -> None:
        """Save what the user sees as `name` with the theme and the scale."""
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
        _save(picture.toImage(), self._target / f"{name}-{self._suffix}.webp")


def _save(image: QImage, file: Path) -> None:
    from PIL import Image

    plain = image.convertToFormat(QImage.Format.Format_RGBX8888)
    size = (plain.width(), plain.height())
    whole = Image.frombuffer("RGBX", size, bytes(plain.constBits()), "raw", "RGBX", 0, 1)
    quality = _QUALITY if plain.width() <= _SIZE[0] else _LARGE_QUALITY
    whole.convert("RGB").save(file, quality=quality, method=6)


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


def _walk_in_a_process(target: Path, scale: int, only: str) -> None:
    """Take all pictures of a scale; Qt reads it once, when it starts."""
    # A short name: pictures show where things lie.
    home = Path(tempfile.gettempdir()) / "engineer"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(_SAMPLE, home / "Datasheets", ignore=shutil.ignore_patterns("*.json*"))
    environment = os.environ | {
        "QT_QPA_PLATFORM": _screen(home, scale),
        "QT_SCALE_FACTOR": str(scale),
        "XDG_DATA_HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_STATE_HOME": str(home),
        "HF_HUB_OFFLINE": "1",
    }
    command = [sys.executable, __file__, str(target), "--walk", str(scale), "--home", str(home)]
    subprocess.run([*command, "--only", only], env=environment, check=True)
    shutil.rmtree(home)


def _walk(target: Path, scale: int, home: Path, only: str) -> None:
    from photographer import Photographer
    from tour_views import Guide, views

    from desktop_qa.gui.widgets.theme import ThemeChoice

    photographer = Photographer(home, target)
    photographer.window.resize(*_SIZE)
    photographer.window.move(0, 0)
    guide = Guide(photographer, home / "Datasheets")
    keeper = photographer.application.keeper
    for name, view in views():
        guide.tidy()
        _show(guide, view)
        for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            if only and only not in name:
                continue
            keeper.choose(choice)
            photographer.settle(0.6)
            suffix = choice.value if scale == 1 else f"{choice.value}-{scale}x"
            Camera(photographer.window, target, suffix).take(name)
        keeper.choose(ThemeChoice.LIGHT)
    guide.tidy()
    photographer.application.close()


def _show(guide: Guide, view: Callable[[Guide], None]) -> None:
    view(guide)
    guide.photographer.settle(0.8)


def main() -> None:
    """Take the pictures of both scales, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("--only", default="", help="words in the name of the views to take")
    parser.add_argument("--scale", type=int, choices=_SCALES, help="only this one")
    parser.add_argument("--walk", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.target.mkdir(parents=True, exist_ok=True)
    if arguments.walk is not None:
        _walk(arguments.target, arguments.walk, arguments.home, arguments.only)
        return
    for scale in _SCALES if arguments.scale is None else (arguments.scale,):
        _walk_in_a_process(arguments.target.resolve(), scale, arguments.only)


if __name__ == "__main__":
    main()
