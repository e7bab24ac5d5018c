"""Composite questions: cut into parts that are complete in themselves.

"DRV5011: what is the longest power-on time, and what is the most supply current it may draw?" asks
two things that stand in two places; the whole question is near neither of them. Where one question
ends and the next begins is read from the parts of speech.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from desktop_qa.augment.codes import codes_in_question
from desktop_qa.augment.grammar import Word
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.phrases import FINITE, is_sentence, phrases_of, words_of

MAX_PARTS = 6
"""Of a question that are searched and answered; the others are to be asked by themselves."""

_INTERROGATIVE = ("WDT", "WP", "WP$", "WRB")
_PREPOSITIONS = ("IN", "TO", "RP")
_ASKING_VERBS = frozenset(
    ("tell", "explain", "list", "give", "show", "describe", "name", "find", "compare",
     "summarise", "summarize")
)  # fmt: skip
_AUXILIARIES = frozenset(
    ("is", "are", "was", "were", "do", "does", "did", "can", "could", "may", "must", "shall",
     "should", "will", "would")
)  # fmt: skip
_LINKS = frozenset(["and", "but", "also", "or", "please", ",", ";"])
_PRONOUNS = frozenset(["it", "its", "they", "their", "them", "those", "these"])
_LEAD = re.compile(r"(?P<lead>[^:?]{2,90}):\s+(?=\S)")
_ASKING_TERMS = frozenset(
    terms_of("much many long high low large far often must need get through below above over under")
)
_MAX_ITEM_WORDS = 8


def split_question(text: str) -> tuple[str, ...]:
    """Cut a composite question into parts, each with the part number and the lead of the whole.

    Args:
        text: Without options.

    Returns:
        At least two complete questions in the order asked, or none when the question is one.
    """
    lead, start = _lead_of(text, words_of(text))
    words = [word for word in words_of(text) if word.start >= start]
    clauses = _clauses(text, words)
    if len(clauses) < 2:
        clauses = _objects(text, words) or _items(text[start:], lead)
    parts = _completed(text, lead, clauses) if len(clauses) > 1 else []
    return tuple(dict.fromkeys(parts)) if len(set(parts)) > 1 else ()


def _asks_from(words: Sequence[Word], n: int) -> bool:
    """Tell whether a question begins with a word: "what", "at which", "does it", "tell me"."""
    while n < len(words) and words[n].tag in _PREPOSITIONS:
        n += 1
    if n >= len(words):
        return False
    word, following = words[n].text.lower(), words[n + 1].tag if n + 1 < len(words) else ""
    if words[n].tag in _INTERROGATIVE or word in ("what", "which", "how"):
        return True
    if word in _ASKING_VERBS:
        return words[n].tag in ("VB", "NNP") or n == 0
    return word in _AUXILIARIES and following in ("DT", "PRP", "PRP$", "NNP", "EX")


def _lead_of(text: str, words: Sequence[Word]) -> tuple[str, int]:
    """Find what all parts stand under, "DRV5011:", and where it ends."""
    is_asked = bool(words) and words[0].tag in _INTERROGATIVE
    match = _LEAD.match(text)
    return (match["lead"].strip(), match.end()) if match and not is_asked else ("", 0)


def _clauses(text: str, words: Sequence[Word]) -> list[str]:
    """Return the clauses that each ask something; a relative clause stays where it is."""
    starts = [0]
    for n in range(1, len(words)):
        begin = n
        while begin and words[begin - 1].text.lower() in _LINKS:
            begin -= 1
        links = {word.text.lower() for word in words[begin:n]}
        is_new = begin > 0 and words[begin - 1].text == "?"
        openings = (
            m for m in range(starts[-1], begin) if m == starts[-1] or words[m - 1].text in ",?"
        )
        is_asked = any(_asks_from(words, m) for m in openings)
        if not is_asked or not (is_new or (links and begin - starts[-1] > 1)):
            continue
        is_verb = words[n].text.lower() in _ASKING_VERBS
        if is_new and words[n].tag in _PREPOSITIONS and codes_in_question(text[words[n].start :]):
            starts.append(n)  # "What is the gain of the X? And of the Y?"
        elif _asks_from(words, n) and not (is_verb and is_new):
            is_listed = links == {","} and words[n].text.lower() not in ("what", "how")
            starts += [] if is_listed else [n]
    spans = zip(starts, [*starts[1:], len(words)], strict=True)
    found = [_between(text, words[a:b]) for a, b in spans if b > a]
    clauses = [clause for clause in found if clause]
    return clauses if len(clauses) > 1 and all(map(_says_enough, clauses)) else []


def _between(text: str, words: Sequence[Word]) -> str:
    words = list(words)
    while words and (words[-1].text.lower() in _LINKS or words[-1].text in "?."):
        words.pop()
    return text[words[0].start : words[-1].start + len(words[-1].text)] if words else ""


def _says_enough(clause: str) -> bool:
    """Tell whether a clause can stand alone: a noun of its own behind a verb, or two words."""
    n_terms = len(set(terms_of(clause)) - _ASKING_TERMS)
    words = words_of(clause)
    is_told = any(
        word.tag in FINITE and after.tag in ("DT", "PRP", "PRP$") for word, after in pairwise(words)
    )
    return n_terms > 1 or (n_terms == 1 and is_told) or bool(codes_in_question(clause))


def _objects(text: str, words: Sequence[Word]) -> list[str]:
    """Return a question for each of several things asked for at once.

    "What is the slew rate, the supply range and the noise of the X at 5 V?": what stands behind the
    last holds for all. "Offset and gain error" is one thing: only with its article can one be of a
    single word.
    """
    phrases = [one for one in phrases_of(text) if words and one.start >= words[0].start]
    if not phrases or not _asks_from(words, 0):
        return []
    first = phrases[0]
    ask = [word for word in words if word.start < first.start]
    if any(word.tag in _PREPOSITIONS for word in ask) or (ask and ask[0].tag == "WRB"):
        return []
    run = [first]
    for phrase in phrases[1:]:
        gap = re.fullmatch(r"\s*(?:,|,?\s*\band\b)\s*(?:also\s+)?(?:the|its)?\s*",
                           text[run[-1].end : phrase.start])  # fmt: skip
        if gap is None:
            break
        run.append(phrase)
    is_told = first.article in ("the", "its") and (
        all(one.article in ("the", "its") for one in run) or all(" " in one.text for one in run)
    )
    tail = text[run[-1].end :].rstrip(" ?.!")
    is_told = is_told and not codes_in_question(text[first.start : run[-1].end])
    if len(run) < 2 or not is_told or is_sentence(tail):
        return []
    asked = text[words[0].start : first.start]
    return [f"{asked}{text[one.start : one.end]}{tail}" for one in run]


def _items(body: str, lead: str) -> list[str]:
    """Return short questions behind a part number: "BQ24075: charge current? output noise?"."""
    if not codes_in_question(lead):
        return []
    items = [item.strip(" .,;") for item in re.split(r"[?;]\s*", body) if item.strip(" .,;")]
    is_short = all(len(item.split()) <= _MAX_ITEM_WORDS for item in items)
    return items if is_short and len(items) > 1 else []


def _completed(text: str, lead: str, clauses: Sequence[str]) -> list[str]:
    codes = codes_in_question(text)
    topic = _topic_of(clauses[0]) if not codes else ""
    parts: list[str] = []
    for n, whole in enumerate(clauses):
        clause = whole.rstrip(" .?!")
        own_codes = codes_in_question(clause)
        if n and own_codes and len(clause.split()) < 5 and not is_sentence(clause):
            # "What is the gain of the X? And of the Y?"
            before = codes_in_question(clauses[n - 1])
            swapped = clauses[n - 1].replace(before[-1], own_codes[0]) if before else ""
            parts.append(f"{swapped or clause}?")
            continue
        own = clause if lead else clause[0].upper() + clause[1:]
        has_code = any(code.lower() in f"{lead} {clause}".lower() for code in codes)
        if codes and not has_code:
            own = f"{', '.join(codes)}: {clause}"
        elif n and not codes and not lead:
            is_named = any(one.text[0].isupper() for one in phrases_of(clause))
            if topic and not is_named:
                own = f"{own}, {topic}"
            elif not _PRONOUNS.isdisjoint(clause.lower().split()):
                return []  # nothing says what "it" is: better one question than half of one
        parts.append(f"{lead}: {own}?" if lead else f"{own}?")
    return parts


def _topic_of(clause: str) -> str:
    """Return what a question without a part number is about: "of the bench board", "of Nike"."""
    for phrase in reversed(phrases_of(clause)):
        of = re.search(r"\b(?:of|in|for|on)\s+(?:the\s+|an?\s+)?$", clause[: phrase.start])
        if of is not None and (phrase.article in ("the", "a", "an") or phrase.text[0].isupper()):
            return f"{clause[of.start() : phrase.end]}"
    return ""


def left_out(text: str) -> list[str]:
    """Say how many parts of an endless question are not answered; nothing when all are."""
    n_parts = len(split_question(text))
    if n_parts <= MAX_PARTS:
        return []
    return [
        f"The question asks {n_parts} things; the first {MAX_PARTS} were answered."
        " Ask the others by themselves."
    ]


def asks_apart(parts: Sequence[str], codes_of_documents: Sequence[Sequence[str]]) -> bool:
    """Tell whether each part of a question is about a document of its own: no comparison.

    Args:
        parts: From `split_question`.
        codes_of_documents: For each document the codes in the question that name it.
    """
    named = [
        [n for n, codes in enumerate(codes_of_documents) if any(code in part for code in codes)]
        for part in parts
    ]
    return len(named) > 1 and all(len(one) == 1 for one in named) and len({*map(tuple, named)}) > 1
