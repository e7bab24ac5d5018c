"""Figures described by a language model that sees them.

A description is the model's own text. It is kept beside the figure's image, goes when the document
is read anew, is searched by nothing and cited by no answer.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from string import Template

import msgspec

from desktop_qa.core.errors import QuestionError
from desktop_qa.core.figure_description import FigureDescription, FigureToDescribe
from desktop_qa.core.whole_files import write_whole
from desktop_qa.generate.leaks import is_leak
from desktop_qa.generate.prompt import Prompt
from desktop_qa.generate.visible import visible
from desktop_qa.library.reasoning import require_consent
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import FinishReason, Message, MessageRole, ModelQuestion, ServerNotice
from desktop_qa.llm.profile import Consent, Profile
from desktop_qa.paths import asset

_MAX_IMAGE_BYTES = 8_000_000
"""Servers refuse larger requests, and no model sees more."""

_MAX_AROUND = 1500
"""Characters of the document's own text that go with the picture."""

_MAX_TOKENS = 700
_PNG = b"\x89PNG\r\n\x1a\n"


def kept_description(image: str) -> FigureDescription | None:
    """Return what a model said of a figure before; `None` where none did."""
    try:
        return msgspec.json.decode(_beside(image).read_bytes(), type=FigureDescription)
    except (OSError, msgspec.MsgspecError):
        return None


def keep_description(image: str, description: FigureDescription) -> None:
    """Keep what a model said beside the image, in the place of what one said before.

    Raises:
        OSError: When it cannot be written.
    """
    write_whole(_beside(image), msgspec.json.encode(description))


def _beside(image: str) -> Path:
    return Path(image).with_suffix(".described.json")


async def described(
    figure: FigureToDescribe,
    profile: Profile,
    key: str,
    consent: Consent | None,
    *,
    on_notice: Callable[[ServerNotice], None] = lambda _notice: None,
) -> AsyncGenerator[FigureDescription, None]:
    """Have a figure described; the connection closes with the generator (`aclosing`).

    Args:
        figure: Of a document of the library.
        profile: A model that sees pictures; one that does not is refused by its server, or says so.
        key: Of the server; may be empty.
        consent: As for `require_consent`, which is asked before anything is sent.
        on_notice: Is told of pauses, and of what the server is asked without.

    Yields:
        The description as it grows; the last one has the time at which it was whole.

    Raises:
        ModelError: For everything that can go wrong.
        QuestionError: When there is no picture that can be sent.
    """
    require_consent(profile, consent)
    prompt = _prompt(figure, _image(figure))
    # The first import takes half a second, and only what asks a model needs it.
    from desktop_qa.llm import client

    so_far = FigureDescription("", profile.model, profile.host)
    tokens = min(_MAX_TOKENS, profile.max_answer_tokens)
    deltas = client.stream(profile, key, ModelQuestion(prompt.messages, tokens), on_notice)
    async with aclosing(deltas):
        async for delta in deltas:
            text = delta.text if delta.voids_text else so_far.text + delta.text
            so_far = replace(so_far, text=text, was_cut=delta.finish_reason is FinishReason.LENGTH)
            if is_leak(so_far.text, prompt):
                raise ModelError(
                    ModelErrorKind.EMPTY_ANSWER,
                    f"{profile.model} repeated its instructions instead of describing the figure.",
                    "Try again, or choose another model.",
                )
            if delta.text or delta.voids_text:
                yield replace(so_far, text=visible(so_far.text))
    yield replace(so_far, text=visible(so_far.text), described_at=time.time())


def _image(figure: FigureToDescribe) -> bytes:
    """Read the picture.

    Raises:
        QuestionError: When it is not there, no PNG, or larger than servers take.
    """
    try:
        image = Path(figure.image).read_bytes()
    except OSError as error:
        raise QuestionError(
            f"The image of the figure cannot be read ({error.strerror or error}).",
            "Let the document be read again.",
        ) from error
    if not image.startswith(_PNG):
        raise QuestionError(
            "The image of the figure is damaged.", "Let the document be read again."
        )
    if len(image) > _MAX_IMAGE_BYTES:
        raise QuestionError(
            f"The image has {len(image) / 1e6:.0f} MB, more than a model takes.",
            "Look at the figure in its document.",
        )
    return image


def _prompt(figure: FigureToDescribe, image: bytes) -> Prompt:
    told = visible("\n".join(filter(None, (figure.place, figure.caption, figure.around))))
    told = told[:_MAX_AROUND]
    delimiter = secrets.token_hex(9)
    rules = Template(asset("resources/prompts/figure.txt").read_text(encoding="utf-8"))
    user = f"<{delimiter}>\n{told}\n</{delimiter}>\n\nDescribe the picture."
    messages = (
        Message(MessageRole.SYSTEM, rules.substitute(delimiter=delimiter).strip()),
        Message(MessageRole.USER, user, images=(image,)),
    )
    return Prompt(messages, delimiter, (), _MAX_TOKENS)
