"""What an ambiguous question may mean: one complete question for each document that fits.

Two kinds. "NXP's real-time clock chip" names no part, and the words name several documents equally
well; "What is on page 5?" names a place that every document has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.core.answer import Asked, PlaceKind, Query
from desktop_qa.core.document import DocumentId
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.comparison import any_device_terms, class_in, kind_terms, one_word_kinds
from desktop_qa.retrieve.part_index import DocumentEntry
from desktop_qa.retrieve.phrases import phrases_of
from desktop_qa.retrieve.structure_refs import strip_structure_refs
from desktop_qa.retrieve.task_words import strip_task_words

MAX_READINGS = 5

_THE = re.compile(r"\b(?:the|my|our|your|this)\s+$", re.IGNORECASE)
_QUALIFIED = re.compile(
    r"\s*,?\s*(?:with|that|which|whose|having|in\s+the|for|of|from)\b|\s*\(|\s+\w+ed\b",
    re.IGNORECASE,
)
_POINTLESS = frozenset(
    terms_of(
        "what which show give tell say says written find see content page section table figure "
        "list document datasheet manual pdf long summary summarise describe explain covers read "
        "title author revision version date published contain"
    )
)


def ambiguous_readings(text: str, documents: Sequence[DocumentEntry]) -> tuple[str, ...]:
    """Return a question for each document that a kind of part names equally well.

    Args:
        text: A question that names no part.
        documents: Of the library or the scope.

    Returns:
        Two to five complete questions, or none.
    """
    if not class_in(text):
        return ()
    vendors = dict.fromkeys(one.vendor for one in documents if one.vendor)
    called = {vendor: name for vendor in vendors if (name := _maker_in(text, vendor))}
    of_maker = terms_of(" ".join(called.values()))
    own = [one for one in documents if one.vendor in called] or documents
    maker = "|".join(map(re.escape, called.values())) or "(?!)"
    lead_in = re.compile(
        rf"(?P<link>\b(?:of|does|do|for)\s+)?(?:\b(?:the|my|our|your)\s+)?(?P<maker>\b(?:{maker})"
        r"(?:['’]s?)?\s+)?$",
        re.IGNORECASE,
    )
    for phrase in phrases_of(text):
        kind = frozenset(terms_of(phrase.text)) - any_device_terms() - set(of_maker)
        lead = lead_in.search(text[: phrase.start])
        if lead is None:
            continue
        is_kind = bool(kind & one_word_kinds()) or (len(kind) > 1 and bool(class_in(phrase.text)))
        is_told = bool(lead.group()) and bool(called or (lead["link"] and len(kind) > 1))
        if not (is_kind and is_told) or _QUALIFIED.match(text, phrase.end):
            continue
        fitting = [one for one in own if kind <= kind_terms(one.title)]
        codes = list(dict.fromkeys(one.codes[0] for one in fitting if one.codes))
        if 2 <= len(codes) <= MAX_READINGS and len(codes) == len(fitting):
            before = f"{text[: lead.start()]}{lead['link'] or ''}"
            return tuple(f"{before}the {code}{text[phrase.end :]}" for code in codes)
    return ()


def called_by_kind(text: str, documents: Sequence[DocumentEntry]) -> tuple[DocumentId, ...]:
    """Return the one document of the kind of part that a text speaks of: "the temperature sensor".

    None where no kind is named with an article, or several documents are of it.
    """
    for phrase in phrases_of(text):
        kind = frozenset(terms_of(phrase.text)) - any_device_terms()
        is_kind = bool(kind & one_word_kinds()) or (len(kind) > 1 and bool(class_in(phrase.text)))
        if is_kind and _THE.search(text[: phrase.start]):
            fitting = [one for one in documents if kind <= kind_terms(one.title)]
            if len(fitting) == 1:
                return (fitting[0].document_id,)
    return ()


def _maker_in(text: str, vendor: str) -> str:
    """Return how a text calls a maker: by its name, first word, or capitals ("TI", "ST")."""
    words = vendor.split()
    capitals = re.match(r"[A-Z]{2,}", vendor)
    names = [vendor, words[0] if len(words[0]) > 2 else "", "".join(word[0] for word in words[:2])]
    names.append(capitals.group() if capitals is not None else "")
    # Short names are words of the language in lower case.
    said = (name for name in names if len(name) > 1 and re.search(rf"\b{re.escape(name)}\b", text))
    return next(said, "")


def needs_document(query: Query) -> bool:
    """Tell whether a question asks for a place that every document has, and for nothing else.

    A section or a table by its number may be meant wherever it is; a page or a count may not.
    """
    if query.document_ids or not query.structure_refs:
        return False
    if not all(
        ref.asked is not Asked.CONTENT or ref.kind in (PlaceKind.PAGE, PlaceKind.DOCUMENT)
        for ref in (ref.within or ref for ref in query.structure_refs)
    ):
        return False
    left = terms_of(strip_task_words(strip_structure_refs(query.text)))
    return all(term in _POINTLESS for term in left)
