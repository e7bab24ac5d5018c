"""A claim held against what a document states: borne out, contradicted, or left open.

A judgement, a question that yes or no answers and an option put into its question are all claims.
They are asked of the statements that exact answers are made of, in the order of `answer.ranking`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS
from desktop_qa.augment.table_values import head_unit
from desktop_qa.augment.value_kinds import dimensions_in
from desktop_qa.core.document import ColumnRole
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.task_words import strip_task_words

_VERB = r"is|are|was|were|does|do|did|has|have|had|can|could|will|would|may|might|must|should|shall"
_YES_OR_NO = re.compile(rf"^\s*(?:{_VERB})(?:n['’]t)?\s+(?!you\b|we\s+say\b)\S", re.IGNORECASE)
_QUESTION_VERB = re.compile(rf"^\s*(?:{_VERB})(?:n['’]t)?\s+", re.IGNORECASE)
_ASKS_HOW = re.compile(
    r"^\s*(?:(?:can|could|may|should)\s+(?:i|we|one)|is\s+there\s+an?y?\s+way)\b", re.I
)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|none|without|impossible|unable|prohibited|forbidden"
    r"|eliminat\w+|avoid\w*|against|fails?\s+to|lacks?|instead\s+of|rather\s+than"
    r"|except|unless)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\s*(?:[;:]|(?<=\w)\.\s+|,?\s+\b(?:however|but|although|though|whereas|while|because|since"
    r"|so\s+that|therefore|otherwise)\b|,\s+(?=(?:however|and|or|no|not|which|the|it)\b))\s*",
    re.IGNORECASE,
)
_UP = "increase/increased/increases/increasing/improve/improved/improving/grow/grew/rise/rose"
_DOWN = "decrease/decreased/decreases/decline/declined/declining/fall/fell/drop/dropped/worsened"
_OPPOSITES = tuple(
    (frozenset(one.split("/")), frozenset(other.split("/")))
    for one, other in (
        pair.split(" ")
        for pair in (
            "high low", "on off", "enabled/enable/enables disabled/disable/disables",
            "internal external", "rising falling", "above/higher/more below/lower/less",
            f"{_UP} {_DOWN}", "before after",
            "first last", "maximum minimum", "open/closed closed/open",
            "volatile nonvolatile/non-volatile", "read write", "active inactive", "master slave",
            "positive negative", "set cleared/reset", "signed unsigned",
            "lost/stop/stops/stopped retained/preserved/kept/continue/continues",
            "single dual", "series parallel", "source sink", "anode cathode",
            "input/inputs output/outputs", "transmit receive", "automatically manually",
            "allowed prohibited", "push-pull open-drain", "fixed adjustable/programmable",
            "analog digital", "upper lower", "connected disconnected",
        )
    )
)  # fmt: skip
_OMITTED = re.compile(
    r"\b(?:left\s+(?:off|out)|leave\s+(?:off|out)|(?:left|leave)\s+\w*\s*(?:unconnected|floating)"
    r"|omit\w*|unnecessary|optional\w*|not\s+(?:needed|required|necessary)|dispens\w+\s+with"
    r"|skipped|no\s+need|needs?\s+no|requires?\s+no|without)\b",
    re.IGNORECASE,
)
_OBLIGED = re.compile(
    r"\b(?:required|must(?!\s+not)|mandatory|necessary|recommended|needs?|has\s+to|have\s+to"
    r"|essential|shall(?!\s+not)|needed|obligatory|do\s+not\s+leave)\b",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"\b(?:can|may|must|should|shall|will|is|are|was|has|have|does|do|need|needs)\b"
    r"(?:\s+(?:still|also|not|only|be|been|always|never|simply|already|just|to))*\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"^\s*(?:with|when|if|while|after|before|during|in|at|on|for|as)\b[^,]{3,80},\s*"
    r"|,?\s+\b(?:when|if|while|because|since|unless|until|so\s+that)\b.*$",
    re.IGNORECASE,
)
_MODE = re.compile(r"\b([\w-]+)\s+(?:mode|state)\b", re.IGNORECASE)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
_LEADING = re.compile(
    r"\b(?P<word>[A-Za-z]{3,})\s+(?P<preposition>to|at|by|with|from|after|before|during|into|via|per)\s+"
    r"(?:the\s+|an?\s+|its\s+)?(?P<thing>[\w-]{2,})",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:\b(?:at|with|when|if|under|for|using|and|between|from|than|on)\b|[=@,])\s*(?:an?\s+|the\s+)?"
    r"(?:[A-Z]\w*\s*(?:of|=|is|at)\s*)?$",
    re.IGNORECASE,
)
_COMPARATORS = (
    (-1, re.compile(r"\b(?:less|lower|smaller|fewer|below|under|shorter|no\s+more|not\s+more|within"
                    r"|at\s+most|up\s+to|as\s+(?:low|little)\s+as)\b[^.]{0,14}$", re.I)),
    (1, re.compile(r"\b(?:more|higher|greater|larger|above|over|exceed\w*|longer|no\s+less"
                   r"|not\s+less|at\s+least|beyond)\b[^.]{0,14}$", re.I)),
)  # fmt: skip
_ENDURES = re.compile(
    r"\b(?:surviv\w*|withstand\w*|tolera\w*|handles?|accepts?|works?|operated?|operates|runs?|supplied"
    r"|powered|drives?|driven|compatible|suitable|allowed|rated|used|connected|stored|takes?|reach"
    r"|deliver\w*)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^(?:yes|y|✓|✔|√|x|•|●|supported|available|allowed|enabled|on|ok)(?!\w)\W*$", re.I
)
_NO = re.compile(r"^(?:no|n|n/?a|-|–|—|✗|✘|×|not\s+\w+|none|disabled|off)\W*$", re.IGNORECASE)
_STATE = re.compile(
    r"\b(off|on|yes|no|enabled|disabled|high|low|active|inactive|open|closed|read[- ]only"
    r"|set|cleared|supported|required|optional)\b",
    re.IGNORECASE,
)
_AND_YET = re.compile(r"\b(?:while|still|but|yet)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_AMOUNT = re.compile(r"\$?\s*([(–-])?\s*\$?\s*(\d[\d,]*(?:\.\d+)?)\s*%?\s*\)?\s*%?")
_STATED = re.compile(r"([^;:*]*?(?:\b(min|typ|max)\s+)?)\*\*(.*?)\*\*")
_ROLES = {"min": ColumnRole.MIN, "typ": ColumnRole.TYP, "max": ColumnRole.MAX}
_PART = re.compile(r"\b(?=[A-Z])\w*\d{3}\w*\b")
_ADDRESS = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{2,4}h\b", re.IGNORECASE)
_COUNTED = re.compile(r"(?<![\w.])(\w+)[\s-]+([A-Za-z]{3,})")
_NAME_TOKEN = re.compile(r"\b(?=\w*[A-Z])(?=\w*\d)[A-Z][A-Za-z0-9_]{1,14}\b")
_ACRONYM = re.compile(r"\b(?=[A-Z0-9_]*[A-Z])[A-Z0-9_]{2,}\b")
_NUMBER_WORDS = {word: str(n) for word, n in SMALL_NUMBERS.items()}
_FILLERS = frozenset(
    terms_of(
        "simply already itself still just really actually also even because therefore thus so "
        "anyway always usually generally normally automatically easily safely without any problem "
        "chip part device ic statement claim fact case correct true false right wrong"
    )
)
"""Words of a claim that no document need repeat."""


_BESIDE = 40
"""Characters before and behind a value that tell what it is of."""


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value that a statement gives.

    Attributes:
        bound: MIN, TYP or MAX of a row's column, or of the words before it; `None` for another.
        beside: The text beside it in prose; "" for a cell.
    """

    measure: Measure
    bound: ColumnRole | None = None
    in_range: bool = False
    beside: str = ""


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
    """Tell whether a question is answered by yes or no: it begins with its verb."""
    text = strip_task_words(question)
    return bool(_YES_OR_NO.match(text)) and not _OR.search(text)


