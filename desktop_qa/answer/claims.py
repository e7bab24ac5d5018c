"""Passages that speak of a claim, and how a passage bears it out or contradicts it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.measures import is_equal, measures_in, same_kind
from desktop_qa.answer.prose import MAX_SENTENCE_WORDS, body, sentences
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.spoken_numbers import SMALL_NUMBERS
from desktop_qa.core.answer import Evidence
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.word_places import QuoteLocator
from desktop_qa.index.lexical import terms_of

_MAX_EVIDENCE = 8
_MAX_COMPARED = 14
"""Passages whose cosine with the question is computed: one or two milliseconds each."""

_MAX_SECTIONS = 3
_OF_PREDICATE = 0.06

_MARK = re.compile(r"^\s*(?:[-*•–—▪◦■□●○►▶‣·»]|\(?\d{1,2}[.)]|[\[(]\d{1,2}[\])])\s*")
_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|none|without|impossible|unable|prohibited|forbidden"
    r"|fails?\s+to|lacks?|instead\s+of|rather\s+than|except|unless)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\s*(?:[;:]|,?\s+\b(?:however|but|although|though|whereas|while|because|since|so\s+that"
    r"|therefore|otherwise)\b|,\s+(?=(?:however|and|or|no|not|which|the|it)\b))\s*",
    re.IGNORECASE,
)
_ONLY_IF = re.compile(r"\bonly\b", re.IGNORECASE)
_ANTONYMS: tuple[tuple[str, str], ...] = tuple(
    (one, other)
    for pair in (
        "high low", "on off", "enabled disabled", "enable disable", "enables disables",
        "internal external", "internally externally", "rising falling", "increase decrease",
        "increases decreases", "above below", "higher lower", "before after", "first last",
        "maximum minimum", "open closed", "volatile nonvolatile", "volatile non-volatile",
        "read write", "synchronous asynchronous", "active inactive", "master slave",
        "inverting noninverting", "inverting non-inverting", "positive negative", "set cleared",
        "set reset", "signed unsigned", "lost retained", "lost preserved", "lost kept",
        "reset retained", "linear logarithmic", "single dual", "series parallel", "source sink",
        "msb lsb", "anode cathode", "input output", "transmit receive", "faster slower",
        "automatically manually", "allowed prohibited", "more less", "short open", "start stop",
        "push-pull open-drain", "big-endian little-endian", "isolated non-isolated",
        "industrial automotive", "shared separate", "fixed adjustable", "fixed programmable",
        "analog digital", "upper lower", "left right", "top bottom", "connected disconnected",
        "unidirectional bidirectional", "normally-open normally-closed", "upward downward",
        "same different", "always never", "all none", "wet dry", "hot cold", "wake sleep",
    )
    for one, other in (tuple(pair.split()),)
)  # fmt: skip
_OMITTED = re.compile(
    r"\b(?:left\s+(?:off|out)|leave\s+(?:off|out)|omit\w*|unnecessary|optional\w*|not\s+(?:needed|required"
    r"|necessary)|dispens\w+\s+with|skipped|no\s+need|needs?\s+no|requires?\s+no|without)\b",
    re.IGNORECASE,
)
_OBLIGED = re.compile(
    r"\b(?:required|must(?!\s+not)|mandatory|necessary|(?:highly|strongly)?\s*recommended|needs?"
    r"|has\s+to|have\s+to"
    r"|essential|shall(?!\s+not)|needed|obligatory)\b",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"\b(?:can|may|must|should|shall|will|is|are|was|has|have|does|do|need|needs)\b"
    r"(?:\s+(?:still|also|not|only|be|been|always|never|simply|already|just|to))*\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_MODE = re.compile(r"\b([\w-]+)\s+(?:mode|state)\b", re.IGNORECASE)
_REFERS = re.compile(r"(?:This|These|It|They|Both|Such|The\s+two|In\s+this)\b")
_SUBORDINATE = re.compile(
    r"^\s*(?:with|when|if|while|after|before|during|in|at|on|for|as)\b[^,]{3,80},\s*"
    r"|,?\s+\b(?:when|if|while|because|since|unless|until|so\s+that)\b.*$",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"\b(?P<word>[A-Za-z]{3,})\s+(?P<preposition>to|at|by|with|from|after|before|during|into|via|per)\s+"
    r"(?:the\s+|an?\s+|its\s+)?(?P<thing>[\w-]{2,})",
    re.IGNORECASE,
)
_NUMBER_WORDS = {word: str(n) for word, n in SMALL_NUMBERS.items()}
_VALUE_TOKEN = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{2,4}h\b|\b\d+(?:\.\d+)?\b", re.IGNORECASE)
_NAME_TOKEN = re.compile(r"\b(?=\w*[A-Z])(?=\w*\d)[A-Z][A-Za-z0-9_]{1,14}\b")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, list item, note or row of the evidence.

    Attributes:
        coverage: Share of the claim's words in it, 0 to 1.
        relevance: With its place and its cosine with the question.
        cosine: With the question, -1 to 1.
    """

    text: str
    evidence: Evidence
    coverage: float
    relevance: float
    cosine: float = 0.0


