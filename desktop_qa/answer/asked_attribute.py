"""Which thing a question asks for: "receiver sensitivity", "data rate".

A sentence that shares all other words of a question and not this one speaks of something else: a
supply range is no gyroscope range.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from desktop_qa.augment.codes import codes_in_question
from desktop_qa.index.terms import terms_of

_VERB = (
    r"(?:is|are|was|were|does|do|did|can|could|may|might|must|should|shall|will|would|has|have|had"
    r"|to|shows?|gives?|goes|covers?|applies|apply|needs?|uses?)"
)
_BEHIND = (
    r"(?:of|for|in|at|on|to|from|with|when|while|if|by|after|before|under|over|between|during|as"
    r"|according|that|which|and|or|using|per|without|within|inside|so|than|until|because|i|you|we)"
)
_END = rf"(?=\s+{_BEHIND}\b|\s+{_VERB}\b|[?.,;:!()]|\s*$)"
_THING = rf"(?P<thing>[^?.,;:!()]{{2,60}}?){_END}"
_NOT_A_THING = (
    r"(?!(?:is|are|was|were|of|does|do|did|can|may|must|will|happens?|should|in|has|have|about)\b)"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:what|which)(?:\s+(?:is|are|was|were)|['’]s)\s+(?:the|its|an?|their)\s+{_THING}",
        rf"\bhow\s+(?:many|much)\s+{_NOT_A_THING}{_THING}",
        rf"\b(?:what|which)\s+{_NOT_A_THING}{_THING}",
        rf"\b(?:give|tell|state|name|list|find)\s+(?:me\s+)?(?:the|its|all|every)\s+{_THING}",
    )
)
_GENERAL = frozenset(
    terms_of(
        "largest biggest smallest highest lowest longest shortest fastest slowest heaviest upper"
        " lower limit exact right wrong kind type sort factor value number amount level figure"
        " drawing diagram circuit table section name unit percent millisecond microsecond second"
        " milliamp microamp amp millivolt volt ms us ns ma ua na mv v hz khz mhz typical maximum"
        " minimum max min worst best case good normal allowed required recommended specified"
        " guaranteed possible total overall exactly roughly approximately different main certain"
        " actual covered described step way thing part device chip datasheet document manual"
    )
)
"""Words that name no thing: how much of it, or in which form it is given."""


def asked_terms(question: str) -> tuple[str, ...]:
    """Return the terms of the thing that a question asks for, each once; often there are none."""
    for pattern in _PATTERNS:
        found = pattern.search(question[:1000])
        if found:
            thing = found["thing"]
            for code in codes_in_question(thing):
                thing = thing.replace(code, " ")
            return tuple(dict.fromkeys(t for t in terms_of(thing) if t not in _GENERAL))
    return ()


def share_missing(terms: Iterable[str], among: Iterable[str]) -> float:
    """Return the share of terms that do not stand among others, 0.0 without any."""
    own = tuple(terms)
    present = set(among)
    return sum(term not in present for term in own) / len(own) if own else 0.0
