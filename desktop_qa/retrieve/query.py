"""A question as the retriever sees it: its kind, its codes, the documents and places it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from desktop_qa.augment.codes import codes_in_question, normalize_code
from desktop_qa.augment.keywords import find_keywords
from desktop_qa.augment.periods import plain_periods
from desktop_qa.augment.quantities import values_in_question
from desktop_qa.core.answer import Query, QuestionType
from desktop_qa.core.asked_code import AskedCode
from desktop_qa.core.document import DocumentId
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.composite import MAX_PARTS, asks_apart, split_question
from desktop_qa.retrieve.directory import Directory, without_files
from desktop_qa.retrieve.question_kinds import Embed, kind_model
from desktop_qa.retrieve.question_type import TASKS, question_type, topic_type
from desktop_qa.retrieve.readings import ambiguous_readings, called_by_kind
from desktop_qa.retrieve.structure_refs import find_structure_refs, strip_structure_refs
from desktop_qa.retrieve.task_words import split_options, strip_task_words

_RELATION = re.compile(
    r"\b(?:replac\w*|substitut\w*|instead|compatib\w*|equivalent|alternativ\w*|similar|related"
    r"|second source|predecessor|successor|drop-in|upgrad\w*|migrat\w*|recommend\w*|mention\w*"
    r"|refer\w*|connect\w*|interfac\w*|attach\w*|together with|in combination|used? (?:with|as|in)"
    r"|driv(?:e|es|en|ing) (?:a|an|the)\b|paired?|evaluation|which (?:documents?|datasheets?|parts?"
    r"|devices?|sensors?|chips?))\b",
    re.IGNORECASE,
)
"""A question with one of these may be about another part that its datasheet relates to this one."""

_NAMING_TERMS = frozenset(
    terms_of(
        "datasheet data sheet document manual pdf part device component chip ic kind sort thing"
        " used good describe description tell something explain about introduce overview summary"
    )
)
_ASKS_MORE = (
    QuestionType.PROCEDURE, QuestionType.JUDGEMENT, QuestionType.COMPARE, QuestionType.SUMMARY,
    QuestionType.CHOICE, QuestionType.MULTIPLE_CHOICE, QuestionType.FILL_IN,
)  # fmt: skip
"""Kinds of question that ask more than what a part is where they say nothing but its name."""


def build_query(
    text: str,
    directory: Directory,
    scope: Sequence[DocumentId] = (),
    *,
    split: bool = True,
    embed: Embed | None = None,
) -> Query:
    """Read a question.

    Args:
        text: As the user typed it.
        directory: Of the library it is asked of.
        scope: Documents to search; empty is all.
        split: Take a composite question apart.
        embed: Gives the vector of a text, to tell its kind by its meaning too.
    """
    choice = split_options(text)
    chosen = frozenset(scope)
    within = [e for e in directory.entries if not chosen or e.document_id in chosen]
    refs = find_structure_refs(choice.stem)
    by_file = directory.named_by_file(choice.stem)
    bare = without_files(choice.stem)
    found = codes_in_question(bare, directory.parts.prefixes, directory.parts)
    asked = tuple(map(directory.find, found))
    of_codes, codes = {code.code: code.documents for code in asked}, tuple(found)
    mentioned = [c.code for c in asked if not c.documents and directory.is_mentioned(c.code)]
    absent = _absent(bare, asked, mentioned, directory)
    nearest = ((code, directory.parts.nearest(code)) for code in absent)
    named = dict.fromkeys(by_file or (d for found in of_codes.values() for d in found))
    if refs and not named and not codes:
        named = dict.fromkeys(directory.named_in_words(choice.stem, scope))
    if not named and not codes:
        named = dict.fromkeys(called_by_kind(choice.stem, within))
    parts = _parts_of(choice.stem, of_codes) if split else ()
    n_meant = len({documents for documents in of_codes.values() if documents})
    scores = kind_model().scores(choice.stem, embed)
    kind = question_type(text, scores, refs, choice, n_documents=n_meant, n_parts=len(parts))
    made_by = directory.made_by(choice.stem)
    # One part by several makers is several documents: "ON's 2N3904". Of one that is compared the
    # other may be called by a name that its maker has not in the document.
    own = [d for d in named if d in made_by]
    if own and (kind != QuestionType.COMPARE or len(own) > 1):
        named = dict.fromkeys(own)
    variants_of = (normalize_code(one.part) for one in asked if one.documents and one.part)
    keywords = dict.fromkeys((*map(normalize_code, codes), *variants_of, *find_keywords(text)))
    reformulated = _searched(choice.stem, codes if named else ())
    if not refs and kind not in _ASKS_MORE:
        one = tuple(scope) if len(scope) == 1 else ()
        meant = tuple(named) or one or directory.named_in_words(choice.stem, scope)
        titles = " ".join(e.title for e in directory.entries if e.document_id in meant)
        if meant and names_only(reformulated, titles):
            kind, named = QuestionType.OVERVIEW, dict.fromkeys(meant)
    topic = strip_task_words(choice.stem)
    if kind in TASKS and topic != choice.stem:
        scores = kind_model().scores(topic, embed)
    return Query(
        text=text,
        type=kind,
        topic=topic_type(kind, scores),
        parts=tuple(
            build_query(part, directory, scope, split=False, embed=embed)
            for part in parts[:MAX_PARTS]
        ),
        reformulated=reformulated,
        keywords=tuple(keywords),
        structure_refs=refs,
        scope=tuple(scope),
        codes=asked,
        absent=absent,
        nearest=tuple((code, near) for code, near in nearest if near),
        mentioned=tuple((code, directory.mentioning(code)) for code in mentioned),
        document_ids=tuple(named),
        made_by=() if named or codes else made_by,
        readings=() if codes or refs else ambiguous_readings(text, within),
        options=choice.options,
        values=values_in_question(text),
    )


def names_only(text: str, titles: str = "") -> bool:
    """Tell whether a question says nothing but what its document or part is called."""
    return _NAMING_TERMS.union(terms_of(titles)).issuperset(terms_of(text))


def _absent(
    text: str, asked: Sequence[AskedCode], mentioned: Sequence[str], directory: Directory
) -> tuple[str, ...]:
    """Return the codes that no document is about and that stand nowhere.

    A code that stands in some text is absent as well when the question asks about that part alone
    and the library has siblings of it, which would else answer in its place.
    """
    is_alone = not any(code.documents for code in asked) and not _RELATION.search(text)
    return tuple(
        c.code
        for c in asked
        if not c.documents
        and (c.code not in mentioned or (is_alone and directory.parts.siblings(c.code)))
    )


def _parts_of(text: str, of_codes: Mapping[str, tuple[DocumentId, ...]]) -> tuple[str, ...]:
    """One part for each clause that asks something; what compares documents is one question."""
    by_documents: dict[tuple[DocumentId, ...], list[str]] = {}
    for code, documents in of_codes.items():
        if documents:
            by_documents.setdefault(documents, []).append(code)
    asked = split_question(text)
    is_comparison = len(by_documents) > 1 and not asks_apart(asked, tuple(by_documents.values()))
    return () if is_comparison else asked


def _searched(stem: str, codes: Sequence[str]) -> str:
    """Return what the routes look for: no task words, no numbers of places, no codes that are used.

    Where nothing is left of it, the question stays as it is: "What is on page 5?".
    """
    topic = plain_periods(strip_task_words(stem))
    bare = _without_codes(strip_structure_refs(topic), codes).strip(" :,;.?!-–")
    return bare if terms_of(bare) else _without_codes(topic, codes)


def _without_codes(text: str, codes: Iterable[str]) -> str:
    """Leave out the part numbers that documents were found by.

    They have done their work; left in, they pull towards whatever repeats the part's name, as
    front pages and introductions do.
    """
    for code in codes:
        text = re.sub(re.escape(code), " ", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(?:of|in|for|on|from|by)?\s*(?:the|an?)?\s*(?=[?.,;:]|$)", "", text)
    return " ".join(text.split())
