"""Figures described by the chosen model, in the window that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.figure_description import FigureDescription, FigureToDescribe
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.evidence.figure_window import FigureWindow
from desktop_qa.gui.session import LibrarySession

if TYPE_CHECKING:
    from desktop_qa.gui.models.models_feature import ModelsFeature


@dataclass(slots=True, eq=False)
class _Attempt:
    """One request to a model.

    Attributes:
        before: What was shown before it, with whose words these were.
        request_id: Of the library's process.
    """

    before: tuple[str, str]
    request_id: int = 0


class FigureDescriber(QObject):
    """Asks the chosen model of the figure that a window shows; a description made before is shown.

    A window that closes stops its model.
    """

    def __init__(self, session: LibrarySession, models: ModelsFeature) -> None:
        super().__init__(models)
        self._session = session
        self._models = models
        self._attempts: dict[FigureWindow, _Attempt | None] = {}
        """Of the windows that are open, what is under way."""

    def follow(self, window: FigureWindow, view: EvidenceView) -> None:
        """Serve a window for as long as it is open."""
        place = f"{view.file}, page {view.page}"
        figure = FigureToDescribe(view.figure_path or "", view.caption, view.text, place)
        window.describe_requested.connect(partial(self._on_wanted, window, figure))
        window.finished.connect(partial(self._on_finished, window))
        self._attempts[window] = None
        self._session.request(
            *("kept_description", figure.image), on_result=partial(self._on_kept, window)
        )

    def _on_kept(self, window: FigureWindow, kept: FigureDescription | None) -> None:
        if kept is not None and window in self._attempts and self._attempts[window] is None:
            window.show_description(kept.text, kept.byline)

    def _on_wanted(self, window: FigureWindow, figure: FigureToDescribe) -> None:
        """Ask the model, or stop it; without one its dialog is opened."""
        if self._stop(window):
            said = window.description.text()
            window.show_description(said, "Stopped. What was said so far is not kept.")
            return
        profile = self._models.choice.profile
        if profile is None:
            self._models.show_dialog()
            profile = self._models.choice.profile
        if profile is None or not self._models.is_permitted(profile):
            return
        attempt = _Attempt((window.description.text(), window.byline_label.text()))
        window.show_description("", f"{profile.model} looks at the figure …", goes_on=True)
        self._attempts[window] = attempt
        attempt.request_id = self._session.start(
            *("describe_figure", figure, profile),
            on_result=partial(self._on_told, window, attempt, goes_on=False),
            on_failure=partial(self._on_failed, window, attempt),
            on_progress=partial(self._on_told, window, attempt, goes_on=True),
        )

    def _stop(self, window: FigureWindow) -> bool:
        """Stop the model of a window, and tell whether one was at work."""
        attempt, self._attempts[window] = self._attempts[window], None
        if attempt is not None:
            self._session.cancel(attempt.request_id)
        return attempt is not None

    def _on_finished(self, window: FigureWindow, _result: int) -> None:
        self._stop(window)
        del self._attempts[window]

    def _on_told(
        self, window: FigureWindow, attempt: _Attempt, told: FigureDescription, *, goes_on: bool
    ) -> None:
        if self._attempts.get(window) is attempt:
            window.show_description(told.text, told.byline, goes_on=goes_on)
            if not goes_on:
                self._attempts[window] = None

    def _on_failed(self, window: FigureWindow, attempt: _Attempt, error: DesktopQaError) -> None:
        if self._attempts.get(window) is attempt:
            self._attempts[window] = None
            text, byline = attempt.before
            problem = f"{error.message} {error.hint}".strip()
            window.show_description(text, f"{problem} {byline if text else ''}".strip())
