"""Source folders as a client shows them: what is taken from each, and how it is followed."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from desktop_qa.core.document import DocumentId
from desktop_qa.core.file_kinds import FileCount


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A document of a source folder as it was last seen; its id holds while size and time do.

    Attributes:
        path: Relative to the folder, with "/" separators.
    """

    path: str
    size: int
    mtime_ns: int
    document_id: DocumentId


class WatchMode(StrEnum):
    """How changes of a folder come to the library."""

    NATIVE = "native"
    """The system tells them."""

    POLLED = "polled"
    """The folder is looked at now and then: a network drive, or too many folders to watch."""

    OFF = "off"
    """Only Refresh takes them up."""

    AWAY = "away"
    """The folder is not there; it is taken up again when it comes back."""


@dataclass(frozen=True, slots=True)
class FolderChoices:
    """What the user decided about a source folder.

    Attributes:
        is_watched: Changes are taken up by themselves.
        excluded: Patterns as in a .gitignore, relative to the folder; later ones count more.
    """

    is_watched: bool = True
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FolderState:
    """A row of the list of source folders.

    Attributes:
        folder: Absolute.
        n_files: Files of it that are in the library.
        n_attention: Documents of it that could not be read whole.
        n_excluded: Files that the patterns leave out, as of the last look; None before the first.
        problem: Why it cannot be followed now; empty when all is well.
        n_scans: Files of it that are scans without text.
        not_read: Its files that are passed over, by kind and reason; None before the first look.
    """

    folder: str
    exists: bool
    n_files: int
    n_attention: int = 0
    n_excluded: int | None = None
    choices: FolderChoices = field(default_factory=FolderChoices)
    mode: WatchMode = WatchMode.OFF
    problem: str = ""
    n_scans: int = 0
    not_read: tuple[FileCount, ...] | None = None


@dataclass(frozen=True, slots=True)
class ExclusionCount:
    """What patterns would do to a folder.

    Attributes:
        n_taken: PDF files that stay.
        n_excluded: PDF files that are left out.
        examples: Some of those left out, relative, sorted.
        bad_pattern: The first pattern that cannot be understood; empty when there is none.
        not_read: All files that are passed over, by kind and reason.
    """

    n_taken: int
    n_excluded: int
    examples: tuple[str, ...] = ()
    bad_pattern: str = ""
    not_read: tuple[FileCount, ...] = ()
