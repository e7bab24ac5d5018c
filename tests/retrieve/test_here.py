"""What "this page", "this table" and "here" are read as."""

from __future__ import annotations

import pytest

from desktop_qa.core.document import BoundingBox, DocumentId, Provenance
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.question import Question
from desktop_qa.core.segment import CascadingMetadata, ElementRef, Segment, SegmentKind
from desktop_qa.core.viewed import Viewed
from desktop_qa.retrieve.here import Here, HereReader, Seen, find_pointing
from desktop_qa.retrieve.place_scope import Place, segments_pattern, split_place
from tests.helpers.sample_documents import make_segment, make_status

DOCUMENT = DocumentId("d1")
STATUS = make_status("amps/TI_OPA1.pdf", DOCUMENT)


def segment(
    ordinal: int,
    text: str,
    page_no: int = 5,
    top: float = 100.0,
    kind: SegmentKind = SegmentKind.TEXT,
    section: str = "6.3 Supply",
    caption: str = "",
) -> Segment:
    box = BoundingBox(50, top, 500, top + 80)
    element = None if kind is SegmentKind.TEXT else ElementRef(ordinal)
    path = ("6 Specifications", section) if section else ()
    metadata = CascadingMetadata("OPA1", "TI", ("OPA1",), "", path, "", caption, (page_no,))
    places = (Provenance(page_no, box),)
    return make_segment(
        DOCUMENT, ordinal, text, metadata, kind=kind, element=element, provenances=places
    )


SEGMENTS = (
    segment(0, "Ratings", top=60, kind=SegmentKind.TABLE, caption="Table 6-1. Ratings"),
    segment(1, "Supply current 3 mA", top=200, kind=SegmentKind.TABLE),
    segment(2, "Gain over frequency", top=400, kind=SegmentKind.FIGURE, caption="Figure 6-2. Gain"),
    segment(3, "The supply must be clean.", top=600, section="6.4 Layout"),
    segment(4, "More on layout.", page_no=6, section="6.4 Layout"),
    segment(5, "Loose words", page_no=9, section=""),
)


def read(question: str, viewed: Viewed | None = None, *, is_open: bool = False) -> Here:
    shown = viewed or Viewed(DOCUMENT, 5)
    return HereReader(shown, STATUS, SEGMENTS).read(
        Question(question), find_pointing(question), is_open=is_open
    )


@pytest.mark.parametrize(
    ("question", "seen"),
    [
        ("What is on this page?", Seen.PAGE),
        ("Summarize the page I'm looking at", Seen.PAGE),
        ("What is the limit in the table above?", Seen.TABLE),
        ("Explain the graph on screen.", Seen.FIGURE),
        ("What does this block diagram show?", Seen.FIGURE),
        ("Sum up the current chapter.", Seen.CHAPTER),
        ("What does this section say?", Seen.SECTION),
        ("Who wrote this data sheet?", Seen.DOCUMENT),
        ("What's the supply current in the sheet I have open?", Seen.DOCUMENT),
        ("Explain what I have selected.", Seen.SELECTION),
        ("What is the supply current here?", Seen.HERE),
        ("What am I looking at?", Seen.HERE),
    ],
)
def test_words_that_point(question, seen):
    assert [one.seen for one in find_pointing(question)] == [seen]


@pytest.mark.parametrize(
    "question",
    [
        "What does that table show?",
        "Is this figure of merit good?",
        "What is the page size of this device?",
        "Does this device have a sleep mode?",
        "Which figure is shown in section 6?",
        "Here is what I need: the supply voltage",
        "What is the plot below 5 V?",
        "On which page is this part described?",
        "Which of these documents describe an amplifier?",
    ],
)
def test_words_that_only_look_like_it(question):
    assert find_pointing(question) == ()


def test_a_page_is_named_and_searched():
    here = read("What is on this page?")
    assert here.question.text == "What is on page 5?"
    assert here.question.scope == ("/amps/TI_OPA1.pdf#page=5",)
    assert here.said == "“this page” is read as page 5 of TI_OPA1.pdf"


def test_a_printed_page_number_is_said():
    assert "page 5 (printed iv)" in read("this page?", Viewed(DOCUMENT, 5, "iv")).said


