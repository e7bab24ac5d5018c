"""Question banks: JSONL with one question a line, checked before anything is measured."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from desktop_qa.core.errors import DesktopQaError

_FORMAT_HINT = "A bank is JSONL with id, question, type, answer_any and evidence on each line."

_T = TypeVar("_T")
_Said = Annotated[str, msgspec.Meta(pattern=r"\S")]


class BankError(DesktopQaError):
    """A question bank that cannot be read; the message names file and line."""


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """A passage that a right answer stands on.

    Attributes:
        file: Path relative to the ingested folder.
        page: 1-based.
        contains: Words of the passage; empty when the page alone identifies it.
    """

    file: str
    page: Annotated[int, msgspec.Meta(ge=1)]
    contains: str = ""


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with its gold answer.

    Attributes:
        answer: The answer in words, for people.
        answer_any: Texts of which one stands in a right answer.
        answer_all: Groups of texts of which one of each stands in a right answer.
        steps: Gold steps of a procedure in order.
        negative: True when the library has no answer and refusing is right.
        kind: Of a negative question: absent, offtopic, unstated, jailbreak or nsfw.
        options: Of a choice question: text by letter.
        correct: Of a choice question: the right letters.
        verdict: Of a judgement: "true" or "false".
        inputs: What a derived answer is computed from.
        readings: What an ambiguous question may mean.
    """

    id: _Said
    question: _Said
    type: _Said
    answer: str = ""
    answer_any: tuple[_Said, ...] = ()
    answer_all: tuple[tuple[_Said, ...], ...] = ()
    steps: tuple[_Said, ...] = ()
    evidence: tuple[EvidenceItem, ...] = ()
    negative: bool = False
    kind: str = ""
    options: dict[str, str] = field(default_factory=dict)
    correct: tuple[_Said, ...] = ()
    verdict: str | bool = ""
    inputs: tuple[_Said, ...] = ()
    readings: tuple[_Said, ...] = ()


def read_lines(path: Path, kind: type[_T], hint: str) -> Iterator[tuple[str, _T]]:
    """Yield what stands on each line of a JSONL file, and where; blank lines are skipped.

    Raises:
        BankError: When the file cannot be read, or a line is none of this kind.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BankError(f"The question bank {path} cannot be read: {error}.") from error
    decoder = msgspec.json.Decoder(kind)
    for line_no, line in enumerate(lines, start=1):
        if line.strip():
            where = f"{path}, line {line_no}"
            try:
                yield where, decoder.decode(line)
            except msgspec.DecodeError as error:
                raise BankError(f"{where}: {error}.", hint) from error


def read_bank(path: Path) -> tuple[GoldQuestion, ...]:
    """Read and check a whole bank; blank lines are skipped.

    Raises:
        BankError: When the file cannot be read, holds no question, or a line is malformed.
    """
    questions: dict[str, GoldQuestion] = {}
    for where, question in read_lines(path, GoldQuestion, _FORMAT_HINT):
        read = replace(question, verdict=str(question.verdict).casefold())
        for wrong in _contradictions(read, questions):
            raise BankError(f"{where}: {wrong}.", _FORMAT_HINT)
        questions[read.id] = read
    if not questions:
        raise BankError(f"The question bank {path} holds no question.", _FORMAT_HINT)
    return tuple(questions.values())


def read_banks(paths: Sequence[Path]) -> tuple[GoldQuestion, ...]:
    """Read several banks as one, in the order given.

    Raises:
        BankError: When one of them cannot be read, or two hold a question of the same id.
    """
    bank_of: dict[str, Path] = {}
    pool: list[GoldQuestion] = []
    for path in paths:
        for question in read_bank(path):
            if question.id in bank_of:
                raise BankError(
                    f'The id "{question.id}" stands in {bank_of[question.id]} and in {path}.',
                    "Give each bank once, and each question an id of its own.",
                )
            bank_of[question.id] = path
            pool.append(question)
    return tuple(pool)


def _contradictions(question: GoldQuestion, known: Container[str]) -> Iterator[str]:
    if question.id in known:
        yield f'the id "{question.id}" stands there twice'
    if not question.negative and not question.evidence:
        yield '"evidence" is empty, and the question is not marked negative'
    is_whole = bool(question.options) == bool(question.correct)
    if not set(question.correct) <= question.options.keys() or not is_whole:
        yield '"correct" must name letters of "options"'
    if question.verdict not in ("", "true", "false"):
        yield '"verdict" must be "true" or "false"'
