"""The cover of a report: who reports, in which form, for what time.

Reports of one company differ from year to year in nothing but form and period, and those of all
companies bear the largest type on the name of the form: a cover is told by these two, not its look.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_qa.parse.dates import parse_date
from desktop_qa.parse.lines import Line
from desktop_qa.parse.vendor import FORM as LEGAL_FORM

_FORM = re.compile(r"^\s*form\s+(?P<form>\d{1,2}-[A-Z]{1,3}(?:/A)?|[A-Z]-\d{1,2}(?:/A)?)\b", re.I)
_DATE = r"(?P<date>[A-Z][a-z]+\.?\s+\d{1,2},?\s+\d{4}|\d{1,2}\s+[A-Z][a-z]+\s+\d{4})"
_PERIOD = re.compile(
    r"\b(?:(?P<kind>quarterly\s+period|year|quarter|transition\s+period)\s+ended\b\D{0,24}?|"
    rf"date\s+of\s+report\b\D{{0,48}}?){_DATE}",
    re.IGNORECASE,
)
_DATED_ABOVE = re.compile(rf"{_DATE}\s+date\s+of\s+report\b", re.IGNORECASE)
_BELOW_NAME = re.compile(r"exact\s+name\s+of\s+(?:the\s+)?(?:registrant|issuer)", re.IGNORECASE)
_ENDS_AS_NAME = re.compile(rf"{LEGAL_FORM.pattern}\.?\s*$")
_MAX_LEADING = 1.6
_SAME_NAME_SIZE_PT = 0.6


@dataclass(frozen=True, slots=True)
class ReportCover:
    """What a cover states: "3M" or nothing, "10-K", "2018" or the last day, "2018-12-31"."""

    company: str
    form: str
    period: str
    date: str

    @property
    def title(self) -> str:
        """What tells the report from all others: "3M 10-K 2018"."""
        return f"{self.company} {self.form} {self.period}"


def read_cover(lines: Sequence[Line], texts: Sequence[str] = ()) -> ReportCover | None:
    """Read the cover of a report; None for a page that lacks form or period.

    Args:
        lines: Of the page, one for each column that they stand in.
        texts: Of all pages; a name is spelled as most of them spell it.
    """
    forms = [match for line in lines if (match := _FORM.match(line.text))]
    text = " ".join(line.text for line in lines)
    period = _PERIOD.search(text) or _DATED_ABOVE.search(text)
    if not forms or period is None:
        return None
    printed = " ".join(period["date"].split())
    date = parse_date(printed)
    is_annual = "year" in (period.groupdict().get("kind") or "").casefold()
    with_legal_form = (line.text.strip() for line in lines if _ENDS_AS_NAME.search(line.text))
    names = [*_over_caption(lines), *with_legal_form]
    company = max(names, key=lambda name: _n_pages(name, texts), default="")
    return ReportCover(
        _as_most_spell(company, texts),
        forms[0]["form"].upper(),
        date[:4] if is_annual else printed,
        date,
    )


def _over_caption(lines: Sequence[Line]) -> Iterator[str]:
    """Yield what stands over "(Exact name of registrant as specified in its charter)"."""
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
            if not re.search(r"\d", text):
                yield re.sub(r"\s+(?=[.,])", "", text)
            return


def _n_pages(name: str, texts: Sequence[str]) -> int:
    """Count the pages that name a company; exchanges stand on few."""
    return sum(bool(_spelling(name).search(text)) for text in texts)


def _as_most_spell(name: str, texts: Sequence[str]) -> str:
    """Spell a name as the text does: covers have capitals, with gaps behind the large ones."""
    found = (spelling for text in texts for spelling in _spelling(name).findall(text))
    spellings = Counter(" ".join(spelling.split()) for spelling in found)
    in_text = [spelling for spelling in spellings if not spelling.isupper()]
    return max(in_text or [name], key=lambda spelling: spellings[spelling])


def _spelling(name: str) -> re.Pattern[str]:
    """Find a name however it is spaced, in large or small letters; nothing for no name."""
    letters = r"\s*".join(map(re.escape, "".join(name.split())))
    return re.compile(rf"(?<!\w){letters}(?!\w)" if letters else r"(?!)", re.IGNORECASE)
