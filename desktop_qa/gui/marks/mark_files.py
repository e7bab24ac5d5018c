"""Marks as a file: where to, and how it went."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from desktop_qa.gui.widgets.file_export import FileExport, with_ending

_NOTICE = "marks"
_FOLDER_KEY = "export/marks_folder"
_FORMS = {"Markdown (*.md)": ".md", "CSV (*.csv)": ".csv"}


class MarkExport(FileExport):
    """Asks where, and lets the library's process write."""

    folder_key = _FOLDER_KEY
    notice = _NOTICE

    def choose(self, ids: Sequence[str] | None) -> None:
        """Ask for a place and have marks written there, all of them when `ids` is None."""
        target, form = self.ask("Export Marks", "Marks.md", _FORMS)
        if target is not None:
            self.export(with_ending(target, _FORMS.get(form, ".md")), ids)

    def export(self, target: Path, ids: Sequence[str] | None = None) -> None:
        """Have marks written, over what is there."""
        self.begin(target)
        wanted = None if ids is None else tuple(ids)
        self._session.request(
            *("export_marks", str(target), wanted, True),
            on_result=partial(self._on_exported, target),
            on_failure=self.tell_failed,
        )

    def _on_exported(self, target: Path, n_marks: int) -> None:
        words = "1 mark was" if n_marks == 1 else f"{n_marks} marks were"
        self.tell_written(target, f"{words} written to {target.name}.")
