from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_qa.index.store import Store
from desktop_qa.retrieve.search_index import SearchIndex


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with contextlib.closing(Store.open(tmp_path / "library")) as opened:
        yield opened


@pytest.fixture
def index(store: Store) -> Iterator[SearchIndex]:
    with contextlib.closing(SearchIndex(store)) as opened:
        opened.load()
        yield opened
