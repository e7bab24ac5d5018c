"""What the model of relevance reads of a statement."""

from __future__ import annotations

from dataclasses import replace

from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Evidence
from tests.helpers.sample_documents import make_sample


def _statement(text: str, *items: str, group: str = "") -> Statement:
    segment = make_sample("one", ("Text",)).segments[0].segment
    metadata = replace(
        segment.metadata,
        document_title="ACM4197 Op Amp",
        section_path=("1 About", "6 Specifications", "6.5 Electrical Characteristics"),
        caption="Table 3. At 25 °C",
    )
    evidence = Evidence(1, replace(segment, metadata=metadata), 1.0, ())
    rests_on = tuple(Statement(item, evidence, (), (), 1.0, 1.0) for item in items)
    return Statement(text, evidence, (), (), 1.0, 1.0, group=group, rests_on=rests_on)


def test_the_words_lead_and_the_place_follows_from_near_to_far():
    assert _statement("Quiescent current: typ **5 µA**.", group="POWER SUPPLY").in_place == (
        "Quiescent current: typ 5 µA. | POWER SUPPLY | Table 3. At 25 °C"
        " | 6.5 Electrical Characteristics | 6 Specifications | Acme ACM4197 Op Amp"
    )


def test_a_list_is_read_with_its_items():
    said = _statement("Modes:", "Sleep", "Standby").in_place.split(" | ")[0]

    assert said == "Modes: - Sleep - Standby"


def test_a_long_statement_leaves_room_for_its_place():
    words, *place = _statement("word " * 500).in_place.split(" | ")

    assert len(words.split()) < 100
    assert place[-1] == "Acme ACM4197 Op Amp"
