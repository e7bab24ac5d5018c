"""Brand of the fictional vendor: colours, typefaces, paragraph styles and text notation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

VENDOR = "Orlunda Semiconductor"
VENDOR_LEGAL = "Orlunda Semiconductor AB"
SITE = "www.orlunda.example"

PAGE_WIDTH, PAGE_HEIGHT = A4
MARGIN = 51.0
TOP = 84.0
BOTTOM = 62.0
TEXT_WIDTH = PAGE_WIDTH - 2 * MARGIN
TEXT_HEIGHT = PAGE_HEIGHT - TOP - BOTTOM
GUTTER = 21.0
COLUMN_WIDTH = (TEXT_WIDTH - GUTTER) / 2

INK = HexColor("#1b1f23")
MUTED = HexColor("#5a646b")
ACCENT = HexColor("#00566b")
WARM = HexColor("#d2691e")
RULE = HexColor("#9aa5ab")
SHADE = HexColor("#dfe8eb")
PALE = HexColor("#f1f5f6")
WHITE = HexColor("#ffffff")
CURVES: tuple[Color, ...] = (
    ACCENT,
    WARM,
    HexColor("#6b7780"),
    HexColor("#5b8c2a"),
    HexColor("#7a4a9e"),
)

REGULAR, BOLD, ITALIC, BOLD_ITALIC = "Roboto", "Roboto-Bold", "Roboto-Italic", "Roboto-BoldItalic"
MONOSPACED = "Courier"


def font_file(name: str) -> Path:
    """Path of a Roboto face (Apache 2.0)."""
    return Path(__file__).resolve().parents[1] / "fonts" / f"{name}.ttf"


def register_fonts() -> None:
    """Make the typefaces known to reportlab."""
    for name in (REGULAR, BOLD, ITALIC, BOLD_ITALIC):
        file_name = name if "-" in name else f"{name}-Regular"
        pdfmetrics.registerFont(TTFont(name, str(font_file(file_name))))
    pdfmetrics.registerFontFamily(REGULAR, REGULAR, BOLD, ITALIC, BOLD_ITALIC)


def _style(name: str, size: float, leading: float, **changes: Any) -> ParagraphStyle:
    return ParagraphStyle(
        name,
        fontName=REGULAR,
        fontSize=size,
        leading=leading,
        textColor=INK,
        bulletFontName=REGULAR,
        bulletFontSize=size,
        **changes,
    )


BODY = _style("body", 9, 12.4, spaceAfter=6, allowWidows=0, allowOrphans=0)
BULLET = _style("bullet", 9, 12.2, leftIndent=12, bulletIndent=1, spaceAfter=2.2)
SUB_BULLET = _style("sub bullet", 9, 12, leftIndent=24, bulletIndent=13, spaceAfter=1.8)
STEP = _style("step", 9, 12.4, leftIndent=19, bulletIndent=3, spaceAfter=3.6)
SMALL = _style("small", 7.4, 9.4)
FOOTNOTE = _style("footnote", 7.2, 9.2, leftIndent=15, bulletIndent=0, spaceAfter=1.2)
CONDITIONS = _style("conditions", 8.2, 10.8, spaceAfter=3)
CODE = ParagraphStyle("code", fontName=MONOSPACED, fontSize=8, leading=10.4, textColor=INK)
TITLE = ParagraphStyle("title", fontName=BOLD, fontSize=17.5, leading=21.5, textColor=ACCENT)
CAPTION = ParagraphStyle(
    "caption", fontName=BOLD, fontSize=8.4, leading=10.8, alignment=TA_CENTER, textColor=INK
)
TABLE_CAPTION = ParagraphStyle(
    "table caption", parent=CAPTION, spaceBefore=4, spaceAfter=3.5, keepWithNext=1
)
CELL = _style("cell", 7.6, 9.4)
CELL_CENTRED = ParagraphStyle("cell centred", parent=CELL, alignment=TA_CENTER)
CELL_RIGHT = ParagraphStyle("cell right", parent=CELL, alignment=TA_RIGHT)
CELL_HEADER = ParagraphStyle("cell header", parent=CELL_CENTRED, fontName=BOLD, fontSize=7.2)
CELL_HEADER_LEFT = ParagraphStyle("cell header left", parent=CELL_HEADER, alignment=TA_LEFT)
CELL_GROUP = ParagraphStyle("cell group", parent=CELL, fontName=BOLD)
ALIGNED = {"l": CELL, "c": CELL_CENTRED, "r": CELL_RIGHT}

HEADINGS = {
    1: ParagraphStyle(
        "chapter", fontName=BOLD, fontSize=14.5, leading=18, leftIndent=25, textColor=ACCENT,
        spaceBefore=13, spaceAfter=6, keepWithNext=1, bulletFontName=BOLD, bulletFontSize=14.5,
        bulletColor=ACCENT,
    ),
    2: ParagraphStyle(
        "section", fontName=BOLD, fontSize=11, leading=14, leftIndent=27, textColor=INK,
        spaceBefore=9, spaceAfter=4, keepWithNext=1, bulletFontName=BOLD, bulletFontSize=11,
    ),
    3: ParagraphStyle(
        "subsection", fontName=BOLD, fontSize=9.6, leading=12.4, leftIndent=33, textColor=INK,
        spaceBefore=7, spaceAfter=3, keepWithNext=1, bulletFontName=BOLD, bulletFontSize=9.6,
    ),
}  # fmt: skip

_SCRIPT = re.compile(
    r"(?P<kind>[_^])(?:\{(?P<braced>[^}]*)\}|(?P<bare>[A-Za-z0-9]+(?:\([A-Za-z0-9+]+\))?))"
)


def rich(text: str, size: float = BODY.fontSize) -> str:
    """Turn the notation `V_OS`, `V_{IN(MAX)}`, `10^{13}` into reportlab's paragraph markup."""

    def script(match: re.Match[str]) -> str:
        body = match["braced"] if match["braced"] is not None else match["bare"]
        if match["kind"] == "_":
            return f'<sub rise="{size * 0.18:.1f}" size="{size * 0.74:.1f}">{body}</sub>'
        return f'<super rise="{size * 0.34:.1f}" size="{size * 0.7:.1f}">{body}</super>'

    return _SCRIPT.sub(script, text)


def plain(text: str) -> str:
    """Drop notation and markup: what an outline entry or a file's metadata shows."""
    bare = _SCRIPT.sub(lambda match: match["braced"] or match["bare"] or "", text)
    return (
        re.sub(r"<[^>]+>", "", bare).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    )


def script_runs(text: str) -> list[tuple[str, str]]:
    """Split notated text into (kind, run) with kind "", "_" or "^", for text drawn by hand."""
    runs: list[tuple[str, str]] = []
    end = 0
    for match in _SCRIPT.finditer(text):
        if match.start() > end:
            runs.append(("", text[end : match.start()]))
        body = match["braced"] if match["braced"] is not None else match["bare"]
        runs.append((match["kind"], body))
        end = match.end()
    if end < len(text):
        runs.append(("", text[end:]))
    return runs
