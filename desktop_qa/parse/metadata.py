"""Title, vendor, part numbers and revision, believed only where the pages say them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.dates import find_date
from desktop_qa.parse.document_title import TitleFinder, clean_title
from desktop_qa.parse.heading_text import heading_number
from desktop_qa.parse.lines import Line
from desktop_qa.parse.part_numbers import expand_parts, find_part_numbers
from desktop_qa.parse.report_cover import read_cover
from desktop_qa.parse.vendor import PageTexts, find_vendor
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
    of_pdf = clean_title(pdf_metadata.get("title", ""))
    of_document = (first_page, page_height, pages, of_pdf, vendor)
    finder = attempt(Stage.METADATA, 1, None, TitleFinder, *of_document)
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
            return clean_title(line.text)[:_MAX_TITLE_LENGTH]
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
