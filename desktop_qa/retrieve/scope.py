"""Patterns of documents, folders and vendors: what to search, and whose sources are preferred.

One language for the command line, the settings and the window:

    vendor:Texas Instruments    its documents; "vendor:TI" and "vendor:bosch" are understood
    /modules or modules/        a folder inside a source folder, with the folders in it
    /modules/OPA4197.pdf        a file inside a source folder; an absolute path is one too
    OPA4197.pdf, OPA4197        a file by its name, with or without the ending, or a part number
    TI_*.pdf, /modules/*.pdf    all that fit
    0f3a52...                   a document's id
    /OPA4197.pdf#page=12        a place in one; see `retrieve.place_scope`

Upper and lower case do not matter. Nothing here needs more than the list of documents, so that the
window can tell what a pattern means without asking the library.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from desktop_qa.augment.codes import normalize_code
from desktop_qa.core.answer import Query
from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.retrieve.place_scope import place_words, split_place

VENDOR = "vendor:"

_MAX_NAMED = 5
_MIN_LIKENESS = 0.6
_WILDCARDS = frozenset("*?[")
_LEAST_VENDOR_LETTERS = 2


@dataclass(frozen=True, slots=True)
class Selection:
    """What some patterns mean in a library.

    Attributes:
        document_ids: In the order of the library, each once.
        unmatched: Patterns that no document fits, as given.
    """

    document_ids: tuple[DocumentId, ...] = ()
    unmatched: tuple[str, ...] = ()


def select(patterns: Iterable[str], statuses: Sequence[DocumentStatus]) -> Selection:
    """Find the documents that fit any of some patterns.

    Args:
        patterns: See the head of this module.
        statuses: The documents of the library.
    """
    chosen: set[DocumentId] = set()
    unmatched = []
    for pattern in dict.fromkeys(patterns):
        found = _documents_of(pattern, statuses)
        chosen |= found
        if not found:
            unmatched.append(pattern)
    ordered = tuple(s.document_id for s in statuses if s.document_id in chosen)
    return Selection(ordered, tuple(unmatched))


def source_scores(query: Query) -> dict[DocumentId, float]:
    """Score documents by their source: the s of `source_boost * s` (hybrid-retrieval, Eq. 1).

    Returns:
        1.0 for a preferred document, -1.0 for an older revision of one, 0.0 for one that is both;
        documents that are neither are left out and have 0.0.
    """
    scores = dict.fromkeys(query.preferred, 1.0)
    for document_id in query.outdated:
        scores[document_id] = scores.get(document_id, 0.0) - 1.0
    return scores


def document_pattern(status: DocumentStatus) -> str:
    """Return the pattern of one document; it survives a change of the file."""
    return f"/{status.file}" if status.file else status.document_id


def vendor_pattern(vendor: str) -> str:
    """Return the pattern of a vendor."""
    return f"{VENDOR}{vendor}"


def vendors_of(statuses: Iterable[DocumentStatus]) -> tuple[str, ...]:
    """Return the vendors of the library by name."""
    return tuple(sorted({s.vendor for s in statuses if s.vendor}, key=str.casefold))


def folders_of(statuses: Iterable[DocumentStatus]) -> tuple[str, ...]:
    """Return the patterns of all folders that hold documents or folders of documents, sorted."""
    files = (PurePosixPath(file) for status in statuses for file in status.files)
    found = {f"/{parent}" for file in files for parent in file.parents if str(parent) != "."}
    return tuple(sorted(found, key=str.casefold))


def label_of(pattern: str) -> str:
    """Return a pattern as people read it: a vendor's name, the name of a folder or file."""
    if _is_vendor(pattern):
        return _vendor_asked(pattern)
    pattern, place = split_place(pattern)
    if place is not None and (words := place_words(place)):
        return f"{words} of {label_of(pattern)}"
    name = pattern.rstrip("/").rsplit("/", 1)[-1]
    return name or pattern


def _documents_of(pattern: str, statuses: Sequence[DocumentStatus]) -> set[DocumentId]:
    wanted = _folded(split_place(pattern)[0].strip())
    if not wanted:
        return set()
    if _is_vendor(wanted):
        vendors = _vendors_meant(_vendor_asked(wanted), statuses)
        return {s.document_id for s in statuses if s.vendor in vendors}
    exact = {s.document_id for s in statuses if _is_named(wanted, s)}
    if exact or not _WILDCARDS & set(wanted):
        return exact
    return {s.document_id for s in statuses if any(fnmatchcase(n, wanted) for n in _names(s))}


