"""What goes over the line between the window and the library's process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.figure_description import FigureDescription
from desktop_qa.core.libraries import CopyProgress
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.progress import IngestProgress
from desktop_qa.core.readings import ReadingProgress
from desktop_qa.core.view import AnswerView


@dataclass(frozen=True, slots=True)
class Request:
    """A call of a method of the service; `id` comes back with each message about it."""

    id: int
    method: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A request ended well."""

    request_id: int
    value: Any


@dataclass(frozen=True, slots=True)
class Failure:
    """A request failed in a way the user can understand."""

    request_id: int
    error: DesktopQaError


@dataclass(frozen=True, slots=True)
class Progress:
    """News from an ingest or the move of a library, or what a model has said so far."""

    request_id: int
    progress: (
        IngestProgress | CopyProgress | ModelSaid | AnswerView | FigureDescription | ReadingProgress
    )


@dataclass(frozen=True, slots=True)
class News:
    """Something happened that nobody asked about, such as a change in a watched folder."""

    topic: str
    value: object


@dataclass(frozen=True, slots=True)
class Crashed:
    """The service process ended by itself; every open request is lost."""

    reason: str


Message = Result | Failure | Progress | News | Crashed
