"""What kind of answer a question wants: the kinds of PDFTriage and of MasQA, by its wording."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_qa.augment.instructions import is_imperative
from desktop_qa.core.answer import Asked, QuestionType, StructureRef
from desktop_qa.retrieve.task_words import Choice, has_blank

_MAX_CHARACTERS = 1000
"""The kind shows in the first words; a pasted text behind them has words of all kinds."""

_PATTERNS: tuple[tuple[QuestionType, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            QuestionType.JUDGEMENT,
            r"^\s*(?:true|right|yes|correct)\s+or\s+(?:false|wrong|no|incorrect)\b"
            r"|^\s*is\s+(?:it|this|that)\s+(?:right|true|correct)\b|\b(?:true|right)\s+or\s+"
            r"(?:false|wrong)\s*\?|^\s*judge\b|\bis\s+the\s+following\s+(?:statement\s+)?(?:true|right)",
        ),
        (
            QuestionType.REWRITE,
            r"^\W*(?:please\s+|can\s+you\s+)?(?:rewrite|rephrase|reword|paraphrase|reformulate"
            r"|simplify|translate)\b|^\W*(?:please\s+)?(?:turn|convert|put)\b.+\binto\s+"
            r"(?:an?|some|simple|plain|bullet|numbered)\b",
        ),
        (
            QuestionType.SUMMARY,
            r"\bsummari[sz]e\b|\bsum\s+up\b|\bsummary\s+(?:of|on|about)\b|\b(?:overview|gist|synopsis"
            r"|recap)\s+of\b|\bin\s+a\s+few\s+(?:words|sentences)\b|^\W*(?:outline|condense)\b",
        ),
        (
            QuestionType.EXTRACTION,
            r"^\W*(?:please\s+)?(?:extract|enumerate)\b|\b(?:list|name|give\s+me|extract|collect)\s+"
            r"(?:me\s+)?(?:all|every|each)\b|\blist\s+(?:them|these)\b|^\W*list\s+the\b"
            r"|\b(?:what|which)\s+are\s+(?:all\s+)?the\s+(?:\w+\s+){0,3}(?:pins|registers|bits|modes"
            r"|peripherals|commands|interfaces|packages|features|sources|protocols|variants|versions)\b",
        ),
    )
)

_TASKS = frozenset(
    (
        QuestionType.CHOICE,
        QuestionType.MULTIPLE_CHOICE,
        QuestionType.JUDGEMENT,
        QuestionType.FILL_IN,
        QuestionType.REWRITE,
        QuestionType.SUMMARY,
        QuestionType.EXTRACTION,
    )
)

_AMOUNT = (
    r"(?<![\w.])\d[\d.,]*\s?-?(?:[munpkMGµμ]?(?:A|V|W|F|H|Ω|J|s|Hz|Ah|Wh|[oO]hms?)|°\s?[CF])(?!\w)"
)
_MORE = (
    r"(?:higher|lower|larger|smaller|longer|shorter|more|less|faster|slower|greater|bigger|wider"
    r"|heavier|lighter|better|worse|hotter|colder|as\s+(?:much|many|high|large|long|fast))"
)
_MAY_BE_HOW_TO = frozenset((QuestionType.FACT, QuestionType.TABLE, QuestionType.DESCRIPTION))

_CALCULATION = re.compile(
    # What is to be done with the values is said.
    r"\b(?:by\s+what\s+(?:factor|percentage|ratio)|by\s+how\s+(?:many|much)\s+(?:percent|%|degrees)"
    r"|what\s+(?:percentage|factor|ratio|fraction|share)|how\s+many\s+percent|what\s+%"
    rf"|how\s+many\s+times\s+{_MORE}|how\s+much\s+{_MORE}\b.*\bthan\b|ratio\s+(?:of|between)"
    r"|in\s+total\b(?=.*\b(?:and|both|when|together)\b)|total\s+of|sum\s+of\s+the|add\s+up|headroom"
    r"|(?:and|both)\b.*\b(?:in\s+total|altogether|combined)"
    r"|difference\s+in\s+(?:\w+\s+)?(?:current|voltage|price)"
    r"|difference\s+between\s+(?:the\s+|its\s+)?(?:max\w*|min\w*|typ\w*|highest|lowest|largest|smallest)"
    r"|power\s+is\s+lost)\b"
    r"|(?<!\bis )(?<!\bare )(?<!\bbe )\b(?:calculate|compute|work\s+out)\b(?!d)"
    # A conversion.
    rf"|\b(?:convert|express)\b.*\d|^\W*(?:what(?:'s|\s+is|\s+are)|how\s+much\s+is)\s+{_AMOUNT}\s+in\b"
    rf"|\bhow\s+many\s+\S{{1,12}}\s+(?:is|are)\s+{_AMOUNT}|\bin\s+(?:degrees?\s+)?(?:fahrenheit|kelvins?)\b"
    # Amounts of the question with what comes of them.
    rf"|\bhow\s+(?:much|many\s+\w+\s+of)\s+(?:power|heat|energy)\b(?=.*(?:{_AMOUNT}|\bdissipat|\blost\b"
    r"|\bburn))"
    rf"|{_AMOUNT}.*\bhow\s+(?:much|many)\s+(?:power|heat|energy|watts?|joules?|[mµ]?[WJ]\b)"
    r"|\b\d[\d.,]*\s?m?[AW]h\b|\b(?:battery|coin\s+cell)\b.*\b(?:last|life|run)|\bbattery\s+life\b"
    rf"|{_AMOUNT}.*\b(?:heats?\s+up|temperature\s+rise|how\s+hot)\b"
    rf"|\b(?:heats?\s+up|temperature\s+rise|how\s+hot|junction\s+temperature)\b.*{_AMOUNT}"
    r"|\b(?:lsb|step)\s*size\b.*\d+\s?-?bits?\b|\d+\s?-?bits?\b.*\b(?:lsb|step)\s*size\b"
    # A component or setting, and what it makes.
    r"|\bwhat\s+\w+(?:[\s-]\w+){0,2}\s+results\b"
    r"|\b(?:what|which|how\s+(?:many|long|large|big|high|much))\b(?=.*\b(?:sets?|results?|gives?|get|obtain"
    r"|need|choose|select|program|produces?|yields?|make)\b)(?=.*(?:"
    r"(?<![\w.])\d[\d.,]*\s?-?(?:[nµμup]F|[kM]?Ω|[kM]?[oO]hms?|[nµμum]H)(?!\w)|\bR\w{0,6}\s?=\s?\d"
    r"|\b(?:resistor|capacitor)\b[^?]*" + _AMOUNT + r"))"
    r"|(?!.*\b(?:typ|max|min|load)\w*)(?:^|.*?\b)(?:what|how\s+(?:long|many|much|high|large))\b.*\b(?:with"
    r"|for|from|using)\s+(?:an?\s+)?\d[\d.,]*\s?-?(?:[nµμup]F|[kM]?Ω|[kM]?[oO]hms?)(?!\w)"
    # A time that a capacitor sets.
    r"|\bhow\s+(?:long|many\s+\w*s(?:econds?)?)\b(?=.*(?<![\w.])\d[\d.,]*\s?[nµμup]F\b)"
    r"|(?<![\w.])\d[\d.,]*\s?[nµμup]F\b.*\bhow\s+(?:long|many\s+\w*s(?:econds?)?)\b"
    # Several of them.
    r"|\b(?:two|three|four|five|six|eight|ten|\d+)\s+(?:\w+\s+){0,3}?[A-Z]\w*\d\w*\b.*\b(?:together"
    r"|in\s+total|altogether|combined|in\s+all)\b",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"\b(?:price|cost|costs|cheap\w*|in\s+stock|where\s+can\s+i\s+buy|who\s+sells|distributor|lead\s+time"
    r"|market\s+share|competitors?|founded|ceo|stock\s+price|weather|recipe|world\s+cup)\b",
    re.IGNORECASE,
)
_CLASSIFICATION = re.compile(
    r"\bwhat\s+(?:kind|type|sort|category|class)\s+of\b(?!\s+(?:capacitor|resistor|inductor|diode|cable"
    r"|supply|load|battery|package|connector|signal))|\bbe\s+filed\s+under\b|\bclassif(?:y|ied|ication)\b"
    r"|\b(?:is|are)\s+the\s+\S+(?:\s+\S+)?\s+an?\s+\w+(?:\s+\w+){0,2}\s+or\s+an?\s+\w+"
    r"|\bwhich\s+(?:category|class|kind\s+of)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"\b(which|what|show|where)\b.{0,40}\b(figure|drawing|diagram|plot|graph|schematic|"
    r"chart|curve|picture|photo|image|(?<!short[- ])(?<!open[- ])circuit(?! current))\b"
    r"|\bshow me\b.{0,40}\b(figure|diagram)\b",
    re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"\bhow\s+(?:(?:do|can|should|must|would|could)\s+(?:i|we|you)|to)\b", re.IGNORECASE
)
_PROCEDURE = re.compile(
    r"\bhow\s+(?:do|can|should|must|to|would)\b|\bsteps?\b(?!\s*(?:size|response))|\bprocedure\b"
    r"|\b(?:power|start|boot)[- ]?(?:up|down)\s+sequence\b"
    r"|\bsequence\s+(?:to|for|of\s+(?:steps|commands|bytes|writes))\b|\bwhat(?:['’]s|\s+is)\s+the\s+(?:\w+\s+)?sequence\b|\binstructions?\s+(?:to|for|on)\b"
    r"|\bwhat\s+(?:do|must|should)\s+(?:i|we|you)\s+(?:have\s+to\s+|need\s+to\s+)?"
    r"(?:do(?!\s+with)|change|set|write|send)\b"
    r"|\bwhat\s+(?:\w+\s+)?(?:sequence|steps)\b|\border\s+of\s+(?:operations|steps|commands|writes)\b"
    r"|\bstart\s+to\s+(?:finish|end)\b|\bstep[- ]by[- ]step\b"
    r"|\bwhat\s+(?:does|must|should)\s+(?:my|the|our)\s+(?:firmware|software|host|mcu|master|driver|code"
    r"|controller|processor)\s+(?:have\s+to\s+)?do\b|\bwhat\s+(?:has|needs|have|must|is)\s+(?:to\s+)?be\s+done\b|\bin\s+(?:which|what)\s+order\b"
    r"|\bwhat\s+is\s+the\s+(?:right|best|recommended|correct|proper)\s+way\s+to\b"
    r"|\bis\s+there\s+(?:a|any|some)\s+way\b|\bwork(?:s|ing)?\s+around\b|\bworkaround\b"
    r"|\bhow\s+(?:is|are)\s+(?:the|an?)\s+[\w -]{3,60}\b(?:done|run|carried\s+out|performed|started"
    r"|configured|enabled|initiali[sz]ed|calibrated|programmed|set\s+up|tested|updated|reset|read)\s*\?"
    r"|\b(?:exact|right|correct)\s+(?:bytes|commands|writes|order|steps)\b|\bwhere\s+do\s+(?:i|we|you|the)\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:i|we)\s+(?:want|need|would\s+like|['’]d\s+like)\s+to\b|\b(?:wants?|needs?)\s+(?:an?|another|the"
    r"|to|it|them|some)\b|\bdo(?:n['’]?t|\s+not)\s+want\b|\bget\s+rid\s+of\b|\bmake\s+it\b|\bso\s+(?:that\s+)?i"
    r"\s+can\b|\bin\s+one\s+go\b|\b(?:wo|ca)n['’]?t\b|\bonly\s+want\b|\btrying\s+to\b|\bshould\s+(?:not\s+)?"
    r"(?:show|see|be\s+able|stop|start|say|look|use|go)\b|\bthough\s*$|\b(?:crashed|stuck|broken)\b",
    re.IGNORECASE,
)
"""A need told without a question is a how-to, if nothing else is asked."""

_ASKS = re.compile(
    r"(?:^|[.,;:?]\s*|\b(?:and|so)\s+)(?:who|when|why)\b|\b(?:what|which|how\s+(?:much|many|long|fast|high|low|far|big|large|often"
    r"|heavy|wide|close|accurate|hot|cold|small|tall|thick))\b|\b(?:does|is|are|can|will|may|do)\s+(?:the|it"
    r"|this|that|there)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^\W*(?:please\s+)?(?:show|find|give|tell|list|name|state|compare|explain|describe|calculate"
    r"|compute|determine|look|search|identify|choose|select|pick|check|confirm|summari[sz]e|extract"
    r"|note|consider|suppose|assume|let)\b",
    re.IGNORECASE,
)
"""Imperatives that are said to the program, not of what one wants to do with a product."""
_COMPARE = re.compile(
    r"\b(compare|compared|comparison|versus|vs\.?|difference\s+between|differ|differs|differences)\b",
    re.IGNORECASE,
)
_ACROSS = re.compile(
    r"\bwhich\s+(?:of\s+(?:these|those|the|my|all|our)\s+)?(?:\w+\s+){0,3}?(?:documents?|datasheets?"
    r"|parts|devices|chips|sensors|regulators|ldos|amplifiers|op\s?amps|converters|transceivers"
    r"|chargers|drivers|modules|products)\b|\b(?:among|across)\s+(?:all|the|these|my)\b",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:table|row|column)s?\b|\b(?:typ(?:ical(?:ly)?)?|max(?:imum)?|min(?:imum)?|worst[- ]case"
    r"|guaranteed|nominal|rated|at\s+(?:most|least))\b",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(
    r"^\W*(?:please\s+)?(?:describe|explain)\b|\bwhy\b|\bwhat\s+(?:is|are)\s+the\s+(?:purpose|function"
    r"|role|idea|meaning)\b|\bwhat\s+happens\b|\bhow\s+does\b.*\bwork\b",
    re.IGNORECASE,
)


def question_type(
    text: str,
    refs: Sequence[StructureRef] = (),
    choice: Choice | None = None,
    *,
    n_documents: int = 0,
    n_parts: int = 0,
) -> QuestionType:
    """Tell the kind of a question; what is to be done with the answer goes before its topic.

    Args:
        text: As typed.
        refs: Places that it names.
        choice: Its options.
        n_documents: Documents that it names.
        n_parts: Questions that it is made of.
    """
    if choice is not None and choice.options:
        return QuestionType.MULTIPLE_CHOICE if choice.may_be_several else QuestionType.CHOICE
    text = text[:_MAX_CHARACTERS]
    if has_blank(text):
        return QuestionType.FILL_IN
    if any(ref.asked is not Asked.CONTENT for ref in refs):
        return QuestionType.STRUCTURE
    for kind, pattern in _PATTERNS:
        if pattern.search(text):
            return kind
    if refs:
        is_drawing = all(ref.kind == "figure" and ref.title for ref in refs)
        return QuestionType.FIGURE if is_drawing else QuestionType.STRUCTURE
    return _by_topic(text, n_documents, n_parts)


def topic_type(kind: QuestionType, searched: str) -> QuestionType:
    """Tell what kind of place holds the answer, whatever is to be done with it.

    A choice between figures is answered by a figure, the summary of a procedure by its steps.

    Args:
        kind: Of the question.
        searched: The question without task words and options.
    """
    return _by_topic(searched[:_MAX_CHARACTERS], 0, 0) if kind in _TASKS else kind


def _by_topic(text: str, n_documents: int, n_parts: int) -> QuestionType:
    by_wording: tuple[tuple[QuestionType, bool], ...] = (
        (QuestionType.PROCEDURE, bool(_HOW_TO.search(text))),
        (QuestionType.CALCULATION, bool(_CALCULATION.search(text))),
        (QuestionType.FIGURE, bool(_FIGURE.search(text))),
        (QuestionType.COMPARE, bool(_COMPARE.search(text))),
        (QuestionType.PROCEDURE, bool(_PROCEDURE.search(text))),
        (QuestionType.COMPARE, n_documents > 1),
        (QuestionType.OUTSIDE, bool(_OUTSIDE.search(text))),
        (QuestionType.CLASSIFICATION, bool(_CLASSIFICATION.search(text))),
        (QuestionType.CROSS_PAGE, n_parts > 1),
        (QuestionType.ACROSS_DOCUMENTS, bool(_ACROSS.search(text)) and n_documents == 0),
        (QuestionType.TABLE, bool(_TABLE.search(text))),
        (QuestionType.DESCRIPTION, bool(_DESCRIPTION.search(text))),
    )
    kind = next((kind for kind, is_so in by_wording if is_so), QuestionType.FACT)
    return QuestionType.PROCEDURE if kind in _MAY_BE_HOW_TO and _tells_a_need(text) else kind


def _tells_a_need(text: str) -> bool:
    """Tell whether a text says what one wants to do ("zip the whole project") and asks no more."""
    if _ASKS.search(text) or _REQUEST.match(text):
        return False
    return is_imperative(text) or bool(_WISH.search(text))
