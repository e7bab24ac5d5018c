"""One answer of every kind, made by hand over the sample library."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from desktop_qa.core.answer import (
    THEY_DISAGREE,
    Answer,
    AnswerStatus,
    Evidence,
    Hit,
    QuestionType,
    Route,
    SentenceSupport,
)
from desktop_qa.core.answer_blocks import Figure, Readings
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.core.document import BoundingBox, DocumentId, Provenance, Table
from desktop_qa.core.segment import CascadingMetadata, SegmentKind
from desktop_qa.core.view import AnswerView, EvidenceView
from tests.helpers.made_answers import citations_of, make_evidence, with_answer
from tests.helpers.said import said
from tests.helpers.sample_documents import make_cells, make_segment


def box(page_no: int, top: float, left: float = 380.0) -> tuple[Provenance, ...]:
    return (Provenance(page_no, BoundingBox(left, top, left + 40, top + 11)),)


def evidence(
    marker: int,
    file: str,
    path: tuple[str, ...],
    text: str,
    **changes: Any,
) -> EvidenceView:
    fields: dict[str, Any] = {
        "document_id": DocumentId(file),
        "section_path": path,
        "page_no": 4,
        "file": file,
        "path": f"/documents/{file}",
        "text": text,
        "quotes": (text,),
        "places": box(4, 200.0, 60.0),
    }
    return make_evidence(marker, **(fields | changes))


def grid(label: str, caption: str, rows: tuple[tuple[str, ...], ...]) -> Table:
    cells = make_cells(rows, lambda r, c: box(4, 150.0 + 14 * r, 60.0 + 70 * c))
    return Table(label, caption, "", len(rows), len(rows[0]), cells, (), ())


def found(view: EvidenceView, rank: int = 1) -> Evidence:
    metadata = CascadingMetadata(
        view.section_path[0], "ORLUNDA", (), "", view.section_path[1:], "", view.caption, (4,)
    )
    segment = make_segment(
        view.document_id, view.marker, view.text, metadata, kind=view.kind, provenances=view.places
    )
    hits = (
        Hit(segment.id, Route.VECTOR, rank + 1, 0.61),
        Hit(segment.id, Route.LEXICAL, rank, 14.2),
        Hit(segment.id, Route.KEYWORDS, rank, 1.0),
    )
    parts = (
        ("vector", 0.42),
        ("lexical", 0.31),
        ("document", 0.22),
        ("n_keywords", 0.18),
        ("table", 0.09),
        ("dimension", 0.05),
        ("boilerplate", -0.12),
    )
    return Evidence(view.marker, segment, 1.15, hits, ("ora217", "input offset voltage"), parts)


def answer_view(
    question: str, text: str, pieces: tuple[EvidenceView, ...], **changes: Any
) -> AnswerView:
    citations = citations_of(pieces)
    fields: dict[str, Any] = {
        "status": AnswerStatus.ANSWERED,
        "support": (SentenceSupport(text, (1,), 0.92),),
        "model": "extractive",
        "seconds": 0.23,
        "n_documents_searched": 10,
        "n_documents": 10,
        "type": QuestionType.TABLE,
        "history_id": 7,
    } | changes
    found_pieces = tuple(found(piece, rank) for rank, piece in enumerate(pieces, start=1))
    blocks = (
        *said(text, {c.marker for c in citations}, fields.get("readings", ())),
        *fields.pop("tables", ()),
        *map(Figure, fields.pop("figures", ())),
    )
    return AnswerView(Answer(question, blocks, citations, found_pieces, **fields), pieces)


def _cell(text: str, row: int, column: int, *, is_stated: bool = False) -> AnswerCell:
    places = box(4, 150.0 + 14 * row, 60.0 + 70 * column)
    return AnswerCell(text, 1, places, is_stated=is_stated)


_OFFSET_ROWS = (
    ("Parameter", "Test conditions", "Min", "Typ", "Max", "Unit"),
    ("Input offset voltage", "VS = ±18 V", "", "±25", "±100", "µV"),
    ("Input offset voltage", "VCM = (V+) − 1.5 V", "", "±10", "±100", "µV"),
    ("Input offset voltage drift", "TA = −40 °C to +125 °C", "", "±0.5", "±2.5", "µV/°C"),
    ("Input bias current", "", "", "±5", "±20", "pA"),
)


def table_answer() -> AnswerView:
    piece = evidence(
        1, "ORLUNDA_ORA217.pdf",
        ("ORA217", "6 Specifications", "6.5 Electrical Characteristics"),
        "Input offset voltage", kind=SegmentKind.TABLE,
        table=grid("Table 6-5", "Electrical Characteristics", _OFFSET_ROWS), rows=(1, 5),
        cited_cells=((1, 3), (2, 3)), quotes=("±25", "±10"), places=box(4, 164.0, 270.0),
    )  # fmt: skip
    front = evidence(
        2, "ORLUNDA_ORA217.pdf", ("ORA217", "1 Features"),
        "Low offset voltage: ±100 µV (maximum)", page_no=1, places=box(1, 200.0, 60.0),
    )  # fmt: skip
    rows = tuple(
        tuple(_cell(t, r, c, is_stated=(c == 3 and r < 3)) for c, t in enumerate(texts))
        for r, texts in enumerate(_OFFSET_ROWS[1:4], start=1)
    )
    table = AnswerTable(TableUse.ROWS, "6.5 Electrical Characteristics", _OFFSET_ROWS[0], rows)
    return answer_view(
        "What is the typical input offset voltage of the ORA217?",
        "The typical input offset voltage is **±25 µV** at VS = ±18 V, and **±10 µV** at"
        " VCM = (V+) − 1.5 V; the maximum is ±100 µV in both cases. [1] The front page states the"
        " same low offset. [2]",
        (piece, front),
        tables=(table,),
        support=(
            SentenceSupport("The typical input offset voltage is ±25 µV", (1,), 0.97),
            SentenceSupport("The front page states the same low offset.", (2,), 0.62),
        ),
    )


def comparison_table(n_rows: int, n_documents: int) -> AnswerTable:
    parts = tuple(f"ORL33{n:02d}" for n in range(5, 5 + n_documents))
    known = (
        ("Input voltage range", ("2.7 V to 6.5 V", "2.7 V to 6.5 V", "1.6 V to 5.5 V"), None),
        ("Output current", ("500 mA", "1 A", "300 mA"), (0.5, 1.0, 0.3)),
        ("Dropout voltage, max", ("95 mV", "180 mV", ""), (0.095, 0.18, None)),
        ("Quiescent current, typ", ("30 µA", "30 µA", "12 µA"), (30e-6, 30e-6, 12e-6)),
        ("Output noise", ("12 µVRMS", "14 µVRMS", ""), (12e-6, 14e-6, None)),
        ("Operating temperature", ("−40 °C to 125 °C",) * 3, None),
        ("Package", ("SOT-23 (5)", "WSON (6)", "DSBGA (4)"), None),
    )
    rows = []
    differs = []
    for row in range(n_rows):
        name, texts, values = known[row % len(known)]
        label = name if row < len(known) else f"{name} ({row // len(known) + 1})"
        cells = [AnswerCell(label)]
        for column in range(n_documents):
            text = texts[column % len(texts)]
            value = values[column % len(values)] if values is not None else None
            note = "IOUT = 500 mA, VOUT = 3.3 V" if "Dropout" in name else ""
            cells.append(
                AnswerCell(text, column + 1, box(4, 150.0 + row, 300.0), value=value, note=note)
                if text
                else AnswerCell("")
            )
        rows.append(tuple(cells))
        differs.append(len(set(texts[: max(2, min(n_documents, 3))])) > 1)
    ids = ("", *(f"ORLUNDA_{part}.pdf" for part in parts))
    return AnswerTable(
        TableUse.COMPARISON,
        " and ".join(parts[:2]) + (f" and {n_documents - 2} more" if n_documents > 2 else ""),
        ("Parameter", *parts),
        tuple(rows),
        tuple(DocumentId(name) for name in ids),
        tuple(differs),
        ("Could not be compared: output accuracy, which ORL3305 states in % and ORL3306 in mV.",),
    )


def comparison_answer(n_rows: int = 7, n_documents: int = 2) -> AnswerView:
    table = comparison_table(n_rows, n_documents)
    files = ("ORLUNDA_ORL3305.pdf", "ORLUNDA_ORL3310.pdf", "ORLUNDA_ORA217.pdf")
    pieces = tuple(
        evidence(
            column, files[(column - 1) % len(files)],
            (part, "6 Specifications", "6.5 Electrical Characteristics"),
            "Dropout voltage", kind=SegmentKind.TABLE,
            table=grid("Table 6-5", "Electrical Characteristics", _OFFSET_ROWS), rows=(1, 5),
            cited_cells=((1, 3),),
        )
        for column, part in enumerate(table.headers[1:], start=1)
    )  # fmt: skip
    return answer_view(
        "Compare the ORL3305 and the ORL3310",
        f"{sum(table.differs)} of {n_rows} parameters differ: output current, dropout voltage,"
        " output noise and package.",
        pieces,
        tables=(table,),
        type=QuestionType.COMPARE,
    )


def list_answer(n_rows: int = 9) -> AnswerView:
    piece = evidence(
        1, "ORLUNDA_ORC1604.pdf", ("ORC1604", "8 Registers", "8.1 Register map"), "Registers",
        kind=SegmentKind.TABLE, table=grid("Table 8-1", "Register map", _OFFSET_ROWS),
        rows=(1, 5), cited_cells=((1, 0),),
    )  # fmt: skip
    rows = tuple(
        (_cell(f"{row:02X}h", row, 0), _cell(f"CHANNEL_{row}_CONFIG", row, 1, is_stated=True))
        for row in range(n_rows)
    )
    table = AnswerTable(TableUse.LIST, "Registers of the ORC1604", ("Address", "Register"), rows)
    return answer_view(
        "List every register of the ORC1604",
        f"The ORC1604 has **{n_rows} registers**. [1]",
        (piece,),
        tables=(table,),
        type=QuestionType.EXTRACTION,
    )


def calculation_answer() -> AnswerView:
    pieces = (
        evidence(1, "ORLUNDA_ORL3305.pdf", ("ORL3305", "6.5 Electrical"), "VDO 95 mV"),
        evidence(2, "ORLUNDA_ORL3305.pdf", ("ORL3305", "6.3 Ratings"), "IOUT 500 mA"),
    )
    return answer_view(
        "How much power does the ORL3305 dissipate in dropout at full load?",
        "The dissipation in dropout at full load is **47.5 mW**. [1][2]\n\n"
        "P = VDO × IOUT = 95 mV × 500 mA = 47.5 mW [1][2]\n\n"
        "The dropout voltage is the maximum over temperature. [1]",
        pieces,
        type=QuestionType.CALCULATION,
    )


def choice_answer() -> AnswerView:
    piece = evidence(1, "ORLUNDA_ORT112_RevB.pdf", ("ORT112", "1 Features"), "I2C, SMBus")
    return answer_view(
        "Which interfaces does the ORT112 have? A) SPI B) I2C C) SMBus D) UART",
        "**B) I2C** and **C) SMBus**: “Digital output: SMBus and two-wire serial interface"
        " compatible with I2C.” [1]\n\nNothing found supports A) SPI or D) UART.",
        (piece,),
        chosen=("B", "C"),
        type=QuestionType.MULTIPLE_CHOICE,
    )


def judgement_answer() -> AnswerView:
    piece = evidence(1, "ORLUNDA_ORT112_RevB.pdf", ("ORT112", "1 Features"), "±0.5 °C")
    return answer_view(
        "True or false: the ORT112 is accurate to ±0.1 °C from −25 °C to 85 °C.",
        "**False.** The document states ±0.5 °C (maximum) from −25 °C to 85 °C. [1]",
        (piece,),
        verdict="false",
        type=QuestionType.JUDGEMENT,
    )


def procedure_answer(figure: str | None = None) -> AnswerView:
    steps = evidence(
        1, "ORLUNDA_ORB-1_Users_Manual.pdf", ("ORB-1", "4 Use", "4.2 Connecting"), "1. …"
    )
    picture = evidence(
        2, "ORLUNDA_ORB-1_Users_Manual.pdf", ("ORB-1", "4 Use", "4.2 Connecting"), "",
        kind=SegmentKind.FIGURE, caption="Figure 4-2. Jumper positions", figure_path=figure,
    )  # fmt: skip
    return answer_view(
        "How do I connect the ORB-1 to a computer?",
        "To connect the board (4.2): [1]\n\n"
        "1. Disconnect all supplies. [1]\n"
        "2. Set jumper JP3 as shown. [1][2]\n"
        "   - To supply the board by USB, set 1-2.\n"
        "   - To supply it from outside, set 2-3.\n"
        "3. Connect the USB cable to J2. [1]\n"
        "4. Wait until LED D4 is green. [1]",
        (steps, picture),
        figures=(2,),
        type=QuestionType.PROCEDURE,
    )


def follow_up_answer() -> AnswerView:
    view = table_answer()
    return with_answer(
        view,
        question="and at 125 °C?",
        read_as="What is the input offset voltage of the ORA217 at 125 °C?",
        blocks=(
            *said("The maximum offset voltage over −40 °C to +125 °C is **±250 µV**. [1]"),
            *view.answer.tables,
        ),
        support=(),
    )


READINGS = (
    "What is the supply current of the ORM8236 in operation, with all outputs enabled?",
    "What is the supply current of the <ORM8236> in sleep mode & more?",
)


def clarifying_answer() -> AnswerView:
    return with_answer(
        replace(table_answer(), evidence=()),
        question="How much does it draw?",
        status=AnswerStatus.CLARIFY,
        blocks=(*said("Which one do you mean?"), Readings(READINGS)),
        readings=READINGS,
        support=(),
        citations=(),
    )


def contradicting_answer() -> AnswerView:
    pieces = (
        evidence(1, "ORLUNDA_ORT112_RevB.pdf", ("ORT112", "6.5 Electrical"), "10 µA"),
        evidence(
            2, "ORLUNDA_ORT112_RevA.pdf", ("ORT112", "6.5 Electrical"), "12 µA",
            source_note="older revision; the newer one is ORLUNDA_ORT112_RevB.pdf",
        ),
    )  # fmt: skip
    return answer_view(
        "What is the quiescent current of the ORT112?",
        f"{THEY_DISAGREE}\n\n- Revision B (2024): **10 µA** at most. [1]\n"
        "- Revision A (2019): **12 µA** at most. [2]",
        pieces,
        notes=("The newest document stands first.",),
    )


def not_found_answer() -> AnswerView:
    places = (
        evidence(
            1, "ORLUNDA_ORA217.pdf",
            ("ORA217", "6 Specifications", "6.5 Electrical Characteristics"), "Noise",
            kind=SegmentKind.TABLE, rows=(1, 5), quotes=(), is_cited=False,
            table=grid("Table 6-5", "Electrical Characteristics at VS = ±18 V", _OFFSET_ROWS),
        ),
        evidence(
            2, "ORLUNDA_ORA247.pdf", ("ORA247", "7 Detailed Description", "7.3 Noise"),
            "7.3 Noise\nThe input-referred noise of the amplifier is dominated by the input pair"
            " above 10 Hz; below, flicker noise adds. " * 3, quotes=(), is_cited=False,
        ),
        evidence(
            3, "ORLUNDA_ORC1204.pdf", ("ORC1204", "7.2 Histogram"), "", quotes=(),
            kind=SegmentKind.FIGURE, caption="Figure 7-2. Noise histogram", is_cited=False,
        ),
    )  # fmt: skip
    return answer_view(
        "What is the radiation tolerance of the ORA217?",
        "Not found in this library. The nearest sections are listed below; none states the answer.",
        places,
        status=AnswerStatus.NOT_FOUND,
        support=(),
    )


def every_answer() -> dict[str, AnswerView]:
    """Return an answer of each kind by its name."""
    return {
        "table": table_answer(),
        "comparison": comparison_answer(),
        "comparison_wide": comparison_answer(38, 6),
        "list": list_answer(),
        "list_long": list_answer(64),
        "calculation": calculation_answer(),
        "choice": choice_answer(),
        "judgement": judgement_answer(),
        "procedure": procedure_answer(),
        "follow_up": follow_up_answer(),
        "clarify": clarifying_answer(),
        "contradiction": contradicting_answer(),
        "not_found": not_found_answer(),
    }
