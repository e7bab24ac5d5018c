"""Statements from prose: the sentences that answer, captions of figures, openings of places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.answer.passages import label_of
from desktop_qa.answer.relevance import QuestionTerms
from desktop_qa.answer.source import StoredEvidence
from desktop_qa.answer.statement import Statement
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
_MIN_WORDS, _MAX_WORDS = 3, 110
"""Of what may be quoted, the dashes before its items counted."""


def body(segment: Segment) -> str:
    """Return the text without its heading line and caption line."""
    lines = segment.text.split("\n")
    head = {*segment.metadata.section_path[-1:], segment.metadata.caption}
    while lines and (not lines[0].strip() or lines[0].lstrip("# ").strip() in head):
        lines.pop(0)
    return "\n".join(lines)


def passages(text: str) -> list[str]:
    """Cut the body of a segment into what may be quoted, items behind "- " on lines of their own.

    A sentence that speaks of the one before it ("This pin ...") takes it along, an item of a list
    takes the line that leads the list, and that line takes all its items unless both are too long.
    An item that ends with a colon leads those below it.
    """
    found: list[str] = []
    items: list[str] = []
    lead = alone = previous = ""
    above = ""
    depth = at = 0
    for printed in (*_lines(text), ""):
        line = printed.lstrip()
        indent = len(printed) - len(line)
        label = label_of(line)
        if label is not None and len(line.split()) > 1:
            # A number says which it is ("2) Base" of "LEAD CODE:"), a bullet nothing.
            item = line if label.value else label.text
            items.append(item)
            if above and indent > depth:
                whole = f"{found[at]}\n- {item}"
                if len(whole.split()) <= _MAX_WORDS:
                    found[at] = whole
                found.append(f"{above}\n- {item}")
            else:
                above, depth, at = item if item.endswith(":") else "", indent, len(found)
                found.append(f"{lead}\n- {item}" if lead else item)
            previous = ""
            continue
        above = ""
        if lead and items and len(" ".join((lead, *items)).split()) <= _MAX_WORDS:
            found = [one for one in found if one != alone]
            found.append("\n- ".join((lead, *items[:_MAX_ITEMS])))
        items = []
        for sentence in split_sentences(line) if label is None else [line]:
            needs = bool(_NEEDS_NEIGHBOUR.match(sentence)) and bool(previous)
            found.append(f"{previous} {sentence}" if needs else sentence)
            previous = sentence
        lead = previous if previous.endswith(":") else ""
        alone = found[-1] if found else ""
    return [one for one in dict.fromkeys(found) if _MIN_WORDS <= len(one.split()) <= _MAX_WORDS]


def sentence_pieces(terms: QuestionTerms, evidence: Evidence) -> list[Statement]:
    """Return every sentence of a TEXT segment as a statement that is not located yet."""
    segment = evidence.segment
    context = frozenset(terms_of(segment.metadata.context_line()))
    statements = []
    for text in passages(body(segment)):
        own, values = frozenset(terms_of(text)), frozenset(find_values(text))
        whole = terms.coverage(own | context)
        statements.append(Statement(text, evidence, (), (), whole, whole, terms=own, values=values))
    return statements


def figure_statement(
    terms: QuestionTerms, evidence: Evidence, source: StoredEvidence
) -> Statement | None:
    """Quote the caption of a figure."""
    caption = evidence.segment.metadata.caption
    runs = located_runs(caption, source.words(evidence.segment))
    if not runs:
        return None
    whole = terms.coverage(terms_of(f"{caption} {evidence.segment.lexical_text}"))
    text = caption if caption.endswith(".") else f"{caption}."
    return Statement(text, evidence, runs, (), whole, whole)


def located_runs(text: str, words: Sequence[PlacedWord]) -> tuple[tuple[PlacedWord, ...], ...]:
    """Find each line of a statement among the words of its segment; nothing if one is not there."""
    locator = QuoteLocator(words)
    lines = [line.removeprefix("- ") for line in text.split("\n")]
    runs = [tuple(locator.find(line)) for line in lines]
    return tuple(runs) if all(runs) else ()


def _lines(text: str) -> list[str]:
    """Return the lines of a body; a sentence that a page or column end has cut is joined again.

    Those of lists keep the blanks before them, which tell how deep they stand.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        stripped = line.strip()
        if not stripped:
            continue
        goes_on = stripped[:1].islower() and label_of(stripped) is None
        if lines and goes_on and not lines[-1].endswith(_ENDS):
            lines[-1] = f"{lines[-1]} {stripped}"
        else:
            lines.append(line.rstrip())
    return lines
