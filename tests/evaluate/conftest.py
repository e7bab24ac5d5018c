from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_qa.library.facade import Library
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet


@pytest.fixture(scope="session")
def sheets(tmp_path_factory) -> Path:
    """Folder of two sibling datasheets."""
    folder = tmp_path_factory.mktemp("sheets")
    write_datasheet(folder / "acm4197.pdf")
    write_datasheet(folder / "acm4198.pdf", "ACM4198", "60")
    return folder


@pytest.fixture(scope="session")
def sheets_library(sheets, tmp_path_factory) -> Path:
    """Folder of the library of the two datasheets; to be read only."""
    folder = tmp_path_factory.mktemp("sheets") / "library"
    with open_library(folder, sheets):
        return folder


@pytest.fixture
def opened(sheets_library) -> Iterator[Library]:
    """The library of the two datasheets, open for reading."""
    with open_library(sheets_library, read_only=True) as library:
        yield library
