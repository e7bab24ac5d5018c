from __future__ import annotations

import sys
from types import ModuleType

import pytest

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems bring what Qt needs"
)


SCRIPT = "check_system"


@pytest.fixture
def check_system(script, monkeypatch) -> ModuleType:
    monkeypatch.setattr(sys, "argv", ["check_system.py"])
    return script


def test_library_that_cannot_be_loaded_names_its_package(check_system, monkeypatch, capsys):
    monkeypatch.setattr(check_system, "PACKAGES", {"libnowhere.so.9": "libnowhere9"})
    assert "libnowhere9" in check_system.missing_packages()
    assert check_system.main() == 1
    assert "apt-get install -y" in capsys.readouterr().err


def test_nothing_is_said_when_nothing_is_missing(check_system, monkeypatch, capsys):
    monkeypatch.setattr(check_system, "PACKAGES", {"libc.so.6": "libc6"})
    monkeypatch.setattr(check_system, "_has_font", lambda: True)
    assert check_system.main() == 0
    assert capsys.readouterr().err == ""
