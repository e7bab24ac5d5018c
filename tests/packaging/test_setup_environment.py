"""What set-up installs: wheels by their hashes, torch from where the user says, nothing unused."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import tomllib
import venv
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.helpers.command_line import REPOSITORY

pytestmark = pytest.mark.process

REQUIREMENTS = (REPOSITORY / "requirements.txt").read_text(encoding="utf-8")
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
PINS = dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", REQUIREMENTS, re.MULTILINE))

_LOADS = """
import importlib, json, sys
from pathlib import Path
import numpy as np
import psutil
from desktop_qa.index.vectors import VectorIndex

modules, left_out, folder = json.loads(sys.argv[1])
sys.modules.update(dict.fromkeys(left_out))
for module in modules:
    importlib.import_module(module)
index = VectorIndex(Path(folder))
index.add(["a:0"], np.eye(1, 384, dtype=np.float32))
assert index.count() == 1
index.close()
files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
files |= {mapped.path for mapped in psutil.Process().memory_maps()} if psutil.LINUX else set()
print(json.dumps(sorted(file for file in files if file)))
"""


SCRIPT = "setup_environment"


def test_every_dependency_is_pinned_at_a_version_that_it_allows(script):
    project = PROJECT["project"]
    # What the extra `local` brings is the user's choice, and no test but its own needs it.
    own = (project["dependencies"], project["optional-dependencies"]["dev"])
    wanted = [Requirement(line) for lines in own for line in lines]
    for requirement in wanted:
        name = canonicalize_name(requirement.name)
        if name not in ("torch", "desktop-qa"):
            assert requirement.specifier.contains(PINS[name]), requirement
    assert script.pinned_torch() == str(next(r for r in wanted if r.name == "torch"))
    assert "torch" not in PINS


def test_every_pin_has_hashes_and_no_host_is_named():
    entries = re.split(r"\n(?=\S)", REQUIREMENTS.partition("\nannotated")[2])
    assert len(entries) > 100
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in REQUIREMENTS


def _third_party_modules() -> list[str]:
    """Names that the program's modules import, but for our own and the standard library's."""
    names = set()
    for path in (REPOSITORY / "desktop_qa").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module)
    # Of the extra `local`, which set-up leaves to the user.
    known = {"desktop_qa", "xllamacpp", *sys.stdlib_module_names}
    return sorted(name for name in names if name.partition(".")[0] not in known)


def test_nothing_that_we_load_is_left_out_or_pruned(script, tmp_path):
    left_out = [name.replace("-", "_") for name in PROJECT["tool"]["uv"]["exclude-dependencies"]]
    modules = _third_party_modules()
    assert {"PySide6.QtPdf", "chromadb", "spacy", "torch"} <= set(modules)
    given = json.dumps([modules, left_out, str(tmp_path)])
    command = [sys.executable, "-W", "ignore", "-c", _LOADS, given]
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, check=False)
    assert done.returncode == 0, done.stderr
    loaded = [Path(file) for file in json.loads(done.stdout.splitlines()[-1])]
    unused = [_as_regex(pattern) for pattern in script.UNUSED]
    pruned = [file for file in loaded if any(one.search(file.as_posix()) for one in unused)]
    assert pruned == []


def _as_regex(pattern: str) -> re.Pattern[str]:
    """What a pattern of the table of unused files matches, and what lies below that."""
    text = re.escape(pattern).replace(r"\*\*/", "(.*/)?").replace(r"\*", "[^/]*")
    return re.compile(f"site-packages/{text}(/|$)")


def test_what_is_unused_is_deleted_and_nothing_beside_it(script, tmp_path):
    unused = (
        "PySide6/Qt/lib/libQt6WebEngineCore.so.6",
        "PySide6/Qt/lib/QtWebEngineCore.framework/Versions/A/QtWebEngineCore",
        "PySide6/Qt6WebEngineCore.dll",
        "PySide6/translations/qtwebengine_locales/de.pak",
        "torch/include/ATen/ATen.h",
        "scipy/stats/tests/test_stats.py",
    )
    used = ("PySide6/Qt6Pdf.dll", "PySide6/Qt/lib/libQt6Core.so.6", "scipy/stats/_tests.py")
    for name in (*unused, *used):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    script.prune(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == set(used)


def _write_torch(folder: Path, version: str) -> None:
    """Write an index with a torch that does nothing, as `pip install --index-url` reads it."""
    info, record = f"torch-{version}.dist-info", []
    name = f"torch-{version}-py3-none-any.whl"
    folder = folder / "torch"
    folder.mkdir(parents=True)
    files = {
        "torch/__init__.py": f'__version__ = "{version}"\n',
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\n"
        "Root-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(folder / name, "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
            record.append(f"{path},sha256={digest.decode()},{len(text)}")
        wheel.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,", ""]))
    (folder / "index.html").write_text(f'<a href="{name}">{name}</a>', encoding="utf-8")


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_said: Any) -> None:
        pass


@pytest.fixture
def indexes(tmp_path) -> Iterator[Callable[[str], str]]:
    """Serve folders as package indexes on this machine; called with a version of torch."""
    servers = []

    def serve(version: str) -> str:
        _write_torch(tmp_path / version, version)
        handler = partial(_QuietHandler, directory=str(tmp_path / version))
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server, thread in servers:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="module")
def bare_environment(tmp_path_factory) -> Path:
    """An environment with pip alone."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True, symlinks=os.name != "nt")
    return folder


@pytest.fixture
def installing(script, bare_environment, monkeypatch, indexes) -> ModuleType:
    """Set-up of an environment without torch, where the machine's own index has it as +usual."""
    for left in bare_environment.glob("**/site-packages/torch*"):
        shutil.rmtree(left)
    for name in [name for name in os.environ if name.startswith(("PIP_", "TORCH_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    version = script.pinned_torch().removeprefix("torch==")
    monkeypatch.setenv("PIP_INDEX_URL", indexes(f"{version}+usual"))
    monkeypatch.setattr(script, "ENVIRONMENT", bare_environment)
    monkeypatch.setattr(script, "ANSWER_LIMIT_S", 300.0)
    return script


def _installed_torch(installing: ModuleType) -> str:
    command = [str(installing.environment_python()), "-c", "import torch; print(torch.__version__)"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_torch_comes_from_the_index_that_is_named(installing, indexes, capsys):
    version = installing.pinned_torch().removeprefix("torch==")
    assert installing.install_torch(indexes(f"{version}+small")) == 0
    assert _installed_torch(installing) == f"{version}+small"
    assert capsys.readouterr().err == ""


def test_torch_is_the_usual_one_where_no_index_is_named(installing):
    assert installing.install_torch("") == 0
    assert _installed_torch(installing).endswith("+usual")


def test_index_that_never_answers_is_named_and_the_usual_torch_is_taken(
    installing, monkeypatch, capsys
):
    monkeypatch.setattr(installing, "ANSWER_LIMIT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        index = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert installing.install_torch(index) == 0
    assert f"{index} does not answer within 0.5 s" in capsys.readouterr().err
    assert _installed_torch(installing).endswith("+usual")


def test_index_without_this_torch_is_named_and_the_usual_one_is_taken(installing, indexes, capsys):
    index = indexes("0.1")
    assert installing.install_torch(index) == 0
    assert f"{index} has no torch==" in capsys.readouterr().err
    assert _installed_torch(installing).endswith("+usual")