def asks_how(question: str) -> bool:
    """Tell whether a question of yes or no rather wants to be told how: "Can I record a show?"."""
    return bool(_ASKS_HOW.match(strip_task_words(question)))


def claim_of(question: str) -> str:
    """Return the claim that a judgement makes, or that a question of yes or no asks about."""
    text = strip_task_words(question).strip(" \"'“”?")
    return _QUESTION_VERB.sub("", text) if is_yes_or_no(question) else text


def claim_terms(task: AnswerTask, claim: str) -> QuestionTerms:
    """Return the words of a claim that a statement should carry."""
    said = set(terms_of(claim))
    weights = {t: w for t, w in task.terms.weights.items() if t in said}
    return QuestionTerms({t: w for t, w in weights.items() if t not in _FILLERS} or weights)


def question_of(claim: str) -> str:
    """Return what a claim answers: one of a quantity says what is asked for."""
    kinds = sorted({kind for p in _claimed(claim) for kind in dimensions_in(p.measure.text)})
    return f"{claim}: what {' or '.join(kinds)}" if kinds else claim


def statements_for(task: AnswerTask, text: str) -> list[Statement]:
    """Rank what the evidence states as if `text` had been asked, best first."""

    def similarities(texts: Sequence[str], question: str = "") -> Sequence[float]:
        return task.similarities(texts, question or text)

    asked = replace(
        task,
        query=replace(task.query, text=text),
        terms=claim_terms(task, text),
        similarities=similarities,
    )
    return ranked(asked, candidates(asked, task.usable))


