"""A document read by a model: what goes out, what is kept, and what becomes of faults."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace

import pytest

from desktop_qa.core.document import BlockKind, DocumentId
from desktop_qa.core.errors import Cancelled, DesktopQaError, LibraryError, QuestionError
from desktop_qa.core.question import Question
from desktop_qa.core.readings import ReadBy, ReadingProgress, together
from desktop_qa.library.facade import Library
from desktop_qa.library.reading_by_model import ReadingByModel, read_by_model
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.profile import Dialect, Profile
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet
from tests.llm.asking import profile_of, run
from tests.llm.scripted_server import (
    CUT,
    DONE,
    HOLD,
    Reply,
    Request,
    ScriptedServer,
    delta,
    event,
    head,
    page,
)

SAID = """# 1 Features
# 2 Specifications
# 2.1 Electrical Characteristics
# 9 Made up

| Nothing | Like this |
|---|---|
| stands | here |
"""
USAGE = {"choices": [], "usage": {"prompt_tokens": 900, "completion_tokens": 40}}
GOOD: Reply = [head(), delta(content=SAID), delta("stop"), event(USAGE), DONE]
NOBODY = Profile("Here", Dialect.CHAT_COMPLETIONS, "http://127.0.0.1:9/v1", "small")


@pytest.fixture
def library(library, source_folder) -> Library:
    write_datasheet(source_folder / "acm4197.pdf", notes="It is quiet in its band. " * 150)
    library.add_source(source_folder)
    library.sync()
    return library


def only(library: Library) -> DocumentId:
    (status,) = library.statuses()
    return status.document_id


def headings(library: Library, by: ReadBy | None = None) -> list[tuple[int, str]]:
    view = library.structure(only(library), by)
    return [(one.level, f"{one.number} {one.title}") for one in view.chapters]


def read(
    reading: ReadingByModel,
    until: Callable[[ReadingProgress], bool] = lambda _progress: False,
) -> list[ReadingProgress]:
    seen: list[ReadingProgress] = []

    async def listen() -> None:
        async with aclosing(read_by_model(reading, "", None)) as steps:
            async for step in steps:
                seen.append(step)
                if until(step):
                    break

    run(listen())
    return seen


def read_and_kept(library: Library, *replies: Reply) -> ReadingByModel:
    with ScriptedServer(*replies) as server:
        reading = library.reading_by_model(only(library), profile_of(server))
        read(reading)
    library.keep_reading(reading)
    return reading


def test_a_model_s_reading_is_searched_beside_the_offline_one(library):
    offline = headings(library)
    assert (2, "2.1 Electrical Characteristics") in offline
    read_and_kept(library, GOOD)
    assert headings(library) == [
        (1, "1 Features"),
        (1, "2 Specifications"),
        (1, "2.1 Electrical Characteristics"),
    ]
    assert headings(library, ReadBy.MODEL) == headings(library)
    assert headings(library, ReadBy.PROGRAM) == offline
    note = library.model_reading(only(library))
    assert (note.n_headings, note.n_unplaced, note.used) == (3, 2, ReadBy.MODEL)
    paths = {segment.metadata.section_path for segment, _file in library.segments()}
    assert ("2.1 Electrical Characteristics",) in paths
    assert ("3 Calibration",) not in paths
    answer = library.ask(Question("What is the typical input offset voltage?"))
    assert any("25" in citation.quote for citation in answer.citations)


def test_the_offline_reading_comes_back_without_a_model(library):
    before = library.document(only(library))
    read_and_kept(library, GOOD)
    library.use_reading(only(library), ReadBy.PROGRAM)
    assert library.document(only(library)) == before
    assert library.model_reading(only(library)) is not None
    library.use_reading(only(library), ReadBy.MODEL)
    assert len(headings(library)) == 3


def test_it_is_kept_when_the_library_is_closed_and_read_as_it_was(library):
    read_and_kept(library, GOOD)
    folder, document_id = library.folder, only(library)
    library.close()
    with open_library(folder) as again:
        assert [one.level for one in again.structure(document_id).chapters] == [1, 1, 1]
        again.use_reading(document_id, ReadBy.PROGRAM)
        assert len(again.structure(document_id).chapters) > 3


def test_a_document_that_is_read_again_loses_the_model_s_reading(library):
    offline = headings(library)
    read_and_kept(library, GOOD)
    library.read_again([only(library)])
    library.sync()
    assert headings(library) == offline
    assert library.model_reading(only(library)) is None
    with pytest.raises(QuestionError, match="No model has read"):
        library.structure(only(library), ReadBy.MODEL)
    with pytest.raises(QuestionError, match="No model has read"):
        library.use_reading(only(library), ReadBy.PROGRAM)


def test_what_was_read_anew_meanwhile_is_not_replaced(library):
    with ScriptedServer(GOOD) as server:
        reading = library.reading_by_model(only(library), profile_of(server))
        read(reading)
    library.read_again([only(library)])
    library.sync()
    with pytest.raises(LibraryError, match="read anew"):
        library.keep_reading(reading)
    assert library.model_reading(only(library)) is None


def test_rounds_come_in_order_with_progress_and_the_last_one_calibrates(library):
    with ScriptedServer(by=lambda _request: GOOD) as server:
        profile = profile_of(server, n_context=2048, max_answer_tokens=256)
        reading = library.reading_by_model(only(library), profile)
        assert reading.estimate.n_rounds > 2
        assert reading.estimate.seconds is None
        seen = read(reading)
        library.keep_reading(reading)
        assert len(server.requests) == reading.estimate.n_rounds == len(seen) - 1
        sent = [request.json["messages"] for request in server.requests]
    assert [len(messages) for messages in sent] == [2] + [4] * (len(sent) - 1)
    assert sent[1][2]["content"].startswith("# 1 Features")
    assert "Calibration" in sent[-1][-1]["content"]
    assert [step.n_pages_done for step in seen] == sorted(step.n_pages_done for step in seen)
    assert seen[-1].n_pages_done == seen[-1].n_pages
    assert seen[-1].n_tokens == 940 * len(sent)
    assert seen[0].seconds_left is None
    assert seen[-1].seconds_left == 0
    assert library.reading_by_model(only(library), profile).estimate.seconds is not None


def test_the_estimate_names_a_price_only_where_the_profile_does(library):
    free = library.reading_by_model(only(library), NOBODY).estimate
    paid = library.reading_by_model(
        only(library), replace(NOBODY, input_price=1.0, output_price=2.0)
    ).estimate
    assert free.price is None
    assert paid.price > paid.n_input / 1e6
    both = together([paid, paid])
    assert both.n_rounds == 2 * paid.n_rounds
    assert both.price == 2 * paid.price
    assert together([paid, free]).price is None
    assert "price about" in both.line
    assert "price" not in free.line


@pytest.mark.parametrize(
    ("replies", "kind"),
    [
        ([page(401, {"error": {"message": "Incorrect API key provided."}})], "KEY_MISSING"),
        # In the middle; what else a server may do is told by test_faults.
        ([GOOD, *[[CUT]] * 5], "BROKEN"),
    ],
)
def test_each_fault_ends_in_the_offline_reading_and_one_line(library, replies, kind):
    before = library.document(only(library))
    with ScriptedServer(*replies) as server:
        profile = profile_of(server, n_context=2048, max_answer_tokens=256)
        with pytest.raises(ModelError) as raised:
            read(library.reading_by_model(only(library), profile))
    assert raised.value.kind.name == kind
    assert raised.value.message.endswith(".")
    assert raised.value.hint
    assert library.document(only(library)) == before
    assert library.model_reading(only(library)) is None


def test_half_a_character_and_empty_answers_harm_nothing(library):
    broken = delta(content="# 1 Fe?").replace(b"?", b"\xc3")
    half: Reply = [head(), broken, delta("stop"), DONE]
    with ScriptedServer(half) as server:
        reading = library.reading_by_model(only(library), profile_of(server))
        with contextlib.suppress(ModelError):
            read(reading)
        with pytest.raises(QuestionError, match="Nothing of what the model wrote"):
            library.keep_reading(reading)
    empty: Reply = [head(), delta("stop"), DONE]
    with ScriptedServer(empty) as server:
        reading = library.reading_by_model(only(library), profile_of(server))
        read(reading)
        with pytest.raises(QuestionError, match="Nothing of what the model wrote"):
            library.keep_reading(reading)
    assert library.model_reading(only(library)) is None


@pytest.mark.parametrize("n_context", [512, 1024])
def test_a_small_context_is_told_before_anything_is_sent(library, n_context):
    with pytest.raises(QuestionError, match="too small"):
        library.reading_by_model(only(library), replace(NOBODY, n_context=n_context))


def test_without_consent_nothing_is_sent(library):
    cloud = replace(NOBODY, address="https://api.example.com/v1")
    with pytest.raises(ModelError) as raised:
        read(library.reading_by_model(only(library), cloud))
    assert raised.value.kind is ModelErrorKind.LEAVES_MACHINE


def test_a_stop_closes_the_connection_and_changes_nothing(library):
    before = library.document(only(library))

    def by(request: Request) -> Reply:
        return GOOD if len(request.json["messages"]) == 2 else [head(), HOLD]

    with ScriptedServer(by=by) as server:
        profile = profile_of(server, n_context=2048, max_answer_tokens=256)
        reading = library.reading_by_model(only(library), profile)
        read(reading, until=lambda step: step.seconds_left is not None)
    with pytest.raises(Cancelled):
        library.keep_reading(reading)
    assert library.document(only(library)) == before


def test_a_library_open_for_reading_refuses(library):
    folder, document_id = library.folder, only(library)
    library.close()
    with open_library(folder, read_only=True) as opened:
        with pytest.raises(DesktopQaError):
            opened.reading_by_model(document_id, NOBODY)
        assert opened.model_reading(document_id) is None


def test_what_blocks_say_is_what_the_offline_reading_says(library):
    offline = library.document(only(library))
    read_and_kept(library, GOOD)
    document = library.document(only(library))
    assert [b.text for b in document.blocks] == [b.text for b in offline.blocks]
    assert [b.provenances for b in document.blocks] == [b.provenances for b in offline.blocks]
    assert document.tables == offline.tables
    kinds = {block.text: block.kind for block in document.blocks}
    assert kinds["3 Calibration"] is BlockKind.TEXT
