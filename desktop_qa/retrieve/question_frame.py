"""What a complete question consists of: its parts, its parameter, its conditions, its wording.

A follow-up changes one of them and keeps the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop_qa.retrieve.conditions import Condition, conditions_in, without_conditions
from desktop_qa.retrieve.part_names import NamedPart, PartNames


class Wording(StrEnum):
    """How a question asks."""

    VALUE = "value"
    AMOUNT = "amount"
    CHOICE = "choice"
    COMPARE = "compare"
    TASK = "task"
    MEANING = "meaning"
    OTHER = "other"


QUALIFIER = (
    r"(?:absolute\s+maximum|maximum|max\.?|minimum|min\.?|typical|typ\.?|nominal|guaranteed|highest"
    r"|lowest|largest|smallest|longest|shortest|greatest|best|worst[- ]case|worst|fastest|slowest"
    r"|default|recommended)"
)
_QUALIFIERS = rf"(?P<qualifier>{QUALIFIER}(?:\s*(?:,|and|or)\s*{QUALIFIER})*)"
_ENDS = (
    r"(?=\s+(?:of|for|at|in|on|with|without|when|while|during|if|from|over|under|after|before|between"
    r"|to|per|versus|vs|does|do|did|is|are|was|must|can|may|might|should|has|have|will|would|read"
    r"|reads|mean|means|that|which|whose|and|or|the|an?|according|as|by|I|you|we|it)(?![\w-])"
    r"|\s*[,?.;:(]|\s*$)"
)
_WORD = r"[\w/+&µΩ²\-.]+"
_NOUN = (
    rf"(?:{_QUALIFIERS}\s+)?"
    rf"(?P<noun>(?!(?:on|in|at|of|for|with|there)\s){_WORD}(?:\s+{_WORD}){{0,6}}?){_ENDS}"
)
_START = r"^\W*(?:(?:and|so|then|but)\s+)?"
_LEAD = re.compile(
    r"^(?:[^:?]{2,60}:\s+|(?:for|with|in|on|of)\s+(?:the\s+)?[^,?]{2,60},\s+)(?=\w)", re.IGNORECASE
)
_MEASURES = {
    "long": "time", "fast": "speed", "quickly": "speed", "large": "size", "big": "size",
    "accurate": "accuracy", "accurately": "accuracy", "often": "rate", "heavy": "weight",
    "precise": "precision", "high": "height", "far": "distance", "hot": "temperature",
}  # fmt: skip
_NAMED_THING = r"(?:pin|register|bit|field|command|signal|flag|output|input|interrupt|mode|led)"
_AUXILIARY = r"(?:does|do|did|is|are|was|has|have|can|must|may|will|would|should)"
_FORMS: tuple[tuple[Wording, re.Pattern[str]], ...] = tuple(
    (wording, re.compile(pattern, re.IGNORECASE))
    for wording, pattern in (
        (Wording.TASK, rf"{_START}how\s+(?:(?:do|can|should|must|could|would|may)\s+"
                       r"(?:i|we|you|one)|to)\s+(?P<noun>[^?]+)"),
        (Wording.MEANING, rf"{_START}what\s+(?:does|do|did)\s+(?P<noun>[^?]+?)\s+(?:mean|do|read"
                          rf"|contain|indicate|stand\s+for|hold|control)\b"),
        (Wording.MEANING, rf"{_START}(?:is|are|does|do|can|must|may|how\s+do\s+I\s+\w+)\s+"
                          rf"(?P<noun>the\s+[\w/+-]+\s+{_NAMED_THING}(?:\s+of\s+the\s+[\w-]+)?)\b"),
        (Wording.COMPARE, rf"{_START}compare\s+(?:the\s+)?{_NOUN}"),
        (Wording.VALUE, rf"{_START}(?:what|which)(?:['’]?s|\s+(?:is|are|was|were))\s+"
                        rf"(?:(?:the|an?)\s+)?{_NOUN}"),
        (Wording.VALUE, rf"{_START}(?:please\s+)?(?:show|give|tell|list|name|find|state|describe"
                        rf"|explain)(?:\s+me)?\s+(?:all\s+)?(?:(?:the|an?)\s+)?{_NOUN}"),
        (Wording.AMOUNT, rf"{_START}how\s+(?:much|many)\s+(?P<noun>[\w-]+(?:\s+[\w-]+){{0,2}}?)"
                         rf"(?=\s+{_AUXILIARY}\b)"),
        (Wording.AMOUNT, rf"{_START}how\s+(?P<noun>{'|'.join(_MEASURES)})(?=\s+{_AUXILIARY}\b)"),
        (Wording.CHOICE, rf"{_START}(?:(?:at|in|on|to|from|by|with|for|below|above)\s+)?"
                         rf"(?:what|which)\s+(?P<noun>[\w-]+(?:\s+[\w-]+){{0,4}}?)"
                         rf"(?=\s+(?:{_AUXILIARY}|shows?|lists?|means?|draws?|needs?)\b)"),
        (Wording.VALUE, rf"^\W*(?!(?:what|which|how|when|where|why|who|is|are|does|do|can|may|must"
                        r"|will|has|have|should|if|it|i|my|we|you|there|this|that)\b)"
                        rf"(?:the\s+)?{_NOUN}"),
    )
)  # fmt: skip
_VERB = re.compile(
    r"\b(?:is|are|was|does|do|did|can|must|may|will|has|have|should|shall|would)\b", re.IGNORECASE
)
_MAX_BARE_WORDS = 16


@dataclass(frozen=True, slots=True)
class Frame:
    """A complete question taken apart.

    Attributes:
        noun: What is asked for without qualifiers: "offset voltage"; of a task, what is to be done.
        noun_start: Of the noun in the text.
        parts: Each part named, in order, also when named twice.
        about: Names of parts that it is about: those named, else those that its answer cited.
        backdrop: The question before it, of the same part, where this one has no noun of its own:
            "Is it guaranteed?".
    """

    text: str
    wording: Wording
    noun: str
    noun_start: int
    qualifier: str
    parts: tuple[NamedPart, ...]
    conditions: tuple[Condition, ...]
    about: tuple[str, ...]
    backdrop: Frame | None = None

    @property
    def subject(self) -> str:
        """The parts as a sentence calls them: "the ORA217 and the ORA218"; "" for none."""
        names = [f"the {name}" for name in self.about]
        if len(names) < 2:
            return "".join(names)
        return f"{', '.join(names[:-1])} and {names[-1]}"

    @property
    def phrase(self) -> str:
        """What is asked for as a noun phrase with its part and conditions; "" for none."""
        if not self.noun or self.wording in (Wording.TASK, Wording.OTHER):
            return self.backdrop.phrase if self.backdrop is not None else ""
        bare = self.text.rstrip("?.! ")
        if self.wording is Wording.MEANING:
            return self.noun
        if self.wording is Wording.AMOUNT and (clause := self._clause(bare)):
            return clause
        if self.wording in (Wording.AMOUNT, Wording.CHOICE):
            tail = " ".join(condition.introduced for condition in self.conditions)
            of = f" of {self.subject}" if self.subject else ""
            return f"the {_MEASURES.get(self.noun, self.noun)}{of} {tail}".rstrip()
        start = self.noun_start
        if self.qualifier:
            start = bare.lower().rindex(self.qualifier.lower(), 0, start)
        owner = next((p for p in self.parts if p.end <= start <= p.end + 3), None)
        named = bare[owner.start if owner is not None else start :]
        if self.qualifier and owner is None:
            named = named[:1].lower() + named[1:]
        phrase = f"the {named}"
        if self.subject and not any(p.start >= start for p in self.parts) and owner is None:
            return f"{phrase} of {self.subject}"
        return phrase

    def _clause(self, bare: str) -> str:
        """Turn "how much current does the X draw at 25 °C" into a noun with a clause."""
        match = re.match(r"\s+(?:does|do|did)\s+", bare[self.noun_start + len(self.noun) :], re.I)
        if match is None or not self.parts:
            return ""
        start = self.noun_start + len(self.noun) + match.end()
        end = self.parts[-1].end
        verb = re.match(r"\s+(?:typically\s+)?([a-z]+)\b", bare[end:])
        if end <= start or verb is None:
            return ""
        ending = "es" if verb[1].endswith(("s", "sh", "ch", "x", "o")) else "s"
        inflected = "has" if verb[1] == "have" else f"{verb[1]}{ending}"
        rest = bare[end + verb.end() :]
        noun = _MEASURES.get(self.noun, self.noun)
        return f"the {noun} that {bare[start:end]} {inflected}{rest}"


_WRAPPED = re.compile(
    r"^(?:what\s+is\s+the\s+reason\s+for|on\s+which\s+page\s+is|explain)\s+(?P<what>the\s+.+?)"
    r"(?:\s+stated)?\s*[?.]$",
    re.IGNORECASE,
)
"""What was asked about an earlier question; the next one goes on from that."""


def frame_of(question: str, names: PartNames, cited: Sequence[str] = ()) -> Frame:
    """Take a complete question apart.

    Args:
        question: As it was read.
        names: Of the library.
        cited: Part numbers of the documents that its answer cited.
    """
    if wrapped := _WRAPPED.match(question):
        question = f"What is {wrapped['what']}?"
    parts = names.find(question)
    own = tuple(dict.fromkeys(part.name for part in parts))
    about = own or (tuple(cited) if len(set(cited)) == 1 else ())
    conditions = conditions_in(question)
    wording, noun, start, qualifier = _asked(question, parts)
    return Frame(question, wording, noun, start, qualifier, parts, conditions, about)


def _asked(question: str, parts: Sequence[NamedPart]) -> tuple[Wording, str, int, str]:
    lead = _LEAD.match(question)
    offset = lead.end() if lead is not None else 0
    body = question[offset:]
    for wording, pattern in _FORMS:
        match = pattern.match(body)
        if match is None:
            continue
        is_bare = pattern is _FORMS[-1][1]
        if is_bare and (_VERB.search(body) or len(body.split()) > _MAX_BARE_WORDS):
            continue
        groups = match.groupdict()
        start, noun = offset + match.start("noun"), match["noun"]
        for part in parts:  # "the ORC1604's slew rate", "ORA217 slew rate"
            if part.start <= start < part.end:
                cut = re.match(r"['’]?s?\s*", question[part.end :])
                begin = part.end + (cut.end() if cut is not None else 0)
                noun, start = question[begin : start + len(noun)], begin
        return wording, noun.strip(" ,"), start, groups.get("qualifier") or ""
    return Wording.OTHER, "", 0, ""


_QUANTITY = re.compile(
    r"\b(?:voltage|current|time|resistance|range|frequency|temperature|width|rate|capacitance|gain"
    r"|power|noise|accuracy|error|delay|threshold|limit|resolution|bandwidth|duration|drift|offset"
    r"|consumption|impedance|period|density|rating|dissipation|sensitivity|linearity|dropout|psrr"
    r"|cmrr|hysteresis|ripple|efficiency|output|input|level|value|speed|regulation|leakage|swing)s?$",
    re.IGNORECASE,
)


def is_quantity(noun: str) -> bool:
    """Tell whether a noun phrase is something that is measured, which conditions may change."""
    return _QUANTITY.search(without_conditions(noun).rstrip("?. ")) is not None