def _is_named(wanted: str, status: DocumentStatus) -> bool:
    """Tell whether a pattern without wildcards means a document, or a folder it is in."""
    if wanted == status.document_id or wanted in _names(status):
        return True
    if "/" in wanted:
        inside = wanted if re.match(r"/|[a-z]:/", wanted) else f"/{wanted}"
        folder = inside.rstrip("/") + "/"
        return any(place.startswith(folder) for place in _places(status))
    return any(normalize_code(own) == normalize_code(wanted) for own in status.part_numbers)


def _names(status: DocumentStatus) -> set[str]:
    """Return what a document may be called: its paths, the names of its files, their stems."""
    names = set(_places(status))
    for file in status.files:
        path = PurePosixPath(_folded(file))
        names |= {str(path), path.name, path.stem}
    return names


def _places(status: DocumentStatus) -> Iterator[str]:
    """Yield the paths of a document's files inside their sources, and the absolute one."""
    for file in status.files:
        yield f"/{_folded(file)}"
    if status.path:
        yield _folded(status.path)


def _folded(text: str) -> str:
    # Composed: macOS hands out file names with their accents apart.
    return unicodedata.normalize("NFC", text).replace("\\", "/").casefold()


def _is_vendor(pattern: str) -> bool:
    return pattern[: len(VENDOR)].casefold() == VENDOR


def _vendor_asked(pattern: str) -> str:
    return pattern[len(VENDOR) :].strip()


def _vendors_meant(asked: str, statuses: Sequence[DocumentStatus]) -> set[str]:
    """Return the vendors that a name means: in full, as files are named after it, for short.

    "TI" is whoever the files called "TI_..." are of, before it is the initials of another. The
    beginning of a name counts when it is that of one vendor only.
    """
    wanted = _folded(asked)
    vendors = vendors_of(statuses)
    if _WILDCARDS & set(wanted):
        return {vendor for vendor in vendors if fnmatchcase(_folded(vendor), wanted)}
    exact = {vendor for vendor in vendors if _folded(vendor) == wanted}
    if exact or len(wanted) < _LEAST_VENDOR_LETTERS:
        return exact
    by_prefix = {s.vendor for s in statuses if s.vendor and wanted in _file_prefixes(s)}
    if len(by_prefix) == 1:
        return by_prefix
    if short := {vendor for vendor in vendors if wanted in _short_names(vendor)}:
        return short
    begun = {vendor for vendor in vendors if _folded(vendor).startswith(wanted)}
    return begun if len(begun) == 1 else set()


def _file_prefixes(status: DocumentStatus) -> set[str]:
    names = (PurePosixPath(_folded(file)).name for file in status.files)
    return {name.partition("_")[0] for name in names if "_" in name}


def _short_names(vendor: str) -> set[str]:
    """Return what a vendor is called for short: "bosch"; "ti"; "adi" for Analog Devices (Inc.)."""
    words = _folded(vendor).split()
    initials = "".join(word[0] for word in words)
    names = set(words)
    if len(initials) > 1:
        names |= {initials, f"{initials}i"}
    return names


# What to say of a pattern that nothing fits


def why_unmatched(pattern: str, statuses: Sequence[DocumentStatus]) -> str:
    """Return a sentence that names the nearest to a pattern, or what there is instead."""
    if _is_vendor(pattern):
        vendors = vendors_of(statuses)
        called = {name: vendor for vendor in vendors for name in (*_short_names(vendor), vendor)}
        near = dict.fromkeys(called[name] for name in _alike(_vendor_asked(pattern), called))
        lead, there_is = "The vendors are", vendors
    elif "/" in pattern:
        folders = folders_of(statuses)
        files = tuple(f"/{file}" for status in statuses for file in status.files)
        near = dict.fromkeys(_alike(f"/{pattern.strip('/')}", (*folders, *files)))
        lead, there_is = "The folders are", folders
    else:
        there_is = tuple(PurePosixPath(file).name for s in statuses for file in s.files)
        stems = tuple(PurePosixPath(name).stem for name in there_is)
        parts = tuple(part for status in statuses for part in status.part_numbers)
        near = dict.fromkeys(_alike(pattern, (*(there_is if "." in pattern else stems), *parts)))
        lead = "The documents are"
    if near:
        return f"The nearest is {' or '.join(near)}."
    return _listed(lead, there_is) or "No document is in a folder of its own."


def _alike(asked: str, names: Iterable[str]) -> list[str]:
    by_folded = {_folded(name): name for name in names}
    near = difflib.get_close_matches(_folded(asked), by_folded, n=2, cutoff=_MIN_LIKENESS)
    return [by_folded[name] for name in near]


def _listed(lead: str, names: Sequence[str]) -> str:
    if not names:
        return ""
    more = len(names) - _MAX_NAMED
    tail = f" and {more} more" if more > 0 else ""
    return f"{lead} {', '.join(names[:_MAX_NAMED])}{tail}."
