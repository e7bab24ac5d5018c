"""What "it", "its", "that pin", "this mode" and "there" of a follow-up stand for."""

from __future__ import annotations

import re
from collections.abc import Callable

from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.conditions import conditions_in
from desktop_qa.retrieve.question_frame import Frame, Wording

_DEVICE = r"(?:device|part|chip|ic|component|product|one|circuit)"
_VALUE_NOUN = r"(?:values?|parameters?|specs?|specifications?|numbers?|ratings?|limits?)"
_DEMONSTRATIVE = r"(?:that|this|the\s+same|these|those)"
_NAMED = (
    r"(?:pin|mode|register|bit|field|state|command|error|code|package|figure|table|section|page"
    r"|chapter|resistor|capacitor|inductor|step|dialog|menu|button|interface|input|output|channel"
    r"|terminal|jumper|connector|led|light|signal|flag|function|feature|setting)"
)
_CONDITION_NOUN = r"(?:temperature|voltage|current|frequency|load|gain|supply|speed|revision)"

_ITS = re.compile(r"\b(?:its|their)\b(?!\s+own\b)", re.IGNORECASE)
_ITS_AT_END = re.compile(
    r"^(?P<ask>\W*(?:and\s+)?(?:what|which)(?:['’]?s|\s+(?:is|are|was|were)))\s+(?:its|their)\s+"
    r"(?P<noun>[^?]+?)\s*\?*$",
    re.IGNORECASE,
)
_IT = re.compile(
    r"(?<!\w)(?:it|they|them)(?!\w|['’]s\s+true)(?!\s+(?:true|possible|necessary|safe|okay|ok|allowed)"
    r"\s+(?:that|to)\b)",
    re.IGNORECASE,
)
_THAT = re.compile(
    r"\b(?:is|was|are|were|does|do|did|can|could|will|would|why\s+is|how\s+is|where\s+is)\s+"
    rf"(?P<that>that|this|these|those)\b(?!\s+(?:right|true|correct)\b)(?!\s+{_NAMED}\b)(?!\s+(?:{_DEVICE}|{_CONDITION_NOUN})\b)"
    r"|\b(?P<end>that|this|those|these)\s*\?*$",
    re.IGNORECASE,
)
_OF_THE_PARAMETER = re.compile(
    r"\b(?:set|change|adjust|reduce|increase|lower|raise|improve|calculate|compute|measure|trim|select"
    r"|choose|limit|minimi[sz]e|estimate|determine)(?:s|d|ed|t)?\s+(?:it|them)\b"
    r"|\b(?:is|are|was|were)\s+(?:it|they)\s+(?:also\s+|only\s+)?(?:typical|guaranteed|an?\s+(?:typical"
    r"|maximum|minimum|guaranteed|average)|the\s+(?:maximum|minimum|typical)|maximum|minimum|tested"
    r"|specified|stated|given|measured|trimmed|fixed|adjustable|programmable|constant|linear|valid"
    r"|defined|higher|lower|larger|smaller|better|worse|more|less|per|dependent|affected|limited|set"
    r"|determined|production)\b"
    r"|\b(?:does|do|will|can)\s+(?:it|they)\s+(?:also\s+)?(?:depend|change|vary|drift|increase"
    r"|decrease|rise|fall|include|apply|get|become|improve|scale|hold)\b"
    r"|\bhow\s+(?:small|large|big|high|low|long|many|accurate)\s+(?:may|can|must|should)\s+"
    r"(?:it|they)\s+be\b"
    r"|\b(?:what|which)\s+(?:\w+\s+)?(?:limits?|affects?|determines?|influences?|causes?|sets?)\s+it\b",
    re.IGNORECASE,
)
_HOW_LONG = re.compile(
    r"\bhow\s+(?:long|much\s+time)\s+does\s+(?:it|that|this)\s+take\s*\?*$", re.I
)
_THE_DEVICE = re.compile(
    rf"\b(?:the|this|that)\s+(?P<noun>{_DEVICE}|[a-z]+)"
    r"(?=\s*(?:[?.,;:]|$)|\s+(?:is|are|was|does|do|has|have|can|must|may|might|will|should|need|draw|use"
    r"|support|come|run|work|start|measure|in|at|on|with|when|while|if|from|to|for|after|during|over"
    r"|under|and|or|be|itself|typically|usually)\b)",
    re.IGNORECASE,
)
_NAMED_THAT = re.compile(rf"\b{_DEMONSTRATIVE}\s+(?P<noun>{_NAMED})s?\b", re.IGNORECASE)
_VALUE_THAT = re.compile(rf"\b{_DEMONSTRATIVE}\s+{_VALUE_NOUN}\b", re.IGNORECASE)
_CONDITION_THAT = re.compile(
    rf"(?P<prep>\b(?:at|with|under|for|in)\s+)?\b{_DEMONSTRATIVE}\s+"
    rf"(?P<noun>{_CONDITION_NOUN}|conditions?)\b",
    re.IGNORECASE,
)
_THERE = re.compile(r"(?<!\bis\s)(?<!\bare\s)\b(?:there|here)\s*(?=\?*$)", re.IGNORECASE)
_LOCATION = re.compile(
    r"\b(?:at|on|in|into|to|from)\s+(?:the\s+)?(?:[\w/+-]+\s+){0,3}?"
    r"(?:pins?|terminals?|registers?|mode|page|section|chapter|table|state|input|output|connector"
    r"|dialog|menu)(?:\s+\d+(?:[-.]\d+)*)?(?!\w)",
    re.IGNORECASE,
)
_OWN_NOUN = re.compile(
    r"\b(?:the|an?|my|our|each|every|which|what)\s+(?!maximum|minimum|typical|value|range|function"
    r"|purpose|default|meaning|name|reason|effect)[a-z][\w-]+",
    re.IGNORECASE,
)
_SHORT = 6
"""Words of a question that has hardly room for a noun of its own that "it" could stand for."""


