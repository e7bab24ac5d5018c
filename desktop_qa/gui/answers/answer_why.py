"""The foldouts that say why, and the words in them: of an answer, of a piece of evidence."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QProgressBar, QSizePolicy, QWidget

from desktop_qa.core.answer import Answer, AnswerStatus, Evidence, Hit, QuestionType, Route
from desktop_qa.core.view import AnswerView, EvidenceView
from desktop_qa.gui.tables.table_layout import TableGrid, row_names
from desktop_qa.gui.widgets.boxes import in_column, put, take_away
from desktop_qa.gui.widgets.labels import ElidedLabel, listed, n_of, plain_tip, told
from desktop_qa.gui.widgets.theme import look

_ROUTES = {
    Route.STRUCTURE: "by the place that is named",
    Route.KEYWORDS: "by part numbers and names",
    Route.VECTOR: "by meaning",
    Route.LEXICAL: "by words",
}
_FEATURES = {
    "vector": "Meaning",
    "lexical": "Words",
    "n_keywords": "Part numbers and names",
    "local": "Words rare in its document",
    "structure": "Place named in the question",
    "document": "Document asked about",
    "source": "Preferred source",
    "boilerplate": "Legal and ordering matter",
    "table": "Is a table",
    "figure": "Is a figure",
}
_TYPES: dict[str, str] = {
    QuestionType.FACT: "a fact",
    QuestionType.TABLE: "a value of a table",
    QuestionType.FIGURE: "a figure",
    QuestionType.STRUCTURE: "what a document consists of",
    QuestionType.SUMMARY: "a summary",
    QuestionType.OVERVIEW: "what something is",
    QuestionType.EXTRACTION: "a list",
    QuestionType.REWRITE: "a text in other words",
    QuestionType.OUTSIDE: "something beside the documents",
    QuestionType.CROSS_PAGE: "a fact from several places of a document",
    QuestionType.CLASSIFICATION: "what kind of document it is",
    QuestionType.CHOICE: "one of several options",
    QuestionType.MULTIPLE_CHOICE: "those options that are right",
    QuestionType.JUDGEMENT: "whether a statement is true",
    QuestionType.FILL_IN: "the word that is left out",
    QuestionType.DESCRIPTION: "a description",
    QuestionType.COMPARE: "a comparison",
    QuestionType.ACROSS_DOCUMENTS: "a fact from several documents",
    QuestionType.CALCULATION: "a calculation",
    QuestionType.PROCEDURE: "how something is done",
}
_MOST_PARTS = 7
_LEAST_PART = 0.005
_LAST_TOLD_RANK = 50
_MOST_PLACES = 4
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_GAP_PX = 8


@dataclass(frozen=True, slots=True)
class Bar:
    """A line of a list of bars.

    Attributes:
        share: Length of the bar, -1 to 1; below 0 it counts against.
        value: What is said of it at the right.
    """

    label: str
    share: float
    value: str


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: what it is about, and what there is to say."""

    title: str
    text: str


def found_sentence(evidence: Evidence) -> str:
    """Return how a piece was found: "Found 2nd by meaning and 5th by words."."""
    near = (hit for hit in evidence.hits if hit.rank <= _LAST_TOLD_RANK)
    hits = sorted(near, key=lambda hit: (hit.rank, list(_ROUTES).index(hit.route)))
    if not hits:
        return "Found beside what the question asks for."
    ranks = [f"{ordinal(hit.rank)} {_ROUTES[hit.route]}" for hit in hits]
    return f"Found {listed(ranks)}."


def hit_scores(hits: Iterable[Hit]) -> str:
    """Return the routes' own scores, for those who know what they mean."""
    return " · ".join(f"{hit.route.value} {hit.score:.3g}" for hit in hits)


def matched_words(evidence: Evidence) -> tuple[str, ...]:
    """Return the critical keywords that the piece shares with the question, as people write them.

    The index has them in normal form: codes in lower case, quantities with a sign before them.
    """
    shown = (
        word[1:] if word.startswith("=") else word.upper() if _is_code(word) else word
        for word in evidence.keywords
    )
    return tuple(dict.fromkeys(word for word in shown if word))


def _is_code(word: str) -> bool:
    return any(c.isdigit() for c in word) and any(c.isalpha() for c in word) and " " not in word


