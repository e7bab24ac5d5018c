"""Looks into what was dropped on the window: what can be taken, and why the rest cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from desktop_qa.catalog import Survey, survey
from desktop_qa.core.drops import Dropped, LeftOut
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.file_kinds import (
    HINTS,
    FileKind,
    FileTally,
    counts_of,
    kind_of_name,
    not_read_text,
)
from desktop_qa.libraries import is_library

_HEADER_BYTES = 1024
"""Readers accept a PDF whose mark stands anywhere here."""

KnownFiles = Mapping[Path, frozenset[str]]
"""Source folders of the open library, with the files that are taken from each."""


def sort_dropped(paths: Iterable[str], links: Iterable[str], known: KnownFiles) -> Dropped:
    """Tell what of a drop can be taken; nothing is changed.

    Args:
        paths: Of local files and folders.
        links: Addresses that are no local files.
        known: What is in the library already.
    """
    folders: dict[str, Survey] = {}
    files: dict[str, None] = {}
    left_out = [
        LeftOut(link, FileKind.LINK, "It is on the network.", HINTS[FileKind.LINK])
        for link in links
    ]
    n_known = 0
    for text in dict.fromkeys(paths):
        path = Path(text).expanduser().absolute()
        found = _look_into(path)
        if isinstance(found, LeftOut):
            left_out.append(found)
        elif _is_known(path.resolve(), known):
            n_known += 1
        elif found is None:
            files[str(path)] = None
        else:
            folders[str(path)] = found
    # A file in a folder that is taken comes with it.
    parents = [Path(folder) for folder in folders]
    alone = (f for f in files if not any(Path(f).is_relative_to(parent) for parent in parents))
    passed_over: FileTally = sum((found.passed_over for found in folders.values()), Counter())
    n_inside = sum(len(found.taken) for found in folders.values())
    return Dropped(
        tuple(folders), tuple(alone), n_known, tuple(left_out), n_inside, counts_of(passed_over)
    )


def _is_known(path: Path, known: KnownFiles) -> bool:
    for folder, taken in known.items():
        if path == folder:
            return True
        if path.is_relative_to(folder):
            relative = path.relative_to(folder).as_posix()
            if relative in taken or any(one.startswith(f"{relative}/") for one in taken):
                return True
    return False


def _look_into(path: Path) -> Survey | LeftOut | None:
    """Return what a folder holds, None for a PDF file, or why neither can be taken."""
    try:
        if path.is_dir():
            return _look_into_folder(path)
        kind = kind_of_name(path.name)
        if not path.exists():
            return LeftOut(path.name, kind, "It is not there any more.", "Drop it once more.")
        if kind is not FileKind.PDF:
            return LeftOut(path.name, kind, f"It is {_article(kind)}.", HINTS[kind])
        return _problem_of_pdf(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return LeftOut(
            path.name,
            kind_of_name(path.name),
            f"It cannot be read ({reason}).",
            "Check that you may read it and that its drive is connected.",
        )


def _look_into_folder(path: Path) -> Survey | LeftOut:
    if is_library(path):
        return LeftOut(
            path.name, FileKind.LIBRARY, "It is a library, not documents.", HINTS[FileKind.LIBRARY]
        )
    try:
        found = survey(path)
    except DesktopQaError as error:
        return LeftOut(path.name, FileKind.FOLDER, error.message, error.hint)
    if found.taken:
        return found
    others = not_read_text(counts_of(found.passed_over))
    return LeftOut(
        path.name,
        FileKind.FOLDER,
        f"There is no PDF file in it. {others}".strip(),
        "Drop it again when there is one.",
    )


def _problem_of_pdf(path: Path) -> LeftOut | None:
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if not header:
        return LeftOut(
            path.name, FileKind.PDF, "It is empty.", "Download or copy it once more, then drop it."
        )
    if b"%PDF-" not in header:
        return LeftOut(
            path.name,
            FileKind.PDF,
            "It is called a PDF and is none.",
            "Open it to see what it is; a web page is often saved in place of a PDF.",
        )
    return None


def _article(kind: FileKind) -> str:
    return f"{'an' if kind.value[0].lower() in 'aeiou' else 'a'} {kind.value}"
