"""Which language model the window asks beside its own reading, if any."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from desktop_qa.llm.errors import ModelError
from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.profile import Consent, Profile, ProfileStore

_CHOSEN = "models/chosen"


@dataclass(frozen=True, slots=True)
class Reach:
    """What a question to a model is sent with; see `reasoned`."""

    profile: Profile
    key: str
    consent: Consent | None


class ModelChoice(QObject):
    """The profile that is asked; the window's one truth about it.

    Attributes:
        changed: Another profile is asked, or none, or what is known of it is new.
    """

    changed = Signal()

    def __init__(
        self,
        settings: QSettings,
        store: ProfileStore,
        keys: KeyStore,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.store = store
        self.keys = keys
        self._settings = settings
        self._profile: Profile | None = None
        self.error: ModelError | None = None
        self.refresh()

    @property
    def profile(self) -> Profile | None:
        """The chosen profile; `None` while the window asks no model."""
        return self._profile

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
            profiles = self.store.profiles()
            self.error = None
        except ModelError as error:
            profiles, self.error = (), error
        self._profile = next((p for p in profiles if name and p.name == name), None)
        self.changed.emit()

    def reach(self, profile: Profile, library: Path) -> Reach:
        """Return key and consent; a keyring may wait for the user, so never in the GUI thread.

        Raises:
            ModelError: PROFILES, when the file is damaged.
        """
        consent = self.store.consent(library, profile)
        return Reach(profile, self.keys.key(profile), consent)