def score_bars(evidence: Evidence) -> tuple[Bar, ...]:
    """Return what the score is the sum of, largest first; the smallest are put together."""
    parts = [part for part in evidence.parts if abs(part[1]) >= _LEAST_PART]
    parts.sort(key=lambda part: -abs(part[1]))
    shown = parts if len(parts) <= _MOST_PARTS else parts[: _MOST_PARTS - 1]
    most = max((abs(value) for _, value in parts), default=1.0)
    bars = [Bar(_feature(name), value / most, f"{value:+.2f}") for name, value in shown]
    if len(shown) < len(parts):
        rest = sum(value for _, value in parts[len(shown) :])
        bars.append(Bar(f"{len(parts) - len(shown)} others", rest / most, f"{rest:+.2f}"))
    return tuple(bars)


def _feature(name: str) -> str:
    return _FEATURES.get(name, name.replace("_", " ").capitalize())


def read_cells(view: EvidenceView) -> str:
    """Return which rows and columns of a table were read; empty when it is no table."""
    table = view.table
    if table is None or not view.cited_cells:
        return ""
    n_header = table.n_header_rows
    cells = [cell for cell in view.cited_cells if cell[0] >= n_header]
    grid = TableGrid(table)
    labels = dict.fromkeys(name for row, _ in cells for name in row_names(table, (row, row + 1)))
    heads = dict.fromkeys(
        " ".join(grid.text(n_header - 1, column).split())
        for row, column in cells
        if n_header and column and any(map(str.isdigit, grid.text(row, column)))
    )
    rows = [f"“{label}”" for label in labels if label][:_MOST_PLACES]
    columns = [head for head in heads if head][:_MOST_PLACES]
    parts = []
    if rows:
        parts.append(f"row{'s' if len(rows) > 1 else ''} {listed(rows)}")
    if columns:
        parts.append(f"column{'s' if len(columns) > 1 else ''} {listed(columns)}")
    return f"Read from {', '.join(parts)}." if parts else ""


def answer_reasons(view: AnswerView) -> tuple[Reason, ...]:
    """Return what an answer rests on and how its question was read, plain things first."""
    answer = view.answer
    reasons = (
        Reason("Rests on", _rests_on(view)),
        Reason("How sure", how_sure(answer)),
        Reason("Read as", _read_as(answer)),
        Reason("In parts", " / ".join(answer.parts)),
        Reason("Searched", _searched(answer)),
    )
    return tuple(reason for reason in reasons if reason.text)


def _rests_on(view: AnswerView) -> str:
    cited = [piece for piece in view.evidence if piece.is_cited]
    if not cited:
        if view.answer.status is AnswerStatus.NOT_FOUND:
            return "Nothing: no place found states an answer."
        return ""
    n_places = n_of(len(cited), "place")
    pages: dict[str, dict[str, None]] = {}
    for piece in cited:
        pages.setdefault(piece.file, {})[str(piece.page_no)] = None
    shown = [
        f"{file} (page{'s' if len(numbers) > 1 else ''} {listed(list(numbers))})"
        for file, numbers in list(pages.items())[:_MOST_PLACES]
    ]
    more = len(pages) - len(shown)
    tail = f" and {n_of(more, 'more document')}" if more > 0 else ""
    return f"{n_places} in {', '.join(shown)}{tail}"


def sureness(answer: Answer) -> str:
    """Return how many of ten answers like this one are right; "" where nothing tells."""
    n_right = _n_right_of_ten(answer)
    if n_right is None:
        return ""
    return "nearly always right" if n_right == 10 else f"about {n_right} in 10 right"


def how_sure(answer: Answer) -> str:
    """Say `sureness` in a sentence; "" where nothing tells."""
    n_right = _n_right_of_ten(answer)
    if n_right is None:
        return ""
    share = "Nearly all" if n_right == 10 else f"About {n_right} in 10"
    return f"{share} answers like this one are right"


def _n_right_of_ten(answer: Answer) -> int | None:
    if answer.probability is None or answer.status is not AnswerStatus.ANSWERED:
        return None
    return round(10 * answer.probability)


def support_bars(answer: Answer) -> tuple[Bar, ...]:
    """Return for each sentence of several how much of the question stands in it and its place."""
    if len(answer.support) < 2:
        return ()
    return tuple(
        Bar(" ".join(s.sentence.split()), s.score, f"{s.score:.0%} of the question's words")
        for s in answer.support
    )


