"""When a document's own revision came out, read from the pages that say it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from desktop_qa.parse.amounts import MONTH
from desktop_qa.parse.vendor import PageTexts

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR = r"(?:19|20)\d\d"
_DATE = (
    rf"(?:(?:\d{{1,2}}[\s-]+)?{MONTH}[\s,/-]+(?:\d{{1,2}}[,/]\s*)?{_YEAR}"
    rf"|{_YEAR}[\s-]+{MONTH}(?:[\s-]+\d{{1,2}}\b)?"
    rf"|\d{{1,2}}-{MONTH}-\d\d"
    r"|(?:19|20)\d\d(?:[-/]|\.\s?)\d{1,2}(?:(?:[-/]|\.\s?)\d{1,2})?"
    r"|\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d\d|\d\d/\d\d/\d\d)(?![\d.]*\d)"
)
_NAMED = re.compile(
    rf"(?:(?P<before>\d{{1,2}})[\s-]+)?(?P<month>{MONTH})[\s,/-]+"
    rf"(?:(?P<after>\d{{1,2}})[,/]\s*)?(?P<year>{_YEAR}|(?<=-)\d\d\b)",
    re.IGNORECASE,
)
_YEAR_FIRST = re.compile(
    rf"(?P<year>{_YEAR})[\s-]+(?P<month>{MONTH})(?:[\s-]+(?P<after>\d{{1,2}})\b)?", re.IGNORECASE
)
_ISO = re.compile(
    r"(?P<year>(?:19|20)\d\d)[-./]\s?(?P<month>\d{1,2})(?:[-./]\s?(?P<day>\d{1,2}))?$"
)
_OF_DAY = re.compile(r"(?P<a>\d{1,2})(?P<sign>[/.])(?P<b>\d{1,2})[/.](?P<year>(?:19|20)?\d\d)$")
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

_SHORT = r"\d{1,2}/(?:\d\d|\d{4})(?![\w/])"
"""Month and year of a revision, "Rev 6; 10/03": by itself it is a page of how many."""

_REVISED = re.compile(
    r"\b(?:rev(?:ised|ision)?|released?|issued?|date|ver(?:sion)?)\b", re.IGNORECASE
)
_REV = re.compile(r"\W{1,4}rev\b", re.IGNORECASE)
_OTHER = re.compile(
    r"supersede|replaces|directive|\b(?:ANSI|ASME|IEC|EN|ISO|IPC|JEDEC)\b", re.IGNORECASE
)
"""Lines with dates of older sheets and of standards."""

_COPYRIGHT = re.compile(
    r"©|\bcopyright\b|®\s*(?:19|20)\d\d|^®.*\b(?:19|20)\d\d$|\(c\)\s*(?:19|20)\d\d|"
    r"all rights reserved",
    re.IGNORECASE,
)
_LEAST_DATE_SCORE = 1.5


def find_date(
    page_texts: Sequence[str], revision: str, created: str = "", pages: Sequence[PageTexts] = ()
) -> str:
    """Find when the document's own revision came out.

    Returns:
        "2021-03", "2021-03-15", or "2021" where only the copyright tells; empty when the pages do
        not say. Whether 3 May or 5 March is meant, the date at which the PDF was made tells.
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
    if (match := _BESIDE_REVISION.search(first)) and (date := parse_date(match["date"], created)):
        return date
    return _best_printed(pages, created) or _copyright_year(pages)


def _history_entry(page_texts: Sequence[str], own: str, created: str) -> str:
    """Date of the entry of a revision in the document's history."""
    name = re.escape(own)
    entries = (
        rf"\bRev(?:ision|\.)?\s*{name}\s*\(\s*(?P<date>{_DATE})\s*\)",
        rf"\b(?P<month>\d{{1,2}})/(?P<year>\d{{2,4}})\s*[—–-]\s*(?:[A-Z][a-z ]{{4,30}}\s)?"
        rf"(?:Rev(?:ision|\.)\s*\w{{1,2}}\s+to\s+)?Rev(?:ision|\.)\s*{name}\b",
        rf"(?P<date>{_DATE})\s+v?{name}(?![.\d])(?=\s)",
    )
    matches = (re.search(entry, text, re.IGNORECASE) for entry in entries for text in page_texts)
    match = next(filter(None, matches), None)
    if match is None:
        return ""
    if "date" in match.groupdict():
        return parse_date(match["date"], created)
    return _month_of(int(match["year"]), int(match["month"]))


