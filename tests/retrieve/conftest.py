from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from desktop_qa.retrieve.search_index import SearchIndex


@pytest.fixture
def index(store) -> Iterator[SearchIndex]:
    with contextlib.closing(SearchIndex(store)) as opened:
        opened.load()
        yield opened
