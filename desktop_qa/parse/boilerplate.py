"""Legal, ordering, packaging and contents matter, which must not crowd out answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.core.document import split_heading_number

_SECTION = re.compile(
    r"^(?:important notice|disclaimers?|trademarks?|glossary|definitions|"
    r"electrostatic discharge caution|esd caution|community resources|support resources|"
    r"receiving notification|documentation support|related links|related documentation|"
    r"device and documentation support|third-party products disclaimer|revision history|"
    r"document revision history|history of revisions?|document history|data sheet status|"
    r"contact information|contact us|"
    r"(?:document )?(?:table of )?contents|list of (?:figures|tables)|"
    r"mechanical,? (?:packaging|data)|mechanical information|"
    r"packag(?:e|ing) (?:outlines?|information|materials|mechanical|drawings?|option addendum|"
    r"marking|dimensions|details|characteristics)|physical dimensions|outline dimensions|"
    r"(?:tape (?:and|&|on) )?reel information|tape and reel|carrier tape|land patterns?|"
    r"recommended land pattern|example (?:board layout|stencil design)|pcb land pattern|"
    r"ordering (?:information|guide|options?|scheme)|order(?:ing)? codes?|orderable information|"
    r"product identification system|product (?:ordering|marking)|the microchip web ?site|"
    r"customer (?:change notification|support)|reader response|worldwide sales|"
    r"soldering|handling information|packing information|marking|"
    r"appendix a:? revision history|lead[- ]free|life support)\b",
    re.IGNORECASE,
)
_PAGE = re.compile(
    r"^(?:important notice|package option addendum|package materials information|"
    r"tape and reel (?:information|box dimensions)|package outline|generic package view|"
    r"example board layout|example stencil design|mechanical data|land pattern data|"
    r"worldwide sales and service|mouser electronics$|authori[sz]ed distributor$|"
    r"product identification system|packaging information|"
    r"重要声明和免责声明|important notice and disclaimer)\b",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r"\b(?:liab|warrant|damages?\b|disclaim|indemn|infring|intellectual|trademark|patent|"
    r"consequential|merchantab|negligen|attorney|herein|thereof|hereby|copyright|obligation|"
    r"licen[sc]e|life[- ]support|critical (?:component|application)|responsib|"
    r"without (?:further )?notice|customer|claims?\b|rights?\b)",
    re.IGNORECASE,
)
_CONTACT = re.compile(r"\b(?:tel|fax|phone|telefax)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])(?:\+|\()?\d{1,4}\)?(?:[ \-.()/]{1,2}\d{2,5}){2,5}(?![\w.])")
_MIN_LEGAL_SHARE = 0.035
"""Of the words; on 2,800 pages of many makers running text of other kinds stays below 0.02."""

_MIN_LEGAL_TERMS = 5
_MIN_LEGAL_WORDS = 25
_MIN_CONTACTS = 5
"""Telephone numbers, each named as one: more offices than a sheet gives for itself."""

_LEADER = re.compile(r"(?:\.\s?){5,}|(?:_\s?){6,}|(?:…\s?){2,}|(?:·\s?){6,}")
_ENTRY_END = re.compile(r"\s(?:\d{1,4}|[ivxlc]{1,6})$")


def is_boilerplate_section(heading: str) -> bool:
    """Tell whether a chapter holds legal, ordering or packaging matter by its heading."""
    return bool(_SECTION.match(split_heading_number(heading)[1]))


def is_at_ends(page_no: int, n_pages: int) -> bool:
    """Tell the first two and the last pages, where makers put what is not about the matter.

    What speaks like a lawyer between them is the matter: a report has whole chapters of it.
    """
    return page_no <= 2 or page_no > min(n_pages - 3, 0.8 * n_pages)


def is_boilerplate_page(lines: Sequence[str], *, at_ends: bool) -> bool:
    """Tell a page appended from a packaging catalogue or by lawyers, and lists of offices."""
    if any(_PAGE.match(line.strip()) for line in lines[:14]):
        return True
    if not at_ends:
        return False
    text = "\n".join(lines)
    n_contacts = min(len(_CONTACT.findall(text)), len(_NUMBER.findall(text)))
    return n_contacts >= _MIN_CONTACTS or is_legal_text(text)


def is_legal_text(text: str) -> bool:
    """Tell disclaimers, licences and claims of rights by the density of their terms."""
    terms = [match[0].casefold() for match in _LEGAL.finditer(text)]
    n_words = len(text.split())
    return (
        n_words >= _MIN_LEGAL_WORDS
        and len(terms) >= _MIN_LEGAL_SHARE * n_words
        and len(set(terms)) >= _MIN_LEGAL_TERMS
    )


def is_contents_line(text: str) -> bool:
    """True for a line of a table of contents: dot leaders and a page number."""
    return bool(_LEADER.search(text))


def is_contents_page(lines: Sequence[str]) -> bool:
    """Tell whether most of a page is a table of contents or a list of figures."""
    n_leaders = sum(is_contents_line(line) for line in lines)
    if n_leaders >= 4 and n_leaders > 0.35 * len(lines):
        return True
    titled = any(
        re.match(
            r"^(?:table of )?contents$|^目录$|^list of (?:figures|tables)$", line.strip(), re.I
        )
        for line in lines[:8]
    )
    n_entries = sum(bool(_ENTRY_END.search(line)) for line in lines)
    return titled and n_entries > 0.5 * len(lines)