KINDS_OF_PARTS = frozenset(
    {
        *("sensor", "amplifier", "amp", "opamp", "converter", "regulator", "driver", "transceiver"),
        *("controller", "charger", "module", "board", "microcontroller", "processor", "memory"),
        *("eeprom", "clock", "adc", "dac", "comparator", "switch", "potentiometer", "timer"),
        *("accelerometer", "gyroscope", "magnetometer", "ldo", "isolator", "mcu", "soc", "radio"),
        *("reference", "multiplexer", "oscillator", "encoder", "decoder", "supervisor", "buffer"),
        *("barometer", "thermometer", "camera"),
    }
)


def has_anaphor(question: str) -> bool:
    """Tell whether a question points at something that was said before it."""
    return any(
        pattern.search(question) is not None
        for pattern in (_ITS, _IT, _THAT, _NAMED_THAT, _VALUE_THAT, _CONDITION_THAT, _THERE)
    )


def resolved(question: str, frame: Frame, answer: str, kinds: frozenset[str]) -> str:
    """Put what was said earlier for the words that point at it.

    Args:
        question: A whole question.
        frame: Of the earlier question.
        answer: Text of its answer, where names of pins and modes are looked for too.
        kinds: Words that the part may be called: "sensor", "regulator".

    Returns:
        The question with them replaced; as it was when they stand for something within it, or when
        nothing that was said fits them.
    """
    if (text := _how_long(question, frame)) != question:
        return text
    for replace in (_values, _conditions, _names, _locations, _device_nouns(kinds)):
        text = replace(text, frame, answer)
    if _points_within(question):
        return text
    text = _then(text, frame)
    if frame.wording is Wording.TASK and (needed := _NEEDED.match(text)):
        return f"{needed['why']} is it necessary to {frame.noun.rstrip('?. ')}?"
    if frame.wording is Wording.TASK:
        text = _DO_IT.sub(frame.noun.rstrip("?. "), text)
    text = _owned_by_name(text, frame, answer)
    text = _things(text, frame)
    text = _demonstratives(text, frame)
    return _pronouns(text, frame)


_OF_NAMES = (
    ("register", r"address|bits?|fields?|reset\s+value|default(?:\s+value)?|width|layout|access"
                 r"|contents?|bit\s+fields?",
     r"read|write|written|clear|set|change|access|reset|program"),
    ("pin", r"number|function|voltage|state|type|direction|capacitance|pull-?up"
            r"|leakage(?:\s+current)?|purpose|rating|level|location",
     r"connect|drive|tie|leave|use|float|pull"),
    ("mode", r"purpose|current(?:\s+consumption)?|supply\s+current|advantages?|duration",
     r"enter|leave|exit|start|stop|activate|enable|disable|select|use"),
)  # fmt: skip
"""What is asked of a register, a pin or a mode, rather than of the part that has it."""


_NEEDED = re.compile(
    r"^\W*(?P<why>(?:and\s+|but\s+)?why|when)\s+is\s+(?:that|this|it)\s+(?:even\s+)?"
    r"(?:needed|necessary|required|done)\W*$",
    re.IGNORECASE,
)
_COMPLEMENT = re.compile(r"\bare\s+(?:the\s+)?(?P<things>(?:[\w-]+\s+){0,2}[a-z-]+s)\s*\??$")
_DO_IT = re.compile(r"\bdo\s+(?:it|that|this)\b", re.IGNORECASE)
_THEY = re.compile(r"\b(?:they|them)\b", re.IGNORECASE)


