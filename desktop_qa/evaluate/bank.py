"""Question banks: JSONL with one question a line, checked before anything is measured."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_qa.core.errors import DesktopQaError

_FORMAT_HINT = "A bank is JSONL with id, question, type, answer_any and evidence on each line."


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
    page: int
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

    id: str
    question: str
    type: str
    answer: str = ""
    answer_any: tuple[str, ...] = ()
    answer_all: tuple[tuple[str, ...], ...] = ()
    steps: tuple[str, ...] = ()
    evidence: tuple[EvidenceItem, ...] = ()
    negative: bool = False
    kind: str = ""
    options: tuple[tuple[str, str], ...] = ()
    correct: tuple[str, ...] = ()
    verdict: str = ""
    inputs: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


def read_bank(path: Path) -> tuple[GoldQuestion, ...]:
    """Read and check a whole bank; blank lines are skipped.

    Raises:
        BankError: When the file cannot be read, holds no question, or a line is malformed.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BankError(f"The question bank {path} cannot be read: {error}.") from error
    questions: dict[str, GoldQuestion] = {}
    for line_no, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            question = _question(line)
            if question.id in questions:
                raise ValueError(f'the id "{question.id}" stands there twice')
        except ValueError as error:
            raise BankError(f"{path}, line {line_no}: {error}.", _FORMAT_HINT) from error
        questions[question.id] = question
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


def _question(line: str) -> GoldQuestion:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON ({error.msg} at column {error.colno})") from error
    if not isinstance(row, dict):
        raise ValueError("no JSON object")
    question = GoldQuestion(
        id=_text(row, "id", required=True),
        question=_text(row, "question", required=True),
        type=_text(row, "type", required=True),
        answer=_text(row, "answer"),
        answer_any=_texts(row, "answer_any"),
        answer_all=tuple(_strings(group, "answer_all") for group in _list(row, "answer_all")),
        steps=_texts(row, "steps"),
        evidence=tuple(_evidence(item) for item in _list(row, "evidence")),
        negative=_flag(row, "negative"),
        kind=_text(row, "kind"),
        options=_options(row),
        correct=_texts(row, "correct"),
        verdict=_verdict(row),
        inputs=_texts(row, "inputs"),
        readings=_texts(row, "readings"),
    )
    _check(question)
    return question


def _check(question: GoldQuestion) -> None:
    """Raise ValueError when parts of a question contradict each other."""
    if not question.negative and not question.evidence:
        raise ValueError('"evidence" is empty, and the question is not marked negative')
    letters = {letter for letter, _ in question.options}
    if not set(question.correct) <= letters or bool(question.options) != bool(question.correct):
        raise ValueError('"correct" must name letters of "options"')
    if question.verdict not in ("", "true", "false"):
        raise ValueError('"verdict" must be "true" or "false"')


def _text(row: Mapping[str, Any], key: str, *, required: bool = False) -> str:
    value = row.get(key, "")
    if not isinstance(value, str) or (required and not value.strip()):
        raise ValueError(f'"{key}" must be a text')
    return value


def _verdict(row: Mapping[str, Any]) -> str:
    """Return "true" or "false", which a bank may write as a text or as itself."""
    value = row.get("verdict", "")
    return str(value).casefold() if isinstance(value, bool) else _text(row, "verdict").casefold()


def _flag(row: Mapping[str, Any], key: str) -> bool:
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f'"{key}" must be true or false')
    return value


def _list(row: Mapping[str, Any], key: str) -> list[Any]:
    value = row.get(key, [])
    if not isinstance(value, list):
        raise ValueError(f'"{key}" must be a list')
    return value


def _texts(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return _strings(_list(row, key), key)


def _strings(value: Any, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
        raise ValueError(f'"{key}" must hold texts')
    return tuple(value)


def _options(row: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    value = row.get("options", {})
    if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
        raise ValueError('"options" must give a text for each letter')
    return tuple(value.items())


def _evidence(item: Any) -> EvidenceItem:
    if not isinstance(item, dict):
        raise ValueError('"evidence" must hold objects with file and page')
    page = item.get("page")
    if not isinstance(page, int) or isinstance(page, bool) or page < 1:
        raise ValueError('"page" of "evidence" must be a number from 1')
    return EvidenceItem(_text(item, "file", required=True), page, _text(item, "contains"))
