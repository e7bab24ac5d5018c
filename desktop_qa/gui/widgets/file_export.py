"""Writing to files: where to, how it went, opening it; documents and answers among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog

from desktop_qa.answer_export.files import ExportForm, form_of, suggested_name
from desktop_qa.core.errors import AlreadyThereError, DesktopQaError, ExportError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import AnswerView, ExportReport
from desktop_qa.export import file_name
from desktop_qa.gui.widgets.labels import n_of
from desktop_qa.gui.widgets.messages import NoticeAction, NoticeLevel
from desktop_qa.gui.widgets.opening import open_path, show_in_folder
from desktop_qa.gui.window_parts import Feature

_FORM_KEY = "export/answers_form"
_FILTERS = {form: f"{form.label} (*.{form.value})" for form in ExportForm}
_KINDS = {"markdown": ExportForm.MARKDOWN} | {form.value: form for form in ExportForm}

Write = Callable[[Path, bool], None]
"""Has answers written to a file, over what is there when the second value is true."""


class FileExport(Feature):
    """Asks where, lets the library's process write, and says how it went.

    A subclass says what is exported and calls `ask`, then `write`.
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

    def write(
        self,
        target: Path,
        method: str,
        *arguments: object,
        told: Callable[[Any], tuple[str, str]] = lambda _result: ("", ""),
        ways_on: Iterable[NoticeAction] = (),
    ) -> None:
        """Have the library's process write a file, and say how it went.

        `told` makes a message and what is amiss of what came; see `tell_failed` for `ways_on`.
        """
        self.begin(target)
        self._session.request(
            method,
            *arguments,
            on_result=lambda result: self.tell_written(target, *told(result)),
            on_failure=lambda error: self.tell_failed(error, *ways_on),
        )

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


class ExportAction(FileExport):
    """Has documents written as Markdown."""

    folder_key = "export/folder"
    notice = "export"

    def choose(self, status: DocumentStatus) -> None:
        """Ask for a place and export a document there."""
        name = f"{file_name(PurePosixPath(status.file).stem)}.md"
        target, _ = self.ask("Export Markdown", name, ("Markdown (*.md)",), confirms=False)
        if target is not None:
            self.export(status, with_ending(target, ".md"))

    def export(self, status: DocumentStatus, target: Path, *, replace: bool = False) -> None:
        """Export a document to a Markdown file and a folder of images beside it."""
        ways_on = (
            NoticeAction("Replace", partial(self.export, status, target, replace=True)),
            NoticeAction("Another name …", partial(self.choose, status)),
        )
        self.write(
            *(target, "export_markdown", status.document_id, str(target), replace),
            told=self._told,
            ways_on=ways_on,
        )

    def _told(self, report: ExportReport) -> tuple[str, str]:
        images = f" with {n_of(report.n_images, 'image')}" if report.n_images else ""
        words = f"{Path(report.file).name} was exported{images}"
        if not report.missing:
            return f"{words}.", ""
        return (
            f"{words}; {_lost(len(report.missing), 'image')} not in the library any more.",
            "Read the document again to draw them, then export it once more.",
        )


class AnswerExport(FileExport):
    """Has answers written, in one of several forms."""

    folder_key = "export/answers_folder"
    notice = "export_answer"

    def choose_view(self, view: AnswerView, kind: str = "") -> None:
        """Ask for a place and write the answer on screen there.

        `kind` is "markdown", "html", "pdf" or "docx"; the form of the last export when empty.
        """
        answer = view.answer
        if answer.history_id:
            self.choose_history((answer.history_id,), answer.question, kind)
        else:
            # The library is open for reading: its history does not have the answer.
            self._choose(answer.question, kind, partial(self._request, "export_view", view))

    def choose_history(self, ids: tuple[int, ...], question: str, kind: str = "") -> None:
        """Ask for a place and write earlier questions there, in the order given."""
        self._choose(question, kind, partial(self._request, "export_history", ids))

    def choose_conversation(self, conversation: str, question: str) -> None:
        """Ask for a place and write a whole conversation there."""
        self._choose(question, "", partial(self._request, "export_conversation", conversation))

    def _choose(self, question: str, kind: str, write: Write) -> None:
        kept = str(self._settings.value(_FORM_KEY, ExportForm.PDF.value))
        form = _KINDS.get(kind) or _KINDS.get(kept, ExportForm.PDF)
        name = f"{suggested_name(question)}.{form.value}"
        chosen, chosen_filter = self.ask(
            *("Export", name, _FILTERS.values(), _FILTERS[form]), confirms=False
        )
        if chosen is not None:
            target = _with_ending(chosen, chosen_filter)
            self._settings.setValue(_FORM_KEY, form_of(target).value)
            write(target, False)

    def _request(self, method: str, what: object, target: Path, replace: bool) -> None:
        again = partial(self._request, method, what, target, True)
        self.write(
            *(target, method, what, str(target), replace),
            told=self._told,
            ways_on=(NoticeAction("Replace", again),),
        )

    def _told(self, report: ExportReport) -> tuple[str, str]:
        lost = _lost(len(report.missing), "figure")
        return "", f"{lost} not in the library any more; it says so." if report.missing else ""


def _lost(number: int, noun: str) -> str:
    return f"{n_of(number, noun)} {'is' if number == 1 else 'are'}"


def _with_ending(target: Path, chosen_filter: str) -> Path:
    """Give a name its ending where the user left it out, or typed one that means no form."""
    try:
        form_of(target)
    except ExportError:
        form = next((f for f, text in _FILTERS.items() if text == chosen_filter), ExportForm.PDF)
        return target.with_name(f"{target.name}.{form.value}")
    return target
