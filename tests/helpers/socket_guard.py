"""Put as `sitecustomize` on the path: every Python process below refuses and records sockets."""

from __future__ import annotations

from pathlib import Path

_SITECUSTOMIZE = """\
import os, socket, sys

LOG = {log!r}
UNIX = getattr(socket, "AF_UNIX", None)
WATCHED = {{
    "socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
    "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo", "socket.__new__",
}}


def refuse(event, arguments):
    if event not in WATCHED:
        return
    if event == "socket.__new__":
        is_local_pipe = arguments[1] == UNIX
    else:
        is_local_pipe = getattr(arguments[0], "family", None) == UNIX
    if is_local_pipe:
        return
    import traceback
    with open(LOG, "a") as log:
        stack = "".join(traceback.format_stack(limit=60))
        log.write(f"{{event}} {{arguments!r}} in {{os.getpid()}}: {{sys.argv}}\\n{{stack}}\\n")
    raise PermissionError(f"{{event}} is refused")


sys.addaudithook(refuse)
with open(LOG + ".processes", "a") as log:
    log.write(f"{{os.getpid()}} {{sys.argv[:1]}}\\n")
"""


class SocketGuard:
    """A folder for PYTHONPATH and the record of what the processes under it attempted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log = folder / "attempts.log"
        text = _SITECUSTOMIZE.format(log=str(self._log))
        (folder / "sitecustomize.py").write_text(text, encoding="utf-8")

    @property
    def environment(self) -> dict[str, str]:
        """Variables that guard a process and all its children."""
        return {"PYTHONPATH": str(self.folder)}

    @property
    def attempts(self) -> str:
        """What was attempted and refused, with stacks; empty when nothing was."""
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    @property
    def n_processes(self) -> int:
        """Python processes that were guarded so far."""
        processes = Path(f"{self._log}.processes")
        return len(processes.read_text().splitlines()) if processes.exists() else 0
