"""Title, vendor, part numbers, revision and date, believed only where the pages say them.

Candidates for the title are the runs of equal type on page 1, the running heads and the PDF's own
title. Large type alone names a maker or a kind of document ("DATA SHEET") as often as the device:
so it counts as much whether the words run along the pages, what the sentences about the part say,
and whether the type is that of the page's other headings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.dates import find_date, parse_date
from desktop_qa.parse.grouping import gathered
from desktop_qa.parse.heading_style import Style, body_style, heading_number, style_of
from desktop_qa.parse.lines import Line, group_lines, parted
from desktop_qa.parse.part_numbers import expand_parts, find_part_numbers
from desktop_qa.parse.report_cover import read_cover
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


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a document says about itself; `date` is "2021-03", "2021-03-15", "2021" or empty.

    Of a report the vendor is who reports, and the date the end of its period.
    """

    title: str = ""
    vendor: str = ""
    part_numbers: tuple[str, ...] = ()
    revision: str = ""
    date: str = ""


def read_metadata(
    front: Sequence[Sequence[Line]],
    page_height: float,
    pages: Sequence[PageTexts],
    pdf_metadata: dict[str, str],
    paths: Sequence[str],
    read_logos: Callable[[], Sequence[Wordmark]] = tuple,
) -> Metadata:
    """Read title, vendor, part numbers and revision.

    Args:
        front: Fragments of the lines of the first pages, one or more, furniture included; a cover
            may stand behind a title page.
        page_height: Of the first page, points.
        pages: Texts of every page, furniture included.
        pdf_metadata: The PDF's own, believed when its words stand on page 1.
        paths: File names: hints, believed when the pages hold them.
        read_logos: Reads what page 1 draws in letters; asked where the words name no maker.
    """
    page_texts = [" ".join(page.lines) for page in pages]
    covers = (attempt(Stage.METADATA, 1, None, read_cover, page, page_texts) for page in front)
    cover = next(filter(None, covers), None)
    first_page = attempt(Stage.METADATA, 1, front[0], group_lines, front[0])
    page_1 = page_texts[0] if page_texts else ""
    vendor = cover.company if cover is not None else ""
    if not vendor:
        vendor = attempt(Stage.METADATA, 0, "", find_vendor, pages, pdf_metadata, paths, read_logos)
    if cover is not None and vendor:
        return Metadata(replace(cover, company=vendor).title, vendor, date=cover.date)
    of_pdf = _clean_title(pdf_metadata.get("title", ""))
    of_document = (first_page, page_height, pages, of_pdf, vendor)
    finder = attempt(Stage.METADATA, 1, None, _TitleFinder, *of_document)
    titles = [attempt(Stage.METADATA, 1, "", finder.find, ())] if finder else []
    titles += [of_pdf] if _stands_in(of_pdf, page_1) else []
    of_page = (first_page, page_height, pages, titles, paths, vendor)
    parts = attempt(Stage.METADATA, 0, (), find_part_numbers, *of_page)
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
    matches = (pattern.search(text) for pattern in _REVISIONS for text in page_texts[:3])
    match = next(filter(None, matches), None)
    return " ".join(match["r"].split()) if match else ""


_MAX_TITLE_LENGTH = 200
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
    r"(?:\ufffd.*){3}|^[A-Z][a-z]+ing\s+the\s|!$|(?<=\w)\.(?:pdf|docx?|html?)$"
)
"""An address, a copyright, a sentence or a slogan, the name of a file, what cannot be read."""


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
        named = [
            c for c in named if len(c.text) <= _MAX_TITLE_LENGTH and not _NO_TITLE.search(c.text)
        ]
        return max(named, key=lambda c: c.size).text if named else ""

    def _score(self, candidate: _Candidate, parts: Sequence[str], said: set[str]) -> float:
        text = candidate.text
        words = _words(text) - self._of_maker - _GENERIC - {part.casefold() for part in parts}
        n_telling = len(words) + sum(char > "\u2e80" for char in text) // 2
        if not n_telling or len(text) > _MAX_TITLE_LENGTH:
            return 0.0
        if _NO_TITLE.search(text) or FORM.search(text) or parse_date(text):
            return 0.0
        n_told = len(words & said) + len(words & self._pdf_words)
        names_maker = bool(self._of_maker) and self._of_maker <= _words(text)
        has_name = any(name in text for name in {*parts, *self._codes}) or (
            names_maker and not parts
        )
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

    def run_of(piece: Line, runs: Sequence[list[Line]]) -> list[Line] | None:
        return next((run for run in reversed(runs) if _goes_on(run[-1], piece)), None)

    runs = gathered(sorted(pieces, key=lambda item: (item.baseline, item.left)), run_of)
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
