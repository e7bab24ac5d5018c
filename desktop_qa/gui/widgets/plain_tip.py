"""Tool tips of words that somebody else wrote: never taken for rich text, wrapped, not endless."""

from __future__ import annotations

import html

_MAX_CHARACTERS = 600


def plain_tip(text: str) -> str:
    """Return a tool tip that shows a text as it is, in lines of a readable length."""
    if len(text) > _MAX_CHARACTERS:
        text = f"{text[:_MAX_CHARACTERS].rstrip()} …"
    # Only rich text is wrapped by Qt.
    return f"<qt>{html.escape(text).replace(chr(10), '<br>')}</qt>"
