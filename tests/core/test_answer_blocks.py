"""What an answer says, block by block, and the one text that is printed from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from desktop_qa.core.answer_blocks import (
    BlockWriter,
    Figure,
    Line,
    Listing,
    Readings,
    Role,
    Run,
    Steps,
    as_text,
    lines_of,
    markers_in,
    with_runs,
    words_of,
)


def line(text: str, *markers: int, **more: Any) -> Line:
    return Line((Run(text, markers=markers),), **more)


COMPUTED = line(
    " 5 V comes from the question.",
    1,
    equation=((Run("P"),), (Run("5 V × 2 A"),), (Run("10 W", is_strong=True),)),
)
LEAD = line("Do this:", 2)
STEPS = Steps(
    (
        line("Open it.", 2, number=3, below=(line("Mind it.", 2, role=Role.REMARK),)),
        line("Close it.", 3, number=5, below=(line("a) by hand"),)),
    ),
    LEAD,
)


def test_what_is_stated_is_strong_and_its_markers_stand_behind_it():
    stated = Line((Run("It is "), Run("5 V", is_strong=True, markers=(1, 2)), Run(" at most.")))
    assert as_text((stated,)) == "It is **5 V** [1][2] at most."
    assert as_text((stated,), strong="", with_markers=False) == "It is 5 V at most."
    assert words_of((stated,)) == "It is 5 V at most."


def test_a_computation_has_its_sides_and_what_is_said_of_it_in_one_line():
    assert as_text((COMPUTED,)) == ("P = 5 V × 2 A = **10 W**. 5 V comes from the question. [1]")


def test_steps_keep_their_numbers_and_what_stands_below_them():
    assert as_text((STEPS,)).split("\n") == [
        "Do this: [2]",
        "3. Open it. [2]",
        "   Mind it. [2]",
        "5. Close it. [3]",
        "   - a) by hand",
    ]
    assert markers_in((STEPS,)) == (2, 3)
    assert words_of((STEPS,)).split("\n")[1:4] == ["3. Open it.", "   Mind it.", "5. Close it."]


def test_blocks_stand_apart_and_figures_have_no_words():
    listing = Listing((line("one"), line("two")))
    notice = Line((Run("Which?"),), Role.NOTICE)
    blocks = (notice, listing, Figure(3), Readings(("A?", "B?")))
    assert as_text(blocks) == "Which?\n\n- one\n- two\n\n- A?\n- B?"
    assert len(list(lines_of(blocks))) == 5


def test_every_run_of_a_block_can_be_changed():
    def shifted(run: Run) -> Run:
        return replace(run, markers=tuple(marker + 10 for marker in run.markers))

    blocks = (COMPUTED, STEPS, Listing((COMPUTED,), LEAD))
    changed = [with_runs(block, shifted) for block in blocks]
    assert markers_in(changed) == (11, 12, 13)
    assert words_of(changed) == words_of(blocks)
    assert with_runs(Figure(1), shifted) == Figure(1)


def test_a_list_takes_the_line_before_it_and_goes_on_until_it_is_ended():
    writer = BlockWriter()
    writer.add_line(LEAD)
    writer.add_item(line("one"))
    writer.add_item(line("two"))
    writer.end()
    writer.add_item(line("three"))
    writer.add_item(line("first", number=1))
    assert writer.blocks == [
        Listing((line("one"), line("two")), LEAD),
        Listing((line("three"),)),
        Steps((line("first", number=1),)),
    ]


def test_what_goes_on_without_a_step_before_it_stands_for_itself():
    writer = BlockWriter()
    writer.add_below(line("Mind it."))
    writer.add_item(line("Open it.", number=1))
    writer.add_below(line("Slowly."))
    (steps,) = writer.blocks
    assert steps == Steps((line("Open it.", number=1, below=(line("Slowly."),)),), line("Mind it."))
