from __future__ import annotations

import pytest

from desktop_qa.answer.part_mentions import Mention, PartMentions


@pytest.mark.parametrize(
    ("asked", "text", "mention"),
    [
        ("ab231", "Standby AB230", Mention.SIBLING),
        ("ab231", "Sleep AB231", Mention.PART),
        ("ab231", "V(Rs) = VCC", Mention.NONE),
        ("ab231", "AB230, AB231", Mention.PART),
        ("bq24074", "(’72, ’73, '79)", Mention.SIBLING),
        ("bq24074", "(’74)", Mention.PART),
        ("mcp4728", "MCP4728A0", Mention.NONE),
        ("scd41", "SCD4x sensor", Mention.PART),
    ],
)
def test_a_text_is_of_the_part_of_a_sibling_or_of_neither(
    asked: str, text: str, mention: Mention
) -> None:
    assert PartMentions((asked,)).of(text) is mention


def test_other_parts_of_the_same_sheet_are_siblings_however_they_are_called() -> None:
    assert PartMentions(("lm2904",)).of("LM358 Max") is Mention.NONE
    assert PartMentions(("lm2904",), ("LM358", "LM2904")).of("LM358 Max") is Mention.SIBLING


def test_without_a_part_nothing_is_a_sibling() -> None:
    assert PartMentions(()).of("AB230") is Mention.NONE
