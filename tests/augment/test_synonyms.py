import pytest

from desktop_qa.augment.synonyms import find_synonyms


@pytest.mark.parametrize(
    ("sentence", "one", "other"),
    [
        ("The step-down converter, also called buck converter, is quiet.", *("step-down", "buck")),
        ("In sleep mode, also known as standby mode, it rests.", "sleep", "standby"),
        ("The full-scale registers (also called gain registers) hold it.", "full-scale", "gain"),
        ("Junction temperature (i.e. internal temperature) rises.", "Junction", "internal"),
        ("Quiescent current (supply current)", "Quiescent", "supply"),
        ("Supply (quiescent) current", "Supply", "quiescent"),
        ("Power-down mode, often referred to as shutdown mode.", "Power-down", "shutdown"),
    ],
)
def test_two_names_of_one_thing(sentence, one, other):
    (found,) = find_synonyms(sentence)
    assert [name.split()[0] for name in found] == [one, other]
    assert found[0].split()[-1] == found[1].split()[-1]


@pytest.mark.parametrize(
    "sentence",
    [
        "The pin is also available on the other side.",
        "The output (see the table) is open drain.",
        "Quiescent current (no load)",
        "Supply current (typical values)",
        "It is called at every start.",
        "Set the (default) mode",
        "The value (i.e. it is not used) is kept.",
        "The device is also used in cars.",
        "Positive (highest) power supply of the module",
    ],
)
def test_remarks_are_no_names(sentence):
    assert list(find_synonyms(sentence)) == []
