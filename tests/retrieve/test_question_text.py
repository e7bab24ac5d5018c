import pytest

from desktop_qa.core.errors import QuestionError
from desktop_qa.retrieve.question_text import MAX_CHARACTERS, readable


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("  Offset   of the OPA4197?\n\n page 5 ", "Offset of the OPA4197?\npage 5"),
        ("OPA4197\x00 offset\x1b[31m voltage\x07", "OPA4197 offset voltage"),
        ("offset \ud800 voltage", "offset voltage"),
        ("\u202eOPA\u200b4197", "OPA4197"),
        ("DRV8833的最大电源电压", "DRV8833 的最大电源电压"),
        ("电压是5V吗", "电压是 5V 吗"),
        ("ＯＰＡ４１９７ offset", "OPA4197 offset"),
        ("جهد ٥ V", "جهد 5 V"),
        ("µV at 25 °C in Ω²", "µV at 25 °C in Ω²"),
    ],
)
def test_a_question_is_read_as_documents_are_written(question, text):
    assert readable(question).text == text


@pytest.mark.parametrize(
    ("questions", "why"),
    [
        (("", "  \n ", "\x00\x01", "\u200b"), "empty"),
        (("???", "...", "😀🎉", "— !"), "no word and no number"),
        (("the", "What is it?", "and"), "every document"),
    ],
)
def test_nothing_and_marks_and_words_that_stand_everywhere_are_no_question(questions, why):
    for question in questions:
        with pytest.raises(QuestionError, match=why) as raised:
            readable(question)
        assert raised.value.message.endswith(".")
        assert raised.value.hint


def test_a_long_question_keeps_its_ends_and_says_so():
    words = ["first", *(f"word{i}" for i in range(10_000)), "last?"]
    found = readable(" ".join(words))
    assert len(found.text) <= MAX_CHARACTERS
    assert found.text.startswith("first word0 ")
    assert found.text.endswith(" last?")
    assert "first and last" in found.note


@pytest.mark.parametrize("question", ["a" * 100_000, "1" * 60_000, "a" + " " * 50_000 + "b?"])
def test_what_has_no_words_to_cut_at_is_cut_all_the_same(question):
    assert 0 < len(readable(question).text) <= MAX_CHARACTERS


def test_a_short_question_has_no_note():
    assert readable("Offset of the OPA4197?").note == ""
