from __future__ import annotations

import pytest

from desktop_qa.core.answer import Asked, StructureRef
from desktop_qa.retrieve.structure_refs import find_structure_refs, strip_structure_refs


def pages(first: int, last: int | None = None) -> StructureRef:
    return StructureRef("page", str(first), str(first if last is None else last))


def section(number: str = "", title: str = "") -> StructureRef:
    return StructureRef("section", number, number, title)


def table(label: str = "", title: str = "") -> StructureRef:
    return StructureRef("table", label, label, title)


def figure(label: str = "", title: str = "") -> StructureRef:
    return StructureRef("figure", label, label, title)


def asked(kind: str, what: Asked, within: StructureRef | None = None) -> StructureRef:
    return StructureRef(kind, "", "", asked=what, within=within)


PLACES: tuple[tuple[str, tuple[StructureRef, ...]], ...] = (
    ("What is on page 5 of the ORA217?", (pages(5),)),
    ("Summarise pages 5-7 of the ORC1604", (pages(5, 7),)),
    ("Show me pp. 5–7", (pages(5, 7),)),
    ("pages 5 to 7 of the ORB-1 manual", (pages(5, 7),)),
    ("pages 3, 5 and 9 of the manual", (pages(3), pages(5), pages(9))),
    ("p. 12", (pages(12),)),
    ("page no. 12 please", (pages(12),)),
    ("What does page twelve say?", (pages(12),)),
    ("What stands on the last page of the ORL3305 datasheet?", (pages(-1),)),
    ("the second to last page of the ORT112", (pages(-2),)),
    ("What is on the first two pages?", (pages(1, 2),)),
    ("Summarise the last three pages of the manual", (pages(-3, -1),)),
    ("What is on the second page?", (pages(2),)),
    ("What is on the 3rd page of QRX7?", (pages(3),)),
    ("Read section 8.3.4", (section("8.3.4"),)),
    ("What is recommended in sections 8.3 and 8.4?", (section("8.3"), section("8.4"))),
    ("§ 4.2 of the manual", (section("4.2"),)),
    ("What does chapter two of the ORB-1 manual cover?", (section("2"),)),
    ("Sum up clause 5.1", (section("5.1"),)),
    ("What does Appendix A contain?", (section("a", "appendix a"),)),
    ("Annex B of the manual", (section("b", "annex b"),)),
    ("Turn chapter Layout into a checklist", (section("", "Layout"),)),
    ("What does the Layout section of the ORM8236 recommend?", (section("", "Layout"),)),
    (
        "Summarise the pin configuration and functions section",
        (section("", "pin configuration and functions"),),
    ),
    ("What does the section on calibration say?", (section("", "calibration"),)),
    ('Summarise the section "Power-Up Sequence"', (section("", "Power-Up Sequence"),)),
    (
        "Rewrite the Start-Up Behaviour paragraph of the ORA217 as steps",
        (section("", "Start-Up Behaviour"),),
    ),
    (
        "Summarise the Gain Error Adjustment part of the ORA218 datasheet",
        (section("", "Gain Error Adjustment"),),
    ),
    ("What does Table 7-2 of the ORL3305 list?", (table("7-2"),)),
    ("table 7.2", (table("7-2"),)),
    ("Tables 3 and 4", (table("3"), table("4"))),
    ("Tab. 3 of the ORA217", (table("3"),)),
    ("What is in table A-1?", (table("a-1"),)),
    (
        "What does the table of absolute maximum ratings of the ORM8236 say?",
        (table("", "absolute maximum ratings"),),
    ),
    ("Show the absolute maximum ratings table", (table("", "absolute maximum ratings"),)),
    (
        "What does the ORL3310's thermal information table give for the junction?",
        (table("", "thermal information"),),
    ),
    ("table with the pin functions of the ORC1204", (table("", "pin functions"),)),
    ("the table that lists the error codes", (table("", "error codes"),)),
    ("Show Fig. 12", (figure("12"),)),
    ("fig. 3-1", (figure("3-1"),)),
    ("Figures 4 and 5 of the ORA217", (figure("4"), figure("5"))),
    ("Show the block diagram of the ORC1604", (figure("", "block diagram"),)),
    ("Where is the pinout of the ORM8236?", (figure("", "pinout"),)),
    ("Show the pinout drawing of the ORA218", (figure("", "pinout drawing"),)),
    ("Which page has the package drawing of the ORL3310?", (figure("", "package drawing"),)),
    ("Is there a typical application circuit?", (figure("", "typical application circuit"),)),
    ("Is there an I2C timing diagram for the ORC1604?", (figure("", "I2C timing diagram"),)),
    ("Describe the picture of the evaluation board", (figure("", "evaluation board"),)),
    ("How many pages does the ORB-1 manual have?", (asked("page", Asked.COUNT),)),
    ("How many tables are in the ORA217 datasheet?", (asked("table", Asked.COUNT),)),
    ("How many figures are there?", (asked("figure", Asked.COUNT),)),
    ("How many tables are on page 7?", (asked("table", Asked.COUNT, pages(7)),)),
    ("List the sections of the ORA247 datasheet", (asked("section", Asked.LIST),)),
    ("Which chapters does the ORB-1 manual have?", (asked("section", Asked.LIST),)),
    ("Table of contents of the ORB-1 manual", (asked("section", Asked.LIST),)),
    ("How is the manual organised?", (asked("section", Asked.LIST),)),
    ("List all figures in the ORL3305 datasheet", (asked("figure", Asked.LIST),)),
    ("Which tables are on page 5 of the ORA217?", (asked("table", Asked.LIST, pages(5)),)),
    ("What is the title of the document?", (StructureRef("document", "title", "title"),)),
    ("Who wrote the manual?", (StructureRef("document", "author", "author"),)),
    (
        "Which revision is the ORT112 datasheet?",
        (StructureRef("document", "revision", "revision"),),
    ),
    ("When was the ORA217 datasheet published?", (StructureRef("document", "date", "date"),)),
    (
        "Describe the figure on page 3 of the ORT112",
        (StructureRef("figure", "", "", within=pages(3)),),
    ),
    (
        "What does the table in section 6.5 of the ORA217 say?",
        (StructureRef("table", "", "", within=section("6.5")),),
    ),
    ("Read table 3 on page 9", (StructureRef("table", "3", "3", within=pages(9)),)),
    (
        "Summarise chapter 4 (Interfaces, pages 12-14) of the QRX7 manual",
        (section("4"), pages(12, 14)),
    ),
)


