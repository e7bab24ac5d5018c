"""What kind of thing a document is about: said by its title and what ranks first of its opening."""

from __future__ import annotations

import re

from desktop_qa.answer.candidates import candidates, located
from desktop_qa.answer.ranking import ranked
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.core.answer import Evidence, QuestionType
from desktop_qa.core.document import BlockKind, Document
from desktop_qa.core.segment import SegmentKind
from desktop_qa.retrieve.document_kinds import document_kind

_OPTIONS = re.compile(
    r".*(?::|\b(?:under|as|into|between|either|it)\b)(?P<listed>[^:?]+\bor\b[^:?]+)"
    r"|.*\ban?\s+(?P<two>[^:?]+\bor\b[^:?]+)",
    re.IGNORECASE,
)
_BEHIND = re.compile(r",\s+and\s+|\s+and\s+by\b")
_SEPARATOR = re.compile(r"\s*,\s*(?:or\s+)?|\s+or\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_MAX_QUOTED = 3


def kind_reply(task: AnswerTask) -> Reply | None:
    """Tell what kind of thing a document is about; `None` when that is not asked."""
    if task.query.type != QuestionType.CLASSIFICATION or not task.usable:
        return None
    documents = task.query.document_ids
    document_id = documents[0] if documents else task.usable[0].segment.document_id
    document = task.source.document(document_id)
    opening = [
        Evidence(0, segment, 0.0, ())
        for segment in task.source.segments_of(document_id)
        if segment.kind is SegmentKind.TEXT and segment.metadata.page_nos[:1] == (1,)
    ]
    said = candidates(task, opening)
    best = next(iter(ranked(task, said)), None)
    if best is None:
        return None
    # What follows it says more of the same.
    first = next(n for n, one in enumerate(said) if one.text == best.text)
    placed = (located(one, task) for one in said[first : first + _MAX_QUOTED])
    quoted = tuple(one for one in placed if one is not None)
    lead, options = _described(document), options_in(task.query.text)
    if options:
        about, *meant = task.meaning.vectors([f"{document.title} {best.text}", *options])
        chosen = max(zip(meant, options, strict=True), key=lambda one: float(one[0] @ about))[1]
        lead = f"{chosen[:1].upper()}{chosen[1:]}, by the first page:"
    return Reply(lead, quoted, is_sure=bool(documents)) if quoted else None


def options_in(question: str) -> tuple[str, ...]:
    """Return the kinds to choose from: "a protocol controller, a bus transceiver or ...?"."""
    match = _OPTIONS.search(question)
    listed = _BEHIND.split(match["listed"] or match["two"])[0] if match else ""
    parts = (_ARTICLE.sub("", part.strip()) for part in _SEPARATOR.split(listed))
    options = tuple(filter(None, parts))
    return options if len(options) > 1 and all(len(one.split()) <= 5 for one in options) else ()


def _described(document: Document) -> str:
    """Say what a document is by its title."""
    headings = (b.text for b in document.blocks if b.kind is BlockKind.SECTION_HEADER)
    paths, is_of_part = " ".join(document.paths), bool(document.part_numbers)
    kind = document_kind(document.title, paths, headings, is_of_part=is_of_part)
    called = f"The document is {'an' if kind[0] in 'ae' else 'a'} {kind}." if kind else ""
    return f"{called} By its title: {document.title}.".strip() if document.title else called
