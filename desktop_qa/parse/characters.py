"""Characters that old fonts break: mapped to what the reader sees, and only those.

The text layer of a PDF is what other programs find in it too, so a word is left as it is unless
its characters are private ones, control characters, the glyph numbers of a symbol font, or signs
that stand for that of degrees or for a dash.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from desktop_qa.core.folding import LIKE_SIGNS, fold

REPLACEMENT = "\ufffd"

MAX_UNMAPPED_SHARE = 0.12
"""Fonts that number their glyphs from 1 leave most of them in the range of real letters."""

# The encoding of Adobe's Symbol font from 0x20 on, "\0" where it has no glyph.
_SYMBOL_LOW = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
)
_SYMBOL_HIGH = (
    "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
    "⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
)
_SYMBOL = {0x20 + i: c for i, c in enumerate(_SYMBOL_LOW)} | {
    0xA1 + i: c for i, c in enumerate(_SYMBOL_HIGH) if c != "\0"
}
_SYMBOL[ord("W")] = "Ω"
_SYMBOL[ord("m")] = "µ"

# Adobe's own private code points for the pieces of tall brackets in Symbol.
_ADOBE_PIECES = dict(enumerate("⎜⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭", 0xF8E6))

_SYMBOL_FONT = ("symb", "math", "greek", "dingb", "wingd", "webd", "euclid", "extra")
_PRIVATE_LETTERS = re.compile(r"[\uf030-\uf039\uf041-\uf05a\uf061-\uf07a]{3,}")
"""Words: Symbol is there for single letters."""

_BROKEN_WORDS_SHARE = 0.6
_MIN_BROKEN_SHARE = 0.04
_ONE_LETTER_SHARE = 0.6
"""Of a text in words of one letter ("AAAA") when a font gives all its glyphs one code."""

_MIN_LETTERS = 100

_PLAIN = re.compile(r"[\x21-\x7e]*\Z")


def repair(text: str, font: str) -> str:
    """Return the text of one font run as it is seen, U+FFFD for what has no meaning."""
    if _PLAIN.match(text):
        return text
    if _PRIVATE_LETTERS.search(text) and not is_symbolic(font):
        # Fonts that were embedded as symbols keep the letters they are for.
        text = "".join(chr(ord(c) - 0xF000) if "\uf021" <= c <= "\uf07e" else c for c in text)
    return "".join(_repaired(char, font) for char in text).translate(LIKE_SIGNS)


def is_symbolic(font: str) -> bool:
    """Tell a font of signs by its name."""
    return any(name in font.lower() for name in _SYMBOL_FONT)


def _repaired(char: str, font: str) -> str:
    code = ord(char)
    if 0xF020 <= code <= 0xF0FF:
        return _private(code - 0xF000, char, font)
    if 0xF8E5 <= code <= 0xF8FE:
        return _ADOBE_PIECES.get(code, char)
    if 0xFB00 <= code <= 0xFB06:
        return unicodedata.normalize("NFKC", char)
    if code in (0xFEFF, 0x200B, 0xFFFF, 0xFFFE):
        return ""
    # Engines hand out the raw code where a font maps a glyph to nothing.
    return REPLACEMENT if code < 0x20 or 0x7F <= code < 0xA0 or code >= 0xF0000 else char


def _private(code: int, char: str, font: str) -> str:
    """Decode a code of a symbol font that was moved to the private area."""
    if "ding" in font.lower():
        return char
    decoded = _SYMBOL.get(code, char)
    return "" if decoded == " " else decoded


_SUPERSCRIPTS = str.maketrans(
    "0123456789+-−–()abcdefghijklmnoprstuvwxyz",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ",
)
_EXPONENT = re.compile(r"[+\-−–*]?\d{1,3}\)?,?|[a-z]")  # a comma parts the marks of two notes


def raised(text: str) -> str:
    """Write an exponent as one: 2 raised 16 is no 216; other raised text stays as it is."""
    return text.translate(_SUPERSCRIPTS) if _EXPONENT.fullmatch(text) else text


def is_garbled(texts: Iterable[str], share: float = MAX_UNMAPPED_SHARE) -> bool:
    """Tell whether repaired words come from fonts without a usable character map."""
    n_chars = n_unmapped = n_in_broken_words = n_alike = 0
    for text in texts:
        n_chars += len(text)
        if len(text) > 2 and text[0].isalpha() and text == text[0] * len(text):
            n_alike += len(text)
        if not text.isascii():
            n_here = sum(1 for char in text if is_unnamed(char))
            n_unmapped += n_here
            n_in_broken_words += len(text) if n_here else 0
    if n_chars < 20:
        return False
    if n_unmapped > share * n_chars:
        return True
    # Glyph numbers in the range of letters look like words; those in that of controls tell.
    if n_in_broken_words > _BROKEN_WORDS_SHARE * n_chars:
        return n_unmapped > _MIN_BROKEN_SHARE * n_chars
    return n_alike > max(_ONE_LETTER_SHARE * n_chars, _MIN_LETTERS)


def letters_of(text: str) -> str:
    """Return letters and digits alone, folded: outlines, pages and totals differ in the rest."""
    return "".join(char for char in fold(text) if char.isalnum())


def is_unnamed(char: str) -> bool:
    """True for a character that says nothing of what is seen."""
    return char == REPLACEMENT or "\ue000" <= char <= "\uf8ff"
