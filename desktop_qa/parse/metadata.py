"""Title, vendor, part numbers, revision and date, believed only where the pages say them.

Candidates for the title are the runs of equal type on page 1, the running heads and the PDF's own
title. Large type alone names a maker or a kind of document ("DATA SHEET") as often as the device:
so it counts as much whether the words run along the pages, what the sentences about the part say,
and whether the type is that of the page's other headings.

Reports of one company differ from year to year in nothing but form and period, and those of all
companies bear the largest type on the name of the form: a cover is told by these two, not its look.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.heading_style import Style, body_style, heading_number, style_of
from desktop_qa.parse.lines import Line, parted
from desktop_qa.parse.part_numbers import expand_parts, find_part_numbers
from desktop_qa.parse.vendor import FORM, PageTexts, find_vendor
from desktop_qa.parse.wordmark import Wordmark

_MONTH = r"[A-Z][A-Za-z]+\.?\s+\d{4}"
_REVISIONS = (
    re.compile(
        rf"\b(?P<r>(?:S[A-Z]{{3}}|ZHC[A-Z])[A-Z0-9]{{2,3}}[A-Z]?\s*[-–—]\s*{_MONTH}\s*[-–—]\s*REVISED\s+{_MONTH})",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?P<r>(?:S[A-Z]{{3}}|ZHC[A-Z])[A-Z0-9]{{2,3}}[A-Z]?\s*[-–—]\s*{_MONTH})"),
    re.compile(
        r"\b(?P<r>Rev(?:ision|\.)?:?\s*\d{1,2}(?:\.\d{1,2})*\s*[-–—|,]\s*(?:\d{1,2}\s+)?"
        rf"{_MONTH})"
    ),
    # "12/2018—Rev. C to Rev. D" is an entry of the history.
    re.compile(
        r"(?<!to )(?<![—–])\b(?P<r>(?:REV\.|Rev(?:ision)?\.?)\s*:?_?\s*"
        r"(?:\d{1,3}(?:\.\d{1,3})*(?!\d)|[A-Z]{1,2}\b))(?!\s+to\b)"
    ),
    re.compile(r"\b(?P<r>DS\d{5,}[A-Z])\b"),
    re.compile(r"\b(?P<r>Version\s+v?\d+(?:\.\d+)*)", re.IGNORECASE),
    re.compile(r"\b(?P<r>v\d+\.\d+(?:\.\d+)*)\b"),
)


_MAX_TITLE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a document says about itself; `date` is "2021-03", "2021-03-15", "2021" or empty.

    Of a report the vendor is who reports, and the date the end of its period.
    """

    title: str
    vendor: str
    part_numbers: tuple[str, ...]
    revision: str
    date: str = ""


def read_metadata(
    first_page: Sequence[Line],
    page_height: float,
    pages: Sequence[PageTexts],
    pdf_metadata: dict[str, str],
    paths: Sequence[str],
    read_logos: Callable[[], Sequence[Wordmark]] = tuple,
) -> Metadata:
    """Read title, vendor, part numbers and revision.

    Args:
        first_page: Its lines, furniture included.
        page_height: Of the first page, points.
        pages: Texts of every page, furniture included.
        pdf_metadata: The PDF's own, believed when its words stand on page 1.
        paths: File names: hints, believed when the pages hold them.
        read_logos: Reads what page 1 draws in letters; asked where the words name no maker.
    """
    cover = attempt(Stage.METADATA, 1, None, read_cover, first_page)
    page_texts = [" ".join(page.lines) for page in pages]
    page_1 = page_texts[0] if page_texts else ""
    vendor = cover.company if cover is not None else ""
    if not vendor:
        vendor = attempt(Stage.METADATA, 0, "", find_vendor, pages, pdf_metadata, paths, read_logos)
    if cover is not None and vendor:
        return Metadata(replace(cover, company=vendor).title, vendor, (), "", cover.date)
    of_pdf = _clean_title(pdf_metadata.get("title", ""))
    of_document = (first_page, page_height, pages, of_pdf, vendor)
    finder = attempt(Stage.METADATA, 1, None, _TitleFinder, *of_document)
    titles = [attempt(Stage.METADATA, 1, "", finder.find, ())] if finder else []
    titles += [of_pdf] if _stands_in(of_pdf, page_1) else []
    of_page = (first_page, page_height, pages, titles, paths, vendor)
    find_parts = partial(find_part_numbers, *of_page)
    parts = attempt(Stage.METADATA, 0, (), find_parts)
    title = attempt(Stage.METADATA, 1, "", finder.find, parts) if finder else ""
    if not title:
        title = attempt(Stage.METADATA, 1, "", _definition, page_1, parts)
    if not title and finder:
        title = attempt(Stage.METADATA, 1, "", finder.name, parts)
    if not title and not parts:
        title = attempt(Stage.METADATA, 1, "", _first_line, first_page)
    revision = attempt(Stage.METADATA, 0, "", find_revision, page_texts)
    created = pdf_metadata.get("creationDate", "")
    return Metadata(
        title=attempt(Stage.METADATA, 1, title, _with_part, title, parts, paths, first_page),
        vendor=vendor,
        part_numbers=parts,
        revision=revision,
        date=attempt(Stage.METADATA, 0, "", find_date, page_texts, revision, created, pages),
    )


