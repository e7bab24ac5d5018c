from __future__ import annotations

from typing import Any

import pytest

from desktop_qa.core.history import HistoryState
from desktop_qa.core.question import Question
from desktop_qa.gui.conversations.conversation_link import KEY, keep, remembered
from desktop_qa.gui.conversations.conversation_model import (
    MOST_OPEN,
    NEW_TITLE,
    Conversation,
    OpenConversations,
    Turn,
    TurnState,
    short_title,
)
from desktop_qa.gui.library.recent import keep_in
from desktop_qa.gui.library.scope_model import ScopeEntry
from tests.helpers.made_answers import make_item


def answered(number: int) -> Turn:
    return Turn.of(make_item(number))


def talk(*numbers: int, **fields: Any) -> Conversation:
    made = Conversation(**fields)
    for number in numbers:
        made.add(answered(number))
    return made


def several(n: int) -> OpenConversations:
    opened = OpenConversations()
    for number in range(n):
        opened.open(talk(number + 1))
    return opened


# Titles


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What is the typical offset of the OPA4197?", "Typical offset of the OPA4197"),
        ("How do I read a measurement from the SCD4x?", "Read a measurement from the SCD4x"),
        ("Which pin is the reset?", "Which pin is the reset"),
        ("can you tell me what's the slew rate", "Slew rate"),
        ("What?", "What"),
        ("???", "???"),
        ("Compare\n A   and B.", "Compare A and B"),
    ],
)
def test_a_title_leaves_the_words_out_that_all_questions_share(question, title):
    assert short_title(question) == title


def test_a_conversation_is_called_as_the_user_says_then_by_its_first_question():
    made = Conversation()
    assert made.title == NEW_TITLE
    made.add(Turn(Question("What is the offset of the A1?")))
    made.add(Turn(Question("and the B2?")))
    assert made.title == "Offset of the A1"
    made.name = "Bench"
    assert made.title == "Bench"
    assert len(short_title("word " * 100)) <= 80


# Turns


def test_the_next_question_goes_on_from_the_answer_shown_else_from_the_latest():
    made = talk(1, 2, 3)
    assert made.origin is made.turns[2]
    made.current = made.turns[0]
    assert made.origin is made.turns[0]
    made.add(Turn(Question("under way")))
    assert made.origin is made.turns[2]
    assert Conversation().origin is None


def test_a_stopped_question_gives_way_to_what_was_shown_and_is_not_lost():
    made = talk(1, 2)
    made.current = made.turns[0]
    stopped = Turn(Question("stopped?"))
    made.add(stopped)
    made.take_back(stopped)
    assert made.current is made.turns[0]
    assert made.draft == "stopped?"
    made.draft = "typed since"
    made.add(stopped)
    made.take_back(stopped)
    assert made.draft == "typed since"


def test_turns_of_the_history_come_before_those_of_today_each_once():
    made = talk(5, is_loaded=False, first_question="Question 1?")
    made.add(Turn(Question("now?")))
    made.take_up(
        (make_item(1), make_item(4, state=HistoryState.FAILED, excerpt="disk full"), make_item(5))
    )
    assert [turn.history_id for turn in made.turns] == [1, 4, 5, 0]
    assert made.turns[1].state is TurnState.FAILED
    assert str(made.turns[1].error) == "disk full"
    assert made.current is made.turns[3]
    earlier = made.insert(answered(3))
    assert made.turns.index(earlier) == 1


def test_the_turn_that_was_shown_is_shown_again():
    made = Conversation(is_loaded=False, wanted=2)
    made.take_up((make_item(1), make_item(2), make_item(3)))
    assert made.current is made.turns[1]
    gone = Conversation(is_loaded=False, wanted=9, first_question="x")
    gone.take_up(())
    assert gone.current is None
    assert gone.is_blank


def test_deleted_turns_leave():
    made = talk(1, 2, 3)
    assert made.drop([3, 7])
    assert made.current is made.turns[-1]
    assert not made.drop([7])
    live = Conversation()
    live.add(Turn(Question("not kept")))
    assert not live.drop([0])


# Which are open


def test_an_empty_conversation_gives_way_to_what_is_opened():
    opened = OpenConversations()
    opened.open(talk(1))
    assert len(opened.all) == 1
    opened.active.draft = "typed"
    opened.open(Conversation())
    opened.active.draft = "also typed"
    opened.open(talk(2))
    assert len(opened.all) == 3


