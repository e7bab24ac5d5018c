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

from desktop_qa.core.answer import Answer
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.anaphora import has_anaphor, resolved
from desktop_qa.retrieve.conditions import (
    Condition,
    at_end,
    conditions_in,
    with_condition,
    without_conditions,
)
from desktop_qa.retrieve.follow_up_rewrites import (
    limit_meant,
    with_limit,
    with_parameter,
    with_part,
)
from desktop_qa.retrieve.part_names import NamedPart, PartNames
from desktop_qa.retrieve.question_frame import Frame, Wording, frame_of

_OPENER = re.compile(
    r"^\W*(?:(?:and|but|or|so|then|also|ok(?:ay)?|now|yes|no|well)\b[\s,]*)*"
    r"(?:(?:what|how)\s+about\b|what\s+if\b(?=\s+(?:at|in|with))"
    r"|(?:the\s+)?same(?:\s+(?:question|thing|again|for|with|but|at|in))*\b(?=\s)"
    r"|likewise|ditto)?\s*",
    re.IGNORECASE,
)
_STARTS_WITH_VERB_OR_ASKS = re.compile(
    r"^\W*(?:what|which|who|how|when|where|why|is|are|was|does|do|did|can|could|may|must|should|will"
    r"|would|has|have|show|give|tell|list|name|find|compare|explain|describe|summari[sz]e|calculate"
    r"|please|i|my|we|there|if|whats|hows|wheres)\b",
    re.IGNORECASE,
)
_PART_FILLER = re.compile(
    r"\b(?:the|an?|of|in|on|for|with|to|from|about|family|series|part|chip|device|one|version|variant"
    r"|instead|too|as\s+well|then|and|or|now|please|datasheet|it|is|that|there)\b|['’]s\b|[^\w]",
    re.IGNORECASE,
)
_PREPOSITIONAL = re.compile(
    r"^(?:in|at|with|without|during|over|via|through|by|using|for|on|under|when|while|after|before"
    r"|between|from|per|across|below|above|if|until)\b",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"^(?:the\s+|an?\s+)?(?:[\w+-]+\s+){1,3}(?:version|variant|one|ones|model|grade)$",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"^\W*(?:and\s+|but\s+)?(?:why|how\s+come)(?:\s+(?:is\s+)?(?:that|this|so))?\W*$", re.I
)
_WHERE = re.compile(
    r"^\W*(?:and\s+)?(?:(?:on\s+)?(?:which|what)\s+page|where)(?:\s+(?:is|was|does)\s+(?:that|this|it)"
    r"(?:\s+(?:stated|said|say|written|given|specified|stand|from|come\s+from|say\s+(?:that|so)))?)?\W*$",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"^\W*(?:and\s+|please\s+|can\s+you\s+)*(?P<ask>show(?:\s+me)?|is\s+there|give\s+me|where\s+is)\s+"
    r"(?P<what>(?:the|an?|its)?\s*(?:\w+\s+)?(?:figure|diagram|plot|graph|curve|chart|picture|drawing"
    r"|image|table)s?)(?:\s+(?:for|of|about|on)\s+(?:it|that|this))?\W*$",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"^\W*(?:(?:tell\s+me\s+|give\s+me\s+)?more(?:\s+details?|\s+about\s+(?:it|that|this))?"
    r"|(?:please\s+)?explain(?:\s+(?:it|that|this))?|details)\W*$",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(r"^(?:is|are|does|do|can|may|must|should|will|has|have)\b", re.IGNORECASE)
_HAPPENS = re.compile(r"^what\s+happens(?:\s+to)?\b", re.IGNORECASE)
_ORDINAL = re.compile(
    r"^\W*(?:i\s+mean(?:t)?\s+)?(?:the\s+)?(?P<n>first|second|third|fourth|fifth|last)(?:\s+one)?\W*$",
    re.IGNORECASE,
)
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_IT = re.compile(r"\b(?:that|this|it)\b", re.IGNORECASE)
_COMPARES_IT = re.compile(r"^\W*(?:how\s+does|is|was|does)\s+(?:that|this|it)\b", re.IGNORECASE)
_WITHOUT_PART = re.compile(
    r"^\W*(?:and\s+|so\s+)?(?:what(?:['’]?s|\s+is|\s+are)\s+the|which\s+(?:pin|register|bit|mode|package"
    r"|command)s?\b(?:\s+is|\s+are)?(?:\s+the)?)\s+(?P<noun>[^?]+?)\s*\?*$",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"\b(?:of|for|which|these|those|among|all|any|every|each|library|documents?|datasheets?|than"
    r"|between|compared?|versus|vs|difference)\b",
    re.IGNORECASE,
)
_ACROSS = re.compile(
    r"\b(?:which|any|all)\s+(?:of\s+)?(?:\w+\s+){0,2}?(?:parts|devices|chips|sensors|documents"
    r"|datasheets|amplifiers|regulators|products|op\s?amps)\b|\b(?:library|documents)\b",
    re.IGNORECASE,
)
_MAX_FRAGMENT_WORDS = 9
_MAX_BARE_WORDS = 5
_MAX_CHARACTERS = 400

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
        return cls(answer.read_as or answer.question, answer.text, answer.readings, tuple(cited))


def is_follow_up_only(question: str, names: PartNames) -> bool:
    """Tell whether a question can mean nothing without an earlier one: "and at 125 °C?"."""
    if len(question) > _MAX_CHARACTERS or names.find(question):
        return False
    opener = _OPENER.match(question)
    body = question[opener.end() :].strip(" ?.!,") if opener is not None else question
    is_opened = opener is not None and bool(opener.group().strip())
    if _WHY.match(question) or _WHERE.match(question) or not body:
        return True
    if not is_opened or _STARTS_WITH_VERB_OR_ASKS.match(body):
        return False
    return bool(_PREPOSITIONAL.match(body) or limit_meant(body) or _fragment_conditions(body))


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
    turn = turns[-1]
    if reading := _chosen_reading(text, turn, names):
        return reading
    cited = [names.of_document(document_id) for document_id in turn.documents]
    frame = frame_of(turn.question, names, [code for code in cited if code])
    if not frame.text.strip():
        return ""
    complete = _completed(text, frame, turn, names)
    complete = " ".join(complete.split())
    if not complete or complete.casefold().strip(" ?.!") == text.casefold().strip(" ?.!"):
        return ""
    return complete[:1].upper() + complete[1:]


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
    is_opened = opener is not None and bool(opener.group().strip())
    kinds = names.kinds_of(
        document for part in frame.parts for document in part.documents
    ) | names.kinds_of(turn.documents)
    parts = names.find(body)
    if parts:
        return _with_named_part(body, parts, frame, names, is_opened=is_opened)
    if conditions := _fragment_conditions(body):
        return _with_conditions(frame.text, conditions)
    if names.names_another_way(body) or _ACROSS.search(body):
        return ""
    if short := _short_question(text, frame):
        return short
    if not _STARTS_WITH_VERB_OR_ASKS.match(body):
        return _fragment(body, frame, is_opened=is_opened)
    if has_anaphor(body) or _names_device(body):
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
    conditions = _fragment_conditions(rest)
    if _is_filler(body, parts) or conditions:
        if not is_opened and not conditions and not _only_names(body, parts):
            return ""
        question = with_part(frame, list(dict.fromkeys(part.name for part in parts)))
        return _with_conditions(question, conditions)
    if limit := limit_meant(_PART_FILLER.sub(" ", rest)):
        limited = frame_of(with_limit(frame, limit), names, frame.about)
        return with_part(limited, [part.name for part in parts])
    if frame.phrase and _COMPARES_IT.match(body) and (it := _IT.search(body)):
        return f"{body[: it.start()]}{frame.phrase}{body[it.end() :]}"
    return ""


def _with_conditions(question: str, conditions: Sequence[Condition]) -> str:
    for condition in conditions:
        question = with_condition(question, condition)
    return question


def _only_names(body: str, parts: Sequence[NamedPart]) -> bool:
    return len(body.split()) <= 2 * len(parts) + 1


def _without_parts(body: str, parts: Sequence[NamedPart]) -> str:
    for part in reversed(parts):
        body = f"{body[: part.start]} {body[part.end :]}"
    return " ".join(body.split())


def _is_filler(body: str, parts: Sequence[NamedPart]) -> bool:
    return not _PART_FILLER.sub("", _without_parts(body, parts))


def _fragment_conditions(body: str) -> tuple[Condition, ...]:
    """Return the conditions that a fragment consists of; none when it says more."""
    bare = body.strip(" ?.!,")
    conditions = conditions_in(bare)
    if not conditions:
        return ()
    rest = re.sub(
        r"\b(?:and|or|with|at|in|the|of|for|only|then)\b|\W",
        "",
        without_conditions(bare),
        flags=re.I,
    )
    return () if rest else conditions


def _fragment(body: str, frame: Frame, *, is_opened: bool) -> str:
    """A condition, a limit or a parameter without a verb."""
    bare = body.strip(" ?.!,")
    if not bare or len(bare.split()) > _MAX_FRAGMENT_WORDS:
        return ""
    if limit := limit_meant(bare):
        return with_limit(frame, limit)
    if _VERSION.match(bare):
        return at_end(frame.text, f"for {bare if bare.startswith('the') else 'the ' + bare}")
    if _PREPOSITIONAL.match(bare):
        return (
            _with_phrase(frame, bare) if is_opened or len(bare.split()) <= _MAX_BARE_WORDS else ""
        )
    if re.fullmatch(r"[\w.-]+", bare) and (swapped := _with_token(frame, bare)):
        return swapped
    if not is_opened and (len(bare.split()) > _MAX_BARE_WORDS or _OF_ANOTHER.search(bare)):
        return ""
    if not frame.subject and not frame.noun:
        return ""
    return with_parameter(frame, bare, keeps_conditions=True)


def _with_token(frame: Frame, token: str) -> str:
    """Swap a name of the same shape: "and E311?" after a question about E312."""
    shape = re.sub(r"\d", "0", token)
    if shape == token:
        return ""
    for match in re.finditer(r"(?<![\w-])[\w-]+(?![\w-])", frame.text):
        if re.sub(r"\d", "0", match.group()) == shape:
            return f"{frame.text[: match.start()]}{token}{frame.text[match.end() :]}"
    return ""


def _with_phrase(frame: Frame, phrase: str) -> str:
    """Put a phrase in the place of one that starts and ends alike, or at the end."""
    preposition, head = phrase.split()[0], phrase.split()[-1]
    old = re.search(
        rf"\b{preposition}\s+(?:(?!{preposition}\b)[\w+-]+\s+){{0,3}}?{re.escape(head)}(?!\w)",
        frame.text,
        re.IGNORECASE,
    )
    if old is None and preposition.casefold() in ("over", "via", "through", "using", "during"):
        old = re.search(rf"\b{preposition}\s+(?:the\s+)?[\w-]+", frame.text, re.IGNORECASE)
    if old is None:
        return at_end(frame.text, phrase)
    return f"{frame.text[: old.start()]}{phrase}{frame.text[old.end() :]}"


def _short_question(text: str, frame: Frame) -> str:
    """Questions of a word or two: why, where, show me the figure, more."""
    what = frame.phrase or (f"the {frame.noun}" if frame.noun else "") or frame.subject
    if _WHY.match(text):
        if frame.wording is Wording.TASK:
            return f"Why do I have to {frame.noun.rstrip('?. ')}?"
        if _YES_OR_NO.match(frame.text):
            return f"Why {frame.text[:1].lower()}{frame.text[1:]}"
        if happens := _HAPPENS.match(frame.text):
            return f"Why does that happen{frame.text[happens.end() :]}"
        return f"What is the reason for {what}?" if what else ""
    if frame.wording is Wording.TASK:
        what = f"how to {frame.noun.rstrip('?. ')}"
    if _WHERE.match(text):
        return f"On which page is {what} stated?" if what else ""
    if figure := _FIGURE.match(text):
        shown = re.sub(r"^its\b", "the", figure["what"].strip(), flags=re.IGNORECASE)
        return (
            f"{figure['ask']} {shown} of {what}{'.' if 'show' in figure['ask'].lower() else '?'}"
            if what
            else ""
        )
    if _MORE.match(text):
        return f"Explain {what}." if what else ""
    return ""


def _without_part(body: str, frame: Frame) -> str:
    """Add the part to "What is the slew rate?", which names none and could mean any."""
    match = _WITHOUT_PART.match(body)
    if match is None or not frame.parts or _OF_ANOTHER.search(match["noun"]):
        return ""
    if len(body.split()) > _MAX_FRAGMENT_WORDS:
        return ""
    if limit := limit_meant(match["noun"]):
        return with_limit(frame, limit)
    conditions = conditions_in(body)
    if conditions:
        start = conditions[0].start
        return f"{body[:start].rstrip()} of {frame.subject} {body[start:]}"
    return at_end(body, f"of {frame.subject}")
