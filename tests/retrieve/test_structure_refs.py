import pytest

from desktop_qa.core.answer import StructureRef
from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import CascadingMetadata, Segment, SegmentId, SegmentKind
from desktop_qa.retrieve.structure_refs import (
    find_structure_refs,
    strip_structure_refs,
    structure_score,
)


def segment(section_number: str = "", caption: str = "", page_nos: tuple[int, ...] = (1,)):
    metadata = CascadingMetadata("T", "V", (), "", ("1 A",), section_number, caption, page_nos)
    text = "text"
    return Segment(
        SegmentId("d:00000"), DocumentId("d"), 0, SegmentKind.TEXT, None, metadata, (), 1,
        text, text, text,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "kind", "first", "last"),
    [
        ("What is on page 5 of the OPT3001?", "page", "5", "5"),
        ("Summarise pages 5-7", "page", "5", "7"),
        ("What does section 8.3.4 say?", "section", "8.3.4", "8.3.4"),
        ("Table 7-2 of the TPS54331", "table", "7-2", "7-2"),
        ("Show Fig. 12", "figure", "12", "12"),
        ("Table 3.2 lists what?", "table", "3-2", "3-2"),
    ],
)
def test_places_are_found_in_questions(question, kind, first, last):
    assert find_structure_refs(question) == (StructureRef(kind, first, last),)


def test_ordinary_questions_name_no_place():
    assert find_structure_refs("What is the supply current at 5 V?") == ()


def test_the_numbers_of_places_are_no_search_words():
    assert "7-2" not in strip_structure_refs("What does Table 7-2 list?")


def test_a_page_range_covers_its_pages():
    refs = find_structure_refs("pages 5 to 7")
    assert structure_score(segment(page_nos=(6,)), refs) == 1.0
    assert structure_score(segment(page_nos=(8,)), refs) == 0.0


def test_a_subsection_counts_less_than_the_section_itself():
    refs = find_structure_refs("section 8.3")
    assert structure_score(segment("8.3"), refs) == 1.0
    assert 0.0 < structure_score(segment("8.3.1"), refs) < 1.0
    assert structure_score(segment("8.31"), refs) == 0.0


def test_a_label_is_found_in_either_house_style():
    refs = find_structure_refs("table 7-2")
    assert structure_score(segment(caption="Table 7.2. Frequencies"), refs) == 1.0
    assert structure_score(segment(caption="Figure 7-2. Frequencies"), refs) == 0.0
