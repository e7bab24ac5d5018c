"""What the reader is told when a document cannot be shown."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtPdf import QPdfDocument

from desktop_qa.core.errors import UnreadableDocumentError


class LockedDocumentError(UnreadableDocumentError):
    """The document opens with a password.

    Attributes:
        was_wrong: A password was given and is not the right one.
    """

    def __init__(self, path: Path, *, was_wrong: bool) -> None:
        super().__init__(
            f"{path.name} is protected by a password.",
            "That password does not open it." if was_wrong else "Type its password to read it.",
        )
        self.was_wrong = was_wrong


class UnreachableFileError(UnreadableDocumentError):
    """The file cannot be read now; it may be some time later."""


def unreachable(path: Path) -> UnreachableFileError:
    """The drive does not answer."""
    return UnreachableFileError(
        f"{path.name} cannot be reached: its drive does not answer.",
        "It opens by itself as soon as the drive does.",
    )


def unreadable(path: Path, error: OSError) -> UnreachableFileError:
    """The file cannot be read."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return UnreachableFileError(
            f"{path.name} is no longer there.",
            f"It was moved, renamed or deleted. Put it back in {path.parent}, "
            "or refresh the library.",
        )
    if isinstance(error, PermissionError):
        return UnreachableFileError(
            f"{path.name} cannot be opened.",
            f"Check that you may read the files in {path.parent}.",
        )
    return UnreachableFileError(
        f"{path.name} cannot be read ({error.strerror or type(error).__name__}).",
        "Check that its drive is connected; it opens by itself as soon as it can be read.",
    )


def unusable(path: Path, error: QPdfDocument.Error, n_bytes: int) -> UnreadableDocumentError:
    """The file was read but is no PDF that can be shown."""
    if error is QPdfDocument.Error.UnsupportedSecurityScheme:
        return UnreadableDocumentError(
            f"{path.name} is encrypted in a way that cannot be read here.",
            "Open it in the program it was made for and save a copy without protection.",
        )
    if n_bytes == 0:
        return UnreadableDocumentError(
            f"{path.name} is empty.", "Get it again from where it came from and replace it."
        )
    return UnreadableDocumentError(
        f"{path.name} is damaged or is not a PDF.",
        "Get it again from where it came from and replace it.",
    )
