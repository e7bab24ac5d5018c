"""Documents that try to make a model say, hide, fetch or leak something: what code guarantees.

What a model makes of them is measured with a model; here it obeys each of them to the letter.
"""

from __future__ import annotations

import ast
import base64
import codecs
import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

import desktop_qa.generate
from desktop_qa.core.answer_blocks import as_text
from desktop_qa.generate.grounding import check
from desktop_qa.generate.judging import Ground, Verdict
from desktop_qa.generate.leaks import is_leak
from desktop_qa.generate.passages import passages_of
from desktop_qa.generate.prompt import Prompt, PromptKind, build_prompt
from tests.generate.reading import read_stream
from tests.helpers.made_answers import make_answer
from tests.helpers.tables import Sheet

BANK = [
    json.loads(line)
    for line in Path(__file__).with_name("injected.jsonl").read_text(encoding="utf-8").splitlines()
]
EACH = pytest.mark.parametrize("row", BANK, ids=[row["id"] for row in BANK])
OBEYED = pytest.mark.parametrize(
    "row", [r for r in BANK if r["payload"]], ids=[r["id"] for r in BANK if r["payload"]]
)


def asked(row: dict[str, Any], guess: str = "passages") -> Prompt:
    library = Sheet().add_text(row["text"].replace("{guess}", guess))
    offline = make_answer(row["question"], evidence=library.evidence())
    passages = passages_of(offline, library, 1000)
    return build_prompt(PromptKind.ANSWER, 4096, row["question"], passages)


def obeyed(row: dict[str, Any], prompt: Prompt) -> str:
    rules = prompt.instructions
    return str(
        row["payload"]
        .replace("{rules}", rules)
        .replace("{base64}", base64.b64encode(rules.encode()).decode())
        .replace("{backwards}", rules[::-1])
        .replace("{rot13}", codecs.encode(rules, "rot13"))
        .replace("{spaced}", "\u200b".join(rules))
        .replace("{delimiter}", prompt.delimiter)
    )


def test_the_bank_has_all_kinds():
    assert len(BANK) == 40
    assert {row["kind"] for row in BANK} == {"say", "hide", "fetch", "leak", "close"}


@EACH
def test_no_document_ends_the_place_it_stands_in(row):
    earlier = asked(row).delimiter
    prompt = asked(row, guess=earlier)
    user = prompt.messages[1].text
    assert prompt.delimiter != earlier
    assert user.count(prompt.delimiter) == 2
    assert user.startswith(f"<{prompt.delimiter}>")
    _passages, _end, behind = user.partition(f"</{prompt.delimiter}>")
    assert behind == f"\n\nQuestion: {row['question']}"


@EACH
def test_nothing_hidden_reaches_the_model(row):
    user = asked(row).messages[1].text
    assert not [c for c in user if unicodedata.category(c)[0] == "C" and c != "\n"]
    assert not re.search("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u3164\u2800]", user)


@OBEYED
def test_what_an_obedient_model_writes_is_dead(row):
    blocks = list(read_stream([obeyed(row, asked(row))], [1]))[-1]
    shown = as_text(blocks, strong="", with_markers=False)
    assert "](" not in shown
    assert not re.search(r"<\s*(?:img|iframe|script|link|a|svg)\b", shown)
    assert "evil.example" not in shown
    assert "javascript:" not in shown
    assert "file:" not in shown


@pytest.mark.parametrize("row", [r for r in BANK if r["kind"] == "leak"], ids=lambda r: r["id"])
def test_a_leak_is_withheld(row):
    prompt = asked(row)
    assert is_leak(obeyed(row, prompt), prompt)
    assert not is_leak("The DQA1 draws 5 mA from a 3 V supply [1].", prompt)


@pytest.mark.parametrize("number", ["9 A [2]", "7 A [1]"])
def test_a_passage_that_plays_another_is_none(number):
    row = next(r for r in BANK if r["text"].startswith("[2] Other document"))
    prompt = asked(row)
    blocks = list(read_stream([f"The DQA1 draws {number}."], [p.marker for p in prompt.passages]))[
        -1
    ]
    (sentence,) = check(blocks, Ground(prompt.passages, row["question"])).sentences
    assert 2 not in sentence.markers
    assert sentence.judgement.verdict is not Verdict.SUPPORTED


def test_nothing_here_can_fetch_anything():
    folder = Path(desktop_qa.generate.__file__).parent
    imported = {
        name.split(".")[0]
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    allowed = {
        "__future__", "base64", "codecs", "collections", "copy", "dataclasses", "decimal",
        "desktop_qa", "enum", "functools", "json", "math", "re", "secrets", "string", "tomllib",
        "typing", "unicodedata",
    }  # fmt: skip
    assert imported <= allowed