def _then(text: str, frame: Frame) -> str:
    """Take the mode of the earlier question for "then": "What current does it draw then?"."""
    match = re.search(r"\s+(?:then|in\s+(?:that|this)\s+case)\s*\?*$", text, re.IGNORECASE)
    modes = [condition for condition in frame.conditions if condition.kind == "mode"]
    return f"{text[: match.start()]} in {modes[-1].core}?" if match is not None and modes else text


def _things(text: str, frame: Frame) -> str:
    """Take the things asked for, not the one part that has them, for "they" and "them"."""
    if len(frame.about) > 1:
        return text
    match = _COMPLEMENT.search(frame.text)
    things = match["things"] if match is not None else frame.noun
    if not things.endswith("s") or things.endswith("ss") or len(things.split()) > 4:
        return text
    of = f" of {frame.subject}" if frame.subject else ""
    return _THEY.sub(f"the {things}{of}", text, count=1)


_HELD = re.compile(
    r"\b(?P<it>it)\s+(?:\w+\s+)?(?:be\s+)?(?:held|pulled|tied|driven|kept|left|connected)\b",
    re.IGNORECASE,
)


def name_in(noun: str, answer: str) -> str:
    """Return the one pin, mode or register that an answer names, "" when there are more or none."""
    return _named_as(noun, answer, only=True)


def _owned_by_name(text: str, frame: Frame, answer: str) -> str:
    """Let "its address" be that of the register asked about, "enter it" that of the mode."""
    for noun, properties, verbs in _OF_NAMES:
        named = _named_as(noun, frame.text)
        if not named and re.search(rf"\b(?:which|what)\s+{noun}\b", frame.text, re.IGNORECASE):
            named = _named_as(noun, answer, only=True)
        if not named:
            continue
        of = _of_subject(frame, named, "")
        owned = re.match(
            rf"^(?P<ask>.*?)\b(?:its|their)\s+(?P<what>{properties})\s*\?*$", text, re.IGNORECASE
        )
        if owned is not None:
            return f"{owned['ask']}the {owned['what']} of the {named}{of}?"
        done = re.search(rf"\b(?:{verbs})(?:ed|s)?\s+(?P<it>it)\b", text, re.IGNORECASE)
        if done is None and noun == "register":
            done = re.search(r"\baddress\s+(?:is|has)\s+(?P<it>it)\b", text, re.IGNORECASE)
        if done is None and noun == "pin":
            done = _HELD.search(text)
        if done is not None:
            return f"{text[: done.start('it')]}the {named}{of}{text[done.end('it') :]}"
    return text


def _points_within(question: str) -> bool:
    """Tell whether "it" stands for a noun of the question itself: "Does a part drift when it ...".

    "The maximum of it" and "the set value it has" name nothing else.
    """
    match = _IT.search(question) or _ITS.search(question)
    if match is None:
        return False
    before = question[: match.start()]
    is_short = len(question.split()) <= _SHORT + 2
    if is_short and re.search(r"\b(?:of|for|on|in|to|with|from|about)\s+$", before, re.IGNORECASE):
        return False
    return len(question.split()) > _SHORT and any(
        not re.match(r"(?:which|what)\b", own.group(), re.I) or own.end() < len(before.rstrip()) - 5
        for own in _OWN_NOUN.finditer(before)
    )


def _how_long(text: str, frame: Frame) -> str:
    match = _HOW_LONG.search(text)
    if match is None or frame.wording is not Wording.TASK:
        return text
    return f"How long does it take to {frame.noun.rstrip('?. ')}?"


def _values(text: str, frame: Frame, _answer: str) -> str:
    return _VALUE_THAT.sub(lambda _: frame.phrase, text) if frame.phrase else text


def _conditions(text: str, frame: Frame, _answer: str) -> str:
    match = _CONDITION_THAT.search(text)
    if match is None or not frame.conditions:
        return text
    noun = match["noun"].casefold()
    fitting = [c for c in frame.conditions if noun.startswith("condition") or c.kind == noun]
    if not fitting:
        return text
    said = " and ".join(c.introduced if n == 0 else c.core for n, c in enumerate(fitting))
    return f"{text[: match.start()]}{said}{text[match.end() :]}"


def _names(text: str, frame: Frame, answer: str) -> str:
    """Take the pin that the question named last for "that pin", else the one of the answer."""
    match = _NAMED_THAT.search(text)
    if match is None or _says_itself(text[: match.start()], match["noun"]):
        return text
    named = _named_as(match["noun"], frame.text) or _named_as(match["noun"], answer, only=True)
    of = _of_subject(frame, named, text)
    return f"{text[: match.start()]}the {named or match['noun']}{of}{text[match.end() :]}"


