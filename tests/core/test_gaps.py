import pytest

from desktop_qa.core.gaps import is_gap


@pytest.mark.parametrize(
    "text", ["", " ", "-", "–", "— —", "---", "−", "...", "…", "N/A", "TBD", "⸺"]
)
def test_dashes_and_dots_give_nothing(text):
    assert is_gap(text)


@pytest.mark.parametrize("text", ["0", "∞", "√", "•", "X", "-5", "No"])
def test_numbers_and_marks_are_given(text):
    assert not is_gap(text)
