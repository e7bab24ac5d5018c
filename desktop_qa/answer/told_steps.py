"""Procedures told in running prose: the sentences of a section that say what to do, in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.answer.passages import Passage, without_label
from desktop_qa.augment.instructions import is_imperative, is_instruction, points_elsewhere
from desktop_qa.augment.sentences import split_sentences
from desktop_qa.core.document import BlockKind

_SETTING = re.compile(r"\b[A-Za-z]\w*(?:<[\d:]+>|\[[\d:]+\])?\s?=\s?[\w(–-]")
_MAX_TITLE_WORDS = 9
_ENDS = (".", ":", ";", ",", "!", "?")


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that says what to do, with the paragraph it stands in."""

    passage: Passage
    text: str


@dataclass(frozen=True, slots=True)
class ToldProcedure:
    """What a run of paragraphs says to do.

    Attributes:
        titles: Lines that stand above the paragraphs like headings, outermost first.
        sentences: In the order of the page.
    """

    titles: tuple[Passage, ...]
    sentences: tuple[Told, ...]


def told_procedures(passages: Sequence[Passage], *, with_items: bool = True) -> list[ToldProcedure]:
    """Find what the prose of a section says to do, a procedure for each titled run of paragraphs.

    Code counts where the line before it ends with a colon and says what to do.

    Args:
        passages: Of one section, in reading order.
        with_items: Count list items; they are left out where a list is a procedure of its own.
    """
    procedures: list[ToldProcedure] = []
    titles: list[Passage] = []
    told: list[Told] = []
    leads_on = False
    for passage in passages:
        if is_title(passage):
            if told:
                procedures.append(ToldProcedure(tuple(titles), tuple(told)))
                titles, told = [], []
            titles, leads_on = [*titles[-1:], passage], False
        elif passage.kind is BlockKind.CODE:
            if leads_on or is_imperative(passage.text):
                told.append(Told(passage, passage.text))
        elif passage.kind is BlockKind.LIST_ITEM:
            text = without_label(passage.text)
            if with_items and (leads_on or is_instruction(text)):
                told.append(Told(passage, text))
        elif passage.kind is BlockKind.TEXT:
            own = [Told(passage, s) for s in split_sentences(passage.text) if _says_what_to_do(s)]
            told += own
            leads_on = bool(own) and passage.text.endswith(":")
    if told:
        procedures.append(ToldProcedure(tuple(titles), tuple(told)))
    return [one for one in procedures if one.sentences]


def is_title(passage: Passage) -> bool:
    """Tell whether a text block is a heading that was not recognized as one."""
    words = passage.text.split()
    return (
        passage.kind is BlockKind.TEXT
        and 0 < len(words) <= _MAX_TITLE_WORDS
        and not passage.text.endswith(_ENDS)
        and passage.text[:1].isupper()
        and not is_instruction(passage.text)
        and "=" not in passage.text
    )


def _says_what_to_do(sentence: str) -> bool:
    if points_elsewhere(sentence):
        return False
    return is_instruction(sentence) or bool(_SETTING.search(sentence))