def test_a_table_is_the_one_with_the_words_of_the_question():
    here = read("What is the supply current in this table?")
    assert here.question.scope == ("/amps/TI_OPA1.pdf#segments=1",)
    assert "one of 2 there" in here.said


def test_else_it_is_the_one_most_in_view():
    top = Viewed(DOCUMENT, 5, part=BoundingBox(0, 0, 600, 150))
    low = Viewed(DOCUMENT, 5, part=BoundingBox(0, 190, 600, 500))
    assert read("What does this table show?", top).question.text == "What does Table 6-1 show?"
    below = read("What does this table show?", low)
    assert below.question.text == "What does the table on page 5 show?"
    assert below.question.scope == ("/amps/TI_OPA1.pdf#segments=1",)


def test_a_small_table_that_is_read_comes_before_a_large_one_seen_with_it():
    part = BoundingBox(0, 100, 600, 500)
    read_now = Viewed(DOCUMENT, 5, y=130, part=part)
    assert read("What does this table show?", read_now).question.text == "What does Table 6-1 show?"
    between = Viewed(DOCUMENT, 5, y=150, part=part)
    assert read("What does this table show?", between).question.scope == (
        "/amps/TI_OPA1.pdf#segments=1",
    )
    # Words of the question say more than where the eye is.
    asked = read("What is the supply current in this table?", read_now)
    assert asked.question.scope == ("/amps/TI_OPA1.pdf#segments=1",)


def test_what_is_selected_decides():
    place = Provenance(5, BoundingBox(60, 70, 90, 80))
    viewed = Viewed(DOCUMENT, 5, y=250, places=(place,), words="Ratings")
    assert read("Explain this table", viewed).question.text == "Explain Table 6-1"
    assert read("What does this mean?", viewed).question.text == "What does “Ratings” mean?"


def test_a_figure_and_a_section():
    assert read("What does this diagram show?").question.text == "What does Figure 6-2 show?"
    here = read("Summarize this section", Viewed(DOCUMENT, 5, y=640))
    assert here.question.text == "Summarize section 6.4"
    assert here.question.scope == ("/amps/TI_OPA1.pdf#segments=3-4",)
    chapter = read("Summarize this chapter", Viewed(DOCUMENT, 5, y=640))
    assert chapter.question.scope == ("/amps/TI_OPA1.pdf#segments=0-4",)


def test_without_a_heading_a_section_is_the_page():
    assert "page 9" in read("this section?", Viewed(DOCUMENT, 9)).said


def test_a_document_is_searched_whole():
    here = read("What is the supply current in this datasheet?")
    assert here.question.text == "What is the supply current in this datasheet?"
    assert here.question.scope == ("/amps/TI_OPA1.pdf#whole",)
    assert read("What is this document about?").question.text == "What is TI_OPA1.pdf about?"


def test_a_place_in_the_document_is_narrower_than_it():
    here = read("Which table of this document is on this page?")
    assert here.question.scope == ("/amps/TI_OPA1.pdf#page=5",)


def test_next_to_another_document_nothing_is_left_out():
    here = read("Is the gain in this figure higher than that of the LM35?", is_open=True)
    assert here.question.scope == ()
    assert "Figure 6-2 of TI_OPA1.pdf" in here.question.text


def test_what_is_not_there_is_told_with_the_nearest():
    with pytest.raises(QuestionError) as raised:
        read("What does this figure show?", Viewed(DOCUMENT, 6))
    assert "no figure on page 6 of TI_OPA1.pdf" in raised.value.message
    assert "page 5" in raised.value.hint
    with pytest.raises(QuestionError, match="Nothing could be read from page 40"):
        read("Summarize this page", Viewed(DOCUMENT, 40))


def test_patterns_of_places():
    assert split_place("/a.pdf") == ("/a.pdf", None)
    assert split_place("/a.pdf#page=3-5") == ("/a.pdf", Place(pages=(3, 5)))
    pattern = segments_pattern("/a#1.pdf", (7, 1, 2, 3))
    assert pattern == "/a#1.pdf#segments=1-3,7"
    assert split_place(pattern) == ("/a#1.pdf", Place(ordinals=frozenset({1, 2, 3, 7})))
    for name in ("/notes #page=x", "/a.pdf#segments=4-3-2", "/a.pdf#segments=0-99999999999"):
        assert split_place(name) == (name, None)
