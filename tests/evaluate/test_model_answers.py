"""A model is measured beside the offline answers to the same questions."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from desktop_qa.core.answer import Answer
from desktop_qa.core.errors import Cancelled, QuestionError
from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import EvidenceItem, GoldQuestion
from desktop_qa.evaluate.model_answers import AlsoModel, model_json, model_markdown
from desktop_qa.evaluate.runner import evaluate_bank
from desktop_qa.generate.prompt import NOT_STATED
from desktop_qa.library import facade
from desktop_qa.library.facade import Library
from desktop_qa.library.reasoning import ModelAnswer
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import Delta, FinishReason, Usage
from desktop_qa.llm.profile import ProfileStore
from tests.helpers import command_line
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.library.test_reasoning import HERE
from tests.llm.asking import profile_of
from tests.llm.scripted_server import DONE, Reply, Request, ScriptedServer, delta, head
from tests.llm.test_keys import Backend

OFFSET = "What is the typical input offset voltage of the ACM4197?"
CURRENT = "What is the quiescent current of the ACM4198?"
PRICE = "What does the ACM4197 cost in dollars?"
EVIDENCE = (EvidenceItem("acm4197.pdf", 1),)
BANK = (
    GoldQuestion("Q1", OFFSET, "table", answer_any=("25 µV",), evidence=EVIDENCE),
    GoldQuestion("Q2", CURRENT, "table", answer_any=("1.0 mA",), evidence=EVIDENCE),
    GoldQuestion("N1", PRICE, "negative", negative=True),
)
SAID = {OFFSET: "It is 25 µV [1]. It is green [1].", CURRENT: "It is 9 A [1].", PRICE: NOT_STATED}


def put_in(library: Library):
    def put(offline: Answer) -> ModelAnswer:
        reasoning = library.reasoning(offline, HERE)
        reasoning.hear(Delta(text=SAID[offline.question]))
        return reasoning.ended(Delta(usage=Usage(900, 20), finish_reason=FinishReason.STOP))

    return put


def test_a_model_is_measured_on_what_it_says(opened):
    measured = AlsoModel(opened.ask, put_in(opened))
    report = evaluate_bank(
        BANK, opened.segments(), opened.rank_all, measured.ask, files={"acm4197.pdf": "acm4197.pdf"}
    )
    figures = model_json(report, measured.said)
    assert (figures["asked"], figures["failed"], figures["not_put"]) == (3, 0, 0)
    offline = [r.answer.score for r in report.results if r.answer and r.answer.score is not None]
    assert figures["answer_score"] == {"n": 2, "model": 0.5, "offline": sum(offline) / 2}
    assert figures["sentences"] == 3
    assert 0 < figures["groundedness"] < 1
    assert figures["null_rate"]["on_negatives"]["model"] == 1.0
    assert figures["null_rate"]["on_positives"]["model"] == 0.0
    assert figures["tokens"] == {"read": 900, "written": 20}
    assert figures["tokens_shown"]["structure"] == 0
    assert figures["tokens_shown"]["retrieved"] > 100
    assert figures["looked_up"] == 0
    text = model_markdown(figures)
    assert "0 looked up more" in text
    assert "3 questions put to the model" in text
    assert " of its 3 sentences" in text


def test_what_is_put_to_no_model_is_counted_and_left_out(opened):
    def put(offline: Answer) -> ModelAnswer:
        if offline.question == OFFSET:
            return ModelAnswer(is_over=True, error=QuestionError("Not put."))
        error = ModelError(ModelErrorKind.EMPTY_ANSWER, "Empty.")
        return ModelAnswer(is_over=True, error=error)

    measured = AlsoModel(opened.ask, put)
    report = evaluate_bank(
        BANK, opened.segments(), opened.rank_all, measured.ask, files={"acm4197.pdf": "acm4197.pdf"}
    )
    figures = model_json(report, measured.said)
    assert (figures["asked"], figures["failed"], figures["not_put"]) == (2, 2, 1)
    assert figures["answer_score"]["model"] == 0.0
    assert figures["groundedness"] is None


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (ModelError(ModelErrorKind.UNREACHABLE, "Not there."), ModelError),
        (Cancelled(), KeyboardInterrupt),
    ],
)
def test_a_model_that_cannot_be_asked_and_a_stop_end_the_run(error, raised, opened):
    measured = AlsoModel(opened.ask, lambda _: replace(ModelAnswer(is_over=True), error=error))
    with pytest.raises(raised):
        measured.ask(Question(OFFSET))


def test_a_bank_is_measured_with_a_model_on_the_command_line(sheets_library, tmp_path, monkeypatch):
    monkeypatch.setattr("keyring.get_keyring", Backend)
    monkeypatch.setattr(facade, "ModelProcess", HashingEmbedder)
    bank = tmp_path / "bank.jsonl"
    item = {"file": "acm4197.pdf", "page": 1}
    row = {"id": "Q1", "question": OFFSET, "type": "table", "answer_any": ["25 µV"]}
    bank.write_text(json.dumps({**row, "evidence": [item]}) + "\n", encoding="utf-8")
    words = ("evaluate", bank, "--library", sheets_library, "--profile", "lab")

    def answer(request: Request) -> Reply:
        return [head(), delta(content="It is 25 µV [1]."), delta("stop"), DONE]

    with ScriptedServer(by=answer) as server:
        ProfileStore().save(profile_of(server, name="lab"))
        figures = command_line.run_json_here(*words)["model"]
        shown = command_line.run_here(*words)
    assert figures["answer_score"]["model"] == 1.0
    assert "1 questions put to the model" in shown.stdout
    gone = command_line.run_here(*words)
    assert gone.returncode == 1
    assert "cannot be reached" in gone.stderr
