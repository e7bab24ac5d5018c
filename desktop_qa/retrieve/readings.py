"""What an ambiguous question may mean: one complete question for each document that fits.

Two kinds. "NXP's real-time clock chip" names no part, and the words name several documents equally
well; "What is on page 5?" names a place that every document has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_qa.core.answer import Asked, PlaceKind, Query
from desktop_qa.core.document import DocumentId
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.comparison import kind_terms, one_word_kinds
from desktop_qa.retrieve.structure_refs import DOCUMENT_WORD, strip_structure_refs
from desktop_qa.retrieve.task_words import strip_task_words

MAX_READINGS = 5

_MAX_KIND_WORDS = 3
"""More words than these choose among the members of a kind: "ultra-thin ambient light sensor"."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_SHORT_NAMES = {
    "stmicroelectronics": ("ST", "STM"), "texas instruments": ("TI",),
    "analog devices": ("ADI", "AD"), "nxp semiconductors": ("NXP",),
    "on semiconductor": ("onsemi",),
    "maxim integrated": ("Maxim",), "tdk invensense": ("InvenSense", "TDK"),
}  # fmt: skip
_KIND_NOUN = re.compile(
    r"\s+(?:chips?|ics?|devices?|parts?|sensors?|modules?|family|series)\b", re.IGNORECASE
)
_QUALIFIED = re.compile(
    r"\s*,?\s*(?:with|that|which|whose|having|in\s+the|for|of|from)\b|\s*\(", re.IGNORECASE
)
_THE_KIND = re.compile(r"\b(?:of|does|do|for)\s+(?:the|my|our|your)(?=\s)", re.IGNORECASE)
_IS_SUBJECT = re.compile(
    r"\s*(?:[?.,;]|$|['’]s\b|\s(?:at|in|with|when|have|has|draw|need|use|run|support|take|typically"
    r"|consume|give|deliver|withstand|provide|offer|come|be|over|during|while)\b)",
    re.IGNORECASE,
)
_MAX_OF_KIND = 4
_CODE = re.compile(r"([A-Za-z]+)(\d{3,})")

