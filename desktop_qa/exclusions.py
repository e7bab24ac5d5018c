"""Patterns that leave files of a source folder out, as a .gitignore has them.

Names are compared without regard to case on every system: who writes "draft*" means Draft-1.pdf
as well. A source of which only single files are taken leaves out everything and lets them back
in ("*", "!/one.pdf"), so that files are linked where they are and never copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from desktop_qa.core.errors import FolderError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_EVERYTHING = "*"
_SPECIAL = re.compile(r"([\\*?\[\]!# ])")


class Exclusions:
    """Compiled patterns; says which paths of a folder they leave out."""

    def __init__(self, patterns: Sequence[str]) -> None:
        """Compile patterns.

        Raises:
            FolderError: When one cannot be understood.
        """
        bad = first_bad_pattern(patterns)
        if bad:
            raise FolderError(
                f"The pattern {bad} cannot be understood.",
                "Write it as in a .gitignore: *draft*, old/, /archive/**, !keep.pdf.",
            )
        folded = [pattern.casefold() for pattern in patterns]
        self._spec = _compiled(folded)

    def leave_out(self, path: str) -> bool:
        """Tell whether a file, relative with "/" separators, is left out."""
        return self._spec.match_file(path.casefold())


def _compiled(patterns: Iterable[str]) -> GitIgnoreSpec:
    # The window needs this module at its start, and matches nothing before it is on screen.
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)


def first_bad_pattern(patterns: Iterable[str]) -> str:
    """Return the first pattern that cannot be understood, or an empty text."""
    return next((pattern for pattern in patterns if not _is_understood(pattern)), "")


def _is_understood(pattern: str) -> bool:
    if pattern.startswith("#"):
        return True
    try:
        compiled = _compiled([pattern]).patterns
    except (ValueError, re.error):
        return False
    # What cannot match anything, such as an open bracket, is taken silently and does nothing.
    return all(one.include is not None for one in compiled)


def cleaned(lines: Iterable[str]) -> tuple[str, ...]:
    """Return patterns as they are kept: no blanks around, no empty lines, none twice."""
    return tuple(dict.fromkeys(line.strip() for line in lines if line.strip()))


def pattern_of(path: str) -> str:
    """Return the pattern of exactly one file or folder, relative with "/" separators."""
    return "/" + _SPECIAL.sub(r"\\\1", path)


def only(paths: Iterable[str]) -> tuple[str, ...]:
    """Return patterns that leave out everything but some files, relative to the folder."""
    return (_EVERYTHING, *(f"!{pattern_of(path)}" for path in paths))


def is_only_some(patterns: Sequence[str]) -> bool:
    """Tell whether patterns take single files of a folder instead of the folder."""
    return bool(patterns) and patterns[0] == _EVERYTHING


def with_files(patterns: Sequence[str], paths: Iterable[str]) -> tuple[str, ...]:
    """Return patterns that let some files in, whatever they left out before."""
    return cleaned((*patterns, *(f"!{pattern_of(path)}" for path in paths)))
