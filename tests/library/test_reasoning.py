"""A model over the evidence of an offline answer: what it reads, and how it is checked."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest

from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.errors import Cancelled, QuestionError
from desktop_qa.generate.judging import Verdict
from desktop_qa.generate.prompt import MIN_WINDOW, NOT_STATED
from desktop_qa.library.reasoning import ModelAnswer, Reasoning, reasoned, require_consent
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import Delta, FinishReason, Usage
from desktop_qa.llm.profile import Consent, Dialect, Profile
from tests.helpers.made_answers import make_answer
from tests.helpers.tables import Sheet
from tests.llm.asking import gathered, profile_of
from tests.llm.scripted_server import ScriptedServer, says

HERE = Profile("Here", Dialect.CHAT_COMPLETIONS, "http://127.0.0.1:1/v1", "small")
CLOUD = replace(HERE, name="Cloud", address="https://api.example.com/v1")
STOPPED = Delta(usage=Usage(900, 20), finish_reason=FinishReason.STOP)
QUESTION = "What does the DQA1 draw?"


def made_library() -> Sheet:
    library = Sheet().add_table(
        [["Parameter", "Typ", "Unit"], ["Supply current", "5", "mA"], ["Leakage", "20", "nA"]]
    )
    library.add_text("The sensor has two channels.")
    return library


def offline(library: Sheet, status: AnswerStatus = AnswerStatus.ANSWERED) -> Answer:
    return make_answer(QUESTION, evidence=library.evidence(), status=status)


def reasoning(profile: Profile = HERE, earlier: tuple[str, ...] = ()) -> Reasoning:
    library = made_library()
    return Reasoning(offline(library), library, profile, earlier)


def heard(text: str) -> tuple[list[ModelAnswer], ModelAnswer]:
    """Say a text letter by letter."""
    one = reasoning()
    steps = [one.hear(Delta(text=letter)) for letter in text]
    return steps, one.ended(STOPPED)


def test_the_model_reads_the_evidence_with_its_markers_and_the_question():
    system, user = reasoning(earlier=("What is the DQA1?",)).round.messages
    assert "[1] Acme DQA1 Sensor" in user.text
    assert "Supply current" in user.text
    assert "What is the DQA1?" in user.text
    assert user.text.endswith(f"Question: {QUESTION}")
    assert "Supply current" not in system.text


def test_a_follow_up_is_asked_as_it_was_read():
    library = made_library()
    answer = replace(offline(library), question="and it?", read_as=QUESTION)
    assert f"Question: {QUESTION}" in Reasoning(answer, library, HERE).round.messages[-1].text


def test_a_sentence_is_checked_as_soon_as_the_next_one_begins():
    steps, last = heard(
        "The supply current is 9 mA [1]. It leaks 20 nA [1]. It has two channels [2]."
    )
    assert [len(step.sentences) for step in steps] == sorted(len(s.sentences) for s in steps)
    first = next(step for step in steps if step.sentences)
    assert len(first.open_sentence.text) < len("It leaks")
    wrong = first.sentences[0]
    assert wrong == last.sentences[0]
    assert wrong.judgement.verdict is Verdict.UNSUPPORTED
    assert (wrong.judgement.instead, wrong.judgement.marker) == ("5 mA", 1)
    verdicts = [sentence.judgement.verdict for sentence in last.sentences[1:]]
    assert verdicts == [Verdict.SUPPORTED, Verdict.SUPPORTED]
    assert [citation.marker for citation in last.answer.citations] == [1, 2]
    assert last.usage == Usage(900, 20)


def test_what_cites_nothing_waits_for_the_marker_at_the_end_of_its_line():
    steps, last = heard("It draws 5 mA. It leaks 20 nA [1].\n\nIt has two channels [2].")
    before = [step for step in steps if not step.sentences]
    assert any(step.blocks and "leaks 20" in str(step.blocks) for step in before)
    assert all(s.judgement.verdict is Verdict.SUPPORTED for s in last.sentences)


def test_sentences_that_are_checked_never_change():
    said = (
        "It draws 5 mA. It leaks 9 nA [1].\n\n1. Do this [2].\n2. Do that.\n\n"
        "| | DQA1 |\n|---|---|\n| Leakage | 30 nA [1] |\n\nIt is fine. It has two channels [2]."
    )
    steps, last = heard(said)
    for step in steps:
        assert step.sentences == last.sentences[: len(step.sentences)]


def test_what_turns_out_to_be_thinking_is_no_part_of_the_answer():
    one = reasoning()
    one.hear(Delta(text="Let me see. It draws 9 mA [1]. So"))
    step = one.hear(Delta(text="It draws 5 mA [1].", voids_text=True))
    assert "Let me see" not in str(step.blocks)
    assert [s.text for s in one.ended(STOPPED).sentences] == ["It draws 5 mA."]


def test_nothing_stated_is_told():
    _steps, last = heard(NOT_STATED)
    assert last.says_not_stated
    assert last.answer.status is AnswerStatus.NOT_FOUND


def test_an_answer_that_gives_the_instructions_away_is_withheld():
    one = reasoning()
    rules = one.round.messages[0].text
    step = one.hear(Delta(text=rules))
    assert step.is_over
    assert step.answer.status is AnswerStatus.WITHHELD
    assert "passages" not in step.answer.text


def test_a_cut_answer_says_so():
    one = reasoning()
    one.hear(Delta(text="It draws 5 mA [1]. It"))
    cut = one.ended(Delta(finish_reason=FinishReason.LENGTH))
    assert "cut off" in cut.note
    assert len(cut.sentences) == 2


def test_what_was_said_before_a_stop_stays_and_is_checked():
    one = reasoning()
    one.hear(Delta(text="It draws 9 mA [1]"))
    stopped = one.failed(Cancelled())
    assert stopped.is_over
    assert isinstance(stopped.error, Cancelled)
    assert [s.judgement.verdict for s in stopped.sentences] == [Verdict.UNSUPPORTED]


@pytest.mark.parametrize("status", [AnswerStatus.CLARIFY, AnswerStatus.WITHHELD])
def test_a_question_that_is_not_clear_or_not_to_be_answered_is_put_to_no_model(status):
    library = made_library()
    with pytest.raises(QuestionError):
        Reasoning(offline(library, status), library, HERE)


def test_without_evidence_there_is_nothing_to_ask():
    library = Sheet()
    with pytest.raises(QuestionError, match="Nothing was found"):
        Reasoning(offline(library, AnswerStatus.NOT_FOUND), library, HERE)


def test_prompt_and_answer_fit_the_window():
    with pytest.raises(QuestionError, match=str(MIN_WINDOW - 1)):
        reasoning(replace(HERE, n_context=MIN_WINDOW - 1))
    assert reasoning(replace(HERE, n_context=MIN_WINDOW)).max_tokens == MIN_WINDOW // 4
    assert reasoning(replace(HERE, max_answer_tokens=300)).max_tokens == 300
    thinks = replace(HERE, n_context=16384, max_answer_tokens=6000)
    assert reasoning(thinks).max_tokens == 6000


def agreed(host: str = "api.example.com", model: str = "small") -> Consent:
    return Consent("/library", host, model, datetime.date(2026, 1, 1))


def test_text_leaves_the_machine_with_consent_for_that_host_and_model_only():
    require_consent(HERE, None)
    require_consent(CLOUD, agreed())
    for consent in (None, agreed(host="other.example.com"), agreed(model="large")):
        with pytest.raises(ModelError) as raised:
            require_consent(CLOUD, consent)
        assert raised.value.kind is ModelErrorKind.LEAVES_MACHINE


def asked(profile: Profile, consent: Consent | None = None) -> list[ModelAnswer]:
    return gathered(reasoned(reasoning(profile), "", consent))


def test_without_consent_nothing_is_sent_and_it_is_told():
    with ScriptedServer(says("5")) as server:
        elsewhere = replace(profile_of(server), remote_host="api.example.com")
        (only,) = asked(elsewhere)
        assert server.requests == []
    assert only.is_over
    assert only.answer is None
    assert isinstance(only.error, ModelError)


def test_an_answer_comes_step_by_step_and_ends_once():
    with ScriptedServer(says("It draws", " 5 mA [1].")) as server:
        steps = asked(profile_of(server))
        assert server.requests[0].json["max_tokens"] == 1024
    assert [step.is_over for step in steps] == [False, False, True]
    assert steps[-1].error is None
    assert steps[-1].answer is not None


def test_a_server_that_dies_in_the_middle_leaves_what_it_said():
    with ScriptedServer(says("It draws 9 mA [1]. ", "It leaks")[:-2]) as server:
        *_, last = asked(profile_of(server))
    assert last.error.kind is ModelErrorKind.BROKEN
    assert last.sentences[0].judgement.verdict is Verdict.UNSUPPORTED


def test_an_answer_that_runs_on_is_listened_to_no_longer(monkeypatch):
    monkeypatch.setattr("desktop_qa.generate.stream_reader.MAX_CHARACTERS", 40)
    with ScriptedServer(says("It draws 5 mA [1]. ", "It leaks " * 5, "on")) as server:
        *_, last = asked(profile_of(server))
    assert last.error is None
    assert "cut off" in last.note
