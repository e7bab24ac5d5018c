"""What was dropped on the window: what of it can be taken, and why the rest cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class DropKind(StrEnum):
    """What a dropped thing is; by its name alone until it is looked into."""

    FOLDER = "folder"
    PDF = "PDF file"
    LIBRARY = "library"
    LINK = "link to the network"
    ARCHIVE = "archive"
    OFFICE = "Office document"
    IMAGE = "image"
    PAGE = "web page"
    TEXT = "text file"
    BOOK = "e-book"
    UNFINISHED = "unfinished download"
    OTHER = "other file"


_SUFFIXES: dict[DropKind, tuple[str, ...]] = {
    DropKind.PDF: (".pdf",),
    DropKind.ARCHIVE: (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst"),
    DropKind.OFFICE: (
        *(".doc", ".docx", ".docm", ".dot", ".dotx", ".odt", ".rtf", ".xls", ".xlsx", ".xlsm"),
        *(".ods", ".ppt", ".pptx", ".pps", ".ppsx", ".odp", ".pages", ".numbers", ".key", ".vsdx"),
    ),
    DropKind.IMAGE: (
        *(".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".bmp", ".webp", ".heic", ".svg"),
    ),
    DropKind.PAGE: (".htm", ".html", ".mht", ".mhtml", ".xhtml"),
    DropKind.TEXT: (".txt", ".md", ".rst", ".csv", ".log", ".tex", ".json", ".xml"),
    DropKind.BOOK: (".epub", ".mobi", ".azw3", ".djvu", ".chm", ".ps"),
    DropKind.UNFINISHED: (".part", ".crdownload", ".download", ".partial"),
}
_KIND_OF_SUFFIX = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes}

HINTS: dict[DropKind, str] = {
    DropKind.LINK: "Save the PDF on this computer, then drop the file: nothing is loaded from the"
    " network.",
    DropKind.ARCHIVE: "Unpack it, then drop the folder.",
    DropKind.OFFICE: "Save it as PDF, then drop the PDF.",
    DropKind.IMAGE: "Make a PDF with recognised text of it, then drop that.",
    DropKind.PAGE: "Print it to a PDF, then drop that.",
    DropKind.TEXT: "Print it to a PDF, then drop that.",
    DropKind.BOOK: "Convert it to PDF, then drop that.",
    DropKind.UNFINISHED: "Wait until it is downloaded, then drop it.",
    DropKind.LIBRARY: "Open it with File > Open Library.",
    DropKind.OTHER: "Only PDF files are read.",
}

_PLURALS = {
    DropKind.LIBRARY: "libraries",
    DropKind.LINK: "links to the network",
}


def kind_of_name(name: str) -> DropKind:
    """Return what a file is by the end of its name."""
    dot = name.rfind(".")
    return _KIND_OF_SUFFIX.get(name[dot:].lower(), DropKind.OTHER) if dot >= 0 else DropKind.OTHER


def counted(kind: DropKind, count: int) -> str:
    """Return "1 image", "3 images"."""
    return f"{count} {kind.value if count == 1 else _PLURALS.get(kind, f'{kind.value}s')}"


def counted_all(kinds: Iterable[DropKind]) -> str:
    """Return "3 Office documents, 1 image", the most frequent first."""
    return ", ".join(counted(kind, count) for kind, count in Counter(kinds).most_common())


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not taken, with a sentence for the user and what to do."""

    name: str
    kind: DropKind
    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was dropped, looked into.

    Attributes:
        folders: With PDF files in them, absolute.
        files: PDF files, absolute.
        n_known: Folders and files that are in the library already.
        left_out: All the rest.
    """

    folders: tuple[str, ...]
    files: tuple[str, ...]
    n_known: int
    left_out: tuple[LeftOut, ...]
