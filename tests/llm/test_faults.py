"""What servers do wrong, and what becomes of it: one error with its sentence, or a second try."""

from __future__ import annotations

import asyncio
import datetime
import logging
import re
import socket
import ssl
import traceback
from pathlib import Path

import pytest

from desktop_qa.llm.client import models, stream
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import Message, MessageRole, ModelQuestion
from desktop_qa.llm.profile import Dialect, Profile
from tests.llm.asking import KEY, QUESTION, ask, ask_scripted, profile_of, run
from tests.llm.scripted_server import (
    CUT,
    DONE,
    HOLD,
    Reply,
    Request,
    ScriptedServer,
    delta,
    event,
    head,
    page,
    says,
)

GOOD = says("5 V")
CHUNKED = b"HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

SERVED = (Dialect.CHAT_COMPLETIONS, Dialect.OLLAMA)


def error(message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("status", "content", "kind"),
    [
        (401, error("Incorrect API key provided."), "KEY_REFUSED"),
        (403, error("Country not supported."), "FORBIDDEN"),
        (402, error("Insufficient Balance"), "NO_CREDIT"),
        (404, error("The model `x` does not exist", code="model_not_found"), "NO_MODEL"),
        (400, error("small model 1.0 is not a valid model ID"), "NO_MODEL"),
        (404, {"detail": "Not Found"}, "NO_MODEL_SERVER"),
        (404, "404 page not found", "NO_MODEL_SERVER"),
        (405, "", "NO_MODEL_SERVER"),
        (400, error("Bad things."), "REFUSED"),
        (422, {"detail": [{"loc": ["body", "x"], "msg": "Field required"}]}, "REFUSED"),
        (400, error('"auto" tool choice requires --enable-auto-tool-choice'), "NO_TOOLS"),
        (413, "", "CONTEXT_OVERFLOW"),
        (429, error("Rate limit reached"), "BUSY"),
        (429, error("You exceeded your quota", code="insufficient_quota"), "NO_CREDIT"),
        (500, error("CUDA out of memory"), "SERVER_FAILED"),
        (502, "<html>Bad gateway</html>", "SERVER_FAILED"),
        (503, error("The engine is overloaded"), "BUSY"),
        (200, {"error": "Unexpected endpoint or method. (POST /chat)"}, "NO_MODEL_SERVER"),
        (200, error("CUDA out of memory"), "SERVER_FAILED"),
        (200, "<!DOCTYPE html>\n<html>\nSign in: to the hotel\n</html>\n", "NO_MODEL_SERVER"),
        (200, "", "BROKEN"),
    ],
)
def test_refusal_is_told(status, content, kind):
    asked = ask_scripted(page(status, content))
    assert asked.failed.kind is ModelErrorKind[kind]
    assert len(asked.server.requests) == 1


def test_what_a_server_says_holds_nothing_that_a_terminal_would_obey():
    text = str(ask_scripted(page(400, error("Bad \x1b[2Jthings\x07.\u202e"))).failed)
    assert "Bad [2Jthings ." in text
    assert text.isprintable()


def test_missing_key_is_told_otherwise_than_a_wrong_one():
    asked = ask_scripted(page(401, error("No key.")), key="")
    assert asked.failed.kind is ModelErrorKind.KEY_MISSING


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        ([head()], "BROKEN"),
        ([head(), CUT], "BROKEN"),
        ([CUT], "BROKEN"),
        ([b"HTTP/1.1 2"], "BROKEN"),
        ([b"SSH-2.0-OpenSSH_9.6\r\n"], "BROKEN"),
        ([head(), delta(content="5")], "BROKEN"),
        ([head(), delta(content="5"), CUT], "BROKEN"),
        ([head(), delta(content="5"), b'data: {"choices": [{"del'], "BROKEN"),
        ([head(), delta(content="5"), b"data: {broken\n\n", DONE], "BROKEN"),
        ([CHUNKED, b"5\r\ndata:\r\n"], "BROKEN"),
        ([CHUNKED, b"xyz\r\n"], "BROKEN"),
        ([head(200, "text/event-stream", "Content-Encoding: gzip"), b"no gzip"], "BROKEN"),
        ([head(), delta(content="5"), event(error("CUDA error"))], "SERVER_FAILED"),
        ([head(), event(error("Slow down", code=429))], "BUSY"),
        ([head(), b'event: error\ndata: {"message": "CUDA error"}\n\n'], "SERVER_FAILED"),
        ([head(), event({"error": "context length exceeded"})], "CONTEXT_OVERFLOW"),
        ([head(), DONE], "EMPTY_ANSWER"),
        ([head(), delta(content=""), delta("stop"), DONE], "EMPTY_ANSWER"),
        ([head(), delta(content=None), delta("stop", content=" \n"), DONE], "EMPTY_ANSWER"),
        ([head(), event({"choices": []}), event({"choices": None}), DONE], "EMPTY_ANSWER"),
        ([head(), event([1]), event(5), delta("stop"), DONE], "EMPTY_ANSWER"),
        ([head(), delta("stop", content="<think>Hm."), DONE], "EMPTY_ANSWER"),
        ([head(), delta("length", reasoning="Hm."), DONE], "ENDLESS_THINKING"),
    ],
)
def test_fault_within_an_answer_is_told(steps, kind):
    asked = ask_scripted(steps)
    assert asked.failed.kind is ModelErrorKind[kind]
    assert len(asked.server.requests) == 1