def stated_values(statement: Statement) -> list[StatedValue]:
    """Return the values of a statement: of a row those under its columns, in their order."""
    if statement.cells:
        pieces = [
            (
                m[3] if measures_in(m[3]) else f"{m[3]} {head_unit(m[1].strip())}",
                _ROLES.get(m[2] or ""),
            )
            for m in _STATED.finditer(statement.text)
        ]
    else:
        pieces = [(statement.text, None)]
    found = []
    for text, bound in pieces:
        plain = plain_quantities(text)
        for placed in measures_in(text):
            near = limits_in(plain[max(0, placed.start - 30) : placed.start])
            own = bound or (near[0] if near else None)
            beside = plain[max(0, placed.start - _BESIDE) : placed.end + _BESIDE]
            beside = "" if statement.cells else beside
            found.append(StatedValue(placed.measure, own, placed.in_range, beside))
    return found


def stance(claim: str, terms: QuestionTerms, statement: Statement) -> Stance:
    """Hold a claim against a statement.

    Args:
        claim: A sentence, or a question without its verb.
        terms: Of the claim.
        statement: With its words, its place and its values.
    """
    strength = subject_share(terms, statement)
    if lacks_name(claim, terms, statement):
        return SILENT
    claimed = _claimed(claim)
    if claimed:
        by_value = _by_value(claim, claimed, statement)
        return SILENT if by_value is None else Stance(by_value, strength, is_explicit=True)
    if _is_against_obligation(claim, statement.text):
        return Stance(False, strength, is_explicit=True)
    if _OMITTED.search(claim) and not _OMITTED.search(statement.text):
        return SILENT
    modes, others = _modes(claim), _modes(statement.text)
    if modes and others and not modes & others:
        return Stance(False, strength) if _ONLY.search(statement.text) else SILENT
    clause = _deciding_clause(claim, statement.text)
    turns = int(is_denied(claim) != is_denied(clause))
    if not turns:
        turns = _n_opposites(claim, clause)
        if turns > 1:
            return SILENT  # it speaks of another case: high where the claim says low
    agree = _tokens_agree(claim, statement.text)
    if agree is False or turns % 2:
        return Stance(False, strength)
    if strength >= 0.5 and _names_another_object(claim, statement.text):
        return Stance(False, strength)
    return Stance(True, strength)


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
    for clause in filter(str.strip, _AND_YET.split(claim)):
        state = _STATE.search(clause)
        named = [(n, text) for header, text in cells if (n := _n_named(header, clause))]
        if not named:
            continue
        text = max(named, key=lambda pair: (is_state(pair[1]), pair[0]))[1].strip(" .")
        decides |= is_state(text)
        met.append(text.casefold() == state[1].casefold() if state else not _NO.match(text))
    return all(met) if decides else None


