"""Banks of sentences with a label each: whether the passages that they cite bear them out.

A passage of a table has a line for each row: titles and groups, then cells behind their heads.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_qa.answer.amounts import is_no_unit
from desktop_qa.core.document import BOUNDS, ColumnRole
from desktop_qa.generate.passages import CELL_BREAK, Passage, PassageCell, PassageRow
from desktop_qa.parse.table_roles import head_roles

RIGHT = "right"
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_SCALE = re.compile(r"\bin (thousand|million|billion)s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence as a model wrote it, and what it was held to be."""

    id: str
    passages: tuple[Passage, ...]
    question: str
    sentence: str
    label: str
    right_value: str


def read_bank(path: Path) -> list[LabelledSentence]:
    """Read a file with a JSON object a line.

    Where passages are numbers they are those of lines, from 0, in "grounding-passages.jsonl" beside
    it: most passages go with several sentences.
    """
    rows = _objects(path)
    shared = path.with_name("grounding-passages.jsonl")
    if any(isinstance(one, int) for one in rows[0]["passages"]):
        known = _objects(shared)
        for row in rows:
            row["passages"] = [known[i] | {"n": n} for n, i in enumerate(row["passages"], start=1)]
    return [
        LabelledSentence(
            row["id"], tuple(map(_passage, row["passages"])), row["question"], row["sentence"],
            row["label"], row["right_value"],
        )
        for row in rows
    ]  # fmt: skip


def _objects(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _passage(given: dict[str, Any]) -> Passage:
    if given["kind"] == "text":
        return Passage(given["n"], given["document"], text=given["text"])
    lines = [line.split(CELL_BREAK) for line in given["text"].split("\n")]
    n_before = [next((i for i, p in enumerate(line) if ": " in p), 0) for line in lines]
    titles = {line[0] for line, n in zip(lines, n_before, strict=True) if n}
    title = titles.pop() if len(titles) == 1 else ""
    rows = tuple(
        PassageRow(
            tuple(_cells(line[n:], title)),
            CELL_BREAK.join(part for part in line[:n] if part != title),
        )
        for line, n in zip(lines, n_before, strict=True)
    )
    return Passage(given["n"], given["document"], title=title, rows=rows)


def _cells(parts: list[str], title: str) -> list[PassageCell]:
    cells = []
    for index, part in enumerate(parts):
        head, _colon, text = part.partition(": ")
        if is_no_unit(text):
            continue
        scale = _SCALE.search(head) or _SCALE.search(title)
        factor = _SCALES[scale[1].casefold()] if scale and "%" not in text else 1
        cells.append(PassageCell(head, text, _role(head, index), factor))
    return cells


def _role(head: str, index: int) -> ColumnRole:
    """Return what a column holds, by its head alone; the first names its rows."""
    roles = head_roles(head)
    bounds = [role for role in BOUNDS if role in roles]
    if bounds:
        return bounds[0]
    best = max(roles, key=lambda role: roles[role], default=None)
    if index == 0 and best is None:
        return ColumnRole.SUBJECT
    return best if best is not None and roles[best] > 1.5 else ColumnRole.VALUE
