"""Turns answers and quoted texts into the HTML that Qt's rich text understands.

Words from documents are escaped.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from desktop_qa.core.answer_blocks import (
    AnswerBlock,
    Line,
    Listing,
    Role,
    Run,
    Runs,
    as_text,
    markers_in,
)
from desktop_qa.core.answer_table import AnswerCell, AnswerTable
from desktop_qa.core.model_doubts import signed_blocks
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import AnswerView, EvidenceView
from desktop_qa.gui.tables.table_text import as_markdown
from desktop_qa.gui.widgets.labels import apart
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.theme import Theme

PATH_ARROW = " › "
CITATION_SCHEME = "cite"
CHIP_SCHEME = "chip"
FIGURE_SCHEME = "figure"
DOUBT_SCHEME = "doubt"

_BEFORE_UNIT = re.compile(
    r"(?<=\d) (?=(?:[fpnuµμmkMGT]?"
    r"(?:V|A|W|Hz|s|\u03a9|\u2126|F|H|J|C|m|g|B|b|SPS|sps|bps|LSB|Pa|bar)(?:RMS|PP|pp|rms)?|°C|°F|K|%|dB[mcVv]?|ppm|bits?|LSBs?|[kM]?ohms?|min|h)(?![A-Za-z]))"
)
_MAX_FORMULA_LINE = 56
_MAX_FORMULA_LEFT = 22
_MAX_UNBROKEN = 18
_MAX_EXCERPT_GROWTH = 4
_MOST_AT_ONCE = 12
_BELOW_BLOCK, _WITHIN_BLOCK = "margin-bottom:8px", "margin-bottom:0"
_BELOW_ITEM = "margin-bottom:4px"


@dataclass(frozen=True, slots=True)
class InlineFigure:
    """A figure among the words: the size it is drawn at in pixels, and what stands below it."""

    width: int
    height: int
    caption: str


@dataclass(frozen=True, slots=True)
class DoubtedRun(Run):
    """Words of a sentence that is not borne out: a link to the reason, by its number."""

    doubt: int = 0


class AnswerHtml:
    """Renders one answer, with its tables among the words or not.

    Each figure is shown once, below the first words that cite its marker or at the end.
    """

    def __init__(
        self,
        theme: Theme,
        figures: Mapping[int, InlineFigure] | None = None,
        symbols: Symbols | None = None,
        *,
        with_tables: bool = False,
    ) -> None:
        self._with_tables = with_tables
        self._symbols = symbols or Symbols()
        self._theme = theme
        self._left = dict(figures or {})
        self._cited: frozenset[int] = frozenset()

    def pieces(self, blocks: Sequence[AnswerBlock]) -> Iterator[str]:
        """Yield the HTML of the answer block by block, each a whole; long lists in parts.

        Tables stand below the answer and readings are its buttons: neither is among the words.
        """
        self._cited = frozenset(markers_in(blocks))
        for block in blocks:
            match block:
                case Line():
                    yield self._line(block)
                case Listing():
                    if block.lead is not None:
                        yield self._line(block.lead)
                    yield from self._items(block.items)
                case AnswerTable() if self._with_tables:
                    yield self._table(block)
        for marker in list(self._left):
            yield self._figure(marker)

    def _table(self, table: AnswerTable) -> str:
        def row(cells: Iterable[str], tag: str) -> str:
            begin, end = f'<{tag} align="left" style="padding:3px 8px">', f"</{tag}>"
            return f"<tr>{''.join(f'{begin}{cell}{end}' for cell in cells)}</tr>"

        head = row((html.escape(header, quote=False) for header in table.headers), "th")
        rows = "".join(row(map(self._cell, cells), "td") for cells in table.rows)
        border = f'border="1" bordercolor="{self._theme.line}" style="border-collapse:collapse"'
        return f'<table cellspacing="0" {border}>{head}{rows}</table>'

    def _cell(self, cell: AnswerCell) -> str:
        text = typeset(cell.text, self._symbols)
        return f"{text}\u00a0{_chip(cell.marker)}" if cell.marker else text

    def _line(self, line: Line) -> str:
        """Render a line; a computation is set apart, and what is said of it follows."""
        if not line.equation:
            return self._paragraph(line.runs)
        if not any(run.text.strip() for run in line.runs):
            return self._computation(line.equation, line.runs)
        said = replace(line.runs[0], text=line.runs[0].text.lstrip())
        return self._computation(line.equation) + self._paragraph((said, *line.runs[1:]))

    def _paragraph(self, runs: Runs) -> str:
        inner = f'<p style="margin-top:0; {_BELOW_BLOCK}">{self._inline(runs)}</p>'
        return inner + self._figures_cited_in(runs)

    def _items(self, items: Sequence[Line]) -> Iterator[str]:
        """Render a list; a computation in it stands apart, as where a number is left out."""
        listed: list[Line] = []
        for item in items:
            before = listed[-1].number if listed else None
            if listed and (item.equation or (before is not None and item.number != before + 1)):
                yield from self._list(listed)
                listed = []
            if item.equation:
                yield self._line(item)
            else:
                listed.append(item)
        if listed:
            yield from self._list(listed)

    def _entry(self, item: Line) -> tuple[str, str]:
        """Render an item and, apart, its figures: words that go on stand on lines of their own."""
        inner = self._inline(item.runs)
        for role, group in groupby(item.below, key=lambda line: line.role):
            lines = [self._inline(line.runs) for line in group]
            if role is Role.REMARK and inner.endswith("</ul>"):
                inner += f'<p style="margin-top:0; {_BELOW_BLOCK}">{"<br/>".join(lines)}</p>'
            elif role is Role.REMARK:
                inner = "<br/>".join((inner, *lines))
            else:
                entries = "".join(f'<li style="{_BELOW_ITEM}">{line}</li>' for line in lines)
                style = "margin-top:0; margin-bottom:2px; -qt-list-indent:2"
                inner += f'<ul style="{style}">{entries}</ul>'
        return inner, "".join(self._figures_cited_in(line.runs) for line in (item, *item.below))

    def _list(self, items: Sequence[Line]) -> Iterator[str]:
        """Yield a list, a long one in parts; a figure parts it too, and its numbers go on."""
        tag = "ul" if items[0].number is None else "ol"
        for start in range(0, len(items), _MOST_AT_ONCE):
            end = start + _MOST_AT_ONCE
            below = _BELOW_BLOCK if end >= len(items) else _WITHIN_BLOCK
            parts: list[str] = []
            is_open = False
            for item in items[start:end]:
                if not is_open:
                    number = "" if item.number is None else f' start="{item.number}"'
                    style = f"margin-top:0; {below}; -qt-list-indent:1"
                    parts.append(f'<{tag}{number} style="{style}">')
                inner, figures = self._entry(item)
                parts.append(f'<li style="{_BELOW_ITEM}">{inner}</li>')
                is_open = not figures
                if figures:
                    parts.append(f"</{tag}>{figures}")
            yield "".join(parts) + (f"</{tag}>" if is_open else "")

    def _computation(self, sides: Sequence[Runs], cited: Runs = ()) -> str:
        """Set a calculation apart; a long one has each step below the one before."""
        name, *rights = map(self._inline, sides)
        shown = [f"= {right}" for right in rights]
        shown[-1] = f"<b>{shown[-1]}</b>{self._inline(cited)}"
        length = sum(len(run.text) for side in sides for run in side) + 3 * len(rights)
        if sum(len(run.text) for run in sides[0]) > _MAX_FORMULA_LEFT:
            cells = "".join(f"<tr><td>{right}</td></tr>" for right in shown)
            rows = f"<tr><td>{name}</td></tr>{cells}"
        elif length <= _MAX_FORMULA_LINE:
            rows = f"<tr><td>{name} {' '.join(shown)}</td></tr>"
        else:
            cells = "".join(f"<tr><td></td><td>{right}</td></tr>" for right in shown[1:])
            rows = f'<tr><td style="padding-right:6px">{name}</td><td>{shown[0]}</td></tr>{cells}'
        inner = f'<table cellspacing="0" cellpadding="0">{rows}</table>'
        bar = f'<td width="3" bgcolor="{self._theme.accent}"></td>'
        body = f'<td bgcolor="{self._theme.background}" style="padding:6px 10px">{inner}</td>'
        style = "margin-top:8px; margin-bottom:12px"
        return f'<table cellspacing="0" style="{style}"><tr>{bar}{body}</tr></table>'

    def _figures_cited_in(self, runs: Runs) -> str:
        said = _folded("".join(run.text for run in runs))
        cited = (marker for run in runs for marker in run.markers)
        return "".join(self._figure(marker, said) for marker in cited if marker in self._left)

    def _figure(self, marker: int, said: str = "") -> str:
        """Render a figure; its caption is left out where the words above say it already."""
        figure = self._left.pop(marker, None)
        if figure is None:
            return ""
        size = f'width="{figure.width}" height="{figure.height}"'
        image = (
            f'<a href="{CITATION_SCHEME}:{marker}"><img src="{FIGURE_SCHEME}:{marker}" {size}/></a>'
        )
        number = _chip(marker) if marker in self._cited else f"[{marker}]"
        caption = f"{html.escape(figure.caption, quote=False)} {number}"
        if figure.caption and _folded(figure.caption) in said:
            return f'<p style="margin-top:2px; margin-bottom:10px">{image}</p>'
        return (
            f'<p style="margin-top:2px; margin-bottom:2px">{image}</p>'
            f'<p style="margin-top:0; margin-bottom:10px; color:{self._theme.dim}">{caption}</p>'
        )

    def _inline(self, runs: Runs) -> str:
        return "".join(map(self._run, runs))

    def _run(self, run: Run) -> str:
        text = typeset(run.text, self._symbols)
        if run.is_strong:
            # A value and its unit stay on one line.
            is_short = len(text) <= _MAX_UNBROKEN
            text = f"<b>{text.replace(' ', chr(0xA0)) if is_short else text}</b>"
        if isinstance(run, DoubtedRun):
            text = f'<a href="{DOUBT_SCHEME}:{run.doubt}">{text}</a>'
        # A chip stays on the line of the word before it.
        return text + ("\u00a0" + "".join(map(_chip, run.markers)) if run.markers else "")


def _chip(marker: int) -> str:
    image = f'<img src="{CHIP_SCHEME}:{marker}" style="vertical-align:middle"/>'
    return f'<a href="{CITATION_SCHEME}:{marker}">{image}</a>'


def typeset(text: str, symbols: Symbols) -> str:
    """Return words as HTML: escaped, a number and its unit on one line, subscripts set low."""
    parts: list[str] = []
    position = 0
    for start, end in symbols.spans(text):
        parts.append(_joined(text[position:start]))
        parts.append(f"<sub>{html.escape(text[start:end], quote=False)}</sub>")
        position = end
    parts.append(_joined(text[position:]))
    return "".join(parts)


def _joined(text: str) -> str:
    return html.escape(_BEFORE_UNIT.sub("\u00a0", text), quote=False)


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def body_of(view: EvidenceView) -> str:
    """Return the text of a piece without the heading line that its path already says."""
    text = view.text.strip()
    head, _, rest = text.partition("\n")
    last = (view.section_path or ("",))[-1]
    return rest.strip() if rest.strip() and head.strip(" #") == last else text


def citation_line(view: EvidenceView) -> str:
    """Return where a piece stands, for those who quote it: file, page, headings."""
    path = PATH_ARROW.join(view.section_path)
    return f"{view.file}, page {view.page}{', ' if path else ''}{path}"


def highlighted(
    text: str, quotes: Iterable[str], theme: Theme, symbols: Symbols | None = None
) -> str:
    """Return a document's text as HTML with the quotes in amber and its subscripts set low.

    Quotes are found word by word, whatever the white space and line ends between the words.
    """
    spans = apart(span for quote in quotes for span in _find_quote(text, quote))
    style = f"background-color:{theme.evidence}"
    symbols = symbols or Symbols()
    parts: list[str] = []
    position = 0
    for first, last in spans:
        parts.append(typeset(text[position:first], symbols))
        parts.append(f'<span style="{style}">{typeset(text[first:last], symbols)}</span>')
        position = last
    parts.append(typeset(text[position:], symbols))
    paragraphs = re.split(r"\n{2,}", "".join(parts))
    lines = (paragraph.replace("\n", "<br/>") for paragraph in paragraphs)
    return "".join(f'<p style="margin-top:0; margin-bottom:6px">{line}</p>' for line in lines)


def _find_quote(text: str, quote: str) -> list[tuple[int, int]]:
    words = quote.split()
    if not words:
        return []
    pattern = r"\s*".join(re.escape(word) for word in words)
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def excerpt(text: str, quotes: Iterable[str], n_characters: int) -> str:
    """Return the part of a text around its first quote, cut at word ends; all of a short one."""
    if len(text) <= n_characters:
        return text
    found = [span for quote in quotes for span in _find_quote(text, quote)]
    first, last = min(found) if found else (0, 0)
    # Quotes that follow each other closely, the steps of a procedure, are shown together.
    for start, end in sorted(found):
        if start <= last + n_characters // 4 and end <= first + _MAX_EXCERPT_GROWTH * n_characters:
            last = max(last, end)
    start = max(0, min(first - n_characters // 4, len(text) - n_characters))
    end = max(start + n_characters, last)
    if start:
        start = text.find(" ", start) + 1
    if end < len(text):
        end = max(text.rfind(" ", start, end), last)
    return ("… " if start else "") + text[start:end].strip() + (" …" if end < len(text) else "")


def plain_text(view: AnswerView) -> str:
    """Return question, answer, tables and citations as text for the clipboard."""
    answer = view.answer
    lines = [answer.question, "", as_text(answer.blocks, strong="")]
    for table in answer.tables:
        rows = [[_copied_cell(cell) for cell in row] for row in table.rows]
        lines += ["", *([table.title] if table.title else []), as_markdown(table.headers, rows)]
        lines += table.notes
    cited = sorted((e for e in view.evidence if e.is_cited), key=lambda e: e.marker)
    if cited:
        lines.append("")
    for evidence in cited:
        place = f"[{evidence.marker}] {evidence.file}, page {evidence.page}"
        path = PATH_ARROW.join(evidence.section_path)
        quote = " · ".join(evidence.quotes)
        tail = f": “{quote}”" if quote and evidence.kind is not SegmentKind.FIGURE else ""
        lines.append(f"{place}, {path}{tail}" if path else place + tail)
    lines += view.reported
    if view.said is not None and view.said.blocks:
        said = view.said
        title = f"{said.model} ({said.cost_line}):"
        words = as_text(signed_blocks(said.blocks, said.doubts), strong="")
        lines += ["", title, "", words, *(doubt.sentence for doubt in said.doubts)]
    return "\n".join(lines)


def _copied_cell(cell: AnswerCell) -> str:
    note = f" ({cell.note})" if cell.note else ""
    return f"{cell.text}{note} [{cell.marker}]" if cell.marker and cell.text else cell.text
