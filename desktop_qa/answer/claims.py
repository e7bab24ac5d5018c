"""A claim held against what a document states: borne out, contradicted, or left open.

A judgement, a question that yes or no answers and an option put into its question are all claims.
They are asked of the statements that exact answers are made of, in the order of `answer.ranking`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.candidates import candidates
from desktop_qa.answer.columns import read_columns
from desktop_qa.answer.measures import (
    Measure,
    PlacedMeasure,
    in_base,
    is_equal,
    measures_in,
    same_kind,
)
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.grammar import parse
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.augment.table_values import head_unit
from desktop_qa.core.document import BOUNDS, ColumnRole
from desktop_qa.index.lexical import terms_of
from desktop_qa.parse.amounts import value_of
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.task_words import strip_task_words


def _any_of(words: str) -> re.Pattern[str]:
    """Match any of some words; "_" is the space of a phrase."""
    alternatives = "|".join(words.replace("_", r"\s+").split())
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)


_QUESTION_VERB = re.compile(
    r"^\s*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|may|might|must|should"
    r"|shall)(?:n['’]t)?\s+(?!you\b)(?=\S)",
    re.IGNORECASE,
)
_ASKS_HOW = re.compile(r"\s*(?:(?:can|could|may|should) (?:i|we|one)|is there an?y? way)\b", re.I)
_ASKS_MORE = _any_of("or how what why")
_NEGATION = _any_of(
    "not no never cannot neither nor none without impossible unable prohibited forbidden "
    r"eliminat\w+ avoid\w* against fails?_to lacks? instead_of rather_than except unless \w+n['’]t"
)
_CLAUSE = re.compile(
    r"\s*(?:[;:]|(?<=\w)\.\s+|,?\s+\b(?:however|but|although|though|whereas|while|because|since"
    r"|so\s+that|therefore|otherwise)\b|,\s+(?=(?:however|and|or|no|not|which|the|it)\b))\s*",
    re.IGNORECASE,
)
_UP = "increase/increased/increases/increasing/improve/improved/improving/grow/grew/rise/rose"
_DOWN = "decrease/decreased/decreases/decline/declined/declining/fall/fell/drop/dropped/worsened"
_OMITTED = _any_of(
    r"(?:left|leave)_(?:\w+_)?(?:off|out|unconnected|floating) omit\w* unnecessary optional\w* "
    "not_(?:needed|required|necessary) skipped no_need needs?_no requires?_no without"
)
_OBLIGED = _any_of(
    "required must(?!_not) mandatory necessary recommended needs? has_to have_to essential "
    "shall(?!_not) needed obligatory do_not_leave"
)
_ENDURES = _any_of(
    r"surviv\w* withstand\w* tolera\w* handles? accepts? works? operated? operates runs? supplied "
    r"powered drives? driven compatible suitable allowed rated used connected stored takes? reach "
    r"deliver\w*"
)
_MODE = re.compile(r"\b([\w-]+)\s+(?:mode|state)\b", re.IGNORECASE)
_ONLY = _any_of("only")
_OBJECT = re.compile(
    r"\b([A-Za-z]{3,})\s+(to|at|by|with|from|after|before|during|into|via|per)\s+"
    r"(?:the\s+|an?\s+|its\s+)?([\w-]{2,})",
    re.IGNORECASE,
)
_NOT_TOLD = ("advcl", "nsubj", "nsubjpass")
_CONDITION = re.compile(
    r"(?:\b(?:at|with|when|if|under|for|using|and|between|from|than|on)\b|[=@,])\s*(?:an?\s+|the\s+)?"
    r"(?:[A-Z]\w*\s*(?:of|=|is|at)\s*)?$",
    re.IGNORECASE,
)
_COMPARATORS = tuple(
    (sign, re.compile(rf"(\b(?:no|not|never|cannot)\s+)?\b(?:{words})\b[^.]{{0,14}}$", re.I))
    for sign, words in (
        (
            -1,
            r"less|lower|smaller|fewer|below|under|shorter|within|at\s+most|up\s+to|as\s+low\s+as",
        ),
        (1, r"more|higher|greater|larger|above|over|exceed\w*|longer|at\s+least|beyond"),
    )
)
_YES = re.compile(r"(?:yes|y|[✓✔√x•●]|supported|available|allowed|enabled|on|ok)(?!\w)\W*", re.I)
_NO = re.compile(r"(?:no|n|n/?a|[-–—✗✘×]|not\s+\w+|none|disabled|off)\W*", re.IGNORECASE)
_STATE = _any_of(
    "off on yes no enabled disabled high low active inactive open closed read[-_]only set cleared "
    "supported required optional"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_STATED = re.compile(r"([^;:*]*?(?:\b(min|typ|max)\s+)?)\*\*(.*?)\*\*")
_ROLES = {"min": ColumnRole.MIN, "typ": ColumnRole.TYP, "max": ColumnRole.MAX}
_ACRONYM = re.compile(r"\b(?=[A-Z0-9_]*[A-Z])[A-Z0-9_]{2,}\b")
_FILLERS = frozenset(
    terms_of(
        "simply already itself still just really actually also even because therefore thus so "
        "anyway always usually generally normally automatically easily safely without any problem "
        "chip part device ic statement claim fact case correct true false right wrong"
    )
)
"""Words of a claim that no document need repeat."""


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value that a statement gives.

    Attributes:
        bound: MIN, TYP or MAX of a row's column, or of the words before it; `None` for another.
    """

    measure: Measure
    bound: ColumnRole | None = None
    in_range: bool = False