def by_trend(claim: str, cells: Sequence[tuple[str, str]]) -> bool | None:
    """Tell whether the amounts of two years go the way that a claim says; `None` without either.

    The years are those that it names, else the last two of the row.
    """
    words = set(re.findall(r"[a-z]+", claim.casefold()))
    up, down = words & set(_UP.split("/")), words & set(_DOWN.split("/"))
    amounts = {
        int(year[0]): amount
        for header, text in reversed(cells)
        if len(year := _YEAR.findall(header)) == 1 and (amount := _amount(text)) is not None
    }
    named = [year for year in map(int, _YEAR.findall(claim)) if year in amounts]
    last = max(named, default=max(amounts, default=0))
    before = min(named) if len(named) > 1 else max((y for y in amounts if y < last), default=0)
    if bool(up) == bool(down) or before not in amounts or amounts[last] == amounts[before]:
        return None
    return (amounts[last] > amounts[before]) == bool(up)


def _amount(text: str) -> float | None:
    """Read an amount of a report; in brackets it is negative."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return None
    return float(match[2].replace(",", "")) * (-1 if match[1] else 1)


def is_state(text: str) -> bool:
    """Tell whether a cell says no more than yes, no or a state."""
    return any(pattern.fullmatch(text.strip(" .")) for pattern in (_YES, _NO, _STATE))


def _n_named(header: str, clause: str) -> int:
    """Count the words of a header that a clause says, also by the word that they begin."""
    said = [word.casefold() for word in re.findall(r"[A-Za-z]{3,}", clause)]
    words = [word.casefold() for word in re.findall(r"[A-Za-z]{3,}", header)]
    return sum(any(s.startswith(word) for s in said) for word in words)


def lacks_name(claim: str, terms: QuestionTerms, statement: Statement) -> bool:
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


def _by_value(claim: str, claimed: Sequence[PlacedMeasure], statement: Statement) -> bool | None:
    """Compare the quantities that are claimed with what is stated of their kind."""
    plain = plain_quantities(claim)
    stated = stated_values(statement)
    verdicts = [
        _holds(rivals, p.measure, _sign(plain, p.start), limits_in(claim), endures=_endures(claim))
        for p in claimed
        if (rivals := [s for s in stated if same_kind(s.measure, p.measure)])
    ]
    known = [verdict for verdict in verdicts if verdict is not None]
    return all(known) if known else None


def _sign(plain: str, start: int) -> int:
    return next((sign for sign, pattern in _COMPARATORS if pattern.search(plain[:start])), 0)


def _holds(
    stated: Sequence[StatedValue],
    claimed: Measure,
    sign: int,
    limits: Sequence[ColumnRole],
    *,
    endures: bool,
) -> bool | None:
    """Tell whether a claimed value agrees with those stated of its kind."""
    asked = [s for s in stated if s.bound in limits] or list(stated)
    if any(is_equal(s.measure, claimed, 1e-3) for s in asked) and (not sign or endures):
        return True
    amounts = [in_base(s.measure) for s in stated]
    value = in_base(claimed)
    if endures:
        low = min((in_base(s.measure) for s in stated if s.bound is ColumnRole.MIN), default=None)
        high = max((in_base(s.measure) for s in stated if s.bound is ColumnRole.MAX), default=None)
        if sum(s.in_range for s in stated) > 1 and low is None and high is None:
            low, high = min(amounts), max(amounts)
        if low is None and high is None and len(amounts) == 1:
            high = amounts[0]
        if high is None:
            return None if low is None or value >= low else False
        return (low is None or value >= low) and value <= high
    if not sign:
        return False
    nearest = [in_base(s.measure) for s in asked]
    stated_amount = max(nearest) if sign < 0 else min(nearest)
    return (stated_amount - value) * sign > 0 or stated_amount == value


def _is_against_obligation(claim: str, passage: str) -> bool:
    """Tell whether one says that something may be left out, and the other that it must not."""
    for one, other in ((claim, passage), (passage, claim)):
        if _OMITTED.search(one) and not _OBLIGED.search(one) and _OBLIGED.search(other):
            return not _OMITTED.search(other)
    return False


def _modes(text: str) -> set[str]:
    return {match[1].casefold() for match in _MODE.finditer(text)}


def is_denied(text: str) -> bool:
    """Tell whether a text denies what it speaks of: an odd number of its words do."""
    return len(_NEGATION.findall(text)) % 2 == 1


def _deciding_clause(claim: str, passage: str) -> str:
    """Return the clause of a passage that shares most words with the claim's end.

    What a sentence says of its subject stands behind it.
    """
    clauses = [c for c in _CLAUSE.split(passage) if c and c.strip()]
    predicate = _PREDICATE.search(_SUBORDINATE.sub("", claim))
    told = terms_of(predicate["rest"] if predicate else claim)
    weights = {term: 1.0 / (1 + index) for index, term in reversed(list(enumerate(told)))}
    weights |= {t: 0.05 + weights.get(t, 0.0) for t in terms_of(claim)}
    if len(set(_PART.findall(passage))) > 1:
        # Of clauses about several parts the one that names the claim's decides.
        weights |= {t: 2.0 for part in _PART.findall(claim) for t in terms_of(part)}
    return max(
        clauses or [passage], key=lambda c: sum(weights.get(t, 0.0) for t in set(terms_of(c)))
    )


def _n_opposites(claim: str, passage: str) -> int:
    """Count the words of a claim whose opposite stands in the passage instead of them."""
    said = set(re.findall(r"[a-z][a-z-]*", claim.casefold()))
    stated = set(re.findall(r"[a-z][a-z-]*", passage.casefold()))
    return sum(
        bool(said & one and stated & other and not stated & one and not said & other)
        for pair in _OPPOSITES
        for one, other in (pair, pair[::-1])
    )


def _names_another_object(claim: str, passage: str) -> bool:
    """Tell whether a passage has another thing in the place of one of the claim.

    "connected to ground" and "connected to VDDIO": the same words lead to different ones.
    """
    stated = dict(_objects(passage))
    known = set(terms_of(passage))
    return any(
        lead in stated and stated[lead] != thing and thing not in known
        for lead, thing in _objects(claim)
    )


def _objects(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield (word, preposition) with the thing they lead to."""
    for match in _LEADING.finditer(text):
        word, thing = terms_of(match["word"]), terms_of(match["thing"])
        if word and thing:
            yield (word[-1], match["preposition"].casefold()), thing[0]


