"""Follow-ups: a question that needs the ones before it, completed from them.

"and at 125 °C?", "what about the DRV8833C?", "and the maximum?", "what is its package?". What the
new question says takes the place of what the earlier one said of the same kind; everything else
stays. A question that is complete in itself is never altered, and no part is put in that neither
the user nor the answer before named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_qa.core.answer import Answer
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.anaphora import KINDS_OF_PARTS, has_anaphor, resolved
from desktop_qa.retrieve.conditions import (
    at_end,
    conditions_in,
    without_conditions,
)
from desktop_qa.retrieve.follow_up_rewrites import (
    limit_meant,
    with_limit,
    with_part,
)
from desktop_qa.retrieve.fragments import (
    MAX_FRAGMENT_WORDS,
    OF_ANOTHER,
    PREPOSITIONAL,
    fragment,
    fragment_conditions,
    limited,
    with_conditions,
)
from desktop_qa.retrieve.part_names import NamedPart, PartNames
from desktop_qa.retrieve.question_frame import Frame, Wording, frame_of
from desktop_qa.retrieve.short_questions import is_short_question, short_question

_OPENER = re.compile(
    r"^\W*(?:(?:and|but|or|so|then|also|ok(?:ay)?|now|yes|no|well)\b[\s,]*)*"
    r"(?:(?:what|how)\s+about\b|what\s+if\b(?=\s+(?:at|in|with))"
    r"|(?:the\s+)?same(?:\s+(?:question|thing|again|for|with|but|at|in))*\b(?=\s)"
    r"|likewise|ditto)?\s*",
    re.IGNORECASE,
)
_STARTS_WITH_VERB_OR_ASKS = re.compile(
    r"^\W*(?:(?:at|in|on|from|by|with|to|for)\s+(?:what|which)|what|which|who|how|when|where|why|is|are|was|does|do|did|can|could|may|must|should|will"
    r"|would|has|have|show|give|tell|list|name|find|compare|explain|describe|summari[sz]e|calculate"
    r"|please|i|my|we|there|if|whats|hows|wheres)\b",
    re.IGNORECASE,
)
_PART_FILLER = re.compile(
    r"\b(?:the|an?|of|in|on|for|with|to|from|about|family|series|part|chip|device|one|version|variant"
    r"|instead|too|as\s+well|then|and|or|now|please|datasheet|it|is|that|there|other"
    rf"|{'|'.join(sorted(KINDS_OF_PARTS))})\b|['’]s\b|[^\w]",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"^\W*(?:i\s+mean(?:t)?\s+)?(?:the\s+)?(?P<n>first|second|third|fourth|fifth|last)(?:\s+one)?\W*$",
    re.IGNORECASE,
)
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_IT = re.compile(r"\b(?:that|this|it)\b", re.IGNORECASE)
_COMPARES_IT = re.compile(r"^\W*(?:how\s+does|is|was|does)\s+(?:that|this|it)\b", re.IGNORECASE)
_WITHOUT_PART = re.compile(
    r"^\W*(?:and\s+|so\s+)?(?:what(?:['’]?s|\s+is|\s+are)\s+the|which\s+(?:pin|register|bit|mode"
    r"|package|command)s?\b(?:\s+is|\s+are)?(?:\s+the)?)\s+(?P<noun>[^?]+?)\s*\?*$"
    r"|^\W*(?:and\s+|so\s+)?(?:what|which|how\s+many|how\s+much)\s+(?P<kind>[^?]+?)\s+(?:is|are)\s+"
    r"(?:recommended|required|needed|used|available|supported|allowed|specified|possible|there"
    r"|offered|provided)\s*\?*$",
    re.IGNORECASE,
)
_ACROSS = re.compile(
    r"\b(?:which|any|all)\s+(?:of\s+)?(?:\w+\s+){0,2}?(?:parts|devices|chips|sensors|documents"
    r"|datasheets|amplifiers|regulators|products|op\s?amps)\b|\b(?:library|documents)\b",
    re.IGNORECASE,
)
_WHICH_ONE = re.compile(
    r"^\W*(?:and\s+|so\s+)?(?:which(?:\s+one|\s+of\s+(?:them|these|those|the\s+two|both)"
    r"|(?=\s+(?:is|has|draws|needs|uses)\s+(?:the\s+)?\w+(?:er|est)\b))\s+\w+"
    r"|(?P<compare>compare\s+(?:them|both|the\s+two|these|those)\W*$))",
    re.IGNORECASE,
)
_FORMER = re.compile(r"\bthe\s+(?:former|first\s+one)\b", re.IGNORECASE)
_LATTER = re.compile(r"\bthe\s+(?:latter|second\s+one)\b", re.IGNORECASE)
_SHORT_NAME = re.compile(r"(?:(?:for|of|in|on|with)\s+)?the\s+(?P<name>[A-Z]\d[\w-]*|\d{3,}\w*)\W*")
_LAST_WORD = re.compile(r"\s*,?\s+(?:instead|please|though|too|again|as\s+well)(?=\s*\??$)", re.I)
_LED = re.compile(
    r"^(?P<condition>(?:for|in|at|with|over|under)\s[^,?]{2,40}),\s+"
    r"(?P<question>(?:what|which|how|is|are|does|can)\b.+)$",
    re.IGNORECASE,
)
"""A condition before the question: "for TO-220, what is the thermal resistance?"."""

_TWO_SENTENCES = re.compile(r"[.?!]\s+\w+\s+\w+\s+\w+")
_MAX_WORDS_POINTING = 14
_OF_EACH = re.compile(
    r"\b(?P<of>of|for|in)\s+(?:each|both)(?:\s+(?:of\s+)?(?:them|these|those|parts|devices|chips))?"
    r"(?=\W*$)",
    re.IGNORECASE,
)
_MAX_BACK = 6
_MAX_WORDS_OF_SAME = 10
_MAX_CHARACTERS = 400
_MAX_EARLIER_CHARACTERS = 600

NO_EARLIER_QUESTION = (
    "This goes on from an earlier question, and there is none in this conversation."
)
ASK_WHOLE = "Ask it whole, such as “What is the supply current of the … at 125 °C?”."


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
        return cls(
            answer.read_as or answer.question,
            answer.text,
            answer.readings,
            tuple(cited),
        )


def is_follow_up_only(question: str, names: PartNames) -> bool:
    """Tell whether a question can mean nothing without an earlier one: "and at 125 °C?"."""
    if not re.search(r"\w", question) or len(question) > _MAX_CHARACTERS or names.find(question):
        return False
    opener = _OPENER.match(question)
    body = question[opener.end() :].strip(" ?.!,") if opener is not None else question
    is_opened = opener is not None and bool(opener.group().strip())
    if is_short_question(question) or not body:
        return True
    if not is_opened or _STARTS_WITH_VERB_OR_ASKS.match(body):
        return False
    return bool(PREPOSITIONAL.match(body) or limit_meant(body) or fragment_conditions(body))


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
    if not turns or not text or len(text) > _MAX_CHARACTERS or _TWO_SENTENCES.search(text):
        return ""
    if reading := _chosen_reading(text, turns[-1], names):
        return reading
    frames = [_frame_of_turn(turn, names) for turn in turns[-_MAX_BACK:]]
    if between := _between_parts(text, frames, names):
        return between
    number = next((n for n in range(len(frames) - 1, -1, -1) if _says_something(frames[n])), -1)
    if number < 0:
        return ""
    frame = frames[number]
    before = next((f for f in reversed(frames[:number]) if f.noun and f.about == frame.about), None)
    frame = replace(frame, backdrop=before)
    complete = _completed(text, frame, turns[-_MAX_BACK:][number], names)
    complete = " ".join(complete.split())
    if not complete or complete.casefold().strip(" ?.!") == text.casefold().strip(" ?.!"):
        return ""
    mark = "" if complete[-1] in "?.!" else "?"
    return f"{complete[:1].upper()}{complete[1:]}{mark}"


def _frame_of_turn(turn: Turn, names: PartNames) -> Frame:
    cited = [names.of_document(document_id) for document_id in turn.documents]
    return frame_of(turn.question, names, [code for code in cited if code])


def _says_something(frame: Frame) -> bool:
    """Tell whether a turn can be gone on from: not "thanks", nor "Which one is faster?"."""
    is_short = len(frame.text) <= _MAX_EARLIER_CHARACTERS
    return is_short and bool(frame.about or (frame.noun and len(frame.text.split()) > 2))


def _between_parts(text: str, frames: Sequence[Frame], names: PartNames) -> str:
    """Name the two parts that were asked about last in "Which one is faster?", "Compare them."."""
    match = _WHICH_ONE.match(text)
    each = _OF_EACH.search(text)
    if (match is None and each is None) or names.find(text):
        return ""
    parts = list(dict.fromkeys(name for frame in reversed(frames) for name in frame.about))[:2]
    if len(parts) < 2:
        return ""
    later, earlier = parts
    if match is None or each is not None:
        question = _OF_EACH.sub(f"\\g<of> the {earlier} and the {later}", text)
        return question[:1].upper() + question[1:]
    if match["compare"]:
        noun = next((frame.noun for frame in reversed(frames) if frame.noun), "")
        of = f"the {noun} of " if noun and frames[-1].wording is not Wording.TASK else ""
        return f"Compare {of}the {earlier} and the {later}."
    question = f"{text.rstrip('?. ')}, the {earlier} or the {later}?"
    return question[:1].upper() + question[1:]


def _chosen_reading(text: str, turn: Turn, names: PartNames) -> str:
    """Take the reading that is named by its part or its place in the list."""
    if not turn.readings:
        return ""
    if ordinal := _ORDINAL.match(text):
        n = _ORDINALS[ordinal["n"].casefold()]
        return turn.readings[n] if n < len(turn.readings) else ""
    parts = names.find(text)
    if len(parts) != 1 or not _is_filler(text, parts):
        return ""
    wanted = parts[0].name.casefold()
    fitting = [
        reading
        for reading in turn.readings
        if any(part.name.casefold() == wanted for part in names.find(reading))
    ]
    return fitting[0] if len(fitting) == 1 else ""


def _completed(text: str, frame: Frame, turn: Turn, names: PartNames) -> str:
    opener = _OPENER.match(text)
    body = (text[opener.end() :] if opener is not None else text).strip()
    body = _LAST_WORD.sub("", body)
    is_opened = opener is not None and bool(opener.group().strip())
    if led := _LED.match(body):
        asked = _completed(led["question"], frame, turn, names)
        return at_end(asked, led["condition"]) if asked else ""
    kinds = names.kinds_of(
        document for part in frame.parts for document in part.documents
    ) | names.kinds_of(turn.documents)
    if len(frame.about) == 2:
        body = _FORMER.sub(f"the {frame.about[0]}", body)
        body = _LATTER.sub(f"the {frame.about[1]}", body)
        if body not in text:
            return body
    if is_opened and len(frame.about) == 1 and (short := _SHORT_NAME.fullmatch(body)):
        body = names.sibling(frame.about[0], short["name"]) or body
    parts = names.find(body)
    if parts:
        return _with_named_part(body, parts, frame, names, is_opened=is_opened)
    if conditions := fragment_conditions(body):
        return with_conditions(frame.text, conditions)
    if names.names_another_way(body) or _ACROSS.search(body):
        return ""
    if said := short_question(text, frame):
        return said
    if not _STARTS_WITH_VERB_OR_ASKS.match(body) or (is_opened and PREPOSITIONAL.match(body)):
        return fragment(body, frame, is_opened=is_opened)
    is_short = len(body.split()) <= _MAX_WORDS_POINTING
    if is_short and (has_anaphor(body) or _names_device(body)):
        said = resolved(body, frame, turn.answer, kinds)
        if said != body:
            return said
    return _without_part(body, frame)


def _names_device(body: str) -> bool:
    return re.search(r"\b(?:the|this|that)\s+[a-z]+\b", body) is not None


def _with_named_part(
    body: str, parts: Sequence[NamedPart], frame: Frame, names: PartNames, *, is_opened: bool
) -> str:
    """The earlier question of another part; nothing when the new one asks for something itself."""
    rest = _without_parts(body, parts)
    conditions = fragment_conditions(rest)
    if _is_filler(body, parts) or conditions:
        if not is_opened and not conditions and not _only_names(body, parts):
            return ""
        question = with_part(frame, list(dict.fromkeys(part.name for part in parts)))
        return with_conditions(question, conditions)
    if limit := limit_meant(_PART_FILLER.sub(" ", rest)):
        asked = frame_of(with_limit(frame, limit), names, frame.about)
        return with_part(asked, [part.name for part in parts])
    if frame.phrase and _COMPARES_IT.match(body) and (it := _IT.search(body)):
        return f"{body[: it.start()]}{frame.phrase}{body[it.end() :]}"
    return ""


def _only_names(body: str, parts: Sequence[NamedPart]) -> bool:
    return len(body.split()) <= 2 * len(parts) + 1


def _without_parts(body: str, parts: Sequence[NamedPart]) -> str:
    for part in reversed(parts):
        body = f"{body[: part.start]} {body[part.end :]}"
    return " ".join(body.split())


def _is_filler(body: str, parts: Sequence[NamedPart]) -> bool:
    return not _PART_FILLER.sub("", _without_parts(body, parts))


_OF_THE_SAME = re.compile(
    r"^\W*(?:what\s+happens\s+(?:when|if)\b|where\s+(?:can|do)\s+I\s+find\s+the\b"
    r"|(?:can|should|must|may|do)\s+I\s.*\bthe\b|what\s+if\b"
    r"|(?:what|which|how\s+(?:long|much|many|fast|often|large))\b[^?]*\b(?:can|do|should|must|will)\s+I"
    r"\s+(?:get|expect|use|connect|apply|wait|draw|set|choose|have|need|send|write|read|put|supply)\b"
    r"|how\s+(?:long|often|fast|many|much)\s+(?:does|do|can|may|is|are)\s+an?\s+[\w-]+"
    r"|how\s+(?:long|soon|often)\s+(?:until|before|after)\b|how\s+many\s+\w*\s*can\s+I\b"
    r"|(?:is|are)\s+the\s.*\b(?:the\s+same|also|different|higher|lower|larger|smaller)\b)",
    re.IGNORECASE,
)
"""Questions about what everyone who asks has at hand: the part of the conversation."""


def _without_part(body: str, frame: Frame) -> str:
    """Add the part to "What is the slew rate?", which names none and could mean any."""
    is_same = _OF_THE_SAME.match(body) and not OF_ANOTHER.search(body.partition(" ")[2])
    if is_same and len(frame.about) == 1 and len(body.split()) <= _MAX_WORDS_OF_SAME:
        return f"{frame.about[0]}: {body[:1].lower()}{body[1:]}"
    match = _WITHOUT_PART.match(body)
    if match is None or not frame.parts:
        return ""
    noun = match["noun"] or match["kind"]
    if OF_ANOTHER.search(noun) or re.match(r"(?:does|do|did|that|this)\b", noun, re.IGNORECASE):
        return ""
    is_elsewhere = re.search(r"\s[A-Z][a-z]{2,}", noun) is not None
    if len(body.split()) > MAX_FRAGMENT_WORDS or is_elsewhere:
        return ""
    conditions = conditions_in(body)
    if limit := limit_meant(without_conditions(noun)):
        return with_conditions(with_limit(limited(frame), limit), conditions)
    if conditions and match["noun"]:
        start = conditions[0].start
        return f"{body[:start].rstrip()} of {frame.subject} {body[start:]}"
    return at_end(body, f"{'of' if match['noun'] else 'for'} {frame.subject}")
