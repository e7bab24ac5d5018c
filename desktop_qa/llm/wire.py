"""Connections to model servers: what goes out, what comes in as bytes, and how they fail.

Everything here opens a connection of its own and closes it with its context, so that a question
that is stopped leaves none behind. The client is that which the openai package itself stands on.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import cache

import httpx2

from desktop_qa import __version__
from desktop_qa.llm import limits
from desktop_qa.llm.errors import (
    ModelError,
    ModelErrorKind,
    ServerWords,
    broken,
    failure,
    speaks_of_loading,
    speaks_of_overflow,
    wrong_address,
)
from desktop_qa.llm.limits import ProgressTimer
from desktop_qa.llm.messages import ServerNotice
from desktop_qa.llm.profile import Profile, origin_of

_CONNECT_S = 10.0
_SEND_S = 30.0
_MAX_LINE_BYTES = 16 * 1024 * 1024
_LOADING_PAUSE_S = 1.0
_MIN_PAUSE_S = 0.5

_OWN_HEADERS = frozenset(
    {
        *("host", "connection", "accept", "accept-encoding"),
        *("content-type", "content-length", "transfer-encoding", "user-agent"),
    }
)
"""What a request needs. The openai package adds system, Python and version of this machine."""

OnNotice = Callable[[ServerNotice], None]
Body = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Whom we speak to and how; one for each call.

    Attributes:
        profile: With an address that was checked.
        key: Without blanks; may be empty.
        timer: What is left of the time that the call may take.
        on_notice: Is told what happens before the answer.
    """

    profile: Profile
    key: str = field(repr=False)
    timer: ProgressTimer
    on_notice: OnNotice

    @classmethod
    def to(
        cls,
        profile: Profile,
        key: str,
        on_notice: OnNotice = lambda _notice: None,
    ) -> Exchange:
        """Check address and key.

        Raises:
            ModelError: ADDRESS or KEY_REFUSED, when they cannot be used.
        """
        profile.check_address()
        cleaned = key.strip()
        if not (cleaned.isascii() and cleaned.isprintable()) or " " in cleaned:
            raise ModelError(
                ModelErrorKind.KEY_REFUSED,
                "The key has characters that no key has.",
                "Copy it anew from the provider.",
            )
        return cls(profile, cleaned, ProgressTimer(profile.host), on_notice)

    def failure(self, status: int | None, words: ServerWords) -> ModelError:
        """Return the error for what the server said."""
        profile = self.profile
        has_key = bool(self.key)
        return failure(status, words, host=profile.host, model=profile.model, has_key=has_key)


@cache
def _certificates(trusts_environment: bool) -> ssl.SSLContext:
    # Reading them takes 45 ms, for every client.
    return httpx2.create_ssl_context(trust_env=trusts_environment)


def client(exchange: Exchange) -> httpx2.AsyncClient:
    """Return an HTTP client for one call, to be closed after it."""
    profile = exchange.profile

    async def leave_out(request: httpx2.Request) -> None:
        for name in list(request.headers):
            is_told = profile.trusts_environment and not name.lower().startswith("x-stainless")
            if name.lower() not in _OWN_HEADERS and not is_told:
                del request.headers[name]
        request.headers["User-Agent"] = f"desktop-qa/{__version__}"
        request.headers.pop("Authorization", None)
        # The server may have sent us on: the key is for none but its own.
        if exchange.key and origin_of(str(request.url)) == profile.origin:
            request.headers["Authorization"] = f"Bearer {exchange.key}"

    return httpx2.AsyncClient(
        verify=_certificates(profile.trusts_environment),
        trust_env=profile.trusts_environment,
        follow_redirects=profile.follows_redirects,
        # How long an answer is waited for is ours to say (ProgressTimer): comments and empty pieces
        # are bytes, too, and no progress.
        timeout=httpx2.Timeout(connect=_CONNECT_S, read=None, write=_SEND_S, pool=None),
        event_hooks={"request": [leave_out]},
    )


class Refusal(Exception):  # noqa: N818 - not yet an error: the server may be asked again
    """An answer other than 2xx, whose body is there."""

    def __init__(self, response: httpx2.Response, key: str) -> None:
        content: object
        try:
            content = json.loads(response.content)
        except ValueError:
            is_page = "html" in response.headers.get("content-type", "")
            content = "" if is_page else response.content.decode("utf-8", "replace")
        super().__init__(response.status_code)
        self.status = response.status_code
        self.words = ServerWords.of(content, key)
        self.headers = response.headers


@contextmanager
def told(exchange: Exchange) -> Iterator[None]:
    """Turn what the client raises into sentences.

    Its errors carry the request, and so the key: they are never chained.

    Raises:
        ModelError: UNREACHABLE, TLS, REDIRECTED or BROKEN.
    """
    host = exchange.profile.host
    try:
        yield
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
        raise _unreachable(error, exchange) from None
    except httpx2.TooManyRedirects:
        raise _redirected(host, "in a circle") from None
    except httpx2.UnsupportedProtocol:
        raise _redirected(host, "to something that is no web address") from None
    except (httpx2.HTTPError, httpx2.StreamError) as error:
        raise broken(host, _plain(error, exchange)) from None
    except (httpx2.InvalidURL, UnicodeError):
        raise ModelError(
            ModelErrorKind.ADDRESS,
            f"The address of {exchange.profile.name} cannot be understood.",
            "Write it as http://127.0.0.1:1234/v1 or https://host/v1.",
        ) from None


