"""Titles above or below a table, the notes under it, and the conditions that its title states."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.captions import table_label
from desktop_qa.parse.page import PageContent, StyledWord
from desktop_qa.parse.table_text import TextLine, join_lines_of_text, text_lines

_CONTINUED = re.compile(r"[\s(\[.…—–-]*\b(?:continued|cont'?d?\.?)[)\].…]*\s*$", re.IGNORECASE)

_NOTE = re.compile(
    r"^(?:\(\d{1,2}\)|\[\d{1,2}\]|notes?\b\s*(?:\d+\s*)?[:.]|notes?\s+\d+|\*+\s*\S|†|‡|\(?[a-z]\)\s|[¹²³])",
    re.IGNORECASE,
)
_BRACKETED_NOTE = re.compile(r"[(\[]\d{1,2}[)\]]\s+\S")
_BARE_NOTE = re.compile(r"^(\d{1,2}|[a-z])[.:)]?\s*\S")

REACH_ABOVE = 48.0
REACH_BELOW = 48.0
REACH_BELOW_NOTES = 150.0
NOTE_GAP = 22.0
MAX_NOTES_HEIGHT = 260.0


@dataclass(frozen=True, slots=True)
class Title:
    """Label and caption of a table with the words they are made of."""

    label: str
    caption: str
    word_indices: tuple[int, ...]


def strip_continued(caption: str) -> tuple[str, bool]:
    """Remove "(continued)" from the end of a caption; tell whether it was there."""
    stripped = _CONTINUED.sub("", caption)
    return stripped.strip(), stripped != caption


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of a table with the words they are made of."""

    texts: tuple[str, ...]
    word_indices: tuple[int, ...]


def find_titles(
    page: PageContent,
    boxes: Sequence[BoundingBox],
    places: Sequence[BoundingBox],
    taken: frozenset[int],
) -> list[Title | None]:
    """Find the "Table 3. ..." line of each table, above or below; places are boxes with notes.

    A page has its titles above its tables or below them, not both: a title that stands
    between two tables goes the way of the others.
    """
    above = [_title_above(page, box, taken) for box in boxes]
    below = [_title_below(page, place, taken) for place in places]
    under = {title.word_indices for title in above if title}
    over = {title.word_indices for title in below if title}
    between = under & over
    if len(over - between) > len(under - between):
        first, second, claimed = below, above, over
    else:
        first, second, claimed = above, below, under
    return [
        one or (other if other and other.word_indices not in claimed else None)
        for one, other in zip(first, second, strict=True)
    ]


def _title_above(page: PageContent, bbox: BoundingBox, taken: frozenset[int]) -> Title | None:
    lines = _lines_between(page, bbox, bbox.top - REACH_ABOVE, bbox.top + 1, taken)
    for k in range(len(lines) - 1, -1, -1):
        if table_label(lines[k].text):
            return read_title(_with_following(lines, k))
    return None


def _title_below(page: PageContent, place: BoundingBox, taken: frozenset[int]) -> Title | None:
    bottom = place.bottom
    lines = _lines_between(page, place, bottom - 1, bottom + REACH_BELOW_NOTES, taken)
    for k, line in enumerate(lines):
        after_notes = k > 0 and _BARE_NOTE.match(lines[0].text) is not None
        if line.bbox.top > bottom + REACH_BELOW and not after_notes:
            break
        if table_label(line.text):
            return read_title(_with_following(lines, k))
    return None


def _with_following(lines: list[TextLine], k: int) -> list[TextLine]:
    """A caption runs on over lines that follow closely in the same size, until its full stop."""
    taken = [lines[k]]
    for line in lines[k + 1 :]:
        last = taken[-1]
        gap = line.baseline - last.baseline
        indented = line.bbox.left > taken[0].bbox.left + 2 * line.size
        if (
            gap > 1.45 * last.size
            or abs(line.size - last.size) > 0.6
            or last.text.rstrip().endswith(".")
            or (last.bbox.width < 200 and not indented)
        ):
            break
        taken.append(line)
    return taken


def read_title(lines: Sequence[TextLine]) -> Title:
    """Read a title, which need not have a label."""
    text = join_lines_of_text([line.text for line in lines])
    label, caption = table_label(text) or ("", text)
    return Title(label, caption, tuple(index for line in lines for index in line.words))


def begins_note(text: str) -> bool:
    """Tell whether a line begins with a number in brackets."""
    return _BRACKETED_NOTE.match(text) is not None


def starts_note(text: str) -> bool:
    """Tell whether a line begins as the notes of a table do: "Note 1: ...", "(1) ...", "* ..."."""
    return _NOTE.match(text) is not None


