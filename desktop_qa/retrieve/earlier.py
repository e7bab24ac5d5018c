"""An earlier question taken apart, and what pointing words of a later one stand for in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.core.document import DocumentId
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.part_names import NamedPart, PartNames
from desktop_qa.retrieve.phrases import Phrase, is_sentence, phrases_of

POINTER = re.compile(
    r"\b(?P<its>its|their)\s+(?!own\b)|\b(?P<it>it|they|them)\b(?!\s+(?:true|possible|necessary|safe"
    r"|okay|ok|allowed)\s+(?:that|to)\b)|\b(?P<that>that|this|the\s+same|these|those)\b"
    r"|(?<!\bis\s)(?<!\bare\s)\b(?P<there>there|here)(?=\W*$)|\b(?P<then>then)(?=\W*$)",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"^\W*how\s+(?:(?:do|can|should|must|could|would|may)\s+(?:i|we|you|one)|to)\s+(?P<work>[^?]+)",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    r"^(?:what\s+is\s+the\s+reason\s+for|on\s+which\s+page\s+is|explain)\s+(?P<what>the\s+.+?)"
    r"(?:\s+stated)?\s*[?.]$",
    re.IGNORECASE,
)
"""What was asked about an earlier question; the next one goes on from that."""

_OF_A_THING = re.compile(r"^\W*(?:what|which)\s+(?:does|do|did)\b", re.IGNORECASE)
_MEASURE = re.compile(r"\W*how\s+(?!much|many|do|does|to)\w+", re.IGNORECASE)
_TOLD = re.compile(r"\s+(?:that|which)\s+[^,?]+")
_MANY = re.compile(r"[^s\W]s$")
_DEVICES = {"device", "part", "chip", "ic", "component", "product", "circuit", "board"}
OF_VALUES = {"value", "figure", "number", "limit", "rating", "spec", "maximum", "minimum"}
"""Nouns that stand for what was asked, whatever that was."""

_MAX_WORDS = 14


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier question taken apart.

    Attributes:
        parts: Each part named, in order, also when named twice.
        about: Names of parts that it is about: those named, else the one that its answer cited.
        noun: What is asked for: "typical quiescent current"; `None` when that is no noun.
        work: What is to be done, of a how-to.
        kinds: What its parts are called: "sensor", "regulator".
    """

    text: str
    parts: tuple[NamedPart, ...]
    about: tuple[str, ...]
    noun: Phrase | None
    work: str
    kinds: frozenset[str]

    @property
    def asked(self) -> str:
        """The question as it stands within a sentence."""
        bare = self.text.rstrip("?.! ")
        return f"{bare[:1].lower()}{bare[1:]}"

    @property
    def subject(self) -> str:
        """The parts as a sentence calls them: "the ORA217 and the ORA218"; "" for none."""
        names = [f"the {name}" for name in self.about]
        return f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else "".join(names)

    @property
    def phrases(self) -> list[Phrase]:
        """Its noun phrases that are no part."""
        return own_phrases(self.text, self.parts)

    @property
    def phrase(self) -> str:
        """What is asked for, with its part and what follows it; "" when it is no noun."""
        if self.noun is None or self.work:
            return ""
        rest = self.text[self.noun.end :].rstrip("?.! ")
        if self.noun.article in ("what", "which") and re.search(r"\b(?:is|are)\s+the\b", rest):
            return ""
        if is_sentence(rest) or self.is_thing or not re.match(r"\s|$", rest):
            return self.place(self.noun)
        named = self.text[self.noun.start :].rstrip("?.! ")
        if self.noun.start == 0 and not named[1:2].isupper():
            named = f"{named[0].lower()}{named[1:]}"
        is_whole = any(name.casefold() in rest.casefold() for name in self.about)
        return f"the {named}{'' if is_whole else self._of}"

    @property
    def is_thing(self) -> bool:
        """Whether the noun is what something is told of: "What does the nFAULT pin do?"."""
        return self.noun is not None and _OF_A_THING.match(self.text) is not None

    @property
    def _of(self) -> str:
        return f" of {self.subject}" if self.subject else ""

    def place(self, phrase: Phrase) -> str:
        """Return a noun phrase of the question with its part."""
        return f"the {phrase.text}{self._of}"

    def circumstance(self, prepositions: str) -> str:
        """Return where or under what it asks: "at the nSLEEP pin of the ORM8236"; "" for none."""
        for phrase in reversed(self.phrases):
            before = self.text[: phrase.start]
            lead = re.search(rf"\b({prepositions})\s+(?:the\s+|an?\s+)?$", before, re.IGNORECASE)
            if lead is not None:
                return f"{lead[1]} {self.place(phrase)}"
        return ""


