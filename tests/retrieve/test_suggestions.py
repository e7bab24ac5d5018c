"""What is offered for a question that is being typed."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.suggestion import Suggestion, SuggestionKind
from desktop_qa.index.index_rows import DocumentOutline
from desktop_qa.retrieve.part_completion import PartCompletion
from desktop_qa.retrieve.suggestions import (
    HeadingIndex,
    QuestionIndex,
    before_caret,
    combined,
    suggest_parts,
)
from desktop_qa.retrieve.word_index import WordIndex, matching_spans, words_of
from tests.helpers.sample_documents import make_status


def status(name: str, *codes: str) -> DocumentStatus:
    return make_status(f"{name}.pdf", name, title=f"{name} sheet", part_numbers=codes)


def outline(headings: tuple[str, ...], captions: tuple[str, ...] = ()) -> DocumentOutline:
    pages = np.ones(3, np.int32)
    return DocumentOutline(headings, captions, pages, pages)


PARTS = PartCompletion(
    (status("a", "OPA4197", "OPA2197"), status("b", "OPA4376-Q1"), status("c", "LM35"))
)
HEADINGS = HeadingIndex(
    (
        (status("a"), outline(("6.1 Absolute Maximum Ratings(1)", "7 Layout Guidelines"))),
        (
            status("b"),
            outline(
                ("ABSOLUTE MAXIMUM RATINGS", "9.2 Power-Supply Layout"),
                ("Table 3. Pin functions (continued)",),
            ),
        ),
    )
)
QUESTIONS = QuestionIndex(
    ("What is the supply current of the LM35?", "How is the ADC reset?", "How is the ADC reset?")
)


def texts(found: list[Suggestion]) -> list[str]:
    return [one.text for one in found]


def test_a_part_completes_the_word_at_the_caret():
    found = suggest_parts(PARTS, "Gain of opa4", 8)
    assert texts(found) == ["OPA4197", "OPA4376-Q1"]
    assert (found[0].start, found[0].end, found[0].spans) == (8, 12, ((0, 4),))
    assert found[0].detail == "a sheet"


def test_a_question_that_is_complete_is_not_completed():
    assert texts(HEADINGS.find("What of the layout", 8)) != []
    assert HEADINGS.find("What of the layout?", 8) == []
    assert HEADINGS.find("What of the layout? ", 8) == []


@pytest.mark.parametrize("typed", ["OPS4197", "OPA4179", "OPA419", "OPA41977", "OP4197"])
def test_a_part_with_one_wrong_letter_is_found(typed):
    assert "OPA4197" in texts(suggest_parts(PARTS, typed, 8))


def test_a_part_is_found_by_its_digits():
    assert texts(suggest_parts(PARTS, "4376", 8)) == ["OPA4376-Q1"]


@pytest.mark.parametrize("typed", ["the", "a", "LM35", "LM35 ", "xyz", "12", ""])
def test_nothing_is_offered_for_plain_words_and_whole_parts(typed):
    assert suggest_parts(PARTS, typed, 8) == []


def test_a_heading_completes_the_words_before_the_caret():
    (found,) = HEADINGS.find("What are the absolute max", 8)
    assert found.kind is SuggestionKind.SECTION
    assert found.text == "Absolute Maximum Ratings"
    assert found.detail == "2 documents"
    assert (found.start, found.end) == (13, 25)
    assert found.spans == ((0, 8), (9, 12))


def test_the_longest_run_of_words_counts():
    assert texts(HEADINGS.find("supply layout", 8)) == ["Power-Supply Layout"]
    assert set(texts(HEADINGS.find("xyz layout", 8))) == {
        "Layout Guidelines",
        "Power-Supply Layout",
    }


def test_a_caption_is_offered_without_its_label():
    (found,) = HEADINGS.find("pin fun", 8)
    assert (found.kind, found.text, found.detail) == (
        SuggestionKind.TABLE,
        "Pin functions",
        "b.pdf",
    )


def test_what_is_typed_whole_is_not_offered_again():
    assert HEADINGS.find("Layout Guidelines", 8) == []


def test_a_question_takes_the_place_of_all_that_is_typed():
    (found,) = QUESTIONS.find("supply lm3", 30, 8)
    assert found.text == "What is the supply current of the LM35?"
    assert (found.start, found.end) == (0, 30)
    assert texts(QUESTIONS.find("adc reset", 9, 8)) == ["How is the ADC reset?"]


def test_at_most_eight_with_a_share_for_each_kind():
    def some(kind: SuggestionKind, n: int) -> list[Suggestion]:
        return [Suggestion(kind, f"{kind} {i}", "", 0, 1) for i in range(n)]

    headings = [*some(SuggestionKind.SECTION, 8), *some(SuggestionKind.TABLE, 8)]
    found = combined(some(SuggestionKind.PART, 8), headings, some(SuggestionKind.QUESTION, 8))
    kinds = [one.kind for one in found]
    assert len(found) == 8
    assert kinds == sorted(kinds, key=list(SuggestionKind).index)
    assert set(kinds) == set(SuggestionKind)


def test_inside_a_word_nothing_is_completed():
    assert before_caret("supply", 3) == ""
    assert before_caret("supply of it", 6) == "supply"
    assert before_caret("x" * 500, 500) == ""


def test_beginnings_come_before_words_within():
    index = WordIndex(("Output current", "Current limit", "Overcurrents"), (0.0, 0.0, 0.0))
    found = [index.texts[row] for row in index.find(words_of("current"), 8)]
    assert found == ["Current limit", "Output current", "Overcurrents"]
    assert matching_spans("Output current", ["cur"]) == ((7, 10),)