def test_what_came_before_a_fault_was_given():
    asked = ask_scripted([head(), delta(content="The input"), CUT])
    assert asked.text == "The input"
    assert asked.failed.kind is ModelErrorKind.BROKEN


class TestRefusedFields:
    @pytest.mark.parametrize(
        ("message", "more", "left_out"),
        [
            (
                "Unsupported value: 'temperature' does not support 0 with this model.",
                {"param": "temperature", "code": "unsupported_value"},
                "temperature",
            ),
            ("body.stream_options: Extra inputs are not permitted", {}, "stream_options"),
            ("This model does not support response format `json_schema`", {}, "response_format"),
        ],
    )
    def test_question_is_asked_again_without_it(self, message, more, left_out):
        asked = ask_scripted(page(400, error(message, **more)), GOOD, schema={"type": "object"})
        assert asked.text == "5 V"
        assert [notice.left_out for notice in asked.notices] == [left_out]
        first, second = (request.json for request in asked.server.requests)
        assert {name: first[name] for name in first if name != left_out} == second

    def test_limit_of_tokens_has_another_name_for_newer_models(self):
        message = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead."
        )
        asked = ask_scripted(page(400, error(message, param="max_tokens")), GOOD)
        assert asked.text == "5 V"
        second = asked.server.requests[1].json
        assert second["max_completion_tokens"] == 200
        assert "max_tokens" not in second

    def test_several_are_left_out_one_after_the_other(self):
        def by(request: Request) -> Reply:
            for name in ("max_completion_tokens", "max_tokens", "temperature", "stream_options"):
                if name in request.json:
                    detail = [{"loc": ["body", name], "msg": "Extra inputs are not permitted"}]
                    return page(422, {"detail": detail})
            return GOOD

        asked = ask_scripted(by=by)
        assert asked.text == "5 V"
        assert set(asked.server.requests[-1].json) == {"model", "messages", "stream"}

    def test_server_that_refuses_whatever_is_sent_is_given_up(self):
        message = "temperature max_tokens stream_options max_completion_tokens"
        asked = ask_scripted(by=lambda _: page(400, error(message)))
        assert asked.failed.kind is ModelErrorKind.REFUSED
        assert len(asked.server.requests) == 5


