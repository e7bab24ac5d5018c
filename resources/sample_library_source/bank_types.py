"""A question of the bank, and where its answer stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passage:
    """Words on a page of a document; `heading` says from which heading on to look."""

    file: str
    contains: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A line of the bank; `procedure` is the key of the manual's steps that answer it."""

    id: str
    type: str
    question: str
    answer: str
    answer_any: tuple[str, ...] = ()
    evidence: tuple[Passage, ...] = ()
    answer_all: tuple[tuple[str, ...], ...] = ()
    procedure: str = ""
    kind: str = ""
