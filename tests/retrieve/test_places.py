from __future__ import annotations

from collections.abc import Sequence

import pytest

from desktop_qa.core.segment import Segment
from desktop_qa.retrieve.places import MIN_PLACE, place_scores, title_fit
from desktop_qa.retrieve.structure_refs import find_structure_refs
from tests.retrieve.structured_documents import make_structured

N_PAGES = 8


@pytest.fixture(scope="module")
def segments() -> Sequence[Segment]:
    return [indexed.segment for indexed in make_structured("QRX7000").segments]


def scores_of(question: str, segments: Sequence[Segment]) -> dict[str, float]:
    """The score of each segment that has one, by the last heading and its kind."""
    fits = place_scores(segments, find_structure_refs(question), N_PAGES)
    return {
        f"{s.metadata.section_path[-1]}/{s.kind}": round(fit, 2)
        for s, fit in zip(segments, fits, strict=True)
        if fit > 0.0
    }


def best_of(question: str, segments: Sequence[Segment]) -> str:
    scores = scores_of(question, segments)
    return max(scores, key=scores.__getitem__) if scores else ""


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("section 8.1", "8.1 Layout Guidelines/text"),
        ("What does section 7.3.4 say?", "7.3.4 Soft Start/text"),
        ("Table 7-2", "7.4 Modes/table"),
        ("Table 3.1", "3 Pin Configuration and Functions/table"),
        ("Figure 8.1", "8.2 Layout Example/figure"),
        ("the absolute maximum ratings table", "6.1 Absolute Maximum Ratings/table"),
        ("the table of maximum ratings", "6.1 Absolute Maximum Ratings/table"),
        ("Show the block diagram", "7.2 Functional Block Diagram/figure"),
        ("Show the pinout", "3 Pin Configuration and Functions/figure"),
        ("Summarise the Layout Guidelines section", "8.1 Layout Guidelines/text"),
        ("What does the soft start section say?", "7.3.4 Soft Start/text"),
        ("What does the last page say?", "Appendix A Revision History/text"),
        ("What does Appendix A say?", "Appendix A Revision History/text"),
        ("the table on page 4", "6.5 Electrical Characteristics/table"),
        ("the table in section 6.5", "6.5 Electrical Characteristics/table"),
        ("the figure in chapter 7", "7.2 Functional Block Diagram/figure"),
    ],
)
def test_the_place_named_is_the_best(question, best, segments):
    assert best_of(question, segments) == best
    assert scores_of(question, segments)[best] >= MIN_PLACE


def test_a_page_range_covers_its_pages(segments):
    assert set(scores_of("pages 7 to 8", segments)) == {
        "8.1 Layout Guidelines/text",
        "8.2 Layout Example/figure",
        "Appendix A Revision History/text",
    }
    assert scores_of("page 99", segments) == {}


def test_a_piece_that_goes_on_over_the_page_is_on_both(segments):
    scores = scores_of("page 6", segments)
    assert scores["7.4 Modes/table"] == 1.0
    assert scores["7.3.4 Soft Start/text"] == 1.0


def test_a_subsection_counts_less_than_the_section_itself(segments):
    scores = scores_of("section 8", segments)
    assert scores == {"8.1 Layout Guidelines/text": 0.9, "8.2 Layout Example/figure": 0.9}
    assert scores_of("section 6.1", segments)["6.1 Absolute Maximum Ratings/table"] == 1.0


def test_a_section_that_is_not_there_leaves_the_one_around_it():
    segments = [indexed.segment for indexed in make_structured("QRX7000").segments]
    scores = scores_of("section 7.3.4.2", segments)
    assert set(scores) == {"7.3.4 Soft Start/text"}
    assert scores["7.3.4 Soft Start/text"] < MIN_PLACE


def test_a_table_that_is_not_there_leaves_the_text_that_speaks_of_it(segments):
    scores = scores_of("Table 9-9", segments)
    assert set(scores) == {"8.1 Layout Guidelines/text"}
    assert scores["8.1 Layout Guidelines/text"] < MIN_PLACE


@pytest.mark.parametrize(
    ("asked", "title", "low", "high"),
    [
        ("layout", "Layout", 1.0, 1.0),
        ("Layout", "LAYOUTS (continued)", 1.0, 1.0),
        ("absolute maximum ratings", "Absolute Maximum Ratings(1)", 1.0, 1.0),
        ("maximum ratings", "Absolute Maximum Ratings", 0.8, 0.99),
        ("pinout", "QRX7000 PINOUT", 1.0, 1.0),
        ("pinout", "Terminal Configuration", 0.9, 1.0),
        ("wiring diagram", "Electrical connections", 0.9, 1.0),
        ("layout", "PCB Layout Guidelines and Thermal Pad", 0.0, MIN_PLACE - 0.01),
        ("supply voltage ripple rejection", "Supply Current", 0.0, 0.0),
        ("layout", "", 0.0, 0.0),
    ],
)
def test_titles_are_compared_by_their_words(asked, title, low, high):
    assert low <= title_fit(asked, title) <= high
