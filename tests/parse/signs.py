"""Pages with text in a font that names its characters wrongly, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pymupdf
import reportlab

from tests.parse.sheet import Sheet

VERA = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"


class Signs(Sheet):
    """A page with text in a usual font and text in one whose names may be edited."""

    body = 9.0

    def __init__(self) -> None:
        super().__init__()
        self.page.insert_font(fontname="S", fontfile=str(VERA))

    def put(self, x: float, y: float, text: str, size: float = 9, grey: float = 0) -> float:
        """Insert text in the font that is edited, 0 (black) to 1; return where it ends."""
        self.page.insert_text((x, y), text, fontname="S", fontsize=size, color=(grey,) * 3)
        return x + float(pymupdf.Font(fontfile=str(VERA)).text_length(text, size))

    def name(self, names: Mapping[str, str] | None) -> None:
        """Let the font say of its characters what they are; None for nothing at all."""
        font = next(f[0] for f in self.page.get_fonts() if f[4] == "S")
        if names is None:
            self._document.xref_set_key(font, "ToUnicode", "null")
            return
        vera = pymupdf.Font(fontfile=str(VERA))
        pairs = [f"<{vera.has_glyph(ord(c)):04X}> <{ord(n):04X}>" for c, n in names.items()]
        head = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def"
        codes = "1 begincodespacerange <0000> <FFFF> endcodespacerange"
        content = f"{head} {codes}\n{len(pairs)} beginbfchar\n" + "\n".join(pairs)
        xref = self._document.get_new_xref()
        self._document.update_object(xref, "<<>>")
        self._document.update_stream(xref, f"{content}\nendbfchar endcmap end end".encode())
        self._document.xref_set_key(font, "ToUnicode", f"{xref} 0 R")

    def words(self) -> str:
        return " ".join(word.text for word in self.contents()[0].words)
