"""What every test stands on: no network, fresh folders, a quiet log and no thread left behind."""

from __future__ import annotations

import contextlib
import ipaddress
import json
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from desktop_qa import paths
from desktop_qa.index import embedder as embedding
from desktop_qa.index.embedder import ModelProcess
from desktop_qa.index.store import Store
from desktop_qa.library import facade
from tests.helpers import command_line
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.helpers.libraries import open_library
from tests.helpers.own_process import OwnProcess
from tests.helpers.pdf import write_datasheet
from tests.helpers.service_line import Line
from tests.helpers.socket_guard import SocketGuard

if TYPE_CHECKING:
    from tests.gui.patient_bot import PatientBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
# The workers and their children share the cores: more threads in each only wait for one another.
os.environ["OMP_NUM_THREADS"] = "1"
if "PYTEST_XDIST_WORKER" in os.environ:
    # The line by which a second start finds the first window is named after the user.
    _user = os.environ.get("LOGNAME", "tests")
    os.environ["LOGNAME"] = f"{_user}-{os.environ['PYTEST_XDIST_WORKER']}"

REPOSITORY = Path(__file__).resolve().parents[1]
_THREAD_GRACE_S = 30.0
_MAX_WORKERS = 4

TIERS = ("real", "process", "gui", "unit")
"""In the order of running: workers that end with the quick files end together."""

# A file that is missing here costs no more than another ingest of its library.
_FILES_OF_A_LIBRARY = {
    "sample_ingest": (
        "tests/test_offline.py",
        "tests/cli/test_command_line.py",
        "tests/evaluate/test_evaluate_command.py",
    ),
    "ten_ingest": (
        "tests/real/test_citations.py",
        "tests/real/test_highlights_on_screen.py",
        "tests/real/test_ingest.py",
        "tests/real/test_main_path.py",
    ),
}

_TIER_OF_FOLDER = {"real": "real", "gui": "gui"}

_own_process = OwnProcess()
_own_process.install()


def tier_of(item: pytest.Item) -> str:
    """Return the tier that a test says of itself, or else that of its folder."""
    for tier in TIERS:
        if item.get_closest_marker(tier):
            return tier
    folder = item.path.relative_to(REPOSITORY / "tests").parts[0]
    return _TIER_OF_FOLDER.get(folder, "unit")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test with its tier, before `-m` chooses, and put the slow ones first."""
    for item in items:
        item.add_marker(tier_of(item))
    items.sort(key=lambda item: TIERS.index(tier_of(item)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """A worker for each core that we may use; four at most, each takes 1 GB with its children."""
    may_use = getattr(os, "sched_getaffinity", None)
    n_cores = len(may_use(0)) if may_use is not None else os.cpu_count() or 1
    return min(n_cores, _MAX_WORKERS)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give a worker a file at a time, or all files that read one library indexed for them."""
    config.option.loadscopereorder = False  # they are in order already, slow tiers first
    from xdist.scheduler import LoadFileScheduling

    class Scheduler(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            shared = (name for name, files in _FILES_OF_A_LIBRARY.items() if file in files)
            return next(shared, file)

    return Scheduler(config, log)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Keep the tests of `unit` and `gui` in this process, and the fixtures that they make."""
    _own_process.is_kept = tier_of(item) in ("unit", "gui")
    result = yield
    _own_process.is_kept = False
    return result


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of real datasheets and question banks beside the repository."""
    folder = Path(os.environ.get("DESKTOP_QA_SHARED") or REPOSITORY.parent / "shared")
    if not (folder / "library").is_dir():
        pytest.skip(f"the real datasheets are not in {folder} (set DESKTOP_QA_SHARED)")
    return folder


@pytest.fixture(scope="session")
def sample_library() -> Path:
    """Folder of the sample library's documents."""
    return paths.asset("resources/sample_library")


@dataclass(frozen=True)
class SampleIngest:
    """The sample library after `desktop-qa ingest`, run with every socket refused."""

    library: Path
    report: dict[str, Any]
    guard: SocketGuard


@pytest.fixture(scope="session")
def sample_ingest(sample_library, tmp_path_factory) -> SampleIngest:
    """Index the sample library once for all tests that ask it on the command line."""
    guard = SocketGuard(tmp_path_factory.mktemp("guard"))
    library = tmp_path_factory.mktemp("sample") / "library"
    done = command_line.run(
        *("ingest", sample_library, "--library", library, "--json"),
        timeout_s=600,
        extra=guard.environment,
    )
    assert done.returncode == 0, done.stderr
    return SampleIngest(library, json.loads(done.stdout), guard)


@pytest.fixture(scope="session")
def model() -> Iterator[ModelProcess]:
    """The model that libraries embed with, in its own process, loaded once for the session."""
    process = ModelProcess()
    process.warm_up()
    yield process
    process.close()


@pytest.fixture
def one_model(model, monkeypatch) -> None:
    """Let the libraries that this test opens share one model; none of them may close it."""
    shared = Mock(wraps=model)
    shared.close = Mock()
    for module in (facade, embedding):
        monkeypatch.setattr(module, "ModelProcess", lambda: shared)


@pytest.fixture
def qtbot(qapp, request) -> PatientBot:
    """Drive widgets and wait for them as long as a busy machine needs."""
    from tests.gui.patient_bot import PatientBot

    return PatientBot(request)


@pytest.fixture
def source_folder(tmp_path) -> Path:
    """Empty folder for a test's own documents."""
    folder = tmp_path / "source"
    folder.mkdir()
    return folder


@pytest.fixture
def store(tmp_path) -> Iterator[Store]:
    """The store of an empty library."""
    with contextlib.closing(Store.open(tmp_path / "library")) as opened:
        yield opened


@pytest.fixture
def embedder() -> HashingEmbedder:
    """The quick model of `library`, which counts what it embeds."""
    return HashingEmbedder()


@pytest.fixture
def library(tmp_path, embedder) -> Iterator[facade.Library]:
    """An empty library."""
    with open_library(tmp_path / "library", embedder=embedder) as opened:
        yield opened


@pytest.fixture
def synced(library, source_folder) -> facade.Library:
    """A library that has read the datasheets of two siblings in `source_folder`."""
    write_datasheet(source_folder / "acm4197.pdf")
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198", offset="60")
    library.add_source(source_folder)
    library.sync()
    return library


@pytest.fixture
def client() -> Iterator[Line]:
    """A library's process, started for real."""
    made = Line()
    made.start()
    yield made
    made.close()


class NetworkGuard:
    """Refuses sockets to other machines; audit hooks see those of every thread and library.

    Attributes:
        attempts: What was refused since the test began.
    """

    def __init__(self) -> None:
        self.attempts: list[str] = []
        self.is_armed = False

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """Audit one event of the interpreter (PEP 578)."""
        if not self.is_armed or not event.startswith("socket."):
            return
        target: object = None
        if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
            connection, target = arguments[0], arguments[1]
            if getattr(connection, "family", None) == getattr(socket, "AF_UNIX", -1):
                return
        elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
            target = arguments[0]
        else:
            return
        if not _is_local(target):
            self.attempts.append(f"{event} {target!r}")
            msg = f"a test reached for the network: {event} {target!r}"
            raise AssertionError(msg)


def _is_local(target: object) -> bool:
    host = target[0] if isinstance(target, tuple) and target else target
    if host is None or host == "":
        return True
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.split("%")[0]).is_loopback
    except ValueError:
        return False


