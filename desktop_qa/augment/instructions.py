"""Tells instructions from descriptions: imperatives and what must be done."""

from __future__ import annotations

import re
from itertools import pairwise


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VERBS = _words(
    "abort accept acknowledge acquire activate add adjust adopt align allow append apply arm "
    "assemble assert assign attach average avoid bake begin bend boot bring browse build burn "
    "bypass calculate calibrate cancel capture check choose clean clear click close collect "
    "combine compile complete compute configure confirm connect consider consult continue "
    "convert copy couple create customise customize deactivate deassert decide declare decrease "
    "define delete derive deselect detach determine dial disable discard discharge disconnect "
    "dismiss divide double-click download drag draw dry-bake edit eject enable enforce enlarge "
    "ensure enter erase establish evaluate examine exclude execute export expose extract feed "
    "fetch fill find finish fit flip flush fold follow generate get give glue go grant handle "
    "hold hover identify ignore import include increase increment indicate initialise "
    "initialize initiate inject insert inspect install interrupt invert invoke join keep launch "
    "lay leave left-click let load locate log loosen lower lubricate make mask match measure "
    "merge minimise minimize modify mount move multiply navigate observe obtain omit open "
    "optimise optimize override pack paste pause perform pick place plug point poll populate "
    "pour power-cycle precharge precondition prepare preset press prevent proceed provide "
    "publish pull push put query raise read reapply reboot recalculate receive reconnect "
    "recover redo reduce refresh rehydrate reinstall release reload remember remove rename "
    "repeat replace request resend reset resolve restart restore resume retain retrieve retry "
    "return review rewrite right-click rinse rotate run save scan scroll secure see select send "
    "separate set shift shut simulate skip slide solder solve sort specify start stipulate stop "
    "store submit subtract supply suspend swap switch synchronise synchronize take tap "
    "terminate tick tie tighten tilt toggle touch transfer transmit trigger try tune turn twist "
    "type unlock unmount unpack unplug unscrew unselect untick unwrap update upgrade upload use "
    "utilise utilize validate vary verify view visit wait wake warm wash wipe withdraw write "
    "zip zoom"
)
_NOUN_VERBS = _words(
    "average back block boot build burn bus call capture cause change charge clock close "
    "contact control copy couple cut cycle direct discharge display drive drop dry edit end "
    "exit export extend feed filter fit flash force form format gate ground group hold import "
    "increase input interrupt issue jump label lift limit link list load lock look mail map "
    "mark match measure mount mute name note offset open order plan plot point position "
    "power print probe process program project prompt pull pulse push range read record "
    "register release reply report request reserve reset return reverse round route run sample "
    "save scale scan schedule seal search select select-in sense set shape share shift short "
    "show sign sleep solder source split stack stage start step stop store supply swing switch "
    "tape test top total touch trace track train transfer transition trigger trim tune turn "
    "type update upgrade use vent view wake warn watch weld wire wrap write zero"
)
"""Verbs that begin many a noun ("Supply current", "Reset value"): they need an object."""

_OBJECT = re.compile(
    r"^(?:the|a|an|all|any|each|every|both|this|that|these|those|its|your|my|our|their|it|them|one|"
    r"two|three|some|another|up|down|out|off|on|in|to|into|from|with|at|back|over|only|again|n|"
    r"registers?|bits?|pins?|[A-Z0-9]*[A-Z0-9][A-Z0-9]+[\w.,:/<>\[\]()*=-]*|[0-9(“\"'‘<\[*]\S*|[A-Z]|"
    r"\w+[-_/]\w+)"
    r"(?=\s|$|[.,;:])"
)
_OPENING = re.compile(
    r"^(?:(?:then|next|finally|first|firstly|second|secondly|third|thirdly|last|lastly|now|"
    r"optionally|alternatively|also|again|please|always|afterwards?|after\s+that|after\s+this|"
    r"and|or|simply|just|only|carefully|manually|immediately|once\s+more|otherwise|so|gently|slowly"
    r"|pls)\b[,:]?\s+)+",
    re.IGNORECASE,
)
_ORDER = re.compile(r"^(?:do\s+not|don['’]?t|never|be\s+sure|make\s+sure)\b", re.IGNORECASE)
_PASSIVE = re.compile(
    r"\b(?:must|should|shall|has\s+to|have\s+to|needs?\s+to|ought\s+to)\s+(?:\w+\s+)?(?:be\s+\w+|\w+)"
    r"|\bit\s+is\s+(?:necessary|important|required|recommended|essential|mandatory|advis\w+)\b"
    r"|\b(?:is|are)\s+(?:required|recommended)\s+to\b|\bwe\s+(?:recommend|suggest|advise)\b",
    re.IGNORECASE,
)
_YOU = re.compile(
    r"\byou\s+(?:can|could|may|must|should|need\s+to|have\s+to|will\s+need\s+to|want\s+to)\s+"
    r"(?:then\s+|also\s+|now\s+|simply\s+)?([a-z-]+)",
    re.IGNORECASE,
)
_NO_ACTION = frozenset({"find", "see", "expect", "notice", "be", "have", "get", "read", "remember"})
_CIRCUMSTANCE = re.compile(
    r"^(?:in|on|under|at|from|for|with|to|when|if|after|before|once|while|using|by|within|until)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:–—]\s+|\bthen\s+|\band\s+(?=[a-z])")
