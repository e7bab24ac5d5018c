"""What an answer says of codes that have no datasheet in the library; nothing takes their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from desktop_qa.augment.codes import expand_code, is_part_number, normalize_code
from desktop_qa.augment.keywords import find_keywords
from desktop_qa.core.answer import NOT_FOUND_SENTENCE, Evidence, Query
from desktop_qa.core.asked_code import AskedCode, Standing
from desktop_qa.core.document import DocumentId
from desktop_qa.core.segment import Segment
from desktop_qa.retrieve.wording import named, short_word

_MAX_PLACES = 2
_MAX_WORDS = 3
_MAX_CHARACTERS = 1000
_MESSAGE = re.compile(
    r"\b(?:errors?|alarms?|faults?|warnings?|messages?|exceptions?|status|trouble)"
    r"(?: (?:codes?|no\.?|numbers?|messages?))? #?((?:[a-z]{1,4}[-_]?)?\d[\w-]*)\b"
    r"(?! ?(?:v|a|ma|mv|%|ms|us)\b)"
)
"""A message that is named by its code: "error E312", "fault code 17"."""


def absent_text(query: Query, evidence: Sequence[Evidence]) -> str:
    """Say which codes are in no document, where others are only mentioned, and what is near."""
    nowhere = _nowhere(query)
    reasons = (_reason(code) for code in query.codes if code.code in nowhere[:_MAX_PLACES])
    sentences = [NOT_FOUND_SENTENCE, *_stands_nowhere(nowhere, "it"), *filter(None, reasons)]
    sentences += _mentions(query, evidence)
    nearest = dict.fromkeys(near for _code, codes in query.nearest for near in codes)
    if nearest:
        are = "number here is" if len(nearest) == 1 else "numbers here are"
        sentences.append(f"The nearest part {are} {named(tuple(nearest))}.")
    return " ".join(sentences)


def _nowhere(query: Query) -> list[str]:
    mentioned = {code for code, _documents in query.mentioned}
    return [code for code in query.absent if code not in mentioned]


def _stands_nowhere(codes: Sequence[str], library: str) -> list[str]:
    verb = "stands" if len(codes) == 1 else "stand"
    bold = [f"**{short_word(code)}**" for code in codes]
    return [f"{named(bold)} {verb} in no document of {library}."] if codes else []


def _reason(asked: AskedCode) -> str:
    """Say in what a code misses a part of the library; "" when nothing is like it."""
    code, part = short_word(asked.code), asked.part
    if asked.standing is Standing.OTHER_BASE:
        return f"{code} is not {part}: the numbers differ."
    if asked.standing is Standing.SHORT:
        return f"{code} is the beginning of {part}, which is a part of its own."
    return ""


def refusal_text(query: Query, evidence: Sequence[Evidence], unknown: Sequence[str] = ()) -> str:
    """Say that none of the sections found states the answer, and what it lacks.

    Args:
        query: The question.
        evidence: What was found.
        unknown: Words of the question that stand in no document.
    """
    sentences = [NOT_FOUND_SENTENCE, *_stands_nowhere(_nowhere(query), "it")]
    sentences += _mentions(query, evidence)
    if unknown:
        words = " or ".join(f"“{short_word(word)}”" for word in unknown[:_MAX_WORDS])
        sentences.append(f"No document here speaks of {words}.")
    if evidence:
        sentences.append("The nearest sections are listed below; none states the answer.")
    return " ".join(sentences)


def missing_code(question: str, texts: Iterable[str]) -> str:
    """Return the code of a message that is asked about and in none of some texts, else ""."""
    folded = " ".join(question[:_MAX_CHARACTERS].casefold().split())
    text = "\n".join(texts).casefold()
    for match in _MESSAGE.finditer(folded):
        if not re.search(rf"(?<!\w){re.escape(match[1])}(?!\w)", text):
            return match[1].upper()
    return ""


def without_datasheet_text(query: Query, evidence: Sequence[Evidence]) -> str:
    """Say above an answer which codes of the question no document here prints; "" for none.

    A question that names documents asks of a mentioned code what these say of it.
    """
    sentences = _stands_nowhere(_nowhere(query), "this library")
    sentences += filter(None, map(_read_as, query.codes))
    if not query.document_ids:
        sentences += _mentions(query, evidence)
    return " ".join(sentences)


def _read_as(asked: AskedCode) -> str:
    code, part = short_word(asked.code), short_word(asked.part)
    if asked.standing is Standing.SHORT and asked.documents:
        return f"Of **{part}**; no document here is called {code} alone."
    if asked.standing is Standing.READ_AS:
        return f"Of **{part}**; no document here prints {code}."
    return ""


def evidence_of_codes(
    query: Query, evidence: Sequence[Evidence], has_parts: Callable[[DocumentId], bool]
) -> Sequence[Evidence]:
    """Keep what speaks of the codes asked for: their own documents, and what mentions them.

    Where a maker is named and no part, the maker's documents speak. An application note that
    mentions a part speaks of it on all its pages, for it is about no other.

    The datasheet of another part would else answer for the part that is asked of, when that one's
    own does not say it, or when it is only mentioned.
    """
    if query.document_ids:
        codes = {keyword for keyword in query.keywords if is_part_number(keyword)}
    elif query.made_by:
        return [item for item in evidence if item.segment.document_id in query.made_by]
    else:
        codes = {n for code, _documents in query.mentioned for n in _normal_forms(code)}
        if not codes:
            return evidence
    notes = {d for _c, documents in query.mentioned for d in documents if not has_parts(d)}
    whole = notes.union(query.document_ids)
    return [
        item
        for item in evidence
        if item.segment.document_id in whole or not codes.isdisjoint(_codes_of(item))
    ]


def _mentions(query: Query, evidence: Sequence[Evidence]) -> list[str]:
    """Say where each mentioned code stands: "page 3 of X mentions it, but ..."."""
    sentences = []
    for code, _documents in query.mentioned:
        speaking = (e.segment for e in evidence if not _normal_forms(code).isdisjoint(_codes_of(e)))
        places = list(dict.fromkeys(map(_place, speaking)))[:_MAX_PLACES]
        where = f" on {named(places)}" if places else ""
        sentences.append(
            f"**{code}** is mentioned{where}, but its datasheet is not in this library."
        )
    return sentences


def _normal_forms(code: str) -> frozenset[str]:
    return frozenset(map(normalize_code, expand_code(code)))


def _codes_of(item: Evidence) -> frozenset[str]:
    return frozenset(find_keywords(item.segment.lexical_text))


def _place(segment: Segment) -> str:
    pages, title = segment.metadata.page_nos, segment.metadata.document_title
    title = title or "a document without a title"
    return f"page {pages[0]} of {title}" if pages else title
