"""A model file that answers without a server: llama.cpp in a child process of this program.

The child (xllamacpp, the extra `local`) is started by the first question and serves chat
completions at a port of 127.0.0.1 that the system chooses, to whoever knows a key made for it. It
ends with its pipe, so with this program, and when it was not asked for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import os
import re
import secrets
import tempfile
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from desktop_qa.child_process import ChildProcess
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import ServerNotice
from desktop_qa.llm.model_files import free_bytes, read_model_file, size
from desktop_qa.llm.profile import Dialect, Profile

IDLE_S = 600.0
"""After which a model that is not asked gives its memory back."""

_LOOK_S = 0.05
_ENDING_S = 1.0
_CLEAN_LINE = re.compile(r"^[\d.]+ E \S+\s*(?:[\w~]+: )?")
_ENGINE = "xllamacpp"


class _Loaded:
    """A file in the memory of a child, or on its way there."""

    def __init__(self, profile: Profile) -> None:
        self.key = secrets.token_urlsafe(24)
        self.n_users = 0
        self.address = ""
        self.began = time.monotonic()
        self.child = ChildProcess(serve, "model")
        self.child.send((profile, self.key))
        self.timer: threading.Timer | None = None

    def is_there(self, model: str) -> bool:
        """Take what the child says; tell whether it is loaded.

        Raises:
            ModelError: When it cannot be loaded.
        """
        if self.address:
            return True
        try:
            message = self.child.receive(0.0)
        except EOFError:
            raise _ended(model, "ended while it was loaded") from None
        if message is None:
            return False
        told: dict[str, Any] = json.loads(message)
        if "address" not in told:
            raise ModelError(
                ModelErrorKind.NO_MODEL,
                f"{model} cannot be loaded: {told.get('error')}.",
                "The file may be damaged, or of a kind that this llama.cpp does not know. Fetch it"
                " anew, or choose another.",
            )
        self.address = str(told["address"])
        return True


class _Loading:
    """The files in memory; the asking side of it is one thread, that of the models."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: dict[tuple[str, int], _Loaded] = {}

    def begun(self, profile: Profile) -> _Loaded:
        """Return a file that is loaded or begins to be, in use by one more.

        Raises:
            ModelError: When it is no model, or does not fit the memory.
        """
        wanted = profile.base_url, profile.n_context
        with self._lock:
            known = self._loaded.get(wanted)
            if known is None or not known.child.is_alive:
                self._end_idle()
                _check(profile)
                known = self._loaded[wanted] = _Loaded(profile)
            known.n_users += 1
            if known.timer is not None:
                known.timer.cancel()
            return known

    def let_go(self, loaded: _Loaded) -> None:
        """Take back `begun`; nobody waits for what never came to be loaded."""
        with self._lock:
            loaded.n_users -= 1
            if not loaded.n_users:
                seconds = IDLE_S if loaded.address else 0.0
                loaded.timer = threading.Timer(seconds, self._end, (loaded,))
                loaded.timer.daemon = True
                loaded.timer.start()

    def _end_idle(self) -> None:
        """Two models seldom fit the memory: one that nobody asks makes room."""
        for wanted, one in list(self._loaded.items()):
            if not one.n_users or not one.child.is_alive:
                del self._loaded[wanted]
                one.child.kill()

    def _end(self, loaded: _Loaded) -> None:
        with self._lock:
            if not loaded.n_users:
                self._end_idle()


_LOADING = _Loading()


@asynccontextmanager
async def served(
    profile: Profile, key: str, on_notice: Callable[[ServerNotice], None]
) -> AsyncGenerator[tuple[Profile, str], None]:
    """Yield a profile that a server answers to, and its key; a file is loaded for it.

    Raises:
        ModelError: When a file cannot be loaded, or its process ended in the middle of an answer.
    """
    if profile.dialect is not Dialect.FILE:
        yield profile, key
        return
    loaded = _LOADING.begun(profile)
    try:
        if not loaded.address:
            n_bytes = Path(profile.base_url).stat().st_size
            on_notice(ServerNotice(f"Loading {profile.model} ({size(n_bytes)}) …"))
            while not loaded.is_there(profile.model):
                await asyncio.sleep(_LOOK_S)
            took_s, taken = time.monotonic() - loaded.began, loaded.child.resident_bytes()
            on_notice(ServerNotice(f"Loaded in {took_s:.1f} s; it takes {size(taken)} of memory."))
        try:
            yield (
                replace(profile, dialect=Dialect.CHAT_COMPLETIONS, address=loaded.address),
                loaded.key,
            )
        except ModelError as error:
            # The connection breaks before the system says that the process behind it is gone.
            waits_s = _ENDING_S if error.kind is ModelErrorKind.BROKEN else 0.0
            if not await asyncio.to_thread(loaded.child.ends_within, waits_s):
                raise
            raise _ended(profile.model, "ended in the middle of its work") from error
    finally:
        _LOADING.let_go(loaded)


def _check(profile: Profile) -> None:
    if importlib.util.find_spec(_ENGINE) is None:
        raise ModelError(
            ModelErrorKind.NO_MODEL_SERVER,
            "What runs model files is not installed.",
            'Install it: pip install "desktop-qa[local]". Or use a server such as Ollama.',
        )
    file = read_model_file(Path(profile.base_url))
    needed, free = file.needed_bytes(profile.n_context), free_bytes()
    if needed > free:
        raise ModelError(
            ModelErrorKind.NO_MODEL,
            f"{profile.model} needs about {size(needed)} of memory, and {size(free)} are free.",
            "Close other programs, use less context, or choose a smaller model.",
        )


def _ended(model: str, when: str) -> ModelError:
    return ModelError(
        ModelErrorKind.SERVER_FAILED,
        f"The process that runs {model} {when}.",
        "Ask again, and it is started anew; if it stays so, choose a smaller model.",
    )


def serve(connection: Connection) -> None:
    """Load a file and serve it until the pipe ends; the work of the child."""
    profile, key = connection.recv()
    with tempfile.TemporaryFile() as log:
        # llama.cpp writes to the descriptors themselves.
        for descriptor in (1, 2):
            os.dup2(log.fileno(), descriptor)
        try:
            server = _server(profile, key)
            told = {"address": f"{server.listening_address}/v1"}
        except (RuntimeError, ImportError, OSError) as error:  # its log says more
            log.seek(0)
            lines = log.read().decode(errors="replace").splitlines()
            reasons = (_CLEAN_LINE.sub("", line) for line in lines if _CLEAN_LINE.match(line))
            told = {"error": next(reasons, str(error)).rstrip(".")}
        with Path(os.devnull).open("wb") as nowhere:
            for descriptor in (1, 2):
                os.dup2(nowhere.fileno(), descriptor)
    with contextlib.suppress(EOFError, OSError):
        connection.send_bytes(json.dumps(told).encode())
        connection.recv_bytes()
    os._exit(0)  # its threads wait for nothing


def _server(profile: Profile, key: str) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = profile.base_url
    parameters.model_alias = {profile.model}
    parameters.n_ctx = profile.n_context
    parameters.n_parallel = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [key]
    parameters.offline = True
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.cache_ram_mib = 0
    return xllamacpp.Server(parameters)
