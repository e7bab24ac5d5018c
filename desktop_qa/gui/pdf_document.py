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

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QElapsedTimer,
    QIODevice,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QTimer,
    Signal,
)
from PySide6.QtGui import QImage
from PySide6.QtPdf import QPdfDocument, QPdfDocumentRenderOptions, QPdfPageRenderer

from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.gui.page_cache import FileStamp, RenderKey

_SLICE_MS = 8
"""Page sizes are asked for in slices: 50 ms were measured for the 43 pages of one datasheet."""
_LINE_WEIGHT = 4.0
"""A point a little beside a line belongs to it, though another line ends nearer by."""
_LETTER = (612.0, 792.0)
"""Stands in for a page whose own size is broken, so that the others keep their numbers."""


@dataclass(frozen=True, slots=True)
class TextSelection:
    """Words selected on one page; the rectangles are in points as displayed."""

    page_index: int
    text: str
    rects: tuple[QRectF, ...]


class PdfDocument(QObject):
    """A PDF file, opened and drawn without holding up the window. Lives on the GUI thread.

    Signals:
        opened: The file of `stamp` is open and `page_sizes` are known.
        failed: It cannot be opened; an UnreadableDocumentError says why.
        image_rendered: A wanted image is there; a null image when the page cannot be drawn.
        text_selected: The answer to `select_text`, a TextSelection.
    """

    opened = Signal()
    failed = Signal(object)
    image_rendered = Signal(object, QImage)
    text_selected = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # The renderer first: children die in this order, and its thread must end before the
        # document that it draws from.
        self._renderer = QPdfPageRenderer(self)
        self._pdf = QPdfDocument(self)
        self._renderer.setRenderMode(QPdfPageRenderer.RenderMode.MultiThreaded)
        self._renderer.setDocument(self._pdf)
        self._renderer.pageRendered.connect(self._on_renderer_page_rendered)
        self._next_turn = QTimer(self)
        self._next_turn.setSingleShot(True)
        self._next_turn.setInterval(0)
        self._next_turn.timeout.connect(self._advance)
        self._buffer: QBuffer | None = None
        self._target: FileStamp | None = None
        self._loaded: FileStamp | None = None
        self._is_open = False
        self._sizes: list[tuple[float, float]] = []
        self._known_sizes: dict[FileStamp, tuple[tuple[float, float], ...]] = {}
        self._wanted: list[RenderKey] = []
        self._in_flight: RenderKey | None = None
        self._runs: list[QRectF] = []
        self._runs_of: tuple[FileStamp | None, int] | None = None
        self._selection_request: tuple[int, QPointF, QPointF] | None = None

    @property
    def stamp(self) -> FileStamp | None:
        """The open file; None before it is open and after a failure."""
        return self._loaded if self._is_open else None

    @property
    def page_sizes(self) -> tuple[tuple[float, float], ...]:
        """Width and height of each page in points as displayed."""
        return tuple(self._sizes) if self._is_open else ()

    @property
    def is_drawing(self) -> bool:
        """True while a page is being drawn."""
        return self._in_flight is not None

    def open(self, path: Path) -> None:
        """Open a file in place of the present one; `opened` or `failed` follows."""
        try:
            status = path.stat()
        except OSError:
            self.close()
            self.failed.emit(_missing(path))
            return
        self._target = FileStamp(str(path), status.st_size, status.st_mtime_ns)
        if self._target == self._loaded and self._is_open:
            self.opened.emit()
            return
        self._wanted = []
        self._selection_request = None
        self._advance()

    def close(self) -> None:
        """Let go of the file."""
        self._target = None
        self._is_open = False
        self._wanted = []
        self._selection_request = None
        self._advance()

    def want(self, keys: Sequence[RenderKey]) -> None:
        """Draw these next, the first first, and forget what was wanted before."""
        self._wanted = [key for key in keys if key != self._in_flight]
        self._advance()

    def select_text(self, page_index: int, start: QPointF, end: QPointF) -> None:
        """Find the text between two points of a page; `text_selected` follows."""
        self._selection_request = (page_index, start, end)
        self._advance()

    def _advance(self) -> None:
        """Do the next thing unless a page is being drawn; its end calls again."""
        if self._in_flight is not None:
            return
        if self._target != self._loaded:
            self._load()
        elif self._loaded is not None and not self._is_open:
            self._measure()
        elif self._selection_request is not None and self._is_open:
            self._select(*self._selection_request)
        elif self._wanted and self._is_open:
            self._draw(self._wanted.pop(0))

    def _load(self) -> None:
        self._is_open = False
        self._sizes = []
        target = self._loaded = self._target
        if target is None:
            self._pdf.close()
            return
        error = self._load_bytes(target.path)
        if error is not QPdfDocument.Error.None_ or self._pdf.pageCount() == 0:
            self._fail(_problem(Path(target.path), error))
            return
        known = self._known_sizes.get(target)
        if known is not None:
            self._sizes = list(known)
        self._measure()

    def _load_bytes(self, path: str) -> QPdfDocument.Error:
        """Load from memory: Qt reads an open file page by page, and crashes when it is changed."""
        try:
            data = Path(path).read_bytes()
        except OSError:
            return self._pdf.load(path)
        self._pdf.close()
        if self._buffer is not None:
            self._buffer.deleteLater()
        self._buffer = QBuffer(self)
        self._buffer.setData(QByteArray(data))
        self._buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        self._pdf.load(self._buffer)
        return self._pdf.error()

    def _measure(self) -> None:
        clock = QElapsedTimer()
        clock.start()
        n_pages = self._pdf.pageCount()
        while len(self._sizes) < n_pages:
            if clock.elapsed() >= _SLICE_MS:
                self._next_turn.start()
                return
            size = self._pdf.pagePointSize(len(self._sizes))
            usable = size.width() > 0 and size.height() > 0
            self._sizes.append((size.width(), size.height()) if usable else _LETTER)
        self._is_open = True
        if self._loaded is not None:
            self._known_sizes[self._loaded] = tuple(self._sizes)
        self.opened.emit()
        self._next_turn.start()

    def _fail(self, problem: UnreadableDocumentError) -> None:
        self._target = self._loaded = None
        self._pdf.close()
        self.failed.emit(problem)

    def _select(self, page_index: int, start: QPointF, end: QPointF) -> None:
        self._selection_request = None
        if self._runs_of != (self._loaded, page_index):
            self._runs_of = (self._loaded, page_index)
            bounds = self._pdf.getAllText(page_index).bounds()
            self._runs = [polygon.boundingRect() for polygon in bounds]
        # Qt finds nothing at points further than 16 pt from a character.
        start, end = _nearest(start, self._runs), _nearest(end, self._runs)
        found = self._pdf.getSelection(page_index, start, end)
        rects = tuple(QRectF(polygon.boundingRect()) for polygon in found.bounds())
        self.text_selected.emit(TextSelection(page_index, found.text(), rects))
        self._next_turn.start()

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
        self,
        page_index: int,
        size: QSize,
        image: QImage,
        options: QPdfDocumentRenderOptions,
        request_id: int,
    ) -> None:
        self._finish(image)

    def _finish(self, image: QImage) -> None:
        key, self._in_flight = self._in_flight, None
        self.image_rendered.emit(key, image)
        # In the next turn, so that the window may paint and answer a key in between.
        self._next_turn.start()


