"""One window for each library: a second start brings the first to the front instead."""

from __future__ import annotations

import getpass
import hashlib
import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from desktop_qa.gui.widgets.timers import single_shot

logger = logging.getLogger(__name__)

_TIMEOUT_MS = 1500
START_PATIENCE_MS = 15_000
"""For a window that took the line and has not answered yet: its machine is busy, it is there."""

_RING = b"show\n"


def _address(library: Path) -> str:
    """Return the name of the line: short, as some systems allow 100 characters of path only."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # no name is known for this user
        user = ""
    key = f"{user}\n{library.expanduser().resolve()}"
    return f"desktop-qa-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def ring(library: Path, answer_ms: int = _TIMEOUT_MS) -> bool:
    """Ask the window that works on a library to come to the front.

    Args:
        library: Folder of the library.
        answer_ms: How long the window may take to answer; the caller stands still meanwhile.

    Returns:
        False when there is none, or it does not answer.
    """
    socket = QLocalSocket()
    socket.connectToServer(_address(library))
    if not socket.waitForConnected(_TIMEOUT_MS):
        return False
    socket.write(_RING)
    socket.waitForBytesWritten(_TIMEOUT_MS)
    # The answer may have come while the ring was written: then no more is to be waited for.
    heard = socket.bytesAvailable() > 0 or socket.waitForReadyRead(answer_ms)
    socket.disconnectFromServer()
    return heard


def ring_and_tell(library: Path, parent: QObject, then: Callable[[bool], None]) -> None:
    """Ask the window that works on a library to come to the front, and go on meanwhile.

    `then` is called once, with whether it has answered; not when the parent is gone.
    """
    socket = QLocalSocket(parent)

    def end(is_heard: bool) -> None:
        socket.blockSignals(True)
        socket.deleteLater()
        then(is_heard)

    socket.connected.connect(lambda: socket.write(_RING))
    socket.readyRead.connect(lambda: end(True))
    socket.errorOccurred.connect(lambda _error: end(False))
    single_shot(socket, lambda: end(False), _TIMEOUT_MS).start()
    socket.connectToServer(_address(library))


class Doorbell(QObject):
    """Listens while this window works on a library.

    Attributes:
        rang: Another start wants this window to come to the front.
    """

    rang = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)

    def listen(self, library: Path) -> None:
        """Listen for one library, and no more for the one before.

        For the window that writes to it: a line that is left over belongs to nobody.
        """
        self.close()
        address = _address(library)
        QLocalServer.removeServer(address)
        if not self._server.listen(address):
            reason = self._server.errorString()
            logger.info("A second start will not find this window: %s", reason)

    def close(self) -> None:
        """Listen no more."""
        self._server.close()

    def _on_connection(self) -> None:
        connection = self._server.nextPendingConnection()
        connection.disconnected.connect(connection.deleteLater)
        connection.write(b"ok\n")
        connection.flush()
        self.rang.emit()
