"""Errors of the user's world; anything else that is raised is a bug and looks like one."""

from __future__ import annotations


class DesktopQaError(Exception):
    """A failure to tell the user about: a sentence and what to do.

    Attributes:
        message: One sentence that says what is wrong.
        hint: One sentence that says what to do; may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UnreadableDocumentError(DesktopQaError):
    """A document that cannot be read; it costs only itself."""


class GivenUpError(UnreadableDocumentError):
    """A document that ran into a limit while it was read: at another time it may be read."""


class FolderError(DesktopQaError):
    """A source folder that is missing, unreadable or empty."""


class LibraryError(DesktopQaError):
    """A library that cannot be opened or written."""


class LibraryLockedError(LibraryError):
    """A library that another process writes to; it can be opened for reading."""


class LibraryProtectedError(LibraryError):
    """A library in a folder that cannot be written; it can be opened for reading."""


class DiskFullError(LibraryError):
    """No space left where the library lives."""


class NotReadError(DesktopQaError):
    """A document that is asked for and not read yet, or not part of the library."""


class NotStoredError(KeyError):
    """What is asked of the store by its id is not there, or not any more; never told to the user.

    A document may leave, or be read anew, while a question is answered from it.
    """


class ExportError(DesktopQaError):
    """A document that cannot be written where the user wants it."""


class AlreadyThereError(ExportError):
    """An export would replace what lies at its place; it is done when that is said to be wanted."""


class QuestionError(DesktopQaError):
    """A question that cannot be answered as it stands: empty, or nothing is indexed yet."""


class HistoryError(DesktopQaError):
    """An earlier question that is asked for and not in the history any more."""


class MarkError(DesktopQaError):
    """Marks that are asked for and that there are none of."""


class Cancelled(DesktopQaError):  # noqa: N818 - an outcome that the user asked for, not an error
    """The user stopped the work."""

    def __init__(self, message: str = "Stopped.", hint: str = "") -> None:
        super().__init__(message, hint)