def _nearest(point: QPointF, runs: Sequence[QRectF]) -> QPointF:
    """Move a point into the nearest run of text, rather along its line than to another."""

    def distance(run: QRectF) -> float:
        dx = max(run.left() - point.x(), 0.0, point.x() - run.right())
        dy = max(run.top() - point.y(), 0.0, point.y() - run.bottom())
        return dx + _LINE_WEIGHT * dy

    if not runs:
        return point
    run = min(runs, key=distance)
    return QPointF(
        min(max(point.x(), run.left()), run.right()), min(max(point.y(), run.top()), run.bottom())
    )


def _missing(path: Path) -> UnreadableDocumentError:
    return UnreadableDocumentError(
        f"{path.name} is no longer there.",
        f"It was moved, renamed or deleted. Put it back in {path.parent}, or refresh the library.",
    )


def _problem(path: Path, error: QPdfDocument.Error) -> UnreadableDocumentError:
    if error is QPdfDocument.Error.IncorrectPassword:
        return UnreadableDocumentError(
            f"{path.name} is protected by a password.",
            "Open it in your PDF reader, save a copy without the password, and add the copy.",
        )
    if error is QPdfDocument.Error.UnsupportedSecurityScheme:
        return UnreadableDocumentError(
            f"{path.name} is encrypted in a way that cannot be read here.",
            "Open it in the program it was made for and save a copy without protection.",
        )
    if error is QPdfDocument.Error.FileNotFound:
        return UnreadableDocumentError(
            f"{path.name} cannot be opened.",
            f"Check that you may read the files in {path.parent}.",
        )
    if path.exists() and path.stat().st_size == 0:
        return UnreadableDocumentError(
            f"{path.name} is empty.", "Get it again from where it came from and replace it."
        )
    return UnreadableDocumentError(
        f"{path.name} is damaged or is not a PDF.",
        "Get it again from where it came from and replace it.",
    )
