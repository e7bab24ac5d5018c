"""What every export has alike: where to, how it went, and opening what was written."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog

from desktop_qa.core.errors import AlreadyThereError, DesktopQaError
from desktop_qa.gui.widgets.messages import NoticeAction, NoticeLevel
from desktop_qa.gui.widgets.opening import open_path, show_in_folder
from desktop_qa.gui.window_parts import Feature


class FileExport(Feature):
    """Asks where, lets the library's process write, and says how it went.

    A subclass says what is exported and calls `ask`, then `begin`, `tell_written`, `tell_failed`.
    """

    folder_key: ClassVar[str]
    notice: ClassVar[str]
    usual_place: ClassVar[QStandardPaths.StandardLocation] = (
        QStandardPaths.StandardLocation.DocumentsLocation
    )

    def ask(
        self,
        title: str,
        name: str,
        filters: Iterable[str],
        chosen_filter: str = "",
        *,
        confirms: bool = True,
    ) -> tuple[Path | None, str]:
        """Ask for a file; returns None when the user thinks better of it.

        The dialog asks before it takes a file that is there, unless `confirms` is False: then the
        export finds out, which knows about files beside it too.
        """
        usual = QStandardPaths.writableLocation(self.usual_place) or str(Path.home())
        folder = Path(str(self._settings.value(self.folder_key, usual)))
        start = str((folder if folder.is_dir() else Path.home()) / name)
        chosen, form = QFileDialog.getSaveFileName(
            self._window,
            title,
            start,
            ";;".join(filters),
            chosen_filter,
            options=QFileDialog.Option(0) if confirms else QFileDialog.Option.DontConfirmOverwrite,
        )
        return (Path(chosen) if chosen else None), form

    def begin(self, target: Path) -> None:
        """Remember the folder, and take away what was said of an export before."""
        self._settings.setValue(self.folder_key, str(target.parent))
        self._messages.withdraw(self.notice)

    def tell_written(self, file: Path, message: str = "", trouble: str = "") -> None:
        """Say that a file was written, and offer to open it; with trouble the notice stays."""
        self._messages.say(
            message or f"{file.name} was exported.",
            trouble or f"It is in {file.parent}.",
            NoticeAction("Open", partial(open_path, file)),
            NoticeAction("Show in folder", partial(show_in_folder, file)),
            level=NoticeLevel.WARNING if trouble else NoticeLevel.INFORMATION,
            key=self.notice,
            passes=not trouble,
        )

    def tell_failed(self, error: DesktopQaError, *ways_on: NoticeAction) -> None:
        """Say why nothing was written; where a file is in the way, offer ways on."""
        offered = ways_on if isinstance(error, AlreadyThereError) else ()
        level = NoticeLevel.WARNING if offered else NoticeLevel.ERROR
        self._messages.say(error.message, error.hint, *offered, level=level, key=self.notice)


def with_ending(target: Path, ending: str) -> Path:
    """Give a name its ending when the user left it out."""
    return target if target.suffix else target.with_name(f"{target.name}{ending}")
