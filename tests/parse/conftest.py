from __future__ import annotations

import pytest

from tests.parse.sheet import Sheet


@pytest.fixture
def sheet() -> Sheet:
    return Sheet()
