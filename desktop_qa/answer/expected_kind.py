"""What kind of answer a question can only have, and whether statements are of that kind.

"What does it cost", "who designed it" and "in which country" ask for money, a person and a place:
data sheets do not state these, and a sentence that shares the other words is no answer. The types
of answers are those of Li and Roth ("Learning question classifiers", COLING 2002) that can be told
from the question by its form; a question of no such type is not judged here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from desktop_qa.paths import asset

_DIGIT = re.compile(r"\d")
_CODE = re.compile(
    r"\b(?:errors?|alarms?|faults?|warnings?|messages?|exceptions?|status|trouble)"
    r"(?: (?:codes?|no\.?|numbers?|messages?))? #?((?:[a-z]{1,4}[-_]?)?\d[\w-]*)\b"
    r"(?! ?(?:v|a|ma|mv|%|ms|us)\b)"
)
"""A message that is named by its code: "error E312", "fault code 17"."""

_MAX_CHARACTERS = 1000
"""Of a question: what stands further on tells no kind."""


@dataclass(frozen=True, slots=True)
class ExpectedKind:
    """A kind of answer.

    Attributes:
        name: As a person reads it, with its article.
        shows: What stands in a statement of the kind; `None` when one of `same` must.
        same: Beginnings of words that stand in the answer when they stand in the question.
        amounts: Questions of the kind whose answer is a number.
    """

    name: str
    asks: re.Pattern[str]
    unless: re.Pattern[str] | None
    shows: re.Pattern[str] | None
    same: tuple[str, ...]
    amounts: re.Pattern[str] | None

    def is_asked(self, question: str) -> bool:
        """Tell whether a question, folded, asks for the kind."""
        return bool(self.asks.search(question)) and not (
            self.unless is not None and self.unless.search(question)
        )

    def is_shown(self, question: str, text: str) -> bool:
        """Tell whether a text states something of the kind."""
        if self.shows is not None:
            # What the question says itself is no answer to it: "the capital of Australia?"
            found = (match.group().casefold() for match in self.shows.finditer(text))
            return any(shown not in question for shown in found)
        asked = [word for word in self.same if _begins_in(word, question)]
        needs_number = self.amounts is not None and self.amounts.search(question)
        return any(
            _begins_in(word, line) and (not needs_number or _DIGIT.search(line))
            for word in asked
            for line in text.split("\n")
        )


@cache
def _kinds() -> tuple[ExpectedKind, ...]:
    content = tomllib.loads(
        asset("resources/vocabulary/answer_kinds.toml").read_text(encoding="utf-8")
    )
    return tuple(
        ExpectedKind(
            kind["name"],
            re.compile("|".join(kind["asks"]), re.IGNORECASE),
            re.compile(kind["unless"], re.IGNORECASE) if "unless" in kind else None,
            re.compile("|".join(kind["shows"])) if "shows" in kind else None,
            tuple(kind.get("same", ())),
            re.compile(kind["amounts"]) if "amounts" in kind else None,
        )
        for kind in content["kind"]
    )


def missing_kind(question: str, statements: Iterable[str]) -> str:
    """Return the name of a kind of answer that a question asks for and no statement is of.

    Args:
        question: As it was typed.
        statements: What would be answered.

    Returns:
        "" when the kind is there, or when the question can be answered by many.
    """
    folded = " ".join(question[:_MAX_CHARACTERS].casefold().split())
    asked = [kind for kind in _kinds() if kind.is_asked(folded)]
    text = "\n".join(statements)
    for kind in asked:
        if not kind.is_shown(folded, text):
            return kind.name
    return ""


def missing_code(question: str, texts: Iterable[str]) -> str:
    """Return the code of a message that is asked about and in none of some texts, else ""."""
    folded = " ".join(question[:_MAX_CHARACTERS].casefold().split())
    text = "\n".join(texts).casefold()
    for match in _CODE.finditer(folded):
        if not re.search(rf"(?<!\w){re.escape(match[1])}(?!\w)", text):
            return match[1].upper()
    return ""


def _begins_in(word: str, text: str) -> bool:
    # Short words are whole ones: "fit" is no "fitted".
    end = r"\b" if len(word) <= 3 else ""
    return re.search(rf"\b{re.escape(word)}{end}", text, re.IGNORECASE) is not None