@dataclass(frozen=True, slots=True)
class Stance:
    """What a statement says of a claim.

    Attributes:
        holds: `None` when it is silent.
        strength: How far it speaks of the claim's subject, 0 to 1.
        is_explicit: Whether values, states or obligations were compared, not words alone.
    """

    holds: bool | None
    strength: float = 0.0
    is_explicit: bool = False


SILENT = Stance(None)


def is_yes_or_no(question: str) -> bool:
    """Tell whether a question is answered by yes or no: it begins with its verb, asks no more."""
    first = strip_task_words(question).split("? ")[0]
    return bool(_QUESTION_VERB.match(first)) and not _ASKS_MORE.search(first)


def asks_how(question: str) -> bool:
    """Tell whether a question of yes or no rather wants to be told how: "Can I record a show?"."""
    return bool(_ASKS_HOW.match(strip_task_words(question)))


def is_claim(question: str) -> bool:
    """Tell whether something is claimed: it has a finite verb, or is asked to be judged."""
    verbs = ("VBZ", "VBP", "VBD", "MD")
    return strip_task_words(question) != question or any(w.tag in verbs for w in parse(question))


def claim_of(question: str) -> str:
    """Return the claim that a judgement makes, or that a question of yes or no asks about."""
    text = strip_task_words(question).strip(" \"'“”?")
    return _QUESTION_VERB.sub("", text) if is_yes_or_no(question) else text


def claim_terms(task: AnswerTask, claim: str) -> QuestionTerms:
    """Return the words of a claim that a statement should carry."""
    said = set(terms_of(claim))
    weights = {t: w for t, w in task.terms.weights.items() if t in said}
    return QuestionTerms({t: w for t, w in weights.items() if t not in _FILLERS} or weights)


def statements_for(task: AnswerTask, text: str) -> list[Statement]:
    """Rank what the evidence states as if `text` had been asked, best first."""
    query = replace(task.query, text=text, reformulated="")
    asked = replace(task, query=query, terms=claim_terms(task, text))
    return ranked(asked, candidates(asked, task.usable))


def resting_on(
    text: str, cited: Sequence[Statement], score: float = 1.0, equation: tuple[str, ...] = ()
) -> Statement:
    """Say in own words what statements bear out, or what was computed of them."""
    coverage = max(s.coverage for s in cited)
    return Statement(
        text, cited[0].evidence, (), (), coverage, score, rests_on=tuple(cited), equation=equation
    )


def stated_values(statement: Statement) -> list[StatedValue]:
    """Return the values of a statement: of a row those under its columns, in their order."""
    pieces: list[tuple[str, ColumnRole | None]] = [(statement.text, None)]
    if statement.cells:
        read = [match.groups() for match in _STATED.finditer(statement.text)]
        pieces = [
            (cell if measures_in(cell) else f"{cell} {head_unit(head.strip())}", _ROLES.get(bound))
            for head, bound, cell in read
        ]
    found = []
    for text, bound in pieces:
        plain = plain_quantities(text)
        for at in measures_in(text):
            near = limits_in(plain[max(0, at.start - 30) : at.start])
            found.append(StatedValue(at.measure, bound or next(iter(near), None), at.in_range))
    return found


