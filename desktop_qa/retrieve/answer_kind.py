"""What kind of value a question wants: dimensions ("how long": time) and limits ("at worst").

Telling the type of the answer from the question is an old part of question answering (Li and Roth,
"Learning question classifiers", COLING 2002); here it ranks, and never excludes, statements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from desktop_qa.augment.value_kinds import dimensions_in
from desktop_qa.core.document import ColumnRole

_DIMENSION_WORDS: Mapping[str, str] = {
    "time": r"how (?:long|short|soon|quickly)|durations?|pulses?|delays?"
    r"|(?:micro|milli|nano)?-?seconds?\b|\btimes?\b|latency|periods?\b"
    r"|time-?outs?|\bwait|deglitch|debounce",
    "current": r"\bcurrents?\b|\bdraws?\b|consum|\bam(?:p|pere)s?\b|milliamps?|microamps?|leakage",
    "voltage": r"voltages?|\bvolts?\b|millivolts?|dropout|\bdrop\b|swing|thresholds?\b|offset",
    "frequency": r"frequenc|\bclock\b|bandwidth|how (?:fast|often)|\brates?\b|speed|hertz|\bodr\b",
    "resistance": r"resistances?|\bohms?\b|resistors?|impedance",
    "temperature": r"temperatures?|how (?:hot|cold|warm)|degrees",
    "thermal resistance": r"thermal resistance|junction-to-",
    "power": r"power (?:dissipat|consum|loss|is lost)|\bdissipat|watts?\b|output power|sensitivity",
    "noise": r"\bnoise\b|\bnoisy\b|\bquiet",
    "share": r"accura|errors?\b|linearity|tolerance|rejection|\bgain\b|percent",
    "capacitance": r"capacitances?\b|capacitors?\b",
    "inductance": r"inductances?\b|inductors?\b",
    "length": r"dimensions?\b|millimet|how (?:wide|tall|thick)|\bpitch\b|body size",
    "information": r"how many (?:bits|bytes)|\bresolution\b|memory size|capacity",
    # What a sensor senses names the part more often than the value asked for: only units count.
    "light": r"\blux\b",
    "magnetic field": r"\bgauss\b|\btesla\b",
}
_DIMENSIONS = {name: re.compile(words, re.IGNORECASE) for name, words in _DIMENSION_WORDS.items()}
_LIMITS = {
    ColumnRole.MAX: re.compile(
        r"\bmax(?:imum)?\b|\bworst|at (?:the )?most\b|upper limit|longest|highest|largest|biggest"
        r"|greatest|no more than|as much as|\bup to\b",
        re.IGNORECASE,
    ),
    ColumnRole.MIN: re.compile(
        r"\bmin(?:imum)?\b|at least\b|lower limit|shortest|lowest|smallest|no less than",
        re.IGNORECASE,
    ),
    ColumnRole.TYP: re.compile(
        r"\btyp(?:ical(?:ly)?)?\b|\bnominal|\bnormally\b|\busual", re.IGNORECASE
    ),
}
BOUND_NAMES: Mapping[ColumnRole | None, str] = {
    ColumnRole.MIN: "minimum", ColumnRole.TYP: "typical", ColumnRole.MAX: "maximum"
}  # fmt: skip
_WANTED_UNIT = re.compile(
    r"(?:how many|\bin|number of|expressed in)\s+([°µμA-Za-zΩ%][\w/√°Ω²%]*)", re.IGNORECASE
)


_ENDS_A_PHRASE = (
    r"(?!(?:is|are|was|does|do|did|can|may|must|will|should|has|have|the|of|for|at|in|on|with|when"
    r"|to)(?![\w-]))"
)
_ASKED_PHRASES = re.compile(
    r"\bhow (?:much|many|long|short|fast|quickly|soon|high|low|hot|cold|warm|wide|tall|thick|large"
    rf"|big|small|accurate|quiet|noisy|far)\b(?:\s+{_ENDS_A_PHRASE}[\w°µΩ-]+){{0,3}}"
    r"|\b(?:what|which)(?:\s+(?:is|are|was)\s+(?:the|its|their|an?)?|'s)?"
    r"(?:\s+(?:range|limits?|values?|amount|level|kind) of)?"
    rf"(?:\s+{_ENDS_A_PHRASE}[\w/°µΩ-]+){{1,7}}"
    r"|\b(?:typ(?:ical)?|max(?:imum)?|min(?:imum)?|lowest|highest|worst[- ]case|nominal|guaranteed"
    rf"|largest|smallest|longest|shortest)\b(?:\s+{_ENDS_A_PHRASE}[\w/-]+){{1,5}}",
    re.IGNORECASE,
)
"""Where a question names what it asks for: behind "how much", "what", "maximum"."""


def limits_in(text: str) -> tuple[ColumnRole, ...]:
    """Return the limits that a text asks for: MAX for "at worst", none for "how much"."""
    return tuple(role for role, words in _LIMITS.items() if words.search(text))


def asked_dimensions(question: str) -> frozenset[str]:
    """Tell which dimensions the value asked for has, from the phrases that name it.

    "Dropout at half an amp over the whole temperature range" asks for a voltage.

    Returns:
        Names of dimensions; empty when the phrases name none.
    """
    phrases = " ; ".join(match.group() for match in _ASKED_PHRASES.finditer(question))
    if not phrases:
        return frozenset()
    wanted = set(dimensions_named(phrases))
    for unit in _WANTED_UNIT.findall(phrases):
        wanted |= dimensions_in(f"({unit}")
    return frozenset(wanted)


def dimensions_named(text: str) -> frozenset[str]:
    """Return the dimensions that words name: "frequency" for "clock" or "data rate"."""
    return frozenset(name for name, words in _DIMENSIONS.items() if words.search(text))
