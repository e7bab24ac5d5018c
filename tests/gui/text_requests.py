"""The library's process as far as texts go, played in the test's own process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.parse.page_text import TextFile


class TextRequester:
    """Answers as `LibrarySession.request` does: later, in the order in which it was asked.

    Attributes:
        asked: (method, arguments) in the order they came.
        is_held: True keeps the answers back until `release`.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.is_held = False
        self._held: list[Callable[[], None]] = []
        self._files: dict[str, TextFile] = {}

    def __call__(
        self,
        method: str,
        *arguments: Any,
        on_result: Callable[[Any], None],
        on_failure: Callable[[DesktopQaError], None] | None = None,
    ) -> None:
        self.asked.append((method, arguments))

        def answer() -> None:
            try:
                value = self._value(method, *arguments)
            except DesktopQaError as error:
                if on_failure is not None:
                    on_failure(error)
                return
            on_result(value)

        if self.is_held:
            self._held.append(answer)
        else:
            QTimer.singleShot(0, answer)

    def release(self) -> None:
        """Give the answers that were kept back, and the later ones at once."""
        self.is_held = False
        held, self._held = self._held, []
        for answer in held:
            answer()

    def _value(self, method: str, path: str, *arguments: Any) -> Any:
        *middle, password = arguments
        file = self._files.get(path)
        if file is None:
            file = self._files[path] = TextFile(Path(path), password)
        ways = {"page_text": file.page, "find_text": file.find, "copy_text": file.copy}
        return ways[method](*middle)
