"""Which model the window asks, kept over its end and over a damaged file."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

import pytest
from keyring.backends.null import Keyring
from PySide6.QtCore import QSettings

from desktop_qa.gui.models.model_choice import ModelChoice
from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.profile import Dialect, Profile, ProfileStore

HERE = Profile("here", Dialect.OLLAMA, "http://127.0.0.1:11434", "qwen3:8b")
CLOUD = replace(HERE, name="cloud", address="https://models.example/v1", model="large")
KEYS = KeyStore(Keyring())  # type: ignore[no-untyped-call]


@pytest.fixture
def store(tmp_path: Path) -> ProfileStore:
    store = ProfileStore(tmp_path / "models.toml")
    store.save(HERE)
    store.save(CLOUD)
    return store


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def test_what_was_chosen_is_asked_again_the_next_day(
    store: ProfileStore, settings: QSettings
) -> None:
    choice = ModelChoice(settings, store, KEYS)
    assert choice.profile is None
    choice.choose("cloud")
    assert choice.profile == CLOUD
    assert ModelChoice(settings, store, KEYS).profile == CLOUD


def test_a_profile_that_is_gone_asks_none(store: ProfileStore, settings: QSettings) -> None:
    choice = ModelChoice(settings, store, KEYS)
    choice.choose("here")
    heard: list[Profile | None] = []
    choice.changed.connect(lambda: heard.append(choice.profile))
    store.remove("here")
    choice.refresh()
    assert heard == [None]


def test_a_damaged_file_asks_none_and_says_why(
    store: ProfileStore, settings: QSettings, tmp_path: Path
) -> None:
    choice = ModelChoice(settings, store, KEYS)
    choice.choose("here")
    (tmp_path / "models.toml").write_text("[[profiles", encoding="utf-8")
    choice.refresh()
    assert choice.profile is None
    assert "cannot be read" in str(choice.error)


def test_a_question_is_sent_with_the_consent_of_its_library(
    store: ProfileStore, settings: QSettings, tmp_path: Path
) -> None:
    choice = ModelChoice(settings, store, KEYS)
    consent = store.agree(tmp_path / "one", CLOUD, datetime.date(2026, 1, 2))
    assert choice.reach(CLOUD, tmp_path / "one").consent == consent
    assert choice.reach(CLOUD, tmp_path / "two").consent is None