def _plain(error: Exception, exchange: Exchange) -> str:
    text = " ".join(str(error).split()).rstrip(".")
    if exchange.key:
        text = text.replace(exchange.key, "…")
    return text or "the connection was closed"


def _unreachable(error: Exception, exchange: Exchange) -> ModelError:
    profile = exchange.profile
    is_late = isinstance(error, httpx2.ConnectTimeout)
    reason: BaseException | None = None if is_late else error
    while reason is not None:
        if isinstance(reason, ssl.SSLError):
            is_plain = "WRONG_VERSION" in str(reason) or "RECORD_LAYER" in str(reason)
            return ModelError(
                ModelErrorKind.TLS,
                f"No secure connection to {profile.host}: {_plain(reason, exchange)}.",
                "Write http:// instead of https:// when the server has no certificate."
                if is_plain
                else "Let the system trust the server's certificate, or correct its date.",
            )
        reason = reason.__cause__ or reason.__context__
    why = f"it did not answer for {_CONNECT_S:.0f} seconds" if is_late else _plain(error, exchange)
    hint = "Look whether the address is right and the network is there."
    if not profile.is_remote:
        hint = "Start the model server, or look whether the port is right."
    return ModelError(
        ModelErrorKind.UNREACHABLE, f"{profile.origin} cannot be reached: {why}.", hint
    )


def _redirected(host: str, where: str) -> ModelError:
    return ModelError(
        ModelErrorKind.REDIRECTED,
        f"{host} sends the question on {where}, which was not done.",
        "Enter that address itself when you trust it, or allow this profile to follow.",
    )


Ask = Callable[[Body], AbstractAsyncContextManager[httpx2.Response]]
"""Sends a body; enters with an answer of 2xx whose body is not read, or raises `Refusal`."""


def plain(exchange: Exchange, path: str) -> Ask:
    """Return how to ask without the openai package: by POST where there is a body to send.

    Args:
        exchange: Whom.
        path: After the base URL, such as "/models".
    """

    @asynccontextmanager
    async def ask(body: Body) -> AsyncIterator[httpx2.Response]:
        url, method = exchange.profile.base_url + path, "POST" if body else "GET"
        async with (
            client(exchange) as http,
            http.stream(method, url, json=body or None) as response,
        ):
            if not response.is_success:
                await response.aread()
                raise Refusal(response, exchange.key)
            yield response

    return ask


@asynccontextmanager
async def opened(ask: Ask, body: Body, exchange: Exchange) -> AsyncIterator[httpx2.Response]:
    """Ask until the server answers: without what it refused, and after the pause it wants.

    Raises:
        ModelError: For every way in which it does not.
    """
    busy_s = loading_s = 0.0
    async with AsyncExitStack() as stack:
        while True:
            with told(exchange):
                try:
                    response = await exchange.timer.wait_for(stack.enter_async_context(ask(body)))
                    break
                except Refusal as refused:
                    told_no = refused
            if 300 <= told_no.status < 400:
                raise _redirected(exchange.profile.host, f"to {_target(told_no, exchange)}")
            changed, name = _without_refused(body, told_no)
            if name:
                body = changed
                exchange.on_notice(ServerNotice(f"The server does not know {name}.", left_out=name))
                continue
            pause_s = _pause_s(told_no)
            if told_no.status == 503 and speaks_of_loading(told_no.words):
                pause_s = _LOADING_PAUSE_S if pause_s is None else pause_s
                loading_s += pause_s
                is_patient = loading_s <= limits.LOADING_S
                text = f"{exchange.profile.host} is loading the model."
            else:
                busy_s += pause_s or 0.0
                is_patient = (
                    told_no.status in (429, 503) and pause_s is not None and busy_s <= limits.BUSY_S
                )
                text = f"{exchange.profile.host} asks to wait {pause_s or 0:.0f} seconds."
            if pause_s is None or not is_patient:
                raise exchange.failure(told_no.status, told_no.words)
            exchange.on_notice(ServerNotice(text, wait_s=pause_s))
            await asyncio.sleep(pause_s)
        with told(exchange):
            yield response


def _target(told_no: Refusal, exchange: Exchange) -> str:
    try:
        target = httpx2.URL(exchange.profile.base_url).join(told_no.headers.get("location", ""))
    except httpx2.InvalidURL:
        return "another address"
    return target.host or "another address"


_OPTIONAL = ("stream_options", "response_format", "temperature", "max_completion_tokens")
_LENGTH = "max_tokens"


