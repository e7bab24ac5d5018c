"""Words of a question that point at what the reader sees: "this page", "the table above", "here".

"That table" is left to follow-ups: it points at what was said, not at what is seen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.retrieve.structure_refs import without_look_alikes

_MAX_CHARACTERS = 2000


class Seen(StrEnum):
    """What is pointed at."""

    PAGE = "page"
    TABLE = "table"
    FIGURE = "figure"
    SECTION = "section"
    CHAPTER = "chapter"
    DOCUMENT = "document"
    SELECTION = "selection"
    HERE = "here"


@dataclass(frozen=True, slots=True)
class Pointing:
    """Words that point.

    Attributes:
        start: First character.
        end: One past the last.
        words: As they stand in the question.
        is_weak: They may as well point at what was said before.
    """

    seen: Seen
    start: int
    end: int
    words: str
    is_weak: bool = False


_NOUNS = {
    Seen.PAGE: r"pages?",
    Seen.TABLE: r"tables?",
    Seen.FIGURE: (
        r"figures?|diagrams?|drawings?|plots?|graphs?|charts?|curves?|pictures?|images?"
        r"|illustrations?|schematics?"
    ),
    Seen.CHAPTER: r"chapter",
    Seen.SECTION: r"(?:sub-?)?sections?|clause",
    Seen.DOCUMENT: (
        r"documents?|data\s?sheets?|manuals?|pdfs?|(?:user['’]?s?\s+|reference\s+)?guide"
        r"|app(?:lication)?\s+note|file"
    ),
}
_NOT_BETWEEN = (
    r"(?!(?:is|are|was|were|be|has|have|had|does|do|did|can|could|will|would|should|may|must|of|in|on"
    r"|from|to|and|or|with|for|part|parts|device|chip|ic|component|product|the|a|an|as|that|which|what"
    r"|how|if|at|by|mean|means|mode|pin|register)\b)"
)
_BETWEEN = rf"(?:{_NOT_BETWEEN}[\w/+-]+\s+){{0,2}}?"
_THIS = (
    r"(?:this|these|the\s+(?:current(?:ly\s+(?:shown|open|displayed|visible))?|present|shown"
    r"|displayed|visible|open(?:ed)?|viewed))"
)
_SCREEN = r"(?:on\s+(?:my\s+|the\s+)?screen|in\s+front\s+of\s+me|in\s+the\s+viewer|right\s+now)"
_LOOKED_AT = (
    r"(?:(?:that\s+|which\s+)?(?:i(?:['’]?m|\s+am)|we(?:['’]?re|\s+are))\s+(?:currently\s+)?"
    r"(?:looking\s+at|viewing|reading|seeing|on)|(?:that\s+|which\s+)?(?:i|we)\s+(?:see|have\s+open)"
    r"|(?:that\s+is\s+|which\s+is\s+)?(?:currently\s+)?(?:shown|displayed|visible|open)"
    rf"(?:\s+(?:here|now|{_SCREEN})|(?=\s*[?.!,;]|\s*$))"
    rf"|here(?!\s+(?:is|are)\b)|{_SCREEN}|(?:above|below)(?!\s+(?:the\b|[\d±−-])))"
)
_SELECTED = re.compile(
    r"\b(?:the\s+|my\s+)?selection\b(?!\s+(?:of|pin|bit|guide|table|register|resistor|criteri\w+))"
    r"|\b(?:the|this)\s+(?:selected|marked|highlighted)\s+(?:text|words?|passage|lines?|part|rows?"
    r"|cells?|values?|sentences?|paragraphs?|sections?)\b"
    r"|\b(?:what\s+)?(?:i(?:['’]ve|\s+have)?|is)\s+(?:just\s+)?(?:selected|marked|highlighted)\b(?!\s+by)"
    r"|\bthis\s+(?:passage|paragraph|sentence|excerpt|text|line|row|cell|step|note|footnote)\b",
    re.IGNORECASE,
)
_THIS_NOUN = {
    seen: re.compile(rf"\b{_THIS}\s+{_BETWEEN}(?:{noun})\b(?!\s+(?:\d|number\b))", re.IGNORECASE)
    for seen, noun in _NOUNS.items()
}
_SHOWN_NOUN = {
    seen: re.compile(rf"\b(?:the\s+){_BETWEEN}(?:{noun})\s+{_LOOKED_AT}", re.IGNORECASE)
    for seen, noun in _NOUNS.items()
}
_HERE = re.compile(
    r"\b(?:(?:on|in|from)\s+)?(?<!is\s)(?<!are\s)here(?=\s*[?.!,;]|\s*$)"
    r"|\b(?:shown|said|written|described|listed|given|printed|stated|displayed|specified|mentioned)"
    r"(?P<tail>\s+here)\b(?!\s+(?:is|are)\b)",
    re.IGNORECASE,
)
_LOOKING = re.compile(
    r"^\W*(?:what\s+(?:am\s+i\s+(?:looking\s+at|seeing|reading)|(?:do|can)\s+i\s+see)|where\s+am\s+i)"
    r"(?:\s+(?:here|now))?\W*$",
    re.IGNORECASE,
)
_BARE_THIS = re.compile(
    r"^\W*(?:please\s+|can\s+you\s+)?(?:explain|summari[sz]e|describe|what\s+is|what['’]s|what\s+are"
    r"|what\s+does|what\s+do)\s+(?P<this>this|these)(?:\s+(?:mean|say|show|tell\s+(?:me|us)|do))?\W*$",
    re.IGNORECASE,
)


def find_pointing(question: str) -> tuple[Pointing, ...]:
    """Find the words of a question that point at what is seen, in order."""
    text = without_look_alikes(question[:_MAX_CHARACTERS])
    found: list[Pointing] = []

    def take(seen: Seen, start: int, end: int, *, is_weak: bool = False) -> None:
        if not any(start < other.end and other.start < end for other in found):
            found.append(Pointing(seen, start, end, question[start:end], is_weak))

    for match in _SELECTED.finditer(text):
        is_weak = match.group().lower().startswith("this")
        take(Seen.SELECTION, *match.span(), is_weak=is_weak)
    for patterns in (_SHOWN_NOUN, _THIS_NOUN):
        for seen, pattern in patterns.items():
            for match in pattern.finditer(text):
                take(seen, *match.span())
    for match in _HERE.finditer(text):
        start = match.start("tail") + 1 if match["tail"] else match.start()
        take(Seen.HERE, start, match.end())
    bare = _BARE_THIS.match(text)
    if not found and _LOOKING.match(text):
        take(Seen.HERE, 0, len(question.rstrip()))
    elif bare is not None:
        take(Seen.HERE, *bare.span("this"), is_weak=True)
    return tuple(sorted(found, key=lambda one: one.start))
