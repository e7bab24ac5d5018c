"""Options in words: sentences, and lists with the sentence that leads them, that carry them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_qa.answer.cells import table_statements
from desktop_qa.answer.options import ChoiceTask, Judged, Option, stands_as_name
from desktop_qa.answer.prose import MAX_SENTENCE_WORDS, body, sentences
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Evidence
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.core.word_places import PlacedWord, QuoteLocator
from desktop_qa.index.lexical import terms_of

_ITEM = re.compile(r"^\s*(?:[-*•–—▪◦■□●○►▶‣·»]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s*")
_RUN_OF_NAMES = re.compile(r"^(\D*?)(\d+)\s*(?:to|through|-|–|\.\.+)\s*(\D*?)(\d+)$")
_NEGATION = re.compile(
    r"\b(?:against|avoid\w*|prohibit\w*|not|no|never|cannot|neither|nor|without|n't)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(r"\b(?:except\w*|other\s+than|apart\s+from|only|but)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,;:]\s+(?:and\s+|but\s+|or\s+)?|\s(?:but|whereas|while|unless|otherwise)\s", re.IGNORECASE
)
_COUNTED = re.compile(r"\bhow\s+many\s+(?P<noun>[\w-]+(?:\s+[\w-]+)?)", re.IGNORECASE)
_MAX_EVIDENCE = 8
_PRESENT = 0.6


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, or a sentence with the list that it leads."""

    text: str
    evidence: Evidence
    lines: tuple[str, ...]
    relevance: float


def judged_by_text(asked: ChoiceTask) -> list[Judged]:
    """Judge options by the sentences and lists that speak of the question."""
    units = sorted(_units(asked), key=lambda unit: -unit.relevance)
    return [_judge(asked, option, units) for option in asked.options]


def _units(asked: ChoiceTask) -> Iterator[_Unit]:
    top = max((e.score for e in asked.task.usable), default=1.0) or 1.0
    for item in asked.task.usable[:_MAX_EVIDENCE]:
        segment = item.segment
        context = terms_of(segment.metadata.context_line())
        weight = 0.75 + 0.25 * item.score / top
        if segment.kind is SegmentKind.TEXT:
            pieces = _with_lists(body(segment))
        elif segment.kind is SegmentKind.TABLE:
            pieces = _rows(item)
        else:
            pieces = [(segment.metadata.caption, (segment.metadata.caption,))]
        for text, lines in pieces:
            own = asked.terms.coverage(terms_of(text))
            whole = asked.terms.coverage([*terms_of(text), *context])
            if own > 0 and text:
                yield _Unit(text, item, lines, weight * (0.7 * own + 0.3 * whole))