def _first_line(lines: Sequence[Line]) -> str:
    """What leads the page when nothing on it stands out."""
    for line in sorted(lines, key=lambda item: (-round(item.size), item.baseline)):
        is_name = sum(char.isalpha() for char in line.text) >= 3 and not heading_number(line.text)
        if is_name and not line.words[0].angle:
            return _clean_title(line.text)[:_MAX_TITLE_LENGTH]
    return ""


def _definition(page: str, parts: Sequence[str]) -> str:
    """What the first sentence about a part says it is: "The XR4401 is a precision reference"."""
    matches = [
        (match.start(), f"{part} {match['what']}")
        for part in parts
        if (
            match := re.search(
                rf"\b{re.escape(part)}\s+(?:is|are)\s+(?:an?|the|[A-Z]\w+[’']s)\s+"
                r"(?P<what>[^.,;]{10,90}?)(?:[,;]|\.\s|\s(?:that|which)\s)",
                page,
            )
        )
    ]
    return min(matches)[1] if matches else ""


def _stands_in(text: str, page: str) -> bool:
    words = set(re.findall(r"\w{3,}", text.lower()))
    there = set(re.findall(r"\w{3,}", page.lower()))
    return bool(words) and len(words & there) >= 0.7 * len(words)


def _with_part(
    title: str, parts: Sequence[str], paths: Sequence[str], lines: Sequence[Line]
) -> str:
    """Lead the title with the part number when it does not name one of the family."""
    if not title:
        return parts[0] if parts else PurePosixPath(paths[0]).stem if paths else ""
    folded = title.lower().replace(" ", "")
    stems = {re.sub(r"\d+\w*$", "", part.lower()) for part in parts}
    if not parts or any(part.lower() in folded for part in parts):
        return title
    if any(stem and re.search(rf"{re.escape(stem)}x?\d", folded) for stem in stems):
        return title
    family = _family_name(parts, lines)
    return title if title.startswith(family) else f"{family} {title}"


def _family_name(parts: Sequence[str], lines: Sequence[Line]) -> str:
    """The family as the page writes it short, "MCP6001/1R/1U/2/4"; else its first members."""
    for line in sorted(lines, key=lambda item: -item.size):
        if "/" in line.text and len(line.text) <= 40 and " " not in line.text.strip():
            members = expand_parts(line.text)
            if len(members) > 1 and set(members) <= set(parts):
                return line.text.strip()
    return "/".join(parts[:3])


def find_revision(page_texts: Sequence[str]) -> str:
    """Read the revision as written: "SBOS737C – JANUARY 2016 – REVISED MARCH 2018", "Rev. D"."""
    for pattern in _REVISIONS:
        for text in page_texts[:3]:
            if match := pattern.search(text):
                return " ".join(match["r"].split())
    return ""