def _read_as(answer: Answer) -> str:
    kind = _TYPES.get(answer.type, "")
    asked = f"a question for {kind}" if kind else ""
    return "; ".join(part for part in (answer.read_as, asked) if part)


def _searched(answer: Answer) -> str:
    n_searched, n_all = answer.n_documents_searched, answer.n_documents
    parts = []
    if n_all:
        of = f"{n_searched} of " if n_searched != n_all else ""
        parts.append(f"{of}{n_of(n_all, 'document')}")
    if answer.scope:
        parts.append(f"only {listed(answer.scope)}")
    parts.append(f"{answer.seconds:.2f} s")
    if answer.model == "extractive":
        parts.append("without a language model, offline")
    elif answer.model:
        parts.append(f"with {answer.model}")
    return " · ".join(parts)


def ordinal(number: int) -> str:
    """Return "1st", "2nd", "11th"."""
    suffix = "th" if 10 <= number % 100 <= 20 else _ORDINALS.get(number % 10, "th")
    return f"{number}{suffix}"


class BarList(QWidget):
    """One line for each `Bar`: its words, the bar, its number.

    Args:
        label_share: How much of the width the words have, in hundredths.
    """

    def __init__(self, label_share: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts: list[QWidget] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP_PX)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(0, label_share)
        self._grid.setColumnStretch(1, 100 - label_share)

    def show_bars(self, bars: tuple[Bar, ...]) -> None:
        """Show these bars from the top; nothing when there are none."""
        take_away(self._grid, self._parts)
        self._parts = []
        for row, bar in enumerate(bars):
            label = ElidedLabel(Qt.TextElideMode.ElideRight, 0, QSizePolicy.Policy.Ignored)
            label.setText(bar.label)
            label.setToolTip(plain_tip(f"{bar.label}: {bar.value}"))
            gauge, value = QProgressBar(), QLabel(bar.value)
            gauge.setTextVisible(False)
            gauge.setValue(round(100 * min(1.0, abs(bar.share))))
            gauge.setProperty("against", bar.share < 0)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            parts = {"why_label": label, "why_gauge": gauge, "count_label": value}
            for column, (name, part) in enumerate(parts.items()):
                part.setObjectName(name)
                self._grid.addWidget(part, row, column)
                self._parts.append(part)
        self.setVisible(bool(bars))


class _Foldout(QFrame):
    """Lines of rich text, and bars below them."""

    label_share: ClassVar[int] = 46
    about: ClassVar[str]

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("why_frame")
        self.label = told(QLabel(self), "why_label", self.about)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.bars = BarList(self.label_share, self)
        put(in_column(self, margins=(10, 8, 10, 8), spacing=6), self.label, self.bars)


class AnswerWhy(_Foldout):
    """Why this answer: what it rests on, how sure it is, how the question was read."""

    label_share = 56
    about = "Why this answer"

    def show_reasons(self, view: AnswerView) -> None:
        """Say it of an answer."""
        rows = "".join(
            f"<tr><td style='color:{look.theme.dim}; padding-right:12px; white-space:nowrap'>"
            f"{html.escape(reason.title)}</td><td>{html.escape(reason.text)}</td></tr>"
            for reason in answer_reasons(view)
        )
        self.label.setText(f"<table cellspacing='0' cellpadding='1'>{rows}</table>")
        self.bars.show_bars(support_bars(view.answer))


class EvidenceWhy(_Foldout):
    """Why this piece: how it was found, what it shares with the question, what its score is."""

    about = "Why this piece of evidence"

    def show_reasons(self, view: EvidenceView, evidence: Evidence) -> None:
        """Say it of a piece."""
        lines = [html.escape(found_sentence(evidence))]
        if words := matched_words(evidence):
            style = f"background-color:{look.theme.accent_soft}; color:{look.theme.accent}"
            chips = (
                f"<span style='{style}'>&nbsp;{html.escape(word)}&nbsp;</span>" for word in words
            )
            lines.append(f"Holds {' '.join(chips)}")
        if cells := read_cells(view):
            lines.append(html.escape(cells))
        numbers = f"Score {evidence.score:.2f}"
        if scores := hit_scores(evidence.hits):
            numbers += f" &nbsp;·&nbsp; {scores}"
        lines.append(f"<span style='color:{look.theme.dim}'>{numbers}</span>")
        self.label.setText("<br/>".join(lines))
        self.bars.show_bars(score_bars(evidence))
