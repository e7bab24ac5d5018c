"""Title, vendor, part numbers and revision, believed only where the pages say them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.dates import find_date
from desktop_qa.parse.heading_style import body_style
from desktop_qa.parse.heading_text import heading_number
from desktop_qa.parse.lines import Line
from desktop_qa.parse.part_numbers import expand_parts, find_part_numbers
from desktop_qa.parse.report_cover import read_cover
from desktop_qa.parse.vendor import PageTexts, find_vendor

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
_SLOGAN = re.compile(r"[A-Z][a-z]+ing\s+the\s|[A-Z][^.]*!$")
_GENERIC = {"data", "sheet", "datasheet", "product", "specification", "preliminary", "the",
            "features", "description", "applications", "general", "overview"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a document says about itself; `date` is "2021-03", "2021-03-15" or empty.

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
) -> Metadata:
    """Read title, vendor, part numbers and revision.

    Args:
        first_page: Its lines, furniture included.
        page_height: Of the first page, points.
        pages: Texts of every page, furniture included.
        pdf_metadata: The PDF's own, believed when its words stand on page 1.
        paths: File names: hints, believed when the pages hold them.
    """
    cover = attempt(Stage.METADATA, 1, None, read_cover, first_page)
    if cover is not None:
        return Metadata(cover.title, cover.company, (), "", cover.date)
    page_texts = [" ".join(page.lines) for page in pages]
    page_1 = page_texts[0] if page_texts else ""
    title = attempt(Stage.METADATA, 1, "", _largest_type, first_page, page_height)
    of_pdf = _clean(pdf_metadata.get("title", ""))
    titles = [title, of_pdf] if _stands_in(of_pdf, page_1) else [title]
    find_parts = partial(find_part_numbers, first_page, page_height, pages, titles, paths)
    parts = attempt(Stage.METADATA, 0, (), find_parts)
    if _SLOGAN.match(title):
        title = attempt(Stage.METADATA, 1, "", _definition, page_1, parts)
    if not title and _is_title(of_pdf) and _stands_in(of_pdf, page_1):
        title = of_pdf
    if not title:
        title = attempt(Stage.METADATA, 1, "", _first_line, first_page)
    revision = attempt(Stage.METADATA, 0, "", find_revision, page_texts)
    created = pdf_metadata.get("creationDate", "")
    return Metadata(
        title=attempt(Stage.METADATA, 1, title, _with_part, title, parts, paths, first_page),
        vendor=attempt(Stage.METADATA, 0, "", find_vendor, pages, pdf_metadata, paths),
        part_numbers=parts,
        revision=revision,
        date=attempt(Stage.METADATA, 0, "", find_date, page_texts, revision, created),
    )


def _largest_type(first_page: Sequence[Line], page_height: float) -> str:
    lines = _title_lines(first_page, page_height)
    return _without_revision(_clean(" ".join(line.text for line in lines)))


def _first_line(lines: Sequence[Line]) -> str:
    """What leads the page when nothing on it stands out."""
    for line in sorted(lines, key=lambda item: (-round(item.size), item.baseline)):
        is_name = sum(char.isalpha() for char in line.text) >= 3 and not heading_number(line.text)
        if is_name and not line.words[0].angle:
            return _clean(line.text)[:_MAX_TITLE_LENGTH]
    return ""


def _clean(text: str) -> str:
    # The logo of Analog Devices is the letter a of a font of its own.
    text = re.sub(r"^a (?=\S*[A-Z])", "", text)
    text = " ".join(text.replace("\u00ad", "-").split())
    # Ideographs have no spaces between them; the break of a line brings one in.
    text = re.sub(r"(?<=[\u3001-\u9fff\uff00-\uffef]) (?=[\u3001-\u9fff\uff00-\uffef])", "", text)
    return text.strip(" -–—|:")


def _without_revision(title: str) -> str:
    return re.sub(r"\s+(?:Rev(?:ision|\.)|Version|[vV](?=\d))\s*\d+(?:\.\d+)*$", "", title)


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


def _title_lines(lines: Sequence[Line], height: float) -> list[Line]:
    """Lines of the largest type in the upper part of page 1, which follow each other."""
    upper = [
        line
        for line in lines
        if line.baseline < 0.62 * height
        and not line.words[0].angle
        and sum(char.isalpha() for char in line.text) >= 3
        and not heading_number(line.text)
    ]
    usual = body_style(lines)[0]
    sizes = sorted({round(line.size, 1) for line in upper if line.size > usual + 0.4}, reverse=True)
    for size in sizes[:8]:
        run = _run_of_size(upper, size)
        if _is_title(" ".join(line.text for line in run)):
            return run
    return []


def _run_of_size(lines: Sequence[Line], size: float) -> list[Line]:
    run: list[Line] = []
    for line in sorted(lines, key=lambda item: (item.baseline, item.left)):
        if abs(line.size - size) > 0.3:
            continue
        if run and line.baseline - run[-1].baseline > 2.2 * size:
            break
        run.append(line)
    return run


def _is_title(text: str) -> bool:
    words = re.findall(r"(?<![\w])[^\W\d_]{3,}(?![\w])", text)
    telling = [word for word in words if word.lower() not in _GENERIC]
    n_ideographs = sum(char > "\u2e80" for char in text)
    return len(text) <= _MAX_TITLE_LENGTH and (len(telling) >= 2 or n_ideographs >= 4)


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
    return f"{_family_name(parts, lines)} {title}"


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
