"""Names in words that a document says to mean the same.

Three forms are read: "sleep mode, also called standby mode"; "quiescent current (supply current)"
with one head word; and "supply (quiescent) current". The last two may also list opposites, as in
"input (output) voltage": whether they do is left to the library's glossary, which knows whether
some document keeps the two apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_qa.augment.names import clean_name

_ALSO = re.compile(
    r"[,(]?\s*(?:(?:which|that)\s+is\s+|is\s+|are\s+)?"
    r"(?:(?:also|otherwise|sometimes|often|commonly)\s+(?:known\s+as|called|referred\s+to\s+as"
    r"|termed|named|denoted)|a\.?k\.?a\.?)\s+",
    re.IGNORECASE,
)
_THAT_IS = re.compile(r"\(\s*i\.\s?e\.,?\s+([^()]{4,40})\)", re.IGNORECASE)
_BRACKETED_NAME = re.compile(r"\(([A-Za-z][a-z-]+(?: [A-Za-z-]+){1,3})\)")
_BRACKETED_WORD = re.compile(
    r"\b([A-Za-z][a-z-]{2,}) \(([a-z][a-z-]{3,})\) ((?:voltage|current|power|frequency|time|delay"
    r"|temperature|resistance|capacitance|inductance|impedance|gain|rate|range|error|mode|state"
    r"|clock|signal|level|pressure|bandwidth)s?)"
    r"(?=\s*(?:$|[.,;:()|]|(?:at|of|is|are|in|for|when|and|with|vs|versus|over)\b))",
    re.IGNORECASE,
)
_FUNCTION_WORD = re.compile(
    r"\b(?:a|an|the|is|are|be|to|of|and|or|not|no|in|on|at|by|for|from|with|when|if|it|its|this"
    r"|that|see|only|than|as|up|per|each|same|note|also|must|can|may|should|default|typical"
    r"|optional|shown|required|recommended|example|figure|table|section)\b",
    re.IGNORECASE,
)
_ADVERBIAL = re.compile(r"\w+ly|\w+ed|\w+ing|\w+s")
_MAX_WORDS = 4


def find_synonyms(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the two names of each statement of a sentence that they mean the same."""
    for match in _ALSO.finditer(sentence):
        yield from _pair(
            _name_before(sentence[: match.start()]), _name_after(sentence, match.end())
        )
    for match in _THAT_IS.finditer(sentence):
        if not _FUNCTION_WORD.search(match.group(1)):
            yield from _pair(_name_before(sentence[: match.start()]), clean_name(match.group(1)))
    for match in _BRACKETED_NAME.finditer(sentence):
        before, inner = _name_before(sentence[: match.start()]), match.group(1)
        if not _FUNCTION_WORD.search(inner) and _head(before) == _head(inner):
            yield from _pair(before, clean_name(inner))
    for match in _BRACKETED_WORD.finditer(sentence):
        first, second, head = match.groups()
        if not (_FUNCTION_WORD.search(match.group()) or _ADVERBIAL.fullmatch(second)):
            yield from _pair(f"{first} {head}", f"{second} {head}")


def _pair(one: str, other: str) -> Iterator[tuple[str, str]]:
    if one and other and one.casefold() != other.casefold():
        yield one, other


def _head(name: str) -> str:
    words = name.casefold().split()
    return words[-1].removesuffix("s") if len(words) > 1 else ""


def _name_before(text: str) -> str:
    """Return the name that a text ends with: its last words without a function word."""
    words = re.split(r"[,;:()\[\].]\s*", text.rstrip())[-1].split()
    name: list[str] = []
    for word in reversed(words[-_MAX_WORDS:]):
        if _FUNCTION_WORD.fullmatch(word):
            break
        name.insert(0, word)
    return clean_name(" ".join(name))


def _name_after(text: str, position: int) -> str:
    rest = re.sub(r"^(?:the|an?)\s+", "", text[position:].lstrip("\"'“‘"), flags=re.IGNORECASE)
    words = clean_name(re.split(r"[\"'”’)]", rest)[0]).split()
    return " ".join(words) if len(words) <= _MAX_WORDS else ""