def test_the_conversation_that_was_not_used_for_longest_gives_way():
    opened = several(MOST_OPEN)
    first, second, third = opened.all[:3]
    opened.show(first)
    second.add(Turn(Question("under way")))
    opened.open(talk(99))
    assert len(opened.all) == MOST_OPEN
    assert third not in opened.all
    assert first in opened.all
    assert second in opened.all
    assert opened.reopen() is third


def test_closed_ones_come_back_where_they_were_the_latest_first():
    opened = several(3)
    first, second, third = opened.all
    opened.close(first)
    opened.close(second)
    assert opened.all == [third]
    assert opened.reopen() is second
    assert opened.reopen() is first
    assert opened.all == [first, second, third]
    assert opened.active is first
    assert opened.reopen() is None


def test_there_is_always_one_and_a_blank_one_is_not_kept_for_reopening():
    opened = OpenConversations()
    opened.close(opened.active)
    assert len(opened.all) == 1
    assert not opened.can_reopen
    opened.open(talk(1))
    opened.close(opened.active)
    assert opened.active.is_blank
    assert opened.reopen() is not None
    assert len(opened.all) == 1


def test_clearing_forgets_turns_and_closed_ones_and_keeps_what_is_typed():
    opened = several(2)
    opened.close(opened.all[0])
    opened.open(talk(3, draft="typed", name="secret"))
    opened.clear()
    (left,) = opened.all
    assert left.draft == "typed"
    assert left.title == NEW_TITLE
    assert not left.turns
    assert not opened.can_reopen


# What is remembered


def test_open_conversations_are_remembered_by_library(settings):
    opened = several(2)
    opened.open(Conversation(draft="and then\nthis", scope=(ScopeEntry("/a.pdf", "A"),)))
    opened.show(opened.all[1])
    opened.all[0].name = "Bench"
    keep(settings, "/library", opened)
    settings.sync()
    kept, active = remembered(settings, "/library")
    assert [one.id for one in kept] == [one.id for one in opened.all]
    assert [one.title for one in kept] == ["Bench", "Question 2", NEW_TITLE]
    assert active == 1
    assert [one.is_loaded for one in kept] == [False, False, True]
    assert kept[2].draft == "and then\nthis"
    assert kept[2].scope == (ScopeEntry("/a.pdf", "A"),)
    assert remembered(settings, "/another") == ([], 0)


def test_a_question_under_way_is_remembered_as_unfinished(settings):
    opened = several(1)
    opened.active.add(Turn(Question("under way?")))
    keep(settings, "/library", opened)
    assert remembered(settings, "/library")[0][0].draft == "under way?"


def test_an_earlier_turn_that_was_shown_is_remembered_and_the_latest_is_not(settings):
    opened = OpenConversations()
    opened.open(talk(1, 2, 3))
    keep(settings, "/library", opened)
    assert remembered(settings, "/library")[0][0].wanted == 0
    opened.active.current = opened.active.turns[1]
    keep(settings, "/library", opened)
    assert remembered(settings, "/library")[0][0].wanted == 2


def test_nothing_is_kept_of_blank_ones(settings):
    keep(settings, "/library", several(1))
    keep(settings, "/library", OpenConversations())
    assert remembered(settings, "/library") == ([], 0)


GOOD = {"id": "c", "name": "", "first": "Q?", "draft": "", "scope": [], "shown": 0}


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        7,
        {"open": 3, "active": 0},
        {"open": [[]], "active": 0},
        {"open": [GOOD | {"id": ""}], "active": 0},
        {"open": [GOOD | {"id": 7}], "active": 0},
        {"open": [GOOD | {"draft": None}], "active": 0},
        {"open": [GOOD | {"scope": [["a"]]}], "active": 0},
        {"open": [GOOD | {"scope": 4}], "active": 0},
        {"open": [GOOD | {"shown": "x"}], "active": 0},
        {"open": [GOOD], "active": None},
        {"open": [], "active": float("inf")},
    ],
)
def test_damaged_values_are_as_good_as_none(settings, value):
    keep_in(settings, KEY, "/library", value)
    assert remembered(settings, "/library")[0] == []


def test_what_is_kept_is_bounded(settings):
    opened = OpenConversations()
    opened.active.draft = "x" * 1_000_000
    keep(settings, "/library", opened)
    assert len(remembered(settings, "/library")[0][0].draft) == 10_000
    many = {"open": [GOOD | {"id": str(n)} for n in range(99)], "active": 98}
    keep_in(settings, KEY, "/library", many)
    assert len(remembered(settings, "/library")[0]) == MOST_OPEN
