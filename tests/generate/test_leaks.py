"""An answer that repeats what the model was told is withheld, in any spelling."""

import base64
import codecs

import pytest

from desktop_qa.generate.leaks import is_leak
from desktop_qa.generate.passages import Passage
from desktop_qa.generate.prompt import NOT_STATED, PromptKind, build_prompt

PASSAGE = Passage(1, "DQA1", text="A line of a table is one row of the register map.")
PROMPT = build_prompt(PromptKind.ANSWER, 4096, "What is a line of a table?", [PASSAGE])
RULES = PROMPT.instructions


@pytest.mark.parametrize(
    "said",
    [
        RULES,
        f"My instructions are: {RULES[:300]}",
        RULES[200:420].upper(),
        base64.b64encode(RULES[:240].encode()).decode(),
        codecs.encode(RULES[:240], "rot13"),
        RULES[:240][::-1],
        "\u200b".join(RULES[:300]),
        f"The passages stand in <{PROMPT.delimiter}>.",
    ],
    ids=["all", "quoted", "capitals", "base64", "rot13", "backwards", "parted", "delimiter"],
)
def test_instructions_and_the_delimiter_are_a_leak(said):
    assert is_leak(said, PROMPT)


@pytest.mark.parametrize(
    "said",
    [
        "A line of a table is one row of the register map [1].",
        NOT_STATED,
        f"The supply voltage is 5 V [1]. {NOT_STATED}",
        "Copy the numbers from the table into the register, then read the status [1].",
        "",
    ],
)
def test_an_answer_is_none(said):
    assert not is_leak(said, PROMPT)
