from __future__ import annotations

import logging
from pathlib import Path

import pytest

from desktop_qa.core.errors import LibraryError
from desktop_qa.core.sources import SourceSettings
from desktop_qa.settings import Settings, load_settings


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "settings.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_no_file_gives_the_defaults(tmp_path):
    assert load_settings(tmp_path / "none.toml") == Settings()
    assert Settings().sources == SourceSettings((), 0.1, True)


def test_sources_are_set_in_a_section_of_their_own(tmp_path):
    text = (
        '[sources]\npreferred = ["vendor:TI", "/new"]\nboost = 1\nnewest_revision_first = false\n'
    )
    sources = load_settings(written(tmp_path, text)).sources
    assert sources == SourceSettings(("vendor:TI", "/new"), 1.0, False)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ('preferred = "vendor:TI"', "a list of texts"),
        ("preferred = [1]", "a list of texts"),
        ('boost = "much"', "a number"),
        ("boost = true", "a number"),
        ("boost = 1.5", "from 0 to 1"),
        ("boost = -0.1", "at least 0"),
        ("newest_revision_first = 1", "true or false"),
    ],
)
def test_a_wrong_value_is_told_with_its_place(tmp_path, line, kind):
    file = written(tmp_path, f"[sources]\n{line}\n")
    with pytest.raises(LibraryError, match=kind) as raised:
        load_settings(file)
    assert str(file) in raised.value.message
    assert line.split()[0] in raised.value.message


@pytest.mark.parametrize("line", ["top_k = 0", "top_k = true", "top_k = 2.5", "alpha = -1"])
def test_a_number_that_means_nothing_is_told(tmp_path, line):
    with pytest.raises(LibraryError, match=f"{line.split()[0]} must be a .*number of at least"):
        load_settings(written(tmp_path, f"[retrieval]\n{line}\n"))


def test_an_unknown_setting_is_passed_over_with_a_warning(tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        assert load_settings(written(tmp_path, "[sources]\nhost = 1\n")) == Settings()
    assert "host" in caplog.text
