"""Characters that fonts do not name, or name wrongly, as a reader sees them."""

from collections.abc import Mapping
from pathlib import Path

import pymupdf
import pytest
import reportlab

from desktop_qa.core.page_text import TextQuery
from desktop_qa.parse.page_text import TextFile
from desktop_qa.parse.pdf import PdfFile
from tests.parse.sheet import PROSE

VERA = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"


class Signs:
    """A page with text in a usual font and text in one whose names may be edited."""

    def __init__(self) -> None:
        self.document = pymupdf.open()
        self.page = self.document.new_page()
        self.page.insert_font(fontname="S", fontfile=str(VERA))

    def put(self, x: float, y: float, text: str, size: float = 9, grey: float = 0) -> float:
        """Insert text in the font that is edited, 0 (black) to 1; return where it ends."""
        self.page.insert_text((x, y), text, fontname="S", fontsize=size, color=(grey,) * 3)
        return x + float(pymupdf.Font(fontfile=str(VERA)).text_length(text, size))

    def name(self, names: Mapping[str, str] | None) -> None:
        """Let the font say of its characters what they are; None for nothing at all."""
        font = next(f[0] for f in self.page.get_fonts() if f[4] == "S")
        if names is None:
            self.document.xref_set_key(font, "ToUnicode", "null")
            return
        vera = pymupdf.Font(fontfile=str(VERA))
        pairs = [f"<{vera.has_glyph(ord(c)):04X}> <{ord(n):04X}>" for c, n in names.items()]
        head = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def"
        codes = "1 begincodespacerange <0000> <FFFF> endcodespacerange"
        content = f"{head} {codes}\n{len(pairs)} beginbfchar\n" + "\n".join(pairs)
        xref = self.document.get_new_xref()
        self.document.update_object(xref, "<<>>")
        self.document.update_stream(xref, f"{content}\nendbfchar endcmap end end".encode())
        self.document.xref_set_key(font, "ToUnicode", f"{xref} 0 R")

    def words(self, folder: Path) -> str:
        """Save the page and read it."""
        path = folder / "signs.pdf"
        self.document.save(path)
        with PdfFile(path) as pdf:
            return " ".join(word.text for word in pdf.page(1).words)


def test_a_font_without_a_map_of_its_characters_is_read(tmp_path: Path) -> None:
    signs = Signs()
    for row, text in enumerate(PROSE):
        signs.put(60, 120 + 12 * row, text, size=10)
    signs.name(None)

    assert signs.words(tmp_path) == " ".join(PROSE)


def test_its_text_is_copied_from_the_page_as_it_is_seen(tmp_path: Path) -> None:
    signs = Signs()
    signs.put(60, 120, PROSE[0])
    signs.name(None)
    signs.document.save(tmp_path / "signs.pdf")

    assert TextFile(tmp_path / "signs.pdf").page(1).text.strip() == PROSE[0]


@pytest.mark.parametrize("turns", [0, 90, 180, 270])
def test_signs_that_a_font_names_as_letters_are_read(tmp_path: Path, turns: int) -> None:
    signs = Signs()
    signs.page.insert_text((60, 100), "From 10 to 20", fontsize=9)
    end = signs.put(120, 100, "\u00b5")
    signs.page.insert_text((end, 100), "A at 25 ", fontsize=9)
    signs.put(160, 100, "\u00b0\u2264\u03a9\u00b1")
    signs.name({"\u00b5": "m", "\u00b0": "C", "\u2264": "p", "\u03a9": "X", "\u00b1": "g"})
    signs.page.set_rotation(turns)

    text = signs.words(tmp_path)

    assert "\u00b5A" in text
    assert "\u00b0\u2264\u03a9\u00b1" in text


def test_a_font_that_names_its_characters_rightly_is_believed(tmp_path: Path) -> None:
    signs = Signs()
    signs.put(60, 100, "Il1|O0o\u03a9S5s8B")

    assert signs.words(tmp_path) == "Il1|O0o\u03a9S5s8B"


