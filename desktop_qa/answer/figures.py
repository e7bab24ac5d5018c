"""What a question wants computed: read as an expression over items of reports, or over two values.

A figure is defined by the question ("DPO is defined as ..."), by the trade (`answer.laws`), or by
its form ("operating income % margin", "capex as a share of revenue"); what is defined in a
definition is written out, each item in its own period.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.compute_tables import EXTREME
from desktop_qa.answer.laws import (
    Item,
    Metric,
    item_in,
    item_of,
    metric_in,
    relation_words,
    relations_in,
    with_signs,
)
from desktop_qa.answer.operands import IN_BRACKETS
from desktop_qa.answer.ranking import title_terms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.augment.periods import (
    BARE_YEAR,
    compares_year_before,
    periods_ended,
    plain_periods,
    quarters_asked,
    without_periods,
)
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.phrases import FINITE, words_of

_DEFINED = re.compile(
    r"(?:\bdefine\s+(?P<named>[^.?;:]+?)|(?P<called>[^.?;:]+?),?\s+(?:(?:is|are|here)\s+)*"
    r"(?:defined|calculated|computed|measured))\s+as\b:?\s+(?P<right>[^.?;]+)",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"\s*([()/÷×*])\s*|(?<=[\s)])([-–−+])\s")
_ASKS = re.compile(r"(?:^|[,:]\s*)(?:by\s+)?(?:what|which|how)\b", re.IGNORECASE)
_SHARE = r"(?:percent\w*|%|share|fraction|part|portion|proportion)"
_ASKS_OTHER = re.compile(r"\b(?:who|whom|whose|why|when|where)\b", re.IGNORECASE)
_AS_SHARE = re.compile(
    rf"(?P<part>.+?)\s+as\s+(?:an?\s+)?{_SHARE}\s+of\s+(?P<of>.+)|(?:{_SHARE}|much)\s+of\s+(?P<both>.+)",
    re.IGNORECASE,
)
_BEFORE_PART, _OF_VERB = ("from", "in", "by"), ("VB", "RP")
_APART_FROM = ("outside", "except", "excepting", "excluding", "without", "besides", "than")
"""Before what is not the part that is meant."""

_COUNT = re.compile(
    rf"\b(?P<number>(?i:{'|'.join(SMALL_NUMBERS)}|both)|[1-9]\d{{0,2}})\s+(?:of\s+)?(?:\w+\s+){{0,2}}?"
    r"(?:[A-Z]\w*\d[\w-]*|(?:these|them|parts|devices|sensors)\b)"
)
_MARGIN = re.compile(r"\s*(?:%|percent\w*)?\s*margin\b", re.IGNORECASE)
_OVER_YEARS = re.compile(r"(?:average|(?P<change>change\s+in))\s+", re.IGNORECASE)
_ADDED = re.compile(r"\s*([-+/×])\s+(.+)")
_IN_STATEMENT = re.compile(
    r"\s*[(\[]?\b(?:from|in|on|per|by)\s+(?:the\s+)?(?:\w+\s+){0,3}(?:statements?|sheets?)\b[)\]]?",
    re.IGNORECASE,
)
_AROUND_ITEMS = frozenset(
    terms_of(
        "many much end year amount company business million billion average mean over together "
        "combined altogether total unadjusted "
        f"compared percent % round decimal place digit USD dollar {' '.join(SMALL_NUMBERS)}"
    )
)
"""Words before and behind the name of an item that are no part of it."""

_GAP = " ¶ "
"""Stands where a period was, or a word that says what is done with values."""

_JOINING = (
    "IN", "CC", "TO", "DT", "VB", "VBD", "VBP", "MD", "RB", "RBR", "WRB", "WDT", "WP", "PRP",
)  # fmt: skip
"""Tags of words that are part of a name only between others: "cost of sales"."""

_MAX_BETWEEN = 3

ITEM = "v1"
"""The expression of a value as a report has it."""

_RIGHTS = {
    "change": "({0} - {1}) / {1}", "difference": "{0} - {1}", "lower": "{1} - {0}",
    "sum": "{0} + {1}", "ratio": "{0} / {1}", "percent": "{0} / {1}",
}  # fmt: skip
"""How two values are put together, the last or first named before the other."""

MOVES = frozenset(("up", "down", "change"))
"""Of a value that is no longer what it was."""

_APART = frozenset(("apart", "higher", "lower"))
"""Of two values that are not the same."""

_OTHER = {"change": "difference", "difference": "change", "lower": "change"}
"""Whoever asks how much something grew is told both the amount and the rate."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An item of a report.

    Attributes:
        period: A year or, of several quarters, "Q2 2023"; "" for none.
        part: Of the company that it is an item of, as the question says it; "" for none.
    """

    item: Item
    period: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question wants computed.

    Attributes:
        right: The expression; the operands are v1, v2 ... in it.
        operands: Items; none for values that the question tells by its words alone.
        name: What the result is called, "" for nothing but its expression.
        relation: What is done with two values, or with those of several years.
        may_be_stated: It is a figure of the trade, which a document may give itself.
        beside: Of a change the expression of its rate, of a rate that of the change.
    """

    right: str
    operands: tuple[Operand, ...] = ()
    name: str = ""
    relation: str = ""
    is_percent: bool = False
    may_be_stated: bool = False
    beside: str = ""

    @property
    def is_item(self) -> bool:
        """Whether it is a value of each of some years as a report has it, and nothing is done."""
        return self.right == ITEM

    @property
    def is_defined(self) -> bool:
        """Whether it is a figure, a change or a share, or made of items, of some year."""
        is_of_items = not self.is_item and all(one.item.statement for one in self.operands)
        is_done = self.is_percent or self.relation in _OTHER
        return bool(self.name or is_of_items or is_done) and any(
            one.period for one in self.operands
        )