def stance(claim: str, terms: QuestionTerms, statement: Statement) -> Stance:
    """Hold a claim against a statement.

    Args:
        claim: A sentence, or a question without its verb.
        terms: Of the claim.
        statement: With its words, its place and its values.
    """
    strength, text = subject_share(terms, statement), statement.text
    if _lacks_name(claim, terms, statement):
        return SILENT
    if claimed := _claimed(claim):
        agrees = _by_value(claim, claimed, stated_values(statement))
        return SILENT if agrees is None else Stance(agrees, strength, is_explicit=True)
    if _is_against_obligation(claim, text):
        return Stance(False, strength, is_explicit=True)
    modes, others = ({m.casefold() for m in _MODE.findall(one)} for one in (claim, text))
    if modes and others and not modes & others:
        return Stance(False, strength) if _ONLY.search(text) else SILENT
    told = _predicate(claim)
    if told and told.isdisjoint(terms_of(text)):
        return Stance(None, strength)  # it speaks of the thing, not of what is claimed of it
    is_denial = is_denied(claim) != is_denied(text) or _names_another_object(claim, text)
    return Stance(not is_denial, strength)


def cells_of(task: AnswerTask, statement: Statement) -> list[tuple[str, str]]:
    """Return the header and the text of each cell of a statement's row; empty for prose."""
    table = task.source.table(statement.evidence.segment) if statement.cells else None
    if table is None:
        return []
    # A name that spans several rows stands in the first of them; the value is in its own.
    row = table.grid()[max(row for row, _column in statement.cells)]
    headers = read_columns(table).headers
    texts = ["" if cell is None else " ".join(cell.text.split()) for cell in row]
    return list(zip(headers, texts, strict=True))


def by_state(claim: str, cells: Sequence[tuple[str, str]]) -> bool | None:
    """Tell whether the cells that a claim names hold its states; `None` when it names none.

    What it says behind "while" is of another column: "the gyro is off while the accelerometer still
    delivers data". A column that it gives no state must not say no.
    """
    met = []
    decides = False
    for clause in filter(str.strip, re.split(r"\b(?:while|still|but|yet)\b", claim)):
        state = _STATE.search(clause)
        named = [(n, text) for header, text in cells if (n := _n_named(header, clause))]
        if not named:
            continue
        text = max(named, key=lambda pair: (_is_state(pair[1]), pair[0]))[1].strip(" .")
        decides |= _is_state(text)
        met.append(text.casefold() == state[0].casefold() if state else not _NO.fullmatch(text))
    return all(met) if decides else None


def by_trend(claim: str, cells: Sequence[tuple[str, str]]) -> bool | None:
    """Tell whether the amounts of two years go the way that a claim says; `None` without either.

    The years are those that it names, else the last two of the row. A row that is itself a change
    ("Increase (decrease) in revenue") is not compared.
    """
    label = set(re.findall(r"[a-z]+", " ".join(text for _head, text in cells[:1]).casefold()))
    if label & {*_UP.split("/"), *_DOWN.split("/")}:
        return None
    words = set(re.findall(r"[a-z]+", claim.casefold()))
    up, down = words & set(_UP.split("/")), words & set(_DOWN.split("/"))
    amounts = {
        int(year[0]): amount
        for header, text in reversed(cells)
        if len(year := _YEAR.findall(header)) == 1 and (amount := value_of(text)) is not None
    }
    named = [year for year in map(int, _YEAR.findall(claim)) if year in amounts]
    last = max(named, default=max(amounts, default=0))
    before = min(named) if len(named) > 1 else max((y for y in amounts if y < last), default=0)
    if bool(up) == bool(down) or before not in amounts or amounts[last] == amounts[before]:
        return None
    return (amounts[last] > amounts[before]) == bool(up)


def _is_state(text: str) -> bool:
    """Tell whether a cell says no more than yes, no or a state."""
    return any(pattern.fullmatch(text.strip(" .")) for pattern in (_YES, _NO, _STATE))


def _n_named(header: str, clause: str) -> int:
    """Count the words of a header that a clause says, also by the word that they begin."""
    said = [word.casefold() for word in re.findall(r"[A-Za-z]{3,}", clause)]
    words = [word.casefold() for word in re.findall(r"[A-Za-z]{3,}", header)]
    return sum(any(s.startswith(word) for s in said) for word in words)


def _lacks_name(claim: str, terms: QuestionTerms, statement: Statement) -> bool:
    """Tell whether a name of a claim, such as SPI, is neither in a statement nor at its place."""
    wanted = {t for word in _ACRONYM.findall(claim) for t in terms_of(word) if t in terms.weights}
    place = statement.evidence.segment.metadata.context_line()
    return not wanted <= {*terms_of(statement.text), *statement.terms, *terms_of(place)}


def subject_share(terms: QuestionTerms, statement: Statement) -> float:
    """Return the share of a claim's words that a statement carries, those of its place in part."""
    words = {t: w for t, w in terms.weights.items() if t[:1].isalpha()} or terms.weights
    own = QuestionTerms(words).coverage(statement.terms or terms_of(statement.text))
    return 0.7 * own + 0.3 * max(own, statement.coverage)


