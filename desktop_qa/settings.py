"""Settings with their only defaults; TOML in the user's configuration folder."""

from __future__ import annotations

import logging
import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from desktop_qa.core.errors import LibraryError
from desktop_qa.core.sources import MAX_SOURCE_BOOST, SourceSettings
from desktop_qa.paths import config_folder

logger = logging.getLogger(__name__)

T = TypeVar("T")

FILE_NAME = "settings.toml"

_KIND_NAMES = {
    int: "a whole number of at least 1",
    float: "a number of at least 0",
    bool: "true or false",
    str: "a text",
    tuple: "a list of texts",
}


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """How documents are read.

    Attributes:
        n_children: Parsing processes at the same time: one for each core, up to four. Reading is
            two thirds of an ingest's processor time (193 pages: reading 36 s, model 15 s, storing
            4 s), so a core kept free for the model would stand idle most of the time.
        page_time_limit_s: A page that takes more processor time is given up, and so is a step over
            all of them; the slowest page of the real library takes about 2 s.
        memory_limit_mb: Of one parsing process, resident.
    """

    n_children: int = min(4, os.cpu_count() or 1)
    page_time_limit_s: float = 45.0
    memory_limit_mb: int = 2048


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """The hyperparameters of Eq. 2 and of its neighbours in this program.

    Attributes:
        alpha: Share of the vector route against the lexical one, in [0, 1].
        beta: Weight of the critical keywords.
        source: Source boost: what a segment of a preferred source gains.
        local: Weight of the words by how rare they are within their document.
        structure: Weight of a place that the question names.
        document: Weight of the evidence for a segment's document as a whole.
        boilerplate: What legal, ordering and packaging matter loses.
        table: What a table gains on questions other than for a figure or a procedure: the values
            of a datasheet stand in its tables, and their words are few.
        figure: What a figure gains, twice, on questions for one, and loses on others.
    """

    alpha: float = 0.6
    beta: float = 0.35
    source: float = 0.1
    local: float = 0.35
    structure: float = 1.2
    document: float = 0.6
    boilerplate: float = 0.3
    table: float = 0.18
    figure: float = 0.12


@dataclass(frozen=True, slots=True)
class RetrievalSettings(FusionWeights):
    """How segments are found.

    Attributes:
        top_k: Pieces of evidence that go with an answer.
        reads_statements: The first segments stand in the order of the best that each states.
    """

    top_k: int = 8
    reads_statements: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the user may set."""

    reading: ReadingSettings = field(default_factory=ReadingSettings)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    sources: SourceSettings = field(default_factory=SourceSettings)


def load_settings(file: Path | None = None) -> Settings:
    """Read the settings; defaults where the file says nothing.

    Args:
        file: TOML; the user's own when `None`. A missing file is no error.

    Raises:
        LibraryError: When the file is no TOML, or a value has the wrong type or is too small.
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
        sources=_sources(content.get("sources", {}), path),
    )


def _sources(values: dict[str, Any], path: Path) -> SourceSettings:
    sources = _section(SourceSettings, values, path)
    if not sources.is_in_range:
        raise LibraryError(
            f"{path}: boost must be from 0 to {MAX_SOURCE_BOOST:g}, not {sources.boost}.",
            "Correct it, or delete the line to get the default back.",
        )
    return sources


def _section(kind: type[T], values: dict[str, Any], path: Path) -> T:
    known = {f.name: type(getattr(kind(), f.name)) for f in fields(kind)}  # type: ignore[arg-type]
    accepted: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            logger.warning("%s: unknown setting %s is ignored", path, name)
            continue
        if known[name] is float and type(value) is int:
            value = float(value)
        if known[name] is tuple and _is_list_of_texts(value):
            value = tuple(value)
        is_too_small = type(value) in (int, float) and value < (type(value) is int)
        if type(value) is not known[name] or is_too_small:
            raise LibraryError(
                f"{path}: {name} must be {_KIND_NAMES[known[name]]}, not {value!r}.",
                "Correct it, or delete the line to get the default back.",
            )
        accepted[name] = value
    return kind(**accepted)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
