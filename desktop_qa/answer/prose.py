"""Statements from prose: the sentences that answer, captions of figures, openings of places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.passages import label_of, without_label
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.statement import EvidenceSource, Statement
from desktop_qa.augment.quantities import find_values
from desktop_qa.augment.sentences import split_sentences
from desktop_qa.core.answer import Evidence
from desktop_qa.core.segment import Segment
from desktop_qa.core.word_places import PlacedWord, QuoteLocator
from desktop_qa.index.lexical import terms_of

_NEEDS_NEIGHBOUR = re.compile(
    r"^(?:it|its|they|their|these|those|this|that|such|otherwise|however|in\s+(?:this|that|such)"
    r"|at\s+this|during\s+this|if\s+(?:so|not)|the\s+(?:former|latter|same)|both|but|also|then"
    r"|therefore|thus|hence|as\s+a\s+result|for\s+this)\b",
    re.IGNORECASE,
)
_ENDS = (".", "!", "?", ":", ";")
_MAX_ITEMS = 10
MAX_SENTENCE_WORDS = 110
_MIN_WORDS = 3


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence with what it needs to be understood.

    Attributes:
        before: The sentence it goes on from, or the line that leads the list it stands in.
        items: Of the list that it leads.
    """

    text: str
    before: str = ""
    items: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """What is quoted, in the order of the page."""
        return tuple(part for part in (self.before, self.text, *self.items) if part)


def sentences(text: str) -> list[str]:
    """Split the body of a segment into sentences; a line of a list stays one."""
    return [sentence for line in _lines(text) for sentence in _sentences_of(line)]


def body(segment: Segment) -> str:
    """Return the text without its heading line and caption line."""
    lines = segment.text.split("\n")
    head = {*segment.metadata.section_path[-1:], segment.metadata.caption}
    while lines and (not lines[0].strip() or lines[0].lstrip("# ").strip() in head):
        lines.pop(0)
    return "\n".join(lines)


def passages(text: str) -> list[Passage]:
    """Cut the body of a segment into what may be quoted.

    A sentence that speaks of the one before it ("This pin ...") takes it along, an item of a list
    takes the line that leads the list, and that line takes all its items.
    """
    found: list[Passage] = []
    lead, items = "", []
    previous = ""
    for line in _lines(text):
        if label_of(line) is not None and len(line.split()) > 1:
            item = without_label(line)
            items.append(item)
            found.append(Passage(item, lead))
            previous = ""
            continue
        if lead and items:
            found = _with_list(found, lead, items)
        lead, items = "", []
        for sentence in _sentences_of(line):
            needs = bool(_NEEDS_NEIGHBOUR.match(sentence)) and bool(previous)
            found.append(Passage(sentence, previous if needs else ""))
            previous = sentence
        lead = previous if previous.endswith(":") else ""
    if lead and items:
        found = _with_list(found, lead, items)
    return [p for p in found if _MIN_WORDS <= sum(map(_n_words, p.parts)) <= MAX_SENTENCE_WORDS]


def _with_list(found: list[Passage], lead: str, items: list[str]) -> list[Passage]:
    """Let a line that leads a list stand with it and not alone, unless both are too long."""
    whole = Passage(lead, items=tuple(items))
    if sum(map(_n_words, whole.parts)) > MAX_SENTENCE_WORDS:
        return found
    return [p for p in found if p.text != lead or p.items] + [whole]


def sentence_pieces(terms: QuestionTerms, evidence: Evidence) -> list[Statement]:
    """Return every sentence of a TEXT segment as a statement that is not located yet."""
    segment = evidence.segment
    context = frozenset(terms_of(segment.metadata.context_line()))
    statements = []
    for passage in passages(body(segment)):
        text = _said(passage)
        own = frozenset(terms_of(text))
        whole = terms.coverage(own | context)
        statement = Statement(text, evidence, (), (), whole, whole)
        statements.append(replace(statement, terms=own, values=frozenset(find_values(text))))
    return statements


def located_runs(text: str, words: Sequence[PlacedWord]) -> tuple[tuple[PlacedWord, ...], ...]:
    """Find each line of a statement among the words of its segment; nothing if one is not there."""
    locator = QuoteLocator(words)
    lines = [line.removeprefix("- ") for line in text.split("\n")]
    runs = [tuple(locator.find(line)) for line in lines]
    return tuple(runs) if all(runs) else ()


def _said(passage: Passage) -> str:
    if passage.items:
        return "\n".join((passage.text, *(f"- {item}" for item in passage.items[:_MAX_ITEMS])))
    if passage.before.endswith(":"):
        return f"{passage.before}\n- {passage.text}"
    return " ".join(passage.parts)


def _lines(text: str) -> list[str]:
    """Return the lines of a body; a sentence that a page or column end has cut is joined again."""
    lines: list[str] = []
    for line in text.split("\n"):
        stripped = line.strip()
        if not stripped:
            continue
        goes_on = stripped[:1].islower() and label_of(stripped) is None
        if lines and goes_on and not lines[-1].endswith(_ENDS):
            lines[-1] = f"{lines[-1]} {stripped}"
        else:
            lines.append(stripped)
    return lines


def _sentences_of(line: str) -> list[str]:
    return [line] if label_of(line) is not None else split_sentences(line)


def _n_words(text: str) -> int:
    return len(text.split())


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
