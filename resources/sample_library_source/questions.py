"""The library's question bank: answers come from the data, pages are looked up in the PDFs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pymupdf

from desktop_qa.core.folding import fold
from sample_library_source import house
from sample_library_source.bank import BANK, SUGGESTIONS
from sample_library_source.bank_types import Passage, Question
from sample_library_source.manual_tasks import PROCEDURES
from sample_library_source.sheet import Sheet

MANUAL = "ORLUNDA_ORB-1_Users_Manual.pdf"


@dataclass(frozen=True, slots=True)
class Published:
    """A written document and the folded text of its pages."""

    sheet: Sheet
    pages: tuple[str, ...]

    @classmethod
    def read(cls, sheet: Sheet, path: Path) -> Published:
        """Read a document back as any reader would."""
        with pymupdf.open(path) as document:
            return cls(sheet, tuple(fold(page.get_text()) for page in document))

    def page_of(self, passage: Passage) -> int:
        """Page of a passage: the first from its heading on that holds it.

        Raises:
            LookupError: The heading or the passage is not there.
        """
        first = 1
        if passage.heading:
            starts = [
                entry.page_no
                for entry in self.sheet.found_contents
                if passage.heading in entry.title
            ]
            if not starts:
                raise LookupError(f"no heading {passage.heading!r} for {passage.contains!r}")
            first = starts[0]
        folded = fold(passage.contains)
        for page_no in range(first, len(self.pages) + 1):
            if folded in self.pages[page_no - 1]:
                return page_no
        raise LookupError(f"{passage.file}: {passage.contains!r} is on no page from {first} on")


def write_questions(folder: Path, published: Mapping[str, Published]) -> tuple[Path, Path]:
    """Write questions.jsonl and suggestions.json."""
    bank = folder / "questions.jsonl"
    lines = [json.dumps(_row(item, published), ensure_ascii=False) for item in BANK]
    bank.write_text("\n".join(lines) + "\n", encoding="utf-8")
    suggestions = folder / "suggestions.json"
    text = json.dumps(_suggestions(BANK), ensure_ascii=False, indent=2)
    suggestions.write_text(text + "\n", encoding="utf-8")
    return bank, suggestions


def _row(question: Question, published: Mapping[str, Published]) -> dict[str, object]:
    row: dict[str, object] = {
        "id": question.id,
        "question": question.question,
        "type": question.type,
        "answer": question.answer,
        "answer_any": list(question.answer_any),
    }
    if question.answer_all:
        row["answer_all"] = [list(group) for group in question.answer_all]
    if question.procedure:
        sheet = published[MANUAL].sheet
        row["steps"] = [house.plain(sheet.markup(step)) for step in PROCEDURES[question.procedure]]
    row["evidence"] = [
        {
            "file": passage.file,
            "page": published[passage.file].page_of(passage),
            "contains": passage.contains,
        }
        for passage in question.evidence
    ]
    if question.type == "negative":
        row["kind"] = question.kind
        row["negative"] = True
    return row


def _suggestions(bank: Sequence[Question]) -> list[str]:
    """The questions that the window offers while nothing has been asked."""
    by_id = {question.id: question.question for question in bank}
    return [by_id[name] for name in SUGGESTIONS]
