"""Follow-ups: a question that needs the ones before it, completed from them.

"and at 125 °C?", "what about the DRV8833C?", "and the maximum?", "what is its package?". What the
new question says takes the place of what the earlier one said of the same kind; everything else
stays, and words that point ("it", "that pin") are replaced by what they point at. A question that
is complete in itself is never altered, and no part is put in that neither the user nor the answer
before named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.augment.grammar import Word
from desktop_qa.augment.quantities import find_quantities
from desktop_qa.core.answer import Answer
from desktop_qa.core.document import ColumnRole, DocumentId
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.answer_kind import BOUND_NAMES, dimensions_named, limits_in
from desktop_qa.retrieve.comparison import any_device_terms
from desktop_qa.retrieve.directory import Directory
from desktop_qa.retrieve.part_names import NamedPart, kinds_of, parts_in, sibling_of
from desktop_qa.retrieve.phrases import FINITE, Phrase, is_sentence, phrases_of, words_of

NO_EARLIER_QUESTION = (
    "This goes on from an earlier question, and there is none in this conversation."
)
ASK_WHOLE = "Ask it whole, such as “What is the supply current of the … at 125 °C?”."

_OPENER = re.compile(
    r"^\W*(?:(?:and|but|or|so|then|also|ok(?:ay)?|now|yes|no|well|hello|thanks|thank\s+you)\b[\s,.!]*)*"
    r"(?:(?:what|how)\s+about\b|what\s+if\b(?=\s+(?:at|in|with))"
    r"|(?:the\s+)?same(?:\s+(?:question|thing|again|for|with|but|at|in))*\b(?=\s)|ditto)?\s*",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    r"\s*,?\s+(?:instead|please|though|too|again|as\s+well)(?=\W*$)", re.IGNORECASE
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)}|last)(?:\s+one)?\W*$", re.IGNORECASE)
_SHORT = re.compile(
    r"\W*(?:(?P<alone>(?:why|how\s+come|where|(?:on\s+)?(?:which|what)\s+page)"
    r"(?:\s+(?:is|was|does|did))?(?:\s+(?:that|this|it|so)\b(?:\s+\w+){0,3})?)"
    r"|(?:(?:tell|give)\s+me\s+)?more|(?:more\s+)?details|explain(?:\s+(?:it|that|this))?"
    r"|(?P<asks>(?:what|which|who|how|when|why)(?:\s+[\w-]+){0,2})"
    r"|(?P<show>(?:show|give|tell|list|is\s+there)(?!.*\sof\s)(?:\s+[\w-]+){0,5}))\W*",
    re.IGNORECASE,
)
"""Questions that name nothing, or only what of the earlier answer is wanted."""

_WORK = re.compile(
    r"\W*how\s+(?:(?:do|can|should|must|could|would|may)\s+(?:i|we|you|one)|to)\s", re.IGNORECASE
)
_OF_NOUN = re.compile(r"\W*(?:what|which)(?:['’]s|\s+(?:is|are))|\W*compare\b", re.IGNORECASE)
_LIBRARY_WORDS = frozenset(terms_of("any all every library document datasheet"))
_IDLE_NOUNS = frozenset(terms_of("value figure limit rating maximum minimum one version page"))
"""Nouns that stand for what was asked, whatever that was."""

_POINTERS = {
    "its": "its", "their": "its", "it": "it", "they": "it", "them": "it", "that": "that",
    "this": "that", "these": "that", "those": "that", "there": "there",
}  # fmt: skip
_IDLE_TAGS = frozenset(("DT", "IN", "CC", "TO", "POS", "PRP", "RB", ",", ".", ":"))
_MAX_BACK = 6
_MAX_CHARACTERS = 400
_MAX_POINTING_WORDS = 14


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of a conversation.

    Attributes:
        question: Complete, as it was read.
        readings: The questions it was offered as, when it was ambiguous.
        documents: Cited by its answer.
    """

    question: str
    readings: tuple[str, ...] = ()
    documents: tuple[DocumentId, ...] = ()

    @classmethod
    def of(cls, answer: Answer) -> Turn:
        """Take what a follow-up may need from an answer."""
        cited = dict.fromkeys(citation.document_id for citation in answer.citations)
        return cls(answer.read_as or answer.question, answer.readings, tuple(cited))


