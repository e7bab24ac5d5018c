"""Watches the text of an answer as it comes: thinking apart from it, and loops in it."""

from __future__ import annotations

from dataclasses import dataclass

_TAGS = (
    ("<think>", "</think>"),  # Qwen, DeepSeek and most others
    ("<thinking>", "</thinking>"),
    ("[THINK]", "[/THINK]"),  # Mistral's Magistral
)

_LOOP_LENGTH = 60
_LOOP_TIMES = 4
_LONGEST_LOOP = 4000


@dataclass(frozen=True, slots=True)
class Parted:
    """A piece of an answer.

    Attributes:
        text: For the reader.
        thinking: Not for the reader.
        voids_text: All text so far was thinking.
    """

    text: str = ""
    thinking: str = ""
    voids_text: bool = False


class ThinkingSplitter:
    """Takes thinking out of a text in which tags mark it, wherever the pieces are cut.

    Thinking stands before the answer: a tag after the answer's first word is the document's own.
    Where the server's template has already begun the thinking, only its end is seen.
    """

    def __init__(self) -> None:
        self._held = ""
        self._close = ""
        self._is_answering = False
        self._was_closed = False

    def feed(self, text: str) -> Parted:
        """Take a piece and return what of it is certain; the start of a tag is held back."""
        self._held += text
        return self._parted(is_end=False)

    def end(self) -> Parted:
        """Return what was held back."""
        return self._parted(is_end=True)

    def _parted(self, *, is_end: bool) -> Parted:
        text = thinking = ""
        voids_text = False
        while self._held:
            if self._close:
                inside, closed, rest = self._held.partition(self._close)
                kept = 0 if closed or is_end else _start_of(inside, (self._close,))
                thinking += inside[: len(inside) - kept]
                self._held = rest if closed else inside[len(inside) - kept :]
                if not closed:
                    break
                self._close, self._was_closed = "", True
                continue
            if not self._is_answering:
                stripped = self._held.lstrip()
                opened = next((tag for tag in _TAGS if stripped.startswith(tag[0])), None)
                if opened is not None:
                    self._held = stripped[len(opened[0]) :]
                    self._close = opened[1]
                    continue
                is_start = any(tag.startswith(stripped) for tag, _ in _TAGS)
                if not is_end and is_start:  # blanks, or what may become a tag
                    break
                # Blanks after the thinking are no part of the answer.
                self._held = stripped if self._was_closed else self._held
                self._is_answering = bool(stripped)
                if not stripped:
                    self._held = ""
                    break
            if self._was_closed:
                text, self._held = text + self._held, ""
                break
            end, after = self._lone_end()
            if after is not None:
                thinking, text = thinking + text + self._held[:end], ""
                voids_text = self._was_closed = True
                self._is_answering = False
                self._held = after
                continue
            kept = 0 if is_end else _start_of(self._held, tuple(close for _, close in _TAGS))
            text += self._held[: len(self._held) - kept]
            self._held = self._held[len(self._held) - kept :]
            break
        return Parted(text, thinking, voids_text)

    def _lone_end(self) -> tuple[int, str | None]:
        places = [(self._held.find(close), close) for _, close in _TAGS]
        found = min((place for place in places if place[0] >= 0), default=None)
        if found is None:
            return 0, None
        return found[0], self._held[found[0] + len(found[1]) :]


def _start_of(text: str, tags: tuple[str, ...]) -> int:
    """Return how many characters at the end of a text may begin a tag."""
    longest = max(map(len, tags)) - 1
    for n in range(min(longest, len(text)), 0, -1):
        if any(tag.startswith(text[-n:]) for tag in tags):
            return n
    return 0


class LoopWatch:
    """Tells when a text goes round: 60 or more characters, four times in a row."""

    def __init__(self) -> None:
        self._end = ""

    def goes_round(self, text: str) -> bool:
        """Take a piece, and tell whether the text so far ends in a loop."""
        self._end = (self._end + text)[-_LOOP_TIMES * _LONGEST_LOOP :]
        tail = self._end[-_LOOP_LENGTH:]
        if len(tail) < _LOOP_LENGTH:
            return False
        before = self._end.rfind(tail, 0, len(self._end) - _LOOP_LENGTH)
        while before >= 0:
            length = len(self._end) - _LOOP_LENGTH - before
            whole = self._end[-_LOOP_TIMES * length :]
            if len(whole) < _LOOP_TIMES * length:
                return False
            if whole == whole[-length:] * _LOOP_TIMES:
                return True
            before = self._end.rfind(tail, 0, before + _LOOP_LENGTH - 1)
        return False


class Surrogates:
    """Joins the halves of a character that a server cut into two JSON texts."""

    def __init__(self) -> None:
        self._half = ""

    def joined(self, text: str) -> str:
        """Return text of whole characters; a first half at its end waits for the second."""
        if not self._half and text.isprintable():
            return text
        whole = self._half + text
        self._half = ""
        if whole and "\ud800" <= whole[-1] <= "\udbff":
            self._half, whole = whole[-1], whole[:-1]
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
