"""The words by which people speak of the parts of a document, and those that only look so."""

from __future__ import annotations

import re

from desktop_qa.core.answer import PlaceKind

DOCUMENT_WORD = (
    r"(?:data\s?sheets?|documents?|manuals?|pdfs?|specifications?|user['’]?s?\s+guides?)"
)

NUMBER_WORDS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip

ELEMENT_KINDS = (PlaceKind.TABLE, PlaceKind.FIGURE)
ELEMENT_WORDS = (
    r"tables?|figures?|diagrams?|drawings?|plots?|graphs?|charts?|curves?|pictures?|images?"
    r"|illustrations?|schematics?"
)

_LOOK_ALIKES = re.compile(
    r"""\b(?:
        # a number, not a drawing
        (?:noise|loss)\s+figures? | figures?\s+of\s+merit | figures?\s+(?:out|for|in)\s+(?=how|what)
      | (?:i|we|you|to)\s+figure\b
        # tables of a program or of logic, not of the document
      | (?:look-?\s?up|truth|conversion|routing|vector|translation|jump|interrupt|allocation|page
           |partition|waveform|hash|gamma|matching)\s+tables? | tabled?\s+top
        # pages of a memory
      | pages?[-\s]+(?:write|read|program|erase|size|mode|boundar\w+|buffer|address\w*|latch\w*
           |select\w*|swap|roll\w*|length|protect\w*|fault|cycle|operation|register\w*|pointer)s?
      | (?:memory|eeprom|flash|register|write|ram|map|bank|ota|boot|web|home|product|landing
           |ordering|\d+[-\s]?(?:byte|bit|word|kb|b)s?)[-\s]+pages?(?:\s+\d+)?
      | pages?\s+(?:\d+\s+)?(?:of|in|from)\s+(?:the\s+)?(?:internal\s+|main\s+)?
           (?:eeprom|flash|memory|array|register\s+map|ram|otp)
      | how\s+many\s+(?:\w+\s+){0,2}pages\s+(?=.*\b(?:eeprom|flash|memory|array|register|written
           |programmed|erased|ram|otp)\b)
      | pages?\s+per\s+\w+
        # sections of a filter, a wire, a chip
      | cross[-\s]sections?(?:al)?\b | (?:biquad|filter|second-order|ladder|line|wire)\s+sections?
      | sections?\s+(?=.*\b(?:biquad|filter|ladder|cable)\b)
      | sections?\s+of\s+(?:wire|cable|line|trace|track|pipe)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def without_look_alikes(question: str) -> str:
    """Blank out what only sounds like a place, as many characters as there were."""
    return _LOOK_ALIKES.sub(lambda match: "\x00" * len(match.group()), question)


def number_of(word: str) -> int:
    """Return the value of digits or of a number word up to twelve."""
    lowered = word.lower()
    return NUMBER_WORDS.index(lowered) + 1 if lowered in NUMBER_WORDS else int(lowered)
