"""A document's Markdown for reading in the window, and as files that stand for themselves."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from desktop_qa.core.errors import AlreadyThereError, ExportError
from desktop_qa.core.view import ExportReport
from desktop_qa.core.whole_files import write_whole

_IMAGE = re.compile(r"!\[((?:\\.|[^\]\\])*)\]\(([^()\s]*)\)")
_DELIMITER = re.compile(r"\|(?: --- \|)+")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_PART_CHARACTERS = 3000
_MAX_NAME_CHARACTERS = 120
_FORBIDDEN = re.compile(r'[\\/:*?"<>|\x00-\x1f]')


def file_name(name: str) -> str:
    """Return a document's name as a file may be called on any system, without an ending."""
    return _FORBIDDEN.sub("_", name).strip(" .")[:_MAX_NAME_CHARACTERS] or "document"


def markdown_parts(text: str, n_characters: int = _PART_CHARACTERS) -> Iterator[str]:
    """Cut Markdown at empty lines; fences, lists and tables stay whole.

    Args:
        text: Of the document.
        n_characters: A part ends with the block that reaches it.
    """
    part: list[str] = []
    size = 0
    is_code = False
    for block in re.split(r"(?<=\n\n)", text):
        part.append(block)
        size += len(block)
        is_code ^= sum(line.startswith("```") for line in block.split("\n")) % 2 == 1
        if size >= n_characters and not is_code:
            yield "".join(part)
            part, size = [], 0
    if part:
        yield "".join(part)


def with_images(text: str, link_of: Callable[[str], str | None]) -> str:
    """Give the images of a text other links; one that has none leaves its caption behind.

    Args:
        text: Markdown.
        link_of: From the link in the text to the new one, None when the image is not there.
    """

    def changed(found: re.Match[str]) -> str:
        caption, link = found.group(1), found.group(2)
        new = link_of(link)
        if new is None:
            return f"*{caption or 'Figure'} (image missing)*"
        return f"![{caption}]({new})"

    return _IMAGE.sub(changed, text)


def with_one_header_row(text: str) -> str:
    """Join the header rows of each table: Markdown readers know one, and take more for no table.

    Args:
        text: Markdown whose tables may have several rows above the line of dashes.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        if _DELIMITER.fullmatch(line):
            head: list[str] = []
            while lines and lines[-1].startswith("|"):
                head.insert(0, lines.pop())
            lines.append(_joined_rows(head) if len(head) > 1 else "".join(head))
        lines.append(line)
    return "\n".join(lines)


def _joined_rows(rows: list[str]) -> str:
    columns = zip(*(_CELL_BORDER.split(row)[1:-1] for row in rows), strict=False)
    texts = (dict.fromkeys(cell.strip() for cell in column if cell.strip()) for column in columns)
    return "| " + " | ".join(" / ".join(cells) for cells in texts) + " |"


def image_in(library_folder: Path, link: str) -> Path | None:
    """Return the file that an image's link names; None when it is not in the library."""
    path = library_folder / link
    if not link or not path.resolve().is_relative_to(library_folder.resolve()):
        return None
    return path if path.is_file() else None


def export_markdown(
    text: str, library_folder: Path, target: Path, *, replace: bool = False
) -> ExportReport:
    """Write a document's Markdown and a folder with its images beside it, all or nothing.

    `name.md` comes with `name_files/`; the links are relative. A drawing that is there as SVG too
    is copied in both forms.

    Args:
        text: Markdown whose images are linked relative to the library.
        library_folder: Where the images are.
        target: The Markdown file; its folder is there.
        replace: Write over what an earlier export left; other files of the folder stay.

    Raises:
        AlreadyThereError: When there is such a file or folder and `replace` is false.
        ExportError: When it cannot be written.
    """
    images_folder = target.with_name(f"{target.stem}_files")
    check_target(target, (target, images_folder), library_folder, replace=replace)
    images: dict[str, Path] = {}
    missing: dict[str, None] = {}

    def link_of(link: str) -> str | None:
        source = image_in(library_folder, link)
        if source is None:
            missing[link] = None
            return None
        images[source.name] = source
        return f"{quote(images_folder.name)}/{quote(source.name)}"

    content = with_images(text, link_of).encode()
    forms = (s.with_suffix(suffix) for s in images.values() for suffix in (s.suffix, ".svg"))
    files = {path.name: path for path in forms if path.name in images or path.is_file()}
    try:
        write_with_images(content, files, target, images_folder)
    except OSError as error:
        raise export_error(error, target.parent) from error
    return ExportReport(
        str(target),
        str(images_folder) if images else "",
        len(images),
        tuple(link for link in missing if link),
    )


def check_target(
    target: Path, written: Sequence[Path], library_folder: Path, *, replace: bool
) -> None:
    """Say why a file cannot be exported.

    Args:
        target: The file.
        written: All files and folders that come about.
        library_folder: Nothing is written into it.
        replace: What is there is written over.

    Raises:
        AlreadyThereError: When something is there and `replace` is false.
        ExportError: When the place is none to write to.
    """
    folder = target.parent
    if not folder.is_dir():
        raise ExportError(f"There is no folder {folder}.", "Choose a folder that is there.")
    if folder.resolve().is_relative_to(library_folder.resolve()):
        raise ExportError(
            "This folder belongs to the library itself.", "Choose a folder outside of it."
        )
    if target.is_dir():
        raise ExportError(f"{target.name} is a folder.", "Choose another name.")
    there = [path.name for path in written if path.exists()]
    if there and not replace:
        verb = "is" if len(there) == 1 else "are"
        raise AlreadyThereError(
            f"{' and '.join(there)} {verb} already in {folder}.",
            "Replace what is there, or choose another name.",
        )


def write_with_images(
    content: bytes, images: Mapping[str, Path], target: Path, images_folder: Path
) -> None:
    """Write a file and the images beside it, all aside first: a full disk leaves no half of it.

    Args:
        content: Of the file.
        images: To be copied, by their names in the folder, which is made when there are any.
        target: The file.
        images_folder: Other files of it stay.

    Raises:
        OSError: When something cannot be read or written.
    """
    with tempfile.TemporaryDirectory(
        prefix=".export-", dir=target.parent, ignore_cleanup_errors=True
    ) as folder:
        aside = Path(folder)
        write_whole(aside / "content", content)
        for name, source in images.items():
            shutil.copyfile(source, aside / name)
        if images:
            images_folder.mkdir(exist_ok=True)
        for name in images:
            (aside / name).replace(images_folder / name)
        (aside / "content").replace(target)


def export_error(error: OSError, folder: Path, what: str = "document") -> ExportError:
    """Say why something could not be written to a folder.

    Args:
        error: What the system says.
        folder: Where it should have gone.
        what: A noun for what was being written.
    """
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return ExportError(
            f"The disk is full, so the {what} could not be exported.",
            f"Free some space where {folder} is, or choose another place.",
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return ExportError(
            f"You may not write to {folder}.", "Choose another folder, or change its permissions."
        )
    if error.errno == errno.ENAMETOOLONG:
        return ExportError("The name is too long for this disk.", "Choose a shorter one.")
    reason = os.strerror(error.errno) if error.errno else str(error)
    return ExportError(
        f"The {what} could not be exported to {folder} ({reason.lower()}).",
        "Check that its drive is connected and healthy, or choose another place.",
    )
