"""Cuts text at sentence ends: "Fig. 3", "typ. 5 V" and "U.S. Bank" do not end one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+(?=[A-Z0-9(\[\"“'•\-–*µΩ])|[。！？]|[;:]\s+(?=•)|\n+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:etc|cf|vs|viz|approx|typ|max|min|nom|ref|refs|resp|incl|excl|no|nos"
    r"|nr|fig|figs|eq|eqs|eqn|sec|sect|ch|chap|vol|rev|ver|pp?|al|ca|dept|inc|ltd|corp|co|st|dr"
    r"|mr|ms|mrs|prof|temp|freq|assy|qty|(?:[A-Za-z]\.)*[A-Za-z])\.\s+$",
    re.IGNORECASE,
)
_SINGLE_CAPITAL_END = re.compile(r"[a-z0-9)\]Ωµ°]\s?[A-Z]\.\s+$")


def split_sentences(text: str) -> list[str]:
    """Split a text into its sentences; nothing but white space between them is lost.

    A line end always ends a sentence: the blocks' text has one only where the page means it.
    """
    sentences = []
    start = 0
    for match in _END.finditer(text):
        before = text[start : match.end()]
        if "\n" not in match.group() and _is_abbreviation(before):
            continue
        if sentence := before.strip():
            sentences.append(sentence)
        start = match.end()
    if rest := text[start:].strip():
        sentences.append(rest)
    return sentences


def _is_abbreviation(before: str) -> bool:
    tail = before[-24:]
    if _SINGLE_CAPITAL_END.search(tail):  # "at 5 V. The" ends a sentence, "J. Smith" does not
        return False
    return _ABBREVIATION.search(tail) is not None


def split_at_words(text: str, limit: int, count_tokens: Callable[[str], int]) -> list[str]:
    """Cut a text that has no sentence ends into parts of at most `limit` tokens.

    Cuts fall between words; a single word over the limit is cut inside, so no part is too long
    and nothing is lost.
    """
    if count_tokens(text) <= limit:
        return [text]
    parts: list[str] = []
    current: list[str] = []
    used = 0
    for word in text.split():
        size = count_tokens(word)
        if current and used + size > limit:
            parts.append(" ".join(current))
            current, used = [], 0
        if size > limit:
            parts += _split_word(word, limit, count_tokens)
        else:
            current.append(word)
            used += size
    if current:
        parts.append(" ".join(current))
    return parts


def _split_word(word: str, limit: int, count_tokens: Callable[[str], int]) -> list[str]:
    # A token is at least one character, so `limit` characters always fit; the tokenizer takes a
    # very long word as one unknown token, hence the halves.
    half = len(word) // 2
    if len(word) <= limit or half == 0 or (count_tokens(word) <= limit and len(word) < 400):
        return [word]
    return [
        *_split_word(word[:half], limit, count_tokens),
        *_split_word(word[half:], limit, count_tokens),
    ]


def partition(
    n_units: int,
    fill: Callable[[int, int], float],
    break_costs: Sequence[float],
) -> list[tuple[int, int]]:
    """Cut units 0..n-1 into pieces (first, last), inclusive, each no fuller than 1.

    Minimises the sum over pieces of 1 + fill², plus the cost of the break before each unit: so as
    few pieces as possible, of even size, broken where it hurts least. Exact, by dynamic
    programming. A single unit over the limit stands alone.
    """
    best = [0.0] + [float("inf")] * n_units
    start_of = [0] * (n_units + 1)
    for first in range(n_units):
        cost_before = best[first] + (break_costs[first] if first else 0.0)
        for last in range(first, n_units):
            share = fill(first, last)
            if share > 1.0 and last > first:
                break
            cost = cost_before + 1.0 + share * share
            if cost < best[last + 1]:
                best[last + 1] = cost
                start_of[last + 1] = first
    pieces = []
    end = n_units
    while end > 0:
        pieces.append((start_of[end], end - 1))
        end = start_of[end]
    return pieces[::-1]
