"""Documents and folders dropped on the pane of questions: what is asked from then on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import SourceFolder
from desktop_qa.gui.library.scope_model import ScopeEntry, document_entry
from desktop_qa.gui.widgets.labels import shortened

_MAX_NAME = 40

Entries = tuple[ScopeEntry, ...]


def entries_of_paths(
    paths: Iterable[str], statuses: Sequence[DocumentStatus], sources: Sequence[SourceFolder]
) -> Entries:
    """Return what files and folders of the system are in a library.

    Returns:
        An entry for each of them; nothing when one of them is not in the library: then they are
        to be taken into it.
    """
    found: list[ScopeEntry] = []
    for path in map(Path, paths):
        entry = _entry_of_file(path, statuses, sources) or _entry_of_folder(path, statuses, sources)
        if entry is None:
            return ()
        found.append(entry)
    return tuple(dict.fromkeys(found))


def _entry_of_file(
    path: Path, statuses: Sequence[DocumentStatus], sources: Sequence[SourceFolder]
) -> ScopeEntry | None:
    names = {name for source in sources if (name := _inside(path, source.folder))}
    for status in statuses:
        # A document may lie in several places under one source; each means it.
        if (status.path and Path(status.path) == path) or names & set(status.files):
            return document_entry(status)
    return None


def _entry_of_folder(
    path: Path, statuses: Sequence[DocumentStatus], sources: Sequence[SourceFolder]
) -> ScopeEntry | None:
    for source in sources:
        if Path(source.folder) == path and len(sources) > 1:
            return ScopeEntry(source.folder, path.name)
        name = _inside(path, source.folder)
        if name and any(file.startswith(f"{name}/") for s in statuses for file in s.files):
            return ScopeEntry(f"/{name}", name)
    return None


def _inside(path: Path, folder: str) -> str:
    """Return a path relative to a folder with "/" between its parts, "" when it is not in it."""
    try:
        name = PurePosixPath(*path.relative_to(folder).parts)
    except ValueError:
        return ""
    return "" if str(name) == "." else str(name)


def words_for(entries: Entries) -> str:
    """Return what letting go will do."""
    if len(entries) == 1:
        return f"Ask only about {shortened(entries[0].label, _MAX_NAME)}"
    return f"Ask only about these {len(entries)}"
