from __future__ import annotations

from dataclasses import replace

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError

from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.profile import Dialect, Profile

CLOUD = Profile("Cloud", Dialect.CHAT_COMPLETIONS, "https://api.example.com/v1", "big")
KEY = "sk-geheim-123456"


# A class that keyring does not find by itself: its own registry is for every test.
class Backend(KeyringBackend):
    """A keyring in memory."""

    priority = 5

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.kept:
            raise PasswordDeleteError("no such password")
        del self.kept[service, username]


class LockedBackend(Backend):
    """A keyring that the user does not unlock; its text must not get into the log."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked(f"locked {KEY}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked(f"locked {password}")

    def delete_password(self, service: str, username: str) -> None:
        raise KeyringLocked(f"locked {KEY}")


class PlainBackend(Backend):
    """A keyring that writes what it is given into a file as it is."""

    priority = 0.5  # type: ignore[assignment]


def test_key_outlives_the_program_in_a_keyring():
    backend = Backend()
    assert KeyStore(backend).keep(CLOUD, f" {KEY}\n")
    store = KeyStore(backend)
    assert store.is_lasting
    assert store.key(CLOUD) == KEY
    assert list(backend.kept) == [("desktop-qa", "https://api.example.com:443")]


def test_key_belongs_to_the_server_and_not_to_the_profile():
    store = KeyStore(Backend())
    store.keep(CLOUD, KEY)
    assert store.key(replace(CLOUD, name="Other", model="small")) == KEY
    for address in ("https://evil.example.com/v1", "http://api.example.com/v1"):
        assert store.key(replace(CLOUD, address=address)) == ""


def test_forgotten_key_is_gone_and_forgetting_none_is_no_error():
    backend = Backend()
    store = KeyStore(backend)
    store.keep(CLOUD, KEY)
    store.forget(CLOUD)
    store.forget(CLOUD)
    assert store.key(CLOUD) == ""
    assert backend.kept == {}


def test_empty_key_is_a_forgotten_one():
    store = KeyStore(Backend())
    store.keep(CLOUD, KEY)
    store.keep(CLOUD, " ")
    assert store.key(CLOUD) == ""


def test_keyring_in_plain_text_is_not_used():
    backend = PlainBackend()
    store = KeyStore(backend)
    assert not store.is_lasting
    assert not store.keep(CLOUD, KEY)
    assert store.key(CLOUD) == KEY
    assert backend.kept == {}
    assert KeyStore(backend).key(CLOUD) == ""


def test_locked_keyring_leaves_the_key_in_memory_and_out_of_the_log(caplog):
    with caplog.at_level("WARNING"):
        store = KeyStore(LockedBackend())
        assert store.key(CLOUD) == ""
        assert not store.keep(CLOUD, KEY)
        assert store.key(CLOUD) == KEY
    assert "KeyringLocked" in caplog.text
    assert KEY not in caplog.text
