"""Follow-ups of a word or two: why, where, show me the figure, tell me more."""

from __future__ import annotations

import re

from desktop_qa.retrieve.question_frame import Frame, Wording

_WHY = re.compile(
    r"^\W*(?:and\s+|but\s+)?(?:why|how\s+come)(?:\s+so\s+\w+)?(?:\s+(?:is\s+)?(?:that|this|so))?\W*$",
    re.I,
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
_ARTICLE = re.compile(r"the|an?|its", re.IGNORECASE)
_MORE = re.compile(
    r"^\W*(?:(?:tell\s+me\s+|give\s+me\s+)?more(?:\s+details?|\s+about\s+(?:it|that|this))?"
    r"|(?:please\s+)?explain(?:\s+(?:it|that|this))?|details)\W*$",
    re.IGNORECASE,
)
_BY_WHAT = re.compile(
    r"^\W*(?:and\s+)?(?P<asks>(?:(?:on|in|at|by|with|for|from|to)\s+(?:which|what)\s+\w+|how|when"
    r"|where))\W*$",
    re.IGNORECASE,
)
_SHOW = re.compile(
    r"^\W*(?:and\s+|please\s+)*(?P<all>(?:show|give|tell|list)(?:\s+me)?\s+(?:the|all(?:\s+the)?)\s+"
    r"(?P<noun>[\w-]+(?:\s+[\w-]+){0,2}))\W*$",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(r"^(?:is|are|does|do|can|may|must|should|will|has|have)\b", re.IGNORECASE)
_HAPPENS = re.compile(r"^what\s+happens(?:\s+to)?\b", re.IGNORECASE)


def is_short_question(text: str) -> bool:
    """Tell whether a question is "Why?" or "Where is that stated?"."""
    return bool(_WHY.match(text) or _WHERE.match(text))


def short_question(text: str, frame: Frame) -> str:
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
        own = [word for word in figure["what"].split() if not _ARTICLE.fullmatch(word)]
        if len(own) > 1:
            what = frame.subject or what  # it says itself what it shows
        shown = re.sub(r"^its\b", "the", figure["what"].strip(), flags=re.IGNORECASE)
        return (
            f"{figure['ask']} {shown} of {what}{'.' if 'show' in figure['ask'].lower() else '?'}"
            if what
            else ""
        )
    if (where := _BY_WHAT.match(text)) and _YES_OR_NO.match(frame.text):
        return f"{where['asks'].strip()} {frame.text[:1].lower()}{frame.text[1:]}"
    if (asked := _SHOW.match(text)) and frame.subject and not frame.noun.endswith(asked["noun"]):
        return f"{asked['all'].strip()} of {frame.subject}."
    if _MORE.match(text):
        return f"Explain {what}." if what else ""
    return ""