@pytest.mark.parametrize(("question", "refs"), PLACES)
def test_a_question_names_its_places(question, refs):
    assert find_structure_refs(question) == refs


@pytest.mark.parametrize(
    "question",
    [
        "What is the supply current at 5 V?",
        "How long does a page write take?",
        "How large is a page of the EEPROM?",
        "How many bytes fit into the 64-byte page?",
        "How many pages can be written in the EEPROM at once?",
        "Which bit of page 0 of the register map enables the clock?",
        "How many pages per minute does it print?",
        "What is the noise figure at 1 GHz?",
        "What figure of merit does the ORL3305 have?",
        "What does the truth table give for EN low?",
        "Does the ORC1604 need a lookup table for 5 points?",
        "How do I calibrate the ORB-1 in 3 steps?",
        "How much current does the analog section of the ORC1604 draw?",
        "Which cross section 2.5 mm wire may I use?",
        "Which part of the family has a shutdown pin?",
        "Which figure shows the power-supply rejection of the ORL3310 over frequency?",
        "How do I delete page 5 from my document?",
        "How do I let people photograph a page with the phone?",
        "How do I set the first page of a log?",
        "",
        "?!",
    ],
)
def test_what_only_sounds_like_a_place_is_none(question):
    assert find_structure_refs(question) == ()


def test_a_numbered_section_is_read_in_a_how_to():
    assert find_structure_refs("How do I do what section 4.2 describes?") == (section("4.2"),)


def test_the_numbers_of_places_are_no_search_words():
    assert strip_structure_refs("What does Table 7-2 list?").split() == ["What", "does", "list?"]
    assert strip_structure_refs("pages 3, 5 and 9").strip() == ""


def test_the_words_of_a_title_stay_search_words():
    assert "block diagram" in strip_structure_refs("Show the block diagram of the ORC1604")
    assert "Layout" in strip_structure_refs("Summarise the Layout section")


def test_a_long_question_is_read_in_one_go():
    question = "the section on page table figure of the " * 1500
    assert len(find_structure_refs(question)) < 10_000
