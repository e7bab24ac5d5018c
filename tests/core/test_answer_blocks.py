"""What an answer says, block by block, and the one text that is printed from it."""

from __future__ import annotations

from dataclasses import replace

from desktop_qa.core.answer_blocks import (
    Below,
    BlockWriter,
    Figure,
    Line,
    Listing,
    Readings,
    Role,
    Run,
    Step,
    Steps,
    as_text,
    lines_of,
    markers_in,
    runs_of,
    with_runs,
    words_of,
)

COMPUTED = Line(
    runs_of(" 5 V comes from the question.", (1,)),
    equation=((Run("P"),), (Run("5 V × 2 A"),), (Run("10 W", is_strong=True),)),
)
LEAD = Line(runs_of("Do this:", (2,)))
STEPS = Steps(
    (
        Step(3, runs_of("Open it.", (2,)), (Below(runs_of("Mind it.", (2,))),)),
        Step(5, runs_of("Close it.", (3,)), (Below(runs_of("a) by hand"), is_step=True),)),
    ),
    LEAD,
)


def test_what_is_stated_is_strong_and_its_markers_stand_behind_it() -> None:
    line = Line((Run("It is "), Run("5 V", is_strong=True, markers=(1, 2)), Run(" at most.")))
    assert as_text((line,)) == "It is **5 V** [1][2] at most."
    assert as_text((line,), strong="", with_markers=False) == "It is 5 V at most."
    assert words_of((line,)) == "It is 5 V at most."


def test_a_computation_has_its_sides_and_what_is_said_of_it_in_one_line() -> None:
    assert as_text((COMPUTED,)) == ("P = 5 V × 2 A = **10 W**. 5 V comes from the question. [1]")


def test_steps_keep_their_numbers_and_what_stands_below_them() -> None:
    assert as_text((STEPS,)).split("\n") == [
        "Do this: [2]",
        "3. Open it. [2]",
        "   Mind it. [2]",
        "5. Close it. [3]",
        "   - a) by hand",
    ]
    assert markers_in((STEPS,)) == (2, 3)
    assert words_of((STEPS,)).split("\n")[1:4] == ["3. Open it.", "   Mind it.", "5. Close it."]


def test_blocks_stand_apart_and_figures_have_no_words() -> None:
    listing = Listing((Line(runs_of("one")), Line(runs_of("two"))))
    notice = Line((Run("Which?"),), Role.NOTICE)
    blocks = (notice, listing, Figure(3), Readings(("A?", "B?")))
    assert as_text(blocks) == "Which?\n\n- one\n- two\n\n- A?\n- B?"
    assert len(list(lines_of(blocks))) == 5


def test_every_run_of_a_block_can_be_changed() -> None:
    def shifted(run: Run) -> Run:
        return replace(run, markers=tuple(marker + 10 for marker in run.markers))

    blocks = (COMPUTED, STEPS, Listing((COMPUTED,), LEAD))
    changed = [with_runs(block, shifted) for block in blocks]
    assert markers_in(changed) == (11, 12, 13)
    assert words_of(changed) == words_of(blocks)
    assert with_runs(Figure(1), shifted) == Figure(1)


def test_a_list_takes_the_line_before_it_and_goes_on_until_it_is_ended() -> None:
    writer = BlockWriter()
    writer.add_line(LEAD)
    writer.add_bullet(Line(runs_of("one")))
    writer.add_bullet(Line(runs_of("two")))
    writer.end()
    writer.add_bullet(Line(runs_of("three")))
    first, second = writer.blocks
    assert first == Listing((Line(runs_of("one")), Line(runs_of("two"))), LEAD)
    assert second == Listing((Line(runs_of("three")),))


def test_what_goes_on_without_a_step_before_it_stands_for_itself() -> None:
    writer = BlockWriter()
    writer.add_below(Below(runs_of("Mind it.")))
    writer.add_step(Step(1, runs_of("Open it.")))
    writer.add_below(Below(runs_of("Slowly.")))
    (steps,) = writer.blocks
    assert isinstance(steps, Steps)
    assert steps.lead == Line(runs_of("Mind it."))
    assert [len(step.below) for step in steps.steps] == [1]
