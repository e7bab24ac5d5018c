"""A model asked by the library's process, at a server that the test writes."""

import time

import pytest

from desktop_qa.core.figure_description import FigureToDescribe
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.question import Question
from desktop_qa.service.messages import Progress
from tests.library.test_exploring import STEPS, calls, says
from tests.llm.asking import profile_of
from tests.llm.scripted_server import CUT, DONE, HOLD, ScriptedServer, delta, head, page

pytestmark = pytest.mark.process

_BEGINNING = [head(), delta(content="The typical offset "), delta(content="voltage is 25 µV [1].")]


def offline(reader):
    return reader.ask("ask", Question("Typical offset voltage?")).answer


def test_the_answer_comes_in_steps_and_is_kept(reader):
    answer = offline(reader)
    with ScriptedServer([*_BEGINNING, 0.2, delta(finish="stop"), DONE]) as server:
        view = reader.ask("ask_model", answer, None, profile_of(server))
    said = view.said
    assert isinstance(said, ModelSaid)
    assert said.is_over
    assert not said.error
    assert not reader.steps[0].is_over
    kept = reader.ask("history_entry", answer.history_id)
    assert kept.view.said == said


def test_what_it_looked_up_is_drawn_kept_and_exported(reader, tmp_path):
    question = Question("Typical offset voltage?", top_k=1)
    answer = reader.ask("ask", question).answer
    marker = len(answer.evidence) + 1
    began, *rest = says(f"Short both inputs [{marker}].")
    with ScriptedServer(calls(STEPS), [began, 0.3, *rest]) as server:
        view = reader.ask("ask_model", answer, None, profile_of(server, calls_tools=True))
    assert any(step.fetched for step in reader.steps if isinstance(step, ModelSaid))
    assert view.answer == answer
    assert view.said.fetched == ("Looked up: section 3 of ACM4197, page 1",)
    piece = view.evidence[-1]
    assert piece.marker == marker
    assert piece.is_cited
    assert "Short both inputs" in piece.quotes[0]
    assert piece.places
    kept = reader.ask("history_entry", answer.history_id)
    assert kept.view.said == view.said
    assert kept.view.evidence == view.evidence
    file = tmp_path / "answer.md"
    reader.ask("export_history", (answer.history_id,), str(file))
    assert "3 Calibration" in file.read_text(encoding="utf-8").split("Short both inputs")[1]


def test_a_stopped_one_closes_its_connection_and_keeps_what_was_said(reader):
    answer = offline(reader)
    with ScriptedServer([*_BEGINNING, HOLD]) as server:
        request = reader.request("ask_model", answer, None, profile_of(server))
        while not isinstance(message := reader.receive(), Progress):
            assert message is not None
        reader.cancel(request)
        began = time.monotonic()
        said = reader.end_of(request).value.said
        assert time.monotonic() - began < 1.0
        assert server.was_left.wait(2.0)
    assert said.was_stopped
    assert said.blocks
    assert not said.error


@pytest.mark.parametrize(
    "reply",
    [
        [*_BEGINNING, CUT],
        page(401, {"error": "no"}),
    ],
    ids=["during", "401"],
)
def test_what_fails_ends_in_one_line(reader, reply):
    with ScriptedServer(by=lambda _request: reply) as server:
        said = reader.ask("ask_model", offline(reader), None, profile_of(server)).said
    assert said.is_over
    assert said.error
    assert "Traceback" not in said.error


def test_a_figure_is_described_in_steps_and_that_is_kept(reader, tmp_path):
    image = tmp_path / "7.png"
    image.write_bytes(b"\x89PNG\r\n\x1a\n and the picture")
    figure = FigureToDescribe(str(image), "Figure 7. Noise", "Noise is low.", "acm4197.pdf, page 1")
    said = [head(), delta(content="A plot "), 0.3, delta(content="of noise."), delta("stop"), DONE]
    with ScriptedServer(said) as server:
        whole = reader.ask("describe_figure", figure, profile_of(server))
    assert whole.text == "A plot of noise."
    assert [step.text for step in reader.steps][:1] == ["A plot"]
    assert reader.ask("kept_description", figure.image) == whole
