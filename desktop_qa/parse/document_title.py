"""The title of a document: of all that might name it, what most witnesses speak for.

Candidates are the runs of equal type on page 1, the running heads and the PDF's own title. Large
type alone names a maker or a kind of document ("DATA SHEET") as often as the device: so it counts
as much whether the words run along the pages, what the sentences about the part say, and whether
the type is that of the page's other headings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop_qa.parse.dates import parse_date
from desktop_qa.parse.heading_style import Style, body_style, style_of
from desktop_qa.parse.lines import Line, make_line
from desktop_qa.parse.vendor import FORM, PageTexts

_MAX_LENGTH = 200
_COLUMN_GAP = 1.5
"""Of the size of the type; words farther apart belong to two texts."""

_LEADING = 2.2
_SAME_SIZE_PT = 0.3
_LEAST_SCORE = 0.5
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


class TitleFinder:
    """Finds the title; what the pages say is gathered once."""

    def __init__(
        self,
        first_page: Sequence[Line],
        page_height: float,
        pages: Sequence[PageTexts],
        pdf_title: str,
        vendor: str,
    ) -> None:
        """Gather the candidates.

        Args:
            first_page: Its lines, furniture included.
            page_height: Of the first page, points.
            pages: Texts of every page, furniture included.
            pdf_title: The PDF's own.
            vendor: Of the document: its words tell no title.
        """
        self._pdf_words = _words(pdf_title)
        running = Counter(
            text for page in pages for text in {clean_title(line) for line in page.edge}
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
            self._candidates.append(_Candidate(clean_title(pdf_title), height=0.0))

    def find(self, parts: Sequence[str]) -> str:
        """Return the best title, empty when nothing names the document."""
        said = self._said_of(parts)
        scored = [(self._score(c, parts, said), c.text) for c in self._candidates]
        best = max(scored, default=(0.0, ""), key=lambda item: item[0])
        return best[1] if best[0] >= _LEAST_SCORE else ""

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
        for piece in _pieces(line)
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
        text = clean_title(" ".join(line.text for line in run))
        yield _Candidate(text, size, place, n_before=above[style])
        above[style] += 1


def _pieces(line: Line) -> Iterator[Line]:
    start = 0
    for index, (a, b) in enumerate(pairwise(line.words), start=1):
        if b.bbox.left - a.bbox.right > _COLUMN_GAP * line.size:
            yield make_line(line.words[start:index])
            start = index
    yield make_line(line.words[start:])


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


def clean_title(text: str) -> str:
    """Join a title's words without what leads and ends it."""
    # The logo of Analog Devices is the letter a of a font of its own.
    text = re.sub(r"^a (?=\S*[A-Z])", "", text)
    text = " ".join(text.replace("\u00ad", "-").split())
    # Ideographs have no spaces between them; the break of a line brings one in.
    text = re.sub(r"(?<=[\u3001-\u9fff\uff00-\uffef]) (?=[\u3001-\u9fff\uff00-\uffef])", "", text)
    text = re.sub(r"(?:\s+datasheet)?\s*\(Rev\.? \w+\)$", "", text)
    text = re.sub(r"\s+(?:Rev(?:ision|\.)|Version|[vV](?=\d))\s*\d+(?:\.\d+)*$", "", text)
    return text.strip(" -–—|:")
