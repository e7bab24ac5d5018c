"""The parts that a document is about, found by how and where its pages print them.

Codes of the first pages, the running heads and the title are candidates. A part stands in large
type, at the edge of many pages, and the text speaks of it; a number of the document stands in small
type, and no sentence names it. What the best candidate shares a line or a stem with is its family.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

from desktop_qa.parse.heading_style import body_style
from desktop_qa.parse.lines import Line, parted
from desktop_qa.parse.vendor import PageTexts

_PART = re.compile(
    r"(?:[A-Z]{2,6}-)?[A-Zµ0-9]*[A-Z]{1,6}-?\d[A-Z0-9]*(?:-[A-Z0-9]{1,6}|-\d{1,2}\.\d[A-Z]?)*\+?",
    re.IGNORECASE,
)
_NOT_A_PART = re.compile(
    r"^(?:I[23]C.*|X2(?:SON|QFN)|(?:RS|EIA|TIA|V)-?\d{2,3}(?:-?[A-Z])?|"
    r"(?:[A-Z]*S?OT|SO|SOIC|[A-Z]*QFN|[A-Z]*DFN|[A-Z]*SON|[A-Z]*LGA|[A-Z]*BGA|DIP|PDIP|TO|DO|SC|DPAK|D2PAK|PLCC|LCC|CSP|WLCSP)-?\d+.*|"
    r"(?:EN|JESD|JEDEC|AEC|IEC|IEEE|IPC|ISO|MIL)-?[A-Z]?\d.*|R\d+|C\d+|SHA-?\d+|802.*|"
    r".*-(?-i:[a-z]{2,}(?:-.*)?)|"
    r"(?:Q[1-4]-?)?[FC]Y-?(?:20)?\d\d|[1-4]Q\d\d|"
    r"[A-Z]\d{1,2}V|[A-Z]+\d(?:OUT|IN))$",
    re.IGNORECASE,
)
"""Packages, standards, units, periods and numbers of documents that are written like parts."""

_NUMBERED = re.compile(
    r"(?:document\s+by|document\s+(?:no|number)|publication\s+(?:no|number)|(?:file|doc|spec|literature)\s*"
    r"(?:no|number)?|order\s+(?:no|number)|drawing\s+no|\brev|\bmodel\s+file|^no)\W{0,4}$",
    re.IGNORECASE,
)
"""What stands before the number of a document."""

_CALLED = re.compile(
    r"\b(?:model|module|part|product|device|type)\s*(?:no|number|name)?\W{1,4}$", re.IGNORECASE
)
"""What stands before the part on a cover: "MODEL NO : XN1602K"."""

_NUMBER_GOES_ON = re.compile(
    r"\W{0,5}(?:Rev\b|page\b|\(?v\d|[A-Z][a-z]{2,8}\.? (?:\d\d?, )?(?:19|20)\d\d)", re.IGNORECASE
)
"""What stands behind it."""

_TOKEN = re.compile(
    r"(?<![\w.])[A-Za-zµ0-9](?:[A-Za-z0-9+\-]|\.(?=\d[A-Za-z]?\b))*(?:\s?/\s?[A-Za-z0-9+\-.]+)*(?!_)"
)
_SPACED = re.compile(
    r"(?<![\w-])([A-Z]{2,5}) (?!(?:19|20)\d\d\b)(\d{3,5}[A-Z]{0,2}|\d\d[A-Z0-9]{2,5})(?![\w.-])"
)
_OPEN_END = re.compile(r"(?<=[A-Z]\d\d)\.\.(?=[\s,–-]|$)|(?<=[A-Z]\d\d\d)\.\.(?=[\s,–-]|$)")
"""Of a family as it is written short: TSOP17.."""

_SUFFIXES = re.compile(r"(?<=\d)(?:, [A-C])+\b(?!\w)|(?<=\d[A-C])(?:,[A-C]{1,2})+\b(?!\w)")
"""Of a family that stand behind its first part: "TIP29, A, B, C"."""

_MILITARY = "883"
"""Behind a slash: tested by MIL-STD-883, no part of its own."""

_NAME = re.compile(
    r"(?<![\w-])(?:[A-Z0-9]{2,}(?:/[A-Z0-9]{2,})*(?=\s(?i:series|family)\b)|"
    r"[A-Z][A-Za-z]+-[IVX]+(?![\w-])|[A-Z]+[A-Z][a-z]+(?![\w-]))"
)
"""A name without a usual code: TXL Series, Spartan-II, SDCard."""

_RANGE = re.compile(
    r"([A-Z0-9]*[A-Z]\d[A-Z0-9]*)(?:\([A-Z]\))?\s*(?:\s(?:thru|through|to)\s|[-–—~]|\.{2,3}|…)\s*([A-Z0-9]*[A-Z]\d[A-Z0-9]*)",
    re.IGNORECASE,
)
_RUNS = re.compile(r"\d+|[A-Za-zµ]+|[^A-Za-zµ\d]+")
_NOTE = re.compile(
    r"(?:application|app)\s?(?:notes?|brief|report)\b|tutorial|errata", re.IGNORECASE
)
_HEAD_OF_NOTE = re.compile(rf"(?:{_NOTE.pattern})(?!\s(?-i:[a-z]))", re.IGNORECASE)
_OF_NOTE = re.compile(
    r"\bthis\s+(?:application\s+(?:note|brief|report)|tutorial)\b|"
    r"^application\s+(?:note|brief|report)$",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER_OF_NOTE = re.compile(r"([A-Z]{2,4}\d{2,5})\s?(?::|$)")
"""The number of an application note before its title or alone at the edge."""

_MAX_TEXT_PT = 14.0
"""Of text: a cover that has none but large type is measured against it."""

_MAX_PARTS = 99
_KEPT_SHARE = 0.6
_KIN_SHARE = 0.15
"""Of the best score: what another part needs by itself, and what one of the same family needs."""

_LEAST_REPEATED = 3
"""Times that a name without a usual code, or the stem of a split range, is printed."""

_APART = 2.0
"""White between words of a line, in sizes of its type, that parts them."""

_HEADLINE = 0.3
_UNSPOKEN = 2.5
"""Taken from a code that no sentence and no table names: the number of a document has none."""


@dataclass(slots=True)
class _Candidate:
    size: float = 0.0
    """Of its largest type on the first page over that of the text, less one; at most 2."""

    at_head: bool = False
    in_title: bool = False
    in_file: bool = False
    leads: bool = False
    """A sentence of page 1 begins with it: "The CD4042B types are supplied ..."."""

    called: bool = False
    """A line of page 1 says that it is the model or the part."""

    n_numbered: int = 0
    n_counted: int = 0
    n_on_edge: int = 0
    edge_pages: set[int] = field(default_factory=set)
    pages: set[int] = field(default_factory=set)
    n_spoken: int = 0
    rows: set[int] = field(default_factory=set)
    """Lines of the head of page 1 on which it stands."""

    @property
    def heads(self) -> bool:
        """True for what the title names or is set apart at the head of page 1."""
        return self.in_title or self.size >= _HEADLINE

    def is_told(self, n_pages: int) -> bool:
        """True for what the front or the edges set apart or most pages have, never as a number."""
        is_apart = self.heads or self.at_head or self.leads or self.edge_pages
        is_usual = is_apart or 2 * len(self.pages) > n_pages
        return self.called or (bool(is_usual) and not 0 < self.n_counted == self.n_numbered)

    def stands_out(self, best: _Candidate) -> bool:
        """Tell whether the pages show it as they do their own part: another is only mentioned."""
        is_shown = self.heads or self.at_head or 2 * self.n_counted >= best.n_counted
        return bool(is_shown) and (self.n_counted > 1 or best.n_counted <= 3)

    def score(self, n_pages: int) -> float:
        total = 1.5 * self.size + self.at_head + 1.5 * self.in_title + self.in_file
        total += 3 * len(self.edge_pages) / n_pages + 2 * len(self.pages) / n_pages
        total += min(self.n_spoken, 4) / 4
        total -= _UNSPOKEN * (not self.n_spoken and self.size < _HEADLINE)
        is_foot = not (self.heads or self.at_head) and self.n_on_edge == self.n_counted
        total -= _UNSPOKEN * is_foot
        is_number = 0 < self.n_counted <= 2 * self.n_numbered
        return total + self.leads + 2 * self.called - 4 * is_number


def find_part_numbers(
    first_page: Sequence[Line],
    page_height: float,
    pages: Sequence[PageTexts],
    titles: Sequence[str],
    paths: Sequence[str],
    vendor: str = "",
) -> tuple[str, ...]:
    """Find the parts that a document is about, the surest first.

    Args:
        first_page: Its lines, furniture included.
        page_height: Of the first page, points.
        pages: Texts of every page, furniture included.
        titles: Of the document by its largest type and by the PDF's own metadata.
        paths: File names: hints, believed when the pages hold them.
        vendor: Whose name is no part.
    """
    found: dict[str, _Candidate] = defaultdict(_Candidate)
    _from_first_page(found, first_page, page_height)
    for index, page in enumerate(pages):
        for part in (part for line in page.edge for part in expand_parts(line)):
            found[part].edge_pages.add(index)
    for title in titles:
        for part in expand_parts(title):
            found[part].in_title = True
    lines = [line for page in pages[:3] for line in page.lines]
    front = "\n".join(lines)
    for part in _hints(paths, front):
        found[part].in_file = True
    counts = _count(found, pages)
    for part in [part for part, c in found.items() if not c.pages]:
        del found[part]
    heads = {line.text for line in first_page} | {line for page in pages for line in page.edge}
    is_note = any(map(_HEAD_OF_NOTE.match, heads)) or any(map(_NOTE.search, titles))
    is_note = is_note or bool(_OF_NOTE.search(front))
    numbers = {match[1] for head in heads if (match := _NUMBER_OF_NOTE.match(head))}
    if not is_note:
        # A part leads its title with a colon as well, but then the text speaks of it.
        leads = {title.partition(":")[0] for title in titles if ":" in title}
        numbers = {n for n in numbers & leads & {*found} if found[n].n_spoken < 2}
    found = {part: candidate for part, candidate in found.items() if part not in numbers}
    kept = _family(found, len(pages), is_note=is_note)
    if not kept and not is_note:
        often = [p for p, c in found.items() if 2 * len(c.pages - c.edge_pages) > len(pages)]
        kept = _names(_heads(first_page, pages, titles), pages, vendor) or often[:1]
    edges = {line for page in pages for line in page.edge}
    kept = _with_ranges(kept, [*lines, *edges], counts)
    first = [part for line in first_page for part in expand_parts(line.text)]
    kept += [m for p in kept for m in _members(p, first) if m not in kept]
    kept = [p for p in kept if not any(_is_piece(p, other, counts[p]) for other in kept)]
    distinct = {part.upper().rstrip("+"): part for part in reversed(kept)}
    return tuple(part for part in kept if distinct[part.upper().rstrip("+")] == part)[:_MAX_PARTS]


def _from_first_page(found: dict[str, _Candidate], lines: Sequence[Line], height: float) -> None:
    usual = min(max(body_style(lines)[0], 1.0), _MAX_TEXT_PT)
    for index, line in enumerate(_pieces(lines)):
        text = line.text
        is_large = line.size > 1.15 * usual
        parts = expand_parts(text)
        if not parts and is_large:
            parts = ["".join(pair) for pair in _SPACED.findall(text)]
            for part in parts:
                found[part].pages.add(0)
                found[part].n_spoken += 1
        if parts and (lead := re.match(r"The\s+(\S+)\s+[a-z]", text)):
            for part in expand_parts(lead[1]):
                found[part].leads = True
        for part in parts:
            candidate = found[part]
            at_head = line.baseline < 0.2 * height
            if line.baseline < 0.62 * height:
                candidate.size = max(candidate.size, min(line.size / usual - 1, 2.0))
            candidate.at_head |= at_head
            if is_large:
                candidate.rows.add(index)


def _pieces(lines: Iterable[Line]) -> Iterator[Line]:
    """Part lines where white stands: what is set side by side need not belong together."""
    return (piece for line in lines for piece in parted(line, _APART))


def _hints(paths: Iterable[str], front: str) -> Iterator[str]:
    for path in paths:
        for token in re.split(r"[_\s/]+", PurePosixPath(path).stem):
            if re.search(rf"(?<![A-Za-z0-9]){re.escape(token)}", front, re.IGNORECASE):
                yield from expand_parts(token)


def _count(found: Mapping[str, _Candidate], pages: Sequence[PageTexts]) -> Counter[str]:
    """Count the codes of all pages, and note on which pages candidates stand and are spoken of."""
    counts: Counter[str] = Counter()
    for index, page in enumerate(pages):
        for text in page.lines:
            on_edge = text in page.edge
            line = _normalized(text)
            for match in _TOKEN.finditer(line):
                counts[match[0]] += match[0].isdigit()
                if match[0].isalpha() or match[0].isdigit():
                    continue
                for part in _expanded(match[0]):
                    counts[part] += 1
                    candidate = found.get(part)
                    if candidate is None:
                        continue
                    candidate.pages.add(index)
                    is_number = bool(
                        _NUMBERED.search(line, 0, match.start())
                        or _NUMBER_GOES_ON.match(line, match.end())
                    )
                    candidate.n_numbered += is_number
                    candidate.n_counted += 1
                    candidate.n_on_edge += on_edge
                    alone = len(match[0]) > 0.6 * len(line.strip())
                    called = index == 0 and bool(_CALLED.search(line, 0, match.start()))
                    candidate.called |= called
                    candidate.n_spoken += called or not (on_edge or alone or is_number)
    return counts


def _family(found: Mapping[str, _Candidate], n_pages: int, *, is_note: bool) -> list[str]:
    """Keep the best candidate and those that its pages set beside it or speak of as much."""
    scores = {part: candidate.score(max(n_pages, 1)) for part, candidate in found.items()}
    if is_note:
        scores = {p: s for p, s in scores.items() if found[p].n_spoken >= 3 and found[p].heads}
    scores = {part: score for part, score in scores.items() if score > 0.5}
    told = [part for part in scores if is_note or found[part].is_told(n_pages)]
    if not told:
        return []
    best = max(told, key=lambda part: scores[part])
    kin = {_stem(best)}
    rows = set(found[best].rows)
    kept = []
    for part in sorted(scores, key=lambda p: (-scores[p], list(found).index(p))):
        share = scores[part] / scores[best]
        beside = bool(found[part].rows & rows)
        is_sister = not part.startswith(best + "-")
        beside |= _stem(part) in kin and (not is_sister or found[part].stands_out(found[best]))
        runs = found[part].at_head and 2 * len(found[part].edge_pages) > n_pages
        is_shown = found[part].heads or runs
        if part == best or (share >= _KIN_SHARE if beside else share >= _KEPT_SHARE and is_shown):
            kept.append(part)
    order = list(found)
    return sorted(
        kept, key=lambda part: (found[part].size < 0.6 * found[best].size, order.index(part))
    )


def _heads(
    first_page: Sequence[Line], pages: Sequence[PageTexts], titles: Sequence[str]
) -> list[str]:
    """What names the document: large type of page 1, its titles and the running lines."""
    usual = max(body_style(first_page)[0], 1.0)
    running = Counter(line for page in pages for line in {*page.edge})
    large = [line.text for line in _pieces(first_page) if line.size > 1.15 * usual]
    return [*large, *titles, *(line for line, n in running.items() if 2 * n > len(pages) > 1)]


def _names(heads: Iterable[str], pages: Sequence[PageTexts], vendor: str) -> list[str]:
    """Take names without a usual code, which the heads state and most pages repeat."""
    texts = ["\n".join(page.lines) for page in pages]
    text = "\n".join(texts)
    found = []
    for name in dict.fromkeys(n for h in heads for m in _NAME.finditer(h) for n in m[0].split("/")):
        again = re.compile(rf"(?<![\w-]){re.escape(name)}(?![a-z])")
        on = sum(bool(again.search(page)) for page in texts)
        is_word = bool(re.search(rf"(?<![\w/.]){re.escape(name.lower())}(?![\w-])", text))
        # A series has members, "TXL 015-12S"; an acronym has none.
        is_word |= name.isupper() and name.isalpha() and not re.search(rf"\b{name}[ -]?\d", text)
        is_often = 2 * on > len(pages) and len(again.findall(text)) >= _LEAST_REPEATED
        if is_often and not is_word and name.casefold() not in vendor.casefold():
            found.append(name)
    return found


def _with_ranges(kept: list[str], lines: Sequence[str], counts: Counter[str]) -> list[str]:
    """Add what a range ("1N4001 thru 1N4007") comprises and the pages print."""
    result = list(kept)
    for first, last in sorted({m.groups() for line in lines for m in _RANGE.finditer(line)}):
        a, b = _RUNS.findall(first), _RUNS.findall(last)
        differing = [i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y]
        if first not in kept or last not in kept or len(a) != len(b) or len(differing) != 1:
            continue
        low, high = a[differing[0]], b[differing[0]]
        head, tail = "".join(a[: differing[0]]), "".join(a[differing[0] + 1 :])
        # Tables print the digits alone as well: "1N 4001 4002 4003".
        is_split = len(low) > 3 or lines.count(head) >= _LEAST_REPEATED
        numbers = {
            code[len(head) : len(code) - len(tail)]
            for code in counts
            if code.startswith(head) and code.endswith(tail)
        } | {code for code in counts if is_split and len(code) in (len(low), len(high))}
        between = sorted((n for n in numbers if _is_between(low, n, high)), key=int)
        members = [first, *(f"{head}{number}{tail}" for number in between), last]
        at = min(result.index(first), result.index(last))
        result = [part for part in result if part not in members]
        result[at:at] = members
    return result


def _is_between(low: str, number: str, high: str) -> bool:
    """Compare numbers of parts; one that a zero leads is a decimal: 005, 01, 10."""
    if not all(map(str.isdigit, (low, number, high))) or len(number) > max(len(low), len(high)):
        return False
    least = 0 if low[0] == "0" and len(low) >= len(high) else int(low)
    return least < int(number) < int(high) and number != low


def _is_piece(part: str, whole: str, n_counted: int) -> bool:
    """Tell whether a code is what another begins or ends with: SN54LS or HC245 of a family.

    Letters before it make another part (MMBT2222 and SMMBT2222) when both are printed often.
    """
    begins = whole.startswith(part) and re.fullmatch(r"[A-Z]*\d{2,}[A-Z]*", whole[len(part) :])
    before = whole[: -len(part)] if whole.endswith(part) else ""
    ends = re.fullmatch(r"[A-Z]+\d+" if n_counted > 1 else r"[A-Z]+\d*", before)
    return part != whole and bool(begins or ends)


def _members(part: str, first_page: Iterable[str]) -> list[str]:
    """Parts that the first page names of a family such as SCD4x."""
    if not re.search(r"\dx{1,2}$", part):
        return []
    stem, n_open = re.match(r"(.*?)(x+)$", part).groups()  # type: ignore[union-attr]  # matched
    pattern = re.compile(rf"{re.escape(stem)}\d{{{len(n_open)}}}")
    return [p for p in dict.fromkeys(first_page) if pattern.fullmatch(p)]


def _stem(part: str) -> str:
    match = re.match(r"\d*[A-Za-zµ]+", part)
    return match[0].upper() if match else part[:3]


def expand_parts(text: str) -> list[str]:
    """Find part numbers, families written short expanded: ADS1113/4/5, SN54/74LS14, IRLR/U2905."""
    return list(
        dict.fromkeys(
            part
            for match in _TOKEN.finditer(_normalized(text))
            if not match[0].isalpha() and not match[0].isdigit()
            for part in _expanded(match[0])
        )
    )


def _normalized(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("μ", "µ")
        text = re.sub("[\u00ad\u2010\u2011]", "-", text)
    text = _OPEN_END.sub("xx", text) if ".." in text else text
    return _SUFFIXES.sub(lambda match: match[0].replace(" ", "").replace(",", "/"), text)


@lru_cache(maxsize=65536)
def _expanded(token: str) -> tuple[str, ...]:
    first, *others = (piece.strip(".-") for piece in re.split(r"\s?/\s?", token))
    if pieces := _listed(first):
        return (*pieces, *(other for other in others if _is_part(other)))
    if not _is_part(first) and any(_is_part(o) and _is_alike(first, o) for o in others):
        return (first, *filter(_is_part, others))
    first = re.sub(r"-series.*$", "", first, flags=re.IGNORECASE)
    for n_joined in range(1, len(others) + 1):
        names = _completed(first, others[:n_joined])
        if names is not None:
            tails = [_with_tail(name, tail) for tail in others[n_joined:] for name in names]
            return tuple(dict.fromkeys(name for name in [*names, *tails] if _is_part(name)))
    parts = [first] if _is_part(first) else []
    for other in others:
        if _is_part(other) and (not parts or len(other) >= len(parts[0]) - 2):
            parts.append(other)
        elif parts and (tail := _with_tail(parts[-other.isalpha()], other)):
            parts.append(tail)
    return tuple(dict.fromkeys(parts))


def _is_alike(name: str, part: str) -> bool:
    """Tell whether a name is made as the part beside it in a list: EMZ1 and UMZ1N."""
    runs, own = _RUNS.findall(name), _RUNS.findall(part)[:2]
    return len(name) > 3 and [(len(r), r.isdigit()) for r in runs] == [
        (len(r), r.isdigit()) for r in own
    ]


def _listed(token: str) -> tuple[str, ...]:
    """Take parts that hyphens join apart: "1N4001-1N4007", "LM124-LM224-LM324"."""
    pieces = token.split("-")
    alike = len({(len(piece), piece[:2]) for piece in pieces}) == 1
    several = len(set(pieces)) == len(pieces) > 1
    return tuple(pieces) if several and alike and all(map(_is_part, pieces)) else ()


def _completed(first: str, others: Sequence[str]) -> list[str] | None:
    """Complete names whose common end stands once, behind the last: 74HC/HCT10, NE/SA555.

    None when the first is a name by itself.
    """
    runs, last = _RUNS.findall(first), _RUNS.findall(others[-1])
    n_digits = sum(char.isdigit() for char in first)
    # "M54/M74HC245" is written anew from its first letter, "SN54/74LS14" from its last run.
    kinds, anew = ([r.isalpha() or str(len(r)) for r in ends] for ends in (runs, last[: len(runs)]))
    n = len(runs) if runs[:1] == last[:1] and kinds == anew else 1
    rest = "".join(last[n:])
    if not runs or n_digits > 2 or not any(char.isdigit() for char in rest):
        return None
    if n == 1 and (kinds[-1] != anew[0] or (runs[-1].isalpha() and len(runs) > 2)):
        return None
    starts = [*others[:-1], "".join(last[:n])]
    begun = starts if n > 1 else [_beginning(runs, start) for start in starts]
    return [start + rest for start in (first, *begun)]


def _beginning(runs: Sequence[str], start: str) -> str:
    """Put another last run in the place of a name's own: a short one replaces only its end."""
    if len(runs) == 1 and len(start) >= 2:
        return start
    own = runs[-1]
    kept = own[: -len(start)] if len(start) < len(own) and len(runs) == 1 else ""
    return "".join(runs[:-1]) + kept + start


