"""What was meant by a word that no document holds: the commonest word one slip of the keys away."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from desktop_qa.index.terms import fold, terms_of

LETTERS_AND_DIGITS = string.ascii_lowercase + string.digits
_LEAST_LETTERS, _MOST_LETTERS = 4, 24
_LEAST_HOLDERS = 2
_WORD = re.compile(r"[a-z]+")


def slips(word: str, alphabet: str = string.ascii_lowercase) -> Iterator[str]:
    """Yield what is one key away: a letter left out, doubled, wrong, or two that changed places."""
    for i in range(len(word) + 1):
        before, after = word[:i], word[i:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in alphabet:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]


def nearest_word(
    word: str, frequency: Callable[[str], int], texts_with: Callable[[str], Iterable[str]]
) -> str:
    """Return the word that was meant; empty when none is near.

    Part numbers and names with digits are left as they are: the nearest one is another part.

    Args:
        word: As it was typed; stands in no text.
        frequency: Number of segments that hold a term.
        texts_with: Some texts that hold a term; they tell how the word of a stem is written.
    """
    folded = fold(word)
    if not (_WORD.fullmatch(folded) and _LEAST_LETTERS <= len(folded) <= _MOST_LETTERS):
        return ""
    term_of = {slip: terms[0] for slip in slips(folded) if len(terms := terms_of(slip)) == 1}
    counts = {term: frequency(term) for term in set(term_of.values())}
    best = max(sorted(counts), key=counts.__getitem__, default="")
    if not best or counts[best] < _LEAST_HOLDERS:
        return ""
    written = Counter(
        found
        for text in texts_with(best)
        for found in _WORD.findall(fold(text))
        if term_of.get(found) == best
    )
    return written.most_common(1)[0][0] if written else ""


def respelled(text: str, better: dict[str, str]) -> str:
    """Return a search with words put in place of others; those are of letters alone."""
    for word, meant in better.items():
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", meant, text)
    return text
