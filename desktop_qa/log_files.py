"""The log on the disk: one rotating file for each process, without a word of any document.

What is logged are counts, ids, names of files and how long things took. The formatter sees to it:
of a foreign library's message only the template is written, of an exception only its type and the
places in the code; texts of exceptions may quote what was asked or read.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from desktop_qa.core.errors import (
    DesktopQaError,
    FolderError,
    LibraryError,
    UnreadableDocumentError,
)
from desktop_qa.index.library_lock import FileLock
from desktop_qa.paths import log_folder

OWN = "desktop_qa"
_QT = "qt"

_MAX_BYTES = 1_000_000
_N_BACKUPS = 3
_MAX_CHARACTERS = 600
_MAX_INSTANCES = 20
_TAIL_BYTES = 300_000
_SEPARATOR = " | "
_PLAIN_ERRORS = (LibraryError, FolderError, UnreadableDocumentError)
"""Their sentences are ours and name files and folders at most."""


def shorten_home(text: str) -> str:
    """Write the user's own folder as "~": a log or a report is shown to others."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


class SafeFormatter(logging.Formatter):
    """Writes one line a record: time, level, process, logger, message."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record; see the module."""
        time = f"{self.formatTime(record, '%Y-%m-%d %H:%M:%S')}.{int(record.msecs):03d}"
        parts = (time, record.levelname, self._role, record.name, _safe_message(record))
        line = _SEPARATOR.join(parts)
        if record.exc_info and record.exc_info[1] is not None:
            line += f" | {_safe_exception(record.exc_info[1])}"
        return shorten_home(line.replace("\r", " ").replace("\n", " "))


def _safe_message(record: logging.LogRecord) -> str:
    is_own = record.name == _QT or record.name.split(".")[0] == OWN
    template = str(record.msg)
    if not is_own:
        return template[:_MAX_CHARACTERS] if record.args else "(message withheld)"
    if isinstance(record.args, tuple) and record.args:
        return (template % tuple(map(_safe_argument, record.args)))[:_MAX_CHARACTERS]
    return record.getMessage()[:_MAX_CHARACTERS]


def _safe_argument(argument: object) -> object:
    if isinstance(argument, OSError):
        return f"{type(argument).__name__}({argument.strerror})"
    if isinstance(argument, DesktopQaError) and isinstance(argument, _PLAIN_ERRORS):
        return str(argument)
    return type(argument).__name__ if isinstance(argument, BaseException) else argument


def _safe_exception(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    places = " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames))
    return f"{type(error).__name__} at {places}" if places else type(error).__name__


@dataclass(slots=True)
class LogFile:
    """A log that is being written; `stop` ends it."""

    path: Path
    handler: logging.Handler
    lock: FileLock

    def stop(self) -> None:
        """Write no more."""
        logging.getLogger().removeHandler(self.handler)
        self.handler.close()
        self.lock.release()


def start_logging(role: str) -> LogFile | None:
    """Write the log of this process to the user's log folder.

    Args:
        role: "window" or "library".

    Returns:
        None when the folder cannot be written: the program works without a log.
    """
    folder = log_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path, lock = _free_file(folder, role)
        handler = RotatingFileHandler(
            path, maxBytes=_MAX_BYTES, backupCount=_N_BACKUPS, encoding="utf-8", delay=True
        )
    except OSError as error:
        logging.getLogger(__name__).warning("There is no log: %s", error.strerror)
        return None
    handler.setFormatter(SafeFormatter(role))
    root = logging.getLogger()
    for other in root.handlers:  # the terminal stays as quiet as it was
        other.setLevel(max(other.level, root.level))
    root.addHandler(handler)
    logging.getLogger(OWN).setLevel(min(logging.INFO, root.level))
    _log_what_nobody_caught()
    return LogFile(path, handler, lock)


def _free_file(folder: Path, role: str) -> tuple[Path, FileLock]:
    """Return a log that no other process writes: two writers would lose lines at a rotation."""
    for number in range(1, _MAX_INSTANCES + 1):
        path = folder / (f"{role}.log" if number == 1 else f"{role}-{number}.log")
        lock = FileLock.taken(path.with_suffix(".lock"))
        if lock is not None:
            return path, lock
    raise OSError("too many logs are being written")


def _log_what_nobody_caught() -> None:
    logger = logging.getLogger(OWN)

    def caught(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            logger.error("Nobody expected this", exc_info=(kind, error, trace))
        sys.__excepthook__(kind, error, trace)

    def caught_in_thread(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            caught(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    sys.excepthook = caught
    threading.excepthook = caught_in_thread


# Reading it again


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log; `level` as a number of `logging`."""

    time: str
    level: int
    role: str
    logger: str
    message: str

    def __str__(self) -> str:
        level = logging.getLevelName(self.level)
        return f"{self.time}  {level:8} {self.role:8} {self.message}"


def read_log() -> tuple[LogLine, ...]:
    """Return the last lines of all logs, oldest first; files that cannot be read have none."""
    lines: list[LogLine] = []
    for path in sorted(log_folder().glob("*.log*"), key=_age, reverse=True):
        lines += _parsed(_tail(path))
    return tuple(sorted(lines, key=lambda line: line.time))


def _age(path: Path) -> tuple[int, str]:
    """Order a log before its backups: lines of one millisecond keep the order of their files."""
    number = path.suffix.removeprefix(".")
    return (int(number) if number.isdigit() else 0, path.name)


def log_state() -> tuple[tuple[str, int], ...]:
    """Return the sizes of the logs: other ones tell that there is something to read."""
    found = []
    for path in sorted(log_folder().glob("*.log")):
        try:
            found.append((path.name, path.stat().st_size))
        except OSError:
            continue
    return tuple(found)


def _tail(path: Path) -> Iterable[str]:
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ()
    lines = text.splitlines()
    return lines[1:] if size > _TAIL_BYTES else lines


def _parsed(lines: Iterable[str]) -> Iterable[LogLine]:
    levels = logging.getLevelNamesMapping()
    for line in lines:
        time, *rest = line.split(_SEPARATOR, 4)
        if len(rest) == 4 and rest[0] in levels:
            yield LogLine(time, levels[rest[0]], rest[1], rest[2], rest[3])
