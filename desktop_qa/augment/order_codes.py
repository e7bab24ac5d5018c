"""What is ordered with a part, learned from the order codes that documents print.

Makers put grade, package and reel behind a part number in an order of their own. Which letters
those are stands in the ordering tables: what several parts are listed with is no part of their
number. Nothing here knows a maker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

GRADES = frozenset({"q1", "q100", "ep", "sp"})
"""Automotive and enhanced twins are sold by sheets of their own, whoever makes them."""

_PACKED = frozenset({"nopb", "pbf", "trpbf", "reel", "reel7", "rl", "rl7", "r7", "tr"})
"""Reels and lead-free marks of many makers, for a library too small to learn them."""

_MIN_STEMS = 2
MIN_LENGTH = 2
"""A single letter may name another part: DRV8833C is not the DRV8833. Only its document tells."""


class OrderGrammar:
    """A small automaton over what stands behind part numbers, in normal form.

    What two parts or more are listed with leads from the number to an end of the code, and what
    such ends are seen to go on with leads from there to an end again: "dgk", "r", "g4".
    """

    def __init__(
        self, listed: Iterable[Iterable[str]], names: Collection[str] = frozenset()
    ) -> None:
        """Learn from listed codes.

        Args:
            listed: Of each part what it is listed with.
            names: What is behind a number that makes it another part; never an end.
        """
        ends: Counter[str] = Counter()
        further: Counter[str] = Counter()
        for rests in map(frozenset, listed):
            ends.update(rests)
            further.update(
                {rest[n:] for rest in rests for n in range(1, len(rest)) if rest[:n] in rests}
            )
        self._ends = _PACKED.union(
            end for end, n in ends.items() if n >= _MIN_STEMS and len(end) >= MIN_LENGTH
        ).difference(names)
        self._further = _PACKED.union(end for end, n in further.items() if n >= _MIN_STEMS)

    def accepts(self, rest: str) -> bool:
        """Tell whether what stands behind a part is built as the library's order codes are."""
        return any(
            rest[:n] in self._ends and self.goes_on(rest[n:]) for n in range(1, len(rest) + 1)
        )

    def goes_on(self, rest: str) -> bool:
        """Tell whether the end of an order code may have something behind it; "" it may."""
        return not rest or any(
            rest[:n] in self._further and self.goes_on(rest[n:]) for n in range(1, len(rest) + 1)
        )


def is_variant(rest: str, own: Mapping[str, bool], names: Collection[str]) -> bool:
    """Tell whether a part has a variant, by the codes that its own document prints.

    It is printed surely, or is a printed code without what is behind it or without a package inside
    ("TPS1H100A-Q1" of TPS1H100AQPWPRQ1), or is printed once and built like another.

    Args:
        rest: What is behind the part, in normal form; not empty.
        own: What the document prints behind it, and whether it is surely a variant: listed for
            ordering or spoken of twice. What stands there once may be another part.
        names: What makes another part unless the document speaks of it twice.
    """
    longer = [code for code in own if code.startswith(rest) and code != rest]
    if own.get(rest) or (longer and (rest in own or len(rest) >= MIN_LENGTH)):
        return True
    if len(rest) < MIN_LENGTH:
        # One letter of a package is no variant; one that the codes go on from differently is.
        goes_on_apart = len({code[1] for code in longer}) > 1
        return goes_on_apart or any(not c[1].isalnum() or _has_twin(c, own, 1) for c in longer)
    lacks_package = any(
        is_sure and len(code) > len(rest) and code.startswith(rest[:n]) and code.endswith(rest[n:])
        for code, is_sure in own.items()
        for n in range(1, len(rest) - 1)
    )
    return lacks_package or (rest in own and rest not in names and _has_twin(rest, own, len(rest)))


def _has_twin(code: str, own: Iterable[str], n: int) -> bool:
    """Tell whether another code differs in one character only, which is among the first few."""
    return len(code) > MIN_LENGTH and any(
        len(other) == len(code)
        and other[n:] == code[n:]
        and sum(a != b for a, b in zip(code, other, strict=True)) == 1
        for other in own
    )