_MAX_LENGTH = 200
_COLUMN_GAP = 1.5
"""Of the size of the type; words farther apart belong to two texts."""

_LEADING = 2.2
_SAME_SIZE_PT = 0.3
_LEAST_TITLE_SCORE = 0.5
_FOOT = 0.08
"""Of the height of page 1: below stand addresses and numbers of the document."""

_MAX_SIZE = 1.5
"""What type counts at most, over that of the text, less one: a cover's is many times as large."""

_USUAL_PT = 10.0
"""Of text: a cover that has none but large type is measured against it."""

_MANY_TOLD = 3
"""Words that the sentences about the part share with a title: so many are no chance."""

_GENERIC = frozenset({
    "data", "sheet", "datasheet", "product", "specification", "preliminary", "the", "and", "for",
    "with", "features", "description", "applications", "application", "general", "overview",
    "discrete", "integrated", "circuits", "semiconductors", "semiconductor", "technical",
    "information", "advance", "advanced", "document", "order", "number", "series", "ordering",
    "manual", "rev", "doc", "ver", "version", "page", "part", "package", "packages", "dimensions",
    "key", "quick", "reference", "absolute", "maximum", "ratings", "characteristics", "formerly",
    "now", "thru", "through", "contents",
})  # fmt: skip
"""Words of every second cover: they tell no document from another."""