def _with_lists(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the sentences of a text; one that ends in a colon takes the list behind it along."""
    found: list[tuple[str, tuple[str, ...]]] = []
    leading: list[str] = []
    for line in text.split("\n"):
        if _ITEM.match(line) and leading:
            leading.append(_ITEM.sub("", line).strip())
            found.append((_ITEM.sub("", line).strip(), (_ITEM.sub("", line).strip(),)))
            continue
        if len(leading) > 1:
            found.append((" ".join(leading), tuple(leading)))
            leading = []
        if not line.strip():
            continue
        own = [s for s in sentences(line) if len(s.split()) <= MAX_SENTENCE_WORDS]
        found += [(sentence, (_ITEM.sub("", sentence).strip(),)) for sentence in own]
        leading = [own[-1]] if own and own[-1].rstrip().endswith((":", "are", "following")) else []
    if len(leading) > 1:
        found.append((" ".join(leading), tuple(leading)))
    return found


def _rows(item: Evidence) -> list[tuple[str, tuple[str, ...]]]:
    """Return the rows as lines of the segment's text, as people read them."""
    lines = [line.strip() for line in item.segment.text.split("\n") if line.strip()]
    return [(line.replace("|", " "), (line,)) for line in lines]


def _judge(asked: ChoiceTask, option: Option, units: Sequence[_Unit]) -> Judged:
    best: tuple[float, _Unit] | None = None
    for unit in units:
        present = _presence(option, unit)
        if present < _PRESENT:
            continue
        score = unit.relevance * present * _polarity(asked, unit) * _nearness(asked, option, unit)
        if best is None or score > best[0]:
            best = (score, unit)
    if best is None:
        return Judged(option.letter, option.text, 0.0)
    score, unit = best
    statement = _statement(asked, option, unit)
    if statement is None:
        return Judged(option.letter, option.text, 0.0)
    return Judged(option.letter, option.text, min(score, 1.0), statement)


def _presence(option: Option, unit: _Unit) -> float:
    """Return the share of an option that a unit carries, 1 for its whole text."""
    if stands_as_name(option.text, unit.text):
        return 1.0
    stated = set(terms_of(unit.text))
    names = _names_of_run(option.text)
    if names:
        return sum(set(terms_of(name)) <= stated for name in names) / len(names)
    wanted = option.own
    return len(wanted & stated) / len(wanted) if wanted else 0.0


def _nearness(asked: ChoiceTask, option: Option, unit: _Unit) -> float:
    """Weigh an option by the clause it stands in, where a sentence holds several options.

    "The ADS1113 can measure one, and the ADS1115 up to four signals": which clause names the part.
    """
    if len(unit.lines) > 1 or sum(_presence(o, unit) >= _PRESENT for o in asked.options) < 2:
        return 1.0
    noun = _COUNTED.search(asked.stem)
    if noun is not None and len(option.text.split()) == 1:
        return _counts(option.text, noun["noun"], unit.text)
    clauses = [clause for clause in _CLAUSE.split(unit.text) if clause.strip()]
    own = [c for c in clauses if option.own & set(terms_of(c))]
    if len(clauses) < 2 or not own:
        return 1.0
    said = set(terms_of(asked.task.query.text)) - {t for o in asked.options for t in o.own}
    best = max(_said(said, clause) for clause in clauses)
    return 0.7 + 0.3 * max(_said(said, clause) for clause in own) / best if best else 1.0


def _counts(number: str, noun: str, text: str) -> float:
    """Weigh a number by what it stands before: "four single-ended", "two differential signals"."""
    wanted = set(terms_of(noun))
    behind = [m.end() for m in re.finditer(rf"(?<!\w){re.escape(number)}(?!\w)", text, re.I)]
    near = [set(terms_of(" ".join(text[end:].split()[:3]))) for end in behind]
    share = max((len(wanted & words) / len(wanted) for words in near if wanted), default=0.0)
    return 0.7 + 0.3 * share


def _said(said: set[str], clause: str) -> int:
    """Count the words of a question in a clause; names with figures tell most."""
    found = said & set(terms_of(clause))
    return sum(3 if any(c.isdigit() for c in term) else 1 for term in found)


def _names_of_run(text: str) -> list[str]:
    """Return what "CNF1 to CNF3" stands for; empty for other texts."""
    match = _RUN_OF_NAMES.match(text.strip())
    if match is None or match[3].strip() not in (match[1].strip(), ""):
        return []
    first, last = int(match[2]), int(match[4])
    if not match[1].strip() or not 0 < last - first < 32:
        return []
    return [f"{match[1]}{number}" for number in range(first, last + 1)]


def _polarity(asked: ChoiceTask, unit: _Unit) -> float:
    """Weigh down a unit that denies what the question asserts, or the other way round."""
    is_denied = bool(_NEGATION.search(unit.text)) and not _EXCEPTION.search(unit.text)
    asks_denied = bool(_NEGATION.search(asked.stem))
    return 0.6 if is_denied != asks_denied else 1.0


def _statement(asked: ChoiceTask, option: Option, unit: _Unit) -> Statement | None:
    """Quote the unit: its first line, and of a list the items that are the option."""
    segment: Segment = unit.evidence.segment
    if segment.kind is SegmentKind.TABLE:
        return _row_statement(asked, option, unit)
    locator = QuoteLocator(asked.task.source.words(segment))
    lines = [unit.lines[0]]
    lines += [line for line in unit.lines[1:] if option.own & set(terms_of(line))]
    runs: list[tuple[PlacedWord, ...]] = []
    for line in lines:
        run = locator.find(line)
        if run:
            runs.append(tuple(run))
    if not runs:
        return None
    context = terms_of(segment.metadata.context_line())
    coverage = asked.terms.coverage([*terms_of(unit.text), *context])
    return Statement(" ".join(lines), unit.evidence, tuple(runs), (), coverage, unit.relevance)


def _row_statement(asked: ChoiceTask, option: Option, unit: _Unit) -> Statement | None:
    task = asked.task
    for statement in table_statements(
        f"{asked.stem} {option.text}", task.terms, unit.evidence, task.source
    ):
        if option.own & set(terms_of(statement.text)):
            return statement
    return None
