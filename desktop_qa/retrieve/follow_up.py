"""Follow-ups: a question that needs the ones before it, completed from them.

"and at 125 °C?", "what about the DRV8833C?", "and the maximum?", "what is its package?". What the
new question says takes the place of what the earlier one said of the same kind; everything else
stays. A question that is complete in itself is never altered, and no part is put in that neither
the user nor the answer before named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_qa.augment.quantities import find_quantities
from desktop_qa.core.answer import Answer
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.answer_kind import limits_in
from desktop_qa.retrieve.earlier import (
    OF_VALUES,
    POINTER,
    Earlier,
    earlier,
    own_phrases,
    resolved,
)
from desktop_qa.retrieve.fragments import FILLER, MAX_WORDS, at_end, with_fragment, without
from desktop_qa.retrieve.part_names import PartNames
from desktop_qa.retrieve.phrases import is_sentence, phrases_of, words_of

NO_EARLIER_QUESTION = (
    "This goes on from an earlier question, and there is none in this conversation."
)
ASK_WHOLE = "Ask it whole, such as “What is the supply current of the … at 125 °C?”."

_OPENER = re.compile(
    r"^\W*(?:(?:and|but|or|so|then|also|ok(?:ay)?|now|yes|no|well|thanks|thank\s+you)\b[\s,.]*)*"
    r"(?:(?:what|how)\s+about\b|what\s+if\b(?=\s+(?:at|in|with))"
    r"|(?:the\s+)?same(?:\s+(?:question|thing|again|for|with|but|at|in))*\b(?=\s)|ditto)?\s*",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    r"\s*,?\s+(?:instead|please|though|too|again|as\s+well)(?=\W*$)", re.IGNORECASE
)
_ASKS = re.compile(
    r"^(?:(?:at|in|on|from|by|with|to|for)\s+)?(?:what|which|who|how|when|where|why)\b",
    re.IGNORECASE,
)
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_ORDINAL = re.compile(rf"\b(?:the\s+)?({'|'.join(_ORDINALS)})(?:\s+one)?\W*$", re.IGNORECASE)
_OF_TWO = re.compile(
    r"\bthe\s+(?P<former>former|first\s+one)\b|\bthe\s+(?P<latter>latter|second\s+one)\b"
    r"|(?P<all>\b(?:them|both|each)\b(?:\s+(?:of\s+)?(?:them|these|those))?|\bthe\s+two\b)"
    r"|(?P<which>^which(?:\s+one|\s+of\s+(?:them|these|those|the\s+two|both))?\s+\w+)",
    re.IGNORECASE,
)
_ACROSS = re.compile(r"\b(?:any|all|every|library|documents?|datasheets?)\b", re.IGNORECASE)
_LED = re.compile(
    r"^(?P<condition>(?:for|in|at|with|over|under)\s[^,?]{2,40}),\s+"
    r"(?P<question>(?:what|which|how|is|are|does|can)\b.+)$",
    re.IGNORECASE,
)
"""A condition before the question: "for TO-220, what is the thermal resistance?"."""
_MORE = re.compile(r"^\W*(?:(?:tell|give)\s+me\s+)?more\b|^\W*(?:explain|details)\b", re.IGNORECASE)
_WHERE = re.compile(r"^\W*(?:where|(?:on\s+)?(?:which|what)\s+page)\b", re.IGNORECASE)
_TWO_SENTENCES = re.compile(r"[.?!]\s+\w+\s+\w+\s+\w+\s+\w+\s+\w+")
_MAX_BACK = 6
_MAX_CHARACTERS = 400
_MAX_EARLIER_CHARACTERS = 600


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of a conversation.

    Attributes:
        question: Complete, as it was read.
        answer: Text of its answer.
        readings: The questions it was offered as, when it was ambiguous.
        documents: Cited by its answer.
    """

    question: str
    answer: str = ""
    readings: tuple[str, ...] = ()
    documents: tuple[DocumentId, ...] = ()

    @classmethod
    def of(cls, answer: Answer) -> Turn:
        """Take what a follow-up may need from an answer."""
        cited = dict.fromkeys(citation.document_id for citation in answer.citations)
        return cls(answer.read_as or answer.question, answer.text, answer.readings, tuple(cited))


