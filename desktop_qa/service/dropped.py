"""Looks into what was dropped on the window: what can be taken, and why the rest cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from desktop_qa.catalog import list_files
from desktop_qa.core.drops import HINTS, DropKind, Dropped, LeftOut, kind_of_name
from desktop_qa.core.errors import DesktopQaError
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
    folders: dict[str, None] = {}
    files: dict[str, None] = {}
    left_out = [
        LeftOut(link, DropKind.LINK, "It is on the network.", _hint(DropKind.LINK))
        for link in links
    ]
    n_known = 0
    for text in dict.fromkeys(paths):
        path = Path(text).expanduser().absolute()
        problem = _problem_of(path)
        if problem is not None:
            left_out.append(problem)
        elif _is_known(path.resolve(), known):
            n_known += 1
        else:
            (folders if path.is_dir() else files)[str(path)] = None
    # A file in a folder that is taken comes with it.
    parents = [Path(folder) for folder in folders]
    alone = (f for f in files if not any(Path(f).is_relative_to(parent) for parent in parents))
    return Dropped(tuple(folders), tuple(alone), n_known, tuple(left_out))


def _is_known(path: Path, known: KnownFiles) -> bool:
    for folder, taken in known.items():
        if path == folder:
            return True
        if path.is_relative_to(folder):
            relative = path.relative_to(folder).as_posix()
            if relative in taken or any(one.startswith(f"{relative}/") for one in taken):
                return True
    return False


def _problem_of(path: Path) -> LeftOut | None:
    try:
        if path.is_dir():
            return _problem_of_folder(path)
        kind = kind_of_name(path.name)
        if not path.exists():
            return LeftOut(path.name, kind, "It is not there any more.", "Drop it once more.")
        if kind is not DropKind.PDF:
            return LeftOut(path.name, kind, f"It is {_article(kind)}.", _hint(kind))
        return _problem_of_pdf(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return LeftOut(
            path.name,
            kind_of_name(path.name),
            f"It cannot be read ({reason}).",
            "Check that you may read it and that its drive is connected.",
        )


def _problem_of_folder(path: Path) -> LeftOut | None:
    if is_library(path):
        return LeftOut(
            path.name, DropKind.LIBRARY, "It is a library, not documents.", _hint(DropKind.LIBRARY)
        )
    try:
        if list_files(path):
            return None
    except DesktopQaError as error:
        return LeftOut(path.name, DropKind.FOLDER, error.message, error.hint)
    return LeftOut(
        path.name,
        DropKind.FOLDER,
        "There is no PDF file in it.",
        "Drop it again when there is one.",
    )


def _problem_of_pdf(path: Path) -> LeftOut | None:
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if not header:
        return LeftOut(
            path.name, DropKind.PDF, "It is empty.", "Download or copy it once more, then drop it."
        )
    if b"%PDF-" not in header:
        return LeftOut(
            path.name,
            DropKind.PDF,
            "It is called a PDF and is none.",
            "Open it to see what it is; a web page is often saved in place of a PDF.",
        )
    return None


def _article(kind: DropKind) -> str:
    return f"{'an' if kind.value[0].lower() in 'aeiou' else 'a'} {kind.value}"


def _hint(kind: DropKind) -> str:
    return HINTS.get(kind, "")