def earlier(question: str, names: PartNames, documents: Sequence[DocumentId] = ()) -> Earlier:
    """Take an earlier question apart.

    Args:
        question: As it was read.
        names: Of the library.
        documents: Cited by its answer.
    """
    if wrapped := _WRAPPED.match(question):
        question = f"What is {wrapped['what']}?"
    parts = names.find(question)
    about = tuple(dict.fromkeys(part.name for part in parts))
    cited = tuple({code for document in documents if (code := names.of_document(document))})
    own = (document for part in parts for document in part.documents)
    work = _WORK.match(question)
    nouns = (p for p in own_phrases(question, parts) if p.article not in ("its", "their"))
    return Earlier(
        question,
        parts,
        about or (cited if len(cited) == 1 else ()),
        None if _MEASURE.match(question) else next(nouns, None),
        work["work"].rstrip("?. ") if work is not None else "",
        names.kinds_of((*own, *documents)),
    )


def own_phrases(text: str, parts: Sequence[NamedPart] = ()) -> list[Phrase]:
    """Return the noun phrases that are no part, each without the part before it."""
    found = []
    for phrase in phrases_of(text):
        inside = [p.end for p in parts if p.start < phrase.end and phrase.start < p.end]
        rest = text[max(inside, default=phrase.start) : phrase.end].lstrip()
        if re.search(r"[^\W\d_]{2}", rest):
            start = phrase.end - len(rest)
            found.append(Phrase(start, phrase.end, rest, phrase.head, phrase.article))
    return found


def resolved(body: str, meant: Earlier, found: Sequence[str] = ()) -> str:
    """Put what was said earlier for the words of a sentence that point at it.

    "It" is what was asked for where the sentence names nothing else ("Is it guaranteed?"), else the
    part ("Does it have an alert output?"). What cannot be said in the place of the word is added in
    brackets.

    Args:
        body: A sentence.
        meant: The question that it may point at.
        found: Names of commands and the like that its answer gave.

    Returns:
        The complete question; "" when nothing of it points at what was said.
    """
    own = own_phrases(body)
    if said := _with_part(body, own, meant):
        return said
    match = POINTER.search(body)
    if match is None or len(body.split()) > _MAX_WORDS:
        return ""
    start, end = match.span()
    kind, word = match.lastgroup or "", match.group().strip().lower()
    is_within = any(p.end <= start and p.article in ("the", "a", "an", "my", "our") for p in own)
    if is_within and kind in ("it", "its") and len(body.split()) > 8:
        return ""  # "it" stands for a noun of the question itself
    pointed = next((p for p in own if kind == "that" and 0 <= p.start - end <= 1), None)
    owned = next((p for p in own if kind == "its" and p.start >= end - 1), None)
    nouns = [p for p in own if p is not pointed and not limits_in(p.text) and p.head != "page"]
    many = _things(meant) if word in ("their", "they", "them") else None
    said = ""
    if pointed is not None:
        end = pointed.end
        like = next((p for p in meant.phrases if p.head == pointed.head), None)
        if like is not None:
            told = _TOLD.match(meant.text[like.end :])
            said = f"the {like.text}{told.group()}" if told is not None else meant.place(like)
            said += f" ({found[0]})" if found else ""
        elif pointed.head in (*OF_VALUES, "parameter"):
            said = meant.phrase
        elif word in ("these", "those"):
            return ""
    elif kind == "there":
        said = meant.circumstance("at|on|in|into|to")
    elif kind == "then":
        said = meant.circumstance("in|during|under")
    elif meant.work and (not nouns or kind == "that"):
        if re.search(r"\btakes?\W*$", body[:start] + body[end:], re.IGNORECASE):
            return f"{body[:start]}it {body[end:].strip(' ?')} to {meant.work}?"
    elif owned is not None:
        whose = f"the {many.text}" if many else meant.phrase if meant.is_thing else meant.subject
        if whose:
            return f"{body[:start]}the {owned.text} of {whose}{body[owned.end :]}"
    elif many is not None:
        said = meant.place(many)
    elif kind == "that" or meant.is_thing or not nouns:
        said = meant.phrase or (meant.subject if meant.noun is None and kind != "that" else "")
    else:
        said = meant.subject or meant.phrase
    if said:
        return f"{body[:start]}{said}{body[end:]}"
    return f"{body.rstrip('?.! ')} ({meant.asked})?"


def _with_part(body: str, own: Sequence[Phrase], meant: Earlier) -> str:
    """Make "the chip", "the sensor" the part, where its title says that it is one."""
    heads = {phrase.head for phrase in meant.phrases}
    for phrase in own:
        is_part = phrase.head in _DEVICES or not meant.kinds.isdisjoint(terms_of(phrase.head))
        is_alone = " " not in phrase.text and phrase.article in ("the", "this", "that")
        if meant.subject and is_part and is_alone and phrase.head not in heads:
            before = body[: phrase.start].rstrip()
            return f"{before[: -len(phrase.article)]}{meant.subject}{body[phrase.end :]}"
    return ""


def _things(meant: Earlier) -> Phrase | None:
    """Return the things that one part was asked about: "open-drain pins"."""
    many = [phrase for phrase in meant.phrases if _MANY.search(phrase.text)]
    return many[-1] if many and len(meant.about) < 2 else None