def _without_refused(body: Body, told_no: Refusal) -> tuple[Body, str]:
    """Return the body without the field that a refusal speaks of, and the field's name.

    OpenAI's newer models know the limit of tokens by another name, which is tried first.
    """
    words = told_no.words
    if told_no.status not in (400, 422) or speaks_of_overflow(words):
        return body, ""
    places = {}
    for name in (*_OPTIONAL, _LENGTH):
        spelling = rf"\b{name}\b".replace("_", "[_ ]")
        found = re.search(spelling, f"{words.param} {words.text}", re.IGNORECASE)
        if name in body and found:
            places[name] = found.start()
    if not places:
        return body, ""
    named = min(places, key=lambda name: places[name])
    changed = {name: value for name, value in body.items() if name != named}
    if named == _LENGTH:
        changed["max_completion_tokens"] = body[_LENGTH]
    return changed, named


def _pause_s(told_no: Refusal) -> float | None:
    """Return the seconds after which a server wants to be asked again, where it says so.

    A date is compared with the server's own, not with this machine's clock; no pause at all would
    be no end of asking.
    """
    text = told_no.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d*)?", text):
        return max(_MIN_PAUSE_S, float(text))
    try:
        then = parsedate_to_datetime(text)
        now = parsedate_to_datetime(told_no.headers.get("date", ""))
        return max(_MIN_PAUSE_S, (then - now).total_seconds())
    except (ValueError, TypeError):
        return None


class JsonStream:
    """The JSON objects of an answer: server-sent events, a line each, or the whole as one.

    Attributes:
        is_ended: The server said that nothing follows ([DONE]).
    """

    def __init__(self, response: httpx2.Response, exchange: Exchange) -> None:
        self._response = response
        self._exchange = exchange
        self.is_ended = False

    async def __aiter__(self) -> AsyncIterator[dict[str, object]]:
        """Yield each object.

        A data line that is whole is taken at once, since not every server sends the empty line
        after it; a text over several lines is held until it is whole.

        Raises:
            ModelError: BROKEN, NO_MODEL_SERVER, or what the server says within its answer.
        """
        held = event = ""
        is_event = is_known = False
        async for text in self._lines():
            name, _, value = text.partition(":")
            if name == "event":
                event = value.strip()
                continue
            if name in ("", "id", "retry") and text:
                continue
            if not text and not (is_event and held):
                event = ""
                continue
            if not text:
                raise broken(self._exchange.profile.host, "a piece of it cannot be read")
            if name == "data":
                is_event = is_known = True
                text = value.removeprefix(" ")
                if text.strip() == "[DONE]":
                    self.is_ended = True
                    return
            held += text
            content = _decoded(held)
            if content is None:
                continue
            held = ""
            is_event, is_known = False, True
            self._check(content, event)
            if isinstance(content, dict):
                yield content
        if held.strip():
            host = self._exchange.profile.host
            raise broken(host, "its last piece is not whole") if is_known else wrong_address(host)

    def _check(self, content: object, event: str) -> None:
        is_error = event == "error" or (isinstance(content, dict) and content.get("error"))
        if is_error:
            raise self._exchange.failure(None, ServerWords.of(content, self._exchange.key))

    async def _lines(self) -> AsyncIterator[str]:
        """Yield lines of UTF-8, which are cut where they end and never within a character."""
        pieces: list[bytes] = []
        n_held = 0
        chunks = self._response.aiter_bytes()
        while True:
            chunk = await self._exchange.timer.wait_for(anext(chunks, None))
            if chunk is None:
                break
            *whole, rest = chunk.split(b"\n")
            for end in whole:
                yield _text(b"".join((*pieces, end)))
                pieces, n_held = [], 0
            pieces.append(rest)
            n_held += len(rest)
            if n_held > _MAX_LINE_BYTES:
                raise broken(self._exchange.profile.host, "it sends a line without end")
        if n_held:
            yield _text(b"".join(pieces))


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")


def _decoded(text: str) -> object | None:
    try:
        content: object = json.loads(text)
    except ValueError:
        return None
    return content


async def json_at(exchange: Exchange, path: str, body: Body | None = None) -> dict[str, object]:
    """Return the one JSON object that a server answers at a path.

    Raises:
        ModelError: For everything that can go wrong; NO_MODEL_SERVER when it is none.
    """
    async with opened(plain(exchange, path), body or {}, exchange) as response:
        data = await exchange.timer.wait_for(response.aread())
    content = _decoded(data.decode("utf-8", "replace"))
    if not isinstance(content, dict):
        raise wrong_address(exchange.profile.host)
    if content.get("error"):
        raise exchange.failure(None, ServerWords.of(content, exchange.key))
    return content


def mapping(value: object) -> Mapping[str, object]:
    """Return a JSON object; an empty one for what is none."""
    return value if isinstance(value, Mapping) else {}


def objects(value: object) -> list[Mapping[str, object]]:
    """Return the JSON objects of a list; of what is no list, none."""
    return [mapping(one) for one in value] if isinstance(value, list) else []
