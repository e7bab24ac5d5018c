from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import msgspec
import pytest

from desktop_qa.core.answer import Answer, AnswerStatus, Citation, Evidence, Hit, Route
from desktop_qa.core.answer_table import AnswerCell, AnswerTable, TableUse
from desktop_qa.core.errors import LibraryError
from desktop_qa.core.history import HistoryState
from desktop_qa.index.schema import APPLICATION_ID, MIGRATIONS
from desktop_qa.index.store import Store
from desktop_qa.paths import DATABASE_NAME
from tests.helpers.made_answers import make_answer
from tests.helpers.said import said
from tests.helpers.sample_documents import make_sample


def an_answer(
    question: str = "How much current does the DQA1 take?",
    text: str = "It takes 5 mA [1].",
    status: AnswerStatus = AnswerStatus.ANSWERED,
    conversation: str = "",
    tables: tuple[AnswerTable, ...] = (),
) -> Answer:
    segment = make_sample("DQA1").segments[0].segment
    return make_answer(
        question,
        (*said(text), *tables),
        citations=(Citation(1, segment.id, segment.document_id, segment.provenances, ("5 mA",)),),
        evidence=(Evidence(1, segment, 0.9, (Hit(segment.id, Route.VECTOR, 1, 0.9),)),),
        status=status,
        conversation=conversation,
    )


def questions(store: Store, words: str = "", limit: int = 100, offset: int = 0) -> list[str]:
    return [item.question for item in store.search_history(words, limit, offset)]


def test_the_list_says_how_each_question_ended(store):
    store.add_history(an_answer("A?", text="One " * 200), asked_at=10.0)
    store.add_history(an_answer("B?", "Not found.", AnswerStatus.NOT_FOUND))
    store.add_failed_question("C?", "There is nothing to search. Add a folder.", seconds=0.5)
    failed, missing, found = store.search_history()
    assert (found.question, found.state, found.asked_at) == ("A?", HistoryState.ANSWERED, 10.0)
    assert found.excerpt == ("One " * 200)[:239]
    assert missing.state is HistoryState.NOT_FOUND
    assert (failed.state, failed.seconds) == (HistoryState.FAILED, 0.5)
    assert failed.excerpt == "There is nothing to search. Add a folder."
    assert store.history_entry(failed.id).answer is None


def test_the_list_comes_page_by_page(store):
    for number in range(7):
        store.add_history(an_answer(f"Q{number}?"))
    assert questions(store, limit=3) == ["Q6?", "Q5?", "Q4?"]
    assert questions(store, limit=3, offset=6) == ["Q0?"]
    assert store.count_history() == 7


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("offset", ["Offset of the DRV8833-Q1?"]),
        ("OFFSET drv88", ["Offset of the DRV8833-Q1?"]),
        ("drv8833-q1", ["Offset of the DRV8833-Q1?"]),
        ("25 \u03bcV", ["Offset of the DRV8833-Q1?"]),
        ("1.8", ["Offset of the DRV8833-Q1?"]),
        ("电压", ["电源电压是多少?"]),
        ("多少", ["电源电压是多少?"]),
        ("offset 电压", []),
        ("SOIC", ["Which packages?"]),
        ("cafe", ["Which packages?"]),
        ('"', []),
        ("packages OR offset", []),
        ("nothing", []),
    ],
)
def test_questions_and_answers_are_found_by_their_words(store, words, found):
    cell = AnswerCell("SOIC (8) café")
    table = AnswerTable(TableUse.LIST, "Packages", ("Package",), ((cell,),))
    store.add_history(an_answer("Offset of the DRV8833-Q1?", "±25 µV at 1.8 V [1]"))
    store.add_history(an_answer("电源电压是多少?", "3.3 V"))
    store.add_history(an_answer("Which packages?", "One.", tables=(table,)))
    assert questions(store, words) == found
    assert store.count_history(words) == len(found)


def test_a_conversation_gives_its_answers_with_the_newest_last(store):
    for number in range(4):
        store.add_history(an_answer(f"Q{number}?", conversation="one"))
        store.add_history(an_answer(f"other {number}?"))
    store.add_history(an_answer("Q4?"), conversation="one")
    store.add_failed_question("Q5?", "Too long.", conversation="one")
    assert [a.question for a in store.conversation("one", 3)] == ["Q3?", "Q4?"]
    assert [t.question for t in store.turns("one")][-2:] == ["Q4?", "Q5?"]
    assert store.conversation("none") == ()
    assert store.conversation("") == ()


def test_the_documents_cited_are_kept_as_they_were(store, tmp_path):
    sample = make_sample("DQA1")
    sample.save_in(store)
    number = store.add_history(an_answer(), timings={"retrieval": 0.2})
    record = store.history_entry(number)
    (cited,) = record.documents
    assert cited.document_id == sample.document.id
    assert cited.fingerprint
    assert record.timings == {"retrieval": 0.2}
    assert record.answer.history_id == number


