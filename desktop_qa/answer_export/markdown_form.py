"""Answers as Markdown with footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from desktop_qa.answer_export.content import (
    ExportedAnswers,
    ExportedCell,
    ExportedFigure,
    ExportedTable,
    Footnote,
    Part,
    Sentence,
    SentenceKind,
)
from desktop_qa.core.answer_blocks import Line, Listing, Readings, Role, Run, Runs

_MARKS = re.compile(r"([\\`*_\[\]<>|~])")
_REFERENCE = re.compile(r"\[\^(\d+)\]")
_GONE = "(the image is not in the library any more)"
_SENTENCES = {
    SentenceKind.ASIDE: "*{}*",
    SentenceKind.STATE: "**{}**",
    SentenceKind.REMARK: "> {}",
    SentenceKind.ERROR: "{}",
}
_LINE_MARKS = re.compile(r"^(\s*)([#+=-]|\d+[.)])(?=\s|$)")


def as_markdown(answers: ExportedAnswers, images_folder: str) -> tuple[str, Mapping[str, Path]]:
    """Return the text, and the images to lie in a folder beside it by their names there.

    Args:
        answers: What to write.
        images_folder: Name of that folder.
    """
    images: dict[str, Path] = {}
    lines = [f"# {escaped(answers.title)}", ""]
    for turn in answers.turns:
        if len(answers.turns) > 1:
            lines += [f"## {escaped(turn.question)}", ""]
        for part in turn.parts:
            lines += (*_part(part, images, images_folder), "")
    lines += ["---", "", f"*{escaped(answers.colophon)}*", ""]
    for note in answers.footnotes:
        lines.append(_footnote(note))
    return "\n".join(lines).rstrip() + "\n", images


def as_note_list(answers: ExportedAnswers) -> str:
    """Return the text for a clipboard: the marks are [n], the sources stand below as a list.

    Footnotes of Markdown would lose their text where only a part of a document is pasted.

    Args:
        answers: Without images.
    """
    lines: list[str] = []
    for turn in answers.turns:
        lines += [f"**{escaped(turn.question)}**", ""]
        for part in turn.parts:
            lines += (*_part(part, {}, ""), "")
    text = _REFERENCE.sub(r"[\1]", "\n".join(lines)).replace(f" {_GONE}", "")
    notes = (_REFERENCE.sub(r"[\1]", _footnote(note), count=1) for note in answers.footnotes)
    sources = "\n".join(note.replace("]: ", "] ", 1) for note in notes)
    return f"{text.strip()}\n\n{sources}".strip() + "\n"


def _table_lines(table: ExportedTable) -> Iterator[str]:
    """Yield the lines of a table; one without headers gets an empty header row."""
    width = table.width
    headers = (*table.headers, *[""] * (width - len(table.headers)))
    yield f"| {' | '.join(escaped(header) for header in headers)} |"
    yield f"|{' --- |' * width}"
    for row in table.rows:
        cells = [*map(_cell, row), *[""] * (width - len(row))]
        yield f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Return a document's words so that no mark in them is read as Markdown."""
    plain = _MARKS.sub(r"\\\1", " ".join(text.split()))
    return _LINE_MARKS.sub(r"\1\\\2", plain)


def _part(part: Part, images: dict[str, Path], images_folder: str) -> Iterator[str]:
    match part:
        case Sentence():
            yield _SENTENCES[part.kind].format(escaped(part.text))
        case Line():
            yield _line(part)
        case Listing():
            if part.lead is not None:
                yield _line(part.lead)
                yield ""
            for item in part.items:
                mark = "-" if item.number is None else f"{item.number}."
                yield f"{mark} {_runs(item.whole)}"
                for below in item.below:
                    yield f"   {'' if below.role is Role.REMARK else '- '}{_runs(below.whole)}"
        case Readings():
            yield from (f"- {escaped(question)}" for question in part.questions)
        case ExportedTable():
            if part.title:
                yield _runs(part.title)
                yield ""
            yield from _table_lines(part)
        case ExportedFigure():
            yield _figure(part, images, images_folder)


def _line(line: Line) -> str:
    return _LINE_MARKS.sub(r"\1\\\2", _runs(line.whole))


def _runs(runs: Runs) -> str:
    return "".join(map(_run, runs))


def _cell(cell: ExportedCell) -> str:
    text = _run(cell.words)
    return f"{text} ({escaped(cell.remark)})" if cell.remark else text


def _figure(figure: ExportedFigure, images: dict[str, Path], images_folder: str) -> str:
    notes = _references(figure.notes)
    if not figure.path:
        return f"*{escaped(figure.caption)}* {_GONE}{notes}"
    name = f"figure-{len(images) + 1}{Path(figure.path).suffix}"
    images[name] = Path(figure.path)
    caption = escaped(figure.caption)
    return f"![{caption}]({quote(images_folder)}/{quote(name)})\n\n*{caption}*{notes}"


def _run(run: Run) -> str:
    inner = run.text.strip()
    if not inner:
        return run.text + _references(run.markers)
    before = run.text[: len(run.text) - len(run.text.lstrip())]
    after = run.text[len(run.text.rstrip()) :]
    text = _MARKS.sub(r"\\\1", inner)
    return f"{before}{f'**{text}**' if run.is_strong else text}{after}{_references(run.markers)}"


def _references(notes: Sequence[int]) -> str:
    return "".join(f"[^{number}]" for number in notes)


def _footnote(note: Footnote) -> str:
    lost = " (changed or gone since)" if note.is_lost else ""
    said = f": “{escaped(note.quote)}”" if note.quote else ""
    return f"[^{note.number}]: {escaped(note.place)}{lost}{said}"
