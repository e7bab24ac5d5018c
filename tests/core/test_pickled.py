"""What goes between the processes by the thousand has a short way through pickle of its own."""

import pickle
from dataclasses import fields

import pytest

from desktop_qa.core.document import BoundingBox, DocumentId, PageFailure
from desktop_qa.core.page_text import TextHit
from desktop_qa.core.progress import DocumentState, DocumentStatus

BOX = BoundingBox(1.0, 2.5, 3.0, 4.5)
STATUS = DocumentStatus(
    DocumentId("a"),
    "f/a.pdf",
    ("f/a.pdf", "g/a.pdf"),
    "/data/f/a.pdf",
    DocumentState.PARTIAL,
    *("reason", "hint", "title", "vendor", ("OPA1",), "Rev. A", 9, 8, 7, 6, 5),
    *((PageFailure(3, "scanned"),), True, True, "parser 1", 1.5, "2018-03"),
)


@pytest.mark.parametrize("value", [BOX, TextHit(3, 17, 20, (BOX, BOX)), STATUS])
def test_nothing_of_it_is_lost_on_the_way(value):
    assert pickle.loads(pickle.dumps(value)) == value
    make, arguments = value.__reduce__()
    # A field that is added must travel too.
    assert make is type(value)
    assert arguments == tuple(getattr(value, field.name) for field in fields(value))