def test_text_under_a_picture_tells_nothing_of_its_font(tmp_path: Path) -> None:
    signs = Signs()
    signs.put(60, 120, PROSE[0])
    blocks = signs.page.get_text("rawdict")["blocks"]
    chars = [c for b in blocks for line in b["lines"] for s in line["spans"] for c in s["chars"]]
    signs.page.draw_rect(signs.page.rect, color=None, fill=(1, 1, 1))
    for char in chars:
        if char["c"] == "t":
            x, y = char["origin"]
            signs.page.draw_circle((x + 1.5, y - 0.6), 0.6, fill=(0, 0, 0))

    assert signs.words(tmp_path) == PROSE[0]


def test_pale_text_on_black_rules_is_believed(tmp_path: Path) -> None:
    signs = Signs()
    for row, text in enumerate(PROSE):
        end = signs.put(60, 120 + 12 * row, text, grey=0.55)
        signs.page.draw_line((60, 121 + 12 * row), (end, 121 + 12 * row), width=0.6)

    assert signs.words(tmp_path) == " ".join(PROSE)


def test_signs_in_white_on_a_dark_head_are_read(tmp_path: Path) -> None:
    signs = Signs()
    signs.page.draw_rect((50, 85, 300, 110), color=None, fill=(0.2, 0.2, 0.3))
    signs.put(60, 100, "\u03a9\u00b5\u00b1\u2264", grey=1)
    signs.name({"\u03a9": "X", "\u00b5": "m", "\u00b1": "g", "\u2264": "p"})

    assert signs.words(tmp_path) == "\u03a9\u00b5\u00b1\u2264"


@pytest.mark.parametrize(
    ("shown", "called"), [("pro\ufb01t, cash \ufb02ow", "\u00de\u00fe"), ("Það er því", "")]
)
def test_ligatures_are_read_whatever_letter_their_font_calls_them(
    tmp_path: Path, shown: str, called: str
) -> None:
    signs = Signs()
    for row, text in enumerate((*PROSE, shown)):
        signs.put(60, 120 + 12 * row, text)
    same = {char: char for char in "".join((*PROSE, shown))}
    signs.name(same | dict(zip("\ufb01\ufb02", called, strict=False)))

    assert signs.words(tmp_path).endswith(shown.replace("\ufb01", "fi").replace("\ufb02", "fl"))


def test_zeros_and_letters_are_told_apart_by_what_stands_beside_them(tmp_path: Path) -> None:
    signs = Signs()
    signs.put(60, 100, "OUTPUTS 1000 pull collector")
    signs.name(None)

    assert signs.words(tmp_path) == "OUTPUTS 1000 pull collector"


def test_codes_that_count_as_spaces_are_signs_where_something_is_seen(tmp_path: Path) -> None:
    signs = Signs()
    signs.page.insert_text((60, 100), "Height", fontsize=9)
    signs.put(120, 100, "1.35")
    signs.name({"1": "\x1d", ".": "\x02", "3": "\x1e", "5": "\x85"})

    assert "1.35" in signs.words(tmp_path)


def test_a_sign_unlike_any_other_keeps_its_code(tmp_path: Path) -> None:
    signs = Signs()
    signs.page.insert_text((60, 100), "Symbol:", fontsize=9)
    signs.put(110, 100, "\u2603")
    signs.name({"\u2603": "\ue001"})

    assert "Symbol:" in signs.words(tmp_path)


def test_signs_between_close_lines_are_seen_alone(tmp_path: Path) -> None:
    signs = Signs()
    for row in range(5):
        signs.page.insert_text((60, 100 + 8 * row), "gjpqy|gjpqy|", fontsize=8)
        signs.put(120, 100 + 8 * row, "\u03a9\u00b5", size=8)
    signs.name({"\u03a9": "W", "\u00b5": "m"})

    assert signs.words(tmp_path).count("\u03a9\u00b5") == 5


def test_a_search_finds_a_sign_that_its_font_names_as_a_letter(tmp_path: Path) -> None:
    signs = Signs()
    signs.page.insert_text((60, 100), "Resistance 10 k", fontsize=9)
    signs.put(140, 100, "\u03a9\u00b5\u00b1")
    signs.name({"\u03a9": "X", "\u00b5": "m", "\u00b1": "g"})
    signs.document.save(tmp_path / "signs.pdf")

    found = TextFile(tmp_path / "signs.pdf").find(TextQuery("\u03a9"), 1)

    assert len(found.hits) == 1
