"""Periods as people and reports write them: the year, and how many quarters they last.

"Q3 FY23", "13 weeks ended October 1, 2023" and "three months ended September 30, 2023" are each a
quarter of 2023. Two periods that end on one day are told apart by their length alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS, numbers_in_figures

_YEAR = r"(?:19|20)\d\d"
_PART_OF_YEAR = r"(?:Q[1-4]|[1-4]Q|H[12]|[12]H)"
_PERIOD = re.compile(
    rf"""(?<![\w.\-/$€£¥])(?:
      (?:{_PART_OF_YEAR}[\s\-]?)?[FC]Y[\s\-]?['’]?(?:19|20)?\d\d
    | fiscal(?:\syears?)?\s(?:{_YEAR}|['’]\d\d)
    | {_PART_OF_YEAR}(?:(?:,?\s(?:of\s)?|-){_YEAR}|\s?['’]\d\d)
    | [1-4]Q\d\d
    | (?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?
      |sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?
      \s(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s)?{_YEAR}
    )(?!\w|[.,]\d)""",
    re.VERBOSE | re.IGNORECASE,
)
"""A period that says it is one, so no part number, though it is letters and a number."""

_YEAR_OF_PERIOD = re.compile(r"\s?(?:[FC]Y[\s\-]?)?['’]?((?:19|20)?\d\d)$", re.IGNORECASE)
_LAST_SHORT_YEAR = 69
"""Of two digits, as POSIX has it: FY69 is to come, FY70 was."""

BARE_YEAR = re.compile(rf"(?<![\w.,#+$€£¥])(?<![A-Za-z]-)(?<!\$\s){_YEAR}(?![\w%°]|[.,]\d)")

_ORDINALS = (("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"))
_ORDINAL = f"(?:{'|'.join(name for names in _ORDINALS for name in names)})"
_LENGTH = re.compile(
    rf"""(?<![\w\-])(?:
      (?:{_ORDINAL}\s)?(?P<count>(?:[a-z]+[\s\-])?[a-z]+|\d{{1,2}})[\s\-](?P<unit>months?|weeks?)
      (?:[\s\-]periods?)?
    | (?:{_ORDINAL}\s)?(?P<quarters>two|three|four|[2-4])\s(?:fiscal\s)?quarters
    | (?P<to_date>year[\s\-]to[\s\-]date|YTD)
    | (?P<quarter>(?:{_ORDINAL}[\s\-](?:fiscal\s)?)?quarter(?:s|ly)?|Q[1-4]|[1-4]Q(?:\d\d)?)
    | (?P<half>{_ORDINAL}[\s\-]half|half[\s\-]year|H[12]|[12]H)
    | (?P<year>(?:full|fiscal)\s(?:years?|{_YEAR}|['’]\d\d)|years?(?=\s(?:ended|ending))
      |FY[\s\-]?['’]?(?:19|20)?\d\d)
    )(?!\w|-[a-z])(?:\s(?:period\s)?(?:ended|ending|through)\b)?""",
    re.VERBOSE | re.IGNORECASE,
)

_MONTH_DAY = r"[a-z]{3,9}\.?\s\d{1,2}"
_LAST_DAY = re.compile(
    rf"(?<=ended)\s(?P<day>{_MONTH_DAY}),?\s(?P<year>{_YEAR})(?!\w|[.,]\d)", re.IGNORECASE
)

_NTH_QUARTER = (
    rf"(?:(?P<ordinal>{_ORDINAL})[\s\-](?:fiscal[\s\-])?quarter|(?P<digit>Q[1-4]|[1-4]Q))"
)
_ONE_QUARTER = re.compile(
    rf"(?<![\w\-])(?:{_NTH_QUARTER}(?![a-z\d])"
    rf"|(?P<other>{_ORDINAL})(?=\s\w+\s(?:the\s)?{_ORDINAL}[\s\-](?:fiscal[\s\-])?quarter))",
    re.IGNORECASE,
)
"""Two may be named by one word: "from the first to the second quarter"."""

_QUARTER = re.compile(
    rf"(?<!\w)(?:(?P<before>{_YEAR})[\s\-])?{_NTH_QUARTER}"
    rf"(?(before)|(?:[,\s\-]{{1,2}}(?:of|the|and|full|fiscal|years?))*[,\s\-]{{0,2}}(?P<year>{_YEAR}))"
    r"(?!\w)",
    re.IGNORECASE,
)
"""With its year: "Q4 2023", "second quarter of fiscal 2024", "first-quarter and full-year 2023"."""

_YEAR_OVER_YEAR = r"\b(?:year[\s-](?:over|on)[\s-]year|yoy|y/y)\b"
_YEAR_BEFORE = re.compile(
    rf"""\b(?:(?:a|one|the)\s)?(?:year[\s-](?:ago|earlier|before)
      |(?:prior|previous|preceding)[\s-]year)\b | {_YEAR_OVER_YEAR}""",
    re.VERBOSE | re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:than|against|versus|vs|with|to|from|over|on)\W+(?:\w+\s){0,5}?$", re.IGNORECASE
)

_LENGTH_PREFIX, YEAR_PREFIX = "quarters", "year"
_WEEKS = 13
"""Of a quarter; some have 12 or 16."""

_N_QUARTERS = {"quarter": 1, "half": 2, "year": 4}

TO_DATE = 5
"""Length of what is called the year to date: more than a quarter, however long that is."""

_NAMES = ("", "quarter", "six months", "nine months", "full year", "year to date")


def find_periods(text: str) -> tuple[tuple[int, int], ...]:
    """Find where periods stand that say they are some: "FY2019", "Q3 2020", "Feb 2, 2019"."""
    return tuple(match.span() for match in _PERIOD.finditer(text))


def plain_periods(text: str) -> str:
    """Write the periods of a question as statements print them: "FY19" is "2019"."""
    return _PERIOD.sub(lambda match: _YEAR_OF_PERIOD.sub(_plain_year, match[0]).strip(), text)


def without_periods(text: str, mark: str = " ") -> str:
    """Leave out periods, years and how long they are: what is asked, not of when.

    Args:
        text: A question, or a head.
        mark: Stands in the place of each.
    """
    plain = BARE_YEAR.sub(mark, _PERIOD.sub(mark, _YEAR_BEFORE.sub(mark, text)))
    return " ".join(_LENGTH.sub(lambda m: mark if _n_quarters(m) else m[0], plain).split())


def compares_year_before(text: str) -> bool:
    """Tell whether a text compares with the year before another: "than a year earlier", "yoy"."""
    match = _YEAR_BEFORE.search(text)
    if match is None:
        return False
    is_one = re.match(_YEAR_OVER_YEAR, match[0], re.IGNORECASE)
    return bool(is_one or _COMPARED.search(text[: match.start()]))


def values_of_periods(text: str) -> frozenset[str]:
    """Return the length of the periods of a text in normal form, where it is less than a year's."""
    return frozenset({f"{_LENGTH_PREFIX}{length_of(text)}"} if is_part_of_year(text) else ())


def is_year(value: str) -> bool:
    """Tell the year of a period from other values in normal form."""
    return value.startswith(YEAR_PREFIX)


def is_of_period(value: str) -> bool:
    """Tell the year and the length of a period from other values in normal form."""
    return value.startswith((YEAR_PREFIX, _LENGTH_PREFIX))


def length_of(text: str) -> int:
    """Return how many quarters a period lasts, 0 where a text does not say.

    Of several lengths the shortest counts, as in "third quarter of fiscal year 2023", unless it is
    the year to date up to then: `TO_DATE`.
    """
    lengths = {n for match in _LENGTH.finditer(text) if (n := _n_quarters(match))}
    return TO_DATE if TO_DATE in lengths else min(lengths, default=0)


def is_part_of_year(text: str) -> bool:
    """Tell whether a text names a period of one to three quarters."""
    return 0 < length_of(text) < _N_QUARTERS["year"]


def length_said(text: str) -> str:
    """Name the length of the period that a question asks for, "" where it does not say."""
    return _NAMES[length_of(text)]


def of_length(heads: Sequence[str], asked: str) -> list[bool]:
    """Tell which heads, all of the year asked for, are of a period as long as a question means.

    One that names a year alone means the longest: of a year and its last quarter the year.
    """
    wanted, lengths = length_of(asked), [length_of(head) for head in heads]
    if not wanted and not BARE_YEAR.search(plain_periods(asked)):
        return [True] * len(heads)
    longest = max(lengths, default=0)
    if wanted in (0, TO_DATE):
        return [length == longest for length in lengths]
    is_long = wanted > 1
    return [length in (0, wanted) or (length == TO_DATE and is_long) for length in lengths]


def _n_quarters(match: re.Match[str]) -> int:
    if match["to_date"]:
        return TO_DATE
    if match["quarters"]:
        return SMALL_NUMBERS.get(match["quarters"].casefold()) or int(match["quarters"])
    if not match["unit"]:
        return next(n for name, n in _N_QUARTERS.items() if match[name])
    number = re.search(r"\d+", numbers_in_figures(match[0]))
    if number is None:
        return 0
    is_weeks = match["unit"].casefold().startswith("week")
    n, rest = divmod(int(number[0]), 3)
    if is_weeks:
        n, rest = round(int(number[0]) / _WEEKS), 0
    return n if not rest and n <= 4 else 0


def _plain_year(match: re.Match[str]) -> str:
    year = match[1]
    if len(year) == 4:
        return f" {year}"
    return f" {'20' if int(year) <= _LAST_SHORT_YEAR else '19'}{year}"


def quarters_named(text: str) -> list[tuple[int, int]]:
    """Return the number and the year of each quarter that a text names, in its order."""
    return [
        (_number_of_quarter(match), int(match["year"] or match["before"]))
        for match in _QUARTER.finditer(plain_periods(text))
    ]


def periods_ended(text: str) -> list[tuple[int, str, int]]:
    """Return the length in quarters, the last day and its year of each period that ends on a day.

    "Six months ended June 30, 2023" is two quarters, "june 30", 2023.
    """
    if "ended" not in text.casefold():  # the patterns below take a third of a second for a report
        return []
    return [
        (n, day["day"].casefold(), int(day["year"]))
        for match in _LENGTH.finditer(text)
        if 0 < (n := _n_quarters(match)) < TO_DATE and (day := _LAST_DAY.match(text, match.end()))
    ]


def quarters_asked(text: str) -> list[str]:
    """Return the quarters of a question as "Q2 2023", in its order, each once.

    The year is the next that is said: "from Q1 to Q2 2023"; else the first.
    """
    plain, found = plain_periods(text), []
    for match in _ONE_QUARTER.finditer(plain):
        year = BARE_YEAR.search(plain, match.end()) or BARE_YEAR.search(plain)
        if year is not None:
            found.append(f"Q{_number_of_quarter(match)} {year[0]}")
    return list(dict.fromkeys(found))


def quarter_numbers(text: str) -> frozenset[int]:
    """Return which quarters a text names: the second of "Q2 2023" and "the second quarter"."""
    return frozenset(map(_number_of_quarter, _ONE_QUARTER.finditer(plain_periods(text))))


def _number_of_quarter(match: re.Match[str]) -> int:
    named = match.groupdict()
    if named["digit"]:
        return int(named["digit"].strip("Qq"))
    ordinal = (named["ordinal"] or named["other"]).casefold()
    return next(n for n, names in enumerate(_ORDINALS, 1) if ordinal in names)