def parse_date(text: str, created: str = "") -> str:
    """Write a date as "2018-03-30" or "2018-03"; empty for what is none, or is ambiguous."""
    text = " ".join(text.split())
    if match := _YEAR_FIRST.search(text) or _NAMED.search(text):
        month = _MONTHS.index(match["month"][:3].lower()) + 1
        day = match.groupdict().get("before") or match["after"] or 0
        return _day_of(int(match["year"]), month, int(day))
    if match := _ISO.search(text):
        return _day_of(int(match["year"]), int(match["month"]), int(match["day"] or 0))
    if match := _OF_DAY.search(text):
        a, b, year = int(match["a"]), int(match["b"]), _year_of(int(match["year"]))
        if match["sign"] == "." or a > 12:
            return _day_of(year, b, a)
        if b > 12 or a == b:
            return _day_of(year, a, b)
        made = re.match(r"D:(\d{4})(\d{2})", created)
        near = [m for m in (a, b) if made and (int(made[1]), int(made[2])) == (year, m)]
        return _day_of(year, near[0], b if near[0] == a else a) if near else ""
    return ""


def _best_printed(pages: Sequence[PageTexts], created: str) -> str:
    """Find the date that runs along the pages or stands beside what says "revised" or "rev"."""
    scores: Counter[str] = Counter()
    seen = {
        (line, index)
        for index, page in enumerate(pages)
        for line in ([*page.lines] if index in (0, len(pages) - 1) else page.edge)
    }
    running = Counter(line for line, _index in seen)
    for line, index in seen:
        if _OTHER.search(line):
            continue
        for match in re.finditer(rf"(?<![\w/.])(?:{_DATE}|{_SHORT})", line, re.IGNORECASE):
            text = match[0]
            is_short = not re.search(_DATE, text, re.IGNORECASE)
            is_revised = bool(
                _REVISED.search(line, 0, match.start()) or _REV.match(line, match.end())
            )
            runs = running[line] > 1 and 2 * running[line] >= len(pages)
            if is_short and not (
                is_revised or (runs and re.search(r"\w[–—-]$", line[: match.start()]))
            ):
                continue
            alone = 2 * len(text) > len(line)
            score = 2.0 * is_revised + 2.0 * runs + alone + 0.5 * (index == 0)
            month, _, year = text.partition("/")
            date = _month_of(int(year), int(month)) if is_short else parse_date(text, created)
            if date and score >= _LEAST_DATE_SCORE:
                scores[date] = max(scores[date], int(2 * score))
    return max(scores, key=lambda date: (scores[date], date), default="")


def _copyright_year(pages: Sequence[PageTexts]) -> str:
    """Read the year of the copyright line that most pages have."""
    years = Counter(
        years[-1]
        for page in pages
        for line in page.lines
        if _COPYRIGHT.search(line) and (years := re.findall(rf"(?<!\d){_YEAR}(?!\d)", line))
    )
    return max(years, key=lambda year: (years[year], year), default="")


def _day_of(year: int, month: int, day: int) -> str:
    of_month = _month_of(year, month)
    return f"{of_month}-{day:02d}" if of_month and 1 <= day <= 31 else of_month


def _month_of(year: int, month: int) -> str:
    return f"{_year_of(year)}-{month:02d}" if 1 <= month <= 12 else ""


def _year_of(year: int) -> int:
    """Write a year of two digits whole."""
    return year if year > 99 else year + (1900 if year >= 70 else 2000)