class TestPauses:
    @pytest.mark.parametrize(
        ("headers", "pause_s"),
        [
            (("Retry-After: 0.7",), 0.7),
            # A date is compared with the server's own clock.
            (
                (
                    "Date: Sun, 06 Nov 1994 08:49:37 GMT",
                    "Retry-After: Sun, 06 Nov 1994 08:49:38 GMT",
                ),
                1.0,
            ),
        ],
    )
    def test_busy_server_that_says_when_is_asked_again_then(self, headers, pause_s):
        asked = ask_scripted(page(429, error("Slow down"), *headers), GOOD)
        assert asked.text == "5 V"
        assert [notice.wait_s for notice in asked.notices] == [pause_s]

    @pytest.mark.parametrize(
        "headers", [(), ("Retry-After: 30",), ("Retry-After: soon",), ("Retry-After: inf",)]
    )
    def test_busy_server_that_does_not_say_or_wants_too_long_is_told(self, headers):
        asked = ask_scripted(page(429, error("Slow down"), *headers))
        assert asked.failed.kind is ModelErrorKind.BUSY
        assert asked.notices == []

    @pytest.mark.parametrize(("pause", "n_requests"), [("0", 3), ("0.6", 2)])
    def test_all_pauses_together_have_a_limit(self, pause, n_requests):
        busy = page(429, error("Slow down"), f"Retry-After: {pause}")
        asked = ask_scripted(by=lambda _: busy)
        assert asked.failed.kind is ModelErrorKind.BUSY
        assert len(asked.server.requests) == n_requests

    def test_server_that_loads_its_model_is_waited_for(self):
        content = error("Loading model", type="unavailable_error", code=503)
        asked = ask_scripted(page(503, content, "Retry-After: 0"), GOOD)
        assert asked.text == "5 V"
        assert [notice.text for notice in asked.notices] == ["127.0.0.1 is loading the model."]

    def test_server_that_loads_for_ever_is_given_up(self):
        content = error("Loading model", type="unavailable_error", code=503)
        asked = ask_scripted(by=lambda _: page(503, content), seconds={"LOADING_S": 0.5})
        assert asked.failed.kind is ModelErrorKind.LOADING


OVERFLOWS: dict[str, tuple[int | None, int | None]] = {
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens "
    "(4000 in the messages, 1000 in the completion).": (4096, 5000),
    "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context "
    "length is 4096 tokens and your request has 100 input tokens": (4096, 5000),
    "request (9412 tokens) exceeds the available context size (8192 tokens)": (8192, 9412),
    "Trying to keep the first 111490 tokens when context the overflows. However, the model is "
    "loaded with context length of only 32768 tokens, which is not enough.": (32768, 111490),
    "prompt is too long: 210000 tokens > 200000 maximum": (200000, 210000),
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).": (
        1048576,
        1200000,
    ),
    "Context size has been exceeded.": (None, None),
}
BY_CODE = error(
    "This model's maximum context length is 8192 tokens. However, your messages resulted in "
    "9000 tokens. Please reduce the length of the messages.",
    code="context_length_exceeded",
)
IN_FIELDS = error(
    "the request exceeds the available context size, try increasing it",
    type="exceed_context_size_error",
    n_prompt_tokens=13392,
    n_ctx=8192,
)


@pytest.mark.parametrize(
    ("content", "sizes"),
    [
        *((error(text), sizes) for text, sizes in OVERFLOWS.items()),
        *(({"error": text}, sizes) for text, sizes in OVERFLOWS.items()),
        (BY_CODE, (8192, 9000)),
        (IN_FIELDS, (8192, 13392)),
    ],
)
def test_size_of_a_context_that_overflows_is_told_where_the_server_tells_it(content, sizes):
    asked = ask_scripted(page(400, content))
    assert asked.failed.kind is ModelErrorKind.CONTEXT_OVERFLOW
    told = re.findall(r"\d+", asked.failed.message)
    assert told == [str(size) for size in sizes if size is not None]
    assert len(asked.server.requests) == 1


class TestEndless:
    def test_silence_before_the_first_token_ends(self):
        with ScriptedServer([HOLD]) as server:
            asked = ask(profile_of(server), seconds={"FIRST_TOKEN_S": 0.3})
            assert server.was_left.wait(20)
        assert asked.failed.kind is ModelErrorKind.STALLED

    def test_comments_and_empty_pieces_are_no_progress(self):
        empty = [b": PROCESSING\n\n", delta(content=""), 0.02] * 200
        asked = ask_scripted([head(), delta(content="5"), *empty], seconds={"NEXT_TOKEN_S": 0.5})
        assert asked.text == "5"
        assert asked.failed.kind is ModelErrorKind.STALLED

    @pytest.mark.parametrize(
        ("field", "kind"), [("content", "ENDLESS_ANSWER"), ("reasoning", "ENDLESS_THINKING")]
    )
    def test_what_goes_past_the_limit_of_tokens_ends(self, field, kind):
        words = (delta(**{field: f"word {n} "}) for n in range(2000))
        asked = ask_scripted([head(), *words], max_tokens=20)
        assert asked.failed.kind is ModelErrorKind[kind]
        assert len(asked.text) <= 200

    @pytest.mark.parametrize("field", ["content", "reasoning"])
    def test_loop_ends_at_its_fourth_round(self, field):
        sentence = "The maximum input voltage of the device is given in Table 7 on page 12. "
        asked = ask_scripted([head(), *(delta(**{field: sentence}) for _ in range(50))])
        assert asked.failed.kind is ModelErrorKind.REPEATED_TEXT
        assert (asked.text or asked.thinking) == sentence * 3