def _claimed(claim: str) -> list[PlacedMeasure]:
    """Return the quantities that a claim is about; others are its conditions."""
    plain = plain_quantities(claim)
    placed = measures_in(claim)
    free = [p for p in placed if not _CONDITION.search(plain[: p.start]) or _sign(plain, p.start)]
    return free or (placed if _endures(claim) else [])


def _endures(claim: str) -> bool:
    """Tell whether a claim says that a value is borne, not that it is the one specified."""
    return _ENDURES.search(claim) is not None and not limits_in(claim)


def _by_value(
    claim: str, claimed: Sequence[PlacedMeasure], stated: Sequence[StatedValue]
) -> bool | None:
    """Compare the quantities that are claimed with what is stated of their kind."""
    plain = plain_quantities(claim)
    verdicts = []
    for placed in claimed:
        rivals = [s for s in stated if same_kind(s.measure, placed.measure)]
        if rivals and _endures(claim):
            verdicts.append(_is_borne(placed.measure, rivals))
        elif rivals:
            asked = [s for s in rivals if s.bound in limits_in(claim)] or rivals
            verdicts.append(_is_so(placed.measure, asked, _sign(plain, placed.start)))
    return all(verdicts) if verdicts and None not in verdicts else None


def _sign(plain: str, start: int) -> int:
    """Tell whether a value is said to be more (1) or less (-1) than the one at `start`."""
    for sign, pattern in _COMPARATORS:
        if match := pattern.search(plain[:start]):
            return -sign if match[1] else sign
    return 0


def _is_so(claimed: Measure, stated: Sequence[StatedValue], sign: int) -> bool:
    """Tell whether a value is stated, or all those stated are above or below it."""
    if any(is_equal(s.measure, claimed, 1e-3) for s in stated):
        return True
    return bool(sign) and all((in_base(s.measure) - in_base(claimed)) * sign > 0 for s in stated)


def _is_borne(claimed: Measure, stated: Sequence[StatedValue]) -> bool | None:
    """Tell whether a value lies within the limits stated; `None` when there are none above it."""
    if any(is_equal(s.measure, claimed, 1e-3) for s in stated):
        return True
    amounts = {bound: [in_base(s.measure) for s in stated if s.bound is bound] for bound in BOUNDS}
    low, high = amounts[ColumnRole.MIN], amounts[ColumnRole.MAX]
    free = [in_base(s.measure) for s in stated if s.bound is None]
    if not low and not high and free and (len(free) == 1 or any(s.in_range for s in stated)):
        low, high = [min(free)] * (len(free) > 1), [max(free)]
    if low and in_base(claimed) < min(low):
        return False
    return in_base(claimed) <= max(high) if high else None


def _is_against_obligation(claim: str, passage: str) -> bool:
    """Tell whether one says that something may be left out, and the other that it must not."""
    for one, other in ((claim, passage), (passage, claim)):
        if _OMITTED.search(one) and not _OBLIGED.search(one) and _OBLIGED.search(other):
            return not _OMITTED.search(other)
    return False


def is_denied(text: str) -> bool:
    """Tell whether a text denies what it speaks of: an odd number of its words do."""
    return len(_NEGATION.findall(text)) % 2 == 1


def _predicate(claim: str) -> set[str]:
    """Return the terms of what a claim says of its subject, without its subordinate clauses."""
    words, said = parse(claim), []
    for word in words:
        at = word
        while at.dependency not in _NOT_TOLD and words[at.head] is not at:
            at = words[at.head]
        said += [] if at.dependency in _NOT_TOLD else [word.text]
    return set(terms_of(" ".join(said)))


def clauses_of(text: str) -> list[str]:
    """Split a text into clauses; one of its own when nothing divides it."""
    return [clause for clause in _CLAUSE.split(text) if clause and clause.strip()] or [text]


def _names_another_object(claim: str, passage: str) -> bool:
    """Tell whether a passage has another thing in the place of one of the claim.

    "connected to ground" and "connected to VDDIO": the same words lead to different ones.
    """
    stated, known = _objects(passage), set(terms_of(passage))
    return any(
        stated.get(lead, thing) != thing and thing not in known
        for lead, thing in _objects(claim).items()
    )


def _objects(text: str) -> dict[tuple[str, str], str]:
    """Return the thing that each word with its preposition leads to."""
    found = ((terms_of(word), prep, terms_of(thing)) for word, prep, thing in _OBJECT.findall(text))
    return {(w[-1], prep.casefold()): thing[0] for w, prep, thing in found if w and thing}
