"""Title, vendor, part numbers and revision, believed only where the pages say them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from desktop_qa.core.stages import Stage, attempt
from desktop_qa.parse.dates import find_date
from desktop_qa.parse.heading_style import body_style
from desktop_qa.parse.heading_text import heading_number
from desktop_qa.parse.lines import Line
from desktop_qa.parse.report_cover import read_cover

_VENDORS = (
    ("Texas Instruments", r"texas instruments|\bwww\.ti\.com"),
    ("Analog Devices", r"analog devices|\bwww\.analog\.com|one technology way"),
    ("Bosch Sensortec", r"bosch sensortec|\bbosch-sensortec\b"),
    ("Microchip", r"microchip technology|\bmicrochip\b"),
    ("NXP Semiconductors", r"nxp semiconductors|\bnxp b\.v\."),
    ("STMicroelectronics", r"stmicroelectronics|\bwww\.st\.com"),
    ("Espressif Systems", r"\bespressif\b"),
    ("Nordic Semiconductor", r"nordic semiconductor|\bnordicsemi\b"),
    ("Sensirion", r"\bsensirion\b"),
    ("TDK InvenSense", r"\binvensense\b"),
    ("Infineon", r"\binfineon\b"),
    ("onsemi", r"\bonsemi\b|on semiconductor|semiconductor components industries"),
    ("Maxim Integrated", r"\bmaxim integrated\b"),
    ("Linear Technology", r"linear technology corporation"),
    ("Renesas", r"\brenesas\b"),
    ("ROHM", r"\brohm\b"),
    ("Vishay", r"\bvishay\b"),
    ("Diodes Incorporated", r"diodes incorporated"),
    ("Nexperia", r"\bnexperia\b"),
    ("Silicon Labs", r"silicon lab(?:oratorie)?s\b"),
    ("Cypress", r"cypress semiconductor"),
    ("Allegro MicroSystems", r"allegro microsystems"),
    ("Monolithic Power Systems", r"monolithic power systems"),
    ("Raspberry Pi", r"raspberry pi ltd"),
    ("Toshiba", r"\btoshiba\b"),
    ("Winbond", r"\bwinbond\b"),
    ("Melexis", r"\bmelexis\b"),
)
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|copyright)\s*(?:©|\(c\))?\s*(?:\d{4}(?:\s*[-–,]\s*\d{4})*)?[,.]?\s*(?:by\s+)?"
    r"(?P<name>[A-Z][\w&.\-]*(?:\s+[A-Z&][\w&.\-]*){0,3}?)"
    r"(?:,?\s+(?:Inc|Incorporated|Ltd|Limited|GmbH|AG|Corp|Corporation|Company|B\.V|N\.V|LLC|PLC|"
    r"ASA|AS|AB|A/S|Oy|S\.?A|S\.?p\.?A|SE|KK|Co)\b|\.\s|\s*[|,–]|\s+All rights|\s+(?=[a-z])|$)"
)
_PART = re.compile(
    r"(?:[A-Z]{2,6}-)?[A-Z0-9]*[A-Z]{1,6}-?\d[A-Z0-9]*(?:-[A-Z0-9]{1,6})*\+?", re.IGNORECASE
)
_NOT_A_PART = re.compile(
    r"^(?:(?:S[A-Z]{3}|ZHC[A-Z]|JAJ[A-Z])[A-Z0-9]{2}\d[A-Z]?|DS\d{4,}[A-Z]?|DocID\d+|BST-.*|Rev.*|I[23]C.*|X2(?:SON|QFN)|(?:PS|DM|UM|AN)-.*|SPI\d?|RS-?\d{3}|"
    r"(?:[A-Z]*S?OT|SO|SOIC|[A-Z]*SOP|[A-Z]*QFN|[A-Z]*DFN|[A-Z]*SON|[A-Z]*LGA|[A-Z]*BGA|DIP|PDIP|"
    r"TO|SC|DPAK|D2PAK|PLCC|LCC|CSP|WLCSP|[A-Z]*SSOP)-?\d+.*|ISO-?\d+.*|JESD.*|JEDEC.*|AEC.*|"
    r"IEC.*|IEEE.*|EN\d+|CAN2.*|USB\d.*|RoHS\d?|MIL-.*|ECC\d+|IPC.*|PM\d.*|CO2|H2O|MSL\d|V\d+|"
    r"R\d+|C\d+|[A-Z]\d|\d+[-]?[A-Z]{1,3}|\d+[-]?(?:BIT|PIN|LEAD|KSPS|SPS)|[-\d.]+[A-Z]{1,3}|Q100|UART\d?|GPIO\d*|"
    r"AN\d{3,}|UM\d{4,}|TN\d{4,}|\d{4}[-]?\d{4}.*|P\d+|M\d+|IO\d+|UTF-?8|WI-?FI\d?|BLE\d.*|"
    r"802.*|B\d+|[A-Z]+\d+[-]\d{4}|LDO\d?|Q1|\d+D|2X\d+|MSB\d|LSB\d|TABLE\d|FIGURE\d|PAGE\d+)$",
    re.IGNORECASE,
)
_LITERATURE = r"(?:S[A-Z]{3}\d{3}|[A-Z]{2,4}\d{4,6})[A-Z]?"
"""Numbers of documents, not of parts: a date follows them."""

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


_MIN_SIZE_PT = 4.0
"""Smaller words are marks for machines that no reader sees."""

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
    page_texts: Sequence[str],
    pdf_metadata: dict[str, str],
    paths: Sequence[str],
) -> Metadata:
    """Read title, vendor, part numbers and revision.

    Args:
        first_page: Its lines, furniture included.
        page_height: Of the first page, points.
        page_texts: Plain text of every page, furniture included.
        pdf_metadata: The PDF's own, believed when its words stand on page 1.
        paths: File names: hints, believed when the pages hold them.
    """
    cover = attempt(Stage.METADATA, 1, None, read_cover, first_page)
    if cover is not None:
        return Metadata(cover.title, cover.company, (), "", cover.date)
    page_1 = page_texts[0] if page_texts else ""
    title = attempt(Stage.METADATA, 1, "", _largest_type, first_page, page_height)
    of_pdf = _clean(pdf_metadata.get("title", ""))
    find_parts = partial(_part_numbers, first_page, page_height, title, of_pdf, page_texts, paths)
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
        vendor=attempt(Stage.METADATA, 0, "", find_vendor, page_texts),
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


def _part_numbers(
    lines: Sequence[Line],
    height: float,
    title: str,
    pdf_title: str,
    page_texts: Sequence[str],
    paths: Sequence[str],
) -> tuple[str, ...]:
    head = [
        " ".join(word.text for word in line.words if word.size >= _MIN_SIZE_PT)
        for line in lines
        if line.bbox.top < 0.2 * height or line.size >= 14
    ]
    text = " ".join(page_texts[:3])
    hints = [
        token
        for path in paths
        for token in re.split(r"[_\s/]+", PurePosixPath(path).stem)
        if re.search(rf"(?<![A-Za-z0-9]){re.escape(token)}", text, re.IGNORECASE)
    ]
    found: dict[str, None] = {}
    for source in [*head, title, *hints, pdf_title if _stands_in(pdf_title, text) else ""]:
        for part in expand_parts(source):
            for member in _members(part, page_texts[:1]):
                found.setdefault(member)
            found.setdefault(part)
    everywhere = " ".join(page_texts)
    counts = Counter({part: len(re.findall(re.escape(part), everywhere)) for part in found})
    documents = set(re.findall(rf"\b({_LITERATURE})\s*[-–—]\s*{_MONTH}", text))
    kept = [part for part in found if counts[part] >= 1 and part not in documents]
    if not kept:
        return ()
    most = max(counts[part] for part in kept)
    stems = {_stem(part) for part in kept if counts[part] >= 0.3 * most}
    usual = [p for p in kept if counts[p] >= 0.1 * most or _stem(p) in stems]
    distinct = {part.upper().rstrip("+"): part for part in reversed(usual)}
    return tuple(part for part in usual if distinct[part.upper().rstrip("+")] == part)[:24]


def _members(part: str, pages: Sequence[str]) -> list[str]:
    """Parts that the first page names of a family such as SCD4x."""
    if not re.search(r"\dx{1,2}$", part):
        return []
    stem, n_open = re.match(r"(.*?)(x+)$", part).groups()  # type: ignore[union-attr]  # matched
    pattern = rf"(?<![A-Za-z0-9]){re.escape(stem)}\d{{{len(n_open)}}}(?![A-Za-z0-9])"
    return [p for page in pages for p in dict.fromkeys(re.findall(pattern, page)) if _is_part(p)]


def _stem(part: str) -> str:
    match = re.match(r"\d*[A-Za-z]+", part)
    return match[0].upper() if match else part[:3]


def expand_parts(text: str) -> list[str]:
    """Find part numbers, families written short expanded: ADS1113/4/5, MCP6001/1R/1U/2/4."""
    parts: list[str] = []
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "-").replace("\u2010", "-")
    for token in re.findall(r"[A-Za-z0-9][A-Za-z0-9+\-]*(?:\s?/\s?[A-Za-z0-9+\-]+)*", text):
        first, *others = re.split(r"\s?/\s?", token)
        if not _is_part(first):
            parts += [other for other in others if _is_part(other)]
            continue
        parts.append(first)
        for other in others:
            if _is_part(other) and len(other) >= len(first) - 2:
                parts.append(other)
            elif re.fullmatch(r"\d{1,3}[A-Z]{0,2}", other):
                parts.append(_with_tail(first, other))
    return list(dict.fromkeys(parts))


def _is_part(token: str) -> bool:
    return (
        3 <= len(token) <= 24
        and bool(_PART.fullmatch(token))
        and not _NOT_A_PART.match(token)
        and (len(token) > 4 or sum(char.isdigit() for char in token) >= 2)
    )


def _with_tail(first: str, tail: str) -> str:
    """Replace the last digits of a part number: ADS1113 and 4 make ADS1114."""
    n_digits = len(re.match(r"\d+", tail)[0])  # type: ignore[index]  # the caller matched digits
    match = re.match(r"(.*?)(\d+)([A-Za-z]*)$", first)
    if match is None:
        return first
    digits = match[2][:-n_digits] if n_digits < len(match[2]) else ""
    return match[1] + digits + tail


def find_vendor(page_texts: Sequence[str]) -> str:
    """Name the maker: a known one that the pages name most, else the holder of the copyright."""
    first = " ".join(page_texts[:2]).lower()
    everywhere = " ".join(page_texts).lower()
    counts = {
        name: len(re.findall(pattern, everywhere)) + 3 * len(re.findall(pattern, first))
        for name, pattern in _VENDORS
    }
    best = max(counts, key=lambda name: counts[name])
    if counts[best] >= 2:
        return best
    holders: Counter[str] = Counter()
    for text in page_texts:
        holders.update(match["name"].strip(" .,") for match in _COPYRIGHT.finditer(text))
    if holders:
        return max(holders.items(), key=lambda item: (item[1], item[0]))[0]
    return best if counts[best] else ""


def find_revision(page_texts: Sequence[str]) -> str:
    """Read the revision as written: "SBOS737C – JANUARY 2016 – REVISED MARCH 2018", "Rev. D"."""
    for pattern in _REVISIONS:
        for text in page_texts[:3]:
            if match := pattern.search(text):
                return " ".join(match["r"].split())
    return ""