def periods_in(text: str) -> list[str]:
    """Return the quarters of a text where it names several, else its years."""
    quarters = quarters_asked(text)
    return quarters if quarters[1:] else years_in(text)


def years_in(text: str) -> list[str]:
    """Return the years of the periods of a text in order, each once."""
    return list(dict.fromkeys(BARE_YEAR.findall(plain_periods(text))))


class FigureReader:
    """Reads what a question wants computed, and what it defines for that itself."""

    def __init__(self, task: AnswerTask) -> None:
        self._text = task.query.text
        self._found = task.usable[0].segment.text if task.usable else ""
        # The company asked for may be known by the title alone of what was found first.
        self._around = _AROUND_ITEMS.union(*map(title_terms, task.usable[:1]))
        self._defined: dict[str, str] = {}
        for match in _DEFINED.finditer(self._text):
            name = match["named"] or match["called"]
            right = _IN_STATEMENT.sub("", match["right"])
            for called in (IN_BRACKETS.sub("", name), *re.findall(r"[(\[]([^()\[\]]+)", name)):
                self._defined.setdefault(self._bare(_ASKS.sub(" ", called)), right)

    def sought(self, *, is_trend: bool = False, is_row: bool = False) -> Sought | None:
        """Return what is wanted of values that are named; None where none is.

        Args:
            is_trend: What a figure has more than in the year before, or the first that is named.
            is_row: A figure is not computed, but read from rows that are called so.
        """
        whole = _asked_part(self._text)
        asked = IN_BRACKETS.sub("", whole)
        metric = self._metric_in(asked, whole)
        relations = relations_in(whole.replace(metric.name, " ") if metric else whole)
        stated = periods_in(asked) or periods_in(_asking(self._text))
        if is_trend:
            # "Is it declining?" asks for the last year that is told of.
            stated = stated or sorted(years_in(self._found))[-1:]
            relations = ("change",)
        elif compares_year_before(asked):
            relations = ("change", *relations)
        # "Which of them fell the most?" compares several; so do quarters told by their last days.
        is_other = EXTREME.search(asked) or len({day for _n, day, _y in periods_ended(asked)}) > 1
        how, years = ("", []) if is_other else _over_time(relations, stated)
        share = self._share(_ASKS.sub("", without_periods(plain_periods(asked))), relations)
        if share is None:
            return None
        if metric is not None:
            at = whole.find(metric.name)
            near = min(stated, key=lambda year: abs(whole.find(year) - at), default="")
            is_own = any(metric.name.startswith(name) for name in self._defined)
            if is_own and not stated[1:]:  # what it is called may be a change
                how, years = "", []
            sought = self._of_years(
                metric.name if is_row else metric.expression,
                years or [near],
                how,
                "" if is_row else metric.name,
                is_percent=metric.is_percent and not is_row,
                is_row=is_row,
            )
            if sought is None or is_own:
                return sought
            rest = asked.replace(metric.name, _GAP)
            part = "" if _ADDED.search(with_signs(rest)) else self._subject(rest)
            operands = tuple(replace(o, part=part) for o in sought.operands)
            return replace(sought, operands=operands, may_be_stated=not how)
        for defined in self._defined.values():
            return self._of_years(defined, stated[-1:], "", is_percent="percent" in relations)
        if share:
            return self._of_years(share, years or stated[-1:], how, is_percent=True)
        if how:
            return self._of_years(self._subject(asked) or asked, years, how)
        if (match := _COUNT.search(self._text)) and "sum" in relations:
            number = match["number"].casefold()
            count = 2 if number == "both" else SMALL_NUMBERS.get(number) or int(number)
            return Sought(f"{count} × v1")
        pair = _of_two(asked, relations)
        if pair is None and stated and (item := self._item_asked(asked)).statement:
            # Asked for is the item alone, not who made up a part of it.
            name = "" if _ASKS_OTHER.search(asked) else item.names[0]
            return Sought(ITEM, tuple(Operand(item, year) for year in stated), name)
        return pair

    @property
    def subject(self) -> str:
        """What the question speaks of: the name of an item, without period, owner and verbs."""
        return self._subject(IN_BRACKETS.sub("", _asked_part(self._text)))

    def _share(self, text: str, relations: Sequence[str]) -> str | None:
        """Write what is a part of what as an expression in words, "" where that is not asked for.

        `None` where the part is what is not named: "outside the United States", "not in Europe".

        "Capex as a share of revenue", "percentage of net sales in Europe", "share of net sales did
        Europe contribute": what is behind the verb is the part.
        """
        match = _AS_SHARE.search(text)
        if match is None or not (match["part"] or "percent" in relations):
            return ""
        if match["part"]:
            return f"{self._bare(match['part'])} / {self._bare(match['of'])}"
        words = words_of(match["both"])
        begins = (n for n, w in enumerate(words) if w.tag in FINITE or w.text in _BEFORE_PART)
        n = next(begins, len(words))
        if any(w.dependency == "neg" or w.text.casefold() in _APART_FROM for w in words[n:]):
            return None
        if not words[n:]:
            return ""
        of = self._bare(match["both"][: words[n].start])
        told = (_GAP if w.tag.startswith(_OF_VERB) else w.text for w in words[n:])
        part = self._bare(" ".join(told).replace("_", "-"))
        own = part if item_of(part).statement else f"{part} {of}"
        return f"{own} / {of}" if part and of else ""

    def _item_asked(self, asked: str) -> Item:
        """Return the item that is asked for: beside its name only verbs are said.

        "What were capital expenditures, going by the cash flow statement?"
        """
        subject = self._subject(asked)
        item = item_in(subject)
        verbs = {word.text.casefold() for word in words_of(asked) if word.tag.startswith("VB")}
        beside = subject.replace(item.names[0], " ") if item.statement else subject
        return item if verbs.issuperset(beside.casefold().split()) else item_of(subject)

    def _metric_in(self, asked: str, whole: str) -> Metric | None:
        """Return the figure that a text names: of the question, of the trade, or an item's margin.

        Another item may be added to it: "EBITDA less capex".

        Args:
            asked: What is asked.
            whole: With what stands in brackets, where a figure may be named in short.
        """
        found = [
            Metric(match[0], right, is_percent=False)
            for text in (asked, whole)
            for name, right in self._defined.items()
            if name
            and (match := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE))
        ]
        metric = next(iter(found), None) or metric_in(asked) or metric_in(whole)
        if metric is None:
            margin = _MARGIN.search(asked)
            item = self._subject(asked[: margin.start()]) if margin else ""
            if margin is None or not item_of(item).statement or item not in asked:
                return None
            name = asked[asked.index(item) : margin.end()]
            return Metric(name, f"({item}) / revenue", is_percent=True)
        after = asked.partition(metric.name)[2]
        if margin := _MARGIN.match(after):
            name = f"{metric.name}{margin[0]}"
            return Metric(name, f"({metric.expression}) / revenue", is_percent=True)
        if added := _ADDED.match(with_signs(after)):
            item = self._bare(added[2])
            if item_of(item).statement:
                return replace(metric, expression=f"({metric.expression}) {added[1]} {item}")
        return metric

    def _of_years(
        self,
        expression: str,
        years: Sequence[str],
        how: str,
        name: str = "",
        is_percent: bool = False,
        *,
        is_row: bool = False,
    ) -> Sought | None:
        """Put an expression in words, as it is in each of some years, together."""
        operands: list[Operand] = []
        order = years if how == "average" else years[::-1]
        known = (self._bare(expression),) if is_row else ()
        each = [self._written(expression, year, operands, known) for year in order or [""]]
        each = [f"({one})" if " " in one and each[1:] else one for one in each]
        last, first, beside = each[0], each[-1], ""
        if how == "average":
            right = f"({' + '.join(each)}) / {len(each)}"
        elif how == "growth":
            right = f"({last} / {first})^(1 / {int(years[-1]) - int(years[0])}) - 1"
        elif how in _OTHER and is_percent and name:  # what a share has more is told in points
            right = _RIGHTS["difference"].format(last, first)
        else:
            right = _RIGHTS[how].format(last, first) if how else last
            beside = _RIGHTS[_OTHER[how]].format(last, first) if how in _OTHER else ""
        is_percent = is_percent or how in ("growth", "change")
        if not operands[1:] or any(not operand.item.names for operand in operands):
            return None
        return Sought(right, tuple(operands), name, how, is_percent, beside=beside)

    def _written(
        self, expression: str, year: str, operands: list[Operand], within: tuple[str, ...] = ()
    ) -> str:
        """Write an expression in words with symbols; what is defined in it is written out.

        "Average" is the mean of a year and the last, "change in" what it has more than the last.
        """

        def symbol(text: str, own_year: str) -> str:
            operand = Operand(item_of(self._bare(text)), own_year)
            if operand not in operands:
                operands.append(operand)
            return f"v{operands.index(operand) + 1}"

        parts = []
        for piece in map(str.strip, filter(None, _SIGNS.split(with_signs(expression)))):
            own = years_in(piece) or ([year] if year else [])
            bare = self._bare(piece)
            defined = "" if bare in within else self._definition_of(bare)
            if not piece or re.fullmatch(r"[()/÷×*+–−-]|[\d.]+", piece):
                parts.append(piece)
            elif own and own[0].isdigit() and (match := _OVER_YEARS.match(piece)):
                item, first = piece[match.end() :], int(min(own)) - (len(own) == 1)
                span = [str(one) for one in range(first, int(max(own)) + 1)][-12:]
                if match["change"]:
                    parts.append(f"({symbol(item, span[-1])} - {symbol(item, span[0])})")
                else:
                    each = " + ".join(symbol(item, one) for one in span)
                    parts.append(f"(({each}) / {len(span)})")
            elif defined:
                meant = self._written(defined, own[-1] if own else "", operands, (*within, bare))
                parts.append(f"({meant})")
            else:
                parts.append(symbol(piece, own[-1] if own else ""))
        right = re.sub(r"(?<=\() | (?=\))", "", " ".join(parts))
        return re.sub(r"\((v\d+|\(\([^()]*\) / \d+\))\)", r"\1", right)  # round one thing

    def _definition_of(self, bare: str) -> str:
        """Return what the question or the trade defines a phrase as, "" for neither."""
        own = set(terms_of(bare))
        for name, right in self._defined.items():
            if own and own == set(terms_of(name)):
                return right
        metric = metric_in(bare)
        return metric.expression if metric and own == set(terms_of(metric.name)) else ""

    def _bare(self, text: str) -> str:
        """Return a phrase without its period, its owner, its statement, and what joins it."""
        plain = IN_BRACKETS.sub("", _IN_STATEMENT.sub("", text))
        words = without_periods(plain_periods(plain), _GAP).split()
        tags = {word.text.casefold(): word.tag for word in words_of(" ".join(words))}
        kept: list[str] = []
        between: list[str] = []
        is_parted = True
        for word in words:
            terms, tag = terms_of(word), tags.get(word.casefold().strip(".,;:()"))
            is_telling = any(t not in self._around and not t.isdigit() for t in terms)
            if is_telling and tag not in _JOINING:
                kept += [*(() if is_parted or len(between) > _MAX_BETWEEN else between), word]
                between, is_parted = [], False
            elif word == _GAP.strip() or (terms and not is_telling):
                # A period, or the name of the company, has other names on either side.
                is_parted = True
            else:
                between.append(word)
        return " ".join(kept).strip(" (,:")

    def _subject(self, plain: str) -> str:
        """Return what a question speaks of, without its asking words and what is done with it."""
        apart = _APART if " than " in plain else ("apart",)
        done = relation_words(
            ("growth", "average", "percent", "ratio", "difference", *MOVES, *apart)
        )
        return self._bare(done.sub(_GAP, _ASKS.sub(_GAP, plain)))


