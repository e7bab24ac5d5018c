"""`ask --profile`: the offline answer first and always, the model's below it, checked."""

from __future__ import annotations

import itertools
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_qa.cli.model_answers import reasons, text_of
from desktop_qa.generate.grounding import check
from desktop_qa.generate.judging import Ground
from desktop_qa.generate.passages import Passage
from desktop_qa.library import facade
from desktop_qa.library.reasoning import Reasoning
from desktop_qa.llm.messages import Delta, FinishReason
from desktop_qa.llm.profile import ProfileStore
from tests.helpers import command_line
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet
from tests.library.test_reasoning import HERE, made_library, offline
from tests.llm.asking import KEY, profile_of
from tests.llm.scripted_server import (
    CUT,
    DONE,
    HOLD,
    PATIENCE_S,
    Reply,
    Request,
    ScriptedServer,
    delta,
    event,
    head,
    page,
)
from tests.llm.test_keys import Backend

QUESTION = "What is the typical input offset voltage of the ACM4197?"
USAGE = event({"choices": [], "usage": {"prompt_tokens": 900, "completion_tokens": 41}})


@pytest.fixture
def library(tmp_path, source_folder, monkeypatch) -> Path:
    monkeypatch.setattr("keyring.get_keyring", Backend)
    monkeypatch.setattr(facade, "ModelProcess", HashingEmbedder)
    write_datasheet(source_folder / "acm4197.pdf")
    with open_library(tmp_path / "library", source_folder) as opened:
        return Path(opened.folder)


def marker_of(request: Request, words: str) -> str:
    """Return the marker of the passage that has some words."""
    passages = re.split(r"\n\n(?=\[\d+\] )", request.json["messages"][1]["content"])
    found = next(passage for passage in passages if words in passage and passage[0] == "[")
    return found[: found.index("]") + 1]


ENDED: Reply = (delta("stop"), USAGE, DONE)


def says(*texts: str, end: Reply = ENDED) -> Callable[[Request], Reply]:
    """Answer with some texts, {offset} standing for the marker of the row with the offset."""

    def answer(request: Request) -> Reply:
        offset = marker_of(request, "Input offset voltage")
        pieces = [delta(content=text.replace("{offset}", offset)) for text in texts]
        return [head(), *pieces, *end]

    return answer


def ask(library: Path, answer: Callable[[Request], Reply], *more: str):
    with ScriptedServer(by=answer) as server:
        ProfileStore().save(profile_of(server, name="lab"))
        return command_line.run_here("ask", QUESTION, "--library", library, *more)


RIGHT = "It is **25 µV** typically {offset}."
WRONG = "The typical input offset voltage is 45 mV {offset}. "


def test_the_model_is_streamed_below_the_offline_answer_and_what_is_wrong_is_marked(library):
    alone = ask(library, says(RIGHT))
    done = ask(library, says("The typical input ", "offset voltage is 45 mV", " {offset}. ", RIGHT),
               "--profile", "lab")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(alone.stdout)
    said = done.stdout.removeprefix(alone.stdout)
    assert re.match(r"\nlab \(small model 1\.0 at 127\.0\.0\.1\):\n", said)
    text, reason = said.strip().split("\n")[1:3]
    assert re.fullmatch(
        r"The typical input offset voltage is 45 mV \[\d\]\. \(!1\)"
        r" It is \*\*25 µV\*\* typically \[\d\]\.",
        text,
    )
    assert re.fullmatch(
        r"\(!1\) Not borne out: 45 mV is not in what is cited. The document says 25 µV \[\d\]\.",
        reason,
    )
    assert "41 tokens" in done.stderr


def test_json_has_the_evidences_markers_and_what_the_document_has_instead(library):
    with ScriptedServer(by=says(RIGHT, f" {WRONG}")) as server:
        ProfileStore().save(profile_of(server, name="lab"))
        words = ("ask", QUESTION, "--library", library, "--profile", "lab")
        answer = command_line.run_json_here(*words)
    said = answer["model_answer"]
    (citation,) = said["citations"]
    assert citation in answer["citations"]
    assert (said["profile"], said["model"], said["host"]) == ("lab", "small model 1.0", "127.0.0.1")
    assert said["tokens"] == {"read": 900, "written": 41}
    right, wrong = said["sentences"]
    assert right["verdict"] == "supported"
    assert "instead" not in right
    assert wrong["verdict"] == "unsupported"
    assert wrong["reason"].startswith("45 mV is not")
    assert wrong["instead"]["text"] == "25 µV"
    assert wrong["instead"]["marker"] in wrong["markers"]
    assert said["error"] is None
    assert said["text"].startswith("It is **25 µV** typically [")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda _: page(401, {"error": "no key"}), "asks for a key"),
        (lambda _: [CUT], "broke off"),
    ],
)
def test_every_failure_ends_in_one_line_below_the_offline_answer(answer, told, library):
    done = ask(library, answer, "--profile", "lab")
    assert done.returncode == 0
    assert "**25 µV**" in done.stdout
    (line,) = done.stderr.strip().split("\n")
    assert line.startswith("No answer of the model, or not all of it: ")
    assert told in line