def find_notes(
    page: PageContent, bbox: BoundingBox, taken: frozenset[int], marks: frozenset[str]
) -> Notes:
    """Read the notes that follow a table; a bare "1. ..." is one only when among the marks."""
    lines = _lines_between(page, bbox, bbox.bottom - 1, bbox.bottom + MAX_NOTES_HEIGHT, taken)
    notes: list[list[str]] = []
    indices: list[int] = []
    bottom = bbox.bottom
    first: TextLine | None = None
    for line in lines:
        gap = line.bbox.top - bottom
        if _starts_note(line, marks, page.words) and gap <= (
            NOTE_GAP if first is None else 1.1 * line.size + 3
        ):
            notes.append([line.text])
            first = first or line
        elif first is not None and _carries_on(line, first, gap):
            notes[-1].append(line.text)
        else:
            break
        indices.extend(line.words)
        bottom = line.bbox.bottom
    return Notes(tuple(join_lines_of_text(note) for note in notes), tuple(indices))


def _carries_on(line: TextLine, first: TextLine, gap: float) -> bool:
    return (
        gap <= 0.75 * line.size
        and line.bbox.left >= first.bbox.left - 2
        and abs(line.size - first.size) < 0.5
        and not table_label(line.text)
    )


def _starts_note(line: TextLine, marks: frozenset[str], words: Sequence[StyledWord]) -> bool:
    if _NOTE.match(line.text):
        return True
    bare = _BARE_NOTE.match(line.text)
    return bare is not None and not words[line.words[0]].bold and bare[1] in marks


_MARK = re.compile(r"[(\[]?(\d{1,2}|[a-z]|\*+)[)\]]?")


def reference_marks(words: Sequence[StyledWord], indices: Iterable[int]) -> frozenset[str]:
    """Collect the marks by which a table's cells refer to its notes: small or in parentheses."""
    found: set[str] = set()
    size = max((words[i].size for i in indices), default=0.0)
    for index in indices:
        word = words[index]
        match = _MARK.fullmatch(word.text)
        if match and (word.size < 0.8 * size or word.text[0] in "(["):
            found.add(match[1])
        found.update(re.findall(r"\((\d{1,2})\)", word.text))
    return frozenset(found)


def _lines_between(
    page: PageContent, bbox: BoundingBox, top: float, bottom: float, taken: frozenset[int]
) -> list[TextLine]:
    near = [
        index
        for index, word in enumerate(page.words)
        if index not in taken
        and word.angle == 0
        and top <= (word.bbox.top + word.bbox.bottom) / 2 <= bottom
        and word.bbox.right > bbox.left - 24
        and word.bbox.left < bbox.right + 24
    ]
    # What begins right of the table is the next column's.
    over = {page.words[i].line_no for i in near if page.words[i].bbox.left < bbox.right}
    return text_lines(page.words, [i for i in near if page.words[i].line_no in over])


_UNLESS = (
    r"unless\s+(?:otherwise|noted|specified|stated)|除非另有|特記なき|"
    r"(?:wenn|soweit|sofern) nicht anders"
)
_EQUALS = (
    r"(?<![\w.])[^\W\d_][\w+/.−-]{0,11}(?:\([\w+−-]{1,8}\))?\s*[=≤≥≈]\s*(?:[-+−–±]?\s*\d|[A-Z]\w)"
)
_STATES = re.compile(f"{_UNLESS}|{_EQUALS}", re.IGNORECASE)
_GENERAL = re.compile(_UNLESS, re.IGNORECASE)
_BRACKETED = re.compile(r"[(（]((?:[^()（）]|[(（][^()（）]*[)）])*)[)）]?")
_FIRST = re.compile(
    rf"(?:\b(?:at|for|with|over|all|under)\b[^=(]{{0,40}})?(?:{_EQUALS})", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<=[a-z)]\.)\s+(?=[A-Z])")


def conditions_in(text: str, *, general: bool = False) -> tuple[str, ...]:
    """Cut the conditions out of a title, or of the text beside it.

    Returns:
        As printed, without the brackets: "TJ = 25 °C unless otherwise noted"; in `general` only
        what says of itself that it holds for the whole table.
    """
    pattern = _GENERAL if general else _STATES
    return tuple(
        part.strip(" ;,")
        for sentence in _SENTENCE_END.split(" ".join(text.split()))
        for part in _parts(sentence)
        if pattern.search(part)
    )


def _parts(sentence: str) -> Iterator[str]:
    """Yield what stands in brackets, else the sentence from its first condition on."""
    bracketed = [match[1] for match in _BRACKETED.finditer(sentence) if _STATES.search(match[1])]
    rest = _BRACKETED.sub(lambda m: m[0] if not _STATES.search(m[1]) else " ", sentence)
    if first := _FIRST.search(rest):
        yield rest[first.start() :]
    elif _GENERAL.search(rest):
        yield rest
    yield from bracketed


def without_conditions(text: str) -> str:
    """Return what a title says besides its conditions."""
    for part in conditions_in(text):
        text = text.replace(part, "")
    return text.strip(" ()（）;,:-–—")