_FILLERS = frozenset(
    terms_of(
        "simply already itself still just really actually also even because therefore thus so "
        "anyway always usually generally normally automatically easily safely without any problem "
        "chip part device ic statement claim fact case correct true false right wrong"
    )
)
"""Words of a claim that no document need repeat."""


def claim_terms(task: AnswerTask, claim: str) -> QuestionTerms:
    """Return the words of a claim, or of a sentence with gaps, that a passage should carry."""
    said = set(terms_of(claim))
    weights = {t: w for t, w in task.terms.weights.items() if t in said}
    return QuestionTerms({t: w for t, w in weights.items() if t not in _FILLERS} or weights)


def passages(task: AnswerTask, terms: QuestionTerms) -> list[Passage]:
    """Return the passages that speak of a claim, most relevant first."""
    found = sorted(_lexical(task, terms), key=lambda p: -p.relevance)[:_MAX_COMPARED]
    found += [p for p in _neighbours(task, terms) if p.text not in {other.text for other in found}]
    if not found:
        return []
    cosines = task.similarities([p.text for p in found])
    ranked = [
        replace(
            p,
            relevance=0.55 * p.relevance + 0.45 * max(cosine, 0.0) + _says_what(task, p),
            cosine=cosine,
        )
        for p, cosine in zip(found, cosines, strict=True)
    ]
    return sorted(ranked, key=lambda p: -p.relevance)


def _says_what(task: AnswerTask, passage: Passage) -> float:
    """Favour passages with the word for what happens, before those that share the rest."""
    told = predicate_of(task.query.text)[:1]
    return _OF_PREDICATE if told and told[0] in terms_of(passage.text) else 0.0


def _lexical(task: AnswerTask, terms: QuestionTerms) -> Iterator[Passage]:
    top = max((e.score for e in task.usable), default=1.0) or 1.0
    for item in task.usable[:_MAX_EVIDENCE]:
        context = terms_of(item.segment.metadata.context_line())
        weight = 0.7 + 0.3 * item.score / top
        for text in _texts(item):
            own = terms.coverage(terms_of(text))
            if own > 0:
                whole = terms.coverage([*terms_of(text), *context])
                yield Passage(text, item, own, weight * (0.7 * own + 0.3 * whole))


def _neighbours(task: AnswerTask, terms: QuestionTerms) -> Iterator[Passage]:
    """Yield the other sentences of the best sections: they may say it in other words."""
    texts = [item for item in task.usable[:6] if item.segment.kind is SegmentKind.TEXT]
    for item in texts[:_MAX_SECTIONS]:
        context = terms_of(item.segment.metadata.context_line())
        for text in _texts(item)[:8]:
            own = terms.coverage(terms_of(text))
            whole = terms.coverage([*terms_of(text), *context])
            yield Passage(text, item, own, 0.7 * own + 0.3 * whole)


def _texts(item: Evidence) -> list[str]:
    segment = item.segment
    if segment.kind is SegmentKind.TEXT:
        lines = sentences(body(segment))
    else:
        lines = [line for line in segment.text.split("\n") if "|" not in line]
        lines = [s for line in lines for s in sentences(line)]
    lines = _with_what_they_refer_to(lines)
    return [
        t for s in lines if 3 <= len((t := _MARK.sub("", s).strip()).split()) <= MAX_SENTENCE_WORDS
    ]


def _with_what_they_refer_to(lines: Sequence[str]) -> list[str]:
    """Join a sentence that begins with a pronoun to the one before it, side by side on the page."""
    found: list[str] = []
    for index, line in enumerate(lines):
        before = lines[index - 1] if index else ""
        joins = before.endswith(".") and _REFERS.match(line) and not _MARK.match(line)
        found.append(f"{before} {line}" if joins else line)
    return found


def quoted(task: AnswerTask, terms: QuestionTerms, passage: Passage) -> Statement | None:
    """Quote a passage; None when it cannot be found on its page."""
    run = QuoteLocator(task.source.words(passage.evidence.segment)).find(passage.text)
    if not run:
        return None
    context = terms_of(passage.evidence.segment.metadata.context_line())
    coverage = terms.coverage([*terms_of(passage.text), *context])
    coverage = max(coverage, passage.cosine)  # it may say the same in other words
    return Statement(passage.text, passage.evidence, (tuple(run),), (), coverage, passage.relevance)


def contradictions(claim: str, passage: str) -> int:
    """Count the ways in which a passage turns a claim round: negations, opposites, obligations.

    An even number leaves it as it is ("not disabled" and "enabled").
    """
    clause = deciding_clause(claim, passage)
    turns = int(_is_denied(claim) != _is_denied(clause))
    if _is_denied(claim) == _is_denied(clause):
        turns += opposites(claim, passage)
    return 1 if is_against_obligation(claim, passage) else turns


