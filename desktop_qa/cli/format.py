"""The verb by which a language model finds the headings and tables of documents anew."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.models import add_key_option, key_of, profile_named
from desktop_qa.cli.verbs import add_library, on_library, open_to_write, print_json, say, verb
from desktop_qa.core.errors import DesktopQaError, QuestionError
from desktop_qa.core.readings import ReadBy, together
from desktop_qa.library.talk import last_of
from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.profile import Profile, ProfileStore

if TYPE_CHECKING:
    from desktop_qa.core.document import DocumentId
    from desktop_qa.library.facade import Library

_OFFLINE_STAYS = "The offline reading stays."


def add_format(verbs: Any) -> None:
    """Add the verb `format`."""
    parser = verb(
        verbs,
        "format",
        on_library(_format, open_to_write),
        "read documents again with a model: headings and tables",
    )
    parser.add_argument(
        "documents",
        nargs="*",
        metavar="DOC",
        help="file, name, id, /folder or 'TI_*.pdf'; all when left out",
    )
    add_library(parser)
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--profile", metavar="NAME", help="the model that reads (desktop-qa models)")
    way.add_argument("--offline", action="store_true", help="search the offline reading again")
    way.add_argument("--model", action="store_true", help="search the model's reading again")
    parser.add_argument("--yes", action="store_true", help="begin without being asked")
    add_key_option(parser)


def _format(options: argparse.Namespace, library: Library) -> int:
    chosen, notes = library.in_scope(options.documents)
    for note in notes:
        say(note)
    if options.profile is None:
        by = ReadBy.PROGRAM if options.offline else ReadBy.MODEL
        # Of all documents those are meant that there are two readings of.
        read = [one for one in chosen if library.model_reading(one) is not None]
        for one in chosen if options.documents else read:
            library.use_reading(one, by)
            say(f"{library.file_of(one)}: the {by.value} reading is searched.")
    else:
        profile = profile_named(options.profile)
        key = key_of(profile, options.key_from_env, KeyStore())
        chosen = _agreed(library, chosen, profile, is_asked=not options.yes)
        for one in chosen:
            _read(library, one, profile, key)
    if options.json:
        rows = {library.file_of(one): library.model_reading(one) for one in chosen}
        print_json([{"file": file, **asdict(row)} for file, row in rows.items() if row])
    return 0


def _agreed(
    library: Library, chosen: Sequence[DocumentId], profile: Profile, *, is_asked: bool
) -> tuple[DocumentId, ...]:
    """Tell what it takes, and return what is to be read when that is agreed to.

    Raises:
        ModelError: LEAVES_MACHINE, when text would leave the machine and that was not agreed to.
        QuestionError: When there is nothing to read, or nobody who agrees.
    """
    from desktop_qa.library.reasoning import require_consent

    require_consent(profile, ProfileStore().consent(library.folder, profile))
    estimates = {}
    for one in chosen:
        try:
            estimates[one] = library.reading_by_model(one, profile).estimate
        except QuestionError as error:
            say(f"{library.file_of(one)}: {error.message} {error.hint}".strip())
    if not estimates:
        raise QuestionError("There is nothing that this model could read.")
    total = together(list(estimates.values()))
    where = f"at {profile.host}" if profile.is_remote else "on this machine"
    n_documents = f"{total.n_documents} of {len(chosen)} documents"
    say(f"{profile.model} {where} reads {n_documents}: {total.line}")
    if is_asked:
        if not sys.stdin.isatty():
            raise QuestionError(
                "Nothing was read: there is no terminal to ask.", "Say --yes to begin at once."
            )
        if input("Begin? [y/N] ").strip().lower() not in ("y", "yes"):
            raise QuestionError("Nothing was read.")
    return tuple(estimates)


def _read(library: Library, document_id: DocumentId, profile: Profile, key: str) -> None:
    """Have a document read, and keep that.

    Raises:
        DesktopQaError: When it fails; the document stays as it was.
    """
    from desktop_qa.library.reading_by_model import read_by_model

    reading = library.reading_by_model(document_id, profile)
    consent = ProfileStore().consent(library.folder, profile)
    steps = read_by_model(reading, key, consent, on_notice=lambda notice: say(notice.text))
    try:
        asyncio.run(last_of(steps, lambda step: say(step.line)))
        kept = library.keep_reading(reading)
    except (DesktopQaError, KeyboardInterrupt):
        say(f"{reading.file}: {_OFFLINE_STAYS}")
        raise
    say(f"{reading.file}: {kept.line}")
