"""The documents of a library by the names that a question calls them by."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby

from desktop_qa.augment.codes import expand_code, is_part_number, normalize_code
from desktop_qa.core.asked_code import AskedCode
from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.members import Holders, Members
from desktop_qa.retrieve.part_index import DocumentEntry, PartIndex

_SHARE_OF_MAKER = 0.8
"""Of the segments with the first word of a maker's name, those in the maker's own documents."""

_MIN_TITLE_TERMS = 3
_FILE_ENDING = ".pdf"
_AROUND = "\"'“”‘’()[],;:?!"


def _nowhere(_keyword: str) -> Mapping[DocumentId, int]:
    return {}


@dataclass(frozen=True)
class Directory:
    """The documents of a library and every code that stands in them.

    Attributes:
        vocabulary: Codes found anywhere in the segments, in normal form; a mapping gives the number
            of documents that hold each.
        holders: From a code in normal form to the documents in whose text it stands, with the
            number of their segments that hold it.
        text_holders: From a word to the documents that hold it in any case, with the number of
            their segments that do.
    """

    entries: tuple[DocumentEntry, ...] = ()
    vocabulary: Collection[str] = frozenset()
    holders: Holders = field(default=_nowhere, compare=False)
    text_holders: Holders = field(default=_nowhere, compare=False)

    @cached_property
    def parts(self) -> PartIndex:
        """The part numbers of the documents; holds a code in normal form that is one of them."""
        return PartIndex(self.entries)

    @cached_property
    def _members(self) -> Members:
        return Members(self.parts, self.vocabulary, self.holders)

    def find(self, code: str) -> AskedCode:
        """Tell what a code is to the library: of which documents it is, or what is like it."""
        return self._members.find(code)

    def named_by(self, code: str) -> tuple[DocumentId, ...]:
        """Return the documents about a part: families, wildcards and order codes included."""
        return self.find(code).documents

    def mentioning(self, code: str) -> tuple[DocumentId, ...]:
        """Return the documents in whose text a code stands, whatever they are about."""
        found = (self.holders(normalize_code(asked)) for asked in expand_code(code))
        return tuple(dict.fromkeys(document_id for each in found for document_id in each))

    def is_mentioned(self, code: str) -> bool:
        """Tell whether a code stands anywhere in the library."""
        return any(normalize_code(asked) in self.vocabulary for asked in expand_code(code))

    def named_by_file(self, text: str) -> tuple[DocumentId, ...]:
        """Return the documents whose file names stand in a text."""
        asked = files_in(text)
        if not asked:
            return ()
        return tuple(
            entry.document_id
            for entry in self.entries
            if any(file.casefold() in asked for file in entry.files)
        )

    def named_in_words(
        self, text: str, within: Container[DocumentId] = ()
    ) -> tuple[DocumentId, ...]:
        """Return the documents that a text without part numbers names: by a code or by a title.

        Args:
            text: A question about a place in a document.
            within: Documents to choose from; all when empty.
        """
        entries = [e for e in self.entries if not within or e.document_id in within]
        if len(entries) == 1:
            return (entries[0].document_id,)
        by_code = tuple(e.document_id for e in entries if names_code(text, e.codes))
        return by_code or named_by_title(text, [(e.document_id, e.title) for e in entries])

    def made_by(self, text: str) -> tuple[DocumentId, ...]:
        """Return the documents of the makers that a text names: "Best Buy", "Verizon", "TI's".

        A name is meant by its first two words, or by the first where it stands in few documents
        but the maker's own: "Verizon", and not "Best".
        """
        asked = _name_words(text)
        vendors = ((e.document_id, _name_words(e.vendor)) for e in self.entries if e.vendor)
        names = {document: name for document, name in vendors if name and name[0] in asked}
        made: dict[DocumentId, None] = {}
        for name in dict.fromkeys(names.values()):
            # "Salesforce" and "Salesforce, Inc." are one.
            own = [d for d, other in names.items() if _begins(name, other) or _begins(other, name)]
            if self._is_called(asked, name, own):
                made |= dict.fromkeys(own)
        return tuple(made)

    def _is_called(
        self, asked: Sequence[str], name: Sequence[str], own: Sequence[DocumentId]
    ) -> bool:
        # Written together: small capitals may have been read as words, "MGM R ESORTS".
        spelled = "".join(name)
        if any(spelled.startswith("".join(asked[n : n + 2])) for n in range(len(asked) - 1)):
            return True
        holders = self.text_holders(name[0])
        n_own = sum(holders.get(document_id, 0) for document_id in own)
        return 0 < n_own >= _SHARE_OF_MAKER * sum(holders.values())


@lru_cache(maxsize=1024)
def _name_words(text: str) -> tuple[str, ...]:
    """Return the words of a name as they compare: "The" is none of it, "ON" may be."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’](?=\w)", "", text.casefold()))
    return tuple(term for word in words if word != "the" for term in terms_of(word) or (word,))


