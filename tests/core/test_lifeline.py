from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.helpers import command_line

pytestmark = pytest.mark.process

_PARENT = """
import multiprocessing, time
from tests.core.test_lifeline import busy_child
if __name__ == "__main__":
    child = multiprocessing.get_context("spawn").Process(target=busy_child, args=({lifeline},))
    child.start()
    print(child.pid, flush=True)
    time.sleep(300)
"""


def busy_child(with_lifeline: bool) -> None:
    """Works on and on and looks at no pipe."""
    import time

    from desktop_qa.core.lifeline import end_with_parent

    if with_lifeline:
        end_with_parent()
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        sum(range(1000))


def _kill_parent_of_busy_child(tmp_path: Path, *, lifeline: bool) -> psutil.Process:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT.format(lifeline=lifeline), encoding="utf-8")
    parent = subprocess.Popen(
        [sys.executable, script], env=command_line.environment(), stdout=subprocess.PIPE, text=True
    )
    child = psutil.Process(int(parent.stdout.readline()))
    parent.stdout.close()
    parent.kill()
    parent.wait()
    return child


def test_busy_child_ends_when_its_parent_is_killed(tmp_path):
    child = _kill_parent_of_busy_child(tmp_path, lifeline=True)
    psutil.wait_procs([child], timeout=60)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_busy_child_without_a_lifeline_works_on(tmp_path):
    child = _kill_parent_of_busy_child(tmp_path, lifeline=False)
    _, alive = psutil.wait_procs([child], timeout=3)
    assert alive == [child]
    child.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has priority classes instead")
def test_child_that_gives_way_is_nicer():
    script = "import os; from desktop_qa.core.lifeline import give_way; n = os.nice(0);"
    script += "give_way(7); print(os.nice(0) - n)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=command_line.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "7"
