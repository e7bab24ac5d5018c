from __future__ import annotations

import pytest

from desktop_qa.core.answer import Query
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.directory import DocumentEntry
from desktop_qa.retrieve.readings import ambiguous_readings, needs_document
from desktop_qa.retrieve.structure_refs import find_structure_refs


def document(code: str, title: str, vendor: str) -> DocumentEntry:
    return DocumentEntry(DocumentId(code), (code,), title, vendor)


LIBRARY = (
    document("QLS3001", "QLS3001 Umgebungslichtsensor", "Texas Instruments"),
    document("QLS3007", "QLS3007 Ultra-Thin Ambient Light Sensor", "Texas Instruments"),
    document("QTD72", "QTD72 Time-to-Digital Converter", "Texas Instruments"),
    document("ZRT85063", "ZRT85063 Real-Time Clock with Alarm", "NXP Semiconductors"),
    document("ZCL8563", "ZCL8563 Real-time clock/calendar", "NXP Semiconductors"),
    document("MOA6001", "MOA6001 1 MHz Low-Power Op Amp", "Microchip"),
    document("MOA7241", "MOA7241 Rail-to-Rail Op Amp", "Microchip"),
)


def test_a_maker_and_a_kind_may_mean_several_documents():
    assert ambiguous_readings("How accurate is NXP's real-time clock chip at 25 °C?", LIBRARY) == (
        "How accurate is the ZRT85063 at 25 °C?",
        "How accurate is the ZCL8563 at 25 °C?",
    )


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ("What angle does the ambient light sensor have?", ()),
        ("How much does the real-time clock draw?", ("ZRT85063", "ZCL8563")),
        ("What is the range of our RTC?", ()),
        ("What is the gain of NXP's RTC?", ("ZRT85063", "ZCL8563")),
        ("What is the noise of the Microchip operational amplifier?", ("MOA6001", "MOA7241")),
        ("What is the offset of the op amp?", ("MOA6001", "MOA7241")),
        ("What is the offset of the op amp for audio?", ()),
        ("Does the real-time clock register reset?", ()),
    ],
)
def test_a_kind_may_be_called_by_other_words_or_without_its_maker(question, codes):
    readings = ambiguous_readings(question, LIBRARY)
    assert len(readings) == len(codes)
    assert all(f"the {code}" in one for code, one in zip(codes, readings, strict=True))
    assert not any("the the" in one or "  " in one for one in readings)


@pytest.mark.parametrize(
    "question",
    [
        "What angle does TI's ultra-thin ambient light sensor have?",
        "How fast is the Texas Instruments time-to-digital converter?",
        "How accurate is NXP's real-time clock with alarm?",
        "How accurate is NXP's real-time clock that has an offset register?",
        "How much does the 1 MHz Microchip op amp draw?",
        "How accurate is the real-time clock?",
        "What does it draw, ti?",
        "",
    ],
)
def test_words_that_choose_leave_nothing_open(question):
    assert ambiguous_readings(question, LIBRARY) == ()


def needs(question: str, **fields: object) -> bool:
    refs = find_structure_refs(question)
    return needs_document(Query(question, structure_refs=refs, **fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "question",
    ["How many pages does it have?", "What is on page 5?", "Summarise pages 5-7", "page 3",
     "List the sections", "What is the title of the document?", "the figure on page 3",
     "What does the last page say?"],
)  # fmt: skip
def test_a_place_that_every_document_has_needs_a_document(question):
    assert needs(question)
    assert not needs(question, document_ids=(DocumentId("x"),))


@pytest.mark.parametrize(
    "question",
    ["What is in section 7?", "What does Table 3 list?", "What is the supply current?",
     "What does page 5 of the haptic driver say about waveforms?",
     "the absolute maximum ratings table"],
)  # fmt: skip
def test_a_place_that_words_or_numbers_tell_apart_needs_none(question):
    assert not needs(question)
