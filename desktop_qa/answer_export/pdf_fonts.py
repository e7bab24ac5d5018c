"""The fonts of exported PDFs, and which of them draws which character.

Roboto is in the file and draws Latin, Greek and Cyrillic letters, units and most signs. Arrows and
check marks come from the standard fonts Symbol and ZapfDingbats, and Chinese, Japanese and Korean
from the reader's own fonts by the names that PDF has for them. Other scripts (Arabic, Thai, emoji)
are not covered: their characters are shown as boxes.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from html import escape
from itertools import groupby
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

from desktop_qa.paths import asset

FAMILY, BOLD, ITALIC = "Roboto", "Roboto-Bold", "Roboto-Italic"
_CHINESE, _JAPANESE, _KOREAN = "STSong-Light", "HeiseiKakuGo-W5", "HYGothic-Medium"
_MISSING = "□"

_SYMBOLS = frozenset("→←↑↓↔⇒⇔⇐⇑⇓∈∉∝∠⊥∪∩≡∇⊕⊗∼⊂⊃⊆⊇∀∃∧∨⋅∴ℜℑ℘ℵ")
_DINGBATS = frozenset("✓✔✗✘✕✖★☎✉➔➜➤❑❒■▲▼◆●①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿")


def markup(text: str, *, is_bold: bool = False) -> str:
    """Return a text for a paragraph: escaped, each stretch in a font that can draw it."""
    own = BOLD if is_bold else ""
    parts = []
    for font, group in groupby(unicodedata.normalize("NFC", text), key=_font_of):
        piece = "".join(group)
        if font == _MISSING:
            piece, font = _MISSING * len(piece), _CHINESE
        shown, font = escape(piece, quote=False), font or own
        parts.append(shown if not font else f'<font name="{font}">{shown}</font>')
    return "".join(parts)


def _font_of(character: str) -> str:
    """Return the name of the font for a character; empty for that of the paragraph."""
    if ord(character) in register_fonts() or character.isspace():
        return ""
    if character in _SYMBOLS:
        return "Symbol"
    if character in _DINGBATS:
        return "ZapfDingbats"
    name = unicodedata.name(character, "")
    if name.startswith(("HIRAGANA", "KATAKANA")):
        return _JAPANESE
    if name.startswith("HANGUL"):
        return _KOREAN
    if name.startswith(("CJK", "FULLWIDTH", "IDEOGRAPHIC")):
        return _CHINESE
    return _MISSING


@cache
def register_fonts() -> frozenset[int]:
    """Register the fonts with the PDF writer, once; return the code points that Roboto draws."""
    for name, style in ((FAMILY, "Regular"), (BOLD, "Bold"), (ITALIC, "Italic")):
        pdfmetrics.registerFont(TTFont(name, str(asset(f"resources/fonts/Roboto-{style}.ttf"))))
    for name in (_CHINESE, _JAPANESE, _KOREAN):
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    face: Any = vars(pdfmetrics.getFont(FAMILY))["face"]
    return frozenset(face.charToGlyph)
