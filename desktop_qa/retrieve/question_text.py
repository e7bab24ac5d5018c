"""A question made readable: what no reader sees is taken out, what has no end is cut short.

The parsers of questions look for codes, quantities and places in Latin letters. People paste log
files, write without a space between scripts, and sometimes nothing that can be searched at all.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from desktop_qa.core.errors import QuestionError
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.structure_refs import find_structure_refs

MAX_CHARACTERS = 4000
"""Of a question that is searched, some 650 words. Ten thousand distinct codes, which is what a
pasted list of parts holds, took 15 s to compare with 51 documents; what is left of them takes half
a second."""

_SCRIPTS_WITHOUT_SPACES = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
_SCRIPT_BORDER = re.compile(
    rf"(?<=[{_SCRIPTS_WITHOUT_SPACES}])(?=[A-Za-z0-9])"
    rf"|(?<=[A-Za-z0-9Ωµ°%])(?=[{_SCRIPTS_WITHOUT_SPACES}])"
)
_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""Colours that come along when a terminal is copied."""

_UNSEEN = {"Cc", "Cs", "Co", "Cn"}
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


@dataclass(frozen=True, slots=True)
class ReadableQuestion:
    """A question as it is searched.

    Attributes:
        text: Of at most `MAX_CHARACTERS`.
        note: What was left out, as a sentence for the user; empty when nothing was.
    """

    text: str
    note: str = ""


def readable(question: str) -> ReadableQuestion:
    """Make a question fit to be searched.

    Control characters, halves of characters and marks of direction are dropped, digits of all
    scripts and letters of full width become those of documents, and a space stands between
    scripts that are written without one.

    Raises:
        QuestionError: When nothing is left that could be searched.
    """
    text = _plain(question)
    if not text:
        raise QuestionError("The question is empty.", "Type what you want to know.")
    if not any(character.isalnum() for character in text):
        raise QuestionError(
            "There is no word and no number in this question.",
            "Ask in words, such as “What is the supply voltage of the …?”, or type a part number.",
        )
    if not terms_of(text[:MAX_CHARACTERS]) and not find_structure_refs(text[:MAX_CHARACTERS]):
        raise QuestionError(
            "These words stand in every document.",
            "Add what you want to know: a property, a part number, a register, a page.",
        )
    if len(text) <= MAX_CHARACTERS:
        return ReadableQuestion(text)
    half = (MAX_CHARACTERS - 1) // 2
    head, tail = text[:half], text[-half:]
    return ReadableQuestion(
        f"{head} {tail}",
        f"The question is very long; its first and last {half:,} characters were searched.",
    )


def _plain(question: str) -> str:
    spaced = "".join(map(_character, _ESCAPE.sub(" ", question).translate(_FULL_WIDTH)))
    lines = (" ".join(line.split()) for line in _SCRIPT_BORDER.sub(" ", spaced).split("\n"))
    return "\n".join(line for line in lines if line)


def _character(character: str) -> str:
    category = unicodedata.category(character)
    if category in _UNSEEN and character != "\n":
        return " "
    if category == "Nd" and not character.isascii():
        return str(unicodedata.digit(character))
    return "" if category == "Cf" else character
