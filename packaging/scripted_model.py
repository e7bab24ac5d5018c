"""A model server for pictures: it looks one section up, then says what is written here.

No model can be had where the pictures are made, and what a real one says differs each time.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_NAME = "qwen3:8b"
_TOKEN_S = 0.12
_SAID = (
    "The ORA217 has a typical input offset voltage of ±25 µV [1]. Over temperature it drifts by"
    " ±0.9 µV/°C at most [1].\n\nIt is meant for these applications, of which the section that was"
    " looked up tells [{0}]:\n\n- high-side and low-side current sensing [{0}]\n- ADC drivers and"
    " reference buffers [{0}]\n"
)
_COUNTING = "one two three four five six seven eight nine ten"
_LOOK_UP = {"name": "fetch_sections", "arguments": '{"document": "D1", "sections": ["2"]}'}
_TRIED = {"name": "page_count", "arguments": '{"document": "manual-7"}'}


class ScriptedModel:
    """Serves chat completions at a port of 127.0.0.1 until it is closed."""

    def __init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """For a profile."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def name(self) -> str:
        """Of its model."""
        return _NAME

    def close(self) -> None:
        """Serve no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *_args: Any) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        if self.path != "/v1/models":
            self.send_error(404)
            return
        self._begin("application/json")
        model = {"id": _NAME, "object": "model", "meta": {"n_ctx": 16384}}
        self.wfile.write(json.dumps({"object": "list", "data": [model]}).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions":
            self.send_error(404)
            return
        self._begin("text/event-stream")
        messages: Sequence[Mapping[str, Any]] = body["messages"]
        found = [message["content"] for message in messages if message["role"] == "tool"]
        if body.get("response_format"):
            self._say('{"number": 17, "is_prime": true}', 0.0)
        elif body.get("tools") and not found:
            is_trial = body["tools"][0]["function"]["name"] == _TRIED["name"]
            call = {"index": 0, "id": "a", "function": _TRIED if is_trial else _LOOK_UP}
            self._send({"tool_calls": [call]})
        elif found:
            marker = re.search(r"\[(\d+)\]", found[-1])
            self._say(_SAID.format(marker[1] if marker else 1), _TOKEN_S)
        else:
            self._say(_COUNTING, _TOKEN_S / 4)
        self._send({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _begin(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()

    def _say(self, text: str, pause_s: float) -> None:
        for token in re.findall(r"\S+\s*", text):
            self._send({"content": token})
            time.sleep(pause_s)

    def _send(self, delta: Mapping[str, Any], finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\n".encode())
        self.wfile.flush()
