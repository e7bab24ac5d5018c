from __future__ import annotations

import pytest

from desktop_qa.answer.passages import Passage, without_label
from desktop_qa.answer.procedures import pieces
from desktop_qa.answer.prose import passages
from desktop_qa.answer.statement import ItemKind
from desktop_qa.answer.steps import StepList, step_lists
from desktop_qa.core.answer import Evidence
from desktop_qa.core.document import BlockKind
from tests.retrieve.structured_documents import make_structured

EVIDENCE = Evidence(1, make_structured("QRX7001").segments[0].segment, 1.0, ())


def block(text: str, kind: BlockKind = BlockKind.TEXT, level: int = 0) -> Passage:
    return Passage(kind, level, text, EVIDENCE, ())


def item(text: str, level: int = 1) -> Passage:
    return block(text, BlockKind.LIST_ITEM, level)


def test_notes_and_figures_stay_between_the_steps_they_stand_between():
    (found,) = step_lists(
        [
            block("To start:"),
            item("1. Press the button."),
            block("Note: the lamp must be green."),
            block("", BlockKind.PICTURE),
            item("2. Wait."),
        ]
    )
    assert found.lead.text == "To start:"
    assert [line.kind for line in found.lines] == [
        ItemKind.STEP, ItemKind.REMARK, None, ItemKind.STEP,
    ]  # fmt: skip


def test_bullets_among_numbers_are_items_of_the_step_before_them():
    (found,) = step_lists(
        [
            item("1. Write the register:"),
            item("– first byte 0x01", 2),
            item("– second byte 0x02", 2),
            item("2. Read it back."),
        ]
    )
    assert [step.text for step in found.steps] == ["Write the register:", "Read it back."]
    assert [line.kind for line in found.lines][1:3] == [ItemKind.SUB_STEP, ItemKind.SUB_STEP]


def test_numbers_that_begin_again_begin_another_list():
    found = step_lists(
        [
            block("To log a crash:"),
            item("1. Open the log."),
            item("2. Send it."),
            block("To log a problem:"),
            item("1. Clear the log."),
            item("2. Send it."),
        ]
    )
    assert [one.lead.text for one in found if one.lead] == ["To log a crash:", "To log a problem:"]


def test_a_list_that_begins_with_or_is_an_alternative():
    found = step_lists(
        [
            item("1. Bake."),
            item("2. Cool for 2 h"),
            block("or alternatively"),
            item("1. Dry."),
            item("2. Wait."),
        ]
    )
    assert [one.is_alternative for one in found] == [False, True]


def test_a_number_that_is_skipped_is_told():
    (found,) = step_lists([item("1. Open."), item("3. Close.")])
    assert found.missing == [2]


def test_the_rest_of_an_item_on_the_next_page_belongs_to_it():
    (found,) = step_lists(
        [item("1. Open."), item("2. Check it with the"), block("internet explorer.")]
    )
    assert [line.text for line in found.lines][-1] == "internet explorer."


def test_text_after_the_last_step_is_no_step():
    (found,) = step_lists(
        [item("1. Open."), item("2. Close."), block("The device is described above.")]
    )
    assert len(found.lines) == 2


@pytest.mark.parametrize(
    "text", ["1. Press it.", "Step 4. Press it.", "(a) Press it.", "• Press it."]
)
def test_marks_of_items_are_taken_off(text):
    assert without_label(text) == "Press it."


def at_length() -> Passage:
    return block("It is said at length. " * 18)


def test_a_short_section_is_given_whole():
    section = [block("It asks first."), item("1. Open."), item("2. Close."), block("It is shut.")]
    ((first, steps, last),) = pieces(section)
    assert isinstance(steps, StepList)
    assert (first, last) == (section[0], section[3])


def test_of_a_long_section_each_list_and_each_run_of_its_text_is_a_piece():
    before, lead = block("It asks first."), block("To open it:")
    steps_after = [lead, item("1. Press it."), item("2. Wait.")]
    told = [before, *steps_after, block("It is shut."), at_length(), at_length(), at_length()]
    about, (steps,), *rest = pieces(told)
    assert about == [before]
    assert isinstance(steps, StepList)
    assert steps.passages == steps_after
    assert rest == [told[4:6], told[6:7], told[7:8]]


def test_another_way_stays_with_the_list_that_it_replaces():
    dried = [block("or alternatively"), item("1. Dry."), item("2. Wait.")]
    baked = [item("1. Bake."), item("2. Cool for 2 h")]
    *_text, ways = pieces([at_length(), at_length(), at_length(), *baked, *dried])
    assert len(ways) == 2


def test_a_sentence_takes_the_one_that_it_speaks_of():
    found = passages("The PG pin is an open drain output. It is low during a fault of the supply.")
    assert found[1].startswith("The PG pin is an open drain output. It is low")


def test_a_line_that_leads_a_list_takes_its_items():
    found = passages("The device enters sleep when:\n• the supply falls below 2 V\n• EN is low now")
    lead = "The device enters sleep when:"
    assert found[-1] == f"{lead}\n- the supply falls below 2 V\n- EN is low now"
    assert f"{lead}\n- EN is low now" in found
    assert lead not in found


def test_a_sentence_cut_by_the_page_is_joined():
    (found,) = passages("The output is released\nwhen the fault is gone.")
    assert found == "The output is released when the fault is gone."


def test_an_item_of_prose_keeps_its_number_and_no_bullet():
    assert passages("Lead code of it:\n1) Emitter lead\n2) Base lead\n3) Collector lead")[-1] == (
        "Lead code of it:\n- 1) Emitter lead\n- 2) Base lead\n- 3) Collector lead"
    )
    assert passages("What it has:\n• a red light\n• a green light")[-1] == (
        "What it has:\n- a red light\n- a green light"
    )


def test_an_item_that_ends_with_a_colon_leads_those_below_it():
    found = passages(
        "Notes:\n1. Typical.\n2. The current is reckoned as:\n  a. I = 6.9 + 0.4 f\n3. At 25 °C."
    )
    assert "Notes:\n- 2. The current is reckoned as:\n- a. I = 6.9 + 0.4 f" in found
    assert "2. The current is reckoned as:\n- a. I = 6.9 + 0.4 f" in found
    assert "Notes:\n- 3. At 25 °C." in found
