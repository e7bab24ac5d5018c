from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_qa.index.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "library")
    yield opened
    opened.close()