# The earlier question


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier question taken apart.

    Attributes:
        parts: Each part named, in order, also when named twice; else the names it is about.
        about: Names of parts that it is about: those named, else the one that its answer cited.
        noun: What is asked for: "typical quiescent current"; `None` when that is no noun.
        is_work: It asks how to do something.
        kinds: What its parts are called: "sensor", "regulator".
    """

    text: str
    parts: tuple[NamedPart, ...]
    about: tuple[str, ...]
    noun: Phrase | None
    is_work: bool
    kinds: frozenset[str]

    @property
    def asked(self) -> str:
        """The question as it stands within a sentence."""
        bare = self.text.rstrip("?.! ")
        return f"{bare[:1].lower()}{bare[1:]}"

    @property
    def subject(self) -> str:
        """The parts as a sentence calls them: "the ORA217 and the ORA218"; "" for none."""
        the = "the " if all(map(_has_digit, self.about)) else ""
        return " and ".join(f"{the}{name}" for name in self.about)

    @property
    def phrases(self) -> list[Phrase]:
        """Its noun phrases that are no part."""
        return _own_phrases(self.text, self.parts)

    @property
    def is_thing(self) -> bool:
        """Whether the noun is what something is told of: "What does the nFAULT pin do?"."""
        return re.match(r"\W*what\s+do(?:es)?\b", self.text, re.IGNORECASE) is not None

    @property
    def phrase(self) -> str:
        """What is asked for, with its part and what follows it; "" when it is no noun."""
        if self.noun is None or self.is_work:
            return ""
        noun, rest = self.noun.text, self.text[self.noun.end :].rstrip("?.! ")
        if is_sentence(rest) or self.is_thing:
            return self.place(noun)
        noun = f"{noun[0].lower()}{noun[1:]}" if not noun[1:2].isupper() else noun
        is_whole = any(name.casefold() in rest.casefold() for name in self.about)
        return f"the {noun}{rest}" if is_whole else self.place(noun + rest)

    def place(self, noun: str) -> str:
        """Return a noun of the question with its part."""
        return f"the {noun} of {self.subject}" if self.subject else f"the {noun}"

    def beside(self, said: str) -> str:
        """Return a question that goes on from this one, with it: "Why: ...?"."""
        return f"{said.strip(' ?.!')}: {self.asked}?"


def earlier(question: str, directory: Directory, documents: Sequence[DocumentId] = ()) -> Earlier:
    """Take an earlier question apart.

    Args:
        question: As it was read.
        directory: Of the library.
        documents: Cited by its answer.
    """
    parts = parts_in(question, directory) or _proper_names(question)
    cited = {e.codes[0] for e in directory.entries if e.codes and e.document_id in documents}
    own = (document for part in parts for document in part.documents)
    is_measure = re.match(r"\W*how\s+(?!much|many|do|does|to)\w+", question, re.IGNORECASE)
    return Earlier(
        question,
        parts,
        tuple(dict.fromkeys(part.name for part in parts))
        or (tuple(cited) if len(cited) == 1 else ()),
        None if is_measure else next(iter(_own_phrases(question, parts)), None),
        _WORK.match(question) is not None,
        kinds_of((*own, *documents), directory),
    )


def _proper_names(text: str) -> tuple[NamedPart, ...]:
    """Return the names of companies and products, which a question without part numbers is about.

    Words in capitals alone are abbreviations.
    """
    found: list[NamedPart] = []
    for word in words_of(text):
        if word.tag not in ("NNP", "NNPS") or not any(c.islower() for c in word.text[1:]):
            continue
        start, end = word.start, _end_of(word)
        if found and not text[found[-1].end : start].strip():
            start = found.pop().start
        found.append(NamedPart(text[start:end], start, end, ()))
    return tuple(found)


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _own_phrases(text: str, parts: Sequence[NamedPart] = ()) -> list[Phrase]:
    """Return the noun phrases that are no part, each without the part before it."""
    found = []
    for phrase in phrases_of(text):
        inside = [p.end for p in parts if p.start < phrase.end and phrase.start < p.end]
        rest = text[max(inside, default=phrase.start) : phrase.end].lstrip()
        if re.search(r"[^\W\d_]{2}", rest):
            found.append(replace(phrase, start=phrase.end - len(rest), text=rest))
    return found


# Completing


def is_follow_up_only(question: str, directory: Directory) -> bool:
    """Tell whether a question can mean nothing without an earlier one: "and at 125 °C?"."""
    text = " ".join(question.split())
    if not re.search(r"\w", text) or parts_in(text, directory):
        return False
    body, is_opened = _opened(text)
    short = _SHORT.fullmatch(body)
    if not body.strip(" ?.!,") or (short is not None and short["alone"]):
        return True
    is_led = bool(find_quantities(body) or limits_in(body)) or words_of(body)[0].tag == "IN"
    return is_opened and is_led and not is_sentence(body)


def _opened(text: str) -> tuple[str, bool]:
    """Return a question without what opens and closes a follow-up, and whether it was opened."""
    opener = _OPENER.match(text)
    end = opener.end() if opener is not None else 0
    return _CLOSER.sub("", text[end:].strip()), bool(text[:end].strip())


def completed(question: str, turns: Sequence[Turn], directory: Directory) -> str:
    """Complete a follow-up from the conversation.

    Args:
        question: As typed.
        turns: The earlier questions, the latest last.
        directory: Of the library.

    Returns:
        The complete question that is asked; "" when the question is no follow-up.
    """
    text = " ".join(question.split())
    if not turns or len(text) > _MAX_CHARACTERS:
        return ""
    if reading := _chosen_reading(text, turns[-1]):
        return reading
    body, is_opened = _opened(text)
    if re.search(r"[.?!](?:\s+\w+){5}", body):
        return ""
    before = [earlier(turn.question, directory, turn.documents) for turn in turns[-_MAX_BACK:]]
    complete = _of_two_parts(body, before, directory)
    # Nothing goes on from "thanks".
    telling = (e for e in reversed(before) if e.about or (e.noun and len(e.text.split()) > 2))
    meant = next(telling, None)
    if not complete and meant is not None:
        complete = _completed(body, meant, directory, is_opened=is_opened)
    complete = " ".join(complete.split())
    if not complete or complete.casefold().strip(" ?.!") == text.casefold().strip(" ?.!"):
        return ""
    mark = "" if complete[-1] in "?.!" else "?"
    return f"{complete[:1].upper()}{complete[1:]}{mark}"


def _chosen_reading(text: str, turn: Turn) -> str:
    """Take the reading that is named by its place in the list; its part is read as any other."""
    ordinal = _ORDINAL.search(text) if len(text.split()) <= 5 else None
    if ordinal is None:
        return ""
    said, n_readings = ordinal[1].casefold(), len(turn.readings)
    n = _ORDINALS.index(said) if said in _ORDINALS else n_readings - 1
    return turn.readings[n] if 0 <= n < n_readings else ""


def _of_two_parts(body: str, before: Sequence[Earlier], directory: Directory) -> str:
    """Name the two parts that were asked about last in "Which one is faster?", "Compare them."."""
    parts = list(dict.fromkeys(name for one in reversed(before) for name in one.about))[:2]
    words = words_of(body)
    if len(parts) < 2 or len(words) < 2 or parts_in(body, directory):
        return ""
    second, first = parts
    if words[0].text.lower() == "which" and (words[1].text == "one" or words[1].tag in FINITE):
        return f"{body.rstrip('?. ')}, the {first} or the {second}?"
    match = re.search(r"\b(?:(?:both|each)(?:\s+of\s+\w+)?|them)\b", body, re.IGNORECASE)
    if match is None:
        return ""
    noun = next((one.noun.text for one in reversed(before) if one.noun is not None), "")
    of = f"the {noun} of " if noun and not _own_phrases(body) else ""
    return f"{body[: match.start()]}{of}the {first} and the {second}{body[match.end() :]}"


def _completed(body: str, meant: Earlier, directory: Directory, *, is_opened: bool) -> str:
    short = re.search(r"\bthe\s+([A-Z]?\d[\w-]*)\W*$", body)
    if meant.about and short and (sibling := sibling_of(meant.about[0], short[1], directory)):
        body = f"{body[: short.start(1)]}{sibling}{body[short.end(1) :]}"
    parts = parts_in(body, directory)
    is_wide = not _LIBRARY_WORDS.isdisjoint(terms_of(body))
    if not parts and (is_wide or directory.named_by_file(body) or directory.made_by(body)):
        return ""
    if not parts and meant.parts and not _has_digit(meant.parts[0].name):
        parts = _proper_names(body)
    if said := _short_question(body, meant):
        return said
    if body.lower().startswith(("its ", "their ")):
        body = f"what is {body}"
    words = words_of(body)
    is_asked = any(word.tag in ("WP", "WDT", "WRB") for word in words[:2]) and len(words) > 4
    if not (is_sentence(body) or is_asked):
        return _with_fragment(body, meant, parts, is_opened=is_opened)
    if not parts:
        return _resolved(body, meant) or _without_part(body, meant)
    pointer = _pointer(body)
    if pointer is None or _kind_of(pointer) not in ("it", "that") or not meant.phrase:
        return ""
    is_first = pointer.start < parts[0].start
    return f"{body[: pointer.start]}{meant.phrase}{body[_end_of(pointer) :]}" if is_first else ""


def _short_question(body: str, meant: Earlier) -> str:
    """Complete questions of a word or two: why, where, which type, show me the figure, more."""
    bare = body.strip(" ?.!")
    short, own = _SHORT.fullmatch(bare), phrases_of(bare)
    if short is None or (short["asks"] and (_pointer(bare) is not None or is_sentence(bare))):
        return ""
    if short["show"] and meant.subject and own and " " in own[-1].text:
        return f"{bare} of {meant.subject}."
    return meant.beside(bare)


# Words that point


def _pointer(text: str) -> Word | None:
    """Find the first word that points at what was said; "that" before a clause does not."""
    tags = {"that": "DT", "there": "RB"}
    pointing = (w for w in words_of(text) if _kind_of(w))
    return next((w for w in pointing if tags.get(_kind_of(w), w.tag) == w.tag), None)


def _kind_of(word: Word) -> str:
    return _POINTERS.get(word.text.lower(), "")


def _end_of(word: Word) -> int:
    return word.start + len(word.text)


def _resolved(body: str, meant: Earlier) -> str:
    """Put what was said earlier for the words of a sentence that point at it.

    "It" is what was asked for where the sentence names nothing else ("Is it guaranteed?"), else the
    part ("Does it have an alert output?"). Where nothing can be said in the place of the word, the
    earlier question stands beside the new one.

    Args:
        body: A sentence.
        meant: The question that it may point at.

    Returns:
        The complete question; "" when nothing of it points at what was said.
    """
    own = _own_phrases(body)
    if said := _with_part(body, own, meant):
        return said
    pointer = _pointer(body)
    if pointer is None or len(body.split()) > _MAX_POINTING_WORDS:
        return ""
    start, end, kind = pointer.start, _end_of(pointer), _kind_of(pointer)
    is_within = any(p.end <= start and p.article in ("the", "a", "an", "my", "our") for p in own)
    if is_within and kind in ("it", "its") and len(body.split()) > 8:
        return ""  # "it" stands for a noun of the question itself
    if kind == "there":
        return meant.beside(body)
    noun = next((p for p in own if 0 <= p.start - end <= 1 and kind in ("that", "its")), None)
    if noun is not None and kind == "its":
        whose = meant.phrase if meant.is_thing else meant.subject
        said, end = f"the {noun.text} of {whose}" if whose else "", noun.end
    elif noun is not None:
        like = next((p for p in meant.phrases if p.head == noun.head), None)
        said, end = meant.place(like.text) if like is not None else "", noun.end
    elif all(limits_in(p.text) or p.head == "page" for p in own) or kind == "that":
        if meant.is_work and _WORK.match(body) and meant.noun is not None:
            said = f"the {meant.text[meant.noun.start :].rstrip('?.! ')}"
        elif not meant.is_work:
            said = meant.phrase or ("" if meant.noun or kind == "that" else meant.subject)
    else:
        said = (meant.phrase if meant.is_thing else "") or meant.subject or meant.phrase
    return f"{body[:start]}{said}{body[end:]}" if said else meant.beside(body)


def _with_part(body: str, own: Sequence[Phrase], meant: Earlier) -> str:
    """Make "the chip", "the sensor" the part, where its title says that it is one."""
    kinds = meant.kinds | any_device_terms()
    heads = {phrase.head for phrase in meant.phrases}
    for phrase in own:
        is_alone = " " not in phrase.text and phrase.article in ("the", "this", "that")
        is_part = phrase.head not in heads and not kinds.isdisjoint(terms_of(phrase.head))
        if meant.subject and is_alone and is_part:
            before = body[: phrase.start].rstrip()
            return f"{before[: -len(phrase.article)]}{meant.subject}{body[phrase.end :]}"
    return ""


def _without_part(body: str, meant: Earlier) -> str:
    """Add the part to "What is the slew rate?", which names none and could mean any.

    Only where all that it names is "the ...": what everyone who asks has at hand.
    """
    own = _own_phrases(body)
    is_definite = bool(own) and all(
        p.article in ("the", "which", "what") and p.text.casefold()[1:] == p.text[1:] for p in own
    )
    is_of_more = re.search(r"\b(?:of|than|which\s+\w+s\b)", body, re.IGNORECASE)
    if len(meant.about) != 1 or not is_definite or is_of_more or len(body.split()) > 10:
        return ""
    return f"{meant.about[0]}: {body[:1].lower()}{body[1:]}"


# Fragments: a part, a value, a limit, a name, a condition or another noun


def _said_beside(text: str, parts: Sequence[NamedPart]) -> list[str]:
    """Return the words of a text that say something beside its parts and its values."""
    spans = [(part.start, part.end) for part in parts]
    spans += [(value.start, value.end) for value in find_quantities(text)]
    idle = _IDLE_NOUNS | any_device_terms()
    return [
        word.text
        for word in words_of(text)
        if not any(start <= word.start < end for start, end in spans)
        and word.tag not in _IDLE_TAGS
        and idle.isdisjoint(terms_of(word.text))
    ]


def _at_end(question: str, words: str) -> str:
    """Put words at the end of a question, before its question mark."""
    return f"{question.rstrip('?.! ')} {words}?"


def _with_fragment(
    body: str, meant: Earlier, parts: Sequence[NamedPart], *, is_opened: bool
) -> str:
    """Complete a fragment; "" when it is none of that question."""
    bare = body.strip(" ?.!,")
    if not bare:
        return ""
    if parts:
        said, names = _said_beside(bare, parts), tuple(dict.fromkeys(part.name for part in parts))
        if not is_opened and said:
            return ""
        text = _with_parts(meant, names)
        for part in sorted(set(parts), key=lambda one: -one.start):
            bare = f"{bare[: part.start]} {bare[part.end :]}"
        bare = " ".join(bare.split())
        if not said and not find_quantities(bare):
            return text
        meant = replace(meant, text=text, parts=(), about=names)
    elif not (is_opened or body.rstrip().endswith("?") or find_quantities(bare)):
        return ""
    text = _with_values(meant.text, bare)
    heads = {phrase.head for phrase in phrases_of(bare)}
    if (limits := limits_in(bare)) and heads <= _IDLE_NOUNS:
        return _with_limit(text, limits[0])
    if text != meant.text:
        return text
    return _with_phrase(text, meant, bare)


def _with_parts(meant: Earlier, names: Sequence[str]) -> str:
    """Ask the earlier question of other parts; to a comparison they are added."""
    text = meant.text
    the = "the " if _has_digit(names[0]) else ""
    said = f" and {the}".join(names)
    if not meant.parts:
        return _at_end(text, f"of the {said}")
    if len({part.name for part in meant.parts}) > 1:
        end = meant.parts[-1].end
        return f"{text[:end]} and {the}{said}{text[end:]}"
    for part in reversed(meant.parts):
        text = f"{text[: part.start]}{said}{text[part.end :]}"
    return text


def _with_values(text: str, fragment: str) -> str:
    """Put the values of a fragment in the place of those with the same dimension."""
    for value in {(value.start, value.end): value for value in find_quantities(fragment)}.values():
        new = fragment[value.start : value.end]
        old = next((one for one in find_quantities(text) if one.base == value.base), None)
        if old is not None:
            text = f"{text[: old.start]}{new}{text[old.end :]}"
        else:
            led = [w.text for w in words_of(fragment[: value.start]) if w.tag == "IN"]
            text = _at_end(text, f"{(*led, 'at')[0]} {new}")
    return text


def _with_limit(text: str, limit: ColumnRole) -> str:
    """Ask for another limit: the maximum instead of the typical value."""
    new = BOUND_NAMES[limit]
    for word in words_of(text):
        if limits_in(word.text):
            new = new.capitalize() if word.text[0].isupper() else new
            return f"{text[: word.start]}{new}{text[_end_of(word) :]}"
    return _at_end(text, f"({new})")


def _with_phrase(text: str, meant: Earlier, bare: str) -> str:
    """Put a noun, a name or a phrase with a preposition in the place of its like."""
    new, old_phrases = phrases_of(f"of {bare}"), _own_phrases(text, meant.parts)
    for old in old_phrases if len(new) == 1 else ():
        if old.head == new[0].head and old.text != new[0].text:
            return f"{text[: old.start]}{_kept(old.text, new[0].text)}{text[old.end :]}"
    words = words_of(bare)
    for word in words:
        for other in words_of(text):
            # A number or a letter that tells things of a kind apart: E311 and E312.
            shapes = {re.sub(r"\d+|^[A-Z]$", "0", one.text) for one in (word, other)}
            if len(shapes) == 1 and word.text not in shapes:
                new_text = bare[word.start : _end_of(word)]
                return f"{text[: other.start]}{new_text}{text[_end_of(other) :]}"
    if words[0].tag in ("IN", "TO", "WRB", "VBG"):
        said = words_of(text)
        start = next((w.start for w in said if w.text.lower() == words[0].text.lower()), -1)
        ends = (w.start for w in said if w.tag in ("IN", "TO", ".", ",") and w.start > start)
        end = next(ends, len(text))
        if start < 0 or any(part.name in text[start:end] for part in meant.parts):
            return _at_end(text, bare)
        return f"{text[:start]}{bare} {text[end:]}".replace(" ?", "?")
    if not new:
        for old in reversed(old_phrases):
            if " " in old.text and old != meant.noun:
                return f"{text[: old.start]}{bare} {old.text.rsplit(' ', 1)[1]}{text[old.end :]}"
        return _at_end(text, f"({bare})")
    noun, asked = re.sub(r"^(?:the|its|their)\s+", "", bare, flags=re.IGNORECASE), meant.noun
    if asked is not None and not meant.is_thing:
        noun = _kept(asked.text, noun)
        if meant.is_work or text.startswith(asked.text) or _OF_NOUN.match(text):
            return f"{text[: asked.start]}{noun}{text[asked.end :]}"
    return f"What is {meant.place(noun)}?"


def _kept(old: str, new: str) -> str:
    """Keep the limit before a noun for the one in its place, where that can have one too."""
    first = old.split()[0]
    keeps = limits_in(first) and not limits_in(new) and dimensions_named(new)
    return f"{first} {new}" if keeps else new
