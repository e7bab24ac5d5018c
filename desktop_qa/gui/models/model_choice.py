"""Which language model the window asks beside its own reading, and whether it may."""

from __future__ import annotations

import datetime
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from desktop_qa.llm.errors import ModelError
from desktop_qa.llm.profile import Profile, ProfileStore

_CHOSEN = "models/chosen"


class ModelChoice(QObject):
    """The profile that is asked; the window's one truth about it.

    Attributes:
        changed: Another profile is asked, or none, or what is known of it is new.
    """

    changed = Signal()

    def __init__(
        self, settings: QSettings, store: ProfileStore, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.store = store
        self._settings = settings
        self.profiles: tuple[Profile, ...] = ()
        self.profile: Profile | None = None
        self.error: ModelError | None = None
        self.refresh()

    def choose(self, name: str) -> None:
        """Ask this profile from now on; an empty name, or one that is gone, asks none."""
        self._settings.setValue(_CHOSEN, name)
        self.refresh()

    def refresh(self) -> None:
        """Read the profiles again, after one was made, changed or removed.

        A file that is damaged asks no model; `error` says why.
        """
        name = str(self._settings.value(_CHOSEN, ""))
        try:
            self.profiles, self.error = self.store.profiles(), None
        except ModelError as error:
            self.profiles, self.error = (), error
        self.profile = next((p for p in self.profiles if name and p.name == name), None)
        self.changed.emit()

    def may_send(self, profile: Profile, library: str) -> bool:
        """Tell whether text of a library may go to a profile: always where it stays here."""
        if not profile.is_remote:
            return True
        try:
            return self.store.consent(Path(library), profile) is not None
        except ModelError:
            return False

    def agree(self, profile: Profile, library: str, day: datetime.date) -> None:
        """Keep that text of a library may go to a profile.

        Raises:
            ModelError: PROFILES, when that cannot be written.
        """
        self.store.agree(Path(library), profile, day)
        self.changed.emit()

    def withdraw(self, library: str) -> None:
        """Let text of a library go nowhere any more.

        Raises:
            ModelError: PROFILES, when that cannot be written.
        """
        self.store.withdraw(Path(library))
        self.changed.emit()