_WORD = re.compile(r"(?<![\w.@])[^\W\d_]{3,}(?![\w@])")
_CODE = re.compile(r"(?=.*\d)[A-Z][A-Z0-9-]{3,}")
_SENTENCE = re.compile(r"[^.;:]{10,160}")
_NO_TITLE = re.compile(
    r"(?i:www\.)|https?:|@|\.com\b|©|®\s*\d{4}|\b(?:is|are|have|please|this)\b|\.$|(?:\. ?){3}|"
    r"(?:\ufffd.*){3}|^[A-Z][a-z]+ing\s+the\s|!$"
)
"""An address, a copyright, a sentence or a slogan, and what cannot be read."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    size: float = 0.0
    height: float = 1.0
    """Place on the page, 0 at its foot; 1 for what runs along the pages."""

    runs: bool = False
    """True for what only the running lines have."""

    n_before: int = 0
    """Runs of the same style above it: what comes after others is the heading of a section."""


class _TitleFinder:
    """Finds the title; what the pages say is gathered once."""

    def __init__(
        self,
        first_page: Sequence[Line],
        page_height: float,
        pages: Sequence[PageTexts],
        pdf_title: str,
        vendor: str,
    ) -> None:
        """Gather the candidates; the words of the vendor tell no title."""
        self._pdf_words = _words(pdf_title)
        running = Counter(
            text for page in pages for text in {_clean_title(line) for line in page.edge}
        )
        self._running = {
            text: n / len(pages) for text, n in running.items() if n > 1 and 2 * n >= len(pages)
        }
        self._codes = [t for t in self._running if _CODE.fullmatch(t)]
        self._front = " ".join(line for page in pages[:3] for line in page.lines)
        self._of_maker = _words(vendor)
        self._candidates = list(_runs(first_page, page_height))
        on_first = {candidate.text for candidate in self._candidates}
        self._candidates = [c for c in self._candidates if c.height > _FOOT]
        self._candidates += [
            _Candidate(text, runs=True) for text in self._running if text not in on_first
        ]
        if len(self._pdf_words & _words(self._front)) >= 0.5 * len(self._pdf_words) > 0:
            self._candidates.append(_Candidate(_clean_title(pdf_title), height=0.0))

    def find(self, parts: Sequence[str]) -> str:
        """Return the best title, empty when nothing names the document."""
        said = self._said_of(parts)
        scored = [(self._score(c, parts, said), c.text) for c in self._candidates]
        best = max(scored, default=(0.0, ""), key=lambda item: item[0])
        return best[1] if best[0] >= _LEAST_TITLE_SCORE else ""

    def name(self, parts: Sequence[str]) -> str:
        """Return the largest text of page 1 that holds a part, with what kind of document it is."""
        named = [c for c in self._candidates if any(part in c.text for part in parts)]
        named = [c for c in named if len(c.text) <= _MAX_LENGTH and not _NO_TITLE.search(c.text)]
        return max(named, key=lambda c: c.size).text if named else ""

    def _score(self, candidate: _Candidate, parts: Sequence[str], said: set[str]) -> float:
        text = candidate.text
        words = _words(text) - self._of_maker - _GENERIC - {part.casefold() for part in parts}
        n_telling = len(words) + sum(char > "\u2e80" for char in text) // 2
        if not n_telling or len(text) > _MAX_LENGTH:
            return 0.0
        if _NO_TITLE.search(text) or FORM.search(text) or parse_date(text):
            return 0.0
        n_told = len(words & said) + len(words & self._pdf_words)
        has_name = any(name in text for name in {*parts, *self._codes})
        told = min(n_told / n_telling, 1.0) * min(n_told / _MANY_TOLD, 1.0)
        score = candidate.size + 0.5 * candidate.height + 1.5 * told + 0.5 * has_name
        if n_told or (has_name and not candidate.runs):
            score += min(self._runs_along(text), 1.0)
        elif candidate.runs:
            return 0.0
        return score - 0.5 * min(candidate.n_before, 3) - (n_telling < 2)

    def _runs_along(self, text: str) -> float:
        """Tell what share of a text stands in the running lines, by the pages that have them."""
        within = [line for line in self._running if len(line) > 3 and line in text]
        return sum(self._running[line] * len(line) for line in within) / len(text)

    def _said_of(self, parts: Sequence[str]) -> set[str]:
        """Collect the words of the sentences that say what a part is."""
        said: set[str] = set()
        for part in parts[:8]:
            spoken = rf"\b{re.escape(part)}\b[^.;:]{{0,60}}?\b(?:is|are|contains?|provides?)\b"
            for match in re.finditer(spoken, self._front):
                sentence = _SENTENCE.match(self._front, match.end())
                said |= _words(match[0]) | (_words(sentence[0]) if sentence else set())
        return said


def _runs(lines: Sequence[Line], height: float) -> Iterator[_Candidate]:
    """Join the lines of page 1 that follow each other in one type."""
    usual = min(max(body_style(lines)[0], 1.0), _USUAL_PT)
    pieces = [
        piece
        for line in lines
        if not line.words[0].angle
        for piece in parted(line, _COLUMN_GAP)
        if sum(char.isalnum() for char in piece.text) >= 3
    ]
    runs: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda item: (item.baseline, item.left)):
        run = next((run for run in reversed(runs) if _goes_on(run[-1], piece)), None)
        if run is None:
            runs.append([piece])
        else:
            run.append(piece)
    above: Counter[Style] = Counter()
    for run in runs:
        style = style_of(run[0])
        size = min(run[0].size / usual - 1, _MAX_SIZE)
        size = size if size > 0 else 3 * size
        starts = Counter(line.words[0].text for line in run)
        if len(starts) < len(run) and any(len(start) == 1 for start, n in starts.items() if n > 1):
            continue
        place = 1 - run[0].baseline / height
        text = _clean_title(" ".join(line.text for line in run))
        yield _Candidate(text, size, place, n_before=above[style])
        above[style] += 1


def _goes_on(above: Line, line: Line) -> bool:
    return (
        abs(above.size - line.size) <= _SAME_SIZE_PT
        and above.bold == line.bold
        and line.baseline - above.baseline <= _LEADING * line.size
        and line.left < above.right
        and above.left < line.right
    )


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _clean_title(text: str) -> str:
    """Join a title's words without what leads and ends it."""
    # The logo of Analog Devices is the letter a of a font of its own.
    text = re.sub(r"^a (?=\S*[A-Z])", "", text)
    text = " ".join(text.replace("\u00ad", "-").split())
    # Ideographs have no spaces between them; the break of a line brings one in.
    text = re.sub(r"(?<=[\u3001-\u9fff\uff00-\uffef]) (?=[\u3001-\u9fff\uff00-\uffef])", "", text)
    text = re.sub(r"(?:\s+datasheet)?\s*\(Rev\.? \w+\)$", "", text)
    text = re.sub(r"\s+(?:Rev(?:ision|\.)|Version|[vV](?=\d))\s*\d+(?:\.\d+)*$", "", text)
    return text.strip(" -–—|:")


