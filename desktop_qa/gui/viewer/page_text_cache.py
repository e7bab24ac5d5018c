"""The texts of the pages of one document, fetched when they are first wanted."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop_qa.core.errors import DesktopQaError, UnreadableDocumentError
from desktop_qa.core.page_text import PageText

_MAX_PAGES = 64


class PageTexts(QObject):
    """Knows the texts of the pages that were looked at last. Lives on the GUI thread.

    Attributes:
        request: What `LibrarySession.request` is; without it there is no text.

    Signals:
        arrived: 0-based index of a page whose text is there now.
        failed: With the DesktopQaError, once for a file.
    """

    arrived = Signal(int)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.request: Callable[..., None] | None = None
        self.path: Path | None = None
        self._password = ""
        self._asked: dict[str, object] = {}
        self._known: OrderedDict[int, PageText] = OrderedDict()
        self._under_way: set[int] = set()
        self.error: DesktopQaError | None = None

    def set_file(self, path: Path | None, password: str = "") -> None:
        """Begin anew with a file."""
        self.path, self._password = path, password
        self._asked.clear()
        self._known.clear()
        self._under_way.clear()
        self.error = None

    def get(self, page_index: int) -> PageText | None:
        """Return the text of a page; None while it is on the way, which it is from now on."""
        known = self._known.get(page_index)
        if known is not None:
            self._known.move_to_end(page_index)
            return known
        if page_index not in self._under_way and self.error is None:
            self._under_way.add(page_index)
            arrived = partial(self._on_page_text, page_index)
            if not self.ask("page_text", page_index + 1, on_result=arrived):
                self._under_way.discard(page_index)
        return None

    def peek(self, page_index: int) -> PageText | None:
        """Return the text of a page if it is there."""
        return self._known.get(page_index)

    def ask(
        self,
        method: str,
        *arguments: object,
        on_result: Callable[[Any], None],
        on_failure: Callable[[DesktopQaError], None] | None = None,
    ) -> bool:
        """Ask something else of the file; what comes after `drop` or `set_file` is dropped.

        Path and password are put around the arguments. Without `on_failure` an error is kept as
        that of the file. False when there is no file or no service.
        """
        if self.request is None or self.path is None:
            return False
        asked = self._asked.setdefault(method, object())

        def came(value: Any) -> None:
            if self._asked.get(method) is asked:
                on_result(value)

        def failed(error: DesktopQaError) -> None:
            if self._asked.get(method) is asked:
                (on_failure or self._fail)(error)

        everything = (str(self.path), *arguments, self._password)
        self.request(method, *everything, on_result=came, on_failure=failed)
        return True

    def drop(self, method: str) -> None:
        """Want no more of what was asked by a method."""
        self._asked.pop(method, None)

    def _on_page_text(self, page_index: int, text: PageText) -> None:
        self._under_way.discard(page_index)
        self._known[page_index] = text
        while len(self._known) > _MAX_PAGES:
            self._known.popitem(last=False)
        self.arrived.emit(page_index)

    def _fail(self, error: DesktopQaError) -> None:
        self._under_way.clear()
        # The library's process may have ended and be back soon: then it is asked again.
        if self.error is None and isinstance(error, UnreadableDocumentError):
            self.error = error
            self.failed.emit(error)
