"""Set up, test and start the program as on a machine that has never seen it; Linux and macOS.

    python packaging/fresh_machine.py [--args "tests/parse -k heading"] [--without-uv] [--keep]

The last commit is cloned into a temporary folder, with empty caches, a home folder of its own and
no compiler in reach. Then `make setup`, `make test` (with ARGS when given) and `make run` with the
sample library, until the window is shown and the library's process answers. Prints minutes and
sizes; ends with the exit code of the first step that fails. Where packages come from (variables of
pip and uv, TORCH_INDEX) is left as it is.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cargo", "rustc", "gfortran")
IS_SHOWN = "A library of "
"""How the line of the window's log begins that says it is open, painted and served."""
START_LIMIT_S = 180


def fresh_environment(folder: Path, *, with_uv: bool) -> dict[str, str]:
    """Return the variables of a machine whose home and caches are empty.

    Args:
        folder: A temporary one.
        with_uv: Whether uv is in reach where it is installed.
    """
    tools = folder / "no-compiler"
    tools.mkdir()
    for name in COMPILERS if with_uv else (*COMPILERS, "uv"):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\necho "{name} is not on this machine" >&2\nexit 127\n')
        tool.chmod(0o755)
    mine = ("XDG_", "PYTHON", "VIRTUAL_ENV", "PIP_CACHE", "UV_CACHE", "PYTEST_", "MAKE")
    variables = {name: text for name, text in os.environ.items() if not name.startswith(mine)}
    (folder / "home").mkdir()
    return variables | {
        "HOME": str(folder / "home"),
        "PATH": f"{tools}{os.pathsep}{variables['PATH']}",
        "CC": "false",
        "CXX": "false",
        "QT_QPA_PLATFORM": "offscreen",
    }


def size_mb(folder: Path) -> int:
    """Return the size of a folder's files on disk in MB of 10^6 bytes, each file counted once."""
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            status = Path(place, name).lstat()
            files[status.st_dev, status.st_ino] = status.st_blocks * 512
    return round(sum(files.values()) / 1e6)


def start_window(command: list[str], clone: Path, variables: dict[str, str]) -> int:
    """Start the window and end it when it is shown; returns 1 when it is not, in time."""
    process = subprocess.Popen(command, cwd=clone, env=variables, start_new_session=True)
    limit = time.monotonic() + START_LIMIT_S
    is_shown = False
    while not is_shown and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.2)
        logs = Path(variables["HOME"]).rglob("*.log")
        is_shown = any(IS_SHOWN in log.read_text(errors="replace") for log in logs)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    process.wait()
    return 0 if is_shown else 1


def main() -> int:
    """Take the steps in order; returns the exit code of the first that fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--args", default="", help="what `make test` runs; all when empty")
    parser.add_argument("--without-uv", action="store_true", help="pip installs, though uv is here")
    parser.add_argument("--keep", action="store_true", help="keep the temporary folder")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fresh-machine-"))
    variables = fresh_environment(folder, with_uv=not options.without_uv)
    clone = folder / "desktop-qa"
    base = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")
    make = ["make", f"PYTHON={base}"]
    try:
        subprocess.run(["git", "clone", "-q", str(REPOSITORY), str(clone)], check=True)
        steps = {
            "setup": lambda: _call([*make, "setup"], clone, variables),
            "test": lambda: _call([*make, "test", f"ARGS={options.args}"], clone, variables),
            "run": lambda: start_window(
                [*make, "run", "FOLDER=resources/sample_library"], clone, variables
            ),
        }
        for name, step in steps.items():
            started = time.monotonic()
            code = step()
            seconds = time.monotonic() - started
            result = "done" if code == 0 else "FAILED"
            print(f"make {name}: {result} in {seconds / 60:.1f} min", flush=True)
            if code != 0:
                return code
            if name == "setup":
                print(f".venv: {size_mb(clone / '.venv')} MB", flush=True)
        print(f".venv with the modules compiled in use: {size_mb(clone / '.venv')} MB")
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


def _call(command: list[str], clone: Path, variables: dict[str, str]) -> int:
    return subprocess.run(command, cwd=clone, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
