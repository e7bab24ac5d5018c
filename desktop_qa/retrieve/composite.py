"""Composite questions: cut into parts that are complete in themselves, and their rankings merged.

"DRV5011: what is the longest power-on time, and what is the most supply current it may draw?" asks
two things that stand in two places; the whole question is near neither of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from desktop_qa.augment.codes import codes_in_question
from desktop_qa.index.rows import best_rows
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.fusion import FloatArray
from desktop_qa.retrieve.phrases import is_sentence

N_TURNS = 100
"""More than any answer or reader looks at; sorting all segments took most of a question's time."""

_PREPOSITION = (
    r"(?:at|in|on|from|by|to|with|below|above|for|under|over|up\s+to|through|within|after|until)"
)
_INTERROGATIVE = rf"(?:{_PREPOSITION}\s+)?(?:what|which|how|when|where|why|who|whose)\b"
_AUXILIARY = r"(?:does|do|is|are|can|must|may|will|has|have)"
_NEXT_QUESTION = re.compile(
    rf"(?:\s*[,;]\s*(?:and|but|also|or)\s+(?:also\s+)?|\s+and\s+(?:also\s+)?|\s*;\s*)"
    rf"(?={_INTERROGATIVE}|{_AUXILIARY}\s+(?:it|they|the|this|that|I)\b)|\s*,\s*(?=(?:what|how)\b)",
    re.IGNORECASE,
)
_NEXT_SENTENCE = re.compile(
    r"\?\s+(?=(?:and\s+)?(?:what|which|how|when|where|why|who|does|do|is|are|can|may|from|at|in)\b)",
    re.IGNORECASE,
)
_BEGINS = re.compile(rf"{_PREPOSITION}\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?P<lead>[^:?]{2,90}):\s+(?=\S)"
    rf"|^(?P<clause>(?:for|with|on|in|at|if|when|using|given|going\s+by|according\s+to)\s[^?:]{{3,90}}?)"
    rf",\s+(?={_INTERROGATIVE})",
    re.IGNORECASE,
)
_ASKS = re.compile(rf"^\W*(?:and\s+)?{_INTERROGATIVE}", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|its|they|their|them|that\s+mode|those|these)\b", re.IGNORECASE)
_TOPIC = re.compile(
    r"\b(?:of|in|for|on)\s+(?P<topic>(?:the|an?|[A-Z]\w*['’]s)\s+[^,?;]{3,60}?)\s*\??\s*$"
)

