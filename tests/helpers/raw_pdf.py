"""PDFs written byte by byte, for what no library writes: damage, and pages of endless strokes.

Objects 1 to 3 are catalog, page tree and font; page n (1-based) is object 2n + 2 and its content
object 2n + 3.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence


def raw_pdf(contents: Sequence[str], tree: str = "", box: str = "[0 0 612 792]") -> bytes:
    """Return a PDF with one page for each content stream.

    Args:
        contents: Page description operators; the font is F1.
        tree: The dictionary of the page tree in place of the right one.
        box: The media box of all pages.
    """
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(contents)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        (tree or f"<</Type/Pages/Count {len(contents)}/Kids[{kids}]>>").encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for index, content in enumerate(contents):
        page = f"<</Type/Page/Parent 2 0 R/MediaBox {box}/Contents {5 + 2 * index} 0 R"
        objects.append(f"{page}/Resources<</Font<</F1 3 0 R>>>>>>".encode())
        packed = zlib.compress(content.encode())
        head = f"<</Filter/FlateDecode/Length {len(packed)}>>stream\n".encode()
        objects.append(head + packed + b"\nendstream")
    written = bytearray(b"%PDF-1.5\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(written)
    written += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    written += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    trailer = f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF"
    return bytes(written) + trailer.encode()


def raw_text(lines: Sequence[str], y: float = 680, size: float = 10) -> str:
    """Return the operators that write lines below each other, from y points above the bottom."""
    shown = " ".join(f"({line}) Tj T*" for line in lines)
    return f"BT /F1 {size} Tf {1.2 * size} TL 60 {y} Td {shown} ET\n"


def strokes(n: int) -> str:
    """Return the operators of n slanted strokes all over the page."""
    steps = ((60 + i * 7 % 480, 60 + i * 11 % 640) for i in range(n))
    return "\n".join(f"{x} {y} m {x + 9} {y + 4} l S" for x, y in steps) + "\n"
