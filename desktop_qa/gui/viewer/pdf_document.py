"""An open PDF, drawn away from the GUI thread.

Qt PDF serves one call at a time in the whole process, and PySide keeps Python's global lock in
each: `QPdfDocument.render` on a Python thread stalls the window as long as the page takes (6.7 s
was seen). So pages are drawn by `QPdfPageRenderer` on its own thread, which needs no Python, and
nothing here touches the document while a page is being drawn: one lane, one thing at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QElapsedTimer, QIODevice, QObject, QRect, QSize, Signal
from PySide6.QtGui import QImage
from PySide6.QtPdf import QPdfDocument, QPdfDocumentRenderOptions, QPdfPageRenderer

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.gui.viewer.file_reader import FileContent, FileReader, FileStamp, Outcome
from desktop_qa.gui.widgets.timers import single_shot

READ_LIMIT_MS = 10_000
"""A drive that has not delivered a file by then is said not to answer."""

_SLICE_MS = 8
"""Page sizes are asked for in slices: 50 ms were measured for the 43 pages of one datasheet."""
_MAX_KNOWN = 40
"""Files whose page sizes are kept: twice as many as can be open."""
_LETTER = (612.0, 792.0)
"""Stands in for a page whose own size is broken, so that the others keep their numbers."""


@dataclass(frozen=True, slots=True)
class RenderKey:
    """One image: a page drawn upright, as a whole so many device pixels large, or a tile of it.

    `tile` is left, top, width and height of the part in device pixels.
    """

    file: FileStamp
    page_index: int
    width: int
    height: int
    tile: tuple[int, int, int, int] | None = None


class SessionPasswords(dict[DocumentId | None, str]):
    """Passwords by document, known until the program ends; printing it tells none of them."""

    def __repr__(self) -> str:
        return f"<{len(self)} passwords>"


class LockedDocumentError(UnreadableDocumentError):
    """The document opens with a password, another one than was given if `was_wrong`."""

    def __init__(self, path: Path, *, was_wrong: bool) -> None:
        super().__init__(
            f"{path.name} is protected by a password.",
            "That password does not open it." if was_wrong else "Type its password to read it.",
        )
        self.was_wrong = was_wrong


class UnreachableFileError(UnreadableDocumentError):
    """The file cannot be read now; it may be some time later."""


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


class PdfDocument(QObject):
    """A PDF file, opened and drawn without holding up the window. Lives on the GUI thread.

    Attributes:
        passwords: Where passwords that opened a document are kept; may be shared.
        page_sizes: Width and height of each page in points as displayed; none until it is open.
        page_labels: What each page is called in the document, such as "iv"; its number where it
            has none.

    Signals:
        opened: The file of `stamp` is open and `page_sizes` are known.
        failed: It cannot be opened; an UnreadableDocumentError says why. After one that tells of
            a drive that does not answer `opened` may still come; after a LockedDocumentError it
            does when `unlock` is given the right password.
        image_rendered: A wanted image is there; a null image when the page cannot be drawn.
        small_image_rendered: The same of a small picture.
    """

    opened = Signal()
    failed = Signal(object)
    image_rendered = Signal(object, QImage)
    small_image_rendered = Signal(object, QImage)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # The renderer first: children die in this order, and its thread must end before the
        # document that it draws from.
        self._renderer = QPdfPageRenderer(self)
        self._pdf = QPdfDocument(self)
        self._renderer.setRenderMode(QPdfPageRenderer.RenderMode.MultiThreaded)
        self._renderer.setDocument(self._pdf)
        self._renderer.pageRendered.connect(self._on_renderer_page_rendered)
        self._next_turn = single_shot(self, self._advance, 0)
        self._reader = FileReader(self)
        self._reader.came.connect(self._on_reader_came)
        self._patience = single_shot(self, self._on_patience_timeout, READ_LIMIT_MS)
        self.passwords = SessionPasswords()
        self._path: Path | None = None
        self._buffer: QBuffer | None = None
        self._target: FileContent | None = None
        self._loaded: FileContent | None = None
        self._locked: FileContent | None = None
        self.page_sizes: tuple[tuple[float, float], ...] = ()
        self.page_labels: tuple[str, ...] = ()
        self._known: dict[FileStamp, list[tuple[tuple[float, float], str]]] = {}
        self._wanted: dict[bool, list[RenderKey]] = {False: [], True: []}
        self._is_small = False
        self._in_flight: RenderKey | None = None

    @property
    def stamp(self) -> FileStamp | None:
        """The open file; None before it is open and after a failure."""
        return self._loaded.stamp if self._loaded is not None and self.page_sizes else None

    @property
    def document_id(self) -> DocumentId | None:
        """By which the library knows the bytes that are shown; None when no file is open."""
        return self._loaded.document_id if self._loaded is not None and self.page_sizes else None

    @property
    def password(self) -> str:
        """What opened the document, for who reads its text elsewhere; empty for most."""
        return self.passwords.get(self.document_id, "")

    @property
    def is_drawing(self) -> bool:
        """True while a page is being drawn."""
        return self._in_flight is not None

    def label_of(self, page_no: int | None) -> str:
        """Return what a page (1-based) is called, or its number; empty for None."""
        if page_no is None:
            return ""
        return "".join(self.page_labels[page_no - 1 : page_no]) or str(page_no)

    def open(self, path: Path) -> None:
        """Open a file in place of the present one; `opened` or `failed` follows.

        The pages of the present one stay until the other has been read. When it is the same file,
        `opened` comes at once, and once more if it is found to have changed.
        """
        self._path, self._target, self._locked = path, self._loaded, None
        self._reader.read(path, self.stamp)
        self._patience.stop()
        if self._shows(path):
            self.opened.emit()
            return
        self._wanted[False] = []
        self._patience.start()

    def open_same(self, other: PdfDocument) -> None:
        """Open what another shows, from the same bytes in memory; `opened` or `failed` follows."""
        content = other._loaded
        if content is not None:
            self._path = Path(content.stamp.path)
            self._target = content
            self._next_turn.start()

    def reopen(self) -> None:
        """Try once more to open what could not be opened."""
        if self._path is not None and not (self.page_sizes or self._reader.is_reading):
            self.open(self._path)

    def close(self) -> None:
        """Let go of the file."""
        self._path = None
        self._reader.forget()
        self._patience.stop()
        self._target = self._locked = None
        self.page_sizes = self.page_labels = ()
        self._wanted = {False: [], True: []}
        self._advance()

    def unlock(self, password: str) -> None:
        """Open a protected document; `opened`, or `failed` with a LockedDocumentError, follows."""
        if self._locked is not None:
            self.passwords[self._locked.document_id] = password
            self._target, self._locked, self._loaded = self._locked, None, None
            self._advance()

    def want(self, keys: Sequence[RenderKey], *, are_small: bool = False) -> None:
        """Draw these next, the first first, and forget what was wanted before.

        Small pictures never hold up the pages, but for the one that is being drawn.
        """
        self._wanted[are_small] = [key for key in keys if key != self._in_flight]
        self._advance()

    def _on_reader_came(self, outcome: Outcome) -> None:
        self._patience.stop()
        if isinstance(outcome, FileContent):
            self._target = outcome
            self._advance()
        elif isinstance(outcome, OSError) and self._path and not self._shows(self._path):
            # What is in memory can be read although the file or its drive is gone.
            self._fail(unreadable(self._path, outcome))

    def _shows(self, path: Path) -> bool:
        return self.stamp is not None and self.stamp.path == str(path)

    def _on_patience_timeout(self) -> None:
        if self._path is not None:
            # The thread goes on: when it has read the file at last, it is shown.
            message = f"{self._path.name} cannot be reached: its drive does not answer."
            hint = "It opens by itself as soon as the drive does."
            self._fail(UnreachableFileError(message, hint))

    def _advance(self) -> None:
        """Do the next thing unless a page is being drawn; its end calls again."""
        if self._in_flight is not None:
            return
        if self._target is not self._loaded:
            self._load()
        elif self._loaded is not None and not self.page_sizes:
            self._measure(self._loaded.stamp)
        elif self._loaded is not None:
            for are_small, wanted in self._wanted.items():
                while wanted:
                    key = wanted.pop(0)
                    if key.file == self.stamp:
                        self._is_small = are_small
                        self._draw(key)
                        return

    def _load(self) -> None:
        self.page_sizes = self.page_labels = ()
        target = self._loaded = self._target
        self._pdf.close()
        if target is None:
            return
        path = Path(target.stamp.path)
        error = self._load_bytes(target)
        if error is QPdfDocument.Error.IncorrectPassword:
            was_wrong = self.passwords.pop(target.document_id, None) is not None
            self._fail(LockedDocumentError(path, was_wrong=was_wrong))
            self._locked = target
            return
        if error is not QPdfDocument.Error.None_ or self._pdf.pageCount() == 0:
            self._fail(unusable(path, error, target.stamp.n_bytes))
            return
        self._measure(target.stamp)

    def _load_bytes(self, content: FileContent) -> QPdfDocument.Error:
        """Load from memory: Qt reads an open file page by page, and crashes when it is changed."""
        if self._buffer is not None:
            self._buffer.deleteLater()
        self._buffer = QBuffer(self)
        self._buffer.setData(content.data)
        self._buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        self._pdf.setPassword(self.passwords.get(content.document_id, ""))
        self._pdf.load(self._buffer)
        return self._pdf.error()

    def _measure(self, stamp: FileStamp) -> None:
        clock = QElapsedTimer()
        clock.start()
        pages = self._known.setdefault(stamp, [])
        for page_index in range(len(pages), self._pdf.pageCount()):
            if clock.elapsed() >= _SLICE_MS:
                self._next_turn.start()
                return
            size = self._pdf.pagePointSize(page_index)
            usable = size.width() > 0 and size.height() > 0
            measured = (size.width(), size.height()) if usable else _LETTER
            pages.append((measured, self._pdf.pageLabel(page_index)))
        self.page_sizes = tuple(size for size, _ in pages)
        self.page_labels = tuple(label for _, label in pages)
        while len(self._known) > _MAX_KNOWN:
            self._known.pop(next(iter(self._known)))
        self.opened.emit()
        self._next_turn.start()

    def _fail(self, problem: UnreadableDocumentError) -> None:
        self.page_sizes = self.page_labels = ()
        self._target = self._loaded = None
        if self._in_flight is None:
            self._pdf.close()
        self.failed.emit(problem)

    def _draw(self, key: RenderKey) -> None:
        options = QPdfDocumentRenderOptions()
        options.setRenderFlags(QPdfDocumentRenderOptions.RenderFlag.Annotations)
        size = QSize(key.width, key.height)
        if key.tile is not None:
            left, top, width, height = key.tile
            options.setScaledSize(size)
            # NOTE: Qt takes right() - left() for the width, which is one less than it is.
            options.setScaledClipRect(QRect(left, top, width + 1, height + 1))
            size = QSize(width, height)
        self._in_flight = key
        if self._renderer.requestPage(key.page_index, size, options) == 0:
            self._finish(QImage())

    def _on_renderer_page_rendered(
        self, _index: int, _size: QSize, image: QImage, _options: object, _request_id: int
    ) -> None:
        self._finish(image)

    def _finish(self, image: QImage) -> None:
        key, self._in_flight = self._in_flight, None
        (self.small_image_rendered if self._is_small else self.image_rendered).emit(key, image)
        # In the next turn, so that the window may paint and answer a key in between.
        self._next_turn.start()
