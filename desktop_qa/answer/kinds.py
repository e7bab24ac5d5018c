"""What kind of thing a document is about: read from its title and its first page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.answer.passages import Passage, SectionReader
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.answer.steps import without_label
from desktop_qa.augment.sentences import split_sentences
from desktop_qa.core.answer import QuestionType
from desktop_qa.core.document import BlockKind, Document, DocumentId
from desktop_qa.index.lexical import terms_of
from desktop_qa.retrieve.document_kinds import document_kind

_OPTIONS = (
    re.compile(r":\s*(?P<options>[^:?]+?\bor\b[^:?]+)\??\s*$", re.IGNORECASE),
    re.compile(
        r"\b(?:under|as|into|between|either)\s+(?P<options>[^?]+?\bor\b[^?]+?)\??\s*$",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:is|are)\s+(?:the\s+|this\s+|it\s+)?(?:\S+\s+){0,4}?(?P<options>an?\s+[^?]+?\bor\s+(?:an?\s+)?"
        r"[^?,]+)",
        re.IGNORECASE,
    ),
)
_SEPARATOR = re.compile(r"\s*,\s*(?:or\s+)?|\s+or\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_DESCRIBES = re.compile(
    r"\b(?:is|are)\s+(?:an?|the|designed|intended)\b|\bseries\b|\bfamily\b", re.I
)
_MAX_SENTENCES = 3
_MAX_WORDS = 50
_TITLE_WEIGHT = 2.0
_ORDER_WEIGHT = 0.02


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    passage: Passage
    terms: frozenset[str]


def kind_reply(task: AnswerTask) -> Reply | None:
    """Tell what kind of thing a document is about; `None` when that is not asked."""
    if task.query.type != QuestionType.CLASSIFICATION or not task.usable:
        return None
    documents = task.query.document_ids
    document_id = documents[0] if documents else task.usable[0].segment.document_id
    reader = SectionReader(task.source, task.evidence)
    said = _first_page(reader, document_id)
    options = options_in(task.query.text)
    document = task.source.document(document_id)
    title = document.title
    if not said:
        return None
    if not options:
        return _described(task, reader, said, document)
    chosen, telling = _chosen(options, said, title)
    if not chosen:
        return None
    quoted = _with_what_else_is_asked(task, options, said, telling)
    statements = tuple(s for one in quoted if (s := _statement(reader, one)) is not None)
    if not statements:
        return None
    lead = f"{chosen[:1].upper()}{chosen[1:]}, by the first page:"
    return Reply(lead, statements, is_sure=bool(documents))


def options_in(question: str) -> tuple[str, ...]:
    """Return the kinds to choose from: "a protocol controller, a bus transceiver or ...?"."""
    for pattern in _OPTIONS:
        if match := pattern.search(question):
            text = re.split(r",\s+and\s+|\s+and\s+by\b", match.group("options"))[0]
            parts = [_ARTICLE.sub("", part.strip()) for part in _SEPARATOR.split(text)]
            parts = [part for part in parts if part]
            if len(parts) >= 2 and all(len(part.split()) <= 5 for part in parts):
                return tuple(parts)
    return ()


def _chosen(options: Sequence[str], said: Sequence[_Said], title: str) -> tuple[str, list[_Said]]:
    """Choose the option whose own words the title and the first page have most, and where."""
    own = {option: _own_terms(option, options) for option in options}
    of_title = frozenset(terms_of(title))
    best, best_score, best_said = "", 0.0, list[_Said]()
    for option in options:
        if not own[option]:
            continue
        telling = [one for one in said if own[option] & one.terms]
        score = _TITLE_WEIGHT * len(own[option] & of_title) / len(own[option])
        for one in telling:
            share = len(own[option] & one.terms) / len(own[option])
            score += share * max(0.0, 1.0 - _ORDER_WEIGHT * said.index(one))
        if score > best_score:
            ranked = sorted(telling, key=lambda one: -len(own[option] & one.terms))
            best, best_score, best_said = option, score, ranked
    return best, best_said


def _own_terms(option: str, options: Sequence[str]) -> frozenset[str]:
    """Return the words of an option that not all the others have, too."""
    others = [frozenset(terms_of(other)) for other in options if other != option]
    shared = frozenset.intersection(*others) if others else frozenset()
    return frozenset(terms_of(option)) - shared


def _with_what_else_is_asked(
    task: AnswerTask, options: Sequence[str], said: Sequence[_Said], telling: Sequence[_Said]
) -> list[_Said]:
    """Add the sentence with most of the question's other words ("by which qualification")."""
    taken = {term for option in options for term in terms_of(option)}
    left = {t: w for t, w in task.terms.weights.items() if t not in taken}
    more = sorted(said, key=lambda one: -sum(w for t, w in left.items() if _has(t, one.terms)))
    quoted = list(telling[:1])
    for one in (*more[:2], *telling[1:2]):
        is_asked = any(_has(t, one.terms) for t in left)
        if one not in quoted and (is_asked or one in telling):
            quoted.append(one)
    return quoted[:_MAX_SENTENCES]


def _has(term: str, terms: frozenset[str]) -> bool:
    """Tell whether a term stands there, be it in another form: "qualification", "qualified"."""
    root = term[:6]
    return term in terms or (len(root) == 6 and any(other.startswith(root) for other in terms))


def _described(
    task: AnswerTask, reader: SectionReader, said: Sequence[_Said], document: Document
) -> Reply | None:
    """Quote the sentences that say what the thing is, the title's own line first."""
    title = document.title
    of_title = frozenset(terms_of(title))
    titled = [one for one in said if 2 * len(one.terms & of_title) > max(len(of_title), 1)]
    codes = [asked.code.casefold() for asked in task.query.codes]
    named = [
        one
        for one in said
        if _DESCRIBES.search(one.text)
        and (not codes or any(c in one.text.casefold() for c in codes))
    ]
    chosen = list(dict.fromkeys([*(titled[:1] or said[:1]), *named[:1]]))
    statements = tuple(s for one in chosen if (s := _statement(reader, one)) is not None)
    headings = (b.text for b in document.blocks if b.kind is BlockKind.SECTION_HEADER)
    is_of_part = bool(document.part_numbers)
    kind = document_kind(title, " ".join(document.paths), headings, is_of_part=is_of_part)
    called = f"The document is {'an' if kind[0] in 'ae' else 'a'} {kind}." if kind else ""
    lead = f"{called} By its title: {title}.".strip() if title else called
    return Reply(lead, statements, is_sure=bool(task.query.document_ids)) if statements else None


def _first_page(reader: SectionReader, document_id: DocumentId) -> list[_Said]:
    found: list[_Said] = []
    for section in reader.opening_of(document_id):
        for passage in reader.passages(document_id, section):
            if passage.kind not in (BlockKind.TEXT, BlockKind.LIST_ITEM):
                continue
            text = without_label(passage.text)
            parts = [text] if passage.kind is BlockKind.LIST_ITEM else split_sentences(text)
            found += [
                _Said(part, passage, frozenset(terms_of(part)))
                for part in parts
                if 2 <= len(part.split()) <= _MAX_WORDS
            ]
    return found


def _statement(reader: SectionReader, said: _Said) -> Statement | None:
    run = reader.run(said.passage, said.text)
    if not run:
        return None
    return Statement(said.text, said.passage.evidence, (run,), (), 1.0, 1.0)