_ASKS_FOR = re.compile(
    r"^\W*(?:please\s+)?(?:(?:what|which)(?:['’]?s|\s+(?:is|are|was))|(?:tell|give|show)\s+me|give|state"
    r"|name|list|find|(?:i\s+(?:need|want|would\s+like|am\s+looking\s+for)|i['’]d\s+like)(?:\s+to\s+know)?)\s+(?=the\s)",
    re.IGNORECASE,
)
_NEXT_OBJECT = re.compile(
    r"\s*,\s*(?:and\s+)?(?:also\s+)?(?=(?:the|its)\s)|\s+and\s+(?:also\s+)?(?=(?:the|its)\s)",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s+(?:of|in|for|on|at|with|from|when|during|over)\s", re.IGNORECASE)
_OPEN_END = re.compile(r"\b(?:of|in|for|on|at|with|from|to|between|by)\s*$", re.IGNORECASE)
_OF_BOTH = re.compile(
    r"\b(?:difference|ratio|sum|total|product|relation\w*|between|distance)\b", re.IGNORECASE
)
"""What is asked for of two things together."""
_COMPARING = re.compile(
    r"\b(?:compare[ds]?|comparison\s+of|versus|vs\.?|what\s+is\s+the\s+difference\s+between"
    r"|differences?\s+(?:between|in)|how\s+do(?:es)?|differ\w*|compared\s+(?:with|to)|both|each"
    r"|respectively|which\s+of\s+(?:the\s+two|these|those|them)|the\s+two)\b",
    re.IGNORECASE,
)
_LEFT_ALONE = re.compile(
    r"(?:\b(?:of|in|between|for|to|the|and|or|with|from|than)\b[\s,]*)+(?=[?.,;:]|$)"
    r"|(?<=[\s:])(?:and|or)\s+(?=(?:and|or|the)\b)|^\W*(?:and|or|,)+\s+",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"\b(?:of|with|in|the|and|or|between|than)\s+(?=(?:of|with|in|the|and|or|family|chips?|parts?"
    r"|devices?)\b(?!\s+\w))",
    re.IGNORECASE,
)
_ASKING_TERMS = frozenset(
    terms_of("much many long high low large far often must need get through below above over under")
)
_SENTENCE = re.compile(
    rf"^\W*{_INTERROGATIVE}.*\b(?:is|are|was|must|may|can|should|do|does|has|have)\s+"
    r"(?:the|an?|my|its|their|(?:it|they|this|that)\s+\w)",
    re.IGNORECASE,
)
_MIN_CONTENT_WORDS = 2
_MIN_WORDS = 2
_MAX_ITEM_WORDS = 8
MAX_PARTS = 6
"""Of a question that are searched and answered; the others are to be asked by themselves."""

_MAX_COMPARED = 5
_MAX_CHARACTERS = 4000


def split_question(text: str) -> tuple[str, ...]:
    """Cut a composite question into parts, each with the part number and the lead of the whole.

    Args:
        text: Without options.

    Returns:
        At least two complete questions in the order asked, or none when the question is one.
    """
    if len(text) > _MAX_CHARACTERS:
        return ()
    lead, body = _lead_of(text)
    clauses = _clauses(body)
    if any(_ASKS.match(clause) and not _says_enough(clause) for clause in clauses):
        return ()
    if len(clauses) < 2:
        clauses = _what_and_what(body) or _objects(body) or _items(body, lead)
    if len(clauses) < 2:
        return ()
    parts = _completed(text, lead, clauses)
    return tuple(dict.fromkeys(parts)) if len(set(parts)) > 1 else ()


def _items(body: str, lead: str) -> list[str]:
    """Return short questions that stand one after the other behind a part number.

    "BQ24075: charge current limit? termination current?" and the same with commas.
    """
    if not codes_in_question(lead):
        return []
    items = [item.strip(" .,;") for item in re.split(r"\?\s*|;\s*", body) if item.strip(" .,;")]
    if len(items) < 2:
        items = [item.strip(" ?.") for item in re.split(r",\s*(?:and\s+)?|\s+and\s+", body)]
        if any(len(item.split()) < 2 or is_sentence(item) or _BEGINS.match(item) for item in items):
            return []
    return items if all(len(item.split()) <= _MAX_ITEM_WORDS for item in items) else []


def _objects(body: str) -> list[str]:
    """Return a question for each of several things asked for at once.

    "What is the slew rate, the supply range and the noise of the X at 5 V?": what stands behind the
    last holds for those that have nothing of their own. "Offset and gain error" is one thing: only
    with its article can one be of a single word.
    """
    match = _ASKS_FOR.match(body)
    if match is None or is_sentence(body[match.end() :]):
        return []
    objects = _NEXT_OBJECT.split(body[match.end() :].strip(" ?.!"))
    if len(objects) < 2:
        head, _, rest = objects[0].partition(" and ")
        tail = _TAIL.search(rest)
        noun = rest[: tail.start()] if tail is not None else rest
        is_two = len(head.split()) > 2 and len(noun.split()) > 1 and not _TAIL.search(head)
        objects = [head, rest] if is_two else []
    if not objects or any(_OPEN_END.search(one) or _OF_BOTH.search(one) for one in objects):
        return []
    tail = _TAIL.search(objects[-1])
    shared = objects[-1][tail.start() :] if tail is not None else ""
    completed = [one if _TAIL.search(one) else one + shared for one in objects]
    return [f"{match.group()}{one}" for one in completed]


_WHAT_AND_WHAT = re.compile(
    rf"^\W*(?P<ask>what|which)\s+(?P<first>[\w\s/-]{{3,50}}?)\s+and\s+(?:what|which)\s+"
    rf"(?P<second>[\w\s/-]{{3,50}}?)\s+(?P<rest>{_AUXILIARY}\s+.+)$",
    re.IGNORECASE,
)


def _what_and_what(body: str) -> list[str]:
    """Return "What gain" and "what slew rate does the X have" each with what asks for both."""
    match = _WHAT_AND_WHAT.match(body)
    if match is None or re.search(rf"\b{_AUXILIARY}\b", match["first"], re.IGNORECASE):
        return []
    names = (match["first"], match["second"])
    return [f"{match['ask']} {name} {match['rest']}" for name in names]


def _says_enough(clause: str) -> bool:
    """Tell whether a clause can stand alone: "through what resistance?" cannot.

    A verb makes it a sentence: "what is the dropout", "how large must the capacitor be".
    """
    n_words = len(set(terms_of(clause)) - _ASKING_TERMS)
    return n_words >= _MIN_CONTENT_WORDS or (n_words == 1 and bool(_SENTENCE.match(clause)))


def _lead_of(text: str) -> tuple[str, str]:
    """Split off what all parts stand under: "DRV5011:", "With EN low, ..."."""
    match = _LEAD.match(text)
    if match is None or (match["lead"] and _ASKS.match(match["lead"])):
        return "", text
    return (match["lead"] or match["clause"]).strip(), text[match.end() :]


def _clauses(body: str) -> list[str]:
    """Return the clauses that each ask something; a relative clause stays where it is."""
    clauses: list[str] = []
    for sentence in _NEXT_SENTENCE.split(body):
        pieces: list[str] = []
        position = 0
        for match in _NEXT_QUESTION.finditer(sentence):
            piece = sentence[position : match.start()]
            if _is_question(piece, is_first=not pieces and not clauses):
                pieces.append(piece)
                position = match.end()
        pieces.append(sentence[position:])
        clauses += [piece.strip(" ,;?") for piece in pieces if piece.strip(" ,;?")]
    return [clause for clause in clauses if len(clause.split()) >= _MIN_WORDS]


def _is_question(piece: str, *, is_first: bool) -> bool:
    """A question before "and which" ends there; "the pins that ..." before it may go on."""
    words = piece.split()
    if len(words) < 4:
        return False
    return (
        bool(_ASKS.match(piece))
        or (
            is_first
            and bool(re.match(r"\W*(?:does|do|is|are|can|may|must|will|has|have)\b", piece, re.I))
        )
        or bool(re.search(rf",\s*{_INTERROGATIVE}", piece, re.IGNORECASE))
    )


def _completed(text: str, lead: str, clauses: Sequence[str]) -> list[str]:
    codes = codes_in_question(text)
    topic = _TOPIC.search(clauses[0]) if not codes else None
    parts: list[str] = []
    for number, whole in enumerate(clauses):
        clause = whole.rstrip(" .?!")
        own = clause[0].upper() + clause[1:] if not lead else clause
        has_code = any(code.lower() in f"{lead} {clause}".lower() for code in codes)
        if number and codes and not has_code:
            own = f"{', '.join(codes)}: {clause}"
            if lead:
                parts.append(f"{', '.join(codes)}, {lead[0].lower()}{lead[1:]}: {clause}?")
                continue
        elif number and not codes and not lead:
            if topic is not None:
                own = f"{own}, {topic.group().strip(' ?')}"
            elif _PRONOUN.search(clause):
                return []  # nothing says what "it" is: better one question than half of one
        parts.append(f"{lead}: {own}?" if lead else f"{own}?")
    return parts


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


def split_by_document(text: str, codes_of_documents: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Cut a comparison into one part for each document that it names.

    Args:
        text: As typed.
        codes_of_documents: For each document the codes in the text that name it.

    Returns:
        One question for each, led by its codes; none when the codes do not tell them apart.
    """
    distinct = list(dict.fromkeys(tuple(codes) for codes in codes_of_documents if codes))
    if len(distinct) < 2 or len(distinct) > _MAX_COMPARED:
        return ()
    topic = text
    for codes in distinct:
        for code in codes:
            topic = re.sub(re.escape(code), " ", topic, flags=re.IGNORECASE)
    topic = _COMPARING.sub(" ", topic)
    for _ in range(2):
        topic = _LEFT_ALONE.sub(" ", topic)
        topic = _DANGLING.sub(" ", topic)
    topic = re.sub(r"\s*[,;:]*\s*(?=[?.,;:])", "", " ".join(topic.split())).lstrip(" ,:;.?")
    if len(topic.split()) < _MIN_WORDS:
        return ()
    return tuple(f"{', '.join(codes)}: {topic}" for codes in distinct)


def merge_parts(
    scores_of_parts: Sequence[FloatArray], whole: FloatArray | None = None
) -> FloatArray:
    """Merge the scores of the parts so that each part has its place among the first.

    By turns: the best of the first part, the best of the second, ..., the second best of the first,
    and so on; a segment that was taken before is passed over. After so many turns the highest
    score of each segment decides, which is also where the values come from, so that their scale
    stays.

    Args:
        scores_of_parts: Each of shape (n,), in the order of the parts.
        whole: Scores of the undivided question, shape (n,); each part is averaged with it, because
            a part has lost some of what the question says.

    Returns:
        Scores, shape (n,).
    """
    parts = list(scores_of_parts)
    if whole is not None:
        parts = [(scores + whole) / 2 for scores in parts]
    if len(parts) == 1:
        return parts[0]
    merged: FloatArray = np.max(parts, axis=0)
    taken: dict[int, None] = {}
    for turn in zip(*(best_rows(scores, N_TURNS) for scores in parts), strict=True):
        taken.update(dict.fromkeys(int(row) for row in turn))
    order = np.fromiter(taken, np.intp, len(taken))
    merged[order] = np.sort(merged[order])[::-1]
    return merged