def is_against_obligation(claim: str, passage: str) -> bool:
    """Tell whether one says that something may be left out, and the other that it must not."""
    for one, other in ((claim, passage), (passage, claim)):
        if _OMITTED.search(one) and not _OBLIGED.search(one) and _OBLIGED.search(other):
            return not _OMITTED.search(other)
    return False


def _is_denied(text: str) -> bool:
    return len(_NEGATION.findall(text)) % 2 == 1


def predicate_of(claim: str) -> list[str]:
    """Return the terms of what the main clause of a claim says happens, the verb first."""
    main = _SUBORDINATE.sub("", claim)
    predicate = _PREDICATE.search(main)
    return terms_of(predicate["rest"]) if predicate is not None else []


def names_another_object(claim: str, passage: str) -> bool:
    """Tell whether a passage has another thing in the place of one of the claim.

    "connected to ground" and "connected to VDDIO": the same words lead to different ones.
    """
    stated = dict(_objects(passage))
    known = set(terms_of(passage))
    return any(
        lead in stated and stated[lead] != thing and thing not in known
        for lead, thing in _objects(claim)
    )


def speaks_of_another_mode(claim: str, passage: str) -> bool:
    """Tell whether a passage names modes or states, and none of those that a claim names."""
    claimed = {match[1].casefold() for match in _MODE.finditer(claim)}
    stated = {match[1].casefold() for match in _MODE.finditer(passage)}
    return bool(claimed) and bool(stated) and not claimed & stated


def limits_to_another_mode(claim: str, passage: str) -> bool:
    """Tell whether a passage allows in one mode only what a claim says of another."""
    return speaks_of_another_mode(claim, passage) and limits_to(passage)


def _objects(text: str) -> list[tuple[tuple[str, str], str]]:
    """Return (word, preposition) with the thing they lead to."""
    found = []
    for match in _LEADING.finditer(text):
        word, thing = terms_of(match["word"]), terms_of(match["thing"])
        if word and thing:
            found.append(((word[-1], match["preposition"].casefold()), thing[0]))
    return found


def deciding_clause(claim: str, passage: str) -> str:
    """Return the clause of a passage that speaks of what the claim says happens."""
    clauses = [c for c in _CLAUSE.split(passage) if c and c.strip()]
    if len(clauses) < 2:
        return passage
    told = predicate_of(claim) or terms_of(claim)
    weights = {term: 1.0 / (1 + index) for index, term in reversed(list(enumerate(told)))}
    weights |= {t: 0.05 + weights.get(t, 0.0) for t in terms_of(claim)}
    return max(clauses, key=lambda c: sum(weights.get(t, 0.0) for t in set(terms_of(c))))


def opposites(claim: str, passage: str) -> int:
    """Count the words of a claim whose opposite stands in the passage instead of them."""
    said = set(re.findall(r"[a-z][a-z-]*", claim.casefold()))
    stated = set(re.findall(r"[a-z][a-z-]*", passage.casefold()))
    return sum(
        (one in said and other in stated and one not in stated and other not in said)
        or (other in said and one in stated and other not in stated and one not in said)
        for one, other in _ANTONYMS
    )


def values_agree(claim: str, passage: str) -> bool | None:
    """Compare the values of a claim with those of a passage; None when they cannot be compared.

    Quantities are compared by their units, other numbers, addresses and names with figures as they
    are written.
    """
    claimed = [placed.measure for placed in measures_in(claim)]
    stated = [placed.measure for placed in measures_in(passage)]
    verdicts = []
    for measure in claimed:
        rivals = [m for m in stated if same_kind(m, measure) and m.unit != ""]
        if rivals:
            verdicts.append(any(is_equal(m, measure, 1e-4) for m in rivals))
    for tokens in (_numbers, _names):
        own, others = tokens(claim), tokens(passage)
        if own and others:
            missing = own - others
            # A passage of many numbers is a list of other things.
            if not missing:
                verdicts.append(True)
            elif others - own and not own & others and len(others) <= 3:
                verdicts.append(False)
    if not verdicts:
        return None
    return all(verdicts)


def _numbers(text: str) -> set[str]:
    plain = " ".join(_NUMBER_WORDS.get(w.casefold(), w) for w in re.findall(r"[\w.]+", text))
    for placed in reversed(measures_in(plain)):
        plain = plain[: placed.start] + plain[placed.end :]
    return {token.casefold() for token in _VALUE_TOKEN.findall(plain)}


def _names(text: str) -> set[str]:
    return {token.casefold() for token in _NAME_TOKEN.findall(text)}


def limits_to(passage: str) -> bool:
    """Tell whether a passage says that something holds in one case only."""
    return _ONLY_IF.search(passage) is not None
