"""Questions with answers that have everything an export must carry."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image

from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.answer_blocks import Figure
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.core.document import DocumentId
from desktop_qa.core.history import DocumentsSince, HistoryState
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import AnswerView, EvidenceView, PastQuestion
from tests.helpers.made_answers import citations_of, make_answer, make_evidence, make_past, place
from tests.helpers.said import said

OFFSET = "What is the offset of the OPA_4197 at ≤ 85 °C?"
STEPS = "How do I reset it?"


def png(path: Path) -> Path:
    """Write a grey picture."""
    Image.new("L", (40, 20), 128).save(path)
    return path


def evidence(marker: int, kind: SegmentKind = SegmentKind.TEXT, **more: Any) -> EvidenceView:
    fields = {
        "document_id": DocumentId(f"{marker:016d}"),
        "section_path": ("OPA4197", "6 Specifications", "6.7 Electrical <Characteristics>"),
        "page_no": marker,
        "file": f"ti/OPA{marker}.pdf",
        "path": f"/somewhere/ti/OPA{marker}.pdf",
        "text": "text",
        "quotes": (f"quote *{marker}* | of a_page",),
        "places": place(marker),
    }
    return make_evidence(marker, kind, **(fields | more))


def past(answer: Answer, items: tuple[EvidenceView, ...], **more: Any) -> PastQuestion:
    return make_past(AnswerView(answer, items), **more)


def an_answer(question: str, text: str, items: tuple[EvidenceView, ...]) -> Answer:
    blocks = said(text, {item.marker for item in items})
    return make_answer(question, blocks, citations=citations_of(items))


def rich_question(image: Path | None) -> PastQuestion:
    """An answer with a list, two tables, a figure, and a follow-up's reading."""
    items = (
        evidence(1, SegmentKind.TABLE),
        evidence(2),
        evidence(
            3,
            SegmentKind.FIGURE,
            caption="Figure 6-1. Offset → temperature",
            figure_path=str(image) if image else None,
            is_cited=False,
            quotes=(),
        ),
    )
    text = (
        "The offset is **±25 µV** [1], within 5 * 3 < 20 & more [7].\n\n"
        "1. Set V_CM to 1 kΩ → ground. [2]\n2. 测量电压. [2][1]\n\n- Last_one. [1]"
    )
    rows = AnswerTable(
        TableUse.ROWS,
        "Offset",
        ("Parameter", "TYP", "MAX"),
        (
            (AnswerCell("V_OS | in"), AnswerCell("±25", 1, is_stated=True), AnswerCell("±100", 1)),
            (AnswerCell("Drift"), AnswerCell(""), AnswerCell("±2.5", 1, note="at 25 °C")),
        ),
    )
    compared = AnswerTable(
        TableUse.COMPARISON,
        "Compared",
        ("", "OPA1", "OPA2"),
        ((AnswerCell("Supply"), AnswerCell("36 V", 1), AnswerCell("5.5 V", 2)),),
        notes=("The packages could not be compared.",),
    )
    answer = an_answer(OFFSET, text, items)
    answer = replace(
        answer,
        blocks=(*answer.blocks, rows, compared, Figure(3)),
        read_as="What is the offset of the OPA4197?",
        notes=("Searched in 3 documents.",),
    )
    return past(answer, items)


def conversation(image: Path | None) -> tuple[PastQuestion, ...]:
    """A rich answer, a procedure, one that was not found and one that failed."""
    steps = (evidence(1), evidence(2))
    second = an_answer(STEPS, "Press the button. [2] Wait. [1]", steps)
    missing = replace(
        an_answer("Its price?", "Not found in this library.", ()), status=AnswerStatus.NOT_FOUND
    )
    failed = replace(
        past(missing, ()),
        question="And\x07?",
        state=HistoryState.FAILED,
        view=None,
        error="No folder. Add one.",
    )
    nearest = evidence(7, is_cited=False)
    lost = DocumentsSince(2, changed=("OPA1.pdf",), lost=(steps[0].document_id,))
    return (
        replace(rich_question(image), conversation="c1"),
        past(second, steps, since=lost, conversation="c1"),
        past(missing, (nearest,)),
        failed,
    )
