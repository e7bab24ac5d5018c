"""Who reports, in which form, for which period: what the cover of a report states.

Reports of one company differ from year to year in nothing else, and those of all companies bear the
largest type on the name of the form. A cover is told by its form and its period, not by its look.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.parse.dates import parse_date
from desktop_qa.parse.lines import Line

_FORM = re.compile(r"^\s*form\s+(?P<form>\d{1,2}-[A-Z]{1,3}(?:/A)?|[A-Z]-\d{1,2}(?:/A)?)\b", re.I)
_PERIOD = re.compile(
    r"\b(?P<kind>quarterly\s+period|year|quarter|transition\s+period)\s+ended\b\D{0,24}?"
    r"(?P<date>[A-Z][a-z]+\.?\s+\d{1,2},?\s+\d{4}|\d{1,2}\s+[A-Z][a-z]+\s+\d{4})",
    re.IGNORECASE,
)
_BELOW_NAME = re.compile(r"exact\s+name\s+of\s+(?:the\s+)?(?:registrant|issuer)", re.IGNORECASE)
_MAX_LEADING = 1.6
_SAME_SIZE_PT = 0.6


@dataclass(frozen=True, slots=True)
class ReportCover:
    """What a cover states.

    Attributes:
        company: As printed; empty where the name is drawn, or stands elsewhere.
        form: "10-K".
        period: Year of an annual report, "2018", else the day it ends with, as printed.
        date: Day the period ends with, "2018-12-31".
    """

    company: str
    form: str
    period: str
    date: str

    @property
    def title(self) -> str:
        """What tells the report from all others: "3M 10-K 2018"."""
        return f"{self.company} {self.form} {self.period}"


def read_cover(lines: Sequence[Line]) -> ReportCover | None:
    """Read the cover of a report.

    Args:
        lines: Of the first page, from top to bottom.

    Returns:
        None for a page that lacks form or period.
    """
    forms = [match for line in lines if (match := _FORM.match(line.text))]
    period = _PERIOD.search(" ".join(line.text for line in lines))
    if not forms or period is None:
        return None
    printed = " ".join(period["date"].split())
    date = parse_date(printed)
    is_annual = "year" in period["kind"].casefold()
    return ReportCover(
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
                    or abs(above.size - size) > _SAME_SIZE_PT
                ):
                    break
                name.insert(0, above)
            text = " ".join(" ".join(one.text for one in name).split())
            # What stands there else are numbers of the file and of the law.
            return "" if re.search(r"\d", text) else re.sub(r"\s+(?=[.,])", "", text)
    return ""