_FORM = re.compile(r"^\s*form\s+(?P<form>\d{1,2}-[A-Z]{1,3}(?:/A)?|[A-Z]-\d{1,2}(?:/A)?)\b", re.I)
_PERIOD = re.compile(
    r"\b(?P<kind>quarterly\s+period|year|quarter|transition\s+period)\s+ended\b\D{0,24}?"
    r"(?P<date>[A-Z][a-z]+\.?\s+\d{1,2},?\s+\d{4}|\d{1,2}\s+[A-Z][a-z]+\s+\d{4})",
    re.IGNORECASE,
)
_BELOW_NAME = re.compile(r"exact\s+name\s+of\s+(?:the\s+)?(?:registrant|issuer)", re.IGNORECASE)
_MAX_LEADING = 1.6
_SAME_NAME_SIZE_PT = 0.6


@dataclass(frozen=True, slots=True)
class _ReportCover:
    """What a cover states: "3M" or nothing, "10-K", "2018" or the last day, "2018-12-31"."""

    company: str
    form: str
    period: str
    date: str

    @property
    def title(self) -> str:
        """What tells the report from all others: "3M 10-K 2018"."""
        return f"{self.company} {self.form} {self.period}"


def read_cover(lines: Sequence[Line]) -> _ReportCover | None:
    """Read the cover of a report; None for a page that lacks form or period."""
    forms = [match for line in lines if (match := _FORM.match(line.text))]
    period = _PERIOD.search(" ".join(line.text for line in lines))
    if not forms or period is None:
        return None
    printed = " ".join(period["date"].split())
    date = parse_date(printed)
    is_annual = "year" in period["kind"].casefold()
    return _ReportCover(
        _company(lines), forms[0]["form"].upper(), date[:4] if is_annual else printed, date
    )


def _company(lines: Sequence[Line]) -> str:
    """Name printed over "(Exact name of registrant as specified in its charter)"."""
    for k, line in enumerate(lines):
        if k and _BELOW_NAME.search(line.text):
            name = [lines[k - 1]]
            for above in reversed(lines[: k - 1]):
                size = name[0].size
                if (
                    name[0].baseline - above.baseline > _MAX_LEADING * size
                    or abs(above.size - size) > _SAME_NAME_SIZE_PT
                ):
                    break
                name.insert(0, above)
            text = " ".join(" ".join(one.text for one in name).split())
            # What stands there else are numbers of the file and of the law.
            return "" if re.search(r"\d", text) else re.sub(r"\s+(?=[.,])", "", text)
    return ""


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_YEAR = r"(?:19|20)\d\d"
_DATE = (
    rf"(?:(?:\d{{1,2}}[\s-]+)?{_NAME}[\s,/-]+(?:\d{{1,2}}[,/]\s*)?{_YEAR}"
    rf"|{_YEAR}[\s-]+{_NAME}(?:[\s-]+\d{{1,2}}\b)?"
    rf"|\d{{1,2}}-{_NAME}-\d\d"
    r"|(?:19|20)\d\d(?:[-/]|\.\s?)\d{1,2}(?:(?:[-/]|\.\s?)\d{1,2})?"
    r"|\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d\d|\d\d/\d\d/\d\d)(?![\d.]*\d)"
)
_NAMED = re.compile(
    rf"(?:(?P<before>\d{{1,2}})[\s-]+)?(?P<month>{_NAME})[\s,/-]+"
    rf"(?:(?P<after>\d{{1,2}})[,/]\s*)?(?P<year>{_YEAR}|(?<=-)\d\d\b)",
    re.IGNORECASE,
)
_YEAR_FIRST = re.compile(
    rf"(?P<year>{_YEAR})[\s-]+(?P<month>{_NAME})(?:[\s-]+(?P<after>\d{{1,2}})\b)?", re.IGNORECASE
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
