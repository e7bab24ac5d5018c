"""A long text is read part by part, and its notes become one answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from desktop_qa.core.answer import QuestionType
from desktop_qa.core.errors import Cancelled
from desktop_qa.core.question import Question
from desktop_qa.generate.passages import n_model_tokens
from desktop_qa.generate.prompt import NOT_STATED
from desktop_qa.library.facade import Library
from desktop_qa.library.reasoning import ModelAnswer, Reasoning, reasoned
from desktop_qa.llm.errors import ModelErrorKind
from desktop_qa.llm.messages import Delta, FinishReason
from tests.helpers.libraries import open_library
from tests.helpers.pdf import PdfWriter
from tests.llm.asking import gathered, profile_of
from tests.llm.scripted_server import CUT, Reply, Request, ScriptedServer, delta, head, says

WHOLE = "Summarize the PMP100 manual."
SECTION = "Summarize section 3 of the PMP100 manual."
N_SECTIONS = 11
IS_MAP = "one stretch of a longer text"
IS_REDUCE = "stand notes on the stretches"


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("summarising")
    source = folder / "source"
    source.mkdir()
    writer = PdfWriter(running_footer="Acme Pumps")
    writer.title("PMP100 Pump Manual")
    for number in range(1, N_SECTIONS + 1):
        writer.heading(f"{number} Part {number}")
        for line in range(1, 17):
            writer.paragraph(
                f"Valve {number}-{line} opens at {number * 100 + line} kPa and closes when the"
                f" pressure of line {line} in part {number} of the pump falls below its limit."
            )
    writer.save(source / "pmp100.pdf")
    with open_library(folder / "library", source) as opened:
        yield opened


def system(request: Request) -> str:
    content: str = request.json["messages"][0]["content"]
    return content


def note_on(request: Request) -> str:
    """Cite the first passage of a part that says something."""
    return first_note(request.json["messages"][1]["content"])


def first_note(text: str) -> str:
    for passage in re.split(r"\n\n(?=\[)", text):
        marker = re.search(r"\[(\d+)\] ", passage)
        said = re.search(r"Valve (\S+) opens at (\d+) kPa", passage)
        if marker and said:
            return f"- Valve {said[1]} opens at {said[2]} kPa [{marker[1]}]."
    raise AssertionError(text)


def reads(request: Request) -> Reply:
    if IS_MAP in system(request):
        return says(note_on(request))
    notes = re.findall(r"- (Valve .*)", request.json["messages"][1]["content"])
    return says("\n".join(f"- {note}" for note in notes))


def asked(
    library: Library, server: ScriptedServer, question: str, n_context: int
) -> list[ModelAnswer]:
    # How a question is read is no matter of this test.
    answer = replace(library.ask(Question(question)), type=QuestionType.SUMMARY)
    reasoning = library.reasoning(answer, profile_of(server, n_context=n_context), ())
    return gathered(reasoned(reasoning, "", None))


@pytest.mark.parametrize("n_context", [2048, 4096])
def test_a_document_longer_than_the_window_is_read_in_parts(n_context, library):
    with ScriptedServer(by=reads) as server:
        steps = asked(library, server, WHOLE, n_context=n_context)
        requests = server.requests
    *parts, reduce = requests
    assert all(IS_MAP in system(request) for request in parts)
    assert IS_REDUCE in system(reduce)
    last = steps[-1]
    read = list(dict.fromkeys(step.fetched[-1] for step in steps if not step.blocks))[:-1]
    assert last.fetched[-1] == f"Read in {len(parts)} parts"
    assert read == [f"Reading part {n} of {len(parts)}" for n in range(1, len(parts) + 1)]
    assert steps[0].fetched[-1] == read[0]
    assert len(parts) > 2
    assert len(last.sentences) == len(parts)
    assert {sentence.judgement.verdict.value for sentence in last.sentences} == {"supported"}
    assert len(last.answer.citations) == len(parts)
    assert all(citation.places for citation in last.answer.citations)
    for request in requests:
        used = sum(n_model_tokens(message["content"]) for message in request.json["messages"])
        assert used + request.json["max_tokens"] <= n_context


def test_the_beginnings_of_all_sections_are_read_where_not_all_can_be(library):
    with ScriptedServer(by=reads) as server:
        *_, last = asked(library, server, WHOLE, n_context=2048)
        text = "".join(request.json["messages"][1]["content"] for request in server.requests)
    assert last.fetched[0].startswith("Too long to be read whole")
    for number in range(1, N_SECTIONS + 1):
        assert f"Valve {number}-1 opens" in text


@pytest.mark.parametrize(("question", "n_context"), [(SECTION, 4096), (WHOLE, 32768)])
def test_what_fits_the_window_is_read_at_once(question, n_context, library):
    with ScriptedServer(by=lambda request: says(note_on(request))) as server:
        *_, last = asked(library, server, question, n_context=n_context)
        (only,) = server.requests
    user = only.json["messages"][1]["content"]
    assert "Valve 3-16 opens at 316 kPa" in user
    assert ("Valve 4-1 opens" in user) == (question == WHOLE)
    assert last.fetched == ()
    assert [s.judgement.verdict.value for s in last.sentences] == ["supported"]


def test_parts_without_anything_of_use_are_left_out_of_the_notes(library):
    with ScriptedServer(by=lambda _request: says(NOT_STATED)) as server:
        *_, last = asked(library, server, WHOLE, n_context=4096)
    assert last.says_not_stated


def reading(library: Library) -> Reasoning:
    answer = replace(library.ask(Question(WHOLE)), type=QuestionType.SUMMARY)
    with ScriptedServer() as server:
        profile = profile_of(server, n_context=4096)
    return library.reasoning(answer, profile, ())


def test_a_stop_keeps_the_notes_so_far_checked(library):
    one = reading(library)
    note = first_note(one.round.messages[1].text)
    one.hear(Delta(text=note))
    going_on = one.ended(Delta(finish_reason=FinishReason.STOP))
    assert not going_on.is_over
    assert going_on.blocks == ()
    one.hear(Delta(text="- Half a no"))
    stopped = one.failed(Cancelled())
    assert isinstance(stopped.error, Cancelled)
    assert [s.judgement.verdict.value for s in stopped.sentences] == ["supported"]
    assert f"[{stopped.answer.citations[0].marker}]" in note


def test_a_stop_before_the_first_notes_leaves_nothing(library):
    stopped = reading(library).failed(Cancelled())
    assert stopped.is_over
    assert stopped.answer is None


def test_a_server_that_dies_at_the_second_part_leaves_the_notes_on_the_first(library):
    replies = iter((note_on, None))

    def reply(request: Request) -> Reply:
        note = next(replies)
        return says(note(request)) if note else [head(), delta(content="- Val"), CUT]

    with ScriptedServer(by=reply) as server:
        *_, last = asked(library, server, WHOLE, n_context=4096)
    assert last.error.kind is ModelErrorKind.BROKEN
    assert len(last.sentences) == 1


def test_endless_notes_are_cut_to_their_share(library):
    endless = "\n".join(f"- Note {n} says that valve {n} is open [1]." for n in range(200))

    def reply(request: Request) -> Reply:
        return says(endless if IS_MAP in system(request) else "It is open [1].")

    with ScriptedServer(by=reply) as server:
        asked(library, server, WHOLE, n_context=4096)
        request = server.requests[-1]
    used = sum(n_model_tokens(message["content"]) for message in request.json["messages"])
    assert used + request.json["max_tokens"] <= 4096
