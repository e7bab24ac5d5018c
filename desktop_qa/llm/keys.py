"""Keys of model servers: in the keyring of the system, or in memory until the program ends.

A key belongs to scheme, host and port: who changes a profile's address does not send the key there.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from desktop_qa.llm.profile import Profile
from desktop_qa.paths import APP_NAME

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

logger = logging.getLogger(__name__)

_MIN_PRIORITY = 1
"""keyring's own measure: below 1 are files in plain text, none, and one that always fails."""


class KeyStore:
    """Gives and takes keys; a keyring may ask the user to unlock it, so never in the GUI thread."""

    def __init__(self, backend: KeyringBackend | None = None) -> None:
        """Choose where keys are kept.

        Args:
            backend: The system's own when `None`, looked for at the first use.
        """
        self._given = backend
        self._session: dict[str, str] = {}

    @property
    def is_lasting(self) -> bool:
        """Whether keys outlive the program."""
        return self._backend() is not None

    def key(self, profile: Profile) -> str:
        """Return the key for a profile's server; empty when there is none."""
        origin = profile.origin
        if origin in self._session:
            return self._session[origin]
        with self._asked("gave no key") as backend:
            if backend is not None:
                return backend.get_password(APP_NAME, origin) or ""
        return ""

    def keep(self, profile: Profile, key: str) -> bool:
        """Keep the key of a profile's server; an empty one is forgotten.

        Returns:
            Whether it outlives the program.
        """
        self.forget(profile)
        cleaned = key.strip()
        if not cleaned:
            return self.is_lasting
        with self._asked("took no key") as backend:
            if backend is not None:
                backend.set_password(APP_NAME, profile.origin, cleaned)
                return True
        self._session[profile.origin] = cleaned
        return False

    def forget(self, profile: Profile) -> None:
        """Remove the key of a profile's server, wherever it is."""
        from keyring.errors import PasswordDeleteError

        self._session.pop(profile.origin, None)
        # There may be none to delete.
        with self._asked("forgot no key") as backend, suppress(PasswordDeleteError):
            if backend is not None:
                backend.delete_password(APP_NAME, profile.origin)

    @contextmanager
    def _asked(self, failure: str) -> Iterator[KeyringBackend | None]:
        """Ask the keyring, if there is one; a failure is logged in so many words and passed over.

        The text of its error may be anything, and a log is no place for what a keyring holds.
        """
        from keyring.errors import KeyringError

        try:
            yield self._backend()
        except KeyringError as error:
            logger.warning("The keyring %s: %s", failure, type(error).__name__)

    def _backend(self) -> KeyringBackend | None:
        if self._given is None:
            import keyring

            self._given = keyring.get_keyring()
        return self._given if self._given.priority >= _MIN_PRIORITY else None
