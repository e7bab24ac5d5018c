"""Ten real datasheets, indexed once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_qa.core.progress import IngestReport
from desktop_qa.ingest import IngestControl
from desktop_qa.library import Library
from desktop_qa.settings import Settings
from tests.helpers.ten_files import TEN_FILES


@pytest.fixture(scope="session")
def ten_folder(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Source folder with the ten files."""
    folder = tmp_path_factory.mktemp("ten")
    for name in TEN_FILES:
        (folder / name).symlink_to(shared / "library" / name)
    return folder


@pytest.fixture(scope="session")
def ten_ingest(
    ten_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Library, IngestReport]]:
    """Library of the ten files, and the report of its ingest."""
    library = Library.open(tmp_path_factory.mktemp("ten-library"), settings=Settings())
    try:
        library.add_source(ten_folder)
        report = library.sync(lambda _: None, IngestControl())
        yield library, report
    finally:
        library.close()


@pytest.fixture(scope="session")
def ten_library(ten_ingest: tuple[Library, IngestReport]) -> Library:
    """Library of the ten files."""
    return ten_ingest[0]