def test_what_was_deleted_can_be_taken_back_until_it_is_purged(store):
    first, second = (store.add_history(an_answer(q, conversation="c")) for q in ("A?", "B?"))
    store.set_feedback(first, 1)
    assert store.delete_history((first, 99)) == 1
    assert questions(store) == questions(store, "takes") == ["B?"]
    assert [a.question for a in store.conversation("c")] == ["B?"]
    assert store.feedback() == ()
    with pytest.raises(KeyError):
        store.history_entry(first)
    assert store.restore_history((first,)) == 1
    assert questions(store) == ["B?", "A?"]
    assert store.search_history("A")[0].verdict == 1
    store.delete_history((second,))
    assert store.purge_history() == 1
    assert store.restore_history((second,)) == 0
    assert questions(store) == questions(store, "takes") == ["A?"]


def test_a_cleared_history_leaves_nothing(store):
    store.set_feedback(store.add_history(an_answer()), 1, "good")
    store.add_failed_question("B?", "No.")
    assert store.clear_history() == 2
    assert (questions(store), questions(store, "takes"), store.feedback()) == ([], [], ())
    store.add_history(an_answer("C?"))
    assert questions(store, "takes") == ["C?"]


def test_the_latest_thumb_counts_and_can_be_taken_back(store):
    number = store.add_history(an_answer())
    store.set_feedback(number, 1)
    store.set_feedback(number, -1, " wrong row ")
    (thumb,) = store.feedback()
    assert (thumb.history_id, thumb.verdict, thumb.comment) == (number, -1, "wrong row")
    (item,) = store.search_history()
    assert (item.verdict, item.comment) == (-1, "wrong row")
    store.set_feedback(number, 0)
    assert store.feedback() == ()
    with pytest.raises(KeyError):
        store.set_feedback(99, 1)


def test_an_answer_that_cannot_be_read_is_listed_and_not_shown(store, caplog):
    number = store.add_history(an_answer("A?"))
    for damage in (b"{", b"x"):
        with store._database.write() as connection:
            connection.execute("UPDATE history SET answer = ?", (damage,))
        assert questions(store) == ["A?"]
        with caplog.at_level("WARNING"), pytest.raises(KeyError):
            store.history_entry(number)


def older_library(folder: Path) -> Answer:
    """Write a library of the third schema with one answer, thumbed twice."""
    answer = an_answer("Offset?")
    with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as connection:
        for step in MIGRATIONS[:3]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 3")
        kept = {k: v for k, v in msgspec.to_builtins(answer).items() if k != "blocks"}
        kept["text"] = "It takes **5 mA** [1]."
        connection.execute(
            "INSERT INTO history (asked_at, question, answer, settings, seconds)"
            " VALUES (5.0, 'Offset?', ?, '{}', 0.5), (6.0, 'Broken?', ?, '{}', 0.5)",
            (json.dumps(kept).encode(), b"no json"),
        )
        connection.execute(
            "INSERT INTO feedback (history_id, verdict, comment, at)"
            " VALUES (1, 1, '', 7.0), (1, -1, 'no', 8.0)"
        )
        connection.commit()
    return answer


def test_the_history_of_an_older_library_is_listed_and_searched(tmp_path):
    answer = older_library(tmp_path)
    with contextlib.closing(Store.open(tmp_path)) as store:
        broken, item = store.search_history()
        assert (item.question, item.excerpt, item.verdict) == ("Offset?", "It takes 5 mA.", -1)
        assert broken.question == "Broken?"
        assert questions(store, "takes") == ["Offset?"]
        kept = store.history_entry(item.id).answer
        assert kept.citations == answer.citations
        assert kept.text == "It takes **5 mA** [1]."
        assert [thumb.comment for thumb in store.feedback()] == ["no"]


def test_an_older_library_opens_for_reading_without_its_history(tmp_path):
    older_library(tmp_path)
    with contextlib.closing(Store.open(tmp_path, read_only=True)) as store:
        assert store.search_history() == store.feedback() == ()
        assert store.count_history() == 0
        assert store.conversation("one") == ()
        with pytest.raises(LibraryError):
            store.add_history(an_answer())


def test_the_history_is_searched_row_by_row_where_sqlite_has_no_full_text(tmp_path, monkeypatch):
    monkeypatch.setattr("desktop_qa.index.schema.has_full_text", lambda _connection: False)
    with contextlib.closing(Store.open(tmp_path)) as store:
        store.add_history(an_answer("100% of the offset_1?"))
        store.add_history(an_answer("B?"))
        assert questions(store, "100% OFFSET_") == ["100% of the offset_1?"]
        assert questions(store, "b? 5") == ["B?"]
        assert questions(store, "offset-") == []
