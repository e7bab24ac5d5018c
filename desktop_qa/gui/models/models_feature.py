"""Language models in the window: the choice, the badge that tells what leaves, the answers."""

from __future__ import annotations

import datetime
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop_qa.gui.feature import Feature, Slot
from desktop_qa.gui.models.figure_describer import FigureDescriber
from desktop_qa.gui.models.model_link import ModelChoice, ModelLink
from desktop_qa.gui.widgets.dialog_parts import is_agreed
from desktop_qa.gui.window_parts import WindowParts
from desktop_qa.llm.profile import WHAT_LEAVES, Profile, ProfileStore

_STAYS = "Nothing leaves this machine: documents, questions and answers stay here."


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
