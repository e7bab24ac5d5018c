"""The verb for language models: how each is reached, whether it works, and what may go there."""

from __future__ import annotations

import argparse
import asyncio
import datetime
import getpass
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.verbs import existing_library, fields_of, positive, print_json, say, verb
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.keys import KeyStore
from desktop_qa.llm.profile import (
    USUAL_CONTEXT,
    WHAT_LEAVES,
    Consent,
    Dialect,
    Profile,
    ProfileStore,
)

if TYPE_CHECKING:
    from desktop_qa.llm.messages import ListedModel
    from desktop_qa.llm.probe import Finding, Verdict

_DIALECTS = {"chat": Dialect.CHAT_COMPLETIONS, "ollama": Dialect.OLLAMA}
_NAMES = {dialect: name for name, dialect in _DIALECTS.items()} | {Dialect.FILE: "file"}
_SIGNS = {True: "yes", False: "no", None: "?"}
_EPILOG = """
desktop-qa models list [--library LIB]                 profiles, where text goes, what was agreed
desktop-qa models find                                 servers and model files of this machine
desktop-qa models add NAME --address URL --model M     make a profile, or replace it
desktop-qa models add NAME --file MODEL.gguf           likewise, of a file that needs no server
desktop-qa models key NAME                             enter the key of its server
desktop-qa models test NAME                            try it; no text of a library is sent
desktop-qa models agree NAME --library LIB             let text of LIB go to a model elsewhere
desktop-qa models withdraw [NAME] --library LIB        let it go there, or anywhere, no more
desktop-qa models remove NAME                          take a profile and its key out
"""


def add_models(verbs: Any) -> None:
    """Add the verb `models` with its actions."""
    models = verb(verbs, "models", _list, "language models: profiles, test, consent")
    models.epilog = _EPILOG
    models.formatter_class = argparse.RawDescriptionHelpFormatter
    models.set_defaults(library=None, json=False)
    actions = models.add_subparsers(metavar="ACTION")

    listed = verb(actions, "list", _list, "list profiles, where text goes and what was agreed")
    listed.add_argument("--library", type=Path, help="tell what was agreed for this library")
    listed.add_argument("--json", action="store_true", help="JSON on stdout")

    found = verb(actions, "find", _find, "find servers and model files of this machine alone")
    found.add_argument("--json", action="store_true", help="JSON on stdout")

    add = verb(actions, "add", _add, "make a profile, or replace it")
    add.add_argument("name", help="by which you call it")
    place = add.add_mutually_exclusive_group(required=True)
    place.add_argument("--address", metavar="URL", help="such as http://127.0.0.1:1234")
    place.add_argument("--file", type=Path, metavar="GGUF", help="a model file; needs no server")
    add.add_argument("--model", metavar="NAME", help="as its server calls it")
    add.add_argument(
        "--dialect", choices=tuple(_DIALECTS), help="the server is asked when it is left out"
    )
    add.add_argument("--context", type=positive, metavar="N", help="tokens to use (8192)")
    add.add_argument("--answer", type=positive, metavar="N", help="tokens of an answer (1024)")
    add.add_argument(
        "--proxy", action="store_true", help="use proxy and certificates of the environment"
    )
    add_key_option(add)

    key = verb(actions, "key", _key, "enter the key of a profile's server")
    key.add_argument("name")
    add_key_option(key)

    test = verb(actions, "test", _test, "try a profile; no text of a library is sent")
    test.add_argument("name")
    test.add_argument("--json", action="store_true", help="JSON on stdout")
    add_key_option(test)

    agree = verb(actions, "agree", _agree, "let text of a library go to a model elsewhere")
    agree.add_argument("name")
    agree.add_argument("--library", type=Path, required=True, help="whose text may go")
    agree.add_argument("--yes", action="store_true", help="agree without being asked")

    withdraw = verb(actions, "withdraw", _withdraw, "let text of a library go there no more")
    withdraw.add_argument("name", nargs="?", help="all models when left out")
    withdraw.add_argument("--library", type=Path, required=True, help="whose text stays")

    remove = verb(actions, "remove", _remove, "take a profile and its key out")
    remove.add_argument("name")


