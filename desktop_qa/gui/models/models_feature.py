"""Language models in the window: the choice, the badge that tells what leaves, the answers."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.figure_description import FigureDescription, FigureToDescribe
from desktop_qa.core.view import EvidenceView
from desktop_qa.gui.evidence.figure_window import FigureWindow
from desktop_qa.gui.models.model_link import ModelChoice, ModelLink
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.dialog_parts import is_agreed
from desktop_qa.gui.window_parts import Feature, Slot, WindowParts
from desktop_qa.llm.profile import WHAT_LEAVES, Profile, ProfileStore

_STAYS = "Nothing leaves this machine: documents, questions and answers stay here."


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


class ModelsFeature(Feature):
    """Knows which model is asked, and says at every moment whether text leaves the machine."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session = window.session
        self._status_line = window.status_line
        self.choice = ModelChoice(window.settings, ProfileStore(), self)
        self.answers = ModelLink(window, self)
        self.figures = FigureDescriber(session, self)
        self._menu = QMenu(window)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._status_line.privacy_button.setMenu(self._menu)
        self.choice.changed.connect(self._show_badge)
        session.library_opened.connect(self._show_badge)
        session.library_closed.connect(self._show_badge)
        self._show_badge()

    def actions(self) -> dict[str, Slot]:
        """See `Feature`."""
        return {"language_models": self.show_dialog}

    def show_dialog(self) -> None:
        """Open the dialog of the profiles."""
        # Nobody needs it at the start of the window.
        from desktop_qa.gui.models.models_dialog import ModelsDialog

        dialog = ModelsDialog(self._session, self.choice, self._window)
        dialog.exec()
        dialog.deleteLater()

    def _show_badge(self, *_what: object) -> None:
        profile, folder = self.choice.profile, self._session.folder
        words, tip, leaves = "Offline", _STAYS, False
        if profile is not None and not profile.is_remote:
            words = f"Offline · {profile.model}"
            tip = f"{_STAYS} {profile.model} runs on this machine."
        elif profile is not None and folder and self.choice.may_send(profile, folder):
            words, leaves = f"Text goes to {profile.host}", True
            tip = (
                f"Questions and the passages found for them go to {profile.model} at"
                f" {profile.host}."
            )
        elif profile is not None:
            words = f"Offline · {profile.host} not allowed"
            tip = f"{_STAYS} Text of this library may not go to {profile.host} yet."
        self._status_line.show_privacy(words, tip, text_leaves=leaves)

    def _fill_menu(self) -> None:
        menu, chosen = self._menu, self.choice.profile
        menu.clear()
        for name, text in (
            ("", "No Language Model"),
            *((one.name, f"{one.name} ({one.model})") for one in self.choice.profiles),
        ):
            action = QAction(text.replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(name == (chosen.name if chosen is not None else ""))
            action.triggered.connect(partial(self.choose, name))
            menu.addAction(action)
        menu.addSeparator()
        folder = self._session.folder
        if chosen is not None and chosen.is_remote and self.choice.may_send(chosen, folder):
            menu.addAction("Take Back What May Leave This Library", self._withdraw)
        menu.addAction("Language Models …", self.show_dialog)

    def choose(self, name: str, _checked: bool = False) -> None:
        """Ask a profile from now on; one elsewhere only when the user lets text go there."""
        self.choice.choose(name)
        profile, folder = self.choice.profile, self._session.folder
        if profile is not None and folder:
            self.is_permitted(profile)

    def is_permitted(self, profile: Profile) -> bool:
        """Tell whether text of the open library may go to a profile; the user is asked once."""
        folder = self._session.folder
        if self.choice.may_send(profile, folder):
            return True
        lines = "\n".join(f"•  {line}" for line in WHAT_LEAVES)
        agreed = is_agreed(
            self._window,
            "Text Leaves This Machine",
            f"May text of this library go to {profile.model} at {profile.host}?",
            f"With each question there go:\n{lines}\n\nIt holds for this library, this host and"
            " this model, in the window and in the terminal, until you take it back.",
            "Let It Go There",
            "Not Now",
        )
        if agreed:
            self.choice.agree(profile, folder, datetime.date.today())
        return agreed

    def _withdraw(self) -> None:
        self.answers.stop()
        self.choice.withdraw(self._session.folder)
