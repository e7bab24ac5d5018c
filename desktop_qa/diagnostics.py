"""What helps to understand a fault, without a word of any document or question."""

from __future__ import annotations

import logging
import os
import platform
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from importlib import metadata

import psutil

from desktop_qa import __version__
from desktop_qa.core.errors import LibraryError
from desktop_qa.core.folders import FolderState
from desktop_qa.core.libraries import LibrarySize
from desktop_qa.core.view import LibraryView
from desktop_qa.log_files import read_log, shorten_home
from desktop_qa.settings import load_settings

_ENGINES = (
    *("PySide6", "pymupdf", "chromadb", "onnxruntime", "sentence-transformers", "torch"),
    *("tokenizers", "spacy", "numpy", "watchdog", "psutil"),
)
_MAX_ERRORS = 20
_GIB = 1024**3


def diagnostics(
    window: Iterable[str],
    library: LibraryView | None,
    folders: Sequence[FolderState] = (),
    size: LibrarySize | None = None,
) -> str:
    """Return the report as text.

    Args:
        window: Lines about Qt and the screens.
        library: The open one.
        folders: Its source folders.
        size: Of it on disk.
    """
    parts = (
        ("Program", _program_lines()),
        ("Window", tuple(window)),
        ("Library", _library_lines(library, folders, size)),
        ("Settings", _settings_lines()),
        ("Last warnings and errors", _error_lines()),
    )
    text = "\n\n".join(
        f"{title}\n" + "\n".join(f"  {line}" for line in lines) for title, lines in parts
    )
    return shorten_home(text) + "\n"


def _program_lines() -> tuple[str, ...]:
    memory = psutil.virtual_memory()
    return (
        f"Desktop QA {__version__}, Python {platform.python_version()}",
        # Not platform.platform(): it starts `uname -p`, for which the window would wait.
        f"{platform.system()} {platform.release()} {platform.version()}, {platform.machine()}",
        f"{os.cpu_count()} cores, {memory.total / _GIB:.1f} GiB of memory,"
        f" {memory.available / _GIB:.1f} free",
        engine_versions(),
    )


def engine_versions() -> str:
    """Return the packages that do the work, each with its version."""
    return ", ".join(f"{name} {_version_of(name)}" for name in _ENGINES)


def _version_of(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def _library_lines(
    library: LibraryView | None, folders: Sequence[FolderState], size: LibrarySize | None
) -> tuple[str, ...]:
    if library is None:
        return ("none is open",)
    states = Counter(status.state.value for status in library.statuses)
    counts = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    lines = [
        f"{len(library.statuses)} documents ({counts or 'none'}),"
        f" {sum(s.n_pages for s in library.statuses)} pages,"
        f" {sum(s.n_segments for s in library.statuses)} segments",
        f"read only: {_yes(library.read_only)}, watching: {_yes(library.is_watching)},"
        f" stale: {sum(s.stale for s in library.statuses)}",
    ]
    if size is not None:
        lines.append(f"bytes: {size.text} text, {size.index} index, {size.figures} figures")
    lines += [
        f"folder {number}: {row.mode.value}, {row.n_files} files,"
        f" {row.n_excluded or 0} left out by {len(row.choices.excluded)} patterns,"
        f" {row.n_scans} scans, {sum(one.n_files for one in row.not_read or ())} passed over"
        for number, row in enumerate(folders, 1)
    ]
    return tuple(lines)


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _settings_lines() -> tuple[str, ...]:
    try:
        settings = load_settings()
    except LibraryError:
        return ("the settings file cannot be read",)
    numbers = [
        f"{field.name} {getattr(section, field.name)}"
        for section in (settings.reading, settings.retrieval)
        for field in fields(section)
    ]
    n_preferred = len(settings.sources.preferred)
    return (", ".join(numbers), f"{n_preferred} preferred sources, boost {settings.sources.boost}")


def _error_lines() -> tuple[str, ...]:
    errors = [str(line) for line in read_log() if line.level >= logging.WARNING]
    return tuple(errors[-_MAX_ERRORS:]) or ("none",)
