"""The words of a question that say what to do with the answer: they carry no topic.

"True or false: the alert pin is an output" is about the alert pin; sought with all its words it
would find truth tables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPTION = re.compile(r"(?:(?<=\s)|^)\(?([A-Ha-h])(?:\)|[.:](?=\s))\s*(?=\S)")
_NOTE = re.compile(
    r"[\s(\[]*\b(?:(?:pick|choose|select|mark|tick)\s+(?:the|one)\b[^)\]?:]*"
    r"|(?P<several>(?:(?:pick|choose|select|mark|tick)\s+(?:all|two|three)|more\s+than\s+one|several"
    r"|multiple|(?:one|two)\s+or\s+more)\b[^)\]?:]*\b(?:right|correct|possible|apply|true|answers?)\b"
    r"[^)\]?:]*))[)\]]*(?=[\s?:.]*$)",
    re.IGNORECASE,
)
"""How many options may be right, behind the question or behind the last of them."""

_BLANK = re.compile(r"_{2,}|(?<!\w)\(\s*\)")

_AT_START = re.compile(
    r"""\s*(?:(?:can|could|would)\s+you\s+)?(?:please
      | (?:tell|give|show)\s+me(?!\s+(?:all|every|each|any)\b)
      | i\s+(?:want|need|would\s+like|['’]d\s+like)\s+to\s+know
      | is\s+(?:it|this|that|the\s+following(?:\s+statement)?)\s+(?:right|true|correct)
        (?:\s+that|\s*[?:])
      | (?:true|right|yes|correct)\s+or\s+(?:false|wrong|no|not)(?:\s*\?)?|check\s+(?:whether|if)
      | rewrite|rephrase|reword|paraphrase|reformulate|simplify|translate|convert|turn|extract
      | summari[sz]e
    )(?!\w)\s*[:,–-]?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_AT_END = re.compile(
    r"(?:[\s,.;]*(?:please|thanks|thank\s+you|\b(?:list|name|give|show)\s+(?:them|these|those)"
    r"(?:\s+all)?|\bin\s+(?:a\s+few|two|three|one|\d+|short)\s+(?:words|sentences|lines"
    r"|bullet\s+points))\s*[.!?]*)+\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A question with its options split off.

    Attributes:
        options: Letter in upper case and text, in order; empty when there are none to choose from.
        may_be_several: True when the question allows more than one.
    """

    stem: str
    options: tuple[tuple[str, str], ...] = ()
    may_be_several: bool = False


def split_options(question: str) -> Choice:
    """Split "... A) 1 V B) 2 V" into the question and its options.

    The letters must run from A without a gap, at least to B.
    """
    marks = _run_of_letters(question)
    if len(marks) < 2:
        return Choice(question)
    stem = question[: marks[0].start()]
    ends = [mark.start() for mark in marks[1:]] + [len(question)]
    options = tuple(
        (mark[1].upper(), _NOTE.sub("", question[mark.end() : end]).strip(" \n\t;,"))
        for mark, end in zip(marks, ends, strict=True)
    )
    notes = (_NOTE.search(stem), _NOTE.search(question))
    stem = " ".join(_NOTE.sub("", stem).rstrip(" (:").split())
    return Choice(stem, options, any(note and note["several"] for note in notes))


def _run_of_letters(question: str) -> list[re.Match[str]]:
    """Return the marks of the options, in the order of the alphabet."""
    run: list[re.Match[str]] = []
    for mark in _OPTION.finditer(question):
        if mark[1].upper() == chr(ord("A") + len(run)) and (
            not run or mark[1].isupper() == run[0][1].isupper()
        ):
            run.append(mark)
    return run


def has_blank(question: str) -> bool:
    """Tell whether a gap is left to fill in."""
    return _BLANK.search(question) is not None


def strip_task_words(question: str) -> str:
    """Return the question without what is only to be done with its answer.

    Nothing is stripped when nothing would be left.
    """
    text = question
    while (match := _AT_START.match(text)) is not None and match.end() < len(text):
        text = text[match.end() :]
    text = _AT_END.sub("", text)
    text = " ".join(_BLANK.sub(" ", text).split())
    return text if re.search(r"\w{2}", text) else question
