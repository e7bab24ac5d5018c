"""Finds model servers on this machine: only when asked, and nowhere but on 127.0.0.1."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import httpx2

from desktop_qa.llm.profile import Dialect
from desktop_qa.llm.wire import objects

_HOST = "127.0.0.1"
_PATIENCE_S = 0.5


KNOWN_SERVERS = {
    "Ollama": 11434,
    "LM Studio": 1234,
    "llama.cpp": 8080,
    "vLLM": 8000,
    "Jan": 1337,
    "text-generation-webui": 5000,
    "GPT4All": 4891,
}
"""Programs that serve models, and the port where they do so unless they are told otherwise."""

_BY_OWNER = {
    "llamacpp": "llama.cpp",
    "vllm": "vLLM",
    "localai": "LocalAI",
    "humanity": "GPT4All",
}
"""Who owns the first model, as the server's own list says."""

_BY_HEADER = ("llama.cpp", "llamafile")
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
    known: Mapping[str, int] = KNOWN_SERVERS,
) -> tuple[FoundServer, ...]:
    """Ask the usual ports of this machine at the same time; half a second each.

    Args:
        known: Ports that are asked, by the name that is taken where nothing else tells one.

    Returns:
        Those that answered as model servers do, by the order of `known`.
    """
    async with httpx2.AsyncClient(
        trust_env=False,
        follow_redirects=False,
        timeout=_PATIENCE_S,
        verify=False,  # no https here
    ) as client:
        found = await asyncio.gather(*(_found(client, *one) for one in known.items()))
    return tuple(server for server in found if server is not None)


async def _found(client: httpx2.AsyncClient, usual: str, port: int) -> FoundServer | None:
    root = f"http://{_HOST}:{port}"
    paths = ("/v1/models", "/api/version", "/api/tags", "/lmstudio-greeting")
    answers = await asyncio.gather(*(_answer(client, root + path) for path in paths))
    listed, version, tags, greeting = answers
    # llama.cpp and others answer at Ollama's /api/tags, too, for programs that know no other.
    if isinstance(version.content.get("version"), str) and "data" not in tags.content:
        names = _names(objects(tags.content.get("models")), "name")
        return FoundServer("Ollama", Dialect.OLLAMA, root, names)
    entries = listed.content.get("data")
    asks_for_key = listed.status in (401, 403)
    if not isinstance(entries, list) and not asks_for_key:
        return None
    models = objects(entries)
    program = "LM Studio" if greeting.content.get("lmstudio") is True else _told(listed, models)
    return FoundServer(
        program or usual,
        Dialect.CHAT_COMPLETIONS,
        f"{root}/v1",
        _names(models, "id"),
        asks_for_key,
        is_sure=bool(program),
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


def _told(listed: _Answer, models: Sequence[Mapping[str, object]]) -> str:
    """Return the program that an answer tells; empty when it tells none."""
    by_header = (name for name in _BY_HEADER if listed.server.lower().startswith(name))
    owner = models[0].get("owned_by") if models else None
    return next(by_header, _BY_OWNER.get(str(owner).lower(), ""))


def _names(models: Sequence[Mapping[str, object]], field: str) -> tuple[str, ...]:
    named = (model.get(field) for model in models)
    return tuple(name for name in named if isinstance(name, str) and name)
