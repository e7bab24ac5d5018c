"""What was dropped on the window: what of it can be taken, and why the rest cannot."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_qa.core.file_kinds import FileCount, FileKind


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not taken, with a sentence for the user and what to do."""

    name: str
    kind: FileKind
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
        n_inside: PDF files in the folders.
        not_read: What else the folders hold, by kind and reason.
    """

    folders: tuple[str, ...]
    files: tuple[str, ...]
    n_known: int
    left_out: tuple[LeftOut, ...]
    n_inside: int = 0
    not_read: tuple[FileCount, ...] = ()
