"""A model as its server lists it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ListedModel:
    """One model of a server.

    Attributes:
        name: To be put into a profile.
        n_context: Tokens of context that the server states for it.
        remote_host: Where a local server sends its text; empty for a model that runs there.
        is_loaded: In memory, so that its first answer comes at once; `None` when nothing is said.
    """

    name: str
    n_context: int | None = None
    remote_host: str = ""
    is_loaded: bool | None = None