FIRST, LAST = delta(content="5 "), delta("stop", content="V")
SIGNS = delta("stop", content="5 Ω 😀")
HALF = b'data: {"choices": [{"delta": {"content": "%s"}}]}\n\n'
LONG = "".join(f"{n} " for n in range(320_000))  # two megabytes


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        pytest.param(
            [b": hi\r\nid: 1\r\nretry: 5\r\n" + (FIRST + LAST).replace(b"\n", b"\r\n")],
            "5 V",
            id="line ends of Windows, comments and unknown fields",
        ),
        pytest.param(
            [(FIRST + LAST).replace(b"\n\n", b"\n").rstrip()],
            "5 V",
            id="no blank line between events and none at the end",
        ),
        pytest.param([SIGNS[n : n + 1] for n in range(len(SIGNS))], "5 Ω 😀", id="cut characters"),
        pytest.param(
            [HALF % b"5 \\ud83d", HALF % b"\\ude00 V", DONE], "5 😀 V", id="halves of a character"
        ),
        pytest.param([SIGNS.replace("Ω".encode(), b"\xff")], "5 � 😀", id="bytes that are no text"),
        pytest.param([delta("stop", content=LONG)], LONG, id="a line of two megabytes"),
    ],
)
def test_bytes_are_read_as_they_come(pieces, text):
    asked = ask_scripted([head(), *pieces], max_tokens=10**6)
    assert asked.text == text


def test_line_without_end_is_given_up():
    asked = ask_scripted([head(), *[b"data: " + b"x" * 2**20] * 18])
    assert asked.failed.kind is ModelErrorKind.BROKEN


def test_half_a_character_in_the_question_is_no_error():
    for dialect in SERVED:
        with ScriptedServer(by=lambda _: page(500, error("No."))) as server:
            profile = profile_of(server, dialect, remote_host="example.com")
            ask(profile, messages=(Message(MessageRole.USER, "5 \ud83d V"),))
        assert server.requests[0].json["messages"][0]["content"] == "5 ? V"