def add_key_option(parser: argparse.ArgumentParser) -> None:
    """Add the one option that says where a key is; a key is never an argument itself."""
    parser.add_argument(
        "--key-from-env", metavar="VAR", help="take the key from this variable, this time only"
    )


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Add the options by which a model is asked as well."""
    parser.add_argument(
        "--profile", metavar="NAME", help="ask this language model as well (desktop-qa models)"
    )
    add_key_option(parser)


def profile_named(name: str) -> Profile:
    """Return a profile of the user.

    Raises:
        ModelError: PROFILES, when there is none of that name.
    """
    profiles = ProfileStore().profiles()
    found = next((profile for profile in profiles if profile.name == name), None)
    if found is None:
        known = ", ".join(profile.name for profile in profiles)
        raise ModelError(
            ModelErrorKind.PROFILES,
            f"There is no model called {name}.",
            f"There are: {known}." if known else "Make one: desktop-qa models add.",
        )
    return found


def key_of(profile: Profile, variable: str | None, keys: KeyStore) -> str:
    """Return the key for a profile's server; empty where there is none.

    Args:
        profile: Whose server it is for.
        variable: Of the environment that holds it; the keyring's is taken when `None`.
        keys: Of this run.

    Raises:
        ModelError: KEY_MISSING, when the variable is not set.
    """
    if variable is None:
        return keys.key(profile)
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ModelError(
            ModelErrorKind.KEY_MISSING,
            f"The variable {variable} is not set or empty.",
            "Set it to the key, or leave --key-from-env out to be asked for it.",
        )
    return key


def can_ask_for_key() -> bool:
    """Tell whether someone sits there who can type a key without its being seen."""
    return sys.stdin.isatty()


def ask_for_key(profile: Profile, keys: KeyStore) -> str:
    """Ask for the key of a server, keep it, and say where; empty when none was entered."""
    key = getpass.getpass(f"Key for {profile.host} (none: just Enter): ").strip()
    if key:
        say(_kept(keys.keep(profile, key)))
    return key


def _kept(is_lasting: bool) -> str:
    if is_lasting:
        return "The key is kept in the keyring of this system."
    return "There is no keyring here: the key is known to this run only, and not kept."


def where_text_goes(profile: Profile) -> str:
    """Return it in a few words."""
    if profile.is_remote:
        return f"text goes to {profile.host}"
    host = "" if profile.dialect is Dialect.FILE else f" ({profile.host})"
    return f"text stays on this machine{host}"


def _list(options: argparse.Namespace) -> int:
    store = ProfileStore()
    profiles = store.profiles()
    library: Path | None = options.library
    consents = {
        profile.name: store.consent(library, profile) if library is not None else None
        for profile in profiles
    }
    if options.json:
        print_json([_profile_json(one, consents[one.name], library) for one in profiles])
        return 0
    for profile in profiles:
        print(f"{profile.name}: {profile.model}, {where_text_goes(profile)}")
        dialect, n_context = profile.dialect.value, profile.n_context
        say(f"    {profile.base_url} ({dialect}), {n_context} tokens of context")
        if library is not None and profile.is_remote:
            consent = consents[profile.name]
            agreed = f"agreed on {consent.agreed_on}" if consent is not None else "not agreed to"
            say(f"    for {library}: {agreed}")
    if not profiles:
        say("No models yet. Look for one with: desktop-qa models find")
    return 0


def _profile_json(
    profile: Profile, consent: Consent | None, library: Path | None
) -> dict[str, Any]:
    row: dict[str, Any] = {
        **fields_of(profile, "name model"),
        "address": profile.base_url,
        "dialect": _NAMES[profile.dialect],
        "context": profile.n_context,
        "host": profile.host,
        "leaves_machine": profile.is_remote,
    }
    if library is not None:
        row["may_be_asked"] = consent is not None or not profile.is_remote
        row["agreed_on"] = consent.agreed_on.isoformat() if consent is not None else None
    return row


def _find(options: argparse.Namespace) -> int:
    from desktop_qa.llm.local_servers import find_servers
    from desktop_qa.llm.model_files import advice, found_files, size

    servers, files = asyncio.run(find_servers()), found_files()
    if options.json:
        print_json(
            [
                {"program": file.owner, "file": str(file.path), "models": [file.name]}
                for file in files
            ]
            + [
                {
                    "program": server.name,
                    **fields_of(server, "is_sure address models asks_for_key"),
                    "dialect": _NAMES[server.dialect],
                }
                for server in servers
            ]
        )
        return 0
    for server in servers:
        program = server.name if server.is_sure else f"perhaps {server.name}"
        models = ", ".join(server.models) or "no model"
        print(
            f"{server.address} ({program}): {'asks for a key' if server.asks_for_key else models}"
        )
        name = next(iter(server.models), "MODEL")
        say(f"    desktop-qa models add NAME --address {server.address} --model {name}")
    for file in files:
        print(f"{file.path} ({file.owner}): {file.name}, {size(file.n_bytes)}")
        say(f"    {file.fit(USUAL_CONTEXT)}")
        say(f"    desktop-qa models add NAME --file {shlex.quote(str(file.path))}")
    if not servers:
        say("No model server answers on this machine. Start one, such as Ollama or LM Studio.")
    if not files:
        say(f"No model file of another program was found. {advice()}")
    return 0


def _add(options: argparse.Namespace) -> int:
    store, keys = ProfileStore(), KeyStore()
    is_known = any(profile.name == options.name for profile in store.profiles())
    if options.file is not None:
        profile = _of_file(options)
    else:
        profile = Profile(
            options.name,
            _DIALECTS[options.dialect or "chat"],
            options.address,
            options.model or "",
            trusts_environment=options.proxy,
        )
    if options.context is not None:
        profile = replace(profile, n_context=options.context)
    if options.answer is not None:
        profile = replace(profile, max_answer_tokens=options.answer)
    profile.check()
    key = key_of(profile, options.key_from_env, keys)
    if not key and profile.is_remote and can_ask_for_key():
        key = ask_for_key(profile, keys)
    if options.dialect is None and profile.dialect is not Dialect.FILE:
        profile, models = _spoken(profile, key, keys)
        profile = _as_listed(profile, models, is_context_given=options.context is not None)
    store.save(profile)
    if options.key_from_env is not None:
        say(_kept(keys.keep(profile, key)))
    print(f"{profile.name}: {profile.model}, {where_text_goes(profile)}")
    say(f"    {profile.base_url} ({profile.dialect.value}), {'replaced' if is_known else 'added'}")
    if profile.is_remote:
        say(f"    before it is asked: desktop-qa models agree {profile.name} --library LIB")
    return 0


def _of_file(options: argparse.Namespace) -> Profile:
    from desktop_qa.llm.model_files import read_model_file

    file = read_model_file(options.file.expanduser().resolve())
    name = options.model or file.name
    profile = Profile(options.name, Dialect.FILE, str(file.path), name)
    n_context = min(profile.n_context, file.n_context or profile.n_context)
    say(f"    {file.fit(options.context or n_context)}")
    return replace(profile, n_context=n_context)


def _spoken(profile: Profile, key: str, keys: KeyStore) -> tuple[Profile, Sequence[ListedModel]]:
    """Ask the server how it is spoken to, with a key where it wants one and someone has it."""
    from desktop_qa.llm.client import spoken

    try:
        return asyncio.run(spoken(profile, key))
    except ModelError as error:
        if error.kind is not ModelErrorKind.KEY_MISSING or not can_ask_for_key():
            raise
    return asyncio.run(spoken(profile, ask_for_key(profile, keys)))


def _as_listed(
    profile: Profile, models: Sequence[ListedModel], *, is_context_given: bool
) -> Profile:
    """Return a profile with no more context than its server states, and say what is not there."""
    named = {profile.model, f"{profile.model}:latest"}
    listed = next((model for model in models if model.name in named), None)
    if listed is None and models:
        names = ", ".join(model.name for model in models)
        say(f"The server does not list {profile.model}. It has: {names}")
    if listed is None or listed.n_context is None or is_context_given:
        return profile
    return replace(profile, n_context=min(profile.n_context, listed.n_context))


def _key(options: argparse.Namespace) -> int:
    profile, keys = profile_named(options.name), KeyStore()
    if options.key_from_env is not None:
        say(_kept(keys.keep(profile, key_of(profile, options.key_from_env, keys))))
    elif not can_ask_for_key():
        raise ModelError(
            ModelErrorKind.KEY_MISSING,
            "There is no terminal to ask for the key.",
            "Put it into a variable of the environment and name that with --key-from-env.",
        )
    elif not ask_for_key(profile, keys):
        keys.forget(profile)
        say("No key was entered; what was kept is forgotten.")
    return 0


def _test(options: argparse.Namespace) -> int:
    from desktop_qa.llm.probe import probe

    profile = profile_named(options.name)
    key = key_of(profile, options.key_from_env, KeyStore())
    verdict = asyncio.run(probe(profile, key))
    tested = verdict.known_of(profile)
    if tested != profile:
        profile = tested
        ProfileStore().save(profile)
    if options.json:
        rows = {name: asdict(finding) for name, finding in _findings(verdict)}
        print_json({"usable": verdict.is_usable, "host": profile.host, **rows})
    else:
        print(f"{profile.name}: {'can be asked' if verdict.is_usable else 'cannot be asked'}")
        for name, finding in _findings(verdict):
            print(f"    {name:<8} {_SIGNS[finding.is_good]:<4} {finding.sentence}")
        print(f"    {where_text_goes(profile)}")
    return 0 if verdict.is_usable else 1


def _findings(verdict: Verdict) -> tuple[tuple[str, Finding], ...]:
    names = ("reached", "model", "speed", "tools", "schema", "context")
    return tuple((name, getattr(verdict, name)) for name in names)


def _agree(options: argparse.Namespace) -> int:
    profile = profile_named(options.name)
    library = existing_library(options.library)
    if not profile.is_remote:
        say(f"{profile.name} runs on this machine: no text leaves it, and nothing is to be agreed.")
        return 0
    lines = "\n".join(f"  - {line}" for line in WHAT_LEAVES)
    print(
        f"{profile.name} is the model {profile.model} at {profile.host}. With each question over"
        f" {library} that is put to it there go:\n"
        f"{lines}\n"
        "Nothing goes before such a question. What the host does with it is in its own terms."
    )
    if not options.yes:
        if not sys.stdin.isatty():
            raise ModelError(
                ModelErrorKind.LEAVES_MACHINE,
                "Nothing was agreed to: there is no terminal to ask.",
                "Give --yes when you agree.",
            )
        if input("Do you agree? [y/N] ").strip().casefold() not in ("y", "yes"):
            say("Nothing was agreed to.")
            return 1
    ProfileStore().agree(library, profile, datetime.date.today())
    say(f"Agreed. To take it back: desktop-qa models withdraw {profile.name} --library {library}")
    return 0


def _withdraw(options: argparse.Namespace) -> int:
    profile = profile_named(options.name) if options.name is not None else None
    ProfileStore().withdraw(options.library, profile)
    where = (
        f"to {profile.model} at {profile.host}" if profile is not None else "to any other machine"
    )
    say(f"No text of {options.library} goes {where}.")
    return 0


def _remove(options: argparse.Namespace) -> int:
    profile, store = profile_named(options.name), ProfileStore()
    store.remove(profile.name)
    if all(other.origin != profile.origin for other in store.profiles()):
        KeyStore().forget(profile)
    say(f"{profile.name} is removed.")
    return 0
