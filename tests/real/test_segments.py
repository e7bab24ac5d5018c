from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_qa.augment.segmenter import segment_document
from desktop_qa.catalog import document_id_of
from desktop_qa.core.folding import fold
from desktop_qa.core.segment import Segment
from desktop_qa.parse.document import read_document
from desktop_qa.tokens import count_tokens

pytestmark = pytest.mark.real

FILES = ("TI_OPT3007.pdf", "TI_DRV8833C.pdf")


@pytest.fixture(scope="module", params=FILES)
def segments(request: pytest.FixtureRequest, shared: Path) -> tuple[str, tuple[Segment, ...]]:
    path = shared / "library" / request.param
    result = read_document(path, document_id_of(path), (path.name,), None, lambda *_: None)
    return path.name, segment_document(result.document, count_tokens, page_words=result.page_words)


def test_every_gold_passage_is_held_by_a_segment_of_its_page(
    segments: tuple[str, tuple[Segment, ...]], shared: Path
) -> None:
    file, found = segments
    lines = (shared / "eval" / "dev.jsonl").read_text(encoding="utf-8").splitlines()
    evidence = [e for line in lines for e in json.loads(line)["evidence"] if e["file"] == file]
    assert evidence
    for item in evidence:
        wanted = fold(item["contains"])
        assert any(
            item["page"] in segment.metadata.page_nos
            and (wanted in fold(segment.text) or wanted in fold(segment.lexical_text))
            for segment in found
        ), item
