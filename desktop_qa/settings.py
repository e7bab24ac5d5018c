"""Settings with their only defaults; TOML in the user's configuration folder."""

from __future__ import annotations

import logging
import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from desktop_qa.core.errors import LibraryError
from desktop_qa.paths import config_folder

logger = logging.getLogger(__name__)

T = TypeVar("T")

FILE_NAME = "settings.toml"


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """How documents are read.

    Attributes:
        n_children: Parsing processes at the same time.
        page_time_limit_s: A page that takes longer is given up.
        memory_limit_mb: Of one parsing process, resident.
    """

    n_children: int = max(1, min(4, (os.cpu_count() or 2) - 1))
    page_time_limit_s: float = 45.0
    memory_limit_mb: int = 2048


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """Weights of HiQA Eq. 2 and of the routes beside it; see `retrieve.fusion.FusionWeights`."""

    alpha: float = 0.5
    beta: float = 0.5
    structure: float = 1.0
    document: float = 0.3
    boilerplate: float = 0.25
    table: float = 0.15
    figure: float = 0.1
    top_k: int = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the user may set."""

    reading: ReadingSettings = field(default_factory=ReadingSettings)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)


def load_settings(file: Path | None = None) -> Settings:
    """Read the settings; defaults where the file says nothing.

    Args:
        file: TOML; the user's own when `None`. A missing file is no error.

    Raises:
        LibraryError: When the file is no TOML or a value has the wrong type.
    """
    path = file or config_folder() / FILE_NAME
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (tomllib.TOMLDecodeError, OSError, UnicodeDecodeError) as error:
        raise LibraryError(
            f"The settings file {path} cannot be read: {error}.",
            "Correct it, or delete it to get the defaults back.",
        ) from error
    return Settings(
        reading=_section(ReadingSettings, content.get("reading", {}), path),
        retrieval=_section(RetrievalSettings, content.get("retrieval", {}), path),
    )


def _section(kind: type[T], values: dict[str, Any], path: Path) -> T:
    known = {f.name: type(getattr(kind(), f.name)) for f in fields(kind)}  # type: ignore[arg-type]
    accepted: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            logger.warning("%s: unknown setting %s is ignored", path, name)
            continue
        if known[name] is float and isinstance(value, int):
            value = float(value)
        if not isinstance(value, known[name]):
            raise LibraryError(
                f"{path}: {name} must be {known[name].__name__}, not {value!r}.",
                "Correct it, or delete the line to get the default back.",
            )
        accepted[name] = value
    return kind(**accepted)