def _tokens_agree(claim: str, passage: str) -> bool | None:
    """Compare counts of the same noun, addresses and names with figures as they are written."""
    verdicts = []
    counted, stated = _counts(claim), _counts(passage)
    for noun in counted.keys() & stated.keys():
        verdicts.append(bool(counted[noun] & stated[noun]))
    for tokens in (_addresses, _names):
        own, others = tokens(claim), tokens(passage)
        if own and own <= others:
            verdicts.append(True)
        elif own and others and not own & others and len(others) <= 3:
            # A passage of many numbers is a list of other things.
            verdicts.append(False)
    return all(verdicts) if verdicts else None


def _counts(text: str) -> dict[str, set[str]]:
    """Return the numbers before each noun: "nine clocks", "9-clock"."""
    found: dict[str, set[str]] = {}
    for match in _COUNTED.finditer(text):
        number = _NUMBER_WORDS.get(match[1].casefold(), match[1])
        noun = terms_of(match[2])
        if noun and number[0].isdigit():
            found.setdefault(noun[0], set()).add(number)
    return found


def _addresses(text: str) -> set[str]:
    return {token.casefold() for token in _ADDRESS.findall(text)}


def _names(text: str) -> set[str]:
    return {token.casefold() for token in _NAME_TOKEN.findall(_PART.sub("", text))}