def _begins(name: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return other[: len(name)] == name


def directory_of(
    statuses: Iterable[DocumentStatus],
    vocabulary: Collection[str],
    holders: Holders = _nowhere,
    text_holders: Holders = _nowhere,
) -> Directory:
    """Make the directory of the documents that can be searched; see `Directory`."""
    return Directory(
        tuple(
            DocumentEntry(
                one.document_id,
                document_codes(one.part_numbers, one.files, one.title),
                one.title,
                one.vendor,
                tuple(file.rsplit("/", 1)[-1] for file in one.files),
            )
            for one in statuses
            if one.is_indexed
        ),
        vocabulary,
        holders,
        text_holders,
    )


@lru_cache(maxsize=65536)
def document_codes(
    part_numbers: tuple[str, ...], files: tuple[str, ...], title: str = ""
) -> tuple[str, ...]:
    """Return the codes a document goes by: its part numbers and those in its file names.

    Its title may begin with one too, as those of application notes do: "AVR130: Setup and Use".
    """
    codes = dict.fromkeys(part_numbers)
    first = title.split(":")[0].strip()
    if ":" in title and is_part_number(first):
        codes[first] = None
    for file in files:
        stem = file.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        pieces = re.split(r"[_\s]+", stem)
        codes.update(dict.fromkeys(piece for piece in pieces if is_part_number(piece)))
    return tuple(code for code in codes if code)


# Names in a text: of files, of codes as they are printed, of titles


def files_in(text: str) -> frozenset[str]:
    """Return the names of files in a text, case folded."""
    words = (word.strip(_AROUND).casefold().removesuffix(".") for word in text.split())
    return frozenset(word for word in words if word.endswith(_FILE_ENDING))


def without_files(text: str) -> str:
    """Leave out names of files: "ORT112_RevB.pdf" is one revision, not a part of that name."""
    words = text.split(" ")
    return " ".join(word for word in words if not files_in(word))


def names_code(text: str, codes: Iterable[str]) -> bool:
    """Tell whether one of a document's codes stands in a text as it is printed: "ORB-1"."""
    folded = text.casefold()
    # Looking for the letters first spares a library of thousands as many expressions.
    return any(
        re.search(rf"(?<![\w-]){re.escape(code)}(?![\w-])", text, re.IGNORECASE)
        for code in codes
        if code.casefold() in folded and len(code) > 3 and any(c.isdigit() for c in code)
    )


def named_by_title(text: str, titles: Sequence[tuple[DocumentId, str]]) -> tuple[DocumentId, ...]:
    """Return the document whose title words stand in a text in a row, three or more.

    Args:
        text: A question.
        titles: Of the documents to choose from.

    Returns:
        The one with the most words; none when several have as many.
    """
    asked = terms_of(text)
    n_shared = {document_id: _longest_run(asked, title) for document_id, title in titles}
    most = max(n_shared.values(), default=0)
    best = tuple(document_id for document_id, n in n_shared.items() if n == most)
    return best if most >= _MIN_TITLE_TERMS and len(best) == 1 else ()


@lru_cache(maxsize=16384)
def _title_terms(title: str) -> frozenset[str]:
    return frozenset(terms_of(title))


def _longest_run(asked: Sequence[str], title: str) -> int:
    own = _title_terms(title)
    return max(
        (len(list(run)) for is_own, run in groupby(asked, own.__contains__) if is_own), default=0
    )
