"""Answers as one HTML file that needs nothing beside it."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from desktop_qa.answer_export.content import (
    ExportedAnswers,
    ExportedCell,
    ExportedFigure,
    ExportedTable,
    Footnote,
    Part,
    Sentence,
)
from desktop_qa.core.answer_blocks import Line, Listing, Readings, Role, Run, Steps

_STYLE = """
:root { color-scheme: light dark; --text: #1b1f27; --dim: #5d6675; --line: #dfe2e8;
  --back: #ffffff; --accent: #1f5fd6; --stated: #ffe9a3; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ef; --dim: #9aa3b2; --line: #323743;
  --back: #1e2128; --accent: #7fb0ff; --stated: #5c4a12; } }
body { margin: 2.5rem auto; max-width: 46rem; padding: 0 1.25rem; background: var(--back);
  color: var(--text); font: 16px/1.6 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.3; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
.dim, footer { color: var(--dim); font-size: .85rem; }
.state { font-weight: 600; }
.remark { border-left: 3px solid var(--line); color: var(--dim); margin: .75rem 0;
  padding-left: .75rem; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .9rem .35rem 0; text-align: left;
  vertical-align: top; }
th { color: var(--dim); font-weight: 600; }
td.stated { background: var(--stated); padding-left: .4rem; }
td small { color: var(--dim); display: block; }
figure { margin: 1.25rem 0; } img { max-width: 100%; height: auto; background: #fff; }
figcaption { color: var(--dim); font-size: .9rem; }
sup { line-height: 0; } .notes { border-top: 1px solid var(--line); margin-top: 2rem;
  font-size: .88rem; padding-top: .5rem; } .notes li { margin: .35rem 0; }
.notes li:target, sup a:target { background: var(--stated); }
blockquote { color: var(--dim); margin: .15rem 0 0; padding: 0; }
footer { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: .5rem; }
@media print { :root { --text: #000; --dim: #444; --line: #bbb; --back: #fff; --accent: #000;
  --stated: #eee; } body { margin: 0; max-width: none; font-size: 10.5pt; }
  figure, tr, .notes li { break-inside: avoid-page; }
  thead { display: table-header-group; }
  h1, h2 { break-after: avoid; } .scroll { overflow: visible; } .back { display: none; } }
"""


def as_html(answers: ExportedAnswers) -> str:
    """Return the whole file; its images are in it."""
    return "\n".join(_page(answers)) + "\n"


def as_fragment(answers: ExportedAnswers) -> str:
    """Return HTML of answers without images for a clipboard: no page around it, plain sources."""
    lines: list[str] = []
    for turn in answers.turns:
        writer = TurnHtml(set(), has_links=False)
        lines.append(f"<p><b>{escape(turn.question)}</b></p>")
        lines += writer.body(turn.parts)
    for note in answers.footnotes:
        quote = f": “{escape(note.quote)}”" if note.quote else ""
        lines.append(f"<p>[{note.number}] {escape(note.place)}{quote}</p>")
    return "\n".join(lines)


def _page(answers: ExportedAnswers) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield '<head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta name="generator" content="{escape(answers.program)}">'
    yield f"<title>{escape(answers.title)}</title>"
    yield f"<style>{_STYLE}</style></head>"
    yield f"<body><main><h1>{escape(answers.title)}</h1>"
    shown: set[int] = set()
    for turn in answers.turns:
        writer = TurnHtml(shown)
        yield "<article>"
        if len(answers.turns) > 1:
            yield f"<h2>{escape(turn.question)}</h2>"
        yield from writer.body(turn.parts)
        yield "</article>"
    yield "</main>"
    if answers.footnotes:
        yield '<section class="notes" aria-label="Sources"><ol>'
        for note in answers.footnotes:
            yield _footnote(note)
        yield "</ol></section>"
    yield f"<footer>{escape(answers.colophon)}</footer>"
    yield "</body></html>"


class TurnHtml:
    """Writes one question's answer; the first mention of a footnote is what it points back at."""

    def __init__(self, mentioned: set[int], *, has_links: bool = True) -> None:
        self._mentioned = mentioned
        self._has_links = has_links

    def body(self, parts: Sequence[Part]) -> Iterator[str]:
        """Yield what stands under the question."""
        for part in parts:
            match part:
                case Sentence():
                    kind = f' class="{part.kind}"' if part.kind else ""
                    yield f"<p{kind}>{escape(part.text)}</p>"
                case Line():
                    yield f"<p>{self._runs(part.whole)}</p>"
                case Listing():
                    if part.lead is not None:
                        yield f"<p>{self._runs(part.lead.whole)}</p>"
                    tag = "ol" if isinstance(part, Steps) else "ul"
                    yield f"<{tag}>{''.join(map(self._item, part.items))}</{tag}>"
                case Readings():
                    items = (f"<li>{escape(question)}</li>" for question in part.questions)
                    yield f"<ul>{''.join(items)}</ul>"
                case ExportedTable():
                    yield from self._table(part)
                case ExportedFigure():
                    yield self._figure(part)

    def _item(self, item: Line) -> str:
        value = "" if item.number is None else f' value="{item.number}"'
        inner = self._runs(item.whole)
        for role, group in groupby(item.below, key=lambda line: line.role):
            tag = "p" if role is Role.REMARK else "li"
            lines = "".join(f"<{tag}>{self._runs(line.whole)}</{tag}>" for line in group)
            inner += lines if role is Role.REMARK else f"<ul>{lines}</ul>"
        return f"<li{value}>{inner}</li>"

    def _table(self, table: ExportedTable) -> Iterator[str]:
        yield '<div class="scroll"><table>'
        if table.title:
            yield f"<caption>{self._runs(table.title)}</caption>"
        if table.headers:
            cells = "".join(f'<th scope="col">{escape(header)}</th>' for header in table.headers)
            yield f"<thead><tr>{cells}</tr></thead>"
        rows = ("".join(self._cell(cell) for cell in row) for row in table.rows)
        yield "<tbody>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</tbody></table></div>"

    def _cell(self, cell: ExportedCell) -> str:
        stated = ' class="stated"' if cell.words.is_strong else ""
        remark = f"<small>{escape(cell.remark)}</small>" if cell.remark else ""
        return f"<td{stated}>{self._runs((cell.words,))}{remark}</td>"

    def _figure(self, figure: ExportedFigure) -> str:
        caption = f"{escape(figure.caption)}{self._references(figure.notes)}"
        if not figure.path and not self._has_links:
            return f"<p><i>{caption}</i></p>"
        if not figure.path:
            gone = '<span class="dim">(the image is not in the library any more)</span>'
            return f"<figure><figcaption>{caption} {gone}</figcaption></figure>"
        content = base64.b64encode(Path(figure.path).read_bytes()).decode()
        source = f"data:image/png;base64,{content}"
        image = f'<img src="{source}" alt="{escape(figure.caption)}">'
        return f"<figure>{image}<figcaption>{caption}</figcaption></figure>"

    def _runs(self, runs: Sequence[Run]) -> str:
        return "".join(
            (f"<strong>{escape(run.text)}</strong>" if run.is_strong else escape(run.text))
            + self._references(run.markers)
            for run in runs
        )

    def _references(self, notes: Sequence[int]) -> str:
        return "".join(map(self._reference, notes))

    def _reference(self, number: int) -> str:
        if not self._has_links:
            return f" [{number}]"
        anchor = "" if number in self._mentioned else f' id="ref-{number}"'
        self._mentioned.add(number)
        return f'<sup><a href="#note-{number}"{anchor}>[{number}]</a></sup>'


def _footnote(note: Footnote) -> str:
    lost = ' <span class="dim">(changed or gone since)</span>' if note.is_lost else ""
    quote = f"<blockquote>“{escape(note.quote)}”</blockquote>" if note.quote else ""
    back = f' <a class="back" href="#ref-{note.number}" aria-label="Back to the answer">↩</a>'
    place = escape(note.place)
    return f'<li id="note-{note.number}" value="{note.number}">{place}{lost}{back}{quote}</li>'
