"""Finds out how a server is spoken to, by asking it; nothing of a library is sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from desktop_qa.llm.client import models
from desktop_qa.llm.errors import ModelError, ModelErrorKind, wrong_address
from desktop_qa.llm.limits import AnswerLimits
from desktop_qa.llm.listed import ListedModel
from desktop_qa.llm.profile import Dialect, Profile

_API_PATH = "/v1"
_ANOTHER_MAY_FIT = frozenset(
    {ModelErrorKind.NO_MODEL_SERVER, ModelErrorKind.BROKEN, ModelErrorKind.REDIRECTED}
)
"""What a server says at an address that it does not serve; all else would be the same at others."""


async def spoken(
    profile: Profile, key: str, *, limits: AnswerLimits | None = None
) -> tuple[Profile, tuple[ListedModel, ...]]:
    """Return a profile with the dialect and base URL that its server answers to, and its models.

    Ollama is tried first: it speaks chat completions as well, where the size of the context cannot
    be said and what does not fit is dropped silently.

    Raises:
        ModelError: For everything that can go wrong; NO_MODEL_SERVER when no dialect is answered.
    """
    if profile.dialect is Dialect.FILE:
        return profile, await models(profile, key, limits=limits)
    for candidate in _candidates(profile):
        try:
            return candidate, await models(candidate, key, limits=limits)
        except ModelError as error:
            if error.kind not in _ANOTHER_MAY_FIT:
                raise
    raise wrong_address(profile.host)


def _candidates(profile: Profile) -> Iterator[Profile]:
    root = profile.base_url.removesuffix(_API_PATH)
    yield replace(profile, dialect=Dialect.OLLAMA, address=root)
    yield replace(profile, dialect=Dialect.CHAT_COMPLETIONS, address=profile.base_url)
    if root == profile.base_url:
        address = f"{root}{_API_PATH}"
        yield replace(profile, dialect=Dialect.CHAT_COMPLETIONS, address=address)
