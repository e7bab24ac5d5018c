"""The part numbers of a question: what each of them is to the library."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from desktop_qa.augment.codes import codes_in_question, expand_code, has_wildcard, normalize_code
from desktop_qa.core.asked_code import AskedCode
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.directory import Directory
from desktop_qa.retrieve.part_index import edit_distance

_FAMILY_BEHIND = re.compile(r"\s*-?\s*(?:family|series|line|range of (?:devices|parts))\b", re.I)
_RELATION = re.compile(
    r"\b(?:replac\w*|substitut\w*|instead|compatib\w*|equivalent|alternativ\w*|similar|related"
    r"|second source|predecessor|successor|drop-in|upgrad\w*|migrat\w*|recommend\w*|mention\w*"
    r"|refer\w*|connect\w*|interfac\w*|attach\w*|together with|in combination|used? (?:with|as|in)"
    r"|driv(?:e|es|en|ing) (?:a|an|the)\b|paired?|evaluation|which (?:documents?|datasheets?|parts?"
    r"|devices?|sensors?|chips?))\b",
    re.IGNORECASE,
)
"""A question with one of these may be about another part that its datasheet relates to this one."""

_SIBLING_DISTANCE = 2


@dataclass(frozen=True, slots=True)
class AskedCodes:
    """What the codes of a question lead to; the fields are those of `core.answer.Query`.

    Attributes:
        codes: In the order of the question, each once.
    """

    codes: tuple[AskedCode, ...] = ()
    absent: tuple[str, ...] = ()
    nearest: tuple[tuple[str, tuple[str, ...]], ...] = ()
    mentioned: tuple[tuple[str, tuple[DocumentId, ...]], ...] = ()

    @property
    def documents(self) -> Mapping[str, tuple[DocumentId, ...]]:
        """Of each code, as typed, the documents about it."""
        return {asked.code: asked.documents for asked in self.codes}


def read_codes(question: str, directory: Directory) -> AskedCodes:
    """Find the part numbers of a question and the documents that are about them.

    A code that no document is about is absent when it stands nowhere. When it stands in the text
    of some document, it is mentioned; and absent as well when the question asks about that part
    alone and the library has siblings of it, which would else answer in its place.
    """
    codes = tuple(
        _with_family(directory.find(code), question, directory)
        for code in codes_in_question(question, directory.parts.prefixes, directory.parts)
    )
    unnamed = [asked.code for asked in codes if not asked.documents]
    named = len(unnamed) < len(codes)
    mentioned = [code for code in unnamed if directory.is_mentioned(code)]
    absent = [
        code
        for code in unnamed
        if code not in mentioned or (not named and _is_asked_about(code, question, directory))
    ]
    nearest = ((code, directory.parts.nearest(code)) for code in absent)
    return AskedCodes(
        codes,
        tuple(absent),
        tuple((code, near) for code, near in nearest if near),
        tuple((code, directory.mentioning(code)) for code in mentioned),
    )


def _with_family(asked: AskedCode, question: str, directory: Directory) -> AskedCode:
    """Take "the SN65HVD23 family" for its members, whose wildcard is left out."""
    code = asked.code
    at = question.find(code)
    if asked.documents or at < 0 or has_wildcard(code):
        return asked
    if not _FAMILY_BEHIND.match(question, at + len(code)):
        return asked
    longer = (directory.find(code + "x" * n) for n in (1, 2))
    return next((replace(found, code=code) for found in longer if found.documents), asked)


def _is_asked_about(code: str, question: str, directory: Directory) -> bool:
    if _RELATION.search(question) or directory.prints_variant(code):
        return False
    asked = [normalize_code(c) for c in expand_code(code)]
    near = [normalize_code(c) for c in directory.parts.nearest(code)]
    return any(
        edit_distance(a, own, _SIBLING_DISTANCE) <= _SIBLING_DISTANCE for a in asked for own in near
    )
