"""Turns answers and quoted texts into the HTML that Qt's rich text understands.

Words from documents are escaped before any mark is read; `answer_blocks` tells what the marks are.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.answer import Answer, as_printed
from desktop_qa.core.answer_table import AnswerCell
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import AnswerView, EvidenceView
from desktop_qa.gui.answers.answer_blocks import Block, BlockKind, cells_of, read_blocks
from desktop_qa.gui.tables.table_text import as_markdown
from desktop_qa.gui.widgets.symbols import Symbols
from desktop_qa.gui.widgets.theme import Theme

PATH_ARROW = " › "
CITATION_SCHEME = "cite"
CHIP_SCHEME = "chip"
FIGURE_SCHEME = "figure"

_MARKER = re.compile(r"\[(\d{1,3})\]")
_SPACE_BEFORE_MARKER = re.compile(r"[ \t]+(?=\[\d{1,3}\])")
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_BEFORE_UNIT = re.compile(
    r"(?<=\d) (?=(?:[fpnuµμmkMGT]?"
    r"(?:V|A|W|Hz|s|\u03a9|\u2126|F|H|J|C|m|g|B|b|SPS|sps|bps|LSB|Pa|bar)(?:RMS|PP|pp|rms)?|°C|°F|K|%|dB[mcVv]?|ppm|bits?|LSBs?|[kM]?ohms?|min|h)(?![A-Za-z]))"
)
_LIST_TAGS = {
    BlockKind.ORDERED: ("ol", ""),
    BlockKind.LETTERED: ("ol", ' type="a"'),
    BlockKind.BULLETS: ("ul", ""),
}
_MAX_TOOL_TIP_QUOTE = 240
_MAX_FORMULA_LINE = 56
_MAX_FORMULA_LEFT = 22
_MAX_UNBROKEN = 18
_MAX_EXCERPT_GROWTH = 4
_MOST_AT_ONCE = 12
_BELOW_BLOCK, _WITHIN_BLOCK = "margin-bottom:8px", "margin-bottom:0"


@dataclass(frozen=True, slots=True)
class InlineFigure:
    """A figure among the words: the size it is drawn at in pixels, and what stands below it."""

    width: int
    height: int
    caption: str


class AnswerHtml:
    """Renders one answer.

    Args:
        markers: The markers that point somewhere; another [n] is plain text.
        figures: By marker; each is shown once, below the first words that cite it or at the end.
        symbols: Words with a subscript.
    """

    def __init__(
        self,
        markers: Iterable[int],
        theme: Theme,
        figures: Mapping[int, InlineFigure] | None = None,
        symbols: Symbols | None = None,
    ) -> None:
        self._symbols = symbols or Symbols()
        self._markers = frozenset(markers)
        self._theme = theme
        self._figures = dict(figures or {})
        self._left = dict(self._figures)

    def render(self, text: str) -> str:
        """Return the HTML of an answer in its narrow Markdown."""
        return "".join(self.pieces(text))

    def pieces(self, text: str) -> Iterator[str]:
        """Yield the HTML of an answer block by block, each a whole; long lists in parts."""
        self._left = dict(self._figures)
        for block in read_blocks(text):
            parts = list(_parted(block))
            for part in parts[:-1]:
                yield self._block(part).replace(_BELOW_BLOCK, _WITHIN_BLOCK)
            yield self._block(parts[-1])
        for marker in list(self._left):
            yield self._figure(marker)

    def _block(self, block: Block, depth: int = 1) -> str:
        if block.kind is BlockKind.TABLE:
            return self._table(block)
        if block.kind is BlockKind.HEADING:
            style = "margin-top:6px; margin-bottom:4px"
            return f'<p style="{style}"><b>{self._inline(block.lines[0])}</b></p>'
        if block.kind is BlockKind.FORMULA:
            return self._formula(block.lines)
        if block.items:
            return self._list(block, depth)
        inner = "<br/>".join(self._inline(line) for line in block.lines)
        paragraph = f'<p style="margin-top:0; margin-bottom:8px">{inner}</p>'
        return paragraph + self._figures_cited_in(block.lines)

    def _list(self, block: Block, depth: int = 1) -> str:
        """Render a list; a figure below an item parts it, and its numbers go on."""
        tag, kind = _LIST_TAGS[block.kind]
        bottom = 8 if depth == 1 else 2
        style = f"margin-top:0; margin-bottom:{bottom}px; -qt-list-indent:{depth}"
        parts: list[str] = []
        is_open = False
        for index, item in enumerate(block.items):
            if not is_open:
                start = f' start="{block.start + index}"' if tag == "ol" else ""
                parts.append(f'<{tag}{kind}{start} style="{style}">')
                is_open = True
            inner = "<br/>".join(self._inline(line) for line in item.lines)
            below = "".join(self._block(child, depth + 1) for child in item.blocks)
            parts.append(f'<li style="margin-bottom:4px">{inner}{below}</li>')
            figures = self._figures_cited_in(item.lines)
            if figures:
                parts.append(f"</{tag}>{figures}")
                is_open = False
        if is_open:
            parts.append(f"</{tag}>")
        return "".join(parts)

    def _formula(self, lines: Sequence[str]) -> str:
        """Set a calculation apart; a long one has each step below the one before."""
        left, *rights, markers = lines
        shown = [html.escape(f"{right[0]} ") + self._inline(right[2:]) for right in rights]
        shown[-1] = f"<b>{shown[-1]}</b>"
        if markers:
            shown[-1] += f" {self._inline(markers)}"
        name = self._inline(left)
        if len(left) > _MAX_FORMULA_LEFT:
            cells = "".join(f"<tr><td>{right}</td></tr>" for right in shown)
            rows = f"<tr><td>{name}</td></tr>{cells}"
        elif sum(map(len, lines)) <= _MAX_FORMULA_LINE:
            rows = f"<tr><td>{name} {' '.join(shown)}</td></tr>"
        else:
            cells = "".join(f"<tr><td></td><td>{right}</td></tr>" for right in shown[1:])
            rows = f'<tr><td style="padding-right:6px">{name}</td><td>{shown[0]}</td></tr>{cells}'
        inner = f'<table cellspacing="0" cellpadding="0">{rows}</table>'
        bar = f'<td width="3" bgcolor="{self._theme.accent}"></td>'
        body = f'<td bgcolor="{self._theme.background}" style="padding:6px 10px">{inner}</td>'
        style = "margin-top:8px; margin-bottom:12px"
        return f'<table cellspacing="0" style="{style}"><tr>{bar}{body}</tr></table>'

    def _table(self, block: Block) -> str:
        parts: list[str] = []
        for index, row in enumerate(block.lines):
            is_header = block.has_header and not index
            weight = f"font-weight:600; color:{self._theme.dim}" if is_header else ""
            style = f"padding:4px 12px 4px 0; border-bottom:1px solid {self._theme.line}; {weight}"
            texts = (self._inline(cell) for cell in cells_of(row))
            cells = "".join(f'<td style="{style}">{text}</td>' for text in texts)
            parts.append(f"<tr>{cells}</tr>")
        style = "border-collapse:collapse; margin-bottom:8px"
        return f'<table cellspacing="0" style="{style}">{"".join(parts)}</table>'

    def _figures_cited_in(self, lines: Iterable[str]) -> str:
        lines = list(lines)
        said = _folded(" ".join(lines))
        cited = (int(marker) for line in lines for marker in _MARKER.findall(line))
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
        caption = f"{html.escape(figure.caption, quote=False)} {self._inline(f'[{marker}]')}"
        if figure.caption and _folded(figure.caption) in said:
            return f'<p style="margin-top:2px; margin-bottom:10px">{image}</p>'
        return (
            f'<p style="margin-top:2px; margin-bottom:2px">{image}</p>'
            f'<p style="margin-top:0; margin-bottom:10px; color:{self._theme.dim}">{caption}</p>'
        )

    def _inline(self, text: str) -> str:
        escaped = _BOLD.sub(_strong, typeset(text, self._symbols))
        # A chip stays on the line of the word before it.
        return as_printed(_MARKER.sub(self._chip, _SPACE_BEFORE_MARKER.sub("\u00a0", escaped)))

    def _chip(self, match: re.Match[str]) -> str:
        marker = int(match.group(1))
        if marker not in self._markers:
            return match.group()
        link = f'<a href="{CITATION_SCHEME}:{marker}">'
        image = f'<img src="{CHIP_SCHEME}:{marker}" style="vertical-align:middle"/>'
        return f"{link}{image}</a>"


def _parted(block: Block) -> Iterator[Block]:
    """Yield a long list or paragraph in parts that are laid out one at a time."""
    n_parts = max(len(block.items), len(block.lines))
    if n_parts <= _MOST_AT_ONCE or block.kind in (BlockKind.TABLE, BlockKind.FORMULA):
        yield block
        return
    for first in range(0, n_parts, _MOST_AT_ONCE):
        part = slice(first, first + _MOST_AT_ONCE)
        start = block.start + first
        yield replace(block, lines=block.lines[part], items=block.items[part], start=start)


def typeset(text: str, symbols: Symbols) -> str:
    """Return words as HTML: escaped, a number and its unit on one line, subscripts set low."""
    parts: list[str] = []
    position = 0
    for start, length in symbols.spans(text):
        parts.append(_joined(text[position:start]))
        parts.append(f"<sub>{html.escape(text[start : start + length], quote=False)}</sub>")
        position = start + length
    parts.append(_joined(text[position:]))
    return "".join(parts)


def _joined(text: str) -> str:
    return html.escape(_BEFORE_UNIT.sub("\u00a0", text), quote=False)


def _strong(match: re.Match[str]) -> str:
    """Set what is stated in bold; a value and its unit stay on one line."""
    words = match.group(1)
    return f"<b>{words.replace(' ', chr(0xA0)) if len(words) <= _MAX_UNBROKEN else words}</b>"


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def text_without_readings(answer: Answer) -> str:
    """Return the text of an answer without the list of questions that it offers as buttons."""
    offered = {f"- {reading}" for reading in answer.readings}
    kept = [line for line in answer.text.splitlines() if as_printed(line.strip()) not in offered]
    return "\n".join(kept).strip()


def markers_of(answer: Answer) -> frozenset[int]:
    """Return the markers of an answer that point at a citation."""
    return frozenset(citation.marker for citation in answer.citations)


def body_of(view: EvidenceView) -> str:
    """Return the text of a piece without the heading line that its path already says."""
    text = view.text.strip()
    head, _, rest = text.partition("\n")
    last = (view.section_path or ("",))[-1]
    return rest.strip() if rest.strip() and head.strip(" #") == last else text


def citation_line(view: EvidenceView) -> str:
    """Return where a piece stands, for those who quote it: file, page, headings."""
    path = PATH_ARROW.join(view.section_path)
    return f"{view.file}, page {view.page_no}{', ' if path else ''}{path}"


def highlighted(
    text: str, quotes: Iterable[str], theme: Theme, symbols: Symbols | None = None
) -> str:
    """Return a document's text as HTML with the quotes in amber and its subscripts set low.

    Quotes are found word by word, whatever the white space and line ends between the words.
    """
    spans = _merge(span for quote in quotes for span in _find_quote(text, quote))
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


def _merge(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    ordered = sorted(spans)
    merged = ordered[:1]
    for first, last in ordered[1:]:
        if first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged


def excerpt(text: str, quotes: Iterable[str], n_characters: int) -> str:
    """Return the part of a text around its first quote, cut at word ends.

    Returns:
        The whole text when it is not longer than `n_characters`.
    """
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


def tool_tip(view: EvidenceView) -> str:
    """Return the HTML shown over a citation: file, page, section and the words quoted."""
    quote = " · ".join(view.quotes)
    if len(quote) > _MAX_TOOL_TIP_QUOTE:
        quote = quote[:_MAX_TOOL_TIP_QUOTE].rsplit(" ", 1)[0] + " …"
    name = html.escape(view.file, quote=False)
    path = html.escape(PATH_ARROW.join(view.section_path), quote=False)
    lines = [f"<b>{name}</b> · page {view.page_no}", path]
    if quote:
        lines.append(f"“{html.escape(quote, quote=False)}”")
    return "<p>" + "<br/>".join(line for line in lines if line) + "</p>"


def plain_text(view: AnswerView) -> str:
    """Return question, answer, tables and citations as text for the clipboard."""
    answer = view.answer
    lines = [answer.question, "", as_printed(answer.text.replace("**", "").strip())]
    for table in answer.tables:
        rows = [[_copied_cell(cell) for cell in row] for row in table.rows]
        lines += ["", *([table.title] if table.title else []), as_markdown(table.headers, rows)]
        lines += table.notes
    cited = sorted((e for e in view.evidence if e.is_cited), key=lambda e: e.marker)
    if cited:
        lines.append("")
    for evidence in cited:
        place = f"[{evidence.marker}] {evidence.file}, page {evidence.page_no}"
        path = PATH_ARROW.join(evidence.section_path)
        quote = " · ".join(evidence.quotes)
        tail = f": “{quote}”" if quote and evidence.kind is not SegmentKind.FIGURE else ""
        lines.append(f"{place}, {path}{tail}" if path else place + tail)
    return "\n".join(lines)


def _copied_cell(cell: AnswerCell) -> str:
    note = f" ({cell.note})" if cell.note else ""
    return f"{cell.text}{note} [{cell.marker}]" if cell.marker and cell.text else cell.text
