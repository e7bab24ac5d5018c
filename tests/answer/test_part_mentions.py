import pytest

from desktop_qa.answer.part_mentions import Mention, PartMentions, parts_of


@pytest.mark.parametrize(
    ("asked", "text", "mention"),
    [
        ("ab231", "Standby AB230", Mention.SIBLING),
        ("ab231", "Sleep AB231", Mention.PART),
        ("ab231", "V(Rs) = VCC", Mention.NONE),
        ("ab231", "AB230, AB231", Mention.PART),
        ("bq24074", "(’72, ’73, '79)", Mention.SIBLING),
        ("bq24074", "(’74)", Mention.PART),
        ("mcp4728", "MCP4728A0", Mention.VARIANT),
        ("scd41", "SCD4x sensor", Mention.PART),
        ("1n4729a", "1N4730A", Mention.SIBLING),
        ("1n4729a", "1N4729A", Mention.PART),
        ("2n3415", "2N3414, 2N3415", Mention.PART),
        ("1n4729a", "IZT = 10 mA", Mention.NONE),
    ],
)
def test_a_text_is_of_the_part_a_grade_of_it_a_sibling_or_neither(asked, text, mention):
    assert PartMentions((asked,)).of(text) is mention


def test_other_parts_of_the_same_sheet_are_siblings_however_they_are_called():
    assert PartMentions(("lm2904",)).of("LM358 Max") is Mention.NONE
    assert PartMentions(("lm2904",), ("LM358", "LM2904")).of("LM358 Max") is Mention.SIBLING


def test_the_beginning_of_a_number_tells_its_family_from_another():
    parts = PartMentions(("74hct194",), ("74HC194", "74HCT194"))
    assert parts.of("AC CHARACTERISTICS FOR 74HC") is Mention.SIBLING
    assert parts.of("AC CHARACTERISTICS FOR 74HCT") is Mention.PART
    assert parts.of("Types 74HC and 74HCT") is Mention.PART
    assert parts.of("VCC = 5 V, 25 MHZ, 1 A") is Mention.NONE
    grades = PartMentions(("lm358a",), ("LM358", "LM358A"))
    assert grades.of("LM358") is Mention.SIBLING


def test_a_number_alone_ends_the_code_of_the_part():
    parts = PartMentions(("1n4935",))
    assert parts.ended_by("4935")
    assert not any(map(parts.ended_by, ("4936", "935", "35", "4935 V", "")))


def test_without_a_part_nothing_is_a_sibling():
    assert PartMentions(()).of("AB230") is Mention.NONE


def test_a_part_typed_without_its_makers_letters_is_not_its_own_sibling():
    part = parts_of(["74LS20"], ["SN54LS20", "SN74LS20"])
    assert part.of("SN74LS20 only") is Mention.PART
    assert part.of("SN54LS20 only") is Mention.SIBLING
    mentions = PartMentions(("74ls20",), ("SN54LS20", "SN74LS20"))
    assert mentions.of("SN74LS20") is Mention.PART
    assert mentions.of("SN54LS20") is Mention.SIBLING


def test_a_grade_beside_the_part_is_told_from_it():
    part = parts_of(["LM324"], ["LM324", "LM224"])
    assert part.of("LM324-N") is Mention.PART
    assert part.of("LM324A") is Mention.VARIANT
    assert part.of("LM224, LM324A") is Mention.VARIANT
    assert part.is_of_another("LM224")
    assert not part.is_of_another("LM324A")
