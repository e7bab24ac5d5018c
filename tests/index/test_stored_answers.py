"""Answers come out of the history as they went in, and so do those of earlier versions."""

from __future__ import annotations

import json

import msgspec
import pytest

from desktop_qa.core.answer import Answer, SentenceSupport
from desktop_qa.core.answer_blocks import (
    Figure,
    Line,
    Listing,
    Readings,
    Run,
    Steps,
    as_text,
    lines_of,
    markers_in,
    words_of,
)
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.index.stored_answers import blocks_of_text, decoded, encoded, plain_words
from tests.helpers.made_answers import make_answer
from tests.helpers.said import said

TABLE = AnswerTable(TableUse.ROWS, "t", ("", "MAX"), ((AnswerCell("Noise"), AnswerCell("5", 1)),))
JOINED = "Bit [\u20607] of CTRL[\u20601] is **set**. [1]"
EVERY_KIND = (
    "A lead of the document: [1]\n- one [1]\n- two [2]\n\n"
    "3. Open it. [1]\n   Mind it. [1]\n   - by hand [2]\n5. Close it. [1]\n\n"
    "P = 5 V × 2 A = **10 W**. 5 V comes from the question. [1]"
)


def answer(text: str) -> Answer:
    blocks = (*said(text), TABLE, Figure(2), Readings(("A?",)))
    support = (SentenceSupport("Noise 5.", (1,), 0.9),)
    return make_answer("?", blocks, support=support)


def test_every_kind_of_block_comes_back_as_it_was():
    kept = answer(EVERY_KIND)
    assert decoded(encoded(kept)) == kept
    assert {type(block) for block in kept.blocks} == {
        *(Listing, Steps, Line, AnswerTable, Figure, Readings)
    }


def test_the_text_of_an_earlier_version_is_printed_as_it_was():
    blocks = blocks_of_text(EVERY_KIND, {1, 2})
    assert as_text(blocks) == EVERY_KIND
    assert markers_in(blocks) == (1, 2)
    computed = blocks[-1]
    assert isinstance(computed, Line)
    assert computed.equation[-1] == (Run("10 W", is_strong=True),)


def test_an_answer_of_an_earlier_version_opens_with_all_it_had():
    old = msgspec.to_builtins(answer(""))
    del old["blocks"]
    citation = {
        "marker": 1, "segment_id": "s", "document_id": "d", "places": [], "quote": [],
    }  # fmt: skip
    old |= {
        "text": f"{JOINED}\n\n- A?",
        "citations": [citation],
        "tables": [msgspec.to_builtins(TABLE)],
        "figures": [2],
        "readings": ["A?"],
        "support": [{"sentence": "Noise **5**.", "markers": [1], "score": 0.9}],
    }
    opened = decoded(json.dumps(old).encode())
    assert opened.text == "Bit [7] of CTRL[1] is **set**. [1]\n\n- A?"
    assert opened.blocks[1:] == (Readings(("A?",)), TABLE, Figure(2))
    assert markers_in(opened.blocks) == (1,)
    assert opened.support == (SentenceSupport("Noise 5.", (1,), 0.9),)


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        ("It is 5 mA [1].", (1,)),
        ("It is 5 mA. [1][2]", (1, 2)),
        ("Two (see 3) [2]", (2,)),
        ("**Bold**[1] words", (1,)),
        ("The value is 0[1].", ()),
        ("The value is **0[1]** of V[2]. [2]", (2,)),
        ("[1] first", (1,)),
        ("None [9] here", ()),
    ],
)
def test_markers_are_told_from_brackets_of_the_document(text, markers):
    assert markers_in(blocks_of_text(text, {1, 2})) == markers


def test_no_word_of_a_stored_text_is_lost():
    text = "First\n   alone\n1) odd\n* star\n- [9] x\n| A | B |\n**half"
    blocks = blocks_of_text(text, ())
    assert words_of(blocks).split() == text.replace("- [9]", "[9]").split()
    assert len(list(lines_of(blocks))) == 7


def test_an_excerpt_is_the_words_alone():
    assert plain_words(f"- {JOINED}\n- max **5** [2]") == "Bit [7] of CTRL[1] is set. max 5"


@pytest.mark.parametrize("content", [b"{}", b"[]", b'{"blocks": [{"kind": "poem"}]}', b"no"])
def test_what_is_no_answer_is_told(content):
    with pytest.raises(msgspec.MsgspecError):
        decoded(content)
