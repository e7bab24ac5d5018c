"""The part numbers of a question: what each of them is to the library."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from desktop_qa.augment.codes import codes_in_question
from desktop_qa.core.asked_code import AskedCode
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.directory import Directory

_RELATION = re.compile(
    r"\b(?:replac\w*|substitut\w*|instead|compatib\w*|equivalent|alternativ\w*|similar|related"
    r"|second source|predecessor|successor|drop-in|upgrad\w*|migrat\w*|recommend\w*|mention\w*"
    r"|refer\w*|connect\w*|interfac\w*|attach\w*|together with|in combination|used? (?:with|as|in)"
    r"|driv(?:e|es|en|ing) (?:a|an|the)\b|paired?|evaluation|which (?:documents?|datasheets?|parts?"
    r"|devices?|sensors?|chips?))\b",
    re.IGNORECASE,
)
"""A question with one of these may be about another part that its datasheet relates to this one."""


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
        directory.find(code)
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


def _is_asked_about(code: str, question: str, directory: Directory) -> bool:
    return not _RELATION.search(question) and bool(directory.parts.siblings(code))
