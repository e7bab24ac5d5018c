"""Some words of a text around what was found in it, in one line."""

from __future__ import annotations

import re

from desktop_qa.core.search_view import Spans

LENGTH = 240
_BEFORE = 60
_BREAK = re.compile(r"\s*\n\s*")
_SPACE = re.compile(r"[ \t\u00a0]+")
_EMPTY_CELLS = re.compile(r"\|(?: *\|)+")
_JOINT = " · "


def one_line(text: str) -> str:
    """Return a text in one line; where a line ended stands a dot."""
    line = _BREAK.sub(_JOINT, _SPACE.sub(" ", text.strip()))
    return _EMPTY_CELLS.sub("|", line).replace("· | ", "· ").replace(" | ·", " ·")


def snippet_of(line: str, spans: Spans) -> tuple[str, Spans]:
    """Cut the piece of a line that holds the most of what was found.

    Returns:
        The piece, with an ellipsis where it was cut, and the spans in it.
    """
    if len(line) <= LENGTH:
        return line, spans
    start = _best_start(line, spans)
    end = min(start + LENGTH, len(line))
    if end < len(line):
        cut = line.rfind(" ", start, end)
        end = cut if cut > start + LENGTH // 2 else end
    lead, tail = ("… " if start else ""), (" …" if end < len(line) else "")
    shift = len(lead) - start
    inside = tuple((a + shift, b + shift) for a, b in spans if a >= start and b <= end)
    return f"{lead}{line[start:end]}{tail}", inside


def _best_start(line: str, spans: Spans) -> int:
    """Return where the window with the most different words found begins."""

    def worth(first: int) -> int:
        end = first + LENGTH - _BEFORE
        held = [line[a:b].casefold() for a, b in spans if first <= a and b <= end]
        return 10 * len(set(held)) + len(held)

    best = max((first for first, _end in spans), key=worth, default=0)
    start = max(best - _BEFORE, 0)
    if start:
        space = line.find(" ", start, best)
        start = space + 1 if space >= 0 else start
    return start
