"""Kinds of files by the ends of their names, and what is said of those that are not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class FileKind(StrEnum):
    """What a thing on the disk is; by its name alone until it is looked into."""

    FOLDER = "folder"
    PDF = "PDF file"
    LIBRARY = "library"
    LINK = "link to the network"
    PAGE = "web page"
    MARKDOWN = "Markdown file"
    WORD = "Word document"
    SHEET = "spreadsheet"
    SLIDES = "presentation"
    IMAGE = "image"
    ARCHIVE = "archive"
    MAIL = "e-mail"
    TEXT = "text file"
    BOOK = "e-book"
    RECORDING = "recording"
    UNFINISHED = "unfinished download"
    OTHER = "other file"


_EXTENSIONS: dict[FileKind, str] = {
    FileKind.PDF: "pdf",
    FileKind.PAGE: "htm html mht mhtml xhtml",
    FileKind.MARKDOWN: "md markdown mdx",
    FileKind.WORD: "doc docx docm dot dotx odt rtf pages",
    FileKind.SHEET: "xls xlsx xlsm xlsb ods csv tsv numbers",
    FileKind.SLIDES: "ppt pptx pps ppsx odp key",
    FileKind.IMAGE: "png jpg jpeg tif tiff gif bmp webp heic svg",
    FileKind.ARCHIVE: "zip 7z rar tar gz tgz bz2 xz zst iso",
    FileKind.MAIL: "eml msg mbox pst",
    FileKind.TEXT: "txt rst adoc log tex json xml yaml yml ini",
    FileKind.BOOK: "epub mobi azw3 djvu chm ps",
    FileKind.RECORDING: "mp3 wav m4a flac ogg mp4 m4v mov avi mkv webm",
    FileKind.UNFINISHED: "part crdownload download partial",
}
_KIND_OF_EXTENSION = {
    f".{extension}": kind for kind, names in _EXTENSIONS.items() for extension in names.split()
}

HINTS: dict[FileKind, str] = {
    FileKind.LINK: "Save the PDF on this computer, then drop the file: nothing is loaded from the"
    " network.",
    FileKind.ARCHIVE: "Unpack it, then drop the folder.",
    FileKind.WORD: "Save it as PDF, then drop the PDF.",
    FileKind.SHEET: "Save it as PDF, then drop the PDF.",
    FileKind.SLIDES: "Save it as PDF, then drop the PDF.",
    FileKind.IMAGE: "Make a PDF with recognised text of it, then drop that.",
    FileKind.PAGE: "Print it to a PDF, then drop that.",
    FileKind.MARKDOWN: "Print it to a PDF, then drop that.",
    FileKind.MAIL: "Print it to a PDF, then drop that.",
    FileKind.TEXT: "Print it to a PDF, then drop that.",
    FileKind.BOOK: "Convert it to PDF, then drop that.",
    FileKind.UNFINISHED: "Wait until it is downloaded, then drop it.",
    FileKind.LIBRARY: "Open it with File > Open Library.",
    FileKind.RECORDING: "Only PDF files are read.",
    FileKind.OTHER: "Only PDF files are read.",
}

_PLURALS = {
    FileKind.LIBRARY: "libraries",
    FileKind.LINK: "links to the network",
}
_MAX_EXTENSIONS = 3
"""Ends of names that are said of a kind; the rest are counted with it."""


class PassedOver(StrEnum):
    """Why a file of a folder is not read; all but the first complete "12 files are ..."."""

    KIND = "only PDF is read so far"
    EXCLUDED = "left out by patterns"
    REMOVED = "removed from the library"
    UNFINISHED = "not downloaded in full"
    HIDDEN = "hidden or of the system"


FileTally: TypeAlias = Counter[tuple[PassedOver | None, str]]
"""Files by why they are not read (None: they are) and by the end of their names, ".html"."""


@dataclass(frozen=True, slots=True)
class FileCount:
    """Files of one kind.

    Attributes:
        extensions: Ends of their names in lower case, ".html", the most frequent first.
        reason: Why they are not read; None when they are.
    """

    kind: FileKind
    extensions: tuple[str, ...]
    n_files: int
    reason: PassedOver | None = None


def extension_of(name: str) -> str:
    """Return the end of a name or path as ".html"; empty where there is none, or a phrase."""
    name = name.rpartition("/")[2]
    stem, dot, end = name.rpartition(".")
    return f".{end.lower()}" if stem and dot and end.isascii() and end.isalnum() else ""


def kind_of_name(name: str) -> FileKind:
    """Return what a file is by the end of its name."""
    return _KIND_OF_EXTENSION.get(extension_of(name), FileKind.OTHER)


def counts_of(tally: FileTally) -> tuple[FileCount, ...]:
    """Return the files of each reason and kind, most files first and unknown kinds last."""
    groups: dict[tuple[PassedOver | None, FileKind], Counter[str]] = {}
    for (reason, extension), n_files in tally.items():
        kind = _KIND_OF_EXTENSION.get(extension, FileKind.OTHER)
        groups.setdefault((reason, kind), Counter())[extension] += n_files
    counts = [
        FileCount(kind, tuple(e for e, _ in ends.most_common() if e), ends.total(), reason)
        for (reason, kind), ends in groups.items()
    ]
    order = (None, *PassedOver)
    return tuple(
        sorted(
            counts,
            key=lambda one: (order.index(one.reason), one.kind is FileKind.OTHER, -one.n_files),
        )
    )


def counted(kind: FileKind, count: int) -> str:
    """Return "1 image", "3 images"."""
    return f"{count} {kind.value if count == 1 else _PLURALS.get(kind, f'{kind.value}s')}"


def counted_all(kinds: Iterable[FileKind]) -> str:
    """Return "3 Word documents, 1 image", the most frequent first."""
    return ", ".join(counted(kind, count) for kind, count in Counter(kinds).most_common())


def with_extensions(count: FileCount) -> str:
    """Return "120 web pages (.html, .htm)"."""
    ends = ", ".join(count.extensions[:_MAX_EXTENSIONS])
    more = ", …" if len(count.extensions) > _MAX_EXTENSIONS else ""
    return counted(count.kind, count.n_files) + (f" ({ends}{more})" if ends else "")


def scans_text(n_scans: int) -> str:
    """Return "4 PDF files are scans without text. Run OCR on them and add the result."."""
    which = f"{counted(FileKind.PDF, n_scans)} {'is a scan' if n_scans == 1 else 'are scans'}"
    them = "it" if n_scans == 1 else "them"
    return f"{which} without text. Run OCR on {them} and add the result."


def not_read_text(counts: Iterable[FileCount], max_kinds: int | None = None) -> str:
    """Return a sentence for each reason why files are not read; empty when all are.

    "210 files are not read: 120 web pages (.html), 90 Markdown files (.md). Only PDF is read so
    far. 2 files are hidden or of the system." Beyond `max_kinds` kinds are told by their number.
    """
    by_reason: dict[PassedOver, list[FileCount]] = {}
    for count in counts:
        if count.reason is not None:
            by_reason.setdefault(count.reason, []).append(count)
    return " ".join(_sentence(reason, of, max_kinds) for reason, of in by_reason.items())


def _sentence(reason: PassedOver, counts: list[FileCount], max_kinds: int | None) -> str:
    n_files = sum(count.n_files for count in counts)
    verb = "is" if n_files == 1 else "are"
    head = f"{n_files} {'file' if n_files == 1 else 'files'} {verb}"
    if reason is not PassedOver.KIND:
        return f"{head} {reason}."
    if len(counts) == 1:
        return f"{with_extensions(counts[0])} {verb} not read. Only PDF is read so far."
    named = counts[:max_kinds]
    rest = n_files - sum(count.n_files for count in named)
    more = f" and {rest} more" if rest else ""
    return (
        f"{head} not read: {', '.join(map(with_extensions, named))}{more}. Only PDF is read so far."
    )
