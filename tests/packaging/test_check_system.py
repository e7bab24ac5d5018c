from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.helpers.command_line import REPOSITORY

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems bring what Qt needs"
)


@pytest.fixture
def check_system(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    path: Path = REPOSITORY / "packaging" / "check_system.py"
    spec = importlib.util.spec_from_file_location("check_system", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(sys, "argv", ["check_system.py"])
    return module


def test_library_that_cannot_be_loaded_names_its_package(
    check_system: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check_system, "PACKAGES", {"libnowhere.so.9": "libnowhere9"})
    assert "libnowhere9" in check_system.missing_packages()
    assert check_system.main() == 1
    assert "apt-get install -y" in capsys.readouterr().err


def test_nothing_is_said_when_nothing_is_missing(
    check_system: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check_system, "PACKAGES", {"libc.so.6": "libc6"})
    monkeypatch.setattr(check_system, "_has_font", lambda: True)
    assert check_system.main() == 0
    assert capsys.readouterr().err == ""