def test_without_consent_nothing_is_sent(library):
    with ScriptedServer() as server:
        ProfileStore().save(profile_of(server, name="lab", remote_host="api.example.com"))
        words = ("ask", QUESTION, "--library", library, "--profile", "lab")
        done = command_line.run_here(*words)
        assert server.requests == []
        assert server.n_connections == 0
    assert done.returncode == 0
    assert "**25 µV**" in done.stdout
    assert "may not go to small model 1.0 at api.example.com" in done.stderr


def test_with_consent_the_question_and_its_passages_are_sent(library):
    with ScriptedServer(by=says(RIGHT)) as server:
        profile = profile_of(server, name="lab", remote_host="api.example.com")
        ProfileStore().save(profile)
        agreed = command_line.run_here(*("models", "agree", "lab", "--library", library, "--yes"))
        assert agreed.returncode == 0
        words = ("ask", QUESTION, "--library", library, "--profile", "lab")
        assert (
            "\nlab (small model 1.0 at api.example.com):\n" in command_line.run_here(*words).stdout
        )
        (request,) = server.requests
    assert QUESTION in request.json["messages"][1]["content"]


def test_a_profile_that_there_is_not_is_told_before_the_question_is_asked(library):
    done = command_line.run_here("ask", QUESTION, "--library", library, "--profile", "lab")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "no model called lab" in done.stderr


def test_a_key_that_is_missing_is_asked_for_once(library, monkeypatch):
    def answer(request: Request) -> Reply:
        has_key = request.headers.get("authorization") == f"Bearer {KEY}"
        return says(RIGHT)(request) if has_key else page(401, {"error": "no key"})

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda prompt: KEY)
    done = ask(library, answer, "--profile", "lab")
    assert "It is **25 µV**" in done.stdout
    assert "No answer" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there a process cannot be interrupted alone")
def test_an_interrupt_stops_the_model_and_leaves_the_offline_answer(library):
    assert threading.current_thread() is threading.main_thread()

    def answer(request: Request) -> Iterator[object]:
        yield from says(WRONG, "And", end=())(request)
        os.kill(os.getpid(), signal.SIGINT)
        yield HOLD

    with ScriptedServer(by=answer) as server:
        ProfileStore().save(profile_of(server, name="lab"))
        words = ("ask", QUESTION, "--library", library, "--profile", "lab")
        done = command_line.run_here(*words)
        assert server.was_left.wait(PATIENCE_S)
    assert done.returncode == 0
    assert "**25 µV**" in done.stdout
    assert "(!1) Not borne out" in done.stdout
    assert done.stderr.strip().endswith("Stopped.")


def test_the_text_only_grows_until_it_is_whole():
    said = (
        "It draws 5 mA. It leaks 9 nA [1].\n\nThe steps:\n1. Set 4 V [2]. Then wait [2].\n"
        "2. Do that.\n\n| | DQA1 |\n|---|---|\n| Leakage | 30 nA [1] |\n\n"
        "It is fine. It has **two channels** [2][1]. It weighs 3 kg."
    )
    library = made_library()
    reasoning = Reasoning(offline(library), library, HERE)
    steps = [reasoning.hear(Delta(text=letter)) for letter in said]
    texts = [
        text_of(step) for step in (*steps, reasoning.ended(Delta(finish_reason=FinishReason.STOP)))
    ]
    for before, after in itertools.pairwise(texts):
        assert after.startswith(before)
    assert texts[-1].startswith(
        "It draws 5 mA. It leaks 9 nA [1]. (!1)\n\nThe steps:\n1. Set 4 V [2]."
    )
    assert re.search(r"\| 30 nA \([!?]\d\) \[1\]\n", f"{texts[-1]}\n")


def test_signs_are_counted_and_said_below():
    ground = Ground((Passage(1, "DQA1", text="The supply voltage is 5 V."),), "")
    library = made_library()
    reasoning = Reasoning(offline(library), library, HERE)
    reasoning.hear(Delta(text="It was made in Norway [1]. The supply is 9 V [1]."))
    ended = reasoning.ended(Delta(finish_reason=FinishReason.STOP))
    said = replace(ended, sentences=check(ended.blocks, ground).sentences)
    lines = list(reasons(said.doubts))
    assert [line[:4] for line in lines] == ["(?1)", "(!2)"]
    assert lines[0].startswith("(?1) Doubtful: ")


def looks_up(request: Request) -> Reply:
    """Call a tool first, and cite what it gave."""
    last = request.json["messages"][-1]
    if last["role"] != "tool":
        function = {
            "name": "fetch_sections",
            "arguments": '{"document": "D1", "sections": ["3"]}',
        }
        call = {"index": 0, "id": "a", "function": function}
        return [head(), delta(tool_calls=[call]), delta("tool_calls"), USAGE, DONE]
    found = re.search(r"\[\d+\](?= .*Calibration)", last["content"])
    return [head(), delta(content=f"Short both inputs {found[0]}."), *ENDED]


def test_what_a_model_looks_up_is_shown_and_cited(library):
    words = ("ask", QUESTION, "--library", library, "--profile", "lab", "--top-k", "1")
    with ScriptedServer(by=looks_up) as server:
        ProfileStore().save(profile_of(server, name="lab", calls_tools=True))
        done = command_line.run_here(*words)
    assert "Looked up: section 3 of ACM4197, page 1\n" in done.stderr
    assert "82 tokens" in done.stderr
    assert "Short both inputs [" in done.stdout
    assert "3 Calibration" in done.stdout.split("Short both inputs")[1]
