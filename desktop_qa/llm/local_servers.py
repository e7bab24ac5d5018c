"""Finds model servers on this machine: only when asked, and nowhere but on 127.0.0.1."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import httpx2

from desktop_qa.llm.profile import Dialect

_HOST = "127.0.0.1"
_PATIENCE_S = 0.5


@dataclass(frozen=True, slots=True)
class KnownServer:
    """A program that serves models, and where it does so unless it is told otherwise."""

    name: str
    port: int


OLLAMA = KnownServer("Ollama", 11434)
LM_STUDIO = KnownServer("LM Studio", 1234)
LLAMA_CPP = KnownServer("llama.cpp", 8080)
VLLM = KnownServer("vLLM", 8000)
JAN = KnownServer("Jan", 1337)
LOCAL_AI = KnownServer("LocalAI", 8080)
LLAMAFILE = KnownServer("llamafile", 8080)
TEXT_GENERATION_WEBUI = KnownServer("text-generation-webui", 5000)
GPT4ALL = KnownServer("GPT4All", 4891)

KNOWN_SERVERS = (
    *(OLLAMA, LM_STUDIO, LLAMA_CPP, VLLM, JAN),
    *(LOCAL_AI, LLAMAFILE, TEXT_GENERATION_WEBUI, GPT4ALL),
)

_BY_OWNER = {
    "llamacpp": LLAMA_CPP,
    "vllm": VLLM,
    "localai": LOCAL_AI,
    "humanity": GPT4ALL,
}
"""Who owns the first model, as the server's own list says."""

_BY_HEADER = {"llama.cpp": LLAMA_CPP, "llamafile": LLAMAFILE}
"""How the header `Server` begins."""


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A model server that answered.

    Attributes:
        name: Of the program as its answers tell; where they do not, the one whose port it is.
        dialect: To be asked in.
        address: Base URL for a profile.
        models: Those it has, as it names them; none when it asks for a key first.
        asks_for_key: It gives no list without one.
        is_sure: The answers told the program, not the port.
    """

    name: str
    dialect: Dialect
    address: str
    models: tuple[str, ...] = ()
    asks_for_key: bool = False
    is_sure: bool = True


async def find_servers(
    known: Sequence[KnownServer] = KNOWN_SERVERS,
) -> tuple[FoundServer, ...]:
    """Ask the usual ports of this machine at the same time; half a second each.

    Args:
        known: Whose ports are asked, and whose names are taken where nothing else tells.

    Returns:
        Those that answered as model servers do, by the order of `known`.
    """
    ports = dict.fromkeys(server.port for server in known)
    async with httpx2.AsyncClient(
        trust_env=False,
        follow_redirects=False,
        timeout=_PATIENCE_S,
        verify=False,  # no https here
    ) as client:
        found = await asyncio.gather(*(_found(client, port, known) for port in ports))
    return tuple(server for server in found if server is not None)


async def _found(
    client: httpx2.AsyncClient, port: int, known: Sequence[KnownServer]
) -> FoundServer | None:
    root = f"http://{_HOST}:{port}"
    paths = ("/v1/models", "/api/version", "/api/tags", "/lmstudio-greeting")
    answers = await asyncio.gather(*(_answer(client, root + path) for path in paths))
    listed, version, tags, greeting = answers
    # llama.cpp and others answer at Ollama's /api/tags, too, for programs that know no other.
    if isinstance(version.content.get("version"), str) and "data" not in tags.content:
        names = _names(_list(tags.content.get("models")), "name")
        return FoundServer(OLLAMA.name, Dialect.OLLAMA, root, names)
    entries = listed.content.get("data")
    asks_for_key = listed.status in (401, 403)
    if not isinstance(entries, list) and not asks_for_key:
        return None
    models = _list(entries)
    program = LM_STUDIO if greeting.content.get("lmstudio") is True else _told(listed, models)
    here = next(server for server in known if server.port == port)
    return FoundServer(
        (program or here).name,
        Dialect.CHAT_COMPLETIONS,
        f"{root}/v1",
        _names(models, "id"),
        asks_for_key,
        is_sure=program is not None,
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int = 0
    server: str = ""
    content: Mapping[str, object] = field(default_factory=dict)


async def _answer(client: httpx2.AsyncClient, url: str) -> _Answer:
    """Return what a port answers; nothing is there when nothing comes."""
    try:
        async with asyncio.timeout(_PATIENCE_S):
            response = await client.get(url)
            content = json.loads(response.content)
    except (httpx2.HTTPError, TimeoutError):
        return _Answer()
    except ValueError:
        content = {}
    return _Answer(
        response.status_code,
        response.headers.get("server", ""),
        content if isinstance(content, dict) else {},
    )


def _told(listed: _Answer, models: Sequence[object]) -> KnownServer | None:
    for start, server in _BY_HEADER.items():
        if listed.server.lower().startswith(start):
            return server
    for model in models:
        owner = model.get("owned_by") if isinstance(model, Mapping) else None
        return _BY_OWNER.get(str(owner).lower())
    return None


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _names(models: Sequence[object], field: str) -> tuple[str, ...]:
    named = (model.get(field) for model in models if isinstance(model, Mapping))
    return tuple(name for name in named if isinstance(name, str) and name)