def _is_part(token: str) -> bool:
    return (
        3 <= len(token) <= 24
        and any(char.isupper() for char in token)
        and bool(_PART.fullmatch(token))
        and not _NOT_A_PART.match(token)
        and (len(token) > 4 or sum(char.isdigit() for char in token) >= 2)
    )


def _with_tail(first: str, tail: str) -> str:
    """Replace the end of a part: ADS1113 and 4 make ADS1114, PIC12F508 and 16F505 PIC16F505."""
    ends, own = _RUNS.findall(tail), _RUNS.findall(first)
    if not tail or not tail.isalnum() or len(tail) > 8 or tail == _MILITARY:
        return ""
    if tail.isalpha():
        if own[-1].isalpha() and tail.endswith(own[-1]):
            return "".join(own[:-1]) + tail
        if own[-1].isalpha() and len(own[-1]) == len(tail) and (len(tail) > 1 or own[-1] < tail):
            return "".join(own[:-1]) + tail
        # "MPSA44/D" is the number of a data sheet.
        return first + tail if tail in "ABC" and first[-1].isdigit() else ""
    if len(ends) <= len(own) and ends[-1].isdigit():
        same = [e.isdigit() == o.isdigit() for e, o in zip(ends, own[-len(ends) :], strict=True)]
        if len(ends) > 1 and all(same) and ends[0].isdigit() == own[-len(ends)].isdigit():
            return "".join(own[: -len(ends)]) + tail
    if not ends[0].isdigit() or len(ends) > 2:
        return ""
    match = re.match(r"(.*?)(\d+)([A-Za-z]*)$", first)
    if match is None:
        return ""
    digits = match[2][: -len(ends[0])] if len(ends[0]) < len(match[2]) else ""
    return match[1] + digits + tail