def _says_itself(before: str, noun: str) -> bool:
    return (
        re.search(rf"\b(?:the|which|what|a|an)\s+(?:[\w-]+\s+)?{noun}s?\b", before, re.I)
        is not None
    )


_ARTICLES = re.compile(
    r"^(?:the|an?|of|in|at|which|what|this|that|each|every|any|its|and|or)$", re.I
)


def _named_as(noun: str, text: str, *, only: bool = False) -> str:
    """Find "the nFAULT pin", "pin 5", "error E312" or "shutdown mode" in a text.

    Args:
        noun: What is named.
        text: A question or an answer.
        only: Only when the text names one alone.
    """
    modes = [c.core for c in conditions_in(text) if c.kind == "mode" and noun == "mode"]
    if modes and not only:
        return modes[-1] if modes[-1].endswith("mode") else f"{modes[-1]} mode"
    plain = re.sub(r"[*`\[\]]", " ", text)
    found: dict[str, None] = {}
    for match in re.finditer(rf"(?P<name>[\w/+-]+(?: [\w/+-]+)?)\s+{noun}\b", plain, re.IGNORECASE):
        words = match["name"].split()
        while words and _ARTICLES.match(words[0]):
            words.pop(0)
        if words and not _ARTICLES.match(words[-1]):
            is_long = noun.casefold() == "mode" or len(words[-1]) == 1
            found.setdefault(f"{' '.join(words) if is_long else words[-1]} {noun}")
    for match in re.finditer(rf"\b(?i:{noun})\s+(?:[A-Z]*\d[\w.-]*|[A-Z]{{2,}}\w*)", plain):
        found.setdefault(match.group())
    names = list(found)
    if only and len(names) != 1:
        return ""
    return names[-1] if names else ""


def _locations(text: str, frame: Frame, _answer: str) -> str:
    match = _THERE.search(text)
    if match is None:
        return text
    places = [m.group() for m in _LOCATION.finditer(frame.text)]
    named = (_named_as(noun, frame.text) for noun in ("register", "pin", "mode"))
    places += [f"in the {name}" for name in named if name and not places]
    if not places:
        return text
    place = places[-1]
    return f"{text[: match.start()]}{place}{_of_subject(frame, place, text)}{text[match.end() :]}"


def _device_nouns(kinds: frozenset[str]) -> Callable[[str, Frame, str], str]:
    """Make "the chip", "the sensor" the part, where its title says that it is one."""

    def replace(text: str, frame: Frame, _answer: str) -> str:
        if not frame.subject:
            return text
        for match in _THE_DEVICE.finditer(text):
            noun = match["noun"].casefold()
            if re.fullmatch(_DEVICE, noun) or (
                noun in KINDS_OF_PARTS and not kinds.isdisjoint(terms_of(noun))
            ):
                return f"{text[: match.start()]}{frame.subject}{text[match.end() :]}"
        return text

    return replace


def _of_subject(frame: Frame, named: str, text: str) -> str:
    is_said = any(name.casefold() in f"{named} {text}".casefold() for name in frame.about)
    return f" of {frame.subject}" if frame.subject and not is_said else ""


def _demonstratives(text: str, frame: Frame) -> str:
    match = _THAT.search(text)
    if match is None:
        return text
    meant = frame.phrase
    group = "that" if match["that"] else "end"
    if not meant or re.search(r"\b(?:does|do|did|can)\s+that\s*\?*$", text, re.IGNORECASE):
        return text
    return f"{text[: match.start(group)]}{meant}{text[match.end(group) :]}"


def _pronouns(text: str, frame: Frame) -> str:
    if frame.phrase and _OF_THE_PARAMETER.search(text):
        return _IT.sub(lambda _: frame.phrase, text, count=1)
    if _DO_IT.search(text):
        return text
    is_named = re.search(rf"\b{_NAMED}\b", frame.phrase) is not None
    if frame.wording is Wording.MEANING and (is_named or not frame.subject):
        return _IT.sub(lambda _: frame.phrase, text, count=1)
    if not frame.subject:
        return text
    owned = _ITS_AT_END.match(text)
    if owned is not None:
        return f"{owned['ask']} the {owned['noun']} of {frame.subject}?"
    if len(frame.about) == 1:
        text = _ITS.sub(f"{frame.subject}'s", text)
    else:
        text = _ITS.sub(lambda _: f"of {frame.subject} the", text)
    if len(frame.about) > 1 and re.search(r"\bit\b", text, re.IGNORECASE):
        return text  # one of them is meant
    return _IT.sub(lambda _: frame.subject, text, count=1)
