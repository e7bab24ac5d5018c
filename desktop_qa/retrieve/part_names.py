"""Where a text names parts of the library, or parts that it does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from desktop_qa.augment.codes import codes_in_question, is_part_number, normalize_code
from desktop_qa.core.document import DocumentId
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.directory import Directory, names_code

_BEHIND_NOUN = re.compile(r"\s(?:with|for|in|and|using)\s", re.IGNORECASE)
_MIN_LETTERS = 2
_MIN_DIGITS = 3


@dataclass(frozen=True, slots=True)
class NamedPart:
    """A part number where it stands in a text.

    Attributes:
        name: As typed.
        documents: About it; none when the library has no datasheet of it.
    """

    name: str
    start: int
    end: int
    documents: tuple[DocumentId, ...]


def parts_in(text: str, directory: Directory) -> tuple[NamedPart, ...]:
    """Return the parts in the order of the text, also those that no document is about.

    A code that only stands in some text is a part when it looks like one: E312 is an error. Names
    of documents that look like no part number are found as they are printed: "ORB-1".
    """
    codes = codes_in_question(text, directory.parts.prefixes, directory.parts)
    own = (code for entry in directory.entries for code in entry.codes if not is_part_number(code))
    found: dict[int, NamedPart] = {}
    for name in (*codes, *(code for code in own if names_code(text, (code,)))):
        documents = directory.named_by(name)
        if not documents and directory.is_mentioned(name) and not _looks_like_part(name):
            continue
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE):
            part = NamedPart(match.group(), *match.span(), documents)
            if not any(p.start < part.end and part.start < p.end for p in found.values()):
                found[part.start] = part
    return tuple(found[start] for start in sorted(found))


def sibling_of(name: str, short: str, directory: Directory) -> str:
    """Return the part that a short form of its number means beside another: "the S3", "1015".

    Args:
        name: The part that was spoken of: "ESP32-C3", "ADS1115".
        short: What stands for the end of the other's number.
        directory: Of the library.

    Returns:
        A part of the library as it is spelled there; "" when there is none.
    """
    letters = re.match(r"[A-Za-z]+", name)
    stems = {name[: name.rfind("-") + 1], letters.group() if letters is not None else ""}
    wanted = {normalize_code(stem + short) for stem in stems if stem}
    codes = (code for entry in directory.entries for code in entry.codes)
    return next((code for code in codes if normalize_code(code) in wanted), "")


def kinds_of(documents: Iterable[DocumentId], directory: Directory) -> frozenset[str]:
    """Return what the titles of documents call their parts: "sensor", "regulator"."""
    wanted = set(documents)
    titles = (e.title for e in directory.entries if e.document_id in wanted)
    nouns = (_BEHIND_NOUN.split(title)[0].split()[-1:] for title in titles)
    return frozenset(term for noun in nouns for word in noun for term in terms_of(word))


def _looks_like_part(name: str) -> bool:
    n_letters = sum(c.isalpha() for c in name)
    return n_letters >= _MIN_LETTERS and sum(c.isdigit() for c in name) >= _MIN_DIGITS
