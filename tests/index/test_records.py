"""How values are packed into the store, and what damage to them looks like."""

import pytest

from desktop_qa.core.errors import LibraryError
from desktop_qa.index.records import unpack


@pytest.mark.parametrize("blob", [b"", b"\xc1", b"\x01", b"\xa2\xff\xfe"])
def test_bytes_that_are_no_such_value_are_damage_of_the_library(blob):
    with pytest.raises(LibraryError, match="damaged"):
        unpack(blob, str)
