"""Gaps to fill: the words of the evidence that stand where the sentence has its blanks.

What is missing shows in its neighbours: a unit behind the gap wants a number in that unit, a noun
wants a number, a word in quotation or anything else wants the words between the same neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.claims import Passage, claim_terms, passages, quoted
from desktop_qa.answer.measures import Measure, dimension, measures_in
from desktop_qa.answer.operands import Reading, Request, look_up
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.augment.quantities import plain_quantities
from desktop_qa.core.answer import QuestionType
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.task_words import strip_task_words

_BLANK = re.compile(r"_{2,}|(?<!\w)\(\s*\)|\[\s*\]|\.{4,}|…{2,}")
_CLAUSE_END = re.compile(r"[;.!?]\s|,\s|\b(?:and|but|while|whereas)\b", re.IGNORECASE)
_NUMBER_WORD = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|twenty|thirty|hundred|half|single|both"
)
_NUMBER = rf"(?<![\w.])(?:[-+±−–]?\d+(?:[.,]\d+)?|0x[0-9a-fA-F]+|{_NUMBER_WORD})(?![\w])"
_WORD = re.compile(r"[\w.+±−°%µΩ/-]*[\w%Ω°]")
_NO_NOUNS = frozenset(
    ["is", "was", "has", "does", "this", "its", "thus", "always", "as", "plus", "less", "across"]
)
_MAX_WORDS = 4
_BORNE_OUT = 0.6
_UNNAMED = 0.6
"""What a cell counts of a row whose name the sentence does not say."""

_MAX_TRIED = 5


@dataclass(frozen=True, slots=True)
class _Gap:
    """A blank with what stands around it.

    Attributes:
        clause: The part of the sentence that it stands in, without blanks.
        before: Last words before it, nearest last.
        after: First words behind it.
    """

    clause: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Filling:
    """What fits a gap, with the score of where it was read."""

    text: str
    statement: Statement
    score: float


def filled_blanks(task: AnswerTask) -> Reply | None:
    """Fill every gap of a sentence from the evidence; None when one stays open."""
    if task.query.type != QuestionType.FILL_IN:
        return None
    sentence = _sentence(task.query.text)
    gaps = _gaps(sentence)
    if not gaps:
        return None
    fillings: list[_Filling] = []
    for gap in gaps:
        filling = _fill(task, sentence, gap, fillings)
        if filling is None:
            return None
        fillings.append(filling)
    return _reply(task, sentence, fillings)


def _sentence(text: str) -> str:
    """Return the sentence to be completed, with the gaps left in it."""
    marked = _BLANK.sub(" ¤ ", text)
    stripped = strip_task_words(marked)
    if "¤" not in stripped:
        stripped = marked
    lead = re.match(r"^[^:¤]{0,60}:\s+(?=[^¤]*¤)", stripped)
    stripped = stripped[lead.end() :] if lead and len(lead.group().split()) <= 5 else stripped
    return " ".join(stripped.split())


def _gaps(sentence: str) -> list[_Gap]:
    pieces = sentence.split("¤")
    gaps = []
    for index in range(len(pieces) - 1):
        left, right = pieces[index], pieces[index + 1]
        before = _CLAUSE_END.split(left)[-1] if index or len(pieces) > 2 else left
        after = _CLAUSE_END.split(right)[0] if len(pieces) > 2 else right
        gaps.append(
            _Gap(
                clause=f"{before} {after}",
                before=tuple(_WORD.findall(left)[-3:]),
                after=tuple(_WORD.findall(right)[:3]),
            )
        )
    return gaps


def _fill(task: AnswerTask, sentence: str, gap: _Gap, taken: Sequence[_Filling]) -> _Filling | None:
    weights = dict(claim_terms(task, sentence).weights)
    own = set(terms_of(gap.clause))
    weighed = {t: w * (2.0 if t in own else 0.5) for t, w in weights.items()}
    terms = QuestionTerms(weighed or weights)
    unit = _unit_behind(gap)
    found = _from_passages(task, terms, gap, unit, taken)
    if unit or _wants_number(gap):
        found += _from_cells(task, terms, gap, sentence, unit)
    fresh = [f for f in found if f.text not in {t.text for t in taken}] or found
    return max(fresh, key=lambda f: f.score, default=None)


def _unit_behind(gap: _Gap) -> str:
    """Return the unit that follows a gap, "" when what follows is none."""
    if not gap.after:
        return ""
    for n_words in (2, 1):
        unit = " ".join(gap.after[:n_words])
        if measures_in(f"1 {unit}") and unit.casefold() not in ("a", "in", "as"):
            return gap.after[0] if n_words == 1 else unit
    return ""


def _wants_number(gap: _Gap) -> bool:
    """Tell whether a counted noun follows: "____ clocks", "____ clock cycles"."""
    return any(
        word.casefold().endswith(("s", "bit")) and word.isalpha() and len(word) > 2
        for word in gap.after[:2]
        if word.casefold() not in _NO_NOUNS
    )


def _from_passages(
    task: AnswerTask, terms: QuestionTerms, gap: _Gap, unit: str, taken: Sequence[_Filling]
) -> list[_Filling]:
    found: list[_Filling] = []
    for passage in passages(task, terms)[:_MAX_TRIED]:
        statement = quoted(task, terms, passage)
        if statement is None:
            continue
        for text, fit in _fits(passage, gap, unit):
            bonus = 0.05 * any(t.statement.text == statement.text for t in taken)
            found.append(_Filling(text, statement, passage.relevance * fit + bonus))
    return found


def _fits(passage: Passage, gap: _Gap, unit: str) -> list[tuple[str, float]]:
    """Return the words of a passage that may fill a gap, with how well they fit, 0 to 1."""
    if unit:
        return _of_unit(passage.text, gap, unit)
    numbers = _before_noun(passage.text, gap)
    if numbers or _wants_number(gap):
        between = [f for f in _between(passage.text, gap) if re.fullmatch(_NUMBER, f[0], re.I)]
        return numbers or between
    return _between(passage.text, gap)


def _of_unit(text: str, gap: _Gap, unit: str) -> list[tuple[str, float]]:
    wanted = measures_in(f"1 {unit}")[0].measure
    plain = plain_quantities(text)
    found = []
    for placed in measures_in(text):
        if dimension(placed.measure.unit) != dimension(wanted.unit):
            continue
        near = set(terms_of(plain[max(0, placed.start - 40) : placed.end + 40]))
        close = set(terms_of(" ".join((*gap.before, *gap.after[1:]))))
        share = len(near & close) / len(close) if close else 0.5
        number = _in_unit(placed.measure, wanted)
        found.append((number, 0.85 + 0.15 * share))
    return found


def _in_unit(measure: Measure, wanted: Measure) -> str:
    """Write a measure's number in the unit behind the gap."""
    if measure.unit == wanted.unit:
        return f"{measure.amount / wanted.amount:.6g}"
    return measure.text.split()[0]


