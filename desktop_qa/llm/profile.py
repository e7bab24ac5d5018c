"""How a model is reached, and which library's text may go to it: models.toml of the user.

No key is ever in here (desktop_qa.llm.keys). Nothing of this module opens a connection.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import tomllib
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from desktop_qa.core.whole_files import write_whole
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import Usage
from desktop_qa.llm.toml_text import toml_text
from desktop_qa.paths import config_folder

T = TypeVar("T")

_Finite = Annotated[float, msgspec.Meta(ge=-1e300, le=1e300)]

FILE_NAME = "models.toml"

OLLAMA_CLOUD = "ollama.com"

_CLOUD_ENDINGS = ("-cloud", ":cloud")
"""How Ollama names models of its cloud: gpt-oss:120b-cloud, kimi-k2:cloud."""


WHAT_LEAVES = (
    "the question, and up to three questions before it in the conversation",
    "the passages that were found for it: sentences and rows of tables from the documents of the"
    " library, with titles, part numbers, headings and page numbers",
    "where the model looks more up, the names of the headings, tables and figures of these"
    " documents, and the pages, sections, tables, figures and passages that it asks for",
    "for a summary, the section or document that is summarised",
    "where a document is read again with the model, the words of all its pages",
    "where a figure is described, its picture, its caption and the text around it",
)
"""What goes to a model elsewhere; a `Consent` is to all of it, and to no line that came later."""


USUAL_CONTEXT = 8192

THIS_MACHINE = "this machine"
"""The host of a model file."""


class Dialect(Enum):
    """What a server understands, or that there is none; the value stands in the file."""

    CHAT_COMPLETIONS = "chat completions"
    OLLAMA = "ollama"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Profile:
    """A model and how it is asked.

    Attributes:
        name: By which the user knows it; no two profiles have the same.
        dialect: What its server understands.
        address: Base URL, such as http://127.0.0.1:1234/v1 or http://127.0.0.1:11434 (Ollama);
            of a model file its path.
        model: As its server names it.
        n_context: Tokens of context to be used, for question, evidence and answer together.
        temperature: 0 for the same answer each time.
        max_answer_tokens: An answer, thinking included, is not longer.
        trusts_environment: Proxy, certificates and OPENAI_* of the environment count.
        follows_redirects: The server may send the question on to another address.
        input_price: Of a million tokens read, in the user's own currency.
        output_price: Of a million tokens written.
        remote_host: Where the server at this address sends the text, as a probe found it.
        calls_tools: Whether the model calls tools, as a probe found it; `None` before one.
        keeps_schema: Whether it keeps to a JSON schema, likewise.
    """

    name: str
    dialect: Dialect
    address: str
    model: str
    n_context: int = USUAL_CONTEXT
    temperature: _Finite = 0.0
    max_answer_tokens: int = 1024
    trusts_environment: bool = False
    follows_redirects: bool = False
    input_price: _Finite | None = None
    output_price: _Finite | None = None
    remote_host: str = ""
    calls_tools: bool | None = None
    keeps_schema: bool | None = None

    @property
    def base_url(self) -> str:
        """The address without "/" at its end."""
        return self.address.strip().rstrip("/")

    @property
    def host(self) -> str:
        """Host that reads the text in the end; by this consent is given."""
        if self.dialect is Dialect.FILE:
            return THIS_MACHINE
        if self.remote_host:
            return _host_of(self.remote_host) or self.remote_host
        return OLLAMA_CLOUD if self._is_cloud_model else _host_of(self.address)

    @property
    def origin(self) -> str:
        """Scheme, host and port of the address; to this a key belongs."""
        return origin_of(self.base_url)

    @property
    def is_remote(self) -> bool:
        """Whether text leaves this machine."""
        if self.dialect is Dialect.FILE:
            return False
        is_elsewhere = not is_loopback(_host_of(self.address))
        return is_elsewhere or self._is_cloud_model or bool(self.remote_host)

    @property
    def _is_cloud_model(self) -> bool:
        return is_loopback(_host_of(self.address)) and self.model.strip().endswith(_CLOUD_ENDINGS)

    def check_address(self) -> None:
        """Tell whether there is anything to connect to.

        Raises:
            ModelError: ADDRESS, when there is not; a model file is looked at when it is loaded.
        """
        if self.dialect is Dialect.FILE:
            return
        if problem := _problem_of_address(self.address):
            raise ModelError(
                ModelErrorKind.ADDRESS,
                f"The address of {self.name} {problem}.",
                "Write it as http://127.0.0.1:1234/v1 or https://host/v1.",
            )

    def check(self) -> None:
        """Tell whether the profile can be asked.

        Raises:
            ModelError: ADDRESS, for an address or a model name that is none.
        """
        self.check_address()
        if not self.model.strip():
            raise ModelError(
                ModelErrorKind.ADDRESS,
                f"{self.name} names no model.",
                "Choose one of those that the server lists.",
            )

    def cost(self, usage: Usage) -> float | None:
        """Return what an answer cost, in the currency of the prices; `None` without prices."""
        if self.input_price is None or self.output_price is None:
            return None
        return (usage.n_input * self.input_price + usage.n_output * self.output_price) / 1e6


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine; a name counts only when it can mean nothing else."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.split("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def origin_of(url: str) -> str:
    """Return scheme, host and port of a URL, the port also where it is the usual one."""
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.hostname or ''}:{port}"


def _host_of(address: str) -> str:
    try:
        return urllib.parse.urlsplit(address.strip()).hostname or ""
    except ValueError:
        return ""


def _problem_of_address(address: str) -> str:
    try:
        parts = urllib.parse.urlsplit(address.strip())
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return "cannot be understood"
    if not is_whole:
        return "cannot be understood"
    # A secret in the address would stand in the file, in logs and in messages.
    if parts.username is not None or parts.password is not None:
        return "holds a user name or password, which belongs into the key"
    if parts.query or parts.fragment:
        return 'holds a "?" or "#"'
    return ""


@dataclass(frozen=True, slots=True)
class Consent:
    """That the text of a library may go to a model elsewhere.

    Attributes:
        library: Its folder, resolved.
        host: `Profile.host` when it was given.
        model: `Profile.model` when it was given.
        agreed_on: The day.
        n_lines: Of `WHAT_LEAVES` as it was then.
    """

    library: str
    host: str
    model: str
    agreed_on: datetime.date
    n_lines: int = len(WHAT_LEAVES)


class ProfileStore:
    """Profiles and consents in a TOML file; what others wrote into it stays there.

    Each call reads the file, and each change writes it as a whole, so that two windows see the
    same. Calls take milliseconds; on a drive that does not answer they wait.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Name the file.

        Args:
            file: The user's own when `None`; one that is missing holds nothing.
        """
        self._file = file or config_folder() / FILE_NAME

    def profiles(self) -> tuple[Profile, ...]:
        """Return the profiles, in the file's order.

        Raises:
            ModelError: PROFILES, when the file is damaged.
        """
        known = {dialect.value for dialect in Dialect}
        tables = self._tables(self._content(), "profiles")
        # One of a later version is read again by that.
        return tuple(self._read(t, Profile) for t in tables if str(t.get("dialect")) in known)

    def save(self, profile: Profile) -> None:
        """Put a profile in the place of that with its name, or at the end.

        Raises:
            ModelError: PROFILES, when the file is damaged or cannot be written.
        """
        content = self._content()
        tables = self._tables(content, "profiles")
        values = {f.name: getattr(profile, f.name) for f in fields(Profile)}
        values["dialect"] = profile.dialect.value
        known = {name: value for name, value in values.items() if value is not None}
        for table in tables:
            if table.get("name") == profile.name:
                for name in values:
                    table.pop(name, None)
                table.update(known)
                break
        else:
            tables.append(known)
        self._write({**content, "profiles": tables})

    def remove(self, name: str) -> None:
        """Take a profile out; its key is another matter (`KeyStore.forget`).

        Raises:
            ModelError: PROFILES, when the file is damaged or cannot be written.
        """
        self._rewrite("profiles", lambda table: table.get("name") != name)

    def consents(self) -> tuple[Consent, ...]:
        """Return every consent that was given and not withdrawn.

        Raises:
            ModelError: PROFILES, when the file is damaged.
        """
        tables = self._tables(self._content(), "consents")
        return tuple(self._read({"n_lines": 0, **table}, Consent) for table in tables)

    def consent(self, library: Path, profile: Profile) -> Consent | None:
        """Return the consent to all of `WHAT_LEAVES`, for a profile's host and model.

        Raises:
            ModelError: PROFILES, when the file is damaged.
        """
        wanted = (_folder_name(library), profile.host, profile.model)
        given = (c for c in self.consents() if c.n_lines >= len(WHAT_LEAVES))
        return next((c for c in given if (c.library, c.host, c.model) == wanted), None)

    def agree(self, library: Path, profile: Profile, day: datetime.date) -> Consent:
        """Keep that the user agreed.

        Raises:
            ModelError: PROFILES, when the file is damaged or cannot be written.
        """
        consent = Consent(_folder_name(library), profile.host, profile.model, day)
        same = {"library": consent.library, "host": consent.host, "model": consent.model}
        added = {f.name: getattr(consent, f.name) for f in fields(Consent)}
        self._rewrite("consents", lambda table: not same.items() <= table.items(), added)
        return consent

    def withdraw(self, library: Path, profile: Profile | None = None) -> None:
        """Forget the consents of a library: for a profile's host and model, or all.

        Raises:
            ModelError: PROFILES, when the file is damaged or cannot be written.
        """
        of_profile = {} if profile is None else {"host": profile.host, "model": profile.model}
        withdrawn = {"library": _folder_name(library), **of_profile}
        self._rewrite("consents", lambda table: not withdrawn.items() <= table.items())

    def _rewrite(
        self, name: str, is_kept: Callable[[dict[str, Any]], bool], *added: dict[str, Any]
    ) -> None:
        """Write the tables of a name that are kept, and others behind them."""
        content = self._content()
        kept = [table for table in self._tables(content, name) if is_kept(table)]
        self._write({**content, name: [*kept, *added]})

    def _read(self, table: Mapping[str, object], kind: type[T]) -> T:
        try:
            return msgspec.convert(table, kind)
        except msgspec.ValidationError as error:
            raise self._damaged(str(error)) from error

    def _tables(self, content: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
        tables = content.get(name, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self._damaged(f"{name} must be tables, [[{name}]]")
        return tables

    def _content(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (tomllib.TOMLDecodeError, OSError, UnicodeDecodeError) as error:
            raise self._damaged(str(error)) from error

    def _write(self, content: Mapping[str, Any]) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, toml_text(content).encode())
        except OSError as error:
            raise ModelError(
                ModelErrorKind.PROFILES,
                f"The file of the models, {self._file}, cannot be written: {error.strerror}.",
                "Make room or give yourself the right to write there, and try again.",
            ) from error

    def _damaged(self, why: str) -> ModelError:
        return ModelError(
            ModelErrorKind.PROFILES,
            f"The file of the models, {self._file}, cannot be read: {why}.",
            "Correct it, or delete it to begin anew.",
        )


def _folder_name(library: Path) -> str:
    # A name in an encoding that is not the system's is no text, and TOML holds only text.
    name = os.fsencode(library.expanduser().resolve())
    return name.decode("utf-8", "backslashreplace")