_guard = NetworkGuard()
# A hook cannot be removed again, so there is one for the session.
sys.addaudithook(_guard)


@pytest.fixture(autouse=True)
def network_guard() -> Iterator[NetworkGuard]:
    """Fail the test that reaches for another machine, also from a thread or behind an except."""
    _guard.attempts.clear()
    _guard.is_armed = True
    yield _guard
    _guard.is_armed = False
    attempts = list(_guard.attempts)
    _guard.attempts.clear()
    if attempts:
        pytest.fail(f"reached for the network: {'; '.join(attempts)}")


@pytest.fixture(autouse=True)
def own_process() -> Iterator[OwnProcess]:
    """Fail the test of `unit` or `gui` that starts a child, also from a thread."""
    _own_process.attempts.clear()
    yield _own_process
    attempts = list(_own_process.attempts)
    _own_process.attempts.clear()
    if attempts:
        pytest.fail(f"started in a test that is not marked `process`: {'; '.join(attempts)}")


@pytest.fixture(autouse=True)
def fresh_folders(tmp_path_factory, monkeypatch) -> Path:
    """Give the test settings, libraries and logs of its own; returns the folder above them."""
    home = tmp_path_factory.mktemp("home")
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(home / variable.split("_")[1].lower()))
    if sys.platform == "darwin":
        monkeypatch.setenv("HOME", str(home))
    elif sys.platform == "win32":
        monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", str(home))
    if "PySide6.QtCore" in sys.modules:
        from PySide6.QtCore import QSettings

        # Qt remembers the folder of its first QSettings, so the variables come too late.
        for kind in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
            QSettings.setPath(kind, QSettings.Scope.UserScope, str(home / "config"))
    return home


class _LogFailHandler(logging.Handler):
    """Collects what nobody expected: warnings and worse outside `caplog.at_level`."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        super().__init__(logging.WARNING)
        self._caplog = caplog
        self.unexpected: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        expected_from = self._caplog.handler.level
        if expected_from and record.levelno >= expected_from:
            return
        self.unexpected.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def quiet_log(caplog) -> Iterator[None]:
    """Fail on a warning in the log unless the test says `with caplog.at_level(logging.WARNING)`."""
    handler = _LogFailHandler(caplog)
    root = logging.getLogger()
    root.addHandler(handler)
    yield
    root.removeHandler(handler)
    if handler.unexpected:
        pytest.fail("unexpected in the log:\n" + "\n".join(handler.unexpected))


@pytest.fixture
def warned(caplog) -> Iterator[pytest.LogCaptureFixture]:
    """The log of a test that warns all along, as it should."""
    with caplog.at_level(logging.WARNING):
        yield caplog


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    """Fail when a thread that would keep the program from ending outlives the test."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + _THREAD_GRACE_S
    leaked = _lasting_threads(before)
    while leaked and time.monotonic() < deadline:
        leaked[0].join(0.05)
        leaked = _lasting_threads(before)
    if leaked:
        pytest.fail(f"threads left running: {', '.join(thread.name for thread in leaked)}")


def _lasting_threads(before: set[threading.Thread]) -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t not in before and t.is_alive() and not t.daemon]
