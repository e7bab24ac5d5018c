"""What a child may take: processor time counts, and time in which it stands still."""

import itertools
from types import SimpleNamespace

import pytest

from desktop_qa import child_process
from desktop_qa.child_process import Allowance, LimitExceeded, Stalled

ZEROS = itertools.repeat(0.0)


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test sets."""
    made = SimpleNamespace(now=0.0)
    monkeypatch.setattr(child_process, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


def pass_seconds(clock, n, allowance, processor_s=ZEROS, **options):
    for _, processor in zip(range(n), processor_s, strict=False):
        clock.now += 1.0
        allowance.check(processor, **options)


def test_a_day_on_a_busy_machine_is_no_reason_to_give_up(clock):
    allowance = Allowance(45.0, 600.0, begun_s=7.0)
    pass_seconds(clock, 86_400, allowance, itertools.count(7.0, 0.0005))


def test_processor_time_is_counted_from_the_beginning_of_the_work(clock):
    allowance = Allowance(45.0, 600.0, begun_s=100.0)
    allowance.check(144.0)
    with pytest.raises(LimitExceeded, match="more than 45 s of processor time"):
        allowance.check(145.5)


def test_ten_minutes_without_any_processor_time_are_the_end(clock):
    allowance = Allowance(45.0, 600.0, begun_s=0.0)
    pass_seconds(clock, 600, allowance)
    with pytest.raises(Stalled, match="stood still for 10 minutes"):
        pass_seconds(clock, 1, allowance)


def test_a_pause_and_a_night_in_which_the_machine_slept_do_not_count(clock):
    allowance = Allowance(45.0, 600.0, begun_s=0.0)
    pass_seconds(clock, 86_400, allowance, is_paused=True)
    clock.now += 86_400
    pass_seconds(clock, 500, allowance)
