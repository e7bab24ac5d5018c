"""Scripts of `packaging`, imported as they are when they run."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.helpers.command_line import REPOSITORY


@pytest.fixture(scope="module")
def script(request) -> Iterator[ModuleType]:
    """The script that the test file names SCRIPT; others beside it can be imported as well."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(REPOSITORY / "packaging")
        yield importlib.import_module(request.module.SCRIPT)
