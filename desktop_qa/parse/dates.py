"""The date of a document: of its own revision, never of an older one."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DATE = (
    rf"(?:(?:\d{{1,2}}[\s-]+)?{_NAME}[\s,-]+(?:\d{{1,2}},\s*)?(?:19|20)\d\d"
    r"|(?:19|20)\d\d[-./]\d{1,2}(?:[-./]\d{1,2})?"
    r"|\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d\d)(?![\d.]*\d)"
)
_NAMED = re.compile(
    rf"(?:(?P<before>\d{{1,2}})[\s-]+)?(?P<month>{_NAME})[\s,-]+(?:(?P<after>\d{{1,2}}),\s*)?"
    r"(?P<year>(?:19|20)\d\d)",
    re.IGNORECASE,
)
_ISO = re.compile(r"(?P<year>(?:19|20)\d\d)[-./](?P<month>\d{1,2})(?:[-./](?P<day>\d{1,2}))?$")
_OF_DAY = re.compile(r"(?P<a>\d{1,2})(?P<sign>[/.])(?P<b>\d{1,2})[/.](?P<year>(?:19|20)\d\d)$")
_RELEASED = re.compile(
    r"\b(?:(?:release|issue|publication|revision)\s+date|date\s+of\s+(?:release|issue))\s*:?\s*"
    rf"(?P<date>{_DATE})",
    re.IGNORECASE,
)
_REVISION = re.compile(
    r"(?:rev(?:ision|\.)?|version)\s*[:._]?\s*v?(?P<own>\d+(?:\.\d+)*|[A-Z]{1,2})\b|"
    r"^v(?P<v>\d+(?:\.\d+)*)|^DS\d{5,}(?P<suffix>[A-Z])$",
    re.IGNORECASE,
)
_BESIDE_REVISION = re.compile(
    rf"(?P<date>{_DATE})\s+(?:Doc\s?ID\s?\d+\s+)?Rev(?:ision|\.)?\s*\d+\b", re.IGNORECASE
)


def find_date(page_texts: Sequence[str], revision: str, created: str = "") -> str:
    """Find when the document's own revision came out.

    Args:
        page_texts: Plain text of every page, furniture included.
        revision: As `metadata.find_revision` read it.
        created: Creation date of the PDF ("D:20140310..."), which tells 3 May from 5 March.

    Returns:
        "2021-03" or "2021-03-15"; empty when the pages do not say.
    """
    stated = re.findall(_DATE, revision, re.IGNORECASE)
    if stated:
        return parse_date(stated[-1], created)
    for text in [*page_texts[:2], *page_texts[-1:]]:
        if match := _RELEASED.search(text):
            return parse_date(match["date"], created)
    own = _REVISION.search(revision)
    if own is not None:
        entry = _history_entry(page_texts, own["own"] or own["v"] or own["suffix"], created)
        if entry:
            return entry
    first = page_texts[0] if page_texts else ""
    match = _BESIDE_REVISION.search(first)
    return parse_date(match["date"], created) if match else ""


def _history_entry(page_texts: Sequence[str], own: str, created: str) -> str:
    """Date of the entry of a revision in the document's history."""
    name = re.escape(own)
    entries = (
        rf"\bRev(?:ision|\.)?\s*{name}\s*\(\s*(?P<date>{_DATE})\s*\)",
        rf"\b(?P<month>\d{{1,2}})/(?P<year>\d{{2,4}})\s*[—–-]\s*(?:[A-Z][a-z ]{{4,30}}\s)?"
        rf"(?:Rev(?:ision|\.)\s*\w{{1,2}}\s+to\s+)?Rev(?:ision|\.)\s*{name}\b",
        rf"(?P<date>{_DATE})\s+v?{name}(?![.\d])(?=\s)",
    )
    for pattern in entries:
        compiled = re.compile(pattern, re.IGNORECASE)
        for text in page_texts:
            match = compiled.search(text)
            if match is None:
                continue
            groups = match.groupdict()
            if groups.get("date"):
                return parse_date(groups["date"], created)
            return _month_of(int(groups["year"]), int(groups["month"]))
    return ""


def parse_date(text: str, created: str = "") -> str:
    """Write a date as "2018-03-30" or "2018-03"; empty for what is none, or is ambiguous."""
    text = " ".join(text.split())
    if match := _NAMED.search(text):
        month = _MONTHS.index(match["month"][:3].lower()) + 1
        return _day_of(int(match["year"]), month, int(match["before"] or match["after"] or 0))
    if match := _ISO.search(text):
        return _day_of(int(match["year"]), int(match["month"]), int(match["day"] or 0))
    if match := _OF_DAY.search(text):
        a, b, year = int(match["a"]), int(match["b"]), int(match["year"])
        if match["sign"] == "." or a > 12:
            return _day_of(year, b, a)
        if b > 12 or a == b:
            return _day_of(year, a, b)
        made = re.match(r"D:(\d{4})(\d{2})", created)
        near = [m for m in (a, b) if made and (int(made[1]), int(made[2])) == (year, m)]
        return _day_of(year, near[0], b if near[0] == a else a) if near else ""
    return ""


def _day_of(year: int, month: int, day: int) -> str:
    of_month = _month_of(year, month)
    return f"{of_month}-{day:02d}" if of_month and 1 <= day <= 31 else of_month


def _month_of(year: int, month: int) -> str:
    if year < 100:
        year += 1900 if year >= 70 else 2000
    return f"{year}-{month:02d}" if 1 <= month <= 12 else ""
