"""Statements from prose: sentences that answer, whole step lists, captions of figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.statement import EvidenceSource, Statement
from desktop_qa.augment.quantities import find_values
from desktop_qa.core.answer import Evidence
from desktop_qa.core.segment import Segment, SegmentKind
from desktop_qa.core.word_places import PlacedWord, QuoteLocator
from desktop_qa.index.lexical import terms_of

_SENTENCE_END = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bFig\.)(?<!\btyp\.)(?<!\bmax\.)(?<!\bmin\.)(?<!\bNo\.)"
    r"(?<!\bvs\.)(?<!\betc\.)(?<!\bapprox\.)(?<=[.!?])[\"”)]?\s+(?=[A-Z0-9(•“\"])"
)
_LIST_ITEM = re.compile(
    r"^\s*(?:[-*•–—▪◦■□●○►▶‣·»]|\(?\d{1,2}[.)]|\(?[a-z][.)]|step\s+\d+)\s*", re.IGNORECASE
)
_NUMBER_WITH_UNIT = re.compile(r"\d\s?(?:[a-zA-ZµΩ°%]|$)")
_ASKS_FOR_AMOUNT = re.compile(
    r"\b(how (much|many|long|fast|high|low|far|big|large|often|heavy|wide|close)|what is the|"
    r"what (voltage|current|value|limits?|frequency|temperature|time|rate|range|size))\b",
    re.IGNORECASE,
)
MAX_SENTENCE_WORDS = 70
MAX_STEPS = 40


def sentences(text: str) -> list[str]:
    """Split the body of a segment into sentences; a line of a list stays one."""
    found = []
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped:
            found += [part.strip() for part in _SENTENCE_END.split(stripped) if part.strip()]
    return found


def body(segment: Segment) -> str:
    """Return the text without its heading line and caption line."""
    lines = segment.text.split("\n")
    head = {*segment.metadata.section_path[-1:], segment.metadata.caption}
    while lines and (not lines[0].strip() or lines[0].lstrip("# ").strip() in head):
        lines.pop(0)
    return "\n".join(lines)


def sentence_statements(
    question: str, terms: QuestionTerms, evidence: Evidence, source: EvidenceSource
) -> list[Statement]:
    """Quote the sentences of a TEXT segment that speak of what the question asks, best first."""
    segment = evidence.segment
    context = set(terms_of(segment.metadata.context_line()))
    locator = QuoteLocator(source.words(segment))
    asks_for_amount = bool(_ASKS_FOR_AMOUNT.search(question))
    statements = []
    for sentence in sentences(body(segment)):
        if len(sentence.split()) > MAX_SENTENCE_WORDS:
            continue
        own_terms = set(terms_of(sentence))
        own = terms.coverage(own_terms)
        if own <= 0.0:
            continue
        run = locator.find(_LIST_ITEM.sub("", sentence)) or locator.find(sentence)
        if not run:
            continue
        whole = terms.coverage(own_terms | context)
        score = 0.7 * own + 0.3 * whole
        if asks_for_amount and not _NUMBER_WITH_UNIT.search(sentence):
            score *= 0.8
        text = _LIST_ITEM.sub("", sentence).strip()
        statements.append(Statement(text, evidence, (tuple(run),), (), whole, score))
    return sorted(statements, key=lambda s: -s.score)


def sentence_pieces(terms: QuestionTerms, evidence: Evidence) -> list[Statement]:
    """Return every sentence of a TEXT segment as a statement that is not located yet."""
    segment = evidence.segment
    context = frozenset(terms_of(segment.metadata.context_line()))
    statements = []
    for sentence in sentences(body(segment)):
        text = _LIST_ITEM.sub("", sentence).strip()
        if not text or len(text.split()) > MAX_SENTENCE_WORDS:
            continue
        own = frozenset(terms_of(text))
        whole = terms.coverage(own | context)
        statement = Statement(text, evidence, (), (), whole, whole)
        statements.append(replace(statement, terms=own, values=frozenset(find_values(text))))
    return statements


def list_items(text: str) -> list[str]:
    """Return the items of lists in order; a line that goes on an item is joined to it."""
    items: list[str] = []
    for line in text.split("\n"):
        if not line.strip():
            continue
        if _LIST_ITEM.match(line):
            items.append(line.strip())
        elif items and line.startswith(("  ", "\t")):
            items[-1] = f"{items[-1]} {line.strip()}"
    return items


def procedure_statement(
    terms: QuestionTerms, evidence: Evidence, source: EvidenceSource
) -> Statement | None:
    """Quote the whole step list of a section, in order, each step once.

    Returns:
        None when the section has no list of two steps or more.
    """
    segment = evidence.segment
    if segment.kind is not SegmentKind.TEXT:
        return None
    steps: list[str] = []
    runs: list[tuple[PlacedWord, ...]] = []
    said: set[PlacedWord] = set()
    for piece in source.section(segment):
        locator = QuoteLocator(source.words(piece))
        for item in list_items(body(piece)):
            step = _LIST_ITEM.sub("", item).strip()
            run = locator.find(step)
            # Pieces of a long section overlap: a step that stands in both is said once.
            if step and run and said.isdisjoint(run) and len(steps) < MAX_STEPS:
                steps.append(step)
                runs.append(tuple(run))
                said.update(run)
    if len(steps) < 2:
        return None
    coverage = terms.coverage(
        set(terms_of(segment.metadata.context_line())) | set(terms_of(" ".join(steps)))
    )
    text = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
    return Statement(text, evidence, tuple(runs), (), coverage, coverage)


def figure_statement(
    terms: QuestionTerms, evidence: Evidence, source: EvidenceSource
) -> Statement | None:
    """Quote the caption of a figure."""
    caption = evidence.segment.metadata.caption
    if not caption:
        return None
    run = QuoteLocator(source.words(evidence.segment)).find(caption)
    if not run:
        return None
    own_terms = set(terms_of(caption))
    own = terms.coverage(own_terms)
    whole = terms.coverage(own_terms | set(terms_of(evidence.segment.lexical_text)))
    text = caption if caption.endswith(".") else f"{caption}."
    return Statement(text, evidence, (tuple(run),), (), whole, 0.5 * own + 0.5 * whole)


def opening_statements(
    evidence: Sequence[Evidence], terms: QuestionTerms, source: EvidenceSource, limit: int
) -> list[Statement]:
    """Quote the first sentence of each segment: what a named place is about."""
    statements = []
    for item in evidence:
        segment = item.segment
        if segment.kind is not SegmentKind.TEXT:
            continue
        locator = QuoteLocator(source.words(segment))
        for sentence in sentences(body(segment))[:2]:
            run = locator.find(sentence)
            if run and len(run) >= 4:
                coverage = terms.coverage(terms_of(segment.lexical_text))
                statements.append(
                    Statement(sentence, item, (tuple(run),), (), max(coverage, 0.5), item.score)
                )
                break
        if len(statements) >= limit:
            break
    return statements