def is_follow_up_only(question: str, names: PartNames) -> bool:
    """Tell whether a question can mean nothing without an earlier one: "and at 125 °C?"."""
    text = " ".join(question.split())
    if not re.search(r"\w", text) or len(text) > _MAX_CHARACTERS or names.find(text):
        return False
    opener = _OPENER.match(text)
    body = text[opener.end() if opener is not None else 0 :].strip(" ?.!,")
    is_opened = body != text.strip(" ?.!,")
    nouns = {phrase.head for phrase in phrases_of(body)} - {"page", *OF_VALUES}
    if not body or re.fullmatch(r"why|how\s+come|where", body, re.IGNORECASE):
        return True
    if is_sentence(body):
        return _WHERE.match(body) is not None and not nouns and POINTER.search(body) is not None
    return is_opened and (
        bool(find_quantities(body)) or bool(limits_in(body)) or words_of(body)[0].tag == "IN"
    )


def completed(question: str, turns: Sequence[Turn], names: PartNames) -> str:
    """Complete a follow-up from the conversation.

    Args:
        question: As typed.
        turns: The earlier questions, the latest last.
        names: Of the library's parts.

    Returns:
        The complete question that is asked; "" when the question is no follow-up.
    """
    text = " ".join(question.split())
    if not turns or not text or len(text) > _MAX_CHARACTERS:
        return ""
    if reading := _chosen_reading(text, turns[-1], names):
        return reading
    before = [earlier(turn.question, names, turn.documents) for turn in turns[-_MAX_BACK:]]
    opener = _OPENER.match(text)
    body = _CLOSER.sub("", text[opener.end() if opener is not None else 0 :].strip())
    is_opened = opener is not None and bool(opener.group().strip())
    if _TWO_SENTENCES.search(body):
        return ""
    complete = _of_two_parts(body, before, names)
    if not complete:
        meant = next((one for one in reversed(before) if _says_something(one)), None)
        complete = _completed(body, meant, names, is_opened=is_opened) if meant is not None else ""
    complete = " ".join(complete.split())
    if not complete or complete.casefold().strip(" ?.!") == text.casefold().strip(" ?.!"):
        return ""
    mark = "" if complete[-1] in "?.!" else "?"
    return f"{complete[:1].upper()}{complete[1:]}{mark}"


def _says_something(one: Earlier) -> bool:
    """Tell whether a turn can be gone on from: not "thanks", nor "Which one is faster?"."""
    is_short = len(one.text) <= _MAX_EARLIER_CHARACTERS
    return is_short and bool(one.about or (one.noun and len(one.text.split()) > 2))


def _chosen_reading(text: str, turn: Turn, names: PartNames) -> str:
    """Take the reading that is named by its part or its place in the list."""
    if not turn.readings:
        return ""
    if (ordinal := _ORDINAL.search(text)) and len(text.split()) <= 5:
        n = _ORDINALS[ordinal[1].casefold()]
        return turn.readings[n] if n < len(turn.readings) else ""
    parts = names.find(text)
    if len(parts) != 1 or FILLER.sub("", without(text, ((part.start, part.end) for part in parts))):
        return ""
    wanted = parts[0].name.casefold()
    fitting = [r for r in turn.readings if wanted in (p.name.casefold() for p in names.find(r))]
    return fitting[0] if len(fitting) == 1 else ""


def _of_two_parts(body: str, before: Sequence[Earlier], names: PartNames) -> str:
    """Name the two parts that were asked about last in "Which one is faster?", "Compare them."."""
    match = _OF_TWO.search(body)
    parts = list(dict.fromkeys(name for one in reversed(before) for name in one.about))[:2]
    if match is None or len(parts) < 2 or names.find(body):
        return ""
    last = before[-1].about
    first, second = last if len(last) == 2 else (parts[1], parts[0])
    if match["former"] or match["latter"]:
        meant = first if match["former"] else second
        return f"{body[: match.start()]}the {meant}{body[match.end() :]}"
    if match["which"]:
        if len(match["which"].split()) < 3 and words_of(body)[1].tag != "VBZ":
            return ""
        return f"{body.rstrip('?. ')}, the {first} or the {second}?"
    noun = next((one.noun.text for one in reversed(before) if one.noun is not None), "")
    is_bare = not own_phrases(body)
    of = f"the {noun} of " if noun and is_bare else ""
    said = f"{body[: match.start()]}{of}the {first} and the {second}{body[match.end() :]}"
    return f"{said.rstrip('?. ')}{'.' if said.lower().startswith('compare') else '?'}"