class TestConnections:
    def test_nothing_listens_there(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        profile = Profile("Test", Dialect.CHAT_COMPLETIONS, f"http://127.0.0.1:{port}/v1", "m")
        failed = ask(profile).failed
        assert failed.kind is ModelErrorKind.UNREACHABLE
        assert f"127.0.0.1:{port}" in failed.message

    def test_server_without_certificate_under_https(self):
        with ScriptedServer(blurts=b"HTTP/1.1 400 Bad Request\r\n\r\n") as server:
            profile = profile_of(server, address=f"https://127.0.0.1:{server.port}/v1")
            failed = ask(profile).failed
        assert failed.kind is ModelErrorKind.TLS
        assert "http://" in failed.hint

    def test_certificate_that_nobody_signed(self, tmp_path):
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(_own_certificate(tmp_path))
        with ScriptedServer(GOOD, tls=tls) as server:
            profile = profile_of(server, address=f"https://127.0.0.1:{server.port}/v1")
            failed = ask(profile).failed
        assert failed.kind is ModelErrorKind.TLS
        assert "certificate" in failed.message
        assert server.requests == []

    @pytest.mark.parametrize("status", [301, 302, 307, 308])
    def test_redirect_is_refused(self, status):
        away = page(status, "", "Location: http://example.com/v1/chat/completions")
        failed = ask_scripted(away).failed
        assert failed.kind is ModelErrorKind.REDIRECTED
        assert "example.com" in failed.message

    def test_redirect_is_followed_without_the_key_where_the_profile_allows_it(self):
        with ScriptedServer(GOOD) as other:
            away = page(307, "", f"Location: {other.root}/v1/chat/completions")
            with ScriptedServer(away) as server:
                asked = ask(profile_of(server, follows_redirects=True))
        assert asked.text == "5 V"
        assert "authorization" in server.requests[0].headers
        assert "authorization" not in other.requests[0].headers

    def test_redirect_in_a_circle_ends(self):
        with ScriptedServer(by=lambda _: page(307, "", "Location: /again")) as server:
            failed = ask(profile_of(server, follows_redirects=True)).failed
        assert failed.kind is ModelErrorKind.REDIRECTED

    @pytest.mark.parametrize("dialect", SERVED)
    def test_no_socket_goes_to_anything_but_the_address(self, dialect, network_guard, monkeypatch):
        reached: list[object] = []
        connect = socket.socket.connect

        def recorded(self: socket.socket, address: object) -> None:
            reached.append(address)
            connect(self, address)  # type: ignore[arg-type]

        monkeypatch.setattr(socket.socket, "connect", recorded)
        for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_BASE_URL"):
            monkeypatch.setenv(variable, "http://192.0.2.1:3128")
        with ScriptedServer(by=lambda _: page(500, error("No."))) as server:
            ask(profile_of(server, dialect))
            with pytest.raises(ModelError):
                run(models(profile_of(server, dialect), ""))
            n_requests = len(server.requests)
        assert n_requests == server.n_connections == 2
        assert set(reached) == {("127.0.0.1", server.port)}
        assert network_guard.attempts == []


class TestSecrets:
    def test_key_is_in_no_text_even_when_the_server_repeats_it(self, caplog):
        caplog.set_level(logging.DEBUG)
        logging.getLogger("openai").setLevel(logging.DEBUG)
        shapes = (
            page(400, error(f"Bad key {KEY}")),
            page(500, f"Authorization: Bearer {KEY}"),
            [head(), event(error(f"Bad key {KEY}"))],
        )
        with ScriptedServer(*shapes) as server:
            for _ in shapes:
                failed = ask(profile_of(server)).failed
                assert KEY not in "".join(traceback.format_exception(failed))
                assert KEY not in repr(failed)
        assert KEY not in caplog.text

    def test_key_that_is_none_is_not_sent(self):
        with ScriptedServer() as server:
            for key in ("schlüssel", "two\nlines", "two words"):
                failed = ask(profile_of(server), key=key).failed
                assert failed.kind is ModelErrorKind.KEY_REFUSED
                assert key not in str(failed)
        assert server.n_connections == 0

    def test_text_of_the_user_that_the_server_repeats_is_not_told(self):
        detail = [{"loc": ["body", "x"], "msg": "Field required", "input": "my private text"}]
        failed = ask_scripted(page(422, {"detail": detail})).failed
        assert "body.x: Field required" in failed.message
        assert "private" not in failed.message


@pytest.mark.parametrize("address", ["", "example.com", "ftp://a/v1", "http://", "http://a:b/v1"])
def test_address_that_is_none_is_told(address):
    profile = Profile("Test", Dialect.CHAT_COMPLETIONS, address, "m")
    assert ask(profile).failed.kind is ModelErrorKind.ADDRESS


def test_question_that_is_left_closes_its_connection():
    async def leave(profile: Profile) -> None:
        deltas = stream(profile, KEY, ModelQuestion(QUESTION, 200))
        async for one in deltas:
            assert one.text == "5"
            break
        await deltas.aclose()

    with ScriptedServer([head(), delta(content="5"), HOLD]) as server:
        asyncio.run(leave(profile_of(server)))
        assert server.was_left.wait(20)


def test_clock_that_goes_back_changes_nothing(monkeypatch):
    seconds = iter(range(10**9, 0, -3600))
    monkeypatch.setattr("time.time", lambda: float(next(seconds)))
    busy = page(429, error("Slow down"), "Retry-After: 0.1")
    asked = ask_scripted(busy, GOOD)
    assert asked.text == "5 V"
    assert len(asked.notices) == 1


def test_models_are_listed_whatever_surrounds_their_names():
    listed = {
        "data": [
            {"id": "qwen 3", "meta": {"n_ctx": 4096, "n_ctx_train": 40960}},
            {"id": "big", "max_model_len": 32768},
            {"id": "plain"},
            {"object": "model"},
            "odd",
        ]
    }
    with ScriptedServer(page(200, listed)) as server:
        found = run(models(profile_of(server, model=""), KEY))
    assert [(one.name, one.n_context) for one in found] == [
        ("qwen 3", 4096),
        ("big", 32768),
        ("plain", None),
    ]
    assert server.requests[0].path == "/v1/models"


def _own_certificate(folder: Path) -> Path:
    x509 = pytest.importorskip("cryptography.x509", reason="comes with keyring on Linux only")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    file = folder / "own.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return file