def _before_noun(text: str, gap: _Gap) -> list[tuple[str, float]]:
    """Find a number before the noun that follows the gap: "nine clocks", "9-clock"."""
    if not gap.after:
        return []
    noun = [term for word in gap.after[: 2 if _wants_number(gap) else 1] for term in terms_of(word)]
    if not noun:
        return []
    found = []
    for match in re.finditer(_NUMBER, text, re.IGNORECASE):
        behind = _WORD.findall(text[match.end() :].lstrip(" -"))[:3]
        for distance, word in enumerate(behind):
            if set(terms_of(word)) & set(noun):
                found.append((match.group(), 1.0 - 0.1 * distance))
                break
    return found


def _between(text: str, gap: _Gap) -> list[tuple[str, float]]:
    """Find the words between the neighbours of the gap, as they stand in a passage."""
    words = list(_WORD.finditer(text))
    stems = [set(terms_of(w.group())) or {w.group().casefold()} for w in words]
    left = [set(terms_of(w)) or {w.casefold()} for w in gap.before]
    right = [set(terms_of(w)) or {w.casefold()} for w in gap.after]
    best: dict[str, float] = {}
    for start in range(len(words) + 1):
        before = _matched(stems[:start][::-1], left[::-1])
        for length in range(1, _MAX_WORDS + 1):
            end = start + length
            if end > len(words):
                break
            after = _matched(stems[end:], right)
            at_end = not right and end == len(words)
            if (
                before + after <= 0
                or (right and after <= 0)
                or (left and before <= 0 and not after)
            ):
                continue
            said = {t for stem in (*left, *right) for t in stem}
            if any(stem & said for stem in stems[start:end]):
                continue
            filling = text[words[start].start() : words[end - 1].end()]
            fit = 0.45 + 0.25 * before + 0.25 * max(after, float(at_end)) - 0.03 * (length - 1)
            best[filling] = max(best.get(filling, 0.0), fit)
    return list(best.items())


