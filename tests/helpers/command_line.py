"""Run the command line: as a user does, in a process of its own, or in that of the test."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desktop_qa.cli.command_line import main

REPOSITORY = Path(__file__).resolve().parents[2]


def command(*arguments: str | Path) -> list[str]:
    """Return the words of a command of desktop-qa."""
    return [sys.executable, "-m", "desktop_qa", *map(str, arguments)]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables of a command that finds this checkout from any folder."""
    variables = {**os.environ, **(extra or {})}
    folders = [variables.get("PYTHONPATH", ""), str(REPOSITORY)]
    variables["PYTHONPATH"] = os.pathsep.join(folder for folder in folders if folder)
    return variables


def run(
    *arguments: str | Path, timeout_s: float = 500, extra: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        command(*arguments),
        env=environment(extra),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout_s,
        check=False,
    )


def run_json(*arguments: str | Path, timeout_s: float = 500) -> Any:
    """Run a command with --json and return what it prints; fails with its stderr."""
    return _printed(run(*arguments, "--json", timeout_s=timeout_s))


def run_bench(
    module: str, *arguments: str | Path, variables: Mapping[str, str] | None = None
) -> Any:
    """Run a benchmark in a process of its own and return the JSON that it prints last.

    Its window is offscreen unless QT_QPA_PLATFORM says otherwise.
    """
    platform = os.environ.get("QT_QPA_PLATFORM", "offscreen")
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        env=environment({"QT_QPA_PLATFORM": platform, **(variables or {})}),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def run_here(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command to its end in this process: what it is told, prints and returns is the same."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def run_json_here(*arguments: str | Path) -> Any:
    """Run a command with --json in this process and return what it prints."""
    return _printed(run_here(*arguments, "--json"))


def _printed(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