def _completed(body: str, meant: Earlier, names: PartNames, *, is_opened: bool) -> str:
    if len(meant.about) == 1 and (is_opened or len(body.split()) <= 3):
        short = re.search(r"\bthe\s+([A-Z]?\d[\w-]*)\W*$", body)
        if short is not None and (sibling := names.sibling(meant.about[0], short[1])):
            body = f"{body[: short.start(1)]}{sibling}{body[short.end(1) :]}"
    if led := _LED.match(body):
        asked = _completed(led["question"], meant, names, is_opened=is_opened)
        return at_end(asked, led["condition"]) if asked else ""
    parts = names.find(body)
    if not parts and (names.names_another_way(body) or _ACROSS.search(body)):
        return ""
    if said := _short_question(body, meant):
        return said
    if re.match(r"(?:its|their)\b", body, re.IGNORECASE):
        body = f"what is {body}"
    is_noun = re.match(r"the\s+(?:\S+\s*){1,3}$", body, re.IGNORECASE)
    if (is_sentence(body) and not is_noun) or (_ASKS.match(body) and len(body.split()) > 3):
        if not parts:
            return resolved(body, meant) or _without_part(body, meant)
        pointer = POINTER.search(body)
        if pointer is None or not pointer["that"] or not meant.phrase:
            return ""
        return f"{body[: pointer.start()]}{meant.phrase}{body[pointer.end() :]}"
    return with_fragment(body, meant, parts, is_opened=is_opened)


def _short_question(body: str, meant: Earlier) -> str:
    """Complete questions of a word or two: why, where, which type, show me the figure, more."""
    bare, asked = body.strip(" ?.!"), meant.text.rstrip("?.! ")
    what = meant.phrase or (f"how to {meant.work}" if meant.work else meant.subject)
    if re.fullmatch(r"(?:why|how\s+come)(?:\s+(?:is\s+)?(?:that|this|so))?", bare, re.IGNORECASE):
        if meant.phrase and not re.match(
            r"(?:is|are|do|does|can|may|must)\b", asked, re.IGNORECASE
        ):
            return f"What is the reason for {meant.phrase}?"
        return f"Why {asked[:1].lower()}{asked[1:]}?"
    if (
        _WHERE.match(bare)
        and len(bare.split()) < 7
        and (POINTER.search(bare) or len(bare.split()) < 3)
    ):
        what = meant.phrase or (f"how to {meant.work}" if meant.work else "")
        said = f"On which page is {what or 'that'} stated"
        return f"{said}?" if what else f"{said} ({asked[:1].lower()}{asked[1:]})?"
    if _MORE.match(bare) and what and not {p.head for p in phrases_of(bare)} - {"detail"}:
        return f"Explain {what}."
    words = bare.split()
    shows = re.match(r"(?:show|give|tell|list|is\s+there|where\s+is)\b", bare, re.IGNORECASE)
    if shows and what and len(words) <= 6 and not re.search(r"\bof\b", bare):
        of = (
            meant.subject
            if len(phrases_of(bare)[-1:]) and " " in phrases_of(bare)[-1].text
            else what
        )
        return f"{bare} of {of or what}."
    if _ASKS.match(bare) and len(words) <= 3 and not is_sentence(" ".join(words[1:])):
        return f"{bare}: {asked[:1].lower()}{asked[1:]}?" if not POINTER.search(bare) else ""
    return ""


def _without_part(body: str, meant: Earlier) -> str:
    """Add the part to "What is the slew rate?", which names none and could mean any.

    Only where all that it names is "the ...": what everyone who asks has at hand.
    """
    own = own_phrases(body)
    is_named = any(re.search(r"(?<!^)\b[A-Z][a-z]", p.text) for p in own)
    definite = [p for p in own if p.article in ("the", "which", "what")]
    is_of_more = re.search(r"\b(?:of|than|which\s+(?:of|\w+s)\b)", body, re.IGNORECASE)
    if len(meant.about) != 1 or is_named or is_of_more or len(body.split()) > MAX_WORDS + 1:
        return ""
    is_choice = own and own[0].article in ("which", "what") and len(own) > 1
    if not definite or len(definite) < len(own) or is_choice:
        return ""
    if re.match(r"(?:what|which)\b", body, re.IGNORECASE) and len(own) == 1:
        is_last = not body[own[0].end :].strip(" ?.!") or not is_sentence(body[: own[0].end])
        if is_last or find_quantities(body):
            at = own[0].end if not body[own[0].end :].strip(" ?.!") else len(body.rstrip("?.! "))
            at = own[0].end if find_quantities(body) else at
            return f"{body[:at]} of {meant.subject}{body[at:]}"
    return f"{meant.about[0]}: {body[:1].lower()}{body[1:]}"