def _asking(text: str) -> str:
    """Return the sentence that asks."""
    sentences = re.split(r"(?:(?<=[a-z\d)][.])|(?<=[?!]))\s+(?=[A-Z])", text.strip())
    return next((s for s in sentences if s.endswith("?")), sentences[0])


def _asked_part(text: str) -> str:
    """Return the sentence that asks, from its asking word on."""
    asking = _asking(text)
    match = _ASKS.search(asking)
    return (asking[match.start() :] if match else asking).lstrip(" ,:").rstrip(" ?.")


def _over_time(relations: Sequence[str], periods: Sequence[str]) -> tuple[str, list[str]]:
    """Return how the values of several periods are put together, and those from the first on."""
    said = set(relations)
    moves = bool(said & MOVES)
    if len(periods) == 1 and moves:
        periods = [str(int(periods[0]) - 1), periods[0]]
    if len(periods) < 2:
        return "", []
    span = sorted(periods, key=lambda period: (period[-4:], period))
    if span[0].isdigit():  # of quarters those count that are named
        span = [str(year) for year in range(int(span[0]), int(span[-1]) + 1)][-12:]
    else:
        said.discard("growth")  # of so much a year
    if "average" in said and "growth" not in said:
        return "average", span
    how = next((one for one in ("growth", "ratio") if one in said), "")
    if not how and moves and "percent" in said:
        how = "change"
    elif not how and said & (MOVES | _APART | {"difference"}):
        how = "lower" if said & {"down", "lower"} else "difference"
    return (how, [span[0], span[-1]]) if how and len(periods) == 2 else ("", [])


def _of_two(plain: str, relations: Sequence[str]) -> Sought | None:
    """Read what is asked of two values that are told apart by their words or documents."""
    words = words_of(plain)
    compares = any(word.tag in ("JJR", "RBR") for word in words)
    how_much = re.search(r"\b(?P<by>by )?how (?:much|many)\b", plain, re.IGNORECASE)
    moves = not (MOVES | _APART).isdisjoint(relations)
    is_apart = how_much and (compares or (how_much["by"] and moves))
    relation = next((r for r in relations if r in ("percent", "ratio", "difference", "sum")), "")
    if relation == "percent" and (compares or moves):
        relation = "change"
    elif relation in ("", "sum") and is_apart:
        relation = "difference"
    elif relation == "sum" and not any(word.dependency == "conj" for word in words):
        return None
    if not relation:
        return None
    right = _RIGHTS[relation].format("v1", "v2")
    return Sought(right, (), "", relation, relation in ("percent", "change"))