_NOT_BEFORE_VERB = _words(
    "a an and are be been being can could did do does each for is it its may might must not of "
    "or should that the these they this those to was we were will with would you your"
)
_FINITE = _words(
    "are can could did does had has have is may might must shall should was were will would"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_N_WORDS_SEARCHED = 14
_N_WORDS_TO_VERB = 4
_REFERENCE = re.compile(
    r"^(?:\d{1,2}\s+(?=[A-Z]))|^(?:\(?see|refer\s+to|note\s+that|for\s+(?:more|further|additional|"
    r"detailed)\b|consult|more\s+information|for\s+details|for\s+information)\b",
    re.IGNORECASE,
)

PROCEDURAL = re.compile(
    r"\bsteps?\b(?!\s*(?:size|response|up|down))|\bprocedures?\b|\bhow\s+to\b|\binstructions?\b"
    r"|\bsequences?\b|\bfollowing\s+(?:order|sequence|manner|tasks)\b|\bas\s+follows\b|\bwork\s?flow\b"
    r"|\bquick\s?start\b|\btutorial\b|^\s*to\s+[a-z]+\b|[.!]\s+to\s+[a-z]+\b[^.]{0,80}:$"
    r"|\bcheck\s?list\b|\bdo\s+the\s+following\b|\b(?:after|before)\s*:|\btry\s+the\s+following\b",
    re.IGNORECASE,
)
"""Of a heading or of the line before a list: what follows is to be done."""


def is_imperative(sentence: str) -> bool:
    """Tell whether a sentence, or a clause of it, begins by saying what to do."""
    text = _OPENING.sub("", sentence.strip().lstrip("\"'“‘("))
    if _ORDER.match(text) or _begins_with_verb(text):
        return True
    if not _CIRCUMSTANCE.match(text):
        return False
    return any(
        _begins_with_verb(_OPENING.sub("", text[match.end() :])) for match in _CLAUSE.finditer(text)
    ) or _has_verb_after_circumstance(text)


def is_instruction(sentence: str) -> bool:
    """Tell whether a sentence says what to do: "Set the bit", "the bit must be set", "you can set".

    A sentence that only points elsewhere ("See Section 3") says nothing by itself.
    """
    if _REFERENCE.match(sentence):
        return False
    if is_imperative(sentence) or _PASSIVE.search(sentence):
        return True
    return any(
        (verb := match.group(1).casefold()) not in _NO_ACTION and verb in (_VERBS | _NOUN_VERBS)
        for match in _YOU.finditer(sentence)
    )


def _begins_with_verb(text: str) -> bool:
    first = _WORD.match(text)
    if first is None:
        return False
    verb = first.group().casefold()
    rest = text[first.end() :].lstrip()
    if verb in _NOUN_VERBS:
        return bool(_OBJECT.match(rest)) and not _states(rest)
    return verb in _VERBS and bool(rest) and not _states(rest)


def _states(rest: str) -> bool:
    """Tell that the verb was a noun: "Load current is 5 mA"."""
    return any(word in _FINITE for word in _WORD.findall(rest[:60])[: _N_WORDS_TO_VERB - 1])


def _has_verb_after_circumstance(text: str) -> bool:
    """Find the verb of "Under Options select Advanced", where no comma shows the clause."""
    words = [word for word in text.split() if word[:1].isalpha()][:_N_WORDS_SEARCHED]
    if any(word.casefold() in _FINITE for word in words):
        return False
    plain = _VERBS - _NOUN_VERBS | {"select", "type", "open", "press", "turn"}
    return any(
        word in plain and before.casefold().strip(",.") not in _NOT_BEFORE_VERB
        for before, word in pairwise(words[1:])
    )


_POINTS_ELSEWHERE = re.compile(
    r"(?:for \w+(?:\s\w+){0,4},?\s)?(?:please\s)?(?:see|consult|refer\sto|read)\s"
    r"(?:also\s)?(?:the\s)?(?:\w+\s){0,3}?"
    r"(?:section|chapter|table|figure|appendix|page|application note|data\s?sheet)\b"
    r"[^,;]*$",
    re.IGNORECASE,
)


def points_elsewhere(sentence: str) -> bool:
    """Tell whether a sentence only says where to read on, and nothing itself."""
    return _POINTS_ELSEWHERE.match(sentence) is not None
