"""Turns answers and quoted texts into the HTML that Qt's rich text understands.

Words from documents are escaped before any mark is read. The marks are few on purpose: a general
Markdown reader would take the asterisks and tildes of a datasheet for emphasis.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from desktop_qa.core.answer import Answer
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import AnswerView, EvidenceView
from desktop_qa.gui.theme import Theme

PATH_ARROW = " › "
CITATION_SCHEME = "cite"
CHIP_SCHEME = "chip"
READING_SCHEME = "ask"

_MARKER = re.compile(r"\[(\d{1,3})\]")
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_ORDERED = re.compile(r"^(\s*)(\d{1,3})[.)]\s+(.*)$")
_BULLET = re.compile(r"^(\s*)[-*•]\s+(.*)$")
_HEADING = re.compile(r"^#{1,6}\s+(.*)$")
_TABLE_RULE = re.compile(r"^\|?[\s:|-]+\|?$")
_MAX_TOOL_TIP_QUOTE = 240


class AnswerHtml:
    """Renders one answer.

    Args:
        markers: The markers that point somewhere; another [n] is plain text.
        readings: Questions to choose from; an item of a list that is one of them is a link.
    """

    def __init__(self, markers: Iterable[int], theme: Theme, readings: Sequence[str] = ()) -> None:
        self._markers = frozenset(markers)
        self._theme = theme
        self._readings = tuple(readings)

    def render(self, text: str) -> str:
        """Return the HTML of an answer in its narrow Markdown."""
        parts: list[str] = []
        lines = text.strip().splitlines()
        index = 0
        while index < len(lines):
            end = index + 1
            kind = _kind_of(lines[index])
            while end < len(lines) and kind and _kind_of(lines[end]) == kind:
                end += 1
            parts.append(self._block(kind, lines[index:end]))
            index = end
        return "".join(parts)

    def _block(self, kind: str, lines: Sequence[str]) -> str:
        if kind == "table":
            return self._table(lines)
        if kind in ("ordered", "bullet"):
            return self._list(kind, lines)
        if kind == "heading":
            texts = [heading.group(1) for line in lines if (heading := _HEADING.match(line))]
            return "".join(self._paragraph(f"<b>{self._inline(text)}</b>") for text in texts)
        if not kind:
            return ""
        return self._paragraph("<br/>".join(self._inline(line.strip()) for line in lines))

    def _paragraph(self, inner: str) -> str:
        return f'<p style="margin-top:0; margin-bottom:8px">{inner}</p>'

    def _list(self, kind: str, lines: Sequence[str]) -> str:
        items: list[str] = []
        start = 1
        for line in lines:
            ordered, bullet = _ORDERED.match(line), _BULLET.match(line)
            if ordered is not None:
                start = int(ordered.group(2)) if not items else start
                content = ordered.group(3)
            else:
                content = bullet.group(2) if bullet is not None else line.strip()
            inner = self._reading(content) or self._inline(content)
            items.append(f'<li style="margin-bottom:3px">{inner}</li>')
        tag = f'ol start="{start}"' if kind == "ordered" else "ul"
        style = "margin-top:0; margin-bottom:8px; -qt-list-indent:1"
        return f'<{tag} style="{style}">{"".join(items)}</{tag.split()[0]}>'

    def _table(self, lines: Sequence[str]) -> str:
        rows = [_cells_of(line) for line in lines if not _TABLE_RULE.match(line)]
        has_header = len(lines) > 1 and _TABLE_RULE.match(lines[1]) is not None
        parts: list[str] = []
        for row_index, row in enumerate(rows):
            is_header = has_header and row_index == 0
            weight = f"font-weight:600; color:{self._theme.dim}" if is_header else ""
            style = f"padding:4px 12px 4px 0; border-bottom:1px solid {self._theme.line}; {weight}"
            cells = "".join(f'<td style="{style}">{self._inline(cell)}</td>' for cell in row)
            parts.append(f"<tr>{cells}</tr>")
        style = "border-collapse:collapse; margin-bottom:8px"
        return f'<table cellspacing="0" style="{style}">{"".join(parts)}</table>'

    def _inline(self, text: str) -> str:
        escaped = _BOLD.sub(r"<b>\1</b>", html.escape(text, quote=False))
        return _MARKER.sub(self._chip, escaped)

    def _reading(self, text: str) -> str:
        if text not in self._readings:
            return ""
        address = f"{READING_SCHEME}:{self._readings.index(text)}"
        style = f"color:{self._theme.accent}; text-decoration:none"
        return f'<a href="{address}" style="{style}">{html.escape(text, quote=False)}</a>'

    def _chip(self, match: re.Match[str]) -> str:
        marker = int(match.group(1))
        if marker not in self._markers:
            return match.group()
        link = f'<a href="{CITATION_SCHEME}:{marker}">'
        image = f'<img src="{CHIP_SCHEME}:{marker}" style="vertical-align:middle"/>'
        return f"{link}{image}</a>"


def _kind_of(line: str) -> str:
    if not line.strip():
        return ""
    if line.lstrip().startswith("|"):
        return "table"
    if _HEADING.match(line):
        return "heading"
    if _ORDERED.match(line):
        return "ordered"
    return "bullet" if _BULLET.match(line) else "text"


def _cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def text_with_readings(answer: Answer) -> str:
    """Return the text of an answer with the questions that it might have been meant as."""
    offered = [reading for reading in answer.readings if reading not in answer.text]
    if not offered:
        return answer.text
    lines = "\n".join(f"- {reading}" for reading in offered)
    return f"{answer.text}\n\nIf you mean one of these, ask:\n\n{lines}"


def markers_of(answer: Answer) -> frozenset[int]:
    """Return the markers of an answer that point at a citation."""
    return frozenset(citation.marker for citation in answer.citations)


def highlighted(text: str, quotes: Iterable[str], theme: Theme) -> str:
    """Return a document's text as HTML with the quotes in amber.

    Quotes are found word by word, whatever the white space and line ends between the words.
    """
    spans = _merge(span for quote in quotes for span in _find_quote(text, quote))
    style = f"background-color:{theme.evidence}"
    parts: list[str] = []
    position = 0
    for first, last in spans:
        parts.append(html.escape(text[position:first], quote=False))
        quoted = html.escape(text[first:last], quote=False)
        parts.append(f'<span style="{style}">{quoted}</span>')
        position = last
    parts.append(html.escape(text[position:], quote=False))
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
    """Return question, answer and citations as text for the clipboard."""
    answer = view.answer
    lines = [answer.question, "", answer.text.replace("**", "").strip()]
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
