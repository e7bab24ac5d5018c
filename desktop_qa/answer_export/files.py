"""Writing answers to a file: which form, under which name, all of it or nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from desktop_qa.answer_export.content import ExportedAnswers
from desktop_qa.core.errors import ExportError
from desktop_qa.core.view import ExportReport
from desktop_qa.core.whole_files import write_whole
from desktop_qa.export import check_target, export_error, write_with_images

_MAX_NAME_CHARACTERS = 80
_MAX_NAME_BYTES = 200
_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|_\x00-\x1f\x7f\ud800-\udfff]')
_RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)")


class ExportForm(StrEnum):
    """The forms that answers are exported in, by the ending of the file."""

    MARKDOWN = "md"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"

    @property
    def label(self) -> str:
        """What a person calls it."""
        return {"md": "Markdown", "html": "HTML", "pdf": "PDF", "docx": "Word document"}[self.value]


_ENDINGS = {**{form.value: form for form in ExportForm}, "markdown": ExportForm.MARKDOWN}
_ENDINGS["htm"] = ExportForm.HTML


def form_of(target: Path) -> ExportForm:
    """Return the form that a file's ending asks for.

    Raises:
        ExportError: When it is none of ours.
    """
    form = _ENDINGS.get(target.suffix.lower().removeprefix("."))
    if form is None:
        raise ExportError(
            f"{target.name} has no ending that says which form to write.",
            "End the name with .md, .html, .pdf or .docx.",
        )
    return form


def suggested_name(question: str) -> str:
    """Return a name for a file about a question, without an ending, that every system takes."""
    words = " ".join(_NOT_IN_NAMES.sub(" ", question).split())
    short = words[:_MAX_NAME_CHARACTERS]
    while len(short.encode()) > _MAX_NAME_BYTES:
        short = short[:-1]
    if len(short) < len(words):
        short = short.rsplit(" ", 1)[0]
    short = short.strip(" .-,;") or "answer"
    return f"_{short}" if _RESERVED.match(short) else short


def export_answers(
    answers: ExportedAnswers, target: Path, library_folder: Path, *, replace: bool = False
) -> ExportReport:
    """Write answers in the form that the target's ending asks for.

    Markdown has its figures in a folder `NAME_files` beside it, the other forms hold them.

    Args:
        answers: What to write.
        target: The file; its folder is there.
        library_folder: Nothing is written into it.
        replace: Write over what is there.

    Raises:
        AlreadyThereError: When there is such a file or folder and `replace` is false.
        ExportError: When it cannot be written, or has no ending that is known.
    """
    form = form_of(target)
    target = target.absolute()
    images_folder = target.with_name(f"{target.stem}_files")
    try:
        has_folder = form is ExportForm.MARKDOWN
        written = (target, images_folder) if has_folder else (target,)
        check_target(target, written, library_folder, replace=replace)
        content, images = _written(answers, form, images_folder.name)
        write_with_images(content, images, target, images_folder)
    except OSError as error:
        raise export_error(error, target.parent, "answer") from error
    return ExportReport(
        str(target),
        str(images_folder) if images else "",
        len(images),
        answers.missing_images,
    )


def write_file(content: bytes, target: Path) -> None:
    """Write a file, all of it or nothing; what was there is replaced.

    Raises:
        ExportError: When it cannot be written.
    """
    try:
        write_whole(target, content)
    except OSError as error:
        raise export_error(error, target.parent, "file") from error


def _written(
    answers: ExportedAnswers, form: ExportForm, images_folder: str
) -> tuple[bytes, Mapping[str, Path]]:
    # Each form has its own engine, and a start of the window needs none of them.
    if form is ExportForm.MARKDOWN:
        from desktop_qa.answer_export.markdown_form import as_markdown

        text, images = as_markdown(answers, images_folder)
        return text.encode(), images
    if form is ExportForm.HTML:
        from desktop_qa.answer_export.html_form import as_html

        return as_html(answers).encode(), {}
    if form is ExportForm.DOCX:
        from desktop_qa.answer_export.docx_form import as_docx

        return as_docx(answers), {}
    from desktop_qa.answer_export.pdf_form import as_pdf

    return as_pdf(answers), {}
