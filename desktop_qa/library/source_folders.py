"""The part of the library that knows its source folders: what is taken from each, and how."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop_qa.catalog import has_foreign_name, n_excluded, survey
from desktop_qa.core.errors import FolderError
from desktop_qa.core.file_kinds import counts_of
from desktop_qa.core.folders import (
    ExclusionCount,
    FolderChoices,
    FolderState,
    WatchMode,
)
from desktop_qa.core.view import SourceFolder
from desktop_qa.exclusions import (
    Exclusions,
    cleaned,
    first_bad_pattern,
    is_only_some,
    only,
    with_files,
)
from desktop_qa.index.records import Source
from desktop_qa.index.store import Store
from desktop_qa.library.sync import Synchronizer

_WATCHING = "watching"
_NAME = "name"
_N_EXAMPLES = 5


class SourceFolders:
    """Adding, changing and removing the folders of a library; `sync` then follows."""

    _store: Store
    _sync: Synchronizer

    # What there is

    def sources(self) -> tuple[Path, ...]:
        """Source folders in the order in which they were added."""
        return tuple(Path(source.folder) for source in self._store.sources())

    def source_views(self) -> tuple[SourceFolder, ...]:
        """Source folders as the window shows them."""
        choices, problems = self._store.choices(), self._sync.problems
        return tuple(
            SourceFolder(
                source.folder,
                source.id not in problems and Path(source.folder).is_dir(),
                choices[source.id],
            )
            for source in self._store.sources()
        )

    def folders(self) -> tuple[FolderState, ...]:
        """Each source folder with its numbers, choices and what ails it."""
        choices, counts = self._store.choices(), self._store.count_files()
        return tuple(
            self._state(source, choices[source.id], counts.get(source.id, (0, 0, 0)))
            for source in self._store.sources()
        )

    def _state(
        self, source: Source, choices: FolderChoices, counts: tuple[int, int, int]
    ) -> FolderState:
        problem = self._sync.problems.get(source.id)
        exists = Path(source.folder).is_dir()
        is_away = problem is not None or not exists
        follows = choices.is_watched and self.is_watching and not self._store.read_only
        mode = WatchMode.NATIVE if follows else WatchMode.OFF
        n_files, n_attention, n_scans = counts
        passed_over = self._sync.passed_over.get(source.id)
        return FolderState(
            source.folder,
            exists,
            n_files,
            n_attention,
            None if passed_over is None else n_excluded(passed_over),
            choices,
            WatchMode.AWAY if is_away else mode,
            problem.message if problem is not None else "",
            n_scans,
            None if passed_over is None else counts_of(passed_over),
        )

    def taken_files(self) -> dict[Path, frozenset[str]]:
        """Return the files that are taken from each source folder, relative to it."""
        return {
            Path(source.folder): frozenset(self._store.files(source.id))
            for source in self._store.sources()
        }

    @property
    def is_watching(self) -> bool:
        """True unless the user switched the watching of all folders off."""
        return self._store.meta(_WATCHING) != "off"

    @property
    def name(self) -> str:
        """What the user calls the library; empty when its folders name it."""
        return self._store.meta(_NAME) or ""

    def _source_of(self, folder: Path) -> Source:
        absolute = str(folder.expanduser().resolve())
        for source in self._store.sources():
            if source.folder in (absolute, str(folder)):
                return source
        raise FolderError(
            f"{folder} is no folder of this library.", "See its list of folders, or add it."
        )

    # Changes

    def add_source(self, folder: Path) -> None:
        """Make a folder of documents part of the library, all of it; `sync` then reads it.

        Raises:
            FolderError: When there is no such folder or it may not be read.
            LibraryError: When the library is open for reading only.
        """
        self._store.require_writable()
        _check_folder(folder)
        source = self._store.add_source(folder)
        choices = self._store.choices()[source.id]
        if is_only_some(choices.excluded):
            self._store.set_choices(source.id, FolderChoices(choices.is_watched))

    def add_files(self, files: Sequence[Path]) -> None:
        """Make single files part of the library, each where it is; `sync` then reads them.

        A file in a folder of the library is let in where patterns left it out. Of any other
        folder only the files are taken.

        Raises:
            FolderError: When one of them is no file.
            LibraryError: When the library is open for reading only.
        """
        self._store.require_writable()
        for folder, names in self._by_source(files).items():
            self._add_files_of(folder, names)

    def _by_source(self, files: Sequence[Path]) -> dict[Path, list[str]]:
        sources = sorted(self.sources(), key=lambda one: len(one.parts), reverse=True)
        found: dict[Path, list[str]] = {}
        for file in files:
            absolute = file.expanduser().resolve()
            if not absolute.is_file():
                raise FolderError(f"There is no file {file}.", "Check the name and try again.")
            folder = next((s for s in sources if absolute.is_relative_to(s)), absolute.parent)
            found.setdefault(folder, []).append(absolute.relative_to(folder).as_posix())
        return found

    def _add_files_of(self, folder: Path, names: list[str]) -> None:
        known = {source.folder: source for source in self._store.sources()}
        source = known.get(str(folder))
        if source is None:
            _check_folder(folder)
            source = self._store.add_source(folder)
            self._store.set_choices(source.id, FolderChoices(True, only(names)))
            return
        choices = self._store.choices()[source.id]
        exclusions = Exclusions(choices.excluded)
        shut_out = [name for name in names if exclusions.leave_out(name)]
        if shut_out:
            excluded = with_files(choices.excluded, shut_out)
            self._store.set_choices(source.id, FolderChoices(choices.is_watched, excluded))

    def set_folder_choices(self, folder: Path, choices: FolderChoices) -> None:
        """Watch a folder or not, and leave files of it out.

        Raises:
            FolderError: When it is no folder of the library, or a pattern is none.
            LibraryError: When the library is open for reading only.
        """
        self._store.require_writable()
        source = self._source_of(folder)
        excluded = cleaned(choices.excluded)
        Exclusions(excluded)
        self._store.set_choices(source.id, FolderChoices(choices.is_watched, excluded))

    def set_watching(self, is_watching: bool) -> None:
        """Switch the watching of all folders on or off.

        Raises:
            LibraryError: When the library is open for reading only.
        """
        self._store.set_meta(_WATCHING, "on" if is_watching else "off")

    def rename(self, name: str) -> None:
        """Give the library a name of the user's own; an empty one lets its folders name it.

        Raises:
            LibraryError: When the library is open for reading only.
        """
        self._store.set_meta(_NAME, " ".join(name.split()))

    def relocate_source(self, old: Path, new: Path) -> None:
        """Point a source folder that was moved to its new place; nothing is read again.

        Raises:
            FolderError: When the old one is unknown or the new one is no folder.
        """
        self._store.require_writable()
        _check_folder(new)
        absolute = str(new.expanduser().resolve())
        source = self._source_of(old)
        if any(s.folder == absolute and s.id != source.id for s in self._store.sources()):
            raise FolderError(
                f"{new} is a folder of this library already.", "Take one of the two out of it."
            )
        self._store.relocate_source(source.id, new)

    def remove_source(self, folder: Path) -> None:
        """Take a folder out of the library; its documents leave with the next `sync`.

        Raises:
            FolderError: When it is no folder of the library.
            LibraryError: When the library is open for reading only.
        """
        self._store.require_writable()
        self._store.remove_source(self._source_of(folder).id)

    def count_exclusions(self, folder: Path, patterns: Sequence[str]) -> ExclusionCount:
        """Count what is read of a folder and what patterns would leave out; nothing is changed.

        Raises:
            FolderError: When the folder is not there.
        """
        chosen = cleaned(patterns)
        bad = first_bad_pattern(chosen)
        if bad:
            return ExclusionCount(0, 0, bad_pattern=bad)
        found = survey(folder, Exclusions(chosen).leave_out if chosen else None)
        return ExclusionCount(
            len(found.taken),
            len(found.excluded),
            found.excluded[:_N_EXAMPLES],
            not_read=counts_of(found.passed_over),
        )


def _check_folder(folder: Path) -> None:
    if has_foreign_name(str(folder)):
        raise FolderError(
            "The folder's name has characters that this system cannot read.",
            "Rename the folder, then add it.",
        )
    if not folder.exists():
        raise FolderError(f"There is no folder {folder}.", "Check the name and try again.")
    if not folder.is_dir():
        raise FolderError(f"{folder} is a file, not a folder.", "Choose the folder it is in.")
