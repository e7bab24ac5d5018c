from __future__ import annotations

import numpy as np
import pytest

from desktop_qa.core.answer import QuestionType
from desktop_qa.index.embedder import ModelProcess
from desktop_qa.retrieve.question_kinds import kind_model, masked
from desktop_qa.retrieve.question_type import question_type, topic_type
from desktop_qa.retrieve.structure_refs import find_structure_refs
from desktop_qa.retrieve.task_words import split_options

pytestmark = pytest.mark.process


def type_of(question: str, model: ModelProcess) -> QuestionType:
    choice = split_options(question)
    refs = find_structure_refs(choice.stem)
    scores = kind_model().scores(choice.stem, lambda t: model.embed_passages([t])[0])
    return question_type(question, scores, refs, choice)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is the start address of the ORC1604?", QuestionType.FACT),
        ("What is the maximum offset error of the ORC1204?", QuestionType.TABLE),
        ("Which row gives the offset error?", QuestionType.TABLE),
        ("Which figure shows the noise over frequency?", QuestionType.FIGURE),
        ("What does figure 7 show?", QuestionType.FIGURE),
        ("What is on page 22 of the ORB-1?", QuestionType.STRUCTURE),
        ("How many tables are there?", QuestionType.STRUCTURE),
        ("Which bus does it use? A) SPI B) I2C C) CAN", QuestionType.CHOICE),
        ("Which pins are inputs? A) IN B) OUT C) EN (more than one may be right)",
         QuestionType.MULTIPLE_CHOICE),
        ("The ORT112 has ____ alert pins.", QuestionType.FILL_IN),
        ("The interfaces are () and ().", QuestionType.FILL_IN),
        ("Is it true that the ORC1604 has an alert pin?", QuestionType.JUDGEMENT),
        ("Explain the soft start of the ORL3305", QuestionType.DESCRIPTION),
        ("ORA217 versus ORA218: noise?", QuestionType.COMPARE),
        ("Which of these amplifiers is the fastest?", QuestionType.ACROSS_DOCUMENTS),
        ("By what factor is the noise of A higher?", QuestionType.CALCULATION),
        ("What does the ORC1204 cost at 500 pieces?", QuestionType.OUTSIDE),
    ],
)  # fmt: skip
def test_form_and_examples_tell_the_kind(question, kind, model):
    assert type_of(question, model) is kind


@pytest.mark.parametrize(
    ("kind", "questions"),
    [
        (QuestionType.SUMMARY, (
            "Summarise chapter 4 of the manual", "chapter 4 of the manual, summarise it pls",
            "sumarize chapter 4", "Would you kindly provide me with a summary of chapter four?",
            "What are the main points of the fourth chapter?")),
        (QuestionType.REWRITE, (
            "Rewrite section 4.2 as a letter to a customer", "section 4.2 as a letter, rewritten",
            "could you please re-word section 4.2 for customers?",
            "put the layout rules in simpler words")),
        (QuestionType.EXTRACTION, (
            "List all registers of the ORT112", "all the registers of the ORT112, list them",
            "I would appreciate a list of every register", "What are the names of all registers?")),
        (QuestionType.PROCEDURE, (
            "How do I calibrate the inputs?", "the inputs, how do i calibrate them",
            "how to callibrate inputs??", "Kindly advise how the inputs are to be calibrated.",
            "i want to calibrate the inputs")),
        (QuestionType.CLASSIFICATION, (
            "Is this document a datasheet?", "this document, is it a data sheet?",
            "What kind of document is this?", "Would this be regarded as a legal document?")),
        (QuestionType.COMPARE, (
            "Compare the sleep modes", "What is the difference between the two modes?",
            "the two modes, whats the difference", "In which respects do the modes differ?")),
    ],
)  # fmt: skip
def test_order_filler_spelling_and_formality_do_not_matter(kind, questions, model):
    assert {question: type_of(question, model) for question in questions} == dict.fromkeys(
        questions, kind
    )


def test_another_kind_must_lead_over_the_plain_ones():
    scores = {QuestionType.FACT: 0.4, QuestionType.TABLE: 0.1, QuestionType.DESCRIPTION: 0.0}
    assert question_type("…", {**scores, QuestionType.SUMMARY: 0.55}) is QuestionType.FACT
    assert question_type("…", {**scores, QuestionType.SUMMARY: 0.65}) is QuestionType.SUMMARY


def test_several_documents_are_compared_and_several_parts_are_in_several_places():
    scores = {QuestionType.FACT: 0.1, QuestionType.COMPARE: 0.4}
    assert question_type("…", scores, n_documents=2) is QuestionType.ACROSS_DOCUMENTS
    whole = scores | {QuestionType.COMPARE: 0.8}
    assert question_type("…", whole, n_documents=2) is QuestionType.COMPARE
    assert question_type("…", {QuestionType.FACT: 1.0}, n_parts=2) is QuestionType.CROSS_PAGE
    one_of_all = {QuestionType.TABLE: 0.3, QuestionType.ACROSS_DOCUMENTS: 0.8}
    assert question_type("…", one_of_all) is QuestionType.ACROSS_DOCUMENTS
    assert question_type("…", one_of_all, n_documents=1) is QuestionType.TABLE


def test_what_is_to_be_done_with_the_answer_does_not_say_where_it_stands():
    scores = dict.fromkeys(QuestionType, 0.0) | {QuestionType.PROCEDURE: 0.9}
    assert topic_type(QuestionType.SUMMARY, scores) is QuestionType.PROCEDURE
    assert topic_type(QuestionType.STRUCTURE, scores) is QuestionType.STRUCTURE


def test_parts_and_quotations_do_not_tell_the_kind():
    text = "Put “List all registers of the chip.” of the ORT112 and the orc1604 in a table"
    assert masked(text) == "Put QUOTED of the Acme and the Acme in a table"


def test_the_weights_are_those_that_the_examples_give(model, monkeypatch):
    monkeypatch.syspath_prepend("packaging")
    import fit_question_kinds

    given = fit_question_kinds.examples()
    vectors = model.embed_passages([masked(text) for _, text in given])
    fitted, share = fit_question_kinds.fit(given, vectors)
    stored = kind_model()
    assert (fitted.kinds, list(fitted.places)) == (stored.kinds, list(stored.places))
    np.testing.assert_allclose(fitted.of_words, stored.of_words, atol=0.01)
    np.testing.assert_allclose(fitted.of_meaning, stored.of_meaning, atol=0.01)
    assert share > 0.7