def _matched(stems: Sequence[set[str]], wanted: Sequence[set[str]]) -> float:
    """Return how well the nearest words match the neighbours of the gap, the nearest most."""
    score = 0.0
    for index, (stem, want) in enumerate(zip(stems, wanted, strict=False)):
        if stem & want:
            score += (0.6, 0.25, 0.15)[index]
        elif index == 0:
            return 0.0
    return score


def _from_cells(
    task: AnswerTask, terms: QuestionTerms, gap: _Gap, sentence: str, unit: str
) -> list[_Filling]:
    """Read the value of a table's row for a gap before a unit or a counted noun."""
    text = sentence.replace("¤", " ")
    clause = gap.clause if terms_of(gap.clause) else text
    kind = dimension(measures_in(f"1 {unit}")[0].measure.unit) if unit else ""
    request = Request(
        text=clause,
        terms=QuestionTerms({t: w for t, w in terms.weights.items() if t[:1].isalpha()}),
        kind=kind,
        given=tuple(p.measure for p in measures_in(text)),
        document_ids=task.query.document_ids,
    )
    fillings = _from_names(task, request, gap, unit) if unit else []
    for reading in look_up(task, request)[:4]:
        filling = _cell_filling(reading, gap, unit)
        if filling is not None:
            fillings.append(filling)
    return fillings


def _from_names(task: AnswerTask, request: Request, gap: _Gap, unit: str) -> list[_Filling]:
    """Read a value from the name or condition of a row: "(1 measurement every 30 seconds)"."""
    found = []
    for reading in look_up(task, replace(request, kind=""))[:3]:
        statement = reading.statement
        if statement is not None and statement.cells:
            for number, fit in _of_unit(statement.text.replace("*", ""), gap, unit):
                found.append(_Filling(number, statement, 0.8 * fit * min(reading.score, 1.1)))
    return found


def _cell_filling(reading: Reading, gap: _Gap, unit: str) -> _Filling | None:
    if reading.statement is None or not reading.statement.cells:
        return None
    if unit:
        number = _in_unit(reading.measure, measures_in(f"1 {unit}")[0].measure)
    else:
        number = reading.measure.text.split()[0]
    is_of_noun = (
        not unit
        and gap.after
        and (set(terms_of(" ".join(gap.after[:2]))) & set(terms_of(reading.statement.text)))
    )
    if not unit and not is_of_noun:
        return None
    share = 1.0 if reading.named >= _BORNE_OUT else _UNNAMED
    return _Filling(number, reading.statement, 0.85 * share * min(reading.score, 1.1))


def _reply(task: AnswerTask, sentence: str, fillings: Sequence[_Filling]) -> Reply:
    text = sentence
    for filling in fillings:
        text = text.replace("¤", f"**{filling.text}**", 1)
    text = re.sub(r"\s+([,.;:?!)])", r"\1", text)
    text = text if text.endswith((".", "!", "?")) else f"{text}."
    cited = list(dict.fromkeys(f.statement for f in fillings))
    main = Statement(
        text[:1].upper() + text[1:],
        cited[0].evidence,
        (),
        (),
        max(s.coverage for s in cited),
        min(f.score for f in fillings),
        rests_on=tuple(cited),
    )
    listed = [replace(s, score=1.0) for s in cited]
    return Reply(statements=(main, *listed), is_sure=_is_borne_out(task, cited))


def _is_borne_out(task: AnswerTask, cited: Sequence[Statement]) -> bool:
    """Tell whether every filling stands in a named document, among the words of the sentence."""
    named = set(task.query.document_ids)
    return all(s.coverage >= _BORNE_OUT and s.evidence.segment.document_id in named for s in cited)