_ITSELF = re.compile(rf"\b(?:it|(?:the|this)\s+(?:whole\s+)?{DOCUMENT_WORD}|this)\b", re.IGNORECASE)
_POINTLESS = frozenset(
    terms_of(
        "what which show give tell say says stand written find see content contents there page "
        "section chapter table figure list name document datasheet manual pdf file long big "
        "summary summarise summarize describe explain describes covered covers recommended read "
        "please shown printed look quote title author revision version date published contain"
    )
)


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document by the names that a person may use.

    Attributes:
        codes: Part numbers, the main one first.
    """

    document_id: DocumentId
    title: str
    vendor: str
    codes: tuple[str, ...]


def ambiguous_readings(text: str, documents: Sequence[NamedDocument]) -> tuple[str, ...]:
    """Return a question for each document that a vendor and a kind of part name equally well.

    Args:
        text: A question that names no part.
        documents: Of the library or the scope.

    Returns:
        Two to five complete questions, or none.
    """
    for vendor in dict.fromkeys(document.vendor for document in documents if document.vendor):
        named = _vendor_in(text, vendor)
        if named is None:
            continue
        own = [document for document in documents if document.vendor == vendor]
        kind = _kind_after(text, named.end(), own)
        if kind is None:
            continue
        end, n_words, fitting = kind
        members = _equals(text, fitting, own, n_words)
        codes = [document.codes[0] for document in members if document.codes]
        if 2 <= len(set(codes)) <= MAX_READINGS and len(codes) == len(members):
            return _with_codes(text, named.start(), end, codes)
    return _readings_of_kind(text, documents)


def _with_codes(text: str, start: int, end: int, codes: Sequence[str]) -> tuple[str, ...]:
    before = f"{text[:start].rstrip()} " if text[:start].strip() else ""
    article = "" if re.search(r"\b(?:the|an?)\s+$", before, re.IGNORECASE) else "the "
    return tuple(f"{before}{article}{code}{text[end:]}" for code in dict.fromkeys(codes))


def _readings_of_kind(text: str, documents: Sequence[NamedDocument]) -> tuple[str, ...]:
    """Return a question for each document of a kind that is named without its maker.

    Only where the kind is what the question is about: "of the ambient light sensor".
    """
    for named in _THE_KIND.finditer(text):
        kind = _kind_after(text, named.end(), documents)
        if kind is None or not _IS_SUBJECT.match(text, kind[0]):
            continue
        end, n_words, fitting = kind
        members = _equals(text, fitting, fitting, n_words)
        codes = [document.codes[0] for document in members if document.codes]
        is_few = 2 <= len(set(codes)) <= _MAX_OF_KIND and len(codes) == len(members)
        if is_few and n_words > 1:
            return _with_codes(text, named.end(), end, codes)
    return ()


def _vendor_in(text: str, vendor: str) -> re.Match[str] | None:
    """Find the maker before a kind of part: "TI's", "the Texas Instruments"."""
    first = vendor.split()[0]
    names = [re.escape(vendor), *map(re.escape, _SHORT_NAMES.get(vendor.casefold(), ()))]
    if len(first) > 3 and vendor.casefold() not in _SHORT_NAMES:
        names.append(re.escape(first))
    # Short names are words of the language in lower case.
    return re.search(rf"\b(?:{'|'.join(names)})(?:['’]s?)?(?=\s)", text)


def _kind_after(
    text: str, start: int, documents: Sequence[NamedDocument]
) -> tuple[int, int, list[NamedDocument]] | None:
    """Find the words behind the maker that titles share, and the documents that have most of them.

    Returns:
        The end of the words in the text, how many fit, and the documents; `None` when one word at
        most fits, or when more is said of the part, so that the words do not tell how many fit.
    """
    titles = {document.document_id: kind_terms(document.title) for document in documents}
    best: dict[DocumentId, tuple[int, int]] = {}
    for document in documents:
        n_terms, end = 0, start
        for word in _WORD.finditer(text, start):
            terms = set(terms_of(word.group()))
            if (
                text[end : word.start()].strip()
                or not terms
                or not terms <= titles[document.document_id]
            ):
                break
            n_terms, end = n_terms + len(terms), word.end()
        best[document.document_id] = (n_terms, end)
    n_most = max((n for n, _ in best.values()), default=0)
    if n_most < 1:
        return None
    end = max(end for n, end in best.values() if n == n_most)
    if n_most < 2 and not one_word_kinds() & set(terms_of(text[start:end])):
        return None
    if noun := _KIND_NOUN.match(text, end):
        end = noun.end()
    if _QUALIFIED.match(text, end):
        return None
    return end, n_most, [d for d in documents if best[d.document_id][0] == n_most]


def _equals(
    text: str,
    fitting: Sequence[NamedDocument],
    documents: Sequence[NamedDocument],
    n_kind_words: int,
) -> list[NamedDocument]:
    """Return the documents among which the whole question does not choose either.

    Parts of the same family are among them, whose titles may be in another language, unless the
    question says more of a title than what kind of part it is.
    """
    asked = set(terms_of(text))
    n_shared = [len(asked & kind_terms(document.title)) for document in fitting]
    best = [d for d, n in zip(fitting, n_shared, strict=True) if n == max(n_shared)]
    if len(best) < len(fitting) or max(n_shared) > n_kind_words or n_kind_words > _MAX_KIND_WORDS:
        return best
    families = {family for document in best for family in _families(document.codes)}
    return [d for d in documents if d in best or families & set(_families(d.codes))]


def _families(codes: Iterable[str]) -> list[tuple[str, str, int]]:
    """Return letters, leading digits and their number: OPT3001 and OPT3007 share all three."""
    matches = (_CODE.match(code) for code in codes)
    return [
        (match[1].upper(), match[2][:-1], len(match[2]))
        for match in matches
        if match is not None and len(match[2]) >= 4
    ]


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


def readings_of_documents(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Ask a question of each of several documents: "What is on page 5 of the OPT3001 datasheet?".

    Args:
        text: A question that names no document, or only "it" or "the datasheet".
        names: Of documents: "the OPT3001 datasheet", "ORT112_RevA.pdf".
    """
    readings = []
    for name in names[:MAX_READINGS]:
        if match := _ITSELF.search(text):
            readings.append(f"{text[: match.start()]}{name}{text[match.end() :]}")
            continue
        bare, end = text.rstrip(" ?.!"), text.rstrip()[-1:]
        ending = end if end in "?.!" else ""
        there = re.sub(r"\s+(?:are|is)\s+there$", "", bare, flags=re.IGNORECASE)
        link = " are there in " if there != bare else " of "
        readings.append(f"{there}{link}{name}{ending}")
    return tuple(readings)
